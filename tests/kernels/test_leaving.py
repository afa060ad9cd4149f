"""What is left of counts and moments when a row leaves: against fractions, and in both twins."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesic.kernels import leaving

quarters = st.integers(1, 400).map(lambda number: number / 4)
tenths = st.integers(1, 40).map(lambda number: number / 10)
values = st.integers(-1000, 1000).map(lambda number: number / 8)


@given(st.lists(tenths, min_size=1, max_size=9), st.data())
def test_of_a_sum_of_weights_nothing_is_left_when_all_of_them_leave(weights, data):
    total = np.float64(0)
    for weight in weights:
        total += weight
    for weight in data.draw(st.permutations(weights)):
        total = leaving.left(total, weight)
    assert total == 0


@given(st.integers(0, 2**50), st.integers(0, 2**50))
def test_whole_counts_are_exact(rest, removed):
    assert leaving.left(np.float64(rest + removed), np.float64(removed)) == rest


def test_what_holds_less_than_leaves_is_empty():
    assert leaving.left(np.array([1.0, 0.0]), np.array([3.0, 0.5])).tolist() == [0.0, 0.0]


def test_only_the_own_class_loses_a_row():
    counts = np.array([[5, 2], [5, 2], [5, 2]])
    rest = leaving.left_at(counts, leaving.own_class(np.array([0, 1, 1])), np.array([1, 1, 2]))
    assert rest.tolist() == [[4, 2], [5, 1], [5, 0]]
    assert counts.tolist() == [[5, 2]] * 3


@given(quarters, quarters, st.sampled_from([0, 0.5, 1]), st.integers(1, 5))
def test_a_share_without_a_row_is_the_fraction(weight, others, alpha, n_levels):
    count, total = weight, weight + others
    above, below = (
        leaving.left(count, weight) + alpha,
        leaving.left(total, weight) + n_levels * alpha,
    )
    expected = Fraction(alpha) / (Fraction(others) + n_levels * Fraction(alpha))
    assert np.exp(leaving.log_shares(above, below, n_levels)) == pytest.approx(float(expected))


def test_where_nothing_is_left_all_levels_have_equal_shares():
    logs = leaving.log_shares(np.array([0.0, 1.0, 0.0]), np.array([0.0, 2.0, 2.0]), 4)
    np.testing.assert_array_equal(np.exp(logs), [0.25, 0.5, 0.0])


@given(st.lists(st.tuples(values, quarters), min_size=2, max_size=9))
def test_moments_without_a_row_are_those_of_the_others(rows):
    x, weights = np.array(rows).T

    def moments(x, weights):
        mean = np.average(x, weights=weights)
        return weights.sum(), mean, weights @ (x - mean) ** 2

    ours = leaving.moments_without(
        x[:1], weights[:1], *(np.array([n]) for n in moments(x, weights))
    )
    theirs = moments(x[1:], weights[1:])
    for left, expected in zip(ours, theirs, strict=True):
        assert left[0] == pytest.approx(expected, rel=1e-7, abs=1e-6)


def test_the_mean_stays_and_nothing_scatters_where_nothing_is_left():
    rest = leaving.moments_without(
        np.array([3.0]), np.array([2.0]), *np.array([[2.0], [3.0], [0.0]])
    )
    assert [float(part[0]) for part in rest] == [0.0, 3.0, 0.0]


@pytest.fixture(scope="module")
def compiled():
    numba = pytest.importorskip("numba")
    from bayesic.kernels._compiled_leaving import leaning, left, pull, scatter_left, share_parts

    @numba.njit
    def all_formulas(total, removed, step, size):
        rest = left(total, removed)
        lost = removed * (1 + pull(rest, removed))
        scatter = scatter_left(total, lost, step, size)
        return rest, *share_parts(rest, rest, 3.0), lost, scatter, leaning(rest, rest, 0.0, 0.25)

    return all_formulas


@given(numbers=st.tuples(tenths | quarters, tenths, values, values.map(abs)))
def test_the_compiled_formulas_are_the_same(compiled, numbers):
    total, removed, step, size = (np.array([number]) for number in numbers)
    rest = leaving.left(total, removed)
    lost = removed * (1 + leaving.pull(rest, removed))
    theirs = rest, *leaving.share_parts(rest, rest, 3.0), lost
    theirs = *theirs, leaving.scatter_left(total, lost, step, size)
    theirs = *theirs, leaving.leaning(rest, rest, 0.0, 0.25)
    np.testing.assert_allclose(compiled(*numbers), np.ravel(theirs), rtol=1e-12)
