"""decide: the action of least expected loss, and the reject option."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import bayesic as by
from helpers.environment import run_python


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


# names ----------------------------------------------------------------------------------------

CREDIT = {"approve": {"good": 0, "bad": 5}, "decline": {"good": 1, "bad": 0}}


def test_a_dict_of_costs_answers_with_names_whatever_the_order_of_the_columns():
    # approve if P(bad) * 5 < P(good) * 1: below 1/6
    good_first = by.decide([[0.75, 0.25], [0.9, 0.1]], CREDIT, classes=["good", "bad"])
    bad_first = by.decide([[0.25, 0.75], [0.1, 0.9]], CREDIT, classes=np.array(["bad", "good"]))
    for decision in (good_first, bad_first):
        assert decision.action.tolist() == ["decline", "approve"]
        assert decision.risk[0].tolist() == [1.25, 0.75]


def test_without_classes_the_columns_are_those_of_the_dict_if_sorted():
    sorted_names = {"approve": {"bad": 5, "good": 0}, "decline": {"bad": 0, "good": 1}}
    assert by.decide([[0.25, 0.75]], sorted_names).risk.tolist() == [[1.25, 0.75]]
    numbers = {"wait": {2: 0, 10: 5}}  # 10 comes after 2, though not as text
    assert by.decide([[0.25, 0.75]], numbers).risk.tolist() == [[3.75]]


def test_without_classes_another_order_than_that_of_predict_proba_is_taken_with_a_warning():
    with pytest.warns(UserWarning, match=r"order of the loss, \['good', 'bad'\].*model.classes_"):
        decision = by.decide([[0.75, 0.25]], CREDIT)
    assert decision.risk.tolist() == [[1.25, 0.75]]
    assert decision.action.tolist() == ["decline"]


def test_classes_name_the_answers_of_0_1_loss_and_of_square_arrays():
    posterior = [[0.75, 0.25], [0.25, 0.75]]
    assert by.decide(posterior, classes=["ham", "spam"]).action.tolist() == ["ham", "spam"]
    assert by.decide(posterior, classes=[-1, 1]).action.tolist() == [-1, 1]
    careful = by.decide(posterior, [[0, 1], [9, 0]], classes=["ham", "spam"])
    assert careful.action.tolist() == ["ham", "ham"]


def test_actions_of_an_array_that_has_more_rows_than_classes_are_numbered():
    decision = by.decide([[0.5, 0.5]], [[0, 1], [1, 0], [0.25, 0.25]], classes=["ham", "spam"])
    assert decision.action.tolist() == [2]


@pytest.mark.parametrize(
    "names", [["下雨", "晴"], [False, True], [0.0, 1.0], [("ham", 1), ("spam", 2)]]
)
def test_names_of_any_kind_come_back_as_they_are(names):
    decision = by.decide([[0.25, 0.75], [0.75, 0.25]], classes=names)
    assert decision.action.tolist() == names[::-1]


# reject ---------------------------------------------------------------------------------------


def test_no_action_is_taken_where_the_least_risk_is_greater_than_the_cost_of_none():
    posterior = [[0.875, 0.125], [0.75, 0.25], [0.625, 0.375]]
    decision = by.decide(posterior, reject_loss=0.25, classes=["ham", "spam"])
    assert decision.action.tolist() == ["ham", "ham", "reject"]  # equal risk: act
    assert decision.risk.tolist() == [[0.125, 0.875], [0.25, 0.75], [0.375, 0.625]]


def test_numbered_actions_stay_numbers_beside_reject():
    decision = by.decide([[0.875, 0.125], [0.5, 0.5]], reject_loss=0.25)
    assert decision.action.tolist() == [0, "reject"]
    assert (decision.action == "reject").tolist() == [False, True]


def test_the_dtype_of_actions_does_not_hang_on_whether_any_is_rejected():
    sure = by.decide([[1.0, 0.0]], reject_loss=0.25)
    unsure = by.decide([[0.5, 0.5]], reject_loss=0.25)
    assert sure.action.dtype == unsure.action.dtype


@given(st.data(), posteriors())
def test_reject_is_one_more_action_that_costs_the_same_in_every_class(data, posterior):
    n_classes = posterior.shape[1]
    loss = data.draw(hnp.arrays(np.float64, (3, n_classes), elements=st.integers(-9, 9).map(float)))
    cost = data.draw(st.integers(-9, 9)) + 0.5  # never a tie with a row of equal costs
    with_reject = by.decide(posterior, loss, reject_loss=cost)
    four_actions = by.decide(posterior, np.vstack([loss, np.full(n_classes, cost)]))
    least, second = np.sort(four_actions.risk, axis=1)[:, :2].T
    clear = second - least > 1e-9
    expected = [3 if action == "reject" else action for action in with_reject.action]
    assert four_actions.action[clear].tolist() == np.array(expected)[clear].tolist()
    np.testing.assert_array_equal(with_reject.risk, by.decide(posterior, loss).risk)


@given(posteriors(), st.floats(0, 1), st.floats(0, 1))
def test_cheaper_rejects_are_more_rejects(posterior, one, other):
    cheap, dear = sorted([one, other])
    rejected = by.decide(posterior, reject_loss=cheap).action == "reject"
    still_rejected = by.decide(posterior, reject_loss=dear).action == "reject"
    assert (rejected | ~still_rejected).all()


# rounding -------------------------------------------------------------------------------------


def test_without_a_loss_the_larger_of_two_probabilities_wins_by_its_last_digit():
    even = np.array([[1 / 3, np.nextafter(1 / 3, 1), 1 / 3]])
    assert by.decide(even).action.tolist() == [1]


@given(posteriors())
def test_a_row_is_decided_the_same_alone_and_among_others(posterior):
    loss = np.arange(5 * posterior.shape[1], dtype=float).reshape(5, -1) / 7
    together = by.decide(posterior, loss)
    for row in range(len(posterior)):
        alone = by.decide(posterior[row : row + 1], loss)
        assert alone.risk[0].tolist() == together.risk[row].tolist()


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


@pytest.mark.parametrize(
    ("reject_loss", "match"),
    [
        (np.nan, "reject_loss must be one finite number, got nan"),
        (np.inf, "reject_loss must be one finite number.*Leave it out"),
        ([0.1, 0.2], r"one finite number, got \[0.1, 0.2\]"),
        ("cheap", "reject_loss must hold numbers"),
    ],
)
def test_costs_of_rejecting_that_are_none_are_refused(reject_loss, match):
    with pytest.raises((TypeError, ValueError), match=match):
        by.decide([[0.5, 0.5]], reject_loss=reject_loss)


def test_an_action_called_reject_is_refused_beside_a_reject_loss_and_fine_without():
    loss = {"accept": {"ham": 0, "spam": 9}, "reject": {"ham": 1, "spam": 0}}
    assert by.decide([[0.5, 0.5]], loss).action.tolist() == ["reject"]
    with pytest.raises(ValueError, match=r"'reject'.*loss has an action of that name"):
        by.decide([[0.5, 0.5]], loss, reject_loss=0.1)
    with pytest.raises(ValueError, match="of that name"):
        by.decide([[0.5, 0.5]], reject_loss=0.1, classes=["accept", "reject"])


@pytest.mark.parametrize(
    ("classes", "match"),
    [
        (["ham"], r"each of the 2 columns of posterior, got \['ham'\]"),
        (["ham", "ham"], r"once, got \['ham'\] more than once"),
        (["ham", None], "must all have a name"),
        ("ham", "classes must be a list of names"),
        ([["ham", "spam"]], "classes must be a list of names"),
        ([], "classes must be a list of names"),
    ],
)
def test_classes_that_do_not_name_the_columns_are_refused(classes, match):
    with pytest.raises(ValueError, match=match):
        by.decide([[0.5, 0.5]], classes=classes)


def test_a_loss_with_more_classes_than_columns_is_refused():
    loss = {"wait": {"ham": 0, "news": 0, "spam": 1}}
    with pytest.raises(ValueError, match=r"2 columns of posterior, got classes \['ham', 'news'"):
        by.decide([[0.5, 0.5]], loss)


def test_decide_does_not_load_scikit_learn():
    program = """
import sys, bayesic as by
by.decide([[0.5, 0.5]], {"wait": {"rain": 0, "sun": 1}}, reject_loss=0.5)
print("sklearn" in sys.modules)
"""
    assert run_python(program).stdout.strip() == "False"
