"""What models of correlated Gaussian features share: one statistic, and BLAS."""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Self

import numpy as np

from bayesic.data.matrices import Matrix
from bayesic.estimation.pairs import DependentPairs, pairs_of_moments
from bayesic.evidence.column_table import ColumnTable
from bayesic.evidence.summary import ColumnSummary
from bayesic.evidence.work import Factor
from bayesic.kernels.blas import one_blas_thread
from bayesic.models.base import CountingClassifier
from bayesic.models.summaries.numbers import (
    correlation_records,
    moment_table,
    normal_summaries,
)
from bayesic.models.summaries.rows import classes_of_rows
from bayesic.statistics.cross_moments import CrossMoments, cross_moments

Array = np.ndarray

MOST_NAMES = 3  # of the features before one, in a worked calculation


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

    # what was learned -----------------------------------------------------------------------

    means_: Array  # (n_classes, n_features)

    @abstractmethod
    def _class_variances(self) -> Array:
        """The variance of each feature in each class: (n_classes, n_features)."""

    def _column_summaries(self, X: Any, y: Any) -> list[ColumnSummary]:
        parameters = self.means_, self._class_variances(), self.priors_
        return normal_summaries(self._feature_names(), "number", *parameters)

    def _column_table(self, column: str, fractions: bool) -> ColumnTable:
        names, classes = self._feature_names(), self.classes_.tolist()
        place, moments = names.index(column), self.statistics_.class_moments.per_class
        table = moment_table(
            column,
            "number",
            classes,
            moments,
            place,
            model_variance=self._class_variances()[:, place],
        )
        if not self._has_correlations():
            return table
        others = correlation_records(names, classes, self.statistics_.scatter, place)
        return replace(table, others=others)

    def _dependent_pairs(self, X: Any, y: Any) -> DependentPairs:
        if X is None:
            return pairs_of_moments(self._feature_names(), self.statistics_)
        codes = classes_of_rows(y, self.classes_)
        matrix, _ = self._checked_rows(X, codes, None, first=False)
        moments = cross_moments(matrix, codes, len(self.classes_))
        return pairs_of_moments(self._feature_names(), moments)

    # reasons --------------------------------------------------------------------------------

    def _has_correlations(self) -> bool:
        """Whether features may depend on each other within a class."""
        return True

    def _density_terms(self, X: Matrix) -> Array:
        """log p(x_j | x_1 .. x_j-1, c): (n_rows, n_features, n_classes)."""
        return self._feature_scores(X)

    def _factors(self, X: Matrix, names: list[str]) -> list[Factor]:
        if not self._has_correlations():
            return super()._factors(X, names)
        return sequential_factors(names, self._shown_values(X)[0], self._density_terms(X)[0])


def sequential_factors(
    names: Sequence[str], values: Sequence[str | None], log_densities: Array
) -> list[Factor]:
    """The density of each feature that was observed, given those before it.

    log_densities : (n_features, n_classes)

    >>> heights = sequential_factors(["height", "width"], ["3", "2"], np.zeros((2, 1)))
    >>> [factor.text for factor in heights]
    ['height=3', 'width=2 given height']
    """
    factors: list[Factor] = []
    before: list[str] = []
    for name, value, terms in zip(names, values, log_densities.tolist(), strict=True):
        if value is not None:
            few = len(before) <= MOST_NAMES
            given = ",".join(before if few else [before[0], "...", before[-1]])
            text = f"{name}={value} given {given}" if before else f"{name}={value}"
            factors.append(Factor(text, tuple(terms), density=True))
            before.append(name)
    return factors
