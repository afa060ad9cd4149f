"""Texts -> tokens, and how often each of them occurs in each text.

A word is a run of characters that are \\w for `re`, with its case folded; words of a single letter
are left out. Chinese is written without spaces: a run of Chinese characters is cut into words by
rjieba, beside which each pair of neighbours that is no such word counts (no cut is always right: on
titles and reviews this gains up to two points of accuracy); or else into single characters and
pairs of neighbours.
"""

import collections
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from importlib.metadata import version
from importlib.util import find_spec
from itertools import accumulate
from types import ModuleType
from typing import Any

import numpy as np
from scipy import sparse

from bayesic.data.arguments import check_one_of, is_whole_number
from bayesic.data.counted_blocks import Characters, Counter, Rule, counted_texts
from bayesic.data.notices import tell
from bayesic.data.texts import TextBytes, as_texts
from bayesic.kernels import pick
from bayesic.kernels.unicode import HAN_RANGES, WORD, case_folding, character_kinds, spaces

Array = np.ndarray

LANGUAGES = ("auto", "en", "zh")
ANALYZERS = ("word", "char")
OWN = "own"  # the analyzer of a function that the user gives, see own_tokens.py

CUT_BY_RJIEBA = ("rjieba", "rjieba words")  # what is made of Chinese where rjieba is needed

VERSION = 1  # of the rules in this file

LEAST_LETTERS = 2  # of a word that is not Chinese

CHARACTERS_TO_CUT = 2**17  # about so many at a time
FIRST_BYTE_OF_CHINESE = 0xE3  # in UTF-8; other scripts have such bytes too

_HAN = "".join(f"{chr(first)}-{chr(last)}" for first, last in HAN_RANGES)
# not all that lies in these ranges is a character, which depends on the version of Unicode
_RUNS = re.compile(rf"(?P<han>(?:(?=\w)[{_HAN}])+)|(?:(?![{_HAN}])\w)+")
_CHINESE = re.compile(f"[{_HAN}]")
_WORDS = re.compile(r"\w+")
_SPACES = re.compile(r"\s+")


@lru_cache
def chinese_cutter() -> str:
    """What cuts Chinese into words here: rjieba if it is installed, else single characters."""
    return "rjieba" if find_spec("rjieba") is not None else "characters"


@lru_cache
def tell_of_characters() -> None:
    """Say once that Chinese is cut into single characters, and what would do better."""
    tell(
        "rjieba is not installed: Chinese texts are cut into single characters and pairs of "
        "neighbours. pip install 'bayesic[zh]' cuts them into words."
    )


def has_chinese(words: Iterable[str]) -> bool:
    """Whether some of these words are Chinese.

    >>> has_chinese(["free", "雨"]), has_chinese(["free"])
    (True, False)
    """
    return any(_CHINESE.match(word) for word in words)


@dataclass(frozen=True)
class Tokenizer:
    """How texts are cut into tokens.

    language : "auto" and "zh" cut Chinese runs apart, "en" takes them as words
    ngrams   : least and largest number of words (or characters) that make a token
    analyzer : "word", or "char" for runs of characters whatever they are
    chinese  : "characters" for single ones and pairs; "rjieba" for words and the pairs beside them,
               "rjieba words" for words alone; "as words" with "en" or "char"
    """

    language: str = "auto"
    ngrams: tuple[int, int] = (1, 1)
    analyzer: str = "word"
    chinese: str = "characters"

    @property
    def name(self) -> str:
        """What a model file calls it: another name, or another version, may cut otherwise."""
        how = f"bayesic {VERSION}, {self.language}, {self.analyzer}, {self.ngrams}"
        if self.chinese not in CUT_BY_RJIEBA:
            return f"{how}, {self.chinese}"
        return f"{how}, {self.chinese} {version('rjieba')}"

    def tokens(self, text: str) -> list[str]:
        """The tokens of one text, in order.

        >>> Tokenizer().tokens("A free lunch, 今天下雨!")
        ['free', 'lunch', '今', '天', '今天', '下', '天下', '雨', '下雨']
        >>> Tokenizer(ngrams=(1, 2)).tokens("free lunch today")
        ['free', 'lunch', 'today', 'free lunch', 'lunch today']
        >>> Tokenizer(analyzer="char", ngrams=(2, 2)).tokens("Rain")
        ['ra', 'ai', 'in']
        """
        if self.analyzer == "char":
            return _character_tokens(text, self.ngrams)
        if self.language == "en":
            return joined_tokens([*map(str.casefold, _long(_WORDS.findall(text)))], self.ngrams)
        found: list[str] = []
        words: list[str] = []
        for run in _RUNS.finditer(text):
            if run["han"] is not None:
                found += self._chinese_tokens(run["han"].casefold())
            elif len(run[0]) >= LEAST_LETTERS:
                words.append(run[0].casefold())
                if self.ngrams == (1, 1):
                    found.append(words[-1])
        return found if self.ngrams == (1, 1) else found + joined_tokens(words, self.ngrams)

    def _chinese_tokens(self, run: str) -> list[str]:
        if self.chinese in CUT_BY_RJIEBA:
            import rjieba

            words = rjieba.cut(run)
            found = joined_tokens(words, self.ngrams, between="")
            with_pairs = self.chinese == "rjieba" and self.ngrams == (1, 1)
            return found + _pairs_beside(words) if with_pairs else found
        pairs = [run[place : place + 2] for place in range(len(run) - 1)]
        return [run[0], *(token for both in zip(run[1:], pairs, strict=True) for token in both)]


def _pairs_beside(words: Sequence[str]) -> list[str]:
    """The pairs of neighbouring characters in a run of Chinese that are none of its words.

    >>> _pairs_beside(["今天", "不", "下雨"])
    ['天不', '不下']
    """
    run = "".join(words)
    begins = accumulate(map(len, words), initial=0)
    taken = {begin for begin, word in zip(begins, words, strict=False) if len(word) == 2}
    return [run[place : place + 2] for place in range(len(run) - 1) if place not in taken]


def checked_tokenizer(language: Any, ngrams: Any, analyzer: Any) -> Tokenizer:
    """The tokenizer that a user asks for, with the best there is for Chinese.

    >>> checked_tokenizer("en", (1, 2), "word")
    Tokenizer(language='en', ngrams=(1, 2), analyzer='word', chinese='as words')
    """
    check_one_of("language", language, LANGUAGES)
    check_one_of("analyzer", analyzer, ANALYZERS)
    chinese = chinese_cutter() if language != "en" and analyzer == "word" else "as words"
    return Tokenizer(language, checked_ngrams(ngrams), analyzer, chinese)


def checked_ngrams(ngrams: Any) -> tuple[int, int]:
    """The least and the largest number of words to take together.

    >>> checked_ngrams([1, 2])
    (1, 2)
    """
    lengths = tuple(ngrams) if isinstance(ngrams, (tuple, list)) else ()
    whole = all(map(is_whole_number, lengths))
    if len(lengths) != 2 or not whole or not 1 <= lengths[0] <= lengths[1]:
        raise ValueError(
            "ngrams must be the least and the largest number of words to take together, got "
            f"{ngrams!r}. Use (1, 1) for single words, (1, 2) for pairs too."
        )
    return int(lengths[0]), int(lengths[1])


def _long(words: Iterable[str]) -> Iterable[str]:
    return (word for word in words if len(word) >= LEAST_LETTERS)


def joined_tokens(words: Sequence[str], ngrams: tuple[int, int], between: str = " ") -> list[str]:
    """Neighbouring words joined: first all of the least length, then of the next."""
    least, largest = ngrams
    return [
        between.join(words[place : place + length])
        for length in range(least, largest + 1)
        for place in range(len(words) - length + 1)
    ]


def _character_tokens(text: str, ngrams: tuple[int, int]) -> list[str]:
    folded = _SPACES.sub(" ", text.casefold())
    least, largest = ngrams
    return [
        folded[place : place + length]
        for length in range(least, largest + 1)
        for place in range(len(folded) - length + 1)
    ]


@dataclass(frozen=True, eq=False)
class WordMatrix:
    """How often each of some words occurs in each text."""

    counts: sparse.csr_array  # (n_texts, n_words) float64
    words: tuple[str, ...]  # distinct, in any order


def count_words(texts: TextBytes | Sequence[str | None], tokenizer: Tokenizer) -> WordMatrix:
    """The tokens of each text, counted; None has none.

    >>> counted = count_words(["free free lunch", None], Tokenizer())
    >>> counted.words, counted.counts.toarray().tolist()
    (('free', 'lunch'), [[2.0, 1.0], [0.0, 0.0]])
    """
    counter = compiled_counter(texts, tokenizer)
    if counter is None:
        strings = texts.texts() if isinstance(texts, TextBytes) else texts
        return _count_by_dictionary(strings, tokenizer)
    words, entries = counted_texts(counter, as_texts(texts))
    shape = len(texts), len(words)
    return WordMatrix(sparse.csr_array(entries, shape=shape), tuple(words.tolist()))


def compiled_counter(
    texts: TextBytes | Sequence[str | None], tokenizer: Tokenizer
) -> Counter | None:
    """What counts so many texts with compiled kernels, None where `re` and a dictionary do it."""
    if tokenizer.analyzer == OWN:
        return None
    if isinstance(texts, TextBytes):
        size = texts.n_bytes
    else:
        size = sum(len(text) for text in texts if text is not None)
    kernels = pick("words", size)
    if kernels is None or len(texts) == 0:
        return None
    kinds, (fold, several) = character_kinds(), case_folding()
    how, prepare = kernels.HAN_BY_CHARACTERS, _as_they_are
    if tokenizer.analyzer == "char":
        how, prepare = kernels.CHARACTERS, partial(_folded, kernels)
    elif tokenizer.chinese in CUT_BY_RJIEBA and tokenizer.language != "en":
        with_pairs = tokenizer.chinese == "rjieba"
        how = kernels.HAN_BY_CUTS if with_pairs else kernels.HAN_BY_WORDS
        prepare = partial(_cut_by_rjieba, kernels)
    if tokenizer.language == "en":
        kinds = np.minimum(kinds, np.uint8(WORD))
    rule = Rule(LEAST_LETTERS, *tokenizer.ngrams, how)
    return Counter(kernels, rule, Characters(kinds, fold, several), prepare)


def _as_they_are(texts: TextBytes) -> tuple[Array, Array]:
    return texts.data, texts.offsets


def _folded(kernels: ModuleType, texts: TextBytes) -> tuple[Array, Array]:
    return kernels.folded_texts(texts.data, texts.offsets, spaces(), *case_folding())


def _cut_by_rjieba(kernels: ModuleType, texts: TextBytes) -> tuple[Array, Array]:
    """The texts with their runs of Chinese cut into words: all runs at once, a line each."""
    data, offsets, kinds = texts.data, texts.offsets, character_kinds()
    within = data[offsets[0] : offsets[-1]]
    if within.max(initial=0) < FIRST_BYTE_OF_CHINESE:
        return data, offsets
    runs = kernels.chinese_runs(data, offsets, kinds).tobytes().decode()
    if not runs:
        return data, offsets
    import rjieba

    cut = "\0".join("\0".join(rjieba.cut(lines)) for lines in _some_lines_each(runs)).encode()
    return kernels.with_cuts(data, offsets, kinds, np.frombuffer(cut, dtype=np.uint8))


def _some_lines_each(lines: str) -> Iterator[str]:
    """Pieces of whole lines: a list of all their words at once would take much memory."""
    start = 0
    while start < len(lines):
        stop = lines.find("\n", start + CHARACTERS_TO_CUT) + 1 or len(lines)
        yield lines[start:stop]
        start = stop


def with_vocabulary(counted: WordMatrix, vocabulary: Mapping[str, int]) -> sparse.csr_array:
    """The counts of the words of a vocabulary, each in its column; other words are left out.

    >>> counted = count_words(["free lunch"], Tokenizer())
    >>> with_vocabulary(counted, {"rain": 0, "free": 1}).toarray()
    array([[0., 1.]])
    """
    numbers = np.array([vocabulary.get(word, -1) for word in counted.words], dtype=np.intp)
    places = numbers[counted.counts.indices] if len(numbers) else counted.counts.indices
    known = places >= 0
    before = np.concatenate([[0], np.cumsum(known)])
    entries = counted.counts.data[known], places[known], before[counted.counts.indptr]
    return sparse.csr_array(entries, shape=(counted.counts.shape[0], len(vocabulary)))


def _count_by_dictionary(texts: Iterable[str | None], tokenizer: Tokenizer) -> WordMatrix:
    vocabulary: dict[str, int] = {}
    numbers: list[int] = []
    counts: list[int] = []
    ends = [0]
    for text in texts:
        for word, count in collections.Counter(tokenizer.tokens(text) if text else ()).items():
            numbers.append(vocabulary.setdefault(word, len(vocabulary)))
            counts.append(count)
        ends.append(len(numbers))
    entries = np.array(counts, dtype=np.float64), np.array(numbers, dtype=np.intp), np.array(ends)
    matrix = sparse.csr_array(entries, shape=(len(ends) - 1, len(vocabulary)))
    return WordMatrix(matrix, tuple(vocabulary))
