"""Columns of numbers: a normal, Poisson or kernel density in each class."""

from dataclasses import dataclass

import numpy as np
import scipy

from bayesic.data.columns import Cells, Nothing, Numbers
from bayesic.estimation.kernel_density import KernelSums, bandwidth
from bayesic.estimation.univariate import (
    normal_parameters,
    normal_without,
    poisson_rates,
    rates_without,
)
from bayesic.evidence.work import Factor
from bayesic.kernels import Array
from bayesic.kernels.leaving import left_at, own_class
from bayesic.models.events.event import density_factor
from bayesic.statistics.leading_bits import at_resolution
from bayesic.statistics.moments import Moments
from bayesic.statistics.number_counts import NumberCounts, table_moments


def _encoded_numbers(cells: Cells) -> Array:
    """The values, NaN where missing."""
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
        """The values, NaN where missing."""
        return _encoded_numbers(cells)

    def scores(self, encoded: Array) -> Array:
        """The log density of each value."""
        scores = [log_normal(encoded, *each) for each in zip(self.mean, self.variance, strict=True)]
        return _none_where_missing(encoded, np.stack(scores, axis=1))

    def scores_without(self, encoded: Array, codes: Array, weights: Array) -> Array:
        """The log density of each value, the parameters estimated without it."""
        missing = np.isnan(encoded)
        known, removed = np.where(missing, 0.0, encoded), np.where(missing, 0.0, weights)
        without = normal_without(self.counts.moments, known, codes, removed, self.rule)
        scores = np.ascontiguousarray(log_normal(encoded, *without.others).T)
        scores[own_class(codes)] = log_normal(encoded, *without.own)
        for row in np.flatnonzero(without.lost & (removed > 0)):
            scores[row] = self._score_without(encoded[row], codes[row], removed[row])
        return _none_where_missing(encoded, scores)

    def _score_without(self, value: Array, code: Array, weight: Array) -> Array:
        """The same for one row, which is taken out of the values of its class: slow, and exact."""
        counts, values = self.counts, self.counts.values
        place = np.searchsorted(values, at_resolution(value, counts.bits))
        of_class = left_at(counts.table[:, code], (place,), weight)
        own = (array.item() for array in table_moments(values, of_class[:, None]).arrays())
        moments = counts.moments.with_group(int(code), *own)
        return log_normal(value, *normal_parameters(moments, self.rule))

    def factors(self, name: str, shown: str, encoded: Array) -> list[Factor]:
        """The density of the value."""
        return density_factor(self, name, shown, encoded)

    def sample(self, codes: Array, rng: np.random.Generator) -> Array:
        """A number for each of these classes."""
        return rng.normal(self.mean[codes], np.sqrt(self.variance[codes]))


def gaussian(counts: NumberCounts, variance: str = "smoothed") -> Gaussian:
    """The event model of a column of measurements; variance is one of VARIANCES."""
    return Gaussian(counts, *normal_parameters(counts.moments, variance), variance)


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


@dataclass(frozen=True, eq=False)
class Poisson:
    """P(x | c) = rate_c^x exp(-rate_c) / x!"""

    moments: Moments
    rate: Array  # (n_classes,)

    kind = "poisson"

    def encode(self, cells: Cells) -> Array:
        """The counts, NaN where missing."""
        return _encoded_numbers(cells)

    def scores(self, encoded: Array) -> Array:
        """The log probability of each count."""
        return _log_poisson(encoded, self.rate)

    def scores_without(self, encoded: Array, codes: Array, weights: Array) -> Array:
        """The log probability of each count, the rates estimated without it."""
        known = np.where(np.isnan(encoded), 0.0, encoded)
        removed = np.where(np.isnan(encoded), 0.0, weights)
        return _log_poisson(encoded, rates_without(self.moments, known, codes, removed))

    def factors(self, name: str, shown: str, encoded: Array) -> list[Factor]:
        """The probability of the count."""
        return [Factor(f"{name}={shown}", tuple(self.scores(encoded)[0].tolist()))]

    def sample(self, codes: Array, rng: np.random.Generator) -> Array:
        """A count for each of these classes."""
        return rng.poisson(self.rate[codes]).astype(np.float64)


def poisson(counts: NumberCounts) -> Poisson:
    """The event model of a column of counts."""
    return Poisson(counts.moments, poisson_rates(counts.moments))


def _log_poisson(counts: Array, rate: Array) -> Array:
    """log of the Poisson probability, and 0 where the count is NaN."""
    known = np.where(np.isnan(counts), 0.0, counts)[:, None]
    scores = scipy.special.xlogy(known, rate) - rate - scipy.special.gammaln(known + 1)
    return np.where(np.isnan(counts)[:, None], 0.0, scores)


@dataclass(frozen=True, eq=False)
class Kernel:
    """p(x | c) = (sum of kernels around the rows of c + a g(x)) / (N_c + a).

    g is the same density over the rows of all classes, and a the amount of smoothing: as if a rows
    of each class had come from anywhere in the column. So a value far from all rows of a class is
    improbable there, and no more than that.
    """

    sums: KernelSums
    bits: int  # of the mantissa that the values of the table keep
    amount: float

    kind = "kernel"

    def encode(self, cells: Cells) -> Array:
        """The values at the resolution of the table, NaN where missing."""
        return at_resolution(_encoded_numbers(cells), self.bits)

    def scores(self, encoded: Array) -> Array:
        """The log density at each value."""
        missing = np.isnan(encoded)
        log_sums = self.sums.log_sums(np.where(missing, 0.0, encoded))
        count = np.broadcast_to(self.sums.n_rows, log_sums.shape)
        return np.where(missing[:, None], 0.0, log_density(log_sums, count, self.amount))

    def scores_without(self, encoded: Array, codes: Array, weights: Array) -> Array:
        """The log density at each value, which is taken out first; the bandwidths stay."""
        missing = np.isnan(encoded)
        points = np.where(missing, self.sums.values[0], encoded)
        log_sums = self.sums.log_sums_without(points, codes, weights)
        count = np.tile(self.sums.n_rows, (len(codes), 1))
        count = left_at(count, own_class(codes), weights)
        return np.where(missing[:, None], 0.0, log_density(log_sums, count, self.amount))

    def factors(self, name: str, shown: str, encoded: Array) -> list[Factor]:
        """The density at the value."""
        return density_factor(self, name, shown, encoded)

    def sample(self, codes: Array, rng: np.random.Generator) -> Array:
        """A number for each of these classes: a row, and around it two Laplace steps."""
        values = np.empty(len(codes))
        for code in np.unique(codes):
            of_class = codes == code
            count = self.sums.count[:, code].astype(np.float64)
            everywhere = self.sums.count.sum(axis=1).astype(np.float64)
            amount = self.amount if count.any() else 1.0  # of a class without rows all is usual
            share = count + amount * everywhere / everywhere.sum()
            drawn = rng.choice(self.sums.values, of_class.sum(), p=share / share.sum())
            steps = rng.laplace(scale=self.sums.bandwidth, size=(2, of_class.sum()))
            values[of_class] = drawn + steps.sum(axis=0)
        return values


def log_density(log_sums: Array, count: Array, amount: Array | float) -> Array:
    """The log density at points, from their sums of kernels and the rows of each class.

    log_sums, count : (n_points, n_classes); amount : one for all, or (n_points, 1)
    """
    n_rows = count.sum(axis=1, keepdims=True)
    log_rows = np.log(np.where(n_rows > 0, n_rows, 1.0))
    overall = np.logaddexp.reduce(log_sums, axis=1, keepdims=True) - log_rows
    total = count + amount
    with np.errstate(divide="ignore"):
        anywhere = np.log(amount) + overall
    log_total = np.log(np.where(total > 0, total, 1.0))
    density = np.where(total > 0, np.logaddexp(log_sums, anywhere) - log_total, overall)
    return np.where(n_rows > 0, density, 0.0)


def kernel(counts: NumberCounts, amount: float, width: float | None = None) -> Kernel:
    """The event model of a numeric column of any shape; width is the bandwidth, if given."""
    width = bandwidth(counts.moments) if width is None else width
    return Kernel(KernelSums(counts.values, counts.table, width), counts.bits, amount)
