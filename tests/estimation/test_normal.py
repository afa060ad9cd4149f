"""Mean and variance of each class, with a floor that has no scale."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesic.estimation.univariate import (
    VARIANCES,
    normal_parameters,
    normal_without,
    within_variance,
)
from bayesic.statistics.number_counts import number_counts

N_CLASSES = 3
whole = st.lists(
    st.tuples(st.integers(-9, 9), st.integers(0, N_CLASSES - 1)), min_size=1, max_size=9
)


def moments_of(rows, weights=None):
    values, codes = zip(*rows, strict=True)
    return number_counts(np.array(values, float), np.array(codes), N_CLASSES, weights).moments


def scatter(values):
    mean = Fraction(sum(values), len(values)) if values else Fraction(0)
    return sum(((value - mean) ** 2 for value in values), start=Fraction(0))


def by_hand(rows):
    """(mean, variance) of each class: variance_c = (scatter_c + s^2) / N_c.

    s^2 = (sum of scatter_c + t^2) / (N + 1), t^2 the variance of all rows together.
    """
    values = [Fraction(value) for value, _ in rows]
    groups = [[Fraction(v) for v, c in rows if c == label] for label in range(N_CLASSES)]
    if not values:
        return [(Fraction(0), Fraction(1))] * N_CLASSES
    overall = sum(values) / len(values), scatter(values) / len(values)
    usual = (sum(map(scatter, groups)) + overall[1]) / (len(values) + 1)
    found = [
        (sum(group) / len(group), (scatter(group) + usual) / len(group)) if group else overall
        for group in groups
    ]
    return [(mean, variance if variance > 0 else Fraction(1)) for mean, variance in found]


@given(rows=whole)
def test_parameters_are_the_fractions_of_the_rule(rows):
    mean, variance = normal_parameters(moments_of(rows))
    expected = by_hand(rows)
    assert mean.tolist() == pytest.approx([float(m) for m, _ in expected], abs=1e-12)
    assert variance.tolist() == pytest.approx([float(v) for _, v in expected], rel=1e-10)


@given(rows=whole.filter(lambda rows: len(rows) > 1))
def test_parameters_without_a_row_are_those_of_all_other_rows(rows):
    values, codes = (np.array(part) for part in zip(*rows, strict=True))
    ones = np.ones(len(rows))
    others, own, _ = normal_without(moments_of(rows), values.astype(float), codes, ones)
    for row in range(len(rows)):
        expected = by_hand(rows[:row] + rows[row + 1 :])
        for label, (mean, variance) in enumerate(expected):
            means, variances = own if label == codes[row] else (part[label] for part in others)
            means = np.broadcast_to(means, len(rows))
            assert means[row] == pytest.approx(float(mean), abs=1e-9)
            assert variances[row] == pytest.approx(float(variance), rel=1e-6)


@given(rows=whole, power=st.integers(-100, 100))
def test_another_unit_changes_nothing_but_the_unit(rows, power):
    unit = 2.0**power
    mean, variance = normal_parameters(moments_of(rows))
    scaled_mean, scaled_variance = normal_parameters(
        moments_of([(value * unit, label) for value, label in rows])
    )
    assert scaled_mean.tolist() == (mean * unit).tolist()
    if len({value for value, _ in rows}) > 1:
        assert scaled_variance.tolist() == (variance * unit**2).tolist()


def test_a_class_of_one_row_is_about_as_wide_as_the_others():
    rows = [(float(value), 0) for value in range(100)] + [(50.0, 1)]
    _, variance = normal_parameters(moments_of(rows))
    assert 0.5 < variance[1] / variance[0] < 2


def test_the_floor_vanishes_as_rows_come():
    random = np.random.default_rng(0)
    values = random.normal(size=100_000)
    moments = number_counts(values, np.zeros(100_000, np.intp), 1).moments
    assert normal_parameters(moments)[1][0] == pytest.approx(values.var(), rel=1e-4)


def test_a_constant_column_tells_nothing():
    mean, variance = normal_parameters(moments_of([(5, 0), (5, 0), (5, 1)]))
    assert (mean.tolist(), variance.tolist()) == ([5.0, 5.0, 5.0], [1.0, 1.0, 1.0])
    assert within_variance(moments_of([(5, 0), (5, 1)])) == 1.0


def test_weights_count_as_rows():
    rows = [(1, 0), (4, 0), (9, 1)]
    weighted = normal_parameters(moments_of(rows, np.array([2.0, 1.0, 3.0])))
    repeated = normal_parameters(moments_of([(1, 0), (1, 0), (4, 0), *[(9, 1)] * 3]))
    for ours, expected in zip(weighted, repeated, strict=True):
        np.testing.assert_allclose(ours, expected, rtol=1e-12)


numbers = st.floats(-1e6, 1e6) | st.sampled_from([0.1, 1e8, 1e8 + 1, 1e-200, -1e139])


@given(
    rows=st.lists(
        st.tuples(numbers, st.integers(0, N_CLASSES - 1), st.floats(0.01, 9)),
        min_size=1,
        max_size=9,
    ),
    rule=st.sampled_from(VARIANCES),
)
def test_few_classes_have_the_bits_of_many(rows, rule):
    """They are estimated number by number, many classes by arrays."""
    moments = moments_of([row[:2] for row in rows], np.array([weight for *_, weight in rows]))
    with pytest.MonkeyPatch.context() as patch, np.errstate(over="ignore", invalid="ignore"):
        few = normal_parameters(moments, rule)
        patch.setattr("bayesic.estimation.univariate.FEW_CLASSES", 0)
        many = normal_parameters(moments, rule)
    for ours, theirs in zip(few, many, strict=True):
        np.testing.assert_array_equal(ours, theirs)
