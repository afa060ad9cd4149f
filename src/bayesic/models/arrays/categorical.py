"""Categorical naive Bayes: features that take one of several values."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from scipy import sparse

from bayesic.data.blocks import part_blocks
from bayesic.data.categories import LARGEST_CODE, category_codes
from bayesic.data.columns import Categories
from bayesic.data.matrices import Matrix, dense_rows, n_cells, sparse_rows, with_entries
from bayesic.data.typing import ArrayLike
from bayesic.estimation.dependent_columns import DependentPairs
from bayesic.estimation.normal_evidence import NormalPrior
from bayesic.estimation.smoothing import Lambda, category_log_probability
from bayesic.evidence.fractions import class_shares, exact
from bayesic.evidence.work import Factor
from bayesic.kernels import Array, pick
from bayesic.kernels.leaving import own_class
from bayesic.kernels.without_row import category_without_row
from bayesic.models.arrays.discrete import (
    DiscreteClassifier,
    DiscreteSettings,
    LevelFeatures,
    discrete_evidence,
    discrete_settings,
    pairs_of_levels,
)
from bayesic.models.arrays.largest_codes import Loners
from bayesic.models.events.shares import Shares
from bayesic.models.fitted import Scorer, learned
from bayesic.models.log_evidence import LEVELS, LogEvidence
from bayesic.statistics.category_counts import CategoryCounts, category_counts, first_rows


@dataclass(frozen=True, eq=False)
class CategorySettings(DiscreteSettings):
    """The same, and how many categories there are at least."""

    least: Array  # of all features, or of each


@dataclass(frozen=True, eq=False)
class CategoricalFeatures(LevelFeatures):
    """The smoothed share of each category of each feature."""

    formula = "category_scores"

    kind = "categorical"

    counts: CategoryCounts
    alpha: float
    least: Any  # number of categories, of all features or of each
    model: str  # its name, for messages

    @cached_property
    def n_categories(self) -> Array:
        """S_j of each feature."""
        return self._at_least(self.counts.n_categories)

    def _at_least(self, n_categories: Array) -> Array:
        return np.maximum(n_categories, self.least).astype(np.int64)

    def _log_table(self, without: float = 0.0) -> Array:
        padded = self.counts.padded_table(self.n_categories + 1)
        facts = padded, self.counts.observed(), self.n_categories
        return category_log_probability(*facts, self.alpha, without)

    @cached_property
    def log_table(self) -> Array:
        """log p(v | c) of the categories of all features, and of one never seen, in rows."""
        return self._log_table()

    @cached_property
    def first(self) -> Array:
        """The row of log_table where each feature begins, and its end."""
        return first_rows(self.n_categories + 1)

    @property
    def category_counts(self) -> list[Array]:
        """For each feature, how often each category occurs in each class."""
        table = self.counts.padded_table(self.n_categories).astype(np.float64)
        return np.split(table.T, first_rows(self.n_categories)[1:-1], axis=1)

    @property
    def log_shares(self) -> list[Array]:
        """For each feature, log p(category | class): (n_classes, n_categories)."""
        tables = np.split(self.log_table.T, self.first[1:-1], axis=1)
        return [table[:, :-1] for table in tables]

    @property
    def n_parameters(self) -> int:
        """K times the sum over the features of their categories."""
        return len(self.counts.class_count) * int(self.n_categories.sum())

    # scores ---------------------------------------------------------------------------------

    def scorer(self, rows: Matrix) -> Scorer:
        """log p(x | c) of each row."""
        return self._table_scorer(rows, self.log_table)

    def _table_scorer(self, rows: Matrix, log_table: Array) -> Scorer:
        """A function from rows to the sums of their logs in a table like self.log_table."""
        if sparse.issparse(rows):
            return self._sparse_scorer(rows, log_table)
        kernels = pick("classes", n_cells(rows) * self.log_table.shape[1])
        return lambda block: kernels.category_scores(
            _category_rows(rows, block, self.model), log_table, self.first
        )

    def _sparse_scorer(self, rows: sparse.csr_array, log_table: Array) -> Scorer:
        """Score the row of all zeros, and correct for each stored code: no zero is visited."""
        zero_cells, unseen = self.first[:-1], np.diff(self.first) - 1
        boundless = np.isneginf(log_table)
        finite = np.where(boundless, 0.0, log_table)

        def scores_of(slice_: slice) -> Array:
            block = sparse_rows(rows, slice_)
            categories = category_codes(block.data, self.model)
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

    def scorer_without(self, rows: Matrix, codes: Array, weights: Array) -> Scorer:
        """The row leaves the counts of its own class.

        If it alone held the largest code of a feature, the feature has fewer categories without it,
        which all classes feel.
        """
        score, score_own = self.scorer(rows), self._own_class_scorer(rows, codes, weights)
        fewer = self._at_least(self.counts.without_largest().n_categories)
        loners = Loners(self.counts, self.n_categories, fewer, self.alpha)

        def scores_of(block: slice) -> Array:
            scores, own = score(block), codes[block]
            scores[own_class(own)] = score_own(block)
            if loners.possible(weights.max()).any():
                loners.correct(scores, rows, block, own, weights[block])
            return scores

        return scores_of

    def _own_class_scorer(self, rows: Matrix, codes: Array, weights: Array) -> Scorer:
        counts, sizes = self.counts, self.n_categories
        if np.ptp(weights) == 0:
            # all rows weigh the same: the probabilities without a row are one more table
            score = self._table_scorer(rows, self._log_table(weights[0]))
            return lambda block: score(block)[own_class(codes[block])]
        table, observed = counts.table.astype(np.float64), counts.observed().astype(np.float64)
        facts = table, counts.first, observed, sizes, self.alpha

        def scores_of(block: slice) -> Array:
            categories = _category_rows(rows, block, self.model)
            return category_without_row(categories, codes[block], weights[block], *facts)

        return lambda block: np.hstack([*map(scores_of, part_blocks(block, rows.shape[1]))])

    # reasons --------------------------------------------------------------------------------

    def terms(self, rows: Matrix) -> Array:
        """log p(x_j | c) of each feature."""
        categories = _category_rows(rows, slice(0, rows.shape[0]), self.model)
        cells = self.first[:-1] + np.minimum(categories, np.diff(self.first) - 1)
        return np.where(categories[:, :, None] >= 0, self.log_table[cells], 0.0)

    def factors(
        self, row: Matrix, names: Sequence[str], shown: Sequence[str | None]
    ) -> list[Factor]:
        """The share of the category of each feature."""
        alpha, counts = exact(self.alpha), self.counts
        first, observed = counts.first, counts.observed()
        never = np.zeros(len(counts.class_count), dtype=np.int64)
        factors = []
        for feature, category in enumerate(_category_rows(row, slice(0, 1), self.model)[0]):
            if category >= 0:
                seen = category < counts.n_categories[feature]
                count = counts.table[first[feature] + category] if seen else never
                size = int(self.n_categories[feature])
                shares = class_shares(count, observed[feature], alpha, alpha * size, max(size, 1))
                factors.append(Factor(f"{names[feature]}={category}", shares))
        return factors

    # what was learned -----------------------------------------------------------------------

    def evidence(self, names: Sequence[str], prior: NormalPrior) -> LogEvidence:
        """log P of classes and categories, those of a feature between 0 and S_j."""
        observed = self.counts.observed()
        smoothing = self.alpha, lambda alpha: alpha * self.n_categories[:, None]
        seen_as = {names[at]: LEVELS for at in np.flatnonzero(observed.any(axis=1)).tolist()}
        return discrete_evidence(self.prior, self.counts.table, observed, *smoothing, seen_as)

    def _event(self, place: int) -> Shares:
        """The counts of the categories of a feature, and their shares."""
        table, first = self.counts.padded_table(self.n_categories), first_rows(self.n_categories)
        own = table[first[place] : first[place + 1]]
        return Shares(own, int(self.n_categories[place]), Lambda(self.alpha))

    def pairs(
        self, names: Sequence[str], rows: Matrix | None, codes: Array | None
    ) -> DependentPairs | None:
        """Features that depend on each other, where rows are given."""
        if rows is None or codes is None:
            return None
        categories = _category_rows(rows, slice(0, rows.shape[0]), self.model)

        def levels_at(places: list[int]) -> list[Categories]:
            return [_levels_of(categories[:, place]) for place in places]

        n_classes = len(self.counts.class_count)
        return pairs_of_levels(names, self.summaries, levels_at, codes, n_classes)


def _levels_of(codes: Array) -> Categories:
    """Category codes as a column of levels.

    >>> _levels_of(np.array([1, 0, 1])).levels
    ('0', '1')
    """
    return Categories(codes, tuple(map(str, range(codes.max(initial=0) + 1))))


def _category_rows(X: Matrix, rows: slice, model: str) -> Array:
    """These rows as category codes, dense."""
    return category_codes(dense_rows(X, rows) if sparse.issparse(X) else X[rows], model)


class CategoricalNB(DiscreteClassifier[CategoryCounts, CategoricalFeatures, CategorySettings]):
    """Naive Bayes for categories, numbered from 0 in each column.

        P(c | x)  ~  P(c) * product over j of p(x_j | c),
        p(x_j = v | c) = (N_cjv + alpha) / (N_cj + S_j alpha)              [LiHang] eq. 4.10

    N_cjv counts value v of feature j in class c; S_j is the number of categories of the feature,
    the largest code that was learned plus one, or min_categories if that is more. A value never
    seen gets the share of an unseen one, alpha / (N_cj + S_j alpha). NaN is a missing value.
    Arguments, attributes and numbers are those of scikit-learn's CategoricalNB. Codes up to 99999
    can be learned; numbers that are not whole are refused.

    Parameters
    ----------
    alpha : number; 1 is the Laplace correction, 0 plain relative frequencies
    force_alpha : if False, an alpha below 1e-10 is raised to 1e-10
    fit_prior : learn the prior from the class counts; if False all classes are equally likely
    class_prior : given prior probabilities, in the order of classes_
    min_categories : minimum number of categories, for all features or for each

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
    fitted_class = CategoricalFeatures
    tags: ClassVar[dict[str, bool]] = {**DiscreteClassifier.tags, "categorical": True}

    n_categories_ = learned("n_categories", "How many categories each feature has.")
    category_count_ = learned("category_counts", "How often each category occurs in each class.")
    feature_log_prob_ = learned("log_shares", "For each feature, log p(category | class).")

    def __init__(
        self,
        *,
        alpha: float = 1.0,
        force_alpha: bool = True,
        fit_prior: bool = True,
        class_prior: ArrayLike | None = None,
        min_categories: ArrayLike | None = None,
    ) -> None:
        self.alpha = alpha
        self.force_alpha = force_alpha
        self.fit_prior = fit_prior
        self.class_prior = class_prior
        self.min_categories = min_categories

    def _parse(self) -> CategorySettings:
        settings = discrete_settings(self)
        if settings.alpha.ndim:
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
        return CategorySettings(settings.alpha, settings.forced, settings.prior, least)

    def _count(
        self, X: Matrix, codes: Array, n_classes: int, weights: Array | None
    ) -> CategoryCounts:
        return category_counts(X, codes, n_classes, weights, model=type(self).__name__)

    def _fit(self, statistics: CategoryCounts) -> CategoricalFeatures:
        settings: CategorySettings = self._settings
        least = settings.least
        if least.ndim and least.shape != statistics.n_categories.shape:
            raise ValueError(
                f"'min_categories' should have shape ({len(statistics.n_categories)},) when an "
                f"array-like is provided. Got {least.shape} instead."
            )
        prior = settings.prior_of(statistics.class_count)
        alpha = float(settings.alpha_of(statistics.n_features))
        return CategoricalFeatures(prior, statistics, alpha, least, type(self).__name__)
