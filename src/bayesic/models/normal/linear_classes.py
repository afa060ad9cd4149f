"""Normal classes with one covariance, whose boundaries are straight: what LDA has learned."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from scipy import linalg

from bayesic.data.matrices import Matrix, dense_rows
from bayesic.estimation.covariance import SINGULAR, least_eigenvalue
from bayesic.estimation.discriminant import (
    Discriminants,
    discriminants_by_eigenvectors,
    discriminants_by_least_squares,
    discriminants_by_svd,
    linear_scores,
    linear_scores_without,
    shrunk_to_mean_variance,
)
from bayesic.estimation.gaussian_without import LeftOut
from bayesic.estimation.normal_density import LOG_TWO_PI, normals, sequential_terms
from bayesic.evidence.work import Factor
from bayesic.kernels import Array
from bayesic.models.fitted import Scorer
from bayesic.models.normal.normal_classes import HasMoments, rows_without_gaps, sequential_factors
from bayesic.statistics.cross_moments import cross_moments


@dataclass(frozen=True, eq=False)
class LinearClasses(HasMoments):
    """Normal densities with one covariance for all classes, whose ratios are linear rules."""

    formula = "discriminant_scores"

    solver: str
    weight: float  # of the mean variance in the covariance
    n_components: int
    tol: float
    of_rows: Array | None = None  # covariances of each class and of all rows, in place of moments

    @cached_property
    def covariance(self) -> Array:
        """sum over c of P(c) Sigma_c, shrunk."""
        prior = self.prior.probability
        if self.of_rows is not None:
            return np.tensordot(prior, self.of_rows[:-1], axes=1)
        count = np.where(self.moments.class_count > 0, self.moments.class_count, 1.0)
        covariance = np.tensordot(prior / count, self.moments.scatter, axes=1)
        return shrunk_to_mean_variance(covariance, self.weight)

    @cached_property
    def within(self) -> Array:
        """The covariance within the classes from which the rule comes."""
        if self.solver != "svd":
            return self.covariance
        n_rows = float(self.moments.class_count.sum())
        return self.moments.scatter.sum(axis=0) / max(n_rows, 1.0)

    def _total(self) -> Array:
        """The covariance of all rows around their common mean, shrunk."""
        if self.of_rows is not None:
            return self.of_rows[-1]
        overall = self.moments.overall()
        covariance = overall.scatter[0] / max(1.0, float(overall.class_count[0]))
        return shrunk_to_mean_variance(covariance, self.weight)

    @cached_property
    def rule(self) -> Discriminants:
        """The linear rule of each class."""
        mean, prior = self.mean, self.prior.probability
        if self.solver == "svd":
            n_rows = float(self.moments.class_count.sum())
            return discriminants_by_svd(
                mean, self.within, prior, n_rows, self.n_components, self.tol
            )
        if self.solver == "lsqr":
            return discriminants_by_least_squares(mean, self.within, prior @ mean)
        return discriminants_by_eigenvectors(
            mean, self.within, self._total(), prior @ mean, self.n_components
        )

    @property
    def coef(self) -> Array:
        """Of each class; of two classes the difference."""
        return _difference_of_two(self.rule.coef)

    @property
    def intercept(self) -> Array:
        """Of each class, with the log prior; of two classes the difference."""
        return _difference_of_two(self.rule.constant + self.prior.log)

    @property
    def xbar(self) -> Array | None:
        """What `transform` takes from the rows: their mean, with solver svd."""
        return self.rule.centre if self.solver == "svd" else None

    # scores ---------------------------------------------------------------------------------

    def scorer(self, rows: Matrix) -> Scorer:
        """log p(x | c) of each row, up to what is the same for all classes."""
        return lambda block: linear_scores(all_rows(rows, block), self.mean, self.rule)

    def scorer_without(self, rows: Matrix, codes: Array, weights: Array) -> Scorer:
        """The same, each row less its own moments."""
        how = self.prior, self.solver == "svd", self.tol

        def scores_of(block: slice) -> Array:
            left_out = LeftOut(dense_rows(rows, block), codes[block], weights[block])
            if self.weight == 0:
                scores, again = linear_scores_without(self.moments, left_out, *how)
            else:
                scores = np.empty((len(left_out.codes), len(self.mean)))
                again = np.ones(len(left_out.codes), dtype=bool)
            for row in np.flatnonzero(again):
                scores[row] = self._scores_learned_again(left_out.where(slice(row, row + 1)))
            return scores

        return scores_of

    def _scores_learned_again(self, row: LeftOut) -> Array:
        own = cross_moments(row.values, row.codes, len(self.mean), row.weights)
        rest = self.moments - own
        prior = replace(self.prior, class_count=rest.class_count)
        return replace(self, prior=prior, moments=rest).scorer(row.values)(slice(0, 1))[0]

    def coordinates(self, rows: Matrix) -> Array:
        """The rows in the directions that separate the classes."""
        values = all_rows(rows)
        if self.xbar is not None:
            values = values - self.xbar
        return (values @ self.rule.scalings)[:, : self.n_components]

    # reasons --------------------------------------------------------------------------------

    def terms(self, rows: Matrix) -> Array:
        """What each feature adds to x . slope - 1/2 mean . slope, with the centre as the origin."""
        values = all_rows(rows) - self.rule.centre
        steps = values[:, None, :] - 0.5 * (self.mean - self.rule.centre)
        return steps.swapaxes(1, 2) * self.rule.slope.T

    def factors(self, row: Any, names: Sequence[str], shown: Sequence[str | None]) -> list[Factor]:
        """Of the normal densities whose ratio is the linear rule: see sequential_terms."""
        least_spread = self.tol**2 if self.solver == "svd" else 0.0
        if least_eigenvalue(self.within) <= max(SINGULAR, least_spread):
            return [self._factor_of_directions(row)]
        matrices = np.repeat(self.within[None], len(self.mean), axis=0)
        terms = sequential_terms(all_rows(row), normals(self.mean, matrices))
        return sequential_factors(names, shown, terms[0])

    def _factor_of_directions(self, row: Matrix) -> Factor:
        """The density in the directions that have spread, where not all have any.

        In units in which the spread within the classes is 1,
        log p(z | c) = -1/2 (z - z_c)^2 - r/2 log 2 pi for the r coordinates z of a row.
        """
        if self.rule.scalings is not None and self.solver == "svd":
            scalings = self.rule.scalings
            precision, n_directions = scalings @ scalings.T, scalings.shape[1]
        else:
            precision, n_directions = linalg.pinvh(self.within, return_rank=True)
        deviation = all_rows(row)[0] - self.rule.centre
        common = deviation @ precision @ deviation + n_directions * LOG_TWO_PI
        scores = self.scorer(row)(slice(0, 1))[0] - 0.5 * common
        noun = "direction" if n_directions == 1 else "directions"
        return Factor(f"x in {n_directions} {noun}", tuple(scores.tolist()), density=True)

    # what was learned -----------------------------------------------------------------------

    @property
    def n_parameters(self) -> int:
        """K p + p (p + 1) / 2."""
        p = self.mean.shape[1]
        return self.mean.size + p * (p + 1) // 2

    @property
    def variance(self) -> Array:
        """(n_classes, n_features)"""
        return np.repeat(np.diagonal(self.within)[None], len(self.mean), axis=0)


def all_rows(rows: Matrix, block: slice | None = None) -> Array:
    """These rows, or all; gaps and infinities are refused."""
    block = slice(0, rows.shape[0]) if block is None else block
    return rows_without_gaps(rows, block, "LinearDiscriminantAnalysis")


def _difference_of_two(parameters: Array) -> Array:
    return parameters[1:] - parameters[:1] if len(parameters) == 2 else parameters
