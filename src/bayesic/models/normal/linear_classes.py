"""Normal classes with one covariance, whose boundaries are straight: what LDA has learned."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from bayesic.data.matrices import Matrix, dense_rows
from bayesic.estimation.covariance import CovarianceRule, least_eigenvalue, shrunk
from bayesic.estimation.discriminant import (
    LEAST_SPREAD,
    Discriminants,
    discriminants,
    linear_scores,
    linear_scores_without,
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

    how: CovarianceRule  # how the covariance is shrunk
    n_components: int

    @cached_property
    def covariance(self) -> Array:
        """The covariance within the classes, sum of scatter_c / N, shrunk."""
        n_rows = np.maximum(self.moments.class_count.sum(), 1.0)
        return shrunk(self.how, self.moments.scatter.sum(axis=0) / n_rows, n_rows)

    @cached_property
    def rule(self) -> Discriminants:
        """The linear rule of each class."""
        n_rows = float(self.moments.class_count.sum())
        return discriminants(self.mean, self.covariance, self.prior.probability, n_rows)

    @property
    def coef(self) -> Array:
        """Of each class; of two classes the difference."""
        return _difference_of_two(self.rule.slope)

    @property
    def intercept(self) -> Array:
        """Of each class, with the log prior; of two classes the difference."""
        return _difference_of_two(self.rule.constant + self.prior.log)

    @property
    def explained_variance_ratio(self) -> Array:
        """The share of each direction that `transform` gives."""
        return self.rule.explained_variance_ratio[: self.n_components]

    # scores ---------------------------------------------------------------------------------

    def scorer(self, rows: Matrix) -> Scorer:
        """log p(x | c) of each row, up to what is the same for all classes."""
        return lambda block: linear_scores(all_rows(rows, block), self.mean, self.rule)

    def scorer_without(self, rows: Matrix, codes: Array, weights: Array) -> Scorer:
        """The same, each row less its own moments."""

        def scores_of(block: slice) -> Array:
            left_out = LeftOut(dense_rows(rows, block), codes[block], weights[block])
            if self.how.weight == 0:
                scores, again = linear_scores_without(self.moments, left_out, self.prior)
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
        values = all_rows(rows) - self.rule.centre
        return (values @ self.rule.scalings)[:, : self.n_components]

    # reasons --------------------------------------------------------------------------------

    def terms(self, rows: Matrix) -> Array:
        """What each feature adds to x . slope - 1/2 mean . slope, with the centre as the origin."""
        values = all_rows(rows) - self.rule.centre
        steps = values[:, None, :] - 0.5 * (self.mean - self.rule.centre)
        return steps.swapaxes(1, 2) * self.rule.slope.T

    def factors(
        self, row: Matrix, names: Sequence[str], shown: Sequence[str | None]
    ) -> list[Factor]:
        """Of the normal densities whose ratio is the linear rule: see sequential_terms."""
        if least_eigenvalue(self.covariance) <= LEAST_SPREAD**2:
            return [self._factor_of_directions(row)]
        matrices = np.repeat(self.covariance[None], len(self.mean), axis=0)
        terms = sequential_terms(all_rows(row), normals(self.mean, matrices))
        return sequential_factors(names, shown, terms[0])

    def _factor_of_directions(self, row: Matrix) -> Factor:
        """The density in the directions that have spread, where not all have any.

        In units in which the spread within the classes is 1,
        log p(z | c) = -1/2 (z - z_c)^2 - r/2 log 2 pi for the r coordinates z of a row.
        """
        coordinates = (all_rows(row)[0] - self.rule.centre) @ self.rule.scalings
        n_directions = len(coordinates)
        common = coordinates @ coordinates + n_directions * LOG_TWO_PI
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
        return np.repeat(np.diagonal(self.covariance)[None], len(self.mean), axis=0)


def all_rows(rows: Matrix, block: slice | None = None) -> Array:
    """These rows, or all; gaps and infinities are refused."""
    block = slice(0, rows.shape[0]) if block is None else block
    return rows_without_gaps(rows, block, "LinearDiscriminantAnalysis")


def _difference_of_two(parameters: Array) -> Array:
    return parameters[1:] - parameters[:1] if len(parameters) == 2 else parameters
