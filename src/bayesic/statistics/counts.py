"""How often each feature occurs in each class: the statistic of multinomial naive Bayes."""

import operator
from dataclasses import dataclass
from functools import reduce
from typing import Self

import numpy as np
from scipy import sparse

from bayesic.data.arguments import part
from bayesic.data.blocks import in_threads, row_blocks
from bayesic.data.matrices import (
    Matrix,
    cells_per_row,
    dense_rows,
    is_whole,
    n_cells,
    refuse_infinities,
    sums_to_a_number,
)
from bayesic.data.sparse_matrices import checked_sparse
from bayesic.kernels import pick
from bayesic.statistics.values import (
    Immutable,
    check_counts,
    class_counts,
    placed,
    remaining,
    whole_if_exact,
)

Array = np.ndarray

LARGEST_COUNT = 1e100


@dataclass(frozen=True, eq=False)
class FeatureCounts(Immutable):
    """Rows of each class, and occurrences of each feature in each class.

    Whole numbers without weights; exact under `+` and `-` then.
    """

    class_count: Array  # (n_classes,)             rows of each class
    feature_count: Array  # (n_classes, n_features)  occurrences in each class

    @classmethod
    def empty(cls, n_classes: int, n_features: int) -> "FeatureCounts":
        """The zero of +: nothing was seen."""
        return cls(np.zeros(n_classes, np.int64), np.zeros((n_classes, n_features), np.int64))

    def __add__(self, other: "FeatureCounts") -> "FeatureCounts":
        return FeatureCounts(
            self.class_count + other.class_count, self.feature_count + other.feature_count
        )

    def __sub__(self, other: "FeatureCounts") -> "FeatureCounts":
        class_count = remaining(self.class_count, other.class_count)
        feature_count = remaining(self.feature_count, other.feature_count)
        if feature_count[class_count == 0].any():
            raise ValueError(
                "Only what was learned can be taken away: these rows would leave counts in a class "
                "without rows. Check rows, labels and weights against those given to fit."
            )
        return FeatureCounts(class_count, feature_count)

    def with_classes_at(self, positions: Array, n_classes: int) -> "FeatureCounts":
        """The same counts in a wider list of classes, the old ones at these positions."""
        return FeatureCounts(
            placed(self.class_count, positions, n_classes),
            placed(self.feature_count, positions, n_classes),
        )

    @property
    def n_features(self) -> int:
        """How many features were counted."""
        return self.feature_count.shape[1]

    def checked(self) -> Self:
        """This, if it can have come from counting; a file made by hand may say anything."""
        n_classes = len(self.class_count)
        check_counts("class_count", self.class_count, n_classes)
        check_counts("feature_count", self.feature_count, n_classes, self.n_features)
        return self


def feature_counts(
    X: Matrix, codes: Array, n_classes: int, weights: Array | None = None, model: str = "the model"
) -> FeatureCounts:
    """Summarise counts per row and feature into counts per class and feature.

    NaN is a count that was not observed and adds nothing; infinities and counts below zero are
    refused in the name of the model.

    >>> feature_counts(np.array([[2, 1], [0, 3], [1, 0]]), np.array([0, 1, 0]), 2).feature_count
    array([[3, 1],
           [0, 3]])
    """
    summarise = _sparse_feature_sums if sparse.issparse(X) else _dense_feature_sums
    sums = summarise(X, codes, n_classes, weights, model)
    if weights is None and is_whole(X.dtype):
        sums = whole_if_exact(sums)
    return FeatureCounts(class_counts(codes, weights, n_classes), sums)


def _dense_feature_sums(
    X: Array, codes: Array, n_classes: int, weights: Array | None, model: str
) -> Array:
    kernels = pick("classes", n_cells(X) * n_classes)

    def sums_of(rows: slice) -> Array:
        values = checked_counts(dense_rows(X, rows), model)
        return kernels.class_sums(values, codes[rows], part(weights, rows), n_classes)

    blocks = row_blocks(X.shape[0], X.shape[1], at_least=8 * n_classes)
    return sum(in_threads(sums_of, blocks), start=np.zeros((n_classes, X.shape[1])))


def _sparse_feature_sums(
    X: sparse.csr_array, codes: Array, n_classes: int, weights: Array | None, model: str
) -> Array:
    return class_sums_of_entries(X, checked_counts(X.data, model), codes, n_classes, weights)


def class_sums_of_entries(
    X: sparse.csr_array, entries: Array, codes: Array, n_classes: int, weights: Array | None
) -> Array:
    """Sum of these entries at the stored places of X, class by class: (n_classes, n_features)."""
    kernels = pick("classes", n_cells(X) * n_classes)
    checked_sparse(X)

    def sums_of(rows: slice) -> Array:
        start, stop = X.indptr[rows.start], X.indptr[rows.stop]
        stored = np.diff(X.indptr[rows.start : rows.stop + 1])
        places, values = X.indices[start:stop], entries[start:stop].astype(np.float64, copy=False)
        block_weights = part(weights, rows)
        return kernels.class_sums_of_entries(
            stored, places, values, codes[rows], block_weights, n_classes, X.shape[1]
        )

    # a block must be worth the n_classes x n_features numbers that it makes
    at_least = int(8 * n_classes * X.shape[1] / max(1.0, cells_per_row(X)))
    blocks = row_blocks(X.shape[0], cells_per_row(X), at_least)
    return reduce(operator.add, in_threads(sums_of, blocks))


def checked_counts(values: Array, model: str) -> Array:
    """The values with 0 for NaN; infinities, huge values and values below zero are refused."""
    if not is_whole(values.dtype):
        if not sums_to_a_number(values):
            refuse_infinities(values)
            values = np.nan_to_num(values)
        if values.max(initial=0) > LARGEST_COUNT:
            raise ValueError(
                f"The counts in X are too large to be added up: at most {LARGEST_COUNT:g}, got "
                f"{values.max():g}. Divide X by a constant."
            )
    smallest = values.min(initial=0)
    if smallest < 0:
        raise ValueError(
            f"Negative values in data passed to {model} (input X): counts must be 0 or more, got "
            f"{smallest}. Shift or cut the feature, or use GaussianNB for measurements."
        )
    return values
