"""Covariances from scatters, and leaving rows out by rank one or by estimating again."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.covariance import ledoit_wolf_shrinkage

from bayesic.estimation.covariance import (
    CANDIDATES,
    CovarianceRule,
    are_singular,
    best_candidate,
    class_covariances,
    class_variances,
    leave_one_out_losses,
    ledoit_wolf_weight,
)
from bayesic.estimation.gaussian_without import (
    LeftOut,
    scores_by_estimating_again,
    scores_by_rank_one,
)
from bayesic.estimation.prior import ClassPrior
from bayesic.statistics.cross_moments import cross_moments
from helpers.examples import at_most

RULES = [
    CovarianceRule(),
    CovarianceRule(unbiased=True),
    CovarianceRule(weight=0.3),
    CovarianceRule(weight=1.0, unbiased=True),
    CovarianceRule(weight=0.2, target="identity", fill_constant=False),
    CovarianceRule(tied=True),
    CovarianceRule(tied=True, unbiased=True),
]


def rows_of(seed, n_rows=40, n_features=3, n_classes=3):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, n_features)) @ rng.normal(size=(n_features, n_features))
    return X, np.arange(n_rows) % n_classes


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("weights", ["ones", "few"])
@at_most(10)
@given(seed=st.integers(0, 1000), n_rows=st.integers(9, 40))
def test_a_change_of_rank_one_is_estimating_again(rule, weights, seed, n_rows):
    X, codes = rows_of(seed, n_rows)
    weight = np.ones(n_rows) if weights == "ones" else 1.0 + np.arange(n_rows) % 2
    moments = cross_moments(X, codes, 4, weight)  # one class without rows
    rows = LeftOut(X, codes, weight)
    fast, again = scores_by_rank_one(rule, moments, rows, plans={})
    exact = scores_by_estimating_again(rule, moments, rows)
    np.testing.assert_allclose(fast[~again], exact[~again], rtol=1e-6, atol=1e-6)
    if n_rows > 20:
        assert not again.all()


def test_many_models_at_once_are_each_of_them_alone():
    parts = [cross_moments(*rows_of(seed), 3) for seed in range(4)]
    count, scatter = (
        np.array([getattr(part, name) for part in parts]) for name in ("class_count", "scatter")
    )
    variance = np.array([part.class_moments.overall.variance()[0] for part in parts])
    for rule in [*RULES, CovarianceRule(weight="ledoit-wolf", target="diagonal")]:
        together = class_covariances(rule, count, scatter, variance)
        for number in range(4):
            alone = class_covariances(rule, count[number], scatter[number], variance[number])
            np.testing.assert_allclose(together.matrices[number], alone.matrices, rtol=1e-12)


def test_the_weight_of_ledoit_and_wolf_comes_near_to_that_from_fourth_powers():
    rng = np.random.default_rng(0)
    ours, theirs = [], []
    for _ in range(40):
        X = rng.normal(size=(50, 6)) @ (np.eye(6) + 0.3)
        X = (X - X.mean(axis=0)) / X.std(axis=0)
        ours.append(float(ledoit_wolf_weight(X.T @ X / 50, np.array(50.0))))
        theirs.append(ledoit_wolf_shrinkage(X, assume_centered=True))
    assert np.mean(ours) == pytest.approx(np.mean(theirs), abs=0.02)


@pytest.mark.parametrize("count", [0.0, 1.0, 2.0, 1e9])
def test_the_weight_of_ledoit_and_wolf_is_a_share(count):
    for matrix in (np.eye(3), np.ones((3, 3)), np.zeros((3, 3)), np.eye(3) + 0.5):
        assert 0 <= ledoit_wolf_weight(matrix, np.array(count)) <= 1


def test_a_class_without_rows_has_the_covariance_of_all_classes():
    X, codes = rows_of(0)
    moments = cross_moments(X, codes, 4)
    for weight in (0.0, 0.3):
        matrices, singular = class_covariances(
            CovarianceRule(weight=weight), moments.class_count, moments.scatter, X.var(axis=0)
        )
        pooled = sum(np.cov(X[codes == c].T, bias=True) * (codes == c).sum() for c in range(3)) / 40
        np.testing.assert_allclose(matrices[3], pooled, rtol=1e-12)
        assert singular.tolist() == [False, False, False, True]


def test_features_without_spread_get_a_variance_that_is_told():
    # the second feature: none in the first class; the third: none in any; the fourth: nowhere
    squares = np.array([[2.0, 0.0, 0.0, 0.0], [4.0, 4.0, 0.0, 0.0]])
    count, overall = np.array([1.0, 3.0]), np.array([5.0, 5.0, 5.0, 0.0])
    variances, flat = class_variances(count, squares, overall)
    # pooled: 6/4, 4/4, 5/5 in place of 0; with weight 1 / (n + 1) where a class has none
    assert variances.tolist() == [[2.0, 1 / 2, 1 / 2, 1.0], [4 / 3, 4 / 3, 1 / 4, 1.0]]
    assert flat.tolist() == [True, True]


def test_losses_are_sums_of_minus_log_posterior():
    rng = np.random.default_rng(0)
    scores = {candidate: rng.normal(size=(6, 2)) for candidate in CANDIDATES}
    codes, weights = np.array([0, 1, 0, 1, 0, 1]), np.array([1.0, 2, 1, 1, 1, 1])
    prior = [0.25, 0.75]
    losses = leave_one_out_losses(
        [scores[candidate].__getitem__ for candidate in CANDIDATES],
        [slice(0, 4), slice(4, 6)],
        ClassPrior(np.array([3, 3]), prior),
        codes,
        weights,
    )
    for loss, candidate in zip(losses, CANDIDATES, strict=True):
        joint = np.exp(scores[candidate]) * prior
        posterior = joint / joint.sum(axis=1, keepdims=True)
        expected = -(weights * np.log(posterior[np.arange(6), codes])).sum()
        assert loss == pytest.approx(expected)
    assert best_candidate(losses) == CANDIDATES[int(losses.argmin())]


def test_rows_that_no_class_explains_make_a_loss_without_bound_and_no_nan():
    losses = leave_one_out_losses(
        [
            np.full((2, 2), -np.inf if candidate == 0 else -1.0).__getitem__
            for candidate in CANDIDATES
        ],
        [slice(0, 2)],
        ClassPrior(np.array([1, 1]), [0.5, 0.5]),
        np.array([0, 1]),
        np.ones(2),
    )
    assert losses[0] == np.inf
    assert losses[1:].tolist() == pytest.approx([2 * np.log(2)] * (len(CANDIDATES) - 1))


@at_most(60)
@given(
    exponents=st.lists(
        st.sampled_from([-20, -12, -11, -10.01, -9.99, -9, -6, -1]), min_size=1, max_size=4
    ),
    seed=st.integers(0, 99),
)
def test_a_matrix_is_singular_if_its_least_eigenvalue_says_so(exponents, seed):
    rng = np.random.default_rng(seed)
    correlations = [correlation_with_least(10.0**exponent, rng) for exponent in exponents]
    scale = 10.0 ** rng.integers(-3, 4, size=3)  # units of the features play no part
    covariance = np.array(correlations) * scale[:, None] * scale
    assert are_singular(covariance).tolist() == [exponent <= -10 for exponent in exponents]
    assert are_singular(covariance[None]).shape == (1, len(exponents))


def correlation_with_least(eigenvalue, rng):
    """Three features, two of which correlate by 1 - eigenvalue, in any order."""
    matrix = np.eye(3)
    first, second = rng.permutation(3)[:2]
    matrix[first, second] = matrix[second, first] = 1 - eigenvalue
    return matrix
