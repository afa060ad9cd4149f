"""What models of correlated Gaussian features share: one statistic, and BLAS."""

from abc import abstractmethod
from collections.abc import Callable
from typing import Any, Self

import numpy as np

from bayesic.data.matrices import Matrix
from bayesic.kernels.blas import one_blas_thread
from bayesic.models.base import CountingClassifier
from bayesic.statistics.cross_moments import CrossMoments, cross_moments

Array = np.ndarray


class GaussianClassifier(CountingClassifier):
    """A classifier on the means and cross-products of each class."""

    statistics_: CrossMoments
    priors_: Array  # (n_classes,), probabilities

    def _summarise(
        self, X: Matrix, codes: Array, n_classes: int, weights: Array | None
    ) -> CrossMoments:
        return cross_moments(X, codes, n_classes, weights)

    @abstractmethod
    def _set_parameters(self, statistics: CrossMoments) -> None:
        """Set the fitted attributes that follow from the statistics, which are set already."""

    def _estimate(self, statistics: CrossMoments) -> Self:
        self.statistics_ = statistics
        with one_blas_thread():  # for small matrices more threads take longer
            self._set_parameters(statistics)
        return self

    def _log_prior(self) -> Array:
        with np.errstate(divide="ignore"):
            return np.log(self.priors_)

    def leave_one_out(self, X: Any, y: Any, sample_weight: Any = None) -> Array:
        """Probability of each class for each learned row, as if that row had not been learned.

        Equal to learning all other rows (with all classes declared) and predicting this one, for
        every row. Give the weights that were learned.
        """
        with one_blas_thread():
            return super().leave_one_out(X, y, sample_weight)

    def _answers(
        self, matrix: Matrix, finish: Callable[[Array], Array] | None, dtype: Any = np.float64
    ) -> Array:
        with one_blas_thread():
            return super()._answers(matrix, finish, dtype)
