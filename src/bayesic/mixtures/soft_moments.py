"""Moments of rows that belong to every component with a share: the statistics of EM.

They are the statistics of Gaussian classes (`ClassMoments`, `CrossMoments`), and add up like them;
only the weight of a row is its share.
"""

from types import ModuleType

import numpy as np

from bayesic.kernels import Array
from bayesic.kernels import centres as plain
from bayesic.kernels import covariances as products
from bayesic.statistics.cross_moments import CrossMoments, diagonal_of, with_diagonal
from bayesic.statistics.moments import ClassMoments, Moments, without_noise

# Shares below this part of the mean share are less than rounding, all of them together.
NEGLIGIBLE = 2.0**-55


def soft_moments(values: Array, shares: Array, kernels: ModuleType = plain) -> ClassMoments:
    """Mean and scatter of each feature in each component.

        n_k = sum of r_ik,  mean_k = sum of r_ik x_i / n_k,
        scatter_k = sum of r_ik (x_i - mean_k)^2

    values  : float64 (n_rows, n_features)
    shares  : float64 (n_components, n_rows), r_ik of row i in component k
    kernels : `pick("centres", steps)`

    >>> halves = soft_moments(np.array([[1.0], [3.0]]), np.array([[1.0, 0.5], [0.0, 0.5]]))
    >>> halves.class_count, halves.per_class.mean.round(4).tolist()
    (array([1.5, 0.5]), [[1.6667], [3.0]])
    """
    count = shares.sum(axis=1)
    # but for rounding: what deviations from it still sum to corrects mean and scatter
    centres = (shares / np.where(count > 0, count, 1.0)[:, None]) @ values
    sums, squares = kernels.weighted_moments(values, centres, shares)
    divisor = np.where(count > 0, count, 1.0)[:, None]
    mean = centres + sums / divisor
    scatter = np.maximum(squares - sums * (sums / divisor), 0.0)
    of_features = np.repeat(count[:, None], values.shape[1], axis=1)
    scatter = without_noise(of_features, mean, scatter)
    return ClassMoments(count, Moments(of_features, mean, scatter))


def soft_cross_moments(
    values: Array, shares: Array, kernels: ModuleType = products
) -> CrossMoments:
    """The same with products of deviations: scatter_k = sum of r_ik (x - mean_k)(x - mean_k)^T.

    kernels : `pick("covariances", steps)`

    Rows whose shares together are below the rounding of their sum are left out.

    >>> rows = np.array([[1.0, 2.0], [3.0, 6.0]])
    >>> soft_cross_moments(rows, np.array([[1.0, 1.0]])).scatter[0]
    array([[2., 4.],
           [4., 8.]])
    """
    (n_rows, n_features), n_components = values.shape, len(shares)
    count = shares.sum(axis=1)
    mean = np.zeros((n_components, n_features))
    scatter = np.zeros((n_components, n_features, n_features))
    for k in np.flatnonzero(count):
        rows = np.flatnonzero(shares[k] > NEGLIGIBLE * count[k] / n_rows)
        mean[k], scatter[k] = kernels.weighted_scatter(values, rows, shares[k, rows])
    squares = without_noise(count[:, None], mean, np.maximum(diagonal_of(scatter), 0.0))
    return CrossMoments(count, mean, with_diagonal(scatter, squares))
