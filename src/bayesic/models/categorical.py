"""Categorical naive Bayes: features that take one of several values."""

from typing import Any, Self

import numpy as np
from scipy import sparse

from bayesic.data.blocks import part_blocks
from bayesic.data.categories import LARGEST_CODE, category_codes
from bayesic.data.columns import Categories
from bayesic.data.matrices import Matrix, dense_rows, sparse_rows, with_entries
from bayesic.estimation.prior import log_prior
from bayesic.estimation.shares import Lambda, log_shares
from bayesic.estimation.smoothing import category_log_probability
from bayesic.evidence.shares import class_shares, exact
from bayesic.evidence.work import Factor
from bayesic.kernels.rounding import left
from bayesic.kernels.without_row import category_without_row
from bayesic.models.base import Scorer, own_column
from bayesic.models.discrete import LevelNB
from bayesic.models.events.shares import Shares
from bayesic.statistics.categories import CategoryCounts, category_counts, first_rows

Array = np.ndarray


class CategoricalNB(LevelNB):
    """Naive Bayes for categories, numbered from 0 on in each column.

        P(c | x)  ~  P(c) * product over j of p(x_j | c),
        p(x_j = v | c) = (N_cjv + alpha) / (N_cj + S_j alpha)              [LiHang] eq. 4.10

    N_cjv counts value v of feature j in class c; S_j is the number of categories of the feature,
    the largest code that was learned plus one, or min_categories if that is more. A value never
    seen gets the share of an unseen one, alpha / (N_cj + S_j alpha). NaN is not observed.
    Arguments, attributes and numbers are those of scikit-learn's CategoricalNB. Codes up to 99999
    can be learned; numbers that are not whole are refused.

    Parameters
    ----------
    alpha : number; 1 is the Laplace correction, 0 plain relative frequencies
    force_alpha : if False, an alpha below 1e-10 is raised to that
    fit_prior : learn the prior from the class counts; if False all classes are equally likely
    class_prior : given prior probabilities, in the order of classes_
    min_categories : least number of categories, for all features or for each

    Examples
    --------
    Textbook case 1 ([LiHang] example 4.1), values S, M, L as 0, 1, 2.

    >>> from bayesic.datasets import li_hang
    >>> table = li_hang()
    >>> model = CategoricalNB(alpha=0).fit(table.codes, table.target)
    >>> model.predict_proba([table.encode((2, "S"))]).round(4)
    array([[0.75, 0.25]])
    """

    statistics_: CategoryCounts

    def __init__(
        self,
        *,
        alpha: float = 1.0,
        force_alpha: bool = True,
        fit_prior: bool = True,
        class_prior: Any = None,
        min_categories: Any = None,
    ) -> None:
        self.alpha = alpha
        self.force_alpha = force_alpha
        self.fit_prior = fit_prior
        self.class_prior = class_prior
        self.min_categories = min_categories

    def _check_parameters(self, first: bool) -> None:
        super()._check_parameters(first)
        if np.ndim(self.alpha):
            raise ValueError(
                f"alpha must be one number, got {self.alpha!r}. CategoricalNB smooths all features "
                "alike."
            )
        least = np.asarray(0 if self.min_categories is None else self.min_categories)
        if least.dtype.kind not in "iu":
            raise ValueError(
                f"'min_categories' should have integral type. Got {least.dtype} instead. "
                "Give one whole number for all features, or one for each."
            )
        inside = least.size and least.min() >= 1 and least.max() <= LARGEST_CODE + 1
        if self.min_categories is not None and not inside:
            raise ValueError(
                f"'min_categories' must lie between 1 and {LARGEST_CODE + 1}, "
                f"got {self.min_categories!r}."
            )

    def _summarise(
        self, X: Matrix, codes: Array, n_classes: int, weights: Array | None
    ) -> CategoryCounts:
        return category_counts(X, codes, n_classes, weights, model=type(self).__name__)

    def _estimate(self, statistics: CategoryCounts) -> Self:
        self.statistics_ = statistics
        self.class_count_ = statistics.class_count.astype(np.float64)
        self.n_categories_ = self._at_least(statistics.n_categories)
        self.class_log_prior_ = log_prior(statistics.class_count, self._prior())
        self._log_table, self._first = category_log_probability(
            statistics, self.n_categories_, float(self._alpha())
        )
        return self

    @property
    def category_count_(self) -> list[Array]:
        """For each feature, how often each category occurs in each class."""
        table = self.statistics_.padded_table(self.n_categories_).astype(np.float64)
        return np.split(table.T, first_rows(self.n_categories_)[1:-1], axis=1)

    @property
    def feature_log_prob_(self) -> list[Array]:
        """For each feature, log p(category | class): (n_classes, n_categories)."""
        tables = np.split(self._log_table.T, self._first[1:-1], axis=1)
        return [table[:, :-1] for table in tables]

    def _column_event(self, place: int) -> Shares:
        table = self.statistics_.padded_table(self.n_categories_)
        first = first_rows(self.n_categories_)
        own = table[first[place] : first[place + 1]]
        return Shares(own, int(self.n_categories_[place]), Lambda(float(self._alpha())))

    def _levels(self, X: Matrix, names: list[str], places: Any) -> dict[str, Categories]:
        codes = category_rows(X, slice(0, X.shape[0]), type(self).__name__)
        return {
            name: Categories(codes[:, at], tuple(map(str, range(codes[:, at].max(initial=0) + 1))))
            for name, at in zip(names, places, strict=True)
        }

    def _at_least(self, n_categories: Array) -> Array:
        if self.min_categories is None:
            return n_categories
        least = np.asarray(self.min_categories)
        if least.ndim and least.shape != n_categories.shape:
            raise ValueError(
                f"'min_categories' should have shape ({len(n_categories)},) when an array-like is "
                f"provided. Got {least.shape} instead."
            )
        return np.maximum(n_categories, least).astype(np.int64)

    def _scorer(self, X: Matrix) -> Scorer:
        return self._table_scorer(X, self._log_table)

    def _table_scorer(self, X: Matrix, log_table: Array) -> Scorer:
        """A function from rows to the sums of their logs in a table like self._log_table."""
        if sparse.issparse(X):
            return self._sparse_scorer(X, log_table)
        kernels = self._kernels(X)
        return lambda rows: kernels.category_scores(
            category_rows(X, rows, type(self).__name__), log_table, self._first
        )

    def _sparse_scorer(self, X: sparse.csr_array, log_table: Array) -> Scorer:
        """Score the row of all zeros, and correct for each stored code: no zero is visited."""
        zero_cells, unseen = self._first[:-1], np.diff(self._first) - 1
        boundless = np.isneginf(log_table)
        finite = np.where(boundless, 0.0, log_table)

        def scores_of(rows: slice) -> Array:
            block = sparse_rows(X, rows)
            categories = category_codes(block.data, type(self).__name__)
            cells = zero_cells[block.indices] + np.minimum(categories, unseen[block.indices])
            observed = (categories >= 0).astype(np.float64)
            stored = sparse.csr_array(
                (observed, np.where(observed, cells, 0), block.indptr),
                shape=(block.shape[0], len(finite)),
            )
            places = with_entries(block, np.ones_like(block.data))

            def sums(table: Array) -> Array:
                of_zero = table[zero_cells]
                return of_zero.sum(axis=0) + stored @ table - places @ of_zero

            scores = sums(finite)
            if boundless.any():
                hits = sums(boundless.astype(np.float64))
                scores[hits > 1e-9] = -np.inf  # less is rounding
            return scores

        return scores_of

    def _leave_one_out_scorer(self, X: Matrix, codes: Array, weights: Array) -> Scorer:
        # the row leaves the counts of its own class; if it alone held the largest code of a
        # feature, the feature has fewer categories without it, which all classes feel
        score, score_own = self._scorer(X), self._own_class_scorer(X, codes, weights)
        fewer = self._at_least(self.statistics_.without_largest().n_categories)
        loners = Loners(self.statistics_, self.n_categories_, fewer, float(self._alpha()))

        def scores_of(rows: slice) -> Array:
            scores, own = score(rows), codes[rows]
            scores[np.arange(len(own)), own] = score_own(rows)
            if loners.possible(weights.max()).any():
                loners.correct(scores, X, rows, own, weights[rows])
            return scores

        return scores_of

    def _own_class_scorer(self, X: Matrix, codes: Array, weights: Array) -> Scorer:
        counts, alpha = self.statistics_, float(self._alpha())
        if np.ptp(weights) == 0:
            # all rows weigh the same: the probabilities without a row are one more table
            log_table, _ = category_log_probability(counts, self.n_categories_, alpha, weights[0])
            score = self._table_scorer(X, log_table)
            return lambda rows: own_column(score(rows), codes[rows])
        table, observed = counts.table.astype(np.float64), counts.observed().astype(np.float64)
        learned = table, counts.first, observed, self.n_categories_, alpha

        def scores_of(rows: slice) -> Array:
            categories = category_rows(X, rows, type(self).__name__)
            return category_without_row(categories, codes[rows], weights[rows], *learned)

        return lambda rows: np.hstack([*map(scores_of, part_blocks(rows, X.shape[1]))])

    def _feature_scores(self, X: Matrix) -> Array:
        categories = category_rows(X, slice(0, X.shape[0]), type(self).__name__)
        cells = self._first[:-1] + np.minimum(categories, np.diff(self._first) - 1)
        return np.where(categories[:, :, None] >= 0, self._log_table[cells], 0.0)

    def _factors(self, X: Matrix, names: list[str]) -> list[Factor]:
        alpha, counts = exact(self._alpha()), self.statistics_
        first, observed = counts.first, counts.observed()
        never = np.zeros(len(self.classes_), dtype=np.int64)
        factors = []
        for feature, category in enumerate(category_rows(X, slice(0, 1), type(self).__name__)[0]):
            if category >= 0:
                seen = category < counts.n_categories[feature]
                count = counts.table[first[feature] + category] if seen else never
                size = int(self.n_categories_[feature])
                shares = class_shares(count, observed[feature], alpha, alpha * size, max(size, 1))
                factors.append(Factor(f"{names[feature]}={category}", shares))
        return factors

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.positive_only = True
        return tags


def category_rows(X: Matrix, rows: slice, model: str) -> Array:
    """These rows as category codes, dense."""
    return category_codes(dense_rows(X, rows) if sparse.issparse(X) else X[rows], model)


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
