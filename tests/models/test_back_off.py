"""smoothing="back-off" and k="auto": what is chosen, by which rows, and that it stays chosen."""

import copy
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bayesic as by
from bayesic.data.columns import Categories
from bayesic.data.tables import Table
from bayesic.estimation.back_off import STRENGTH, STRENGTHS
from bayesic.models.judged_rows import MOST_ROWS, drawn_rows
from bayesic.models.levels.network_classifier import KDependence
from bayesic.models.notes import restore_notes
from bayesic.models.readers.reader import CodedRows
from helpers.comparisons import impossible_rows_allowed
from helpers.examples import at_most
from helpers.labelled_rows import WORDS

MODELS = {
    "tan": by.TreeAugmentedNB,
    "kdb2": lambda **p: KDependence(k=2, **p),
    "a1de": by.AveragedOneDependence,
    "a2de": lambda **p: by.AveragedOneDependence(n=2, **p),
}
every_model = pytest.mark.parametrize("make", MODELS.values(), ids=MODELS)

LAMPS = {"left": ["on", "on", "off", "off"] * 5, "right": ["on", "off", "on", "off"] * 5}
SAYS = ["same", "other", "other", "same"] * 5


def weather(n_rows=120, seed=0, noise=0):
    """Days whose class depends on sky and wind together, and columns that tell nothing."""
    rng = np.random.default_rng(seed)
    X = {name: rng.choice(["rain", "sun", "雪"], n_rows) for name in ("sky", "wind", "heat")}
    X |= {f"noise{number}": rng.choice(["ham", "spam"], n_rows) for number in range(noise)}
    agree = X["sky"] == X["wind"]
    return X, np.where(agree ^ (rng.random(n_rows) < 0.1), "play", "stay")


def log_loss(model, X, y):
    """Of the class of each row, each as if it had not been learned."""
    own = np.searchsorted(model.classes_, y)
    return float(-np.log(model.leave_one_out(X, y)[np.arange(len(y)), own]).sum())


# shares -----------------------------------------------------------------------------------------


def test_shares_lean_on_those_with_one_parent_less():
    X = {"sky": ["rain", "rain", "sun", "sun"], "wind": ["weak", "weak", "weak", "strong"]}
    model = by.TreeAugmentedNB(smoothing=("back-off", 2), prior="uniform")
    model.fit(X, ["no", "no", "yes", "yes"])
    assert model.parents_ == {"sky": (), "wind": ("sky",)}
    rain = {"no": Fraction(2 + 1, 2 + 2), "yes": Fraction(0 + 1, 2 + 2)}
    strong = {"no": Fraction(0 + 1, 2 + 2), "yes": Fraction(1 + 1, 2 + 2)}
    given_rain = {"no": (0 + 2 * strong["no"]) / (2 + 2), "yes": (0 + 2 * strong["yes"]) / (0 + 2)}
    joint = {label: rain[label] * given_rain[label] / 2 for label in rain}
    expected = float(joint["no"] / sum(joint.values()))
    row = {"sky": "rain", "wind": "strong"}
    answer = model.predict_proba({name: [cell] for name, cell in row.items()})[0, 0]
    assert answer == pytest.approx(expected, rel=1e-12)
    assert dict(model.work(row).joint) == joint


def test_work_writes_the_shares_in_lowest_terms():
    model = by.TreeAugmentedNB(smoothing=("back-off", 2)).fit(LAMPS, SAYS)
    assert str(model.work({"left": "on", "right": "off"})) == (
        "P(other)·P(on|other)·P(off given on|other) = 1/2·1/2·6/7 = 3/14\n"
        "P(same)·P(on|same)·P(off given on|same) = 1/2·1/2·1/7 = 1/28\n"
        "P(other|x) = 6/7 = 0.8571\n"
        "P(same|x) = 1/7 = 0.1429"
    )


def test_the_table_of_a_column_has_the_shares_that_answer():
    X, y = weather()
    model = KDependence(k=2, smoothing=("back-off", 3)).fit(X, y)
    child = next(name for name, parents in model.parents_.items() if len(parents) == 2)
    for record in model.table(child, fractions=True).to_dict()["given"]:
        row = {**record["given"], child: record["value"]}
        given = ",".join(record["given"][parent] for parent in model.parents_[child])
        text = f"{record['value']} given {given}"
        (factor,) = (factor for factor in model.work(row).factors if factor.text == text)
        assert [str(share) for share in factor.shares] == [*record["shares"].values()]


def test_work_of_rows_with_weights_is_the_answer():
    X, y = weather(40)
    model = KDependence(k=2, smoothing="back-off").fit(X, y, sample_weight=np.linspace(0.1, 2, 40))
    asked = {"sky": "sun", "wind": "雪", "heat": "fog"}
    ours = list(model.work(asked).posterior.values())
    theirs = model.predict_proba({name: [cell] for name, cell in asked.items()})[0]
    np.testing.assert_allclose(ours, theirs, rtol=1e-12)


@every_model
@at_most(8)
@given(st.lists(st.sampled_from([*product("ab", "cd", "ef", WORDS)]), max_size=30))
def test_where_everything_was_seen_no_strength_is_no_smoothing(make, more):
    days = [*product("ab", "cd", "ef", WORDS), *more]
    *columns, y = zip(*days, strict=True)
    X = dict(zip(("sky", "wind", "heat"), columns, strict=True))
    ours = make(smoothing=("back-off", 1e-9)).fit(X, y)
    theirs = make(smoothing=0, prior=dict(zip(ours.classes_, ours.class_prior_, strict=True)))
    np.testing.assert_allclose(ours.predict_proba(X), theirs.fit(X, y).predict_proba(X), rtol=1e-6)


@every_model
def test_samples_have_the_shares_of_the_model(make):
    X, y = weather()
    model = make(smoothing=("back-off", 4)).fit(X, y)
    drawn = model.sample(20_000, label="play", random_state=0).X
    for cells in product(("rain", "sun"), ("rain", "雪"), ("雪",)):
        row = {name: [cell] for name, cell in zip(X, cells, strict=True)}
        p = np.exp(model.predict_joint_log_proba(row)[0, 0]) / model.class_prior_[0]
        found = np.mean([drawn[name] == cell for name, [cell] in row.items()], axis=0) == 1
        assert found.mean() == pytest.approx(p, abs=5 * np.sqrt(p / 20_000))


@every_model
def test_reasons_add_up(make):
    X, y = weather()
    model = make(smoothing="back-off").fit(X, y)
    asked = {"sky": "sun", "wind": "sun", "heat": None}
    reason = model.explain(asked)
    joint = model.predict_joint_log_proba({name: [cell] for name, cell in asked.items()})[0]
    assert reason.log_odds == pytest.approx(abs(joint[0] - joint[1]), rel=1e-9)


# the strength -----------------------------------------------------------------------------------


@every_model
def test_the_strength_is_that_of_least_left_out_log_loss(make):
    X, y = weather()
    model = make(smoothing="back-off").fit(X, y)
    losses = [log_loss(make(smoothing=("back-off", s)).fit(X, y), X, y) for s in STRENGTHS]
    np.testing.assert_allclose(model.choice_losses_, losses, rtol=1e-9)
    assert model.strength_ == STRENGTHS[int(np.argmin(losses))]


def test_other_smoothings_have_no_strength():
    X, y = weather()
    with pytest.raises(AttributeError, match="strength"):
        by.TreeAugmentedNB().fit(X, y).strength_  # noqa: B018
    assert by.TreeAugmentedNB(smoothing=["back-off", 3]).fit(X, y).strength_ == 3.0


def test_more_rows_judge_as_well_and_other_verbs_keep_the_choice(tmp_path):
    X, y = weather()
    model = by.TreeAugmentedNB(smoothing="back-off").fit(X, y)
    first = model.choice_losses_
    more, z = weather(60, seed=1)
    model.partial_fit(more, z)
    both = {name: np.append(X[name], more[name]) for name in X}
    judged = [
        log_loss(by.TreeAugmentedNB(smoothing=("back-off", s)).fit(both, np.append(y, z)), more, z)
        for s in STRENGTHS
    ]
    np.testing.assert_allclose(model.choice_losses_, first + judged, rtol=1e-9)
    losses = model.choice_losses_
    for verb in (lambda: model.forget(more, z), lambda: model.merge(copy.deepcopy(model))):
        np.testing.assert_array_equal(verb().choice_losses_, losses)
    model.save(tmp_path / "days.bayes")
    np.testing.assert_array_equal(by.load(tmp_path / "days.bayes").choice_losses_, losses)


def test_set_later_it_is_the_usual_strength_until_rows_are_learned():
    X, y = weather()
    model = by.TreeAugmentedNB().fit(X, y).set_params(smoothing="back-off")
    assert model.strength_ == STRENGTH
    theirs = by.TreeAugmentedNB(smoothing=("back-off", STRENGTH)).fit(X, y)
    np.testing.assert_array_equal(model.predict_proba(X), theirs.predict_proba(X))
    assert model.partial_fit(X, y).choice_losses_.shape == (len(STRENGTHS),)


def test_rows_without_labels_are_learned_with_the_usual_strength():
    X, y = weather()
    some = np.where(np.arange(len(y)) % 3 == 0, None, y.astype(object))
    model = by.SemiSupervised(by.TreeAugmentedNB(smoothing="back-off")).fit(X, some)
    assert model.model_.strength_ == STRENGTH
    assert (np.diff(model.trace_) >= 0).all()


# k and the columns ------------------------------------------------------------------------------


@pytest.mark.parametrize("smoothing", [1, 0, ("m", 1), ("back-off", 2)], ids=str)
def test_every_k_and_number_of_columns_is_judged_as_if_it_was_fitted(smoothing):
    X, y = weather(60)
    model = KDependence(k="auto", smoothing=smoothing).fit(X, y)
    assert model.choice_losses_.shape == (4, 4, 1)
    order = KDependence().fit(X, y).columns_used_
    for k, m in product(range(4), range(1, 4)):
        theirs = KDependence(k=k, smoothing=smoothing).fit({name: X[name] for name in order[:m]}, y)
        own = np.searchsorted(theirs.classes_, y)
        with impossible_rows_allowed():
            left_out = theirs.leave_one_out({name: X[name] for name in order[:m]}, y)
        loss = -np.log(np.maximum(left_out[np.arange(len(y)), own], 1e-15)).sum()
        assert model.choice_losses_[k, m, 0] == pytest.approx(loss, rel=1e-9)


def test_what_depends_is_found_and_noise_takes_no_part():
    X, y = weather(600, noise=4)
    model = KDependence(k="auto", smoothing="back-off").fit(X, y)
    assert model.k_ == 1 and set(model.columns_used_) <= {*X}
    assert {"sky", "wind"} <= set(model.columns_used_)
    assert len(model.columns_used_) < len(X)
    theirs = KDependence(k=1, smoothing=("back-off", model.strength_))
    used = {name: X[name] for name in model.columns_used_}
    theirs.fit(used, y)
    np.testing.assert_allclose(model.predict_proba(X), theirs.predict_proba(used), rtol=1e-12)
    ours, left_out = model.leave_one_out(X, y), theirs.leave_one_out(used, y)
    np.testing.assert_allclose(ours, left_out, rtol=1e-12)
    assert model.n_parameters == theirs.n_parameters
    ours, of_used = (each.set_params(smoothing=1).log_evidence() for each in (model, theirs))
    assert ours == pytest.approx(of_used, rel=1e-12)


def test_columns_that_take_no_part_are_said_to():
    X, y = weather(600, noise=4)
    model = KDependence(k="auto").fit(X, y)
    (unused, *_) = set(X) - set(model.columns_used_)
    notes = {part.name: part.note for part in model.summary().columns}
    assert notes[unused] == "takes no part"
    row = {name: str(cells[0]) for name, cells in X.items()}
    assert len(model.work(row).factors) == len(model.columns_used_)
    assert not model.explain(row).weights.get(unused)


def test_fewer_columns_are_counted_together_where_there_are_many():
    rng = np.random.default_rng(0)
    y = rng.choice(["ham", "spam"], 50)
    for n_columns, most in ((5, 3), (30, 2), (60, 1)):
        X = {f"x{j:02}": rng.choice(["on", "off"], 50) for j in range(n_columns)}
        assert KDependence(k="auto").fit(X, y).statistics_.order == most + 1


def test_all_that_was_chosen_comes_back_from_a_file(tmp_path):
    X, y = weather(100, noise=3)
    model = KDependence(k="auto", smoothing="back-off").fit(X, y)
    model.save(tmp_path / "days.bayes")
    loaded = by.load(tmp_path / "days.bayes")
    assert (loaded.k_, loaded.columns_used_, loaded.strength_) == (
        model.k_,
        model.columns_used_,
        model.strength_,
    )
    np.testing.assert_array_equal(loaded.predict_proba(X), model.predict_proba(X))
    more, z = weather(40, seed=1, noise=3)
    np.testing.assert_array_equal(
        loaded.partial_fit(more, z).choice_losses_, model.partial_fit(more, z).choice_losses_
    )


def test_a_given_k_holds_at_once_and_back():
    X, y = weather()
    model = KDependence(k="auto").fit(X, y)
    chosen = model.k_, model.columns_used_
    assert model.set_params(k=0).k_ == 0
    assert len(model.columns_used_) == len(X)
    assert (model.set_params(k="auto").k_, model.columns_used_) == chosen
    assert KDependence(k=2).fit(X, y).set_params(k="auto").k_ == 1  # no rows were judged


@pytest.mark.filterwarnings("ignore:Some columns tell nothing")
def test_columns_that_are_forgotten_take_no_part():
    X, y = weather()
    first = {**X, "heat": [None] * len(y)}
    model = KDependence(k="auto").fit(first, y).partial_fit(X, y)
    model.forget(X, y)
    assert "heat" not in model.columns_used_
    assert np.isfinite(model.predict_log_proba(first)).all()


@pytest.mark.parametrize(
    "losses", [np.zeros(0), np.full(5, -1.0), np.full(5, np.nan), np.zeros(6), [0.0], "none"]
)
def test_losses_that_cannot_be_are_refused(losses):
    with pytest.raises(ValueError, match="choice_losses must hold"):
        restore_notes(by.TreeAugmentedNB(), {"choice_losses": losses})


# the rows that judge ----------------------------------------------------------------------------


def coded(numbers):
    """Rows whose level is their number."""
    cells = Categories(np.array(numbers), ("day",) * (max(numbers) + 1))
    table = Table({"row": cells}, len(numbers), True, ("row",))
    return CodedRows(table, None, np.zeros(len(numbers), np.intp), None)


def numbers(table):
    return table.columns["row"].codes[None]


@pytest.mark.parametrize("n_rows", [1, MOST_ROWS, MOST_ROWS + 1, 5000])
def test_the_same_rows_are_drawn_from_any_blocks(n_rows):
    drawn = drawn_rows([coded(range(n_rows))], numbers)
    assert len(drawn.codes) == min(n_rows, MOST_ROWS)
    assert (np.diff(drawn.X[:, 0]) > 0).all()
    starts = range(0, n_rows, 700)
    blocks = [coded(range(start, min(start + 700, n_rows))) for start in starts]
    np.testing.assert_array_equal(drawn_rows(blocks, numbers).X, drawn.X)


def test_a_file_is_judged_like_the_table(tmp_path, monkeypatch):
    X, y = weather(1500)
    lines = ["sky,wind,heat,kind"] + [",".join(row) for row in zip(*X.values(), y, strict=True)]
    path = tmp_path / "days.csv"
    path.write_text("\n".join(lines), encoding="utf-8")
    monkeypatch.setattr("bayesic.data.source.CELLS_PER_BLOCK", 4 * 400)
    ours = KDependence(k="auto", smoothing="back-off").fit(path, "kind")
    theirs = KDependence(k="auto", smoothing="back-off").fit(X, y)
    np.testing.assert_array_equal(ours.choice_losses_, theirs.choice_losses_)
