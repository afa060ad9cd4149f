"""Count, mean and cross-products: the statistic of Gaussian models with correlated features."""

from dataclasses import dataclass
from types import ModuleType
from typing import Self

import numpy as np

from bayesic.data.arguments import part
from bayesic.data.blocks import in_threads, row_blocks
from bayesic.data.matrices import Matrix, dense_rows, refuse_infinities
from bayesic.kernels import Array, pick
from bayesic.kernels.blas import one_blas_thread
from bayesic.statistics.additive import (
    Immutable,
    check_counts,
    class_counts,
    faded,
    with_classes_placed,
)
from bayesic.statistics.moments import LARGEST_VALUE, ClassMoments, Moments, without_noise

# What is kept of a block of rows is at most this share of the block itself.
SHARE_OF_A_BLOCK = 1 / 8
# The products of a block cost little: larger ones, of which there are fewer to add.
USUAL_BLOCKS_AT_ONCE = 12


@dataclass(frozen=True, eq=False)
class CrossMoments(Immutable):
    """Rows of each class, their mean, and the sum of products of deviations from it.

        scatter_c = sum over the rows of c of (x - mean_c)(x - mean_c)^T

    The diagonal is the scatter of `Moments`, with the same laws and the same care for digits. Two
    of them are added by

        scatter = scatter_a + scatter_b + (mean_b - mean_a)(mean_b - mean_a)^T n_a n_b / n    [Chan]

    and `-` turns it round.
    """

    class_count: Array  # (n_classes,)  rows of each class, or their weight
    mean: Array  # (n_classes, n_features)  0 for a class without rows
    scatter: Array  # (n_classes, n_features, n_features)  symmetric

    @classmethod
    def empty(cls, n_classes: int, n_features: int) -> "CrossMoments":
        """The zero of +: nothing was seen."""
        return cls(
            np.zeros(n_classes, np.int64),
            np.zeros((n_classes, n_features)),
            np.zeros((n_classes, n_features, n_features)),
        )

    @property
    def n_features(self) -> int:
        """How many features were measured."""
        return self.mean.shape[1]

    @property
    def class_moments(self) -> ClassMoments:
        """What is known of each feature alone: the statistic of GaussianNB."""
        count = np.broadcast_to(self.class_count[:, None].astype(np.float64), self.mean.shape)
        return ClassMoments(self.class_count, Moments(count, self.mean, diagonal_of(self.scatter)))

    def __add__(self, other: "CrossMoments") -> "CrossMoments":
        features = self.class_moments + other.class_moments
        count = features.class_count
        share = np.divide(other.class_count, count, out=np.zeros(count.shape), where=count > 0)
        between = outer_squares(other.mean - self.mean, self.class_count * share)
        return _with_features(features, self.scatter + other.scatter + between)

    def __sub__(self, other: "CrossMoments") -> "CrossMoments":
        features = self.class_moments - other.class_moments
        rest = features.class_count
        share = np.divide(other.class_count, rest, out=np.zeros(rest.shape), where=rest > 0)
        between = outer_squares(self.mean - other.mean, other.class_count * (1 + share))
        return _with_features(features, self.scatter - other.scatter - between)

    def scaled(self, factor: float) -> "CrossMoments":
        """The same rows, each of which counts factor times as much, from 0 to 1."""
        class_count = faded(self.class_count, factor)
        some = class_count > 0
        mean = np.where(some[:, None], self.mean, 0.0)
        scatter = np.where(some[:, None, None], self.scatter * float(factor), 0.0)
        return CrossMoments(class_count, mean, scatter)

    def with_classes_at(self, positions: Array, n_classes: int) -> "CrossMoments":
        """The same moments in a wider list of classes, the old ones at these positions."""
        axes = {"class_count": 0, "mean": 0, "scatter": 0}
        return with_classes_placed(self, positions, n_classes, **axes)

    def pooled_scatter(self) -> Array:
        """Products of deviations of all rows from the mean of their class."""
        return self.scatter.sum(axis=0)

    def overall(self) -> "CrossMoments":
        """All rows as one class."""
        features = self.class_moments.overall
        mean = features.mean
        between = outer_squares(self.mean - mean, self.class_count).sum(axis=0, keepdims=True)
        whole = ClassMoments(self.class_count.sum(keepdims=True), features)
        return _with_features(whole, self.scatter.sum(axis=0, keepdims=True) + between)

    def checked(self) -> Self:
        """This, if it can have come from rows; a file made by hand may say anything."""
        n_classes, n_features = len(self.class_count), self.mean.shape[-1]
        check_counts("class_count", self.class_count, n_classes)
        shape = (n_classes, n_features, n_features)
        if self.mean.shape != shape[:2] or self.scatter.shape != shape:
            raise ValueError(
                f"mean and scatter must be of shape {shape[:2]} and {shape}, "
                f"got {self.mean.shape} and {self.scatter.shape}."
            )
        self.class_moments.checked()
        # beside far larger numbers, what `-` leaves of products may be more than the squares allow
        symmetric = np.array_equal(self.scatter, self.scatter.swapaxes(1, 2))
        if not (symmetric and np.isfinite(self.scatter).all()):
            raise ValueError("scatter must hold symmetric sums of products of deviations.")
        return self


def diagonal_of(scatter: Array) -> Array:
    """The sums of squares in the last two axes: (..., n_features)."""
    return np.diagonal(scatter, axis1=-2, axis2=-1)


def outer_squares(step: Array, weight: Array) -> Array:
    """weight * step step^T, for each step: (..., n_features, n_features), symmetric to the bit."""
    return step[..., :, None] * step[..., None, :] * weight[..., None, None]


def with_diagonal(scatter: Array, squares: Array) -> Array:
    """The scatter with these sums of squares; a feature without any has no products either."""
    spread = squares > 0
    scatter = np.where(spread[..., :, None] & spread[..., None, :], scatter, 0.0)
    features = np.arange(squares.shape[-1])
    scatter[..., features, features] = squares
    return scatter


def _with_features(features: ClassMoments, scatter: Array) -> CrossMoments:
    squares = features.per_class.scatter
    return CrossMoments(
        features.class_count, features.per_class.mean, with_diagonal(scatter, squares)
    )


def cross_moments(
    X: Matrix, codes: Array, n_classes: int, weights: Array | None = None
) -> CrossMoments:
    """Summarise rows without gaps into mean and scatter of each class.

    >>> rows = np.array([[1.0, 2.0], [3.0, 6.0], [8.0, 0.0]])
    >>> cross_moments(rows, np.array([0, 0, 1]), n_classes=2).scatter[0]
    array([[2., 4.],
           [4., 8.]])
    """
    n_rows, n_features = X.shape
    kernels = pick("centres", n_rows * n_features**2)

    def moments_of(rows: slice) -> CrossMoments:
        with np.errstate(over="ignore", invalid="ignore"):  # seen in the result
            values = dense_rows(X, rows)
            return _moments_of_block(values, codes[rows], n_classes, part(weights, rows), kernels)

    at_least = int(n_classes * n_features / SHARE_OF_A_BLOCK)
    blocks = row_blocks(n_rows, n_features / USUAL_BLOCKS_AT_ONCE, at_least)
    with np.errstate(over="ignore", invalid="ignore"), one_blas_thread():
        parts = in_threads(moments_of, blocks)
        moments = sum(parts, start=CrossMoments.empty(n_classes, n_features))
    # the other way round a NaN would pass
    if not (np.abs(moments.mean).max() <= LARGEST_VALUE and np.isfinite(moments.scatter).all()):
        _refuse(X)
    return moments


def _moments_of_block(
    values: Array, codes: Array, n_classes: int, weights: Array | None, kernels: ModuleType
) -> CrossMoments:
    """The same for one block of rows."""
    count = class_counts(codes, weights, n_classes)
    each = np.ones(len(codes)) if weights is None else weights
    mean, scatter = kernels.class_scatter(values, codes, each, n_classes)
    squares = without_noise(count[:, None], mean, np.maximum(diagonal_of(scatter), 0.0))
    return CrossMoments(count, mean, with_diagonal(scatter, squares))


def _refuse(X: Matrix) -> None:
    for rows in row_blocks(*X.shape):
        values = dense_rows(X, rows)
        if np.isnan(values).any():
            raise ValueError(
                "Input X contains NaN: products of features need rows without gaps, and there is "
                "no closed form with them. Fill the gaps or leave these rows out; GaussianNB and "
                "NaiveBayes learn from rows with gaps."
            )
        refuse_infinities(values)
    raise ValueError(
        "The values of X are too large: their squares overflow. Use a larger unit for the column."
    )
