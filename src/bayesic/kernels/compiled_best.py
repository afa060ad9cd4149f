# mypy: disallow-untyped-defs=False
"""The most probable states in a junction tree in Numba: what `trees.py` says, in plain numbers.

The arrays are those that `compiled_trees.py` describes; there is one lane.
"""

import math

import numpy as np

from bayesic.kernels.compiled_cliques import add_exponents, enter, hold, next_states, product
from bayesic.kernels.compiled_evidence import SEEN, mark_changed, observe, room
from bayesic.kernels.compiled_trees import collect, lent
from bayesic.kernels.compiled_views import DEEP, IMPOSSIBLE, POSSIBLE, SIZE, STATE, TOO_SMALL
from bayesic.kernels.jit import jit
from bayesic.kernels.trees import AXES

__all__ = ["DEEP", "IMPOSSIBLE", "POSSIBLE", "most_probable"]

LOG_2 = math.log(2.0)


def most_probable(plan, questions, evidence, states, log_largest, found):
    """The best states of each row, their log, and whether it is possible; see the reference.

    questions : none, for the room they need
    states    : int64 (n_rows, n_variables); log_largest : float64 (n_rows,)
    found     : uint8 (n_rows,), POSSIBLE, IMPOSSIBLE or DEEP
    """
    rows = room(plan, questions, np.empty(0), 1)
    _most_probable(
        (plan.cliques, plan.axes, plan.parts, plan.strides), tuple(evidence), rows,
        np.empty((0, 2), np.int64), (states, log_largest, found),
    )  # fmt: skip


@jit()
def _most_probable(plan, evidence, rows, no_prior, out):
    states, log_largest, all_found = out
    plan, rows, evidence = lent(plan, rows, evidence)
    _, _, known, _, _, _, found, _, _, _ = rows
    for row in range(len(states)):
        observe(evidence, rows, row, 1)
        mark_changed(plan, rows, False)
        collect(plan, rows, no_prior, 1, True)
        log_largest[row] = _take_best(plan, rows)
        all_found[row] = found[0]
        states[row] = known[:, SEEN]


@jit()
def _take_best(plan, rows):
    """From the root on each clique takes its best states; the log of the largest product."""
    cliques, axes, _, _ = plan
    _, _, known, _, exponents, _, found, _, block, local = rows
    log_largest = -np.inf
    n_cliques = len(cliques) - 1
    for clique in range(n_cliques):
        n_axes = enter(plan, rows, clique)
        add_exponents(plan, exponents, clique, n_cliques)
        first, n_held = cliques[clique, AXES], hold(local, n_axes, 1)
        largest = -1.0
        while True:
            n_cells, _ = product(plan, rows, clique, n_axes, n_held == 0, n_cliques, 1)
            cell = np.argmax(block[:n_cells])
            if block[cell] > largest:
                largest = block[cell]
                _put_states(axes[first : first + n_axes], known, local, cell)
            if not next_states(plan, rows, clique, n_held):
                break
        if clique == 0 and largest >= TOO_SMALL:
            log_largest = math.log(largest) + LOG_2 * exponents[n_cliques, 0]
        if largest < TOO_SMALL and found[0] == POSSIBLE:
            found[0] = IMPOSSIBLE if largest == 0.0 else DEEP
    return log_largest


@jit()
def _put_states(variables, known, local, cell):
    """Take the states that belong to this cell of the block."""
    for axis in range(len(variables) - 1, -1, -1):
        size = local[SIZE, axis]
        known[variables[axis], SEEN] = local[STATE, axis] + cell % size
        cell //= size
