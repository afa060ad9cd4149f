"""Gaussian naive Bayes: measurements."""

from numbers import Real
from typing import Any, Self

import numpy as np
from scipy import sparse

from bayesic.data.matrices import (
    Matrix,
    dense_rows,
    n_cells,
    refuse_infinities,
    sparse_rows,
    with_entries,
)
from bayesic.estimation.gaussian import (
    gaussian_parameters,
    mean_and_variance,
    variance_floor,
)
from bayesic.estimation.prior import class_prior
from bayesic.kernels import kernels_for
from bayesic.models.base import CountingClassifier, Scorer
from bayesic.statistics.moments import ClassMoments, Moments, class_moments

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

    def _check_parameters(self) -> None:
        smoothing = self.var_smoothing
        if not (isinstance(smoothing, Real) and 0 <= smoothing < np.inf):
            raise ValueError(
                f"var_smoothing must be a number of 0 or more, got {smoothing!r}. "
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

    def _scorer(self, X: Matrix) -> Scorer:
        if sparse.issparse(X):
            return self._sparse_scorer(X)
        kernels = kernels_for(n_cells(X))

        def scores_of(rows: slice) -> Array:
            values = dense_rows(X, rows)
            with np.errstate(over="ignore"):  # too far to square is as far as can be
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
        zero_scores = -0.5 * (np.log(2 * np.pi * self.var_) + self.theta_**2 * precision)
        far = (self.theta_**2 * precision > FAR_FROM_ZERO).any(axis=0)
        near = ~far
        linear, quadratic, of_zero = (
            np.ascontiguousarray(np.where(near, table, 0.0).T)
            for table in (self.theta_ * precision, -0.5 * precision, zero_scores)
        )
        all_zero = of_zero.sum(axis=0)
        far_columns = np.flatnonzero(far)
        kernels = kernels_for(0)

        def scores_of(rows: slice) -> Array:
            block = sparse_rows(X, rows)
            missing = np.isnan(block.data)
            known = np.where(missing, 0.0, block.data)
            refuse_infinities(known)
            with np.errstate(over="ignore"):
                squares = with_entries(block, known * known)
            scores = all_zero + with_entries(block, known) @ linear + squares @ quadratic
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
        def scores_of(rows: slice) -> Array:
            values = dense_rows(X, rows)
            return leave_one_out_scores(
                values, codes[rows], weights[rows], self.statistics_, self.var_smoothing
            )

        return scores_of

    def _feature_scores(self, X: Matrix) -> Array:
        values = dense_rows(X, slice(0, X.shape[0]))[:, :, None]
        refuse_infinities(values)
        terms = np.log(2 * np.pi * self.var_.T) + (values - self.theta_.T) ** 2 / self.var_.T
        return np.where(np.isnan(values), 0.0, -0.5 * terms)


def leave_one_out_scores(
    values: Array, codes: Array, weights: Array, moments: ClassMoments, var_smoothing: float
) -> Array:
    """Log density of each row under each class, the row taken out of the moments.

    It leaves its own class, which gets a new mean and variance, and all rows together, from which
    every class gets a new epsilon.
    """
    refuse_infinities(values)
    observed = ~np.isnan(values)
    known = np.where(observed, values, 0.0)
    nothing = np.zeros_like(known)
    rows, weighted_rows = observed.astype(np.float64), observed * weights[:, None]
    overall = moments.overall - Moments(rows, known, nothing)
    own_class = moments.per_class.groups(codes) - Moments(weighted_rows, known, nothing)
    epsilon = variance_floor(overall, var_smoothing)[:, None]
    scores = np.empty((len(values), len(moments.class_count)))
    for c in range(scores.shape[1]):
        mean, variance = mean_and_variance(moments.per_class.groups([c]), overall, epsilon)
        scores[:, c] = log_density(known, observed, mean, variance)
    mean, variance = mean_and_variance(own_class, overall, epsilon)
    scores[np.arange(len(codes)), codes] = log_density(known, observed, mean, variance)
    return scores


def log_density(known: Array, observed: Array, mean: Array, variance: Array) -> Array:
    """Sum over the observed features of log N(x_j; mean_j, variance_j), for each row."""
    with np.errstate(over="ignore"):
        terms = (known - mean) ** 2 / variance + np.log(variance)
    if not observed.all():
        terms = np.where(observed, terms, 0.0)
    return -0.5 * (terms.sum(axis=1) + np.log(2 * np.pi) * observed.sum(axis=1))
