"""LogisticRegression: the discriminative twin."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from scipy.special import expit
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.linear_model import LogisticRegression as TheirRegression
from sklearn.metrics import log_loss

from bayesic.models.linear.logistic import LogisticRegression
from helpers.comparisons import assert_unchanged, state_of
from helpers.environment import cells_per_block, environment
from helpers.examples import at_most

RAIN = [[0], [0], [0], [1], [1], [1]]
LATE = ["no", "no", "yes", "no", "yes", "yes"]


def fitted(**parameters):
    return LogisticRegression(**parameters).fit(*load_iris(return_X_y=True))


# numbers ----------------------------------------------------------------------------------------


def test_with_one_binary_feature_the_weights_are_the_log_odds_of_the_table():
    model = LogisticRegression(C=np.inf, tol=1e-10).fit(RAIN, LATE)
    assert model.intercept_[0] == pytest.approx(np.log(1 / 2), abs=1e-7)
    assert model.coef_[0, 0] == pytest.approx(np.log(4), abs=1e-7)  # odds 2 against odds 1/2


def test_the_trace_climbs_from_even_odds_to_the_likelihood_of_the_shares():
    model = LogisticRegression(C=np.inf, tol=1e-9).fit(RAIN, LATE)
    assert model.trace_[0] == pytest.approx(6 * np.log(1 / 2))
    assert model.trace_[-1] == pytest.approx(4 * np.log(2 / 3) + 2 * np.log(1 / 3))
    assert (np.diff(model.trace_) >= -1e-12).all()
    assert model.n_iter_[0] == len(model.trace_) - 1


def test_without_features_that_help_the_answer_is_the_shares_of_the_classes():
    model = LogisticRegression(tol=1e-9).fit([[5.0]] * 6, ["ham"] * 3 + ["news"] + ["spam"] * 2)
    np.testing.assert_allclose(model.predict_proba([[5.0]]), [[3 / 6, 1 / 6, 2 / 6]], atol=1e-7)
    assert model.n_iter_[0] == 0  # where it begins


@pytest.mark.parametrize("load", [load_iris, load_wine, load_breast_cancer])
@pytest.mark.parametrize("C", [0.01, 1.0, 100.0])
def test_the_weights_are_those_of_scikit_learn(load, C):
    X, y = load(return_X_y=True)
    X = (X - X.mean(axis=0)) / X.std(axis=0)  # theirs does not get there otherwise
    ours = LogisticRegression(C=C, tol=1e-9, max_iter=500).fit(X, y)
    theirs = TheirRegression(C=C, tol=1e-9, max_iter=5000, solver="newton-cg").fit(X, y)
    scale = np.abs(theirs.coef_).max()
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-4 * scale)
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, atol=1e-4 * scale)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-4)
    np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(X), rtol=1e-2)
    assert ours.coef_.shape == theirs.coef_.shape


@pytest.mark.parametrize("fit_intercept", [True, False])
def test_weights_of_rows_and_lines_through_zero_are_as_in_scikit_learn(fit_intercept):
    X, y = load_iris(return_X_y=True)
    weights = np.arange(len(y)) % 4 / 2.0
    parameters = {"tol": 1e-9, "max_iter": 5000, "fit_intercept": fit_intercept}
    ours = LogisticRegression(**parameters).fit(X, y, sample_weight=weights)
    theirs = TheirRegression(solver="newton-cg", **parameters).fit(X, y, sample_weight=weights)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-4)
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, atol=1e-3)


def test_with_default_settings_the_log_loss_is_within_a_millionth_of_the_least():
    X, y = load_wine(return_X_y=True)  # features from 0.1 to 1700
    ours = LogisticRegression().fit(X, y)
    best = TheirRegression(solver="newton-cholesky", tol=1e-12, max_iter=1000).fit(X, y)
    value = -log_loss(y, best.predict_proba(X)) * len(y) - (best.coef_**2).sum() / 2
    assert ours.trace_[-1] == pytest.approx(value, abs=1e-6 * len(y))


@given(st.integers(0, 10_000), st.sampled_from([2, 3]), st.sampled_from([0.1, 1.0, 10.0]))
@at_most(15)
def test_no_other_weights_are_more_probable(seed, n_classes, C):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(15, 2)), np.arange(15) % n_classes
    model = LogisticRegression(C=C, tol=1e-8).fit(X, y)

    def value(coef, intercept):
        scores = X @ coef.T + intercept
        if n_classes == 2:
            scores = np.column_stack([np.zeros(15), scores])
        logs = scores - np.logaddexp.reduce(scores, axis=1, keepdims=True)
        return logs[np.arange(15), y].sum() - (coef**2).sum() / (2 * C)

    best = value(model.coef_, model.intercept_)
    for _ in range(5):
        moved = model.coef_ + rng.normal(size=model.coef_.shape) / 10, model.intercept_ + 0.01
        assert value(*moved) <= best + 1e-9


def test_units_and_origin_of_a_feature_do_not_matter_without_a_penalty():
    X, y = load_breast_cancer(return_X_y=True)
    X = X[:, [0, 1, 4]]
    plain = LogisticRegression(C=np.inf, tol=1e-9).fit(X, y)
    odd = X * [1e-6, 1.0, 1e6] + [0.0, 1e8, 0.0]
    other = LogisticRegression(C=np.inf, tol=1e-9).fit(odd, y)
    # around 1e8 half of the digits of a score are left, and a likelihood is flat at its top
    np.testing.assert_allclose(other.predict_proba(odd), plain.predict_proba(X), atol=1e-4)


@pytest.mark.parametrize("C", [1e-300, 1e-10, 1e10])
def test_penalties_of_any_size_and_features_without_spread_give_numbers(C):
    rng = np.random.default_rng(0)
    X = np.column_stack([np.full(30, 7.0), rng.normal(size=(30, 2)) * [1e-8, 1e8]])
    model = LogisticRegression(C=C).fit(X, np.arange(30) % 3)
    np.testing.assert_allclose(model.coef_[:, 0], 0.0, atol=1e-6)
    assert np.isfinite(model.coef_).all()
    if C < 1e-100:
        np.testing.assert_allclose(model.predict_proba(X), 1 / 3, atol=1e-4)


def test_rows_of_any_form_are_the_same_rows():
    X, y = load_iris(return_X_y=True)
    plain = LogisticRegression(tol=1e-8).fit(X, y)
    for form in (X.tolist(), np.asfortranarray(X), sparse.csr_matrix(X), sparse.coo_array(X)):
        model = LogisticRegression(tol=1e-8).fit(form, y)
        np.testing.assert_allclose(model.coef_, plain.coef_, atol=1e-5)
        np.testing.assert_allclose(model.predict_proba(form), plain.predict_proba(X), atol=1e-6)


def test_threads_do_not_change_a_bit():
    X, y = load_iris(return_X_y=True)
    with cells_per_block(64):
        with environment(BAYESIC_THREADS="1"):
            one = LogisticRegression().fit(X, y)
        with environment(BAYESIC_THREADS="3"):
            three = LogisticRegression().fit(X, y)
            np.testing.assert_array_equal(one.predict_proba(X), three.predict_proba(X))
    np.testing.assert_array_equal(one.coef_, three.coef_)
    np.testing.assert_array_equal(one.intercept_, three.intercept_)


# answers ----------------------------------------------------------------------------------------


def test_answers_belong_together():
    X, _ = load_iris(return_X_y=True)
    model = fitted()
    probability = model.predict_proba(X)
    np.testing.assert_allclose(probability.sum(axis=1), 1.0, rtol=1e-12)
    np.testing.assert_allclose(np.exp(model.predict_log_proba(X)), probability, rtol=1e-12)
    np.testing.assert_array_equal(model.predict(X), model.classes_[probability.argmax(axis=1)])
    scores = X @ model.coef_.T + model.intercept_
    np.testing.assert_allclose(model.decision_function(X), scores, rtol=1e-12)


def test_two_classes_have_one_score_whose_sigmoid_is_the_probability_of_the_second():
    model = LogisticRegression().fit(RAIN, LATE)
    scores = model.decision_function(RAIN)
    assert scores.shape == (6,)
    np.testing.assert_allclose(model.predict_proba(RAIN)[:, 1], expit(scores), rtol=1e-12)


def test_far_points_stay_finite_and_their_logs_exact():
    model = LogisticRegression(C=np.inf).fit(RAIN, LATE)
    far = np.array([[1e5], [-1e5], [1e300]])
    logs = model.predict_log_proba(far)
    scores = model.decision_function(far)
    np.testing.assert_allclose(logs[[0, 1, 2], [0, 1, 0]], -np.abs(scores), rtol=1e-12)
    np.testing.assert_array_equal(model.predict_proba(far).max(axis=1), 1.0)


def test_sums_that_overflow_are_refused():
    model = LogisticRegression(C=1e6).fit([[0.0, 1.0], [1.0, 0.0], [0.5, 0.5]], [0, 1, 1])
    with pytest.raises(ValueError, match="too large: their weighted sum overflows"):
        model.predict([[1.7e308, -1.7e308]])


# reasons ----------------------------------------------------------------------------------------


def test_reasons_are_the_value_times_the_weight_and_add_up_to_the_log_odds():
    X, y = load_breast_cancer(return_X_y=True)
    model = LogisticRegression().fit(X[:, :3], y)
    reason = model.explain(X[0, :3], feature_names=["radius", "texture", "perimeter"])
    sign = 1 if reason.answer == 1 else -1
    expected = sign * X[0, :3] * model.coef_[0]
    np.testing.assert_allclose([*reason.weights.values()], expected, rtol=1e-12)
    assert reason.prior_log_odds == pytest.approx(sign * model.intercept_[0])
    assert reason.log_odds == pytest.approx(sign * model.decision_function(X[:1, :3])[0])
    assert reason.probability[1] == pytest.approx(model.predict_proba(X[:1, :3])[0, 1])


def test_reasons_of_several_classes_compare_with_one_or_with_the_rest():
    X, _ = load_iris(return_X_y=True)
    model = fitted()
    probability = model.predict_proba(X[:1])[0]
    against = model.explain(X[0], against=2)
    assert against.log_odds == pytest.approx(np.log(probability[0] / probability[2]))
    rest = model.explain(X[:2])[0]
    assert rest.log_odds == pytest.approx(np.log(probability[0] / (1 - probability[0])))


def test_there_is_no_joint_probability_to_write_out():
    with pytest.raises(TypeError, match=r"explain\(X\) gives what each feature adds"):
        fitted().work([5.0, 3.0, 1.0, 1.0])


# warnings and bad input -------------------------------------------------------------------------


@pytest.mark.parametrize("y", [[0, 0, 1, 1], [0, 0, 1, 2]])
def test_classes_that_can_be_told_apart_need_a_penalty(y):
    X = [[0.0, 0.0], [0.0, 1.0], [3.0, 0.0], [3.0, 9.0]]
    with pytest.warns(UserWarning, match="separates the classes perfectly"):
        model = LogisticRegression(C=np.inf).fit(X, y)
    assert np.isfinite(model.coef_).all()
    assert model.predict(X).tolist() == y
    LogisticRegression().fit(X, y)  # warnings are errors


def test_a_search_that_is_cut_short_says_so():
    X, y = load_wine(return_X_y=True)
    with pytest.warns(UserWarning, match="stopped after 2 steps"):
        LogisticRegression(max_iter=2).fit(X, y)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"C": 0}, "C must be a number above 0, got 0"),
        ({"C": 1e-320}, "C must be a number above 0"),
        ({"C": np.nan}, "C must be a number above 0"),
        ({"C": "much"}, "C must be a number above 0"),
        ({"tol": -1.0}, "tol must be a number above 0"),
        ({"max_iter": 0}, "max_iter must be a whole number of 1 or more"),
        ({"fit_intercept": "yes"}, "fit_intercept must be True or False"),
    ],
)
def test_parameters_that_make_no_sense_are_refused(parameters, message):
    with pytest.raises(ValueError, match=message):
        LogisticRegression(**parameters).fit(RAIN, LATE)


@pytest.mark.parametrize(
    ("X", "y", "weights", "message"),
    [
        ([[np.nan], [1.0]], [0, 1], None, "NaN, and LogisticRegression needs every feature"),
        ([[np.inf], [1.0]], [0, 1], None, "infinity"),
        ([[0.0], [1.0]], [0, 0], None, "y has only one class"),
        ([[0.0], [1.0]], [0, 1, 1], None, "inconsistent numbers of samples"),
        ([[0.0], [1.0]], [0, 1], [1.0, 0.0], r"weight above 0, and \[1\] have none"),
        ([[0.0], [1.0]], [0, 1], [1.0, -1.0], "sample_weight must be 0 or more"),
        ([[1e200], [-1e200]], [0, 1], None, "too large: their squares overflow"),
    ],
)
def test_bad_rows_are_refused_and_change_nothing(X, y, weights, message):
    model = LogisticRegression().fit(RAIN, LATE)
    before = state_of(model)
    with pytest.raises(ValueError, match=message):
        model.fit(X, y, sample_weight=weights)
    assert_unchanged(model, before)


def test_gaps_are_refused_at_prediction_too():
    with pytest.raises(ValueError, match="use a naive Bayes model"):
        LogisticRegression().fit(RAIN, LATE).predict([[np.nan]])


# files ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("y", [[0, 0, 1, 0, 1, 1], [0, 1, 2, 0, 1, 2]])
def test_what_is_restored_answers_the_same(y):
    model = LogisticRegression().fit(RAIN, y)
    other = clone(model)
    other.classes_, other.n_features_in_ = model.classes_, 1
    other._restore(model._state())
    np.testing.assert_array_equal(other.predict_proba(RAIN), model.predict_proba(RAIN))
    assert other.n_iter_ == model.n_iter_


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"coef": np.zeros((2, 1))}, "coef must hold finite numbers in the shape"),
        ({"coef": np.array([[np.nan]])}, "coef must hold finite numbers"),
        ({"intercept": np.zeros(3)}, "intercept must hold finite numbers"),
        ({"intercept": [0.0]}, "intercept must be an array of float64"),
        ({"trace": np.zeros((1, 1))}, "trace must hold finite numbers"),
        ({"trace": np.zeros(0)}, "trace must hold finite numbers"),
        ({"more": np.zeros(1)}, "must have coef, intercept"),
    ],
)
def test_a_state_that_cannot_be_is_refused(change, message):
    model = LogisticRegression().fit(RAIN, LATE)
    before = state_of(model)
    with pytest.raises(ValueError, match=message):
        model._restore({**model._state(), **change})
    assert_unchanged(model, before)
