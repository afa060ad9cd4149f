"""Columns of measurements: a normal distribution in each class."""

from dataclasses import dataclass

import numpy as np

from bayesic.data.columns import Cells, Nothing, Numbers
from bayesic.estimation.normal import normal_parameters, normal_without
from bayesic.evidence.work import Factor
from bayesic.kernels.leaving import left_at, own_class
from bayesic.models.events.event import density_factor
from bayesic.statistics.numbers import NumberCounts, at_resolution, middle, table_moments

Array = np.ndarray


def encoded_numbers(cells: Cells) -> Array:
    """The values, NaN where not observed."""
    if isinstance(cells, Nothing):
        return np.full(len(cells), np.nan)
    assert isinstance(cells, Numbers)
    return cells.values


@dataclass(frozen=True, eq=False)
class Gaussian:
    """N(mean_c, variance_c) in each class; see normal_parameters for the variance."""

    counts: NumberCounts
    mean: Array  # (n_classes,)
    variance: Array  # (n_classes,)
    rule: str  # one of VARIANCES

    kind = "gaussian"

    def encode(self, cells: Cells) -> Array:
        """The values, NaN where not observed."""
        return encoded_numbers(cells)

    def scores(self, encoded: Array) -> Array:
        """The log density of each value."""
        scores = [log_normal(encoded, *each) for each in zip(self.mean, self.variance, strict=True)]
        return _none_where_missing(encoded, np.stack(scores, axis=1))

    def scores_without(self, encoded: Array, codes: Array, weights: Array) -> Array:
        """The log density of each value, the parameters estimated without it."""
        missing = np.isnan(encoded)
        known, removed = np.where(missing, 0.0, encoded), np.where(missing, 0.0, weights)
        without = normal_without(self.counts.moments, known, codes, removed, self.rule)
        scores = np.stack([log_normal(encoded, *each) for each in without.others], axis=1)
        scores[own_class(codes)] = log_normal(encoded, *without.own)
        for row in np.flatnonzero(without.lost & (removed > 0)):
            scores[row] = self._score_without(encoded[row], codes[row], removed[row])
        return _none_where_missing(encoded, scores)

    def _score_without(self, value: Array, code: Array, weight: Array) -> Array:
        """The same for one row, which is taken out of the table of values: slow, and exact."""
        place = np.searchsorted(self.counts.values, at_resolution(value, self.counts.bits))
        table = left_at(self.counts.table, (place, code), weight)
        moments = table_moments(middle(self.counts.keys, self.counts.bits), table)
        return log_normal(value, *normal_parameters(moments, self.rule))

    def factors(self, name: str, shown: str, encoded: Array) -> list[Factor]:
        """The density of the value."""
        return density_factor(self, name, shown, encoded)

    def sample(self, codes: Array, rng: np.random.Generator) -> Array:
        """A number for each of these classes."""
        return rng.normal(self.mean[codes], np.sqrt(self.variance[codes]))


def log_normal(values: Array, mean: Array, variance: Array) -> Array:
    """log N(x; mean, variance)."""
    with np.errstate(over="ignore"):
        squares = (values - mean) ** 2 / variance
    return -0.5 * (squares + np.log(2 * np.pi * variance))


def _none_where_missing(values: Array, scores: Array) -> Array:
    missing = np.isnan(values)
    if missing.any():
        scores[missing] = 0.0
    return scores


def gaussian(counts: NumberCounts, variance: str = "smoothed") -> Gaussian:
    """The event model of a column of measurements; variance is one of VARIANCES."""
    return Gaussian(counts, *normal_parameters(counts.moments, variance), variance)
