"""Linear discriminant analysis."""

from typing import Any, NamedTuple

import numpy as np
from scipy import linalg
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from bayesic.data.arguments import check_whole_number
from bayesic.data.matrices import Matrix, dense_rows
from bayesic.data.notices import tell
from bayesic.data.numbers import as_numbers
from bayesic.data.snapshots import answering
from bayesic.estimation.covariance import SINGULAR, least_eigenvalue
from bayesic.estimation.discriminant import (
    Discriminants,
    discriminants_by_eigenvectors,
    discriminants_by_least_squares,
    discriminants_by_svd,
    linear_scores,
    shrunk_to_mean_variance,
)
from bayesic.estimation.discriminant_without import linear_scores_without
from bayesic.estimation.normal_density import LOG_TWO_PI, normals, sequential_terms
from bayesic.estimation.prior import class_prior
from bayesic.estimation.rank_one import LeftOut
from bayesic.evidence.work import Factor
from bayesic.models.base import Scorer
from bayesic.models.discriminant import DiscriminantAnalysis
from bayesic.statistics.cross_moments import CrossMoments, cross_moments

Array = np.ndarray


class LinearRule(NamedTuple):
    """The rule between two classes: the first one where a_0 + a . x > 0."""

    a_0: float
    a: Array  # (n_features,)


class LinearDiscriminantAnalysis(
    ClassNamePrefixFeaturesOutMixin, TransformerMixin, DiscriminantAnalysis
):
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
    shrinkage : weight of the mean variance times the unit matrix, or "auto" for Ledoit and Wolf
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

    def __init__(
        self,
        solver: str = "svd",
        shrinkage: float | str | None = None,
        priors: Any = None,
        n_components: int | None = None,
        store_covariance: bool = False,
        tol: float = 1e-4,
        covariance_estimator: Any = None,
    ) -> None:
        self.solver = solver
        self.shrinkage = shrinkage
        self.priors = priors
        self.n_components = n_components
        self.store_covariance = store_covariance
        self.tol = tol
        self.covariance_estimator = covariance_estimator

    # checks ---------------------------------------------------------------------------------

    def _check_parameters(self, first: bool) -> None:
        self._check_shrinkage(("svd", "lsqr", "eigen"))
        if self.covariance_estimator is not None and self.solver == "svd":
            raise ValueError(
                "covariance estimator is not supported with svd solver. "
                "Use solver='lsqr' or 'eigen'."
            )
        if self.n_components is not None:
            check_whole_number("n_components", self.n_components, least=1)

    def _refuse_few_rows(self, class_count: Array) -> None:
        n_rows = class_count.sum()
        if n_rows == len(self.classes_) and class_count.dtype == np.int64:
            raise ValueError(
                "The number of samples must be more than the number of classes: got "
                f"{n_rows:g} sample(s). Without two rows of a class there is no spread to learn."
            )

    def _refuse_singular(self) -> None:
        """Nothing to refuse: directions without spread are dropped, or the solver has refused."""

    def _tell_singular(self) -> None:
        """Nothing to tell, for the same reason."""

    # estimating -----------------------------------------------------------------------------

    def _set_parameters(self, statistics: CrossMoments) -> None:
        self.priors_ = class_prior(statistics.class_count, self._prior())
        self.means_ = self._means(statistics)
        self._max_components = self._n_features_out = self._checked_components()
        rule = self._discriminants(statistics, self.priors_)
        self._rules = rule
        intercept = rule.constant + self._log_prior()
        two = len(self.classes_) == 2
        self.coef_ = rule.coef[1:] - rule.coef[:1] if two else rule.coef
        self.intercept_ = intercept[1:] - intercept[:1] if two else intercept
        if rule.scalings is not None:
            self.scalings_ = rule.scalings
            self.explained_variance_ratio_ = rule.explained_variance_ratio
        if self.solver == "svd":
            self.xbar_ = rule.centre
        if self.solver != "svd" or self.store_covariance:
            self.covariance_ = self._covariance(statistics, self.priors_)

    def _means(self, statistics: CrossMoments) -> Array:
        """The mean of each class, that of all rows for a class without rows."""
        some = statistics.class_count[:, None] > 0
        return np.where(some, statistics.mean, statistics.class_moments.overall.mean)

    def _checked_components(self) -> int:
        most = min(len(self.classes_) - 1, self.n_features_in_)
        if self.n_components is not None and self.n_components > most:
            raise ValueError(
                "n_components cannot be larger than min(n_features, n_classes - 1). "
                f"Got {self.n_components} for {len(self.classes_)} class(es) and "
                f"{self.n_features_in_} feature(s): at most {most}."
            )
        return most if self.n_components is None else int(self.n_components)

    def _discriminants(self, statistics: CrossMoments, prior: Array) -> Discriminants:
        mean, n_rows = self._means(statistics), float(statistics.class_count.sum())
        covariance = self._within(statistics, prior)
        if self.solver == "svd":
            return discriminants_by_svd(
                mean, covariance, prior, n_rows, self._max_components, self.tol
            )
        if self.solver == "lsqr":
            return discriminants_by_least_squares(mean, covariance, prior @ mean)
        return discriminants_by_eigenvectors(
            mean, covariance, self._total(statistics), prior @ mean, self._max_components
        )

    def _within(self, statistics: CrossMoments, prior: Array) -> Array:
        """The covariance within the classes from which the rule comes."""
        if self.solver != "svd":
            return self._covariance(statistics, prior)
        return statistics.scatter.sum(axis=0) / max(float(statistics.class_count.sum()), 1.0)

    def _covariance(self, statistics: CrossMoments, prior: Array) -> Array:
        """sum over c of P(c) Sigma_c, shrunk."""
        if self._needs_rows():
            return np.tensordot(prior, self.covariances_of_rows_[:-1], axes=1)
        count = np.where(statistics.class_count > 0, statistics.class_count, 1.0)
        covariance = np.tensordot(prior / count, statistics.scatter, axes=1)
        return shrunk_to_mean_variance(covariance, self._weight())

    def _total(self, statistics: CrossMoments) -> Array:
        """The covariance of all rows around their common mean, shrunk."""
        if self._needs_rows():
            return self.covariances_of_rows_[-1]
        overall = statistics.overall()
        covariance = overall.scatter[0] / max(1.0, float(overall.class_count[0]))
        return shrunk_to_mean_variance(covariance, self._weight())

    def _weight(self) -> float:
        return 0.0 if self._needs_rows() or self.shrinkage is None else float(self.shrinkage)

    def _prior(self) -> Any:
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
        return self._checked_prior(priors)

    # answers --------------------------------------------------------------------------------

    @property
    def n_parameters(self) -> int:
        """Numbers that are estimated, the prior aside: K p + p (p + 1) / 2."""
        check_is_fitted(self)
        n_classes, p = self.means_.shape
        return n_classes * p + p * (p + 1) // 2

    def _class_variances(self) -> Array:
        within = self._within(self.statistics_, self.priors_)
        return np.repeat(np.diagonal(within)[None], len(self.means_), axis=0)

    @answering
    def rule(self, first: Any, second: Any) -> LinearRule:
        """The rule between two classes: `first` is the more probable one where a_0 + a . x > 0.

        a = Sigma^-1 (mean_1 - mean_2)
        a_0 = log P(c_1) / P(c_2) - 1/2 (mean_1 + mean_2) . a
        """
        check_is_fitted(self)
        names = self.classes_.tolist()
        unknown = [name for name in (first, second) if name not in names]
        if unknown:
            raise ValueError(f"first and second must be among the classes {names}, got {unknown}.")
        one, other = names.index(first), names.index(second)
        slope, log_prior = self._rules.slope, self._log_prior()
        a = slope[one] - slope[other]
        middle = (self.means_[one] + self.means_[other]) / 2
        return LinearRule(float(log_prior[one] - log_prior[other] - middle @ a), a)

    @answering
    def transform(self, X: Any) -> Array:
        """The rows in the directions that tell the classes apart: (n_rows, n_components)."""
        check_is_fitted(self)
        if self.solver == "lsqr":
            raise NotImplementedError(
                "transform not implemented for 'lsqr' solver (use 'svd' or 'eigen')."
            )
        values = self._rows(self._checked_X(X, first=False))
        if self.solver == "svd":
            values = values - self.xbar_
        return (values @ self.scalings_)[:, : self._max_components]

    def _decision_scores(self, X: Any) -> Array:
        if len(self.classes_) == 2:
            return self.predict_joint_log_proba(X)
        return self._rows(self._checked_X(X, first=False)) @ self.coef_.T + self.intercept_

    def _scorer(self, X: Matrix) -> Scorer:
        rule = self._rules
        return lambda rows: linear_scores(self._rows(X, rows), self.means_, rule)

    def _leave_one_out_scorer(self, X: Matrix, codes: Array, weights: Array) -> Scorer:
        weight_of_scatter = None if self.solver == "svd" or self.priors is None else self.priors_

        def scores_of(rows: slice) -> Array:
            left_out = LeftOut(dense_rows(X, rows), codes[rows], weights[rows])
            if self._weight() == 0:
                scores, again = linear_scores_without(
                    self.statistics_, left_out, weight_of_scatter, self.tol
                )
            else:
                scores = np.empty((len(left_out.codes), len(self.classes_)))
                again = np.ones(len(left_out.codes), dtype=bool)
            for row in np.flatnonzero(again):
                scores[row] = self._scores_learned_again(left_out.where(slice(row, row + 1)))
            return scores

        return scores_of

    def _scores_learned_again(self, row: LeftOut) -> Array:
        n_classes = len(self.classes_)
        rest = self.statistics_ - cross_moments(row.values, row.codes, n_classes, row.weights)
        rule = self._discriminants(rest, class_prior(rest.class_count, self._prior()))
        return linear_scores(row.values, self._means(rest), rule)[0]

    def _feature_scores(self, X: Matrix) -> Array:
        """What each feature adds to x . slope - 1/2 mean . slope, with the centre as the origin."""
        rule = self._rules
        values = self._rows(X) - rule.centre
        return (values[:, None, :] - 0.5 * (self.means_ - rule.centre)).swapaxes(
            1, 2
        ) * rule.slope.T

    def _density_terms(self, X: Matrix) -> Array:
        """Of the normal densities whose ratio is the linear rule: see sequential_terms."""
        covariance = self._within(self.statistics_, self.priors_)
        classes = normals(self.means_, np.repeat(covariance[None], len(self.means_), axis=0))
        return sequential_terms(self._rows(X), classes)

    def _factors(self, X: Matrix, names: list[str]) -> list[Factor]:
        covariance = self._within(self.statistics_, self.priors_)
        least_spread = self.tol**2 if self.solver == "svd" else 0.0
        if least_eigenvalue(covariance) > max(SINGULAR, least_spread):
            return super()._factors(X, names)
        return [self._factor_of_directions(X, covariance)]

    def _factor_of_directions(self, X: Matrix, covariance: Array) -> Factor:
        """The density in the directions that have spread, where not all have any.

        In units in which the spread within the classes is 1,
        log p(z | c) = -1/2 (z - z_c)^2 - r/2 log 2 pi for the r coordinates z of a row.
        """
        if self.solver == "svd":
            precision, n_directions = self.scalings_ @ self.scalings_.T, self.scalings_.shape[1]
        else:
            precision, n_directions = linalg.pinvh(covariance, return_rank=True)
        deviation = self._rows(X)[0] - self._rules.centre
        common = deviation @ precision @ deviation + n_directions * LOG_TWO_PI
        scores = self._scorer(X)(slice(0, 1))[0] - 0.5 * common
        noun = "direction" if n_directions == 1 else "directions"
        return Factor(f"x in {n_directions} {noun}", tuple(scores.tolist()), density=True)
