"""Counting families of variables and scoring them, in Numba: what `structure.py` says.

Two things are faster here than one family after the other. `toggled_scores` counts the family once,
together with every state of every variable, and reads the families with one parent more from
columns of that table; those with one parent less are its sums. `subset_terms` visits the sets depth
first: the combinations of a set are those of the set before it, each cut by one variable more.
"""

import math

import numpy as np

from bayesic.kernels import Array
from bayesic.kernels._jit import inner, jit
from bayesic.kernels.structure import (
    ADD,
    DROP,
    FACTORIALS,
    LIKELIHOOD,
    TURN,
    Measure,
    SearchGraph,
    SetsOfVariables,
    StateColumns,
    StateRows,
    Tabu,
)

__all__ = ["best_move", "closure", "count_cells", "subset_terms", "toggled_scores"]


@inner
def _times(rows: StateRows, row: int) -> int:
    """How often a row occurs."""
    return rows.weights[row] if len(rows.weights) else 1


@jit()
def count_cells(rows: StateRows, variables: Array, counts: Array) -> None:
    for row in range(rows.codes.shape[1]):
        cell = 0
        for variable in variables:
            cell = cell * rows.sizes[variable] + rows.codes[variable, row]
        counts[cell] += _times(rows, row)


# one family -----------------------------------------------------------------------------------


@inner
def _cell_term(count: int, kind: int, share: float) -> float:
    if kind == LIKELIHOOD:
        return count * math.log(count)
    if kind == FACTORIALS:
        return math.lgamma(count + 1.0)
    return math.lgamma(count + share) - math.lgamma(share)


@inner
def _row_term(total: int, kind: int, r: int, share: float) -> float:
    if kind == LIKELIHOOD:
        return total * math.log(total)
    if kind == FACTORIALS:
        return math.lgamma(total + float(r)) - math.lgamma(float(r))
    return math.lgamma(total + share) - math.lgamma(share)


@inner
def _score_of_cells(counts: Array, r: int, measure: Measure) -> float:
    """The score of a family by its table, the child fastest."""
    share, score = measure.ess / len(counts), 0.0
    for start in range(0, len(counts), r):
        total = 0
        for cell in range(start, start + r):
            if counts[cell] > 0:
                total += counts[cell]
                score += _cell_term(counts[cell], measure.kind, share)
        if total > 0:
            score -= _row_term(total, measure.kind, r, share * r)
    return score


@inner
def _score_of_columns(counts: Array, begin: int, end: int, measure: Measure) -> float:
    """The score of a family with one more parent, whose states are the columns begin to end.

    counts : (combinations of the other parents, states of the child, columns)
    """
    n_rows, r, _ = counts.shape
    share, score = measure.ess / (n_rows * r * (end - begin)), 0.0
    for row in range(n_rows):
        for column in range(begin, end):
            total = 0
            for state in range(r):
                count = counts[row, state, column]
                if count > 0:
                    total += count
                    score += _cell_term(count, measure.kind, share)
            if total > 0:
                score -= _row_term(total, measure.kind, r, share * r)
    return score


@inner
def _count_with_each(
    rows: StateRows, states: StateColumns, variables: Array, counts: Array
) -> None:
    """Count all combinations of states of some variables together with each single state."""
    columns, n_columns = states.columns, states.first[-1]
    for row in range(columns.shape[0]):
        cell = 0
        for variable in variables:
            cell = cell * rows.sizes[variable] + rows.codes[variable, row]
        cell *= n_columns
        times = _times(rows, row)
        for variable in range(columns.shape[1]):
            counts[cell + columns[row, variable]] += times


@inner
def _sum_over(table: Array, stride: int, size: int, sums: Array) -> None:
    """Sum a table over one of its variables, whose states are a stride apart."""
    sums[:] = 0
    for cell in range(len(table)):
        sums[cell // (stride * size) * stride + cell % stride] += table[cell]


@jit()
def toggled_scores(
    rows: StateRows,
    states: StateColumns,
    child: int,
    parents: Array,
    measure: Measure,
    counts: Array,
    scores: Array,
) -> None:
    n_parents, r, first = len(parents), rows.sizes[child], states.first
    family = np.empty(n_parents + 1, np.int64)
    n_combinations = 1
    for index in range(n_parents):
        family[index] = parents[index]
        n_combinations *= rows.sizes[parents[index]]
    family[n_parents] = child
    n_cells = n_combinations * r
    used = counts[: n_cells * first[-1]]
    used[:] = 0
    _count_with_each(rows, states, family, used)
    table = used.reshape((n_combinations, r, first[-1]))
    for other in range(len(rows.sizes)):  # meaningless for the family itself, which comes below
        scores[other] = _score_of_columns(table, first[other], first[other + 1], measure)
    own = np.empty(n_cells, np.int64)  # the family itself: the child with its own states
    for cell in range(n_cells):
        own[cell] = used[cell * first[-1] + first[child] + cell % r]
    scores[child] = _score_of_cells(own, r, measure)
    stride = r
    for index in range(n_parents - 1, -1, -1):
        size = rows.sizes[parents[index]]
        sums = np.empty(n_cells // size, np.int64)
        _sum_over(own, stride, size, sums)
        scores[parents[index]] = _score_of_cells(sums, r, measure)
        stride *= size


# moves of a search ----------------------------------------------------------------------------


@jit()
def closure(parents: Array, reach: Array) -> None:
    n_variables = len(parents)
    for child in range(n_variables):
        for parent in range(n_variables):
            reach[parent, child] = parents[child, parent]
    for middle in range(n_variables):
        for start in range(n_variables):
            if reach[start, middle]:
                for end in range(n_variables):
                    reach[start, end] |= reach[middle, end]


@inner
def _another_way(graph: SearchGraph, child: int, parent: int) -> bool:
    """Whether edges lead from the parent to the child besides the one between them."""
    for other in range(len(graph.parents)):
        if graph.parents[other, parent] and graph.reach[other, child]:
            return True
    return False


@inner
def _gains_of_moves(gains: Array, graph: SearchGraph, tabu: Tabu) -> Array:
    """The gain of each kind of move for each child and parent, -inf if it is not to be made."""
    parents, addable, n_variables = graph.parents, graph.addable, len(gains)
    n_parents = np.zeros(n_variables, np.int64)
    for child in range(n_variables):
        for parent in range(n_variables):
            n_parents[child] += parents[child, parent]
    moves = np.full((3, n_variables, n_variables), -np.inf)
    for child in range(n_variables):
        for parent in range(n_variables):
            gain, both = gains[child, parent], gains[child, parent] + gains[parent, child]
            free = tabu.closed[child, parent] <= tabu.step
            if child == parent:
                continue
            if not parents[child, parent]:
                may = addable[child, parent] and not graph.reach[child, parent]
                may = may and n_parents[child] < graph.most_parents
                if may and (free or gain > tabu.needed):
                    moves[ADD, child, parent] = gain
            elif not graph.fixed[child, parent]:
                if free or gain > tabu.needed:
                    moves[DROP, child, parent] = gain
                free = free and tabu.closed[parent, child] <= tabu.step
                may = addable[parent, child] and n_parents[parent] < graph.most_parents
                may = may and (free or both > tabu.needed)
                if may and not _another_way(graph, child, parent):
                    moves[TURN, child, parent] = both
    return moves


@jit()
def best_move(
    gains: Array, graph: SearchGraph, tabu: Tabu, tolerance: float
) -> tuple[int, int, int, float]:
    moves = _gains_of_moves(gains, graph, tabu)
    best = moves.max()
    for kind in range(3):
        for child in range(len(gains)):
            for parent in range(len(gains)):
                gain = moves[kind, child, parent]
                if gain > -np.inf and gain >= best - tolerance:
                    return (kind, child, parent, gain)
    return (ADD, 0, 0, -np.inf)


# all sets of variables ------------------------------------------------------------------------


@inner
def _add_variable(
    rows: StateRows, variable: int, coarse: Array, n_coarse: int, fine: Array, counts: Array
) -> int:
    """Cut the combinations of states of a set by one variable more; how many there are then.

    coarse, fine : int64 (n_rows,), the number of each row's combination before and after, in the
                   order of the combinations; those that do not occur have no number
    counts       : how often each occurs, the first n numbers of it
    """
    size = rows.sizes[variable]
    n_cells = n_coarse * size
    counts[:n_cells] = 0
    for row in range(len(coarse)):
        fine[row] = coarse[row] * size + rows.codes[variable, row]
        counts[fine[row]] += _times(rows, row)
    new_number = np.empty(n_cells, np.int64)
    n_fine = 0
    for cell in range(n_cells):
        if counts[cell] > 0:
            new_number[cell] = n_fine
            counts[n_fine] = counts[cell]
            n_fine += 1
    for row in range(len(coarse)):
        fine[row] = new_number[fine[row]]
    return n_fine


@inner
def _fill_terms(
    counts: Array,
    share: float,
    kind: int,
    members: int,
    child_sizes: Array,
    of_cells: Array,
    of_rows: Array,
) -> None:
    """Fill in the terms of a set from how often each of its combinations occurs."""
    of_cells[members] = 0.0
    of_rows[members] = 0.0
    for count in counts:
        of_cells[members] += _cell_term(count, kind, share)
        for index, r in enumerate(child_sizes):
            of_rows[members, index] += _row_term(count, kind, r, share)


@jit()
def subset_terms(
    rows: StateRows,
    sets: SetsOfVariables,
    measure: Measure,
    child_sizes: Array,
    of_cells: Array,
    of_rows: Array,
) -> None:
    n_variables, n_rows = rows.codes.shape
    # of the set at each depth: its combinations, how many there are, the next variable to add
    number = np.zeros((n_variables + 1, n_rows), np.int64)
    n_numbers, following = np.ones(n_variables + 1, np.int64), np.zeros(n_variables + 1, np.int64)
    counts = np.empty(n_rows * rows.sizes.max(), np.int64)
    counts[0] = rows.weights.sum() if len(rows.weights) else n_rows
    members, n_cells, depth = sets.begun, 1.0, 0
    for variable in range(n_variables):
        if sets.begun >> variable & 1:
            n_numbers[depth + 1] = _add_variable(
                rows, variable, number[depth], n_numbers[depth], number[depth + 1], counts
            )
            n_cells, depth = n_cells * rows.sizes[variable], depth + 1
    least, following[depth], is_new = depth, sets.start, True
    while True:
        if is_new:
            of_set, share = counts[: n_numbers[depth]], measure.ess / n_cells
            _fill_terms(of_set, share, measure.kind, members, child_sizes, of_cells, of_rows)
        variable = following[depth]
        is_new = variable < n_variables and depth < sets.most
        if is_new:
            n_numbers[depth + 1] = _add_variable(
                rows, variable, number[depth], n_numbers[depth], number[depth + 1], counts
            )
            members |= 1 << variable
            n_cells, depth = n_cells * rows.sizes[variable], depth + 1
            following[depth] = variable + 1
        elif depth == least:
            return
        else:
            depth -= 1
            variable = following[depth]
            members ^= 1 << variable
            n_cells /= rows.sizes[variable]
            following[depth] += 1
