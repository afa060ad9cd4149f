"""Gaussian naive Bayes: measurements."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from bayesic.data.arguments import as_numbers
from bayesic.data.blocks import part_blocks
from bayesic.data.matrices import (
    Matrix,
    dense_rows,
    n_cells,
    refuse_infinities,
    sparse_rows,
    with_entries,
)
from bayesic.data.source import Stored
from bayesic.data.typing import ArrayLike
from bayesic.estimation.dependent_columns import DependentPairs, pairs_of_moments
from bayesic.estimation.dirichlet_evidence import class_log_evidence
from bayesic.estimation.normal_evidence import NormalPrior, columns_log_evidence
from bayesic.estimation.prior import ClassPrior, checked_prior
from bayesic.estimation.univariate import gaussian_parameters
from bayesic.evidence.column_table import ColumnTable
from bayesic.evidence.summary import ColumnSummary
from bayesic.kernels import Array, pick
from bayesic.models.classifier import CountingClassifier
from bayesic.models.fitted import LEAVE_ONE_OUT, Fitted, Scorer, learned
from bayesic.models.log_evidence import NUMBERS, LogEvidence
from bayesic.models.normal.normal_classes import scorer_of_columns, terms_of_columns
from bayesic.models.readers.counted_matrices import added_at_source, added_moments
from bayesic.models.readers.matrix_reader import read_matrix
from bayesic.models.readers.reader import Counted
from bayesic.models.summaries.numbers import moment_table, normal_summaries
from bayesic.statistics.cross_moments import cross_moments
from bayesic.statistics.moments import ClassMoments, class_moments

# Sparse rows are scored as corrections to the row of all zeros. Where the mean of a column is more
# than this many variances from zero, that would cost digits: such columns are scored as dense ones.
FAR_FROM_ZERO = 1e4


@dataclass(frozen=True, eq=False)
class NormalSettings:
    """The prior, and what is added to the variances."""

    prior: ArrayLike  # "learned", or a probability for each class
    var_smoothing: float  # share of the largest variance


def normal_prior(given: object, n_classes: int) -> str | Array:
    """The rule of the prior of so many classes: learned, or as given."""
    if isinstance(given, str) and given == "learned":
        return given
    # a copy: the model must not change with what was given
    return checked_prior(given, n_classes).copy()


@dataclass(frozen=True, eq=False)
class NormalColumns(Fitted[Matrix]):
    """Columns that are independent and normal in each class."""

    formula = "normal_scores"

    prior: ClassPrior
    moments: ClassMoments
    var_smoothing: float
    mean: Array  # (n_classes, n_features)
    variance: Array
    epsilon: float

    judged_by = LEAVE_ONE_OUT

    @property
    def class_count(self) -> Array:
        """Rows of each class."""
        return self.moments.class_count.astype(np.float64)

    @property
    def n_parameters(self) -> int:
        """2 K p, means and variances."""
        return self.mean.size + self.variance.size

    def evidence(self, names: Sequence[str], prior: NormalPrior) -> LogEvidence:
        """log p of classes and cells."""
        moments = self.moments.per_class
        log = columns_log_evidence(moments, prior)
        seen = np.flatnonzero(moments.count.any(axis=0)).tolist()
        return LogEvidence(
            class_log_evidence(self.prior) + log, {names[at]: NUMBERS for at in seen}
        )

    def summaries(self, names: Sequence[str]) -> list[ColumnSummary]:
        """Each column with its bits."""
        parameters = self.mean, self.variance, self.prior.probability
        return normal_summaries(names, "number", *parameters)

    def table(self, place: int, names: Sequence[str], classes: list, exact: bool) -> ColumnTable:
        """Mean and spread of a column in each class."""
        return moment_table(names[place], "number", classes, self.moments.per_class, place)

    def pairs(
        self, names: Sequence[str], rows: Matrix | None, codes: Array | None
    ) -> DependentPairs | None:
        """Correlated columns, where rows are given."""
        if rows is None or codes is None:
            return None
        return pairs_of_moments(names, cross_moments(rows, codes, len(self.mean)))

    def scorer(self, rows: Matrix) -> Scorer:
        """log p(x | c) of each row."""
        if sparse.issparse(rows):
            return self._sparse_scorer(rows)
        return scorer_of_columns(rows, self.mean, self.variance)

    def _sparse_scorer(self, rows: sparse.csr_array) -> Scorer:
        """Score the row of all zeros, and correct for each stored entry x by

            log N(x) - log N(0) = (x mean - x^2 / 2) / variance

        The zeros are never visited.
        """
        precision = 1.0 / self.variance
        with np.errstate(over="ignore"):
            squares_of_zero = self.mean**2 * precision
        zero_scores = -0.5 * (np.log(2 * np.pi * self.variance) + squares_of_zero)
        far = (squares_of_zero > FAR_FROM_ZERO).max(axis=0)
        near = ~far
        linear, quadratic, of_zero = (
            np.ascontiguousarray(np.where(near, table, 0.0).T)
            for table in (self.mean * precision, -0.5 * precision, zero_scores)
        )
        all_zero = of_zero.sum(axis=0)
        far_columns = np.flatnonzero(far)
        kernels = pick("classes", rows.shape[0] * len(far_columns) * len(self.mean))

        def scores_of(slice_: slice) -> Array:
            block = sparse_rows(rows, slice_)
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
                    dense, self.mean[:, far_columns], self.variance[:, far_columns]
                )
            return scores

        return scores_of

    def scorer_without(self, rows: Matrix, codes: Array, weights: Array) -> Scorer:
        """The same, each row less its own moments."""
        kernels = pick("without_row", n_cells(rows) * len(self.mean))
        moments = self.moments.per_class.arrays(), self.moments.overall.arrays()

        def scores_of(block: slice) -> Array:
            values = dense_rows(rows, block)
            refuse_infinities(values)
            return kernels.gaussian_without_row(
                values, codes[block], weights[block], *moments, self.var_smoothing
            )

        # a block of sparse rows may be long: as dense rows they come in smaller parts
        return lambda block: np.vstack([*map(scores_of, part_blocks(block, rows.shape[1]))])

    def terms(self, rows: Matrix) -> Array:
        """log N(x_j; mean, variance) of each feature and class."""
        return terms_of_columns(rows, self.mean, self.variance)


class GaussianNB(CountingClassifier[ClassMoments, NormalColumns, NormalSettings]):
    """Naive Bayes for numbers that are normally distributed within each class.

        P(c | x)  ~  P(c) * product over j of N(x_j; mean_cj, variance_cj)

    with the maximum likelihood mean and variance of each class (divided by n), and epsilon_ added
    to every variance. Arguments, attributes and numbers are those of scikit-learn's GaussianNB,
    except that `partial_fit` in any pieces gives the same as `fit`. NaN is a missing value.

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
    fitted_class = NormalColumns
    unused = ("times", "text")

    class_count_ = learned("class_count", "Rows of each class.")
    class_prior_ = learned("prior.probability", "P(c) of each class.")
    theta_ = learned("mean", "Mean of each feature in each class: (n_classes, n_features).")
    var_ = learned("variance", "Variance of each feature in each class: (n_classes, n_features).")
    epsilon_ = learned("epsilon", "What was added to all variances.")

    def __init__(self, *, priors: ArrayLike | None = None, var_smoothing: float = 1e-9) -> None:
        self.priors = priors
        self.var_smoothing = var_smoothing

    def _parse(self) -> NormalSettings:
        smoothing = as_numbers(self.var_smoothing, "var_smoothing")
        if smoothing.ndim or not 0 <= smoothing < np.inf:
            raise ValueError(
                f"var_smoothing must be a number of 0 or more, got {self.var_smoothing!r}. "
                "It is a share of the largest variance: 1e-9 by default."
            )
        return NormalSettings("learned" if self.priors is None else self.priors, self.var_smoothing)

    _reader = read_matrix

    def _count(
        self, X: Matrix, codes: Array, n_classes: int, weights: Array | None
    ) -> ClassMoments:
        return class_moments(X, codes, n_classes, weights)

    def _counted_at_source(self, source: Stored, target: str) -> Counted | None:
        return added_at_source(self, source, target, added_moments, n_sums=3)

    def _fit(self, statistics: ClassMoments) -> NormalColumns:
        count, settings = statistics.class_count, self._settings
        mean, variance, epsilon = gaussian_parameters(statistics, settings.var_smoothing)
        prior = ClassPrior(count, normal_prior(settings.prior, len(count)))
        return NormalColumns(prior, statistics, settings.var_smoothing, mean, variance, epsilon)
