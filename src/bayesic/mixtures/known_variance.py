"""The means of k Gaussians of one known variance: the simplest EM, with k-means as its limit."""

from collections.abc import Callable

import numpy as np
from scipy import sparse

from bayesic.data.arguments import as_numbers, check_whole_number, is_number
from bayesic.data.matrices import Matrix, as_matrix, dense_rows, sums_to_a_number
from bayesic.data.typing import ArrayLike, TableLike
from bayesic.kernels import Array, pick
from bayesic.mixtures._gaussian_em import expected_statistics, shares_of, soft_moments
from bayesic.mixtures._lloyd import feature_variances
from bayesic.mixtures.em import Climb, climb
from bayesic.statistics.moments import ClassMoments


def expected_memberships(X: TableLike, means: ArrayLike, variance: float) -> Array:
    """The expected share of each row that comes from each Gaussian: (n_rows, k).

        E[z_ij] = exp(-|x_i - mu_j|^2 / (2 sigma^2)) / sum over n of exp(-|x_i - mu_n|^2 / ...)

    ([Mitchell] section 6.12; all Gaussians are equally probable a priori.)

    >>> expected_memberships([[0.0], [1.0], [5.0]], [[0.0], [2.0]], variance=2.0).round(4)
    array([[0.7311, 0.2689],
           [0.5   , 0.5   ],
           [0.018 , 0.982 ]])
    """
    matrix, centres = _checked(X, means, variance)
    values = dense_rows(matrix, slice(0, matrix.shape[0]))
    return shares_of(_scorer(matrix, centres, variance)(values))[0].T


def means_of_known_variance(
    X: TableLike, start: ArrayLike, variance: float, max_iter: int = 100, tol: float = 1e-9
) -> Climb[Array, ClassMoments]:
    """The most probable means of k Gaussians with the same known variance, by EM.

        E   E[z_ij] as `expected_memberships` gives it
        M   mu_j = sum of E[z_ij] x_i / sum of E[z_ij]

    ([Mitchell] section 6.12). In the result `state` has the means, and `trace` the mean of log p(x)
    after each step, which never falls. As the variance goes to 0, every row belongs to the nearest
    mean, and these are the steps of KMeans. A mean without any rows keeps its value.

    X     : array-like, (n_rows, n_features)
    start : the means to start from, (k, n_features)

    >>> points = [[0.0], [1.0], [9.0], [10.0]]
    >>> result = means_of_known_variance(points, [[0.0], [5.0]], variance=1.0)
    >>> result.state.round(4).tolist(), result.converged
    ([[0.5], [9.5]], True)
    """
    check_whole_number("max_iter", max_iter, 1)
    matrix, centres = _checked(X, start, variance)

    def expect(means: Array) -> tuple[tuple[Array, ClassMoments], float]:
        scorer = _scorer(matrix, means, variance)
        statistics, value = expected_statistics(matrix, None, scorer, soft_moments, len(means))
        if value == -np.inf:
            raise ValueError(
                f"variance={variance!r} is too small for the distances of the rows: no Gaussian "
                "can have generated them. KMeans is the limit for a variance of 0."
            )
        return (means, statistics), value

    def maximise(hidden: tuple[Array, ClassMoments]) -> Array:
        means, statistics = hidden
        return np.where(statistics.per_class.count > 0, statistics.per_class.mean, means)

    result = climb(expect(centres)[0], expect, maximise, max_iter, tol)
    (_, hidden), (_, expected) = result.hidden, result.expected
    return Climb(result.state, hidden, expected, result.trace, result.converged)


def _scorer(X: Matrix, means: Array, variance: float) -> Callable[[Array], Array]:
    """A function from rows to log of 1/k N(x; mu_j, sigma^2 I): (k, n_rows)."""
    kernels = pick("centres", X.shape[0] * means.size)
    constant = -np.log(len(means)) - 0.5 * X.shape[1] * np.log(2 * np.pi * variance)

    def log_joint(values: Array) -> Array:
        with np.errstate(over="ignore"):
            return constant - kernels.squared_distances(values, means) / (2 * variance)

    return log_joint


def _checked(X: TableLike, means: ArrayLike, variance: float) -> tuple[Matrix, Array]:
    matrix, centres = as_matrix(X), as_numbers(means, "means")
    if centres.ndim != 2 or centres.shape[1] != matrix.shape[1] or not np.isfinite(centres).all():
        raise ValueError(
            f"The means must be finite and have the {matrix.shape[1]} feature(s) of X: an array of "
            f"shape (k, {matrix.shape[1]}), got shape {centres.shape}."
        )
    if not is_number(variance) or not 0 < float(variance) < np.inf:
        raise ValueError(
            f"variance must be a number above 0, got {variance!r}. KMeans is the limit for 0."
        )
    if not sums_to_a_number(matrix.data if sparse.issparse(matrix) else matrix):
        raise ValueError("X must hold finite numbers, got NaN or infinity. Leave these rows out.")
    feature_variances(matrix, None)  # refuses numbers that are too large
    return matrix, np.ascontiguousarray(centres)
