"""The words that a model knows, by number."""

from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property
from itertools import repeat

import numpy as np
from scipy import sparse

from bayesic.data.counted_texts import CountedTexts

Array = np.ndarray

FEW = 16  # words are few beside so many times as many


@dataclass(frozen=True, eq=False)
class KnownWords:
    """Words in sorted order, and the number of each.

    >>> known = KnownWords(("free", "lunch", "rain"))
    >>> known.places(("rain", "snow"))
    array([ 2, -1])
    """

    words: tuple[str, ...]

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return dict(zip(self.words, range(len(self.words)), strict=True))

    def places(self, words: tuple[str, ...]) -> Array:
        """The number of each of some words, -1 if it is none of these."""
        if FEW * len(words) < len(self.words):  # a short text beside a large vocabulary
            found = ((bisect_left(self.words, word), word) for word in words)
            numbers = [at if self.words[at : at + 1] == (word,) else -1 for at, word in found]
            return np.array(numbers, dtype=np.intp)
        return np.fromiter(map(self._numbers.get, words, repeat(-1)), np.intp, len(words))

    def counts(self, texts: CountedTexts) -> sparse.csr_array:
        """How often texts have each of these words: (n_texts, n_words).

        >>> from bayesic.data.tokens import Tokenizer
        >>> texts = CountedTexts(["free snow, free rain"], Tokenizer())
        >>> KnownWords(("free", "lunch", "rain")).counts(texts).toarray()
        array([[2., 0., 1.]])
        """
        counts, places = texts.counts, self.places(texts.words)
        columns = places[counts.indices] if len(places) else counts.indices
        known = columns >= 0
        before = np.concatenate([[0], np.cumsum(known)])
        entries = counts.data[known], columns[known], before[counts.indptr]
        return sparse.csr_array(entries, shape=(counts.shape[0], len(self.words)))
