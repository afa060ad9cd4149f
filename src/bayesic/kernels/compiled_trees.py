# mypy: disallow-untyped-defs=False
"""Messages in a junction tree in Numba: what `trees.py` says, in plain numbers instead of logs.

All tables and messages are at most 1, and what gets small is multiplied by powers of two, which is
exact. A row that would lose a number other than 0 is marked DEEP, and the reference computes it in
logs: lows say how small numbers can have become, and where they say too small, all are looked at.

Several rows, the lanes, are computed side by side. What they all observed alike shrinks the tables;
what only some observed multiplies them by 0 and 1. So one lane has the smallest tables, and many
lanes have the least to do beside multiplying: they are better where the whole tree is small.

A clique larger than a block is done in blocks: its first variables are held at each of their states
in turn. So no table of a whole large clique is ever in memory.

    plan      : (cliques, axes, parts, strides) of the `Plan`; questions : those of `Questions`
    rows      : (values, where, known, marks, exponents, lows, found, scale, block, local)
    values    : float64, all tables and messages, from these places on: the tables of the plan, the
                messages without evidence (PRIOR), then with the lanes as last axis the messages UP
                and DOWN, what rows know each for itself (SOFT), and the ANSWERS
    where     : int64 (5,), these places
    known     : int64 (n_variables, 5): the N_STATES of each, the SEEN state that all rows observed
                or -1, whether something else IS_SOFT, where that begins and its low
    marks     : bool (n_cliques + n_questions, 2): whether the evidence CHANGED something below the
                separator, whether a clique is NEEDED for an answer; then which questions are OPEN
    exponents : int64 (n_cliques + 1, lanes), powers of two taken out of messages up, those below
                included
    lows      : int64 (n_cliques, 2), no number but 0 in the message UPWARD and DOWNWARD is below
                two to this power
    found     : uint8 (lanes,), POSSIBLE, IMPOSSIBLE or DEEP
    scale     : float64 (lanes,); block : float64, part of the table of the clique at hand
    local     : int64 (6, n_axes), the axes of the clique at hand; see `compiled_views.py`
"""

import math

import numpy as np

from bayesic.kernels.compiled_cliques import (
    add_exponents,
    enter,
    hold,
    message_of,
    next_states,
    product,
)
from bayesic.kernels.compiled_evidence import (
    ANSWERS,
    CHANGED,
    DOWN,
    DOWNWARD,
    NEEDED,
    OPEN,
    UP,
    UPWARD,
    mark_changed,
    mark_needed,
    observe,
    room,
)
from bayesic.kernels.compiled_views import (
    DEEP,
    IMPOSSIBLE,
    POSSIBLE,
    TOO_SMALL,
    add_into,
    add_lanes,
    borrowed,
    clear,
    divide,
    normalise,
    take_largest,
)
from bayesic.kernels.jit import jit
from bayesic.kernels.trees import (
    CHILDREN,
    FACTORS,
    FIRST_STRIDE,
    MESSAGE,
    N_CELLS,
    PLACE,
    UPWARDS,
)

__all__ = ["DEEP", "IMPOSSIBLE", "POSSIBLE", "posteriors"]

LOG_2 = math.log(2.0)


def posteriors(plan, questions, evidence, weights, prior, lanes, answers, log_total, found):
    """The answers of each row, the log of its sum, and whether it is possible; see the reference.

    weights   : None, or float64 (n_rows,): then the answers of all rows are added up
    prior     : messages without evidence, their exponents and lows, None if there are none
    lanes     : how many rows to compute side by side
    answers   : float64 (n_rows, n_cells), or with weights (1, n_cells), zeros
    log_total : float64 (n_rows,)
    found     : uint8 (n_rows,), POSSIBLE, IMPOSSIBLE or DEEP

    Returns the messages to the parents of the last rows, their exponents and lows.
    """
    values, exponents = (np.empty(0), np.empty((0, 2), np.int64)) if prior is None else prior
    weights = np.empty(0) if weights is None else weights
    rows = room(plan, questions, values, lanes)
    _posteriors(
        (plan.cliques, plan.axes, plan.parts, plan.strides), tuple(questions), tuple(evidence),
        rows, exponents, lanes, (answers, weights, log_total, found),
    )  # fmt: skip
    messages, where, _, _, exponents, lows, _, _, _, _ = rows
    return messages[where[UP] : where[DOWN]], np.stack((exponents[:-1, 0], lows[:, UPWARD]), axis=1)


@jit()
def _posteriors(plan, questions, evidence, rows, prior_exponents, lanes, out):
    first, asked, asked_strides = questions
    questions = borrowed(first), borrowed(asked), borrowed(asked_strides)
    plan, rows, evidence = lent(plan, rows, evidence)
    states = evidence[0]
    log_totals = np.empty(lanes)
    for row in range(0, len(states), lanes):
        observe(evidence, rows, row, lanes)
        mark_changed(plan, rows, len(prior_exponents) > 0)
        collect(plan, rows, borrowed(prior_exponents), lanes, False)
        mark_needed(plan, questions, rows, lanes)
        _distribute(plan, questions, rows, borrowed(log_totals), lanes)
        _write(rows, row, min(lanes, len(states) - row), lanes, log_totals, out)


@jit()
def lent(plan, rows, evidence):
    """The same arrays, borrowed."""
    cliques, axes, parts, strides = plan
    values, where, known, marks, exponents, lows, found, scale, block, local = rows
    states, soft_place, likelihoods = evidence
    return (
        (borrowed(cliques), borrowed(axes), borrowed(parts), borrowed(strides)),
        (
            borrowed(values), borrowed(where), borrowed(known), borrowed(marks),
            borrowed(exponents), borrowed(lows), borrowed(found), borrowed(scale),
            borrowed(block), borrowed(local),
        ),
        (borrowed(states), borrowed(soft_place), borrowed(likelihoods)),
    )  # fmt: skip


@jit()
def _write(rows, row, n_rows, lanes, log_totals, out):
    """Copy the answers of the rows at hand, or add them up by their weights."""
    values, where, _, _, _, _, found, scale, _, _ = rows
    answers, weights, log_total, all_found = out
    scale[:] = 0.0
    for lane in range(n_rows):
        all_found[row + lane] = found[lane]
        log_total[row + lane] = -np.inf
        if found[lane] == POSSIBLE:
            log_total[row + lane] = log_totals[lane]
            if len(weights) > 0:
                scale[lane] = weights[row + lane]
                continue
            for cell in range(answers.shape[1]):
                answers[row + lane, cell] = values[where[ANSWERS] + cell * lanes + lane]
    if len(weights) > 0:
        for cell in range(answers.shape[1]):
            first = where[ANSWERS] + cell * lanes
            for lane in range(lanes):
                if scale[lane] > 0.0:
                    answers[0, cell] += scale[lane] * values[first + lane]


@jit()
def collect(plan, rows, prior_exponents, lanes, maximum):
    """Messages from the leaves to the root; maxima in place of sums only with one lane."""
    cliques, _, _, strides = plan
    values, where, _, marks, all_exponents, lows, found, scale, block, local = rows
    for clique in range(len(cliques) - 2, 0, -1):
        exponents = all_exponents[clique]
        if not marks[clique, CHANGED]:
            exponents[:] = prior_exponents[clique, 0]
            lows[clique, UPWARD] = prior_exponents[clique, 1]
            continue
        place = where[UP] + cliques[clique, MESSAGE] * lanes
        first = cliques[clique, UPWARDS]
        n_axes = enter(plan, rows, clique)
        add_exponents(plan, all_exponents, clique, clique)
        clear(local, n_axes, lanes, values, place, strides, first)
        n_held, low = hold(local, n_axes, lanes), 0
        while True:
            n_cells, here = product(plan, rows, clique, n_axes, n_held == 0, clique, lanes)
            low = min(low, here)
            if maximum:
                take_largest(block, n_cells, local, n_axes, values, place, strides, first)
            else:
                add_into(block, n_cells, local, n_axes, lanes, values, place, strides, first)
            if not next_states(plan, rows, clique, n_held):
                break
        lows[clique, UPWARD] = normalise(
            local, n_axes, lanes, values, place, strides, first, scale, exponents, found, low
        )


@jit()
def _distribute(plan, questions, rows, log_total, lanes):
    """Messages from the root to the leaves as far as needed, and the answers on the way."""
    cliques, _, _, _ = plan
    _, _, _, marks, exponents, _, found, _, block, local = rows
    n_cliques = len(cliques) - 1
    log_total[:] = 0.0
    for clique in range(n_cliques):
        if clique > 0 and not marks[clique, NEEDED]:
            continue
        n_axes = enter(plan, rows, clique)
        add_exponents(plan, exponents, clique, n_cliques)
        _clear_down(plan, rows, clique, n_axes, lanes)
        n_held, low = hold(local, n_axes, lanes), 0
        while True:
            n_cells, here = product(plan, rows, clique, n_axes, n_held == 0, n_cliques, lanes)
            low = min(low, here)
            _spread(plan, questions, rows, clique, n_axes, n_cells, lanes)
            if clique == 0:
                add_lanes(log_total, block, 0, n_cells)
            if not next_states(plan, rows, clique, n_held):
                break
        if clique == 0:
            _finish_total(log_total, exponents[n_cliques], found)
        _finish_answers(questions, rows, clique, n_cliques, lanes)
        _finish_down(plan, rows, clique, n_axes, lanes, low)


@jit()
def _clear_down(plan, rows, clique, n_axes, lanes):
    cliques, _, parts, strides = plan
    values, where, _, marks, _, _, _, _, _, local = rows
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
    values, where, _, marks, _, _, _, _, block, local = rows
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
    values, where, _, marks, _, _, found, scale, _, _ = rows
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
def _finish_down(plan, rows, clique, n_axes, lanes, low):
    """Divide the messages to the children by the messages of the children."""
    cliques, _, parts, strides = plan
    values, where, _, marks, exponents, lows, found, scale, _, local = rows
    for part in range(cliques[clique, CHILDREN], cliques[clique + 1, FACTORS]):
        child, first = parts[part, PLACE], parts[part, FIRST_STRIDE]
        if marks[child, NEEDED]:
            place = where[DOWN] + cliques[child, MESSAGE] * lanes
            by, width = message_of(cliques, where, marks, child, lanes)
            divide(local, n_axes, lanes, values, place, by, width, strides, first)
            # what it was divided by is at most 1, so nothing got smaller
            lows[child, DOWNWARD] = normalise(
                local, n_axes, lanes, values, place, strides, first,
                scale, exponents[-1], found, low,
            )  # fmt: skip
