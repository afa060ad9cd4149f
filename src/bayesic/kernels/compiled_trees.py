# mypy: disallow-untyped-defs=False
"""Messages in a junction tree in Numba: what `trees.py` says, in plain numbers instead of logs.

All tables and messages are at most 1, and what gets small is multiplied by powers of two, which is
exact. A row in which this is not enough is marked DEEP, and the reference computes it in logs.

Several rows, the lanes, are computed side by side. What they all observed alike shrinks the tables;
what only some observed multiplies them by 0 and 1. So one lane has the smallest tables, and many
lanes have the least to do beside multiplying: they are better where the whole tree is small.

A clique larger than a block is done in blocks: its first variables are held at each of their states
in turn. So no table of a whole large clique is ever in memory.

    plan      : (cliques, axes, parts, strides) of the `Plan`; questions : those of `Questions`
    rows      : (values, where, known, marks, exponents, found, scale, block, local)
    values    : float64, all tables and messages, from these places on: the tables of the plan, the
                messages without evidence (PRIOR), then with the lanes as last axis the messages UP
                and DOWN, what rows know each for itself (SOFT), and the ANSWERS
    where     : int64 (5,), these places
    known     : int64 (n_variables, 4): the N_STATES of each, the SEEN state that all rows observed
                or -1, whether something else IS_SOFT, and where that begins
    marks     : bool (n_cliques + n_questions, 2): whether the evidence CHANGED something below the
                separator, whether a clique is NEEDED for an answer; then which questions are OPEN
    exponents : int64 (n_cliques + 1, lanes), powers of two taken out of messages up, those below
                included
    found     : uint8 (lanes,), POSSIBLE, IMPOSSIBLE or DEEP
    scale     : float64 (lanes,); block : float64, part of the table of the clique at hand
    local     : int64 (6, n_axes), the axes of the clique at hand; see `compiled_views.py`
"""

import math

import numpy as np

from bayesic.kernels.compiled_evidence import (
    ANSWERS,
    BLOCK,
    CHANGED,
    DOWN,
    IS_SOFT,
    N_STATES,
    NEEDED,
    OPEN,
    PRIOR,
    SEEN,
    SOFT_PLACE,
    UP,
    mark_changed,
    mark_needed,
    observe,
    room,
)
from bayesic.kernels.compiled_views import (
    DEEP,
    HELD,
    IMPOSSIBLE,
    POSSIBLE,
    SIZE,
    STATE,
    TOO_SMALL,
    add_into,
    add_lanes,
    borrowed,
    clear,
    divide,
    multiply,
    normalise,
    rescale,
)
from bayesic.kernels.jit import jit
from bayesic.kernels.trees import (
    AXES,
    CHILDREN,
    FACTORS,
    FIRST_STRIDE,
    MESSAGE,
    N_CELLS,
    PARENT,
    PLACE,
    SEPARATOR,
    UPWARDS,
)

__all__ = ["DEEP", "IMPOSSIBLE", "POSSIBLE", "posteriors"]

OFTEN = 8  # tables between two looks at how small a product has become
LOG_2 = math.log(2.0)


def posteriors(plan, questions, evidence, prior, lanes, answers, log_total, found):
    """The answers of each row, the log of its sum, and whether it is possible; see the reference.

    prior     : messages without evidence and their exponents, None if there are none
    lanes     : how many rows to compute side by side
    answers   : float64 (n_rows, n_cells), zeros; log_total : float64 (n_rows,)
    found     : uint8 (n_rows,), POSSIBLE, IMPOSSIBLE or DEEP

    Returns the messages to the parents of the last rows, and their exponents.
    """
    values, exponents = (np.empty(0), np.empty(0, np.int64)) if prior is None else prior
    rows = room(plan, questions, values, lanes)
    _posteriors(
        (plan.cliques, plan.axes, plan.parts, plan.strides), tuple(questions), tuple(evidence),
        rows, exponents, lanes, (answers, log_total, found),
    )  # fmt: skip
    return rows[0][slice(*rows[1][[UP, DOWN]])], rows[4][:-1].ravel()


@jit()
def _posteriors(plan, questions, evidence, rows, prior_exponents, lanes, out):
    answers, log_total, all_found = out
    cliques, axes, parts, strides = plan
    plan = borrowed(cliques), borrowed(axes), borrowed(parts), borrowed(strides)
    first, asked, asked_strides = questions
    questions = borrowed(first), borrowed(asked), borrowed(asked_strides)
    values, where, known, marks, exponents, found, scale, block, local = rows
    rows = (
        borrowed(values), borrowed(where), borrowed(known), borrowed(marks), borrowed(exponents),
        borrowed(found), borrowed(scale), borrowed(block), borrowed(local),
    )  # fmt: skip
    states, soft_place, likelihoods = evidence
    evidence = borrowed(states), borrowed(soft_place), borrowed(likelihoods)
    log_totals = np.empty(lanes)
    for row in range(0, len(states), lanes):
        observe(evidence, rows, row, lanes)
        mark_changed(plan, rows, len(prior_exponents) > 0)
        _collect(plan, rows, borrowed(prior_exponents), lanes)
        mark_needed(plan, questions, rows, lanes)
        _distribute(plan, questions, rows, borrowed(log_totals), lanes)
        for lane in range(min(lanes, len(states) - row)):
            all_found[row + lane] = found[lane]
            log_total[row + lane] = -np.inf
            if found[lane] == POSSIBLE:
                log_total[row + lane] = log_totals[lane]
                for cell in range(answers.shape[1]):
                    answers[row + lane, cell] = values[where[ANSWERS] + cell * lanes + lane]


@jit()
def _collect(plan, rows, prior_exponents, lanes):
    """Messages from the leaves to the root."""
    cliques, _, _, strides = plan
    values, where, _, marks, all_exponents, found, scale, block, local = rows
    for clique in range(len(cliques) - 2, 0, -1):
        exponents = all_exponents[clique]
        if not marks[clique, CHANGED]:
            exponents[:] = prior_exponents[clique]
            continue
        place = where[UP] + cliques[clique, MESSAGE] * lanes
        first = cliques[clique, UPWARDS]
        n_axes = _enter(plan, rows, clique)
        _add_exponents(plan, all_exponents, clique, clique)
        clear(local, n_axes, lanes, values, place, strides, first)
        n_held = _hold(local, n_axes, lanes)
        while True:
            n_cells = _product(plan, rows, clique, n_axes, n_held == 0, clique, lanes)
            add_into(block, n_cells, local, n_axes, lanes, values, place, strides, first)
            if not _next_states(plan, rows, clique, n_held):
                break
        normalise(local, n_axes, lanes, values, place, strides, first, scale, exponents, found)


@jit()
def _distribute(plan, questions, rows, log_total, lanes):
    """Messages from the root to the leaves as far as needed, and the answers on the way."""
    cliques, _, _, _ = plan
    _, _, _, marks, exponents, found, _, block, local = rows
    n_cliques = len(cliques) - 1
    log_total[:] = 0.0
    for clique in range(n_cliques):
        if clique > 0 and not marks[clique, NEEDED]:
            continue
        n_axes = _enter(plan, rows, clique)
        _add_exponents(plan, exponents, clique, n_cliques)
        _clear_down(plan, rows, clique, n_axes, lanes)
        n_held = _hold(local, n_axes, lanes)
        while True:
            n_cells = _product(plan, rows, clique, n_axes, n_held == 0, n_cliques, lanes)
            _spread(plan, questions, rows, clique, n_axes, n_cells, lanes)
            if clique == 0:
                add_lanes(log_total, block, 0, n_cells)
            if not _next_states(plan, rows, clique, n_held):
                break
        if clique == 0:
            _finish_total(log_total, exponents[n_cliques], found)
        _finish_answers(questions, rows, clique, n_cliques, lanes)
        _finish_down(plan, rows, clique, n_axes, lanes)


@jit()
def _enter(plan, rows, clique):
    """Make this the clique at hand: its axes with what was observed; how many there are."""
    cliques, axes, _, _ = plan
    _, _, known, _, _, _, _, _, local = rows
    first = cliques[clique, AXES]
    n_axes = cliques[clique + 1, AXES] - first
    for axis in range(n_axes):
        variable = axes[first + axis]
        seen = known[variable, SEEN]
        local[STATE, axis] = max(seen, 0)
        local[SIZE, axis] = known[variable, N_STATES] if seen < 0 else 1
    return n_axes


@jit()
def _add_exponents(plan, exponents, clique, into):
    cliques, _, parts, _ = plan
    exponents[into] = 0
    for part in range(cliques[clique, CHILDREN], cliques[clique + 1, FACTORS]):
        for lane in range(exponents.shape[1]):
            exponents[into, lane] += exponents[parts[part, PLACE], lane]


@jit()
def _product(plan, rows, clique, n_axes, alone, into, lanes):
    """The product of all that the clique holds, in the block; how many cells it has.

    alone : whether this block is the whole clique; only then may its exponents, those of number
            `into`, change on the way
    """
    cliques, axes, parts, strides = plan
    values, where, known, marks, exponents, found, scale, block, local = rows
    n_cells, first = lanes, cliques[clique, FACTORS]
    for axis in range(n_axes):
        n_cells *= local[SIZE, axis]
    block[:n_cells] = 1.0
    for part in range(first, cliques[clique + 1, FACTORS]):
        place, width = parts[part, PLACE], 1
        if part >= cliques[clique, CHILDREN]:
            place, width = _message_of(cliques, where, marks, place, lanes)
        multiply(
            block, n_cells, local, n_axes, lanes,
            values, place, strides, parts[part, FIRST_STRIDE], width,
        )  # fmt: skip
        if alone and (part - first) % OFTEN == OFTEN - 1:
            rescale(block, n_cells, lanes, scale, exponents[into], found)
    if clique > 0 and marks[clique, NEEDED] and marks[cliques[clique, PARENT], NEEDED]:
        place = where[DOWN] + cliques[clique, MESSAGE] * lanes
        multiply(
            block, n_cells, local, n_axes, lanes,
            values, place, strides, cliques[clique, UPWARDS], lanes,
        )  # fmt: skip
    # what rows know each for itself, at the clique where its variable is not in the separator
    for axis in range(cliques[clique, SEPARATOR], n_axes):
        variable = axes[cliques[clique, AXES] + axis]
        if known[variable, IS_SOFT]:
            multiply(
                block, n_cells, local, n_axes, lanes,
                values, known[variable, SOFT_PLACE], strides, cliques[-1, UPWARDS] - axis, lanes,
            )  # fmt: skip
    return n_cells


@jit()
def _message_of(cliques, where, marks, child, lanes):
    """Where the message of a child is, and how many lanes it has: without evidence only one."""
    if marks[child, CHANGED]:
        return where[UP] + cliques[child, MESSAGE] * lanes, lanes
    return where[PRIOR] + cliques[child, MESSAGE], 1


@jit()
def _clear_down(plan, rows, clique, n_axes, lanes):
    cliques, _, parts, strides = plan
    values, where, _, marks, _, _, _, _, local = rows
    for part in range(cliques[clique, CHILDREN], cliques[clique + 1, FACTORS]):
        child = parts[part, PLACE]
        if marks[child, NEEDED]:
            place = where[DOWN] + cliques[child, MESSAGE] * lanes
            clear(local, n_axes, lanes, values, place, strides, parts[part, FIRST_STRIDE])


@jit()
def _spread(plan, questions, rows, clique, n_axes, n_cells, lanes):
    """Add the block to the open answers of the clique and to the messages to its children."""
    cliques, _, parts, strides = plan
    first, asked, asked_strides = questions
    values, where, _, marks, _, _, _, block, local = rows
    for question in range(first[clique], first[clique + 1]):
        if marks[len(cliques) - 1 + question, OPEN]:
            place = where[ANSWERS] + asked[question, PLACE] * lanes
            add_into(
                block, n_cells, local, n_axes, lanes,
                values, place, asked_strides, asked[question, FIRST_STRIDE],
            )  # fmt: skip
    for part in range(cliques[clique, CHILDREN], cliques[clique + 1, FACTORS]):
        child = parts[part, PLACE]
        if marks[child, NEEDED]:
            place = where[DOWN] + cliques[child, MESSAGE] * lanes
            add_into(
                block, n_cells, local, n_axes, lanes,
                values, place, strides, parts[part, FIRST_STRIDE],
            )  # fmt: skip


@jit()
def _finish_total(log_total, exponents, found):
    for lane in range(len(found)):
        total = log_total[lane]
        if total >= TOO_SMALL:
            log_total[lane] = math.log(total) + LOG_2 * exponents[lane]
        elif found[lane] == POSSIBLE:
            found[lane] = IMPOSSIBLE if total == 0.0 else DEEP


@jit()
def _finish_answers(questions, rows, clique, n_cliques, lanes):
    """Divide the open answers of the clique by their sums."""
    first_question, asked, _ = questions
    values, where, _, marks, _, found, scale, _, _ = rows
    for question in range(first_question[clique], first_question[clique + 1]):
        if not marks[n_cliques + question, OPEN]:
            continue
        first = where[ANSWERS] + asked[question, PLACE] * lanes
        last = first + asked[question, N_CELLS] * lanes
        scale[:] = 0.0
        add_lanes(scale, values, first, last)
        for lane in range(lanes):
            if scale[lane] < TOO_SMALL and found[lane] == POSSIBLE:
                found[lane] = DEEP
            if scale[lane] == 0.0:
                scale[lane] = 1.0
        for start in range(first, last, lanes):
            for lane in range(lanes):
                values[start + lane] /= scale[lane]


@jit()
def _finish_down(plan, rows, clique, n_axes, lanes):
    """Divide the messages to the children by the messages of the children."""
    cliques, _, parts, strides = plan
    values, where, _, marks, exponents, found, scale, _, local = rows
    for part in range(cliques[clique, CHILDREN], cliques[clique + 1, FACTORS]):
        child, first = parts[part, PLACE], parts[part, FIRST_STRIDE]
        if marks[child, NEEDED]:
            place = where[DOWN] + cliques[child, MESSAGE] * lanes
            by, width = _message_of(cliques, where, marks, child, lanes)
            divide(local, n_axes, lanes, values, place, by, width, strides, first)
            normalise(
                local, n_axes, lanes, values, place, strides, first, scale, exponents[-1], found
            )


@jit()
def _hold(local, n_axes, lanes):
    """Hold so many axes of the clique at state 0 that the others fit into a block; how many."""
    n_cells, n_held = float(lanes), 0
    for axis in range(n_axes):
        n_cells *= local[SIZE, axis]
    for axis in range(n_axes):
        if n_cells > BLOCK and local[SIZE, axis] > 1:
            n_cells /= local[SIZE, axis]
            local[SIZE, axis] = 1
            local[HELD, n_held] = axis
            n_held += 1
    return n_held


@jit()
def _next_states(plan, rows, clique, n_held):
    """The next states of the held axes; False when all were there, and they are free again."""
    cliques, axes, _, _ = plan
    _, _, known, _, _, _, _, _, local = rows
    first = cliques[clique, AXES]
    for number in range(n_held - 1, -1, -1):
        axis = local[HELD, number]
        local[STATE, axis] += 1
        if local[STATE, axis] < known[axes[first + axis], N_STATES]:
            return True
        local[STATE, axis] = 0
    for number in range(n_held):
        axis = local[HELD, number]
        local[SIZE, axis] = known[axes[first + axis], N_STATES]
    return False
