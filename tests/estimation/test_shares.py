"""Smoothed shares: lambda, the m-estimate, and the same with each row left out."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from bayesic.estimation.smoothing import Lambda, MEstimate, log_shares_without, smoothed_log_shares

tables = hnp.arrays(
    np.int64, st.tuples(st.integers(1, 4), st.integers(1, 3)), elements=st.integers(0, 5)
)
amounts = st.sampled_from([Fraction(0), Fraction(1, 2), Fraction(1), Fraction(7)])


def share_by_hand(table, level, label, n_levels, kind, amount):
    """p(v | c) as a fraction; level None is one that was never seen. None if it is 0 / 0."""
    total, n_rows = sum(table[level]) if level is not None else 0, sum(map(sum, table))
    count = table[level][label] if level is not None else 0
    observed = sum(row[label] for row in table)
    if kind is Lambda:
        pseudo, all_pseudo = amount, amount * n_levels
    else:
        pseudo, all_pseudo = amount * Fraction(total + 1, n_rows + n_levels), amount
    return None if observed + all_pseudo == 0 else (count + pseudo) / (observed + all_pseudo)


@pytest.mark.parametrize("kind", [Lambda, MEstimate])
@given(table=tables, amount=amounts, more=st.integers(0, 2))
def test_shares_are_the_fractions_of_the_formula(kind, table, amount, more):
    n_levels = len(table) + more
    shares = np.exp(smoothed_log_shares(table, n_levels, kind(float(amount))))
    counts = table.tolist()
    for level in [*range(len(table)), None]:
        for label in range(table.shape[1]):
            share = share_by_hand(counts, level, label, n_levels, kind, amount)
            expected = Fraction(1, n_levels) if share is None else share
            ours = shares[-1 if level is None else level, label]
            assert ours == pytest.approx(float(expected), rel=1e-12, abs=1e-300)


@pytest.mark.parametrize("kind", [Lambda, MEstimate])
@given(table=tables, amount=amounts)
def test_shares_of_all_levels_sum_to_one(kind, table, amount):
    shares = np.exp(smoothed_log_shares(table, len(table), kind(float(amount))))
    np.testing.assert_allclose(shares[:-1].sum(axis=0), 1.0)


@pytest.mark.parametrize("kind", [Lambda, MEstimate])
@pytest.mark.parametrize("shrinks", [True, False])
@given(table=tables, amount=amounts)
def test_shares_without_a_row_are_those_of_all_other_rows(kind, shrinks, table, amount):
    table[0, 0] += 1
    level, codes = np.nonzero(table)
    logs = log_shares_without(
        table[level],
        codes,
        np.ones(len(codes)),
        table.sum(axis=0),
        len(table),
        shrinks,
        kind(float(amount)),
    )
    for row, (place, label) in enumerate(zip(level, codes, strict=True)):
        rest = table.copy()
        rest[place, label] -= 1
        gone = shrinks and not rest[place].any()
        n_levels = len(table) - gone
        if n_levels == 0:  # no level is left at all: it tells nothing
            assert np.ptp(logs[row]) == pytest.approx(0.0)
            continue
        at = None if gone else place
        for other in range(table.shape[1]):
            share = share_by_hand(rest.tolist(), at, other, n_levels, kind, amount)
            expected = Fraction(1, n_levels) if share is None else share
            assert np.exp(logs[row, other]) == pytest.approx(float(expected), abs=1e-12)


def test_pseudo_counts_of_fractions_are_fractions():
    assert Lambda(Fraction(1, 3)).pseudo_counts(Fraction(2), Fraction(9), 3) == (
        Fraction(1, 3),
        Fraction(1),
    )
    assert MEstimate(Fraction(2)).pseudo_counts(Fraction(2), Fraction(9), 3) == (
        Fraction(1, 2),
        Fraction(2),
    )
