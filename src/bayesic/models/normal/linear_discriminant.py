"""Linear discriminant analysis."""

from collections.abc import Iterable
from typing import Any, ClassVar, Literal

import numpy as np

from bayesic.contract.transformer import NumberedTransformer, in_container
from bayesic.data.arguments import as_numbers, check_is_fitted, check_whole_number, tell
from bayesic.data.matrices import Matrix
from bayesic.data.snapshots import answering
from bayesic.data.typing import ArrayLike, CovarianceEstimator, Label, TableLike
from bayesic.estimation.boundaries import LinearRule, numbers_of_two
from bayesic.estimation.prior import ClassPrior, checked_prior
from bayesic.kernels import Array
from bayesic.models.classifier import CountingClassifier
from bayesic.models.fitted import learned
from bayesic.models.normal.discriminant import (
    COVARIANCES_OF_ROWS,
    check_shrinkage,
    learned_covariances,
    odds_of_two,
)
from bayesic.models.normal.linear_classes import LinearClasses, all_rows
from bayesic.models.notes import Note
from bayesic.models.readers.matrix_reader import read_all_columns
from bayesic.models.readers.reader import CodedRows
from bayesic.statistics.cross_moments import CrossMoments, cross_moments


def _refuse_few_rows(model: Any, rows: Iterable[CodedRows], is_all: bool) -> None:
    class_count = model.statistics_.class_count
    n_rows = class_count.sum()
    if is_all and n_rows == len(model.classes_) and class_count.dtype == np.int64:
        raise ValueError(
            "The number of samples must be more than the number of classes: got "
            f"{n_rows:g} sample(s). Without two rows of a class there is no spread to learn."
        )


ENOUGH_ROWS = Note(after=_refuse_few_rows)


class LinearDiscriminantAnalysis(CountingClassifier, NumberedTransformer):
    """Gaussian classes with one covariance matrix for all: straight boundaries.

        log P(c | x) = x . Sigma^-1 mean_c - 1/2 mean_c . Sigma^-1 mean_c + log P(c) + ...
        Sigma = 1/N sum over c of sum over the rows of c of (x - mean_c)(x - mean_c)^T

    Arguments, attributes and numbers are those of scikit-learn's LinearDiscriminantAnalysis, the
    signs of the columns of scalings_ aside; `partial_fit`, `forget`, `merge`, `leave_one_out` and
    sample weights come with the statistic. `predict_joint_log_proba` leaves out what is the same
    for all classes.

    Parameters
    ----------
    solver : "svd" (drops directions without spread), "lsqr", or "eigen"; see
        `bayesic.estimation.discriminant`. All work on the scatter
    shrinkage : weight of the mean variance times the unit matrix, or "auto" for Ledoit and Wolf.
        "auto" and covariance_estimator need all rows: if set later, they wait for the next `fit`
    priors : given prior probabilities, in the order of classes_; learned if None
    n_components : directions that `transform` gives, at most min(n_classes - 1, n_features)
    store_covariance : keep covariance_ with solver "svd"; the others always do
    tol : a spread along an axis of no more than this counts as none (solver "svd")
    covariance_estimator : estimates the covariance from the rows of a class ("lsqr", "eigen")

    Examples
    --------
    >>> X = [[1, 2], [2, 1], [3, 4], [4, 3], [7, 9], [8, 8], [9, 7], [9, 9]]
    >>> model = LinearDiscriminantAnalysis().fit(X, ["short"] * 4 + ["tall"] * 4)
    >>> model.predict([[3, 3]]).tolist(), model.rule("tall", "short").a.round(4)
    (['short'], array([4.8421, 4.8421]))
    """

    statistics_: CrossMoments
    covariances_of_rows_: Array  # of each class and of all rows, where these were needed

    notes = (ENOUGH_ROWS, COVARIANCES_OF_ROWS)
    fitted_class = LinearClasses
    tags: ClassVar[dict[str, bool]] = {**CountingClassifier.tags, "allow_nan": False}
    one_blas_thread = True

    priors_ = learned("prior.probability", "P(c) of each class.")
    means_ = learned("mean", "Mean of each feature in each class: (n_classes, n_features).")
    coef_ = learned("coef", "Weights of the features: (n_classes, n_features); one row for two.")
    intercept_ = learned("intercept", "Constants beside them: (n_classes,); one for two classes.")
    scalings_ = learned("rule.scalings", "The directions: (n_features, n_directions), not lsqr.")
    explained_variance_ratio_ = learned(
        "rule.explained_variance_ratio", "Share of each direction in the separation of the classes."
    )
    xbar_ = learned("xbar", "The mean of all rows, with solver svd.")
    _n_features_out = learned("n_components", "Directions that `transform` gives.")

    def __init__(
        self,
        solver: Literal["svd", "lsqr", "eigen"] = "svd",
        shrinkage: float | Literal["auto"] | None = None,
        priors: ArrayLike | None = None,
        n_components: int | None = None,
        store_covariance: bool = False,
        tol: float = 1e-4,
        covariance_estimator: CovarianceEstimator | None = None,
    ) -> None:
        self.solver = solver
        self.shrinkage = shrinkage
        self.priors = priors
        self.n_components = n_components
        self.store_covariance = store_covariance
        self.tol = tol
        self.covariance_estimator = covariance_estimator

    @property
    def covariance_(self) -> Array:
        """The covariance within the classes; with solver svd only if store_covariance is set."""
        if self.solver == "svd" and not self.store_covariance:
            raise AttributeError("covariance_ is kept with store_covariance=True.")
        return self._fitted.covariance

    def _parse(self) -> None:
        check_shrinkage(self, ("svd", "lsqr", "eigen"))
        if self.covariance_estimator is not None and self.solver == "svd":
            raise ValueError(
                "covariance estimator is not supported with svd solver. "
                "Use solver='lsqr' or 'eigen'."
            )
        if self.n_components is not None:
            check_whole_number("n_components", self.n_components, least=1)

    # learning -------------------------------------------------------------------------------

    _reader = read_all_columns

    def _count(
        self, X: Matrix, codes: Array, n_classes: int, weights: Array | None
    ) -> CrossMoments:
        return cross_moments(X, codes, n_classes, weights)

    def _fit(self, statistics: CrossMoments) -> LinearClasses:
        of_rows = learned_covariances(self)
        fitted = LinearClasses(
            ClassPrior(statistics.class_count, self._prior_rule()),
            statistics,
            self.solver,
            0.0 if of_rows is not None or self.shrinkage is None else float(self.shrinkage),
            self._components(),
            self.tol,
            of_rows,
        )
        fitted.rule  # noqa: B018  raises where solver="eigen" finds no spread
        return fitted

    def _components(self) -> int:
        most = min(len(self.classes_) - 1, self.n_features_in_)
        if self.n_components is not None and self.n_components > most:
            raise ValueError(
                "n_components cannot be larger than min(n_features, n_classes - 1). "
                f"Got {self.n_components} for {len(self.classes_)} class(es) and "
                f"{self.n_features_in_} feature(s): at most {most}."
            )
        return most if self.n_components is None else int(self.n_components)

    def _prior_rule(self) -> Any:
        if self.priors is None:
            return "learned"
        priors = as_numbers(self.priors, "priors")
        if not (priors >= 0).all():
            raise ValueError(
                f"priors must be non-negative, got {priors.tolist()}. Give shares from 0 to 1."
            )
        if 0 < priors.sum() < np.inf and abs(priors.sum() - 1.0) > 1e-5:
            tell("The priors do not sum to 1. Renormalizing")
            priors = priors / priors.sum()
        return checked_prior(priors, len(self.classes_))

    # answers --------------------------------------------------------------------------------

    @answering
    def decision_function(self, X: TableLike) -> Array:
        """Log posterior of each class up to a constant; with two classes their log odds, (n_rows,).

        The odds are those of the second class against the first.
        """
        check_is_fitted(self)
        if len(self.classes_) == 2:
            return odds_of_two(self.predict_joint_log_proba(X))
        return self._of_rows(X, lambda rows: all_rows(rows) @ self.coef_.T + self.intercept_)

    @answering
    def rule(self, first: Label, second: Label) -> LinearRule:
        """The rule between two classes: `first` is the more probable one where a_0 + a . x > 0.

        a = Sigma^-1 (mean_1 - mean_2)
        a_0 = log P(c_1) / P(c_2) - 1/2 (mean_1 + mean_2) . a
        """
        check_is_fitted(self)
        one, other = numbers_of_two(self.classes_, first, second)
        slope, log_prior = self._fitted.rule.slope, self._fitted.prior.log
        a = slope[one] - slope[other]
        middle = (self.means_[one] + self.means_[other]) / 2
        return LinearRule(float(log_prior[one] - log_prior[other] - middle @ a), a)

    @in_container
    @answering
    def transform(self, X: TableLike) -> Array:
        """The rows in the directions that separate the classes: (n_rows, n_components)."""
        check_is_fitted(self)
        if self.solver == "lsqr":
            raise NotImplementedError(
                "transform not implemented for 'lsqr' solver (use 'svd' or 'eigen')."
            )
        return self._of_rows(X, self._fitted.coordinates)
