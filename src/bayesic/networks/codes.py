"""Tables of data as numbers of states: what inference and learning compute with."""

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from bayesic.data.columns import NOT_OBSERVED, Categories, Cells, category_name
from bayesic.networks.errors import NetworkError
from bayesic.networks.quick_codes import quick_columns
from bayesic.networks.states import State, States, listed
from bayesic.statistics.families import numbers_of_names

Array = np.ndarray


def state_codes(
    net_states: Mapping[str, States], table: Any, unknown: Literal["error", "null"] = "error"
) -> Array:
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
    quick = quick_columns(table, net_states)
    found = {name: codes for name, codes in quick.items() if codes is not None}
    slow = [name for name in quick or net_states if name not in found]
    if slow:
        found |= _codes_by_text({name: net_states[name] for name in slow}, table, unknown)
    n_rows = len(next(iter(found.values())))
    codes = np.full((len(net_states), n_rows), NOT_OBSERVED, dtype=np.int64)
    for number, variable in enumerate(net_states):
        if variable in found:
            codes[number] = found[variable]
    return codes.T


def _codes_by_text(net_states: Mapping[str, States], table: Any, unknown: str) -> dict[str, Array]:
    """The same for the variables that have a column, which may be of any kind."""
    from bayesic.data.tables import as_table  # loads SciPy: a single question does without

    told = _OnlyVariables.fromkeys(net_states, "category")
    cells = as_table(table, told)
    if not cells.columns:
        raise ValueError(
            f"The columns of a table are named like the variables, {listed(tuple(net_states))}; "
            f"none of {listed(cells.names)} is. Rename the columns; those that are not there "
            "count as not observed."
        )
    return {
        name: _numbers(column, name, net_states[name], unknown)
        for name, column in cells.columns.items()
    }


class _OnlyVariables(dict[str, str]):
    """What is told of the columns of a table: all that are not in here are ignored."""

    def get(self, name: str, default: Any = "ignore") -> Any:
        return super().get(name, default)


def _numbers(column: Cells, variable: str, states: States, unknown: str) -> Array:
    if not isinstance(column, Categories):  # nothing was observed
        return np.full(len(column), NOT_OBSERVED)
    numbers = numbers_by_name(variable, states)
    places = [numbers.get(level, NOT_OBSERVED) for level in column.levels]
    if unknown == "error" and NOT_OBSERVED in places:
        level = places.index(NOT_OBSERVED)
        row = int((column.codes == level).argmax())
        raise NetworkError(
            f"{variable} has the states {listed(states)}, got {column.levels[level]!r} in row "
            f"{row}. Use null for what was not observed.",
            variable,
        )
    return np.array([*places, NOT_OBSERVED])[column.codes]  # the last place is for code -1


def numbers_by_name(variable: str, states: States) -> dict[str, int]:
    """The text of each state -> its number. True and 1 are found under both texts.

    >>> numbers_by_name("Storm", (True, False))
    {'True': 0, 'False': 1, '1': 0, '0': 1}
    """
    if len({category_name(state) for state in states}) < len(states):
        raise NetworkError(
            f"Two states of {variable} have the same text: {listed(states)}. States in tables are "
            "compared as text; rename one of them.",
            variable,
        )
    numbers = numbers_of_names(states)
    for number, state in enumerate(states):
        numbers.setdefault(str(state), number)  # 2.0 is found as "2" and as "2.0"
    return numbers


def number_of_state(variable: str, states: States, state: State) -> int:
    """The number of one state, found as in a table; others are refused.

    >>> number_of_state("Storm", (True, False), "False")
    1
    """
    try:
        return states.index(state)
    except ValueError:
        pass
    number = numbers_by_name(variable, states).get(category_name(state))
    if number is None:
        raise NetworkError(f"{variable} has the states {listed(states)}, got {state!r}.", variable)
    return number
