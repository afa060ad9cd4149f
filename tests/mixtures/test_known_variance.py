"""Gaussians of one known variance: the formulas as printed, and k-means as their limit."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import logsumexp

from bayesic.mixtures.k_means import KMeans
from bayesic.mixtures.known_variance import expected_memberships, means_of_known_variance
from helpers.examples import at_most

POINTS = [1.0, 2.0, 4.5, 7.0, 8.0]
COLUMN = [[point] for point in POINTS]


def membership_by_hand(point, means, variance):
    """E[z_ij], as it is printed."""
    above = [math.exp(-((point - mean) ** 2) / (2 * variance)) for mean in means]
    return [number / sum(above) for number in above]


def step_by_hand(means, variance):
    """mu_j <- sum of E[z_ij] x_i / sum of E[z_ij], as it is printed."""
    z = [membership_by_hand(point, means, variance) for point in POINTS]
    return [
        sum(z[i][j] * POINTS[i] for i in range(5)) / sum(z[i][j] for i in range(5))
        for j in range(len(means))
    ]


@pytest.mark.parametrize("variance", [0.25, 1.0, 9.0])
def test_memberships_are_as_printed(variance):
    ours = expected_memberships(COLUMN, [[1.0], [6.0], [7.5]], variance)
    expected = [membership_by_hand(point, [1.0, 6.0, 7.5], variance) for point in POINTS]
    np.testing.assert_allclose(ours, expected, rtol=1e-12)


@pytest.mark.parametrize("variance", [0.25, 1.0, 9.0])
@pytest.mark.parametrize("n_steps", [1, 2, 5])
def test_means_are_as_printed(variance, n_steps):
    expected = [1.0, 6.0]
    for _ in range(n_steps):
        expected = step_by_hand(expected, variance)
    found = means_of_known_variance(COLUMN, [[1.0], [6.0]], variance, max_iter=n_steps, tol=0.0)
    np.testing.assert_allclose(found.state.ravel(), expected, rtol=1e-12)
    assert found.n_iter == n_steps


def test_half_and_half_in_the_middle():
    # at the same distance from both, E[z] is 1/2; twice as far in squares is e^-1/2 to e^-1
    answer = expected_memberships([[0.0, 1.0]], [[0.0, 0.0], [0.0, 2.0]], variance=3.0)
    assert answer.tolist() == [[0.5, 0.5]]


@at_most(30)
@given(
    st.lists(st.integers(-9, 9), min_size=4, max_size=10, unique=True),
    st.sampled_from([0.01, 1.0, 30.0]),
)
def test_the_likelihood_never_falls(points, variance):
    X = np.array(points, dtype=float)[:, None]
    found = means_of_known_variance(X, X[:3], variance, max_iter=30)
    assert (np.diff(found.trace) >= 0).all()
    z = expected_memberships(X, found.state, variance)
    scores = -((X - found.state.T) ** 2) / (2 * variance) - 0.5 * np.log(2 * np.pi * variance)
    by_hand = logsumexp(scores, axis=1).mean() - np.log(3)
    assert found.trace[-1] == pytest.approx(by_hand)
    np.testing.assert_allclose(z.sum(axis=1), 1.0)


@at_most(30)
@given(st.integers(0, 1000), st.integers(2, 4))
def test_a_variance_towards_zero_gives_k_means(seed, n_clusters):
    X = np.random.default_rng(seed).normal(size=(40, 2))
    limit = KMeans(n_clusters, init=X[:n_clusters], tol=0.0).fit(X)
    found = means_of_known_variance(X, X[:n_clusters], variance=1e-9, max_iter=300)
    np.testing.assert_allclose(found.state, limit.cluster_centers_, atol=1e-6)
    hard = expected_memberships(X, found.state, 1e-9)
    assert hard.argmax(axis=1).tolist() == limit.labels_.tolist()
    # what is left of the likelihood is the inertia
    constant = np.log(n_clusters) + np.log(2 * np.pi * 1e-9)
    inertia = -2e-9 * len(X) * (found.trace[-1] + constant)
    assert inertia == pytest.approx(limit.inertia_, rel=1e-5)


def test_a_mean_to_which_nothing_belongs_stays():
    found = means_of_known_variance(COLUMN, [[4.0], [1e5]], variance=1.0)
    assert found.state.tolist() == [[4.5], [1e5]]


@pytest.mark.parametrize(
    ("X", "start", "variance", "message"),
    [
        (COLUMN, [[1.0]], 0.0, "variance must be a number above 0.*KMeans is the limit"),
        (COLUMN, [[1.0]], "one", "variance must be a number above 0"),
        (COLUMN, [[1.0]], 1e-320, "too small for the distances"),
        (COLUMN, [1.0, 2.0], 1.0, r"an array of shape \(k, 1\), got shape \(2,\)"),
        (COLUMN, [[np.nan]], 1.0, "must be finite"),
        ([[np.nan], [1.0]], [[1.0]], 1.0, "X must hold finite numbers"),
        ([[1e200], [1.0]], [[1.0]], 1.0, "too large"),
    ],
    ids=["zero", "word", "tiny", "flat", "nan mean", "gap", "large"],
)
def test_what_makes_no_sense_is_refused(X, start, variance, message):
    with pytest.raises(ValueError, match=message):
        means_of_known_variance(X, start, variance)
