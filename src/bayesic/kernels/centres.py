"""Rows around centres: how far they are, which is nearest, moments, and products of features.

`_compiled_centres.py` holds the same functions in Numba.
"""

from collections.abc import Callable

import numpy as np

from bayesic.kernels import Array
from bayesic.kernels._reference import class_sums

__all__ = [
    "class_scatter",
    "nearest_centres",
    "squared_distances",
    "weighted_moments",
    "weighted_scatter",
    "whitened_squares",
]

# Blocks of the usual size: the temporary arrays are as large as they are.
BLOCKS_AT_ONCE = 1
# Cells of the rows that are whitened at a time: a quarter of a MB, and there are four copies.
CELLS_AT_ONCE = 2**15


def squared_distances(values: Array, centres: Array) -> Array:
    """|x_i - c_k|^2 of each row and centre: float64 (n_centres, n_rows).

    values  : float64 (n_rows, n_features), finite, C order
    centres : float64 (n_centres, n_features)

    Of differences: the square of a sum, multiplied out, loses all digits near 1e8.
    """
    squares = np.empty((len(centres), len(values)))
    steps = np.empty_like(values)
    with np.errstate(over="ignore"):  # too far to square: as far as can be
        for k, centre in enumerate(centres):
            np.subtract(values, centre, out=steps)
            np.einsum("ij,ij->i", steps, steps, out=squares[k])
    return squares


def nearest_centres(
    values: Array, centres: Array, weights: Array
) -> tuple[Array, Array, Array, float]:
    """Give every row to its nearest centre, the first of several.

    weights : float64 (n_rows,)

    Returns the number of the centre of each row, int64 (n_rows,); the weight of the rows of each
    centre, (n_centres,); the sum of their steps from it, (n_centres, n_features),

        steps_k = sum over the rows of k of w_i (x_i - c_k)

    and the sum of w_i |x_i - c_k|^2 over all rows.
    """
    squares = squared_distances(values, centres)
    codes = squares.argmin(axis=0)
    total = float(weights @ squares.min(axis=0))
    count = np.bincount(codes, weights, minlength=len(centres))
    steps = class_sums(values - centres[codes], codes, weights, len(centres))
    return codes, count, steps, total


def weighted_moments(values: Array, centres: Array, shares: Array) -> tuple[Array, Array]:
    """Sums of shares_ki (x_i - c_k) and of shares_ki (x_i - c_k)^2: (n_centres, n_features) both.

    shares : float64 (n_centres, n_rows)
    """
    sums, squares = np.empty(centres.shape), np.empty(centres.shape)
    steps = np.empty_like(values)
    for k, (centre, share) in enumerate(zip(centres, shares, strict=True)):
        np.subtract(values, centre, out=steps)
        sums[k] = share @ steps
        steps *= steps
        squares[k] = share @ steps
    return sums, squares


def weighted_scatter(values: Array, rows: Array, weights: Array) -> tuple[Array, Array]:
    """Mean and sums of products of deviations from it, of some rows.

        mean = sum of w_i x_i / sum of w_i,    scatter = sum of w_i (x_i - mean)(x_i - mean)^T

    values  : float64 (n_rows, n_features)
    rows    : int64 (n,), the numbers of the rows that count, at least one
    weights : float64 (n,), of these rows, above 0

    Returns float64 (n_features,) and (n_features, n_features), symmetric. What the deviations from
    the rounded mean still sum to corrects both.
    """
    share = weights / weights.sum()
    steps = values.take(rows, axis=0)
    mean = share @ steps
    steps -= mean
    residual = share @ steps
    steps *= np.sqrt(weights)[:, None]
    correction = residual[:, None] * residual * weights.sum()
    return mean + residual, steps.T @ steps - correction


def class_scatter(
    values: Array, codes: Array, weights: Array, n_classes: int
) -> tuple[Array, Array]:
    """The same of the rows of each class: (n_classes, n_features), (n_classes, n_features, ...).

    codes   : int64 (n_rows,), the class of each row
    weights : float64 (n_rows,), 0 or more

    Zeros for a class without rows of any weight.
    """
    return class_by_class(weighted_scatter, values, codes, weights, n_classes)


def class_by_class(
    scatter_of: Callable[[Array, Array, Array], tuple[Array, Array]],
    values: Array,
    codes: Array,
    weights: Array,
    n_classes: int,
) -> tuple[Array, Array]:
    """The same by asking scatter_of(values, rows, weights) for one class after the other."""
    n_features = values.shape[1]
    mean = np.zeros((n_classes, n_features))
    scatter = np.zeros((n_classes, n_features, n_features))
    # NumPy sorts small integers fastest
    order = np.argsort(codes.astype(np.min_scalar_type(n_classes)), kind="stable")
    ends = np.cumsum(np.bincount(codes, minlength=n_classes))
    for c in np.flatnonzero(np.diff(ends, prepend=0)):
        of_class = order[ends[c - 1] if c else 0 : ends[c]]
        rows = of_class[weights[of_class] > 0]
        if len(rows):
            mean[c], scatter[c] = scatter_of(values, rows, weights[rows])
    return mean, scatter


def whitened_squares(values: Array, means: Array, whitening: Array) -> Array:
    """|(x_i - mean_c) W_c|^2 of each row and class: float64 (n_classes, n_rows).

    values    : float64 (n_rows, n_features); a NaN makes the squares of its row NaN
    means     : float64 (n_classes, n_features)
    whitening : float64 (n_classes, n_features, n_features), upper triangular

    Inside, one row a feature, in memory that stays near the processor, is the fastest.
    """
    n_rows, n_features = values.shape
    half = n_features // 2
    squares = np.empty((len(means), n_rows))
    at_once = CELLS_AT_ONCE // max(1, n_features) + 1
    for start in range(0, n_rows, at_once):
        rows = slice(start, start + at_once)
        features = np.ascontiguousarray(values[rows].T)
        steps, standard = np.empty_like(features), np.empty_like(features)
        for c, (mean, upper) in enumerate(zip(means, whitening, strict=True)):
            np.subtract(features, mean[:, None], out=steps)
            # the first half of the features does not need the second
            np.matmul(upper.T[:half, :half], steps[:half], out=standard[:half])
            np.matmul(upper.T[half:], steps, out=standard[half:])
            np.einsum("ij,ij->j", standard, standard, out=squares[c, rows])
    return squares
