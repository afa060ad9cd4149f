"""Growing a decision tree by the shortest description.

The rows of a node stand in the order of their codes in each column, so the rows below a cut are the
first ones. The counts behind all cuts of all columns are then cumulative sums.
"""

from collections import deque
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
from scipy.special import gammaln

from bayesic.data.blocks import row_blocks
from bayesic.kernels import Array
from bayesic.kernels.leaving import left
from bayesic.kernels.rounding import ROUNDING

GAP = -1  # the code of a cell that was not observed
NONE = -2  # no column, no code, no child

# Lengths that differ by less are the same: which test comes first must not depend on rounding.
SAME_BITS = 1e-9

MOST_TABLED = 2**22  # factorials up to here are looked up


class GrowingRows(NamedTuple):
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


class _Code(NamedTuple):
    """How lengths are computed."""

    leaf_bits: float  # of a leaf: that it is one, and its class
    # exception_weight times the length of the exceptions: (n_present, n) -> (n,); the counts of
    # classes that do not occur in a node may be left out
    exceptions: Callable[[Array], Array]


class _NodeRows(NamedTuple):
    """The rows of a node in some columns, in the order of their codes."""

    codes: Array  # (n_columns, n_rows), as are the next two
    classes: Array
    weights: Array
    present: Array  # (n_present,)  the classes that occur
    class_count: Array  # (n_present,)  their rows

    def weights_by_class(self) -> Array:
        """The weight of each row if it is of a class, or 0: (n_present, n_columns, n_rows)."""
        return np.where(self.classes == self.present[:, None, None], self.weights, 0.0)


class _Tests(NamedTuple):
    """The best test of each of some columns: all (n_columns,)."""

    bits: Array  # of the test, but for the column, and of its children as leaves; inf: no test
    cut_bits: Array  # of the test alone
    below: Array  # as in Nodes
    above: Array

    @classmethod
    def none(cls, n_columns: int) -> "_Tests":
        """No test of any column."""
        below, above = np.full((2, n_columns), NONE)
        return cls(np.full(n_columns, np.inf), np.zeros(n_columns), below, above)


# lengths ------------------------------------------------------------------------------------------


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
    counts = np.moveaxis(np.asarray(class_count, dtype=np.float64), -1, 0)
    return _exception_bits(counts, len(counts), _log2_factorial)


def _exception_bits(
    counts: Array, n_classes: int, log2_factorial: Callable[[Array], Array]
) -> Array:
    """The same with classes along the first axis; those that do not occur may be left out."""
    total = counts.sum(axis=0)
    which = log2_factorial(total) - log2_factorial(counts).sum(axis=0)
    bits, rest = np.maximum(which, 0.0), total
    # the last of all classes is sure
    for named, count in enumerate(np.sort(counts, axis=0)[::-1][: n_classes - 1]):
        to_choose_from = n_classes - named
        # sums of fractions may be a little above a whole number
        most = rest - np.ceil(rest / to_choose_from * (1.0 - ROUNDING))
        name_bits = np.log2(to_choose_from) if named else 0.0
        bits = bits + np.where(count > 0, np.log2(np.maximum(most, 0.0) + 1.0) + name_bits, 0.0)
        rest = rest - count
    return bits


def _log2_factorial(numbers: Array) -> Array:
    return gammaln(numbers + 1.0) / np.log(2.0)


def _log2_factorial_for(weights: Array) -> Callable[[Array], Array]:
    """The same function; of whole numbers, as sums of these weights are, it is looked up."""
    total = weights.sum()
    if total > MOST_TABLED or (weights != np.floor(weights)).any():
        return _log2_factorial
    table = _log2_factorial(np.arange(total + 1))
    return lambda numbers: table[numbers.astype(np.intp)]


def _code_for(rows: GrowingRows, exception_weight: float) -> _Code:
    own_bits = partial(
        _exception_bits,
        n_classes=rows.n_classes,
        log2_factorial=_log2_factorial_for(rows.weights),
    )
    leaf_bits = 1.0 + np.log2(rows.n_classes)
    return _Code(leaf_bits, lambda counts: exception_weight * own_bits(counts))


# the tree -----------------------------------------------------------------------------------------


def grow(rows: GrowingRows, exception_weight: float) -> Nodes:
    """A tree in which every leaf is of one class, or cannot be divided; nodes by depth.

    Each node asks for what makes it shortest if its children are leaves:

        log2 (columns) + test + sum over children of (1 + log2 K + weight * exception_bits)

    where columns have two values or more in the node. A number has two children, and test is log2
    of the places between its values; its gaps go to the larger child. A category has a child for
    each value in the node, gaps included; if there are more than two, one bit tells whether it has
    these, or two: one of the n values (log2 n), and the others. Of tests that are equally long the
    first is taken.
    """
    code = _code_for(rows, exception_weight)
    # a table without columns has rows all the same
    keys = rows.codes if len(rows.codes) else rows.classes[None]
    waiting, levels = deque([np.argsort(keys, axis=1, kind="stable")]), [NONE]
    tests, bits, class_count = [], [], []  # column, below, above, first child, number of children
    while waiting:
        order = waiting.popleft()
        here = order[0]
        count = np.bincount(rows.classes[here], rows.weights[here], rows.n_classes)
        column, below, above, test_bits = NONE, NONE, NONE, 0.0
        parts: list[Array] = []
        first_child = NONE
        if np.count_nonzero(count) > 1:
            column, below, above, test_bits = _best_test(rows, order, count, code)
        if column != NONE:
            first_child = len(levels)
            values, child = _children(rows, here, column, below)
            parts = _divided(order, here, child, len(rows.classes))
            levels += values.tolist()
        waiting += parts
        tests.append((column, below, above, first_child, len(parts)))
        bits.append(test_bits)
        class_count.append(count)
    numbers = np.array(tests, dtype=np.int64).T
    return Nodes(*numbers, np.array(levels), np.array(bits), np.array(class_count))  # type: ignore[call-arg]


def _best_test(
    rows: GrowingRows, order: Array, class_count: Array, code: _Code
) -> tuple[int, int, int, float]:
    """The column to ask for in a node, -2 if there is none; codes below and above; bits.

    order : numbers of the rows in the node, (n_columns, n_rows), by their codes in each column
    """
    present = np.flatnonzero(class_count)
    tests = _Tests.none(len(rows.codes))
    for is_number, tests_of in ((True, _cuts), (False, _questions)):
        columns = np.flatnonzero(rows.is_number == is_number)
        for block in row_blocks(len(columns), order.shape[1] * len(present)):
            some = columns[block]
            of_rows = order[some]
            codes = np.take_along_axis(rows.codes[some], of_rows, axis=1)
            classes, weights = rows.classes[of_rows], rows.weights[of_rows]
            here = _NodeRows(codes, classes, weights, present, class_count[present])
            for of_all, of_some in zip(tests, tests_of(here, code), strict=True):
                of_all[some] = of_some
    n_columns = np.isfinite(tests.bits).sum()
    if not n_columns:
        return NONE, NONE, NONE, 0.0
    column = int(np.argmax(tests.bits <= tests.bits.min() + SAME_BITS))
    _, cut_bits, below, above = (each[column] for each in tests)
    return column, int(below), int(above), float(np.log2(n_columns) + cut_bits)


def _cuts(here: _NodeRows, code: _Code) -> _Tests:
    """The best cut of each column of numbers."""
    tests = _Tests.none(len(here.codes))
    is_gap = here.codes == GAP
    is_cut = (here.codes[:, :-1] != here.codes[:, 1:]) & ~is_gap[:, :-1]
    column, row = np.nonzero(is_cut)
    if not len(column):
        return tests
    weights = here.weights_by_class()
    has_gaps = is_gap.any()
    observed = np.where(is_gap, 0.0, weights) if has_gaps else weights
    below = np.cumsum(observed, axis=2)[:, column, row]
    # from the other end: a difference would leave traces of classes that are not there
    above = np.cumsum(observed[:, :, ::-1], axis=2)[:, column, -2 - row]
    if has_gaps:
        gaps = np.where(is_gap, weights, 0.0).sum(axis=2)[:, column]
        go_below = _as_many(below.sum(axis=0), above.sum(axis=0))
        below, above = below + gaps * go_below, above + gaps * ~go_below
    bits = code.exceptions(below) + code.exceptions(above)
    columns, n_cuts, first = _first_of_shortest(bits, column)
    tests.cut_bits[columns] = np.log2(n_cuts)
    tests.bits[columns] = bits[first] + 2 * code.leaf_bits + tests.cut_bits[columns]
    tests.below[columns] = here.codes[columns, row[first]]
    tests.above[columns] = here.codes[columns, row[first] + 1]
    return tests


def _questions(here: _NodeRows, code: _Code) -> _Tests:
    """The best test of each column of categories: all values, or one against the others."""
    tests = _Tests.none(len(here.codes))
    column, row = np.nonzero(np.diff(here.codes, axis=1, prepend=NONE))  # where values begin
    weights = here.weights_by_class().reshape(len(here.present), -1)
    counts = np.add.reduceat(weights, column * here.codes.shape[1] + row, axis=1)
    of_value = code.exceptions(counts)
    one = of_value + code.exceptions(left(here.class_count[:, None], counts))
    columns, n_values, first = _first_of_shortest(one, column)
    each = code.leaf_bits * n_values + np.bincount(column, of_value)
    each_bits, one_bits = np.where(n_values > 2, 1.0, 0.0), 1.0 + np.log2(n_values)
    shortest = one[first] + 2 * code.leaf_bits + one_bits
    takes_each = (n_values == 2) | (each + each_bits <= shortest + SAME_BITS)
    bits = np.where(takes_each, each + each_bits, shortest)
    tests.bits[columns] = np.where(n_values > 1, bits, np.inf)
    tests.cut_bits[columns] = np.where(takes_each, each_bits, one_bits)
    tests.below[columns] = np.where(takes_each, NONE, here.codes[columns, row[first]])
    return tests


def _first_of_shortest(bits: Array, column: Array) -> tuple[Array, Array, Array]:
    """The columns that occur, how often, and where the shortest length of each is first.

    column : that of each of the lengths, in order

    >>> _first_of_shortest(np.array([5.0, 3.0, 3.0, 7.0]), np.array([0, 0, 0, 2]))
    (array([0, 2]), array([3, 1]), array([1, 3]))
    """
    columns, start, group, number = np.unique(
        column, return_index=True, return_inverse=True, return_counts=True
    )
    least = np.minimum.reduceat(bits, start)
    shortest = np.flatnonzero(bits <= least[group] + SAME_BITS)
    return columns, number, shortest[np.searchsorted(shortest, start)]


def _children(rows: GrowingRows, here: Array, column: int, below: int) -> tuple[Array, Array]:
    """The level that leads to each child of a node, and the number of the child of each row."""
    codes = rows.codes[column, here]
    if rows.is_number[column]:
        is_first = _goes_below(codes, rows.weights[here], below)
    elif below == NONE:
        return np.unique(codes, return_inverse=True)
    else:
        is_first = codes == below
    return np.arange(2), np.where(is_first, 0, 1)


def _goes_below(codes: Array, weights: Array, below: int) -> Array:
    is_gap, is_below = codes == GAP, codes <= below
    n_below, n_above = weights[is_below & ~is_gap].sum(), weights[~is_below].sum()
    return np.where(is_gap, _as_many(n_below, n_above), is_below)


def _as_many(below: Array, above: Array) -> Array:
    """Whether there are as many rows below as above, or more; sums of fractions are rounded."""
    return below >= above * (1.0 - ROUNDING)


def _divided(order: Array, here: Array, child: Array, n_rows: int) -> list[Array]:
    """The rows of each child, in their order in each column.

    child : for each of the rows here, of all n_rows, the number of its child
    """
    size = np.bincount(child)
    child_of = np.empty(n_rows, np.min_scalar_type(len(size)))  # small numbers are sorted fast
    child_of[here] = child
    by_child = np.argsort(child_of[order], axis=1, kind="stable")
    return np.split(np.take_along_axis(order, by_child, axis=1), np.cumsum(size)[:-1], axis=1)
