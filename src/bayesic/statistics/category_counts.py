"""How often each category of each feature occurs in each class."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from bayesic.data.arguments import part
from bayesic.data.blocks import in_threads, row_blocks
from bayesic.data.categories import LARGEST_CODE, category_codes, refuse_huge
from bayesic.data.distinct import NOT_OBSERVED
from bayesic.data.matrices import Matrix, n_cells
from bayesic.data.typing import RandomState
from bayesic.kernels import Array, pick
from bayesic.statistics._noise import Noise
from bayesic.statistics.additive import (
    Immutable,
    check_counts,
    class_counts,
    counts_by_class,
    remaining,
    with_classes_placed,
    with_counts_faded,
)
from bayesic.statistics.aligned import sum_at
from bayesic.statistics.features import class_sums_of_entries

# Up to this many rows a table may be larger than it has to be until it is trimmed.
SMALL_TABLE = 10_000


@dataclass(frozen=True, eq=False)
class CategoryCounts(Immutable):
    """Rows of each class, and for each feature a table of its categories by class.

    The tables stand below each other in one array; `first` says where each begins. A feature has
    as many categories as the largest code that occurs asks for: tables grow under `+` and shrink
    under `-`, so that forgetting leaves what would be there without the rows.
    """

    class_count: Array  # (n_classes,)
    n_categories: Array  # (n_features,)  largest code that occurs, plus one
    table: Array  # (sum of n_categories, n_classes)

    @classmethod
    def empty(cls, n_classes: int, n_features: int) -> "CategoryCounts":
        """The zero of +: nothing was seen."""
        return cls(
            np.zeros(n_classes, np.int64),
            np.zeros(n_features, np.int64),
            np.zeros((0, n_classes), np.int64),
        )

    @property
    def first(self) -> Array:
        """The row of the table where each feature begins, and its end."""
        return first_rows(self.n_categories)

    def __add__(self, other: "CategoryCounts") -> "CategoryCounts":
        n_categories = np.maximum(self.n_categories, other.n_categories)
        return CategoryCounts(
            self.class_count + other.class_count,
            n_categories,
            self.padded_table(n_categories) + other.padded_table(n_categories),
        )

    def __sub__(self, other: "CategoryCounts") -> "CategoryCounts":
        n_categories = np.maximum(self.n_categories, other.n_categories)
        table = remaining(self.padded_table(n_categories), other.padded_table(n_categories))
        class_count = remaining(self.class_count, other.class_count)
        return CategoryCounts(class_count, n_categories, table).trimmed()

    def scaled(self, factor: float) -> "CategoryCounts":
        """The same rows, each of which counts factor times as much, from 0 to 1."""
        return with_counts_faded(self, factor, "class_count", "table").trimmed()

    @property
    def sensitivity(self) -> int:
        """How many counts a row changes by 1: that of its class, and one for each feature."""
        return 1 + self.n_features

    def with_noise(
        self, epsilon: float, levels: ArrayLike | None = None, random_state: RandomState = None
    ) -> "CategoryCounts":
        """The counts with noise: see `_noise.py`.

        levels : how many categories there can be, for all features or for each of them; None:
            as many as occur, which is published as it is
        """
        noise, known = Noise(epsilon, self.sensitivity, random_state), self.n_categories
        if levels is not None:
            known = np.broadcast_to(np.asarray(levels, np.int64), known.shape)
            if (known < self.n_categories).any():
                raise ValueError(
                    f"levels must leave room for all categories that occur: {known.tolist()} are "
                    f"given, {self.n_categories.tolist()} occur."
                )
        table = noise.on(self.padded_table(known))
        return CategoryCounts(noise.on(self.class_count), known, table).trimmed()

    def with_classes_at(self, positions: Array, n_classes: int) -> "CategoryCounts":
        """The same counts in a wider list of classes, the old ones at these positions."""
        return with_classes_placed(self, positions, n_classes, class_count=0, table=1)

    @property
    def n_features(self) -> int:
        """How many features were counted."""
        return len(self.n_categories)

    def checked(self) -> Self:
        """This, if it can have come from counting; a file made by hand may say anything."""
        n_classes, most = len(self.class_count), self.n_categories.max(initial=0)
        check_counts("class_count", self.class_count, n_classes)
        check_counts("n_categories", self.n_categories, self.n_features)
        if self.n_categories.dtype != np.int64 or most > LARGEST_CODE + 1:
            raise ValueError(f"n_categories must be int64, at most {LARGEST_CODE + 1}, got {most}.")
        check_counts("table", self.table, int(self.first[-1]), n_classes)
        return self

    def padded_table(self, n_categories: Array) -> Array:
        """The table with room for this many categories of each feature, zero where new."""
        if np.array_equal(n_categories, self.n_categories):
            return self.table
        first = first_rows(n_categories)
        moved = np.repeat(first[:-1] - self.first[:-1], self.n_categories)
        return sum_at(first[-1], (np.arange(len(self.table)) + moved, self.table))

    def observed(self) -> Array:
        """How many rows of each class show each feature: (n_features, n_classes)."""
        some = self.n_categories > 0
        sums = np.zeros((len(some), self.table.shape[1]), self.table.dtype)
        if some.any():
            sums[some] = np.add.reduceat(self.table, self.first[:-1][some], axis=0)
        return sums

    def without_largest(self) -> "CategoryCounts":
        """Without the largest category of each feature."""
        table = self.table.copy()
        table[self.first[1:][self.n_categories > 0] - 1] = 0
        return CategoryCounts(self.class_count, self.n_categories, table).trimmed()

    def trimmed(self) -> "CategoryCounts":
        """Without the categories above the largest that still occurs."""
        feature = np.repeat(np.arange(len(self.n_categories)), self.n_categories)
        category = np.arange(len(self.table)) - self.first[feature]
        occurs = self.table.any(axis=1)
        n_categories = np.zeros_like(self.n_categories)
        np.maximum.at(n_categories, feature[occurs], category[occurs] + 1)
        kept = category < n_categories[feature]
        return CategoryCounts(self.class_count, n_categories, self.table[kept])


def first_rows(n_categories: Array) -> Array:
    """Where each feature's rows begin in a table that holds them below each other, and its end.

    >>> first_rows(np.array([3, 2]))
    array([0, 3, 5])
    """
    return np.concatenate([[0], np.cumsum(n_categories)])


def category_counts(
    X: Matrix, codes: Array, n_classes: int, weights: Array | None = None, model: str = "the model"
) -> CategoryCounts:
    """Summarise rows of category numbers into a table of categories by class for each feature.

    >>> counts = category_counts(np.array([[0, 1], [2, 1]]), np.array([0, 1]), 2)
    >>> counts.n_categories, counts.table.tolist()
    (array([3, 2]), [[1, 0], [0, 0], [0, 1], [0, 0], [1, 1]])
    """
    if sparse.issparse(X):
        counts = _sparse_category_counts(X, codes, n_classes, weights, model)
    else:
        counts = _dense_category_counts(X, codes, n_classes, weights, model)
    # a row of weight 0 is not a row: its categories do not occur
    return counts if weights is None else counts.trimmed()


def _dense_category_counts(
    X: Array, codes: Array, n_classes: int, weights: Array | None, model: str
) -> CategoryCounts:
    kernels = pick("classes", n_cells(X) * n_classes)

    def counts_of(rows: slice) -> CategoryCounts:
        categories = category_codes(X[rows], model)
        n_categories = _room_for(categories)
        block_weights = part(weights, rows)
        table = kernels.category_counts(
            categories, codes[rows], block_weights, first_rows(n_categories), n_classes
        )
        class_count = class_counts(codes[rows], block_weights, n_classes)
        return CategoryCounts(class_count, n_categories, table).trimmed()

    blocks = row_blocks(X.shape[0], X.shape[1] / kernels.BLOCKS_AT_ONCE, at_least=8 * n_classes)
    return sum(in_threads(counts_of, blocks), start=CategoryCounts.empty(n_classes, X.shape[1]))


def _room_for(categories: Array) -> Array:
    """How many rows of a table to give to each feature: enough for its largest code."""
    n_features = categories.shape[1]
    room = int(categories.max()) + 1
    if room * n_features <= SMALL_TABLE:  # one maximum is found faster than one for each column
        return np.full(n_features, room)
    largest = categories.max(axis=0)
    refuse_huge(largest)
    return largest + 1


def _sparse_category_counts(
    X: sparse.csr_array, codes: Array, n_classes: int, weights: Array | None, model: str
) -> CategoryCounts:
    """Count the stored codes; all other cells hold category 0."""
    entries = category_codes(X.data, model)
    observed = entries >= 0
    n_features = X.shape[1]
    class_count = class_counts(codes, weights, n_classes)
    stored = class_sums_of_entries(X, np.ones(X.nnz), codes, n_classes, weights)
    unstored = remaining(np.broadcast_to(class_count[:, None], stored.shape), stored)

    largest = np.where((unstored > 0).any(axis=0), 0, NOT_OBSERVED)
    np.maximum.at(largest, X.indices, entries)
    refuse_huge(largest)
    n_categories = largest + 1
    first = first_rows(n_categories)

    rows = np.repeat(np.arange(X.shape[0]), np.diff(X.indptr))[observed]
    cells = first[X.indices[observed]] + entries[observed]
    entry_weights = None if weights is None else weights[rows]
    table = counts_by_class(cells, first[-1], codes[rows], n_classes, entry_weights)
    table = table.astype(class_count.dtype, copy=False)
    some = np.arange(n_features)[n_categories > 0]
    table[first[some]] += unstored.T[some].astype(class_count.dtype, copy=False)
    return CategoryCounts(class_count, n_categories, table)
