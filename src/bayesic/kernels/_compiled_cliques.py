# mypy: disallow-untyped-defs=False
"""One clique of a large junction tree in Numba: the product of what it holds, block by block.

The cells of a clique that agree with what was observed are computed in blocks: where they are too
many, its first variables are held at each of their states in turn. A view is a table or a message
as a clique uses it: where it begins, and for each cell of a block how far from there its own is.

All tables and messages are at most 1, and what gets small is multiplied by powers of two, which is
exact. A row that could lose a number other than 0 is left to the reference, which computes in logs:
lows are powers of two that no number but 0 is below.

    tree : (sizes, cliques, axes, views, strides), from the `Plan`, the `Questions`, the `Evidence`
    cliques : those of the plan, and their FIRST_VIEW; views : int64 (n_views, 4), sorted by clique
    work : (values, seen, states, is_open, local, begins, offsets, cells, block)
    values : float64, the tables, the messages up, the messages down, the likelihoods, the answers
    seen : int64 (n_variables,), the observed states, -1; states : int64 (n_cliques, 5), see below
    is_open : bool (n_views,), whether the answer of this view was not observed
    local : int64 (3, n_axes), begins : int64 and offsets : uint32 (n_views of a clique, BLOCK),
            cells : int64, of its message, and block : float64, all of the clique at hand
"""

import math

import numpy as np

from bayesic.kernels._compiled_passes import SMALL
from bayesic.kernels._jit import inlined, inner
from bayesic.kernels.passes import LOWEST
from bayesic.kernels.trees import AXES, SEPARATOR

BLOCK = 4096  # cells: 32 kB, which stay in the processor's first cache

FIRST_VIEW = 7  # column of cliques, after those of the plan
TABLE, CHILD, OWN, ANSWER = range(4)  # what a view is; likelihoods are tables
ROLE, INDEX, STRIDES, NUMBER = range(4)  # columns of views; the number is that of the child, of a
#                                          table its low, of an answer how many cells it has
EXPONENT, UP_LOW, DOWN_LOW, HEARS, NEEDED = range(5)  # columns of states
LENGTH, STATE, HELD = range(3)  # rows of local
# what a product is for; no literals, for each of which Numba would compile a copy
SUM, LARGEST, STATES = np.int64(0), np.int64(1), np.int64(2)


@inner
def visit(tree, work, clique, to_down, aim):
    """Go through the product of what the clique holds: add it up, or keep the largest.

    aim : SUM or LARGEST, of messages and answers; or STATES, those of the largest cell

    Returns whether a number was lost, the exponent of what was taken out of the messages from
    below, and what all cells of the root add up to, or the largest cell where the aim is STATES.
    """
    n_cells, n_held = _enter(tree, work, clique)
    block, total = work[8], -1.0 if aim == STATES else 0.0
    while True:
        low, exponent = _product(tree, work, clique, n_cells, to_down)
        if low < LOWEST:
            return True, exponent, total
        if aim == STATES:
            best = 0
            for cell in range(n_cells):
                best = cell if block[cell] > block[best] else best
            if block[best] > total:
                total = block[best]
                _put_states(tree, work, clique, best)
        else:
            _add(tree, work, clique, n_cells, to_down, aim == LARGEST)
            for cell in range(n_cells if clique == 0 else 0):
                total += block[cell]
        if not _next_states(tree, work, clique, n_held):
            return False, exponent, total


@inlined
def _put_states(tree, work, clique, cell):
    """Take the states that belong to this cell of the block."""
    _, cliques, axes, _, _ = tree
    seen, local, begin = work[1], work[4], cliques[clique, AXES]
    for axis in range(cliques[clique + 1, AXES] - 1, begin - 1, -1):
        length = local[LENGTH, axis - begin]
        seen[axes[axis]] = local[STATE, axis - begin] + cell % length
        cell //= length


@inlined
def _enter(tree, work, clique):
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
        here, n_cells, index = offsets[view - first], 1, views[view, INDEX]
        here[0] = 0
        for axis in range(n_axes - 1, -1, -1):
            stride, length = strides[views[view, STRIDES] + axis], local[LENGTH, axis]
            index += local[STATE, axis] * stride
            for cell in range(n_cells, n_cells * length):
                here[cell] = here[cell - n_cells] + stride
            n_cells *= length
        begins[view - first] = index
    return n_cells, n_held


@inner
def message_cells(tree, work, clique):
    """The cells of the message up that agree with what was observed; how many."""
    sizes, cliques, axes, views, strides = tree
    seen, cells, n_cells, view = work[1], work[7], 1, cliques[clique + 1, FIRST_VIEW] - 1
    while views[view, ROLE] != OWN:
        view -= 1
    cells[0] = views[view, INDEX]
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


@inlined
def _next_states(tree, work, clique, n_held):
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


@inlined
def _product(tree, work, clique, n_cells, to_down):
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


@inlined
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
def normalise(values, cells, n_cells):
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
