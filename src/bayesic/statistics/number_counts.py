"""What is kept of one numeric column: its moments, and a table of values by class.

From these two a normal distribution, a kernel density and bins can all be estimated.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from math import isnan
from typing import ClassVar, Self

import numpy as np

from bayesic.data.blocks import in_threads, row_blocks
from bayesic.kernels import Array
from bayesic.statistics import value_tables
from bayesic.statistics.additive import (
    Immutable,
    check_counts,
    faded,
    not_learned,
    placed,
)
from bayesic.statistics.aligned import (
    cell_added,
    places_of_keys,
    taken_at,
    with_row_at,
)
from bayesic.statistics.leading_bits import (
    MANTISSA_BITS,
    TINIEST,
    leading_bits,
    middle,
    without_tiny,
)
from bayesic.statistics.moments import LARGEST_VALUE, Moments, beyond_noise, without_noise
from bayesic.statistics.value_tables import (
    counted_values,
    fitting_table,
    united_classes,
    united_rows,
)

MOST_CELLS = 2**29  # of the tables of all columns together


@dataclass(frozen=True, eq=False)
class NumberCounts(Immutable):
    """Moments of a column in each class, and how often each value occurs in each class.

    A column with at most MOST_VALUES distinct values is kept exactly. Otherwise the keys of the
    table are the leading bits of the numbers: sign, exponent, and as many bits of the mantissa as
    leave MOST_VALUES keys or fewer. That number of bits is a function of the set of values alone,
    and cutting bits off twice is cutting them off once. So any order and any split of the rows
    gives the same table, bit for bit. What is cut off does not come back: `-` leaves the bits as
    they are. As long as the table is exact the moments are those of the table, so `-` takes away
    exactly what was there, however far out it lay.
    """

    holds: ClassVar[str] = "number"  # what the column is stored as

    moments: Moments  # n_classes groups, one feature
    bits: int  # bits of the mantissa that the keys keep: 52 when they are the values themselves
    keys: Array  # (n_keys,) float64, increasing
    table: Array  # (n_keys, n_classes), int64, float64 with weights

    @classmethod
    def empty(cls, n_classes: int) -> "NumberCounts":
        """The zero of +: nothing was seen."""
        table = np.zeros((0, n_classes), np.int64)
        return cls(Moments.empty(n_classes, 1), MANTISSA_BITS, np.zeros(0), table)

    @property
    def n_observed(self) -> Array:
        """Values counted in each class: (n_classes,)."""
        return self.table.sum(axis=0)

    @property
    def values(self) -> Array:
        """The number that each key stands for: itself, or the middle of all that begin so."""
        return middle(self.keys, self.bits)

    def __add__(self, other: "NumberCounts") -> "NumberCounts":
        bits = min(self.bits, other.bits)
        theirs = other.with_bits(bits)
        keys, table = self.with_bits(bits)._with_room_for(theirs.keys)
        table = table.astype(np.result_type(table, theirs.table), copy=False)
        table[np.searchsorted(keys, theirs.keys)] += theirs.table
        bits, keys, table = fitting_table(bits, keys, table)
        exact = bits == MANTISSA_BITS
        moments = table_moments(keys, table) if exact else self.moments + other.moments
        return NumberCounts(moments, bits, keys, table)

    def with_values(self, values: Array, codes: Array) -> "NumberCounts":
        """With a few values more, one after the other; codes are their classes, NaN is not a value.

        For a table without weights.
        To the last bit what `+` gives for one value at a time. While the table is exact no order
        matters. Beyond that the moments are rounded with each value, and so they are here.
        """
        if len(values) == 1:
            value = values.item()
            return self if isnan(value) else self._with_value(value, codes.item())
        known = ~np.isnan(values)
        values, codes = without_tiny(values[known]), codes[known]
        cut = leading_bits(values, self.bits)
        keys, table = self._with_room_for(np.unique(cut))
        if len(keys) > value_tables.MOST_VALUES:  # the table becomes full with one of them
            some = zip(values.tolist(), codes.tolist(), strict=True)
            return reduce(lambda counts, one: counts._with_value(*one), some, self)
        np.add.at(table, (np.searchsorted(keys, cut), codes), 1)
        if self.bits < MANTISSA_BITS:
            moments = self.moments.with_values(values.tolist(), codes.tolist())
        else:
            moments = self.moments
            for code, n_more in Counter(codes.tolist()).items():
                moments = _moments_with(moments, code, n_more, keys, table)
        return NumberCounts(moments, self.bits, keys, table)

    def _with_room_for(self, wanted: Array) -> tuple[Array, Array]:
        """Keys and table with all of these keys among them; rows of new ones are zeros."""
        places, known = places_of_keys(self.keys, wanted)
        new, places = wanted[~known], places[~known]
        return np.insert(self.keys, places, new), np.insert(self.table, places, 0, axis=0)

    def _with_value(self, value: float, code: int) -> "NumberCounts":
        """With one value more, which changes one row of the table."""
        value = value if abs(value) >= TINIEST else 0.0
        bits, keys, table = self.bits, self.keys, self.table
        key = leading_bits(np.array([value]), bits).item()
        index = int(keys.searchsorted(key))
        is_new = index == len(keys) or keys.item(index) != key
        if is_new:
            if len(keys) >= value_tables.MOST_VALUES:
                return self + number_counts(np.array([value]), np.array([code]), table.shape[1])
            keys = with_row_at(index, keys, key)
        table = cell_added(index, code, table, is_new)
        if bits < MANTISSA_BITS:
            moments = self.moments.with_value(value, code)
        else:
            moments = _moments_with(self.moments, code, 1, keys, table)
        return NumberCounts(moments, bits, keys, table)

    def __sub__(self, other: "NumberCounts") -> "NumberCounts":
        bits = min(self.bits, other.bits)
        mine, theirs = self.with_bits(bits), other.with_bits(bits)
        places, known = places_of_keys(mine.keys, theirs.keys)
        if not known.all():
            raise not_learned(f"{theirs.values[~known][0]} was never seen")
        table = taken_at(places, mine.table, theirs.table)
        left = table.any(axis=1)
        keys, table = mine.keys[left], table[left]
        exact = bits == MANTISSA_BITS
        moments = table_moments(keys, table) if exact else self.moments - other.moments
        return NumberCounts(moments, bits, keys, table)

    def with_bits(self, bits: int) -> "NumberCounts":
        """The same with no more than these leading bits in the keys."""
        if bits >= self.bits:
            return self
        return NumberCounts(
            self.moments, bits, *united_rows(leading_bits(self.keys, bits), self.table)
        )

    def scaled(self, factor: float) -> "NumberCounts":
        """The same rows, each of which counts factor times as much, from 0 to 1."""
        table = faded(self.table, factor)
        left = table.any(axis=1)
        keys = self.keys
        if not left.all():
            keys, table = keys[left], table[left]
        return NumberCounts(self.moments.scaled(factor), self.bits, keys, table)

    def with_classes_at(self, positions: Array, n_classes: int) -> "NumberCounts":
        """The same counts in a wider list of classes, the old ones at these positions."""
        moments = Moments(*(placed(part, positions, n_classes) for part in self.moments.arrays()))
        table = placed(self.table, positions, n_classes, axis=1)
        return NumberCounts(moments, self.bits, self.keys, table)

    def checked(self) -> Self:
        """This, if it can have come from counting; a file made by hand may say anything."""
        n_classes = self.table.shape[-1]
        check_counts("A table of values", self.table, len(self.keys), n_classes)
        most = value_tables.MOST_VALUES
        if len(self.keys) > most or not 0 <= self.bits <= MANTISSA_BITS:
            raise ValueError(f"A table of values has up to {most} keys of 0 to 52 bits.")
        if self.keys.ndim != 1 or self.keys.dtype != np.float64:
            raise ValueError("The keys of a table of values must be a list of float64.")
        if not np.isfinite(self.keys).all() or (np.diff(self.keys) <= 0).any():
            raise ValueError("The keys of a table of values must be finite and increasing.")
        if (leading_bits(self.keys, self.bits) != self.keys).any():
            raise ValueError(f"The keys of a table of values have more than {self.bits} bits.")
        if any(array.shape != (n_classes, 1) for array in self.moments.checked().arrays()):
            raise ValueError("A table of values needs moments for each of its classes.")
        return self


def table_moments(keys: Array, table: Array) -> Moments:
    """The moments of each class, from how often each value occurs in it.

    >>> table_moments(np.array([1.0, 3.0, 7.0]), np.array([[1, 0], [1, 0], [0, 2]])).mean.ravel()
    array([2., 7.])
    """
    n_classes = table.shape[1]
    if len(keys) == 0:
        return Moments.empty(n_classes, 1)
    rows, codes = table.nonzero()
    times, values = table[rows, codes].astype(np.float64), keys[rows]
    count = np.bincount(codes, times, n_classes)
    divisor = np.where(count > 0, count, 1.0)
    # differences from the first value of the class: one value alone has no scatter at all
    first = np.zeros(n_classes)
    first[codes[::-1]] = values[::-1]
    with np.errstate(over="ignore", invalid="ignore"):  # seen in the result
        mean = first + np.bincount(codes, times * (values - first[codes]), n_classes) / divisor
        values -= mean[codes]
        values *= values
        values *= times
    scatter = without_noise(count, mean, np.bincount(codes, values, n_classes))
    return Moments(count[:, None], mean[:, None], scatter[:, None])


def _moments_with(moments: Moments, code: int, n_more: int, keys: Array, table: Array) -> Moments:
    """The moments of a table to which values of this class were added: those of others stay.

    To the last bit those of `table_moments`, which adds up the values of a class in their order.
    """
    times = table[:, code].astype(np.float64)
    [some] = (times != 0).nonzero()
    times, values = times[some], keys[some]
    count, first = moments.count.item(code) + n_more, values.item(0)
    mean = first + (times * (values - first)).cumsum().item(-1) / count
    values -= mean
    values *= values
    values *= times
    scatter = beyond_noise(count, mean, values.cumsum().item(-1))
    return moments.with_group(code, count, mean, scatter)


def number_counts(
    values: Array, codes: Array, n_classes: int, weights: Array | None = None
) -> NumberCounts:
    """Summarise one column of float64 values; NaN is not observed.

    >>> counts = number_counts(np.array([1.0, 2.0, 1.0]), np.array([0, 0, 1]), 2)
    >>> counts.keys, counts.table.tolist()
    (array([1., 2.]), [[1, 1], [1, 0]])
    """
    return counts_of_columns({"values": values}, codes, n_classes, weights)["values"]


def one_number(value: float, one: Array, count: Array, nothing: Array) -> NumberCounts:
    """Summarise a number of a single row, which is not too large.

    one     : (1, n_classes), 1 for the class of the row
    count   : (n_classes, 1), the same in float64; nothing : zeros like it
    """
    value = value if abs(value) >= TINIEST else 0.0
    moments = Moments(count, value * count, nothing)
    return NumberCounts(moments, MANTISSA_BITS, np.array([value]), one)


def counts_of_columns(
    columns: Mapping[str, Array], codes: Array, n_classes: int, weights: Array | None = None
) -> dict[str, NumberCounts]:
    """Summarise columns of float64 values by name.

    Each block of rows is put in the order of the classes once, for all columns.
    """

    def counts_of(rows: slice) -> dict[str, NumberCounts]:
        # few classes have small numbers, which sort in linear time
        small = codes[rows].astype(np.min_scalar_type(n_classes))
        order = np.argsort(small, kind="stable")
        ends = np.cumsum(np.bincount(codes[rows], minlength=n_classes))
        of_rows: list = [None] * n_classes
        if weights is not None:
            of_rows = np.split(weights[rows][order], ends[:-1])
        counts: dict[str, NumberCounts] = {}
        n_cells = 0
        for name, values in columns.items():
            by_class = np.split(values[rows][order], ends[:-1])
            counts[name] = _block_counts(name, by_class, of_rows)
            n_cells += counts[name].table.size
            _refuse_many_cells(n_cells, len(columns), n_classes)
        return counts

    totals = {name: NumberCounts.empty(n_classes) for name in columns}
    for block in in_threads(counts_of, row_blocks(len(codes), cells_per_row=1)):
        # popped: what is added up need not be held twice
        totals = {name: totals[name] + block.pop(name) for name in columns}
    return totals


def _refuse_many_cells(n_cells: int, n_columns: int, n_classes: int) -> None:
    """Refuse tables of values that together take more memory than they may."""
    if n_cells > MOST_CELLS:
        raise ValueError(
            f"Counting the values of all numeric columns ({n_columns}) in each class "
            f"({n_classes}) may take {8 * MOST_CELLS / 1e9:.1f} GB of memory, and this takes more. "
            "Learn fewer columns or classes, round the numbers to fewer different values, or use "
            "GaussianNB, which keeps means and variances alone."
        )


def _block_counts(
    name: str, values: Sequence[Array], weights: Sequence[Array | None]
) -> NumberCounts:
    """Summarise the values of one column, given class by class with their weights."""
    observed = [_observed(*of_class) for of_class in zip(values, weights, strict=True)]
    bits, keys, table = united_classes([counted_values(*of_class) for of_class in observed])
    if bits == MANTISSA_BITS:
        moments = table_moments(keys, table)
    else:
        arrays = np.array([_moments(*of_class) for of_class in observed])
        count, mean, scatter = arrays.T[:, :, None]
        moments = Moments(count, mean, without_noise(count, mean, scatter))
    refuse_overflow(name, moments)
    return NumberCounts(moments, bits, keys, table)


def refuse_overflow(name: str, moments: Moments) -> None:
    """Refuse numbers whose squares overflow."""
    # the other way round a NaN would pass
    if not (np.abs(moments.mean).max() <= LARGEST_VALUE and np.isfinite(moments.scatter).all()):
        raise too_large(name)


def too_large(name: str) -> ValueError:
    """Why the numbers of a column are refused."""
    return ValueError(
        f"The values of column {name!r} are too large: their squares overflow. "
        "Measure it in a larger unit."
    )


def _observed(values: Array, weights: Array | None) -> tuple[Array, Array | None]:
    """The values that are observed, with their weights; a row of weight 0 is not a row."""
    missing = np.isnan(values)
    if weights is not None:
        missing |= weights == 0
    if not missing.any():
        return values, weights
    return values[~missing], None if weights is None else weights[~missing]


def _moments(values: Array, weights: Array | None) -> tuple[float, float, float]:
    """Weight, mean and scatter of some values.

    Differences from the first of them: values that are all the same have no scatter at all.
    """
    if len(values) == 0:
        return 0.0, 0.0, 0.0
    count = len(values) if weights is None else weights.sum()
    with np.errstate(over="ignore", invalid="ignore"):  # seen in the result
        differences = values - values[0]
        total = differences.sum() if weights is None else (differences * weights).sum()
        mean = values[0] + total / count
        differences = values - mean
        differences *= differences
        scatter = differences.sum() if weights is None else (differences * weights).sum()
    return float(count), float(mean), float(scatter)
