"""Explanations: weights of evidence that add up to the log odds and agree with the predictions."""

import math
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

import bayesic as by
from bayesic.evidence.explanation import display_width, explain_scores
from support import FIVE, WORDS, impossible_rows_allowed, labelled_rows, probabilities

each_model = pytest.mark.parametrize("Model", FIVE)
each_kind = pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array], ids=["dense", "CSR"])


def explanations(model, X):
    with impossible_rows_allowed():
        return model.explain(X)


def log_ratio(answer, rival):
    """log(answer / rival) for probabilities that may be 0."""
    if answer == rival:
        return 0.0
    return math.inf if rival == 0 else math.log(answer) - math.log(rival)


# agreement with the model ---------------------------------------------------------------------


@each_model
@each_kind
@given(rows=labelled_rows(missing=True))
def test_the_weights_add_up_to_the_log_odds_of_the_joint_log_probabilities(Model, kind, rows):
    if Model is by.GaussianNB:
        model = Model(var_smoothing=0.5).fit(rows.X, rows.y)
    else:
        model = Model().fit(rows.X, rows.y)
    joint = model.predict_joint_log_proba(kind(rows.X))
    order = model.classes_.tolist()
    for explanation, scores in zip(model.explain(kind(rows.X)), joint, strict=True):
        answer, rival = order.index(explanation.answer), order.index(explanation.rival)
        total = explanation.prior_log_odds + math.fsum(explanation.weights.values())
        assert explanation.log_odds == pytest.approx(total, rel=1e-12, abs=1e-12)
        assert total == pytest.approx(scores[answer] - scores[rival], rel=1e-9, abs=1e-9)
        assert scores[answer] == pytest.approx(scores.max(), rel=1e-12, abs=1e-12)
        assert len(explanation.weights) == rows.X.shape[1]


@each_model
@each_kind
@given(rows=labelled_rows(missing=True), smoothing=st.sampled_from([0, 1e-6, 1]))
def test_the_probabilities_are_those_of_the_model(Model, kind, rows, smoothing):
    argument = "var_smoothing" if Model is by.GaussianNB else "alpha"
    model = Model(**{argument: smoothing}).partial_fit(rows.X, rows.y, classes=WORDS)
    expected = probabilities(model, kind(rows.X))
    for explanation, row in zip(explanations(model, kind(rows.X)), expected, strict=True):
        assert list(explanation.probability) == list(WORDS)
        assert list(explanation.probability.values()) == pytest.approx(row.tolist(), abs=1e-9)
        assert explanation.probability[explanation.answer] == pytest.approx(row.max(), abs=1e-9)
        others = sorted(explanation.probability.values())[:-1]
        assert explanation.probability[explanation.rival] == pytest.approx(others[-1], abs=1e-9)


@each_model
@given(rows=labelled_rows(), smoothing=st.sampled_from([0, 1]))
def test_the_log_odds_are_those_of_the_probabilities_also_where_some_are_zero(
    Model, rows, smoothing
):
    argument = "var_smoothing" if Model is by.GaussianNB else "alpha"
    model = Model(**{argument: smoothing}).partial_fit(rows.X, rows.y, classes=WORDS)
    for explanation in model.explain(rows.X):
        answer, rival = (
            explanation.probability[c] for c in (explanation.answer, explanation.rival)
        )
        assert not math.isnan(explanation.log_odds)
        if rival > 1e-200:
            expected = log_ratio(answer, rival)
            assert explanation.log_odds == pytest.approx(expected, rel=1e-6, abs=1e-6)
        else:
            assert explanation.log_odds > 400
        assert "nan" not in str(explanation)


@each_model
def test_the_answer_is_the_prediction(Model):
    X = np.array([[2, 0, 1], [0, 3, 0], [1, 1, 4], [0, 2, 2], [3, 0, 0]])
    y = ["ham", "spam", "news", "spam", "ham"]
    model = Model().fit(X, y)
    assert [why.answer for why in model.explain(X)] == model.predict(X).tolist()


@each_model
def test_labels_are_plain_python_values(Model):
    why = Model().fit([[1, 0], [0, 2]], [3, 7]).explain([[1, 0]])[0]
    assert type(why.answer) is type(why.rival) is int
    assert {type(label) for label in why.probability} == {int}
    assert {type(weight) for weight in why.weights.values()} == {float}


# exact numbers --------------------------------------------------------------------------------


def test_the_weights_of_the_china_example_are_logarithms_of_exact_fractions():  # [IIR] 13.1
    X = [[2, 1, 0, 0, 0, 0], [2, 0, 1, 0, 0, 0], [1, 0, 0, 1, 0, 0], [1, 0, 0, 0, 1, 1]]
    words = ["Chinese", "Beijing", "Shanghai", "Macao", "Tokyo", "Japan"]
    model = by.MultinomialNB().fit(X, ["China", "China", "China", "other"])
    why = model.explain([[3, 0, 0, 0, 1, 1]], feature_names=words)[0]
    assert (why.answer, why.rival) == ("China", "other")
    assert why.prior_log_odds == pytest.approx(math.log(3))
    expected = {
        "Chinese": 3 * math.log(Fraction(3, 7) / Fraction(2, 9)),
        "Tokyo": math.log(Fraction(1, 14) / Fraction(2, 9)),
        "Japan": math.log(Fraction(1, 14) / Fraction(2, 9)),
    }
    assert why.weights == pytest.approx(
        {word: expected.get(word, 0.0) for word in words}, rel=1e-12
    )


def test_a_feature_that_was_not_observed_weighs_nothing():
    for Model in FIVE:
        model = Model().fit([[1, 0], [0, 2], [2, 2]], ["ham", "spam", "spam"])
        assert model.explain([[1.0, np.nan]])[0].weights["x1"] == 0.0


def test_the_prior_speaks_for_the_answer_and_complement_nb_has_none():
    X, y = [[1, 0], [1, 1], [0, 1], [1, 0]], ["ham", "ham", "ham", "spam"]
    for Model in set(FIVE) - {by.ComplementNB}:
        why = Model().fit(X, y).explain([[np.nan, np.nan]])[0]
        assert why.answer == "ham"
        assert why.log_odds == pytest.approx(math.log(3))
    assert by.ComplementNB().fit(X, y).explain([[1, 0]])[0].prior_log_odds == 0.0


# edges ----------------------------------------------------------------------------------------


@each_model
def test_one_class_only_is_its_own_rival(Model):
    why = Model().fit([[1, 0], [0, 2]], ["ham", "ham"]).explain([[1, 1]])[0]
    assert (why.answer, why.rival, why.log_odds) == ("ham", "ham", 0.0)
    assert why.probability == {"ham": 1.0}


@pytest.mark.parametrize("Model", [by.MultinomialNB, by.BernoulliNB, by.CategoricalNB])
def test_a_row_that_is_impossible_in_every_class_is_explained_by_the_prior(Model):
    X, y = [[2, 0], [2, 0], [0, 2]], ["ham", "ham", "spam"]
    why = explanations(Model(alpha=0).fit(X, y), [[2, 2]])[0]
    assert why.probability == pytest.approx({"ham": 2 / 3, "spam": 1 / 3})
    assert why.log_odds == pytest.approx(math.log(2))
    assert "nan" not in str(why)


def test_complement_nb_without_smoothing_is_explained_without_nan():
    X, y = [[2, 0, 1], [0, 2, 0], [1, 1, 0]], ["ham", "spam", "news"]
    model = by.ComplementNB(alpha=0).fit(X, y)
    for explanation, expected in zip(explanations(model, X), probabilities(model, X), strict=True):
        assert list(explanation.probability.values()) == pytest.approx(
            [expected[model.classes_.tolist().index(c)] for c in explanation.probability]
        )
        assert "nan" not in str(explanation)


@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array], ids=["dense", "CSR"])
def test_a_point_too_far_to_square_is_explained_by_the_prior(kind):
    model = by.GaussianNB().fit([[0.0], [1.0], [5.0]], ["low", "low", "high"])
    far = kind(np.array([[1e200]]))
    why = explanations(model, far)[0]
    with impossible_rows_allowed():
        expected = model.predict_proba(far)[0]
    assert list(why.probability.values()) == pytest.approx(expected.tolist())
    assert not math.isnan(why.log_odds)


def test_names_of_columns_are_used_and_names_given_here_come_first():
    model = by.MultinomialNB().fit(pd.DataFrame({"下雨": [1, 0], "上午": [0, 2]}), ["ham", "spam"])
    row = pd.DataFrame({"下雨": [1], "上午": [0]})
    assert list(model.explain(row)[0].weights) == ["下雨", "上午"]
    assert list(model.explain(row, feature_names=["rain", "morning"])[0].weights) == [
        "rain",
        "morning",
    ]
    unnamed = by.MultinomialNB().fit([[1, 0], [0, 2]], ["ham", "spam"])
    assert list(unnamed.explain([[1, 0]])[0].weights) == ["x0", "x1"]


def test_one_name_for_two_features_is_refused_or_counts_both():
    model = by.MultinomialNB().fit([[1, 0], [0, 2]], ["ham", "spam"])
    joint = model.predict_joint_log_proba([[3, 1]])[0]
    try:
        why = model.explain([[3, 1]], feature_names=["rain", "rain"])[0]
    except ValueError as error:
        assert "rain" in str(error)
    else:
        assert why.log_odds == pytest.approx(abs(joint[0] - joint[1]))


def explained(classes, features, prior, scores):
    """The explanation of a row whose features add these scores to the log prior of each class."""
    prior, scores = np.array(prior), np.array(scores)
    joint = prior + scores.sum(axis=0)
    posterior = joint - np.log(np.exp(joint).sum())
    return explain_scores(classes, features, prior, scores, posterior)


# the words ------------------------------------------------------------------------------------


def test_the_text_names_answer_and_rival_and_the_strongest_evidence_first():
    of_words = np.log([[0.5, 0.4], [0.125, 0.5], [0.25, 0.25]])
    why = explained(["spam", "ham"], ["lunch", "免费", "the"], np.log([0.5, 0.5]), of_words)
    lines = str(why).splitlines()
    assert lines[0].startswith("ham (0.7619) rather than spam")  # 0.1 / (0.1 + 0.03125)
    assert [line.split()[0] for line in lines[1:]] == ["prior", "免费", "lunch", "the", "log"]
    assert "+1.3863" in lines[2]
    assert lines[2].count("+") == 1 + 20
    assert "-0.2231" in lines[3]
    assert lines[-1].split()[-1] == f"{math.log(3.2):+.4f}"


def test_chinese_and_latin_names_are_aligned_as_a_terminal_shows_them():
    why = explained(["是", "否"], ["湿度", "wind"], np.zeros(2), np.log([[0.5, 0.2]] * 2))
    starts = {display_width(line.split("+")[0]) for line in str(why).splitlines()[1:]}
    assert len(starts) == 1


def test_certain_evidence_is_shown_as_infinite():
    scores = np.array([[0.0, -np.inf], [-1.0, -1.0]])
    why = explained(["ham", "spam"], ["bill", "the"], np.log([0.5, 0.5]), scores)
    assert why.log_odds == math.inf
    assert why.probability == {"ham": 1.0, "spam": 0.0}
    assert "+inf" in str(why)
