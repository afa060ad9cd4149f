"""What the words of a text add, each in its place: together they are the log odds."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bayesic as by
from bayesic.data.tokens import Tokenizer
from bayesic.evidence.marked_words import marked_words

TEXTS = ["free lunch, free money", "lunch today", "今天下雨", "免费 money for free", "rain today"]
LABELS = ["spam", "ham", "ham", "spam", "ham"]
WORDS = ["free", "Lunch", "money", "today", "今天", "下雨", "免费", "snow", "!", "👩‍🚀"]
ways = st.fixed_dictionaries(
    {
        "model": st.sampled_from(["multinomial", "binary-multinomial", "complement"]),
        "ngrams": st.sampled_from([(1, 1), (1, 2)]),
        "analyzer": st.sampled_from(["word", "char"]),
    }
)


@given(ways, st.lists(st.sampled_from(WORDS), max_size=8), st.sampled_from(["", " ", "\n"]))
def test_the_words_of_a_text_add_up_to_its_log_odds(how, words, between):
    text = between.join(words)
    model = by.TextClassifier(**how).fit(TEXTS, LABELS)
    (reason,) = model.explain([text])
    marks = marked_words(reason.weights, model.tokenizer_, text)
    added = math.fsum(mark.weight for mark in marks if mark.weight is not None)
    expected = math.log(reason.probability["spam"] / reason.probability["ham"])
    sign = 1 if reason.answer == "spam" else -1
    assert reason.prior_log_odds + added == pytest.approx(sign * expected, abs=1e-9)


def test_a_word_that_occurs_twice_has_half_of_its_weight_in_each_place():
    marks = marked_words({"free": 3.0}, Tokenizer(), "free, Free snow")
    assert [(mark.begin, mark.weight) for mark in marks] == [(0, 1.5), (6, 1.5), (11, None)]


def test_a_pair_of_neighbours_is_divided_among_the_words_that_it_touches():
    pytest.importorskip("rjieba")
    tokenizer = Tokenizer(chinese="rjieba")
    assert tokenizer.tokens("今天下雨") == ["今天", "下雨", "天下"]
    marks = marked_words({"今天": 1.0, "天下": 0.5}, tokenizer, "今天下雨")
    assert [mark.tokens for mark in marks] == [{"今天": 1.0, "天下": 0.25}, {"天下": 0.25}]


def test_words_that_the_model_does_not_know_have_no_weight():
    assert [mark.weight for mark in marked_words({}, Tokenizer(), "snow falls")] == [None, None]
