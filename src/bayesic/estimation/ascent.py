"""Ways up to the most probable weights of logistic regression, and coordinates to shorten them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

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

_STEPS_BEFORE_TURNING = 20

# Up to so many features their correlations are taken into account, not their spread alone.
MOST_CORRELATED = 512

# Correlations are taken from this many rows, evenly from all: enough to know them roughly. They
# change how long the search takes, not where it ends.
_LEAST_ROWS, _ROWS_PER_FEATURE = 5000, 20

# Directions that hold less of the spread than this are taken as if they held so much.
_LEAST_SHARE = 1e-9

# Coordinates finer than rounding would show noise: a feature with less spread than this share of
# its size counts as one that does not change, and no row has less weight than this share of its
# own, however certain its class is.
_LEAST_SPREAD, _LEAST_CURVATURE = 1e-10, 1e-10


class Ascent(NamedTuple):
    """Where a search ended, and how it went."""

    weights: Weights
    trace: Array  # penalised log likelihood at the start and after each step
    converged: bool


def quick_ascent(problem: LogisticProblem, solver: str, max_iter: int, tol: float) -> Ascent:
    """The best weights by L-BFGS, or by Newton's method in a region of trust ([Nocedal]).

    It starts with the shares of the classes as their probabilities, whatever the features say. It
    ends where no component of the gradient of the mean is above tol, in whitened coordinates. If
    that takes long, the curvature has changed: the coordinates are made again, once.

    >>> rain, late = np.array([[0.0], [0], [0], [1], [1], [1]]), np.array([0, 0, 1, 0, 1, 1])
    >>> problem = LogisticProblem(rain, late, 2, None, penalty=0.0, fit_intercept=True)
    >>> weights = quick_ascent(problem, "newton", max_iter=100, tol=1e-8).weights
    >>> np.exp(weights.intercept).round(4), np.exp(weights.coef).round(4)  # odds 1/2, and 4 times
    (array([0.5]), array([[4.]]))
    """
    first = min(max_iter, _STEPS_BEFORE_TURNING)
    ascent = _climb(problem, _shares_alone(problem), solver, first, tol)
    if ascent.converged or first == max_iter:
        return ascent
    after = _climb(problem, ascent.weights, solver, max_iter - first, tol)
    return Ascent(after.weights, np.append(ascent.trace, after.trace[1:]), after.converged)


def _climb(
    problem: LogisticProblem, start: Weights, solver: str, max_iter: int, tol: float
) -> Ascent:
    coordinates, total = whitened_coordinates(problem, start), problem.total_weight
    trace: list[float] = []

    def loss(point: Array) -> tuple[float, Array]:
        value, gradient = problem.value_and_gradient(coordinates.weights(point))
        if not trace:
            trace.append(value)
        return -value / total, coordinates.gradient(gradient) / -total

    def curvature(point: Array, direction: Array) -> Array:
        at, along = coordinates.weights(point), coordinates.weights(direction)
        return coordinates.gradient(problem.curvature(at, along)) / total

    def note(intermediate_result: OptimizeResult) -> None:
        trace.append(-total * float(intermediate_result.fun))

    how = _options_of_scipy(solver, max_iter, tol, curvature)
    with np.errstate(divide="ignore", invalid="ignore"):  # SciPy compares gains, also of zero
        found = minimize(loss, coordinates.point(start), jac=True, callback=note, **how)
    # with a curvature of about 1, half the square of the gradient is what is left to gain
    at_the_top = found.jac @ found.jac <= 64 * EPSILON * abs(found.fun)
    converged = found.status == 0 or bool(at_the_top)
    return Ascent(coordinates.weights(found.x), np.array(trace), converged)


def _options_of_scipy(
    solver: str, max_iter: int, tol: float, curvature: Callable[[Array, Array], Array]
) -> dict[str, Any]:
    if solver == "newton":
        options = {"maxiter": max_iter, "gtol": tol}
        return {"method": "trust-ncg", "hessp": curvature, "options": options}
    options = {"maxiter": max_iter, "gtol": tol, "ftol": 64 * EPSILON, "maxls": 50}
    return {"method": "L-BFGS-B", "options": options}


def _shares_alone(problem: LogisticProblem) -> Weights:
    """Weights of zero with the intercept that gives each class its share of the rows."""
    coef = np.zeros((problem.n_outputs, problem.X.shape[1]))
    if not problem.fit_intercept:
        return Weights(coef, np.zeros(problem.n_outputs))
    logs = np.log(class_counts(problem.codes, problem.weights, problem.n_classes))
    return Weights(coef, logs[1:] - logs[0] if problem.n_classes == 2 else logs - logs.mean())


def gradient_ascent(
    problem: LogisticProblem, learning_rate: float | None, max_iter: int, tol: float
) -> Ascent:
    """Step by step along the gradient, from weights of zero ([Mitchell] section 6.5).

        w <- w + eta * (sum over i of (d_i - h_i) x_i - w / C)

    It ends where no component of the gradient, divided by the number of rows, is above tol; or
    before the weights leave the range of numbers, which a learning rate far too large brings about.
    """
    rate = safe_learning_rate(problem) if learning_rate is None else learning_rate
    n_outputs, total = problem.n_outputs, problem.total_weight
    at = Weights(np.zeros((n_outputs, problem.X.shape[1])), np.zeros(n_outputs))
    value, gradient = problem.value_and_gradient(at)
    trace = [value]
    while not (converged := _largest(gradient) <= tol * total) and len(trace) <= max_iter:
        with np.errstate(over="ignore", invalid="ignore"):
            after = Weights(*(now + rate * step for now, step in zip(at, gradient, strict=True)))
            value, gradient = problem.value_and_gradient(after)
        if not np.isfinite(value):
            break
        at = after
        trace.append(value)
    return Ascent(at, np.array(trace), bool(converged))


def safe_learning_rate(problem: LogisticProblem) -> float:
    """A learning rate with which the likelihood never falls.

        eta = 1 / (share * sum over i of s_i (|x_i|^2 + 1) + 1 / C)

    What is below the line is at least the largest curvature that can be: a probability h has
    h (1 - h) <= 1/4, and several together at most 1/2 ([Boehning]).

    >>> X, codes = np.array([[-1.0], [1.0]]), np.array([0, 1])
    >>> safe_learning_rate(LogisticProblem(X, codes, 2, None, penalty=1.0, fit_intercept=True))
    0.5
    """
    features = class_moments(problem.X, np.zeros_like(problem.codes), 1, problem.weights).per_class
    squares = float((features.scatter + features.count * features.mean**2).sum())
    squares += problem.fit_intercept * problem.total_weight
    share = 0.25 if problem.n_classes == 2 else 0.5
    curvature = share * squares + problem.penalty
    return 1.0 / curvature if curvature > 0 else 1.0


def _largest(gradient: Weights) -> float:
    return float(max(np.abs(part).max() for part in gradient))


# coordinates in which a search for the best weights is short ------------------------------------


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
    row_weights = problem.spread_of_classes(at, _LEAST_CURVATURE)
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
    return Coordinates(problem.n_outputs, mean, factor, float(scale))


def _correlation(problem: LogisticProblem, row_weights: Array) -> Array:
    """How the features go together in a sample of the rows; about zero without an intercept."""
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
    """A matrix F for which F^T curvature F is 1, but for directions of almost none."""
    size = _above_zero(np.sqrt(diagonal_of(curvature)))
    scaled = curvature / size / size[:, None]
    np.fill_diagonal(scaled, 1.0 + _LEAST_SHARE)
    lower = np.linalg.cholesky(scaled)
    return solve_triangular(lower, np.diag(1.0 / size), lower=True).T


def _above_zero(sizes: Array) -> Array:
    return np.where(sizes > 0, sizes, 1.0)
