"""Complement naive Bayes: what a class is not, for unbalanced texts."""

import warnings
from typing import Any, Self

import numpy as np

from bayesic.data.matrices import Matrix, dense_rows
from bayesic.estimation.prior import log_prior
from bayesic.estimation.smoothing import complement_weights
from bayesic.models.base import Scorer
from bayesic.models.cells import Cells, cells_of
from bayesic.models.discrete import times_log
from bayesic.models.multinomial import MultinomialNB
from bayesic.statistics.counts import FeatureCounts, checked_counts
from bayesic.statistics.values import remaining

Array = np.ndarray


class ComplementNB(MultinomialNB):
    """Complement naive Bayes of [Rennie]: each class is scored by the counts of all the others.

        score_c(x) = sum over t of x_t w_ct,   w_ct = -log of the smoothed share of t outside of c

    The scores are weights, not log probabilities, and `predict_proba` is their softmax: use it to
    rank, not as a probability. The model does not use priors: `class_prior` is checked and told to
    be without effect, `fit_prior` only shows in class_log_prior_. Arguments, attributes and numbers
    are those of scikit-learn's ComplementNB. NaN is a count that was not observed and is left out.

    Parameters
    ----------
    alpha, force_alpha, fit_prior, class_prior : as in MultinomialNB
    norm : divide the weights of each class by their sum

    Examples
    --------
    >>> X = [[2, 1, 0, 0, 0, 0], [2, 0, 1, 0, 0, 0], [1, 0, 0, 1, 0, 0], [1, 0, 0, 0, 1, 1]]
    >>> y = ["China", "China", "China", "other"]
    >>> ComplementNB().fit(X, y).predict([[3, 0, 0, 0, 1, 1]])
    array(['other'], dtype='<U5')
    """

    def __init__(
        self,
        *,
        alpha: Any = 1.0,
        force_alpha: bool = True,
        fit_prior: bool = True,
        class_prior: Any = None,
        norm: bool = False,
    ) -> None:
        super().__init__(
            alpha=alpha, force_alpha=force_alpha, fit_prior=fit_prior, class_prior=class_prior
        )
        self.norm = norm

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if self.class_prior is not None:
            warnings.warn(
                "ComplementNB does not use priors: class_prior has no effect. "
                "Use MultinomialNB if the prior should count.",
                UserWarning,
                stacklevel=4,
            )

    def _estimate(self, statistics: FeatureCounts) -> Self:
        self.statistics_ = statistics
        self.class_count_ = statistics.class_count.astype(np.float64)
        self.feature_count_ = statistics.feature_count.astype(np.float64)
        self.feature_all_ = self.feature_count_.sum(axis=0)
        self.class_log_prior_ = log_prior(statistics.class_count, self._prior())
        self.feature_log_prob_ = complement_weights(self.feature_count_, self._alpha(), self.norm)
        return self

    def _prior_of_scores(self, log_prior: Array) -> Array:
        return log_prior if len(self.classes_) == 1 else np.zeros_like(log_prior)

    def _scorer(self, X: Matrix) -> Scorer:
        weights = np.ascontiguousarray(self.feature_log_prob_.T)
        boundless = np.isposinf(weights)
        if not boundless.any():
            return lambda rows: self._counts(X, rows) @ weights
        finite, infinite = np.where(boundless, 0.0, weights), boundless.astype(np.float64)

        def scores_of(rows: slice) -> Array:
            block = self._counts(X, rows)
            return most_boundless(block @ finite, block @ infinite)

        return scores_of

    def _leave_one_out_scorer(self, X: Matrix, codes: Array, weights: Array) -> Scorer:
        # every class but the row's own changes: its complement loses the counts of the row
        alpha = np.broadcast_to(self._alpha(), self.n_features_in_)
        complement = self.feature_all_ - self.feature_count_

        def scores_of(rows: slice) -> Array:
            cells = cells_of(self._counts(X, rows))
            scores = np.empty((len(codes[rows]), len(self.classes_)))
            boundless = np.zeros_like(scores)
            for c in range(len(self.classes_)):
                removed = cells.values * cells.of_rows(weights[rows] * (codes[rows] != c))
                scores[:, c], boundless[:, c] = scores_without(
                    cells, removed, complement[c], alpha, self.norm
                )
            return most_boundless(scores, boundless)

        return scores_of

    def _feature_scores(self, X: Matrix) -> Array:
        counts = checked_counts(dense_rows(X, slice(0, X.shape[0])), type(self).__name__)
        return times_log(counts[:, :, None], self.feature_log_prob_.T)


def scores_without(
    cells: Cells, removed: Array, complement: Array, alpha: Array, norm: bool
) -> tuple[Array, Array]:
    """Scores of all rows for one class, each row's counts taken out of the class's complement.

    removed    : counts to take out, for each cell
    complement : (n_features,), counts of all other classes

    Returns the finite part of the scores, and how much of a row weighs +inf.
    """
    smoothed = complement + alpha
    rest = remaining(cells.of_features(complement), removed) + cells.of_features(alpha)
    rest_total = remaining(smoothed.sum(), cells.sum_rows(removed))
    length = cells.sum_rows(cells.values)
    n_features = len(alpha)
    # where nothing is left of the complement all features weigh the same
    log_total = finite_log(np.where(rest_total > 0, rest_total, n_features))
    log_rest = finite_log(np.where(cells.of_rows(rest_total) > 0, rest, 1.0))
    scores = length * log_total - cells.sum_rows(cells.values * log_rest)
    gone = (rest == 0) & (cells.of_rows(rest_total) > 0)
    if not norm:
        return scores, cells.sum_rows(cells.values * gone)
    log_change = cells.sum_rows(log_rest - cells.of_features(finite_log(smoothed)))
    weight_sum = n_features * log_total - finite_log(smoothed).sum() - log_change
    n_gone = (smoothed == 0).sum() + cells.sum_rows(gone & (removed > 0))
    equal = (weight_sum == 0) | (rest_total == 0)
    normalised = np.where(equal, length / n_features, scores / np.where(equal, 1.0, weight_sum))
    boundless = cells.sum_rows(cells.values * gone) / np.maximum(n_gone, 1)
    return np.where(n_gone > 0, boundless, normalised), np.zeros_like(scores)


def finite_log(numbers: Array) -> Array:
    """The logarithm, and 0 where it would be -inf."""
    return np.log(numbers, out=np.zeros_like(numbers, dtype=np.float64), where=numbers > 0)


def most_boundless(scores: Array, boundless: Array) -> Array:
    """Scores in the limit of alpha going to 0: the classes with most of weight +inf beat the rest.

    >>> most_boundless(np.array([[5.0, 1.0], [5.0, 1.0]]), np.array([[0.0, 2.0], [0.0, 0.0]]))
    array([[-inf,   1.],
           [  5.,   1.]])
    """
    most = boundless.max(axis=1, keepdims=True)
    return np.where(boundless < most, -np.inf, scores)
