"""The average of the family: honest, additive with its choices held, and with reasons."""

import json
from copy import deepcopy

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bayesic as by
from bayesic.estimation.pool import pool_weights
from bayesic.selection._members import Member
from bayesic.selection.auto_bayes import _asked, _joined, _said_of
from helpers.environment import environment
from helpers.examples import at_most


def weather(n_rows, seed=0):
    """Numbers and words with gaps, and a class that depends on both."""
    rng = np.random.default_rng(seed)
    wind, rain = rng.normal(size=n_rows), rng.normal(size=n_rows)
    sky = rng.choice(["sun", "cloud", "雪"], n_rows)
    late = (wind + (sky == "雪") * 2 - rain**2 + rng.normal(0, 0.5, n_rows)) > 0
    gaps = rng.random(n_rows) < 0.1
    columns = {
        "wind": np.where(gaps, np.nan, wind),
        "rain": rain,
        "sky": [None if gap else word for gap, word in zip(gaps[::-1], sky.tolist(), strict=True)],
    }
    return columns, np.where(late, "late", "on time")


def part(columns, rows):
    return {name: [cells[row] for row in rows] for name, cells in columns.items()}


def loss_of(model, columns, labels):
    own = np.searchsorted(model.classes_, labels)
    return -np.log(model.predict_proba(columns)[np.arange(len(labels)), own]).mean()


@pytest.fixture(scope="module")
def learned():
    columns, labels = weather(300)
    return by.AutoBayes().fit(columns, labels), columns, labels


def test_it_is_better_than_each_of_its_members(learned):
    model, columns, labels = learned
    more, truth = weather(2000, seed=1)
    alone = [loss_of(by.BayesForest().fit(columns, labels), more, truth),
             loss_of(by.NaiveBayes().fit(columns, labels), more, truth)]  # fmt: skip
    assert loss_of(model, more, truth) < min(alone)


def test_the_table_of_members_says_weight_loss_and_how_it_was_judged(learned):
    model, _, _ = learned
    judged = {type(row.model).__name__: row.judged for row in model.members_}
    assert judged == {
        "BayesForest": "out-of-bag",
        "GaussianBayes": "leave-one-out",
        "NaiveBayes": "folds",
    }
    assert [row.weight for row in model.members_] == sorted(model.weights_, reverse=True)
    assert all(row.log_loss > 0 and row.seconds > 0 for row in model.members_)
    lines = str(model.members_).splitlines()
    assert lines[0] == "Members of the pool"
    assert lines[1].split() == ["member", "weight", "log", "loss", "judged", "by", "seconds"]
    assert len(lines) == len(model.members_) + 2
    assert model.members_.to_pandas().equals(pd.DataFrame(model.members_))
    told = json.loads(json.dumps(model.members_.to_dict(), allow_nan=False))["members"]
    assert [member["weight"] for member in told] == [row.weight for row in model.members_]


def test_the_answer_is_the_weighted_mean_of_the_logs_of_the_votes(learned):
    model, columns, _ = learned
    some = part(columns, range(20))
    scores = model.bias_ + sum(
        weight * np.maximum(np.log(vote), -9.0)
        for weight, vote in zip(model.weights_, model.votes(some).values(), strict=True)
    )
    expected = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    np.testing.assert_allclose(model.predict_proba(some), expected, rtol=1e-9)


def test_reasons_add_up_to_the_answer(learned):
    model, columns, _ = learned
    some = part(columns, range(40))
    for reason, answer in zip(model.explain(some), model.predict_proba(some), strict=True):
        total = reason.prior_log_odds + sum(reason.weights.values())
        own, other = max(answer), min(answer)
        assert total == pytest.approx(np.log(own / other), abs=1e-9)
        assert set(reason.weights) == {"wind", "rain", "sky"}


def test_with_its_choices_held_it_learns_in_pieces_forgets_and_merges(learned):
    model, columns, _ = learned
    (second, y2), (third, y3) = weather(40, seed=2), weather(30, seed=3)
    at_once = deepcopy(model).partial_fit(second, y2).partial_fit(third, y3)
    other_order = deepcopy(model).partial_fit(third, y3).partial_fit(second, y2)
    copy = deepcopy(model).partial_fit(second, y2)
    merged = copy.merge(deepcopy(model).partial_fit(third, y3)).forget(columns, learned[2])
    for same in (other_order, merged):
        np.testing.assert_allclose(
            same.predict_proba(second), at_once.predict_proba(second), rtol=1e-9
        )
    back = at_once.forget(third, y3).forget(second, y2)
    np.testing.assert_allclose(back.predict_proba(columns), model.predict_proba(columns), rtol=1e-9)
    assert (back.weights_ == model.weights_).all()


def test_averages_of_other_members_are_not_merged(learned):
    columns, labels = weather(60)
    with pytest.raises(ValueError, match="same members"):
        deepcopy(learned[0]).merge(by.AutoBayes("quick").fit(columns, labels))


def test_a_row_is_left_out_of_every_member(learned):
    model, columns, labels = learned
    some = part(columns, range(25))
    scores = model.bias_.copy()
    fitted = model._fitted
    for member, its_model, weight in zip(
        fitted.members, fitted.models, model.weights_, strict=True
    ):
        rows = member.rows(model._rows(some))
        codes = np.searchsorted(model.classes_, labels[:25])
        joint = its_model._fitted.joint_scorer_without(rows, codes, np.ones(25))(slice(0, 25))[0].T
        logs = joint - np.logaddexp.reduce(joint, axis=1)[:, None]
        scores = scores + weight * np.maximum(logs, -9.0)
    expected = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    np.testing.assert_allclose(model.leave_one_out(some, labels[:25]), expected, rtol=1e-9)


def test_members_that_choose_are_judged_by_rows_that_they_have_not_seen(learned):
    model, columns, labels = learned
    every = _joined(model._known_rows(columns, labels, None))
    asked = _asked(every, model.classes_.tolist(), model.statistics_.class_count, 1000)
    (place,) = [
        at for at, each in enumerate(model._members) if isinstance(each.model, by.NaiveBayes)
    ]
    member = model._members[place]
    member = Member(member.having(model.classes_, model.statistics_.parts[place]))
    said, judged = _said_of(member, every, asked)
    assert judged == "folds"
    for number in range(5):
        mine = asked.rows[asked.fold == number]
        rest = np.setdiff1d(np.arange(300), mine)
        again = by.NaiveBayes().fit(part(columns, rest), labels[rest])
        np.testing.assert_allclose(
            said[asked.fold == number], again.predict_log_proba(part(columns, mine)), rtol=1e-8
        )


@pytest.mark.parametrize("draw", range(3))
def test_from_noise_it_says_the_prior(draw):
    rng = np.random.default_rng(draw)

    def noise(n_rows):
        words = {f"w{place}": rng.choice(list("abcd"), n_rows).tolist() for place in range(12)}
        numbers = {f"n{place}": rng.normal(size=n_rows) for place in range(8)}
        return {**words, **numbers}, rng.choice(["in", "out"], n_rows, p=[0.3, 0.7])

    rows, labels = noise(150)
    model = by.AutoBayes().fit(rows, labels)
    fresh, truth = noise(2000)
    share = np.unique(labels, return_counts=True)[1] / 150
    of_prior = -np.log(share[np.searchsorted(model.classes_, truth)]).mean()
    assert loss_of(model, fresh, truth) < of_prior + 0.03


@given(st.permutations(range(30)))
@at_most(5)
def test_the_order_of_rows_does_not_matter(order):
    columns, labels = weather(30)
    first = by.AutoBayes("quick").fit(columns, labels)
    second = by.AutoBayes("quick").fit(part(columns, order), labels[order])
    np.testing.assert_allclose(
        first.predict_proba(columns), second.predict_proba(columns), rtol=1e-5
    )


def test_a_file_keeps_all_of_it(learned, tmp_path):
    model, columns, labels = learned
    model.save(tmp_path / "average.bayes")
    loaded = by.load(tmp_path / "average.bayes")
    assert (loaded.predict_proba(columns) == model.predict_proba(columns)).all()
    assert (loaded.leave_one_out(columns, labels) == model.leave_one_out(columns, labels)).all()
    more, truth = weather(20, seed=5)
    loaded.partial_fit(more, truth)
    again = deepcopy(model).partial_fit(more, truth)
    assert (loaded.predict_proba(more) == again.predict_proba(more)).all()


def test_the_same_answers_for_any_number_of_threads():
    columns, labels = weather(120)
    answers = []
    for threads in ("1", "2", "8"):
        with environment(BAYESIC_THREADS=threads):
            answers.append(by.AutoBayes("quick").fit(columns, labels).predict_proba(columns))
    assert (answers[0] == answers[1]).all()
    assert (answers[0] == answers[2]).all()


def test_a_new_class_may_come():
    columns, labels = weather(60)
    model = by.AutoBayes("quick").fit(columns, labels)
    late, on_time = model.bias_
    model.partial_fit(part(columns, [0, 1]), ["never", "never"])
    assert model.classes_.tolist() == ["late", "never", "on time"]
    assert model.bias_.tolist() == [late, 0.0, on_time]
    assert model.predict_proba(columns).shape == (60, 3)
    np.testing.assert_allclose(model.predict_proba(columns).sum(axis=1), 1.0)


def test_costs_go_through_bayes_decision(learned):
    model, columns, _ = learned
    loss = {"wait": {"late": 0, "on time": 5}, "go": {"late": 1, "on time": 0}}
    actions = by.BayesDecision(model, loss).predict(part(columns, range(30)))
    assert set(actions.tolist()) <= {"wait", "go"}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"effort": "much"}, "effort must be one of 'quick', 'normal', 'thorough'"),
        ({"seed": 0.5}, "seed must be a whole number of 0 or more"),
        ({"columns": {"wind": "gaussian"}}, "AutoBayes does not take every kind of column"),
    ],
)
def test_parameters_that_make_no_sense_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        by.AutoBayes(**options).fit({"wind": [1.0, 2.0]}, ["no", "yes"])


def test_an_average_has_no_product_to_write_out(learned):
    with pytest.raises(TypeError, match="votes"):
        learned[0].work({"wind": 1.0})


def mails(n_rows, seed=0):
    """Texts, a number and a word; each tells a little of the class."""
    rng = np.random.default_rng(seed)
    labels = rng.choice(["ham", "spam"], n_rows)
    own = {"ham": ["meeting", "report", "notes", "plan"], "spam": ["free", "money", "win", "offer"]}

    def text(label):
        words = [*rng.choice(own[label], 1), *rng.choice(["the", "a", "of", "and", "to"], 6)]
        return " ".join(
            [*words, *rng.choice([*own["ham"], *own["spam"]], 2), f"no{rng.integers(99)}"]
        )

    columns = {
        "mail": [None if rng.random() < 0.05 else text(label) for label in labels],
        "size": rng.normal(np.where(labels == "spam", 2.0, 4.0), 1.0),
        "day": rng.choice(["mo", "tu"], n_rows).tolist(),
    }
    return columns, labels


@pytest.fixture(scope="module")
def learned_texts():
    columns, labels = mails(200)
    return by.AutoBayes("quick").fit(columns, labels), columns, labels


def test_a_column_that_looks_like_texts_has_a_member_of_its_own(learned_texts):
    model, columns, labels = learned_texts
    kinds = [type(row.model).__name__ for row in model.members_]
    assert kinds.count("TextClassifier") == 1
    assert {row.judged for row in model.members_ if isinstance(row.model, by.TextClassifier)} == {
        "folds"
    }
    more, truth = mails(1000, seed=1)
    alone = by.TextClassifier("auto").fit(columns["mail"], labels)
    said = alone.predict_proba(more["mail"])[np.arange(1000), (truth == "spam").astype(int)]
    assert loss_of(model, more, truth) < -np.log(said).mean()
    told = by.AutoBayes("quick", columns={"mail": "text"}).fit(columns, labels)
    np.testing.assert_array_equal(told.predict_proba(more), model.predict_proba(more))


def test_texts_are_learned_forgotten_left_out_and_kept_in_files(learned_texts, tmp_path):
    model, columns, labels = learned_texts
    more, truth = mails(40, seed=2)
    before = model.predict_proba(more)
    model.save(tmp_path / "mails.bayes")
    loaded = by.load(tmp_path / "mails.bayes")
    np.testing.assert_array_equal(loaded.predict_proba(more), before)
    loaded.partial_fit(more, truth)
    assert not np.array_equal(loaded.predict_proba(more), before)
    loaded.forget(more, truth)
    np.testing.assert_allclose(loaded.predict_proba(more), before, rtol=1e-12)
    without = model.leave_one_out(columns, labels)
    assert ((without > 0) & (without < 1)).all()


def test_the_reasons_of_texts_add_up(learned_texts):
    model, columns, _ = learned_texts
    row = {name: cells[0] for name, cells in columns.items()}
    explanation = model.explain(row)
    probability = model.predict_proba({name: [cell] for name, cell in row.items()})[0]
    odds = np.log(probability.max() / probability.min())
    total = explanation.prior_log_odds + sum(explanation.weights.values())
    assert total == pytest.approx(odds, rel=1e-9)


def test_explanations_tell_the_votes_of_members_with_a_weight(learned_texts):
    model, columns, _ = learned_texts
    some = part({name: np.array(cells, object) for name, cells in columns.items()}, range(3))
    votes = model.votes(some)
    for row, explanation in enumerate(model.explain(some)):
        place = model.classes_.tolist().index(explanation.answer)
        expected = {
            name: said[row, place]
            for (name, said), weight in zip(votes.items(), model.weights_, strict=True)
            if weight > 0
        }
        assert explanation.votes == expected
        assert "says TextClassifier(model='auto') of 'mail'" in str(explanation)
        assert explanation.to_dict()["votes"] == expected


def test_quick_trees_are_grown_from_some_rows_and_count_all(monkeypatch):
    monkeypatch.setattr("bayesic.selection.auto_bayes.MOST_GROWN_FROM", 60)
    rng = np.random.default_rng(0)
    columns = {"wind": rng.normal(size=200), "sky": rng.choice(["rain", "sun"], 200)}
    late = np.where(columns["wind"] + (columns["sky"] == "rain") > 0.5, "late", "on time")
    quick, normal = (by.AutoBayes(effort).fit(columns, late) for effort in ("quick", "normal"))
    assert [m.model.forest_.n_rows for m in quick._members[:2]] == [60, 60]
    assert [m.model.forest_.n_rows for m in normal._members[:2]] == [200, 200]
    for part in quick.statistics_.parts[:2]:
        roots = part.table[part.forest.first_node[:-1]]
        assert (roots == quick.statistics_.class_count).all()
    order = rng.permutation(200)  # which rows they are does not depend on order
    again = by.AutoBayes("quick").fit(
        {name: cells[order] for name, cells in columns.items()}, late[order]
    )
    np.testing.assert_allclose(again.predict_proba(columns), quick.predict_proba(columns))


@pytest.mark.parametrize("n_classes", [1000, 1001])
def test_where_classes_are_many_they_have_no_biases(n_classes):
    rows = [{"sky": "rain", "wind": 2.5}, {"sky": "sun", "wind": 1.0}, {"sky": "sun", "wind": 9.0}]
    sites = [f"site {number}" for number in range(n_classes)]
    model = by.AutoBayes("quick").partial_fit(rows, [sites[0], sites[1], sites[0]], classes=sites)
    assert model.bias_.any() == (n_classes <= 1000)
    assert model.predict_proba(rows).sum(axis=1) == pytest.approx(1)


def test_of_many_classes_the_weights_are_learned_from_fewer_rows(monkeypatch):
    monkeypatch.setattr("bayesic.selection.auto_bayes.MOST_PROBABILITIES", 40)
    asked = []
    monkeypatch.setattr(
        "bayesic.selection.auto_bayes.pool_weights",
        lambda said, *given, **by_name: asked.append(said.shape) or pool_weights(said, *given),
    )
    by.AutoBayes("quick").fit(*weather(60))
    assert asked[0][1:] == (20, 2)
