"""What the estimators with a covariance between features share."""

from typing import ClassVar

from bayesic.data.matrices import Matrix
from bayesic.kernels import Array
from bayesic.kernels.blas import one_blas_thread
from bayesic.models.classifier import CountingClassifier, FittedClasses
from bayesic.models.counting import Settings
from bayesic.models.fitted import learned
from bayesic.statistics.cross_moments import CrossMoments, cross_moments


class NormalClassifier(CountingClassifier[CrossMoments, FittedClasses, Settings]):
    """A classifier that follows from sums of squares and products in each class."""

    statistics_: CrossMoments

    unused = ("times", "text")
    tags: ClassVar[dict[str, bool]] = {**CountingClassifier.tags, "allow_nan": False}
    at_work = staticmethod(one_blas_thread)

    priors_ = learned("prior.probability", "P(c) of each class.")
    means_ = learned("mean", "Mean of each feature in each class: (n_classes, n_features).")

    def _count(
        self, X: Matrix, codes: Array, n_classes: int, weights: Array | None
    ) -> CrossMoments:
        return cross_moments(X, codes, n_classes, weights)


def odds_of_two(scores: Array) -> Array:
    """The scores of each class; of two classes the odds of the second against the first.

    >>> import numpy as np
    >>> odds_of_two(np.array([[1.0, 3.0]]))
    array([2.])
    """
    return scores[:, 1] - scores[:, 0] if scores.shape[1] == 2 else scores
