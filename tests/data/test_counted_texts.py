"""Texts counted as it is asked: the same words by class, by text, and among known words."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bayesic.data.counted_blocks import LONG
from bayesic.data.counted_texts import CountedTexts, KnownWords
from bayesic.data.tokens import Tokenizer, named_tokenizer
from helpers.environment import environment
from helpers.examples import at_most

# words that begin alike, that are odd when folded, and characters that sort before the end of lines
PIECES = ["free", "freedom", "Free", "ß", "Straße", "İ", "雨", "下雨", "\U00020000", "\ud800", "é"]
PIECES += [" ", ", ", "\n", "\0", "\x01", "e" * (LONG + 3), "e" * LONG]
texts = st.lists(st.lists(st.sampled_from(PIECES), max_size=8).map("".join), min_size=1, max_size=5)
tokenizers = st.sampled_from(
    [
        Tokenizer(),
        Tokenizer(language="en", chinese="as words", ngrams=(1, 3)),
        Tokenizer(chinese="rjieba"),
        Tokenizer(chinese="rjieba words", ngrams=(1, 2)),
        Tokenizer(analyzer="char", chinese="as words", ngrams=(1, 3)),
        named_tokenizer("whitespace", (1, 2)),
    ]
)
KERNELS = ["reference", "compiled"]


@given(texts, tokenizers, st.sampled_from(KERNELS))
@at_most(300)
@example(["e" * 200, "e" * 199 + "f", "e" * 201], Tokenizer(), "compiled")
def test_words_by_class_are_in_sorted_order(given_texts, tokenizer, kernels):
    expected = sorted({word for text in given_texts for word in tokenizer.tokens(text)})
    with environment(BAYESIC_KERNELS=kernels):
        words, occurrences, texts_with = CountedTexts(given_texts, tokenizer).by_class(
            np.arange(len(given_texts)), len(given_texts)
        )
    assert words == tuple(expected)
    tokens = [tokenizer.tokens(text) for text in given_texts]
    assert occurrences.tolist() == [[cut.count(word) for cut in tokens] for word in expected]
    assert texts_with.tolist() == [[word in cut for cut in tokens] for word in expected]


@given(texts, texts, tokenizers, st.sampled_from(KERNELS))
@at_most(300)
def test_the_words_of_texts_are_found_among_known_ones(learned, asked, tokenizer, kernels):
    known = sorted({word for text in learned for word in tokenizer.tokens(text)})
    with environment(BAYESIC_KERNELS=kernels):
        counted = CountedTexts(asked, tokenizer)
        places = KnownWords(tuple(known), tokenizer).places_in(counted)
        assert places.tolist() == [
            known.index(word) if word in known else -1 for word in counted.words
        ]
        counts = KnownWords(tuple(known), tokenizer).counts(counted)
    tokens = [tokenizer.tokens(text) for text in asked]
    assert counts.toarray().tolist() == [[cut.count(word) for word in known] for cut in tokens]


def test_places_are_minus_one_for_unknown_words():
    many = tuple(sorted([*map(str, range(100)), "雨"]))
    for words in (("5", "snow", "雨", "龙"), ("snow", "", *many)):
        expected = [many.index(word) if word in many else -1 for word in words]
        assert KnownWords(many).places(words).tolist() == expected


@pytest.mark.parametrize("kernels", KERNELS)
def test_a_part_of_texts_and_their_strings(kernels):
    with environment(BAYESIC_KERNELS=kernels):
        texts = CountedTexts(["rain", None, "free rain"], Tokenizer())
        assert texts.shape == (3, 1)
        part = texts.part(slice(1, 3))
        assert (part.strings(), sorted(part.words)) == ([None, "free rain"], ["free", "rain"])
        words, counts = texts.in_order
        assert (words, counts.toarray().tolist()) == (("free", "rain"), [[0, 1], [0, 0], [1, 1]])


def test_words_are_not_cut_out_to_look_up_what_a_model_knows():
    texts = CountedTexts(["free lunch", "rain"], Tokenizer())
    with environment(BAYESIC_KERNELS="compiled"):
        assert sorted(KnownWords(("free", "rain")).places_in(texts).tolist()) == [-1, 0, 1]
        words, _ = texts._by_text
        assert "_lines" not in vars(words)
        assert sorted(texts.words) == ["free", "lunch", "rain"]
