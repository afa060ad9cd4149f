"""Least squares: the most probable line under Gaussian noise."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from bayesic.data.arguments import (
    as_numbers,
    check_flag,
    check_is_fitted,
    checked_weights,
    plain_array,
    tell,
)
from bayesic.data.blocks import row_blocks
from bayesic.data.languages import Sentence
from bayesic.data.matrices import Matrix, dense_rows, refuse_overflow
from bayesic.data.snapshots import answering
from bayesic.data.typing import ArrayLike, LabelsLike, TableLike
from bayesic.estimation.dependent_columns import DependentPairs, pairs_of_moments
from bayesic.estimation.least_squares import (
    LeastSquaresLine,
    joint_moments,
    least_squares,
    predictions_without_row,
)
from bayesic.evidence.column_table import ColumnTable
from bayesic.evidence.summary import ColumnSummary
from bayesic.kernels import Array
from bayesic.models.fitted import learned
from bayesic.models.readers.known_columns import known_columns
from bayesic.models.readers.labelled_rows import by_blocks, whole
from bayesic.models.readers.matrix_reader import MatrixReader
from bayesic.models.regressor import CountingRegressor
from bayesic.models.summaries.numbers import correlation_bits, moment_table
from bayesic.models.summaries.summarised import LearnedGroups
from bayesic.statistics.cross_moments import CrossMoments


@dataclass(frozen=True, eq=False)
class FittedLine:
    """The line that the moments give, and what it says of rows."""

    moments: CrossMoments  # target last
    line: LeastSquaresLine
    has_intercept: bool

    @property
    def n_parameters(self) -> int:
        """The weights, b where it is learned, and sigma^2."""
        return len(self.line.coef) + int(self.has_intercept) + 1

    def sums(self, rows: Matrix) -> Array:
        """w x + b of each row."""
        with np.errstate(over="ignore", invalid="ignore"):
            sums = rows @ self.line.coef + self.line.intercept
        refuse_overflow(sums)
        return sums

    def log_density(self, rows: Matrix, targets: Array) -> Array:
        """log N(y; w x + b, sigma^2) of each target."""
        squares, variance = (targets - self.sums(rows)) ** 2, self.line.variance
        if variance == 0:
            return np.where(squares == 0, np.inf, -np.inf)
        return -0.5 * (np.log(2 * np.pi * variance) + squares / variance)

    def answers_without(
        self, rows: Matrix, targets: Array, weights: Array
    ) -> tuple[Array, Literal[0]]:
        """w x + b of each row, where w and b are those of all other rows; none is impossible.

        y_i - (y_i - w x_i - b) / (1 - h_i),  h_i the leverage of the row
        """
        without = np.empty(len(targets))
        how = self.moments, self.line, self.has_intercept
        for block in row_blocks(*rows.shape):
            values = dense_rows(rows, block)
            without[block] = predictions_without_row(*how, values, targets[block], weights[block])
        return without, 0

    def summaries(self, names: Sequence[str]) -> list[ColumnSummary]:
        """What the correlation of each column with the target says about it."""
        bits = correlation_bits(self.moments, n_targets=1).tolist()
        return [
            ColumnSummary(name, "number", bits=told) for name, told in zip(names, bits, strict=True)
        ]

    def table(self, place: int, names: Sequence[str], classes: list, exact: bool) -> ColumnTable:
        """Mean, spread and weight of a column."""
        weight, moments = self.line.coef[[place]], self.moments.class_moments.per_class
        return moment_table(
            names[place], "number", [Sentence("all rows")], moments, place, weight=weight
        )

    def pairs(
        self, names: Sequence[str], rows: Matrix | None, codes: Array | None
    ) -> DependentPairs:
        """Correlated columns."""
        kept, features = self.moments, slice(0, len(names))
        moments = CrossMoments(
            kept.class_count, kept.mean[:, features], kept.scatter[:, features, features]
        )
        return pairs_of_moments(names, moments)


class LeastSquares(CountingRegressor[CrossMoments, FittedLine, bool]):
    """A weighted sum of the features, plus normally distributed noise.

        y = w x + b + e,  e ~ N(0, sigma^2)

    with the weights and sigma^2 of maximum likelihood: the sum of squared residuals is least, and
    sigma^2 is the mean squared residual ([Mitchell] section 6.4).

    Only the cross-moments of [X | y] are kept. So there are `partial_fit`, `forget`, `merge` and
    `leave_one_out`. The price: features that are linearly dependent up to about the eighth digit
    count as dependent. They get the weights of least |w|, with a warning.

    Parameters
    ----------
    fit_intercept : learn b; without it the line goes through zero

    Attributes
    ----------
    coef_, intercept_ : w and b
    sigma2_ : the variance of the noise
    rank_ : how many features are linearly independent
    statistics_ : the cross-moments, target last

    Examples
    --------
    >>> model = LeastSquares().fit([[0], [1], [2]], [1, 2, 6])
    >>> model.coef_, round(model.intercept_, 9), round(model.sigma2_, 9)
    (array([2.5]), 0.5, 0.5)
    """

    statistics_: CrossMoments

    tags: ClassVar[dict[str, bool]] = {"sparse": True}

    coef_ = learned("line.coef", "w, the weight of each feature.")
    intercept_ = learned("line.intercept", "b.")
    sigma2_ = learned("line.variance", "The variance of the noise.")
    rank_ = learned("line.rank", "How many features are linearly independent.")

    def __init__(self, *, fit_intercept: bool = True) -> None:
        self.fit_intercept = fit_intercept

    def _parse(self) -> bool:
        check_flag("fit_intercept", self.fit_intercept)
        return bool(self.fit_intercept)

    def _reader(self) -> MatrixReader:
        return MatrixReader(known_columns(self), complete=True)

    def _read_targets(self, y: object) -> Array:
        return checked_targets(y)

    def _count(
        self, X: Matrix, codes: Array, n_classes: int, weights: Array | None
    ) -> CrossMoments:
        return joint_moments(X, codes, weights)

    def _fit(self, statistics: CrossMoments) -> FittedLine:
        line = least_squares(statistics, self._settings)
        n_features = statistics.n_features - 1
        if line.rank < n_features:
            tell(
                f"The {n_features} features are linearly dependent or constant: {line.rank} of "
                "them would do, and many weights fit equally well. The smallest are used. Leave "
                "features out, or learn more rows."
            )
        return FittedLine(statistics, line, self._settings)

    # answers --------------------------------------------------------------------------------

    @answering
    def predict(self, X: TableLike, return_std: bool = False) -> Array | tuple[Array, Array]:
        """w x + b of each row; with return_std also sigma, the spread of the noise around it.

        The two are the predictive density N(y; w x + b, sigma^2), which treats the weights as
        known.
        """
        check_is_fitted(self)
        mean = by_blocks(self, X, self._fitted.sums)
        return (mean, np.full(len(mean), np.sqrt(self.sigma2_))) if return_std else mean

    @answering
    def log_density(self, X: TableLike, y: LabelsLike) -> Array:
        """Log of the predictive density of each target.

            log N(y; w x + b, sigma^2) = -(log(2 pi sigma^2) + (y - w x - b)^2 / sigma^2) / 2

        A line without noise gives +inf on it and -inf beside it.
        """
        check_is_fitted(self)
        rows = self._known_rows(X, y, None)
        return whole([self._fitted.log_density(block.X, block.codes) for block in rows])

    def log_likelihood(
        self, X: TableLike, y: LabelsLike, sample_weight: ArrayLike | None = None
    ) -> float:
        """Log of the probability density of all targets together: the sum of `log_density`."""
        log_density = self.log_density(X, y)
        weights = checked_weights(sample_weight, len(log_density))
        if weights is None:
            return float(log_density.sum())
        counted = weights > 0
        return float(weights[counted] @ log_density[counted])

    def _groups(self) -> LearnedGroups:
        return LearnedGroups([], self.statistics_.class_count)

    # files ----------------------------------------------------------------------------------

    def _state(self) -> dict[str, object]:
        return {"statistics": self.statistics_}

    def _restore(self, state: dict[str, object]) -> None:
        statistics = state.get("statistics")
        shape = 1, self.n_features_in_ + 1
        if not isinstance(statistics, CrossMoments) or statistics.mean.shape != shape:
            raise ValueError("LeastSquares needs the cross-moments of its features and the target.")
        self._keep(statistics)


def checked_targets(y: object) -> Array:
    """y as float64 numbers, one for each row.

    >>> checked_targets([1, 2])
    array([1., 2.])
    """
    from sklearn.utils.validation import column_or_1d  # takes long to load

    target = as_numbers(column_or_1d(plain_array(y), warn=True), "y")
    if not np.isfinite(target).all():
        raise ValueError(
            "Input y contains NaN or infinity, first in row "
            f"{np.flatnonzero(~np.isfinite(target))[0]}. Leave out the rows without a number."
        )
    return target
