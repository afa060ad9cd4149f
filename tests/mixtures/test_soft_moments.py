"""Soft moments are the moments of classes, with shares as weights."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from bayesic.mixtures._gaussian_em import (
    expected_statistics,
    shares_of,
    soft_cross_moments,
    soft_moments,
    soft_statistics,
)
from bayesic.statistics.cross_moments import cross_moments
from bayesic.statistics.moments import class_moments
from helpers.environment import cells_per_block, environment
from helpers.examples import at_most

both = pytest.mark.parametrize(
    ("soft", "hard"),
    [(soft_moments, class_moments), (soft_cross_moments, cross_moments)],
    ids=["features", "products"],
)


@st.composite
def rows_and_shares(draw):
    """Rows of small whole numbers; shares of quarters, so that some components have none."""
    n_rows, n_features, n_components = (draw(st.integers(1, most)) for most in (8, 3, 3))
    cells = st.integers(-5, 5).map(float)
    values = draw(hnp.arrays(np.float64, (n_rows, n_features), elements=cells))
    quarters = st.sampled_from([0.0, 0.25, 1.0])
    return values, draw(hnp.arrays(np.float64, (n_components, n_rows), elements=quarters))


def numbers_of(statistics):
    """Count, mean and scatter of either kind."""
    if hasattr(statistics, "per_class"):
        return statistics.class_count, statistics.per_class.mean, statistics.per_class.scatter
    return statistics.class_count, statistics.mean, statistics.scatter


def assert_close(ours, theirs, atol=1e-10):
    for mine, other in zip(numbers_of(ours), numbers_of(theirs), strict=True):
        np.testing.assert_allclose(mine, other, rtol=1e-12, atol=atol)


@both
@at_most(40)
@given(case=rows_and_shares())
def test_they_are_the_moments_of_classes_with_shares_as_weights(soft, hard, case):
    values, shares = case
    n_components, n_rows = shares.shape
    if not shares.any():
        return
    parts = [
        hard(values, np.full(n_rows, k), n_components, shares[k])
        for k in range(n_components)
        if shares[k].any()
    ]
    assert_close(soft(values, shares), sum(parts[1:], start=parts[0]))


@both
@at_most(25)
@given(case=rows_and_shares(), cut=st.integers(0, 8))
def test_parts_add_up_to_the_whole(soft, hard, case, cut):
    values, shares = case
    first, rest = slice(0, cut), slice(cut, None)
    parts = soft(values[first], shares[:, first]) + soft(values[rest], shares[:, rest])
    assert_close(parts, soft(values, shares))


@both
def test_a_spread_of_one_far_from_zero_keeps_its_digits(soft, hard):
    rng = np.random.default_rng(0)
    values = rng.normal(size=(5000, 3))
    shares = rng.random((2, 5000))
    near, far = soft(values, shares), soft(values + 1e8, shares)
    np.testing.assert_allclose(numbers_of(far)[1] - 1e8, numbers_of(near)[1], atol=1e-7)
    np.testing.assert_allclose(numbers_of(far)[2], numbers_of(near)[2], rtol=1e-6, atol=1e-2)


@both
def test_rows_with_next_to_no_share_are_left_out_and_nothing_is_missed(soft, hard):
    rng = np.random.default_rng(1)
    values = rng.normal(size=(1000, 2))
    shares = np.where(rng.random((3, 1000)) < 0.5, 1e-25, rng.random((3, 1000)))
    parts = [hard(values, np.full(1000, k), 3, shares[k]) for k in range(3)]
    assert_close(soft(values, shares), parts[0] + parts[1] + parts[2], atol=1e-9)


@both
def test_shares_too_small_to_count_are_no_reason_for_nan(soft, hard):
    shares = np.array([[5e-324, 5e-324], [1.0, 1.0]])
    for numbers in numbers_of(soft(np.array([[1.0, 2.0], [3.0, 2.0]]), shares)):
        assert np.isfinite(numbers).all()


@both
def test_blocks_and_threads_change_nothing(soft, hard):
    rng = np.random.default_rng(2)
    X, shares = rng.normal(size=(500, 2)), rng.random((3, 500))
    whole = soft(X, shares)
    with cells_per_block(40):
        found = []
        for threads in ("1", "3"):
            with environment(BAYESIC_THREADS=threads):
                found.append(soft_statistics(X, shares, soft))
    assert_close(found[0], whole)
    for one, three in zip(numbers_of(found[0]), numbers_of(found[1]), strict=True):
        np.testing.assert_array_equal(one, three)


def test_shares_are_bayes_rule():
    shares, log_density = shares_of(np.log([[0.02, 0.5], [0.06, 0.5]]))
    np.testing.assert_allclose(shares, [[0.25, 0.5], [0.75, 0.5]])
    np.testing.assert_allclose(np.exp(log_density), [0.08, 1.0])


def test_a_row_that_is_impossible_everywhere_is_shared_equally():
    shares, log_density = shares_of(np.array([[-np.inf, 0.0], [-np.inf, -np.inf]]))
    assert shares.tolist() == [[0.5, 1.0], [0.5, 0.0]]
    assert log_density.tolist() == [-np.inf, 0.0]


def test_a_row_without_weight_may_be_impossible():
    def scorer(values):
        return np.where(values[:, 0] > 5, -np.inf, -1.0)[None, :]

    X, weights = np.array([[1.0], [3.0], [9.0]]), np.array([1.0, 3.0, 0.0])
    statistics, log_density = expected_statistics(X, weights, scorer, soft_moments, 1)
    assert statistics.per_class.mean.tolist() == [[2.5]]
    assert log_density == -1.0
