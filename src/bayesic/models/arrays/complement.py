"""Complement naive Bayes: what a class is not, for unbalanced texts."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from bayesic.data.arguments import check_flag, has_learned, tell
from bayesic.data.matrices import Matrix, dense_rows, n_cells
from bayesic.data.typing import ArrayLike
from bayesic.estimation.smoothing import complement_weights
from bayesic.kernels import Array, pick
from bayesic.kernels.without_row import times_log
from bayesic.models.arrays.discrete import DiscreteSettings, discrete_settings
from bayesic.models.arrays.multinomial import CountedFeatures, OccurrenceClassifier
from bayesic.models.fitted import Scorer, learned
from bayesic.statistics.features import FeatureCounts, checked_counts


def _no_prior(log_prior: Array) -> Array:
    """Nothing of the log prior, unless there is one class only."""
    return log_prior if len(log_prior) == 1 else np.zeros_like(log_prior)


@dataclass(frozen=True, eq=False)
class ComplementSettings(DiscreteSettings):
    """The same, and whether the weights of each class are divided by their sum."""

    norm: bool


@dataclass(frozen=True, eq=False)
class ComplementCounts(CountedFeatures):
    """The smoothed share of each feature in all that is counted outside of a class."""

    norm: bool

    no_product = (
        "ComplementNB has no product of probabilities to work out: its scores are weights, from "
        "the counts of all other classes. Use explain to see what each feature adds."
    )

    @cached_property
    def feature_all(self) -> Array:
        """How often each feature occurs in all classes."""
        return self.feature_count.sum(axis=0)

    @cached_property
    def weights(self) -> Array:
        """w_ct: (n_classes, n_features)."""
        return np.asfortranarray(complement_weights(self.feature_count, self.alpha, self.norm))

    def _block_scorer(self) -> Callable[[Matrix], Array]:
        finite, infinite = self._finite_and_boundless()
        if not infinite.any():
            return lambda block: block @ finite
        return lambda block: _most_boundless(block @ finite, block @ infinite)

    def _finite_and_boundless(self) -> tuple[Array, Array]:
        """The weights (n_features, n_classes), and 1 where they are +inf; finite part there.

        +inf is -log(alpha / total) as alpha goes to 0: the total is the finite part of it.
        """
        weights = np.ascontiguousarray(self.weights.T)
        boundless = np.isposinf(weights)
        total = (self.feature_all - self.feature_count + self.alpha).sum(axis=1)
        log_total = np.log(np.where(total > 0, total, 1.0))
        return np.where(boundless, log_total, weights), boundless.astype(np.float64)

    def scorer_without(self, rows: Matrix, codes: Array, weights: Array) -> Scorer:
        """Every class but the row's own changes: its complement loses the counts of the row."""
        kernels = pick("without_row", n_cells(rows) * len(self.feature_count))
        complement, alphas = self.feature_all - self.feature_count, self.alphas
        return lambda block: _most_boundless(
            *kernels.complement_without_row(
                self._counts_of(rows, block),
                codes[block],
                weights[block],
                complement,
                alphas,
                self.norm,
            )
        )

    def terms(self, rows: Matrix) -> Array:
        """x_t w_ct of each feature."""
        counts = checked_counts(dense_rows(rows, slice(0, rows.shape[0])), self.model)
        finite, infinite = self._finite_and_boundless()
        return _less_boundless_as_impossible(
            times_log(counts[:, :, None], finite), counts[:, :, None] * infinite
        )


def _most_boundless(scores: Array, boundless: Array) -> Array:
    """Scores in the limit of alpha going to 0: the classes with most of weight +inf beat the rest.

    >>> _most_boundless(np.array([[5.0, 1.0], [5.0, 1.0]]), np.array([[0.0, 2.0], [0.0, 0.0]]))
    array([[-inf,   1.],
           [  5.,   1.]])
    """
    if not boundless.any():
        return scores
    most = boundless.max(axis=1, keepdims=True)
    return np.where(boundless < most, -np.inf, scores)


def _less_boundless_as_impossible(scores: Array, boundless: Array) -> Array:
    """What each feature adds, such that the sums over features are those of `_most_boundless`.

    A class with less of weight +inf than another is ruled out by the features where it has none,
    and the others have it. Both (n_rows, n_features, n_classes).

    >>> scores = np.array([[[5.0, 1.0], [2.0, 3.0]]])
    >>> _less_boundless_as_impossible(scores, np.array([[[0.0, 1.0], [0.0, 0.0]]]))
    array([[[-inf,   1.],
            [  2.,   3.]]])
    """
    totals = boundless.sum(axis=1, keepdims=True)
    is_most = totals == totals.max(axis=2, keepdims=True)
    of_most = np.where(is_most, boundless, 0.0).max(axis=2, keepdims=True)
    return np.where(~is_most & (of_most > boundless), -np.inf, scores)


class ComplementNB(OccurrenceClassifier[ComplementCounts, ComplementSettings]):
    """Complement naive Bayes of [Rennie]: each class is scored by the counts of all the others.

        score_c(x) = sum over t of x_t w_ct,   w_ct = -log of the smoothed share of t outside of c

    The scores are weights, not log probabilities, and `predict_proba` is their softmax: use it to
    rank, not as a probability. The model does not use priors: `class_prior` is checked, and a
    warning says that it has no effect; `fit_prior` only affects class_log_prior_. Arguments,
    attributes and numbers are those of scikit-learn's ComplementNB. NaN is a missing count and is
    left out.

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

    fitted_class = ComplementCounts

    feature_all_ = learned("feature_all", "How often each feature occurs in all classes.")
    feature_log_prob_ = learned("weights", "w_ct: (n_classes, n_features).")

    def __init__(
        self,
        *,
        alpha: ArrayLike = 1.0,
        force_alpha: bool = True,
        fit_prior: bool = True,
        class_prior: ArrayLike | None = None,
        norm: bool = False,
    ) -> None:
        self.alpha = alpha
        self.force_alpha = force_alpha
        self.fit_prior = fit_prior
        self.class_prior = class_prior
        self.norm = norm

    def _parse(self) -> ComplementSettings:
        check_flag("norm", self.norm)
        if self.class_prior is not None and not has_learned(self):
            tell(
                "ComplementNB does not use priors: class_prior has no effect. "
                "Use MultinomialNB if the prior should count."
            )
        settings = discrete_settings(self)
        return ComplementSettings(settings.alpha, settings.forced, settings.prior, bool(self.norm))

    def _fit(self, statistics: FeatureCounts) -> ComplementCounts:
        settings: ComplementSettings = self._settings
        prior = settings.prior_of(statistics.class_count, _no_prior)
        alpha = settings.alpha_of(statistics.n_features)
        return ComplementCounts(prior, statistics, alpha, type(self).__name__, settings.norm)
