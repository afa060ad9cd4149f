"""Anything with rows and columns -> a NumPy matrix or a SciPy CSR matrix of numbers.

No full copy is made of a matrix that is one already: blocks of rows are brought into the form that
the kernels want (float64, C order) one at a time.
"""

import os
from collections.abc import Mapping
from itertools import count
from typing import Any

import numpy as np
from scipy import sparse

from bayesic.data.frames import Frame, as_frame, is_table
from bayesic.data.sparse_matrices import checked_sparse
from bayesic.kernels import Array
from bayesic.kernels.splitmix import STEP, mixed

NUMBERS = "biuf"  # kinds of types of NumPy: truth values, whole numbers, floats
Matrix = Any  # Array or sparse.csr_array, two-dimensional and numeric


def as_matrix(X: object) -> Matrix:
    """X as a two-dimensional numeric ndarray or csr_array, copied only if it has to be.

    Nested lists, NumPy arrays of any numeric dtype and order (masked entries become NaN), SciPy
    sparse of any format, pandas / polars / pyarrow tables.

    >>> as_matrix([(1, 2), (3, 4)])
    array([[1, 2],
           [3, 4]])
    """
    if isinstance(X, np.ndarray):
        matrix = _as_array(X)
    elif sparse.issparse(X):
        matrix = _as_csr(X)
    elif is_table(X):
        matrix = _table_as_array(X)
    else:
        matrix = _as_array(X)
    n_rows, n_columns = matrix.shape
    if n_rows == 0 or n_columns == 0:
        what, count = ("sample", n_rows) if n_rows == 0 else ("feature", n_columns)
        raise ValueError(
            f"X must have at least one row and one column: found {count} {what}(s) "
            f"(shape={matrix.shape}) while a minimum of 1 is required. Check how the table was cut."
        )
    return matrix


def _as_csr(X: Any) -> sparse.csr_array:
    if X.ndim != 2:
        raise ValueError(_not_two_dimensional(X.ndim))
    _refuse_kind(X.dtype)
    X = checked_sparse(X)
    if X.format == "csr" and X.has_canonical_format:  # SciPy remembers the answer in X
        return sparse.csr_array(X)
    # entries given twice mean their sum; work on a copy, the caller's matrix stays as it is
    matrix = sparse.csr_array(X, copy=True)
    matrix.sum_duplicates()
    return matrix


def _as_array(X: object) -> Array:
    if isinstance(X, (Mapping, str, os.PathLike)):
        raise ValueError(
            f"X must be an array or a dataframe for this model, got {X!r:.60}. Write "
            "pandas.DataFrame(X) for a dict of columns, and pandas.read_csv(X) for a file."
        )
    if isinstance(X, np.matrix):
        raise TypeError("np.matrix is not supported. Give a plain array: np.asarray(X).")
    if isinstance(X, np.ma.MaskedArray):
        X = np.ma.filled(X.astype(np.float64), np.nan)
    try:
        array = np.asarray(X)
    except (ValueError, OverflowError) as error:
        raise ValueError(
            f"X must be a table: rows of equal length. NumPy says: {error}. "
            "Look for a row that is longer or shorter than the first."
        ) from error
    if array.ndim != 2:
        raise ValueError(_not_two_dimensional(array.ndim))
    if array.dtype == object:
        array = _numbers_from_objects(array)
    if array.dtype.kind not in NUMBERS:
        _refuse_kind(array.dtype)
    return array


def _numbers_from_objects(array: Array) -> Array:
    if any(isinstance(cell, complex) for cell in array.flat):
        _refuse_kind(np.dtype(np.complex128))
    try:
        return array.astype(np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        kind = TypeError if isinstance(error, TypeError) else ValueError
        raise kind(
            f"X must hold numbers, got objects that are not: {error}. "
            "Turn categories into codes first, for example with sklearn's OrdinalEncoder."
        ) from error


def _table_as_array(table: object) -> Array:
    """The columns of a table: whole numbers if all are, else float64 with NaN for null."""
    import narwhals as nw

    frame: Frame = as_frame(table)
    for name, dtype in frame.schema.items():
        if not (dtype.is_numeric() or dtype == nw.Boolean):
            raise ValueError(
                f"X must hold numbers, but column {name!r} is {dtype}. Leave it out, or turn its "
                "values into codes, for example with sklearn's OrdinalEncoder."
            )
    if 0 in frame.shape:
        return np.empty(frame.shape)
    if not any(dtype in (nw.Int128, nw.UInt128) for dtype in frame.schema.values()):
        matrix = frame.to_numpy()
        if matrix.dtype.kind in "biuf":
            return matrix
    return np.column_stack([frame[name].cast(nw.Float64).to_numpy() for name in frame.columns])


def _refuse_kind(dtype: np.dtype) -> None:
    if dtype.kind == "c":
        raise ValueError(
            f"Complex data not supported: X has dtype {dtype}. "
            "Give real and imaginary parts as two columns."
        )
    if dtype.kind not in NUMBERS:
        raise ValueError(
            f"X must hold numbers, got dtype {dtype}. "
            "Turn categories into codes first, for example with sklearn's OrdinalEncoder."
        )


def _not_two_dimensional(n_dimensions: int) -> str:
    return (
        f"Expected 2D array, got {n_dimensions}D array instead: X needs rows and columns. "
        "Reshape your data either using array.reshape(-1, 1) if it has a single feature, "
        "or array.reshape(1, -1) if it is a single row."
    )


# rows of a matrix -----------------------------------------------------------------------------


def dense_rows(X: Matrix, rows: slice) -> Array:
    """These rows as float64 in C order; a view where X is that already."""
    if sparse.issparse(X):
        return sparse_rows(X, rows).toarray().astype(np.float64, copy=False)
    return np.ascontiguousarray(X[rows], dtype=np.float64)


def sparse_rows(X: sparse.csr_array, rows: slice) -> sparse.csr_array:
    """These rows of a CSR matrix as float64, without a copy of its entries where they are that."""
    if rows.stop - rows.start == X.shape[0] and X.dtype == np.float64:
        return X
    start, stop = X.indptr[rows.start], X.indptr[rows.stop]
    entries = X.data[start:stop].astype(np.float64, copy=False)
    pointers = X.indptr[rows.start : rows.stop + 1] - start
    shape = (rows.stop - rows.start, X.shape[1])
    return sparse.csr_array((entries, X.indices[start:stop], pointers), shape=shape, copy=False)


def with_entries(block: sparse.csr_array, entries: Array) -> sparse.csr_array:
    """The same places of a CSR matrix with other entries."""
    if entries is block.data:
        return block
    return sparse.csr_array((entries, block.indices, block.indptr), shape=block.shape, copy=False)


def cells_per_row(X: Matrix) -> float:
    """Cells to work through in one row: columns, or stored entries on average if X is sparse."""
    return X.nnz / X.shape[0] if sparse.issparse(X) else float(X.shape[1])


def n_cells(X: Matrix) -> int:
    """Cells to work through in all rows."""
    return X.nnz if sparse.issparse(X) else X.size


# numbers that can be added --------------------------------------------------------------------


def is_whole(dtype: np.dtype) -> bool:
    """Whether this dtype holds whole numbers only, so that sums of it are counts."""
    return dtype.kind in "biu"


def sums_to_a_number(values: Array) -> bool:
    """False if there is an infinity or a NaN among the values, or their sum is too large.

    One pass over the values; only where it is False is there a reason to look closer.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        return bool(np.isfinite(values.sum(dtype=np.float64)))


def refuse_infinities(values: Array) -> None:
    """Refuse values of plus or minus infinity; NaN passes."""
    if np.isinf(values).any():
        raise ValueError(
            "Input X contains infinity or a value too large for dtype('float64'). "
            "Replace it, or use NaN for a missing value."
        )


def refuse_overflow(sums: Array) -> None:
    """Refuse weighted sums that are not numbers any more."""
    if not np.isfinite(sums).all():
        raise ValueError(
            "The values of X are too large: their weighted sum overflows. "
            "Use a larger unit for the column."
        )


# which rows are the same ----------------------------------------------------------------------


def equal_rows(values: Array) -> tuple[Array, Array]:
    """The first row of each group of equal rows, and for each row the number of its group.

    values : float64 (n_rows, n_columns), without NaN; 0.0 and -0.0 are equal

    Groups are in the order in which they first appear. Rows are sorted by a key of 64 bits and
    compared with the first of their key; where two different rows share a key, other keys are made.

    >>> equal_rows(np.array([[2.0, 0.0], [1.0, 1.0], [2.0, -0.0]]))
    (array([0, 1]), array([0, 1, 0]))
    """
    for seed in count():
        keys = row_keys(values, seed)
        _, first, group = np.unique(keys, return_index=True, return_inverse=True)
        if len(first) == len(values) or (values[first[group]] == values).all():
            break
    order = np.argsort(first)
    place = np.empty(len(first), np.intp)
    place[order] = np.arange(len(first))
    return first[order], place[group]


def row_keys(values: Array, seed: int) -> Array:
    """A number for each row that depends on all of its cells: uint64 (n_rows,).

    Equal rows have equal keys.
    """
    keys = np.zeros(len(values), np.uint64)
    salt = np.arange(1, values.shape[1] + 1, dtype=np.uint64) + np.uint64(seed << 32)
    for column, step in enumerate(mixed(salt * STEP)):
        bits = (values[:, column] + 0.0).view(np.uint64)  # + 0.0: -0.0 becomes 0.0
        keys += mixed(bits + step)
    return keys
