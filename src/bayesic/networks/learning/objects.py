"""Columns of Python objects that many cells share, told apart by where they are in memory.

A column of states as objects mostly holds a few texts, again and again: whoever made it kept one of
each, at least for some thousand rows. Then comparing addresses is many times faster than asking
every cell for its hash.
"""

import ctypes
from typing import Any

import numpy as np

from bayesic.networks.states import State

Array = np.ndarray

ROWS_AT_ONCE = 8192
MOST_OBJECTS = 64  # in these rows: a column of more is not made of shared objects
UNKNOWN = 255


def shared_states(column: Any) -> tuple[Array, list[State]] | None:
    """For each cell the number of its state, and the states; None if this is no such column.

    Such a column is an array or a pandas column of objects: texts, booleans and whole numbers, no
    gaps, few of them different.

    >>> yes, no = "yes", "no"
    >>> shared_states(np.array([yes, no, no, yes], dtype=object))
    (array([0, 1, 1, 0], dtype=uint8), ['yes', 'no'])
    """
    if str(getattr(column, "dtype", "")) != "object" or getattr(column, "ndim", 0) != 1:
        return None
    values = np.ascontiguousarray(column.to_numpy() if hasattr(column, "to_numpy") else column)
    addresses = _addresses(values)
    numbers = np.full(len(values), UNKNOWN, np.uint8)
    known: dict[tuple[type, State], int] = {}  # with the type: True is 1
    for start in range(0, len(values), ROWS_AT_ONCE):
        rows = slice(start, start + ROWS_AT_ONCE)
        if not _fill_numbers(numbers[rows], values[rows], addresses[rows], known):
            return None
    return numbers, [state for _, state in known]


def _fill_numbers(numbers: Array, values: Array, addresses: Array, known: dict) -> bool:
    """Number the states of some rows, those that are new as well; False if it cannot be done."""
    for _ in range(MOST_OBJECTS):
        row = int((numbers == UNKNOWN).argmax())
        if numbers[row] != UNKNOWN:
            return True
        key = type(values[row]), values[row]
        if key[0] not in (str, bool, int) or len(known) == UNKNOWN:
            return False
        np.putmask(numbers, addresses == addresses[row], known.setdefault(key, len(known)))
    return UNKNOWN not in numbers


def _addresses(values: Array) -> Array:
    """Where the objects of an array are, without looking at them: what the array itself holds."""
    memory = (ctypes.c_ssize_t * len(values)).from_address(values.ctypes.data)
    return np.ctypeslib.as_array(memory)
