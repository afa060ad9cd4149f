# mypy: disallow-untyped-defs=False
"""Two passes over a small junction tree in Numba, row by row: what `passes.py` says.

What a row observed shrinks every table to the cells that agree with it, and only these are computed
with. The variables of the separator come first in a clique, so its cells that agree are runs of the
same length, one for each message cell that agrees.

    room : (agreeing, cells, up, separators, answer, state)
    agreeing : uint32 (n_cells,), the cells that agree, those of each clique counted from its first
               cell on; cells : float64 (n_cells,), their product, then their posterior
    up, separators : float64, by message cell; answer : float64 (n_answer_cells,)
    state : int64 (n_cliques, 6), see the columns below

Indices are unsigned: Numba would look at each other one for whether it is negative.
"""

import math

import numpy as np

from bayesic.kernels._jit import inlined, jit, lent
from bayesic.kernels.passes import (
    CLIQUE,
    FIRST_AXIS,
    FIRST_CELL,
    FIRST_CHILD,
    FIRST_IN,
    FIRST_MET,
    FIRST_VARIABLE,
    INDEX,
    LOWEST,
    PARENT,
    SEPARATOR,
)

__all__ = ["posteriors"]

LOG_2 = math.log(2.0)
SMALL = 2.0**-60  # messages below this are multiplied by a power of two

# of each clique: cells that agree, those of a run, whether an answer needs its posterior; the power
# of two that was taken out of it and all below; one that none of its numbers but 0 is below
N_CELLS, RUN, NEEDED, EXPONENT, LOW, MESSAGE_LOW = range(6)


def posteriors(links, tables, sets, evidence, weights, answers, log_total, left):
    """The answers of each row, the log of its sum, and whether it is left to `trees.py`.

    evidence  : without likelihoods
    weights   : None, or float64 (n_rows,): then the answers of all rows are added up
    answers   : float64 (n_rows, n_answer_cells), or with weights (1, n_answer_cells), zeros
    log_total : float64 (n_rows,)
    left      : bool (n_rows,)
    """
    n_cells, n_cliques = len(tables.values), len(links.cliques) - 1
    room = (
        np.empty(n_cells, np.uint32), np.empty(n_cells), np.empty(len(links.own)),
        np.empty(len(links.own)), np.empty(answers.shape[1]),
        np.empty((n_cliques, 6), np.int64),
    )  # fmt: skip
    weights = np.empty(0) if weights is None else weights
    _posteriors(
        tuple(links), tuple(tables), tuple(sets), evidence.states, weights, room,
        answers, log_total, left,
    )  # fmt: skip


@jit()
def _posteriors(links, tables, sets, states, weights, room, answers, log_total, left):
    links, tables, sets, room = lent(links), lent(tables), lent(sets), lent(room)
    for row in range(len(states)):
        seen = states[row]
        _agree(links, seen, room)
        log_total[row], left[row] = _collect(links, tables, room)
        if left[row] or log_total[row] == -np.inf:
            continue
        _mark_needed(links, sets, seen, room)
        left[row] = _distribute(links, room)
        if not left[row]:
            weight, out = (weights[row], 0) if len(weights) > 0 else (1.0, row)
            _add_answers(links, sets, seen, room, weight, answers[out])


@inlined
def _agree(links, seen, room):
    """The cells of each clique that agree with what was observed, in their order."""
    sizes, cliques, axes, _, _, _ = links
    agreeing, _, _, _, _, state = room
    for clique in range(len(cliques) - 1):
        first, begin, n_cells, run = cliques[clique, FIRST_CELL], 0, 1, 1
        here = agreeing[first:]
        here[0] = 0
        first_axis = cliques[clique, FIRST_AXIS]
        for axis in range(cliques[clique + 1, FIRST_AXIS] - 1, first_axis - 1, -1):
            variable, stride = axes[axis, 0], axes[axis, 1]
            if seen[variable] >= 0:
                begin += seen[variable] * stride
            else:
                for one in range(n_cells, n_cells * sizes[variable]):
                    here[one] = here[one - n_cells] + stride
                n_cells *= sizes[variable]
            if axis - first_axis >= cliques[clique, SEPARATOR]:
                run = n_cells
        for one in range(n_cells):
            here[one] += begin
        state[clique, N_CELLS], state[clique, RUN] = n_cells, run


@inlined
def _collect(links, tables, room):
    """The products of all cliques, messages to the root; the log of the sum, and if it is lost."""
    _, cliques, _, children, _, met = links
    values, lows = tables
    agreeing, cells, up, _, _, state = room
    for clique in range(len(cliques) - 2, -1, -1):
        first, exponent, low = cliques[clique, FIRST_CELL], 0, lows[clique]
        end = first + state[clique, N_CELLS]
        table, here = values[first:], agreeing[first:end]
        product = cells[first:end]
        for one in range(len(here)):
            product[one] = table[here[one]]
        if low < LOWEST:
            return 0.0, True
        for number in range(cliques[clique, FIRST_CHILD], cliques[clique + 1, FIRST_CHILD]):
            child = children[number]
            if low + state[child, MESSAGE_LOW] < LOWEST:
                taken, low = _rescale(product)
                exponent += taken
            low += state[child, MESSAGE_LOW]
            if low < LOWEST:
                return 0.0, True
            exponent += state[child, EXPONENT]
            meets = met[cliques[child, FIRST_MET] :]
            for one in range(len(here)):
                product[one] *= up[meets[here[one]]]
        state[clique, EXPONENT], state[clique, LOW] = exponent, low
        total = _send(links, room, clique)
    if total == 0.0:
        return -np.inf, False
    return math.log(total) + LOG_2 * state[0, EXPONENT], False


@inlined
def _rescale(cells):
    """Multiply by a power of two so that the largest is near 1; its exponent, and the new low."""
    largest, least = 0.0, 1.0
    for cell in range(len(cells)):
        largest = max(largest, cells[cell])
    exponent = math.frexp(largest)[1]
    scale = math.ldexp(1.0, -exponent)
    for cell in range(len(cells)):
        cells[cell] *= scale
        least = min(least, cells[cell]) if cells[cell] > 0.0 else least
    return exponent, math.frexp(least)[1] - 1


@inlined
def _send(links, room, clique):
    """The message of a clique, the sums of its runs, brought near 1; its largest."""
    own = links[4]
    agreeing, cells, up, _, _, state = room
    first, run = links[1][clique, FIRST_CELL], state[clique, RUN]
    own = own[first:]
    end, largest, least = first + state[clique, N_CELLS], 0.0, np.inf
    for begin in range(first, end, run):
        total = 0.0
        for one in range(begin, begin + run):
            total += cells[one]
        up[own[agreeing[begin]]] = total
        largest = max(largest, total)
        least = min(least, total) if total > 0.0 else least
    if largest == 0.0:
        state[clique, MESSAGE_LOW] = 0
        return 0.0
    exponent = math.frexp(largest)[1]
    state[clique, MESSAGE_LOW] = math.frexp(least)[1] - 1
    if SMALL < largest <= 1.0:
        return largest
    scale = math.ldexp(1.0, -exponent)
    for begin in range(first, end, run):
        up[own[agreeing[begin]]] *= scale
        for one in range(begin, begin + run):
            cells[one] *= scale
    state[clique, EXPONENT] += exponent
    state[clique, MESSAGE_LOW] -= exponent
    state[clique, LOW] -= exponent
    return largest * scale


@inlined
def _mark_needed(links, sets, seen, room):
    """Mark the cliques of answers that were not observed, and those that they hear of."""
    cliques, state = links[1], room[5]
    asked, variables, _ = sets
    state[:, NEEDED] = 0
    for number in range(len(asked) - 1):
        for index in range(asked[number, FIRST_VARIABLE], asked[number + 1, FIRST_VARIABLE]):
            if seen[variables[index, 0]] < 0:
                state[asked[number, CLIQUE], NEEDED] = 1
    for clique in range(len(cliques) - 2, 0, -1):
        # a clique whose separator is observed hears nothing of its parent
        if state[clique, NEEDED] and state[clique, RUN] < state[clique, N_CELLS]:
            state[cliques[clique, PARENT], NEEDED] = 1


@inlined
def _distribute(links, room):
    """Make of the products posteriors, from the root on as far as needed; if a number is lost."""
    _, cliques, _, _, own, met = links
    agreeing, cells, up, separators, _, state = room
    for clique in range(len(cliques) - 1):
        if not state[clique, NEEDED]:
            continue
        first, run = cliques[clique, FIRST_CELL], state[clique, RUN]
        end, least = first + state[clique, N_CELLS], 1.0
        message = own[first:]
        if end - first == run:
            separators[message[agreeing[first]]] = 1.0
        else:
            for begin in range(first, end, run):
                separators[message[agreeing[begin]]] = 0.0
            parent = cliques[clique, PARENT]
            above = cliques[parent, FIRST_CELL]
            meets = met[cliques[clique, FIRST_MET] :]
            here = agreeing[above : above + state[parent, N_CELLS]]
            posterior = cells[above : above + state[parent, N_CELLS]]
            for one in range(len(here)):
                separators[meets[here[one]]] += posterior[one]
        for begin in range(first, end, run):
            index = message[agreeing[begin]]
            share = separators[index] / up[index] if up[index] > 0.0 else 0.0
            least = min(least, share) if share > 0.0 else least
            for one in range(begin, begin + run):
                cells[one] *= share
        if state[clique, LOW] + math.frexp(least)[1] - 1 < LOWEST:
            return True
    return False


@inlined
def _add_answers(links, sets, seen, room, weight, out):
    """Add the answers of a row by its weight."""
    asked, variables, answer_cell = sets
    agreeing, cells, _, _, answer, state = room
    for number in range(len(asked) - 1):
        index, n_answers, is_open = asked[number, INDEX], asked[number + 1, INDEX], False
        observed = index
        for at in range(asked[number, FIRST_VARIABLE], asked[number + 1, FIRST_VARIABLE]):
            is_open = is_open or seen[variables[at, 0]] < 0
            observed += seen[variables[at, 0]] * variables[at, 1]
        if not is_open:
            out[observed] += weight
            continue
        clique, total = asked[number, CLIQUE], 0.0
        first = links[1][clique, FIRST_CELL]
        answer[index:n_answers] = 0.0
        goes = answer_cell[asked[number, FIRST_IN] :]
        here = agreeing[first : first + state[clique, N_CELLS]]
        posterior = cells[first : first + state[clique, N_CELLS]]
        for one in range(len(here)):
            answer[goes[here[one]]] += posterior[one]
            total += posterior[one]
        for cell in range(index, n_answers):
            out[cell] += weight * (answer[cell] / total)
