"""pandas, polars and pyarrow tables -> a matrix of numbers, through narwhals."""

import sys
from typing import Any

import numpy as np

# A table can only come from a library that is loaded: no need to import one in order to ask.
_TABLE_LIBRARIES = ("pandas", "polars", "pyarrow", "modin", "cudf", "duckdb", "dask")


def is_table(X: Any) -> bool:
    """Whether X is a table of some dataframe library.

    >>> is_table([[1, 2]])
    False
    """
    if isinstance(X, (np.ndarray, list, tuple)) or not _any_table_library_loaded():
        return False
    import narwhals as nw

    frame = nw.from_native(X, pass_through=True)
    return isinstance(frame, (nw.DataFrame, nw.LazyFrame))


def _any_table_library_loaded() -> bool:
    return any(library in sys.modules for library in _TABLE_LIBRARIES)


def table_to_matrix(table: Any) -> np.ndarray:
    """The columns side by side: whole numbers if all are, else float64 with NaN for null."""
    import narwhals as nw

    frame = nw.from_native(table)
    if isinstance(frame, nw.LazyFrame):
        raise TypeError(
            f"X must be a table in memory, got a lazy {type(table).__name__}. "
            "Call .collect() first."
        )
    for name, dtype in frame.schema.items():
        if not (dtype.is_numeric() or dtype == nw.Boolean):
            raise ValueError(
                f"X must hold numbers, but column {name!r} is {dtype}. Leave it out, or turn its "
                "values into codes, for example with sklearn's OrdinalEncoder."
            )
    if 0 in frame.shape:
        return np.empty(frame.shape)
    matrix = frame.to_numpy()
    if matrix.dtype.kind in "biuf":
        return matrix
    return np.column_stack([frame[name].cast(nw.Float64).to_numpy() for name in frame.columns])
