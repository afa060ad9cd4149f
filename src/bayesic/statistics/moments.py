"""Count, mean and scatter: the statistic of Gaussian models."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add, mul
from typing import Self

import numpy as np
from scipy import sparse

from bayesic.data.arguments import part
from bayesic.data.blocks import in_threads, row_blocks
from bayesic.data.matrices import Matrix, dense_rows, n_cells, refuse_infinities
from bayesic.kernels import Array, pick
from bayesic.kernels.leaving import scatter_left
from bayesic.kernels.rounding import EPSILON
from bayesic.statistics.additive import (
    Immutable,
    check_counts,
    class_counts,
    faded,
    not_learned,
    placed,
    remaining,
)
from bayesic.statistics.features import class_sums_of_entries

# Squares of larger numbers, and sums of them, are too near to the end of float64.
LARGEST_VALUE = 1e140


@dataclass(frozen=True, eq=False)
class Moments(Immutable):
    """How many values of each feature, their mean, and the sum of squares around it.

    One row a group of values (a class, or all rows together). Groups are added by

        n = n_a + n_b,  mean = mean_a + (mean_b - mean_a) n_b / n,
        scatter = scatter_a + scatter_b + (mean_b - mean_a)^2 n_a n_b / n      [Chan]

    which stays right for a mean of 1e8 and a spread of 1, where sums of squares lose all digits.
    `-` turns it round. It loses digits where what is taken away held nearly all of the scatter, or
    lay far out: what is left is only known to about 1e-14 of the scatter, and to the rounding of
    the largest mean, and is 0 below that.
    """

    count: Array  # (n_groups, n_features)  weight of the observed values
    mean: Array  # (n_groups, n_features)  0 where there are none
    scatter: Array  # (n_groups, n_features)  sum of squared deviations from the mean

    @classmethod
    def empty(cls, n_groups: int, n_features: int) -> "Moments":
        """The zero of +: nothing was seen."""
        nothing = np.zeros((n_groups, n_features))
        return cls(nothing, nothing, nothing)

    def __add__(self, other: "Moments") -> "Moments":
        count = self.count + other.count
        share = np.divide(other.count, count, out=np.zeros_like(count), where=count > 0)
        step = other.mean - self.mean
        # where self is empty the share is 1 and the other mean comes out to the last bit
        mean = np.where(share == 1, other.mean, self.mean + step * share)
        scatter = self.scatter + other.scatter + step * step * (self.count * share)
        return Moments(count, mean, without_noise(count, mean, scatter))

    def with_values(self, values: Iterable[float], groups: Iterable[int]) -> "Moments":
        """With values of one feature, each added to its group, one after the other.

        To the last bit what `+` gives for one value at a time.
        """
        numbers = [array.ravel().tolist() for array in self.arrays()]
        for value, group in zip(values, groups, strict=True):
            with_one = _with_one(value, *(each[group] for each in numbers))
            for each, number in zip(numbers, with_one, strict=True):
                each[group] = number
        return Moments(*(np.array(each)[:, None] for each in numbers))

    def with_value(self, value: float, group: int) -> "Moments":
        """The same for a single value."""
        return self.with_group(group, *_with_one(value, *(a.item(group) for a in self.arrays())))

    def with_group(self, group: int, count: float, mean: float, scatter: float) -> "Moments":
        """The same with other moments of one group, of one feature."""
        arrays = [array.copy() for array in self.arrays()]
        for array, number in zip(arrays, (count, mean, scatter), strict=True):
            array[group, 0] = number
            array.flags.writeable = False
        return Moments(*arrays)

    def __sub__(self, other: "Moments") -> "Moments":
        count = remaining(self.count, other.count)
        some = count > 0
        share = np.divide(other.count, count, out=np.zeros_like(count), where=some)
        step = self.mean - other.mean
        mean = np.where(some, self.mean + step * share, 0.0)
        # where the two cancel, what is left is the rounding of what they were
        size = np.maximum(np.abs(self.mean), np.abs(other.mean))
        mean = np.where(np.abs(mean) <= 64 * EPSILON * size * (1 + share), 0.0, mean)
        weight = np.where(some, other.count * (1 + share), 0.0)
        removed = other.scatter + weight * step * step
        self._refuse_unlearned(count, size, step, removed)
        scatter = scatter_left(self.scatter, weight, step, size, other.scatter)
        return Moments(count, mean, np.where(some, scatter, 0.0))

    def _refuse_unlearned(self, count: Array, size: Array, step: Array, removed: Array) -> None:
        """Refuse to take away what is clearly other than what is there.

        Only values that lie off the mean show it: they hold more scatter than there is, or nothing
        is left although the mean was another.
        """
        off_centre = (np.abs(step) > 1e-6 * size) & (self.count > 0)
        too_much = removed - self.scatter > 1e-6 * (removed + self.scatter)
        if (off_centre & (too_much | (count == 0))).any():
            raise not_learned("these rows have other values", "rows, labels and weights")

    def scaled(self, factor: float) -> "Moments":
        """The same values, each of which counts factor times as much: no mean changes."""
        count = faded(self.count, factor)
        some = count > 0
        scatter = np.where(some, self.scatter * float(factor), 0.0)
        return Moments(count, np.where(some, self.mean, 0.0), scatter)

    def pooled(self) -> "Moments":
        """All groups together, as one."""
        count = sum_of_groups(self.count)
        all_seen = self.count.all()
        divisor = count if all_seen else np.where(count > 0, count, 1.0)
        mean = sum_of_groups(self.count * self.mean) / divisor
        steps = self.mean - mean
        if not all_seen:
            steps = np.where(self.count > 0, steps, 0.0)
        # the mean was rounded: what the steps still sum to corrects it
        weighted = self.count * steps
        residual = sum_of_groups(weighted) / divisor
        scatter = sum_of_groups(self.scatter + weighted * steps)
        scatter = np.maximum(scatter - count * residual * residual, 0.0)
        return Moments(count, mean + residual, without_noise(count, mean, scatter))

    def checked(self) -> Self:
        """These, if they can have come from numbers; a file made by hand may say anything."""
        n_groups, n_features = self.count.shape
        check_counts("count", self.count, n_groups, n_features)
        check_counts("scatter", self.scatter, n_groups, n_features)
        dtypes = {array.dtype for array in self.arrays()}
        if self.mean.shape != self.count.shape or dtypes != {np.dtype(np.float64)}:
            raise ValueError("count, mean and scatter must be float64 arrays of one shape.")
        if not (np.abs(self.mean) <= LARGEST_VALUE).all():
            raise ValueError(f"mean must lie between -{LARGEST_VALUE:g} and {LARGEST_VALUE:g}.")
        return self

    def arrays(self) -> tuple[Array, Array, Array]:
        """Count, mean and scatter, as kernels take them."""
        return self.count, self.mean, self.scatter

    def variance(self) -> Array:
        """scatter / count, the maximum likelihood estimate; 0 where nothing was observed."""
        if self.count.all():
            return self.scatter / self.count
        return np.divide(
            self.scatter, self.count, out=np.zeros_like(self.scatter), where=self.count > 0
        )


def sum_of_groups(array: Array) -> Array:
    """The sum over all groups, added up in their order, however many features there are."""
    return np.add.accumulate(array, axis=0)[-1:]


def without_noise(count: Array, mean: Array, scatter: Array) -> Array:
    """The scatter, and 0 where it is no more than the rounding of values as large as the mean."""
    noise = 64 * EPSILON * mean
    with np.errstate(over="ignore"):  # means too large for that are refused
        return np.where(scatter <= count * noise * noise, 0.0, scatter)


def _with_one(
    value: float, count: float, mean: float, scatter: float
) -> tuple[float, float, float]:
    """The moments of a group with one value more, by the formula of `+`."""
    step, more = value - mean, count + 1
    share = 1 / more
    mean = value if share == 1 else mean + step * share
    return more, mean, beyond_noise(more, mean, scatter + step * step * (count * share))


def pooled_numbers(
    count: Sequence[float], mean: Sequence[float], scatter: Sequence[float]
) -> tuple[float, float, float]:
    """`Moments.pooled` of a single feature, number by number: to the last bit the same."""
    n_values = reduce(add, count)
    divisor = n_values or 1.0
    centre = reduce(add, map(mul, count, mean)) / divisor
    steps = [own - centre if n > 0 else 0.0 for n, own in zip(count, mean, strict=True)]
    weighted = [*map(mul, count, steps)]
    residual = reduce(add, weighted) / divisor
    spread = reduce(add, map(add, scatter, map(mul, weighted, steps)))
    spread = max(spread - n_values * residual * residual, 0.0)
    return n_values, centre + residual, beyond_noise(n_values, centre, spread)


def beyond_noise(count: float, mean: float, scatter: float) -> float:
    """`without_noise` for single numbers."""
    noise = 64 * EPSILON * mean
    return 0.0 if scatter <= count * noise * noise else scatter


@dataclass(frozen=True, eq=False)
class ClassMoments(Immutable):
    """Rows of each class, and the moments of each feature in each class."""

    class_count: Array  # (n_classes,)
    per_class: Moments  # n_classes groups

    @classmethod
    def empty(cls, n_classes: int, n_features: int) -> "ClassMoments":
        """The zero of +: nothing was seen."""
        return cls(np.zeros(n_classes, np.int64), Moments.empty(n_classes, n_features))

    @property
    def overall(self) -> Moments:
        """The moments of each feature over all rows: one group."""
        return self.per_class.pooled()

    def __add__(self, other: "ClassMoments") -> "ClassMoments":
        return ClassMoments(self.class_count + other.class_count, self.per_class + other.per_class)

    def __sub__(self, other: "ClassMoments") -> "ClassMoments":
        return ClassMoments(
            remaining(self.class_count, other.class_count), self.per_class - other.per_class
        )

    def scaled(self, factor: float) -> "ClassMoments":
        """The same rows, each of which counts factor times as much, from 0 to 1."""
        return ClassMoments(faded(self.class_count, factor), self.per_class.scaled(factor))

    def with_classes_at(self, positions: Array, n_classes: int) -> "ClassMoments":
        """The same moments in a wider list of classes, the old ones at these positions."""
        wider = (placed(part_of, positions, n_classes) for part_of in self.per_class.arrays())
        return ClassMoments(placed(self.class_count, positions, n_classes), Moments(*wider))

    @property
    def n_features(self) -> int:
        """How many features were measured."""
        return self.per_class.count.shape[1]

    def checked(self) -> Self:
        """This, if it can have come from rows; a file made by hand may say anything."""
        n_classes = len(self.class_count)
        check_counts("class_count", self.class_count, n_classes)
        check_counts("count", self.per_class.checked().count, n_classes, self.n_features)
        return self


def class_moments(
    X: Matrix, codes: Array, n_classes: int, weights: Array | None = None
) -> ClassMoments:
    """Summarise rows into the moments of each feature in each class; NaN is not observed.

    >>> class_moments(np.array([[1.0], [3.0], [8.0]]), np.array([0, 0, 1]), 2).per_class.mean
    array([[2.],
           [8.]])
    """
    summarise = _sparse_moments if sparse.issparse(X) else _dense_moments
    with np.errstate(over="ignore", invalid="ignore"):  # seen in the result
        moments = summarise(X, codes, n_classes, weights)
    # the other way round a NaN would pass
    if not (np.abs(moments.mean).max() <= LARGEST_VALUE and np.isfinite(moments.scatter).all()):
        refuse_infinities(X.data if sparse.issparse(X) else X)
        raise ValueError(
            "The values of X are too large: their squares overflow. "
            "Use a larger unit for the column."
        )
    return ClassMoments(class_counts(codes, weights, n_classes), moments)


def _dense_moments(X: Array, codes: Array, n_groups: int, weights: Array | None) -> Moments:
    kernels = pick("classes", n_cells(X) * n_groups)

    def moments_of(rows: slice) -> Moments:
        values = dense_rows(X, rows)
        with np.errstate(over="ignore", invalid="ignore"):  # threads do not inherit it
            return Moments(
                *kernels.class_moments(values, codes[rows], part(weights, rows), n_groups)
            )

    blocks = row_blocks(X.shape[0], X.shape[1] / kernels.BLOCKS_AT_ONCE, at_least=8 * n_groups)
    return sum(in_threads(moments_of, blocks), start=Moments.empty(n_groups, X.shape[1]))


def _sparse_moments(
    X: sparse.csr_array, codes: Array, n_groups: int, weights: Array | None
) -> Moments:
    """The moments of the stored entries, plus those of the zeros that are not stored."""

    def sums(entries: Array) -> Array:
        return class_sums_of_entries(X, entries, codes, n_groups, weights)

    values = X.data.astype(np.float64, copy=False)
    observed = ~np.isnan(values)
    stored = sums(np.ones_like(values))
    count = sums(observed.astype(np.float64))
    divisor = np.where(count > 0, count, 1.0)
    mean = sums(np.where(observed, values, 0.0)) / divisor
    groups = np.repeat(codes, np.diff(X.indptr))
    deviations = np.where(observed, values - mean[groups, X.indices], 0.0)
    residual = sums(deviations) / divisor
    scatter = np.maximum(sums(deviations * deviations) - count * residual * residual, 0.0)
    class_weight = class_counts(codes, weights, n_groups)[:, None].astype(np.float64)
    zeros = remaining(np.broadcast_to(class_weight, stored.shape), stored)
    nothing = np.zeros_like(zeros)
    return Moments(count, mean + residual, scatter) + Moments(zeros, nothing, nothing)
