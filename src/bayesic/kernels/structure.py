"""Counting families of variables and scoring them, in NumPy: the specification.

`_compiled_structure.py` holds the same functions in Numba, with the same arguments.

The score of a family, a variable of r states and its parents with q combinations of states, is a
sum over the cells and rows of its table of counts. N_jk counts state k in combination j, and N_j
is the sum of N_jk over k:

    LIKELIHOOD    sum of N_jk log N_jk                        - sum of N_j log N_j
    FACTORIALS    sum of log N_jk!                            - sum of log (N_j + r - 1)! / (r - 1)!
    GAMMAS        sum of log G(N_jk + ess / q r) / G(ess / q r)
                                                 - sum of log G(N_j + ess / q) / G(ess / q)

The second is [CooperHerskovits] eq. 8, the third is [Heckerman] eq. 28 with uniform priors; G is
the gamma function. What never occurs adds nothing to any of them.
"""

from typing import NamedTuple

import numpy as np
from scipy.special import gammaln, xlogy

from bayesic.kernels import Array

__all__ = ["best_move", "closure", "count_cells", "subset_terms", "toggled_scores"]

LIKELIHOOD, FACTORIALS, GAMMAS = range(3)
ADD, DROP, TURN = range(3)


class StateRows(NamedTuple):
    """Rows of states, to be counted."""

    codes: Array  # uint8 or uint16 (n_variables, n_rows), the number of each cell's state
    sizes: Array  # int64 (n_variables,), the number of states
    weights: Array  # int64 (n_rows,), how often each row occurs; empty if once each


class StateColumns(NamedTuple):
    """The same rows with a column for each state of each variable: one count takes in all."""

    columns: Array  # uint (n_rows, n_variables), the column of each cell
    first: Array  # int64 (n_variables + 1,), the first column of each variable, and the end


class Measure(NamedTuple):
    """What a family is scored by."""

    kind: int  # LIKELIHOOD, FACTORIALS or GAMMAS
    ess: float  # equivalent sample size, for GAMMAS alone


class SearchGraph(NamedTuple):
    """The edges of a structure and those that it may get: bool (n, n), [child, parent]."""

    parents: Array
    reach: Array  # [from, to], see `closure`
    addable: Array  # edges that may be there
    fixed: Array  # edges that must be there
    most_parents: int


class Tabu(NamedTuple):
    """Edges that were just changed are not changed back at once, unless that gains much."""

    closed: Array  # int64 (n, n), [child, parent], the first step in which it may be changed again
    step: int
    needed: float  # a gain above this is always allowed


class SetsOfVariables(NamedTuple):
    """The sets that have the variables in `begun` and any of those from `start` on."""

    begun: int  # as bits
    start: int
    most: int  # variables of a set; begun has no more


def count_cells(rows: StateRows, variables: Array, counts: Array) -> None:
    """Count how often each combination of states of some variables occurs.

    variables : int64 (n,), the last one fastest
    counts    : int64 (product of their sizes,), zeros that are filled in place
    """
    cells = np.zeros(rows.codes.shape[1], np.int64)
    for variable in variables:
        cells = cells * rows.sizes[variable] + rows.codes[variable]
    np.add.at(counts, cells, rows.weights if len(rows.weights) else 1)


def cell_terms(counts: Array, kind: int, share: float) -> float:
    """The sum over cells of a table; share : ess / q r."""
    counts = counts[counts > 0].astype(np.float64)
    if kind == LIKELIHOOD:
        return float(xlogy(counts, counts).sum())
    if kind == FACTORIALS:
        return float(gammaln(counts + 1).sum())
    return float((gammaln(counts + share) - gammaln(share)).sum())


def row_terms(totals: Array, kind: int, r: int, share: float) -> float:
    """The sum over rows of a table, which is taken away; share : ess / q."""
    totals = totals[totals > 0].astype(np.float64)
    if kind == LIKELIHOOD:
        return float(xlogy(totals, totals).sum())
    if kind == FACTORIALS:
        return float((gammaln(totals + r) - gammaln(r)).sum())
    return float((gammaln(totals + share) - gammaln(share)).sum())


def toggled_scores(
    rows: StateRows,
    states: StateColumns,
    child: int,
    parents: Array,
    measure: Measure,
    counts: Array,
    scores: Array,
) -> None:
    """Scores of the families of a child in which one variable more, or less, is a parent.

    parents : int64 (n_parents,)
    counts  : int32 or int64, room for combinations of states of the child and the parents times
              the states of all variables; the compiled twin counts there, by `states`
    scores  : float64 (n_variables,), filled in place; that of the child itself: the family as it is
    """
    for other in range(len(rows.sizes)):
        family = [parent for parent in parents.tolist() if parent != other]
        if other != child and len(family) == len(parents):
            family.append(other)
        family.append(child)
        table = np.zeros(int(np.prod(rows.sizes[family])), np.int64)
        count_cells(rows, np.array(family), table)
        r = int(rows.sizes[child])
        share = measure.ess / len(table)
        totals = table.reshape(-1, r).sum(axis=1)
        scores[other] = cell_terms(table, measure.kind, share)
        scores[other] -= row_terms(totals, measure.kind, r, share * r)


def closure(parents: Array, reach: Array) -> None:
    """Fill reach[a, b]: whether edges lead from a to b. parents : bool (n, n), [child, parent]."""
    reach[:] = parents.T
    for middle in range(len(reach)):
        reach[reach[:, middle]] |= reach[middle]


def best_move(
    gains: Array, graph: SearchGraph, tabu: Tabu, tolerance: float
) -> tuple[int, int, int, float]:
    """The change of one edge that gains most: ADD, DROP or TURN, child, parent, and the gain.

    gains : float64 (n, n), [child, parent], the gain of adding or dropping the edge

    Of those within the tolerance of the best, it is the first. The gain is -inf if there is none.
    """
    parents, reach, addable, fixed, most_parents = graph
    free, needed = tabu.closed <= tabu.step, tabu.needed
    both = gains + gains.T
    room = (parents.sum(axis=1) < most_parents)[:, None]
    movable = parents & ~fixed
    # another way from the parent to the child, besides the edge
    around = (parents.T.astype(np.float32) @ reach.astype(np.float32) > 0).T
    addition = ~parents & addable & ~reach & room & (free | (gains > needed))
    np.fill_diagonal(addition, False)
    drop = movable & (free | (gains > needed))
    turn = movable & addable.T & ~around & room.T & ((free & free.T) | (both > needed))
    moves = np.full((3, *gains.shape), -np.inf)
    moves[ADD][addition] = gains[addition]
    moves[DROP][drop] = gains[drop]
    moves[TURN][turn] = both[turn]
    best = moves.max()
    if best == -np.inf:
        return ADD, 0, 0, -np.inf
    kind, child, parent = np.argwhere(moves >= best - tolerance)[0].tolist()
    return kind, child, parent, float(moves[kind, child, parent])


def subset_terms(
    rows: StateRows,
    sets: SetsOfVariables,
    measure: Measure,
    child_sizes: Array,
    of_cells: Array,
    of_rows: Array,
) -> None:
    """The terms of all sets of variables, from which the score of every family follows.

    The score of a family is the cell terms of its variables less the row terms of its parents.

    child_sizes : int64 (n_sizes,), numbers of states of a child
    of_cells    : float64 (2 ** n_variables,), filled in place for these sets, numbered by bits
    of_rows     : float64 (2 ** n_variables, n_sizes), the same for a child of each size
    """
    n_variables = len(rows.sizes)
    number = np.zeros(rows.codes.shape[1], np.int64)
    n_cells = 1.0
    for variable in range(n_variables):
        if sets.begun >> variable & 1:
            number, n_cells = _refined(number, rows, variable), n_cells * rows.sizes[variable]
    to_visit = [(sets.begun, sets.start, number, n_cells)]
    while to_visit:
        members, after, number, n_cells = to_visit.pop()
        if int(members).bit_count() > sets.most:
            continue
        counts = np.zeros(int(number.max()) + 1, np.int64)
        np.add.at(counts, number, rows.weights if len(rows.weights) else 1)
        share = measure.ess / n_cells
        of_cells[members] = cell_terms(counts, measure.kind, share)
        for index, r in enumerate(child_sizes.tolist()):
            of_rows[members, index] = row_terms(counts, measure.kind, r, share)
        for variable in range(after, n_variables):
            finer = _refined(number, rows, variable)
            more_cells = n_cells * rows.sizes[variable]
            to_visit.append((members | 1 << variable, variable + 1, finer, more_cells))


def _refined(number: Array, rows: StateRows, variable: int) -> Array:
    """The number of each row's combination of states, with one variable more."""
    finer = number * rows.sizes[variable] + rows.codes[variable]
    return np.unique(finer, return_inverse=True)[1]
