"""Columns of numbers of any shape: a kernel density in each class."""

from dataclasses import dataclass

import numpy as np

from bayesic.data.columns import Cells
from bayesic.estimation.kernel_density import KernelSums, bandwidth, kernel_sums
from bayesic.evidence.work import Factor
from bayesic.kernels.leaving import left_at, own_class
from bayesic.models.events.event import density_factor
from bayesic.models.events.gaussian import encoded_numbers
from bayesic.statistics.numbers import NumberCounts, at_resolution

Array = np.ndarray


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
        """The values at the resolution of the table, NaN where not observed."""
        return at_resolution(encoded_numbers(cells), self.bits)

    def scores(self, encoded: Array) -> Array:
        """The log density at each value."""
        missing = np.isnan(encoded)
        log_sums = self.sums.log_sums(np.where(missing, 0.0, encoded))
        count = np.broadcast_to(self.sums.count.sum(axis=0), log_sums.shape)
        return np.where(missing[:, None], 0.0, self._log_density(log_sums, count))

    def scores_without(self, encoded: Array, codes: Array, weights: Array) -> Array:
        """The log density at each value, which is taken out first; the bandwidths stay."""
        missing = np.isnan(encoded)
        points = np.where(missing, self.sums.values[0], encoded)
        log_sums = self.sums.log_sums_without(points, codes, weights)
        count = np.tile(self.sums.count.sum(axis=0), (len(codes), 1))
        count = left_at(count, own_class(codes), weights)
        return np.where(missing[:, None], 0.0, self._log_density(log_sums, count))

    def _log_density(self, log_sums: Array, count: Array) -> Array:
        n_rows = count.sum(axis=1, keepdims=True)
        log_rows = np.log(np.where(n_rows > 0, n_rows, 1.0))
        overall = np.logaddexp.reduce(log_sums, axis=1, keepdims=True) - log_rows
        total = count + self.amount
        with np.errstate(divide="ignore"):
            anywhere = np.log(self.amount) + overall
        log_total = np.log(np.where(total > 0, total, 1.0))
        density = np.where(total > 0, np.logaddexp(log_sums, anywhere) - log_total, overall)
        return np.where(n_rows > 0, density, 0.0)

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


def kernel(counts: NumberCounts, amount: float) -> Kernel:
    """The event model of a column of numbers of any shape."""
    width = bandwidth(counts.moments)
    return Kernel(kernel_sums(counts.values, counts.table, width), counts.bits, amount)
