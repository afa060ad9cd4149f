"""How often features occur in each class, and in how many of its rows they are present.

The statistics of multinomial and of Bernoulli naive Bayes.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from functools import reduce
from operator import add
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
from bayesic.data.typing import RandomState
from bayesic.kernels import Array, pick
from bayesic.statistics._noise import Noise
from bayesic.statistics.additive import (
    Immutable,
    check_counts,
    class_counts,
    faded,
    not_learned,
    placed,
    remaining,
    whole_if_exact,
)

LARGEST_COUNT = 1e100


@dataclass(frozen=True, eq=False)
class _CountsOfFeatures(Immutable):
    """Rows of each class, and one array of counts or several: (n_classes, n_features) each.

    Whole numbers without weights; exact under `+` and `-` then.
    """

    class_count: Array  # (n_classes,)

    @classmethod
    def empty(cls, n_classes: int, n_features: int) -> Self:
        """The zero of +: nothing was seen."""
        nothing = np.zeros((n_classes, n_features), np.int64)
        return cls(np.zeros(n_classes, np.int64), *[nothing for _ in fields(cls)[1:]])

    def _arrays(self) -> list[Array]:
        return [*vars(self).values()]

    @property
    def n_features(self) -> int:
        """How many features were counted."""
        return self._arrays()[-1].shape[1]

    def __add__(self, other: Self) -> Self:
        return type(self)(*map(add, self._arrays(), other._arrays()))

    def __sub__(self, other: Self) -> Self:
        return type(self)(*map(remaining, self._arrays(), other._arrays()))

    def scaled(self, factor: float) -> Self:
        """The same rows, each of which counts factor times as much, from 0 to 1."""
        return type(self)(*(faded(counts, factor) for counts in self._arrays()))

    def with_classes_at(self, positions: Array, n_classes: int) -> Self:
        """The same counts in a wider list of classes, the old ones at these positions."""
        return type(self)(*(placed(counts, positions, n_classes) for counts in self._arrays()))

    def checked(self) -> Self:
        """This, if it can have come from counting; a file made by hand may say anything."""
        shape = len(self.class_count), self.n_features
        check_counts("class_count", self.class_count, shape[0])
        for field in fields(self)[1:]:
            check_counts(field.name, getattr(self, field.name), *shape)
        return self


@dataclass(frozen=True, eq=False)
class FeatureCounts(_CountsOfFeatures):
    """Rows of each class, and occurrences of each feature in each class."""

    feature_count: Array  # (n_classes, n_features)

    def __sub__(self, other: Self) -> Self:
        rest = super().__sub__(other)
        if rest.feature_count[rest.class_count == 0].any():
            raise not_learned(
                "these rows would leave counts in a class without rows", "rows, labels and weights"
            )
        return rest


@dataclass(frozen=True, eq=False)
class PresenceCounts(_CountsOfFeatures):
    """Rows of each class, and of these the ones where a feature is present and absent.

    A row where the feature was not observed is in neither.
    """

    present: Array  # (n_classes, n_features)
    absent: Array  # (n_classes, n_features)

    @property
    def sensitivity(self) -> int:
        """How many counts a row changes by 1: that of its class, and one for each feature."""
        return 1 + self.n_features

    def with_noise(
        self, epsilon: float, levels: None = None, random_state: RandomState = None
    ) -> Self:
        """The counts with noise: see `_noise.py`. Features are present or absent, so no levels.

        >>> rain = PresenceCounts(np.array([4]), np.array([[3]]), np.array([[1]]))
        >>> rain.with_noise(epsilon=60.0).present
        array([[3]])
        """
        if levels is not None:
            raise ValueError("Features are present or absent, and have no levels. Leave them out.")
        noise = Noise(epsilon, self.sensitivity, random_state)
        return type(self)(*map(noise.on, self._arrays()))


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
    [sums] = _class_sums(lambda cells: [checked_counts(cells, model)], X, codes, n_classes, weights)
    if weights is None and is_whole(X.dtype):
        sums = whole_if_exact(sums)
    return FeatureCounts(class_counts(codes, weights, n_classes), sums)


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
    sums = _class_sums(lambda cells: presence(cells, threshold), X, codes, n_classes, weights)
    are_whole = weights is None and (threshold is not None or is_whole(X.dtype))
    present, missing = map(whole_if_exact, sums) if are_whole else sums
    absent = remaining(remaining(class_count[:, None], missing), present)
    return PresenceCounts(class_count, present, absent)


def _class_sums(
    parts_of: Callable[[Array], Sequence[Array | None]],
    X: Matrix,
    codes: Array,
    n_classes: int,
    weights: Array | None,
) -> Array:
    """Parts of the cells of X, each summed by class: (n_parts, n_classes, n_features).

    parts_of : cells -> for each part an array of their shape, None where it is all zeros
    """

    def sums(parts: Sequence[Array | None], sum_of: Callable[[Array], Array]) -> Array:
        nothing = np.zeros((n_classes, X.shape[1]))
        return np.array([nothing if cells is None else sum_of(cells) for cells in parts])

    if sparse.issparse(X):
        of_rows = codes, n_classes, weights
        return sums(parts_of(X.data), lambda cells: class_sums_of_entries(X, cells, *of_rows))
    kernels = pick("classes", n_cells(X) * n_classes)

    def sums_of(rows: slice) -> Array:
        of_rows = codes[rows], part(weights, rows), n_classes
        return sums(
            parts_of(dense_rows(X, rows)), lambda cells: kernels.class_sums(cells, *of_rows)
        )

    blocks = row_blocks(X.shape[0], X.shape[1], at_least=8 * n_classes)
    return reduce(add, in_threads(sums_of, blocks))


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
    return reduce(add, in_threads(sums_of, blocks))


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


def presence(values: Array, threshold: float | None) -> tuple[Array, Array | None]:
    """1.0 where a value is above the threshold, else 0.0; and 1.0 where it is missing, if any is.

    Without a threshold the values themselves say how far a feature is present, from 0 to 1.

    >>> presence(np.array([0.0, 3.0, np.nan]), threshold=0.0)
    (array([0., 1., 0.]), array([0., 0., 1.]))
    """
    values, missing = values.astype(np.float64, copy=False), None
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
