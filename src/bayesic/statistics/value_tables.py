"""Tables of values of bounded size: numbers, cut to as many leading bits as leave few of them."""

import numpy as np

from bayesic.kernels import Array
from bayesic.statistics.additive import counts_by_class
from bayesic.statistics.aligned import first_of_runs, sums_of_runs
from bayesic.statistics.leading_bits import MANTISSA_BITS, leading_bits, without_tiny

# The table of a column never has more rows than this. It is exact up to here.
MOST_VALUES = 4096


def fitting_table(bits: int, keys: Array, table: Array) -> tuple[int, Array, Array]:
    """The table with as many leading bits, at most these, as leave MOST_VALUES keys or fewer.

    keys are sorted.
    """
    bits = min(bits, bits_that_fit(keys))
    return bits, *united_rows(leading_bits(keys, bits), table)


def bits_that_fit(keys: Array) -> int:
    """How many bits of the mantissa leave MOST_VALUES different numbers or fewer.

    keys are sorted, and may occur more than once. Two neighbours are the same number as soon as
    the highest bit in which they differ is cut off.
    """
    if len(keys) <= MOST_VALUES:
        return MANTISSA_BITS
    patterns = keys.view(np.int64)
    differ = patterns[1:] ^ patterns[:-1]
    # above 2**52 they differ in exponent or sign; below, float64 holds the pattern exactly
    highest = np.where(differ < 0, 63, np.frexp(np.abs(differ).astype(np.float64))[1])
    merged_by = np.bincount(np.minimum(highest, MANTISSA_BITS + 1), minlength=MANTISSA_BITS + 2)
    # left after cutting off n bits: one more than the neighbours that differ in a higher bit
    distinct = 1 + merged_by[1:].sum()
    left = distinct - np.concatenate([[0], np.cumsum(merged_by[1:-1])])
    return MANTISSA_BITS - int(np.flatnonzero(left <= MOST_VALUES)[0])


def united_rows(keys: Array, table: Array) -> tuple[Array, Array]:
    """One row for each key: rows of the same key, which follow one another, are added."""
    first, sums = sums_of_runs(keys, table)
    return keys[first], sums


def counted_values(values: Array, weights: Array | None) -> tuple[int, Array, Array]:
    """Bits, keys, and the number (or weight) of the values of each key."""
    values = without_tiny(values)
    if weights is None:
        values = np.sort(values)
    else:
        order = np.argsort(values, kind="stable")
        values, weights = values[order], weights[order]
    bits = bits_that_fit(values)
    values = leading_bits(values, bits)
    if weights is not None:
        return bits, *united_rows(values, weights)
    first = first_of_runs(values)
    return bits, values[first], np.diff(first, append=len(values))


def united_classes(parts: list[tuple[int, Array, Array]]) -> tuple[int, Array, Array]:
    """Bits, keys and table of all classes together, from those of each."""
    n_classes = len(parts)
    count = np.concatenate([part[2] for part in parts])
    classes = np.repeat(np.arange(n_classes), [len(part[1]) for part in parts])
    bits = min(part[0] for part in parts)
    keys = np.concatenate([leading_bits(part[1], bits) for part in parts])
    ordered = np.sort(keys)
    bits = min(bits, bits_that_fit(ordered))
    ordered = leading_bits(ordered, bits)
    ordered = ordered[first_of_runs(ordered)]
    places = np.searchsorted(ordered, leading_bits(keys, bits))
    table = counts_by_class(places, len(ordered), classes, n_classes, count)
    return bits, ordered, table.astype(count.dtype, copy=False)
