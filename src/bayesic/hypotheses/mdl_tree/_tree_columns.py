"""The columns of a tree: cells as numbers and codes of levels."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from bayesic.data.coded import Coded
from bayesic.data.columns import Categories, Cells, Nothing, Numbers
from bayesic.data.tables import Table
from bayesic.evidence.fractions import value_text
from bayesic.hypotheses.mdl_tree._tree_growth import GAP
from bayesic.kernels import Array
from bayesic.models.columns.schema import as_categories

UNSEEN = -3  # the code of a category that was not learned


@dataclass(frozen=True)
class TreeColumn:
    """What is learned about a column beside the tests."""

    name: str
    levels: tuple[str, ...] | None  # in order; None for numbers

    @property
    def stored(self) -> str:
        """How its cells are stored."""
        return "number" if self.levels is None else "category"


def learned_columns(table: Table, here: Array) -> tuple[TreeColumn, ...]:
    """The columns of a table in which something was observed in the rows that count.

    here : bool (n_rows,)
    """
    columns = []
    for name, cells in table.columns.items():
        if isinstance(cells, Numbers) and not np.isnan(cells.values[here]).all():
            columns.append(TreeColumn(name, None))
        elif isinstance(cells, Categories):
            occurs = np.unique(cells.codes[here & (cells.codes >= 0)])
            levels = sorted(cells.levels[code] for code in occurs.tolist())
            columns += [TreeColumn(name, tuple(levels))] if levels else []
    return tuple(columns)


def ranks(values: Array) -> tuple[Array, Array]:
    """Numbers as int32 ranks among the different values, gaps as -1; and those values.

    >>> ranks(np.array([2.5, np.nan, -1.0, 2.5]))
    (array([ 1, -1,  0,  1], dtype=int32), array([-1. ,  2.5]))
    """
    is_gap = np.isnan(values)
    different, inverse = np.unique(values[~is_gap], return_inverse=True)
    codes = np.full(len(values), GAP, dtype=np.int32)
    codes[~is_gap] = inverse
    return codes, different


def cells_of(table: Table, columns: Sequence[TreeColumn]) -> list[Array]:
    """The cells of each column: float64 numbers, NaN for gaps; or codes of the learned levels."""
    return [_encoded(table.columns[column.name], column) for column in columns]


def _encoded(cells: Cells, column: TreeColumn) -> Array:
    if isinstance(cells, Nothing):
        return np.full(len(cells), *((np.nan,) if column.levels is None else (GAP, np.int32)))
    if column.levels is None:
        if not isinstance(cells, Numbers):
            raise ValueError(
                f"Column {column.name!r} was learned as numbers, but holds words now. Replace "
                "markers of missing values by null."
            )
        return cells.values
    cells = as_categories(cells) if isinstance(cells, Numbers) else cells
    assert isinstance(cells, Categories)
    return Coded(cells.codes, cells.levels).numbered(column.levels, UNSEEN).astype(np.int32)


def shown_cell(cells: Cells) -> str | None:
    """The first cell as a reader knows it; None if it is missing.

    >>> shown_cell(Numbers(np.array([2.0]))), shown_cell(Categories(np.array([0]), ("rain",)))
    ('2', 'rain')
    """
    if isinstance(cells, Numbers):
        return value_text(float(cells.values[0]))
    if isinstance(cells, Categories) and cells.codes[0] >= 0:
        return cells.levels[cells.codes[0]]
    return None


def checked_columns(pairs: Iterable[tuple[str, tuple[str, ...] | None]]) -> tuple[TreeColumn, ...]:
    """The columns of a file, given as pairs of name and levels."""
    columns = []
    for name, levels in pairs:
        texts = (name,) if levels is None else (name, *levels)
        if not all(isinstance(text, str) for text in texts) or levels == ():
            raise ValueError("The columns of a tree need names, and levels or None.")
        columns.append(TreeColumn(name, levels))
    return tuple(columns)
