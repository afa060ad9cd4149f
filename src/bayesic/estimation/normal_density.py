"""Mean and covariance of each class -> log density of rows, through Cholesky factors."""

from collections.abc import Iterator
from types import ModuleType
from typing import NamedTuple

import numpy as np
from scipy.linalg import solve_triangular

from bayesic.kernels import Array
from bayesic.kernels import centres as plain
from bayesic.statistics.cross_moments import CrossMoments

LOG_TWO_PI = float(np.log(2 * np.pi))


class Normals(NamedTuple):
    """The normal density of each class, with the factors to compute it."""

    mean: Array  # (n_classes, n_features)
    covariance: Array  # (n_classes, n_features, n_features)
    whitening: Array  # (n_classes, n_features, n_features), upper: (x - mean) @ it has covariance 1
    log_scale: Array  # (n_classes, n_features), log of the diagonal of the Cholesky factor


def class_means(moments: CrossMoments) -> Array:
    """The mean of each class, that of all rows for a class without rows: (n_classes, n_features).

    >>> class_means(CrossMoments(np.array([2, 0]), np.array([[3.0], [0.0]]), np.zeros((2, 1, 1))))
    array([[3.],
           [3.]])
    """
    some = moments.class_count[:, None] > 0
    return np.where(some, moments.mean, moments.class_moments.overall.mean)


def normals(mean: Array, covariance: Array) -> Normals:
    """The densities with these means and covariances; the covariances must not be singular.

        Sigma = L L^T,    z = L^-1 (x - mean),
        log p(x) = -1/2 sum of z_j^2 - sum of log L_jj - d/2 log 2 pi

    >>> normals(np.zeros((1, 2)), np.array([[[4.0, 2.0], [2.0, 2.0]]])).whitening[0]
    array([[ 0.5, -0.5],
           [ 0. ,  1. ]])
    """
    factor = np.linalg.cholesky(covariance)
    unit = np.eye(mean.shape[-1])
    whitening = [solve_triangular(lower, unit, lower=True).T for lower in factor]
    return Normals(
        mean,
        covariance,
        np.ascontiguousarray(whitening),
        np.log(np.diagonal(factor, axis1=-2, axis2=-1)),
    )


def log_densities(values: Array, classes: Normals, kernels: ModuleType = plain) -> Array:
    """log p(x | c) of each row in each class: (n_rows, n_classes). NaN is not observed.

    Rows with gaps have the marginal density of what was observed, which is normal with the matching
    rows and columns of mean and covariance.

    kernels : `pick("centres", steps)`

    >>> standard = normals(np.zeros((1, 2)), np.eye(2)[None])
    >>> log_densities(np.array([[0.0, 0.0], [np.nan, 0.0]]), standard).round(4)
    array([[-1.8379],
           [-0.9189]])
    """
    with np.errstate(over="ignore", invalid="ignore"):  # far out: -inf
        squares = kernels.whitened_squares(values, classes.mean, classes.whitening)
    if np.isnan(squares).any():
        if np.isnan(values).any():
            return _log_densities_with_gaps(values, classes, kernels)
        squares[np.isnan(squares)] = np.inf  # inf - inf: one of the two was too large
    constant = values.shape[1] * LOG_TWO_PI + 2 * classes.log_scale.sum(axis=1)
    squares += constant[:, None]
    squares *= -0.5
    return squares.T


def _log_densities_with_gaps(values: Array, classes: Normals, kernels: ModuleType) -> Array:
    scores = np.empty((len(values), len(classes.mean)))
    for rows, features in _patterns(values):
        marginal = _marginal_normals(classes, features)
        observed = np.ascontiguousarray(values[np.ix_(rows, features)])
        scores[rows] = log_densities(observed, marginal, kernels)
    return scores


def _patterns(values: Array) -> Iterator[tuple[Array, Array]]:
    """The rows that have the same gaps, and the features that are observed in them."""
    features, rows = np.arange(values.shape[1]), np.arange(len(values))
    patterns, index = np.unique(np.isnan(values), axis=0, return_inverse=True)
    for pattern, gaps in enumerate(patterns):
        yield rows[index.ravel() == pattern], features[~gaps]


def _marginal_normals(classes: Normals, features: Array) -> Normals:
    """The densities of these features alone."""
    return normals(
        classes.mean[:, features], classes.covariance[:, features[:, None], features[None, :]]
    )


def sequential_terms(values: Array, classes: Normals) -> Array:
    """What each feature adds to the log density: (n_rows, n_features, n_classes).

        log p(x) = sum over j of log p(x_j | x_1, ..., x_{j-1})

    with the features in the order of the columns: each is conditioned on those before it. A gap
    adds 0.

    >>> related = normals(np.zeros((1, 2)), np.array([[[1.0, 0.8], [0.8, 1.0]]]))
    >>> sequential_terms(np.array([[2.0, 1.6]]), related).round(4)[0, :, 0]  # 1.6 is expected
    array([-2.9189, -0.4081])
    """
    terms = np.zeros((*values.shape, len(classes.mean)))
    for rows, features in _patterns(values):
        marginal = _marginal_normals(classes, features)
        for c, (mean, whitening) in enumerate(zip(marginal.mean, marginal.whitening, strict=True)):
            with np.errstate(over="ignore", invalid="ignore"):
                squares = ((values[np.ix_(rows, features)] - mean) @ whitening) ** 2
            squares[np.isnan(squares)] = np.inf
            parts = -0.5 * (squares + LOG_TWO_PI) - marginal.log_scale[c]
            terms[rows[:, None], features[None, :], c] = parts
    return terms
