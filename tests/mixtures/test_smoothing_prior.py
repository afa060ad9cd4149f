"""Smoothing as a prior: the smoothed estimate is the maximum of likelihood times prior."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bayesic as by
from bayesic.mixtures._smoothing_prior import log_smoothing_prior
from bayesic.models.levels.averaged_dependence import AveragedOneDependence
from helpers.examples import at_most
from helpers.fixed_dependence import FixedPair, FixedTree

SENTENCES = ("rain today", "free lunch", "free free money", "lunch in the rain", "money")
TABLE_ROWS = st.tuples(st.sampled_from(["rain", "sun"]), st.sampled_from(["S", "M", "L"]))


def log_posterior_of_parameters(model, X, y):
    """log p(rows, parameters), but for a constant."""
    scores = model.predict_joint_log_proba(X)
    own = scores[np.arange(len(y)), np.searchsorted(model.classes_, y)]
    return own.sum() + log_smoothing_prior(model)


def counts(draw):
    row = st.lists(st.integers(0, 3), min_size=3, max_size=3)
    return np.array(draw(st.lists(row, min_size=6, max_size=6)))


def sentences(draw):
    drawn = draw(st.lists(st.sampled_from(SENTENCES), min_size=4, max_size=4))
    return [*drawn, " ".join(SENTENCES), " ".join(SENTENCES)]  # every word is known


def table(draw):
    drawn = draw(st.lists(TABLE_ROWS, min_size=3, max_size=3))
    rows = [*drawn, ("rain", "S"), ("sun", "M"), ("sun", "L")]  # every level is known
    return {"sky": [sky for sky, _ in rows], "size": [size for _, size in rows]}


def wide_table(draw):
    hues = draw(st.lists(st.sampled_from(["red", "blue"]), min_size=4, max_size=4))
    return table(draw) | {"hue": ["red", "blue", *hues]}


MODELS = {
    "multinomial": (by.MultinomialNB(alpha=0.5), counts),
    "multinomial with several alphas": (by.MultinomialNB(alpha=[0.5, 1, 2]), counts),
    "bernoulli": (by.BernoulliNB(alpha=2.0), counts),
    "categorical": (by.CategoricalNB(alpha=0.5, min_categories=4), counts),
    "texts": (by.TextClassifier(), sentences),
    "binary texts": (by.TextClassifier("binary-multinomial", smoothing=0.1), sentences),
    "bernoulli texts": (by.TextClassifier("bernoulli"), sentences),
    "columns": (by.NaiveBayes(smoothing=0.5), table),
    "columns by m-estimate": (by.NaiveBayes(smoothing={"sky": ("m", 2)}, prior="uniform"), table),
    "joint table": (by.JointBayes(smoothing=0.5), table),
    "tree": (FixedTree(smoothing=0.5), table),
    "two parents": (FixedPair(k=2), wide_table),
    "tree by m-estimate": (FixedTree(smoothing=("m", 2)), table),
}


@pytest.mark.parametrize("name", MODELS)
@at_most(15)
@given(data=st.data())
def test_no_other_parameters_are_more_probable_than_the_smoothed_ones(name, data):
    model, rows = MODELS[name]
    y = ["spam", "ham", "spam", "ham", "spam", "ham"]
    X, others = rows(data.draw), rows(data.draw)
    best = log_posterior_of_parameters(model.fit(X, y), X, y)
    if name.endswith("by m-estimate"):
        # its pseudo-counts follow from the rows of all classes: only the classes may differ
        others, y_others = X, data.draw(st.permutations(y))
    else:
        y_others = y
    other = log_posterior_of_parameters(model.fit(others, y_others), X, y)
    assert other <= best + 1e-9 * abs(best)


def test_the_prior_of_categories_is_the_product_of_their_shares():
    model = by.NaiveBayes(smoothing=2).fit({"sky": ["rain", "sun", "sun"]}, ["ham", "ham", "spam"])
    product = (
        (Fraction(3, 6) * Fraction(3, 6) * Fraction(2, 5) * Fraction(3, 5)) ** 2  # rain and sun
        * (Fraction(4, 7) * Fraction(3, 7)) ** 2  # ham and spam
    )
    assert log_smoothing_prior(model) == pytest.approx(math.log(product), rel=1e-12)


def test_bins_that_hold_nothing_count_too():
    model = by.NaiveBayes(columns={"lit": "bernoulli"}, prior="uniform")
    model.fit({"lit": [1, 1, 1]}, ["ham", "ham", "spam"])
    product = Fraction(3, 4) * Fraction(1, 4) * Fraction(2, 3) * Fraction(1, 3)
    assert log_smoothing_prior(model) == pytest.approx(math.log(product), rel=1e-12)


def test_combinations_that_never_came_count_too():
    model = by.JointBayes(prior="uniform")
    model.fit({"sky": ["rain", "sun"], "size": ["S", "M"]}, ["ham", "ham"])
    product = Fraction(2, 6) ** 2 * Fraction(1, 6) ** 2
    assert log_smoothing_prior(model) == pytest.approx(math.log(product), rel=1e-12)


def test_the_prior_of_a_tree_has_the_shares_of_each_level_of_the_parent():
    model = FixedTree(smoothing=2, prior="uniform")
    model.fit({"size": ["S", "S", "M"], "sky": ["rain", "sun", "sun"]}, ["ham", "ham", "ham"])
    size = Fraction(4, 7) * Fraction(3, 7)
    sky = Fraction(3, 6) * Fraction(3, 6) * Fraction(2, 5) * Fraction(3, 5)  # of S, of M
    assert log_smoothing_prior(model) == pytest.approx(2 * math.log(size * sky), rel=1e-12)


def test_the_prior_of_an_m_estimate_has_the_rows_that_it_adds():
    model = FixedTree(smoothing=("m", 1), prior="uniform")
    model.fit({"size": ["S", "S", "M"], "sky": ["rain", "sun", "sun"]}, ["ham", "ham", "ham"])
    # one row is added: 3/5 of it to S, 2/5 to M; 2/5 to rain, 3/5 to sun
    small, rain, sun = Fraction(3, 5), Fraction(2, 5), Fraction(3, 5)
    logs = [
        small * math.log((2 + small) / 4),
        (1 - small) * math.log((1 + 1 - small) / 4),
        rain * math.log((1 + rain) / 3),
        sun * math.log((1 + sun) / 3),
        rain * math.log(rain / 2),
        sun * math.log((1 + sun) / 2),
    ]
    assert log_smoothing_prior(model) == pytest.approx(sum(logs), rel=1e-12)


def test_a_mean_of_networks_has_only_the_prior_of_its_classes():
    model = AveragedOneDependence(smoothing=2).fit({"sky": ["rain", "sun"]}, ["ham", "spam"])
    assert log_smoothing_prior(model) == pytest.approx(4 * math.log(0.5), rel=1e-12)


@pytest.mark.parametrize(
    "model",
    [by.TextClassifier(smoothing="auto"), by.TextClassifier(smoothing=0)],
    ids=["automatic", "none"],
)
def test_what_is_no_prior_is_nothing(model):
    assert log_smoothing_prior(model.fit(["free lunch", "rain"], ["spam", "ham"])) == 0


def test_densities_have_no_prior():
    assert log_smoothing_prior(by.GaussianNB().fit([[1.0], [2.0]], ["ham", "spam"])) == 0
