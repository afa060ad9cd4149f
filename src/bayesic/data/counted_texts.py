"""Texts, and how often each of their words occurs: in each text, or in the texts of each class."""

import collections
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy import sparse

from bayesic.data.counted_blocks import Counter, WordLines, counter_of
from bayesic.data.sorted_words import SortedWords
from bayesic.data.texts import TextBytes, as_texts
from bayesic.data.tokens import OwnTokenizer, Tokenizer
from bayesic.kernels import Array, pick

WordsByClass = tuple[tuple[str, ...], Array, Array]

PLAIN = Tokenizer()


@dataclass(frozen=True, eq=False)
class CountedTexts:
    """Texts whose words are counted once somebody asks, and as it is asked.

    None is a text without words.

    >>> texts = CountedTexts(["rain, free rain", None], Tokenizer())
    >>> texts.words, texts.counts.toarray().tolist()
    (('rain', 'free'), [[2.0, 1.0], [0.0, 0.0]])
    """

    texts: TextBytes | Sequence[str | None]
    tokenizer: Tokenizer | OwnTokenizer

    @property
    def shape(self) -> tuple[int, int]:
        """How many texts there are, in one column."""
        return len(self.texts), 1

    def part(self, rows: slice) -> "CountedTexts":
        """Some of the texts, which follow one another."""
        texts = self.texts
        some = texts.part(rows) if isinstance(texts, TextBytes) else texts[rows]
        return CountedTexts(some, self.tokenizer)

    def at(self, rows: Array) -> "CountedTexts":
        """The texts with these numbers."""
        texts = self.texts
        if isinstance(texts, TextBytes):
            return CountedTexts([texts.text(row) for row in rows.tolist()], self.tokenizer)
        return CountedTexts([texts[row] for row in rows.tolist()], self.tokenizer)

    def strings(self) -> Sequence[str | None]:
        """The texts as Python strings."""
        return self.texts.texts() if isinstance(self.texts, TextBytes) else self.texts

    # by text --------------------------------------------------------------------------------

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The different words of all texts, in any order."""
        return self._by_text[0].strings()

    @property
    def hashes(self) -> Array:
        """The hash of each word, if compiled kernels have counted them: uint64 (n_words,)."""
        return self._by_text[0].hashes

    @property
    def counts(self) -> sparse.csr_array:
        """How often each text has each of the words: (n_texts, n_words) float64."""
        return self._by_text[1]

    @property
    def lengths(self) -> Array:
        """How many words each text has: (n_texts,).

        >>> CountedTexts(["rain, free rain", None], Tokenizer()).lengths
        array([3., 0.])
        """
        return self.counts.sum(axis=1)

    @cached_property
    def in_order(self) -> tuple[tuple[str, ...], sparse.csr_array]:
        """Words and counts, with the words in sorted order."""
        words, counts = self._by_text
        order = words.in_order()
        place = np.empty(len(order), dtype=np.intp)
        place[order] = np.arange(len(order))
        parts = counts.data, place[counts.indices], counts.indptr
        return words.strings(order), sparse.csr_array(parts, shape=counts.shape)

    @cached_property
    def _by_text(self) -> tuple["WordLines | _WordList", sparse.csr_array]:
        if self.counter is None:
            return _count_by_dictionary(self.strings(), self.tokenizer)
        words, entries = self.counter.by_text(as_texts(self.texts))
        return words, sparse.csr_array(entries, shape=(len(self.texts), len(words.hashes)))

    # by class -------------------------------------------------------------------------------

    def by_class(self, codes: Array, n_classes: int, weights: Array | None = None) -> WordsByClass:
        """The words in sorted order, how often each occurs in the texts of each class, and how
        many of these have it: (n_words, n_classes) each.

        codes, weights : (n_texts,), the class and the weight of each text

        >>> CountedTexts(["rain", "free rain"], Tokenizer()).by_class(np.array([0, 0]), 1)
        (('free', 'rain'), array([[1.], [2.]]), array([[1.], [2.]]))
        """
        if self.counter is None and len(self.texts) == 1:
            return self._one_by_class(codes.item(), n_classes, weights)
        if self.counter is None:
            words, counts = self.in_order
            return words, *sums_by_class(counts, codes, n_classes, weights)
        return self.counter.by_class(as_texts(self.texts), codes, n_classes, weights)

    def _one_by_class(self, code: int, n_classes: int, weights: Array | None) -> WordsByClass:
        """The same for a single text."""
        [text] = self.strings()
        counted = collections.Counter(self.tokenizer.tokens(text) if text else ())
        words = tuple(sorted(counted))
        times = np.fromiter(map(counted.__getitem__, words), np.float64, len(words))
        tables = np.zeros((2, len(words), n_classes))
        tables[0, :, code], tables[1, :, code] = times, np.minimum(times, 1.0)
        if weights is not None:
            tables *= weights.item()
        return words, tables[0], tables[1]

    @cached_property
    def counter(self) -> Counter | None:
        """What counts this many texts with compiled kernels, None where a dictionary does it."""
        if isinstance(self.tokenizer, OwnTokenizer):
            return None
        if isinstance(self.texts, TextBytes):
            size = self.texts.n_bytes
        else:
            size = sum(len(text) for text in self.texts if text is not None)
        kernels = pick("words", size)
        if kernels is None or len(self.texts) == 0:
            return None
        return counter_of(kernels, self.tokenizer)


class _WordList(NamedTuple):
    """Different words as strings; as `WordLines` otherwise."""

    words: Sequence[str]
    hashes: Array = np.empty(0, np.uint64)  # nobody has asked for them

    def strings(self, order: Array | None = None) -> tuple[str, ...]:
        """The words in this order, or in their own."""
        return tuple(self.words if order is None else map(self.words.__getitem__, order.tolist()))

    def in_order(self) -> Array:
        """The numbers of the words in sorted order."""
        return np.array(sorted(range(len(self.words)), key=self.words.__getitem__), dtype=np.intp)


def sums_by_class(
    counts: sparse.csr_array, codes: Array, n_classes: int, weights: Array | None = None
) -> tuple[Array, Array]:
    """The two tables of `CountedTexts.by_class`, from the counts of each text: (n_texts, n_words).

    >>> sums_by_class(sparse.csr_array([[2.0], [1.0]]), np.array([1, 1]), n_classes=2)
    (array([[0., 3.]]), array([[0., 2.]]))
    """
    n_words = counts.shape[1]
    text = np.repeat(np.arange(len(codes)), np.diff(counts.indptr))
    cells = counts.indices.astype(np.intp) * n_classes + codes[text]

    def table_of(entries: Array) -> Array:
        weighed = entries if weights is None else entries * weights[text]
        sums = np.bincount(cells, weighed, minlength=n_words * n_classes)
        # NumPy counts nothing in whole numbers, weights or not
        return sums.reshape(n_words, n_classes).astype(np.float64, copy=False)

    return table_of(counts.data), table_of(np.minimum(counts.data, 1.0))


def _count_by_dictionary(
    texts: Iterable[str | None], tokenizer: Tokenizer | OwnTokenizer
) -> tuple[_WordList, sparse.csr_array]:
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
    return _WordList(tuple(vocabulary)), matrix


# the words that a model knows -----------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class KnownWords(SortedWords):
    """Words in sorted order, and how the texts were cut that have them.

    >>> known = KnownWords(("free", "lunch", "rain"))
    >>> known.places(("rain", "snow")), known.places_in(CountedTexts(["snow, rain"], Tokenizer()))
    (array([ 2, -1]), array([-1,  2]))
    """

    tokenizer: Tokenizer | OwnTokenizer = PLAIN

    @cached_property
    def _hashes(self) -> Array:
        kernels = pick("words", sys.maxsize)
        assert kernels is not None and isinstance(self.tokenizer, Tokenizer)  # as of the texts
        return counter_of(kernels, self.tokenizer).hashes(self.words)

    def places_in(self, texts: CountedTexts) -> Array:
        """The same for the words of texts, which are not made strings if their hashes are there."""
        if texts.counter is None:
            return self.places(texts.words)
        return texts.counter.places(texts.hashes, self._hashes)

    def counts(self, texts: CountedTexts) -> sparse.csr_array:
        """How often texts have each of these words: (n_texts, n_words).

        >>> texts = CountedTexts(["free snow, free rain"], Tokenizer())
        >>> KnownWords(("free", "lunch", "rain")).counts(texts).toarray()
        array([[2., 0., 1.]])
        """
        counts, places = texts.counts, self.places_in(texts)
        columns = places[counts.indices] if len(places) else counts.indices
        known = columns >= 0
        before = np.concatenate([[0], np.cumsum(known)])
        entries = counts.data[known], columns[known], before[counts.indptr]
        return sparse.csr_array(entries, shape=(counts.shape[0], len(self.words)))
