"""Numbers that an engine has grouped by their leading bits, as the counts of a column."""

import numpy as np

from bayesic.kernels import Array
from bayesic.statistics.leading_bits import leading_bits
from bayesic.statistics.moments import Moments, without_noise
from bayesic.statistics.number_counts import NumberCounts, refuse_overflow
from bayesic.statistics.value_tables import counted_values, united_classes


def counts_of_groups(
    name: str, bits: int, codes: Array, n_classes: int, groups: tuple[Array, Array, Array, Array]
) -> NumberCounts:
    """Summarise a column of which more than MOST_VALUES values occur, given in groups.

    bits   : of the mantissa, that all numbers of a group have in common; no fewer than are kept
    codes  : the class of each group
    groups : for each one of its numbers, cut to these bits or more; how many there are, their mean
             and their scatter

    >>> groups = np.array([1.0, 1.5]), np.array([2, 1]), np.array([1.2, 1.6]), np.array([0.02, 0.0])
    >>> counts = counts_of_groups("wind", 1, np.array([0, 0]), 1, groups)
    >>> counts.bits, counts.table.ravel().tolist(), counts.moments.mean.round(4).ravel().tolist()
    (1, [2, 1], [1.3333])
    """
    keys, count, _, _ = groups
    parts = []
    for code in range(n_classes):
        own = codes == code
        fitting, own_keys, times = counted_values(leading_bits(keys[own], bits), count[own])
        parts.append((min(bits, fitting), own_keys, times))
    moments = _moments_of_groups(codes, n_classes, *groups[1:])
    refuse_overflow(name, moments)
    return NumberCounts(moments, *united_classes(parts))


def _moments_of_groups(
    codes: Array, n_classes: int, count: Array, mean: Array, scatter: Array
) -> Moments:
    """The moments of each class, from those of groups within it."""

    def sums(values: Array) -> Array:
        return np.bincount(codes, values, minlength=n_classes)

    n_rows = sums(count)
    divisor = np.where(n_rows > 0, n_rows, 1.0)
    first = np.zeros(n_classes)
    first[codes] = mean  # any of the class: differences are small beside the means
    with np.errstate(over="ignore", invalid="ignore"):  # seen in the result
        centre = first + sums(count * (mean - first[codes])) / divisor
        squares = sums(scatter + count * (mean - centre[codes]) ** 2)
    centre = np.where(n_rows > 0, centre, 0.0)
    squares = without_noise(n_rows, centre, squares)
    return Moments(n_rows[:, None], centre[:, None], squares[:, None])
