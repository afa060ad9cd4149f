# mypy: disallow-untyped-defs=False
"""Messages in a large junction tree in Numba: what `trees.py` says, in plain numbers, not in logs.

What a row observed shrinks every table to the cells that agree with it. The cells of a clique are
computed in blocks: where it has too many, its first variables are held at each of their states in
turn, so no table of a whole large clique is ever in memory. A view is a table or a message as a
clique uses it: where it begins, and for each cell of a block how far from there its own cell is.
Small trees have all these places made once, in `compiled_passes.py`, which is twice as fast (7 and
14 microseconds a row of ALARM); for DIABETES that would take 325 MB, where this takes 26.

All tables and messages are at most 1, and what gets small is multiplied by powers of two, which is
exact. A row that could lose a number other than 0 is left to the reference, which computes in logs:
lows are powers of two that no number but 0 is below.

    tree : (sizes, cliques, axes, views, strides), from the `Plan`, the `Questions`, the `Evidence`
    cliques : int64 (n_cliques + 1, 4); views : int64 (n_views, 4), sorted by clique; see below
    work : (values, seen, states, is_open, local, begins, offsets, cells, block)
    values : float64, the tables, the messages up, the messages down, the likelihoods, the answers
    seen : int64 (n_variables,), the observed states, -1; states : int64 (n_cliques, 5), see below
    is_open : bool (n_views,), whether the answer of this view was not observed
    local : int64 (3, n_axes), begins : int64 and offsets : uint32 (n_views of a clique, BLOCK),
            cells : int64, of its message, and block : float64, all of the clique at hand
"""

import math

import numpy as np

from bayesic.kernels import trees
from bayesic.kernels.jit import inner, jit
from bayesic.kernels.trees import CHILDREN, FACTORS, MESSAGE, N_CELLS, UPWARDS

__all__ = ["posteriors"]

BLOCK = 4096  # cells: 32 kB, which stay in the processor's first cache
LOWEST = -1000  # a number below two to this power may have lost digits
SMALL = 2.0**-60  # messages below this are multiplied by a power of two
LOG_2 = math.log(2.0)

UP, DOWN, SOFT, ANSWERS = range(4)  # of places: where these begin among the values
FIRST_VIEW, AXES, SEPARATOR, PARENT = range(4)  # columns of cliques
TABLE, CHILD, OWN, ANSWER = range(4)  # what a view is; likelihoods are tables
ROLE, PLACE, STRIDES, NUMBER = range(4)  # columns of views; the number is that of the child, of a
#                                          table its low, of an answer how many cells it has
EXPONENT, UP_LOW, DOWN_LOW, HEARS, NEEDED = range(5)  # columns of states
LENGTH, STATE, HELD = range(3)  # rows of local


def posteriors(plan, questions, evidence, weights, answers, log_total, left):
    """The answers of each row, the log of its sum, and which rows are left to the reference.

    weights   : None, or float64 (n_rows,): then the answers of all rows are added up
    answers   : float64 (n_rows, n_cells), or with weights (1, n_cells), zeros
    log_total : float64 (n_rows,); left : bool (n_rows,)
    """
    tree, work, places = room(plan, questions, evidence)
    weights = np.empty(0) if weights is None else weights
    _posteriors(
        tree, work, places, evidence.states, evidence.likelihoods, weights,
        answers, log_total, left,
    )  # fmt: skip


def room(plan, questions, evidence):
    """The tree as it is used for this evidence, room for a row, and where its values begin."""
    n_cliques, n_messages = len(plan.cliques) - 1, int(plan.cliques[-1, MESSAGE])
    n_soft, n_answers = evidence.likelihoods.shape[1], int(questions.asked[:, N_CELLS].sum())
    places = np.cumsum([len(plan.tables), n_messages, n_messages, n_soft, n_answers])
    views = [list(_views(plan, questions, evidence, places, c)) for c in range(n_cliques)]
    n_views = [len(its) for its in views]
    cliques = np.zeros((n_cliques + 1, 4), np.int64)
    cliques[1:, FIRST_VIEW] = np.cumsum(n_views)
    cliques[:, AXES:] = plan.cliques[:, [trees.AXES, trees.SEPARATOR, trees.PARENT]]
    strides = np.concatenate((plan.strides, questions.strides))
    every_view = np.array([view for its in views for view in its], np.int64).reshape(-1, 4)
    tree = plan.sizes, cliques, plan.axes, every_view, strides
    values = np.empty(places[-1])
    values[: places[UP]] = plan.tables
    n_axes = int(np.diff(cliques[:, AXES]).max())
    largest_message = int(np.diff(plan.cliques[:, MESSAGE]).max())
    work = (
        values, np.empty(len(plan.sizes), np.int64), np.zeros((n_cliques, 5), np.int64),
        np.zeros(len(every_view), np.bool_), np.empty((3, n_axes + 1), np.int64),
        np.empty(max(n_views), np.int64), np.empty((max(n_views), BLOCK), np.uint32),
        np.empty(largest_message, np.int64), np.empty(BLOCK),
    )  # fmt: skip
    return tree, work, places


def _views(plan, questions, evidence, places, clique):
    """The views of a clique: tables, children, likelihoods of what its parent has not; the rest."""
    here, axes = plan.cliques[clique], plan.cliques[clique : clique + 2, trees.AXES]
    for part in range(here[FACTORS], plan.cliques[clique + 1, FACTORS]):
        place, first, low = plan.parts[part]
        if part < here[CHILDREN]:
            yield TABLE, place, first, low
        else:
            yield CHILD, places[UP] + plan.cliques[place, MESSAGE], first, place
    for axis in range(here[trees.SEPARATOR], axes[1] - axes[0]):
        variable = plan.axes[axes[0] + axis]
        place = evidence.soft_place[variable]
        if place >= 0:
            its = evidence.likelihoods[:, place : place + plan.sizes[variable]]
            low = math.frexp(its.min(where=its > 0, initial=1.0))[1] - 1
            yield TABLE, places[SOFT] + place, plan.cliques[-1, UPWARDS] - axis, low
    yield OWN, places[UP] + here[MESSAGE], here[UPWARDS], 0
    for place, first, n_cells in questions.asked[slice(*questions.first[clique : clique + 2])]:
        yield ANSWER, places[ANSWERS] + place, len(plan.strides) + first, n_cells


@jit()
def _posteriors(tree, work, places, states, likelihoods, weights, answers, log_total, left):
    values, views, to_down = work[0], tree[3], places[DOWN] - places[UP]
    for row in range(len(states)):
        observe(work, places[SOFT], states[row], likelihoods[row % len(likelihoods)])
        left[row] = collect(tree, work, to_down, False)
        if not left[row]:
            _mark_needed(tree, work)
            left[row], log_total[row] = _distribute(tree, work, to_down)
        if left[row] or log_total[row] == -np.inf:
            continue
        weight, out = (weights[row], 0) if len(weights) > 0 else (1.0, row)
        for view in range(len(views)):
            begin, end = views[view, PLACE], views[view, PLACE] + views[view, NUMBER]
            if views[view, ROLE] == ANSWER:
                total = 0.0
                for cell in range(begin, end):
                    total += values[cell]
                for cell in range(begin, end):
                    answers[out, cell - places[ANSWERS]] += weight * (values[cell] / total)


@inner
def observe(work, soft_place, states, likelihoods):
    """Put in the evidence of a row; nothing is open or needed yet."""
    values, seen, is_open = work[0], work[1], work[3]
    for variable in range(len(seen)):
        seen[variable] = states[variable]
    for place in range(len(likelihoods)):
        values[soft_place + place] = likelihoods[place]
    values[soft_place + len(likelihoods) :] = 0.0
    is_open[:] = False
    work[2][:] = 0


@inner
def collect(tree, work, to_down, maximum):
    """Messages from the leaves to the children of the root; whether a number was lost."""
    values, states, cells = work[0], work[2], work[7]
    for clique in range(len(tree[1]) - 2, 0, -1):
        n_cells, n_held = enter(tree, work, clique)
        n_message = _message_cells(tree, work, clique)
        for number in range(n_message):
            values[cells[number]] = values[cells[number] + to_down] = 0.0
        while True:
            low, exponent = product(tree, work, clique, n_cells, to_down)
            if low < LOWEST:
                return True
            _add(tree, work, clique, n_cells, to_down, maximum)
            if not next_states(tree, work, clique, n_held):
                break
        taken, states[clique, UP_LOW] = _normalise(values, cells, n_message)
        states[clique, EXPONENT] = exponent + taken
    return False


@inner
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
            place = views[view, PLACE]
            for axis in range(begin, end):
                stride = strides[views[view, STRIDES] + axis - begin]
                if stride != 0 and seen[axes[axis]] < 0:
                    is_open[view], states[clique, NEEDED] = True, 1
                place += max(seen[axes[axis]], 0) * stride
            if not is_open[view]:
                values[place] = 1.0
        # a clique whose separator is observed hears nothing of its parent
        for axis in range(begin, begin + cliques[clique, SEPARATOR]):
            if states[clique, NEEDED] and seen[axes[axis]] < 0:
                states[cliques[clique, PARENT], NEEDED] = 1


@inner
def _distribute(tree, work, to_down):
    """Messages from the root as far as needed, answers; whether a number was lost, log of sum."""
    cliques, log_total = tree[1], -np.inf
    values, states, cells, block = work[0], work[2], work[7], work[8]
    for clique in range(len(cliques) - 1):
        if not states[clique, NEEDED]:
            continue
        n_cells, n_held = enter(tree, work, clique)
        if clique > 0 and states[cliques[clique, PARENT], NEEDED]:
            n_message = _message_cells(tree, work, clique)
            for number in range(n_message):
                up = values[cells[number]]
                cells[number] += to_down
                values[cells[number]] /= up if up > 0.0 else 1.0
            _, states[clique, DOWN_LOW] = _normalise(values, cells, n_message)
            states[clique, HEARS] = 1
        total = 0.0
        while True:
            low, exponent = product(tree, work, clique, n_cells, to_down)
            if low < LOWEST:
                return True, -np.inf
            _add(tree, work, clique, n_cells, to_down, False)
            for cell in range(n_cells if clique == 0 else 0):
                total += block[cell]
            if not next_states(tree, work, clique, n_held):
                break
        if clique == 0:
            if total == 0.0:
                return False, -np.inf
            log_total = math.log(total) + LOG_2 * exponent
    return False, log_total


# the clique at hand ------------------------------------------------------------------------------


@inner
def enter(tree, work, clique):
    """Make this the clique at hand, with all its views but those of answers that are not open.

    local : of each axis its LENGTH in a block, the STATE where that is 1, and the axes that are
            HELD for a while, so that the others fit into a block

    Returns the cells of a block, and how many axes are held.
    """
    sizes, cliques, axes, views, strides = tree
    seen, local, begins, offsets = work[1], work[4], work[5], work[6]
    begin, n_axes = cliques[clique, AXES], cliques[clique + 1, AXES] - cliques[clique, AXES]
    size, n_held, n_cells = 1.0, 0, 1
    for axis in range(n_axes):
        variable = axes[begin + axis]
        local[STATE, axis] = max(seen[variable], 0)
        local[LENGTH, axis] = sizes[variable] if seen[variable] < 0 else 1
        size *= local[LENGTH, axis]
    for axis in range(n_axes):
        if size > BLOCK and local[LENGTH, axis] > 1:
            size /= local[LENGTH, axis]
            local[LENGTH, axis], local[HELD, n_held] = 1, axis
            n_held += 1
    first = cliques[clique, FIRST_VIEW]
    for view in range(first, cliques[clique + 1, FIRST_VIEW]):
        if views[view, ROLE] == ANSWER and not work[3][view]:
            continue
        here, n_cells, place = offsets[view - first], 1, views[view, PLACE]
        here[0] = 0
        for axis in range(n_axes - 1, -1, -1):
            stride, length = strides[views[view, STRIDES] + axis], local[LENGTH, axis]
            place += local[STATE, axis] * stride
            for cell in range(n_cells, n_cells * length):
                here[cell] = here[cell - n_cells] + stride
            n_cells *= length
        begins[view - first] = place
    return n_cells, n_held


@inner
def _message_cells(tree, work, clique):
    """The cells of the message up that agree with what was observed; how many."""
    sizes, cliques, axes, views, strides = tree
    seen, cells, n_cells, view = work[1], work[7], 1, cliques[clique + 1, FIRST_VIEW] - 1
    while views[view, ROLE] != OWN:
        view -= 1
    cells[0] = views[view, PLACE]
    for axis in range(cliques[clique, SEPARATOR] - 1, -1, -1):
        variable = axes[cliques[clique, AXES] + axis]
        stride = strides[views[view, STRIDES] + axis]
        if seen[variable] >= 0:
            for cell in range(n_cells):
                cells[cell] += seen[variable] * stride
        else:
            for cell in range(n_cells, n_cells * sizes[variable]):
                cells[cell] = cells[cell - n_cells] + stride
            n_cells *= sizes[variable]
    return n_cells


@inner
def next_states(tree, work, clique, n_held):
    """Go to the next states of the held axes; False when all were there."""
    sizes, cliques, axes, views, strides = tree
    local, begins, first = work[4], work[5], cliques[clique, FIRST_VIEW]
    for number in range(n_held - 1, -1, -1):
        axis = local[HELD, number]
        size = sizes[axes[cliques[clique, AXES] + axis]]
        local[STATE, axis] += 1
        step = 1 if local[STATE, axis] < size else 1 - size
        for view in range(first, cliques[clique + 1, FIRST_VIEW]):
            begins[view - first] += step * strides[views[view, STRIDES] + axis]
        if step == 1:
            return True
        local[STATE, axis] = 0
    return False


@inner
def product(tree, work, clique, n_cells, to_down):
    """The product of what the clique holds, in the block.

    Returns a power of two that no cell but 0 is below, and the exponent of what was taken out of
    the messages from below.
    """
    cliques, views = tree[1], tree[3]
    values, states, begins, offsets, block = work[0], work[2], work[5], work[6], work[8][:n_cells]
    low, exponent, first = 0, 0, cliques[clique, FIRST_VIEW]
    block[:] = 1.0
    for view in range(first, cliques[clique + 1, FIRST_VIEW]):
        role, number, begin = views[view, ROLE], views[view, NUMBER], begins[view - first]
        if role == ANSWER or (role == OWN and not states[clique, HEARS]):
            continue
        if role == CHILD:
            exponent += states[number, EXPONENT]
            number = states[number, UP_LOW]
        elif role == OWN:
            begin += to_down
            number = states[clique, DOWN_LOW]
        low += number
        if low < LOWEST:
            break
        part, here = values[begin:], offsets[view - first]
        for cell in range(n_cells):
            block[cell] *= part[here[cell]]
    return low, exponent


@inner
def _add(tree, work, clique, n_cells, to_down, maximum):
    """Add the block to the message up, or to open answers and needed messages down; or maximise."""
    cliques, views = tree[1], tree[3]
    states, is_open, offsets, block = work[2], work[3], work[6], work[8][:n_cells]
    first = cliques[clique, FIRST_VIEW]
    for view in range(first, cliques[clique + 1, FIRST_VIEW]):
        role, begin = views[view, ROLE], work[5][view - first]
        if role == CHILD and states[views[view, NUMBER], NEEDED]:
            begin += to_down
        elif not (is_open[view] or (role == OWN and not states[clique, NEEDED])):
            continue
        part, here = work[0][begin:], offsets[view - first]
        if maximum:
            for cell in range(n_cells):
                part[here[cell]] = max(part[here[cell]], block[cell])
        else:
            for cell in range(n_cells):
                part[here[cell]] += block[cell]


@inner
def _normalise(values, cells, n_cells):
    """Bring the largest number of a message near 1 by a power of two; its exponent, the new low."""
    largest, least = 0.0, 1.0
    for number in range(n_cells):
        largest = max(largest, values[cells[number]])
    exponent = math.frexp(largest)[1] if largest < SMALL or largest > 1.0 else 0
    scale = math.ldexp(1.0, -exponent)
    for number in range(n_cells):
        values[cells[number]] *= scale
        value = values[cells[number]]
        least = min(least, value) if value > 0.0 else least
    return exponent, math.frexp(least)[1] - 1
