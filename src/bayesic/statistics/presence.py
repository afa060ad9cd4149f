"""In how many rows of each class a feature is present and absent: the statistic of Bernoulli."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from scipy import sparse

from bayesic.data.arguments import part
from bayesic.data.blocks import in_threads, row_blocks
from bayesic.data.matrices import (
    Matrix,
    dense_rows,
    n_cells,
    refuse_infinities,
    sums_to_a_number,
)
from bayesic.kernels import pick
from bayesic.statistics.counts import class_sums_of_entries
from bayesic.statistics.values import (
    Immutable,
    check_counts,
    class_counts,
    placed,
    remaining,
    whole_if_exact,
)

Array = np.ndarray


@dataclass(frozen=True, eq=False)
class PresenceCounts(Immutable):
    """Rows of each class, and of these the ones where a feature is present and absent.

    A row where the feature was not observed is in neither. Exact under `+` and `-` without weights.
    """

    class_count: Array  # (n_classes,)
    present: Array  # (n_classes, n_features)
    absent: Array  # (n_classes, n_features)

    @classmethod
    def empty(cls, n_classes: int, n_features: int) -> "PresenceCounts":
        """The zero of +: nothing was seen."""
        nothing = np.zeros((n_classes, n_features), np.int64)
        return cls(np.zeros(n_classes, np.int64), nothing, nothing)

    def __add__(self, other: "PresenceCounts") -> "PresenceCounts":
        return PresenceCounts(
            self.class_count + other.class_count,
            self.present + other.present,
            self.absent + other.absent,
        )

    def __sub__(self, other: "PresenceCounts") -> "PresenceCounts":
        return PresenceCounts(
            remaining(self.class_count, other.class_count),
            remaining(self.present, other.present),
            remaining(self.absent, other.absent),
        )

    def with_classes_at(self, positions: Array, n_classes: int) -> "PresenceCounts":
        """The same counts in a wider list of classes, the old ones at these positions."""
        return PresenceCounts(
            placed(self.class_count, positions, n_classes),
            placed(self.present, positions, n_classes),
            placed(self.absent, positions, n_classes),
        )

    @property
    def n_features(self) -> int:
        """How many features were counted."""
        return self.present.shape[1]

    def checked(self) -> Self:
        """This, if it can have come from counting; a file made by hand may say anything."""
        n_classes = len(self.class_count)
        check_counts("class_count", self.class_count, n_classes)
        check_counts("present", self.present, n_classes, self.n_features)
        check_counts("absent", self.absent, n_classes, self.n_features)
        return self


def presence_counts(
    X: Matrix,
    codes: Array,
    n_classes: int,
    weights: Array | None = None,
    threshold: float | None = 0.0,
) -> PresenceCounts:
    """Summarise rows into how many of each class have each feature, and how many do not.

    >>> presence_counts(np.array([[2, 0], [0, 3], [1, 0]]), np.array([0, 1, 0]), 2).present
    array([[2, 0],
           [0, 1]])
    """
    class_count = class_counts(codes, weights, n_classes)
    summarise = _sparse_presence if sparse.issparse(X) else _dense_presence
    present, missing = summarise(X, codes, n_classes, weights, threshold)
    if weights is None and (threshold is not None or X.dtype.kind in "biu"):
        present, missing = whole_if_exact(present), whole_if_exact(missing)
    absent = remaining(remaining(class_count[:, None], missing), present)
    return PresenceCounts(class_count, present, absent)


def _dense_presence(
    X: Array, codes: Array, n_classes: int, weights: Array | None, threshold: float | None
) -> tuple[Array, Array]:
    kernels = pick("classes", n_cells(X) * n_classes)

    def sums_of(rows: slice) -> Array:
        present, missing = presence(dense_rows(X, rows), threshold)
        block_weights = part(weights, rows)
        sums = np.zeros((2, n_classes, X.shape[1]))
        sums[0] = kernels.class_sums(present, codes[rows], block_weights, n_classes)
        if missing is not None:
            sums[1] = kernels.class_sums(missing, codes[rows], block_weights, n_classes)
        return sums

    blocks = row_blocks(X.shape[0], X.shape[1], at_least=8 * n_classes)
    present, missing = sum(in_threads(sums_of, blocks), start=np.zeros((2, n_classes, X.shape[1])))
    return present, missing


def _sparse_presence(
    X: sparse.csr_array,
    codes: Array,
    n_classes: int,
    weights: Array | None,
    threshold: float | None,
) -> tuple[Array, Array]:
    present, missing = presence(X.data.astype(np.float64, copy=False), threshold)
    sums = class_sums_of_entries(X, present, codes, n_classes, weights)
    if missing is None:
        return sums, np.zeros_like(sums)
    return sums, class_sums_of_entries(X, missing, codes, n_classes, weights)


def presence(values: Array, threshold: float | None) -> tuple[Array, Array | None]:
    """1.0 where a value is above the threshold, else 0.0; and 1.0 where it is missing, if any is.

    Without a threshold the values themselves say how far a feature is present, from 0 to 1.

    >>> presence(np.array([0.0, 3.0, np.nan]), threshold=0.0)
    (array([0., 1., 0.]), array([0., 0., 1.]))
    """
    missing = None
    if not sums_to_a_number(values):
        refuse_infinities(values)
        unknown = np.isnan(values)
        missing = unknown.astype(np.float64) if unknown.any() else None
    if threshold is not None:
        return (values > threshold).astype(np.float64), missing
    values = np.nan_to_num(values)
    if values.size and (values.min() < 0 or values.max() > 1):
        raise ValueError(
            f"With binarize=None the values of X must lie between 0 and 1, got {values.min()} to "
            f"{values.max()}. Give binarize=0.0 to count every value above 0 as present."
        )
    return values, missing
