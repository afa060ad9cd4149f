"""Tokens are found again in the text that they come from, whatever it is made of."""

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesic.data.token_spans import token_spans, word_spans
from bayesic.data.tokens import OwnTokenizer, Tokenizer, named_tokenizer

ODD = "ßẞİıŉΣςσǅ_ª²Ⅷ①ＡＢ１a\u0301\u200d👩‍🚀今天下雨我们明日开会\U00020000\ud800\0 \n\t-'’"
texts = st.text(st.characters(exclude_categories=()) | st.sampled_from(ODD), max_size=40)
cutters = st.builds(
    Tokenizer,
    language=st.sampled_from(["auto", "en"]),
    ngrams=st.sampled_from([(1, 1), (1, 2), (2, 3)]),
    analyzer=st.sampled_from(["word", "char"]),
    chinese=st.sampled_from(["characters", "rjieba", "rjieba words"]),
)


def plain(text):
    """What stands in a text, without what stands between words."""
    return "".join(re.findall(r"\w", text.casefold()))


@given(tokenizer=cutters, text=texts)
def test_there_is_a_place_for_every_token_and_the_token_stands_there(tokenizer, text):
    pytest.importorskip("rjieba")
    tokens, spans = tokenizer.tokens(text), token_spans(tokenizer, text)
    assert len(spans) == len(tokens)
    for token, span in zip(tokens, spans, strict=True):
        begin, end = span
        found = text[begin:end]
        if tokenizer.analyzer == "char":  # a part of what one character is folded to may be left
            assert token in re.sub(r"\s+", " ", found.casefold())
        elif tokenizer.ngrams == (1, 1):
            assert found.casefold() == token
        else:  # words of a single letter may stand between those that are joined
            missing = iter(plain(found))
            assert all(letter in missing for letter in plain(token))


@given(tokenizer=cutters, text=texts)
def test_words_do_not_overlap_and_stand_where_tokens_begin_and_end(tokenizer, text):
    pytest.importorskip("rjieba")
    words = word_spans(tokenizer, text)
    assert all(end <= begin for (_, end), (begin, _) in pairwise(words))
    covered = {place for begin, end in words for place in range(begin, end)}
    for begin, end in token_spans(tokenizer, text):
        assert {begin, end - 1} <= covered


def test_chinese_is_cut_as_the_model_cuts_it():
    rjieba = pytest.importorskip("rjieba")
    text = "会议：今天下雨，free lunch 取消！"
    words = [text[begin:end] for begin, end in word_spans(Tokenizer(chinese="rjieba"), text)]
    chinese = [word for run in ("会议", "今天下雨") for word in rjieba.cut(run)]
    assert words == [*chinese, "free", "lunch", *rjieba.cut("取消")]
    single = [text[begin:end] for begin, end in word_spans(Tokenizer(), text)]
    assert single == [*"会议今天下雨", "free", "lunch", *"取消"]


def test_places_are_those_of_the_text_before_its_case_is_folded():
    text = "STRASSE Straße ﬁne ＦＲＥＥ 👩‍🚀 rain"
    found = [text[begin:end] for begin, end in token_spans(Tokenizer(), text)]
    assert found == ["STRASSE", "Straße", "ﬁne", "ＦＲＥＥ", "rain"]


def test_pairs_of_words_reach_over_what_is_between_them():
    text = "free – 2 lunches"
    assert Tokenizer(ngrams=(2, 2)).tokens(text) == ["free lunches"]
    assert token_spans(Tokenizer(ngrams=(2, 2)), text) == [(0, len(text))]


def test_characters_know_joined_spaces_and_letters_that_become_two():
    tokenizer = Tokenizer(analyzer="char", ngrams=(2, 2))
    assert tokenizer.tokens("ß \n a") == ["ss", "s ", " a"]
    assert token_spans(tokenizer, "ß \n a") == [(0, 1), (0, 4), (1, 5)]


def test_words_of_a_function_are_looked_for_one_after_the_other():
    text = "No, no: RAIN no"
    spans = token_spans(named_tokenizer("whitespace", (1, 2)), text)
    assert [text[begin:end] for begin, end in spans[:4]] == text.split()
    assert text[slice(*spans[4])] == "No, no:"
    folded = OwnTokenizer("folded", cut=lambda words: words.lower().split())
    assert token_spans(folded, "Free RAIN") == [(0, 4), (5, 9)]
    stems = OwnTokenizer("stems", cut=lambda words: ["rain", "<snow>", "sun"])
    assert token_spans(stems, "rain and sun") == [(0, 4), None, (9, 12)]
    assert word_spans(stems, "rain and sun") == [(0, 4), (9, 12)]
