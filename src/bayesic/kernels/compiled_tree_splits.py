# mypy: disallow-untyped-defs=False
"""Growing a decision tree in Numba: the same function as in `tree_splits.py`. Names as there.

The rows of a node stand side by side in every column, sorted by their code: the values of a column
follow one another, and dividing a node keeps the order.
"""

import math
from typing import NamedTuple

import numpy as np
from scipy.special import gammaln

from bayesic.kernels import Array
from bayesic.kernels.compiled_leaving import left
from bayesic.kernels.jit import inlined, inner, jit
from bayesic.kernels.rounding import ROUNDING
from bayesic.kernels.tree_splits import GAP, NONE, SAME_BITS, Nodes, Rows

__all__ = ["grow"]

MOST_TABLED = 2**22  # logs and factorials up to here are looked up


class Code(NamedTuple):
    """How lengths are computed."""

    n_classes: int
    exception_weight: float
    leaf_bits: float
    factorials: Array  # log2 n! for n = 0, 1, ...; empty if weights are no whole numbers, or large
    logs: Array  # log2 n, the same


class Sorted(NamedTuple):
    """The rows of a node in one column, sorted by their code."""

    code: Array  # int64
    row_class: Array  # int64, the number of the class among those in the node
    row_weight: Array  # float64


def grow(rows: Rows, exception_weight: float) -> Nodes:
    codes = np.ascontiguousarray(rows.codes)
    # a table without columns has rows all the same
    order = np.argsort(codes if len(codes) else [rows.classes], axis=1, kind="stable")
    leaf_bits = 1.0 + math.log2(rows.n_classes)
    code = Code(rows.n_classes, float(exception_weight), leaf_bits, *_tables(rows.weights))
    n_rows = len(rows.classes)
    # made here: arrays that a kernel makes take long to compile
    nodes = _no_nodes(2 * n_rows, rows.n_classes)  # a tree of n leaves has fewer than 2 n
    child_of, buffer = np.empty(n_rows, np.int64), np.empty(n_rows, np.int32)
    rows, order = rows._replace(codes=codes), order.astype(np.int32)
    n_nodes = _grow(rows, order, code, nodes, child_of, buffer, *np.zeros((2, 2 * n_rows), int))
    return Nodes(*(array[:n_nodes].copy() for array in nodes))


def _no_nodes(most: int, n_classes: int) -> Nodes:
    column, below, above, first_child, level = np.full((5, most), NONE)
    n_children, test_bits = np.zeros(most, np.int64), np.zeros(most)
    class_count = np.zeros((most, n_classes))
    return Nodes(column, below, above, first_child, n_children, level, test_bits, class_count)


def _tables(weights: Array) -> tuple[Array, Array]:
    total = weights.sum()
    if total > MOST_TABLED or (weights != np.floor(weights)).any():
        return np.empty(0), np.empty(0)
    numbers = np.arange(total + 2)
    return gammaln(numbers + 1.0) / np.log(2.0), np.log2(np.maximum(numbers, 1.0))


@inner
def _log2_factorial(number, code):
    if len(code.factorials):
        return code.factorials[int(number)]
    return math.lgamma(number + 1.0) / math.log(2.0)


@inner
def _log2(number, code):
    return code.logs[int(number)] if len(code.logs) else math.log2(number)


@inner
def _exception_bits(counts, code, ordered):
    """As in the reference, where counts may leave out classes that do not occur."""
    n_present, total, which = 0, 0.0, 0.0
    for number in range(len(counts)):
        count = counts[number]
        if count <= 0.0:
            continue
        place = n_present
        while place > 0 and ordered[place - 1] < count:
            ordered[place] = ordered[place - 1]
            place -= 1
        ordered[place] = count
        n_present += 1
        total += count
        which -= _log2_factorial(count, code)
    bits, rest = max(which + _log2_factorial(total, code), 0.0), total
    for place in range(n_present):
        to_choose_from = code.n_classes - place
        most = rest - math.ceil(rest / to_choose_from * (1.0 - ROUNDING))
        if most > 0.0:
            bits += _log2(most + 1.0, code)
        if place > 0:
            bits += math.log2(to_choose_from)
        rest -= ordered[place]
    return bits


@inner
def _first_of_shortest(bits):
    least = np.inf
    for place in range(len(bits)):
        least = min(least, bits[place])
    for place in range(len(bits)):
        if bits[place] <= least + SAME_BITS:
            return place
    return 0


@inlined
def _question(rows, whole, code):
    """Bits, bits of the test, and value of the best test of a column of categories."""
    n_values, each = 0, 0.0
    one, value = np.empty(len(rows.code)), np.empty(len(rows.code), np.int64)
    counts, others, ordered = np.zeros(len(whole)), np.empty(len(whole)), np.empty(len(whole))
    for place in range(len(rows.code)):
        counts[rows.row_class[place]] += rows.row_weight[place]
        if place + 1 < len(rows.code) and rows.code[place + 1] == rows.code[place]:
            continue
        for number in range(len(whole)):
            others[number] = left(whole[number], counts[number])
        own = _exception_bits(counts, code, ordered)
        one[n_values] = code.exception_weight * (own + _exception_bits(others, code, ordered))
        value[n_values] = rows.code[place]
        each += own
        n_values += 1
        counts[:] = 0.0
    each = n_values * code.leaf_bits + code.exception_weight * each
    if n_values == 2:
        return each, 0.0, NONE
    place, one_bits = _first_of_shortest(one[:n_values]), 1.0 + math.log2(n_values)
    shortest = one[place] + 2.0 * code.leaf_bits + one_bits
    if each + 1.0 <= shortest + SAME_BITS:
        return each + 1.0, 1.0, NONE
    return shortest, one_bits, value[place]


@inner
def _add_bits_of_side(rows, gaps, gets_gaps, code, backwards, bits):
    """Add to bits[i] the exceptions of the rows up to place i, if there can be a cut behind it.

    gaps      : the weight of each class without a value, added to those rows where gets_gaps[i]
    backwards : the rows behind place i instead, from the other end: a difference would leave traces
                of classes that are not there
    """
    n_rows = len(rows.code)
    counts, with_gaps, ordered = np.zeros(len(gaps)), np.empty(len(gaps)), np.empty(len(gaps))
    for step in range(n_rows - 1):
        place, cut = (n_rows - 1 - step, n_rows - 2 - step) if backwards else (step, step)
        counts[rows.row_class[place]] += rows.row_weight[place]
        if rows.code[cut] == rows.code[cut + 1]:
            continue
        for number in range(len(gaps)):
            with_gaps[number] = counts[number] + (gaps[number] if gets_gaps[cut] else 0.0)
        bits[cut] += code.exception_weight * _exception_bits(with_gaps, code, ordered)


@inner
def _sum(numbers):
    total = 0.0
    for number in numbers:
        total += number
    return total


@inlined
def _cut(rows, gaps, code):
    """Bits, bits of the test, and place of the best cut of numbers, after which it is."""
    n_rows, n_cuts, total, below = len(rows.code), 0, _sum(rows.row_weight), 0.0
    bits, gets_gaps = np.empty(n_rows), np.empty((2, n_rows), np.bool_)  # below and above a cut
    has_gaps = _sum(gaps) > 0.0
    for place in range(n_rows - 1):
        below += rows.row_weight[place]
        is_cut = rows.code[place] != rows.code[place + 1]
        n_cuts += is_cut
        bits[place] = 0.0 if is_cut else np.inf
        gets_gaps[0, place] = has_gaps and below >= total - below
        gets_gaps[1, place] = has_gaps and not gets_gaps[0, place]
    if n_cuts == 0:
        return np.inf, 0.0, 0
    for backwards in range(2):
        _add_bits_of_side(rows, gaps, gets_gaps[backwards], code, backwards, bits)
    place, cut_bits = _first_of_shortest(bits[: n_rows - 1]), math.log2(n_cuts)
    return bits[place] + 2.0 * code.leaf_bits + cut_bits, cut_bits, place


@inlined
def _sorted_rows(rows, column, order, local):
    n_rows = len(order)
    code, row_class = np.empty(n_rows, np.int64), np.empty(n_rows, np.int64)
    row_weight = np.empty(n_rows)
    for place in range(n_rows):
        row = order[place]
        code[place] = rows.codes[column, row]
        row_class[place] = local[rows.classes[row]]
        row_weight[place] = rows.weights[row]
    return Sorted(code, row_class, row_weight)


@inlined
def _test_of_column(rows, column, order, local, whole, code):
    """Bits, bits of the test, codes below and above of the best test of a column."""
    here = _sorted_rows(rows, column, order, local)
    if not rows.is_number[column]:
        bits, test_bits, value = _question(here, whole, code)
        return bits, test_bits, value, NONE
    gaps, n_gaps = np.zeros(len(whole)), 0
    while here.code[n_gaps] == GAP:
        gaps[here.row_class[n_gaps]] += here.row_weight[n_gaps]
        n_gaps += 1
    observed = Sorted(here.code[n_gaps:], here.row_class[n_gaps:], here.row_weight[n_gaps:])
    bits, test_bits, place = _cut(observed, gaps, code)
    if bits == np.inf:
        return bits, 0.0, NONE, NONE
    return bits, test_bits, observed.code[place], observed.code[place + 1]


@inlined
def _best_test(rows, order, class_count, code):
    """Column, bits of the test, codes below and above; column NONE if there is no test."""
    local, whole = np.zeros(code.n_classes, np.int64), np.empty(_n_present(class_count))
    n_present = 0
    for number in range(code.n_classes):
        if class_count[number] != 0:
            local[number], whole[n_present] = n_present, class_count[number]
            n_present += 1
    n_columns, n_testable = len(rows.codes), 0
    bits, test_bits = np.empty(n_columns), np.empty(n_columns)
    below, above = np.empty(n_columns, np.int64), np.empty(n_columns, np.int64)
    for column in range(n_columns):
        codes, here = rows.codes[column], order[column]
        bits[column], test_bits[column], below[column], above[column] = np.inf, 0.0, NONE, NONE
        if codes[here[0]] != codes[here[-1]]:
            bits[column], test_bits[column], below[column], above[column] = _test_of_column(
                rows, column, here, local, whole, code
            )
            n_testable += bits[column] < np.inf
    if n_testable == 0:
        return NONE, 0.0, NONE, NONE
    column = _first_of_shortest(bits)
    return column, math.log2(n_testable) + test_bits[column], below[column], above[column]


@inlined
def _children_by_value(codes, order, child_of, level):
    child = 0
    for place in range(len(order)):
        row = order[place]
        if place > 0 and codes[row] != codes[order[place - 1]]:
            child += 1
        child_of[row] = child
        level[child] = codes[row]
    return child + 1


@inlined
def _children_by_cut(codes, order, weights, below, child_of):
    n_below = n_above = 0.0
    for row in order:
        child_of[row] = codes[row] > below
        if codes[row] > below:
            n_above += weights[row]
        elif codes[row] != GAP:
            n_below += weights[row]
    for row in order:
        if codes[row] == GAP:
            child_of[row] = n_below < n_above


@inlined
def _choose_children(rows, column, order, below, child_of, level):
    """Which child each row of a node goes to, and the level of each child; how many children."""
    codes = rows.codes[column]
    if not rows.is_number[column] and below == NONE:
        return _children_by_value(codes, order, child_of, level)
    level[0], level[1] = 0, 1
    if rows.is_number[column]:
        _children_by_cut(codes, order, rows.weights, below, child_of)
    else:
        for row in order:
            child_of[row] = codes[row] != below
    return 2


@inlined
def _divide(order, child_of, n_children, buffer):
    """Put the rows of each child side by side in all columns, in their order; where each ends."""
    first, places = np.zeros(n_children + 1, np.int64), np.empty(n_children, np.int64)
    for row in order[0]:
        first[child_of[row] + 1] += 1
    for child in range(n_children):
        first[child + 1] += first[child]
    for column in range(len(order)):
        for child in range(n_children):
            places[child] = first[child]
        for row in order[column]:
            buffer[places[child_of[row]]] = row
            places[child_of[row]] += 1
        for place in range(order.shape[1]):
            order[column, place] = buffer[place]
    return first


@jit()
def _grow(rows, order, code, nodes, child_of, buffer, first, stop):
    """Fill in the nodes from the root on; how many there are.

    first, stop : int64, where the rows of each node begin and end in every row of order
    """
    column, class_count = nodes.column, nodes.class_count
    stop[0], node, n_nodes = len(rows.classes), 0, 1
    while node < n_nodes:
        here = order[:, first[node] : stop[node]]
        for row in here[0]:
            class_count[node, rows.classes[row]] += rows.weights[row]
        if _n_present(class_count[node]) > 1:
            column[node], nodes.test_bits[node], nodes.below[node], nodes.above[node] = _best_test(
                rows, here, class_count[node], code
            )
        if column[node] != NONE:
            n_children = _choose_children(
                rows, column[node], here[column[node]], nodes.below[node], child_of,
                nodes.level[n_nodes:],
            )  # fmt: skip
            nodes.first_child[node], nodes.n_children[node] = n_nodes, n_children
            ends = _divide(here, child_of, n_children, buffer)
            for child in range(n_children):
                first[n_nodes + child] = first[node] + ends[child]
                stop[n_nodes + child] = first[node] + ends[child + 1]
            n_nodes += n_children
        node += 1
    return n_nodes


@inner
def _n_present(counts):
    n_present = 0
    for count in counts:
        n_present += count != 0
    return n_present
