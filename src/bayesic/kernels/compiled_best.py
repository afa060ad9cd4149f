# mypy: disallow-untyped-defs=False
"""The most probable states in a junction tree in Numba: what `trees.py` says, in plain numbers."""

import math

import numpy as np

from bayesic.kernels.compiled_trees import (
    AXES,
    DOWN,
    LENGTH,
    LOG_2,
    LOWEST,
    SOFT,
    STATE,
    UP,
    collect,
    enter,
    next_states,
    observe,
    product,
    room,
)
from bayesic.kernels.jit import inner, jit

__all__ = ["most_probable"]


def most_probable(plan, questions, evidence, states, log_largest, left):
    """The best states of each row, their log, and which rows are left to the reference.

    questions : none, for the room they need
    states    : int64 (n_rows, n_variables); log_largest : float64 (n_rows,)
    left      : bool (n_rows,)
    """
    tree, work, places = room(plan, questions, evidence)
    _most_probable(
        tree, work, places, evidence.states, evidence.likelihoods, states, log_largest, left
    )


@jit()
def _most_probable(tree, work, places, observed, likelihoods, states, log_largest, left):
    seen, to_down = work[1], places[DOWN] - places[UP]
    for row in range(len(observed)):
        observe(work, places[SOFT], observed[row], likelihoods[row % len(likelihoods)])
        left[row] = collect(tree, work, to_down, True)
        if not left[row]:
            left[row], log_largest[row] = _take_best(tree, work, to_down)
            for variable in range(len(seen)):
                states[row, variable] = seen[variable]


@inner
def _take_best(tree, work, to_down):
    """From the root on each clique takes its best states; whether a number was lost, the log."""
    block, log_largest = work[8], -np.inf
    for clique in range(len(tree[1]) - 1):
        n_cells, n_held = enter(tree, work, clique)
        largest = -1.0
        while True:
            low, exponent = product(tree, work, clique, n_cells, to_down)
            if low < LOWEST:
                return True, -np.inf
            best = 0
            for cell in range(n_cells):
                best = cell if block[cell] > block[best] else best
            if block[best] > largest:
                largest = block[best]
                _put_states(tree, work, clique, best)
            if not next_states(tree, work, clique, n_held):
                break
        if clique == 0 and largest > 0.0:
            log_largest = math.log(largest) + LOG_2 * exponent
    return False, log_largest


@inner
def _put_states(tree, work, clique, cell):
    """Take the states that belong to this cell of the block."""
    _, cliques, axes, _, _ = tree
    seen, local, begin = work[1], work[4], cliques[clique, AXES]
    for axis in range(cliques[clique + 1, AXES] - 1, begin - 1, -1):
        length = local[LENGTH, axis - begin]
        seen[axes[axis]] = local[STATE, axis - begin] + cell % length
        cell //= length
