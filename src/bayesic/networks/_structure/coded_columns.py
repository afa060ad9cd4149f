"""A table as columns of codes, as learning a structure takes them, and what is counted in them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import prod
from types import ModuleType
from typing import NamedTuple

import numpy as np

from bayesic.data.coded import Coded, block_of, coded
from bayesic.data.source import Stored, opened
from bayesic.data.states import States, in_order
from bayesic.data.typing import TableLike
from bayesic.kernels import Array, pick
from bayesic.kernels.structure import StateRows
from bayesic.networks._structure.coded_files import coded_rows, equal_rows
from bayesic.networks._structure.columns_of_states import (
    refuse_gaps,
    refuse_many,
    refuse_measurements,
)
from bayesic.statistics.additive import Immutable

# Rows are put together by one number for each; it has to fit into 64 bits.
MOST_COMBINATIONS = 2**62
MOST_CELLS = 2**28  # 2 GB of counts


@dataclass(frozen=True, eq=False)
class CodedColumns(Immutable):
    """The columns of a table in the order of their names, each cell as the number of its state.

    The order of the columns in the table has no part in what is learned, also not by rounding.
    """

    variables: tuple[str, ...]  # sorted
    states: tuple[States, ...]  # of each variable; each of them occurs
    codes: Array  # uint8, or uint16 where a variable has many states: (n_variables, n_rows)
    weights: Array | None  # int64 (n_rows,), how often each row occurs; None if once each

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of states of each variable."""
        return tuple(map(len, self.states))

    @property
    def state_rows(self) -> StateRows:
        """The rows as the kernels take them."""
        weights = np.empty(0, np.int64) if self.weights is None else self.weights
        return StateRows(self.codes, np.array(self.sizes, np.int64), weights)

    @property
    def n_samples(self) -> int:
        """The number of rows, each counted as often as it occurs."""
        return self.codes.shape[1] if self.weights is None else int(self.weights.sum())

    def rows(self, numbers: Array) -> "CodedColumns":
        """These rows, by their numbers; with the states of all."""
        weights = None if self.weights is None else self.weights[numbers]
        codes = np.ascontiguousarray(self.codes[:, numbers])
        return CodedColumns(self.variables, self.states, codes, weights)


class NamedStates(NamedTuple):
    """Columns of states without gaps in the order of their table, and how often each row occurs."""

    columns: dict[str, Coded]
    times: Array | None = None  # int64; None if once each


def named_states(table: TableLike) -> NamedStates:
    """All columns of a table, in its order, if each of them holds states and no gaps.

    States are texts, booleans, or a few whole numbers. Columns that measure are refused: the rule
    of NaiveBayes cuts numbers where the class changes, and here no column is the class.
    """
    source = opened(table)
    if isinstance(source, Stored):
        states_of_table = NamedStates(*(equal_rows(source) or (coded_rows(source),)))
    else:
        block = block_of(source.X)
        if not block.named:
            raise TypeError(
                "The columns must have names, which become variables, got a "
                f"{type(source.X).__name__}. Give a table, a dict of columns or a list of dicts."
            )
        states_of_table = NamedStates(coded(block, dict.fromkeys(block.names), only_names=True))
    for name, column in states_of_table.columns.items():
        if len(column.codes) == 0:
            raise ValueError(
                "A structure is learned from rows, got none. Check how the table was cut."
            )
        refuse_gaps(name, column.codes)
        if not column.are_names:
            refuse_measurements(name, column.states)
        refuse_many(name, column.states)
    return states_of_table


def coded_columns(table: TableLike) -> CodedColumns:
    """The columns of any table as learning a structure takes them.

    >>> columns = coded_columns({"rain": ["yes", "no", "yes"], "grade": [10, 9, 9]})
    >>> columns.variables, columns.states
    (('grade', 'rain'), ((9, 10), ('no', 'yes')))
    >>> columns.codes
    array([[1, 0, 0],
           [1, 0, 1]], dtype=uint8)
    """
    return with_equal_rows_once(in_one_array(named_states(table)))


def in_one_array(named: NamedStates) -> CodedColumns:
    """Columns of states in the order of their names, states in their order.

    They are taken out of `named` one by one: a long table is not there twice.
    """
    columns = named.columns
    names = tuple(sorted(columns))
    occurring = tuple(in_order(columns[name].occurring()) for name in names)
    narrow = np.uint8 if max(map(len, occurring)) <= 2**8 else np.uint16
    codes = np.empty((len(names), len(columns[names[0]].codes)), narrow)
    for row, name, states in zip(codes, names, occurring, strict=True):
        row[:] = columns.pop(name).numbered(states)
    return CodedColumns(names, occurring, codes, named.times)


def with_equal_rows_once(columns: CodedColumns) -> CodedColumns:
    """Equal rows kept once, with their number, where this makes the table much shorter."""
    n_rows = columns.codes.shape[1]
    if columns.weights is not None or prod(columns.sizes) > MOST_COMBINATIONS:
        return columns
    number = np.zeros(n_rows, np.int64)
    for size, codes in zip(columns.sizes, columns.codes, strict=True):
        number *= size
        number += codes
    ordered = np.sort(number)
    if 2 * (1 + np.count_nonzero(ordered[1:] != ordered[:-1])) > n_rows:
        return columns
    _, first, times = np.unique(number, return_index=True, return_counts=True)
    codes = np.ascontiguousarray(columns.codes[:, first])
    return CodedColumns(columns.variables, columns.states, codes, times.astype(np.int64))


# counts ---------------------------------------------------------------------------------------


def numbers_of(columns: CodedColumns) -> dict[str, int]:
    """Variable -> its number."""
    return {name: number for number, name in enumerate(columns.variables)}


def combinations_that_occur(columns: CodedColumns, variables: Iterable[int]) -> tuple[Array, int]:
    """The number of the combination of states in each row, and how many there are.

    >>> rows = coded_columns({"rain": ["yes", "no", "yes"], "wet": ["yes", "no", "no"]})
    >>> combinations_that_occur(rows, [0, 1])
    (array([2, 0, 1]), 3)
    """
    number, n_different = np.zeros(columns.codes.shape[1], np.int64), 1
    for variable in variables:
        number = number * columns.sizes[variable] + columns.codes[variable]
        occurs, number = np.unique(number, return_inverse=True)
        n_different = len(occurs)
    return number, n_different


def kernels_of(columns: CodedColumns) -> ModuleType:
    """The kernels for these columns: all their pairs are counted, whatever the method."""
    n_variables, n_rows = columns.codes.shape
    return pick("structure", n_rows * n_variables**2)


def family_table(columns: CodedColumns, variables: Sequence[int]) -> Array:
    """How often each combination of states of these variables occurs: int64, an axis for each.

    >>> rows = coded_columns({"rain": ["yes", "no", "yes"], "wet": ["yes", "no", "no"]})
    >>> family_table(rows, [0, 1])
    array([[1, 0],
           [1, 1]])
    """
    shape = tuple(columns.sizes[variable] for variable in variables)
    if prod(shape) > MOST_CELLS:
        names = ", ".join(columns.variables[variable] for variable in variables)
        raise ValueError(
            f"The states of {names} have {prod(shape)} combinations, too many to count each: at "
            f"most {MOST_CELLS}. Ask for fewer variables together, or join rare states."
        )
    counts = np.zeros(prod(shape), np.int64)
    kernels_of(columns).count_cells(columns.state_rows, np.array(variables, np.int64), counts)
    return counts.reshape(shape)
