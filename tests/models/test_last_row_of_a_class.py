"""A class that loses its last row: probabilities stay probabilities in every model."""

import math
import warnings

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import bayesic as by
from helpers.comparisons import impossible_rows_allowed
from helpers.examples import at_most
from helpers.labelled_rows import WORDS, labelled_rows

TEXT_RULES = [
    ("multinomial", None),
    ("multinomial", "tf-idf"),
    ("multinomial", "log-count-ratio"),
    ("binary-multinomial", None),
    ("binary-multinomial", "log-count-ratio"),
    ("bernoulli", None),
    ("complement", None),
    ("complement", "tf-idf"),
]
each_rule = pytest.mark.parametrize(("model", "weighting"), TEXT_RULES)

texts = st.lists(st.sampled_from(["free", "lunch", "rain", "下雨"]), max_size=4).map(" ".join)
mails = st.lists(st.tuples(texts, st.sampled_from(WORDS)), min_size=2, max_size=6)

# models of tables: those that answer leave-one-out just as a refit does, and those that keep what
# they have chosen from all rows, such as cut points
AS_REFITS = {
    "BernoulliNB": by.BernoulliNB(),
    "CategoricalNB": by.CategoricalNB(),
    "ComplementNB": by.ComplementNB(),
    "GaussianNB": by.GaussianNB(var_smoothing=1e-3),
    "MultinomialNB": by.MultinomialNB(),
    "plain MultinomialNB": by.MultinomialNB(alpha=0),
    "NaiveBayes of categories": by.NaiveBayes(numeric="categorical", smoothing=0),
    "NaiveBayes of measurements": by.NaiveBayes(numeric="gaussian"),
    "NaiveBayes of counts": by.NaiveBayes(numeric="poisson", smoothing=("m", 2)),
    "KNeighborsClassifier": by.KNeighborsClassifier(n_neighbors=1),
}
KEEPING_CHOICES = {
    "NaiveBayes": by.NaiveBayes(smoothing=0),
    "automatic NaiveBayes": by.NaiveBayes(smoothing="auto"),
    "NaiveBayes in bins": by.NaiveBayes(numeric="binned", smoothing=0),
    "NaiveBayes with kernels": by.NaiveBayes(numeric="kernel", smoothing=0),
    "JointBayes": by.JointBayes(smoothing=0),
    "TreeAugmentedNB": by.TreeAugmentedNB(smoothing=0),
    "KDependence": by.KDependence(smoothing=0),
    "AveragedOneDependence": by.AveragedOneDependence(smoothing=0),
    "GaussianBayes": by.GaussianBayes(),
    "tied GaussianBayes": by.GaussianBayes(covariance="tied"),
}


def fresh(model):
    return type(model)(**model.get_params())


def assert_probabilities(answers):
    assert not np.isnan(answers).any()
    np.testing.assert_allclose(answers.sum(axis=1), 1.0)


def assert_answers_without_nan(model, X):
    """All that a model says about rows, after a class was forgotten."""
    with impossible_rows_allowed():
        assert_probabilities(model.predict_proba(X))
        assert not np.isnan(model.predict_log_proba(X)).any()
        for reason in model.explain(X) if hasattr(model, "explain") else []:
            assert not math.isnan(getattr(reason, "log_odds", 0.0))
            assert not any(map(math.isnan, getattr(reason, "weights", {}).values()))


# texts --------------------------------------------------------------------------------------------


def others_of(columns, row):
    return [[*column[:row], *column[row + 1 :]] for column in columns]


@each_rule
@given(mails=mails, min_count=st.sampled_from([1, 2]), ngrams=st.sampled_from([(1, 1), (1, 2)]))
@at_most(40)
def test_leaving_a_text_out_is_learning_all_the_others(model, weighting, mails, min_count, ngrams):
    parameters = {"weighting": weighting, "min_count": min_count, "ngrams": ngrams}
    X, y = map(list, zip(*mails, strict=True))
    learned = by.TextClassifier(model, **parameters).partial_fit(X, y, classes=WORDS)
    with impossible_rows_allowed():
        answers = learned.leave_one_out(X, y)
    assert_probabilities(answers)
    for row, text in enumerate(X):
        refitted = by.TextClassifier(model, **parameters)
        refitted.partial_fit(*others_of((X, y), row), classes=WORDS)
        np.testing.assert_allclose(answers[row], refitted.predict_proba([text])[0], atol=1e-12)
        if model != "complement":  # which has no prior
            assert (answers[row][refitted.class_count_ == 0] == 0).all()


@each_rule
@pytest.mark.parametrize("smoothing", [1.0, 1e-9, "auto"])
def test_a_class_without_texts_has_probability_0(model, weighting, smoothing):
    if weighting == "tf-idf" and smoothing == "auto":
        return
    X, y = ["rain", "lunch", "lunch"], ["ham", "spam", "spam"]
    learned = by.TextClassifier(model, weighting=weighting, smoothing=smoothing).fit(X, y)
    expected = [0.5, 0.5] if model == "complement" else [0.0, 1.0]  # which has no prior
    assert learned.leave_one_out(X, y)[0].tolist() == expected
    learned.forget(["rain"], ["ham"])
    assert learned.predict_proba(["lunch", "rain", ""]).tolist() == [expected] * 3
    assert_answers_without_nan(learned, ["lunch", "rain", "", "snow"])


@pytest.mark.parametrize("model", ["multinomial", "binary-multinomial"])
def test_the_last_texts_of_all_classes_but_one_can_go(model):
    learned = by.TextClassifier(model, weighting="log-count-ratio")
    learned.fit(["rain", "lunch", "goal"], ["weather", "food", "sport"])
    learned.forget(["rain", "lunch"], ["weather", "food"])
    assert learned.predict_proba(["rain", "goal"]).tolist() == [[0.0, 1.0, 0.0]] * 2
    learned.forget(["goal"], ["sport"])  # nothing is left: every class is as likely
    np.testing.assert_allclose(learned.predict_proba(["goal"]), 1 / 3)


def test_a_class_that_weighs_next_to_nothing_keeps_its_log_odds():
    # 1 - P(spam) has no digits left here
    model = by.TextClassifier(weighting="log-count-ratio")
    model.fit(["rain", "rain"], ["ham", "spam"], sample_weight=[1e-40, 1.0])
    log_odds = np.diff(model.predict_log_proba([""])[0])[0]
    assert log_odds == pytest.approx(40 * math.log(10), rel=1e-12)


# tables -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", AS_REFITS)
@given(rows=labelled_rows(min_rows=2, max_rows=6, n_features=2))
@at_most(25)
def test_leaving_a_row_out_is_learning_all_the_others(name, rows):
    learned = fresh(AS_REFITS[name]).partial_fit(rows.X, rows.y, classes=WORDS)
    with impossible_rows_allowed():
        answers = learned.leave_one_out(rows.X, rows.y)
        assert_probabilities(answers)
        for row in range(len(rows.y)):
            others = rows.where(np.arange(len(rows.y)) != row)
            refitted = fresh(AS_REFITS[name]).partial_fit(others.X, others.y, classes=WORDS)
            expected = refitted.predict_proba(rows.X[[row]])[0]
            np.testing.assert_allclose(answers[row], expected, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("name", AS_REFITS | KEEPING_CHOICES)
@given(rows=labelled_rows(min_rows=3, max_rows=6, n_features=2), data=st.data())
@at_most(25)
def test_no_model_answers_nan_when_a_class_loses_its_rows(name, rows, data):
    assume(len(set(rows.y)) > 1)
    model = fresh((AS_REFITS | KEEPING_CHOICES)[name])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # columns that depend on each other
        model.fit(rows.X, rows.y)
        assert_probabilities(model.leave_one_out(rows.X, rows.y))
        lost = rows.where(rows.y == data.draw(st.sampled_from(sorted(set(rows.y)))))
        model.forget(lost.X, lost.y)
        assert_answers_without_nan(model, rows.X)


@pytest.mark.parametrize("priors", [None, [0.2, 0.5, 0.3]])
def test_linear_discriminants_answer_when_a_class_has_no_rows(priors):
    X = np.array([[0.0, 1], [2, 0], [3, 3], [1, 4], [5, 5]])
    y = np.array(["ham", "ham", "news", "spam", "spam"])
    model = by.LinearDiscriminantAnalysis(priors=priors).fit(X, y)
    without = model.leave_one_out(X, y)
    assert_probabilities(without)
    assert_answers_without_nan(model.forget(X[2:3], y[2:3]), X)
    if priors is None:
        assert without[2, 1] == 0 and (model.predict_proba(X)[:, 1] == 0).all()
