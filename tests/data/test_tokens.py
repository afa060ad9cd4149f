"""Texts become tokens, the same by `re` and by the compiled kernels."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.feature_extraction.text import CountVectorizer

from bayesic.data import counted_blocks
from bayesic.data.counted_texts import CountedTexts
from bayesic.data.tokens import Tokenizer
from bayesic.kernels.unicode import HAN, HAN_RANGES, WORD, case_folding, character_kinds, spaces
from helpers.environment import environment
from helpers.examples import at_most

# all of Unicode, lone surrogates too, and characters that are odd when folded or joined
ODD = "\U0003134bßẞİıŉΣςσǅ﹍_ª²Ⅷ①a\u0301\u200d👩‍🚀🇨🇳今天雨\U00020000\ud800\udfff\0 \n\t-'’"
characters = st.characters(exclude_categories=()) | st.sampled_from(ODD)
texts = st.lists(st.none() | st.text(characters, max_size=30), min_size=1, max_size=5)


def as_dicts(counted: CountedTexts) -> list[dict[str, float]]:
    """The words of each text with their numbers."""
    matrix = counted.counts
    assert len(set(counted.words)) == len(counted.words)
    return [
        {
            counted.words[place]: float(count)
            for place, count in zip(
                matrix.indices[matrix.indptr[row] : matrix.indptr[row + 1]],
                matrix.data[matrix.indptr[row] : matrix.indptr[row + 1]],
                strict=True,
            )
        }
        for row in range(matrix.shape[0])
    ]


def counted_by(kernels, given_texts, tokenizer):
    with environment(BAYESIC_KERNELS=kernels):
        return as_dicts(CountedTexts(given_texts, tokenizer))


# words ------------------------------------------------------------------------------------------


@given(given_texts=texts, language=st.sampled_from(["auto", "en"]))
def test_compiled_and_reference_find_the_same_words_in_every_text(given_texts, language):
    tokenizer = Tokenizer(language=language)
    assert counted_by("compiled", given_texts, tokenizer) == counted_by(
        "reference", given_texts, tokenizer
    )


@given(given_texts=st.lists(st.text(characters, max_size=30), min_size=1, max_size=6))
def test_blocks_of_any_size_give_the_same_counts(given_texts):
    whole = counted_by("compiled", given_texts, Tokenizer())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(counted_blocks, "BYTES_PER_BLOCK", 16)
        assert counted_by("compiled", given_texts, Tokenizer()) == whole


def test_every_character_is_a_word_character_if_re_says_so():
    kinds = character_kinds()
    everything = [chr(code) for code in range(0x110000)]
    is_word = np.array([re.match(r"\w", character) is not None for character in everything])
    np.testing.assert_array_equal(kinds != 0, is_word)
    in_ranges = np.zeros(len(kinds), dtype=bool)
    for first, last in HAN_RANGES:
        in_ranges[first : last + 1] = True
    np.testing.assert_array_equal(kinds == HAN, is_word & in_ranges)
    np.testing.assert_array_equal(kinds == WORD, is_word & ~in_ranges)


def test_every_character_folds_as_python_folds_it():
    fold, several = case_folding()
    for code in range(0x110000):
        if fold[code] >= 0:
            assert chr(code).casefold() == chr(fold[code])
        else:
            row = several[-1 - fold[code]]
            assert chr(code).casefold() == "".join(map(chr, row[row > 0]))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Free lunch, free!", ["free", "lunch", "free"]),
        ("I am a man", ["am", "man"]),
        ("STRASSE Straße", ["strasse", "strasse"]),
        ("今天", ["今", "天", "今天"]),
        ("雨", ["雨"]),
        ("iPhone手机", ["iphone", "手", "机", "手机"]),
        ("", []),
        ("?! \n", []),
        ("don't stop", ["don", "stop"]),
        ("x_1 3d", ["x_1", "3d"]),
    ],
)
def test_words_of_a_text(text, words):
    assert Tokenizer().tokens(text) == words


@given(given_texts=st.lists(st.text(max_size=30), min_size=1, max_size=5))
def test_without_chinese_the_words_are_those_of_scikit_learn(given_texts):
    given_texts = [re.sub(r"[^\x00-\u02ff]", " ", text) for text in given_texts] + ["free lunch"]
    theirs = CountVectorizer(preprocessor=str.casefold).build_analyzer()
    ours = Tokenizer(language="en")
    # a letter such as İ becomes two, one of which is no letter: there they cut the word
    for text in given_texts:
        if len(text.casefold()) == len(text):
            assert ours.tokens(text) == theirs(text)


# n-grams and characters -------------------------------------------------------------------------


def test_neighbouring_words_make_n_grams():
    tokenizer = Tokenizer(ngrams=(2, 3))
    assert tokenizer.tokens("no free lunch today") == [
        "no free", "free lunch", "lunch today", "no free lunch", "free lunch today",
    ]  # fmt: skip


@given(words=st.lists(st.sampled_from(["rain", "free", "Lunch", "spam"]), max_size=6))
def test_n_grams_are_those_of_scikit_learn(words):
    text = " ".join(words)
    theirs = CountVectorizer(ngram_range=(1, 3)).build_analyzer()(text)
    assert Tokenizer(ngrams=(1, 3)).tokens(text) == theirs


@given(text=st.text(st.sampled_from("ab C雨"), max_size=12))
def test_characters_are_those_of_scikit_learn(text):
    theirs = CountVectorizer(analyzer="char", ngram_range=(1, 3)).build_analyzer()(text)
    assert Tokenizer(analyzer="char", ngrams=(1, 3)).tokens(text) == theirs


tokenizers = st.builds(
    Tokenizer,
    language=st.sampled_from(["auto", "en"]),
    ngrams=st.sampled_from([(1, 1), (1, 2), (1, 3), (2, 2), (2, 4), (3, 3), (1, 99)]),
    analyzer=st.sampled_from(["word", "char"]),
    chinese=st.sampled_from(["characters", "rjieba", "rjieba words"]),
)
# words with one letter, folded to several, with Chinese in between
PIECES = [
    "free",
    "Lunch",
    "a",
    "ß",
    "Straße",
    " ",
    ", ",
    "\n \n",
    "\x1c",
    "今天",
    "下雨",
    "雨",
    "İ",
    "\0",
]
mixed_texts = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)


@given(given_texts=texts, tokenizer=tokenizers)
@at_most(300)
def test_compiled_and_reference_find_the_same_n_grams_in_every_text(given_texts, tokenizer):
    assert counted_by("compiled", given_texts, tokenizer) == counted_by(
        "reference", given_texts, tokenizer
    )


@given(given_texts=st.lists(mixed_texts, min_size=1, max_size=4), tokenizer=tokenizers)
@at_most(300)
def test_the_same_n_grams_in_texts_of_words_and_chinese(given_texts, tokenizer):
    assert counted_by("compiled", given_texts, tokenizer) == counted_by(
        "reference", given_texts, tokenizer
    )


def test_n_grams_of_a_long_text_among_short_ones():
    long = " ".join(f"word{number % 1000}" for number in range(30_000))
    given_texts = ["free lunch", long, "rain", long + " 今天下雨"]
    for tokenizer in (Tokenizer(ngrams=(1, 2)), Tokenizer(analyzer="char", ngrams=(1, 4))):
        assert counted_by("compiled", given_texts, tokenizer) == counted_by(
            "reference", given_texts, tokenizer
        )


def test_folding_leaves_chinese_as_it_is_and_makes_no_spaces():
    kinds = character_kinds()
    for code in range(0x110000):
        folded = chr(code).casefold()
        assert folded.casefold() == folded
        assert kinds[code] != HAN or folded == chr(code)
        assert folded == chr(code) or not any(map(str.isspace, folded))
        # room for folded texts
        assert len(folded.encode("utf-8", "surrogatepass")) <= 3 * len(
            chr(code).encode("utf-8", "surrogatepass")
        )


def test_every_character_is_a_space_if_re_says_so():
    everything = [chr(code) for code in range(0x110000)]
    is_space = [re.match(r"\s", character) is not None for character in everything]
    assert spaces().tolist() == is_space


@pytest.mark.parametrize("kernels", ["reference", "compiled"])
def test_a_text_that_is_none_or_empty_has_no_words(kernels):
    assert counted_by(kernels, [None, "", "rain rain"], Tokenizer()) == [{}, {}, {"rain": 2.0}]


@pytest.mark.parametrize("kernels", ["reference", "compiled"])
def test_a_line_of_a_million_characters_is_one_text(kernels):
    assert counted_by(kernels, ["rain " * 200_000], Tokenizer()) == [{"rain": 200_000.0}]
    assert counted_by(kernels, ["a" * 1_000_000], Tokenizer()) == [{"a" * 1_000_000: 1.0}]


# Chinese words ------------------------------------------------------------------------------------


def test_rjieba_cuts_chinese_into_words_run_by_run():
    tokenizer = Tokenizer(chinese="rjieba")
    assert tokenizer.tokens("今天下雨, free iPhone手机") == [
        *("今天", "下雨", "天下"),  # words, and the pairs of neighbours that are none
        *("free", "iphone"),
        "手机",
    ]
    assert Tokenizer(chinese="rjieba", ngrams=(1, 2)).tokens("今天下雨") == [
        *("今天", "下雨"),
        "今天下雨",
    ]
    assert "rjieba" in tokenizer.name


def test_words_alone_have_no_pairs_beside_them():
    assert Tokenizer(chinese="rjieba words").tokens("今天下雨, free iPhone手机") == [
        *("今天", "下雨", "free", "iphone", "手机"),
    ]
    plain, alone = (Tokenizer(chinese=how, ngrams=(1, 2)) for how in ("rjieba", "rjieba words"))
    assert alone.tokens("今天下雨") == plain.tokens("今天下雨")


@given(given_texts=texts, chinese=st.sampled_from(["rjieba", "rjieba words"]))
def test_with_rjieba_too_both_ways_find_the_same_words(given_texts, chinese):
    tokenizer = Tokenizer(chinese=chinese)
    assert counted_by("compiled", given_texts, tokenizer) == counted_by(
        "reference", given_texts, tokenizer
    )


def test_long_chinese_is_cut_piece_by_piece(monkeypatch):
    given_texts = ["今天下雨, 手机\n" * 50, "今天" * 100, "free 下雨"]
    expected = counted_by("reference", given_texts, Tokenizer(chinese="rjieba"))
    monkeypatch.setattr(counted_blocks, "CHARACTERS_TO_CUT", 5)
    assert counted_by("compiled", given_texts, Tokenizer(chinese="rjieba")) == expected


def test_texts_with_and_without_chinese_keep_their_order():
    given_texts = ["free lunch", "今天下雨", None, "rain rain", "下雨", ""]
    expected = [{"free": 1.0, "lunch": 1.0}, {"今天": 1.0, "下雨": 1.0, "天下": 1.0}, {}]
    expected += [{"rain": 2.0}, {"下雨": 1.0}, {}]
    assert counted_by("compiled", given_texts, Tokenizer(chinese="rjieba")) == expected
