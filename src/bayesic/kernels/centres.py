"""Rows and centres: how far they are from each other, and which is the nearest.

`compiled_centres.py` holds the same functions in Numba.
"""

import numpy as np

from bayesic.kernels.reference import class_sums

__all__ = [
    "nearest_centres",
    "squared_distances",
    "weighted_moments",
]

Array = np.ndarray

# Blocks of the usual size: the temporary arrays are as large as they are.
BLOCKS_AT_ONCE = 1


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
