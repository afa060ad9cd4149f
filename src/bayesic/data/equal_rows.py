"""Which rows of a matrix are the same."""

from itertools import count

import numpy as np

from bayesic.kernels import Array

# The steps of splitmix64, which spreads the bits of a number over all 64: small whole numbers
# differ in a few bits of a float64 only.
_STEP = np.uint64(0x9E3779B97F4A7C15)
_MIX = (
    (np.uint64(30), np.uint64(0xBF58476D1CE4E5B9)),
    (np.uint64(27), np.uint64(0x94D049BB133111EB)),
)
_LAST_SHIFT = np.uint64(31)


def equal_rows(values: Array) -> tuple[Array, Array]:
    """The first row of each group of equal rows, and for each row the number of its group.

    values : float64 (n_rows, n_columns), without NaN; 0.0 and -0.0 are equal

    Groups are in the order in which they first appear. Rows are sorted by a key of 64 bits and
    compared with the first of their key; where two different rows share a key, other keys are made.

    >>> equal_rows(np.array([[2.0, 0.0], [1.0, 1.0], [2.0, -0.0]]))
    (array([0, 1]), array([0, 1, 0]))
    """
    for seed in count():
        keys = row_keys(values, seed)
        _, first, group = np.unique(keys, return_index=True, return_inverse=True)
        if len(first) == len(values) or (values[first[group]] == values).all():
            break
    order = np.argsort(first)
    place = np.empty(len(first), np.intp)
    place[order] = np.arange(len(first))
    return first[order], place[group]


def row_keys(values: Array, seed: int) -> Array:
    """A number for each row that hangs on all of its cells: uint64 (n_rows,).

    Equal rows have equal keys.
    """
    keys = np.zeros(len(values), np.uint64)
    salt = np.arange(1, values.shape[1] + 1, dtype=np.uint64) + np.uint64(seed << 32)
    for column, step in enumerate(_mixed(salt * _STEP)):
        bits = (values[:, column] + 0.0).view(np.uint64)  # + 0.0: -0.0 becomes 0.0
        keys += _mixed(bits + step)
    return keys


def _mixed(numbers: Array) -> Array:
    for shift, factor in _MIX:
        numbers = (numbers ^ (numbers >> shift)) * factor
    return numbers ^ (numbers >> _LAST_SHIFT)
