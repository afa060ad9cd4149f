"""Tables of pandas, polars and pyarrow: known as such, and their columns -> cells, natively.

None of these libraries is imported before a table of it has come.
"""

import sys
from collections import Counter
from typing import Any

import numpy as np

from bayesic.data.columns import Cells, Column, cells_of_values, checked_numbers, united_levels
from bayesic.data.distinct import NOT_OBSERVED, Distinct, codes_of_numbers, distinct_objects
from bayesic.kernels import Array

Frame = Any  # narwhals.DataFrame
Series = Any  # narwhals.Series

# A table can only come from a library that is loaded: no need to import one in order to ask.
_TABLE_LIBRARIES = ("pandas", "polars", "pyarrow", "modin", "cudf", "duckdb", "dask")


def as_frame(X: object) -> Frame | None:
    """X as a narwhals DataFrame if it is a table in memory, None if it is not a table."""
    import narwhals as nw

    if _is_of_pyarrow(X, "RecordBatch"):
        X = sys.modules["pyarrow"].Table.from_batches([X])
    frame = as_any_frame(X)
    if isinstance(frame, nw.LazyFrame):
        raise TypeError(
            f"X must be a table in memory, got a lazy {type(X).__name__}. Call .collect() first."
        )
    return frame if isinstance(frame, nw.DataFrame) else None


def as_any_frame(X: Any) -> Any:
    """X as a narwhals DataFrame or LazyFrame; X itself if it is not a table."""
    import narwhals as nw

    try:
        return nw.from_native(X, pass_through=True)
    except nw.exceptions.DuplicateError:
        names = X.column_names if _is_of_pyarrow(X, "Table") else list(X.columns)
        twice = [name for name, number in Counter(map(str, names)).items() if number > 1]
        raise ValueError(
            f"Columns must have different names, got {twice} more than once. Rename them."
        ) from None


def as_series(values: object) -> Series | None:
    """The values as a narwhals Series if they are the column of a table, else None."""
    import narwhals as nw

    if isinstance(values, nw.Series):
        return values
    if _is_of_pyarrow(values, "Array"):
        values = sys.modules["pyarrow"].chunked_array([values])
    series = nw.from_native(values, pass_through=True, allow_series=True)
    return series if isinstance(series, nw.Series) else None


def is_table(X: object) -> bool:
    """Whether X is a table of some dataframe library.

    >>> is_table([[1, 2]])
    False
    """
    if isinstance(X, (np.ndarray, list, tuple)) or not any_table_library_loaded():
        return False
    import narwhals as nw

    return isinstance(as_any_frame(X), (nw.DataFrame, nw.LazyFrame))


def is_of_pandas(X: object, name: str) -> bool:
    """Whether X is a Series or a DataFrame of pandas, which is not loaded for the question.

    >>> is_of_pandas([1, 2], "Series")
    False
    """
    # while another thread imports pandas it is there, and has no such type yet
    type_ = getattr(sys.modules.get("pandas"), name, None)
    return type_ is not None and isinstance(X, type_)


def _is_of_pyarrow(X: object, name: str) -> bool:
    return any(
        base.__name__ == name and base.__module__.startswith("pyarrow") for base in type(X).__mro__
    )


def any_table_library_loaded() -> bool:
    """Whether a table can have come at all."""
    return any(library in sys.modules for library in _TABLE_LIBRARIES)


# cells ----------------------------------------------------------------------------------------


def cells_of_series(series: Series, column: Column) -> Cells:
    """The cells of a narwhals Series, by its dtype and its declared type."""
    import narwhals as nw

    dtype = series.dtype
    if column.told == "category":
        return united_levels(*distinct_of_series(series.to_native())[:2])
    if series.null_count() == len(series):
        return cells_of_values([None] * len(series), column)
    if dtype.is_numeric() and column.told in (None, "number"):
        return checked_numbers(_floats(series), column)
    if dtype == nw.Boolean and column.told == "number":
        return checked_numbers(_floats(series), column)
    if column.told is None and _are_names(dtype):
        return united_levels(*distinct_of_series(series.to_native())[:2])
    return cells_of_values(series.to_list(), column)


def cells_of_pandas(values: Any, column: Column) -> Cells | None:
    """The same of a Series of pandas that holds plain numbers or strings; None if it does not.

    Narwhals takes longer to look at a column of a small table than it takes to read it.
    """
    dtype = values.dtype
    if isinstance(dtype, np.dtype) and dtype.kind in "iuf" and column.told in (None, "number"):
        return checked_numbers(values.to_numpy(), column)
    if column.told in (None, "category") and str(dtype) in ("str", "string"):
        distinct = distinct_of_series(values)
        if distinct.values or column.told == "category":
            return united_levels(*distinct[:2])
    return None


def distinct_of_series(values: object) -> Distinct:
    """The different values of the column of a table, found by its own library where it can."""
    import narwhals as nw

    if (of_pandas := getattr(values, "array", None)) is not None:
        kind = str(of_pandas.dtype)
        if kind == "category":  # stored as codes already: one or two bytes a row
            return Distinct(of_pandas.codes, of_pandas.categories.tolist(), are_names=True)
        if kind in ("str", "string"):
            codes, different = of_pandas.factorize()
            return Distinct(codes, different.tolist())
    series: Series = as_series(values)
    if series.null_count() == len(series):
        return Distinct(np.full(len(series), NOT_OBSERVED), [])
    if not _are_plain(series.dtype):
        return distinct_objects(series.to_list())
    return Distinct(*_codes_and_values(series), series.dtype in (nw.Categorical, nw.Enum))


def _are_names(dtype: object) -> bool:
    import narwhals as nw

    return dtype in (nw.String, nw.Categorical, nw.Enum, nw.Boolean)


def _are_plain(dtype: Any) -> bool:
    """Whether the libraries can tell the different values of such a column by themselves."""
    import narwhals as nw

    small_integer = dtype.is_integer() and dtype not in (nw.Int128, nw.UInt128)
    return _are_names(dtype) or small_integer or dtype.is_float() or dtype.is_temporal()


def _floats(series: Series) -> Array:
    """The numbers of a column as float64, NaN for null; a view where that is possible."""
    import narwhals as nw

    native = series.to_native()
    if series.implementation.is_pandas():
        if native.dtype == np.float64:
            return native.to_numpy()
        return native.to_numpy(dtype=np.float64, na_value=np.nan)
    if series.implementation.is_pyarrow():
        # unsafe: whole numbers above 2^53 are rounded, as everywhere else
        return native.cast("float64", safe=False).to_numpy()
    return series.cast(nw.Float64).to_numpy()


def _codes_and_values(series: Series) -> tuple[Array, list]:
    """For each row the place of its value in a list of the values that occur, -1 for null."""
    native = series.to_native()
    if series.implementation.is_pandas():
        codes, values = native.factorize()
        return codes, list(values)
    if series.implementation.is_polars():
        return _polars_codes(native)
    if series.implementation.is_pyarrow():
        return _pyarrow_codes(native)
    values = list(dict.fromkeys(series.to_list()))
    place = {value: code for code, value in enumerate(values)} | {None: NOT_OBSERVED}
    return np.array([place[value] for value in series.to_list()], dtype=np.intp), values


def _polars_codes(native: Any) -> tuple[Array, list]:
    import polars as pl

    missing = native.is_null()
    if native.dtype.is_float():
        missing |= native.is_nan().fill_null(True)
    observed = native.filter(~missing) if missing.any() else native
    if observed.dtype == pl.String:
        numbers = observed.cast(pl.Categorical).to_physical()
    elif observed.dtype == pl.Boolean:
        numbers = observed.cast(pl.UInt8)
    else:
        numbers = observed.to_physical()
    codes = np.full(len(native), NOT_OBSERVED, dtype=np.intp)
    codes[~missing.to_numpy()], rows = codes_of_numbers(numbers.to_numpy())
    return codes, observed[rows].to_list()


def _pyarrow_codes(native: Any) -> tuple[Array, list]:
    encoded = native.dictionary_encode().unify_dictionaries()
    parts = [_signed(chunk.indices).fill_null(NOT_OBSERVED).to_numpy() for chunk in encoded.chunks]
    values = encoded.chunk(0).dictionary.to_pylist() if parts else []
    codes = np.concatenate(parts) if parts else np.empty(0, dtype=np.intp)
    missing = [code for code, value in enumerate(values) if value is None or value != value]
    if missing:
        codes = np.where(np.isin(codes, missing), NOT_OBSERVED, codes)
    return codes, values


def _signed(indices: Any) -> Any:
    """Numbers of categories in a type that has negative ones: those of polars and DuckDB have none.

    >>> import pyarrow as pa
    >>> _signed(pa.array([1], pa.uint8())).type
    DataType(int64)
    """
    return indices.cast("int64") if str(indices.type).startswith("uint") else indices
