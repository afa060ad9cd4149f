"""Noise on counts: the distribution that it has, and what can be told from counts with it."""

from itertools import product
from math import exp
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

import bayesic as by
from bayesic.statistics._noise import Noise, _happens
from bayesic.statistics.features import presence_counts

SKIES = ("rain", "sun", "雪")
ROWS = st.lists(
    st.tuples(st.sampled_from((*SKIES, None)), st.sampled_from(("low", "high")), st.integers(0, 1)),
    min_size=2,
    max_size=8,
)


def chance(k, alpha):
    """P(K = k)"""
    return (1 - alpha) / (1 + alpha) * alpha ** abs(k)


def chance_of_count(told, count, alpha):
    """P(max(count + K, 0) = told); of 0 the whole tail, a geometric series."""
    return chance(told - count, alpha) if told else alpha**count / (1 + alpha)


def chance_of_table(told, counts, alpha):
    pairs = zip(told, counts, strict=True)
    return np.prod([chance_of_count(*pair, alpha) for pair in pairs])


def arrays(statistics):
    """All counts of a statistic, class counts first."""
    if hasattr(statistics, "columns"):
        tables = {name: counts.table for name, counts in statistics.columns.items()}
        return {"class": statistics.class_count, **tables}
    return {name: each for name, each in vars(statistics).items() if name != "n_categories"}


def fitted(rows):
    columns = {"sky": [row[0] for row in rows], "wind": [row[1] for row in rows]}
    return by.NaiveBayes().fit(columns, [row[2] for row in rows])


# the distribution -------------------------------------------------------------------------------


@pytest.mark.parametrize(("epsilon", "sensitivity"), [(1.0, 1), (1.0, 5), (0.3, 3), (8.0, 2)])
def test_noise_is_geometric_on_both_sides(epsilon, sensitivity):
    n, alpha = 20_000, exp(-epsilon / sensitivity)
    draws = Noise(epsilon, sensitivity, random_state=3).draws([n])
    most = 0
    while n * chance(most + 1, alpha) > 20:
        most += 1
    values = range(-most, most + 1)
    counted = [(draws == k).sum() for k in values]
    expected = [n * chance(k, alpha) for k in values]
    tail = n - sum(expected)
    result = chisquare([*counted, n - sum(counted)], [*expected, tail], sum_check=False)
    assert result.pvalue > 0.01


def test_an_event_of_probability_one_over_e_is_decided_by_whole_numbers():
    """exp(-g) = 1 - g + g^2/2! - ...: how long numbers below k whole stay below part."""
    part, whole, trials = 3, 4, 40_000
    random = Random(5)
    share = sum(_happens(part, whole, random) for _ in range(trials)) / trials
    assert share == pytest.approx(exp(-part / whole), abs=0.01)
    assert all(_happens(0, whole, random) for _ in range(20))


def test_draws_come_from_the_operating_system(monkeypatch):
    def none_left(n):
        raise OSError("no bits")

    monkeypatch.setattr("random._urandom", none_left)
    with pytest.raises(OSError, match="no bits"):
        Noise(1.0, 1).draws([1])
    Noise(1.0, 1, random_state=1).draws([1])


def test_draws_are_not_the_same_twice_but_those_of_a_seed():
    one, same = (Noise(1.0, 4, random_state=5).draws([50]) for _ in range(2))
    assert (one == same).all()
    assert (Noise(1.0, 4).draws([50]) != Noise(1.0, 4).draws([50])).any()


def test_every_count_has_its_own_draw():
    counts = np.full((150, 150), 1000)
    with_noise = Noise(1.0, 2, random_state=1).on(counts) - counts
    rows, columns = with_noise[:, :-1].ravel(), with_noise[:, 1:].ravel()
    assert abs(np.corrcoef(rows, columns)[0, 1]) < 0.02


def test_counts_below_zero_are_cut_off():
    told, alpha = Noise(1.0, 1, random_state=7).on(np.zeros(20_000, int)), exp(-1.0)
    assert told.min() == 0
    assert (told == 0).mean() == pytest.approx(1 / (1 + alpha), abs=0.01)
    assert told.mean() == pytest.approx(alpha / (1 - alpha**2), abs=0.03)


# what can be told -------------------------------------------------------------------------------


@given(rows=ROWS, n_left_out=st.integers(0, 7))
def test_a_row_changes_no_more_than_the_sensitivity(rows, n_left_out):
    """Of tables whose columns and categories are the same with and without it."""
    row = rows[n_left_out % len(rows)]
    declared = [("rain", "low", 0), ("sun", "high", 1), ("雪", "low", 0)]
    with_row, without = fitted([*declared, *rows, row]), fitted([*declared, *rows])
    first, second = arrays(with_row.statistics_), arrays(without.statistics_)
    changed = sum(np.abs(first[name] - second[name]).sum() for name in first)
    assert with_row.statistics_.sensitivity == without.statistics_.sensitivity == 3
    assert changed == 3 - (row[0] is None)


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 2.5])
def test_no_table_is_much_more_probable_with_a_row_than_without(epsilon):
    """One column of two categories, one class: all tables with and without any row, enumerated."""
    alpha = exp(-epsilon / 2)  # a row changes the count of its class and one of its column
    largest = 0.0
    for rain, sun in product(range(3), repeat=2):
        before = (rain + sun, rain, sun)
        for after in ((rain + sun + 1, rain + 1, sun), (rain + sun + 1, rain, sun + 1)):
            for told in product(range(6), repeat=3):
                both = [chance_of_table(told, counts, alpha) for counts in (before, after)]
                largest = max(largest, both[0] / both[1], both[1] / both[0])
    assert largest <= exp(epsilon) * (1 + 1e-12)
    assert largest == pytest.approx(exp(epsilon))  # nothing is wasted


@pytest.mark.parametrize("n_columns", [1, 4])
def test_epsilon_is_shared_by_all_counts_that_a_row_changes(n_columns):
    columns = {f"c{at}": ["yes", "no"] * 4000 for at in range(n_columns)}
    columns |= {"id": [f"row {at}" for at in range(8000)]}
    model = by.NaiveBayes(columns={"id": "categorical"}).fit(columns, ["on", "off"] * 4000)
    assert model.statistics_.sensitivity == n_columns + 2
    with_noise = model.with_noise(2.0, random_state=2).statistics_.columns["id"].table
    alpha = exp(-2.0 / (n_columns + 2))
    told_nothing = 1 / (1 + alpha) * alpha / (1 + alpha)  # counts of 0 and of 1 that become 0
    assert 1 - len(with_noise) / 8000 == pytest.approx(told_nothing, abs=0.02)


# statistics -------------------------------------------------------------------------------------


def models():
    X = np.random.default_rng(0).integers(0, 3, size=(50, 4))
    y = np.array(["rain", "sun"])[(X[:, 0] > 1).astype(int)]
    return {
        "NaiveBayes": by.NaiveBayes().fit({"a": X[:, 0].astype(str), "b": X[:, 1].astype(str)}, y),
        "CategoricalNB": by.CategoricalNB().fit(X, y),
        "BernoulliNB": by.BernoulliNB().fit(X, y),
    }


@pytest.mark.parametrize("name", ["NaiveBayes", "CategoricalNB", "BernoulliNB"])
@pytest.mark.parametrize("epsilon", [0.01, 1.0, 60.0])
def test_counts_with_noise_are_counts(name, epsilon):
    statistics = models()[name].statistics_
    told = statistics.with_noise(epsilon, random_state=4).checked()
    assert all(counts.dtype == np.int64 for counts in arrays(told).values())
    if epsilon == 60.0:  # hardly any noise
        exact = arrays(statistics)
        assert all(np.array_equal(exact[name], counts) for name, counts in arrays(told).items())


def test_levels_that_may_occur_are_told_whether_they_do_or_not():
    model = by.NaiveBayes().fit(
        {"sky": ["sun", "sun"], "size": ["1", "2"], "wind": [None, None]}, ["yes", "no"]
    )
    levels = {"sky": SKIES, "size": [1, 2, 3], "wind": ["low", "high"]}
    seen = {name: set() for name in levels}
    for seed in range(60):
        told = model.with_noise(1.0, levels, random_state=seed).statistics_
        for name, counts in told.columns.items():
            seen[name] |= {*counts.levels}
    assert seen == {"sky": {*SKIES}, "size": {"1", "2", "3"}, "wind": {"low", "high"}}


def test_categories_that_may_occur_can_be_told_by_number():
    counts = by.CategoricalNB().fit([[0, 1], [1, 0]], ["yes", "no"]).statistics_
    told = [counts.with_noise(1.0, [3, 5], random_state=seed).n_categories for seed in range(60)]
    assert np.max(told, axis=0).tolist() == [3, 5]
    with pytest.raises(ValueError, match=r"\[1, 1\] are given, \[2, 2\] occur"):
        counts.with_noise(1.0, 1)


def test_classes_that_may_occur_are_told_whether_they_do_or_not():
    """A class that one row alone has shows that row, unless it is declared."""
    days = {"sky": ["sun", "sun", "rain"]}
    levels, classes = {"sky": SKIES}, ["fog", "no", "yes"]
    with_row = by.NaiveBayes().fit(days, ["yes", "no", "fog"])
    without = by.NaiveBayes().fit({"sky": ["sun", "sun"]}, ["yes", "no"])
    for seed in range(5):
        told = [m.with_noise(1.0, levels, seed, classes) for m in (with_row, without)]
        assert [m.classes_.tolist() for m in told] == [classes, classes]
        assert all(m.statistics_.checked().class_count.shape == (3,) for m in told)
    assert without.classes_.tolist() == ["no", "yes"]  # itself unchanged
    for model in (by.CategoricalNB(), by.BernoulliNB()):
        told = model.fit([[0], [1]], ["no", "yes"]).with_noise(1.0, classes=classes)
        assert told.predict_proba([[1]]).shape == (1, 3)
    with pytest.raises(ValueError, match=r"label\(s\) \['fog'\]"):
        with_row.with_noise(1.0, classes=["no", "yes"])


def test_columns_that_were_not_learned_are_refused(tmp_path):
    days = {"sky": ["sun", "rain"], "wind": [None, None]}
    model = by.NaiveBayes().fit(days, ["yes", "no"])
    levels = {"sky": SKIES, "wind": ["low", "high"]}  # nothing was observed of wind
    told = model.with_noise(1.0, levels, random_state=1)
    told.save(tmp_path / "told.bayes")
    assert by.load(tmp_path / "told.bayes").predict_proba(days).shape == (2, 2)
    with pytest.raises(ValueError, match="columns that the model has not learned"):
        model.with_noise(30.0, {**levels, "heat": ["low", "high"]}, random_state=1)


# refusals ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("epsilon", [0, -1.0, float("inf"), float("nan"), "1", True, 1e-10])
def test_epsilon_must_be_a_number_above_zero(epsilon):
    counts = presence_counts(np.eye(2), np.array([0, 1]), 2)
    with pytest.raises(ValueError, match="epsilon must be a number above 0"):
        counts.with_noise(epsilon)


def test_epsilon_that_changes_no_count_is_refused():
    counts = presence_counts(np.eye(2), np.array([0, 1]), 2)
    for epsilon in (90.1, 1e3, 1e300):
        with pytest.raises(
            ValueError, match="at most 90, 30 for each of the 3 .* nothing would be"
        ):
            counts.with_noise(epsilon)
    counts.with_noise(90.0)


NUMBERS = [[1.5, 2.0], [2.5, 1.0], [3.5, 3.0], [4.0, 4.5]]
WORDS = ["free lunch", "rain today", "free", "rain"]


@pytest.mark.parametrize(
    ("model", "X", "sentence"),
    [
        (by.GaussianNB(), NUMBERS, "got ClassMoments. Cut numbers"),
        (by.GaussianBayes("diagonal"), NUMBERS, "got CrossMoments"),
        (by.MultinomialNB(), [[1, 0], [0, 2], [3, 0], [0, 1]], "got FeatureCounts"),
        (by.TextClassifier(), WORDS, "got TextCounts"),
        (by.JointBayes(), {"sky": WORDS}, "got JointCounts"),
        (by.TreeAugmentedNB(), {"sky": WORDS}, "got CombinationCounts"),
        (by.NaiveBayes(numeric="gaussian"), {"wind": [1.5, 2, 3, 4]}, "'wind' holds numbers"),
        (by.NaiveBayes(columns={"note": "text"}), {"note": WORDS}, "'note' holds texts"),
    ],
)
def test_what_tells_more_than_small_counts_is_refused(model, X, sentence):
    model.fit(X, ["yes", "no", "yes", "no"])
    with pytest.raises(TypeError, match=sentence):
        model.statistics_.with_noise(1.0)
    with pytest.raises(TypeError, match=sentence):
        model.with_noise(1.0)


def test_weights_and_undeclared_levels_are_refused():
    sky = {"sky": ["sun", "rain"]}
    with pytest.raises(ValueError, match="these have weights"):
        by.NaiveBayes().fit(sky, ["yes", "no"], sample_weight=[1.0, 2.5]).with_noise(1.0)
    model = by.NaiveBayes().fit(sky, ["yes", "no"])
    with pytest.raises(ValueError, match=r"\['sky: rain'\]. Add them"):
        model.with_noise(1.0, {"sky": ["sun", "snow"]})
    with pytest.raises(ValueError, match=r"\['sky'\]. Add them"):
        model.with_noise(1.0, {})
    with pytest.raises(ValueError, match="have no levels"):
        by.BernoulliNB().fit([[0], [1]], ["yes", "no"]).with_noise(1.0, {"x0": [0, 1]})


def test_what_was_learned_beside_counts_is_refused():
    tennis = by.datasets.play_tennis().to_dict()
    model = by.NaiveBayes(weights="learned").fit(tennis, y="PlayTennis")
    with pytest.raises(ValueError, match="without learned weights, decay, and choices='hold'"):
        model.with_noise(1.0)
