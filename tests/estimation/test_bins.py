"""Cut points by the minimum description length rule, against the rule as it is printed."""

from collections import Counter
from math import log2

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from bayesic.estimation.bins import bin_table, bits_of, cut_points
from bayesic.statistics.leading_bits import TINIEST, leading_bits
from bayesic.statistics.number_counts import number_counts
from helpers.examples import at_most

N_CLASSES = 3
# classes that change with the value, so that there is something to cut
few_numbers = st.sampled_from([-2.0, -1.0, -0.5, 0.0, 1.0, 1.5, 2.0, 7.0])


@st.composite
def columns(draw, numbers=few_numbers, max_size=40):
    """(value, class), the class mostly told by where the value lies."""
    values = draw(st.lists(numbers, min_size=1, max_size=max_size))
    limits = sorted(draw(st.lists(numbers, min_size=2, max_size=2)))
    noise = draw(st.lists(st.integers(0, 9), min_size=len(values), max_size=len(values)))
    return [
        (value, sum(value > limit for limit in limits) if luck else draw(st.integers(0, 2)))
        for value, luck in zip(values, noise, strict=True)
    ]


def counted(rows, weights=None):
    values, codes = zip(*rows, strict=True)
    return number_counts(np.array(values, float), np.array(codes), N_CLASSES, weights)


def entropy(labels):
    shares = [count / len(labels) for count in Counter(labels).values()]
    return -sum(share * log2(share) for share in shares)


def margin_of_best_cut(rows):
    """The best cut of sorted rows, by how much it passes the test, and whether it is the only one.

    Fayyad and Irani 1993: the cut of the highest gain, accepted if
    Gain > (log2(N - 1) + log2(3^k - 2) - k Ent(S) + k1 Ent(S1) + k2 Ent(S2)) / N.
    """
    labels = [label for _, label in rows]
    found = []
    for place in range(1, len(rows)):
        if rows[place - 1][0] == rows[place][0]:
            continue
        parts = labels[:place], labels[place:]
        gain = entropy(labels) - sum(len(part) / len(rows) * entropy(part) for part in parts)
        k, *ks = (len(set(part)) for part in (labels, *parts))
        delta = log2(3**k - 2) - k * entropy(labels)
        delta += sum(n * entropy(part) for n, part in zip(ks, parts, strict=True))
        found.append((gain, place, gain - (log2(len(rows) - 1) + delta) / len(rows)))
    if not found:
        return None
    gain, place, margin = max(found)
    only = sum(other > gain - 1e-9 for other, _, _ in found) == 1
    return place, margin, only


def cuts_by_hand(rows):
    """Midpoints of all accepted cuts; None where rounding would have to decide."""
    best = margin_of_best_cut(rows)
    if best is None:
        return []
    place, margin, only = best
    if abs(margin) < 1e-9 or not only:  # of equal gains one may pass the test, the other not
        return None
    if margin < 0:
        return []
    parts = cuts_by_hand(rows[:place]), cuts_by_hand(rows[place:])
    if None in parts:
        return None
    return [*parts[0], (rows[place - 1][0] + rows[place][0]) / 2, *parts[1]]


def test_cuts_that_were_held_may_leave_bins_without_any_value():
    counts = number_counts(np.array([1.0, 1.0, 5.0, 6.0]), np.array([0, 1, 1, 1]), 2)
    table = bin_table(counts, np.array([0.0, 2.0, 3.0, 5.5, 9.0]))
    assert table.tolist() == [[0, 0], [1, 1], [0, 0], [0, 1], [0, 1], [0, 0]]


@at_most(150)
@given(rows=columns())
def test_cut_points_are_those_of_the_rule_as_printed(rows):
    expected = cuts_by_hand(sorted(rows))
    assume(expected is not None)
    assert cut_points(counted(rows)).tolist() == expected


def test_three_groups_are_cut_twice_and_noise_not_at_all():
    groups = [(float(value), value // 10) for value in range(30)]
    assert cut_points(counted(groups)).tolist() == [9.5, 19.5]
    noise = [(float(value), value % 2) for value in range(30)]
    assert cut_points(counted(noise)).tolist() == []


def test_a_column_of_one_value_or_one_class_is_not_cut():
    assert len(cut_points(counted([(1.0, 0), (1.0, 1)] * 30))) == 0
    assert len(cut_points(counted([(float(value), 0) for value in range(30)]))) == 0


def test_many_classes_do_not_overflow():
    values, codes = np.arange(3000.0), np.repeat(np.arange(1000), 3)
    cuts = cut_points(number_counts(values, codes, 1000))
    assert np.isfinite(cuts).all()


@given(rows=columns())
def test_a_row_of_weight_two_is_cut_as_the_row_twice(rows):
    once = counted(rows, np.full(len(rows), 2.0))
    assert cut_points(once).tolist() == cut_points(counted(rows + rows)).tolist()


def test_bits_are_rows_times_entropy():
    for labels in (["ham"], ["ham", "spam"], ["ham"] * 3 + ["spam"] * 2 + ["news"]):
        count = np.array(list(Counter(labels).values()), dtype=float)
        assert bits_of(count) == pytest.approx(len(labels) * entropy(labels), abs=1e-12)


# where values fall ----------------------------------------------------------------------------

normal_numbers = st.floats(-1e9, 1e9, allow_nan=False, allow_subnormal=False)
close_numbers = st.integers(-50, 50).map(lambda step: 1.0 + step * 2.0**-52)
any_numbers = st.one_of(
    normal_numbers, few_numbers, close_numbers, close_numbers.map(lambda value: -value)
)


def assert_values_fall_where_they_were_counted(rows, counts):
    cuts = cut_points(counts)
    assert (np.diff(cuts) > 0).all()
    values = np.array([value for value, _ in rows])
    known = np.where(np.abs(values) < TINIEST, 0.0, values)
    bins_of_values = np.searchsorted(cuts, values, side="right")
    bins_of_keys = np.searchsorted(cuts, leading_bits(known, counts.bits), side="right")
    assert bins_of_values.tolist() == bins_of_keys.tolist()
    expected = np.zeros((len(cuts) + 1, N_CLASSES), int)
    np.add.at(expected, (bins_of_values, [label for _, label in rows]), 1)
    assert bin_table(counts, cuts).tolist() == expected.tolist()


@at_most(150)
@given(rows=columns(any_numbers))
def test_every_value_falls_into_the_bin_where_it_was_counted(rows):
    assert_values_fall_where_they_were_counted(rows, counted(rows))


@at_most(150)
@given(
    rows=columns(
        st.floats(-4.0, -1.0) | st.floats(1.0, 4.0) | st.just(0.0) | close_numbers, max_size=60
    ),
    limit=st.integers(7, 12),
)
def test_every_value_falls_into_its_bin_at_reduced_bits(rows, limit):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("bayesic.statistics.value_tables.MOST_VALUES", limit)
        assert_values_fall_where_they_were_counted(rows, counted(rows))


@given(bits=st.integers(0, 51), value=st.floats(1e-300, 1e139), sign=st.sampled_from([-1, 1]))
def test_neighbouring_cells_are_cut_between_their_last_and_first_number(bits, value, sign):
    low, high = _neighbouring_cells(value, bits, sign)
    rows = [(float(low[0]), 0)] * 30 + [(float(high[0]), 1)] * 30
    counts = counted(rows).with_bits(bits)
    (cut,) = cut_points(counts)
    for number in low:
        assert number < cut
    for number in high:
        assert number >= cut


def _neighbouring_cells(value, bits, sign):
    """First, middle and last number of a cell of leading bits, and of the next one above it."""
    width = np.int64(1) << np.int64(52 - bits)
    start = leading_bits(np.array([value]), bits).view(np.int64)[0]
    cells = [
        np.array([first, first + width // 2, first + width - 1]).view(np.float64)
        for first in (start, start + width)
    ]
    return cells if sign > 0 else [-cells[1], -cells[0]]


@example(small=2e-308)
@given(small=st.floats(0.0, TINIEST, exclude_max=True))
def test_numbers_below_the_normal_range_fall_where_zero_does(small):
    rows = [(small, 0)] * 30 + [(float(TINIEST), 1)] * 30
    assert_values_fall_where_they_were_counted(rows, counted(rows))
    rows = [(-small, 0)] * 30 + [(-float(TINIEST), 1)] * 30
    assert_values_fall_where_they_were_counted(rows, counted(rows))
