"""Gaussian naive Bayes: measurements."""

from typing import Any, Self

import numpy as np
from scipy import sparse
from sklearn.utils.validation import check_is_fitted

from bayesic.data.blocks import part_blocks
from bayesic.data.matrices import (
    Matrix,
    dense_rows,
    refuse_infinities,
    sparse_rows,
    with_entries,
)
from bayesic.data.numbers import as_numbers
from bayesic.estimation.gaussian import gaussian_parameters
from bayesic.estimation.pairs import DependentPairs, pairs_of_moments
from bayesic.estimation.prior import class_prior
from bayesic.evidence.column_table import ColumnTable
from bayesic.evidence.summary import ColumnSummary
from bayesic.kernels import pick
from bayesic.models.base import CountingClassifier, Scorer
from bayesic.models.summaries.numbers import moment_table, normal_summaries
from bayesic.models.summaries.rows import classes_of_rows
from bayesic.statistics.cross_moments import cross_moments
from bayesic.statistics.moments import ClassMoments, class_moments

Array = np.ndarray

# Sparse rows are scored as corrections to the row of all zeros. Where the mean of a column is more
# than this many variances from zero, that would cost digits: such columns are scored as dense ones.
FAR_FROM_ZERO = 1e4


class GaussianNB(CountingClassifier):
    """Naive Bayes for numbers that are normally distributed within each class.

        P(c | x)  ~  P(c) * product over j of N(x_j; mean_cj, variance_cj)

    with the maximum likelihood mean and variance of each class (divided by n), and epsilon_ added
    to every variance. Arguments, attributes and numbers are those of scikit-learn's GaussianNB,
    except that `partial_fit` in any pieces gives what `fit` gives. NaN is not observed.

    Parameters
    ----------
    priors : given prior probabilities, in the order of classes_; learned if None
    var_smoothing : share of the largest variance of a feature that is added to all variances

    Examples
    --------
    >>> X, y = [[1.0], [2.0], [3.0], [7.0], [8.0], [9.0]], ["low"] * 3 + ["high"] * 3
    >>> model = GaussianNB().fit(X, y)
    >>> model.theta_.ravel(), model.predict([[4.0], [None]]).tolist()
    (array([8., 2.]), ['low', 'high'])
    """

    statistics_: ClassMoments

    def __init__(self, *, priors: Any = None, var_smoothing: float = 1e-9) -> None:
        self.priors = priors
        self.var_smoothing = var_smoothing

    def _check_parameters(self, first: bool) -> None:
        smoothing = as_numbers(self.var_smoothing, "var_smoothing")
        if smoothing.ndim or not 0 <= smoothing < np.inf:
            raise ValueError(
                f"var_smoothing must be a number of 0 or more, got {self.var_smoothing!r}. "
                "It is a share of the largest variance: 1e-9 by default."
            )

    def _summarise(
        self, X: Matrix, codes: Array, n_classes: int, weights: Array | None
    ) -> ClassMoments:
        return class_moments(X, codes, n_classes, weights)

    def _estimate(self, statistics: ClassMoments) -> Self:
        self.statistics_ = statistics
        self.class_count_ = statistics.class_count.astype(np.float64)
        self.class_prior_ = class_prior(statistics.class_count, self._prior())
        self.theta_, self.var_, self.epsilon_ = gaussian_parameters(statistics, self.var_smoothing)
        return self

    def _prior(self) -> Any:
        return "learned" if self.priors is None else self._checked_prior(self.priors)

    def _log_prior(self) -> Array:
        with np.errstate(divide="ignore"):
            return np.log(self.class_prior_)

    @property
    def n_parameters(self) -> int:
        """Numbers that are estimated, the prior aside: 2 K p, means and variances."""
        check_is_fitted(self)
        return self.theta_.size + self.var_.size

    def _column_summaries(self, X: Any, y: Any) -> list[ColumnSummary]:
        parameters = self.theta_, self.var_, self.class_prior_
        return normal_summaries(self._feature_names(), "number", *parameters)

    def _column_table(self, column: str, fractions: bool) -> ColumnTable:
        place, classes = self._feature_names().index(column), self.classes_.tolist()
        return moment_table(column, "number", classes, self.statistics_.per_class, place)

    def _dependent_pairs(self, X: Any, y: Any) -> DependentPairs | None:
        if X is None:
            return None
        codes = classes_of_rows(y, self.classes_)
        matrix, _ = self._checked_rows(X, codes, None, first=False)
        return pairs_of_moments(
            self._feature_names(), cross_moments(matrix, codes, len(self.classes_))
        )

    def _scorer(self, X: Matrix) -> Scorer:
        if sparse.issparse(X):
            return self._sparse_scorer(X)
        kernels = self._kernels(X)

        def scores_of(rows: slice) -> Array:
            values = dense_rows(X, rows)
            scores = kernels.gaussian_scores(values, self.theta_, self.var_)
            if np.isneginf(scores).any():
                refuse_infinities(values)
            return scores

        return scores_of

    def _sparse_scorer(self, X: sparse.csr_array) -> Scorer:
        """Score the row of all zeros, and correct for each stored entry x by

            log N(x) - log N(0) = (x mean - x^2 / 2) / variance

        The zeros are never visited.
        """
        precision = 1.0 / self.var_
        with np.errstate(over="ignore"):
            squares_of_zero = self.theta_**2 * precision
        zero_scores = -0.5 * (np.log(2 * np.pi * self.var_) + squares_of_zero)
        far = (squares_of_zero > FAR_FROM_ZERO).max(axis=0)
        near = ~far
        linear, quadratic, of_zero = (
            np.ascontiguousarray(np.where(near, table, 0.0).T)
            for table in (self.theta_ * precision, -0.5 * precision, zero_scores)
        )
        all_zero = of_zero.sum(axis=0)
        far_columns = np.flatnonzero(far)
        kernels = pick("classes", X.shape[0] * len(far_columns) * len(self.classes_))

        def scores_of(rows: slice) -> Array:
            block = sparse_rows(X, rows)
            refuse_infinities(block.data)
            missing = np.isnan(block.data)
            known = np.where(missing | far[block.indices], 0.0, block.data)
            with np.errstate(over="ignore", invalid="ignore"):
                squares = with_entries(block, known * known) @ quadratic
                scores = all_zero + with_entries(block, known) @ linear + squares
            # only where x overflows: x^2 goes faster to infinity than x
            scores[np.isnan(scores)] = -np.inf
            if missing.any():
                scores -= with_entries(block, missing.astype(np.float64)) @ of_zero
            if len(far_columns):
                dense = block[:, far_columns].toarray()
                scores += kernels.gaussian_scores(
                    dense, self.theta_[:, far_columns], self.var_[:, far_columns]
                )
            return scores

        return scores_of

    def _leave_one_out_scorer(self, X: Matrix, codes: Array, weights: Array) -> Scorer:
        kernels = self._kernels(X)
        moments = self.statistics_.per_class.arrays(), self.statistics_.overall.arrays()

        def scores_of(rows: slice) -> Array:
            values = dense_rows(X, rows)
            refuse_infinities(values)
            return kernels.gaussian_without_row(
                values, codes[rows], weights[rows], *moments, self.var_smoothing
            )

        # a block of sparse rows may be long: as dense rows they come in smaller parts
        return lambda rows: np.vstack([*map(scores_of, part_blocks(rows, X.shape[1]))])

    def _feature_scores(self, X: Matrix) -> Array:
        values = dense_rows(X, slice(0, X.shape[0]))[:, :, None]
        refuse_infinities(values)
        with np.errstate(over="ignore"):
            terms = np.log(2 * np.pi * self.var_.T) + (values - self.theta_.T) ** 2 / self.var_.T
        return np.where(np.isnan(values), 0.0, -0.5 * terms)
