"""NaiveBayes(variance=...): the variance of gaussian columns as textbooks compute it."""

import json
import statistics
import zipfile
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

import bayesic as by
from helpers.comparisons import assert_unchanged, impossible_rows_allowed, state_of
from helpers.examples import at_most
from helpers.labelled_rows import WORDS, quarters

MELONS = by.datasets.watermelon()
MELON = ("青绿", "蜷缩", "浊响", "清晰", "凹陷", "硬滑", 0.697, 0.460)
RULES = {"ml": statistics.pvariance, "unbiased": statistics.variance}
NUMBERS = {"密度": "gaussian", "含糖率": "gaussian"}

each_rule = pytest.mark.parametrize("variance", RULES)


def melon_model(variance, **kinds):
    model = by.NaiveBayes(smoothing=0, variance=variance, **kinds)
    return model.fit(MELONS.to_dict(), y="好瓜")


# textbook case 33 ---------------------------------------------------------------------------------


@pytest.mark.parametrize("kinds", [{"numeric": "gaussian"}, {"columns": NUMBERS}])
@pytest.mark.parametrize(
    ("variance", "good", "bad"),
    [
        ("unbiased", (1.959012, 0.788052), (1.203304, 0.066221)),
        ("ml", (1.962492, 0.669113), (1.194155, 0.042477)),
    ],
)
def test_densities_of_the_watermelon_table(variance, good, bad, kinds):
    model = melon_model(variance, **kinds)
    *words, density, sugar = model.work(MELON).factors
    expected = np.array([bad, good]).T  # 否 comes before 是
    assert np.exp(density.shares).round(6).tolist() == expected[0].tolist()
    assert np.exp(sugar.shares).round(6).tolist() == expected[1].tolist()
    joint = {
        "否": Fraction(9, 17) * Fraction(3 * 3 * 4 * 2 * 2 * 6, 9**6),
        "是": Fraction(8, 17) * Fraction(3 * 5 * 6 * 7 * 5 * 6, 8**6),
    }
    assert joint == {"否": Fraction(32, 37179), "是": Fraction(4725, 139264)}
    for number, label in enumerate(("否", "是")):
        product = Fraction(*model.work(MELON).prior[number])
        for word in words:
            product *= Fraction(*word.shares[number])
        assert product == joint[label]
    if variance == "unbiased":
        products = model.work(MELON).joint
        assert f"{products['是']:.7f}" == "0.0523787"
        assert f"{products['否']:.5e}" == "6.85842e-05"


@each_rule
def test_the_densities_are_those_of_an_independent_library(variance):
    model = melon_model(variance, numeric="gaussian")
    table = MELONS.to_dict()
    for place, column in ((6, "密度"), (7, "含糖率")):
        (factor,) = [f for f in model.work(MELON).factors if f.text.startswith(column)]
        for number, label in enumerate(("否", "是")):
            values = [x for x, y in zip(table[column], table["好瓜"], strict=True) if y == label]
            expected = norm(statistics.mean(values), RULES[variance](values) ** 0.5)
            assert factor.shares[number] == pytest.approx(expected.logpdf(MELON[place]), rel=1e-12)


def test_the_default_is_the_smoothed_variance():
    assert by.NaiveBayes().variance == "smoothed"
    scores = [
        model.predict_joint_log_proba([MELON])
        for model in (
            by.NaiveBayes(numeric="gaussian").fit(MELONS.rows, MELONS.target),
            by.NaiveBayes(numeric="gaussian", variance="smoothed").fit(MELONS.rows, MELONS.target),
        )
    ]
    np.testing.assert_array_equal(*scores)


def test_the_kind_is_chosen_with_the_variance_that_is_asked_for():
    values = {"degrees": [8.0, 4.0, 3.0, 6.0, 0.0, 0.5, 1.0, -2.0]}
    sky = ["rain"] * 4 + ["snow"] * 4
    for variance in ("smoothed", *RULES):
        model = by.NaiveBayes(variance=variance).fit(values, sky)
        told = by.NaiveBayes(numeric=model.kinds_["degrees"], variance=variance).fit(values, sky)
        np.testing.assert_array_equal(model.predict_proba(values), told.predict_proba(values))


# laws ---------------------------------------------------------------------------------------------

numbers = st.one_of(st.none(), st.sampled_from([-2.5, 0.0, 0.1, 1.0, 3.0, 3.5, 1e6]))
rows = st.lists(st.tuples(numbers, st.sampled_from(WORDS), quarters), min_size=2, max_size=7)


def learned(rows, variance, weighted=False):
    model = by.NaiveBayes(numeric="gaussian", columns={"x": "gaussian"}, variance=variance)
    values, labels, weights = map(list, zip(*rows, strict=True))
    return model.partial_fit(
        {"x": values}, labels, classes=WORDS, sample_weight=weights if weighted else None
    )


@each_rule
@pytest.mark.parametrize("weighted", [False, True])
@given(rows=rows)
@at_most(60)
def test_leaving_a_row_out_is_learning_all_the_others(variance, weighted, rows):
    values, labels, weights = map(list, zip(*rows, strict=True))
    with impossible_rows_allowed():
        model = learned(rows, variance, weighted)
        answers = model.leave_one_out(
            {"x": values}, labels, sample_weight=weights if weighted else None
        )
        np.testing.assert_allclose(answers.sum(axis=1), 1.0)
        for number, (value, _, _) in enumerate(rows):
            others = learned(rows[:number] + rows[number + 1 :], variance, weighted)
            expected = others.predict_proba({"x": [value]})[0]
            np.testing.assert_allclose(answers[number], expected, rtol=1e-6, atol=1e-8)


@each_rule
@given(rows=rows, more=rows)
@at_most(40)
def test_forgetting_and_learning_in_pieces_are_learning_at_once(variance, rows, more):
    pieces = learned(rows, variance)
    values, labels, _ = map(list, zip(*more, strict=True))
    pieces.partial_fit({"x": values}, labels)
    asked = {"x": [-2.5, 0.0, 2.0, 1e6, None]}
    with impossible_rows_allowed():
        np.testing.assert_allclose(
            pieces.predict_proba(asked), learned(rows + more, variance).predict_proba(asked)
        )
        np.testing.assert_allclose(
            pieces.forget({"x": values}, labels).predict_proba(asked),
            learned(rows, variance).predict_proba(asked),
            atol=1e-12,
        )


@each_rule
@given(rows=rows)
@at_most(40)
def test_no_answer_is_nan_and_variances_are_those_of_the_rows(variance, rows):
    model = learned(rows, variance)
    if model.kinds_["x"] == "ignore":  # nothing was observed
        return
    event = model.events_["x"]
    assert np.isfinite(event.mean).all() and (event.variance > 0).all()
    for code, label in enumerate(WORDS):
        values = [x for x, y, _ in rows if y == label and x is not None]
        if len(set(values)) > 1:
            assert event.variance[code] == pytest.approx(RULES[variance](values), rel=1e-9)


@each_rule
def test_a_class_whose_rows_do_not_differ_has_the_smoothed_variance(variance):
    values = {"x": [8.0, 4.0, 3.0, 0.0, 0.0, 7.0]}
    sky = ["rain", "rain", "rain", "snow", "snow", "hail"]
    ours, smoothed = (
        by.NaiveBayes(numeric="gaussian", variance=rule).fit(values, sky).events_["x"]
        for rule in (variance, "smoothed")
    )
    assert smoothed.variance[[0, 2]].tolist() == ours.variance[[0, 2]].tolist()  # hail and snow
    assert ours.variance[1] == pytest.approx(RULES[variance]([8.0, 4.0, 3.0]))


@each_rule
def test_a_column_that_is_the_same_in_all_rows_tells_nothing(variance):
    model = by.NaiveBayes(numeric="gaussian", variance=variance)
    model.fit({"x": [3.0, 3.0, 3.0]}, ["ham", "spam", "spam"])
    answers = model.predict_proba({"x": [3.0, 5.0, None]})
    np.testing.assert_allclose(answers, [model.class_prior_] * 3)


def test_rows_that_weigh_one_or_less_have_no_unbiased_variance():
    rows = [(1.0, "ham", 0.5), (3.0, "ham", 0.5), (1.0, "spam", 1.0), (5.0, "spam", 1.0)]
    ours, smoothed = (
        learned(rows, rule, weighted=True).events_["x"].variance
        for rule in ("unbiased", "smoothed")
    )
    assert ours[0] == smoothed[0]
    assert ours[2] == pytest.approx(8.0)


# files, and the word itself -----------------------------------------------------------------------


@each_rule
def test_a_saved_model_comes_back_the_same(variance, tmp_path):
    model = melon_model(variance, numeric="gaussian")
    model.save(tmp_path / "melons.bayes")
    loaded = by.load(tmp_path / "melons.bayes")
    assert loaded.variance == variance
    assert str(loaded.work(MELON)) == str(model.work(MELON))


def test_files_from_before_there_was_a_choice_still_load(tmp_path):
    model = by.NaiveBayes(numeric="gaussian").fit(MELONS.rows, MELONS.target)
    model.save(tmp_path / "new.bayes")
    with (
        zipfile.ZipFile(tmp_path / "new.bayes") as new,
        zipfile.ZipFile(tmp_path / "old.bayes", "w") as old,
    ):
        for name in new.namelist():
            content = new.read(name)
            if name == "manifest.json":
                manifest = json.loads(content)
                assert manifest["parameters"].pop("variance") == "smoothed"
                content = json.dumps(manifest).encode()
            old.writestr(name, content)
    loaded = by.load(tmp_path / "old.bayes")
    assert loaded.get_params() == model.get_params()
    assert str(loaded.work(MELON)) == str(model.work(MELON))


@pytest.mark.parametrize("variance", ["mle", None, 1, True])
def test_a_word_that_is_no_rule_is_refused(variance):
    model = by.NaiveBayes().fit(MELONS.rows, MELONS.target)
    before = state_of(model.set_params(variance=variance))
    for call in (model.predict, lambda X: model.partial_fit(X, ["是"])):
        with pytest.raises(
            ValueError, match="variance must be one of 'smoothed', 'ml', 'unbiased'"
        ):
            call([MELON])
    assert_unchanged(model, before)
