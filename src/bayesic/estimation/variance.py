"""Sums of squares of each class -> variances without correlations, none of them 0.

Everything here takes any number of leading axes, as in `covariance.py`.
"""

import numpy as np

from bayesic.estimation.covariance import Covariances, divisor

Array = np.ndarray


def class_variances(
    count: Array,
    squares: Array,
    overall_variance: Array,
    weight: float = 0.0,
    unbiased: bool = False,
    spherical: bool = False,
) -> Covariances:
    """The variance of each feature in each class, (..., n_classes, n_features), and which were 0.

        variance_cj = (1 - w) squares_cj / n_c + w (sum over k of squares_kj) / N

    Spherical takes the mean over the features. Unbiased divides by n_c - 1 and N - K. A class in
    which a feature has no spread gets the weight w = 1 / (n_c + 1) of the pooled variance there; if
    that is 0 too, one row of the overall variance t^2: t^2 / (N + 1). A feature that is the same in
    all rows tells nothing: variance 1.

    >>> class_variances(np.array([2.0, 3.0]), np.array([[2.0], [0.0]]), np.array([4.0])).matrices
    array([[1. ],
           [0.1]])
    """
    if spherical:
        one = class_variances(
            count,
            squares.mean(axis=-1, keepdims=True),
            overall_variance.mean(axis=-1, keepdims=True),
            weight,
            unbiased,
        )
        return Covariances(np.broadcast_to(one.matrices, squares.shape), one.singular)
    n_rows = count.sum(axis=-1)[..., None]
    pooled = squares.sum(axis=-2) / divisor(n_rows, unbiased, count.shape[-1])
    floor = np.where(overall_variance > 0, overall_variance / (n_rows + 1), 1.0)
    pooled = np.where(pooled > 0, pooled, floor)[..., None, :]
    variance = squares / divisor(count, unbiased, 1)[..., None]
    variance = (1 - weight) * variance + weight * pooled
    flat = variance == 0
    filled = np.where(flat, pooled / (count[..., None] + 1), variance)
    varies = overall_variance[..., None, :] > 0
    return Covariances(np.where(varies, filled, 1.0), (flat & varies).any(axis=-1))
