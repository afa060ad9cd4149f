"""Discriminant analysis with the arguments and numbers of scikit-learn: QDA, and parts of LDA."""

from collections.abc import Iterable
from typing import Any, ClassVar, Literal

import numpy as np

from bayesic.data.arguments import check_is_fitted, check_one_of, is_number, refuse_unfitted, tell
from bayesic.data.matrices import Matrix, dense_rows
from bayesic.data.snapshots import answering
from bayesic.data.typing import ArrayLike, CovarianceEstimator, Label, TableLike
from bayesic.estimation.boundaries import QuadraticRule, numbers_of_two, quadratic_rule
from bayesic.estimation.covariance import (
    SINGULAR,
    CovarianceRule,
    Covariances,
    covariances_of_moments,
    least_eigenvalue,
)
from bayesic.estimation.discriminant import SingularCovarianceError
from bayesic.estimation.normal_density import LOG_TWO_PI
from bayesic.estimation.prior import ClassPrior
from bayesic.kernels import Array
from bayesic.models.classifier import CountingClassifier
from bayesic.models.fitted import learned
from bayesic.models.normal.gaussian import normal_prior
from bayesic.models.normal.normal_classes import NormalClasses
from bayesic.models.notes import Note
from bayesic.models.readers.matrix_reader import read_all_columns
from bayesic.models.readers.reader import CodedRows
from bayesic.statistics.cross_moments import CrossMoments, cross_moments

# covariances that need the rows themselves --------------------------------------------------------


def _needs_rows(model: Any) -> bool:
    """Whether a covariance is estimated from all rows at once, and not just from the statistic.

    shrinkage="auto" takes fourth powers, and a covariance_estimator may take anything. With them
    there is `fit` only.
    """
    return model.covariance_estimator is not None or isinstance(model.shrinkage, str)


def _refuse_without_rows(model: Any, verb: str) -> None:
    """Refuse a verb that does not have the rows, where they are needed."""
    if _needs_rows(model):
        raise ValueError(
            f"{verb} works with what is kept of the rows, but shrinkage='auto' and "
            "covariance_estimator need all rows at once. Give shrinkage a number, or use "
            "GaussianBayes with shrinkage='ledoit-wolf' or 'auto'."
        )


def _learn_covariances(model: Any, rows: Iterable[CodedRows], is_all: bool) -> None:
    """Keep the covariance of each class and, last, of all rows, where the rows are needed."""
    if not _needs_rows(model):
        return
    blocks, estimator = list(rows), model.covariance_estimator
    if any(block.weights is not None for block in blocks):
        raise ValueError(
            "sample_weight does not work with shrinkage='auto' or covariance_estimator, which "
            "count every row once. Give shrinkage a number."
        )
    values = np.vstack([dense_rows(block.X, slice(0, len(block.codes))) for block in blocks])
    codes = np.concatenate([block.codes for block in blocks])
    groups = [values[codes == c] for c in range(len(model.classes_))]
    model.covariances_of_rows_ = np.array(
        [
            _standardised_ledoit_wolf(group) if estimator is None else _estimated(estimator, group)
            for group in (*groups, values)
        ]
    )


def _estimated(estimator: Any, rows: Array) -> Array:
    from sklearn.base import clone  # takes long to load

    fitted = clone(estimator, safe=False)
    fitted.fit(rows)
    if not hasattr(fitted, "covariance_"):
        raise ValueError(
            f"covariance_estimator must have covariance_ after fit, but "
            f"{type(fitted).__name__} has none. Use one of sklearn.covariance."
        )
    return np.atleast_2d(fitted.covariance_)


def _standardised_ledoit_wolf(rows: Array) -> Array:
    """The covariance with correlations shrunk as [LedoitWolf] do, by fourth powers of the rows."""
    from sklearn.covariance import ledoit_wolf  # takes long to load

    spread = rows.std(axis=0)
    spread = np.where(spread > 0, spread, 1.0)
    shrunk = ledoit_wolf((rows - rows.mean(axis=0)) / spread, assume_centered=True)[0]
    return shrunk * spread[:, None] * spread


def learned_covariances(model: Any) -> Array | None:
    """What learn_covariances has kept, where the model needs it; None where it does not."""
    if not _needs_rows(model):
        return None
    if not hasattr(model, "covariances_of_rows_"):
        raise ValueError(
            "shrinkage='auto' and covariance_estimator need all rows at once, and were set when "
            "these were gone. Call fit again."
        )
    return model.covariances_of_rows_


def _state(model: Any) -> dict[str, Any]:
    """For files: the covariances that were estimated from rows, if any."""
    found = getattr(model, "covariances_of_rows_", None)
    return {} if found is None else {"covariances_of_rows": found}


def _restore(model: Any, state: dict[str, Any]) -> None:
    if not state:
        return
    found = np.asarray(state["covariances_of_rows"], dtype=np.float64)
    expected = (len(model.classes_) + 1, model.n_features_in_, model.n_features_in_)
    if found.shape != expected or not np.isfinite(found).all():
        raise ValueError(f"covariances_of_rows must hold numbers of shape {expected}.")
    model.covariances_of_rows_ = found


# keeps covariances_of_rows_, of each class and of all rows, where these were needed
COVARIANCES_OF_ROWS = Note(
    after=_learn_covariances,
    refuse=_refuse_without_rows,
    keys=frozenset({"covariances_of_rows"}),
    state=_state,
    restore=_restore,
)


# arguments and answers ----------------------------------------------------------------------------


def check_shrinkage(model: Any, solvers: tuple[str, ...]) -> None:
    """Refuse a solver, a shrinkage or a tol that make no sense, by themselves or together."""
    check_one_of("solver", model.solver, solvers)
    weight = model.shrinkage
    is_word = weight is None or (isinstance(weight, str) and weight == "auto")
    if not is_word and not (is_number(weight) and 0 <= weight <= 1):
        raise ValueError(
            f"shrinkage must be None, a number from 0 to 1 or 'auto', got {weight!r:.80}."
        )
    if model.covariance_estimator is None:
        if model.solver == "svd" and weight is not None:
            raise NotImplementedError(
                "shrinkage not supported with 'svd' solver. Use solver='eigen'."
            )
    elif weight not in (None, 0):
        raise ValueError(
            "covariance_estimator and shrinkage parameters are not None. "
            "Only one of the two can be set."
        )
    if not is_number(model.tol) or not 0 <= model.tol < np.inf:
        raise ValueError(f"tol must be a number of 0 or more, got {model.tol!r}.")


def odds_of_two(scores: Array) -> Array:
    """The scores of each class; of two classes the odds of the second against the first.

    >>> odds_of_two(np.array([[1.0, 3.0]]))
    array([2.])
    """
    return scores[:, 1] - scores[:, 0] if scores.shape[1] == 2 else scores


# QDA ----------------------------------------------------------------------------------------------


def _refuse_few_rows(model: Any, rows: Iterable[CodedRows], is_all: bool) -> None:
    if not is_all:
        return
    class_count = model.statistics_.class_count
    if len(model.classes_) < 2:
        raise ValueError(
            f"The number of classes has to be greater than one. Got {len(model.classes_)} class."
        )
    for name, count in zip(model.classes_.tolist(), class_count, strict=True):
        if count == 1 and class_count.dtype == np.int64:
            raise ValueError(
                f"y has only 1 sample in class {name}, covariance is ill defined. "
                "GaussianBayes shrinks it."
            )


def _check_singular(model: Any, is_all: bool) -> None:
    fitted: NormalClasses = model._fitted
    if is_all:
        refuse_singular(model, fitted)
        return
    singular = fitted.covariances.singular & (model.statistics_.class_count > 0)
    if singular.any():
        names = ", ".join(map(repr, model.classes_[singular].tolist()))
        tell(
            f"The covariance of class {names} is singular so far: it is shrunk towards the "
            "covariance of all classes together until there are more rows."
        )


def refuse_singular(model: Any, fitted: NormalClasses) -> None:
    """Refuse a class whose covariance is singular."""
    counts, variances = fitted.moments.class_count, fitted.principal_axes[0]
    rows_are_counted = counts.dtype == np.int64  # weights need not be numbers of rows
    for c, name in enumerate(model.classes_.tolist()):
        rule = f"The covariance matrix of class {name} is not full rank"
        few = rows_are_counted and counts[c] <= model.n_features_in_
        if few and model.solver == "svd":
            raise SingularCovarianceError(
                rule,
                f"{rule}. When using `solver='svd'` the number of samples in each class should "
                f"be more than the number of features, but class {name} has {counts[c]:g} "
                f"samples and {model.n_features_in_} features. Use solver='eigen' with a "
                "shrinkage, or GaussianBayes, which shrinks such a class.",
            )
        if fitted.covariances.singular[c] or (variances[c] <= model.tol).any():
            argument = "shrinkage" if model.solver == "eigen" else "reg_param"
            raise SingularCovarianceError(
                rule,
                f"{rule}. Increase the value of `{argument}`, or use GaussianBayes, which "
                "shrinks such a class.",
            )


FULL_RANK = Note(after=_refuse_few_rows, check=_check_singular)


class QuadraticDiscriminantAnalysis(CountingClassifier):
    """Gaussian classes with a covariance matrix each: quadratic boundaries.

        log P(c | x) = log P(c) - 1/2 log |Sigma_c| - 1/2 (x - mean_c) Sigma_c^-1 (x - mean_c) + ...

    with maximum likelihood estimates (divided by n). Arguments, attributes and numbers are those of
    scikit-learn's QuadraticDiscriminantAnalysis; `partial_fit`, `forget`, `merge`, `leave_one_out`
    and sample weights come with the statistic. `fit` refuses a class whose covariance is singular;
    incremental learning shrinks it, with a warning, until there are enough rows. GaussianBayes
    always does this.

    Parameters
    ----------
    solver : "svd", or "eigen", which takes shrinkage; both find the axes from the scatter
    shrinkage : weight of the mean variance times the unit matrix, or "auto" for Ledoit and Wolf.
        "auto" and covariance_estimator need all rows: if set later, they wait for the next `fit`
    priors : given prior probabilities, in the order of classes_; learned if None
    reg_param : weight of the unit matrix in the covariance (solver "svd")
    store_covariance : keep covariance_
    tol : a variance along an axis of no more than this makes the covariance singular
    covariance_estimator : estimates the covariance from the rows of a class (solver "eigen")

    Examples
    --------
    >>> X = [[1, 2], [2, 1], [3, 4], [4, 3], [7, 9], [8, 8], [9, 7], [9, 9]]
    >>> model = QuadraticDiscriminantAnalysis().fit(X, ["short"] * 4 + ["tall"] * 4)
    >>> model.scalings_[0], model.predict([[3, 3]]).tolist()
    (array([2. , 0.5]), ['short'])
    """

    statistics_: CrossMoments
    covariances_of_rows_: Array  # of each class and of all rows, where these were needed

    notes = (FULL_RANK, COVARIANCES_OF_ROWS)
    fitted_class = NormalClasses
    unused = ("times", "text")
    tags: ClassVar[dict[str, bool]] = {**CountingClassifier.tags, "allow_nan": False}
    one_blas_thread = True

    priors_ = learned("prior.probability", "P(c) of each class.")
    means_ = learned("mean", "Mean of each feature in each class: (n_classes, n_features).")

    def __init__(
        self,
        *,
        solver: Literal["svd", "eigen"] = "svd",
        shrinkage: float | Literal["auto"] | None = None,
        priors: ArrayLike | None = None,
        reg_param: float = 0.0,
        store_covariance: bool = False,
        tol: float = 1.0e-4,
        covariance_estimator: CovarianceEstimator | None = None,
    ) -> None:
        self.solver = solver
        self.shrinkage = shrinkage
        self.priors = priors
        self.reg_param = reg_param
        self.store_covariance = store_covariance
        self.tol = tol
        self.covariance_estimator = covariance_estimator

    @property
    def scalings_(self) -> list[Array]:
        """The variance along each principal axis, for each class."""
        refuse_unfitted(self)
        return list(self._fitted.principal_axes[0])

    @property
    def rotations_(self) -> list[Array]:
        """The principal axes, for each class: (n_features, n_features)."""
        refuse_unfitted(self)
        return list(self._fitted.principal_axes[1])

    @property
    def covariance_(self) -> list[Array]:
        """The covariance of each class, with store_covariance."""
        if not self.store_covariance:
            raise AttributeError("covariance_ is kept with store_covariance=True.")
        return list(self._fitted.covariance)

    def _parse(self) -> CovarianceRule:
        check_shrinkage(self, ("svd", "eigen"))
        if self.covariance_estimator is not None and self.solver == "svd":
            raise ValueError(
                "covariance_estimator is not supported with solver='svd'. "
                "Try solver='eigen' instead."
            )
        if not is_number(self.reg_param) or not 0 <= self.reg_param <= 1:
            raise ValueError(
                f"reg_param must be a number from 0 to 1, got {self.reg_param!r}. "
                "It is the weight of the unit matrix."
            )
        if self.solver == "svd":
            return CovarianceRule(
                weight=float(self.reg_param), target="identity", fill_constant=False
            )
        weight = 0.0 if _needs_rows(self) else float(self.shrinkage or 0.0)
        return CovarianceRule(weight=weight, target="mean variance", fill_constant=False)

    # learning -------------------------------------------------------------------------------

    _reader = read_all_columns

    def _count(
        self, X: Matrix, codes: Array, n_classes: int, weights: Array | None
    ) -> CrossMoments:
        return cross_moments(X, codes, n_classes, weights)

    def _fit(self, statistics: CrossMoments) -> NormalClasses:
        count = statistics.class_count
        given = normal_prior("learned" if self.priors is None else self.priors, len(count))
        of_rows, rule = learned_covariances(self), self._settings
        if of_rows is None:
            covariances = covariances_of_moments(rule, statistics)
        else:
            matrices = of_rows[:-1]
            covariances = Covariances(matrices, least_eigenvalue(matrices) <= SINGULAR)
        fitted = NormalClasses(
            ClassPrior(count, given), statistics, rule, covariances, type(self).__name__
        )
        if of_rows is not None:  # these are not shrunk where they are singular
            refuse_singular(self, fitted)
        return fitted

    # answers --------------------------------------------------------------------------------

    @answering
    def decision_function(self, X: TableLike) -> Array:
        """Log posterior of each class up to a constant; with two classes their log odds, (n_rows,).

        The odds are those of the second class against the first.
        """
        scores = self.predict_joint_log_proba(X)
        return odds_of_two(scores + 0.5 * self.n_features_in_ * LOG_TWO_PI)

    @answering
    def rule(self, first: Label, second: Label) -> QuadraticRule:
        """The boundary of two classes: `first` where a_0 + a . x + x . A x > 0.

        See `bayesic.estimation.boundaries.quadratic_rule`.
        """
        check_is_fitted(self)
        pair = numbers_of_two(self.classes_, first, second)
        return quadratic_rule(self._fitted.normals, self._fitted.prior.log, pair)
