"""The likelihood of logistic regression, and the search for the weights that maximise it."""

import numpy as np
import pytest
from scipy import sparse
from scipy.optimize import approx_fprime
from scipy.special import log_softmax

from bayesic.estimation.logistic import LogisticProblem, Weights
from bayesic.estimation.logistic_search import (
    MOST_CORRELATED,
    most_probable_weights,
    whitened_coordinates,
)
from helpers.environment import cells_per_block, environment


def a_problem(n_classes=3, n_rows=40, n_features=3, penalty=0.5, fit_intercept=True, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, n_features)) * [1.0, 30.0, 0.01][:n_features] + 2.0
    codes = np.arange(n_rows) % n_classes
    weights = rng.integers(0, 4, n_rows) / 2 + 0.25
    return LogisticProblem(X, codes, n_classes, weights, penalty, fit_intercept)


def some_weights(problem, seed=1):
    rng = np.random.default_rng(seed)
    shape = (problem.n_outputs, problem.X.shape[1])
    return Weights(rng.normal(size=shape) / 5, rng.normal(size=problem.n_outputs))


def flat(weights):
    return np.column_stack(weights).ravel()


def unflat(numbers, problem):
    table = numbers.reshape(problem.n_outputs, -1)
    return Weights(table[:, :-1], table[:, -1])


def value_from_scipy(numbers, problem):
    """The same from its definition."""
    table = numbers.reshape(problem.n_outputs, -1)
    scores = problem.X @ table[:, :-1].T + table[:, -1]
    if problem.n_classes == 2:
        scores = np.column_stack([np.zeros(len(scores)), scores])
    logs = log_softmax(scores, axis=1)[np.arange(len(scores)), problem.codes]
    return problem.weights @ logs - problem.penalty / 2 * (table[:, :-1] ** 2).sum()


@pytest.mark.parametrize("n_classes", [2, 3])
def test_value_and_gradient_are_those_of_the_definition(n_classes):  # textbook case 16
    problem = a_problem(n_classes)
    at = some_weights(problem)
    value, gradient = problem.value_and_gradient(at)
    assert value == pytest.approx(value_from_scipy(flat(at), problem), rel=1e-12)
    numerical = approx_fprime(flat(at), value_from_scipy, 1e-7, problem)
    np.testing.assert_allclose(flat(gradient), numerical, rtol=1e-4, atol=1e-3)


@pytest.mark.parametrize("scale", [1.0, 1e5, 1e300])
def test_scores_of_any_size_stay_numbers(scale):
    X, codes = np.array([[-1.0], [1.0], [1.0]]), np.array([0, 1, 0])
    problem = LogisticProblem(X, codes, 2, None, 0.0, True)
    value, gradient = problem.value_and_gradient(Weights(np.array([[scale]]), np.zeros(1)))
    exact = -scale if scale > 1 else -3 * np.log1p(np.exp(-1)) - 1
    assert value == pytest.approx(exact, rel=1e-12)
    assert np.isfinite(flat(gradient)).all()


def test_blocks_and_threads_do_not_change_the_numbers():
    problem = a_problem(n_rows=500)
    at = some_weights(problem)
    whole = flat(problem.value_and_gradient(at)[1])
    with cells_per_block(60):
        with environment(BAYESIC_THREADS="1"):
            one = flat(problem.value_and_gradient(at)[1])
        with environment(BAYESIC_THREADS="3"):
            three = flat(problem.value_and_gradient(at)[1])
    np.testing.assert_array_equal(one, three)
    np.testing.assert_allclose(one, whole, rtol=1e-12, atol=1e-10)


def test_sparse_rows_are_the_same_rows():
    problem = a_problem()
    same = LogisticProblem(
        sparse.csr_array(problem.X), problem.codes, 3, problem.weights, problem.penalty, True
    )
    at = some_weights(problem)
    ours, theirs = problem.value_and_gradient(at)[1], same.value_and_gradient(at)[1]
    np.testing.assert_allclose(flat(ours), flat(theirs), rtol=1e-12, atol=1e-10)


# coordinates ------------------------------------------------------------------------------------


@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_in_whitened_coordinates_the_curvature_at_zero_is_one(n_classes, fit_intercept):
    problem = a_problem(n_classes, fit_intercept=fit_intercept)
    problem = LogisticProblem(problem.X, problem.codes, n_classes, None, 0.5, fit_intercept)
    zero = Weights(np.zeros((problem.n_outputs, 3)), np.zeros(problem.n_outputs))
    coordinates = whitened_coordinates(problem, zero)
    direction = np.random.default_rng(3).normal(size=(problem.n_outputs, 4))
    if n_classes > 2:
        direction -= direction.mean(axis=0)  # a shift of all classes changes no probability
    if not fit_intercept:
        direction[:, -1] = 0.0

    def gradient_at(step):
        at = coordinates.weights(step * direction.ravel())
        return coordinates.gradient(problem.value_and_gradient(at)[1])

    curvature = (gradient_at(-1e-4) - gradient_at(1e-4)) / (2e-4 * problem.total_weight)
    np.testing.assert_allclose(curvature, direction.ravel(), rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("wide", [False, True])
def test_the_gradient_along_coordinates_is_that_of_their_weights(wide):
    n_features = MOST_CORRELATED + 1 if wide else 3
    rng = np.random.default_rng(4)
    X, codes = rng.normal(3.0, 2.0, (20, n_features)), np.arange(20) % 3
    problem = LogisticProblem(X, codes, 3, None, 1.0, True)
    start = Weights(np.ones((3, n_features)) / 9, np.zeros(3))
    coordinates = whitened_coordinates(problem, start)
    np.testing.assert_array_equal(
        flat(coordinates.weights(np.zeros(3 * n_features + 3))), flat(start)
    )
    point = rng.normal(size=3 * (n_features + 1)) / 10

    def value_at(point):
        return problem.value_and_gradient(coordinates.weights(point))[0]

    gradient = coordinates.gradient(problem.value_and_gradient(coordinates.weights(point))[1])
    for index in (0, 1, n_features, 2 * n_features + 3):
        step = np.zeros_like(point)
        step[index] = 1e-5
        numerical = (value_at(point + step) - value_at(point - step)) / 2e-5
        assert gradient[index] == pytest.approx(numerical, rel=1e-5, abs=1e-5)


# the search -------------------------------------------------------------------------------------


@pytest.mark.parametrize("n_classes", [2, 4])
def test_where_the_search_ends_the_gradient_is_zero(n_classes):
    problem = a_problem(n_classes, penalty=0.1)
    optimum = most_probable_weights(problem, 200, 1e-9)
    assert optimum.converged
    _, gradient = problem.value_and_gradient(optimum.weights)
    mean, spread = problem.X.mean(axis=0), problem.X.std(axis=0)
    centred = gradient.coef - gradient.intercept[:, None] * mean
    np.testing.assert_allclose(centred / spread, 0.0, atol=1e-6)
    np.testing.assert_allclose(gradient.intercept, 0.0, atol=1e-6)
    assert (np.diff(optimum.trace) >= -1e-9).all()
    assert optimum.trace[-1] == pytest.approx(value_from_scipy(flat(optimum.weights), problem))
