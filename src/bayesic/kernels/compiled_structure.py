# mypy: disallow-untyped-defs=False
"""Counting families of variables and scoring them, in Numba: what `structure.py` says."""

import math

import numpy as np

from bayesic.kernels.jit import inner, jit
from bayesic.kernels.structure import ADD, DROP, FACTORIALS, LIKELIHOOD, TURN

__all__ = ["best_move", "closure", "count_cells", "subset_terms", "toggled_scores"]


@jit()
def count_cells(codes, sizes, weights, variables, counts):
    for row in range(codes.shape[1]):
        cell = 0
        for variable in variables:
            cell = cell * sizes[variable] + codes[variable, row]
        if weights is None:
            counts[cell] += 1
        else:
            counts[cell] += weights[row]


@inner
def _cell_term(count, measure, share):
    if measure == LIKELIHOOD:
        return count * math.log(count)
    if measure == FACTORIALS:
        return math.lgamma(count + 1.0)
    return math.lgamma(count + share) - math.lgamma(share)


@inner
def _row_term(total, measure, r, share):
    if measure == LIKELIHOOD:
        return total * math.log(total)
    if measure == FACTORIALS:
        return math.lgamma(total + float(r)) - math.lgamma(float(r))
    return math.lgamma(total + share) - math.lgamma(share)


@inner
def _score_of_cells(counts, r, measure, ess):
    """The score of a family by its table, the child fastest."""
    share, score = ess / len(counts), 0.0
    for start in range(0, len(counts), r):
        total = 0
        for cell in range(start, start + r):
            if counts[cell] > 0:
                total += counts[cell]
                score += _cell_term(counts[cell], measure, share)
        if total > 0:
            score -= _row_term(total, measure, r, share * r)
    return score


@inner
def _score_of_column(counts, n_rows, r, width, begin, end, measure, ess):
    """The score of a family with one more parent, whose states are the columns begin to end.

    counts : (combinations of the other parents, states of the child, width)
    """
    share, score = ess / (n_rows * r * (end - begin)), 0.0
    for row in range(n_rows):
        for column in range(begin, end):
            total = 0
            for state in range(r):
                count = counts[(row * r + state) * width + column]
                if count > 0:
                    total += count
                    score += _cell_term(count, measure, share)
            if total > 0:
                score -= _row_term(total, measure, r, share * r)
    return score


@inner
def _count_with_each(codes, places, sizes, weights, variables, width, counts):
    """Count all combinations of states of some variables together with each single state."""
    for row in range(places.shape[0]):
        cell = 0
        for variable in variables:
            cell = cell * sizes[variable] + codes[variable, row]
        cell *= width
        if weights is None:
            for variable in range(places.shape[1]):
                counts[cell + places[row, variable]] += 1
        else:
            weight = weights[row]
            for variable in range(places.shape[1]):
                counts[cell + places[row, variable]] += weight


@inner
def _sum_over(table, stride, size, sums):
    """Sum a table over one of its variables, whose states are a stride apart."""
    sums[:] = 0
    for cell in range(len(table)):
        sums[cell // (stride * size) * stride + cell % stride] += table[cell]


@jit()
def toggled_scores(
    codes, places, sizes, first, weights, child, parents, measure, ess, counts, scores
):
    n_variables, n_parents, r = len(sizes), len(parents), sizes[child]
    family = np.empty(n_parents + 1, np.int64)
    for place in range(n_parents):
        family[place] = parents[place]
    family[n_parents] = child
    width, n_rows = first[n_variables], 1
    for parent in parents:
        n_rows *= sizes[parent]
    counts[: n_rows * r * width] = 0
    _count_with_each(codes, places, sizes, weights, family, width, counts)
    for other in range(n_variables):  # meaningless for the family itself, which comes below
        scores[other] = _score_of_column(
            counts, n_rows, r, width, first[other], first[other + 1], measure, ess
        )
    table = np.empty(n_rows * r, np.int64)  # of the family itself: the child with its own states
    for cell in range(len(table)):
        table[cell] = counts[cell * width + first[child] + cell % r]
    scores[child] = _score_of_cells(table, r, measure, ess)
    stride = r
    for place in range(n_parents - 1, -1, -1):
        size = sizes[parents[place]]
        sums = np.empty(len(table) // size, np.int64)
        _sum_over(table, stride, size, sums)
        scores[parents[place]] = _score_of_cells(sums, r, measure, ess)
        stride *= size


@jit()
def closure(parents, reach):
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
def _another_way(parents, reach, child, parent):
    """Whether edges lead from the parent to the child besides the one between them."""
    found = False
    for other in range(len(parents)):
        found |= parents[other, parent] and reach[other, child]
    return found


@inner
def _gains_of_moves(gains, parents, reach, addable, fixed, most_parents, closed, step, needed):
    """The gain of each kind of move for each child and parent, -inf if it is not to be made."""
    n_variables = len(gains)
    n_parents = np.zeros(n_variables, np.int64)
    for child in range(n_variables):
        for parent in range(n_variables):
            n_parents[child] += parents[child, parent]
    moves = np.full((3, n_variables, n_variables), -np.inf)
    for child in range(n_variables):
        for parent in range(n_variables):
            gain, both = gains[child, parent], gains[child, parent] + gains[parent, child]
            free = closed[child, parent] <= step
            if child == parent:
                continue
            if not parents[child, parent]:
                may = addable[child, parent] and not reach[child, parent]
                if may and n_parents[child] < most_parents and (free or gain > needed):
                    moves[ADD, child, parent] = gain
            elif not fixed[child, parent]:
                if free or gain > needed:
                    moves[DROP, child, parent] = gain
                may = addable[parent, child] and n_parents[parent] < most_parents
                may = may and ((free and closed[parent, child] <= step) or both > needed)
                if may and not _another_way(parents, reach, child, parent):
                    moves[TURN, child, parent] = both
    return moves


@jit()
def best_move(gains, parents, reach, addable, fixed, most_parents, closed, step, needed, tolerance):
    moves = _gains_of_moves(
        gains, parents, reach, addable, fixed, most_parents, closed, step, needed
    )
    best = moves.max()
    for kind in range(3):
        for child in range(len(gains)):
            for parent in range(len(gains)):
                gain = moves[kind, child, parent]
                if gain > -np.inf and gain >= best - tolerance:
                    return (kind, child, parent, gain)
    return (ADD, 0, 0, -np.inf)


@inner
def _add_variable(codes, sizes, weights, variable, depth, number, n_numbers, counts):
    """Number the combinations of states of the set at a depth and one variable more.

    The numbers go one deeper, in the order of the combinations; the counts stand first in counts.
    """
    size, coarse, fine = sizes[variable], number[depth], number[depth + 1]
    n_cells = n_numbers[depth] * size
    counts[:n_cells] = 0
    for row in range(len(coarse)):
        fine[row] = coarse[row] * size + codes[variable, row]
        counts[fine[row]] += 1 if weights is None else weights[row]
    new_number = np.empty(n_cells, np.int64)
    n_fine = 0
    for cell in range(n_cells):
        if counts[cell] > 0:
            new_number[cell] = n_fine
            counts[n_fine] = counts[cell]
            n_fine += 1
    for row in range(len(coarse)):
        fine[row] = new_number[fine[row]]
    n_numbers[depth + 1] = n_fine


@inner
def _set_terms(counts, members, n_cells, measure, ess, child_sizes, cells, rows):
    share = ess / n_cells
    cells[members] = 0.0
    rows[members] = 0.0
    for count in counts:
        cells[members] += _cell_term(count, measure, share)
        for place, r in enumerate(child_sizes):
            rows[members, place] += _row_term(count, measure, r, share)


@jit()
def subset_terms(codes, sizes, weights, begun, start, most, measure, ess, child_sizes, cells, rows):
    n_variables, n_rows = codes.shape
    # of the set at each depth: its combinations, and the next variable to add
    number = np.zeros((n_variables + 1, n_rows), np.int64)
    n_numbers, following = np.ones(n_variables + 1, np.int64), np.zeros(n_variables + 1, np.int64)
    counts = np.empty(n_rows * sizes.max(), np.int64)
    counts[0] = n_rows if weights is None else weights.sum()
    members, n_cells, depth = begun, 1.0, 0
    for variable in range(n_variables):
        if begun >> variable & 1:
            _add_variable(codes, sizes, weights, variable, depth, number, n_numbers, counts)
            n_cells, depth = n_cells * sizes[variable], depth + 1
    least = depth
    _set_terms(counts[: n_numbers[depth]], members, n_cells, measure, ess, child_sizes, cells, rows)
    following[depth] = start
    while True:
        variable = following[depth]
        if variable < n_variables and depth < most:
            _add_variable(codes, sizes, weights, variable, depth, number, n_numbers, counts)
            n_cells, depth = n_cells * sizes[variable], depth + 1
            members |= 1 << variable
            found = counts[: n_numbers[depth]]
            _set_terms(found, members, n_cells, measure, ess, child_sizes, cells, rows)
            following[depth] = variable + 1
        elif depth == least:
            return
        else:
            depth -= 1
            variable = following[depth]
            members ^= 1 << variable
            n_cells /= sizes[variable]
            following[depth] += 1
