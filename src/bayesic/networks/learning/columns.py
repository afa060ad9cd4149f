"""Tables and files of any kind -> the columns that a network has variables for, as states."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from bayesic.data.columns import Categories, Cells, category_name
from bayesic.data.files import file_blocks, file_columns, is_file
from bayesic.data.frames import as_frame, as_series
from bayesic.data.tables import as_table
from bayesic.networks.codes import numbers_by_name
from bayesic.networks.learning.objects import shared_states
from bayesic.networks.states import State, States, listed
from bayesic.statistics.families import Coded, names_of_state, number_of_state

Array = np.ndarray
Known = Mapping[str, States | None]  # variable -> its states, None where they are not known
Columns = dict[str, Any]  # variable -> the column, of whatever library


class Block(NamedTuple):
    """Some rows of a table, and how many come before them."""

    table: Any  # as it was given
    columns: Columns  # those that are variables
    n_rows: int
    first_row: int = 0

    @property
    def rows(self) -> slice:
        """Where the rows are in the whole table."""
        return slice(self.first_row, self.first_row + self.n_rows)


# blocks of named columns ------------------------------------------------------------------------


def table_blocks(table: Any, known: Known) -> Iterator[Block]:
    """The columns named like variables: of a table in memory at once, of a file block by block.

    Other columns are not looked at.
    """
    if not is_file(table):
        columns = variable_columns(table, known)
        yield Block(table, columns, _n_rows(columns))
        return
    first_row = 0
    for part in file_blocks(table, _told(table, known)):
        columns = variable_columns(part, known)
        yield Block(part, columns, _n_rows(columns), first_row)
        first_row += _n_rows(columns)


def variable_columns(table: Any, variables: Known) -> Columns:
    """The columns of a table in memory that are named like variables, as they are.

    >>> variable_columns([{"Rain": "yes", "day": 3}, {"Rain": "no", "day": 4}], {"Rain": None})
    {'Rain': ['yes', 'no']}
    """
    if isinstance(table, Mapping):
        given = {str(name): column for name, column in table.items()}
    elif isinstance(table, (list, tuple)) and all(isinstance(row, Mapping) for row in table):
        names = dict.fromkeys(str(name) for row in table for name in row)
        given = {
            name: [row.get(name) for row in table] if name in variables else None for name in names
        }
    else:
        frame = None if isinstance(table, (list, tuple, np.ndarray)) else as_frame(table)
        if frame is None:
            raise TypeError(
                "The columns of a table must have the names of variables, got a "
                f"{type(table).__name__}. Give a table, a dict of columns or a list of dicts."
            )
        given = {name: frame.get_column(name).to_native() for name in frame.columns}
    found = {name: given[name] for name in variables if name in given}
    if not found:
        raise ValueError(
            f"The columns of a table must have the names of variables, {listed([*variables])}; "
            f"got {listed([*given])}. Rename the columns."
        )
    return found


def _n_rows(columns: Columns) -> int:
    first = next(iter(columns.values()))
    return len(first) if hasattr(first, "__len__") else 0  # what is no column is refused later


def _told(path: Any, known: Known) -> dict[str, str]:
    """How to read the columns of a file.

    Where a state is a text, cells are read as written: '01' stays '01'.
    """
    told = {}
    for name, kind in file_columns(path).items():
        if name not in known:
            told[name] = "ignore"
        elif kind != "number" or any(isinstance(state, str) for state in known[name] or ()):
            told[name] = "category"
    return told


# columns of states ------------------------------------------------------------------------------


def coded_columns(block: Block, known: Known, gaps: bool = False) -> dict[str, Coded]:
    """The state of each variable in each row. All must be there, in every row.

    With gaps, cells may be null, which are -1 then, and columns may be missing.

    States that are known are taken as they are known. New ones keep their type: texts, booleans
    and numbers; anything else becomes a text.

    >>> [block] = table_blocks({"Rain": [True, False, True]}, {"Rain": None})
    >>> coded_columns(block, {"Rain": None})["Rain"].states
    (True, False)
    """
    missing = [name for name in known if name not in block.columns]
    if missing and not gaps:
        raise ValueError(
            f"Counting needs a column for each variable, missing {listed(missing)}. A variable "
            "that is never observed can be learned by EM: fit(table, method='em')."
        )
    coded: dict[str, tuple[Array, list[State]]] = {}
    others: Columns = {}
    for name, column in block.columns.items():
        quick = _pandas_categories(column) or shared_states(column)
        if quick is None:
            others[name] = column
        else:
            coded[name] = quick
    if others:
        table = as_table(others, dict.fromkeys(others, "category"), block.first_row)
        coded |= {name: _coded(cells, others[name]) for name, cells in table.columns.items()}
    lengths = {name: len(codes) for name, (codes, _) in coded.items()}
    if len(set(lengths.values())) > 1:
        raise ValueError(f"Columns must have the same number of rows, got {lengths}.")
    if not gaps:
        for name, (codes, _) in coded.items():
            _refuse_gaps(name, codes, block)
    return {
        name: _with_states(name, codes, values, known[name])
        for name, (codes, values) in coded.items()
    }


def _pandas_categories(column: Any) -> tuple[Array, list[State]] | None:
    """A column of pandas that is stored as codes already: one or two bytes a row, read at once."""
    if str(getattr(column, "dtype", "")) != "category" or not hasattr(column, "cat"):
        return None
    return column.cat.codes.to_numpy(), [*map(_as_state, column.cat.categories.tolist())]


def _coded(cells: Cells, column: Any) -> tuple[Array, list[State]]:
    if not isinstance(cells, Categories):  # no cell was observed
        return np.full(len(cells), -1), []
    return cells.codes, _typed(cells, column)


def _typed(cells: Categories, column: Any) -> list[State]:
    """The levels as they were before they became text."""
    if not any(map(_may_be_no_text, cells.levels)):
        return list(cells.levels)
    rows = np.zeros(len(cells.levels) + 1, np.intp)  # the last is for cells without a level
    rows[cells.codes[::-1]] = np.arange(len(cells))[::-1]
    series = None if isinstance(column, (list, tuple, np.ndarray)) else as_series(column)
    values = column if series is None else series
    return [_as_state(values[int(row)]) for row in rows[:-1]]


def _may_be_no_text(name: str) -> bool:
    if name in ("True", "False"):
        return True
    try:
        float(name)
    except ValueError:
        return False
    return True


def _as_state(value: Any) -> State:
    """One cell as a state; whole numbers are int, as tables turn them into floats for a gap."""
    plain = value.item() if isinstance(value, np.generic) else value
    if type(plain) in (bool, int):
        return plain
    if isinstance(plain, float) and np.isfinite(plain):
        return int(plain) if plain.is_integer() else float(plain)
    return category_name(plain)


def _with_states(name: str, codes: Array, values: list[State], known: States | None) -> Coded:
    # refuses states with the same text
    states, numbers, places = list(known or ()), numbers_by_name(name, known or ()), []
    for value in values:
        number = number_of_state(value, numbers)
        if number is None:
            number = len(states)
            states.append(value)
            for text in names_of_state(value):
                numbers.setdefault(text, number)
        places.append(number)
    occurring = {number: place for place, number in enumerate(dict.fromkeys(places))}
    if len(occurring) < len(values):  # '1' and 1.0 are one state
        # the last place is for cells without a state
        codes = np.array([*(occurring[number] for number in places), -1], np.intp)[codes]
    return Coded(codes, tuple(states[number] for number in occurring))


def _refuse_gaps(name: str, codes: Array, block: Block) -> None:
    if codes.min(initial=0) < 0:
        gaps = codes < 0
        raise ValueError(
            f"Counting needs complete rows, but {name!r} is null in {int(gaps.sum())} of them, the "
            f"first of which is row {block.first_row + int(gaps.argmax())}. Drop these rows, or "
            "learn rows with gaps by EM: fit(table, method='em')."
        )
