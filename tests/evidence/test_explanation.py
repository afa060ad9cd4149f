"""Explanations: weights of evidence that add up to the log odds and agree with the predictions."""

import json
import math
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import sparse
from scipy.special import logsumexp

import bayesic as by
from bayesic.evidence.explanation import Explanation, explain_scores
from helpers.comparisons import impossible_rows_allowed, probabilities
from helpers.labelled_rows import FIVE, WORDS, labelled_rows

each_model = pytest.mark.parametrize("Model", FIVE)
each_kind = pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array], ids=["dense", "CSR"])


def explanations(model, X, **arguments):
    with impossible_rows_allowed():
        return model.explain(X, **arguments)


def smooth(Model):
    """A model that makes nothing impossible, and whose scores are no huge numbers."""
    return Model(var_smoothing=0.5) if Model is by.GaussianNB else Model()


def log_odds_of(scores, answer, against=None):
    """log odds of one class against another, or against all others, from joint log probabilities"""
    others = np.delete(scores, answer) if against is None else scores[[against]]
    return float(scores[answer] - logsumexp(others))


@st.composite
def rows_of_several_classes(draw, missing=True):
    """Small counts with 2 to 4 classes, each of which occurs, and the number of classes."""
    n_classes, n_features = draw(st.integers(2, 4)), draw(st.integers(1, 4))
    X = draw(hnp.arrays(np.int64, (n_classes + 3, n_features), elements=st.integers(0, 4)))
    if missing:
        X = np.where(draw(hnp.arrays(bool, X.shape)), np.nan, X.astype(np.float64))
    more = draw(st.lists(st.integers(0, n_classes - 1), min_size=3, max_size=3))
    return X, np.array([*range(n_classes), *more]), n_classes


# agreement with the model ---------------------------------------------------------------------


@each_model
@each_kind
@given(rows=rows_of_several_classes())
def test_prior_and_weights_add_up_to_the_log_odds_against_the_rest(Model, kind, rows):
    X, y, n_classes = rows
    model = smooth(Model).fit(X, y)
    joint = model.predict_joint_log_proba(kind(X))
    for why, scores in zip(model.explain(kind(X)), joint, strict=True):
        total = why.prior_log_odds + math.fsum(why.weights.values())
        assert why.log_odds == pytest.approx(total, rel=1e-12, abs=1e-12)
        assert total == pytest.approx(log_odds_of(scores, why.answer), rel=1e-9, abs=1e-9)
        assert scores[why.answer] == pytest.approx(scores.max(), rel=1e-12, abs=1e-12)
        assert why.against == (1 - why.answer if n_classes == 2 else None)
        assert len(why.weights) == X.shape[1]


@each_model
@given(rows=rows_of_several_classes(), data=st.data())
def test_prior_and_weights_add_up_to_the_log_odds_against_a_class(Model, rows, data):
    X, y, n_classes = rows
    model = smooth(Model).fit(X, y)
    against = data.draw(st.integers(0, n_classes - 1))
    joint = model.predict_joint_log_proba(X)
    for why, rest, scores in zip(
        model.explain(X, against=against), model.explain(X), joint, strict=True
    ):
        if why.answer == against or n_classes == 2:
            assert why == rest
        else:
            assert why.against == against
            expected = log_odds_of(scores, why.answer, against)
            total = why.prior_log_odds + math.fsum(why.weights.values())
            assert why.log_odds == pytest.approx(total, rel=1e-12, abs=1e-12)
            assert total == pytest.approx(expected, rel=1e-9, abs=1e-9)


@each_model
@given(rows=rows_of_several_classes(missing=False))
def test_a_weight_is_the_change_of_the_log_odds_when_its_feature_comes_in(Model, rows):
    X, y, _ = rows
    model = smooth(Model).fit(X, y)
    why, row = model.explain(X[0]), X[0].astype(np.float64)
    # the features after the first ones are not observed yet
    known = [np.where(np.arange(len(row)) < n, row, np.nan) for n in range(len(row) + 1)]
    scores = model.predict_joint_log_proba(known)
    log_odds = [log_odds_of(of_row, why.answer) for of_row in scores]
    assert why.prior_log_odds == pytest.approx(log_odds[0], rel=1e-9, abs=1e-9)
    assert list(why.weights.values()) == pytest.approx(np.diff(log_odds).tolist(), abs=1e-9)


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


@each_model
@given(
    rows=labelled_rows(), smoothing=st.sampled_from([0, 1]), against=st.sampled_from([None, *WORDS])
)
def test_the_log_odds_are_those_of_the_probabilities_also_where_some_are_zero(
    Model, rows, smoothing, against
):
    argument = "var_smoothing" if Model is by.GaussianNB else "alpha"
    model = Model(**{argument: smoothing}).partial_fit(rows.X, rows.y, classes=WORDS)
    for why in model.explain(rows.X, against=against):
        others = [word for word in WORDS if word != why.answer]
        compared = others if why.against is None else [why.against]
        other_side = sum(why.probability[word] for word in compared)
        numbers = [why.prior_log_odds, why.log_odds, *why.weights.values()]
        assert not any(map(math.isnan, numbers))
        if other_side > 1e-200:
            expected = math.log(why.probability[why.answer] / other_side)
            assert why.log_odds == pytest.approx(expected, rel=1e-6, abs=1e-6)
        else:
            assert why.log_odds > 400
        assert "nan" not in str(why)


@each_model
def test_the_answer_is_the_prediction(Model):
    X = np.array([[2, 0, 1], [0, 3, 0], [1, 1, 4], [0, 2, 2], [3, 0, 0]])
    y = ["ham", "spam", "news", "spam", "ham"]
    model = Model().fit(X, y)
    assert [why.answer for why in model.explain(X)] == model.predict(X).tolist()


@each_model
def test_labels_are_plain_python_values(Model):
    why = Model().fit([[1, 0], [0, 2]], [3, 7]).explain([[1, 0]])[0]
    assert type(why.answer) is type(why.against) is int
    assert {type(label) for label in why.probability} == {int}
    assert {type(weight) for weight in why.weights.values()} == {float}


# exact numbers --------------------------------------------------------------------------------


def test_the_weights_of_the_china_example_are_logarithms_of_exact_fractions():  # [IIR] 13.1
    X = [[2, 1, 0, 0, 0, 0], [2, 0, 1, 0, 0, 0], [1, 0, 0, 1, 0, 0], [1, 0, 0, 0, 1, 1]]
    words = ["Chinese", "Beijing", "Shanghai", "Macao", "Tokyo", "Japan"]
    model = by.MultinomialNB().fit(X, ["China", "China", "China", "other"])
    why = model.explain([[3, 0, 0, 0, 1, 1]], feature_names=words)[0]
    assert (why.answer, why.against) == ("China", "other")
    assert why.prior_log_odds == pytest.approx(math.log(3))
    expected = {
        "Chinese": 3 * math.log(Fraction(3, 7) / Fraction(2, 9)),
        "Tokyo": math.log(Fraction(1, 14) / Fraction(2, 9)),
        "Japan": math.log(Fraction(1, 14) / Fraction(2, 9)),
    }
    assert why.weights == pytest.approx(
        {word: expected.get(word, 0.0) for word in words}, rel=1e-12
    )


def three_kinds_of_mail():
    """Mails of three kinds, and which of the words free and lunch they have."""
    ham = [[1, 0]] * 2 + [[0, 1]] * 2
    news = [[1, 1]] * 2 + [[0, 1]] + [[0, 0]]
    spam = [[1, 0]] * 6 + [[0, 0]] + [[0, 1]]
    return ham + news + spam, ["ham"] * 4 + ["news"] * 4 + ["spam"] * 8


def test_weights_against_the_rest_are_logarithms_of_exact_fractions():
    X, y = three_kinds_of_mail()
    why = by.BernoulliNB(alpha=0).fit(X, y).explain([1, 0], feature_names=["free", "lunch"])
    assert (why.answer, why.against) == ("spam", None)
    assert why.prior_log_odds == pytest.approx(0.0, abs=1e-12)  # 1/2 against 1/4 + 1/4
    # ham and news: half of the mails of either have free, so both stay as likely as they were
    assert why.weights["free"] == pytest.approx(math.log(Fraction(6, 8) / Fraction(1, 2)))
    without_lunch = (Fraction(2, 4) + Fraction(1, 4)) / 2
    assert why.weights["lunch"] == pytest.approx(math.log(Fraction(7, 8) / without_lunch))
    joint = {
        "ham": Fraction(1, 4) * Fraction(2, 4) * Fraction(2, 4),
        "news": Fraction(1, 4) * Fraction(2, 4) * Fraction(1, 4),
        "spam": Fraction(1, 2) * Fraction(6, 8) * Fraction(7, 8),
    }
    assert why.log_odds == pytest.approx(math.log(joint["spam"] / (joint["ham"] + joint["news"])))


def test_weights_against_a_class_are_log_likelihood_ratios_in_any_order():
    X, y = three_kinds_of_mail()
    why = by.BernoulliNB(alpha=0).fit(X, y).explain([1, 0], against="news")
    assert why.against == "news"
    assert why.prior_log_odds == pytest.approx(math.log(2))
    assert why.weights["x0"] == pytest.approx(math.log(Fraction(6, 8) / Fraction(2, 4)))
    assert why.weights["x1"] == pytest.approx(math.log(Fraction(7, 8) / Fraction(1, 4)))


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
def test_one_class_only_is_compared_with_itself(Model):
    why = Model().fit([[1, 0], [0, 2]], ["ham", "ham"]).explain([[1, 1]])[0]
    assert (why.answer, why.against, why.log_odds) == ("ham", "ham", 0.0)
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


# one row, several rows ------------------------------------------------------------------------


@each_model
@pytest.mark.parametrize("row", [(1, 0), [1, 0], np.array([1, 0]), pd.Series([1, 0])], ids=type)
def test_one_row_gives_one_explanation_and_several_give_a_list(Model, row):
    model = Model().fit([[1, 0], [0, 2], [2, 2]], ["ham", "spam", "spam"])
    why = model.explain(row)
    assert isinstance(why, Explanation)
    assert [why] == model.explain([[1, 0]])
    assert [why, why] == model.explain([[1, 0], [1, 0]])


@each_model
def test_a_row_by_name_may_come_in_any_order(Model):
    table = pd.DataFrame({"下雨": [1, 0, 2], "上午": [0, 2, 2]})
    model = Model().fit(table, ["ham", "spam", "spam"])
    expected = model.explain(table.iloc[:1])[0]
    assert model.explain({"上午": 0, "下雨": 1}) == expected
    assert model.explain(table.iloc[0]) == expected
    unnamed = Model().fit(table.to_numpy(), ["ham", "spam", "spam"])
    by_number = unnamed.explain({"x1": 0, "x0": 1})
    assert list(by_number.weights.values()) == list(expected.weights.values())


@each_model
def test_a_row_by_other_names_is_refused_with_the_difference(Model):
    model = Model().fit(pd.DataFrame({"rain": [1, 0], "wind": [0, 2]}), ["ham", "spam"])
    with pytest.raises(ValueError, match=r"missing \['wind'\], unknown \['wnid'\]"):
        model.explain({"rain": 1, "wnid": 0})


@each_model
@pytest.mark.parametrize("against", ["eggs", 7, ["ham"], np.array(["ham", "spam"])], ids=str)
def test_a_class_that_is_none_is_refused_with_those_that_are(Model, against):
    model = Model().fit([[1, 0], [0, 2]], ["ham", "spam"])
    with pytest.raises(ValueError, match=r"against must be one of the classes \['ham', 'spam'\]"):
        model.explain([1, 0], against=against)


def test_the_class_to_compare_with_may_be_a_number_of_numpy():
    model = by.MultinomialNB().fit([[1, 0], [0, 2], [3, 3]], [3, 5, 7])
    assert model.explain([1, 0], against=np.int64(7)).against == 7


def test_values_are_shown_where_they_were_observed():
    model = by.GaussianNB().fit([[1.5, 0], [2.5, 2]], ["ham", "spam"])
    assert model.explain([3.25, np.nan]).values == {"x0": "3.25"}
    assert model.explain([2.0, 7]).values == {"x0": "2", "x1": "7"}


def explained(classes, features, prior, scores, **arguments):
    """The explanation of a row whose features add these scores to the log prior of each class."""
    prior, scores = np.array(prior), np.array(scores)
    joint = prior + scores.sum(axis=0)
    return explain_scores(classes, features, prior, scores, joint - logsumexp(joint), **arguments)


# certainties ----------------------------------------------------------------------------------


def test_a_class_that_a_feature_makes_impossible_no_longer_counts_among_the_rest():
    scores = np.log([[0.5, 0.5, 1.0], [0.8, 0.4, 0.1]])
    scores[0, 2] = -np.inf  # news never has bill
    why = explained(["ham", "spam", "news"], ["bill", "the"], np.log([0.5, 0.25, 0.25]), scores)
    # bill: 0.5 against half of 0.5; after it the rest is spam alone
    assert list(why.weights.values()) == pytest.approx([math.log(2), math.log(2)])
    assert why.log_odds == pytest.approx(math.log(4))


def test_evidence_after_the_rest_is_impossible_keeps_its_weight():
    scores = np.log([[0.5, 1.0, 1.0], [0.8, 0.4, 0.4]])
    scores[0, 1:] = -np.inf
    why = explained(["ham", "spam", "news"], ["bill", "the"], np.log([0.5, 0.25, 0.25]), scores)
    assert why.weights == pytest.approx({"bill": math.inf, "the": math.log(2)})
    assert why.log_odds == math.inf


def test_classes_of_prior_zero_are_no_reason_for_nan():
    with np.errstate(divide="ignore"):
        prior = np.log([1.0, 0.0, 0.0])
    why = explained(["ham", "spam", "news"], ["bill"], prior, np.log([[0.5, 0.25, 0.25]]))
    assert why.prior_log_odds == why.log_odds == math.inf
    assert why.weights["bill"] == pytest.approx(math.log(2))


# for machines ---------------------------------------------------------------------------------


def test_the_dictionary_is_json_with_infinities_as_text():
    scores = np.array([[0.0, -np.inf], [-1.0, -1.0]])
    why = explained([0, 1], ["bill", "the"], np.log([0.5, 0.5]), scores, values=["3", None])
    told = json.loads(json.dumps(why.to_dict(), allow_nan=False))
    assert told == {
        "answer": 0,
        "against": 1,
        "prior_log_odds": 0.0,
        "weights": {"bill": "inf", "the": 0.0},
        "log_odds": "inf",
        "probability": {"0": 1.0, "1": 0.0},
        "values": {"bill": "3"},
        "others": {"number": 0, "weight": 0.0},
        "impossible": False,
        "ruled_out": {"1": ["bill"]},
    }
    assert float(told["log_odds"]) == why.log_odds
