"""Coordinates in which a search for the best weights is short."""

from dataclasses import dataclass

import numpy as np
from scipy import sparse
from scipy.linalg import solve_triangular

from bayesic.estimation.logistic import LogisticProblem, Weights
from bayesic.statistics.cross_moments import cross_moments, diagonal_of
from bayesic.statistics.moments import class_moments

Array = np.ndarray

# Up to so many features their correlations are taken into account, not their spread alone.
MOST_CORRELATED = 512
# Correlations are taken from so many rows, evenly from all: enough to know them roughly. They
# change how long the search takes, not where it ends.
LEAST_ROWS, ROWS_PER_FEATURE = 5000, 20
# Directions that hold less of the spread than this are taken as if they held so much.
LEAST_SHARE = 1e-9
# Coordinates finer than rounding would show noise: a feature with less spread than this share of
# its size counts as one that does not change, and no row has less weight than this share of its
# own, however certain its class is.
LEAST_SPREAD, LEAST_CURVATURE = 1e-10, 1e-10


@dataclass(frozen=True, eq=False)
class Coordinates:
    """Linear coordinates (v, u) of the weights: coef = v factor^T, intercept = scale u - coef mean.

    They are as if the features were (x - mean) factor, but the features stay as they are: only
    weights and gradients are turned.
    """

    n_outputs: int
    mean: Array  # (n_features,)
    factor: Array  # (n_features, n_features), or (n_features,) for a diagonal
    scale: float

    def weights(self, point: Array) -> Weights:
        """The weights at this point, a flat array of n_outputs (n_features + 1) numbers."""
        table = point.reshape(self.n_outputs, -1)
        coef = _turned(table[:, :-1], self.factor.T)
        return Weights(coef, self.scale * table[:, -1] - coef @ self.mean)

    def gradient(self, of_weights: Weights) -> Array:
        """The gradient along the coordinates, from that along the weights."""
        centred = of_weights.coef - of_weights.intercept[:, None] * self.mean
        turned = _turned(centred, self.factor)
        return np.column_stack([turned, self.scale * of_weights.intercept]).ravel()

    def point(self, weights: Weights) -> Array:
        """The point of these weights: `weights` turned round."""
        turned = (
            weights.coef / self.factor
            if self.factor.ndim == 1
            else np.linalg.solve(self.factor, weights.coef.T).T
        )
        centred = weights.intercept + weights.coef @ self.mean
        return np.column_stack([turned, centred / self.scale]).ravel()


def _turned(table: Array, factor: Array) -> Array:
    return table * factor if factor.ndim == 1 else table @ factor


def whitened_coordinates(problem: LogisticProblem, at: Weights) -> Coordinates:
    """Coordinates in which the curvature of the mean at these weights is about 1 everywhere.

        curvature = 1 / N * sum over i of r_i (x_i - mean)(x_i - mean)^T + 1 / (C N)

    r_i is what the probabilities of row i give to the curvature, the mean over the classes
    (`spread_of_classes`). So neither the units of the features nor their correlations make the
    search longer. Sparse rows, and rows of many features, have the diagonal of it only.

    >>> X, codes = np.array([[-2.0, 0.0], [2.0, 0.0]]), np.array([0, 1])
    >>> problem = LogisticProblem(X, codes, 2, None, penalty=0.0, fit_intercept=True)
    >>> zero = Weights(np.zeros((1, 2)), np.zeros(1))
    >>> whitened_coordinates(problem, zero).factor  # 1/4 times a covariance of 4 and 0
    array([[1., 0.],
           [0., 1.]])
    """
    n_features, total = problem.X.shape[1], problem.total_weight
    row_weights = problem.spread_of_classes(at, LEAST_CURVATURE)
    features = class_moments(problem.X, np.zeros_like(problem.codes), 1, row_weights).per_class
    mean = features.mean[0] if problem.fit_intercept else np.zeros(n_features)
    around_zero = features.scatter[0] + features.count[0] * features.mean[0] ** 2
    squares = features.scatter[0] if problem.fit_intercept else around_zero
    squares = np.where(squares > LEAST_SPREAD**2 * around_zero, squares, around_zero)
    penalty = problem.penalty / total
    if sparse.issparse(problem.X) or n_features > MOST_CORRELATED:
        factor = 1.0 / _above_zero(np.sqrt(squares / total + penalty))
    else:
        size = np.sqrt(squares / total)
        curvature = _correlation(problem, row_weights) * size * size[:, None]
        factor = _inverse_root(curvature + penalty * np.eye(n_features))
    scale = 1.0 / _above_zero(np.sqrt(row_weights.sum() / total))
    return Coordinates(problem.n_outputs, mean, factor, float(scale))


def _correlation(problem: LogisticProblem, row_weights: Array) -> Array:
    """How the features go together in a sample of the rows; about zero without an intercept."""
    n_rows, n_features = problem.X.shape
    every = slice(None, None, max(1, n_rows // (LEAST_ROWS + ROWS_PER_FEATURE * n_features)))
    one_class = np.zeros_like(problem.codes[every])
    sample = cross_moments(problem.X[every], one_class, 1, row_weights[every])
    products = sample.scatter[0]
    if not problem.fit_intercept:
        products = products + sample.class_count * np.outer(sample.mean[0], sample.mean[0])
    size = _above_zero(np.sqrt(diagonal_of(products)))
    correlation = products / size / size[:, None]
    np.fill_diagonal(correlation, 1.0)
    return correlation


def _inverse_root(curvature: Array) -> Array:
    """A matrix F for which F^T curvature F is 1, but for directions of almost none."""
    size = _above_zero(np.sqrt(diagonal_of(curvature)))
    scaled = curvature / size / size[:, None]
    np.fill_diagonal(scaled, 1.0 + LEAST_SHARE)
    lower = np.linalg.cholesky(scaled)
    return solve_triangular(lower, np.diag(1.0 / size), lower=True).T


def _above_zero(sizes: Array) -> Array:
    return np.where(sizes > 0, sizes, 1.0)
