"""TextCounts: words of texts by class, against counting by hand."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesic.data import counted_blocks
from bayesic.data.counted_texts import CountedTexts
from bayesic.data.tokens import Tokenizer, named_tokenizer
from bayesic.statistics.text_counts import TextCounts, text_counts
from helpers.comparisons import assert_same
from helpers.environment import environment
from helpers.labelled_rows import quarters_or_zero

VOCABULARY = ("free", "lunch", "rain", "money", "雨", "今天")
N_CLASSES = 3
WHITESPACE = named_tokenizer("whitespace", (1, 1))

texts = st.lists(st.sampled_from(VOCABULARY), max_size=6)
labels = st.integers(0, N_CLASSES - 1)
one_each = st.just(1)


def mails(weights=one_each, min_size=0):
    """Lists of (words, class, weight)."""
    return st.lists(st.tuples(texts, labels, weights), min_size=min_size, max_size=6)


def summarised(mails, weighted=False, tokenizer=WHITESPACE):
    """The statistic of these mails, whose words are taken as they are."""
    texts = CountedTexts([" ".join(words) for words, _, _ in mails], tokenizer)
    codes = np.array([code for _, code, _ in mails], dtype=np.intp)
    weights = np.array([weight for _, _, weight in mails]) if weighted else None
    return text_counts(texts, codes, N_CLASSES, weights)


@given(
    mails(quarters_or_zero, min_size=1),
    st.booleans(),
    st.sampled_from(["reference", "compiled"]),
    st.sampled_from(
        [WHITESPACE, Tokenizer(), Tokenizer(chinese="rjieba"), Tokenizer(ngrams=(1, 2))]
    ),
)
def test_the_counts_are_those_of_counting_by_hand(mails, weighted, kernels, tokenizer):
    with environment(BAYESIC_KERNELS=kernels):
        counted = summarised(mails, weighted, tokenizer)
    occurrences, texts_with, class_count = Counter(), Counter(), Counter()
    for words, code, given_weight in mails:
        weight = given_weight if weighted else 1
        class_count[code] += weight
        for word, times in Counter(tokenizer.tokens(" ".join(words))).items():
            occurrences[word, code] += weight * times
            texts_with[word, code] += weight
    seen = sorted({word for (word, _), amount in occurrences.items() if amount})
    assert counted.words == tuple(seen)
    assert counted.occurrences.dtype == (np.float64 if weighted else np.int64)
    for code in range(N_CLASSES):
        assert counted.class_count[code] == class_count[code]
        assert counted.occurrences[:, code].tolist() == [occurrences[word, code] for word in seen]
        assert counted.texts_with[:, code].tolist() == [texts_with[word, code] for word in seen]


def test_without_weights_counts_are_whole_numbers():
    counted = summarised([(["free", "free"], 0, 1)])
    assert {counted.class_count.dtype, counted.occurrences.dtype, counted.texts_with.dtype} == {
        np.dtype(np.int64)
    }


def test_words_and_texts_that_were_never_learned_cannot_be_taken_away():
    learned = summarised([(["free", "lunch"], 0, 1), (["rain"], 1, 1)])
    with pytest.raises(ValueError, match="the word 'money' was never seen"):
        _ = learned - summarised([(["money", "free"], 0, 1)])
    with pytest.raises(ValueError, match="Only what was learned"):
        _ = learned - summarised([(["free", "free"], 0, 1)])
    with pytest.raises(ValueError, match="Only what was learned"):
        _ = learned - summarised([([], 2, 1)])


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"words": ("rain", "free")}, "sorted order"),
        ({"words": ("free", "free")}, "different"),
        ({"words": ("free",)}, "shape"),
        ({"occurrences": np.array([[0, 0], [0, 1]])}, "must occur"),
        ({"texts_with": np.array([[1, 1], [0, 1]])}, "in the classes where it occurs"),
        ({"texts_with": np.array([[3, 0], [0, 1]])}, "more texts than"),
        ({"class_count": np.array([-1, 3])}, "0 or more"),
    ],
)
def test_what_cannot_have_come_from_counting_is_refused(changes, message):
    counted = TextCounts(
        np.array([2, 1]), ("free", "rain"), np.array([[2, 0], [0, 1]]), np.array([[1, 0], [0, 1]])
    )
    assert counted.checked() is counted
    with pytest.raises(ValueError, match=message):
        replace(counted, **changes).checked()


@pytest.mark.parametrize("weights", [None, np.random.default_rng(1).random(200)])
def test_the_number_of_threads_changes_nothing(weights, monkeypatch):
    monkeypatch.setattr(counted_blocks, "BYTES_PER_BLOCK", 64)
    rng = np.random.default_rng(0)
    texts = CountedTexts([*map(" ".join, rng.choice(VOCABULARY[:4], (200, 5)))], Tokenizer())
    codes = rng.integers(0, N_CLASSES, 200)
    found = []
    for threads in ("1", "4"):
        with environment(BAYESIC_KERNELS="compiled", BAYESIC_THREADS=threads):
            found.append(text_counts(texts, codes, N_CLASSES, weights))
    assert_same(*found)
