"""Least squares: the most probable line under Gaussian noise."""

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_is_fitted, column_or_1d

from bayesic.data.blocks import row_blocks
from bayesic.data.matrices import Matrix, dense_rows
from bayesic.data.notices import tell
from bayesic.data.numbers import as_numbers, plain_array
from bayesic.data.snapshots import answering, held_still, learning
from bayesic.data.targets import split_target
from bayesic.data.weights import checked_weights
from bayesic.estimation.least_squares import (
    joint_moments,
    least_squares,
    predictions_without_row,
)
from bayesic.estimation.pairs import DependentPairs, pairs_of_moments
from bayesic.evidence.column_table import ColumnTable
from bayesic.evidence.summary import ColumnSummary
from bayesic.models.linear import (
    check_flag,
    check_lengths,
    complete_rows,
    feature_names,
    refuse_overflow,
)
from bayesic.models.saving import Saved
from bayesic.models.summaries.numbers import correlation_bits, moment_table
from bayesic.models.summaries.summarised import Summarised
from bayesic.statistics.cross_moments import CrossMoments

Array = np.ndarray


class LeastSquares(Saved, Summarised, RegressorMixin, BaseEstimator):
    """A weighted sum of the features, plus noise that is normally distributed.

        y = w x + b + e,  e ~ N(0, sigma^2)

    with the weights and sigma^2 of maximum likelihood: the sum of squared residuals is least, and
    sigma^2 is the mean squared residual ([Mitchell] section 6.4).

    All that is kept of the rows are the cross-moments of [X | y]. So there are `partial_fit`,
    `forget`, `merge` and `leave_one_out`. Their price: features that depend on each other but for
    the eighth digit or so count as dependent. These get the weights of least |w|, with a warning.

    Parameters
    ----------
    fit_intercept : learn b; without it the line goes through zero

    Attributes
    ----------
    coef_, intercept_ : w and b
    sigma2_ : the variance of the noise
    rank_ : how many features do not depend on the others
    statistics_ : the cross-moments, target last

    Examples
    --------
    >>> model = LeastSquares().fit([[0], [1], [2]], [1, 2, 6])
    >>> model.coef_, round(model.intercept_, 9), round(model.sigma2_, 9)
    (array([2.5]), 0.5, 0.5)
    """

    statistics_: CrossMoments

    def __init__(self, *, fit_intercept: bool = True) -> None:
        self.fit_intercept = fit_intercept

    # learning: statistics with + and - ------------------------------------------------------

    @learning
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from rows X with targets y; whatever was learned before is gone.

        X : array-like, sparse matrix or table of numbers, (n_samples, n_features)
        y : numbers, (n_samples,), or the name of the column of a table that holds them
        sample_weight : weights of the rows, (n_samples,); a row of weight 2 counts twice
        """
        return self._estimate(self._summarised(X, y, sample_weight, first=True))

    @learning
    def partial_fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn more rows: the same line comes out as from all rows in one `fit`."""
        first = not hasattr(self, "statistics_")
        statistics = self._summarised(X, y, sample_weight, first)
        return self._estimate(statistics if first else self.statistics_ + statistics)

    @learning
    def forget(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Take rows back out: the same line comes out as if they had never been learned.

        Rows that were never learned are refused where the statistics show it.
        """
        check_is_fitted(self)
        statistics = self._summarised(X, y, sample_weight, first=False)
        return self._estimate(self.statistics_ - statistics)

    @learning
    def merge(self, other: "LeastSquares") -> Self:
        """Add all that another model has learned; its parameters do not count."""
        check_is_fitted(self)
        if type(other) is not type(self):
            raise TypeError(
                f"Only models of the same kind can be merged: this is a {type(self).__name__}, "
                f"the other a {type(other).__name__}."
            )
        other = held_still(other)
        check_is_fitted(other)
        mine, theirs = feature_names(self), feature_names(other)
        if mine != theirs:
            raise ValueError(
                f"Only models of the same features can be merged: this one has {mine}, "
                f"the other {theirs}."
            )
        return self._estimate(self.statistics_ + other.statistics_)

    def _summarised(self, X: Any, y: Any, sample_weight: Any, first: bool) -> CrossMoments:
        rows = self._checked_rows(X, y, sample_weight, first)
        return joint_moments(*rows)

    def _estimate(self, statistics: CrossMoments) -> Self:
        line = least_squares(statistics, self.fit_intercept)
        n_features = statistics.n_features - 1
        self.statistics_ = statistics
        self.coef_, self.intercept_, self.sigma2_ = line.coef, line.intercept, line.variance
        self.rank_ = line.rank
        if self.rank_ < n_features:
            tell(
                f"The {n_features} features depend on each other, or do not change: {self.rank_} "
                "of them would do, and many weights fit alike. These are the smallest of them. "
                "Leave features out, or learn more rows."
            )
        return self

    # answers --------------------------------------------------------------------------------

    @answering
    def predict(self, X: Any, return_std: bool = False) -> Array | tuple[Array, Array]:
        """w x + b of each row; with return_std also sigma, the spread of the noise around it.

        The two are the predictive density N(y; w x + b, sigma^2), in which the weights are taken
        as known.
        """
        check_is_fitted(self)
        mean = self._sums(complete_rows(self, X, first=False))
        return (mean, np.full(len(mean), np.sqrt(self.sigma2_))) if return_std else mean

    @answering
    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The coefficient of determination, R squared; y may be the name of a column of X."""
        return super().score(*split_target(self, X, y), sample_weight)

    @answering
    def log_density(self, X: Any, y: Any) -> Array:
        """Log of the predictive density of each target.

            log N(y; w x + b, sigma^2) = -(log(2 pi sigma^2) + (y - w x - b)^2 / sigma^2) / 2

        A line without noise gives +inf on it and -inf beside it.
        """
        check_is_fitted(self)
        matrix, target, _ = self._checked_rows(X, y, None, first=False)
        squares = (target - self._sums(matrix)) ** 2
        if self.sigma2_ == 0:
            return np.where(squares == 0, np.inf, -np.inf)
        return -0.5 * (np.log(2 * np.pi * self.sigma2_) + squares / self.sigma2_)

    def log_likelihood(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Log of the probability density of all targets together: the sum of `log_density`."""
        log_density = self.log_density(X, y)
        weights = checked_weights(sample_weight, len(log_density))
        if weights is None:
            return float(log_density.sum())
        counted = weights > 0
        return float(weights[counted] @ log_density[counted])

    @answering
    def leave_one_out(self, X: Any, y: Any, sample_weight: Any = None) -> Array:
        """What is predicted for each learned row, as if that row had not been learned.

            y_i - (y_i - w x_i - b) / (1 - h_i)

        h_i is the leverage of the row. Equal to learning all other rows and predicting this one,
        for every row. Give the weights that were learned.
        """
        check_is_fitted(self)
        matrix, target, weights = self._checked_rows(X, y, sample_weight, first=False)
        # raises if any of these rows was never learned, as far as the statistics show it
        _ = self.statistics_ - joint_moments(matrix, target, weights)
        weights = np.ones(len(target)) if weights is None else weights
        line = least_squares(self.statistics_, self.fit_intercept)
        without = np.empty(len(target))
        for block in row_blocks(*matrix.shape):
            rows = dense_rows(matrix, block)
            without[block] = predictions_without_row(
                self.statistics_, line, self.fit_intercept, rows, target[block], weights[block]
            )
        return without

    def _sums(self, X: Matrix) -> Array:
        with np.errstate(over="ignore", invalid="ignore"):
            sums = X @ self.coef_ + self.intercept_
        refuse_overflow(sums)
        return sums

    # what was learned -----------------------------------------------------------------------

    _group = "target"

    @property
    def n_parameters(self) -> int:
        """Numbers that are estimated: the weights, b where it is learned, and sigma^2."""
        check_is_fitted(self)
        return len(self.coef_) + int(bool(self.fit_intercept)) + 1

    def _column_names(self) -> list[str]:
        return feature_names(self)

    def _column_summaries(self, X: Any, y: Any) -> list[ColumnSummary]:
        bits = correlation_bits(self.statistics_, n_targets=1).tolist()
        return [
            ColumnSummary(name, "number", bits=told)
            for name, told in zip(feature_names(self), bits, strict=True)
        ]

    def _column_table(self, column: str, fractions: bool) -> ColumnTable:
        place = feature_names(self).index(column)
        weight, moments = self.coef_[[place]], self.statistics_.class_moments.per_class
        return moment_table(column, "number", ["all rows"], moments, place, weight=weight)

    def _dependent_pairs(self, X: Any, y: Any) -> DependentPairs:
        names, kept = feature_names(self), self.statistics_
        features = slice(0, len(names))
        moments = CrossMoments(
            kept.class_count, kept.mean[:, features], kept.scatter[:, features, features]
        )
        return pairs_of_moments(names, moments)

    # files ----------------------------------------------------------------------------------

    def _state(self) -> dict[str, Any]:
        return {"statistics": self.statistics_}

    def _restore(self, state: dict[str, Any]) -> None:
        statistics = state.get("statistics")
        shape = 1, self.n_features_in_ + 1
        if not isinstance(statistics, CrossMoments) or statistics.mean.shape != shape:
            raise ValueError("LeastSquares needs the cross-moments of its features and the target.")
        self._estimate(statistics)

    # checks ---------------------------------------------------------------------------------

    def _check_parameters(self, first: bool) -> None:
        check_flag("fit_intercept", self.fit_intercept)

    def _checked_rows(
        self, X: Any, y: Any, sample_weight: Any, first: bool
    ) -> tuple[Matrix, Array, Array | None]:
        self._check_parameters(first)
        X, y = split_target(self, X, y, first)
        matrix = complete_rows(self, X, first)
        target = checked_targets(y)
        check_lengths(matrix.shape[0], len(target))
        return matrix, target, checked_weights(sample_weight, len(target))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


def checked_targets(y: Any) -> Array:
    """y as float64 numbers, one for each row.

    >>> checked_targets([1, 2])
    array([1., 2.])
    """
    if y is None:
        raise ValueError(
            "This estimator requires y to be passed, but the target y is None. "
            "Give one number for each row."
        )
    target = as_numbers(column_or_1d(plain_array(y), warn=True), "y")
    if not np.isfinite(target).all():
        raise ValueError(
            "Input y contains NaN or infinity, first in row "
            f"{np.flatnonzero(~np.isfinite(target))[0]}. Leave out the rows without a number."
        )
    return target
