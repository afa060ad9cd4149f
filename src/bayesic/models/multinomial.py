"""Multinomial naive Bayes: word counts and other occurrences."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any, Self

import numpy as np
from scipy import sparse
from sklearn.utils.validation import check_is_fitted

from bayesic.data.matrices import Matrix, dense_rows, sparse_rows
from bayesic.estimation.prior import log_prior
from bayesic.estimation.smoothing import smoothed_log_probability
from bayesic.evidence.column_table import ColumnTable
from bayesic.evidence.shares import class_shares, exact, is_whole_number
from bayesic.evidence.summary import ColumnSummary
from bayesic.evidence.work import Factor
from bayesic.kernels.without_row import times_log
from bayesic.models.base import Scorer
from bayesic.models.discrete import DiscreteNB, log_linear
from bayesic.models.summaries.words import BITS_OF_OCCURRENCES, word_summaries, word_table
from bayesic.statistics.counts import FeatureCounts, checked_counts, feature_counts

Array = np.ndarray


class MultinomialNB(DiscreteNB):
    """Naive Bayes for counts, such as how often each word occurs in a text.

        P(c | x)  ~  P(c) * product over t of p(t | c)^x_t
        p(t | c) = (T_ct + alpha) / (T_c + alpha V)

    T_ct counts feature t in class c, T_c all V features ([IIR] section 13.2, [Mitchell] table 6.2).
    Arguments, attributes and numbers are those of scikit-learn's MultinomialNB. NaN is a count that
    was not observed and is left out.

    Parameters
    ----------
    alpha : number, or one for each feature; 1 is Laplace smoothing, 0 plain relative frequencies
    force_alpha : if False, an alpha below 1e-10 is raised to that
    fit_prior : learn the prior from the class counts; if False all classes are equally likely
    class_prior : given prior probabilities, in the order of classes_

    Examples
    --------
    The China example of [IIR] section 13.2: words Chinese, Beijing, Shanghai, Macao, Tokyo, Japan.

    >>> X = [[2, 1, 0, 0, 0, 0], [2, 0, 1, 0, 0, 0], [1, 0, 0, 1, 0, 0], [1, 0, 0, 0, 1, 1]]
    >>> y = ["China", "China", "China", "other"]
    >>> model = MultinomialNB().fit(X, y)
    >>> model.predict_proba([[3, 0, 0, 0, 1, 1]]).round(4)
    array([[0.6898, 0.3102]])
    """

    statistics_: FeatureCounts

    def __init__(
        self,
        *,
        alpha: Any = 1.0,
        force_alpha: bool = True,
        fit_prior: bool = True,
        class_prior: Any = None,
    ) -> None:
        self.alpha = alpha
        self.force_alpha = force_alpha
        self.fit_prior = fit_prior
        self.class_prior = class_prior

    def _summarise(
        self, X: Matrix, codes: Array, n_classes: int, weights: Array | None
    ) -> FeatureCounts:
        return feature_counts(X, codes, n_classes, weights, model=type(self).__name__)

    def _estimate(self, statistics: FeatureCounts) -> Self:
        self.statistics_ = statistics
        self.class_count_ = statistics.class_count.astype(np.float64)
        self.feature_count_ = statistics.feature_count.astype(np.float64)
        self.class_log_prior_ = log_prior(statistics.class_count, self._prior())
        # feature by feature in memory, as products with rows want it
        self.feature_log_prob_ = np.asfortranarray(
            smoothed_log_probability(self.feature_count_, self._alpha())
        )
        return self

    @property
    def n_parameters(self) -> int:
        """Numbers that are estimated, the prior aside: a share of each feature in each class."""
        check_is_fitted(self)
        return self.feature_log_prob_.size

    _kind, _notes = "count", (BITS_OF_OCCURRENCES,)

    def _log_shares(self) -> Array:
        """log p(feature | class), (n_features, n_classes), whatever the model makes of it."""
        return smoothed_log_probability(self.feature_count_, self._alpha()).T

    def _column_summaries(self, X: Any, y: Any) -> list[ColumnSummary]:
        prior = self._class_shares()
        return word_summaries(self._feature_names(), self._log_shares(), prior, self._kind)

    def _column_table(self, column: str, fractions: bool) -> ColumnTable:
        place, alphas = (
            self._feature_names().index(column),
            np.full(self.n_features_in_, self._alpha()),
        )
        counts, classes = self.statistics_.feature_count.T, self.classes_.tolist()
        return word_table(
            column, self._kind, place, counts, alphas, classes, self._class_shares(), fractions
        )

    def _scorer(self, X: Matrix) -> Scorer:
        score = self._block_scorer()
        return lambda rows: score(self._counts(X, rows))

    def _block_scorer(self) -> Callable[[Any], Array]:
        """A function from a block of counts, dense or CSR, to log p(x | c)."""
        return log_linear(np.ascontiguousarray(self.feature_log_prob_.T))

    def _counts(self, X: Matrix, rows: slice) -> Any:
        """A block of rows, checked, in the form that products want: dense or CSR."""
        name = type(self).__name__
        if not sparse.issparse(X):
            return checked_counts(dense_rows(X, rows), name)
        block = sparse_rows(X, rows)
        block.data = checked_counts(block.data, name)
        return block

    def _leave_one_out_scorer(self, X: Matrix, codes: Array, weights: Array) -> Scorer:
        # only the row's own class changes: it loses the counts of the row
        score = self._block_scorer()
        kernels = self._kernels(X)
        alpha = np.full(self.n_features_in_, self._alpha())

        def scores_of(rows: slice) -> Array:
            block, own = self._counts(X, rows), codes[rows]
            scores = score(block)
            scores[np.arange(len(own)), own] = kernels.multinomial_without_row(
                block, own, weights[rows], self.feature_count_, alpha
            )
            return scores

        return scores_of

    def _feature_scores(self, X: Matrix) -> Array:
        counts = checked_counts(dense_rows(X, slice(0, X.shape[0])), type(self).__name__)
        return times_log(counts[:, :, None], self.feature_log_prob_.T)

    def _factors(self, X: Matrix, names: list[str]) -> list[Factor]:
        occurrences = checked_counts(dense_rows(X, slice(0, 1)), type(self).__name__)[0]
        counts = self.statistics_.feature_count
        totals, n_features = counts.sum(axis=1), self.n_features_in_
        alphas = [*map(exact, np.full(n_features, self._alpha()))]
        alpha_of_all = sum(alphas, start=Fraction(0))
        factors = []
        for feature in np.flatnonzero(occurrences):
            times = float(occurrences[feature])
            power = int(times) if is_whole_number(times) else times
            shares = class_shares(
                counts[:, feature], totals, alphas[feature], alpha_of_all, n_features
            )
            factors.append(Factor(names[feature], shares, power))
        return factors

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        return tags
