"""Linear discriminant analysis."""

from collections.abc import Iterable
from typing import Literal

import numpy as np

from bayesic.contract.transformer import NumberedTransformer, in_container
from bayesic.data.arguments import check_is_fitted, check_whole_number
from bayesic.data.snapshots import answering
from bayesic.data.typing import ArrayLike, Label, TableLike
from bayesic.estimation.boundaries import LinearRule, numbers_of_two
from bayesic.estimation.covariance import CovarianceRule
from bayesic.estimation.prior import ClassPrior
from bayesic.kernels import Array
from bayesic.models.fitted import learned
from bayesic.models.normal.discriminant import own_target
from bayesic.models.normal.gaussian import normal_prior
from bayesic.models.normal.linear_classes import LinearClasses
from bayesic.models.normal.normal_classifier import NormalClassifier, odds_of_two
from bayesic.models.notes import Note
from bayesic.models.readers.matrix_reader import read_all_columns
from bayesic.models.readers.reader import CodedRows
from bayesic.statistics.cross_moments import CrossMoments


def _refuse_few_rows(
    model: "LinearDiscriminantAnalysis", rows: Iterable[CodedRows], is_all: bool
) -> None:
    class_count = model.statistics_.class_count
    n_rows = class_count.sum()
    if is_all and n_rows == len(model.classes_) and class_count.dtype == np.int64:
        raise ValueError(
            "The number of samples must be more than the number of classes: got "
            f"{n_rows:g} sample(s). Without two rows of a class there is no spread to learn."
        )


ENOUGH_ROWS = Note(after=_refuse_few_rows)


class LinearDiscriminantAnalysis(
    NormalClassifier[LinearClasses, CovarianceRule], NumberedTransformer
):
    """Gaussian classes with one covariance matrix for all: straight boundaries.

        log P(c | x) = x . Sigma^-1 mean_c - 1/2 mean_c . Sigma^-1 mean_c + log P(c) + ...
        Sigma = 1/N sum over c of sum over the rows of c of (x - mean_c)(x - mean_c)^T

    Directions without spread within the classes are dropped. Answers and attributes are those of
    scikit-learn's LinearDiscriminantAnalysis, the signs of the columns of scalings_ aside;
    `partial_fit`, `forget`, `merge`, `leave_one_out` and sample weights come with the statistic.
    `predict_joint_log_proba` leaves out what is the same for all classes.

    Parameters
    ----------
    shrinkage : weight of the mean variance times the unit matrix in Sigma; or "ledoit-wolf", which
        shrinks it towards its own diagonal by the weight of least expected squared error
    priors : given prior probabilities, in the order of classes_; learned if None
    n_components : directions that `transform` gives, at most min(n_classes - 1, n_features)

    Examples
    --------
    >>> X = [[1, 2], [2, 1], [3, 4], [4, 3], [7, 9], [8, 8], [9, 7], [9, 9]]
    >>> model = LinearDiscriminantAnalysis().fit(X, ["short"] * 4 + ["tall"] * 4)
    >>> model.predict([[3, 3]]).tolist(), model.rule("tall", "short").a.round(4)
    (['short'], array([4.8421, 4.8421]))
    """

    notes = (ENOUGH_ROWS,)
    fitted_class = LinearClasses

    covariance_ = learned("covariance", "The covariance within the classes, shrunk: Sigma.")
    coef_ = learned("coef", "Weights of the features: (n_classes, n_features); one row for two.")
    intercept_ = learned("intercept", "Constants beside them: (n_classes,); one for two classes.")
    scalings_ = learned("rule.scalings", "The directions: (n_features, n_directions).")
    explained_variance_ratio_ = learned(
        "explained_variance_ratio", "Share of each direction in the separation of the classes."
    )
    xbar_ = learned("rule.centre", "What `transform` takes from the rows: their mean.")
    _n_features_out = learned("n_components", "Directions that `transform` gives.")

    def __init__(
        self,
        shrinkage: float | Literal["ledoit-wolf"] | None = None,
        priors: ArrayLike | None = None,
        n_components: int | None = None,
    ) -> None:
        self.shrinkage = shrinkage
        self.priors = priors
        self.n_components = n_components

    def _parse(self) -> CovarianceRule:
        if self.n_components is not None:
            check_whole_number("n_components", self.n_components, least=1)
        return own_target(self.shrinkage)

    _reader = read_all_columns

    def _fit(self, statistics: CrossMoments) -> LinearClasses:
        count = statistics.class_count
        given = normal_prior("learned" if self.priors is None else self.priors, len(count))
        how = self._settings, self._components()
        return LinearClasses(ClassPrior(count, given), statistics, *how)

    def _components(self) -> int:
        most = min(len(self.classes_) - 1, self.n_features_in_)
        if self.n_components is not None and self.n_components > most:
            raise ValueError(
                "n_components cannot be larger than min(n_features, n_classes - 1). "
                f"Got {self.n_components} for {len(self.classes_)} class(es) and "
                f"{self.n_features_in_} feature(s): at most {most}."
            )
        return most if self.n_components is None else int(self.n_components)

    # answers --------------------------------------------------------------------------------

    @answering
    def decision_function(self, X: TableLike) -> Array:
        """Log posterior of each class up to a constant; with two classes their log odds, (n_rows,).

        The odds are those of the second class against the first.
        """
        return odds_of_two(self.predict_joint_log_proba(X))

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
        return self._of_rows(X, self._fitted.coordinates)
