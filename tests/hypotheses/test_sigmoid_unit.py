"""A sigmoid unit: each step is the rule of the textbook, and many lead to the optimum."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.optimize import approx_fprime
from sklearn.linear_model import LogisticRegression

from bayesic.hypotheses import train_sigmoid_unit

RAIN = np.array([[0.0, 1.0], [0, 1], [0, 1], [1, 1], [1, 1], [1, 1]])  # and an input of 1
LATE = [0, 0, 1, 0, 1, 1]


def log_likelihood(weights, inputs, targets):
    h = 1 / (1 + np.exp(-(inputs @ weights)))
    return float((targets * np.log(h) + (1 - targets) * np.log(1 - h)).sum())


def test_each_step_is_the_rule_of_the_textbook():  # textbook case 16
    x, d = np.array([[1.0, 2.0], [0.5, -1.0], [-1.0, 0.0]]), np.array([1, 0, 0])
    w, likelihoods = np.zeros(2), [log_likelihood(np.zeros(2), x, d)]
    for _ in range(6):
        h = 1 / (1 + np.exp(-(x @ w)))
        w = w + 0.3 * ((d - h)[:, None] * x).sum(axis=0)
        likelihoods.append(log_likelihood(w, x, d))
    unit = train_sigmoid_unit(x, d, learning_rate=0.3, n_steps=6)
    np.testing.assert_allclose(unit.weights, w, rtol=1e-12)
    np.testing.assert_allclose(unit.trace, likelihoods, rtol=1e-12)


def test_a_step_goes_along_the_numerical_gradient():  # textbook case 16
    x, d = np.array([[0.0, 1.0], [1, 1], [2, 1], [3, 1], [4, 1]]), np.array([0, 1, 0, 1, 1])
    few = train_sigmoid_unit(x, d, learning_rate=0.1, n_steps=3).weights
    more = train_sigmoid_unit(x, d, learning_rate=0.1, n_steps=4).weights
    gradient = approx_fprime(few, log_likelihood, 1e-7, x, d)
    np.testing.assert_allclose((more - few) / 0.1, gradient, rtol=1e-5)


def test_many_steps_lead_to_the_log_odds_of_the_table():  # textbook case 16
    unit = train_sigmoid_unit(RAIN, LATE, learning_rate=0.5, n_steps=5000)
    np.testing.assert_allclose(unit.weights, [np.log(4), np.log(1 / 2)], atol=1e-6)
    assert unit.trace[0] == pytest.approx(6 * np.log(1 / 2))
    assert unit.trace[-1] == pytest.approx(4 * np.log(2 / 3) + 2 * np.log(1 / 3))


def test_many_steps_lead_to_the_optimum_of_a_second_order_method():  # textbook case 16
    rng = np.random.default_rng(5)
    x, d = rng.normal(size=(60, 2)), rng.integers(0, 2, 60)
    newton = LogisticRegression(C=np.inf, fit_intercept=False, solver="newton-cg", tol=1e-10)
    unit = train_sigmoid_unit(x, d, n_steps=2000)
    np.testing.assert_allclose(unit.weights, newton.fit(x, d).coef_[0], atol=1e-6)


@given(hnp.arrays(np.float64, (5, 2), elements=st.integers(-9, 9)), st.integers(0, 31))
def test_by_default_the_likelihood_never_falls(x, code):
    d = [code >> bit & 1 for bit in range(5)]
    assert (np.diff(train_sigmoid_unit(x, d, n_steps=30).trace) >= -1e-12).all()


def test_a_learning_rate_that_is_too_large_is_warned_of():
    with pytest.warns(UserWarning, match=r"fell on the way: learning_rate=50\.0 is too large"):
        train_sigmoid_unit(RAIN, LATE, learning_rate=50.0)


def test_a_learning_rate_far_too_large_ends_before_the_numbers_do():
    unit = train_sigmoid_unit(RAIN * 1e100, LATE, learning_rate=1e250)
    assert np.isfinite(unit.weights).all()
    assert np.isfinite(unit.trace).all()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"inputs": [1.0, 2.0]}, r"got shapes \(2,\) and \(6,\)"),
        ({"inputs": RAIN[:3]}, r"got shapes \(3, 2\) and \(6,\)"),
        ({"inputs": np.empty((0, 2)), "targets": []}, r"got shapes \(0, 2\)"),
        ({"inputs": RAIN * np.nan}, "inputs must be finite"),
        ({"inputs": RAIN * 1e200}, "inputs must be finite"),
        ({"inputs": "rain"}, "inputs must hold numbers"),
        ({"targets": [0, 0, 1, 0, 1, 2]}, "targets must be 0 or 1"),
        ({"learning_rate": 0}, "learning_rate must be a number above 0, got 0"),
        ({"learning_rate": np.inf}, "learning_rate must be a number above 0"),
        ({"learning_rate": "fast"}, "learning_rate must be a number above 0"),
        ({"n_steps": 0}, "n_steps must be a whole number of 1 or more"),
    ],
)
def test_arguments_that_make_no_sense_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        train_sigmoid_unit(**{"inputs": RAIN, "targets": LATE, **arguments})
