"""How often each level of one named column occurs in each class: categories, or words of texts."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from bayesic.statistics.values import Immutable, check_counts, check_words, placed, remaining

Array = np.ndarray


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
        if self.levels == other.levels:
            return type(self)(self.levels, self.table + other.table)
        levels = sorted({*self.levels, *other.levels})
        place = {level: row for row, level in enumerate(levels)}
        table = np.zeros(
            (len(levels), self.table.shape[1]), np.result_type(self.table, other.table)
        )
        for part in (self, other):
            table[[place[level] for level in part.levels]] += part.table
        return type(self)(tuple(levels), table)

    def __sub__(self, other: Self) -> Self:
        place = {level: row for row, level in enumerate(self.levels)}
        unknown = [level for level in other.levels if level not in place]
        if unknown:
            raise ValueError(
                f"Only what was learned can be taken away: {unknown[0]!r} was never seen. "
                "Check rows and labels against those given to fit."
            )
        taken = np.zeros(self.table.shape, other.table.dtype)
        taken[[place[level] for level in other.levels]] = other.table
        return type(self)(self.levels, remaining(self.table, taken)).trimmed()

    def trimmed(self) -> Self:
        """Without the levels that do not occur."""
        occurs = self.table.any(axis=1)
        if occurs.all():
            return self
        levels = tuple(self.levels[row] for row in np.flatnonzero(occurs))
        return type(self)(levels, self.table[occurs])

    def with_classes_at(self, positions: Array, n_classes: int) -> Self:
        """The same counts in a wider list of classes, the old ones at these positions."""
        return type(self)(self.levels, placed(self.table, positions, n_classes, axis=1))

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
    cells = codes * n_classes + classes
    if codes.min(initial=0) < 0:
        observed = codes >= 0
        cells = cells[observed]
        weights = None if weights is None else weights[observed]
    table = np.bincount(cells, weights, minlength=len(levels) * n_classes)
    table = table.reshape(len(levels), n_classes)[order]
    return LevelCounts(tuple(levels[number] for number in order), table).trimmed()
