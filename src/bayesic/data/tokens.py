"""Texts -> tokens, and how often each of them occurs in each text.

A word is a run of characters that are \\w for `re`, with its case folded; words of a single letter
are left out. Chinese is written without spaces: a run of Chinese characters is cut into words by
rjieba, or else into single characters and pairs of neighbours.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import version
from importlib.util import find_spec
from itertools import pairwise
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from bayesic.data.arguments import check_one_of, is_whole_number
from bayesic.data.blocks import in_threads
from bayesic.data.notices import tell
from bayesic.data.texts import TextBytes, as_texts
from bayesic.kernels import word_kernels_for
from bayesic.kernels.unicode import HAN_RANGES, WORD, case_folding, character_kinds

Array = np.ndarray

LANGUAGES = ("auto", "en", "zh")
ANALYZERS = ("word", "char")

VERSION = 1  # of the rules in this file

LEAST_LETTERS = 2  # of a word that is not Chinese

# Blocks of texts that are tokenised side by side have about this many bytes.
BYTES_PER_BLOCK = 2**22

# A step of the other kernels is one cell for one class; a character takes as long as this many.
STEPS_PER_CHARACTER = 8

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
    chinese  : "characters" for single ones and pairs, or "rjieba"; "as words" with "en" or "char"
    """

    language: str = "auto"
    ngrams: tuple[int, int] = (1, 1)
    analyzer: str = "word"
    chinese: str = "characters"

    @property
    def name(self) -> str:
        """What a model file calls it: another name, or another version, may cut otherwise."""
        how = f"bayesic {VERSION}, {self.language}, {self.analyzer}, {self.ngrams}"
        if self.chinese != "rjieba":
            return f"{how}, {self.chinese}"
        return f"{how}, rjieba {version('rjieba')}"

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
            return _joined([*map(str.casefold, _long(_WORDS.findall(text)))], self.ngrams)
        found: list[str] = []
        words: list[str] = []
        for run in _RUNS.finditer(text):
            if run["han"] is not None:
                found += self._chinese_tokens(run["han"].casefold())
            elif len(run[0]) >= LEAST_LETTERS:
                words.append(run[0].casefold())
                if self.ngrams == (1, 1):
                    found.append(words[-1])
        return found if self.ngrams == (1, 1) else found + _joined(words, self.ngrams)

    def _chinese_tokens(self, run: str) -> list[str]:
        if self.chinese == "rjieba":
            import rjieba

            return _joined(rjieba.cut(run), self.ngrams, between="")
        pairs = [run[place : place + 2] for place in range(len(run) - 1)]
        return [run[0], *(token for both in zip(run[1:], pairs, strict=True) for token in both)]


def checked_tokenizer(language: Any, ngrams: Any, analyzer: Any) -> Tokenizer:
    """The tokenizer that a user asks for, with the best there is for Chinese.

    >>> checked_tokenizer("en", (1, 2), "word")
    Tokenizer(language='en', ngrams=(1, 2), analyzer='word', chinese='as words')
    """
    check_one_of("language", language, LANGUAGES)
    check_one_of("analyzer", analyzer, ANALYZERS)
    lengths = tuple(ngrams) if isinstance(ngrams, (tuple, list)) else ()
    whole = all(map(is_whole_number, lengths))
    if len(lengths) != 2 or not whole or not 1 <= lengths[0] <= lengths[1]:
        raise ValueError(
            "ngrams must be the least and the largest number of words to take together, got "
            f"{ngrams!r}. Use (1, 1) for single words, (1, 2) for pairs too."
        )
    chinese = chinese_cutter() if language != "en" and analyzer == "word" else "as words"
    return Tokenizer(language, (int(lengths[0]), int(lengths[1])), analyzer, chinese)


def _long(words: Iterable[str]) -> Iterable[str]:
    return (word for word in words if len(word) >= LEAST_LETTERS)


def _joined(words: Sequence[str], ngrams: tuple[int, int], between: str = " ") -> list[str]:
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
    if isinstance(texts, TextBytes):
        size = texts.n_bytes
    else:
        size = sum(len(text) for text in texts if text is not None)
    kernels = word_kernels_for(STEPS_PER_CHARACTER * size)
    if kernels is None or not _can_be_compiled(tokenizer) or len(texts) == 0:
        strings = texts.texts() if isinstance(texts, TextBytes) else texts
        return _count_by_dictionary(strings, tokenizer)
    as_bytes = as_texts(texts)
    chinese = _rows_with_chinese(as_bytes) if tokenizer.chinese == "rjieba" else np.zeros(0, bool)
    if chinese.any():
        return _count_mixed(kernels, as_bytes, chinese, tokenizer)
    return _count_compiled(kernels, as_bytes, tokenizer)


def _count_mixed(
    kernels: ModuleType, texts: TextBytes, chinese: Array, tokenizer: Tokenizer
) -> WordMatrix:
    """Texts with Chinese in them by rjieba, the others by the kernels."""
    strings, rows = texts.texts(), (np.flatnonzero(~chinese), np.flatnonzero(chinese))
    others, theirs = ([strings[row] for row in part.tolist()] for part in rows)
    counted = [_count_by_dictionary(theirs, tokenizer)]
    if others:
        counted.insert(0, _count_compiled(kernels, as_texts(others), tokenizer))
    words = dict.fromkeys(word for part in counted for word in part.words)
    vocabulary = {word: number for number, word in enumerate(words)}
    below = sparse.vstack([with_vocabulary(part, vocabulary) for part in counted], format="csr")
    in_order = np.argsort(np.concatenate(rows if others else rows[1:]))
    return WordMatrix(sparse.csr_array(below[in_order]), tuple(vocabulary))


def _rows_with_chinese(texts: TextBytes) -> Array:
    """Which texts may have Chinese characters in them, seen from the first bytes of these."""
    chinese = np.zeros(len(texts), dtype=bool)
    for rows in _blocks_of_bytes(texts.offsets):
        offsets = texts.offsets[rows.start : rows.stop + 1]
        data = texts.data[offsets[0] : offsets[-1]]
        # U+3000 to U+9FFF, U+F900 to U+FAFF, and all beyond U+10000
        found = np.flatnonzero(((data >= 0xE3) & (data <= 0xE9)) | (data >= 0xEF))
        chinese[rows.start + np.searchsorted(offsets - offsets[0], found, side="right") - 1] = True
    return chinese


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


def _can_be_compiled(tokenizer: Tokenizer) -> bool:
    return tokenizer.ngrams == (1, 1) and tokenizer.analyzer == "word"


def _count_by_dictionary(texts: Iterable[str | None], tokenizer: Tokenizer) -> WordMatrix:
    vocabulary: dict[str, int] = {}
    numbers: list[int] = []
    counts: list[int] = []
    ends = [0]
    for text in texts:
        for word, count in Counter(tokenizer.tokens(text) if text else ()).items():
            numbers.append(vocabulary.setdefault(word, len(vocabulary)))
            counts.append(count)
        ends.append(len(numbers))
    entries = np.array(counts, dtype=np.float64), np.array(numbers, dtype=np.intp), np.array(ends)
    matrix = sparse.csr_array(entries, shape=(len(ends) - 1, len(vocabulary)))
    return WordMatrix(matrix, tuple(vocabulary))


def _count_compiled(kernels: ModuleType, texts: TextBytes, tokenizer: Tokenizer) -> WordMatrix:
    """The same by compiled kernels, over blocks of bytes; a word is known by its 64-bit hash."""
    kinds, folding = character_kinds(), case_folding()
    if tokenizer.language == "en":
        kinds = np.minimum(kinds, np.uint8(WORD))

    def count(rows: slice) -> CountedBlock:
        offsets = texts.offsets[rows.start : rows.stop + 1]
        counted = kernels.counted_tokens(texts.data, offsets, kinds, *folding, LEAST_LETTERS)
        return CountedBlock(texts.data, *counted)

    return _together(kernels, [*in_threads(count, _blocks_of_bytes(texts.offsets))])


class CountedBlock(NamedTuple):
    """The tokens of a block: a sparse matrix, and where each different token first occurs."""

    data: Array
    ends: Array  # (n_texts + 1,)
    tokens: Array  # (n_entries,)
    counts: Array  # (n_entries,)
    different: Array  # uint64 (n_different, 3)  hash, first byte and end of each different token

    def words(self, kernels: ModuleType, numbers: Array) -> list[str]:
        """The texts of these tokens: cut out, decoded and folded all at once."""
        _, starts, stops = self.different[numbers].T.astype(np.int64)
        lines = kernels.lines_of(self.data, starts, stops)
        return lines.tobytes().decode("utf-8", "surrogatepass").casefold().split("\n")[:-1]


def _blocks_of_bytes(offsets: Array) -> list[slice]:
    """Rows in blocks of about BYTES_PER_BLOCK."""
    marks = np.arange(offsets[0], offsets[-1] + 1, BYTES_PER_BLOCK)
    cuts = np.unique([*np.searchsorted(offsets, marks), len(offsets) - 1]).tolist()
    return [slice(first, last) for first, last in pairwise(sorted({0, *cuts}))]


def _together(kernels: ModuleType, blocks: list[CountedBlock]) -> WordMatrix:
    """The matrices of all blocks below each other, with one vocabulary."""
    hashes = np.concatenate([block.different[:, 0] for block in blocks])
    _, first, numbers = np.unique(hashes, return_index=True, return_inverse=True)
    begins = np.cumsum([0, *(len(block.different) for block in blocks)])
    owner = np.searchsorted(begins, first, side="right") - 1
    words = np.empty(len(first), dtype=object)
    for number, block in enumerate(blocks):
        words[owner == number] = block.words(kernels, first[owner == number] - begins[number])
    indices = [
        numbers[begin : begin + len(block.different)][block.tokens]
        for begin, block in zip(begins[:-1].tolist(), blocks, strict=True)
    ]
    n_entries = np.cumsum([0, *(len(block.tokens) for block in blocks)])
    ends = [block.ends[1:] + before for block, before in zip(blocks, n_entries[:-1], strict=True)]
    entries = (
        np.concatenate([block.counts for block in blocks]).astype(np.float64),
        np.concatenate(indices),
        np.concatenate([[0], *ends]),
    )
    shape = len(entries[2]) - 1, len(words)
    return WordMatrix(sparse.csr_array(entries, shape=shape), tuple(words.tolist()))
