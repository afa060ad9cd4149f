"""Text -> words: English, Chinese, and both in one text."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesic.data.words import word_counts, words

texts = st.text(st.sampled_from("free Lunch今天下雨, !1é_\n"), max_size=20)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" ,.! \n", []),
        ("Free LUNCH free", ["free", "lunch", "free"]),
        ("don't", ["don", "t"]),
        ("Straße STRASSE", ["strasse", "strasse"]),
        ("win 1000 $", ["win", "1000"]),
        ("雨", ["雨"]),
        ("今天下雨", ["今", "天", "下", "雨", "今天", "天下", "下雨"]),
        ("今天,下雨", ["今", "天", "今天", "下", "雨", "下雨"]),
        ("VIP会员", ["vip", "会", "员", "会员"]),
        ("Привет мир", ["привет", "мир"]),
    ],
)
def test_words_of_a_text(text, expected):
    assert words(text) == expected


@given(text=texts)
def test_words_are_in_lower_case_and_hold_no_space(text):
    for word in words(text):
        assert word and word == word.casefold()
        assert not any(character.isspace() for character in word)


@given(some=st.lists(st.none() | texts, max_size=5))
def test_counts_are_those_of_the_words(some):
    vocabulary = {}
    matrix = word_counts(some, vocabulary, grow=True).toarray()
    assert matrix.shape == (len(some), len(vocabulary))
    for row, text in zip(matrix, some, strict=True):
        counts = {word: row[number] for word, number in vocabulary.items() if row[number]}
        assert counts == Counter(words(text or ""))


@given(text=texts)
def test_words_outside_of_a_fixed_vocabulary_are_left_out(text):
    vocabulary = {"free": 0, "雨": 1}
    matrix = word_counts([text], vocabulary).toarray()
    counts = Counter(words(text))
    assert matrix.tolist() == [[counts["free"], counts["雨"]]]
    assert vocabulary == {"free": 0, "雨": 1}
