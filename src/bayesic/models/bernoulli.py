"""Bernoulli naive Bayes: features that are there or not."""

from collections.abc import Callable
from typing import Any, Self

import numpy as np
from scipy import sparse

from bayesic.data.arguments import is_number
from bayesic.data.blocks import part_blocks
from bayesic.data.columns import Categories
from bayesic.data.matrices import Matrix, dense_rows, sparse_rows, with_entries
from bayesic.estimation.prior import log_prior
from bayesic.estimation.shares import Lambda
from bayesic.estimation.smoothing import presence_log_probability
from bayesic.evidence.shares import class_shares, exact, value_text
from bayesic.evidence.work import Factor
from bayesic.kernels.without_row import presence_without_row, times_log
from bayesic.models.base import CountingClassifier, Scorer, own_column
from bayesic.models.discrete import LevelNB
from bayesic.models.events.shares import Shares
from bayesic.models.summaries.rows import presence_levels
from bayesic.statistics.presence import PresenceCounts, presence, presence_counts

Array = np.ndarray


class BernoulliNB(LevelNB):
    """Naive Bayes for features that are present or absent; absence counts as evidence too.

        P(c | x)  ~  P(c) * product over present j of p_cj * product over absent j of (1 - p_cj)
        p_cj = (N_cj + alpha) / (N_c + 2 alpha)                                [IIR] section 13.3

    N_cj counts the rows of class c with feature j, of N_c rows. Arguments, attributes and numbers
    are those of scikit-learn's BernoulliNB. NaN is a feature that was not observed.

    Parameters
    ----------
    alpha : number, or one for each feature; 1 is Laplace smoothing, 0 plain relative frequencies
    force_alpha : if False, an alpha below 1e-10 is raised to that
    binarize : a value above this is present; None if X holds 0 and 1 (or degrees between) already
    fit_prior : learn the prior from the class counts; if False all classes are equally likely
    class_prior : given prior probabilities, in the order of classes_

    Examples
    --------
    The China example of [IIR] section 13.3: words Chinese, Beijing, Shanghai, Macao, Tokyo, Japan.

    >>> X = [[2, 1, 0, 0, 0, 0], [2, 0, 1, 0, 0, 0], [1, 0, 0, 1, 0, 0], [1, 0, 0, 0, 1, 1]]
    >>> y = ["China", "China", "China", "other"]
    >>> model = BernoulliNB().fit(X, y)
    >>> model.predict_proba([[3, 0, 0, 0, 1, 1]]).round(4)
    array([[0.1911, 0.8089]])
    """

    statistics_: PresenceCounts

    def __init__(
        self,
        *,
        alpha: Any = 1.0,
        force_alpha: bool = True,
        binarize: float | None = 0.0,
        fit_prior: bool = True,
        class_prior: Any = None,
    ) -> None:
        self.alpha = alpha
        self.force_alpha = force_alpha
        self.binarize = binarize
        self.fit_prior = fit_prior
        self.class_prior = class_prior

    def _check_parameters(self, first: bool) -> None:
        super()._check_parameters(first)
        threshold = self.binarize
        fine = threshold is None or isinstance(threshold, bool) or is_number(threshold)
        if not fine or (threshold is not None and not threshold >= 0):
            raise ValueError(
                f"binarize must be a number of 0 or more, or None, got {threshold!r:.80}. "
                "Use 0.0 to count every value above 0 as present."
            )

    def _check_mergeable(self, other: CountingClassifier) -> None:
        super()._check_mergeable(other)
        if self.binarize != other.binarize:
            raise ValueError(
                "Only models that call the same values present can be merged: this one has "
                f"binarize={self.binarize}, the other binarize={other.binarize}."
            )

    def _summarise(
        self, X: Matrix, codes: Array, n_classes: int, weights: Array | None
    ) -> PresenceCounts:
        return presence_counts(X, codes, n_classes, weights, self.binarize)

    def _estimate(self, statistics: PresenceCounts) -> Self:
        self.statistics_ = statistics
        self.class_count_ = statistics.class_count.astype(np.float64)
        self.feature_count_ = statistics.present.astype(np.float64)
        self.class_log_prior_ = log_prior(statistics.class_count, self._prior())
        self.feature_log_prob_, self._absence_log_prob = presence_log_probability(
            statistics.present, statistics.absent, self._alpha()
        )
        return self

    _kind = "bernoulli"

    def _column_event(self, place: int) -> Shares:
        counts, alpha = self.statistics_, np.full(self.n_features_in_, self._alpha())[place]
        table = np.stack([counts.absent[:, place], counts.present[:, place]])
        return Shares(table, 2, Lambda(float(alpha)))

    def _levels(self, X: Matrix, names: list[str], places: Any) -> dict[str, Categories]:
        present = sparse_rows(X, slice(0, X.shape[0])) if sparse.issparse(X) else X
        return presence_levels(present, names, places, self.binarize or 0.0)

    def _scorer(self, X: Matrix) -> Scorer:
        score = presence_scorer(self.feature_log_prob_, self._absence_log_prob)
        return lambda rows: score(*self._presence(X, rows))

    def _presence(self, X: Matrix, rows: slice) -> tuple[Any, Any]:
        """Which features of a block of rows are present, and which missing (None if none is)."""
        if not sparse.issparse(X):
            return presence(dense_rows(X, rows), self.binarize)
        block = sparse_rows(X, rows)
        present, missing = presence(block.data, self.binarize)
        return with_entries(block, present), None if missing is None else with_entries(
            block, missing
        )

    def _leave_one_out_scorer(self, X: Matrix, codes: Array, weights: Array) -> Scorer:
        # only the row's own class changes: each count of it loses the row's share
        score = presence_scorer(self.feature_log_prob_, self._absence_log_prob)
        score_own = self._own_class_scorer(X, codes, weights)

        def scores_of(rows: slice) -> Array:
            scores, own = score(*self._presence(X, rows)), codes[rows]
            scores[np.arange(len(own)), own] = score_own(rows)
            return scores

        return scores_of

    def _own_class_scorer(self, X: Matrix, codes: Array, weights: Array) -> Scorer:
        counts, alpha = self.statistics_, self._alpha()
        if self.binarize is not None and np.ptp(weights) == 0:
            # all rows weigh the same: the probabilities without a row are two tables
            score = presence_scorer(
                *presence_log_probability(counts.present, counts.absent, alpha, weights[0])
            )
            return lambda rows: own_column(score(*self._presence(X, rows)), codes[rows])
        present, absent = counts.present.astype(np.float64), counts.absent.astype(np.float64)
        alpha = np.full(self.n_features_in_, alpha)

        def scores_of(rows: slice) -> Array:
            block = presence(dense_rows(X, rows), self.binarize)
            return presence_without_row(*block, codes[rows], weights[rows], present, absent, alpha)

        return lambda rows: np.hstack([*map(scores_of, part_blocks(rows, X.shape[1]))])

    def _feature_scores(self, X: Matrix) -> Array:
        present, missing = presence(dense_rows(X, slice(0, X.shape[0])), self.binarize)
        absent = 1.0 - present if missing is None else 1.0 - present - missing
        return times_log(present[:, :, None], self.feature_log_prob_.T) + times_log(
            absent[:, :, None], self._absence_log_prob.T
        )

    def _factors(self, X: Matrix, names: list[str]) -> list[Factor]:
        counts, values = self.statistics_, dense_rows(X, slice(0, 1))
        rows_of = {0.0: counts.absent, 1.0: counts.present}
        total, scores = counts.present + counts.absent, self._feature_scores(X)[0]
        alphas = np.full(self.n_features_in_, self._alpha())
        factors = []
        for feature, degree in enumerate(presence(values, self.binarize)[0][0].tolist()):
            if np.isnan(values[0, feature]):
                continue
            if degree in rows_of:
                count, alpha = rows_of[degree][:, feature], exact(alphas[feature])
                shares = class_shares(count, total[:, feature], alpha, 2 * alpha, 2)
            else:  # p^degree (1 - p)^(1 - degree) is no fraction
                shares = tuple(scores[feature].tolist())
            factors.append(Factor(f"{names[feature]}={value_text(degree)}", shares))
        return factors


def presence_scorer(log_present: Array, log_absent: Array) -> Callable[[Any, Any], Array]:
    """A function from what is present and missing in a block to log p(x | c).

    log_present, log_absent : (n_classes, n_features); -inf is allowed
    """
    impossible = np.isneginf(log_present), np.isneginf(log_absent)
    finite = PresenceWeights(
        np.where(impossible[0], 0.0, log_present), np.where(impossible[1], 0.0, log_absent)
    )
    if not (impossible[0].any() or impossible[1].any()):
        return finite.sums
    hits = PresenceWeights(*impossible)

    def score(present: Any, missing: Any) -> Array:
        nowhere = hits.sums(present, missing) > 1e-9  # less is rounding
        return np.where(nowhere, -np.inf, finite.sums(present, missing))

    return score


class PresenceWeights:
    """Weights for each feature being present and absent, to be summed over rows."""

    def __init__(self, of_present: Array, of_absent: Array) -> None:
        """Both (n_classes, n_features)."""
        self.of_absent = np.ascontiguousarray(of_absent.T, dtype=np.float64)
        self.difference = np.ascontiguousarray(of_present.T, dtype=np.float64) - self.of_absent
        self.all_absent = self.of_absent.sum(axis=0)

    def sums(self, present: Any, missing: Any) -> Array:
        """Sum of the weights of each row: all absent, plus what the present ones change."""
        sums = present @ self.difference + self.all_absent
        return sums if missing is None else sums - missing @ self.of_absent
