"""Rates of counts: each class has one more row, the usual one."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesic.estimation.univariate import poisson_rates, rates_without
from bayesic.statistics.number_counts import number_counts

N_CLASSES = 3
visits = st.lists(
    st.tuples(st.integers(0, 9), st.integers(0, N_CLASSES - 1)), min_size=1, max_size=9
)


def rates_by_hand(rows):
    """(sum of x over the class + t) / (N_c + 1), t the mean of all; zeros are all alike."""
    if not any(x for x, _ in rows):
        return [Fraction(1, 2 * (len(rows) + 1))] * N_CLASSES
    t = Fraction(sum(x for x, _ in rows), len(rows))
    return [
        (sum(x for x, c in rows if c == label) + t) / (sum(c == label for _, c in rows) + 1)
        for label in range(N_CLASSES)
    ]


def moments_of(rows):
    values, codes = np.array(rows).T
    return number_counts(values.astype(np.float64), codes, N_CLASSES).moments


@given(rows=visits)
def test_rates_are_the_fractions_of_the_formula(rows):
    expected = [float(rate) for rate in rates_by_hand(rows)]
    assert poisson_rates(moments_of(rows)).tolist() == pytest.approx(expected, rel=1e-12)


@given(rows=visits)
def test_rates_without_a_row_are_those_of_all_other_rows(rows):
    values, codes = np.array(rows).T
    ours = rates_without(moments_of(rows), values.astype(np.float64), codes, np.ones(len(rows)))
    for row in range(len(rows)):
        expected = [float(rate) for rate in rates_by_hand(rows[:row] + rows[row + 1 :])]
        assert ours[row].tolist() == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_zeros_alone_have_the_same_small_rate_in_every_class():
    assert poisson_rates(moments_of([(0, 0), (0, 1), (0, 1)])).tolist() == [0.125, 0.125, 0.125]
