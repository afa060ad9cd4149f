"""A large vocabulary and a few texts beside it are one statistic."""

import pickle
from fractions import Fraction
from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bayesic as by
from bayesic.data.counted_texts import CountedTexts
from bayesic.data.tokens import Tokenizer
from bayesic.statistics.growing_texts import LEAST_WORDS, GrowingTextCounts
from bayesic.statistics.text_counts import TextCounts, text_counts
from helpers.examples import at_most

VOCABULARY = [f"word{number:05d}" for number in range(2 * LEAST_WORDS)]
SOME = st.lists(st.sampled_from([*VOCABULARY[::300], "snow", "fog", "雨"]), max_size=6)
TEXTS = st.lists(st.tuples(SOME.map(" ".join), st.sampled_from(["spam", "ham"])), max_size=8)


def counted(texts: list[str], codes: list[int]) -> TextCounts:
    return text_counts(CountedTexts(texts, Tokenizer()), np.array(codes), n_classes=2)


LARGE = counted([" ".join(VOCABULARY), "snow " * 3], [0, 1])


def assert_same(one: TextCounts, other: TextCounts) -> None:
    assert one.words == other.words
    for name in ("class_count", "occurrences", "texts_with"):
        mine, theirs = getattr(one, name), getattr(other, name)
        assert mine.dtype == theirs.dtype
        np.testing.assert_array_equal(mine, theirs)


@at_most(30)
@given(TEXTS)
def test_texts_beside_a_vocabulary_are_the_sum(texts):
    grown, whole = LARGE, LARGE
    for text, label in texts:
        one = counted([text], [int(label == "spam")])
        grown, whole = grown + one, whole.plus(one)
    assert not texts or isinstance(grown, GrowingTextCounts)
    assert grown.n_words == len(whole.words)
    asked = ("snow", "word00000", "never", "雨")
    for table in ("occurrences", "texts_with"):
        place = {word: number for number, word in enumerate(whole.words)}
        zeros = np.zeros(2, np.int64)
        expected = [getattr(whole, table)[place[w]] if w in place else zeros for w in asked]
        if texts:
            rows, is_known = grown.rows_of(asked, table)
            np.testing.assert_array_equal(rows, expected)
            assert is_known.tolist() == [word in place for word in asked]
            np.testing.assert_array_equal(grown.sum_of(table), getattr(whole, table).sum(axis=0))
    assert_same(pickle.loads(pickle.dumps(grown)), whole)
    assert_same(grown, whole)


def test_what_is_no_longer_small_is_added_up():
    grown = LARGE
    for number in range(LEAST_WORDS // 3):
        grown = grown + counted([f"new{number} snow"], [0])
        assert len(grown.recent.words) <= len(VOCABULARY) / 8 if hasattr(grown, "recent") else True
    assert len(grown.words) == len(LARGE.words) + LEAST_WORDS // 3


def test_taking_away_undoes_adding():
    one = counted(["snow and fog"], [1])
    assert_same((LARGE + one) - one, LARGE)
    with pytest.raises(ValueError, match="never seen"):
        (LARGE + one) - counted(["hail"], [0])


def test_weighted_texts_are_added_up_at_once():
    texts = CountedTexts(["snow"], Tokenizer())
    weighted = text_counts(texts, np.array([0]), 2, np.array([0.5]))
    assert type(LARGE + weighted) is TextCounts


MODELS = {
    "multinomial": {},
    "binary-multinomial": {"model": "binary-multinomial"},
    "complement": {"model": "complement"},
    "log-count-ratio": {"weighting": "log-count-ratio"},
    "m-estimate": {"smoothing": ("m", 2)},
    "tf-idf": {"weighting": "tf-idf"},
    "bernoulli": {"model": "bernoulli"},
    "given shares": {"smoothing": ("m", 2, {"snow": 0.5})},
    "stop words": {"stop_words": ["snow"]},
}


@pytest.mark.parametrize("options", MODELS.values(), ids=MODELS.keys())
def test_answers_are_those_of_one_fit_to_the_last_bit(options):
    first = [" ".join(VOCABULARY[::2]), " ".join(VOCABULARY[1::2])]
    more = ["snow fog word00001", "word00002 word00002 fog", "", "rain word00001"]
    labels = ["spam", "ham"]
    model = by.TextClassifier(**options).fit(first, labels)
    for row, text in enumerate(more):
        model.partial_fit([text], [labels[row % 2]])
        asked = [*more, "never seen", "word00002 snow"]
        whole = by.TextClassifier(**options).fit(
            [*first, *more[: row + 1]], [*labels, *(labels[n % 2] for n in range(row + 1))]
        )
        np.testing.assert_array_equal(model.predict_proba(asked), whole.predict_proba(asked))
        assert model.vocabulary_ == whole.vocabulary_


def test_the_share_of_a_word_is_the_exact_fraction():
    model = by.TextClassifier().fit([" ".join(VOCABULARY), "snow"], ["spam", "ham"])
    model.partial_fit(["snow fog fog"], ["spam"])
    n_words = len(VOCABULARY)
    spam = Fraction(2, 3) * Fraction(2 + 1, n_words + 3 + n_words + 2)
    ham = Fraction(1, 3) * Fraction(0 + 1, 1 + n_words + 2)
    expected = log(spam / (spam + ham))
    assert isinstance(model.statistics_, GrowingTextCounts)
    assert model.predict_log_proba(["fog"])[0, 1] == pytest.approx(expected, rel=1e-12)
