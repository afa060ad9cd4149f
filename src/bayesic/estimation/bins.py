"""Cut points for a numeric column, by the minimum description length rule ([FayyadIrani]).

Lengths are in bits, as for decision trees.
"""

import numpy as np

from bayesic.data.blocks import row_blocks
from bayesic.kernels import Array
from bayesic.statistics.leading_bits import MANTISSA_BITS, TINIEST
from bayesic.statistics.number_counts import NumberCounts


def cut_points(counts: NumberCounts) -> Array:
    """The cut points of the bins that are most informative about the class, in increasing order.

    The index of a value's bin is the number of cut points that are not above the value. The values
    are split in two where that lowers the entropy of the class most, and both parts are split
    again, as long as the gain in bits is more than the bits it takes to describe the cut. No cut at
    all means that the column does not separate the classes.

    >>> from bayesic.statistics.number_counts import number_counts
    >>> values, codes = np.arange(20.0), np.repeat([0, 1], 10)
    >>> cut_points(number_counts(values, codes, n_classes=2))
    array([9.5])
    """
    cumulated = _cumulated(counts)
    open_parts, cuts = [(0, len(cumulated) - 1)], []
    while open_parts:
        start, stop = open_parts.pop()
        cut = _best_cut(cumulated[start : stop + 1])
        if cut:
            cuts.append(start + cut)
            open_parts += [(start, start + cut), (start + cut, stop)]
    return _boundaries(counts.keys, counts.bits, np.sort(np.array(cuts, dtype=np.intp)))


def has_cut(counts: NumberCounts) -> bool:
    """Whether there is any cut point, without searching for more than the first.

    >>> from bayesic.statistics.number_counts import number_counts
    >>> has_cut(number_counts(np.arange(20.0), np.arange(20) % 2, n_classes=2))
    False
    """
    return _best_cut(_cumulated(counts)) > 0


def _cumulated(counts: NumberCounts) -> Array:
    """Cumulative rows of each class up to each value, from zeros on: (n_keys + 1, n_classes)."""
    cumulated = np.zeros((len(counts.table) + 1, counts.table.shape[1]))
    np.cumsum(counts.table, axis=0, dtype=np.float64, out=cumulated[1:])
    return cumulated


def _best_cut(cumulated: Array) -> int:
    """The number of values before the best cut of this part, 0 if no cut gains more than it costs.

    With n values of k classes, of which k1 and k2 occur in the two parts, a cut must gain

        Ent(S) - n1/n Ent(S1) - n2/n Ent(S2)
            > log2(n - 1)/n + (log2(3^k - 2) - k Ent(S) + k1 Ent(S1) + k2 Ent(S2)) / n
    """
    whole = cumulated[-1] - cumulated[0]
    n_values = whole.sum()
    if len(cumulated) <= 2 or np.count_nonzero(whole) < 2:
        return 0
    index = _cheapest_cut(cumulated, whole)
    first = cumulated[index + 1] - cumulated[0]
    second = whole - first
    bits, parts = float(bits_of(whole)), (float(bits_of(first)), float(bits_of(second)))
    n_classes, n_first, n_second = (np.count_nonzero(part > 0) for part in (whole, first, second))
    entropy = bits / n_values
    # the weights of a part may vanish beside those of the other: its entropy is then 0
    sizes = (part.sum() or 1.0 for part in (first, second))
    entropies = [part / size for part, size in zip(parts, sizes, strict=True)]
    # log2(3^k - 2), without the power, which overflows for many classes
    which_classes = n_classes * np.log2(3) + np.log2(1 - 2 * 3.0**-n_classes)
    description = which_classes - (
        n_classes * entropy - n_first * entropies[0] - n_second * entropies[1]
    )
    gain = bits - parts[0] - parts[1]
    return index + 1 if gain > choice_bits(n_values - 1) + description else 0


def _cheapest_cut(cumulated: Array, whole: Array) -> int:
    """The index of the last value before the cut with which both parts take the fewest bits."""
    inner = cumulated[1:-1]
    bits = np.empty(len(inner))
    for some in row_blocks(len(inner), cells_per_row=len(whole)):
        first = inner[some] - cumulated[0]
        bits[some] = bits_of(first) + bits_of(whole - first)
    return int(np.argmin(bits))


def _boundaries(keys: Array, bits: int, first: Array) -> Array:
    """The midpoints between the keys before the indices `first` and the keys at them.

    Every number that has the leading bits of a key falls on the same side as the key itself, and
    so does every number that counts as 0.
    """
    below, above = keys[first - 1], keys[first]
    last, lowest = below, above
    if bits < MANTISSA_BITS:
        # a key represents the numbers from itself up to the next, away from zero
        width = np.int64(1) << np.int64(MANTISSA_BITS - bits)
        last = np.where(below > 0, (below.view(np.int64) + width).view(np.float64), below)
        lowest = np.where(above < 0, (above.view(np.int64) + width).view(np.float64), above)
    last = np.where(below == 0, TINIEST, last)
    lowest = np.where(above == 0, -TINIEST, lowest)
    halfway = 0.5 * last + 0.5 * lowest
    # no number in between: the next one above, which for touching cells is the start of the second
    belongs_below = (below < 0) | ((bits == MANTISSA_BITS) & (below > 0))
    return np.where(
        halfway > last, halfway, np.where(belongs_below, np.nextafter(last, np.inf), last)
    )


def bin_table(counts: NumberCounts, cuts: Array) -> Array:
    """How often each bin occurs in each class: (n_cuts + 1, n_classes)."""
    ends = np.array([0, *counts.keys.searchsorted(cuts).tolist(), len(counts.keys)])
    some = ends[:-1] < ends[1:]  # cuts kept from earlier rows may leave a bin without any value
    table = np.zeros((len(some), counts.table.shape[1]), counts.table.dtype)
    table[some] = np.add.reduceat(counts.table, ends[:-1][some], axis=0)
    return table


def choice_bits(n_choices: float) -> float:
    """Bits to name one of n equally probable choices: log2 n, and 0 for n = 0.

    >>> choice_bits(8), choice_bits(0)
    (3.0, 0.0)
    """
    return float(np.log2(max(n_choices, 1)))


def bits_of(class_count: Array) -> Array:
    """n times the entropy of the class: the bits it takes to encode the classes of n rows.

        n Ent = n log2 n - sum over c of n_c log2 n_c

    >>> bits_of(np.array([[2.0, 2.0], [0.0, 4.0]]))
    array([4., 0.])
    """
    total = class_count.sum(axis=-1)
    logs = np.log2(np.where(class_count > 0, class_count, 1.0))
    log_total = np.log2(np.where(total > 0, total, 1.0))
    return np.maximum(total * log_total - (class_count * logs).sum(axis=-1), 0.0)
