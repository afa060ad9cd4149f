"""Moments of rows that belong to every component with a share: the statistics of EM.

They are the statistics of Gaussian classes (`ClassMoments`, `CrossMoments`), and add up like them;
only the weight of a row is its share.
"""

from types import ModuleType

import numpy as np

from bayesic.data.blocks import row_blocks
from bayesic.kernels import centres as plain
from bayesic.statistics.cross_moments import (
    CrossMoments,
    diagonal_of,
    outer_squares,
    with_diagonal,
)
from bayesic.statistics.moments import ClassMoments, Moments, without_noise

Array = np.ndarray

# Shares below this part of the mean share are less than rounding, all of them together.
NEGLIGIBLE = 2.0**-55
# To leave rows out repays copying the others if no more than this part is left.
SOME = 0.8
# Rows are passed over several times: the smaller the pieces, the nearer they are.
PIECES_OF_A_BLOCK = 2


def soft_moments(values: Array, shares: Array, kernels: ModuleType = plain) -> ClassMoments:
    """Mean and scatter of each feature in each component.

        n_k = sum of r_ik,  mean_k = sum of r_ik x_i / n_k,
        scatter_k = sum of r_ik (x_i - mean_k)^2

    values  : float64 (n_rows, n_features)
    shares  : float64 (n_components, n_rows), r_ik of row i in component k
    kernels : as `centre_kernels_for` picks them

    >>> halves = soft_moments(np.array([[1.0], [3.0]]), np.array([[1.0, 0.5], [0.0, 0.5]]))
    >>> halves.class_count, halves.per_class.mean.round(4).tolist()
    (array([1.5, 0.5]), [[1.6667], [3.0]])
    """
    count, centres = _means(values, shares)
    sums, squares = kernels.weighted_moments(values, centres, shares)
    divisor = np.where(count > 0, count, 1.0)[:, None]
    mean = centres + sums / divisor
    scatter = np.maximum(squares - sums * (sums / divisor), 0.0)
    of_features = np.repeat(count[:, None], values.shape[1], axis=1)
    scatter = without_noise(of_features, mean, scatter)
    return ClassMoments(count, Moments(of_features, mean, scatter))


def soft_cross_moments(values: Array, shares: Array, kernels: ModuleType = plain) -> CrossMoments:
    """The same with products of deviations: scatter_k = sum of r_ik (x - mean_k)(x - mean_k)^T.

    Rows whose shares together are below the rounding of their sum are left out of the scatter.

    >>> rows = np.array([[1.0, 2.0], [3.0, 6.0]])
    >>> soft_cross_moments(rows, np.array([[1.0, 1.0]])).scatter[0]
    array([[2., 4.],
           [4., 8.]])
    """
    (n_rows, n_features), roots = values.shape, np.sqrt(shares)
    count, centres = _means(values, shares)
    sums, scatter = np.zeros(centres.shape), np.zeros((*centres.shape, n_features))
    least = np.sqrt(NEGLIGIBLE * count / max(n_rows, 1))
    components = np.flatnonzero(count).tolist()
    memory = np.empty((2, n_rows, n_features))  # one for all: new memory for each is slow
    for piece in row_blocks(n_rows, n_features * PIECES_OF_A_BLOCK):
        for k in components:
            rows, root = values[piece], roots[k, piece]
            kept = np.flatnonzero(root > least[k])
            if len(kept) < SOME * len(rows):
                root = root[kept]
                # "raise" would make a copy
                rows = rows.take(kept, axis=0, out=memory[0, : len(kept)], mode="clip")
            steps = memory[1, : len(rows)]
            kernels.weighted_steps(rows, centres[k], root, steps)
            sums[k] += root @ steps
            scatter[k] += steps.T @ steps
    residual = sums / np.where(count > 0, count, 1.0)[:, None]
    scatter -= outer_squares(residual, count)
    mean = centres + residual
    squares = without_noise(count[:, None], mean, np.maximum(diagonal_of(scatter), 0.0))
    return CrossMoments(count, mean, with_diagonal(scatter, squares))


def _means(values: Array, shares: Array) -> tuple[Array, Array]:
    """The share of each component in all rows, and its mean, but for rounding; 0 without rows.

    What deviations from the rounded mean still sum to corrects mean and scatter: two passes, as for
    hard classes.
    """
    count = shares.sum(axis=1)
    return count, (shares / np.where(count > 0, count, 1.0)[:, None]) @ values
