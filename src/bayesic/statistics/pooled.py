"""The statistics of several models that learn the same rows."""

from dataclasses import dataclass, replace
from typing import Self

from bayesic.kernels import Array
from bayesic.statistics.additive import (
    ClassStatistic,
    Immutable,
    check_counts,
    faded,
    placed,
    remaining,
)


@dataclass(frozen=True, eq=False)
class PooledCounts(Immutable):
    """Rows of each class, and the statistics of each member: sums of them are sums of all."""

    class_count: Array  # (n_classes,)
    parts: tuple[ClassStatistic, ...]

    @property
    def column_names(self) -> list[str]:
        """No columns of its own: they are those of its parts."""
        return []

    def __add__(self, other: "PooledCounts") -> "PooledCounts":
        pairs = zip(self.parts, other.parts, strict=True)
        parts = tuple(mine + theirs for mine, theirs in pairs)
        return PooledCounts(self.class_count + other.class_count, parts)

    def __sub__(self, other: "PooledCounts") -> "PooledCounts":
        class_count = remaining(self.class_count, other.class_count)
        pairs = zip(self.parts, other.parts, strict=True)
        return PooledCounts(class_count, tuple(mine - theirs for mine, theirs in pairs))

    def scaled(self, factor: float) -> "PooledCounts":
        """The same rows, each of which counts factor times as much, from 0 to 1."""
        parts = tuple(part.scaled(factor) for part in self.parts)
        return PooledCounts(faded(self.class_count, factor), parts)

    def with_classes_at(self, positions: Array, n_classes: int) -> "PooledCounts":
        """The same counts in a wider list of classes, the old ones at these positions."""
        parts = tuple(part.with_classes_at(positions, n_classes) for part in self.parts)
        return replace(
            self, class_count=placed(self.class_count, positions, n_classes), parts=parts
        )

    def checked(self) -> Self:
        """This, if it can have come from counting; a file made by hand may say anything."""
        n_classes = len(self.class_count)
        check_counts("class_count", self.class_count, n_classes)
        for part in self.parts:
            if len(part.checked().class_count) != n_classes:
                raise ValueError("All members of a pool must have the same classes.")
        return self
