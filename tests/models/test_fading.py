"""Rows that fade: a model with decay is that of one fit with the weights that rows have now."""

from dataclasses import fields, is_dataclass
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone

import bayesic as by
from bayesic.models import fading
from helpers.batches import Batch
from helpers.comparisons import assert_same
from helpers.examples import at_most
from helpers.model_cases import CASES

FADING = {
    name: case
    for name, case in CASES.items()
    if fading.FADING in getattr(case.make(), "notes", ())
    and case.make().decay is None
    and "pieces" not in case.exempt
}
HALF_LIVES = st.sampled_from([0.5, 1.0, 3.0, 1000.0])
MOMENTS = st.integers(0, 20).map(float)
DAY = 86400.0

every_model = pytest.mark.parametrize("case", FADING.values(), ids=FADING.keys())
few_examples = at_most(10)


def fading(case, decay):
    return case.make().set_params(decay=decay)


def with_weights(batch, ages, half_life):
    """The rows, with the weights that they have at these ages."""
    weights = 2.0 ** (-np.array(ages) / half_life)
    before = 1.0 if batch.weights is None else batch.weights
    return Batch(batch.records, batch.labels, weights * before)


def all_of(batches):
    return sum(batches[1:], start=batches[0])


def assert_near(ours, theirs):
    """Two statistics have the same levels and words, and the same numbers but for rounding."""
    if is_dataclass(theirs):
        for field in fields(theirs):
            assert_near(getattr(ours, field.name), getattr(theirs, field.name))
    elif isinstance(theirs, dict):
        assert ours.keys() == theirs.keys()
        for name, part in theirs.items():
            assert_near(ours[name], part)
    elif isinstance(theirs, np.ndarray):
        np.testing.assert_allclose(ours, theirs, rtol=1e-12, atol=1e-12)
    else:
        assert ours == theirs


def assert_same_model(model, expected, case, batch):
    assert_near(model.statistics_, expected.statistics_)
    if "leave one out" in case.exempt:
        return  # it chooses: of what is equally good, by the rounding
    np.testing.assert_allclose(
        case.answers(model, batch), case.answers(expected, batch), rtol=1e-9, atol=1e-12
    )


# the law ------------------------------------------------------------------------------------------


@every_model
@given(data=st.data())
@few_examples
def test_pieces_with_a_half_life_in_rows_are_one_fit_with_weights(case, data):
    batches = data.draw(case.batches(3))
    half_life, rows = data.draw(HALF_LIVES), all_of(batches)
    model = fading(case, half_life)
    for batch in batches:
        case.learn(model, batch)
    weighed = with_weights(rows, np.arange(len(rows))[::-1], half_life)
    expected = case.learn(case.make(), weighed)
    assert_same_model(model, expected, case, rows)


@every_model
@given(data=st.data())
@few_examples
def test_pieces_with_a_half_life_in_time_are_one_fit_with_weights(case, data):
    batches = data.draw(case.batches(3))
    rows = all_of(batches)
    times = [data.draw(st.lists(MOMENTS, min_size=len(b), max_size=len(b))) for b in batches]
    model = fading(case, "5 seconds")
    for batch, moments in zip(batches, times, strict=True):
        given, weights = case.arguments(batch)
        model.partial_fit(*given, **weights, classes=case.classes, times=moments)
    moments = np.concatenate(times)
    expected = case.learn(case.make(), with_weights(rows, moments.max() - moments, 5.0))
    assert_same_model(model, expected, case, rows)


@pytest.mark.parametrize("case", [CASES["NaiveBayes"], CASES["JointBayes"]])
@given(data=st.data())
@few_examples
def test_a_row_is_left_out_with_the_weight_that_it_has_now(case, data):
    batch = data.draw(case.batch())
    model = case.learn(fading(case, 2.0), batch)
    weighed = with_weights(batch, np.arange(len(batch))[::-1], 2.0)
    expected = case.leave_one_out(case.learn(case.make(), weighed), weighed)
    np.testing.assert_allclose(case.leave_one_out(model, batch), expected, rtol=1e-9, atol=1e-12)


@every_model
@given(data=st.data())
@few_examples
def test_models_that_fade_by_time_are_merged_as_of_the_last_row(case, data):
    batches = data.draw(case.batches(2))
    times = [data.draw(st.lists(MOMENTS, min_size=len(b), max_size=len(b))) for b in batches]
    parts = []
    for batch, moments in zip(batches, times, strict=True):
        given, weights = case.arguments(batch)
        model = fading(case, "5 seconds")
        model.partial_fit(*given, **weights, classes=case.classes, times=moments)
        parts.append(model)
    rows, moments = all_of(batches), np.concatenate(times)
    expected = case.learn(case.make(), with_weights(rows, moments.max() - moments, 5.0))
    assert_same_model(parts[0].merge(parts[1]), expected, case, rows)


def test_the_probabilities_of_three_days_are_the_exact_fractions():
    days, play = {"sky": ["sun", "rain", "sun"]}, ["yes", "no", "no"]
    model = by.NaiveBayes(decay=1).fit(days, play)
    yes, no = Fraction(1, 4), Fraction(1, 2) + 1  # weights 1/4, 1/2, 1
    sun_yes = (yes + 1) / (yes + no + 2) * (yes + 1) / (yes + 2)
    sun_no = (no + 1) / (yes + no + 2) * Fraction(1 + 1) / (no + 2)
    expected = float(sun_yes / (sun_yes + sun_no))
    assert model.predict_proba({"sky": ["sun"]})[0, 1] == pytest.approx(expected, rel=1e-12)


def test_moments_fade_around_means_that_stay():
    model = by.NaiveBayes(numeric="gaussian", decay=1)
    model.fit({"heat": [3.0, 5.0, 100.0]}, ["dry", "dry", "wet"])
    [moments] = (counts.moments for counts in model.statistics_.columns.values())
    # the weights are 1/4, 1/2 and 1: (3/4 + 5/2) / (3/4) = 13/3
    assert moments.mean[0, 0] == pytest.approx(13 / 3, rel=1e-14)
    assert moments.scatter[0, 0] == pytest.approx((4 / 3) ** 2 / 4 + (2 / 3) ** 2 / 2, rel=1e-14)


def test_late_rows_have_faded_already():
    mails = ["free money", "lunch today", "free lunch"]
    late = by.TextClassifier(decay="1 day")
    late.partial_fit([mails[0]], ["spam"], times=3 * DAY)
    late.partial_fit(mails[1:], ["ham", "ham"], times=[DAY, 2 * DAY])
    weights = {"sample_weight": [1, 0.25, 0.5]}
    expected = by.TextClassifier().fit(mails, ["spam", "ham", "ham"], **weights)
    np.testing.assert_allclose(late.predict_proba(mails), expected.predict_proba(mails))


def test_rows_of_long_ago_are_gone_and_nothing_overflows():
    model = by.NaiveBayes(decay="1 second")
    model.partial_fit({"heat": [1.0, 7.0], "sky": ["sun", "fog"]}, ["dry", "wet"], times=0)
    model.partial_fit({"heat": [2.0], "sky": ["rain"]}, ["dry"], times=1e6)
    only = by.NaiveBayes().partial_fit(
        {"heat": [2.0], "sky": ["rain"]}, ["dry"], classes=["dry", "wet"]
    )
    asked = {"heat": [2.0, 9.0], "sky": ["sun", None]}
    assert_same(model.statistics_, only.statistics_)
    assert np.isfinite(model.predict_proba(asked)).all()


def test_of_the_smallest_half_life_only_the_last_row_is_left():
    model = by.NaiveBayes(decay=5e-324).fit({"sky": ["sun", "rain", "rain"]}, ["go", "stay", "go"])
    assert model.class_count_.tolist() == [1, 0]


def test_a_file_of_rows_fades_block_by_block(tmp_path):
    sky = ["sun", "rain", "fog", "sun"] * 5
    play = ["yes", "no", "no", "no", "yes"] * 4
    path = tmp_path / "days.csv"
    path.write_text("sky,play\n" + "\n".join(map(",".join, zip(sky, play, strict=True))))
    model = by.NaiveBayes(decay=4).fit(str(path), "play")
    expected = by.NaiveBayes(decay=4).fit({"sky": sky}, play)
    assert_near(model.statistics_, expected.statistics_)


# choices ------------------------------------------------------------------------------------------


def test_what_is_held_is_chosen_anew_as_its_rows_fade():
    random = np.random.default_rng(0)
    rain = np.exp(random.normal(size=60))
    labels = np.where(rain > 1, "wet", "dry")
    model = by.NaiveBayes(choices="hold", decay=20).fit({"rain": rain}, labels)
    n_rows = model.statistics_.class_count.sum()
    chosen = []
    for amount in np.exp(random.normal(size=12)):
        before = model.held_.choices
        model.partial_fit({"rain": [amount]}, ["wet" if amount > 1 else "dry"])
        chosen.append(model.held_.choices is not before)
    # 2^(-3/20) is the first power below 10/11: the rows are about as many, but others
    assert chosen == [False, False, True] * 4
    assert model.statistics_.class_count.sum() == pytest.approx(n_rows, rel=0.1)


def test_the_same_rows_give_the_same_bits_also_if_saved_in_between(tmp_path):
    random = np.random.default_rng(0)
    rain, path = np.exp(random.normal(size=80)), tmp_path / "rain.bayes"
    labels = np.where(rain > 1, "wet", "dry")
    straight, saved = (by.NaiveBayes(choices="hold", decay="1 hour") for _ in range(2))
    for row in range(80):
        given = {"rain": rain[row : row + 1]}, labels[row : row + 1]
        for model in (straight, saved):
            model.partial_fit(*given, times=600.0 * row)
        if row % 9 == 0:
            saved.save(path)
            saved = by.load(path)
    asked = {"rain": np.linspace(0, 5, 50)}
    assert saved.newest_ == straight.newest_ == 600.0 * 79
    assert (saved.predict_proba(asked) == straight.predict_proba(asked)).all()


# what is refused ----------------------------------------------------------------------------------

MAILS, LABELS = ["free money", "lunch today"], ["spam", "ham"]


def test_a_row_that_has_faded_cannot_be_taken_back_out():
    model = by.TextClassifier(decay=10).fit(MAILS, LABELS)
    with pytest.raises(ValueError, match=r"decay=10 rows fade.*decay=None; in a store a window"):
        model.forget(MAILS[:1], LABELS[:1])


@pytest.mark.parametrize("decay", [0, -1, np.inf, np.nan, True, "moon", "30 moons", "-1 day", [5]])
def test_what_is_no_half_life_is_refused(decay):
    with pytest.raises(ValueError, match="decay must be a number of rows above 0, such as 1000"):
        by.TextClassifier(decay=decay).fit(MAILS, LABELS)


def test_times_are_asked_for_where_they_count_and_nowhere_else():
    with pytest.raises(ValueError, match="rows fade by time: pass times="):
        by.TextClassifier(decay="1 day").fit(MAILS, LABELS)
    for decay in (None, 10):
        with pytest.raises(ValueError, match="times are for rows that fade by time"):
            by.TextClassifier(decay=decay).fit(MAILS, LABELS, times=0)


@pytest.mark.parametrize("times", [[0, 1, 2], "yesterday", [None, 0], [np.nan, 1], np.inf, []])
def test_times_that_are_none_are_refused_and_change_nothing(times):
    model = by.TextClassifier(decay="1 day").fit(MAILS, LABELS, times=5)
    before = model.predict_proba(MAILS)
    with pytest.raises(ValueError, match=r"times must have one moment|A moment in time must be"):
        model.partial_fit(MAILS, LABELS, times=times)
    assert (model.predict_proba(MAILS) == before).all()


def test_rows_that_fade_by_their_number_are_not_merged():
    model, other = (by.TextClassifier(decay=10).fit(MAILS, LABELS) for _ in range(2))
    with pytest.raises(ValueError, match="Only models with the same decay in time"):
        model.merge(other)
    with pytest.raises(ValueError, match="decay=None, the other decay=10"):
        by.TextClassifier().fit(MAILS, LABELS).merge(other)


def test_a_half_life_is_a_parameter_like_any_other(tmp_path):
    model = clone(by.TextClassifier(decay="2 weeks"))
    assert model.get_params()["decay"] == "2 weeks"
    model.fit(MAILS, LABELS, times=["2026-05-01", "2026-05-15"]).save(tmp_path / "mail.bayes")
    loaded = by.load(tmp_path / "mail.bayes")
    assert loaded.decay == "2 weeks"
    assert loaded.class_count_.tolist() == [1, 0.5]


def test_rows_begin_to_fade_when_a_half_life_is_set():
    model = by.TextClassifier().fit(MAILS, LABELS).set_params(decay=1)
    assert model.partial_fit(["rain"], ["ham"]).class_count_.tolist() == [1.5, 0.5]
