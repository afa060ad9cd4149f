"""Counts of a large vocabulary to which a few texts were added: the sum is made when it is needed.

A text has a hundred words, a vocabulary a hundred thousand, and a sum copies all of it. So what a
few texts add stays beside the large part until it is no longer small, or until all words are
needed. What stands beside it grows in the same way. Counts of texts without weights are whole
numbers: whenever they are added up, the same comes out to the last bit.
"""

from functools import cached_property
from itertools import repeat
from typing import Self

import numpy as np

from bayesic.kernels import Array
from bayesic.statistics.text_counts import TextCounts

LEAST_WORDS = 1024  # fewer are soon copied
TIMES_AS_MANY = 8  # words the large part has, or more


class GrowingTextCounts(TextCounts):
    """A large statistic and a small one, which are one statistic."""

    large: TextCounts
    recent: TextCounts

    def __init__(self, large: TextCounts, recent: TextCounts, n_words: int) -> None:
        """n_words : how many different words the two have together."""
        class_count = large.class_count + recent.class_count
        state = {"class_count": class_count, "large": large, "recent": recent}
        self.__setstate__({**state, "n_words": n_words, "is_whole": True})

    def __getstate__(self) -> dict[str, object]:
        """Without what follows from the rest."""
        names = ("class_count", "large", "recent", "n_words", "is_whole")
        return {name: vars(self)[name] for name in names}

    @cached_property
    def whole(self) -> TextCounts:
        """The sum."""
        recent = self.recent
        return self.large.plus(recent.whole if isinstance(recent, GrowingTextCounts) else recent)

    @cached_property
    def words(self) -> tuple[str, ...]:
        """All words, in sorted order."""
        return self.whole.words

    @cached_property
    def occurrences(self) -> Array:
        """How often each occurs in each class."""
        return self.whole.occurrences

    @cached_property
    def texts_with(self) -> Array:
        """How many texts of each class have it."""
        return self.whole.texts_with

    def __add__(self, other: TextCounts) -> TextCounts:
        if not _is_small(other, self):
            return self.whole.plus(other)
        recent = self.recent + other
        grown = GrowingTextCounts(self.large, recent, self.n_words + self._n_new(other))
        return grown if _is_small(recent, self.large) else grown.whole

    def _n_new(self, other: TextCounts) -> int:
        new = set(other.words)
        for part in self.parts:
            new.difference_update(part.numbers.keys() & new)
        return len(new)

    def __sub__(self, other: TextCounts) -> TextCounts:
        return self.whole - other

    def scaled(self, factor: float) -> TextCounts:
        """The same rows, each of which counts factor times as much, from 0 to 1."""
        return self.whole.scaled(factor)

    def with_classes_at(self, positions: Array, n_classes: int) -> TextCounts:
        """The same counts in a wider list of classes, the old ones at these positions."""
        if np.array_equal(positions, np.arange(n_classes)):
            return self
        return self.whole.with_classes_at(positions, n_classes)

    def checked(self) -> Self:
        """The sum, if it can have come from counting."""
        return self.whole.checked()  # type: ignore[return-value]

    # some of the words ----------------------------------------------------------------------

    @cached_property
    def parts(self) -> tuple[TextCounts, ...]:
        """Statistics of which this is the sum, each with its own list of words."""
        recent = self.recent
        others = recent.parts if isinstance(recent, GrowingTextCounts) else (recent,)
        return (self.large, *others)

    def sum_of(self, table: str) -> Array:
        """The sum over all words of "occurrences" or "texts_with": (n_classes,)."""
        return sum(part.sums[table] for part in self.parts)  # type: ignore[return-value]

    def rows_of(self, words: tuple[str, ...], table: str) -> tuple[Array, Array]:
        """These rows of "occurrences" or "texts_with", and whether each word occurs at all."""
        rows = np.zeros((len(words), len(self.class_count)), np.int64)
        is_known = np.zeros(len(words), bool)
        for part in self.parts:
            places = np.fromiter(map(part.numbers.get, words, repeat(-1)), np.intp, len(words))
            [there] = (places >= 0).nonzero()
            rows[there] += getattr(part, table)[places[there]]
            is_known[there] = True
        return rows, is_known


def grown(mine: TextCounts, theirs: TextCounts) -> TextCounts | None:
    """The sum of a large statistic and a small one beside it; None if they are to be added up.

    >>> grown(TextCounts.empty(2), TextCounts.empty(2)) is None
    True
    """
    if not _is_small(theirs, mine):
        return None
    n_new = len(theirs.words) - len(mine.numbers.keys() & theirs.words)
    return GrowingTextCounts(mine, theirs, len(mine.words) + n_new)


def _is_small(recent: TextCounts, large: TextCounts) -> bool:
    are_whole = recent.is_whole and large.is_whole
    return are_whole and max(LEAST_WORDS, TIMES_AS_MANY * recent.n_words) < large.n_words
