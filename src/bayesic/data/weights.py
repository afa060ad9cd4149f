"""Weights of rows."""

from typing import Any

import numpy as np

from bayesic.data.numbers import as_numbers
from bayesic.kernels import Array

LARGEST_WEIGHT = 1e20


def checked_weights(sample_weight: Any, n_rows: int) -> Array | None:
    """One finite weight of 0 or more for each row as float64, or None for one each.

    A row of weight 2 counts as two rows, a row of weight 0 as none.

    >>> checked_weights([1, 2], n_rows=2)
    array([1., 2.])
    """
    if sample_weight is None:
        return None
    weights = as_numbers(sample_weight, "sample_weight")
    if weights.ndim == 0:
        weights = np.full(n_rows, float(weights))
    if weights.shape != (n_rows,):
        raise ValueError(
            f"sample_weight must have one weight for each of the {n_rows} rows, "
            f"got shape {weights.shape}. Leave it out if all rows weigh the same."
        )
    if not np.isfinite(weights).all():
        raise ValueError(
            "sample_weight must be finite, got NaN or infinity. Give 0 to leave a row out."
        )
    if weights.max(initial=0) > LARGEST_WEIGHT:
        raise ValueError(
            f"sample_weight is too large to be added up: at most {LARGEST_WEIGHT:g}, got "
            f"{weights.max():g}. Divide the weights by a constant."
        )
    if weights.min() < 0:
        raise ValueError(
            f"sample_weight must be 0 or more, got {weights.min()}. "
            "To take rows back out of a model, use forget(X, y)."
        )
    if not weights.any():
        raise ValueError(
            "sample_weight must be above 0 for at least one row, got zero for all of them."
        )
    return np.ascontiguousarray(weights)


def part(weights: Array | None, rows: slice) -> Array | None:
    """The weights of these rows, if there are weights."""
    return None if weights is None else weights[rows]
