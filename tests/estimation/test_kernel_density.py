"""Kernel densities: fast sums against the direct ones."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad

from bayesic.estimation.kernel_density import KernelSums, bandwidth
from bayesic.statistics.number_counts import number_counts

N_CLASSES = 2
numbers = st.integers(-40, 40).map(lambda number: number / 4) | st.floats(-9, 9)
rows_of_numbers = st.lists(
    st.tuples(numbers, st.integers(0, N_CLASSES - 1)), min_size=1, max_size=12
)


def kernel(u):
    return (1 + np.abs(u)) * np.exp(-np.abs(u)) / 4


def counted(rows):
    values, codes = zip(*rows, strict=True)
    return number_counts(np.array(values, float), np.array(codes), N_CLASSES)


def direct_sum(point, rows, label, width):
    return sum(kernel((point - value) / width) / width for value, c in rows if c == label)


@given(
    rows=rows_of_numbers,
    points=st.lists(numbers, min_size=1, max_size=5),
    width=st.floats(0.05, 20),
)
def test_sums_are_the_direct_sums(rows, points, width):
    counts = counted(rows)
    sums = KernelSums(counts.values, counts.table, width)
    points = [*points, *(value for value, _ in rows)]
    with np.errstate(divide="ignore"):
        logs = sums.log_sums(np.array(points))
        expected = np.log(
            [[direct_sum(x, rows, label, width) for label in range(N_CLASSES)] for x in points]
        )
    np.testing.assert_allclose(logs, expected, rtol=1e-9, atol=1e-9)


@given(rows=rows_of_numbers, width=st.floats(0.05, 20))
def test_sums_without_a_row_are_the_direct_sums_over_all_others(rows, width):
    counts = counted(rows)
    sums = KernelSums(counts.values, counts.table, width)
    values, codes = (np.array(part) for part in zip(*rows, strict=True))
    values = np.where(np.abs(values) < np.finfo(float).tiny, 0.0, values)
    with np.errstate(divide="ignore"):
        logs = sums.log_sums_without(values.astype(float), codes, np.ones(len(rows)))
        for row, (value, _) in enumerate(rows):
            others = rows[:row] + rows[row + 1 :]
            direct = [direct_sum(value, others, label, width) for label in range(N_CLASSES)]
            np.testing.assert_allclose(logs[row], np.log(direct), rtol=1e-9, atol=1e-9)


@given(rows=rows_of_numbers, point=numbers, width=st.floats(0.05, 20))
def test_a_point_alone_has_the_direct_sums_and_nothing_is_prepared_for_others(rows, point, width):
    counts = counted(rows)
    sums = KernelSums(counts.values, counts.table, width)
    [logs] = sums.log_sums(np.array([point]))
    with np.errstate(divide="ignore"):
        expected = np.log([direct_sum(point, rows, label, width) for label in range(N_CLASSES)])
    np.testing.assert_allclose(logs, expected, rtol=1e-9, atol=1e-9)
    is_lost = np.ptp(expected[np.isfinite(expected)]) > 600
    assert is_lost or not {"left", "right"} & vars(sums).keys()


def test_a_class_keeps_its_digits_where_another_is_nearer_by_more_than_float64_holds():
    sums = KernelSums(np.array([0.0, 9000.0]), np.array([[1, 0, 0], [0, 2, 0]]), bandwidth=3.0)
    [near, far, without_rows] = sums.log_sums(np.array([0.0]))[0] + np.log(4 * 3.0)
    assert near == pytest.approx(0.0, abs=1e-12)
    assert far == pytest.approx(np.log(2) + np.log1p(3000) - 3000, rel=1e-12)
    assert without_rows == -np.inf


def test_the_kernel_has_area_one_and_variance_four():
    assert quad(kernel, -60, 60, points=[0])[0] == pytest.approx(1.0)
    assert quad(lambda u: u * u * kernel(u), -80, 80, points=[0])[0] == pytest.approx(4.0)


def test_the_density_of_a_class_integrates_to_its_number_of_rows():
    rows = [(0.0, 0), (0.5, 0), (3.0, 0), (-2.0, 1)]
    counts = counted(rows)
    sums = KernelSums(counts.values, counts.table, 0.7)
    for label, n_rows in ((0, 3), (1, 1)):
        area, _ = quad(
            lambda x, c=label: np.exp(sums.log_sums(np.array([x]))[0, c]),
            -60,
            60,
            points=[value for value, _ in rows],
            limit=200,
        )
        assert area == pytest.approx(n_rows, rel=1e-7)


@pytest.mark.parametrize("far", [1e3, 1e10, -1e100])
def test_far_points_are_finite_and_fall_off_as_the_kernel_does(far):
    sums = KernelSums(np.array([0.0]), np.array([[1, 2]]), bandwidth=0.5)
    distance = abs(far) / 0.5
    expected = np.log1p(distance) - distance - np.log(4 * 0.5)
    logs = sums.log_sums(np.array([far]))[0]
    assert logs.tolist() == pytest.approx([expected, expected + np.log(2)], rel=1e-12)


def test_the_farthest_points_raise_no_warning_and_are_no_nan():
    sums = KernelSums(np.array([0.0, 1e-3]), np.array([[1, 0], [0, 1]]), bandwidth=1e-6)
    logs = sums.log_sums(np.array([1.7e308, -1.7e308]))
    assert not np.isnan(logs).any()


@pytest.mark.parametrize("spread", [1e-6, 1.0, 1e6, 1e120])
def test_sums_are_right_far_from_zero_and_at_any_scale(spread):
    random = np.random.default_rng(4)
    offsets = np.sort(random.normal(size=50)) * spread
    codes = random.integers(0, 2, 50)
    counts = number_counts(offsets, codes, 2)
    sums = KernelSums(counts.values, counts.table, 0.3 * spread)
    points = random.normal(size=9) * spread
    direct = np.array(
        [[kernel((x - offsets[codes == c]) / (0.3 * spread)).sum() for c in (0, 1)] for x in points]
    )
    expected = np.log(direct) - np.log(0.3 * spread)
    np.testing.assert_allclose(sums.log_sums(points), expected, rtol=1e-10)


def test_the_bandwidth_is_that_of_the_documented_rule():
    # ham 1, 3; spam 10: scatter 2, t^2 = 134/9 + ... over all rows, N = 3
    rows = [(1.0, 0), (3.0, 0), (10.0, 1)]
    values = np.array([1.0, 3.0, 10.0])
    within = (2.0 + values.var()) / (3 + 1)
    expected = 0.75 * np.sqrt(within) * (3 / 2) ** -0.2
    assert bandwidth(counted(rows).moments) == pytest.approx(expected, rel=1e-12)


@given(rows=rows_of_numbers, power=st.integers(-60, 60))
def test_the_bandwidth_has_the_unit_of_the_column(rows, power):
    values = np.array([value for value, _ in rows])
    values = np.where(np.abs(values) < 1e-6, 0.0, values)
    if np.ptp(values) == 0:
        return
    codes = np.array([label for _, label in rows])
    once = bandwidth(number_counts(values, codes, N_CLASSES).moments)
    scaled = bandwidth(number_counts(values * 2.0**power, codes, N_CLASSES).moments)
    assert scaled == pytest.approx(once * 2.0**power, rel=1e-9)
