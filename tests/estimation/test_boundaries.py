"""Rules between two classes say what the models say."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bayesic as by

RNG = np.random.default_rng(0)
CLASSES = ["good", "fair", "poor"]
Y = np.repeat(CLASSES, [40, 30, 20])
X = RNG.normal(size=(90, 3)) @ RNG.normal(size=(3, 3)) + np.repeat([[0, 0, 1e3]], 90, axis=0)
X[40:] += RNG.normal(size=3) * [2, 1, 3]
X[70:] *= [1.5, 0.5, 1.0]

MODELS = {
    "QDA": by.QuadraticDiscriminantAnalysis(),
    "LDA": by.LinearDiscriminantAnalysis(),
    "full": by.GaussianBayes(),
    "tied": by.GaussianBayes("tied"),
    "diagonal": by.GaussianBayes("diagonal"),
    "spherical": by.GaussianBayes("spherical"),
    "logistic": by.LogisticRegression(),
}


def value(rule, row):
    quadratic = row @ rule.A @ row if hasattr(rule, "A") else 0.0
    return rule.a_0 + rule.a @ row + quadratic


@pytest.mark.parametrize("name", MODELS)
def test_the_rule_is_the_log_odds_of_two_classes(name):
    rows = X - X.mean(axis=0)  # far from zero a polynomial of the cells loses digits
    model = MODELS[name].fit(rows, Y)
    joint = model.predict_log_proba(rows)
    for first, second in (("good", "poor"), ("poor", "fair")):
        one, other = (model.classes_.tolist().index(each) for each in (first, second))
        rule = model.rule(first, second)
        found = [value(rule, row) for row in rows]
        assert found == pytest.approx(joint[:, one] - joint[:, other], abs=1e-8)
        back = model.rule(second, first)
        assert back.a_0 == pytest.approx(-rule.a_0)
        assert back.a == pytest.approx(-rule.a)


@pytest.mark.parametrize("name", ["LDA", "tied", "logistic"])
def test_straight_boundaries_have_no_squares(name):
    assert not hasattr(MODELS[name].fit(X, Y).rule("good", "poor"), "A")


@given(st.integers(1, 9), st.integers(1, 9), st.integers(-9, 9), st.integers(-9, 9))
def test_two_normal_classes_of_one_feature_have_the_exact_coefficients(s, t, m, n):
    # two rows mean - sd, mean + sd have just this mean and variance
    rows, y = [[m - s], [m + s], [n - t], [n + t]], ["ham", "ham", "spam", "spam"]
    rule = by.GaussianBayes().fit(rows, y).rule("ham", "spam")
    precisions = Fraction(1, s * s), Fraction(1, t * t)
    assert rule.A[0, 0] == pytest.approx(float(precisions[1] - precisions[0]) / 2, abs=1e-12)
    assert rule.a[0] == pytest.approx(float(m * precisions[0] - n * precisions[1]), abs=1e-11)
    squares = Fraction(n * n, t * t) - Fraction(m * m, s * s)
    assert rule.a_0 == pytest.approx(float(squares) / 2 + np.log(t / s), abs=1e-10)


@pytest.mark.parametrize("name", MODELS)
def test_a_class_that_is_not_there_is_refused(name):
    with pytest.raises(ValueError, match=r"among the classes .* got \['bad'\]"):
        MODELS[name].fit(X, Y).rule("good", "bad")
