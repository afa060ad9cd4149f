"""The words that a model knows, by number."""

import sys
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import repeat

import numpy as np
from scipy import sparse

from bayesic.data.counted_blocks import counter_of
from bayesic.data.counted_texts import CountedTexts
from bayesic.data.own_tokens import OwnTokenizer
from bayesic.data.tokens import Tokenizer
from bayesic.kernels import Array, pick

PLAIN = Tokenizer()

FEW = 16  # words are few beside so many times as many


@dataclass(frozen=True, eq=False)
class KnownWords:
    """Words in sorted order, by number; and how the texts were cut that have them.

    >>> known = KnownWords(("free", "lunch", "rain"))
    >>> known.places(("rain", "snow")), known.places_in(CountedTexts(["snow, rain"], Tokenizer()))
    (array([ 2, -1]), array([-1,  2]))
    """

    words: tuple[str, ...]
    tokenizer: Tokenizer | OwnTokenizer = PLAIN

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return dict(zip(self.words, range(len(self.words)), strict=True))

    @cached_property
    def _hashes(self) -> Array:
        kernels = pick("words", sys.maxsize)
        assert kernels is not None and isinstance(self.tokenizer, Tokenizer)  # as of the texts
        return counter_of(kernels, self.tokenizer).hashes(self.words)

    def places(self, words: Sequence[str]) -> Array:
        """The number of each of some words, -1 if it is not known."""
        if FEW * len(words) < len(self.words):  # a short text beside a large vocabulary
            found = ((bisect_left(self.words, word), word) for word in words)
            numbers = [at if self.words[at : at + 1] == (word,) else -1 for at, word in found]
            return np.array(numbers, dtype=np.intp)
        return np.fromiter(map(self._numbers.get, words, repeat(-1)), np.intp, len(words))

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
