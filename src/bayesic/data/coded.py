"""Tables and files of any kind -> the columns that are asked for, as numbers of typed states."""

from collections.abc import Container, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from bayesic.data.blocks import in_threads
from bayesic.data.columns import Column, check_dimension, refuse_unnamed
from bayesic.data.distinct import (
    NOT_OBSERVED,
    Distinct,
    distinct_objects,
    distinct_of_array,
    shared_objects,
)
from bayesic.data.frames import distinct_of_series, is_of_pandas
from bayesic.data.source import Source, Stored
from bayesic.data.sparse_matrices import is_sparse
from bayesic.data.states import (
    States,
    as_state,
    found_number,
    names_of_state,
    numbers_among,
    numbers_of_names,
)
from bayesic.data.tables import check_names, plain_column, raw_columns
from bayesic.kernels import Array

Known = Mapping[str, States | None]  # column -> its states, None where they are not known

MOST_STATES = 127  # that are looked up cell by cell: their codes are signed bytes
MISSING = 255  # -1 as a signed byte
CELLS_THAT_REPAY_THREADS = 2**16


class Coded(NamedTuple):
    """A column: for each row the number of its state. Not all states need to occur."""

    codes: Array  # (n_rows,), whole numbers of any type; -1 where not observed
    states: States
    are_names: bool = False  # the column is of a type for categories: its numbers are names

    def numbered(self, states: States, unseen: int = NOT_OBSERVED) -> Array:
        """The codes by the numbers of other states; those that are none of them are `unseen`.

        >>> Coded(np.array([0, 1, -1]), ("rain", "hail")).numbered(("sun", "rain"), unseen=-2)
        array([ 1, -2, -1], dtype=int8)
        """
        if self.states is states:
            return self.codes
        places = [unseen if n is None else n for n in numbers_among(self.states, states)]
        narrow = np.min_scalar_type(-2 - max(len(states), abs(unseen)))
        return np.array([*places, NOT_OBSERVED], narrow)[self.codes]  # code -1 is the last

    def occurring(self) -> States:
        """The states that some row has, in the order of their numbers."""
        occurs = np.zeros(len(self.states) + 1, dtype=bool)
        occurs[self.codes] = True  # code -1 marks the last place, which is not a state
        return tuple(self.states[number] for number in np.flatnonzero(occurs[:-1]).tolist())


class ColumnBlock(NamedTuple):
    """Some rows of a table, and how many come before them."""

    columns: dict[str, object]  # those that are asked for, of whatever library
    n_rows: int
    names: tuple[str, ...]  # of all columns
    named: bool = True  # False for arrays and lists of rows: their columns are called x0, x1, ...
    first_row: int = 0

    @property
    def rows(self) -> slice:
        """Where the rows are in the whole table."""
        return slice(self.first_row, self.first_row + self.n_rows)


# blocks of columns ------------------------------------------------------------------------------


def table_blocks(rows: Source, known: Known) -> Iterator[ColumnBlock]:
    """The columns of these names: of a table in memory at once, of a file block by block."""
    stored = how_read(rows, known) if isinstance(rows, Stored) else {}
    return (
        block_of(part.X, known)._replace(first_row=part.first_row) for part in rows.blocks(stored)
    )


def block_of(table: object, wanted: Container[str] | None = None) -> ColumnBlock:
    """The columns of a table in memory that have these names, or all; others are ignored.

    >>> block_of([{"Rain": "yes", "day": 3}, {"Rain": "no", "day": 4}], {"Rain"}).columns
    {'Rain': ['yes', 'no']}
    """
    names, table = _cut(table, wanted)
    columns, n_rows, named = raw_columns(table)
    found = {str(name): values for name, values in columns}
    names = [str(name) for name, _ in columns] if names is None else names
    check_names(names, n_rows)
    if wanted is not None:
        found = {name: values for name, values in found.items() if name in wanted}
    return ColumnBlock(found, n_rows, tuple(names), named)


def _cut(table: Any, wanted: Container[str] | None) -> tuple[list[str] | None, Any]:
    """The names of all columns, and the table without those not wanted, where that is easy."""
    if wanted is None or is_sparse(table):
        return None, table
    if isinstance(table, Mapping):
        kept = {name: values for name, values in table.items() if str(name) in wanted}
        return [*map(str, table)], kept or table
    if isinstance(table, (list, tuple)) and table and all(isinstance(r, Mapping) for r in table):
        keys = dict.fromkeys(name for row in table for name in row)
        kept = {name: [row.get(name) for row in table] for name in keys if str(name) in wanted}
        return [*map(str, keys)], kept or list(table)
    if is_of_pandas(table, "DataFrame") and table.columns.is_unique:
        kept = {name: table[name] for name in table.columns if str(name) in wanted}
        return [*map(str, table.columns)], kept or table
    return None, table


def how_read(rows: Stored, known: Known) -> dict[str, str]:
    """How to read the columns of a file.

    Where a state is a text, cells are read as written: '01' stays '01'.
    """
    told = {}
    for name, kind in rows.kinds.items():
        if name not in known:
            told[name] = "ignore"
        elif kind != "number" or any(isinstance(state, str) for state in known[name] or ()):
            told[name] = "category"
    return told


# columns of states ------------------------------------------------------------------------------


def coded(block: ColumnBlock, known: Known, only_names: bool = False) -> dict[str, Coded]:
    """The columns of the block that are known by name, each cell as the number of its state.

    known      : column -> states that its cells may have; None where they are not known
    only_names : refuse what names nothing: dates, infinite numbers, mixtures of numbers and words

    States that are known are taken as they are known. New ones keep their type: texts, booleans
    and numbers; anything else becomes a text.

    >>> coded(block_of({"Rain": [True, None, "1"]}), {"Rain": None})
    {'Rain': Coded(codes=array([ 0, -1,  0]), states=(True,), are_names=False)}
    """

    def coded_column(name: str) -> Coded:
        values, states = plain_column(block.columns[name]), known[name] or ()
        codes = _looked_up(values, states) if isinstance(values, list) and states else None
        if codes is not None:
            return Coded(codes, states)
        column = Column(name, None if only_names else "category", block.first_row)
        return _coded(values, states, column)

    names = [name for name in known if name in block.columns]
    are_many = len(names) * block.n_rows >= CELLS_THAT_REPAY_THREADS
    each = (in_threads if are_many else map)(coded_column, names)
    return dict(zip(names, each, strict=True))


def _coded(values: object, known: States, column: Column) -> Coded:
    found = None
    if isinstance(values, np.ndarray):
        check_dimension(values, column)
        found = shared_objects(values)
        if found is None and known and values.dtype.kind in "OU":
            codes = _looked_up(values.tolist(), known)
            if codes is not None:
                return Coded(codes, known)
    found = found or _distinct(values)
    if column.told is None:
        refuse_unnamed(found, column)
    return _with_states(found, known)


def _distinct(values: object) -> Distinct:
    if isinstance(values, list):
        return distinct_objects(values)
    if isinstance(values, np.ndarray):
        return distinct_of_array(values)
    return distinct_of_series(values)


class _Numbers(dict[object, int]):
    """The number of each state; NaN is not observed, and every NaN may be an object of its own."""

    def __missing__(self, value: object) -> int:
        if value != value:
            return MISSING
        raise KeyError(value)


def _looked_up(values: list, states: States) -> Array | None:
    """The number of the state in each cell, if all cells are known states or null.

    >>> _looked_up(["雨", None, "晴"], ("晴", "雨"))
    array([ 1, -1,  0], dtype=int8)
    """
    if len(states) > MOST_STATES:
        return None
    numbers = _Numbers((state, number) for number, state in enumerate(states))
    numbers[None] = MISSING
    try:
        return np.frombuffer(bytes(map(numbers.__getitem__, values)), np.int8)
    except (KeyError, TypeError):  # another way to write a state, or to say "not observed"
        return None


def _with_states(found: Distinct, known: States) -> Coded:
    """The values as states: as they are known, or of their own type where they are new."""
    states, numbers, places = list(known), numbers_of_names(known), []
    for value in map(as_state, found.values):
        number = found_number(value, numbers)
        if number is None:
            number = len(states)
            states.append(value)
            for name in names_of_state(value):
                numbers.setdefault(name, number)
        places.append(number)
    occurring = {number: place for place, number in enumerate(dict.fromkeys(places))}
    codes = found.codes
    if len(occurring) < len(places):  # '1' and 1.0 are one state
        codes = np.array([*(occurring[number] for number in places), NOT_OBSERVED])[codes]
    return Coded(codes, tuple(states[number] for number in occurring), found.are_names)
