# mypy: disallow-untyped-defs=False
"""Messages in a large junction tree in Numba: what `trees.py` says, in plain numbers, not in logs.

What a row observed shrinks every table to the cells that agree with it. No table of a whole large
clique is ever in memory: see `_compiled_cliques.py`, where `tree` and `work` are explained. Small
trees have all indices of their cells made once, in `_compiled_passes.py`, which is twice as fast;
see `networks/_engine/propagation.py`.
"""

import math

import numpy as np

from bayesic.kernels._compiled_cliques import (
    ANSWER,
    BLOCK,
    CHILD,
    DOWN_LOW,
    EXPONENT,
    FIRST_VIEW,
    HEARS,
    INDEX,
    LARGEST,
    NEEDED,
    NUMBER,
    OWN,
    ROLE,
    STATES,
    STRIDES,
    SUM,
    TABLE,
    UP_LOW,
    message_cells,
    normalise,
    visit,
)
from bayesic.kernels._compiled_passes import LOG_2
from bayesic.kernels._jit import inlined, jit, lent
from bayesic.kernels.trees import (
    AXES,
    CHILDREN,
    FACTORS,
    MESSAGE,
    N_CELLS,
    PARENT,
    SEPARATOR,
    UPWARDS,
)

__all__ = ["most_probable", "posteriors"]

UP, DOWN, SOFT, ANSWERS = range(4)  # of starts: where these begin among the values


def posteriors(plan, questions, evidence, weights, answers, log_total, left):
    """The answers of each row, the log of its sum, and which rows are left to the reference.

    weights   : None, or float64 (n_rows,): then the answers of all rows are added up
    answers   : float64 (n_rows, n_cells), or with weights (1, n_cells), zeros
    log_total : float64 (n_rows,); left : bool (n_rows,)
    """
    tree, work, starts = _room(plan, questions, evidence)
    weights = np.empty(0) if weights is None else weights
    _posteriors(
        tree, work, starts, evidence.states, evidence.likelihoods, weights,
        answers, log_total, left,
    )  # fmt: skip


def most_probable(plan, questions, evidence, states, log_largest, left):
    """The best states of each row, their log, and which rows are left to the reference.

    questions : none, for the room they need
    states    : int64 (n_rows, n_variables); log_largest : float64 (n_rows,)
    left      : bool (n_rows,)
    """
    tree, work, starts = _room(plan, questions, evidence)
    _most_probable(
        tree, work, starts, evidence.states, evidence.likelihoods, states, log_largest, left
    )


def _room(plan, questions, evidence):
    """The tree as it is used for this evidence, room for a row, and where its values begin."""
    n_cliques, n_messages = len(plan.cliques) - 1, int(plan.cliques[-1, MESSAGE])
    n_soft, n_answers = evidence.likelihoods.shape[1], int(questions.asked[:, N_CELLS].sum())
    starts = np.cumsum([len(plan.tables), n_messages, n_messages, n_soft, n_answers])
    views = [list(_views(plan, questions, evidence, starts, c)) for c in range(n_cliques)]
    n_views = [len(its) for its in views]
    cliques = np.column_stack((plan.cliques, np.cumsum([0, *n_views])))
    strides = np.concatenate((plan.strides, questions.strides))
    every_view = np.array([view for its in views for view in its], np.int64).reshape(-1, 4)
    tree = plan.sizes, cliques, plan.axes, every_view, strides
    values = np.empty(starts[-1])
    values[: starts[UP]] = plan.tables
    n_axes = int(np.diff(cliques[:, AXES]).max())
    largest_message = int(np.diff(plan.cliques[:, MESSAGE]).max())
    work = (
        values, np.empty(len(plan.sizes), np.int64), np.zeros((n_cliques, 5), np.int64),
        np.zeros(len(every_view), np.bool_), np.empty((3, n_axes + 1), np.int64),
        np.empty(max(n_views), np.int64), np.empty((max(n_views), BLOCK), np.uint32),
        np.empty(largest_message, np.int64), np.empty(BLOCK),
    )  # fmt: skip
    return tree, work, starts


def _views(plan, questions, evidence, starts, clique):
    """The views of a clique: tables, children, likelihoods of what its parent has not; the rest."""
    here, axes = plan.cliques[clique], plan.cliques[clique : clique + 2, AXES]
    for part in range(here[FACTORS], plan.cliques[clique + 1, FACTORS]):
        index, first, low = plan.parts[part]
        if part < here[CHILDREN]:
            yield TABLE, index, first, low
        else:
            yield CHILD, starts[UP] + plan.cliques[index, MESSAGE], first, index
    for axis in range(here[SEPARATOR], axes[1] - axes[0]):
        variable = plan.axes[axes[0] + axis]
        index = evidence.soft_index[variable]
        if index >= 0:
            its = evidence.likelihoods[:, index : index + plan.sizes[variable]]
            low = math.frexp(its.min(where=its > 0, initial=1.0))[1] - 1
            yield TABLE, starts[SOFT] + index, plan.cliques[-1, UPWARDS] - axis, low
    yield OWN, starts[UP] + here[MESSAGE], here[UPWARDS], 0
    for index, first, n_cells in questions.asked[slice(*questions.first[clique : clique + 2])]:
        yield ANSWER, starts[ANSWERS] + index, len(plan.strides) + first, n_cells


@jit()
def _posteriors(tree, work, starts, states, likelihoods, weights, answers, log_total, left):
    tree, work = lent(tree), lent(work)
    values, views, to_down = work[0], tree[3], starts[DOWN] - starts[UP]
    for row in range(len(states)):
        _observe(work, starts[SOFT], states[row], likelihoods[row % len(likelihoods)])
        left[row] = _collect(tree, work, to_down, SUM)
        if not left[row]:
            _mark_needed(tree, work)
            left[row], log_total[row] = _distribute(tree, work, to_down)
        if left[row] or log_total[row] == -np.inf:
            continue
        weight, out = (weights[row], 0) if len(weights) > 0 else (1.0, row)
        for view in range(len(views)):
            begin, end = views[view, INDEX], views[view, INDEX] + views[view, NUMBER]
            if views[view, ROLE] == ANSWER:
                total = 0.0
                for cell in range(begin, end):
                    total += values[cell]
                for cell in range(begin, end):
                    answers[out, cell - starts[ANSWERS]] += weight * (values[cell] / total)


@jit()
def _most_probable(tree, work, starts, observed, likelihoods, states, log_largest, left):
    tree, work = lent(tree), lent(work)
    seen, to_down = work[1], starts[DOWN] - starts[UP]
    for row in range(len(observed)):
        _observe(work, starts[SOFT], observed[row], likelihoods[row % len(likelihoods)])
        left[row] = _collect(tree, work, to_down, LARGEST)
        if not left[row]:
            left[row], log_largest[row] = _take_best(tree, work, to_down)
            for variable in range(len(seen)):
                states[row, variable] = seen[variable]


@inlined
def _observe(work, soft_index, states, likelihoods):
    """Put in the evidence of a row; nothing is open or needed yet."""
    values, seen, is_open = work[0], work[1], work[3]
    for variable in range(len(seen)):
        seen[variable] = states[variable]
    for index in range(len(likelihoods)):
        values[soft_index + index] = likelihoods[index]
    values[soft_index + len(likelihoods) :] = 0.0
    is_open[:] = False
    work[2][:] = 0


@inlined
def _collect(tree, work, to_down, aim):
    """Messages from the leaves to the children of the root; whether a number was lost."""
    values, states, cells = work[0], work[2], work[7]
    for clique in range(len(tree[1]) - 2, 0, -1):
        n_message = message_cells(tree, work, clique)
        for number in range(n_message):
            values[cells[number]] = values[cells[number] + to_down] = 0.0
        lost, exponent, _ = visit(tree, work, clique, to_down, aim)
        if lost:
            return True
        taken, states[clique, UP_LOW] = normalise(values, cells, n_message)
        states[clique, EXPONENT] = exponent + taken
    return False


@inlined
def _mark_needed(tree, work):
    """Answer what was observed; mark the other answers, their cliques, and the cliques above."""
    _, cliques, axes, views, strides = tree
    values, seen, states, is_open = work[0], work[1], work[2], work[3]
    states[0, NEEDED] = 1  # for the sum
    for clique in range(len(cliques) - 2, -1, -1):
        begin, end = cliques[clique, AXES], cliques[clique + 1, AXES]
        for view in range(cliques[clique, FIRST_VIEW], cliques[clique + 1, FIRST_VIEW]):
            if views[view, ROLE] != ANSWER:
                continue
            index = views[view, INDEX]
            for axis in range(begin, end):
                stride = strides[views[view, STRIDES] + axis - begin]
                if stride != 0 and seen[axes[axis]] < 0:
                    is_open[view], states[clique, NEEDED] = True, 1
                index += max(seen[axes[axis]], 0) * stride
            if not is_open[view]:
                values[index] = 1.0
        # a clique whose separator is observed hears nothing of its parent
        for axis in range(begin, begin + cliques[clique, SEPARATOR]):
            if states[clique, NEEDED] and seen[axes[axis]] < 0:
                states[cliques[clique, PARENT], NEEDED] = 1


@inlined
def _distribute(tree, work, to_down):
    """Messages from the root as far as needed, answers; whether a number was lost, log of sum."""
    cliques, log_total = tree[1], -np.inf
    values, states, cells = work[0], work[2], work[7]
    for clique in range(len(cliques) - 1):
        if not states[clique, NEEDED]:
            continue
        if clique > 0 and states[cliques[clique, PARENT], NEEDED]:
            n_message = message_cells(tree, work, clique)
            for number in range(n_message):
                up = values[cells[number]]
                cells[number] += to_down
                values[cells[number]] /= up if up > 0.0 else 1.0
            _, states[clique, DOWN_LOW] = normalise(values, cells, n_message)
            states[clique, HEARS] = 1
        lost, exponent, total = visit(tree, work, clique, to_down, SUM)
        if lost or (clique == 0 and total == 0.0):
            return lost, -np.inf
        if clique == 0:
            log_total = math.log(total) + LOG_2 * exponent
    return False, log_total


@inlined
def _take_best(tree, work, to_down):
    """From the root on each clique takes its best states; whether a number was lost, the log."""
    log_largest = -np.inf
    for clique in range(len(tree[1]) - 1):
        lost, exponent, largest = visit(tree, work, clique, to_down, STATES)
        if lost:
            return True, -np.inf
        if clique == 0 and largest > 0.0:
            log_largest = math.log(largest) + LOG_2 * exponent
    return False, log_largest
