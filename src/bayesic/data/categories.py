"""Cells that name a category by its number -> int64 codes, -1 where not observed."""

import numpy as np

from bayesic.data.distinct import NOT_OBSERVED
from bayesic.data.matrices import refuse_infinities
from bayesic.kernels import Array

# A table of counts has one row for every code up to the largest. A single huge code, an identifier
# taken for a category say, would ask for gigabytes.
LARGEST_CODE = 99_999


def category_codes(values: Array, model: str) -> Array:
    """These numbers as int64 codes in C order, NaN as -1; a view where they are that already.

    >>> category_codes(np.array([[2.0, np.nan]]), "CategoricalNB")
    array([[ 2, -1]])
    """
    if values.dtype.kind == "f":
        return _codes_from_floats(values, model)
    if values.dtype == np.uint64:
        values = np.minimum(values, np.uint64(np.iinfo(np.int64).max))
    codes = np.ascontiguousarray(values, dtype=np.int64)
    _refuse_negative(codes.min(initial=0), model)
    return codes


def _codes_from_floats(values: Array, model: str) -> Array:
    values = values.astype(np.float64, copy=False)
    refuse_infinities(values)
    missing = np.isnan(values)
    known = np.where(missing, 0.0, values)
    _refuse_negative(known.min(initial=0.0), model)
    codes = np.minimum(known, 2.0**53).astype(np.int64)
    broken = codes != known
    broken &= known < 2.0**53
    if broken.any():
        raise ValueError(
            f"{model} needs whole numbers that name categories, got {known[broken][0]}. "
            "Number the categories from 0, for example with sklearn's OrdinalEncoder, or use "
            "GaussianNB for measurements."
        )
    codes[missing] = NOT_OBSERVED
    return codes


def _refuse_negative(smallest: float, model: str) -> None:
    if smallest < 0:
        raise ValueError(
            f"Negative values in data passed to {model} (input X): categories are numbered from "
            f"0, got {smallest}. Use NaN for a missing value."
        )


def refuse_huge(largest: Array) -> None:
    """Refuse to learn a code above LARGEST_CODE, given the largest one of each column."""
    column = int(largest.argmax())
    if largest[column] > LARGEST_CODE:
        raise ValueError(
            f"Codes of categories must be at most {LARGEST_CODE}, got {largest[column]} in column "
            f"{column}: a table up to there would be mostly empty. Number the categories that "
            "occur from 0, for example with sklearn's OrdinalEncoder."
        )
