"""What TextClassifier chooses once from all texts stays when one of them is left out."""

import numpy as np
import pytest

import bayesic as by

RULES = [
    ("multinomial", None),
    ("multinomial", "tf-idf"),
    ("binary-multinomial", "log-count-ratio"),
    ("bernoulli", None),
    ("complement", None),
]
TEXTS = [
    "rain rain today",
    "rain lunch",
    "lunch money free",
    "free free rain",
    "lunch today today",
    "goal match rain",
    "match goal goal",
]
LABELS = ["ham", "ham", "spam", "spam", "ham", "news", "news"]


def refits(**parameters):
    """The answers of models that learned all other texts, with all classes declared."""
    answers = []
    for row, text in enumerate(TEXTS):
        X, y = TEXTS[:row] + TEXTS[row + 1 :], LABELS[:row] + LABELS[row + 1 :]
        model = by.TextClassifier(**parameters)
        model.partial_fit(X, y, classes=["ham", "news", "spam"])
        answers.append(model.predict_proba([text])[0])
    return np.array(answers)


@pytest.mark.parametrize(("model", "weighting"), RULES)
def test_the_most_frequent_words_stay_those_of_all_texts(model, weighting):
    every = by.TextClassifier(model, weighting=weighting, min_count=2).fit(TEXTS, LABELS)
    some = by.TextClassifier(model, weighting=weighting, min_count=2, drop_top=1)
    some.fit(TEXTS, LABELS)
    dropped = set(every.vocabulary_) - set(some.vocabulary_)
    assert dropped == {"rain"}
    expected = refits(model=model, weighting=weighting, min_count=2, stop_words=[*dropped])
    np.testing.assert_allclose(some.leave_one_out(TEXTS, LABELS), expected, atol=1e-12)


@pytest.mark.parametrize(("model", "weighting"), RULES)
def test_the_most_telling_words_stay_those_of_all_texts(model, weighting):
    every = by.TextClassifier(model, weighting=weighting).fit(TEXTS, LABELS)
    some = by.TextClassifier(model, weighting=weighting, max_words=4).fit(TEXTS, LABELS)
    others = {*every.vocabulary_} - {*some.vocabulary_}
    assert len(some.vocabulary_) == 4
    expected = refits(model=model, weighting=weighting, stop_words=[*others])
    np.testing.assert_allclose(some.leave_one_out(TEXTS, LABELS), expected, atol=1e-12)


@pytest.mark.parametrize(("model", "weighting"), [rule for rule in RULES if rule[1] != "tf-idf"])
def test_an_automatic_lambda_stays_that_of_all_texts(model, weighting):
    auto = by.TextClassifier(model, weighting=weighting, smoothing="auto").fit(TEXTS, LABELS)
    expected = refits(model=model, weighting=weighting, smoothing=auto.smoothing_)
    np.testing.assert_allclose(auto.leave_one_out(TEXTS, LABELS), expected, atol=1e-12)
