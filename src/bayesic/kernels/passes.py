"""Two passes over a small junction tree in a few NumPy calls, in plain numbers instead of logs.

The tables of all cliques stand one after the other in one array, cliques equally far from the root
side by side, and so do the messages. One call computes with all of them at once, and says by arrays
of indices which cell goes with which. It is what `trees.py` says; where a number other than 0 could
become too small for a float, the row is left to that.
"""

from typing import NamedTuple

import numpy as np

from bayesic.kernels import Array
from bayesic.kernels.trees import RowEvidence

LEAST = 2.0**-1022  # 0 divided by it is 0
LOWEST = -1000  # a number below two to this power may have lost digits


class CliqueLevel(NamedTuple):
    """Cliques equally far from the root. Indices are counted from the slice that they are in."""

    cells: slice  # of the tables of all cliques
    messages: slice  # of the cells of all messages: those to the cliques above
    children: tuple[tuple[slice, Array], ...]  # some cells, and the message cell that each meets
    first_cell: Array  # of each message cell, the first of the cells that are its sum
    first_message_cell: Array  # of each message
    clique: Array  # of each message cell, counted from 0 on
    message_cell: Array  # of each cell
    above: Array  # cells of the cliques above, sorted by the message cell that they go into
    first_above: Array  # of each message cell


class Passes(NamedTuple):
    """A junction tree in flat arrays; cliques in the order of their levels, the root first."""

    levels: tuple[CliqueLevel, ...]
    parents: Array  # (n_cliques,)  of each clique, 0 for the root, which has a message of one cell
    first_message_cell: Array  # (n_cliques,)
    homes: tuple[tuple[slice, int, int], ...]  # of each variable: cells, states, cells of a state


class CliqueTables(NamedTuple):
    """The products of the tables of all cliques, at most 1."""

    values: Array  # (n_cells,)
    lows: Array  # (n_cliques,)  powers of two that no number but 0 is below


class AnswerCells(NamedTuple):
    """Sets of variables whose posterior is asked, each in a clique or in a message."""

    cells: Array  # indices among cells and message cells, sorted by the cell of the answer
    first_cell: Array  # (n_answer_cells,)
    first_answer_cell: Array  # (n_asked,)
    which: Array  # (n_answer_cells,)  the set that each belongs to


# columns of Links.cliques, where each begins: cells, axes, children, the message cells that the
# cells of the parent meet; how many axes the separator has; the parent, 0 for the root
FIRST_CELL, FIRST_AXIS, FIRST_CHILD, FIRST_MET, SEPARATOR, PARENT = range(6)
# columns of Sets.asked: the clique; where the answer, its variables, its cells in the clique begin
CLIQUE, INDEX, FIRST_VARIABLE, FIRST_IN = range(4)


class Links(NamedTuple):
    """The same tree clique by clique, for the compiled kernels; int64, own and met uint32."""

    sizes: Array  # (n_variables,)
    cliques: Array  # (n_cliques + 1, 6)  in the order of their levels; the last is where all ends
    axes: Array  # (n_axes, 2)  the variable, and its stride in the table of the clique
    children: Array  # (n_cliques - 1,)
    own: Array  # (n_cells,)  the message cell of each cell
    met: Array  # of each clique but the root: for each cell of its parent the message cell it meets


class Sets(NamedTuple):
    """What is asked, for the compiled kernels; int64, the answer cells uint32."""

    asked: Array  # (n_asked + 1, 4)  the last is where all ends
    variables: Array  # (n, 2)  of each set, with their strides in the answer
    answer_cells: Array  # of each set: for each cell of its clique the cell of all answers


def posteriors(
    passes: Passes,
    tables: CliqueTables,
    asked: AnswerCells,
    evidence: RowEvidence,
    weights: Array | None,
    answers: Array,
    log_total: Array,
    left: Array,
) -> None:
    """The answers of each row, the log of its sum, and which rows are left to `trees.py`.

    weights   : None, or float64 (n_rows,): then the answers of all rows are added up
    answers   : float64 (n_rows, n_answer_cells), or with weights (1, n_answer_cells), zeros
    log_total : float64 (n_rows,); left : bool (n_rows,)
    """
    for row in range(len(evidence.states)):
        answer = row_posteriors(passes, tables, asked, evidence, row)
        left[row] = answer is None
        if answer is not None:
            its_answers, log_total[row] = answer
            if weights is None:
                answers[row] = its_answers
            else:
                answers[0] += weights[row] * its_answers


def row_posteriors(
    passes: Passes, tables: CliqueTables, asked: AnswerCells, evidence: RowEvidence, row: int
) -> tuple[Array | float, float] | None:
    """The answers of one row and the log of its sum; None where a number could have been lost."""
    n_messages = passes.levels[-1].messages.stop
    values = np.empty(len(tables.values) + n_messages)
    cells, separators = values[:-n_messages], values[-n_messages:]
    cells[:] = tables.values
    low = observe(passes, evidence, row, cells)
    up, log_total = collect(passes.levels, cells, n_messages)
    down = np.ones(n_messages)
    if log_total > -np.inf:
        distribute(passes.levels, cells, separators, np.maximum(up, LEAST), down)
    # the numbers of a clique are not below the product of the smallest that it is made of
    lows = _lows(passes, down) + tables.lows
    lows += np.bincount(passes.parents, _lows(passes, up), minlength=len(lows))
    if lows.min() + low < LOWEST:
        return None
    if log_total == -np.inf or not len(asked.cells):
        return 0.0, log_total
    answers = np.add.reduceat(values.take(asked.cells), asked.first_cell)
    answers /= np.add.reduceat(answers, asked.first_answer_cell).take(asked.which)
    return answers, log_total


def observe(passes: Passes, evidence: RowEvidence, row: int, cells: Array) -> float:
    """Multiply what is known into the cells; the power of two that likelihoods are not below."""
    low, states = 0.0, evidence.states[row]
    for variable in np.flatnonzero(states >= 0).tolist():
        home, n_states, inner = passes.homes[variable]
        by_state = cells[home].reshape(-1, n_states, inner)
        by_state[:, : states[variable]] = 0.0
        by_state[:, states[variable] + 1 :] = 0.0
    for variable in np.flatnonzero(evidence.soft_index >= 0).tolist():
        home, n_states, inner = passes.homes[variable]
        index = evidence.soft_index[variable]
        likelihood = evidence.likelihoods[row % len(evidence.likelihoods), index : index + n_states]
        by_state = cells[home].reshape(-1, n_states, inner)
        by_state *= likelihood[:, None]
        low += np.log2(likelihood.min(where=likelihood > 0, initial=1.0))
    return low


def collect(levels: tuple[CliqueLevel, ...], cells: Array, n_messages: int) -> tuple[Array, float]:
    """Messages from the leaves to the root, the largest number of each is 1; the log of the sum."""
    up = np.ones(n_messages)
    scales = []
    for level in levels[:0:-1]:
        for some, met in level.children:
            cells[some] *= up.take(met)
        message = np.add.reduceat(cells[level.cells], level.first_cell, out=up[level.messages])
        scale = np.maximum(np.maximum.reduceat(message, level.first_message_cell), LEAST)
        message /= scale.take(level.clique)
        scales.append(scale)
    for some, met in levels[0].children:
        cells[some] *= up.take(met)
    root = cells[levels[0].cells]
    total = root.sum()
    if total == 0.0:
        return up, -np.inf
    root /= total
    return up, float(np.log(np.concatenate([*scales, [total]])).sum())


def distribute(
    levels: tuple[CliqueLevel, ...], cells: Array, separators: Array, up: Array, down: Array
) -> None:
    """Messages from the root to the leaves: makes of cells and separators their posteriors."""
    for level in levels[1:]:
        separator, message = separators[level.messages], down[level.messages]
        np.add.reduceat(cells.take(level.above), level.first_above, out=separator)
        np.divide(separator, up[level.messages], out=message)
        cells[level.cells] *= message.take(level.message_cell)


def _lows(passes: Passes, messages: Array) -> Array:
    """Of each message the power of two that no number but 0 is below."""
    positive = np.where(messages > 0.0, messages, 1.0)
    return np.log2(np.minimum(np.minimum.reduceat(positive, passes.first_message_cell), 1.0))
