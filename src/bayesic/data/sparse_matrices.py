"""Sparse matrices of SciPy that are what they say: looked through before any loop goes over them.

SciPy checks a matrix when it is made, but not when its arrays are changed later. Its loops, and our
own, then read and write memory that is not theirs.
"""

import sys
from typing import Any, NoReturn

import numpy as np

from bayesic.kernels import Array

COMPRESSED = ("csr", "csc", "bsr")


def is_sparse(X: object) -> bool:
    """Whether X is a sparse matrix of SciPy, which is not loaded for the question.

    >>> is_sparse([[1, 0]])
    False
    """
    module = sys.modules.get("scipy.sparse")  # where it is not loaded nobody has such a matrix
    return module is not None and bool(module.issparse(X))


def checked_sparse(X: Any) -> Any:
    """X itself, or as COO if it is none of CSR, CSC, BSR and COO; a broken matrix is refused.

    Takes one pass over the places of the entries, and changes nothing in X.

    >>> from scipy import sparse
    >>> rain = sparse.csr_array([[0, 2], [1, 0]])
    >>> rain.indices[0] = 100_000_000
    >>> checked_sparse(rain)
    Traceback (most recent call last):
    ValueError: The sparse matrix X has entries outside of its 2 columns, from column 0 to \
100000000. Rebuild it from its rows and columns.
    """
    if X.format in COMPRESSED:
        _check_compressed(X)
        return X
    if X.format == "lil":
        _check_lists(X)
    try:
        entries = X.tocoo()
        lengths = {len(entries.data), len(entries.row), len(entries.col)}
    except (ValueError, TypeError, IndexError, OverflowError) as error:
        _refuse(f"cannot be read ({error})")
    if len(lengths) > 1:
        _refuse("does not have one row and one column for each entry")
    _check_places("rows", entries.row, X.shape[0])
    _check_places("columns", entries.col, X.shape[1])
    return entries


def _check_compressed(X: Any) -> None:
    if X.data.ndim != (3 if X.format == "bsr" else 1) or 0 in X.data.shape[1:]:
        _refuse(f"has entries in the shape {X.data.shape}")
    height, width = X.data.shape[1:] or (1, 1)  # of a block
    n_lines, n_places = X.shape[0] // height, X.shape[1] // width
    what = "columns"
    if X.format == "csc":
        n_lines, n_places, what = n_places, n_lines, "rows"
    starts = X.indptr
    _check_kind(starts)
    if len(starts) != n_lines + 1 or starts[0] != 0 or (starts[1:] < starts[:-1]).any():
        _refuse("does not say where its rows start and end (indptr)")
    # behind the last row: SciPy's loops for BSR fall over them
    spare = len(X.indices) - int(starts[-1])
    if len(X.indices) != len(X.data) or spare < 0 or (spare and X.format == "bsr"):
        _refuse("does not have one place for each entry (indices, data)")
    _check_places(what, X.indices[: starts[-1]], n_places)


def _check_lists(X: Any) -> None:
    lengths = [[*map(len, lists)] for lists in (X.rows, X.data)]
    if lengths[0] != lengths[1] or len(X.rows) != X.shape[0]:
        _refuse("does not have one column for each entry of a row")


def _check_places(what: str, places: Array, size: int) -> None:
    _check_kind(places)
    if len(places) and not (places.min() >= 0 and places.max() < size):
        _refuse(
            f"has entries outside of its {size} {what}, from {what[:-1]} {places.min()} to "
            f"{places.max()}"
        )


def _check_kind(places: Array) -> None:
    if places.ndim != 1 or places.dtype not in (np.int32, np.int64):
        _refuse(f"has positions that are not a list of whole numbers: dtype {places.dtype}")


def _refuse(problem: str) -> NoReturn:
    raise ValueError(f"The sparse matrix X {problem}. Rebuild it from its rows and columns.")
