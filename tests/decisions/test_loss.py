"""Decisions: the action of least expected loss."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import bayesic as by
from bayesic.decisions.loss import expected_loss


@st.composite
def posteriors(draw):
    n_rows, n_classes = draw(st.integers(1, 5)), draw(st.integers(1, 4))
    weights = draw(hnp.arrays(np.float64, (n_rows, n_classes), elements=st.floats(0.01, 1.0)))
    return weights / weights.sum(axis=1, keepdims=True)


# 0-1 loss -------------------------------------------------------------------------------------


@given(posteriors())
def test_without_a_loss_the_most_probable_class_is_chosen_at_the_risk_of_the_rest(posterior):
    decision = by.decide(posterior)
    np.testing.assert_allclose(decision.risk, 1.0 - posterior, atol=1e-12)
    chosen = posterior[np.arange(len(posterior)), decision.action]
    np.testing.assert_allclose(chosen, posterior.max(axis=1), atol=1e-12)
    np.testing.assert_allclose(decision.risk.min(axis=1), 1.0 - chosen, atol=1e-12)


def test_of_two_equal_actions_the_first_is_chosen():
    assert by.decide([[0.5, 0.5]]).action.tolist() == [0]
    assert by.decide([[0.25, 0.75]], loss=[[3, 1], [3, 1]]).action.tolist() == [0]


def test_decisions_agree_with_predict_for_probabilities_of_a_model():
    X = [[2, 0], [0, 3], [1, 1], [0, 2]]
    model = by.MultinomialNB().fit(X, ["ham", "spam", "ham", "spam"])
    decision = by.decide(model.predict_proba(X))
    assert model.classes_[decision.action].tolist() == model.predict(X).tolist()


# losses that differ ---------------------------------------------------------------------------


@given(st.data(), posteriors())
def test_the_risk_is_the_loss_of_every_class_times_its_probability(data, posterior):
    n_actions = data.draw(st.integers(1, 4))
    n_classes = posterior.shape[1]
    loss = data.draw(
        hnp.arrays(np.float64, (n_actions, n_classes), elements=st.integers(-9, 9).map(float))
    )
    decision = by.decide(posterior, loss)
    assert decision.risk.shape == (len(posterior), n_actions)
    for row, probability in enumerate(posterior.tolist()):
        risks = [
            sum(loss[action][c] * probability[c] for c in range(n_classes))
            for action in range(n_actions)
        ]
        assert decision.risk[row].tolist() == pytest.approx(risks, abs=1e-12)
        assert risks[decision.action[row]] == pytest.approx(min(risks), abs=1e-12)


def test_a_missed_illness_that_costs_more_changes_the_decision_at_the_exact_odds():
    # treat (0) or send home (1); ill or healthy: treat if P(ill) * 10 > P(healthy) * 1
    loss = [[0, 1], [10, 0]]
    edge = Fraction(1, 11)
    just_above, just_below = float(edge) + 1e-9, float(edge) - 1e-9
    assert by.decide([[just_above, 1 - just_above]], loss).action.tolist() == [0]
    assert by.decide([[just_below, 1 - just_below]], loss).action.tolist() == [1]


def test_there_may_be_more_actions_than_classes():
    # accept, reject, or ask a person at a cost of 0.25
    loss = [[0, 1], [1, 0], [0.25, 0.25]]
    assert by.decide([[0.9, 0.1], [0.4, 0.6], [0.1, 0.9]], loss).action.tolist() == [0, 2, 1]


def test_gains_are_negative_losses():
    decision = by.decide([[0.75, 0.25]], loss=[[-4, 0], [0, -8]])
    assert decision.risk.tolist() == [[-3.0, -2.0]]
    assert decision.action.tolist() == [0]


def test_expected_loss_of_fractions_that_floats_can_hold_is_exact():
    risk = expected_loss(np.array([[0.75, 0.25], [0.5, 0.5]]), np.array([[0, 5], [1, 0], [2, 2]]))
    assert risk.tolist() == [[1.25, 0.75, 2.0], [2.5, 0.5, 2.0]]


# what is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("posterior", "match"),
    [
        ([0.7, 0.3], r"a row for each case.*got shape \(2,\).*\[\[0.7, 0.3\]\]"),
        (0.7, r"got shape \(\)"),
        ([], "a row for each case"),
        ([[]], r"got shape \(1, 0\)"),
        ([[[0.7, 0.3]]], r"got shape \(1, 1, 2\)"),
        ([[0.7, 0.2]], "sum to 1.*predict_proba"),
        ([[0.7, 0.7]], "sum to 1"),
        ([[1.5, -0.5]], "probabilities that sum to 1"),
        ([[np.nan, 1.0]], "probabilities that sum to 1"),
        ([[np.inf, 0.0]], "probabilities that sum to 1"),
        ([["likely", "not"]], "posterior"),
        ([[0.5, 0.5], [1.0]], "posterior"),
        (None, "posterior"),
    ],
)
def test_posteriors_that_are_none_are_refused(posterior, match):
    with pytest.raises((TypeError, ValueError), match=match):
        by.decide(posterior)


@pytest.mark.parametrize(
    ("loss", "match"),
    [
        ([0, 1], r"a row for each action and a column for each of the 2 classes, got shape \(2,\)"),
        ([[0, 1, 2]], r"got shape \(1, 3\)"),
        ([], "a row for each action"),
        (np.zeros((0, 2)), r"got shape \(0, 2\)"),
        (5, r"got shape \(\)"),
        ([[0, np.nan]], "loss must be finite.*large number"),
        ([[0, np.inf]], "loss must be finite.*large number"),
        ([["much", 0]], "loss"),
        ([[0, 1], [1]], "loss"),
    ],
)
def test_losses_that_are_none_are_refused(loss, match):
    with pytest.raises((TypeError, ValueError), match=match):
        by.decide([[0.5, 0.5]], loss)
