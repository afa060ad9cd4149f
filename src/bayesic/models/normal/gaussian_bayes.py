"""Gaussian Bayes: measurements that are normally distributed together within each class."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np

from bayesic.data.arguments import (
    check_is_fitted,
    check_one_of,
    refuse_unfitted,
    tell,
)
from bayesic.data.matrices import Matrix, dense_rows
from bayesic.data.snapshots import answering
from bayesic.data.typing import ArrayLike, Label
from bayesic.estimation.boundaries import (
    LinearRule,
    QuadraticRule,
    numbers_of_two,
    quadratic_rule,
)
from bayesic.estimation.covariance import (
    CANDIDATES,
    LEDOIT_WOLF,
    CovarianceRule,
    Covariances,
    best_candidate,
    checked_shrinkage,
    class_variances,
    covariances_of_moments,
    leave_one_out_losses,
)
from bayesic.estimation.dirichlet_evidence import class_log_evidence
from bayesic.estimation.gaussian_without import LeftOut, log_densities_without_correlations
from bayesic.estimation.normal_density import Normals, normals
from bayesic.estimation.normal_evidence import (
    NormalPrior,
    columns_log_evidence,
    spherical_log_evidence,
)
from bayesic.estimation.prior import ClassPrior
from bayesic.evidence.column_table import ColumnTable
from bayesic.kernels import Array
from bayesic.models.fitted import IN_FOLDS, LEAVE_ONE_OUT, Fitted, Scorer, learned
from bayesic.models.log_evidence import NUMBERS, LogEvidence
from bayesic.models.normal.gaussian import normal_prior
from bayesic.models.normal.normal_classes import (
    NormalClasses,
    NormalDensities,
    scorer_of_columns,
    terms_of_columns,
)
from bayesic.models.normal.normal_classifier import NormalClassifier
from bayesic.models.notes import Note
from bayesic.models.readers.matrix_reader import read_matrix
from bayesic.models.readers.reader import CodedRows
from bayesic.models.summaries.numbers import moment_table
from bayesic.statistics.cross_moments import CrossMoments, diagonal_of

COVARIANCES = ("full", "tied", "diagonal", "spherical")


@dataclass(frozen=True, eq=False)
class UncorrelatedClasses(NormalDensities):
    """Features that are independent and normal in each class."""

    formula = "normal_scores"

    rule: CovarianceRule
    spherical: bool  # the same variance for all features of a class
    judged_by: str = LEAVE_ONE_OUT

    @cached_property
    def covariances(self) -> Covariances:
        """The variances of each class, and which of them would have been 0."""
        count = self.moments.class_count.astype(np.float64)
        overall = self.moments.class_moments.overall.variance()[0]
        squares = diagonal_of(self.moments.scatter)
        return class_variances(count, squares, overall, *self._how)

    @property
    def _how(self) -> tuple[Any, bool, bool]:
        return self.rule.weight, self.rule.unbiased, self.spherical

    @property
    def variance(self) -> Array:
        """(n_classes, n_features)"""
        return self.covariances.matrices

    @property
    def normals(self) -> Normals:
        """The densities."""
        return normals(self.mean, self.variance[:, :, None] * np.eye(self.mean.shape[1]))

    @property
    def covariance(self) -> Array:
        """The variances of each class, or the one of each."""
        return self.variance[:, 0] if self.spherical else self.variance

    # scores ---------------------------------------------------------------------------------

    def scorer(self, rows: Matrix) -> Scorer:
        """log p(x | c) of each row; of what was observed, if it has gaps."""
        return scorer_of_columns(rows, self.mean, self.variance)

    def scorer_without(self, rows: Matrix, codes: Array, weights: Array) -> Scorer:
        """The same, each row less its own moments."""

        def scores_of(block: slice) -> Array:
            left_out = LeftOut(dense_rows(rows, block), codes[block], weights[block])
            return log_densities_without_correlations(self.moments, left_out, *self._how)

        return scores_of

    def sampled(self, codes: Array, rng: np.random.Generator) -> Array:
        """One row for each of these classes: (n_rows, n_features)."""
        noise = rng.standard_normal((len(codes), self.mean.shape[1]))
        return self.mean[codes] + noise * np.sqrt(self.variance)[codes]

    def terms(self, rows: Matrix) -> Array:
        """log N(x_j; mean, variance) of each feature and class."""
        return terms_of_columns(rows, self.mean, self.variance)

    # what was learned -----------------------------------------------------------------------

    def evidence(self, names: Sequence[str], prior: NormalPrior) -> LogEvidence:
        """log p of classes and cells."""
        if self.spherical:
            log = spherical_log_evidence(self.moments, prior)
        else:
            log = columns_log_evidence(self.moments.class_moments.per_class, prior)
        return LogEvidence(class_log_evidence(self.prior) + log, dict.fromkeys(names, NUMBERS))

    @property
    def n_parameters(self) -> int:
        """Of K classes and p features: diagonal 2 K p, spherical K (p + 1)."""
        return self.mean.size + self.covariance.size

    def table(self, place: int, names: Sequence[str], classes: list, exact: bool) -> ColumnTable:
        """Mean and spread of a column in each class."""
        moments, own = self.moments.class_moments.per_class, self.variance[:, place]
        return moment_table(names[place], "number", classes, moments, place, model_variance=own)


def _losses_of_candidates(candidates: Sequence[Fitted], rows: CodedRows) -> Array:
    """The leave-one-out loss of each candidate on these rows."""
    prior, weights = candidates[0].prior, rows.all_weights
    scorers = [fitted.scorer_without(rows.X, rows.codes, weights) for fitted in candidates]
    blocks = candidates[0].blocks(rows.X)
    return leave_one_out_losses(scorers, blocks, prior, rows.codes, weights)


@dataclass(frozen=True, eq=False)
class CovarianceSettings:
    """What may differ between classes and features, and how far it is shrunk."""

    covariance: str
    shrinkage: float | str  # a number, "ledoit-wolf" or "auto"
    unbiased: bool
    prior: ArrayLike  # "learned", or a probability for each class

    @property
    def is_auto(self) -> bool:
        """Whether the weight of the target is chosen by the rows."""
        return isinstance(self.shrinkage, str) and self.shrinkage == "auto"

    def fitted(
        self, statistics: CrossMoments, weight: float | str
    ) -> NormalClasses | UncorrelatedClasses:
        """What follows with this weight of the target: a number, or "ledoit-wolf"."""
        count = statistics.class_count
        prior = ClassPrior(count, normal_prior(self.prior, len(count)))
        target = "diagonal" if weight == LEDOIT_WOLF else "pooled"
        rule = CovarianceRule(self.covariance == "tied", weight, target, self.unbiased)
        judged_by = IN_FOLDS if self.is_auto else LEAVE_ONE_OUT
        if self.covariance in ("full", "tied"):
            covariances = covariances_of_moments(rule, statistics)
            return NormalClasses(prior, statistics, rule, covariances, judged_by=judged_by)
        is_spherical = self.covariance == "spherical"
        return UncorrelatedClasses(prior, statistics, rule, is_spherical, judged_by)


# notes ------------------------------------------------------------------------------------------


def _judge(model: "GaussianBayes", rows: Iterable[CodedRows], is_all: bool) -> None:
    """With shrinkage="auto": judge all candidates by these rows, each as if not learned."""
    if not model._settings.is_auto:
        return
    candidates = [model._settings.fitted(model.statistics_, weight) for weight in CANDIDATES]
    before = getattr(model, "shrinkage_losses_", np.zeros(len(CANDIDATES)))
    model.shrinkage_losses_ = sum(
        (_losses_of_candidates(candidates, some) for some in rows), start=before
    )


def _state(model: "GaussianBayes") -> dict[str, object]:
    losses = getattr(model, "shrinkage_losses_", None)
    return {} if losses is None else {"shrinkage_losses": losses}


def _restore(model: "GaussianBayes", state: dict[str, object]) -> None:
    if not state:
        return
    losses = np.asarray(state["shrinkage_losses"], dtype=np.float64)
    if losses.shape != (len(CANDIDATES),) or np.isnan(losses).any():
        raise ValueError("shrinkage_losses must hold one loss for each candidate.")
    model.shrinkage_losses_ = losses


LOSSES = Note(after=_judge, keys=frozenset({"shrinkage_losses"}), state=_state, restore=_restore)


def _tell_singular(model: "GaussianBayes", is_all: bool) -> None:
    singular = model._fitted.covariances.singular & (model.statistics_.class_count > 0)
    if not singular.any():
        return
    if model.covariance == "tied":
        who, target = "of all classes together", "its own diagonal"
    else:
        names = ", ".join(repr(name) for name in model.classes_[singular].tolist())
        who, target = f"of class {names}", "the covariance of all classes together"
    tell(
        f"The covariance {who} is singular: there are few rows, or features depend on each "
        f"other. It was shrunk towards {target}. Give shrinkage='auto' or a number to decide "
        "how far."
    )


SINGULAR = Note(check=_tell_singular)


# the model --------------------------------------------------------------------------------------


class GaussianBayes(NormalClassifier[NormalClasses | UncorrelatedClasses, CovarianceSettings]):
    """Bayes' rule with a normal density for each class.

        P(c | x)  ~  P(c) N(x; mean_c, Sigma_c)

    with the maximum likelihood mean and covariance of each class (divided by n). `covariance` says
    what may differ between classes and between features:

        full       a matrix for each class: quadratic boundaries (QDA)
        tied       one matrix for all classes: straight boundaries (LDA)
        diagonal   a variance for each feature and class: naive Bayes
        spherical  a variance for each class

    A class whose covariance is singular (few rows, features that depend on each other) is shrunk,
    with a warning that names it. Rows with missing values (NaN) are predicted from the density of
    the observed values; learning needs complete rows.

    Parameters
    ----------
    covariance : shape of the covariances: "full", "tied", "diagonal" or "spherical"
    shrinkage : weight of a simpler covariance, from 0 to 1, "auto" or, if it is full or tied,
        "ledoit-wolf". Full and spherical shrink towards the covariance of all classes together (1
        is LDA), diagonal towards the variances of all, tied towards its diagonal. "auto" takes the
        weight of least leave-one-out log loss, each row scored with what was known when it was
        learned (so it has to be set before learning); "ledoit-wolf" shrinks each matrix towards its
        own diagonal by the weight of least expected squared error.
    unbiased : divide by n - 1 instead of n
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

    shrinkage_losses_: Array  # of each candidate, with shrinkage="auto"

    notes = (LOSSES, SINGULAR)
    fitted_class = NormalDensities

    covariance_ = learned("covariance", "The covariances, in the shape that `covariance` has.")
    shrinkage_ = learned("rule.weight", "The weight of the target: a number, or 'ledoit-wolf'.")

    def __init__(
        self,
        covariance: Literal["full", "tied", "diagonal", "spherical"] = "full",
        *,
        shrinkage: float | Literal["auto", "ledoit-wolf"] | None = None,
        unbiased: bool = False,
        priors: ArrayLike | None = None,
    ) -> None:
        self.covariance = covariance
        self.shrinkage = shrinkage
        self.unbiased = unbiased
        self.priors = priors

    @property
    def class_count_(self) -> Array:
        """Rows of each class."""
        refuse_unfitted(self)
        return self.statistics_.class_count.astype(np.float64)

    def _parse(self) -> CovarianceSettings:
        check_one_of("covariance", self.covariance, COVARIANCES)
        weight: Any = self.shrinkage
        has_correlations = self.covariance in ("full", "tied")
        is_word = isinstance(weight, str)  # a table answers == with a table
        if is_word and weight == LEDOIT_WOLF and not has_correlations:
            raise ValueError(
                f"shrinkage='ledoit-wolf' shrinks correlations, and covariance="
                f"{self.covariance!r} has none. Give a number from 0 to 1, or 'auto'."
            )
        shrinkage = checked_shrinkage(weight, (LEDOIT_WOLF, "auto"))
        prior = "learned" if self.priors is None else self.priors
        return CovarianceSettings(self.covariance, shrinkage, self.unbiased, prior)

    _reader = read_matrix

    def _fit(self, statistics: CrossMoments) -> NormalClasses | UncorrelatedClasses:
        settings: CovarianceSettings = self._settings
        weight = settings.shrinkage
        if weight == "auto":
            losses = getattr(self, "shrinkage_losses_", None)
            weight = 0.0 if losses is None else best_candidate(losses)
        return settings.fitted(statistics, weight)

    # answers --------------------------------------------------------------------------------

    @answering
    def rule(self, first: Label, second: Label) -> LinearRule | QuadraticRule:
        """The boundary of two classes: `first` where a_0 + a . x (+ x . A x) > 0.

        It is straight where the covariance is tied; see `bayesic.estimation.boundaries`.

        >>> X = [[1, 2], [2, 1], [3, 4], [4, 3], [7, 9], [8, 8], [9, 7], [9, 9]]
        >>> model = GaussianBayes("tied").fit(X, ["short"] * 4 + ["tall"] * 4)
        >>> model.rule("tall", "short").a.round(4)
        array([4.8421, 4.8421])
        """
        check_is_fitted(self)
        pair = numbers_of_two(self.classes_, first, second)
        found = quadratic_rule(self._fitted.normals, self._fitted.prior.log, pair)
        return LinearRule(found.a_0, found.a) if self.covariance == "tied" else found
