"""Ways up to the most probable weights of logistic regression."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import OptimizeResult, minimize

from bayesic.estimation.coordinates import whitened_coordinates
from bayesic.estimation.logistic import LogisticProblem, Weights
from bayesic.kernels.rounding import EPSILON
from bayesic.statistics.moments import class_moments
from bayesic.statistics.values import class_counts

Array = np.ndarray

STEPS_BEFORE_TURNING = 20


class Ascent(NamedTuple):
    """Where a search ended, and how it went."""

    weights: Weights
    trace: Array  # penalised log likelihood at the start and after each step
    converged: bool


def quick_ascent(problem: LogisticProblem, solver: str, max_iter: int, tol: float) -> Ascent:
    """The best weights by L-BFGS, or by Newton's method in a region of trust ([Nocedal]).

    It starts with the shares of the classes as their probabilities, whatever the features say. It
    ends where no component of the gradient of the mean is above tol, in whitened coordinates. If
    that takes long, the curvature has changed: the coordinates are made anew, once.

    >>> rain, late = np.array([[0.0], [0], [0], [1], [1], [1]]), np.array([0, 0, 1, 0, 1, 1])
    >>> problem = LogisticProblem(rain, late, 2, None, penalty=0.0, fit_intercept=True)
    >>> weights = quick_ascent(problem, "newton", max_iter=100, tol=1e-8).weights
    >>> np.exp(weights.intercept).round(4), np.exp(weights.coef).round(4)  # odds 1/2, and 4 times
    (array([0.5]), array([[4.]]))
    """
    first = min(max_iter, STEPS_BEFORE_TURNING)
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
