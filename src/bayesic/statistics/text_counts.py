"""How often each word occurs in the texts of each class, and how many of the texts have it."""

from dataclasses import dataclass, fields
from functools import cached_property
from typing import Self

import numpy as np

from bayesic.data.counted_texts import CountedTexts, WordsByClass
from bayesic.data.matrices import with_entries
from bayesic.kernels import Array
from bayesic.kernels.rounding import ROUNDING
from bayesic.statistics.additive import (
    Immutable,
    check_counts,
    check_words,
    class_counts,
    faded,
    remaining,
    whole_if_exact,
    with_classes_placed,
)
from bayesic.statistics.aligned import added, learned_places, occurring, taken_away


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

    def __getstate__(self) -> dict[str, object]:
        """Without what follows from the rest."""
        return {each.name: getattr(self, each.name) for each in fields(TextCounts)}

    @property
    def n_features(self) -> int:
        """A text is the one feature of its row."""
        return 1

    def __add__(self, other: "TextCounts") -> "TextCounts":
        from bayesic.statistics.growing_texts import grown  # which builds on this

        return grown(self, other) or self.plus(other)

    def plus(self, other: "TextCounts") -> "TextCounts":
        """The sum, with all words in one list."""
        class_count = self.class_count + other.class_count
        numbers = vars(self).get("numbers")
        return TextCounts(
            class_count, *added(self.words, other.words, *self._beside(other), numbers=numbers)
        )

    def __sub__(self, other: "TextCounts") -> "TextCounts":
        class_count = remaining(self.class_count, other.class_count)
        places = learned_places(
            other.words, self.words, what="the word ", to_check="texts and labels"
        )
        return TextCounts(class_count, *taken_away(places, self.words, *self._beside(other)))

    @cached_property
    def n_words(self) -> int:
        """How many different words there are."""
        return len(self.words)

    @cached_property
    def is_whole(self) -> bool:
        """Whether all counts are whole numbers."""
        tables = (self.class_count, self.occurrences, self.texts_with)
        return all(table.dtype.kind == "i" for table in tables)

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each word."""
        return dict(zip(self.words, range(len(self.words)), strict=True))

    @cached_property
    def sums(self) -> dict[str, Array]:
        """The sums over all words of both tables: (n_classes,) each."""
        return {name: getattr(self, name).sum(axis=0) for name in ("occurrences", "texts_with")}

    def _beside(self, other: "TextCounts") -> tuple[tuple[Array, Array], ...]:
        return (self.occurrences, other.occurrences), (self.texts_with, other.texts_with)

    def scaled(self, factor: float) -> "TextCounts":
        """The same rows, each of which counts factor times as much, from 0 to 1."""
        texts_with = faded(self.texts_with, factor)
        # a word is gone with its texts, of which it has no more than occurrences
        occurrences = np.where(texts_with > 0, self.occurrences * float(factor), 0.0)
        class_count = faded(self.class_count, factor)
        return TextCounts(class_count, *occurring(self.words, occurrences, texts_with))

    def with_classes_at(self, positions: Array, n_classes: int) -> "TextCounts":
        """The same counts in a wider list of classes, the old ones at these positions."""
        axes = {"class_count": 0, "occurrences": 1, "texts_with": 1}
        return with_classes_placed(self, positions, n_classes, **axes)

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
    return TextCounts(class_counts(codes, weights, n_classes), *occurring(words, *tables))


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
    tables = counts.T @ shares, presence.T @ shares
    return TextCounts(shares.sum(axis=0), *occurring(words, *tables))
