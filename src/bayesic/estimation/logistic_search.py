"""The most probable weights of logistic regression: SciPy's L-BFGS, in whitened coordinates."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy import sparse
from scipy.linalg import solve_triangular
from scipy.optimize import OptimizeResult, minimize

from bayesic.estimation.logistic import LogisticProblem, Weights
from bayesic.kernels import Array
from bayesic.kernels.rounding import EPSILON
from bayesic.statistics.additive import class_counts
from bayesic.statistics.cross_moments import cross_moments, diagonal_of
from bayesic.statistics.moments import class_moments

# After so many steps the curvature has changed: the coordinates are made again, once.
_STEPS_BEFORE_RESTART = 20

# Up to so many features their correlations are taken into account, not their spread alone.
MOST_CORRELATED = 512

# Correlations are taken from this many rows, evenly from all: enough to know them roughly. They
# change how long the search takes, not where it ends.
_LEAST_ROWS, _ROWS_PER_FEATURE = 5000, 20

# Directions that hold less of the spread than this are taken as if they held so much.
_LEAST_SHARE = 1e-9

# A feature with less spread than this share of its size is rounding: it counts as constant.
_LEAST_SPREAD = 1e-10


class Optimum(NamedTuple):
    """Where the search ended, and how it went."""

    weights: Weights
    trace: Array  # penalised log likelihood at the start and after each step
    converged: bool


def most_probable_weights(problem: LogisticProblem, max_iter: int, tol: float) -> Optimum:
    """The weights that maximise the penalised likelihood, by L-BFGS ([Nocedal]).

    The search starts where every row has the shares of the classes as its probabilities. It ends
    where no component of the gradient of the mean is above tol, in whitened coordinates.

    >>> rain, late = np.array([[0.0], [0], [0], [1], [1], [1]]), np.array([0, 0, 1, 0, 1, 1])
    >>> problem = LogisticProblem(rain, late, 2, None, penalty=0.0, fit_intercept=True)
    >>> weights = most_probable_weights(problem, max_iter=100, tol=1e-8).weights
    >>> np.exp(weights.intercept).round(4), np.exp(weights.coef).round(4)  # odds 1/2, and 4 times
    (array([0.5]), array([[4.]]))
    """
    n_first = min(max_iter, _STEPS_BEFORE_RESTART)
    first = _search(problem, _class_shares(problem), n_first, tol)
    if first.converged or n_first == max_iter:
        return first
    second = _search(problem, first.weights, max_iter - n_first, tol)
    return Optimum(second.weights, np.append(first.trace, second.trace[1:]), second.converged)


def _search(problem: LogisticProblem, start: Weights, max_iter: int, tol: float) -> Optimum:
    coordinates, total = whitened_coordinates(problem, start), problem.total_weight
    trace: list[float] = []

    def loss(point: Array) -> tuple[float, Array]:
        value, gradient = problem.value_and_gradient(coordinates.weights(point))
        if not trace:
            trace.append(value)
        return -value / total, coordinates.gradient(gradient) / -total

    def note(intermediate_result: OptimizeResult) -> None:
        trace.append(-total * float(intermediate_result.fun))

    zero = np.zeros(problem.n_outputs * (problem.X.shape[1] + 1))
    options = {"maxiter": max_iter, "gtol": tol, "ftol": 64 * EPSILON, "maxls": 50}
    with np.errstate(divide="ignore", invalid="ignore"):  # SciPy compares gains, also of zero
        end = minimize(loss, zero, jac=True, method="L-BFGS-B", callback=note, options=options)
    # with a curvature of about 1, half the square of the gradient is what is left to gain
    at_the_top = end.jac @ end.jac <= 64 * EPSILON * abs(end.fun)
    converged = end.status == 0 or bool(at_the_top)
    return Optimum(coordinates.weights(end.x), np.array(trace), converged)


def _class_shares(problem: LogisticProblem) -> Weights:
    """Weights of zero with the intercept that gives each class its share of the rows."""
    coef = np.zeros((problem.n_outputs, problem.X.shape[1]))
    if not problem.fit_intercept:
        return Weights(coef, np.zeros(problem.n_outputs))
    logs = np.log(class_counts(problem.codes, problem.weights, problem.n_classes))
    return Weights(coef, logs[1:] - logs[0] if problem.n_classes == 2 else logs - logs.mean())


# coordinates in which the search is short -------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Coordinates:
    """Linear coordinates (v, u) of the weights, as if the features were (x - mean) factor.

        coef = start + v factor^T     intercept = start + scale u - (v factor^T) mean

    The features stay as they are: only weights and gradients are transformed.
    """

    start: Weights  # at v = u = 0
    mean: Array  # (n_features,)
    factor: Array  # (n_features, n_features), or (n_features,) for a diagonal
    scale: float

    def weights(self, point: Array) -> Weights:
        """The weights at this point, a flat array of n_outputs (n_features + 1) numbers."""
        table = point.reshape(len(self.start.coef), -1)
        coef = _times(table[:, :-1], self.factor.T)
        intercept = self.scale * table[:, -1] - coef @ self.mean
        return Weights(self.start.coef + coef, self.start.intercept + intercept)

    def gradient(self, of_weights: Weights) -> Array:
        """The gradient along the coordinates, from that along the weights."""
        centred = of_weights.coef - of_weights.intercept[:, None] * self.mean
        along = _times(centred, self.factor)
        return np.column_stack([along, self.scale * of_weights.intercept]).ravel()


def _times(table: Array, factor: Array) -> Array:
    return table * factor if factor.ndim == 1 else table @ factor


def whitened_coordinates(problem: LogisticProblem, start: Weights) -> Coordinates:
    """Coordinates in which the curvature of the mean at these weights is about 1 everywhere.

        curvature = 1 / N * sum over i of r_i (x_i - mean)(x_i - mean)^T + 1 / (C N)

    r_i is what row i adds to the curvature, the mean over the classes (`row_curvature`). So neither
    the units of the features nor their correlations make the search longer. Sparse rows, and rows
    of many features, have the diagonal of it only.

    >>> X, codes = np.array([[-2.0, 0.0], [2.0, 0.0]]), np.array([0, 1])
    >>> problem = LogisticProblem(X, codes, 2, None, penalty=0.0, fit_intercept=True)
    >>> zero = Weights(np.zeros((1, 2)), np.zeros(1))
    >>> whitened_coordinates(problem, zero).factor  # 1/4 times a covariance of 4 and 0
    array([[1., 0.],
           [0., 1.]])
    """
    n_features, total = problem.X.shape[1], problem.total_weight
    row_weights = problem.row_curvature(start)
    features = class_moments(problem.X, np.zeros_like(problem.codes), 1, row_weights).per_class
    mean = features.mean[0] if problem.fit_intercept else np.zeros(n_features)
    around_zero = features.scatter[0] + features.count[0] * features.mean[0] ** 2
    squares = features.scatter[0] if problem.fit_intercept else around_zero
    squares = np.where(squares > _LEAST_SPREAD**2 * around_zero, squares, around_zero)
    penalty = problem.penalty / total
    if sparse.issparse(problem.X) or n_features > MOST_CORRELATED:
        factor = 1.0 / _above_zero(np.sqrt(squares / total + penalty))
    else:
        size = np.sqrt(squares / total)
        curvature = _correlation(problem, row_weights) * size * size[:, None]
        factor = _inverse_root(curvature + penalty * np.eye(n_features))
    scale = 1.0 / _above_zero(np.sqrt(row_weights.sum() / total))
    return Coordinates(start, mean, factor, float(scale))


def _correlation(problem: LogisticProblem, row_weights: Array) -> Array:
    """The correlations of the features in a sample of the rows; about zero without an intercept."""
    n_rows, n_features = problem.X.shape
    every = slice(None, None, max(1, n_rows // (_LEAST_ROWS + _ROWS_PER_FEATURE * n_features)))
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
    """A matrix F for which F^T curvature F is 1, except along directions of almost no curvature."""
    size = _above_zero(np.sqrt(diagonal_of(curvature)))
    scaled = curvature / size / size[:, None]
    np.fill_diagonal(scaled, 1.0 + _LEAST_SHARE)
    lower = np.linalg.cholesky(scaled)
    return solve_triangular(lower, np.diag(1.0 / size), lower=True).T


def _above_zero(sizes: Array) -> Array:
    return np.where(sizes > 0, sizes, 1.0)
