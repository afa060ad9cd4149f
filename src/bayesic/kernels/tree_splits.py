"""Growing a decision tree by the shortest description, in NumPy: the specification.

`compiled_tree_splits.py` holds `grow` in Numba.
"""

from typing import NamedTuple

import numpy as np
from scipy.special import gammaln

from bayesic.kernels import Array
from bayesic.kernels.leaving import left
from bayesic.kernels.rounding import ROUNDING

__all__ = ["grow"]

GAP = -1  # the code of a cell that was not observed
NONE = -2  # no column, no code, no child

# Lengths that differ by less are the same: which test comes first must not depend on rounding.
SAME_BITS = 1e-9


class Rows(NamedTuple):
    """Rows to learn."""

    codes: Array  # int32 (n_columns, n_rows)  numbers by rank, categories in any order; -1: a gap
    is_number: Array  # bool (n_columns,)
    classes: Array  # int64 (n_rows,)
    weights: Array  # float64 (n_rows,), above 0
    n_classes: int


class Nodes(NamedTuple):
    """The nodes of a tree; the root is number 0, the children of a node follow one another."""

    column: Array  # int64 (n_nodes,)  what the node asks for; -2 in leaves
    below: Array  # int64 (n_nodes,)  numbers: the largest code of the first child; or one category
    above: Array  # int64 (n_nodes,)  numbers: the smallest code of the second child
    first_child: Array  # int64 (n_nodes,)
    n_children: Array  # int64 (n_nodes,)
    level: Array  # int64 (n_nodes,)  the category that leads here; 0 and 1 for two sides
    test_bits: Array  # float64 (n_nodes,)  to name column and cut; 0 in leaves
    class_count: Array  # float64 (n_nodes, n_classes)


class Split(NamedTuple):
    """The best test of one column, and its length."""

    bits: float  # of the test, but for the column, and of its children as leaves
    cut_bits: float  # of the test alone
    below: int
    above: int


NO_SPLIT = Split(np.inf, 0.0, NONE, NONE)


def exception_bits(class_count: Array) -> Array:
    """Bits to write the classes of the rows of a leaf, if its most frequent class is known.

        L(n, k, b) = log2(b + 1) + log2 (n over k)

    is the length of a string of n signs of which k are ones, if k is at most b: first k, then which
    of the strings it is ([QuinlanRivest]). The ones are the k exceptions from the most frequent of
    K classes, so b = n - n/K, in whole rows. Among the exceptions the next class is named, one of
    K - 1, and its exceptions are written in the same way, until none is left.

    class_count : (..., n_classes); returns (...)

    >>> exception_bits(np.array([[4.0, 0.0], [3.0, 1.0], [1.0, 1.0]])).round(4)
    array([1.585, 3.585, 2.   ])
    """
    counts = -np.sort(-np.asarray(class_count, dtype=np.float64), axis=-1)
    n_classes = counts.shape[-1]
    total = counts.sum(axis=-1)
    rest = total[..., None] - np.cumsum(counts, axis=-1) + counts
    to_choose_from = np.arange(n_classes, 0, -1.0)
    # sums of fractions may be a little above a whole number
    most = rest - np.ceil(rest / to_choose_from * (1.0 - ROUNDING))
    bits = np.log2(np.maximum(most, 0.0) + 1.0) + np.log2(to_choose_from)
    bits[..., 0] -= np.log2(n_classes)
    which = gammaln(total + 1.0) - gammaln(counts + 1.0).sum(axis=-1)
    return np.where(counts > 0, bits, 0.0).sum(axis=-1) + np.maximum(which, 0.0) / np.log(2.0)


def grow(rows: Rows, exception_weight: float) -> Nodes:
    """A tree in which every leaf is of one class, or cannot be divided; nodes by depth.

    Each node asks for what makes it shortest if its children are leaves:

        log2 (columns) + test + sum over children of (1 + log2 K + weight * exception_bits)

    where columns have two values or more in the node. A number has two children, and test is log2
    of the places between its values; its gaps go to the larger child. A category has a child for
    each value in the node, gaps included; if there are more than two, one bit tells whether it has
    these, or two: one of the n values (log2 n), and the others. Of tests that are equally long the
    first is taken.
    """
    members, levels = [np.arange(len(rows.classes))], [NONE]
    class_count, tests = [], []
    places = []  # column, below, above, first child, number of children
    for here in members:  # which grows meanwhile
        count = _value_table(np.zeros(len(here), np.int64), rows, here)[0]
        column, split, n_columns = NONE, NO_SPLIT, 1
        if np.count_nonzero(count) > 1:
            column, split, n_columns = _best_test(rows, here, exception_weight)
        parts = [] if column == NONE else _parts(rows, here, column, split.below)
        first_child = len(members) if parts else NONE
        places.append((column, split.below, split.above, first_child, len(parts)))
        tests.append(np.log2(n_columns) + split.cut_bits)
        class_count.append(count)
        members += [part for _, part in parts]
        levels += [level for level, _ in parts]
    numbers = np.array(places, dtype=np.int64).T
    return Nodes(*numbers, np.array(levels), np.array(tests), np.array(class_count))  # type: ignore[call-arg]


def _best_test(rows: Rows, here: Array, exception_weight: float) -> tuple[int, Split, int]:
    """The column to ask for in a node, -2 if there is none; its test; how many columns there are.

    here : numbers of the rows in the node
    """
    leaf_bits = 1.0 + np.log2(rows.n_classes)
    tests = [
        _test_of_column(rows, here, column, exception_weight, leaf_bits)
        for column in range(len(rows.codes))
    ]
    bits = np.array([test.bits for test in tests])
    n_columns = int(np.isfinite(bits).sum())
    if not n_columns:
        return NONE, NO_SPLIT, 1
    column = _first_of_shortest(bits)
    return column, tests[column], n_columns


def _value_table(codes: Array, rows: Rows, here: Array) -> Array:
    """The weight of each class among the rows of each value: (n_values, n_classes)."""
    table = np.zeros((codes.max(initial=0) + 1, rows.n_classes))
    np.add.at(table, (codes, rows.classes[here]), rows.weights[here])
    return table


def _test_of_column(
    rows: Rows, here: Array, column: int, exception_weight: float, leaf_bits: float
) -> Split:
    values, codes = np.unique(rows.codes[column, here], return_inverse=True)
    table = _value_table(codes, rows, here)
    test_of = _cut if rows.is_number[column] else _question
    return test_of(values, table, exception_weight, leaf_bits)


def _question(values: Array, table: Array, exception_weight: float, leaf_bits: float) -> Split:
    """A column of categories: all of its values, or one of them against the others."""
    n_values = len(values)
    if n_values < 2:
        return NO_SPLIT
    of_value = exception_bits(table)
    each = leaf_bits * n_values + exception_weight * of_value.sum()
    if n_values == 2:
        return Split(each, 0.0, NONE, NONE)
    of_others = exception_bits(left(table.sum(axis=0), table))
    one = exception_weight * (of_value + of_others)
    place, one_bits = _first_of_shortest(one), 1.0 + np.log2(n_values)
    shortest = one[place] + 2 * leaf_bits + one_bits
    if each + 1.0 <= shortest + SAME_BITS:
        return Split(each + 1.0, 1.0, NONE, NONE)
    return Split(shortest, one_bits, int(values[place]), NONE)


def _cut(values: Array, table: Array, exception_weight: float, leaf_bits: float) -> Split:
    """A column of numbers: below and above a cut."""
    gaps = np.zeros(table.shape[1])
    if values[0] == GAP:
        gaps, values, table = table[0], values[1:], table[1:]
    if len(values) < 2:
        return NO_SPLIT
    below = np.cumsum(table, axis=0)[:-1]
    # from the other end: a difference would leave traces of classes that are not there
    above = np.cumsum(table[::-1], axis=0)[-2::-1]
    gaps_go_below = (below.sum(axis=1) >= above.sum(axis=1))[:, None]
    below, above = below + gaps * gaps_go_below, above + gaps * ~gaps_go_below
    bits = exception_weight * exception_bits(np.stack([below, above])).sum(axis=0)
    place, cut_bits = _first_of_shortest(bits), float(np.log2(len(values) - 1))
    shortest = bits[place] + 2 * leaf_bits + cut_bits
    return Split(shortest, cut_bits, int(values[place]), int(values[place + 1]))


def _first_of_shortest(bits: Array) -> int:
    return int(np.argmax(bits <= bits.min() + SAME_BITS))


def _parts(rows: Rows, here: Array, column: int, below: int) -> list[tuple[int, Array]]:
    """The rows of each child, and the level that leads there."""
    codes = rows.codes[column, here]
    if rows.is_number[column]:
        is_first = _goes_below(codes, rows.weights[here], below)
    elif below == NONE:
        return [(int(value), here[codes == value]) for value in np.unique(codes)]
    else:
        is_first = codes == below
    return [(0, here[is_first]), (1, here[~is_first])]


def _goes_below(codes: Array, weights: Array, below: int) -> Array:
    is_gap, is_below = codes == GAP, codes <= below
    n_below, n_above = weights[is_below & ~is_gap].sum(), weights[~is_below].sum()
    return np.where(is_gap, n_below >= n_above, is_below)
