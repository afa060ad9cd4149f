"""All conjunctions of some attributes at once: sums over a cube.

Attribute j has m_j values. The conjunctions without the empty one are the cells of a cube with
m_j + 1 places along axis j: a place for each value, and the last for "?". Cubes are held flat, in
C order. A row lies in the cell of its values; a value that no conjunction asks for has the last
place. Every pass over one axis takes as long as the cube is large, whatever the number of rows.
"""

import math
from collections.abc import Sequence

import numpy as np

from bayesic.kernels import Array

# 2^24: 24 attributes with one value each, or 12 with three
LARGEST_CUBE = 1 << 24


def cells_of(codes: Array, sizes: Sequence[int]) -> Array:
    """The cell of each row in the flat cube: intp (n_rows,).

    >>> cells_of(np.array([[0, 1], [2, 0]]), [2, 1])
    array([1, 4])
    """
    cells = np.zeros(len(codes), dtype=np.intp)
    for column, size in zip(codes.T, sizes, strict=True):
        cells = cells * (size + 1) + column
    return cells


def covered_rows(codes: Array, weights: Array, sizes: Sequence[int]) -> Array:
    """For each conjunction the sum of the weights of the rows that it covers.

    Along each axis the place of "?" gets the sum of all places. Weights that are bool tell
    whether any such row is covered.

    >>> rows = np.array([[0, 0], [0, 1]])
    >>> covered_rows(rows, np.array([1, 1]), [1, 2]).reshape(2, 3)
    array([[1, 1, 2],
           [1, 1, 2]])
    """
    refuse_large(sizes)
    cube = np.zeros(math.prod(size + 1 for size in sizes), dtype=weights.dtype)
    np.add.at(cube, cells_of(codes, sizes), weights)
    for axis, size in enumerate(sizes):
        places = _along(cube, sizes, axis)
        for value in range(size):
            places[:, size] += places[:, value]
    return cube


def covering_hypotheses(weights: Array, sizes: Sequence[int]) -> Array:
    """For each row that there can be, the sum of the weights of the conjunctions that cover it.

    The mirror image of covered_rows: each place gets what stands in the place of "?".

    >>> covering_hypotheses(np.array([1, 1, 1, 1]), [1, 1])
    array([4, 2, 2, 1])
    """
    cube = weights.copy()
    for axis, size in enumerate(sizes):
        places = _along(cube, sizes, axis)
        places[:, :size] += places[:, size:]
    return cube


def most_general_of(chosen: Array, sizes: Sequence[int]) -> Array:
    """Which of the chosen conjunctions have no chosen one with a value less: bool.

    For a set that has with any conjunction all that are more special, these are its most general.

    >>> most_general_of(np.array([True, True, True, False]), [1, 1])
    array([False,  True,  True, False])
    """
    general = chosen.copy()
    for axis, size in enumerate(sizes):
        _along(general, sizes, axis)[:, :size] &= ~_along(chosen, sizes, axis)[:, size:]
    return general


def n_constraints(sizes: Sequence[int]) -> Array:
    """How many attributes each conjunction asks for: int8, flat.

    >>> n_constraints([1, 1])
    array([2, 1, 1, 0], dtype=int8)
    """
    counts = np.zeros(1, dtype=np.int8)
    for size in sizes:
        here = np.array([1] * size + [0], dtype=np.int8)
        counts = np.add.outer(counts, here).ravel()
    return counts


def refuse_large(sizes: Sequence[int]) -> None:
    """Refuse attributes with more conjunctions than fit into memory at ease."""
    n_cells = math.prod(size + 1 for size in sizes)
    if n_cells > LARGEST_CUBE:
        raise ValueError(
            f"There are {n_cells:,} conjunctions to look at; at most {LARGEST_CUBE:,} can be. "
            "Leave out attributes, or use find_s, which needs no list of them."
        )


def _along(cube: Array, sizes: Sequence[int], axis: int) -> Array:
    """The cube as (cells before, places of this axis, cells behind): a view."""
    behind = math.prod(size + 1 for size in sizes[axis + 1 :])
    return cube.reshape(-1, sizes[axis] + 1, behind)
