"""Gaussian Bayes: measurements that are normally distributed together within each class."""

from collections.abc import Callable
from typing import Any, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted, check_random_state

from bayesic.data.arguments import check_one_of, check_whole_number, is_number
from bayesic.data.labels import encode_known_labels
from bayesic.data.matrices import Matrix, dense_rows, refuse_infinities
from bayesic.data.notices import tell
from bayesic.data.snapshots import answering, learning
from bayesic.data.targets import split_target
from bayesic.data.weights import checked_weights
from bayesic.estimation.covariance import LEDOIT_WOLF, CovarianceRule, class_covariances
from bayesic.estimation.gaussian_without import (
    log_densities_without,
    log_densities_without_correlations,
)
from bayesic.estimation.normal_density import log_densities, normals, sequential_terms
from bayesic.estimation.prior import class_prior
from bayesic.estimation.rank_one import LeftOut, Plans
from bayesic.estimation.shrinkage import CANDIDATES, best_candidate, leave_one_out_losses
from bayesic.estimation.variance import class_variances
from bayesic.kernels import pick
from bayesic.kernels.blas import one_blas_thread
from bayesic.models.base import Scorer
from bayesic.models.gaussian_classifier import GaussianClassifier
from bayesic.models.generative import Sample
from bayesic.statistics.cross_moments import CrossMoments, diagonal_of

Array = np.ndarray

COVARIANCES = ("full", "tied", "diagonal", "spherical")


class GaussianBayes(GaussianClassifier):
    """Bayes' rule with a normal density for each class.

        P(c | x)  ~  P(c) N(x; mean_c, Sigma_c)

    with the maximum likelihood mean and covariance of each class (divided by n). What may differ
    between classes, and between features, is up to `covariance`:

        full       a matrix for each class: quadratic boundaries (QDA)
        tied       one matrix for all classes: straight boundaries (LDA)
        diagonal   a variance for each feature and class: naive Bayes
        spherical  a variance for each class

    A class whose covariance is singular (few rows, features that depend on each other) is shrunk,
    with a warning that names it. Rows with gaps (NaN) are answered with the density of what was
    observed; learning needs rows without gaps.

    Parameters
    ----------
    covariance : "full", "tied", "diagonal" or "spherical"
    shrinkage : weight of the simpler model in the covariance, from 0 to 1. Full and spherical
        shrink towards the covariance of all classes together (1 is LDA), diagonal towards the
        variances of all classes together, tied towards its diagonal. "auto" takes the weight of
        least leave-one-out log loss; "ledoit-wolf" (full and tied) shrinks each matrix towards its
        own diagonal by the weight of least expected squared error.
    unbiased : divide by n - 1 in place of n
    priors : given prior probabilities, in the order of classes_; learned if None

    Examples
    --------
    >>> X = [[1, 2], [2, 1], [3, 4], [4, 3], [7, 9], [8, 8], [9, 7], [9, 9]]
    >>> model = GaussianBayes().fit(X, ["short"] * 4 + ["tall"] * 4)
    >>> model.covariance_[0]
    array([[1.25, 0.75],
           [0.75, 1.25]])
    >>> model.predict([[3, 3], [8, None]]).tolist(), model.n_parameters
    (['short', 'tall'], 10)
    """

    def __init__(
        self,
        covariance: str = "full",
        *,
        shrinkage: float | str | None = None,
        unbiased: bool = False,
        priors: Any = None,
    ) -> None:
        self.covariance = covariance
        self.shrinkage = shrinkage
        self.unbiased = unbiased
        self.priors = priors

    # learning -------------------------------------------------------------------------------

    @learning
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from rows X with classes y; whatever was learned before is gone."""
        if hasattr(self, "shrinkage_losses_"):
            del self.shrinkage_losses_
        super().fit(X, y, sample_weight)
        return self._choose_shrinkage(X, y, sample_weight)

    @learning
    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Learn more rows: the same model comes out as from all rows in one `fit`.

        With shrinkage="auto" the weight is the best for all rows so far, each judged by what was
        known when it came.
        """
        super().partial_fit(X, y, classes, sample_weight)
        return self._choose_shrinkage(X, y, sample_weight)

    def _choose_shrinkage(self, X: Any, y: Any, sample_weight: Any) -> Self:
        """With shrinkage="auto": judge all candidates by these rows, which have been learned."""
        if self.shrinkage != "auto":
            return self
        X, y = split_target(self, X, y)
        matrix = self._checked_X(X, first=False)
        codes = encode_known_labels(y, self.classes_)
        weights = checked_weights(sample_weight, len(codes))
        weights = np.ones(len(codes)) if weights is None else weights

        plans: Plans = {}

        def scores_without(candidate: float, rows: slice) -> Array:
            left_out = LeftOut(dense_rows(matrix, rows), codes[rows], weights[rows])
            return self._log_densities_without(left_out, candidate, plans)

        with one_blas_thread():
            losses = leave_one_out_losses(
                scores_without,
                self._blocks(matrix),
                self.statistics_.class_count,
                codes,
                weights,
                self._prior(),
            )
        before = getattr(self, "shrinkage_losses_", 0.0)
        self.shrinkage_losses_ = before + losses
        return self._estimate(self.statistics_)

    def _check_parameters(self, first: bool) -> None:
        check_one_of("covariance", self.covariance, COVARIANCES)
        weight: Any = self.shrinkage
        is_word = isinstance(weight, str)  # a table has an answer of its own to ==
        if is_word and weight == LEDOIT_WOLF and not self._has_correlations():
            raise ValueError(
                f"shrinkage='ledoit-wolf' shrinks correlations, and covariance="
                f"{self.covariance!r} has none. Give a number from 0 to 1, or 'auto'."
            )
        if weight is None or (is_word and weight in ("auto", LEDOIT_WOLF)):
            return
        if not is_number(weight) or not 0 <= weight <= 1:
            raise ValueError(
                "shrinkage must be None, a number from 0 to 1, 'ledoit-wolf' or 'auto', "
                f"got {weight!r:.80}."
            )

    def _set_parameters(self, statistics: CrossMoments) -> None:
        self.class_count_ = statistics.class_count.astype(np.float64)
        self.priors_ = class_prior(statistics.class_count, self._prior())
        overall = statistics.class_moments.overall
        some = statistics.class_count > 0
        self.means_ = np.where(some[:, None], statistics.mean, overall.mean)
        weight = self._weight()
        self.shrinkage_ = weight
        if self._has_correlations():
            self._set_matrices(weight, overall.variance()[0])
        else:
            squares = diagonal_of(statistics.scatter)
            spherical = self.covariance == "spherical"
            variances, singular = class_variances(
                self.class_count_, squares, overall.variance()[0], weight, self.unbiased, spherical
            )
            self._variances = variances
            self.covariance_ = variances[:, 0] if spherical else variances
            self._tell_singular(singular & some)

    def _set_matrices(self, weight: Any, overall_variance: Array) -> None:
        statistics = self.statistics_
        matrices, singular = class_covariances(
            self._rule(weight), self.class_count_, statistics.scatter, overall_variance
        )
        self._normals = normals(self.means_, matrices)
        self.covariance_ = matrices[0] if self.covariance == "tied" else matrices
        self._tell_singular(singular & (statistics.class_count > 0))

    def _tell_singular(self, singular: Array) -> None:
        choosing = self.shrinkage == "auto" and not hasattr(self, "shrinkage_losses_")
        if choosing or not singular.any():
            return
        if self.covariance == "tied":
            who, target = "of all classes together", "its own diagonal"
        else:
            names = ", ".join(repr(name) for name in self.classes_[singular].tolist())
            who, target = f"of class {names}", "the covariance of all classes together"
        tell(
            f"The covariance {who} is singular: there are few rows, or features depend on each "
            f"other. It was shrunk towards {target}. Give shrinkage='auto' or a number to decide "
            "how far."
        )

    def _weight(self) -> Any:
        """The weight of the target that is used: a number, or 'ledoit-wolf'."""
        if self.shrinkage == "auto":
            losses = getattr(self, "shrinkage_losses_", None)
            return 0.0 if losses is None else best_candidate(losses)
        if self.shrinkage is None or isinstance(self.shrinkage, str):
            return self.shrinkage or 0.0
        return float(self.shrinkage)

    def _rule(self, weight: Any) -> CovarianceRule:
        target = "diagonal" if weight == LEDOIT_WOLF else "pooled"
        return CovarianceRule(self.covariance == "tied", weight, target, self.unbiased)

    def _has_correlations(self) -> bool:
        return self.covariance in ("full", "tied")

    # prior, files ---------------------------------------------------------------------------

    def _prior(self) -> Any:
        return "learned" if self.priors is None else self._checked_prior(self.priors)

    def _extra_state(self) -> dict[str, Any]:
        losses = getattr(self, "shrinkage_losses_", None)
        return {} if losses is None else {"shrinkage_losses": losses}

    def _restore_extra_state(self, state: dict[str, Any]) -> None:
        if set(state) == {"shrinkage_losses"}:
            losses = np.asarray(state["shrinkage_losses"], dtype=np.float64)
            if losses.shape != (len(CANDIDATES),) or np.isnan(losses).any():
                raise ValueError("shrinkage_losses must hold one loss for each candidate.")
            self.shrinkage_losses_ = losses
        else:
            super()._restore_extra_state(state)

    # answers --------------------------------------------------------------------------------

    @property
    def n_parameters(self) -> int:
        """Numbers that are estimated, the prior aside: means and covariances.

        With p features and L classes: full L (p + p (p + 1) / 2), tied L p + p (p + 1) / 2,
        diagonal 2 L p, spherical L (p + 1).
        """
        check_is_fitted(self)
        n_classes, p = self.means_.shape
        of_matrix = p * (p + 1) // 2
        return {
            "full": n_classes * (p + of_matrix),
            "tied": n_classes * p + of_matrix,
            "diagonal": 2 * n_classes * p,
            "spherical": n_classes * (p + 1),
        }[self.covariance]

    def _class_variances(self) -> Array:
        if self._has_correlations():
            return np.einsum("cii->ci", self._normals.covariance)
        return self._variances

    def log_density(self, X: Any) -> Array:
        """log p(x) of each row, summed over the classes: low for rows unlike all that was learned.

        For rows with gaps it is the density of what was observed.
        """
        return np.logaddexp.reduce(self.predict_joint_log_proba(X), axis=1)

    @answering
    def sample(self, n: int = 1, random_state: Any = None) -> Sample:
        """Draw n rows from the model, their classes from the prior: X (n, n_features) and y."""
        check_is_fitted(self)
        check_whole_number("n", n, least=0)
        rng = np.random.default_rng(check_random_state(random_state).randint(2**31))
        codes = rng.choice(len(self.classes_), int(n), p=self.priors_)
        noise = rng.standard_normal((int(n), self.n_features_in_))
        if self._has_correlations():
            factors = np.linalg.cholesky(self._normals.covariance)
            steps = np.einsum("nij,nj->ni", factors[codes], noise)
        else:
            steps = noise * np.sqrt(self._variances)[codes]
        return Sample(self.means_[codes] + steps, self.classes_[codes])

    def _scorer(self, X: Matrix) -> Scorer:
        score = self._row_scorer(X)

        def scores_of(rows: slice) -> Array:
            values = dense_rows(X, rows)
            scores = score(values)
            if np.isneginf(scores).any():
                refuse_infinities(values)
            return scores

        return scores_of

    def _row_scorer(self, X: Matrix) -> Callable[[Array], Array]:
        """A function from rows of X to their log densities."""
        if self._has_correlations():
            products = pick("covariances", X.shape[0] * self._normals.whitening.size)
            return lambda values: log_densities(values, self._normals, products)
        kernels = self._kernels(X)
        return lambda values: kernels.gaussian_scores(values, self.means_, self._variances)

    def _leave_one_out_scorer(self, X: Matrix, codes: Array, weights: Array) -> Scorer:
        plans: Plans = {}

        def scores_of(rows: slice) -> Array:
            left_out = LeftOut(dense_rows(X, rows), codes[rows], weights[rows])
            return self._log_densities_without(left_out, self._weight(), plans)

        return scores_of

    def _log_densities_without(self, rows: LeftOut, weight: Any, plans: Plans) -> Array:
        if self._has_correlations():
            return log_densities_without(self._rule(weight), self.statistics_, rows, plans)
        return log_densities_without_correlations(
            self.statistics_, rows, weight, self.unbiased, self.covariance == "spherical"
        )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = False  # in learning; rows with gaps are answered
        return tags

    def _feature_scores(self, X: Matrix) -> Array:
        """What each feature adds beyond those before it: see sequential_terms."""
        values = dense_rows(X, slice(0, X.shape[0]))
        refuse_infinities(values)
        if self._has_correlations():
            return sequential_terms(values, self._normals)
        with np.errstate(over="ignore"):
            squares = (values[:, :, None] - self.means_.T) ** 2 / self._variances.T
        terms = -0.5 * (np.log(2 * np.pi * self._variances.T) + squares)
        return np.where(np.isnan(terms), 0.0, terms)
