"""A table as columns of codes, as learning a structure takes them."""

from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from bayesic.data.columns import Categories, Cells, Nothing, Numbers
from bayesic.data.tables import Table, as_table
from bayesic.models.schema import as_categories
from bayesic.statistics.values import Immutable

Array = np.ndarray

# Columns with more different numbers than this measure something.
MOST_NUMBERS = 32
MOST_STATES = 2**16
# Rows are put together by one number for each; it has to fit into 64 bits.
MOST_CELLS = 2**62


@dataclass(frozen=True, eq=False)
class CodedColumns(Immutable):
    """The columns of a table in the order of their names, each cell as the number of its state.

    The order of the columns in the table has no part in what is learned, also not by rounding.
    """

    variables: tuple[str, ...]  # sorted
    states: tuple[tuple[str, ...], ...]  # of each variable; each of them occurs
    codes: Array  # uint8, or uint16 where a variable has many states: (n_variables, n_rows)
    weights: Array | None  # int64 (n_rows,), how often each row occurs; None if once each

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of states of each variable."""
        return tuple(map(len, self.states))

    @property
    def n_samples(self) -> int:
        """The number of rows, each counted as often as it occurs."""
        return self.codes.shape[1] if self.weights is None else int(self.weights.sum())

    def rows(self, numbers: Array) -> "CodedColumns":
        """These rows, by their numbers; with the states of all."""
        weights = None if self.weights is None else self.weights[numbers]
        codes = np.ascontiguousarray(self.codes[:, numbers])
        return CodedColumns(self.variables, self.states, codes, weights)


def coded_columns(table: Any) -> CodedColumns:
    """Any table whose columns hold states: texts, booleans, or a few whole numbers.

    States are texts, in sorted order; those of whole numbers in the order of the numbers. Cells
    that are not observed are refused, and so are columns that measure: the rule of NaiveBayes cuts
    numbers where the class changes, and here no column is the class.

    Equal rows are kept once, with their number, where this makes the table much shorter.

    >>> columns = coded_columns({"rain": ["yes", "no", "yes"], "grade": [10, 9, 9]})
    >>> columns.variables, columns.states
    (('grade', 'rain'), (('9', '10'), ('no', 'yes')))
    >>> columns.codes
    array([[1, 0, 0],
           [1, 0, 1]], dtype=uint8)
    """
    read = table if isinstance(table, Table) else as_table(table)
    if read.n_rows == 0:
        raise ValueError("A structure is learned from rows, got none. Check how the table was cut.")
    each = {name: _coded(name, read.columns[name]) for name in sorted(read.columns)}
    states = tuple(cells.levels for cells in each.values())
    narrow = np.uint8 if max(map(len, states)) <= 2**8 else np.uint16
    codes = np.empty((len(each), read.n_rows), narrow)
    for place, cells in enumerate(each.values()):
        codes[place] = cells.codes
    return _with_equal_rows_once(CodedColumns(tuple(each), states, codes, None))


def _coded(name: str, cells: Cells) -> Categories:
    """States in their order, and the number of the state in each row."""
    if isinstance(cells, Nothing):
        raise _not_observed(name, 0)
    if isinstance(cells, Numbers):
        _refuse_gaps(name, np.isnan(cells.values))
        _refuse_measurements(name, cells.values)
        return as_categories(cells)
    if not isinstance(cells, Categories):
        raise ValueError(f"Column {name!r} must hold states, got texts. Leave it out.")
    _refuse_gaps(name, cells.codes < 0)
    if len(cells.levels) > MOST_STATES:
        raise ValueError(
            f"A variable has at most {MOST_STATES} states, got {len(cells.levels)} in column "
            f"{name!r}. Leave it out if it names the rows."
        )
    order = sorted(range(len(cells.levels)), key=cells.levels.__getitem__)
    place = np.empty(len(order), np.intp)
    place[order] = np.arange(len(order))
    return Categories(place[cells.codes], tuple(cells.levels[code] for code in order))


def _refuse_gaps(name: str, gaps: Array) -> None:
    if gaps.any():
        raise _not_observed(name, int(gaps.argmax()))


def _not_observed(name: str, row: int) -> ValueError:
    return ValueError(
        f"A structure is learned from complete rows, got null in column {name!r}, row {row}. "
        "Leave such rows out, or give null a state of its own, as 'unknown'. Where the edges are "
        "known, EM learns the tables from such rows: net.fit(table, method='em')."
    )


def _refuse_measurements(name: str, values: Array) -> None:
    different = np.unique(values)
    fractions = different[different != np.floor(different)]
    if len(fractions) == 0 and len(different) <= MOST_NUMBERS:
        return
    seen = f"{fractions[0]:g}" if len(fractions) else f"{len(different)} different ones"
    raise ValueError(
        f"Numbers are states if they are whole and at most {MOST_NUMBERS} different ones, got "
        f"{seen} in column {name!r}. Cut it into a few states: in pandas, "
        f"table[{name!r}] = pandas.qcut(table[{name!r}], 4, duplicates='drop').astype(str)."
    )


def _with_equal_rows_once(columns: CodedColumns) -> CodedColumns:
    n_rows = columns.codes.shape[1]
    if prod(columns.sizes) > MOST_CELLS:
        return columns
    number = np.zeros(n_rows, np.int64)
    for size, codes in zip(columns.sizes, columns.codes, strict=True):
        number *= size
        number += codes
    _, first, times = np.unique(number, return_index=True, return_counts=True)
    if 2 * len(first) > n_rows:
        return columns
    codes = np.ascontiguousarray(columns.codes[:, first])
    return CodedColumns(columns.variables, columns.states, codes, times.astype(np.int64))


def numbers_of(columns: CodedColumns) -> dict[str, int]:
    """Variable -> its number."""
    return {name: number for number, name in enumerate(columns.variables)}
