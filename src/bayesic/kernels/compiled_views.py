# mypy: disallow-untyped-defs=False
"""Cells of a flat table that agree with the evidence, visited in the order of a clique.

place   : where the table begins in values
strides : those of the table begin at `first`, one for each axis of the clique
lanes   : how many rows are computed side by side: the last axis of all that differs by row
width   : lanes for a table that differs by row, 1 for a table that all rows share
local   : int64 (6, n_axes), for each axis of the clique the STATE it is held at (0 if it is
          free) and the SIZE it runs over (1 if it is held); the axes HELD for a while; and room
          for a view, in which neighbouring axes that follow each other evenly are one
"""

import math

from numba.core import cgutils
from numba.extending import intrinsic

from bayesic.kernels.jit import jit

STATE, SIZE, HELD, LENGTH, STRIDE, DIGIT = range(6)  # rows of local

POSSIBLE, IMPOSSIBLE, DEEP = 0, 1, 2
TOO_SMALL = 2.0**-700  # where this is the largest number, others may have been lost
SMALL = 2.0**-60  # what is smaller than this is multiplied by a power of two
LOWEST = -1000  # a number below two to this power may have lost digits


@intrinsic
def borrowed(typing_context, array):
    """The same array without a reference count.

    Numba counts references at every call, atomically, which takes longer than most calls here and
    makes threads wait for each other. The caller holds the arrays until the kernel is done.
    """

    def code(context, builder, signature, arguments):
        (kind,) = signature.args
        made = context.make_array(kind)(context, builder, value=arguments[0])
        made.meminfo = cgutils.get_null_value(made.meminfo.type)
        made.parent = cgutils.get_null_value(made.parent.type)
        return made._getvalue()

    return array(array), code


@jit()
def _view(local, n_axes, place, strides, first, width, lanes, own):
    """Write the axes of the view; how many there are and where its first cell is.

    own : leave out the axes on which the table does not depend
    """
    n = 0
    for axis in range(n_axes):
        stride, size = strides[first + axis] * width, local[SIZE, axis]
        place += local[STATE, axis] * stride
        if size == 1 or (own and stride == 0):
            continue
        if n > 0 and local[STRIDE, n - 1] == stride * size:
            local[LENGTH, n - 1] *= size
            local[STRIDE, n - 1] = stride
        else:
            local[LENGTH, n], local[STRIDE, n], local[DIGIT, n] = size, stride, 0
            n += 1
    if lanes > 1:
        stride = 1 if width > 1 else 0
        if n > 0 and local[STRIDE, n - 1] == stride * lanes:
            local[LENGTH, n - 1] *= lanes
            local[STRIDE, n - 1] = stride
        else:
            local[LENGTH, n], local[STRIDE, n], local[DIGIT, n] = lanes, stride, 0
            n += 1
    if n == 0:
        local[LENGTH, 0], local[STRIDE, 0], n = 1, 0, 1
    return n, place


@jit()
def _next(local, n, place):
    """The place of the next run of the last axis."""
    for axis in range(n - 2, -1, -1):
        local[DIGIT, axis] += 1
        place += local[STRIDE, axis]
        if local[DIGIT, axis] < local[LENGTH, axis]:
            return place
        place -= local[LENGTH, axis] * local[STRIDE, axis]
        local[DIGIT, axis] = 0
    return place


@jit()
def _n_cells(local, n):
    n_cells = 1
    for axis in range(n):
        n_cells *= local[LENGTH, axis]
    return n_cells


@jit()
def multiply(block, n_cells, local, n_axes, lanes, values, place, strides, first, width):
    """Multiply each cell of the block by the cell of the view that belongs to it."""
    n, place = _view(local, n_axes, place, strides, first, width, lanes, False)
    length, stride = local[LENGTH, n - 1], local[STRIDE, n - 1]
    for start in range(0, n_cells, length):
        cells = block[start : start + length]  # so the compiler sees that no index is negative
        if stride == 1:
            factors = values[place : place + length]
            for cell in range(length):
                cells[cell] *= factors[cell]
        elif stride == 0:
            value = values[place]
            for cell in range(length):
                cells[cell] *= value
        else:
            for cell in range(length):
                cells[cell] *= values[place + cell * stride]
        place = _next(local, n, place)


@jit()
def multiply_carefully(
    block, n_cells, local, n_axes, lanes, values, place, strides, first, width, found
):
    """Multiply, mark rows that lose a number as DEEP; the power of two below all that is not 0."""
    n, place = _view(local, n_axes, place, strides, first, width, lanes, False)
    length, stride = local[LENGTH, n - 1], local[STRIDE, n - 1]
    lowest, low = math.ldexp(1.0, LOWEST), 1.0
    for start in range(0, n_cells, length):
        for cell in range(start, start + length):
            before, factor = block[cell], values[place + (cell - start) * stride]
            value = before * factor
            block[cell] = value
            if value >= lowest:
                low = min(low, value)
            elif before > 0.0 and factor > 0.0 and found[cell % lanes] == POSSIBLE:
                found[cell % lanes] = DEEP
        place = _next(local, n, place)
    return math.frexp(low)[1] - 1


@jit(fastmath={"reassoc"})
def add_into(block, n_cells, local, n_axes, lanes, values, place, strides, first):
    """Add each cell of the block to the cell of the view that belongs to it."""
    n, place = _view(local, n_axes, place, strides, first, lanes, lanes, False)
    length, stride = local[LENGTH, n - 1], local[STRIDE, n - 1]
    for start in range(0, n_cells, length):
        cells = block[start : start + length]
        if stride == 1:
            sums = values[place : place + length]
            for cell in range(length):
                sums[cell] += cells[cell]
        elif stride == 0:
            total = 0.0
            for cell in range(length):
                total += cells[cell]
            values[place] += total
        else:
            for cell in range(length):
                values[place + cell * stride] += cells[cell]
        place = _next(local, n, place)


@jit()
def take_largest(block, n_cells, local, n_axes, values, place, strides, first):
    """Where a cell of the block is larger than the cell of the view, put it there; one lane."""
    n, place = _view(local, n_axes, place, strides, first, 1, 1, False)
    length, stride = local[LENGTH, n - 1], local[STRIDE, n - 1]
    for start in range(0, n_cells, length):
        if stride == 0:
            values[place] = max(values[place], block[start : start + length].max())
        else:
            for cell in range(length):
                here = place + cell * stride
                values[here] = max(values[here], block[start + cell])
        place = _next(local, n, place)


@jit()
def clear(local, n_axes, lanes, values, place, strides, first):
    """Set the cells of a message to 0."""
    n, place = _view(local, n_axes, place, strides, first, lanes, lanes, True)
    length, stride = local[LENGTH, n - 1], local[STRIDE, n - 1]
    for _ in range(0, _n_cells(local, n), length):
        if stride == 1:
            values[place : place + length] = 0.0
        else:
            for cell in range(length):
                values[place + cell * stride] = 0.0
        place = _next(local, n, place)


@jit()
def divide(local, n_axes, lanes, values, place, by, width, strides, first):
    """Divide a message by the one that begins at `by`, which all rows may share; 0 / 0 is 0."""
    n, at = _view(local, n_axes, place, strides, first, lanes, lanes, True)
    length, stride = local[LENGTH, n - 1], local[STRIDE, n - 1]
    for _ in range(0, _n_cells(local, n), length):
        for start in range(0, length, lanes):
            here = at + start * stride
            there = by + (here - place) // lanes * width
            step = 1 if width == lanes else 0
            for lane in range(lanes):
                divisor = values[there + lane * step]
                values[here + lane] /= divisor if divisor > 0.0 else 1.0
        at = _next(local, n, at)


@jit()
def normalise(local, n_axes, lanes, values, place, strides, first, scale, exponents, found, low):
    """Bring the largest number of a message near 1, by powers of two that exponents count.

    exponents : int64 (lanes,), added to; found : uint8 (lanes,), tells rows that got too small
    low       : no number but 0 was below two to this power. Returns what it is then.
    """
    n, begin = _view(local, n_axes, place, strides, first, lanes, lanes, True)
    length, stride = local[LENGTH, n - 1], local[STRIDE, n - 1]
    n_cells = _n_cells(local, n)
    scale[:] = 0.0
    place = begin
    for _ in range(0, n_cells, length):
        for start in range(0, length, lanes):
            take_larger(scale, values[place + start * stride : place + start * stride + lanes])
        place = _next(local, n, place)
    some, shrunk = powers_of_two(scale, exponents, found)
    low -= shrunk
    if not some and low >= LOWEST // 2:
        return low
    lowest, least, place = math.ldexp(1.0, LOWEST), 1.0, begin
    for _ in range(0, n_cells, length):
        for start in range(0, length, lanes):
            cells = values[place + start * stride : place + start * stride + lanes]
            for lane in range(lanes):
                cells[lane] *= scale[lane]
            if low < LOWEST // 2:
                least = min(least, smallest(cells, lowest, found))
        place = _next(local, n, place)
    return low if low >= LOWEST // 2 else math.frexp(least)[1] - 1


@jit()
def smallest(cells, lowest, found):
    """The smallest number that is not 0; rows with numbers below `lowest` are DEEP."""
    least = 1.0
    for lane in range(len(cells)):
        value = cells[lane]
        if value >= lowest:
            least = min(least, value)
        elif value > 0.0 and found[lane] == POSSIBLE:
            found[lane] = DEEP
    return least


@jit()
def add_lanes(sums, values, first, last):
    """Add up the values of each row."""
    for start in range(first, last, len(sums)):
        cells = values[start : start + len(sums)]
        for lane in range(len(sums)):
            sums[lane] += cells[lane]


@jit()
def take_larger(largest, cells):
    for lane in range(len(largest)):
        value = cells[lane]
        largest[lane] = value if value > largest[lane] else largest[lane]


@jit()
def powers_of_two(scale, exponents, found):
    """From the largest number of each row what to multiply it by.

    Returns whether that is not 1 for some row, and the largest power of two to divide by.
    """
    some, shrunk = False, 0
    for lane in range(len(scale)):
        largest, scale[lane] = scale[lane], 1.0
        if largest < TOO_SMALL:
            if found[lane] == POSSIBLE:
                found[lane] = IMPOSSIBLE if largest == 0.0 else DEEP
        elif largest < SMALL or largest > 1.0:
            exponent = math.frexp(largest)[1]
            scale[lane] = math.ldexp(1.0, -exponent)
            exponents[lane] += exponent
            shrunk = max(shrunk, exponent)
            some = True
    return some, shrunk


@jit()
def rescale(block, n_cells, lanes, scale, exponents, found):
    """Bring a block of numbers up to 1 that has become small near 1, row by row."""
    scale[:] = 0.0
    for start in range(0, n_cells, lanes):
        take_larger(scale, block[start : start + lanes])
    some, _ = powers_of_two(scale, exponents, found)
    if some:
        for start in range(0, n_cells, lanes):
            cells = block[start : start + lanes]
            for lane in range(lanes):
                cells[lane] *= scale[lane]
