"""Words in sorted order, by number. No texts here: what only looks up words loads no scipy."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import repeat

import numpy as np

from bayesic.kernels import Array

FEW = 16  # words are few beside so many times as many


@dataclass(frozen=True, eq=False)
class SortedWords:
    """Different words in sorted order.

    >>> SortedWords(("free", "lunch", "rain")).places(("rain", "snow"))
    array([ 2, -1])
    """

    words: tuple[str, ...]

    def places(self, words: Sequence[str]) -> Array:
        """The number of each of some words, -1 if it is not known."""
        if FEW * len(words) < len(self.words):  # a short text beside a large vocabulary
            found = ((bisect_left(self.words, word), word) for word in words)
            numbers = [at if self.words[at : at + 1] == (word,) else -1 for at, word in found]
            return np.array(numbers, dtype=np.intp)
        return np.fromiter(map(self._numbers.get, words, repeat(-1)), np.intp, len(words))

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return dict(zip(self.words, range(len(self.words)), strict=True))
