"""The log-linear pool: the one best of a convex problem, and what follows from that."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.special import log_softmax

from bayesic.estimation.pool import Pool, equal_weights, pool_weights


def opinions(n_members=4, n_rows=60, n_classes=3, seed=0, scale=2.0):
    """What members say of rows whose class some of them know something of, and the classes."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, n_classes, n_rows)
    scores = rng.normal(size=(n_members, n_rows, n_classes)) * scale
    known = np.linspace(0, 2, n_members)[:, None]
    scores[:, np.arange(n_rows), codes] += known
    return log_softmax(scores, axis=2), codes


def objective(point, logs, codes, weights, toward, prior_rows, least_log=-9.0):
    """From its definition: sum over i of s_i log P(c_i | x_i) less the penalty, negated."""
    n_members, n_classes = len(logs), logs.shape[2]
    w, b = point[:n_members], point[n_members:]
    total = 0.0
    for row, code in enumerate(codes):
        scores = [
            b[c] + sum(w[m] * max(logs[m, row, c], least_log) for m in range(n_members))
            for c in range(n_classes)
        ]
        total += weights[row] * (scores[code] - np.logaddexp.reduce(scores))
    penalty = ((w - toward) ** 2).sum() + (b**2).sum()
    return prior_rows / 2 * penalty - total


def best_by_scipy(method, logs, codes, weights, toward, prior_rows):
    n_members, n_classes = len(logs), logs.shape[2]
    start = np.append(np.full(n_members, toward), np.zeros(n_classes))
    bounds = [(0, None)] * n_members + [(None, None)] * n_classes
    options = {"SLSQP": {"ftol": 1e-14, "maxiter": 500}, "trust-constr": {"gtol": 1e-10}}
    return minimize(
        objective,
        start,
        (logs, codes, weights, toward, prior_rows),
        method,
        bounds=bounds,
        options=options[method],
    )


@pytest.mark.parametrize("method", ["SLSQP", "trust-constr"])
@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize(("n_classes", "toward", "prior_rows"), [(2, 0.25, 5.0), (3, 1.0, 0.5)])
@pytest.mark.filterwarnings("ignore:delta_grad == 0.0")  # of SciPy, where it is done
def test_pool_is_the_best_that_scipy_finds(method, seed, n_classes, toward, prior_rows):
    logs, codes = opinions(n_classes=n_classes, n_rows=30, seed=seed)
    weights = np.random.default_rng(seed).integers(0, 5, len(codes)) / 2
    how = weights, toward, prior_rows
    theirs = best_by_scipy(method, logs, codes, *how)
    ours = pool_weights(logs, codes, weights, toward=toward, prior_rows=prior_rows)
    point = np.append(ours.weights, ours.bias)
    assert objective(point, logs, codes, *how) <= theirs.fun + 1e-9
    np.testing.assert_allclose(point, theirs.x, atol=2e-4)


def test_pool_without_bias_is_the_best_with_all_biases_at_zero():
    logs, codes = opinions(n_rows=30)
    how = np.ones(30), 0.25, 5.0
    ours = pool_weights(logs, codes, prior_rows=5.0, with_bias=False)
    assert not ours.bias.any()
    theirs = minimize(
        lambda w: objective(np.append(w, np.zeros(3)), logs, codes, *how),
        np.full(4, 0.25),
        method="SLSQP",
        bounds=[(0, None)] * 4,
        options={"ftol": 1e-14},
    )
    np.testing.assert_allclose(ours.weights, theirs.x, atol=2e-4)


def gradient_at(pool, logs, codes, toward, prior_rows):
    """Along weights and biases, from what the pool itself says of the rows."""
    residual = np.exp(pool.log_proba(logs))
    residual[np.arange(len(codes)), codes] -= 1
    of_weights = [float((residual * np.maximum(each, pool.least_log)).sum()) for each in logs]
    away = pool.weights - toward
    return of_weights + prior_rows * away, residual.sum(axis=0) + prior_rows * pool.bias


problems = st.builds(
    opinions,
    n_members=st.integers(1, 6),
    n_rows=st.integers(1, 80),
    n_classes=st.integers(1, 4),
    seed=st.integers(0, 2**32 - 1),
    scale=st.sampled_from([1e-9, 0.3, 2.0, 30.0, 1e5]),
)


@given(problems, st.sampled_from([1e-3, 1.0, 100.0]))
def test_nothing_is_left_to_gain(problem, prior_rows):  # the conditions of Karush, Kuhn and Tucker
    logs, codes = problem
    pool = pool_weights(logs, codes, prior_rows=prior_rows)
    toward = equal_weights(np.maximum(logs, -9), np.ones(len(codes)))
    of_weights, of_bias = gradient_at(pool, logs, codes, toward, prior_rows)
    small = 1e-7 * len(codes)
    assert (pool.weights >= 0).all()
    assert np.abs(of_weights[pool.weights > 0]).max(initial=0) <= small
    assert (of_weights >= -small).all()
    assert np.abs(of_bias).max() <= small
    assert abs(pool.bias.sum()) <= 1e-12


@given(problems, st.randoms(use_true_random=False))
def test_the_order_of_rows_and_members_does_not_matter(problem, random):
    logs, codes = problem
    pool = pool_weights(logs, codes)
    rows, members = list(range(len(codes))), list(range(len(logs)))
    random.shuffle(rows)
    random.shuffle(members)
    other = pool_weights(logs[members][:, rows], codes[rows])
    np.testing.assert_allclose(other.weights, pool.weights[members], rtol=0, atol=1e-10)
    np.testing.assert_allclose(other.bias, pool.bias, rtol=0, atol=1e-10)


@given(problems)
def test_a_member_given_twice_shares_its_weight(problem):
    logs, codes = problem
    pool = pool_weights(np.concatenate([logs, logs[:1]]), codes)
    assert pool.weights[0] == pytest.approx(pool.weights[-1], abs=1e-10)


def test_a_member_given_twice_says_as_much_as_once_where_rows_are_many():
    logs, codes = opinions(n_rows=5000)
    once = pool_weights(logs, codes, prior_rows=1e-3)
    twice = pool_weights(np.concatenate([logs, logs[3:]]), codes, prior_rows=1e-3)
    assert twice.weights[3] + twice.weights[4] == pytest.approx(once.weights[3], abs=1e-5)
    np.testing.assert_allclose(twice.weights[:3], once.weights[:3], atol=1e-5)


@given(problems, st.lists(st.integers(0, 3), min_size=80, max_size=80))
def test_a_weight_is_how_often_a_row_counts(problem, drawn):
    logs, codes = problem
    times = np.array(drawn[: len(codes)])
    weighted = pool_weights(logs, codes, times)
    repeated = pool_weights(np.repeat(logs, times, axis=1), np.repeat(codes, times))
    np.testing.assert_allclose(weighted.weights, repeated.weights, rtol=0, atol=1e-10)
    np.testing.assert_allclose(weighted.bias, repeated.bias, rtol=0, atol=1e-10)


def test_a_member_that_contradicts_the_truth_gets_no_weight():
    logs, codes = opinions(n_members=2, n_rows=200)
    against = log_softmax(-logs[1:], axis=2)
    assert pool_weights(np.concatenate([logs[:1], against]), codes).weights[1] == 0


def test_a_member_that_guesses_gets_next_to_no_weight():
    logs, codes = opinions(n_members=3, n_rows=2000)  # the first knows nothing
    assert pool_weights(logs, codes).weights[0] < 0.02


@pytest.mark.parametrize("share", [[1 / 3, 1 / 3, 1 / 3], [0.2, 0.3, 0.5]])
def test_the_prior_gets_next_to_no_weight(share):
    rng = np.random.default_rng(0)
    codes = rng.choice(3, size=1000, p=share)
    scores = rng.normal(size=(2, 1000, 3))
    scores[:, np.arange(1000), codes] += 1.0
    experts = log_softmax(scores + np.log(share), axis=2)
    prior = np.broadcast_to(np.log(share), (1, 1000, 3))
    pool = pool_weights(np.concatenate([experts, prior]), codes)
    assert pool.weights[:2].min() > 0.3
    assert pool.weights[2] < 0.05


def test_no_rows_mean_equal_weights():
    logs, codes = opinions(n_members=4)
    pool = pool_weights(logs[:, :0], codes[:0])
    assert pool.weights.tolist() == [0.25] * 4
    assert pool.bias.tolist() == [0.0] * 3


def test_few_rows_stay_near_equal_weights():
    logs, codes = opinions(n_members=4, n_rows=2)
    pool = pool_weights(logs, codes, prior_rows=1000.0)
    np.testing.assert_allclose(pool.weights, 0.25, atol=0.02)


@pytest.mark.parametrize("impossible", [-np.inf, -1e300])
def test_impossible_classes_stay_finite(impossible):
    logs, codes = opinions(n_rows=40)
    logs[0, ::2, 0] = impossible
    pool = pool_weights(logs, codes)
    answers = pool.log_proba(logs)
    assert np.isfinite(pool.weights).all()
    assert np.isfinite(answers).all()
    np.testing.assert_allclose(np.exp(answers).sum(axis=1), 1.0, rtol=1e-12)


def test_rows_that_one_member_tells_apart_keep_the_weights_finite():
    codes = np.arange(50) % 2
    sure = np.where(np.eye(2)[codes] == 1, 0.0, -np.inf)
    pool = pool_weights(sure[None], codes, prior_rows=1e-6)
    assert 1 < pool.weights[0] < 100
    assert np.exp(pool.log_proba(sure[None]))[np.arange(50), codes] == pytest.approx(np.ones(50))


def test_a_class_without_rows_loses_but_stays_possible():
    logs, codes = opinions(n_rows=300)
    pool = pool_weights(logs, np.minimum(codes, 1))
    assert pool.bias.argmin() == 2
    assert np.isfinite(pool.log_proba(logs)).all()


def test_a_row_does_not_depend_on_the_rows_around_it():
    logs, codes = opinions()
    pool = pool_weights(logs, codes)
    whole = pool.log_proba(logs)
    alone = np.concatenate([pool.log_proba(logs[:, row : row + 1]) for row in range(len(codes))])
    np.testing.assert_array_equal(alone, whole)


def test_a_member_without_weight_may_say_anything():
    said = np.array([[[np.log(0.7), np.log(0.3)]], [[-np.inf, -np.inf]]])
    pool = Pool(np.array([1.0, 0.0]), np.zeros(2), least_log=-np.inf)
    np.testing.assert_allclose(np.exp(pool.log_proba(said)), [[0.7, 0.3]])
