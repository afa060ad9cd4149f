"""Columns of counts: a Poisson distribution in each class."""

from dataclasses import dataclass

import numpy as np
import scipy

from bayesic.data.columns import Cells
from bayesic.estimation.poisson import poisson_rates, rates_without
from bayesic.evidence.work import Factor
from bayesic.models.events.gaussian import encoded_numbers
from bayesic.statistics.moments import Moments
from bayesic.statistics.numbers import NumberCounts

Array = np.ndarray


@dataclass(frozen=True, eq=False)
class Poisson:
    """P(x | c) = rate_c^x exp(-rate_c) / x!"""

    moments: Moments
    rate: Array  # (n_classes,)

    kind = "poisson"

    def encode(self, cells: Cells) -> Array:
        """The counts, NaN where not observed."""
        return encoded_numbers(cells)

    def scores(self, encoded: Array) -> Array:
        """The log probability of each count."""
        return log_poisson(encoded, self.rate)

    def scores_without(self, encoded: Array, codes: Array, weights: Array) -> Array:
        """The log probability of each count, the rates estimated without it."""
        known = np.where(np.isnan(encoded), 0.0, encoded)
        removed = np.where(np.isnan(encoded), 0.0, weights)
        return log_poisson(encoded, rates_without(self.moments, known, codes, removed))

    def factors(self, name: str, shown: str, encoded: Array) -> list[Factor]:
        """The probability of the count."""
        return [Factor(f"{name}={shown}", tuple(self.scores(encoded)[0].tolist()))]

    def sample(self, codes: Array, rng: np.random.Generator) -> Array:
        """A count for each of these classes."""
        return rng.poisson(self.rate[codes]).astype(np.float64)


def log_poisson(counts: Array, rate: Array) -> Array:
    """log of the Poisson probability, and 0 where the count is NaN."""
    known = np.where(np.isnan(counts), 0.0, counts)[:, None]
    scores = scipy.special.xlogy(known, rate) - rate - scipy.special.gammaln(known + 1)
    return np.where(np.isnan(counts)[:, None], 0.0, scores)


def poisson(counts: NumberCounts) -> Poisson:
    """The event model of a column of counts."""
    return Poisson(counts.moments, poisson_rates(counts.moments))
