"""BayesDecision: any classifier, any loss, actions out."""

import pickle
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from sklearn.base import clone, is_classifier
from sklearn.exceptions import NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

import bayesic as by
from helpers.comparisons import assert_unchanged, state_of
from helpers.labelled_rows import FIVE

CREDIT = {"approve": {"good": 0, "bad": 5}, "decline": {"good": 1, "bad": 0}}
TABLE = pl.DataFrame({"action": ["approve", "decline"], "good": [0, 1], "bad": [5, 0]})
ARRAY = np.array([[5.0, 0.0], [0.0, 1.0]])  # the columns in the order of classes_: bad, good

# Has the person work? Shares learned without smoothing, so that posteriors are plain fractions.
X = np.array([[1], [1], [1], [1], [0], [0], [0], [0]])
Y = np.array(["good", "good", "good", "good", "good", "good", "bad", "bad"])
# with work: P(bad) = 0; without: 2/4
NEW = np.array([[1], [0]])


def plain() -> by.BernoulliNB:
    return by.BernoulliNB(alpha=0)


# actions and risks ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "loss", [CREDIT, TABLE, TABLE.to_pandas()], ids=["dict", "polars", "pandas"]
)
def test_answers_are_the_actions_of_least_expected_loss(loss):
    bank = by.BayesDecision(plain(), loss=loss).fit(X, Y)
    assert bank.classes_.tolist() == ["bad", "good"]
    assert bank.actions_.tolist() == ["approve", "decline"]
    assert bank.predict(NEW).tolist() == ["approve", "decline"]
    approve, decline = Fraction(1, 2) * 5, Fraction(1, 2) * 1
    np.testing.assert_allclose(
        bank.predict_risk(NEW), [[0, 1], [float(approve), float(decline)]], atol=1e-12
    )


def test_risks_of_the_tennis_day_are_the_exact_fractions():  # [Mitchell] section 6.9.1
    table = by.datasets.play_tennis()
    loss = {"stay": {"No": 0, "Yes": 5}, "play": {"No": 1, "Yes": 0}}
    club = by.BayesDecision(by.CategoricalNB(alpha=0), loss=loss).fit(table.codes, table.target)
    today = [table.encode(("Sunny", "Cool", "High", "Strong"))]
    yes, no = Fraction(125, 611), Fraction(486, 611)
    assert club.predict_risk(today)[0].tolist() == pytest.approx([float(5 * yes), float(no)])
    assert club.predict(today).tolist() == ["play"]  # though No is the more probable class


def test_a_square_array_names_its_actions_by_the_classes():
    bank = by.BayesDecision(plain(), loss=ARRAY).fit(X, Y)
    assert bank.actions_.tolist() == ["bad", "good"]
    assert bank.predict(NEW).tolist() == ["bad", "good"]


def test_an_array_with_more_rows_than_classes_numbers_its_actions():
    bank = by.BayesDecision(plain(), loss=[*ARRAY, [0.25, 0.25]]).fit(X, Y)
    assert bank.actions_.tolist() == [0, 1, 2]
    assert bank.predict(NEW).tolist() == [0, 2]


@pytest.mark.parametrize("model", [by.GaussianNB(), LogisticRegression(), DecisionTreeClassifier()])
def test_without_a_loss_the_answers_are_those_of_the_model(model):
    random = np.random.default_rng(3)
    rows, labels = random.normal(size=(60, 3)), random.choice(["ham", "news", "spam"], 60)
    decision = by.BayesDecision(model).fit(rows, labels)
    assert decision.actions_.tolist() == decision.classes_.tolist() == ["ham", "news", "spam"]
    assert decision.predict(rows).tolist() == decision.model_.predict(rows).tolist()
    risk = 1 - decision.model_.predict_proba(rows)
    np.testing.assert_allclose(decision.predict_risk(rows), risk, atol=1e-12)


def test_where_every_action_costs_too_much_none_is_taken():
    bank = by.BayesDecision(plain(), loss=CREDIT, reject_loss=0.25).fit(X, Y)
    assert bank.predict(NEW).tolist() == ["approve", "reject"]
    assert bank.predict_risk(NEW).shape == (2, 2)
    assert bank.actions_.tolist() == ["approve", "decline"]


def test_probabilities_are_those_of_the_model():
    bank = by.BayesDecision(plain(), loss=CREDIT).fit(X, Y)
    np.testing.assert_array_equal(bank.predict_proba(NEW), plain().fit(X, Y).predict_proba(NEW))


def test_labels_that_are_numbers_work_with_named_actions():
    y = np.where(Y == "good", 1, -1)
    for loss in (
        {"approve": {1: 0, -1: 5}, "decline": {1: 1, -1: 0}},
        TABLE.rename({"good": "1", "bad": "-1"}),
    ):
        bank = by.BayesDecision(plain(), loss=loss).fit(X, y)
        assert bank.predict(NEW).tolist() == ["approve", "decline"]
        assert bank.score(X, y) == pytest.approx(-2 / 8)


# score ----------------------------------------------------------------------------------------


def test_the_score_is_minus_the_mean_cost():
    bank = by.BayesDecision(plain(), loss=CREDIT).fit(X, Y)
    # those with work are approved and good; of the four without, declined, two are good
    assert bank.score(X, Y) == -2 / 8
    assert bank.score(X, Y, sample_weight=[0, 0, 0, 0, 1, 1, 1, 1]) == -2 / 4
    careful = by.BayesDecision(plain(), loss=CREDIT, reject_loss=0.25).fit(X, Y)
    assert careful.score(X, Y) == -4 * 0.25 / 8


def test_without_a_loss_the_score_is_minus_the_share_of_mistakes():
    decision = by.BayesDecision(by.GaussianNB()).fit(X, Y)
    assert decision.score(X, Y) == pytest.approx(decision.model_.score(X, Y) - 1)


def test_search_chooses_by_cost():
    random = np.random.default_rng(0)
    y = np.repeat(["bad", "good"], 60)
    rows = random.normal(size=(120, 1)) + np.where(y == "good", 1.0, -1.0)[:, None]
    search = GridSearchCV(
        by.BayesDecision(by.GaussianNB(), loss=CREDIT),
        {"model__priors": [[0.5, 0.5], [1e-9, 1 - 1e-9]]},  # the second approves everybody
        cv=3,
    ).fit(rows, y)
    assert search.best_params_ == {"model__priors": [0.5, 0.5]}
    assert search.cv_results_["mean_test_score"][1] == pytest.approx(-2.5)


# models that have learned already -------------------------------------------------------------


def test_a_model_that_has_learned_is_used_as_it_is():
    model = plain().fit(X, Y)
    bank = by.BayesDecision(model, loss=CREDIT)
    assert bank.predict(NEW).tolist() == ["approve", "decline"]
    assert bank.classes_.tolist() == ["bad", "good"]
    assert bank.n_features_in_ == 1
    assert bank.score(X, Y) == -2 / 8


def test_fit_learns_a_copy_and_leaves_the_model_alone():
    model = plain().fit(X, Y)
    before = state_of(model)
    bank = by.BayesDecision(model).fit([[0], [1], [1]], ["rain", "sun", "sun"])
    assert bank.classes_.tolist() == ["rain", "sun"]
    assert_unchanged(model, before)


def test_a_frozen_model_is_kept_through_fit_and_cross_validation():
    frozen = FrozenEstimator(plain().fit(X, Y))
    bank = by.BayesDecision(frozen, loss=CREDIT).fit([[0], [0]], ["bad", "good"])
    assert bank.predict(NEW).tolist() == ["approve", "decline"]
    assert cross_val_score(by.BayesDecision(frozen, loss=CREDIT), X, Y, cv=2).mean() == -2 / 8


def test_the_loss_can_be_changed_without_learning_again():
    bank = by.BayesDecision(plain(), loss=CREDIT).fit(X, Y)
    learned = bank.model_
    bank.set_params(loss={"approve": {"good": 0, "bad": 1}, "decline": {"good": 3, "bad": 0}})
    assert bank.predict(NEW).tolist() == ["approve", "approve"]
    assert bank.set_params(reject_loss=0.25).predict(NEW).tolist() == ["approve", "reject"]
    assert bank.model_ is learned


# the contract of scikit-learn -----------------------------------------------------------------


def test_clone_and_nested_parameters():
    bank = by.BayesDecision(by.BernoulliNB(alpha=2), loss=CREDIT, reject_loss=1).fit(X, Y)
    copy = clone(bank)
    assert copy.get_params()["model__alpha"] == 2
    assert copy.get_params()["loss"] == CREDIT
    assert not hasattr(copy, "model_")
    assert not hasattr(copy, "classes_")
    assert copy.set_params(model__alpha=3, loss=None).fit(X, Y).model_.alpha == 3


@pytest.mark.parametrize(
    "loss", [TABLE, TABLE.to_pandas(), ARRAY], ids=["polars", "pandas", "array"]
)
def test_clone_print_and_pickle_work_with_tables_and_arrays(loss):
    bank = by.BayesDecision(plain(), loss=loss).fit(X, Y)
    assert clone(bank).fit(X, Y).predict(NEW).tolist() == bank.predict(NEW).tolist()
    assert "BayesDecision" in repr(bank)
    again = pickle.loads(pickle.dumps(bank))
    assert again.predict_risk(NEW).tolist() == bank.predict_risk(NEW).tolist()


def test_pipelines_work_inside_and_outside():
    inside = by.BayesDecision(make_pipeline(StandardScaler(), by.GaussianNB()), loss=CREDIT)
    outside = make_pipeline(StandardScaler(), by.BayesDecision(by.GaussianNB(), loss=CREDIT))
    assert inside.fit(X, Y).predict(NEW).tolist() == outside.fit(X, Y).predict(NEW).tolist()


@pytest.mark.parametrize("Model", FIVE)
def test_tags_are_those_of_the_model(Model):
    tags = by.BayesDecision(Model()).__sklearn_tags__()
    assert tags.input_tags == Model().__sklearn_tags__().input_tags
    assert is_classifier(by.BayesDecision(Model()))


def test_names_of_columns_are_passed_through():
    bank = by.BayesDecision(plain(), loss=CREDIT)
    assert not hasattr(bank.fit(X, Y), "feature_names_in_")
    bank.fit(pd.DataFrame(X, columns=["work"]), Y)
    assert bank.feature_names_in_.tolist() == ["work"]


def test_weights_reach_the_model():
    weights = [1, 1, 1, 1, 3, 3, 1, 1]  # without work: P(bad) = 2/8
    bank = by.BayesDecision(plain(), loss=CREDIT).fit(X, Y, sample_weight=weights)
    assert bank.predict_proba([[0]])[0, 0] == pytest.approx(2 / 8)


def test_weights_reach_the_model_through_metadata_routing():
    weights = np.array([1, 1, 1, 1, 3, 3, 1, 1])
    with sklearn.config_context(enable_metadata_routing=True):
        bank = by.BayesDecision(plain().set_fit_request(sample_weight=True), loss=CREDIT)
        bank.set_score_request(sample_weight=False)
        search = GridSearchCV(bank, {"reject_loss": [None]}, cv=2).fit(X, Y, sample_weight=weights)
    assert search.best_estimator_.predict_proba([[0]])[0, 0] == pytest.approx(2 / 8)


# what is refused ------------------------------------------------------------------------------


def test_a_model_that_has_not_learned_cannot_answer():
    bank = by.BayesDecision(plain(), loss=CREDIT)
    for method in (bank.predict, bank.predict_risk, bank.predict_proba):
        with pytest.raises(NotFittedError):
            method(NEW)
    with pytest.raises(NotFittedError):
        bank.score(X, Y)
    assert not hasattr(bank, "classes_")
    assert not hasattr(bank, "actions_")


def test_a_model_without_probabilities_is_refused():
    with pytest.raises(TypeError, match="predict_proba.*LinearSVC.*CalibratedClassifierCV"):
        by.BayesDecision(LinearSVC()).fit(X, Y)
    with pytest.raises(TypeError, match="predict_proba"):
        by.BayesDecision(LinearSVC().fit(X, Y)).predict(X)


@pytest.mark.parametrize(
    ("parameters", "match"),
    [
        ({"loss": {"wait": {"good": 0, "bda": 1}}}, r"missing in loss: \['bad'\].*\['bda'\]"),
        ({"loss": [[0, 1, 2]]}, r"each of the 2 classes, got shape \(1, 3\)"),
        ({"loss": [[0, np.nan]]}, "loss must be finite, got nan for action 0 in class 'good'"),
        ({"reject_loss": np.inf}, "reject_loss must be one finite number"),
        ({"loss": {"reject": {"good": 0, "bad": 1}}, "reject_loss": 1}, "of that name"),
    ],
)
def test_a_loss_that_does_not_fit_the_classes_is_refused_and_changes_nothing(parameters, match):
    bank = by.BayesDecision(plain()).fit(X, Y)
    learned = bank.model_
    bank.set_params(**parameters)
    with pytest.raises(ValueError, match=match):
        bank.fit(X[::2], Y[::2])
    assert bank.model_ is learned


def test_truths_that_are_no_classes_are_refused_by_score():
    bank = by.BayesDecision(plain(), loss=CREDIT).fit(X, Y)
    with pytest.raises(ValueError, match=r"y must be among \['bad', 'good'\], got \['ugly'\]"):
        bank.score(NEW, ["good", "ugly"])
