"""How often each word occurs in the texts of each class, and how many of the texts have it."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress, repeat
from typing import Self

import numpy as np

from bayesic.data.blocks import row_blocks
from bayesic.data.counted_texts import CountedTexts, KnownWords, WordsByClass
from bayesic.data.matrices import with_entries
from bayesic.kernels.rounding import ROUNDING
from bayesic.statistics.values import (
    Immutable,
    check_counts,
    check_words,
    class_counts,
    placed,
    remaining,
    whole_if_exact,
)

Array = np.ndarray


@dataclass(frozen=True, eq=False)
class TextCounts(Immutable):
    """Texts of each class, and for every word its occurrences and the texts that have it.

    Words are in sorted order, and each of them occurs: the same texts in any order and split give
    the same statistic. Nothing is left out here, however rare or frequent. Exact under `+` and `-`
    without weights.
    """

    class_count: Array  # (n_classes,) texts
    words: tuple[str, ...]
    occurrences: Array  # (n_words, n_classes), int64, float64 with weights
    texts_with: Array  # (n_words, n_classes), texts that have the word at least once

    @classmethod
    def empty(cls, n_classes: int) -> "TextCounts":
        """The zero of +: nothing was seen."""
        nothing = np.zeros((0, n_classes), np.int64)
        return cls(np.zeros(n_classes, np.int64), (), nothing, nothing)

    def __add__(self, other: "TextCounts") -> "TextCounts":
        class_count = self.class_count + other.class_count
        words, mine, theirs = united_words(self.words, other.words)
        return TextCounts(
            class_count,
            words,
            _sum_at((mine, theirs), (self.occurrences, other.occurrences), len(words)),
            _sum_at((mine, theirs), (self.texts_with, other.texts_with), len(words)),
        )

    def __sub__(self, other: "TextCounts") -> "TextCounts":
        class_count = remaining(self.class_count, other.class_count)
        at = KnownWords(self.words).places(other.words)
        if (at < 0).any():
            raise ValueError(
                "Only what was learned can be taken away: the word "
                f"{other.words[int(at.argmin())]!r} was never seen. Check texts and labels against "
                "those given to fit."
            )
        return trimmed(
            class_count,
            self.words,
            _taken_at(at, self.occurrences, other.occurrences),
            _taken_at(at, self.texts_with, other.texts_with),
        )

    def with_classes_at(self, positions: Array, n_classes: int) -> "TextCounts":
        """The same counts in a wider list of classes, the old ones at these positions."""
        if np.array_equal(positions, np.arange(n_classes)):  # no copy of a large vocabulary
            return self
        return TextCounts(
            placed(self.class_count, positions, n_classes),
            self.words,
            placed(self.occurrences, positions, n_classes, axis=1),
            placed(self.texts_with, positions, n_classes, axis=1),
        )

    def checked(self) -> Self:
        """This, if it can have come from counting; a file made by hand may say anything."""
        shape = len(self.words), self.class_count.size
        check_counts("class_count", self.class_count, shape[1])
        check_counts("occurrences", self.occurrences, *shape)
        check_counts("texts_with", self.texts_with, *shape)
        check_words("The words of texts", self.words)
        if not self.occurrences.any(axis=1).all():
            raise ValueError("Every word must occur in some text.")
        if not np.array_equal(self.occurrences > 0, self.texts_with > 0):
            raise ValueError(
                "A word must have texts in the classes where it occurs, and no others."
            )
        most = np.minimum(self.occurrences, self.class_count) * (1 + ROUNDING)
        if (self.texts_with > most).any():
            raise ValueError("No word can be in more texts than there are, or than it occurs.")
        return self


def united_words(
    first: tuple[str, ...], second: tuple[str, ...]
) -> tuple[tuple[str, ...], Array, Array]:
    """The words of two sorted lists in one, and the places there of the first and the second.

    >>> united_words(("free", "rain"), ("lunch", "rain"))
    (('free', 'lunch', 'rain'), array([0, 2]), array([1, 2]))
    """
    theirs = KnownWords(first).places(second)
    is_new = theirs < 0
    new = tuple(compress(second, is_new.tolist()))
    before = np.fromiter(map(bisect_left, repeat(first), new), np.intp, len(new))
    numbers = np.arange(len(first))
    mine = numbers + np.searchsorted(before, numbers, side="right")
    theirs[~is_new] = mine[theirs[~is_new]]
    theirs[is_new] = before + np.arange(len(new))
    # two sorted runs after one another are sorted in one pass
    return tuple(sorted(first + new)) if new else first, mine, theirs


def _sum_at(at: Sequence[Array], tables: Sequence[Array], n_words: int) -> Array:
    """Tables added up, the rows of each at their places among n_words; the first in order."""
    dtype = np.result_type(*tables)
    if len(tables[0]) == n_words:
        out = tables[0].astype(dtype)
    else:
        out = np.zeros((n_words, tables[0].shape[1]), dtype)
        out[at[0]] = tables[0]
    for rows, table in zip(at[1:], tables[1:], strict=True):
        for part in row_blocks(*table.shape):  # no temporary array as large as a table
            out[rows[part]] += table[part]
    return out


def _taken_at(at: Array, table: Array, taken: Array) -> Array:
    """The table, with counts taken away from the rows at these places."""
    out = table.astype(np.result_type(table, taken))
    out[at] = remaining(table[at], taken)
    return out


def trimmed(
    class_count: Array, words: Sequence[str], occurrences: Array, texts_with: Array
) -> TextCounts:
    """The statistic without the words that do not occur."""
    occurs = occurrences.any(axis=1)
    if occurs.all():
        return TextCounts(class_count, tuple(words), occurrences, texts_with)
    kept = tuple(words[number] for number in np.flatnonzero(occurs).tolist())
    return TextCounts(class_count, kept, occurrences[occurs], texts_with[occurs])


def text_counts(
    texts: CountedTexts, codes: Array, n_classes: int, weights: Array | None = None
) -> TextCounts:
    """Summarise texts, whose classes and weights these are.

    >>> from bayesic.data.tokens import Tokenizer
    >>> texts = CountedTexts(["lunch, free lunch", "lunch"], Tokenizer())
    >>> counted = text_counts(texts, np.array([1, 1]), n_classes=2)
    >>> counted.words, counted.occurrences.tolist(), counted.texts_with.tolist()
    (('free', 'lunch'), [[0, 1], [0, 3]], [[0, 1], [0, 2]])
    """
    return counts_of_sums(texts.by_class(codes, n_classes, weights), codes, n_classes, weights)


def counts_of_sums(
    sums: WordsByClass, codes: Array, n_classes: int, weights: Array | None
) -> TextCounts:
    """The statistic of texts whose words were added up by class, see `CountedTexts.by_class`."""
    words, *tables = sums
    if weights is None:
        tables = [*map(whole_if_exact, tables)]
    return trimmed(class_counts(codes, weights, n_classes), words, *tables)


def soft_text_counts(texts: CountedTexts, shares: Array) -> TextCounts:
    """Summarise texts that belong to every class with a share: (n_texts, n_classes).

    >>> from bayesic.data.tokens import Tokenizer
    >>> texts = CountedTexts(["lunch, free lunch", "lunch"], Tokenizer())
    >>> counted = soft_text_counts(texts, np.array([[0.5, 0.5], [0.0, 1.0]]))
    >>> counted.words, counted.occurrences.tolist(), counted.texts_with.tolist()
    (('free', 'lunch'), [[0.5, 0.5], [1.0, 2.0]], [[0.5, 0.5], [0.5, 1.5]])
    """
    words, counts = texts.in_order
    presence = with_entries(counts, np.minimum(counts.data, 1.0))
    return trimmed(shares.sum(axis=0), words, counts.T @ shares, presence.T @ shares)
