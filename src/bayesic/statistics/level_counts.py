"""How often each level of one named column occurs in each class: categories, or words of texts."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from bayesic.kernels import Array
from bayesic.statistics.additive import (
    Immutable,
    check_counts,
    check_words,
    counts_by_class,
    with_classes_placed,
    with_counts_faded,
)
from bayesic.statistics.aligned import added, cell_added, learned_places, occurring, taken_away


@dataclass(frozen=True, eq=False)
class LevelCounts(Immutable):
    """A table of categories by class: levels are names, in sorted order, each of which occurs."""

    holds: ClassVar[str] = "category"  # what the column is stored as

    levels: tuple[str, ...]
    table: Array  # (n_levels, n_classes), int64, float64 with weights

    @classmethod
    def empty(cls, n_classes: int) -> Self:
        """The zero of +: nothing was seen."""
        return cls((), np.zeros((0, n_classes), np.int64))

    @property
    def n_observed(self) -> Array:
        """Rows (or words) counted in each class: (n_classes,)."""
        return self.table.sum(axis=0)

    def __add__(self, other: Self) -> Self:
        return type(self)(*added(self.levels, other.levels, (self.table, other.table)))

    def with_level(self, level: str, code: int) -> Self:
        """With one row more, of this class; it changes one row of the table."""
        index, levels = bisect_left(self.levels, level), self.levels
        is_new = levels[index : index + 1] != (level,)
        if is_new:
            levels = (*levels[:index], level, *levels[index:])
        return type(self)(levels, cell_added(index, code, self.table, is_new))

    def __sub__(self, other: Self) -> Self:
        places = learned_places(other.levels, self.levels)
        return type(self)(*taken_away(places, self.levels, (self.table, other.table)))

    def trimmed(self) -> Self:
        """Without the levels that do not occur."""
        return type(self)(*occurring(self.levels, self.table))

    def scaled(self, factor: float) -> Self:
        """The same rows, each of which counts factor times as much, from 0 to 1."""
        return with_counts_faded(self, factor, "table").trimmed()

    def with_classes_at(self, positions: Array, n_classes: int) -> Self:
        """The same counts in a wider list of classes, the old ones at these positions."""
        return with_classes_placed(self, positions, n_classes, table=1)

    def checked(self) -> Self:
        """This, if it can have come from counting; a file made by hand may say anything."""
        check_counts("A table of levels", self.table, len(self.levels), self.table.shape[-1])
        check_words("The levels of a table", self.levels)
        if not self.table.any(axis=1).all():
            raise ValueError("Every level of a table must occur.")
        return self


class WordCounts(LevelCounts):
    """The same for the words of texts: every word of a text counts."""

    holds: ClassVar[str] = "text"


def level_counts(
    codes: Array, levels: Sequence[str], classes: Array, n_classes: int, weights: Array | None
) -> LevelCounts:
    """Count levels by class: codes number the levels (-1 is not observed), classes the classes.

    >>> counts = level_counts(np.array([1, 0, 1]), ["sun", "rain"], np.array([0, 0, 1]), 2, None)
    >>> counts.levels, counts.table.tolist()
    (('rain', 'sun'), [[1, 1], [1, 0]])
    """
    order = sorted(range(len(levels)), key=levels.__getitem__)
    if codes.min(initial=0) < 0:
        observed = codes >= 0
        codes, classes = codes[observed], classes[observed]
        weights = None if weights is None else weights[observed]
    table = counts_by_class(codes, len(levels), classes, n_classes, weights)[order]
    return LevelCounts(tuple(levels[number] for number in order), table).trimmed()
