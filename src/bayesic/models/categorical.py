"""Categorical naive Bayes: features that take one of several values."""

from collections.abc import Callable
from typing import Any, Self

import numpy as np
from scipy import sparse

from bayesic.data.categories import category_codes
from bayesic.data.matrices import Matrix, dense_rows, n_cells, sparse_rows, with_entries
from bayesic.estimation.prior import log_prior
from bayesic.estimation.smoothing import category_log_probability, log_shares
from bayesic.kernels import kernels_for
from bayesic.models.base import Scorer
from bayesic.models.discrete import DiscreteNB
from bayesic.statistics.categories import CategoryCounts, category_counts, first_rows
from bayesic.statistics.values import remaining

Array = np.ndarray


class CategoricalNB(DiscreteNB):
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

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if np.ndim(self.alpha):
            raise ValueError(f"alpha must be one number for all categories, got {self.alpha!r}.")
        least = np.asarray(0 if self.min_categories is None else self.min_categories)
        if least.dtype.kind not in "iu":
            raise ValueError(
                f"'min_categories' should have integral type. Got {least.dtype} instead. "
                "Give one whole number for all features, or one for each."
            )
        if self.min_categories is not None and (least.size == 0 or least.min() < 1):
            raise ValueError(f"'min_categories' must be 1 or more, got {self.min_categories!r}.")

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
        if sparse.issparse(X):
            return self._sparse_scorer(X)
        kernels = kernels_for(n_cells(X))
        return lambda rows: kernels.category_scores(
            category_codes(X[rows], type(self).__name__), self._log_table, self._first
        )

    def _sparse_scorer(self, X: sparse.csr_array) -> Scorer:
        """Score the row of all zeros, and correct for each stored code: no zero is visited."""
        zero_cells, last_cells = self._first[:-1], self._first[1:] - 1
        boundless = np.isneginf(self._log_table)
        finite = np.where(boundless, 0.0, self._log_table)

        def scores_of(rows: slice) -> Array:
            block = sparse_rows(X, rows)
            categories = category_codes(block.data, type(self).__name__)
            cells = np.minimum(zero_cells[block.indices] + categories, last_cells[block.indices])
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
                scores[sums(boundless.astype(np.float64)) > 0.5] = -np.inf
            return scores

        return scores_of

    def _leave_one_out_scorer(self, X: Matrix, codes: Array, weights: Array) -> Scorer:
        kernels = kernels_for(n_cells(X))
        counts = WithoutOneRow(self.statistics_, self._at_least, float(self._alpha()))

        def scores_of(rows: slice) -> Array:
            values = dense_rows(X, rows) if sparse.issparse(X) else X[rows]
            categories = category_codes(values, type(self).__name__)
            scores = kernels.category_scores(categories, self._log_table, self._first)
            counts.correct(scores, categories, codes[rows], weights[rows])
            return scores

        return scores_of

    def _feature_scores(self, X: Matrix) -> Array:
        values = dense_rows(X, slice(0, X.shape[0])) if sparse.issparse(X) else X
        categories = category_codes(values, type(self).__name__)
        cells = np.minimum(self._first[:-1] + categories, self._first[1:] - 1)
        return np.where(categories[:, :, None] >= 0, self._log_table[cells], 0.0)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.positive_only = True
        return tags


class WithoutOneRow:
    """Scores of learned rows, each as if it had not been learned.

    A row leaves the counts of its own class. If it alone held the largest code of a feature, the
    feature has fewer categories without it, which all classes feel.
    """

    def __init__(
        self, counts: CategoryCounts, at_least: Callable[[Array], Array], alpha: float
    ) -> None:
        self.counts = counts
        self.alpha = alpha
        self.n_categories = at_least(counts.n_categories)
        self.n_without_largest = at_least(counts.without_largest().n_categories)
        self.in_all_classes = counts.table.sum(axis=1)
        self.observed = counts.observed()

    def correct(self, scores: Array, categories: Array, own: Array, weight: Array) -> None:
        """Turn the scores of rows of these classes and weights into those without each row."""
        known = categories >= 0
        if (categories >= self.counts.n_categories).any():
            raise ValueError(
                "Only what was learned can be left out, but a row holds a category that was never "
                "learned. Give the rows that the model was fitted on."
            )
        cells = np.where(known, self.counts.first[:-1] + categories, 0)
        removed = known * weight[:, None]
        alone = known & (remaining(self.in_all_classes[cells], removed) == 0)
        alone &= categories == self.counts.n_categories - 1
        n_categories = np.where(alone, self.n_without_largest, self.n_categories)
        self._correct_all_classes(scores, alone)

        rest = remaining(self.counts.table[cells, own[:, None]], removed)
        total = remaining(self.observed.T[own], removed) + n_categories * self.alpha
        terms = log_shares(rest + self.alpha, total, np.maximum(n_categories, 1))
        scores[np.arange(len(own)), own] = np.where(known, terms, 0.0).sum(axis=1)

    def _correct_all_classes(self, scores: Array, alone: Array) -> None:
        rows, features = np.nonzero(alone)
        before, after = (
            log_shares(
                np.asarray(self.alpha),
                self.observed[features] + n_categories[features, None] * self.alpha,
                np.maximum(n_categories[features, None], 1),
            )
            for n_categories in (self.n_categories, self.n_without_largest)
        )
        # only the row's own class has counts of its category: the others stay at -inf, if at all
        change = np.where(before == after, 0.0, after - np.where(before == after, 0.0, before))
        np.add.at(scores, rows, change)
