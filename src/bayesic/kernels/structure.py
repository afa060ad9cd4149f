"""Counting families of variables and scoring them, in NumPy: the specification.

`compiled_structure.py` holds the same functions in Numba. Shapes and names are the same in both:

    codes   : uint8 or uint16 (n_variables, n_rows), the number of each cell's state
    places  : the same, (n_rows, n_variables), where states are numbered on from variable to
              variable: what is counted together lies together
    sizes   : int64 (n_variables,), the number of states
    first   : int64 (n_variables + 1,), the place of the first state of each variable, and the end
    weights : int64 (n_rows,), how often each row occurs; None if once each
    measure : LIKELIHOOD, FACTORIALS or GAMMAS, what a family is scored by
    ess     : equivalent sample size, for GAMMAS alone

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

import numpy as np
from scipy.special import gammaln, xlogy

from bayesic.kernels import Array

__all__ = ["best_move", "closure", "count_cells", "subset_terms", "toggled_scores"]

LIKELIHOOD, FACTORIALS, GAMMAS = range(3)
ADD, DROP, TURN = range(3)


def count_cells(
    codes: Array, sizes: Array, weights: Array | None, variables: Array, counts: Array
) -> None:
    """Count how often each combination of states of some variables occurs.

    variables : int64 (n,), the last one fastest
    counts    : int64 (product of their sizes,), zeros that are filled in place
    """
    cells = np.zeros(codes.shape[1], np.int64)
    for variable in variables:
        cells = cells * sizes[variable] + codes[variable]
    if weights is None:
        counts += np.bincount(cells, minlength=len(counts))
    else:
        np.add.at(counts, cells, weights)


def cell_terms(counts: Array, measure: int, share: float) -> float:
    """The sum over cells of a table; share : ess / q r."""
    counts = counts[counts > 0].astype(np.float64)
    if measure == LIKELIHOOD:
        return float(xlogy(counts, counts).sum())
    if measure == FACTORIALS:
        return float(gammaln(counts + 1).sum())
    return float((gammaln(counts + share) - gammaln(share)).sum())


def row_terms(totals: Array, measure: int, r: int, share: float) -> float:
    """The sum over rows of a table, which is taken away; share : ess / q."""
    totals = totals[totals > 0].astype(np.float64)
    if measure == LIKELIHOOD:
        return float(xlogy(totals, totals).sum())
    if measure == FACTORIALS:
        return float((gammaln(totals + r) - gammaln(r)).sum())
    return float((gammaln(totals + share) - gammaln(share)).sum())


def toggled_scores(
    codes: Array,
    places: Array,
    sizes: Array,
    first: Array,
    weights: Array | None,
    child: int,
    parents: Array,
    measure: int,
    ess: float,
    counts: Array,
    scores: Array,
) -> None:
    """Scores of the families of a child in which one variable more, or less, is a parent.

    parents : int64 (n_parents,)
    counts  : int32 or int64, room for combinations of states of the child and the parents times
              the states of all variables
    scores  : float64 (n_variables,), filled in place; that of the child itself: the family as it is
    """
    for other in range(len(sizes)):
        family = [parent for parent in parents.tolist() if parent != other]
        if other != child and len(family) == len(parents):
            family.append(other)
        family.append(child)
        table = np.zeros(int(np.prod(sizes[family])), np.int64)
        count_cells(codes, sizes, weights, np.array(family), table)
        r = int(sizes[child])
        share = ess / len(table)
        totals = table.reshape(-1, r).sum(axis=1)
        scores[other] = cell_terms(table, measure, share)
        scores[other] -= row_terms(totals, measure, r, share * r)


def closure(parents: Array, reach: Array) -> None:
    """Fill reach[a, b]: whether edges lead from a to b. parents : bool (n, n), [child, parent]."""
    reach[:] = parents.T
    for middle in range(len(reach)):
        reach[reach[:, middle]] |= reach[middle]


def best_move(
    gains: Array,
    parents: Array,
    reach: Array,
    addable: Array,
    fixed: Array,
    most_parents: int,
    closed: Array,
    step: int,
    needed: float,
    tolerance: float,
) -> tuple[int, int, int, float]:
    """The change of one edge that gains most: ADD, DROP or TURN, child, parent, and the gain.

    gains   : float64 (n, n), [child, parent], the gain of adding or dropping the edge
    reach   : bool (n, n), [from, to], see `closure`
    addable : bool (n, n), [child, parent], edges that may be there; fixed : those that must be
    closed  : int64 (n, n), [child, parent], the first step in which it may be changed again, unless
              the gain is more than needed

    Of those within the tolerance of the best, it is the first. The gain is -inf if there is none.
    """
    free = closed <= step
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
    codes: Array,
    sizes: Array,
    weights: Array | None,
    begun: int,
    start: int,
    most: int,
    measure: int,
    ess: float,
    child_sizes: Array,
    cells: Array,
    rows: Array,
) -> None:
    """The terms of all sets of variables, from which the score of every family follows.

    The score of a family is the cell terms of its variables less the row terms of its parents.

    begun       : the sets have these variables, given as bits, and any of those from `start` on
    most        : no set has more variables; begun has not either
    child_sizes : int64 (n_sizes,), numbers of states of a child
    cells       : float64 (2 ** n_variables,), filled in place for these sets, numbered by bits
    rows        : float64 (2 ** n_variables, n_sizes), the same for a child of each size
    """
    n_variables = len(sizes)
    number = np.zeros(codes.shape[1], np.int64)
    n_cells = 1.0
    for variable in range(n_variables):
        if begun >> variable & 1:
            number, n_cells = _refined(number, codes, variable, sizes), n_cells * sizes[variable]
    to_visit = [(begun, start, number, n_cells)]
    while to_visit:
        members, after, number, n_cells = to_visit.pop()
        if int(members).bit_count() > most:
            continue
        counts = np.zeros(int(number.max()) + 1, np.int64)
        np.add.at(counts, number, 1 if weights is None else weights)
        cells[members] = cell_terms(counts, measure, ess / n_cells)
        for place, r in enumerate(child_sizes.tolist()):
            rows[members, place] = row_terms(counts, measure, r, ess / n_cells)
        for variable in range(after, n_variables):
            finer = _refined(number, codes, variable, sizes)
            to_visit.append(
                (members | 1 << variable, variable + 1, finer, n_cells * sizes[variable])
            )


def _refined(number: Array, codes: Array, variable: int, sizes: Array) -> Array:
    """The number of each row's combination of states, with one variable more."""
    return np.unique(number * sizes[variable] + codes[variable], return_inverse=True)[1]
