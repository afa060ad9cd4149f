"""Tables of any kind -> named columns; some of their rows, and how many there are."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from operator import itemgetter
from types import MappingProxyType
from typing import Any

import numpy as np

from bayesic.data.blocks import in_threads
from bayesic.data.columns import (
    Categories,
    Cells,
    Column,
    cells_of_array,
    cells_of_values,
    joined_cells,
    one_cell,
    united_levels,
)
from bayesic.data.frames import (
    any_table_library_loaded,
    as_frame,
    as_series,
    cells_of_pandas,
    cells_of_series,
    is_of_pandas,
)
from bayesic.data.sparse_matrices import checked_sparse, is_sparse
from bayesic.datasets.textbook import TextbookTable
from bayesic.kernels import Array

LONG_COLUMN = 100_000  # rows
NOTHING_TOLD: Mapping[str, str] = MappingProxyType({})
RawColumns = list[tuple[Any, Any]]  # the name of each column, and whatever holds its values


@dataclass(frozen=True, eq=False)
class Table:
    """Columns of equal length, by name."""

    columns: dict[str, Cells]  # in the order of the table
    n_rows: int
    named: bool  # False for arrays and lists of rows: their columns are called x0, x1, ...
    names: tuple[str, ...]  # of all columns, also of those that are ignored

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.n_rows, len(self.columns)

    def part(self, rows: slice) -> "Table":
        """These rows, without a copy of numbers and codes."""
        columns = {name: cells.part(rows) for name, cells in self.columns.items()}
        return Table(columns, len(range(self.n_rows)[rows]), self.named, self.names)

    def at(self, rows: Array) -> "Table":
        """The rows with these numbers."""
        columns = {name: cells.at(rows) for name, cells in self.columns.items()}
        return Table(columns, len(rows), self.named, self.names)

    def alone(self, rows: Array) -> "Table":
        """The same, without levels that do not occur in them, as if there were no other rows."""
        columns = {
            name: united_levels(cells.codes, list(cells.levels))
            if isinstance(cells, Categories)
            else cells
            for name, cells in self.at(rows).columns.items()
        }
        return Table(columns, len(rows), self.named, self.names)


def joined(tables: Sequence[Table]) -> Table:
    """The rows of tables of the same columns, one table after the other.

    >>> joined([as_table({"sky": ["rain"]}), as_table({"sky": ["sun", "rain"]})]).columns["sky"]
    Categories(codes=array([0, 1, 0]), levels=('rain', 'sun'))
    """
    first = tables[0]
    if len(tables) == 1:
        return first
    columns = {name: joined_cells([t.columns[name] for t in tables]) for name in first.columns}
    return Table(columns, sum(t.n_rows for t in tables), first.named, first.names)


def as_table(X: object, stored: Mapping[str, str] = NOTHING_TOLD, first_row: int = 0) -> Table:
    """Whatever has rows and columns, as named columns of numbers, categories or texts.

    pandas / polars / pyarrow tables, a dict of columns, a list of rows or of dicts, NumPy and
    SciPy sparse arrays. Null and NaN mean "not observed".

    stored    : the declared type of a column: "number", "category", "text", or "ignore" (the column
                is left out); the types of other columns are inferred from their cells
    first_row : added to the row numbers in messages, for a part of a longer table

    >>> table = as_table([(2, "S"), (1, "M")])
    >>> table.columns["x0"], table.columns["x1"].levels
    (Numbers(values=array([2., 1.])), ('S', 'M'))
    """
    columns, n_rows, named = raw_columns(X)
    names = [str(name) for name, _ in columns]
    check_names(names, n_rows)
    kept = {
        name: values
        for name, (_, values) in zip(names, columns, strict=True)
        if stored.get(name) != "ignore"
    }

    def cells_of(name: str) -> Cells:
        values, told = kept[name], stored.get(name)
        if n_rows == 1 and type(values) is list:
            one = one_cell(values[0], told)
            if one is not None:
                return one
        return _cells(values, Column(name, told, first_row))

    # the libraries let other threads work while they look at a long column
    each = in_threads(cells_of, kept) if n_rows >= LONG_COLUMN else map(cells_of, kept)
    return Table(dict(zip(kept, each, strict=True)), n_rows, named, tuple(names))


def _cells(values: object, column: Column) -> Cells:
    if not isinstance(values, list):
        values = plain_column(values)
    if isinstance(values, list):
        return cells_of_values(values, column)
    if isinstance(values, np.ndarray):
        return cells_of_array(values, column)
    if is_of_pandas(values, "Series") and (cells := cells_of_pandas(values, column)) is not None:
        return cells
    return cells_of_series(as_series(values), column)


def plain_column(values: Any) -> Any:
    """Whatever holds the values of a column as a list, an array, or the column of a table.

    >>> plain_column(range(3))
    [0, 1, 2]
    """
    if isinstance(values, (list, np.ndarray)):
        return values
    if isinstance(values, (tuple, range)):
        return list(values)
    if not is_of_pandas(values, "Series"):  # narwhals takes longer to ask
        series = as_series(values) if any_table_library_loaded() else None
        if series is None:
            return np.asarray(values)
        values = series.to_native()
    dtype = getattr(values, "dtype", None)
    return values.to_numpy() if isinstance(dtype, np.dtype) and dtype.kind == "O" else values


def has_column_names(X: object) -> bool:
    """Whether the columns of X have their own names, as in a table or a dict of columns.

    >>> has_column_names([(2, "S")]), has_column_names([{"size": "S"}])
    (False, True)
    """
    if isinstance(X, (list, tuple)):
        return bool(X) and all(isinstance(row, Mapping) for row in X)
    return not isinstance(X, np.ndarray) and not is_sparse(X)


def known_here(
    known: Mapping[str, str], X: object, names: Sequence[str], named: bool
) -> dict[str, str]:
    """What is known of learned columns, by the names that these columns have in X.

    Columns are the same by name; by position where X or what was learned has no names.

    names : of the learned columns, x0, x1, ... unless named

    >>> known_here({"x1": "number"}, {"sky": ["rain"], "wind": [3]}, ["x0", "x1"], named=False)
    {'wind': 'number'}
    """
    has_names = has_column_names(X)
    if has_names == named:
        return dict(known)
    here = (str(name) for name, _ in raw_columns(X)[0]) if has_names else map("x{}".format, count())
    places = zip(names, here, strict=False)  # other numbers of columns are refused later
    return {name_here: known[name] for name, name_here in places if name in known}


def check_names(names: list[str], n_rows: int) -> None:
    """Refuse a table without columns, and two columns of the same name."""
    if not names:
        raise ValueError(
            f"Found array with 0 feature(s) (shape=({n_rows}, 0)) while a minimum of 1 is "
            "required: X must have at least one column. Check how the table was cut."
        )
    if len(set(names)) < len(names):
        twice = [name for name, count in Counter(names).items() if count > 1]
        raise ValueError(
            f"Columns must have different names, got {twice} more than once. Rename them; names "
            "are compared as text, so 1 and '1' are the same."
        )


# columns as they are --------------------------------------------------------------------------


def raw_columns(X: object) -> tuple[RawColumns, int, bool]:
    """Columns as they are, number of rows, and whether the columns have their own names."""
    if isinstance(X, np.ndarray) or is_sparse(X):  # some sparse matrices are dicts
        return _array_columns(X)
    if isinstance(X, TextbookTable):
        X = X.to_dict()
    if isinstance(X, Mapping):
        return _mapping_columns(X)
    if isinstance(X, (list, tuple)):
        return _row_columns(list(X))
    frame = as_frame(X) if any_table_library_loaded() else None
    if frame is not None:
        columns = zip(frame.columns, frame.iter_columns(), strict=True)
        return list(columns), len(frame), True
    if any_table_library_loaded() and as_series(X) is not None:
        raise ValueError(
            f"X must be a table with rows and columns, got one column ({type(X).__name__}). "
            "Give it a name in a table: {'name': column}."
        )
    return _array_columns(np.asarray(X))


def _mapping_columns(X: Mapping) -> tuple[RawColumns, int, bool]:
    for name, values in X.items():
        if type(values) is list:
            continue
        if isinstance(values, (str, bytes, Mapping)) or not hasattr(values, "__len__"):
            raise ValueError(
                f"A table given as a dict needs a list for each column, got {values!r} for "
                f"{name!r}. Write one row as {{{name!r}: [{values!r}]}}."
            )
    lengths = list(map(len, X.values()))
    if len(set(lengths)) > 1:
        raise ValueError(
            "Columns must have the same number of rows, got "
            f"{dict(zip(map(str, X), lengths, strict=True))}. Use None for missing values."
        )
    return list(X.items()), lengths[0] if lengths else 0, True


def _row_columns(rows: list) -> tuple[RawColumns, int, bool]:
    if rows and all(isinstance(row, Mapping) for row in rows):
        names = dict.fromkeys(name for row in rows for name in row)
        return [(name, [row.get(name) for row in rows]) for name in names], len(rows), True
    for number, row in enumerate(rows):
        if not isinstance(row, (list, tuple, np.ndarray)):
            raise ValueError(
                f"Rows must be lists or tuples of values, got {type(row).__name__} {row!r:.50} in "
                f"row {number}. Write a single row as [[...]], a single column as [[...], [...]]."
            )
    widths = list(map(len, rows))
    if len(set(widths)) > 1:
        ragged = next(row for row, width in enumerate(widths) if width != widths[0])
        raise ValueError(
            f"Rows must have the same number of values: row 0 has {widths[0]}, row {ragged} has "
            f"{widths[ragged]}. Use None for missing values."
        )
    n_columns = widths[0] if widths else 0
    columns = [list(map(itemgetter(column), rows)) for column in range(n_columns)]
    return _numbered(columns), len(rows), False


def _array_columns(X: Any) -> tuple[RawColumns, int, bool]:
    if X.ndim != 2:
        raise ValueError(
            f"X must have rows and columns (2D), got a {X.ndim}D array. Reshape your data: write "
            "one row as [[...]], or use array.reshape(-1, 1) for one column."
        )
    if is_sparse(X):
        X = checked_sparse(X).tocsc()
        columns = [X[:, [column]].toarray().ravel() for column in range(X.shape[1])]
    else:
        columns = [X[:, column] for column in range(X.shape[1])]
    return _numbered(columns), X.shape[0], False


def _numbered(columns: list) -> RawColumns:
    return [(f"x{number}", values) for number, values in enumerate(columns)]


# rows -----------------------------------------------------------------------------------------


def rows_at(table: Any, places: Array) -> Any:
    """These rows of a table, array or list of rows in memory, or these texts of a list.

    >>> rows_at({"sky": ["rain", "sun", "fog"]}, np.array([2, 0]))
    {'sky': ['fog', 'rain']}
    """
    if isinstance(table, (list, tuple)):
        return [table[place] for place in places.tolist()]
    if is_sparse(table):  # some sparse matrices are dicts
        return table.tocsr()[places]
    if isinstance(table, Mapping):
        return {name: rows_at(cells, places) for name, cells in table.items()}
    if isinstance(table, np.ndarray):
        return table[places]
    import narwhals as nw

    frame = nw.from_native(table, eager_only=True, allow_series=True, pass_through=True)
    if isinstance(frame, (nw.DataFrame, nw.Series)):
        return frame[places.tolist()].to_native()
    return np.asarray(table)[places]


def number_of_rows(table: object) -> int:
    """How many rows a table, array or list has.

    >>> number_of_rows({"sky": ["rain", "sun", "fog"]}), number_of_rows([[1, 2], [3, 4]])
    (3, 2)
    """
    column: Any = next(iter(table.values()), []) if isinstance(table, Mapping) else table
    if not hasattr(column, "shape") and hasattr(column, "__array__"):
        column = np.asarray(column)
    if getattr(column, "shape", None):
        return column.shape[0]
    is_list = hasattr(column, "__len__") and hasattr(column, "__getitem__")
    if not is_list or isinstance(column, (str, bytes)) or hasattr(column, "shape"):
        raise TypeError(
            f"X must be a table, an array, or a list of rows or texts, got {table!r:.80}."
        )
    return len(column)
