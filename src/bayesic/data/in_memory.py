"""Tables in memory: read from files as a whole, and some of their rows."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import numpy as np

from bayesic.data.files import file_blocks, file_columns, take_column
from bayesic.data.tables import is_sparse
from bayesic.kernels import Array


def table_in_memory(source: Any, told: Mapping[str, str]) -> Any:
    """All rows at once, as a pyarrow table or a dict of lists; told as for file_blocks."""
    blocks = list(file_blocks(source, told))
    if not blocks:
        raise ValueError(f"{source} has no rows.")
    if isinstance(blocks[0], Mapping):
        return {name: [cell for block in blocks for cell in block[name]] for name in blocks[0]}
    return import_module("pyarrow").concat_tables(blocks)


def read_labels(source: Any, target: str) -> Array:
    """The classes of all rows of a file; no other column is read."""
    told = {name: "label" if name == target else "ignore" for name in file_columns(source)}
    labels = [take_column(block, target)[1] for block in file_blocks(source, told)]
    if not labels:
        raise ValueError(f"{source} has no rows.")
    return np.concatenate(labels)


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


def number_of_rows(table: Any) -> int:
    """How many rows a table, array or list has.

    >>> number_of_rows({"sky": ["rain", "sun", "fog"]}), number_of_rows([[1, 2], [3, 4]])
    (3, 2)
    """
    column: Any = next(iter(table.values()), []) if isinstance(table, Mapping) else table
    if getattr(column, "shape", None):
        return column.shape[0]
    is_list = hasattr(column, "__len__") and hasattr(column, "__getitem__")
    if not is_list or isinstance(column, (str, bytes)) or hasattr(column, "shape"):
        raise TypeError(
            f"X must be a table, an array, or a list of rows or texts, got {table!r:.80}."
        )
    return len(column)
