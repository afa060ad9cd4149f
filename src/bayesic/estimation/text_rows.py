"""Texts by their words: the rows that models of texts learn and score."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import sparse

from bayesic.data.matrices import sparse_rows
from bayesic.data.texts import TextBytes
from bayesic.data.tokens import Tokenizer, count_words
from bayesic.statistics.texts import TextCounts, text_counts


@dataclass(frozen=True, eq=False)
class CountedTexts:
    """How often each text has each of some words.

    >>> texts = CountedTexts(("rain", "free"), sparse.csr_array([[2.0, 1.0], [0.0, 1.0]]))
    >>> texts.shape, texts.one(0).words, texts.one(0).counts.toarray().tolist()
    ((2, 2), ('free', 'rain'), [[1.0, 2.0]])
    """

    words: tuple[str, ...]  # distinct, in any order
    counts: sparse.csr_array  # (n_texts, n_words)

    @property
    def shape(self) -> tuple[int, int]:
        """How many texts and words there are."""
        return self.counts.shape

    def summarised(
        self, codes: np.ndarray, n_classes: int, weights: np.ndarray | None = None
    ) -> TextCounts:
        """The statistic of these texts."""
        return text_counts(self.words, self.counts, codes, n_classes, weights)

    @cached_property
    def in_order(self) -> "CountedTexts":
        """The same texts with the words in sorted order."""
        order = sorted(range(len(self.words)), key=self.words.__getitem__)
        place = np.empty(len(order), dtype=np.intp)
        place[order] = np.arange(len(order))
        parts = self.counts.data, place[self.counts.indices], self.counts.indptr
        counts = sparse.csr_array(parts, shape=self.shape)
        return CountedTexts(tuple(self.words[number] for number in order), counts)

    def one(self, row: int) -> "CountedTexts":
        """One of the texts, with its own words only, in sorted order."""
        counts = sparse_rows(self.counts, slice(row, row + 1))
        words = [self.words[place] for place in counts.indices]
        found = sorted(zip(words, counts.data.tolist(), strict=True))
        times = np.array([[n for _, n in found]], dtype=np.float64)
        return CountedTexts(tuple(word for word, _ in found), sparse.csr_array(times))


def counted_texts(texts: TextBytes | Sequence[str | None], tokenizer: Tokenizer) -> CountedTexts:
    """The words of texts, counted.

    >>> counted_texts(["rain, rain"], Tokenizer()).words
    ('rain',)
    """
    counted = count_words(texts, tokenizer)
    return CountedTexts(counted.words, counted.counts)
