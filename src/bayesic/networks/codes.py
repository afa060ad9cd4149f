"""Tables of data as numbers of states: what inference computes with."""

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from bayesic.data.coded import Block, Coded, block_of, coded
from bayesic.data.distinct import NOT_OBSERVED, category_name
from bayesic.data.states import States
from bayesic.networks.variable_names import NetworkError, check_texts, listed

Array = np.ndarray
Unknown = Literal["error", "null"]

UNSEEN = -2


def state_codes(net_states: Mapping[str, States], table: Any, unknown: Unknown = "error") -> Array:
    """The number of the state in every cell: int64 (n_rows, n_variables), -1 where none was seen.

    net_states : variable -> its states, which are numbered in their order
    table      : anything with named columns, see `as_table`. Null and NaN mean "not observed", and
                 so does a column that is not there. Columns that are no variables are not looked at
    unknown    : "error" refuses a cell that is none of the states; "null" takes it as not observed

    States are compared as text, as categories are everywhere: True, "True" and 1 find the state
    True. The columns of the result are contiguous.

    >>> states = {"Storm": (True, False), "Sky": ("晴", "雨")}
    >>> state_codes(states, {"Sky": ["雨", None, "晴"], "Day": [1, 2, 3]})
    array([[-1,  1],
           [-1, -1],
           [-1,  0]])
    """
    block = block_of(table, net_states)
    if not block.columns:
        raise ValueError(
            f"The columns of a table are named like the variables, {listed(tuple(net_states))}; "
            f"none of {listed(block.names)} is. Rename the columns; those that are not there "
            "count as not observed."
        )
    return block_codes(net_states, block, unknown)


def block_codes(
    net_states: Mapping[str, States], block: Block, unknown: Unknown = "error"
) -> Array:
    """The same for a block of rows; columns that are none of these variables are not looked at."""
    columns = coded(block, net_states)
    check_texts({n: net_states[n] for n, its in columns.items() if its.states is not net_states[n]})
    return column_codes(net_states, columns, block.n_rows, unknown)


def column_codes(
    net_states: Mapping[str, States],
    columns: Mapping[str, Coded],
    n_rows: int,
    unknown: Unknown = "error",
) -> Array:
    """The same for columns that are coded already, by whichever states."""
    codes = np.full((len(net_states), n_rows), NOT_OBSERVED, dtype=np.int64)
    for numbers, (variable, states) in zip(codes, net_states.items(), strict=True):
        if variable in columns:
            column = columns[variable]
            numbers[:] = column.numbered(states, UNSEEN)
            if column.states is not states and numbers.min(initial=0) == UNSEEN:
                if unknown == "error":
                    raise _unseen(variable, states, column, numbers)
                numbers[numbers == UNSEEN] = NOT_OBSERVED
    return codes.T


def _unseen(variable: str, states: States, column: Coded, numbers: Array) -> NetworkError:
    row = int((numbers == UNSEEN).argmax())
    state = category_name(column.states[column.codes[row]])
    return NetworkError(
        f"{variable} has the states {listed(states)}, got {state!r} in row {row}. Use null for "
        "what was not observed.",
        variable,
    )
