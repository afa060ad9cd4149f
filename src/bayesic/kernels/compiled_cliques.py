# mypy: disallow-untyped-defs=False
"""The clique at hand in the compiled junction tree: its axes, its blocks, its product.

The arrays are those that `compiled_trees.py` describes.
"""

from bayesic.kernels.compiled_evidence import (
    BLOCK,
    CHANGED,
    DOWN,
    DOWNWARD,
    IS_SOFT,
    N_STATES,
    NEEDED,
    PRIOR,
    SEEN,
    SOFT_LOW,
    SOFT_PLACE,
    UP,
    UPWARD,
)
from bayesic.kernels.compiled_views import (
    HELD,
    LOWEST,
    SIZE,
    STATE,
    multiply,
    multiply_carefully,
    rescale,
)
from bayesic.kernels.jit import jit
from bayesic.kernels.trees import (
    AXES,
    CHILDREN,
    FACTORS,
    FIRST_STRIDE,
    LOW,
    MESSAGE,
    PARENT,
    PLACE,
    SEPARATOR,
    UPWARDS,
)

OFTEN = 8  # tables between two looks at how small a product has become


@jit()
def enter(plan, rows, clique):
    """Make this the clique at hand: its axes with what was observed; how many there are."""
    cliques, axes, _, _ = plan
    _, _, known, _, _, _, _, _, _, local = rows
    first = cliques[clique, AXES]
    n_axes = cliques[clique + 1, AXES] - first
    for axis in range(n_axes):
        variable = axes[first + axis]
        seen = known[variable, SEEN]
        local[STATE, axis] = max(seen, 0)
        local[SIZE, axis] = known[variable, N_STATES] if seen < 0 else 1
    return n_axes


@jit()
def add_exponents(plan, exponents, clique, into):
    cliques, _, parts, _ = plan
    exponents[into] = 0
    for part in range(cliques[clique, CHILDREN], cliques[clique + 1, FACTORS]):
        for lane in range(exponents.shape[1]):
            exponents[into, lane] += exponents[parts[part, PLACE], lane]


@jit()
def product(plan, rows, clique, n_axes, alone, into, lanes):
    """The product of all that the clique holds, in the block.

    alone : whether this block is the whole clique; only then may its exponents, those of number
            `into`, change on the way

    Returns how many cells it has, and a power of two that is not above any of them but 0.
    """
    cliques, axes, parts, strides = plan
    _, where, known, marks, _, lows, _, _, block, local = rows
    n_cells, low, first = lanes, 0, cliques[clique, FACTORS]
    for axis in range(n_axes):
        n_cells *= local[SIZE, axis]
    block[:n_cells] = 1.0
    for part in range(first, cliques[clique + 1, FACTORS]):
        place, width, part_low = parts[part, PLACE], 1, parts[part, LOW]
        if part >= cliques[clique, CHILDREN]:
            part_low = lows[place, UPWARD]
            place, width = message_of(cliques, where, marks, place, lanes)
        often = alone and (part - first) % OFTEN == OFTEN - 1
        low = _times(
            rows, n_cells, n_axes, lanes, place, strides, parts[part, FIRST_STRIDE], width,
            low, part_low, alone, often, into,
        )  # fmt: skip
    if clique > 0 and marks[clique, NEEDED] and marks[cliques[clique, PARENT], NEEDED]:
        place = where[DOWN] + cliques[clique, MESSAGE] * lanes
        low = _times(
            rows, n_cells, n_axes, lanes, place, strides, cliques[clique, UPWARDS], lanes,
            low, lows[clique, DOWNWARD], alone, False, into,
        )  # fmt: skip
    # what rows know each for itself, at the clique where its variable is not in the separator
    for axis in range(cliques[clique, SEPARATOR], n_axes):
        variable = axes[cliques[clique, AXES] + axis]
        if known[variable, IS_SOFT]:
            low = _times(
                rows, n_cells, n_axes, lanes,
                known[variable, SOFT_PLACE], strides, cliques[-1, UPWARDS] - axis, lanes,
                low, known[variable, SOFT_LOW], alone, False, into,
            )  # fmt: skip
    return n_cells, low


@jit()
def _times(
    rows, n_cells, n_axes, lanes, place, strides, first, width, low, part_low, alone, often, into
):
    """Multiply the block, carefully where a number could get too small; returns the new `low`."""
    values, _, _, _, exponents, _, found, scale, block, local = rows
    careful = low + part_low < LOWEST
    if careful and alone:
        rescale(block, n_cells, lanes, scale, exponents[into], found)
    if careful:
        return multiply_carefully(
            block, n_cells, local, n_axes, lanes, values, place, strides, first, width, found
        )
    multiply(block, n_cells, local, n_axes, lanes, values, place, strides, first, width)
    if often:
        rescale(block, n_cells, lanes, scale, exponents[into], found)
    return low + part_low


@jit()
def message_of(cliques, where, marks, child, lanes):
    """Where the message of a child is, and how many lanes it has: without evidence only one."""
    if marks[child, CHANGED]:
        return where[UP] + cliques[child, MESSAGE] * lanes, lanes
    return where[PRIOR] + cliques[child, MESSAGE], 1


@jit()
def hold(local, n_axes, lanes):
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
def next_states(plan, rows, clique, n_held):
    """The next states of the held axes; False when all were there, and they are free again."""
    cliques, axes, _, _ = plan
    _, _, known, _, _, _, _, _, _, local = rows
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
