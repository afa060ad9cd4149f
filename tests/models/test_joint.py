"""JointBayes: Bayes' rule with the whole joint table, against counting in fractions."""

import math
import pickle
from fractions import Fraction
from itertools import product

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.model_selection import cross_val_score

import bayesic as by
from bayesic.files.archive import read_archive, write_archive
from helpers.comparisons import (
    assert_same,
    assert_unchanged,
    impossible_rows_allowed,
    probabilities,
    state_of,
)
from helpers.environment import cells_per_block
from helpers.labelled_rows import WORDS, quarters

COLUMNS = ("wind", "sky", "天")
CELLS = ("rain", "sun", "雪", None)

smoothings = st.sampled_from([0, 1, 0.25, 3])
cells = st.sampled_from(CELLS)
labels = st.sampled_from(WORDS)
one_each = st.just(1.0)


def days(weights=one_each):
    """Lists of (cells, class, weight)."""
    day = st.tuples(st.tuples(cells, cells, cells), labels, weights)
    return st.lists(day, min_size=1, max_size=8)


asked_days = st.lists(st.tuples(*[st.sampled_from([*CELLS, "fog"])] * 3), min_size=1, max_size=4)


def as_columns(rows):
    columns = zip(*rows, strict=True)
    return {name: list(column) for name, column in zip(COLUMNS, columns, strict=True)}


def table_of(days):
    """X, y and weights, as fit takes them."""
    rows, y, weights = zip(*days, strict=True)
    return as_columns(rows), list(y), list(weights)


def learned(days, smoothing=1.0, classes=None, **parameters):
    X, y, weights = table_of(days)
    model = by.JointBayes(smoothing=smoothing, **parameters)
    return model.partial_fit(X, y, classes=classes, sample_weight=weights)


# the same by counting, in fractions -------------------------------------------------------------


def share(days, row, label, smoothing):
    """P(row | label) = (N_c(x) + lambda M) / (N_c + lambda S)."""
    complete = [(cells, of, weight) for cells, of, weight in days if None not in cells and weight]
    sizes = [max(1, len({cells[column] for cells, _, _ in complete})) for column in range(len(row))]
    n_missing = math.prod(size for size, cell in zip(sizes, row, strict=True) if cell is None)
    of_class = [(cells, Fraction(weight)) for cells, of, weight in complete if of == label]
    agree = sum(
        weight
        for cells, weight in of_class
        if all(one in (None, other) for one, other in zip(row, cells, strict=True))
    )
    smoothing = Fraction(smoothing)
    total = sum(weight for _, weight in of_class) + smoothing * math.prod(sizes)
    if total == 0:
        return Fraction(n_missing, math.prod(sizes))
    return (agree + smoothing * n_missing) / total


def prior_of(days, classes, smoothing):
    smoothing = Fraction(smoothing)
    counts = [sum(Fraction(w) for _, of, w in days if of == label) for label in classes]
    total = sum(counts) + len(classes) * smoothing
    if total == 0:
        return [Fraction(1, len(classes))] * len(classes)
    return [(count + smoothing) / total for count in counts]


def posterior_of(days, row, classes, smoothing):
    prior = prior_of(days, classes, smoothing)
    joint = [
        before * share(days, row, label, smoothing)
        for before, label in zip(prior, classes, strict=True)
    ]
    parts = joint if any(joint) else prior
    return [part / sum(parts) for part in parts]


def assert_posterior(ours, expected):
    exact = np.array([[float(part) for part in row] for row in expected])
    np.testing.assert_allclose(ours, exact, rtol=1e-11, atol=1e-300)


# the textbook -----------------------------------------------------------------------------------


@pytest.fixture
def tennis():
    """Case 6: play tennis in Chinese, by maximum likelihood."""
    table = by.datasets.play_tennis(language="zh")
    return by.JointBayes(smoothing=0).fit(table.to_dict(), y="打网球")


def test_a_day_that_never_was_gets_the_prior_with_a_warning(tennis):
    day = {"天气": ["晴"], "气温": ["冷"], "湿度": ["高"], "风": ["有"]}
    with pytest.warns(UserWarning, match="impossible in every class under JointBayes"):
        answer = tennis.predict_proba(day)
    np.testing.assert_allclose(answer, [[5 / 14, 9 / 14]], rtol=1e-15)
    assert np.isneginf(tennis.predict_joint_log_proba(day)).all()


def test_the_worked_calculation_of_a_day_that_never_was(tennis):
    assert str(tennis.work(("晴", "冷", "高", "有"))).splitlines() == [
        "P(No)·P(晴,冷,高,有|No) = 5/14·0/5 = 0",
        "P(Yes)·P(晴,冷,高,有|Yes) = 9/14·0/9 = 0",
        "x is impossible in every class: the answer is the prior.",
        "P(No|x) = 5/14 = 0.3571",
        "P(Yes|x) = 9/14 = 0.6429",
    ]


def test_a_day_that_was_has_its_share(tennis):
    day = ("多云", "热", "高", "无")
    work = tennis.work(day)
    assert work.factors[0].shares == ((0, 5), (1, 9))
    assert work.joint == {"No": 0, "Yes": Fraction(9, 14) * Fraction(1, 9)}
    assert tennis.explain(day).probability == {"No": 0.0, "Yes": 1.0}


def test_with_the_laplace_correction_nothing_is_impossible(tennis):
    tennis.set_params(smoothing=1)
    # 3 * 3 * 2 * 2 = 36 combinations of levels
    assert tennis.work(("晴", "冷", "高", "有")).joint == {
        "No": Fraction(6, 16) * Fraction(1, 5 + 36),
        "Yes": Fraction(10, 16) * Fraction(1, 9 + 36),
    }


# answers ----------------------------------------------------------------------------------------


@given(days(), asked_days, smoothings)
def test_the_posterior_is_the_one_counted_in_fractions(days, asked, smoothing):
    model = learned(days, smoothing)
    classes = model.classes_.tolist()
    expected = [posterior_of(days, row, classes, smoothing) for row in asked]
    with cells_per_block(4):
        assert_posterior(probabilities(model, as_columns(asked)), expected)


@given(days(quarters), asked_days, smoothings)
def test_the_posterior_of_weighted_rows_is_the_one_counted_in_fractions(days, asked, smoothing):
    model = learned(days, smoothing)
    classes = model.classes_.tolist()
    expected = [posterior_of(days, row, classes, smoothing) for row in asked]
    assert_posterior(probabilities(model, as_columns(asked)), expected)


@given(days(), asked_days, smoothings)
def test_the_joint_probability_is_prior_times_share(days, asked, smoothing):
    model = learned(days, smoothing)
    classes = model.classes_.tolist()
    prior = prior_of(days, classes, smoothing)
    expected = [
        [p * share(days, row, label, smoothing) for p, label in zip(prior, classes, strict=True)]
        for row in asked
    ]
    assert_posterior(np.exp(model.predict_joint_log_proba(as_columns(asked))), expected)


@given(days(), smoothings)
def test_the_density_of_all_rows_sums_to_one(days, smoothing):
    model = learned(days, smoothing)
    levels = model.statistics_.levels
    assume(levels)
    every_row = [*product(*(levels[name] for name in COLUMNS))]
    assert np.exp(model.log_density(as_columns(every_row))).sum() == pytest.approx(1, rel=1e-12)


def test_a_row_without_any_cell_gets_the_prior():
    model = by.JointBayes().fit({"sky": ["rain", "sun", "sun"]}, ["ham", "ham", "spam"])
    assert model.predict_proba({"sky": [None]}).tolist() == [[3 / 5, 2 / 5]]
    assert model.log_density({"sky": [None]}).tolist() == [0.0]


def test_a_level_never_seen_has_the_share_of_lambda_alone():
    model = by.JointBayes(smoothing=2).fit({"sky": ["rain", "sun", "sun"]}, ["ham", "ham", "spam"])
    assert model.work({"sky": "fog"}).factors[0].shares == (Fraction(2, 6), Fraction(2, 5))


def test_rows_with_gaps_count_for_the_prior_and_not_in_the_table():
    X = {"sky": ["rain", "sun", None], "wind": ["weak", "weak", "strong"]}
    model = by.JointBayes(smoothing=0).fit(X, ["ham", "spam", "spam"])
    assert model.class_count_.tolist() == [1, 2]
    assert model.statistics_.n_complete.tolist() == [1, 1]
    assert model.statistics_.levels == {"sky": ("rain", "sun"), "wind": ("weak",)}
    assert model.work({"sky": "sun", "wind": None}).joint == {"ham": 0, "spam": Fraction(2, 3)}


def test_where_every_row_has_a_gap_the_answer_is_the_prior():
    X = {"sky": ["rain", None, None], "wind": [None, "weak", "strong"]}
    model = by.JointBayes(smoothing=0).fit(X, ["ham", "spam", "spam"])
    assert model.predict_proba({"sky": ["rain"], "wind": ["weak"]}) == pytest.approx(
        np.array([[1 / 3, 2 / 3]])
    )
    assert model.sample(2).X["sky"].tolist() == [None, None]
    assert model.explain({"sky": "rain", "wind": "weak"}).weights == {"sky": 0, "wind": 0}


def test_four_hundred_columns_overflow_nothing():
    rng = np.random.default_rng(0)
    X = {f"word {number}": rng.integers(10, size=60) for number in range(400)}
    y = ["ham", "spam", "spam"] * 20
    for smoothing in (0, 1):
        model = by.JointBayes(smoothing=smoothing).fit(X, y)
        answer = model.predict_proba(X)
        assert np.isfinite(answer).all()
        assert np.isfinite(probabilities(model, model.sample(5, random_state=0).X)).all()
    first = model.work({name: int(values[0]) for name, values in X.items()})
    assert float(first.posterior["ham"]) == pytest.approx(answer[0, 0], rel=1e-10)
    weighted = by.JointBayes().fit(X, y, sample_weight=np.full(60, 0.3))
    assert math.isfinite(weighted.work(dict.fromkeys(X, 3)).posterior["ham"])


# learning ---------------------------------------------------------------------------------------


def test_columns_may_come_in_any_order():
    X = {"sky": ["rain", "sun"], "wind": ["weak", "strong"]}
    turned = {"wind": X["wind"], "sky": X["sky"]}
    model = by.JointBayes().fit(X, ["ham", "spam"]).merge(by.JointBayes().fit(turned, ["ham"] * 2))
    expected = by.JointBayes().fit(X, ["ham", "spam"]).partial_fit(turned, ["ham"] * 2)
    assert_same(model.statistics_, expected.statistics_)
    assert model.predict_proba(X).tolist() == model.predict_proba(turned).tolist()


def test_a_row_of_weight_two_counts_twice_and_one_of_weight_zero_not_at_all():
    X = {"sky": ["rain", "sun", "fog"]}
    weighted = by.JointBayes().fit(X, ["ham", "spam", "spam"], sample_weight=[2, 1, 0])
    repeated = by.JointBayes().fit({"sky": ["rain", "rain", "sun"]}, ["ham", "ham", "spam"])
    assert_same(weighted.statistics_, repeated.statistics_)


@given(days(quarters), smoothings)
def test_leaving_one_out_is_learning_all_others(days, smoothing):
    X, y, weights = table_of(days)
    model = learned(days, smoothing, classes=WORDS)
    with impossible_rows_allowed(), cells_per_block(4):
        ours = model.leave_one_out(X, y, sample_weight=weights)
    for number, (row, _, _) in enumerate(days):
        others = days[:number] + days[number + 1 :]
        assert_posterior(ours[number : number + 1], [posterior_of(others, row, WORDS, smoothing)])
        if others:
            again = learned(others, smoothing, classes=WORDS)
            theirs = probabilities(again, as_columns([row]))
            np.testing.assert_allclose(ours[number], theirs[0], rtol=1e-11, atol=1e-300)


def test_levels_that_only_one_row_has_are_gone_without_it():
    X = {"sky": ["rain", "rain", "fog"], "wind": ["weak", "strong", "calm"]}
    model = by.JointBayes().fit(X, ["ham", "spam", "spam"])
    # without (fog, calm) there are 1 * 2 combinations: 1/(1 + 2) in both classes
    assert model.leave_one_out(X, ["ham", "spam", "spam"])[2] == pytest.approx([0.5, 0.5])


def test_rows_of_weight_zero_leave_the_levels_of_others_alone():
    X = {"sky": ["rain", "sun", "rain"], "wind": ["weak", "strong", "strong"]}
    y, weights = ["ham", "spam", "ham"], [1, 1, 0]
    model = by.JointBayes().fit(X, y, sample_weight=weights)
    np.testing.assert_allclose(
        model.leave_one_out(X, y, sample_weight=weights)[2:],
        model.predict_proba({"sky": ["rain"], "wind": ["strong"]}),
        rtol=1e-14,
    )


# tables -----------------------------------------------------------------------------------------

SIZES = {"size": [2, 1, 2, 1], "letter": ["S", "M", None, "S"]}
SIZE_LABELS = ["ham", "spam", "spam", "ham"]


def forms(tmp_path):
    frame = pl.DataFrame(SIZES)
    frame.write_csv(tmp_path / "sizes.csv")
    frame.write_parquet(tmp_path / "sizes.parquet")
    return {
        "dict": SIZES,
        "pandas": pd.DataFrame(SIZES),
        "polars": frame,
        "pyarrow": frame.to_arrow(),
        "dicts": frame.to_dicts(),
        "csv": tmp_path / "sizes.csv",
        "parquet": tmp_path / "sizes.parquet",
    }


def test_every_form_of_a_table_gives_the_same_model_and_answers(tmp_path):
    expected = by.JointBayes().fit(SIZES, SIZE_LABELS)
    for form, X in forms(tmp_path).items():
        model = by.JointBayes().fit(X, SIZE_LABELS)
        assert_same(model.statistics_, expected.statistics_)
        answer = expected.predict_proba(X)
        assert answer.tolist() == expected.predict_proba(SIZES).tolist(), form


def test_numbers_are_categories_by_their_value():
    with pytest.warns(UserWarning, match="Column 'x0' has fractions such as 1.5"):
        model = by.JointBayes().fit([(2, "S"), (1.5, "M")], ["ham", "spam"])
    assert model.statistics_.levels == {"x0": ("1.5", "2"), "x1": ("M", "S")}
    assert model.predict([("2", "S"), (1.5, "M")]).tolist() == ["ham", "spam"]


def test_a_column_can_be_ignored():
    X = {"id": [1, 2, 3], "sky": ["rain", "sun", "sun"]}
    model = by.JointBayes(columns={"id": "ignore"}).fit(X, ["ham", "spam", "spam"])
    assert list(model.statistics_.levels) == ["sky"]
    assert model.predict({"id": [9], "sky": ["rain"]}).tolist() == ["ham"]


def test_a_column_ignored_after_learning_is_summed_over():
    X = {"id": [1, 2, 3], "sky": ["rain", "sun", "sun"]}
    model = by.JointBayes().fit(X, ["ham", "spam", "spam"])
    expected = model.predict_proba(X | {"id": [None] * 3})
    model.set_params(columns={"id": "ignore"})
    assert model.predict_proba(X).tolist() == expected.tolist()
    assert list(model.sample(1).X) == ["sky"]


def test_parameters_hold_as_soon_as_they_are_set():
    X, y = {"sky": ["rain", "sun", "sun"]}, ["ham", "spam", "spam"]
    model = by.JointBayes().fit(X, y).set_params(smoothing=3, prior={"ham": 0.25, "spam": 0.75})
    expected = by.JointBayes(smoothing=3, prior={"ham": 0.25, "spam": 0.75}).fit(X, y)
    assert model.predict_proba(X).tolist() == expected.predict_proba(X).tolist()


def test_the_prior_is_learned_uniform_or_given():
    X, y = {"sky": ["rain", "sun", "sun"]}, ["ham", "spam", "spam"]
    assert by.JointBayes(smoothing=0).fit(X, y).class_prior_ == pytest.approx([1 / 3, 2 / 3])
    assert by.JointBayes(prior="uniform").fit(X, y).class_prior_.tolist() == [0.5, 0.5]
    given_prior = by.JointBayes(prior={"spam": 0.75, "ham": 0.25}).fit(X, y)
    assert given_prior.class_prior_.tolist() == [0.25, 0.75]


# reasons ----------------------------------------------------------------------------------------


@given(days(), asked_days, st.sampled_from([1, 0.25]))
def test_weights_follow_the_chain_rule_and_add_up_to_the_log_odds(days, asked, smoothing):
    model = learned(days, smoothing, classes=WORDS[:2])
    assume(len(model.classes_) == 2)
    for row, explanation in zip(asked, model.explain(as_columns(asked)), strict=True):
        sides = explanation.answer, explanation.against
        for column, name in enumerate(COLUMNS):
            after, before = (
                [
                    share(days, (*row[:known], *[None] * (3 - known)), label, smoothing)
                    for label in sides
                ]
                for known in (column + 1, column)
            )
            odds = (after[0] / before[0]) / (after[1] / before[1])
            assert explanation.weights[name] == pytest.approx(math.log(odds), abs=1e-12)
        total = explanation.prior_log_odds + sum(explanation.weights.values())
        expected = posterior_of(days, row, model.classes_.tolist(), smoothing)
        by_class = dict(zip(model.classes_.tolist(), expected, strict=True))
        assert total == pytest.approx(math.log(by_class[sides[0]] / by_class[sides[1]]), abs=1e-11)


@given(days(quarters), asked_days)
def test_impossible_rows_are_explained_without_nan(days, asked):
    with impossible_rows_allowed():
        for explanation in learned(days, smoothing=0).explain(as_columns(asked)):
            assert not any(math.isnan(weight) for weight in explanation.weights.values())


@given(days(), asked_days, smoothings)
def test_the_worked_calculation_is_exact(days, asked, smoothing):
    model = learned(days, smoothing)
    classes = model.classes_.tolist()
    for row in asked:
        work = model.work(dict(zip(COLUMNS, row, strict=True)))
        assert work.is_exact
        assert [*work.posterior.values()] == posterior_of(days, row, classes, smoothing)


def test_cells_that_were_not_observed_are_not_written():
    model = by.JointBayes(smoothing=0).fit({"sky": ["rain", ""], "wind": [3, 4]}, ["ham", "spam"])
    first_lines = [str(model.work(row)).splitlines()[0] for row in ((None, 3), ("", 4))]
    assert first_lines == ["P(ham)·P(3|ham) = 1/2·1/1 = 1/2", "P(ham)·P(,4|ham) = 1/2·0/1 = 0"]
    assert model.work((None, None)).factors == ()


def test_weights_that_are_not_whole_give_decimals():
    model = by.JointBayes(smoothing=0).fit(
        {"sky": ["rain", "sun"]}, ["ham", "ham"], sample_weight=[0.5, 1.5]
    )
    assert not model.work(("rain",)).is_exact
    assert model.work(("rain",)).joint == {"ham": pytest.approx(0.25)}


# samples ----------------------------------------------------------------------------------------


def test_samples_have_the_shares_of_the_model():
    X = {"sky": ["rain", "sun", "sun", "sun"], "wind": ["weak", "weak", "strong", "weak"]}
    model = by.JointBayes().fit(X, ["ham", "ham", "spam", "spam"])
    n = 20_000
    drawn, y = model.sample(n, random_state=0)
    for sky, wind, label in product(("rain", "sun"), ("weak", "strong"), ("ham", "spam")):
        row = {"sky": [sky], "wind": [wind]}
        column = model.classes_.tolist().index(label)
        expected = np.exp(model.predict_joint_log_proba(row))[0, column]
        found = ((drawn["sky"] == sky) & (drawn["wind"] == wind) & (y == label)).mean()
        assert found == pytest.approx(expected, abs=5 * math.sqrt(expected / n))


@given(days(), labels, st.integers(0, 9))
def test_without_smoothing_only_learned_rows_are_drawn(days, label, seed):
    of_class = {row for row, of, _ in days if of == label and None not in row}
    assume(of_class)
    drawn, y = learned(days, smoothing=0).sample(20, label=label, random_state=seed)
    assert set(y) == {label}
    assert set(zip(*(drawn[name] for name in COLUMNS), strict=True)) <= of_class


def test_a_class_without_rows_draws_from_all_levels():
    model = by.JointBayes(smoothing=0).partial_fit(
        {"sky": ["rain", "sun"]}, ["ham"] * 2, classes=WORDS
    )
    assert set(model.sample(50, label="spam", random_state=0).X["sky"]) == {"rain", "sun"}


# files ------------------------------------------------------------------------------------------


@given(days(quarters), asked_days)
def test_a_model_comes_back_from_a_file_to_the_last_bit(tmp_path_factory, days, asked):
    path = tmp_path_factory.getbasetemp() / "days.bayes"
    model = learned(days)
    model.save(path)
    for same in (by.load(path), pickle.loads(pickle.dumps(model))):
        assert same.get_params() == model.get_params()
        assert_same(same.statistics_, model.statistics_)
        X = as_columns(asked)
        assert same.predict_proba(X).tobytes() == model.predict_proba(X).tobytes()
        whole = same.merge(model).statistics_
        assert_same(whole, model.statistics_ + model.statistics_)


def test_a_model_that_ignores_a_learned_column_comes_back(tmp_path):
    X = {"id": [1, 2, 3], "sky": ["rain", "sun", "sun"]}
    model = by.JointBayes().fit(X, ["ham", "spam", "spam"]).set_params(columns={"id": "ignore"})
    model.save(tmp_path / "days.bayes")
    same = by.load(tmp_path / "days.bayes")
    assert same.predict_proba(X).tolist() == model.predict_proba(X).tolist()


@pytest.mark.parametrize(
    "changed",
    [
        {"rows": np.array([[1], [0]], np.int32)},
        {"rows": np.array([[0], [7]], np.int32)},
        {"table": np.array([[1, 0], [0, -1]])},
        {"class_count": np.array([1])},
    ],
    ids=repr,
)
def test_a_table_that_cannot_have_been_counted_is_refused(tmp_path, changed):
    path = tmp_path / "days.bayes"
    by.JointBayes().fit({"sky": ["rain", "sun"]}, ["ham", "spam"]).save(path)
    manifest, arrays = read_archive(path)
    for name, array in changed.items():
        assert f"statistics.{name}" in arrays
        arrays[f"statistics.{name}"] = array
    write_archive(path, manifest, arrays)
    with pytest.raises(ValueError, match="is not a bayesic model file"):
        by.load(path)


def test_a_file_with_the_table_of_other_columns_is_refused(tmp_path):
    path = tmp_path / "days.bayes"
    by.JointBayes().fit({"sky": ["rain", "sun"]}, ["ham", "spam"]).save(path)
    manifest, arrays = read_archive(path)
    manifest["statistics"]["record"]["fields"]["levels"]["dict"][0][0] = "wind"
    write_archive(path, manifest, arrays)
    with pytest.raises(ValueError, match="its statistics do not match its features"):
        by.load(path)


# bad input --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"columns": {"sky": "gaussian"}}, "column 'sky' must be categorical or ignore, got 'gaus"),
        ({"columns": {"sky": "blue"}}, "kind of column 'sky' must be one of"),
        ({"columns": {"moon": "ignore"}}, r"columns names \['moon'\]"),
        ({"columns": ["sky"]}, "columns must be a dict"),
        ({"smoothing": -1}, "smoothing must be a number of 0 or more, got -1"),
        ({"smoothing": "auto"}, "smoothing must be a number of 0 or more, got 'auto'"),
        ({"smoothing": ("m", 2)}, "smoothing must be a number"),
        ({"smoothing": math.nan}, "smoothing must be a number"),
        ({"smoothing": True}, "smoothing must be a number"),
        ({"prior": "flat"}, "prior must be 'learned', 'uniform' or a dict"),
    ],
    ids=repr,
)
def test_parameters_that_make_no_sense_are_refused(parameters, message):
    model = by.JointBayes(**parameters)
    before = state_of(model)
    with pytest.raises((TypeError, ValueError), match=message):
        model.fit({"sky": ["rain", "sun"]}, ["ham", "spam"])
    assert_unchanged(model, before)


def test_a_prior_without_one_of_the_classes_is_refused():
    model = by.JointBayes(prior={"ham": 1.0}).fit({"sky": ["rain", "sun"]}, ["ham", "spam"])
    with pytest.raises(ValueError, match=r"it lacks \['spam'\]"):
        model.predict({"sky": ["rain"]})


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        ({"sky": ["sun"], "wind": ["weak"]}, ["ham"], "the row .* was never seen"),
        ({"sky": ["fog"], "wind": ["weak"]}, ["ham"], "the row .* was never seen"),
        ({"sky": ["rain"], "wind": ["weak"]}, ["spam"], "would leave a count of -1"),
        ({"sky": ["rain"], "wind": ["weak"]}, ["news"], "news"),
        ({"sky": ["rain", "rain"], "wind": ["weak"] * 2}, ["ham"] * 2, "would leave a count of -1"),
        ({"sky": ["rain"], "moon": ["full"]}, ["ham"], r"unseen at fit time: \['moon'\]"),
    ],
    ids=repr,
)
def test_what_was_never_learned_cannot_be_forgotten(X, y, message):
    model = by.JointBayes().fit({"sky": ["rain", "sun"], "wind": ["weak", "calm"]}, ["ham", "spam"])
    before = state_of(model)
    for call in (model.forget, model.leave_one_out):
        with pytest.raises(ValueError, match=message):
            call(X, y)
        assert_unchanged(model, before)


def test_models_that_ignore_different_columns_are_not_merged():
    X, y = {"id": [1, 2], "sky": ["rain", "sun"]}, ["ham", "spam"]
    model, other = by.JointBayes().fit(X, y), by.JointBayes(columns={"id": "ignore"}).fit(X, y)
    before = state_of(model)
    with pytest.raises(ValueError, match="must have the same columns"):
        model.merge(other)
    assert_unchanged(model, before)


# scikit-learn -----------------------------------------------------------------------------------


def test_clone_and_cross_validation():
    tennis = by.datasets.play_tennis()
    model = clone(by.JointBayes(smoothing=0.5, prior="uniform").fit(tennis.rows, tennis.target))
    expected = {"columns": None, "smoothing": 0.5, "prior": "uniform", "decay": None}
    assert model.get_params() == expected
    assert not hasattr(model, "classes_")
    scores = cross_val_score(model, pd.DataFrame(tennis.rows), tennis.target, cv=2)
    assert ((scores >= 0) & (scores <= 1)).all()


@pytest.mark.parametrize("in_file", [False, True])
def test_fractions_are_categories_with_a_warning(in_file, tmp_path):
    table = {"size": [1.5, 2.5, 1.5, 2], "rooms": [1, 2, 1, 2], "sky": ["1.5", "sun", "sun", "fog"]}
    labels, source = ["small", "large", "small", "large"], table
    if in_file:
        lines = [",".join(map(str, row)) for row in zip(*table.values(), labels, strict=True)]
        source = tmp_path / "flats.csv"
        source.write_text("\n".join(["size,rooms,sky,kind", *lines]) + "\n", encoding="utf-8")
        labels = "kind"
    with pytest.warns(UserWarning, match="Column 'size' has fractions such as 1.5, and each value"):
        by.JointBayes().fit(source, labels)
    by.JointBayes(columns={"size": "categorical"}).fit(source, labels)
    by.JointBayes(columns={"size": "ignore"}).fit(source, labels)
