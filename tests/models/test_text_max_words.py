"""TextClassifier(max_words=...): the words that tell most of the class, from the counts alone."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.metrics import mutual_info_score

import bayesic as by
from bayesic.estimation.information import presence_information
from bayesic.estimation.vocabulary import most_telling_words
from helpers.labelled_rows import WORDS, quarters

VOCABULARY = ("free", "lunch", "rain", "money", "today", "下雨")
MAILS = {
    "free money today": "spam",
    "money money": "spam",
    "free lunch, 下雨": "spam",
    "lunch today": "ham",
    "rain 下雨": "ham",
    "goal and rain": "news",
    "goal today goal": "news",
}
TEXTS, LABELS = [*MAILS], [*MAILS.values()]
RULES = [
    *((model, None) for model in ("multinomial", "bernoulli", "complement")),
    *((model, "tf-idf") for model in ("multinomial", "complement")),
    ("binary-multinomial", "log-count-ratio"),
]

texts = st.lists(st.sampled_from(VOCABULARY), max_size=7).map(" ".join)
mails = st.lists(st.tuples(texts, st.sampled_from(WORDS), quarters), min_size=1, max_size=9)


def cut(text):
    return text.replace(",", "").split()


def information(word, texts, labels):
    """I(W; C) as an exact product: exp of the number of texts times it, by [IIR] eq. 13.16."""
    rows = [(word in cut(text), label) for text, label in zip(texts, labels, strict=True)]
    product, n = Fraction(1), len(rows)
    for there, label in set(rows):
        both = rows.count((there, label))
        of_word = sum(row[0] == there for row in rows)
        of_class = sum(row[1] == label for row in rows)
        product *= Fraction(both * n, of_word * of_class) ** both
    return product


@pytest.mark.parametrize("n", range(1, 9))
def test_the_words_are_those_of_the_greatest_exact_information(n):
    words = sorted({word for text in TEXTS for word in cut(text)})
    # sorted is stable: of words that tell equally much the first in the alphabet
    expected = sorted(words, key=lambda word: -information(word, TEXTS, LABELS))[:n]
    model = by.TextClassifier(max_words=n).fit(TEXTS, LABELS)
    assert model.vocabulary_ == tuple(sorted(expected))


@given(st.lists(st.tuples(texts, st.sampled_from(WORDS)), min_size=1, max_size=12))
def test_information_is_that_of_scikit_learn(rows):
    X, y = zip(*[*rows, ("free lunch", "spam")], strict=True)
    presence = CountVectorizer(binary=True, vocabulary=VOCABULARY).fit_transform(X).toarray()
    classes, codes = np.unique(y, return_inverse=True)
    present = np.stack([presence[codes == code].sum(axis=0) for code in range(len(classes))], 1)
    ours = presence_information(present, np.bincount(codes))
    theirs = [mutual_info_score(column, y) for column in presence.T]
    np.testing.assert_allclose(ours, theirs, atol=1e-12)


def test_words_that_tell_equally_much_are_taken_in_the_order_of_the_alphabet():
    # each speaks for one class as much as the others do, but sums of logs differ in the last bit
    present = np.array([[7, 0, 0], [0, 7, 0], [0, 0, 7]])
    assert most_telling_words(present, np.array([11, 11, 11]), 2).tolist() == [0, 1]


@given(st.permutations(range(3)), st.integers(1, 5))
def test_the_order_of_the_classes_does_not_matter(order, n):
    present = np.array([[5, 1, 2], [1, 5, 2], [2, 2, 2], [9, 3, 1], [3, 3, 9], [1, 2, 5]])
    class_count = np.array([9, 9, 9])
    expected = most_telling_words(present, class_count, n)
    np.testing.assert_array_equal(most_telling_words(present[:, order], class_count, n), expected)


@pytest.mark.parametrize(("model", "weighting"), RULES)
def test_the_model_is_that_of_these_words_alone(model, weighting):
    few = by.TextClassifier(model, weighting=weighting, max_words=3).fit(TEXTS, LABELS)
    every = by.TextClassifier(model, weighting=weighting).fit(TEXTS, LABELS)
    others = sorted({*every.vocabulary_} - {*few.vocabulary_})
    assert len(few.vocabulary_) == 3
    every.set_params(stop_words=others)
    np.testing.assert_array_equal(few.predict_proba(TEXTS), every.predict_proba(TEXTS))


@given(mails, mails, st.integers(1, 4), st.sampled_from(RULES))
def test_other_texts_choose_other_words_and_forgetting_brings_the_old_ones_back(
    some, more, n, rule
):
    model, weighting = rule
    (X, y, s), (X2, y2, s2) = (map(list, zip(*rows, strict=True)) for rows in (some, more))

    def learned(X, y, weights):
        made = by.TextClassifier(model, weighting=weighting, language="en", max_words=n)
        return made.partial_fit(X, y, classes=WORDS, sample_weight=weights)

    both = learned(X + X2, y + y2, s + s2)
    merged = learned(X, y, s).merge(learned(X2, y2, s2))
    pieces = learned(X, y, s).partial_fit(X2, y2, sample_weight=s2)
    assert merged.vocabulary_ == pieces.vocabulary_ == both.vocabulary_
    pieces.forget(X2, y2, sample_weight=s2)
    assert pieces.vocabulary_ == learned(X, y, s).vocabulary_


def test_it_is_chosen_from_what_the_other_options_leave():
    model = by.TextClassifier(stop_words=["goal"], min_count=2, max_words=2).fit(TEXTS, LABELS)
    assert "goal" not in model.vocabulary_
    assert len(model.vocabulary_) == 2
    assert by.TextClassifier(max_words=100).fit(TEXTS, LABELS).vocabulary_ == tuple(
        sorted({word for text in TEXTS for word in cut(text)})
    )


def test_a_model_without_texts_left_has_no_words():
    model = by.TextClassifier(max_words=2).fit(["free lunch"], ["spam"])
    assert model.forget(["free lunch"], ["spam"]).vocabulary_ == ()


@pytest.mark.parametrize("given", [0, -1, 1.5, "many"])
def test_a_number_of_words_that_makes_no_sense_is_refused(given):
    with pytest.raises(ValueError, match="max_words must be a whole number of 1 or more"):
        by.TextClassifier(max_words=given).fit(TEXTS, LABELS)
