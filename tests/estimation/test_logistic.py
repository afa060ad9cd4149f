"""The likelihood of logistic regression and the ways up to its top."""

import numpy as np
import pytest
from scipy import sparse
from scipy.optimize import approx_fprime
from scipy.special import log_softmax

from bayesic.estimation.ascent import (
    MOST_CORRELATED,
    gradient_ascent,
    quick_ascent,
    safe_learning_rate,
    whitened_coordinates,
)
from bayesic.estimation.logistic import LogisticProblem, Weights
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


@pytest.mark.parametrize("n_classes", [2, 3])
def test_curvature_is_the_change_of_the_gradient(n_classes):
    problem = a_problem(n_classes)
    at, along = some_weights(problem), some_weights(problem, seed=2)

    def gradient_at(step):
        moved = unflat(flat(at) + step * flat(along), problem)
        return flat(problem.value_and_gradient(moved)[1])

    numerical = -(gradient_at(1e-5) - gradient_at(-1e-5)) / 2e-5
    np.testing.assert_allclose(flat(problem.curvature(at, along)), numerical, rtol=1e-5, atol=1e-5)


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
    at, along = some_weights(problem), some_weights(problem, seed=2)
    for ours, theirs in (
        (problem.value_and_gradient(at)[1], same.value_and_gradient(at)[1]),
        (problem.curvature(at, along), same.curvature(at, along)),
    ):
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
    along = coordinates.weights(direction.ravel())
    curvature = coordinates.gradient(problem.curvature(zero, along)) / problem.total_weight
    np.testing.assert_allclose(curvature, direction.ravel(), rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("wide", [False, True])
def test_the_gradient_along_coordinates_is_that_of_their_weights(wide):
    n_features = MOST_CORRELATED + 1 if wide else 3
    rng = np.random.default_rng(4)
    X, codes = rng.normal(3.0, 2.0, (20, n_features)), np.arange(20) % 3
    problem = LogisticProblem(X, codes, 3, None, 1.0, True)
    coordinates = whitened_coordinates(problem, Weights(np.ones((3, n_features)) / 9, np.zeros(3)))
    point = rng.normal(size=3 * (n_features + 1)) / 10
    np.testing.assert_allclose(coordinates.point(coordinates.weights(point)), point, atol=1e-9)

    def value_at(point):
        return problem.value_and_gradient(coordinates.weights(point))[0]

    gradient = coordinates.gradient(problem.value_and_gradient(coordinates.weights(point))[1])
    for place in (0, 1, n_features, 2 * n_features + 3):
        step = np.zeros_like(point)
        step[place] = 1e-5
        numerical = (value_at(point + step) - value_at(point - step)) / 2e-5
        assert gradient[place] == pytest.approx(numerical, rel=1e-5, abs=1e-5)


# ways up ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("solver", ["lbfgs", "newton"])
@pytest.mark.parametrize("n_classes", [2, 4])
def test_where_the_search_ends_the_gradient_is_zero(solver, n_classes):
    problem = a_problem(n_classes, penalty=0.1)
    ascent = quick_ascent(problem, solver, 200, 1e-9)
    assert ascent.converged
    _, gradient = problem.value_and_gradient(ascent.weights)
    mean, spread = problem.X.mean(axis=0), problem.X.std(axis=0)
    centred = gradient.coef - gradient.intercept[:, None] * mean
    np.testing.assert_allclose(centred / spread, 0.0, atol=1e-6)
    np.testing.assert_allclose(gradient.intercept, 0.0, atol=1e-6)
    assert (np.diff(ascent.trace) >= -1e-9).all()
    assert ascent.trace[-1] == pytest.approx(value_from_scipy(flat(ascent.weights), problem))


def test_each_step_of_gradient_ascent_is_the_rule_of_the_textbook():  # textbook case 16
    X, d = np.array([[1.0, 2.0], [0.5, -1.0], [-1.0, 0.0]]), np.array([1, 0, 0])
    problem = LogisticProblem(X, d, 2, None, 0.0, fit_intercept=False)
    w, likelihoods = np.zeros(2), []
    for _ in range(6):
        h = 1 / (1 + np.exp(-(X @ w)))
        likelihoods.append((d * np.log(h) + (1 - d) * np.log(1 - h)).sum())
        w = w + 0.3 * ((d - h)[:, None] * X).sum(axis=0)
    ascent = gradient_ascent(problem, learning_rate=0.3, max_iter=6, tol=1e-12)
    np.testing.assert_allclose(ascent.weights.coef[0], w, rtol=1e-12)
    np.testing.assert_allclose(ascent.trace[:-1], likelihoods, rtol=1e-12)
    assert not ascent.converged


@pytest.mark.parametrize("n_classes", [2, 3])
def test_gradient_ascent_ends_where_newton_ends(n_classes):
    rng = np.random.default_rng(5)
    X, codes = rng.normal(size=(60, 2)), rng.integers(0, n_classes, 60)
    problem = LogisticProblem(X, codes, n_classes, None, 0.5, True)
    slow = gradient_ascent(problem, None, 20_000, 1e-9)
    quick = quick_ascent(problem, "newton", 100, 1e-9)
    assert slow.converged
    assert (np.diff(slow.trace) >= -1e-10).all()  # with the safe rate it never falls
    np.testing.assert_allclose(flat(slow.weights), flat(quick.weights), atol=1e-6)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_safe_learning_rate_is_below_one_over_the_largest_curvature(n_classes):
    problem = a_problem(n_classes)
    n_numbers = problem.n_outputs * 4
    for seed in range(5):
        at = some_weights(problem, seed)
        hessian = np.array(
            [flat(problem.curvature(at, unflat(row, problem))) for row in np.eye(n_numbers)]
        )
        assert np.linalg.eigvalsh(hessian)[-1] <= 1 / safe_learning_rate(problem)


def test_a_learning_rate_far_too_large_ends_before_the_numbers_do():
    problem = a_problem(penalty=1.0)
    ascent = gradient_ascent(problem, 1e3, 10_000, 1e-9)
    assert not ascent.converged
    assert np.isfinite(flat(ascent.weights)).all()
    assert np.isfinite(ascent.trace).all()
