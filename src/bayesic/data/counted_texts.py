"""Texts, and how often each of their words occurs: in each text, or in the texts of each class."""

import collections
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import sparse

from bayesic.data.counted_blocks import Counter, counter_of
from bayesic.data.own_tokens import OwnTokenizer
from bayesic.data.texts import TextBytes, as_texts
from bayesic.data.tokens import Tokenizer
from bayesic.kernels import pick

Array = np.ndarray

WordsByClass = tuple[tuple[str, ...], Array, Array]


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

    def strings(self) -> Sequence[str | None]:
        """The texts as Python strings."""
        return self.texts.texts() if isinstance(self.texts, TextBytes) else self.texts

    # by text --------------------------------------------------------------------------------

    @property
    def words(self) -> tuple[str, ...]:
        """The different words of all texts, in any order."""
        return self._by_text[0]

    @property
    def counts(self) -> sparse.csr_array:
        """How often each text has each of the words: (n_texts, n_words) float64."""
        return self._by_text[1]

    @cached_property
    def in_order(self) -> tuple[tuple[str, ...], sparse.csr_array]:
        """Words and counts, with the words in sorted order."""
        words, place = sorted_words(self.words)
        parts = self.counts.data, place[self.counts.indices], self.counts.indptr
        return words, sparse.csr_array(parts, shape=self.counts.shape)

    @cached_property
    def _by_text(self) -> tuple[tuple[str, ...], sparse.csr_array]:
        counter = self._counter()
        if counter is None:
            return _count_by_dictionary(self.strings(), self.tokenizer)
        words, entries = counter.by_text(as_texts(self.texts))
        return words, sparse.csr_array(entries, shape=(len(self.texts), len(words)))

    # by class -------------------------------------------------------------------------------

    def by_class(self, codes: Array, n_classes: int, weights: Array | None = None) -> WordsByClass:
        """The words in sorted order, how often each occurs in the texts of each class, and how
        many of these have it: (n_words, n_classes) each.

        codes, weights : (n_texts,), the class and the weight of each text

        >>> CountedTexts(["rain", "free rain"], Tokenizer()).by_class(np.array([0, 0]), 1)
        (('free', 'rain'), array([[1.], [2.]]), array([[1.], [2.]]))
        """
        counter = self._counter()
        if counter is None:
            return sums_by_class(self.words, self.counts, codes, n_classes, weights)
        return counter.by_class(as_texts(self.texts), codes, n_classes, weights)

    def _counter(self) -> Counter | None:
        """What counts so many texts with compiled kernels, None where a dictionary does it."""
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


def sums_by_class(
    words: Sequence[str],
    counts: sparse.csr_array,
    codes: Array,
    n_classes: int,
    weights: Array | None = None,
) -> WordsByClass:
    """What `CountedTexts.by_class` gives, from words in any order and their counts by text."""
    in_order, place = sorted_words(words)
    text = np.repeat(np.arange(len(codes)), np.diff(counts.indptr))
    cells = place[counts.indices] * n_classes + codes[text]

    def table_of(entries: Array) -> Array:
        weighed = entries if weights is None else entries * weights[text]
        sums = np.bincount(cells, weighed, minlength=len(words) * n_classes)
        # NumPy counts nothing in whole numbers, weights or not
        return sums.reshape(len(words), n_classes).astype(np.float64, copy=False)

    return in_order, table_of(counts.data), table_of(np.minimum(counts.data, 1.0))


def sorted_words(words: Sequence[str]) -> tuple[tuple[str, ...], Array]:
    """The words in sorted order, and the place of each there.

    >>> sorted_words(("rain", "free"))
    (('free', 'rain'), array([1, 0]))
    """
    order = sorted(range(len(words)), key=words.__getitem__)
    place = np.empty(len(order), dtype=np.intp)
    place[order] = np.arange(len(order))
    return tuple(words[number] for number in order), place


def _count_by_dictionary(
    texts: Iterable[str | None], tokenizer: Tokenizer | OwnTokenizer
) -> tuple[tuple[str, ...], sparse.csr_array]:
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
    return tuple(vocabulary), matrix
