"""Count, mean and scatter: the statistic of Gaussian models."""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from bayesic.data.blocks import in_threads, row_blocks
from bayesic.data.matrices import Matrix, dense_rows, n_cells, part, refuse_infinities
from bayesic.kernels import kernels_for
from bayesic.statistics.counts import class_sums_of_entries
from bayesic.statistics.values import ROUNDING, class_counts, placed, read_only, remaining

Array = np.ndarray


@dataclass(frozen=True, eq=False)
class Moments:
    """How many values of each feature, their mean, and the sum of squares around it.

    One row a group of values (a class, or all rows together). Groups are added by

        n = n_a + n_b,  mean = mean_a + (mean_b - mean_a) n_b / n,
        scatter = scatter_a + scatter_b + (mean_b - mean_a)^2 n_a n_b / n      [Chan] eq. 2.1

    which stays right for a mean of 1e8 and a spread of 1, where sums of squares lose all digits.
    `-` turns it round. It loses digits where what is taken away held nearly all of the scatter:
    the result is then as far off as the scatter before times 1e-16.
    """

    count: Array  # (n_groups, n_features)  weight of the observed values
    mean: Array  # (n_groups, n_features)  0 where there are none
    scatter: Array  # (n_groups, n_features)  sum of squared deviations from the mean

    def __post_init__(self) -> None:
        for name in ("count", "mean", "scatter"):
            object.__setattr__(self, name, read_only(getattr(self, name)))

    @classmethod
    def empty(cls, n_groups: int, n_features: int) -> "Moments":
        """The zero of +: nothing was seen."""
        nothing = np.zeros((n_groups, n_features))
        return cls(nothing, nothing, nothing)

    def __add__(self, other: "Moments") -> "Moments":
        count = self.count + other.count
        share = np.divide(other.count, count, out=np.zeros_like(count), where=count > 0)
        step = other.mean - self.mean
        return Moments(
            count,
            # where self is empty the share is 1 and the other mean comes out to the last bit
            np.where(share == 1, other.mean, self.mean + step * share),
            self.scatter + other.scatter + step * step * (self.count * share),
        )

    def __sub__(self, other: "Moments") -> "Moments":
        count = remaining(self.count, other.count)
        some = count > 0
        share = np.divide(other.count, count, out=np.zeros_like(count), where=some)
        step = np.where(some, self.mean - other.mean, 0.0)
        scatter = self.scatter - other.scatter - step * step * (other.count * (1 + share))
        noise = ROUNDING * (self.scatter + other.scatter)
        if (scatter < -noise).any():
            raise ValueError(
                "Only what was learned can be forgotten: taking these rows away would leave "
                "a spread below zero. Check rows, labels and weights against those given to fit."
            )
        scatter = np.where(some & (scatter > 0.01 * noise), scatter, 0.0)
        return Moments(count, np.where(some, self.mean + step * share, 0.0), scatter)

    def pooled(self) -> "Moments":
        """All groups together, as one."""
        groups = (self.groups([number]) for number in range(len(self.count)))
        return sum(groups, start=Moments.empty(1, self.count.shape[1]))

    def groups(self, numbers: Array | list[int]) -> "Moments":
        """The groups of these numbers, in this order and as often as they are named."""
        return Moments(self.count[numbers], self.mean[numbers], self.scatter[numbers])

    def variance(self) -> Array:
        """scatter / count, the maximum likelihood estimate; 0 where nothing was observed."""
        return np.divide(
            self.scatter, self.count, out=np.zeros_like(self.scatter), where=self.count > 0
        )


@dataclass(frozen=True, eq=False)
class ClassMoments:
    """Rows of each class, the moments of each feature in each class, and over all rows.

    `overall` does not look at weights: it tells the scale of a column, not the shape of a class.
    """

    class_count: Array  # (n_classes,)
    per_class: Moments  # n_classes groups
    overall: Moments  # one group

    def __post_init__(self) -> None:
        object.__setattr__(self, "class_count", read_only(self.class_count))

    @classmethod
    def empty(cls, n_classes: int, n_features: int) -> "ClassMoments":
        """The zero of +: nothing was seen."""
        return cls(
            np.zeros(n_classes, np.int64),
            Moments.empty(n_classes, n_features),
            Moments.empty(1, n_features),
        )

    def __add__(self, other: "ClassMoments") -> "ClassMoments":
        return ClassMoments(
            self.class_count + other.class_count,
            self.per_class + other.per_class,
            self.overall + other.overall,
        )

    def __sub__(self, other: "ClassMoments") -> "ClassMoments":
        return ClassMoments(
            remaining(self.class_count, other.class_count),
            self.per_class - other.per_class,
            self.overall - other.overall,
        )

    def with_classes_at(self, positions: Array, n_classes: int) -> "ClassMoments":
        """The same moments in a wider list of classes, the old ones at these positions."""
        wider = (
            placed(part_of, positions, n_classes)
            for part_of in (self.per_class.count, self.per_class.mean, self.per_class.scatter)
        )
        return ClassMoments(
            placed(self.class_count, positions, n_classes), Moments(*wider), self.overall
        )


def class_moments(
    X: Matrix, codes: Array, n_classes: int, weights: Array | None = None
) -> ClassMoments:
    """Summarise rows into the moments of each feature in each class; NaN is not observed.

    >>> class_moments(np.array([[1.0], [3.0], [8.0]]), np.array([0, 0, 1]), 2).per_class.mean
    array([[2.],
           [8.]])
    """
    per_class = _moments_by_group(X, codes, n_classes, weights)
    if weights is None:
        overall = per_class.pooled()
    else:
        overall = _moments_by_group(X, np.zeros_like(codes), 1, None)
    return ClassMoments(class_counts(codes, weights, n_classes), per_class, overall)


def _moments_by_group(X: Matrix, codes: Array, n_groups: int, weights: Array | None) -> Moments:
    summarise = _sparse_moments if sparse.issparse(X) else _dense_moments
    moments = summarise(X, codes, n_groups, weights)
    if not (np.isfinite(moments.mean).all() and np.isfinite(moments.scatter).all()):
        refuse_infinities(X.data if sparse.issparse(X) else X)
        raise ValueError(
            "The values of X are too large: their squares overflow. "
            "Measure the column in a larger unit."
        )
    return moments


def _dense_moments(X: Array, codes: Array, n_groups: int, weights: Array | None) -> Moments:
    kernels = kernels_for(n_cells(X))

    def moments_of(rows: slice) -> Moments:
        values = dense_rows(X, rows)
        with np.errstate(over="ignore", invalid="ignore"):  # seen by the caller in the result
            return Moments(
                *kernels.class_moments(values, codes[rows], part(weights, rows), n_groups)
            )

    blocks = row_blocks(X.shape[0], X.shape[1], at_least=8 * n_groups)
    with np.errstate(over="ignore", invalid="ignore"):
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
    with np.errstate(over="ignore", invalid="ignore"):
        total = sums(np.where(observed, values, 0.0))
        mean = np.divide(total, count, out=np.zeros_like(total), where=count > 0)
        groups = np.repeat(codes, np.diff(X.indptr))
        deviations = np.where(observed, values - mean[groups, X.indices], 0.0)
        scatter = sums(deviations * deviations)
    class_weight = class_counts(codes, weights, n_groups)[:, None].astype(np.float64)
    zeros = remaining(np.broadcast_to(class_weight, stored.shape), stored)
    nothing = np.zeros_like(zeros)
    return Moments(count, mean, scatter) + Moments(zeros, nothing, nothing)
