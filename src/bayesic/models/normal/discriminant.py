"""Quadratic discriminant analysis."""

from typing import Any, Literal

from bayesic.data.arguments import check_is_fitted, is_number, refuse_unfitted, tell
from bayesic.data.snapshots import answering
from bayesic.data.typing import ArrayLike, Label, TableLike
from bayesic.estimation.boundaries import QuadraticRule, numbers_of_two, quadratic_rule
from bayesic.estimation.covariance import (
    LEDOIT_WOLF,
    CovarianceRule,
    checked_shrinkage,
    covariances_of_moments,
)
from bayesic.estimation.discriminant import SingularCovarianceError
from bayesic.estimation.normal_density import LOG_TWO_PI
from bayesic.estimation.prior import ClassPrior
from bayesic.kernels import Array
from bayesic.models.fitted import learned
from bayesic.models.normal.gaussian import normal_prior
from bayesic.models.normal.normal_classes import NormalClasses
from bayesic.models.normal.normal_classifier import NormalClassifier, odds_of_two
from bayesic.models.notes import Note
from bayesic.models.readers.matrix_reader import read_all_columns
from bayesic.statistics.cross_moments import CrossMoments


def own_target(shrinkage: object) -> CovarianceRule:
    """How a covariance is shrunk towards what follows from it alone.

    A number is the weight of the mean variance times the unit matrix, as in scikit-learn; Ledoit
    and Wolf shrink towards the diagonal, as in GaussianBayes.
    """
    weight = checked_shrinkage(shrinkage, (LEDOIT_WOLF,))
    target = "diagonal" if weight == LEDOIT_WOLF else "mean variance"
    return CovarianceRule(weight=weight, target=target, fill_constant=False)


def _check_singular(model: "NormalClassifier", is_all: bool) -> None:
    """Refuse a class with a singular covariance after `fit`; else tell that it is shrunk."""
    fitted: NormalClasses = model._fitted
    counts, singular = fitted.moments.class_count, fitted.covariances.singular
    if not is_all:
        singular = singular & (counts > 0)
    if not singular.any():
        return
    if not is_all:
        names = ", ".join(map(repr, model.classes_[singular].tolist()))
        tell(
            f"The covariance of class {names} is singular so far: it is shrunk towards the "
            "covariance of all classes together until there are more rows."
        )
        return
    at = singular.argmax()
    rule = f"The covariance matrix of class {model.classes_[at]} is not full rank"
    raise SingularCovarianceError(
        rule,
        f"{rule}: it has {counts[at]:g} sample(s) of {model.n_features_in_} feature(s). Give a "
        "shrinkage or a reg_param, or use GaussianBayes, which shrinks such a class.",
    )


FULL_RANK = Note(check=_check_singular)


class QuadraticDiscriminantAnalysis(NormalClassifier[NormalClasses, CovarianceRule]):
    """Gaussian classes with a covariance matrix each: quadratic boundaries.

        log P(c | x) = log P(c) - 1/2 log |Sigma_c| - 1/2 (x - mean_c) Sigma_c^-1 (x - mean_c) + ...

    with maximum likelihood estimates (divided by n). Answers and attributes are those of
    scikit-learn's QuadraticDiscriminantAnalysis; `partial_fit`, `forget`, `merge`, `leave_one_out`
    and sample weights come with the statistic. `fit` refuses a class whose covariance is singular;
    incremental learning shrinks it, with a warning, until there are enough rows. GaussianBayes
    always does this.

    Parameters
    ----------
    priors : given prior probabilities, in the order of classes_; learned if None
    reg_param : weight of the unit matrix in the covariance
    shrinkage : weight of the mean variance times the unit matrix; or "ledoit-wolf", which shrinks
        each matrix towards its own diagonal by the weight of least expected squared error. It takes
        the place of reg_param

    Examples
    --------
    >>> X = [[1, 2], [2, 1], [3, 4], [4, 3], [7, 9], [8, 8], [9, 7], [9, 9]]
    >>> model = QuadraticDiscriminantAnalysis().fit(X, ["short"] * 4 + ["tall"] * 4)
    >>> model.scalings_[0], model.predict([[3, 3]]).tolist()
    (array([2. , 0.5]), ['short'])
    """

    notes = (FULL_RANK,)
    fitted_class = NormalClasses

    covariance_ = learned("covariance", "The covariance of each class.")

    def __init__(
        self,
        *,
        priors: ArrayLike | None = None,
        reg_param: float = 0.0,
        shrinkage: float | Literal["ledoit-wolf"] | None = None,
    ) -> None:
        self.priors = priors
        self.reg_param = reg_param
        self.shrinkage = shrinkage

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

    def _parse(self) -> CovarianceRule:
        weight: Any = self.reg_param
        if not is_number(weight) or not 0 <= weight <= 1:
            raise ValueError(
                f"reg_param must be a number from 0 to 1, got {weight!r}. "
                "It is the weight of the unit matrix."
            )
        if self.shrinkage is None:
            return CovarianceRule(weight=float(weight), target="identity", fill_constant=False)
        if weight:
            raise ValueError(
                f"reg_param={weight!r} and shrinkage={self.shrinkage!r:.80} both shrink the "
                "covariances. Give one of the two."
            )
        return own_target(self.shrinkage)

    _reader = read_all_columns

    def _fit(self, statistics: CrossMoments) -> NormalClasses:
        count, rule = statistics.class_count, self._settings
        given = normal_prior("learned" if self.priors is None else self.priors, len(count))
        covariances = covariances_of_moments(rule, statistics)
        name = type(self).__name__
        return NormalClasses(ClassPrior(count, given), statistics, rule, covariances, name)

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
