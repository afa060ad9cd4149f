"""The rows themselves, in the order in which they were learned: all that neighbours keep."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from bayesic.data.matrices import equal_rows
from bayesic.kernels import Array
from bayesic.statistics.additive import Immutable, not_learned

# Squares of differences of such numbers, and sums of many of them, are still numbers.
LARGEST_VALUE = 1e140


@dataclass(frozen=True, eq=False)
class Instances(Immutable):
    """Rows and what belongs to each: the number of its class, or the numbers to be predicted.

    `+` puts the rows of the other behind, `-` takes rows out. So `(a + b) - b` is a, row by row.
    """

    values: Array  # float64 (n_rows, n_features), finite
    targets: Array  # int64 (n_rows, 1) class numbers, or float64 (n_rows, n_outputs)

    @classmethod
    def empty(cls, n_features: int) -> "Instances":
        """The zero of + for rows with classes."""
        return cls(np.empty((0, n_features)), np.empty((0, 1), np.int64))

    @property
    def n_rows(self) -> int:
        """How many rows were learned."""
        return len(self.values)

    def __add__(self, other: "Instances") -> "Instances":
        return Instances(
            np.concatenate([self.values, other.values]),
            np.concatenate([self.targets, other.targets]),
        )

    def __sub__(self, other: "Instances") -> "Instances":
        kept = np.ones(self.n_rows, bool)
        kept[self.places_of(other)] = False
        return Instances(self.values[kept], self.targets[kept])

    def places_of(self, other: "Instances") -> Array:
        """For each row of the other the index of an equal row here, target included.

        Each row here is used once. Of equal rows the last are taken, in their order: so all rows
        given in the order of learning are at their own places, and the rows that were learned last
        are the first to go. Rows that are not here are refused.

        >>> learned = Instances(np.array([[5.0], [6.0], [5.0]]), np.array([[0], [1], [0]]))
        >>> learned.places_of(Instances(np.array([[5.0]]), np.array([[0]])))
        array([2])
        """
        first, group = equal_rows(np.concatenate([self._cells(), other._cells()]))
        mine, theirs = np.split(group, [self.n_rows])
        have = np.bincount(mine, minlength=len(first))
        removed = np.bincount(theirs, minlength=len(first))
        if (removed > have).any():
            row = int((removed > have)[theirs].argmax())
            raise not_learned(
                f"row {row}, {other.values[row].tolist()} with its label, was learned "
                f"{have[theirs[row]]} time(s) and is given {removed[theirs[row]]} time(s)"
            )
        in_groups = np.argsort(mine, kind="stable")
        behind_last = np.cumsum(have)
        return in_groups[(behind_last - removed)[theirs] + _rank_in_group(theirs)]

    def with_classes_at(self, positions: Array, n_classes: int) -> "Instances":
        """The same rows in a wider list of classes, the old ones at these positions."""
        return Instances(self.values, positions[self.targets])

    def checked(self) -> Self:
        """This, if it can have been learned; a file made by hand may say anything."""
        if self.values.ndim != 2 or self.targets.ndim != 2 or 0 in self.values.shape[1:]:
            raise ValueError("Learned rows need two dimensions, and so do their targets.")
        if len(self.values) != len(self.targets) or self.targets.shape[1] == 0:
            raise ValueError(
                f"There must be a target for each learned row, got {len(self.targets)} for "
                f"{len(self.values)}."
            )
        if self.values.dtype != np.float64 or self.targets.dtype not in (np.int64, np.float64):
            raise ValueError("Learned rows must be float64, their targets int64 or float64.")
        for numbers in (self.values, self.targets):
            # this way round a NaN does not pass
            if not (np.abs(numbers) <= LARGEST_VALUE).all():
                raise ValueError(f"Learned numbers must be finite and at most {LARGEST_VALUE:g}.")
        return self

    def _cells(self) -> Array:
        return np.concatenate([self.values, self.targets], axis=1)


def _rank_in_group(group: Array) -> Array:
    """How many rows of the same group come before each row.

    >>> _rank_in_group(np.array([4, 2, 4, 4, 2]))
    array([0, 0, 1, 2, 1])
    """
    order = np.argsort(group, kind="stable")
    in_order = group[order]
    rank = np.empty(len(group), np.intp)
    rank[order] = np.arange(len(group)) - np.searchsorted(in_order, in_order)
    return rank
