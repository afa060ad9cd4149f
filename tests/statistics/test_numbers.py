"""What is kept of a column of numbers: moments, and a table of values of bounded size."""

import struct
from collections import Counter
from contextlib import contextmanager, nullcontext
from dataclasses import fields
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from bayesic.statistics.leading_bits import (
    MANTISSA_BITS,
    TINIEST,
    at_resolution,
    leading_bits,
    middle,
)
from bayesic.statistics.number_counts import NumberCounts, number_counts
from helpers.environment import cells_per_block, environment

N_CLASSES = 3
FEW = 8  # the limit of distinct values for the tests that go beyond it

# narrow: of three exponents and signs, so that FEW numbers are enough without any mantissa
wide = st.sampled_from([0.0, -0.0, 1.0, -1.0, 1e8, 1e8 + 1, 3.0, -7.0, 0.1, 5e-324, -2e-308, 1e140])
narrow = st.floats(1.0, 1.99, allow_nan=False) | st.floats(-3.99, -2.0, allow_nan=False)
anything = wide | st.floats(-1e140, 1e140, allow_nan=False, allow_subnormal=True)


def columns(numbers, max_size=30):
    """Lists of (number, class)."""
    return st.lists(st.tuples(numbers, st.integers(0, N_CLASSES - 1)), max_size=max_size)


@contextmanager
def few_values_kept():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("bayesic.statistics.value_tables.MOST_VALUES", FEW)
        yield


def counted(rows, weights=None):
    values = np.array([value for value, _ in rows], dtype=np.float64)
    codes = np.array([label for _, label in rows], dtype=np.intp)
    return number_counts(values, codes, N_CLASSES, weights)


def assert_same_numbers(ours, theirs, scale=1.0):
    """The same table bit for bit, the same moments to 1e-12 of the largest value."""
    assert ours.bits == theirs.bits
    assert ours.keys.tobytes() == theirs.keys.tobytes()
    np.testing.assert_array_equal(ours.table, theirs.table)
    np.testing.assert_array_equal(ours.moments.count, theirs.moments.count)
    count = max(1.0, theirs.moments.count.max())
    np.testing.assert_allclose(ours.moments.mean, theirs.moments.mean, rtol=0, atol=1e-12 * scale)
    np.testing.assert_allclose(
        ours.moments.scatter, theirs.moments.scatter, rtol=0, atol=1e-12 * count * scale**2
    )


def largest(*lists):
    return max([1e-300, *(abs(value) for rows in lists for value, _ in rows)])


def cut_by_hand(value, bits):
    """The number with all but the first bits of its mantissa zero, by way of its eight bytes."""
    if abs(value) < TINIEST:
        return 0.0
    (pattern,) = struct.unpack(">Q", struct.pack(">d", value))
    dropped = MANTISSA_BITS - bits
    (cut,) = struct.unpack(">d", struct.pack(">Q", pattern >> dropped << dropped))
    return cut


def bits_by_hand(rows, limit):
    """The most bits that leave no more than the limit of different numbers."""
    for bits in range(MANTISSA_BITS, -1, -1):
        if len({cut_by_hand(value, bits) for value, _ in rows}) <= limit:
            return bits
    return None


# the table ------------------------------------------------------------------------------------


@given(rows=columns(anything))
def test_a_column_of_few_values_is_kept_exactly(rows):
    expected = Counter((cut_by_hand(value, MANTISSA_BITS), label) for value, label in rows)
    counts = counted(rows)
    assert counts.bits == MANTISSA_BITS
    assert counts.keys.tolist() == sorted({value for value, _ in expected})
    for value, label in expected:
        assert counts.table[counts.keys == value, label] == expected[value, label]
    assert counts.table.sum() == len(rows)
    assert counts.table.dtype == np.int64
    assert counts.values is counts.keys or counts.values.tolist() == counts.keys.tolist()
    assert counts.checked() is counts


@given(rows=columns(narrow))
def test_a_column_of_many_values_keeps_as_many_leading_bits_as_fit(rows):
    with few_values_kept():
        counts = counted(rows)
        bits = bits_by_hand(rows, FEW)
        assert counts.bits == bits
        expected = Counter((cut_by_hand(value, bits), label) for value, label in rows)
        assert counts.keys.tolist() == sorted({value for value, _ in expected})
        for value, label in expected:
            assert counts.table[counts.keys == value, label] == expected[value, label]
        assert counts.checked() is counts


def test_the_table_never_grows_beyond_its_limit():
    values = np.concatenate([np.geomspace(1e-300, 1e139, 9000), -np.geomspace(1e-300, 1e139, 9000)])
    counts = number_counts(values, np.zeros(len(values), np.intp), 1)
    assert len(counts.keys) <= 4096
    assert counts.table.sum() == 18000
    exact = number_counts(np.arange(4096.0), np.zeros(4096, np.intp), 1)
    assert (exact.bits, len(exact.keys)) == (MANTISSA_BITS, 4096)
    one_more = number_counts(np.arange(4097.0), np.zeros(4097, np.intp), 1)
    assert one_more.bits == bits_by_hand([(value, 0) for value in range(4097)], 4096)
    assert len(one_more.keys) <= 4096


@given(value=anything, bits=st.integers(0, MANTISSA_BITS))
def test_leading_bits_are_those_of_the_number(value, bits):
    assume(abs(value) >= TINIEST)
    assert leading_bits(np.array([value]), bits)[0] == cut_by_hand(value, bits)


@given(value=anything, first=st.integers(0, 52), second=st.integers(0, 52))
def test_cutting_bits_twice_is_cutting_them_once(value, first, second):
    assume(abs(value) >= TINIEST)
    once = leading_bits(np.array([value]), min(first, second))
    twice = leading_bits(leading_bits(np.array([value]), first), second)
    assert once.tobytes() == twice.tobytes()


@given(value=anything, bits=st.integers(0, MANTISSA_BITS))
def test_the_middle_of_a_cell_lies_in_the_cell(value, bits):
    assume(abs(value) >= TINIEST)
    key = leading_bits(np.array([value]), bits)
    centre = middle(key, bits)
    assert leading_bits(centre, bits).tobytes() == key.tobytes()
    # half as far from the key as the next key is
    if bits < MANTISSA_BITS and np.abs(key[0]) < 1e300:
        width = np.ldexp(1.0, int(np.floor(np.log2(abs(key[0])))) - bits)
        assert abs(centre[0] - key[0]) == pytest.approx(width / 2, rel=1e-12)


def test_numbers_at_the_resolution_of_a_table():
    values = np.array([3.1416, -3.1416, 0.0, -0.0, 5e-324, np.nan])
    at_four_bits = at_resolution(values, 4)  # cells of 1/8 between 2 and 4
    assert at_four_bits[:2].tolist() == [3.1875, -3.1875]
    assert at_four_bits[2:5].tobytes() == np.zeros(3).tobytes()
    assert np.isnan(at_four_bits[5])
    assert at_resolution(values, MANTISSA_BITS)[:2].tolist() == values[:2].tolist()


# leading bits, whatever the order and the split ------------------------------------------------


@pytest.mark.parametrize("numbers", [narrow, st.integers(1024, 2047)], ids=["floats", "integers"])
@given(data=st.data())
def test_any_order_and_any_split_keeps_the_same_leading_bits(numbers, data):
    rows = data.draw(columns(numbers, max_size=60))
    shuffled = data.draw(st.permutations(rows))
    cuts = sorted(data.draw(st.tuples(*[st.integers(0, len(rows))] * 2)))
    with few_values_kept():
        parts = [shuffled[: cuts[0]], shuffled[cuts[0] : cuts[1]], shuffled[cuts[1] :]]
        first, second, third = map(counted, parts)
        whole = counted(rows)
        for total in ((first + second) + third, first + (third + second)):
            assert_same_numbers(total, whole, largest(rows))


@given(some=columns(narrow, max_size=40), more=columns(narrow, max_size=40))
def test_removing_undoes_adding_but_what_was_cut_off_does_not_come_back(some, more):
    with few_values_kept():
        some_counts, more_counts = counted(some), counted(more)
        both = some_counts + more_counts
        rest = both - more_counts
        assert rest.bits == both.bits
        assert_same_numbers(rest, some_counts.with_bits(both.bits), largest(some, more))


@pytest.mark.parametrize("threads", ["1", "2", "7"])
@pytest.mark.parametrize("kernels", ["reference", "compiled"])
def test_threads_do_not_change_a_bit_and_kernels_not_the_table(threads, kernels):
    random = np.random.default_rng(3)
    values = random.normal(1e8, 1.0, 10_000)
    values[::17] = np.nan
    codes = random.integers(0, N_CLASSES, len(values))
    with cells_per_block(1000), environment(BAYESIC_THREADS="1", BAYESIC_KERNELS=kernels):
        alone = number_counts(values, codes, N_CLASSES)
    with cells_per_block(1000), environment(BAYESIC_THREADS=threads, BAYESIC_KERNELS=kernels):
        together = number_counts(values, codes, N_CLASSES)
    for field in ("count", "mean", "scatter"):
        mine, theirs = getattr(together.moments, field), getattr(alone.moments, field)
        assert mine.tobytes() == theirs.tobytes()
    assert_same_numbers(together, number_counts(values, codes, N_CLASSES), scale=1e8)


def test_moments_are_right_far_from_zero():
    random = np.random.default_rng(1)
    spread = random.integers(-2, 3, 9999).astype(np.float64)  # exact sums
    moments = number_counts(1e8 + spread, np.zeros(9999, np.intp), 1).moments
    assert moments.mean[0, 0] - 1e8 == pytest.approx(spread.mean(), abs=1e-7)
    assert moments.variance()[0, 0] == pytest.approx(spread.var(), rel=1e-12)


# weights and gaps -----------------------------------------------------------------------------


def test_gaps_are_not_counted():
    counts = number_counts(np.array([np.nan, 2.0]), np.array([0, 1]), 2)
    assert (counts.keys.tolist(), counts.table.tolist()) == ([2.0], [[0, 1]])
    assert counts.moments.count.tolist() == [[0.0], [1.0]]


# what is refused, and what cannot be changed ---------------------------------------------------


@pytest.mark.parametrize(
    ("taken", "match"),
    [
        ([(3.0, 0)], "3.0 was never seen"),
        ([(1.0, 1)], "Only what was learned"),
        ([(1.0, 0), (1.0, 0)], "Only what was learned"),
    ],
    ids=["another value", "another class", "too often"],
)
def test_what_was_not_learned_is_not_taken_away(taken, match):
    with pytest.raises(ValueError, match=match):
        counted([(1.0, 0), (2.0, 1)]) - counted(taken)


@pytest.mark.parametrize(
    "change",
    [
        {"bits": 60}, {"bits": -1}, {"bits": 2}, {"keys": np.array([2.1, 1.1])},
        {"keys": np.array([1.1, 1.1])}, {"keys": np.array([1.1, np.nan])},
        {"keys": np.array([1, 2])}, {"keys": np.array([1.1])}, {"table": np.array([[1], [-1]])},
        {"table": np.array([[1], [np.nan]])}, {"table": np.ones((2, 2))},
    ],
    ids=lambda change: "-".join(f"{name}={value}" for name, value in change.items()),
)  # fmt: skip
def test_statistics_that_cannot_come_from_numbers_are_refused(change):
    good = number_counts(np.array([1.1, 2.1]), np.array([0, 0]), 1)
    parts = {field.name: getattr(good, field.name) for field in fields(good)} | change
    with pytest.raises(ValueError, match="table of values"):
        NumberCounts(**parts).checked()


@example(rows=[(1e150, 0), (-1e150, 0)])
@given(rows=columns(st.floats(-1e153, 1e153, allow_nan=False), max_size=6))
def test_what_is_learned_can_have_come_from_counting_or_is_refused(rows):
    try:
        counts = counted(rows)
    except ValueError as error:
        assert "too large" in str(error)
        return
    assert counts.checked() is counts


@pytest.mark.parametrize("full", [False, True])
@given(data=st.data(), n_classes=st.integers(1, 3))
def test_values_in_any_pieces_are_the_same_as_one_by_one_to_the_last_bit(full, data, n_classes):
    rows = data.draw(columns(narrow if full else anything))
    values = np.array([value for value, _ in rows], dtype=np.float64)
    codes = np.array([code % n_classes for _, code in rows], dtype=np.intp)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(rows)), max_size=3)))
    one_by_one = in_pieces = NumberCounts.empty(n_classes)
    with few_values_kept() if full else nullcontext():
        for row in range(len(rows)):
            one_by_one = one_by_one + number_counts(values[[row]], codes[[row]], n_classes)
        for start, stop in pairwise([0, *cuts, len(rows)]):
            in_pieces = in_pieces.with_values(values[start:stop], codes[start:stop])
    for part in ("bits", "keys", "table"):
        np.testing.assert_array_equal(getattr(in_pieces, part), getattr(one_by_one, part))
    for mine, theirs in zip(in_pieces.moments.arrays(), one_by_one.moments.arrays(), strict=True):
        np.testing.assert_array_equal(mine, theirs)


def test_a_value_that_a_full_table_has_is_added_to_it():
    with few_values_kept():
        full = number_counts(np.arange(1.0, FEW + 1), np.zeros(FEW, int), 2)
        one = number_counts(np.array([3.0]), np.array([1]), 2)
        new = number_counts(np.array([1.5]), np.array([1]), 2)
        assert (full + one).table[2].tolist() == [1, 1]
        assert (full + one).bits == MANTISSA_BITS > (full + new).bits


@pytest.mark.parametrize("value", [1e200, 1e308, np.finfo(float).max])
def test_numbers_whose_squares_overflow_are_refused_without_a_warning(value):
    values = np.array([value, 1.0, value, -value])  # the classes have keys in common
    with pytest.raises(ValueError, match="too large: their squares overflow"):
        number_counts(values, np.array([0, 0, 1, 1]), 2)
