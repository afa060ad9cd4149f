"""Classes whose features are normal: what all such models tell, and those with correlations."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from bayesic.data.matrices import Matrix, dense_rows, n_cells, refuse_infinities, sums_to_a_number
from bayesic.estimation.covariance import CovarianceRule, Covariances
from bayesic.estimation.dependent_columns import DependentPairs
from bayesic.estimation.dirichlet_evidence import class_log_evidence
from bayesic.estimation.gaussian_without import LeftOut, Plans, log_densities_without
from bayesic.estimation.normal_density import (
    Normals,
    class_means,
    log_densities,
    normals,
    sequential_terms,
)
from bayesic.estimation.normal_evidence import NormalPrior, correlated_log_evidence
from bayesic.estimation.prior import ClassPrior
from bayesic.evidence.column_table import ColumnTable
from bayesic.evidence.summary import ColumnSummary
from bayesic.evidence.work import Factor
from bayesic.kernels import Array, pick
from bayesic.models.fitted import IN_FOLDS, Fitted, Scorer
from bayesic.models.log_evidence import NUMBERS, LogEvidence
from bayesic.models.summaries.dependent_pairs import correlated_pairs
from bayesic.models.summaries.numbers import correlated_table, normal_summaries
from bayesic.statistics.cross_moments import CrossMoments, diagonal_of

MOST_NAMES = 3  # of the features before one, in a worked calculation


@dataclass(frozen=True, eq=False)
class HasMoments(Fitted[Matrix]):
    """Normal densities that follow from the moments of each class."""

    prior: ClassPrior
    moments: CrossMoments

    @cached_property
    def mean(self) -> Array:
        """(n_classes, n_features)"""
        return class_means(self.moments)

    @property
    @abstractmethod
    def variance(self) -> Array:
        """Of each feature in each class, in the model: (n_classes, n_features)."""

    def summaries(self, names: Sequence[str]) -> list[ColumnSummary]:
        """Each column with its bits."""
        return normal_summaries(names, "number", self.mean, self.variance, self.prior.probability)

    def table(self, place: int, names: Sequence[str], classes: list, exact: bool) -> ColumnTable:
        """Mean, spread and correlations of a column in each class."""
        return correlated_table(names, classes, self.moments, self.variance, place)

    def pairs(
        self, names: Sequence[str], rows: Matrix | None, codes: Array | None
    ) -> DependentPairs:
        """Columns that are correlated within the classes."""
        return correlated_pairs(names, self.moments, rows, codes)


@dataclass(frozen=True, eq=False)
class NormalDensities(HasMoments):
    """The same, from which rows can be drawn, and whose parameters can be integrated out."""

    @abstractmethod
    def sampled(self, codes: Array, rng: np.random.Generator) -> Array:
        """One row for each of these classes: (n_rows, n_features)."""

    @abstractmethod
    def evidence(self, names: Sequence[str], prior: NormalPrior) -> LogEvidence:
        """log p of classes and cells."""


@dataclass(frozen=True, eq=False)
class NormalClasses(NormalDensities):
    """A covariance matrix for each class, or one that is tied: full or tied GaussianBayes, QDA."""

    formula = "quadratic_scores"

    rule: CovarianceRule  # how the covariances were estimated
    covariances: Covariances
    refuses_gaps: str | None = None  # the name of a model that does not answer rows with gaps
    judged_by: str = IN_FOLDS

    @property
    def variance(self) -> Array:
        """(n_classes, n_features)"""
        return diagonal_of(self.covariances.matrices)

    @property
    def covariance(self) -> Array:
        """The matrix of each class, or the one that is tied."""
        matrices = self.covariances.matrices
        return matrices[0] if self.rule.tied else matrices

    @cached_property
    def normals(self) -> Normals:
        """The densities."""
        return normals(self.mean, self.covariances.matrices)

    @cached_property
    def principal_axes(self) -> tuple[Array, Array]:
        """The variance along each principal axis of a class, largest first, and the axes."""
        variances, axes = np.linalg.eigh(self.covariances.matrices)
        return variances[:, ::-1], axes[:, :, ::-1]

    # scores ---------------------------------------------------------------------------------

    def scorer(self, rows: Matrix) -> Scorer:
        """log p(x | c) of each row; of what was observed, if it has gaps."""
        kernels = pick("centres", rows.shape[0] * self.normals.whitening.size)

        def scores_of(block: slice) -> Array:
            values = self._values(rows, block)
            scores = log_densities(values, self.normals, kernels)
            if np.isneginf(scores).any():
                refuse_infinities(values)
            return scores

        return scores_of

    def scorer_without(self, rows: Matrix, codes: Array, weights: Array) -> Scorer:
        """The same, each row less its own moments."""
        plans: Plans = {}

        def scores_of(block: slice) -> Array:
            left_out = LeftOut(dense_rows(rows, block), codes[block], weights[block])
            return log_densities_without(self.rule, self.moments, left_out, plans)

        return scores_of

    def _values(self, rows: Matrix, block: slice) -> Array:
        if self.refuses_gaps is None:
            return dense_rows(rows, block)
        return rows_without_gaps(rows, block, self.refuses_gaps)

    def sampled(self, codes: Array, rng: np.random.Generator) -> Array:
        """One row for each of these classes: (n_rows, n_features)."""
        noise = rng.standard_normal((len(codes), self.mean.shape[1]))
        factors = np.linalg.cholesky(self.covariances.matrices)
        return self.mean[codes] + np.einsum("nij,nj->ni", factors[codes], noise)

    # reasons --------------------------------------------------------------------------------

    def terms(self, rows: Matrix) -> Array:
        """What each feature adds beyond those before it: see sequential_terms."""
        values = self._values(rows, slice(0, rows.shape[0]))
        refuse_infinities(values)
        return sequential_terms(values, self.normals)

    def factors(
        self, row: Matrix, names: Sequence[str], shown: Sequence[str | None]
    ) -> list[Factor]:
        """The density of each feature given those before it."""
        return sequential_factors(names, shown, self.terms(row)[0])

    # what was learned -----------------------------------------------------------------------

    def evidence(self, names: Sequence[str], prior: NormalPrior) -> LogEvidence:
        """log p of classes and cells."""
        log = correlated_log_evidence(self.moments, prior, self.rule.tied)
        return LogEvidence(class_log_evidence(self.prior) + log, dict.fromkeys(names, NUMBERS))

    @property
    def n_parameters(self) -> int:
        """Of K classes and p features: K p + K p (p + 1) / 2, with one matrix if tied."""
        n_classes, p = self.mean.shape
        return n_classes * p + (1 if self.rule.tied else n_classes) * (p * (p + 1) // 2)


def scorer_of_columns(rows: Matrix, mean: Array, variance: Array) -> Scorer:
    """log p(x | c) of columns that are independent; mean and variance (n_classes, n_features)."""
    kernels = pick("classes", n_cells(rows) * len(mean))

    def scores_of(block: slice) -> Array:
        values = dense_rows(rows, block)
        scores = kernels.gaussian_scores(values, mean, variance)
        if np.isneginf(scores).any():
            refuse_infinities(values)
        return scores

    return scores_of


def terms_of_columns(rows: Matrix, mean: Array, variance: Array) -> Array:
    """log N(x_j; mean, variance) of each row, feature and class."""
    values = dense_rows(rows, slice(0, rows.shape[0]))[:, :, None]
    refuse_infinities(values)
    with np.errstate(over="ignore"):
        squares = (values - mean.T) ** 2 / variance.T
    terms = -0.5 * (np.log(2 * np.pi * variance.T) + squares)
    return np.where(np.isnan(values), 0.0, terms)


def rows_without_gaps(rows: Matrix, block: slice, model: str) -> Array:
    """These rows as float64; gaps and infinities are refused in the name of a model."""
    values = dense_rows(rows, block)
    if sums_to_a_number(values):
        return values
    if np.isnan(values).any():
        raise ValueError(
            f"Input X contains NaN, and {model} needs complete rows. Impute missing values, or "
            "use GaussianBayes, which can predict rows with missing values."
        )
    refuse_infinities(values)
    return values


def sequential_factors(
    names: Sequence[str], shown: Sequence[str | None], log_densities: Array
) -> list[Factor]:
    """The density of each feature that was observed, given those before it.

    log_densities : (n_features, n_classes)

    >>> heights = sequential_factors(["height", "width"], ["3", "2"], np.zeros((2, 1)))
    >>> [factor.text for factor in heights]
    ['height=3', 'width=2 given height']
    """
    factors: list[Factor] = []
    before: list[str] = []
    for name, value, terms in zip(names, shown, log_densities.tolist(), strict=True):
        if value is not None:
            few = len(before) <= MOST_NAMES
            given = ",".join(before if few else [before[0], "...", before[-1]])
            text = f"{name}={value} given {given}" if before else f"{name}={value}"
            factors.append(Factor(text, tuple(terms), density=True))
            before.append(name)
    return factors
