# mypy: disallow-untyped-defs=False
"""Rows of evidence for the compiled junction tree: room for them, and what they ask and know.

The arrays are those that `compiled_trees.py` describes.
"""

import math

import numpy as np

from bayesic.kernels.compiled_views import POSSIBLE
from bayesic.kernels.jit import jit
from bayesic.kernels.trees import AXES, FIRST_STRIDE, MESSAGE, N_CELLS, PARENT, PLACE, SEPARATOR

BLOCK = 4096  # cells: 32 kB, which stay in the processor's first cache

PRIOR, UP, DOWN, SOFT, ANSWERS = range(5)  # of where
N_STATES, SEEN, IS_SOFT, SOFT_PLACE, SOFT_LOW = range(5)  # columns of known
UPWARD, DOWNWARD = range(2)  # columns of lows
CHANGED, NEEDED, OPEN = 0, 1, 0  # columns of marks


def room(plan, questions, prior, lanes):
    """Room for the rows that are computed side by side."""
    n_cliques, n_cells = len(plan.cliques) - 1, int(plan.cliques[-1, MESSAGE])
    n_answers = int(questions.asked[:, N_CELLS].sum())
    largest = int(plan.sizes.max(initial=1))
    n_axes = int(np.diff(plan.cliques[:, AXES]).max()) + 2
    lengths = [
        len(plan.tables), len(prior), n_cells * lanes, n_cells * lanes,
        int(plan.sizes.sum()) * lanes, n_answers * lanes,
    ]  # fmt: skip
    where = np.cumsum(lengths)
    values = np.empty(where[-1])
    values[: where[PRIOR]] = plan.tables
    values[where[PRIOR] : where[UP]] = prior
    known = np.zeros((len(plan.sizes), 5), np.int64)
    known[:, N_STATES] = plan.sizes
    known[:, SOFT_PLACE] = where[SOFT] + lanes * (np.cumsum(plan.sizes) - plan.sizes)
    marks = np.zeros((n_cliques + len(questions.asked), 2), np.bool_)
    exponents = np.zeros((n_cliques + 1, lanes), np.int64)
    lows = np.zeros((n_cliques, 2), np.int64)
    found, scale = np.zeros(lanes, np.uint8), np.zeros(lanes)
    block = np.empty(max(BLOCK, lanes * largest))
    local = np.empty((6, n_axes), np.int64)
    return values, where, known, marks, exponents, lows, found, scale, block, local


@jit()
def observe(evidence, rows, first, lanes):
    """Put in the evidence of the next rows; if fewer are left, the last one is repeated."""
    states, soft_place, likelihoods = evidence
    values, where, known, _, _, _, found, _, _, _ = rows
    found[:] = POSSIBLE
    values[where[ANSWERS] :] = 0.0
    last = len(states) - 1
    for variable in range(len(known)):
        common, observed = states[first, variable], False
        for lane in range(lanes):
            state = states[min(first + lane, last), variable]
            observed = observed or state >= 0
            if state != common:
                common = -1
        place = soft_place[variable]
        known[variable, SEEN] = common
        known[variable, IS_SOFT] = place >= 0 or (observed and common < 0)
        if not known[variable, IS_SOFT]:
            continue
        least = 1.0
        for lane in range(lanes):
            row = min(first + lane, last)
            for state in range(known[variable, N_STATES]):
                agrees = states[row, variable] < 0 or states[row, variable] == state
                value = 1.0 if agrees else 0.0
                if place >= 0:
                    value *= likelihoods[row % len(likelihoods), place + state]
                values[known[variable, SOFT_PLACE] + state * lanes + lane] = value
                least = min(least, value) if value > 0.0 else least
        known[variable, SOFT_LOW] = math.frexp(least)[1] - 1


@jit()
def mark_changed(plan, rows, has_prior):
    cliques, axes, _, _ = plan
    _, _, known, marks, _, _, _, _, _, _ = rows
    marks[:, CHANGED] = not has_prior
    marks[:, NEEDED] = False  # on the way up nothing comes from above
    for clique in range(len(cliques) - 2, 0, -1):
        first = cliques[clique, AXES] + cliques[clique, SEPARATOR]
        for axis in range(first, cliques[clique + 1, AXES]):
            variable = axes[axis]
            if known[variable, SEEN] >= 0 or known[variable, IS_SOFT]:
                marks[clique, CHANGED] = True
        if marks[clique, CHANGED]:
            marks[cliques[clique, PARENT], CHANGED] = True


@jit()
def mark_needed(plan, questions, rows, lanes):
    """Answer what was observed; mark the cliques where the other answers are, and those above."""
    cliques, axes, _, _ = plan
    first_question, asked, asked_strides = questions
    values, where, known, marks, _, _, _, _, _, _ = rows
    n_cliques = len(cliques) - 1
    for clique in range(n_cliques - 1, -1, -1):
        first, last = cliques[clique, AXES], cliques[clique + 1, AXES]
        for question in range(first_question[clique], first_question[clique + 1]):
            stride_at, place = asked[question, FIRST_STRIDE], asked[question, PLACE]
            is_open = False
            for axis in range(first, last):
                stride, seen = asked_strides[stride_at + axis - first], known[axes[axis], SEEN]
                is_open = is_open or (stride != 0 and seen < 0)
                place += max(seen, 0) * stride
            marks[n_cliques + question, OPEN] = is_open
            if is_open:
                marks[clique, NEEDED] = True
            else:
                at = where[ANSWERS] + place * lanes
                values[at : at + lanes] = 1.0
        # a clique whose separator is observed hears nothing of its parent
        for axis in range(first, first + cliques[clique, SEPARATOR]):
            if marks[clique, NEEDED] and known[axes[axis], SEEN] < 0:
                marks[cliques[clique, PARENT], NEEDED] = True
