"""Without the only row of its largest code, a feature has fewer categories."""

import numpy as np
from scipy import sparse

from bayesic.data.matrices import Matrix, dense_rows, sparse_rows
from bayesic.kernels import Array
from bayesic.kernels.leaving import left, log_shares
from bayesic.statistics.category_counts import CategoryCounts


class Loners:
    """Rows that alone hold the largest code of a feature: without them it has fewer categories."""

    def __init__(
        self, counts: CategoryCounts, n_categories: Array, fewer: Array, alpha: float
    ) -> None:
        """n_categories is the number with all rows, fewer that without the largest code."""
        self.observed = counts.observed().astype(np.float64)
        self.largest = counts.n_categories - 1
        self.n_categories, self.fewer, self.alpha = n_categories, fewer, alpha
        # how often the largest code occurs, in all classes; never where there is none
        self.occurs = np.full(len(n_categories), np.inf)
        some = counts.n_categories > 0
        self.occurs[some] = counts.table.sum(axis=1)[counts.first[1:][some] - 1]

    def possible(self, weight: float) -> Array:
        """Features whose largest code a single row of this weight, or less, may hold."""
        return left(self.occurs, weight) == 0

    def correct(self, scores: Array, X: Matrix, rows: slice, own: Array, weights: Array) -> None:
        """Bring the scores of these rows, in place, to the number of categories without each."""
        at, features = self.places(X, rows, self.possible(weights.max()))
        alone = left(self.occurs[features], weights[at]) == 0
        at, features = at[alone], features[alone]
        np.add.at(scores, at, self.change(features, self.observed[features]))
        own_class = own[at]
        observed = self.observed[features, own_class]
        change = self.change(features, np.stack([observed, left(observed, weights[at])], axis=1))
        np.add.at(scores, (at, own_class), change[:, 1] - change[:, 0])

    def places(self, X: Matrix, rows: slice, candidates: Array) -> tuple[Array, Array]:
        """Rows and features of a block where a candidate feature has its largest code."""
        if sparse.issparse(X):
            block, columns = sparse_rows(X, rows), np.flatnonzero(candidates)
            block = sparse.csr_array(block[:, columns])
            at = np.repeat(np.arange(block.shape[0]), np.diff(block.indptr))
            found = (block.data == self.largest[columns][block.indices]) & (block.data > 0)
            # zeros are mostly not stored: look at all rows of the few columns that have only zeros
            zero = columns[self.largest[columns] == 0]
            at_zero, zeros = np.nonzero(sparse_rows(X, rows)[:, zero].toarray() == 0)
            features = columns[block.indices[found]]
            return np.hstack([at[found], at_zero]), np.hstack([features, zero[zeros]])
        at, features = np.nonzero(candidates & (dense_rows(X, rows) == self.largest))
        return at, features

    def change(self, features: Array, observed: Array) -> Array:
        """Change of the log share of an unseen value, for these features and observed rows."""
        before, after = (
            log_shares(
                np.asarray(self.alpha),
                observed + self.alpha * size[features, None],
                np.maximum(size[features, None], 1),
            )
            for size in (self.n_categories, self.fewer)
        )
        same = before == after  # -inf, for one
        return np.where(same, 0.0, after) - np.where(same, 0.0, before)
