"""A table of values -> a smooth density in each class, in time that is linear in the table.

The kernel is K(u) = (1 + |u|) exp(-|u|) / 4, that of the sum of two Laplace variables: it is bell
shaped, smooth, has a variance of 4, and sums of it obey a recurrence. With values v_1 < v_2 < ...,
n_j rows each, and distances d in units of the bandwidth,

    sum over j <= i of n_j (1 + d_ij) exp(-d_ij) = A_i + C_i
    A_i = n_i + exp(-d) A_(i-1)      C_i = exp(-d) (C_(i-1) + d A_(i-1)),  d = d_(i, i-1)

and the same from the right. All terms are positive, so nothing cancels, and everything stays in
logarithms, so nothing underflows. A Gaussian kernel would need every value for every point. A
single point needs no recurrence: its kernels are added up as they are.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from bayesic.estimation.univariate import within_variance
from bayesic.kernels import Array
from bayesic.kernels.leaving import left_at, own_class
from bayesic.statistics.moments import Moments

# Distances in bandwidths are cut at this.
_FARTHEST = 1e300
# Smaller sums of kernels, in units of the nearest kernel, have lost digits: they need logs.
_LEAST = 1e-280
# Up to so many points are summed one by one: a row has the same bits alone and among a few others.
MOST_ALONE = 64


@dataclass(frozen=True, eq=False)
class KernelSums:
    """Sums of kernels around a table of values, in logs; computed when they are first needed.

    >>> sums = KernelSums(np.array([0.0, 1.0]), np.array([[1], [1]]), bandwidth=0.5)
    >>> by_hand = ((1 + 0.5) * np.exp(-0.5) + (1 + 1.5) * np.exp(-1.5)) / 4 / 0.5
    >>> bool(np.isclose(np.exp(sums.log_sums(np.array([0.25])))[0, 0], by_hand))
    True
    """

    values: Array  # (n_values,), increasing
    count: Array  # (n_values, n_classes), rows of each value in each class
    bandwidth: float  # of all classes

    @cached_property
    def n_rows(self) -> Array:
        """The rows of each class."""
        return self._by_class.sum(axis=1)

    @cached_property
    def _by_class(self) -> Array:
        # sums along rows of few numbers are slow
        return np.ascontiguousarray(self.count.T)

    @cached_property
    def left(self) -> tuple[Array, Array]:
        """log A and log C at each value, from the values up to it: (n_values, n_classes)."""
        return _accumulated(_log(self.count), self._position)

    @cached_property
    def right(self) -> tuple[Array, Array]:
        """The same, from the values down to it."""
        log_sum, log_distance = _accumulated(_log(self.count)[::-1], -self._position[::-1])
        return log_sum[::-1], log_distance[::-1]

    @property
    def _position(self) -> Array:
        return (self.values - self.values[len(self.values) // 2])[:, None] / self.bandwidth

    def log_sums(self, points: Array) -> Array:
        """log sum of (1/h) K((x - v) / h) over the rows of each class: (n_points, n_classes)."""
        if len(points) > MOST_ALONE:
            return self._log_sums_of_many(points)
        sums = np.empty((len(points), self.count.shape[1]))
        for at, point in enumerate(points.tolist()):
            log_sums = self._log_sums_of_one(point)
            if log_sums is None:
                sums[at] = self._log_sums_of_many(points[at : at + 1])
            else:
                sums[at] = log_sums - np.log(4 * self.bandwidth)
        return sums

    def _log_sums_of_many(self, points: Array) -> Array:
        """The same by the sums from both sides."""
        after = np.searchsorted(self.values, points, side="right")
        sides = self._from_left(points, after - 1), self._from_right(points, after)
        return np.logaddexp(*sides) - np.log(4 * self.bandwidth)

    def _log_sums_of_one(self, point: float) -> Array | None:
        """The same for one point, times 4 h, in one pass over the values.

        None where the kernels of a class are too small beside the nearest one.
        """
        with np.errstate(over="ignore"):
            distance = np.minimum(np.abs(point - self.values) / self.bandwidth, _FARTHEST)
        nearest = distance.min()
        kernels = (1 + distance) * np.exp(nearest - distance) / (1 + nearest)
        sums = (self._by_class * kernels).sum(axis=1)
        if ((sums < _LEAST) & (self.n_rows > 0)).any():
            return None
        return _log(sums) + (np.log1p(nearest) - nearest)

    def log_sums_without(self, points: Array, codes: Array, weights: Array) -> Array:
        """As log_sums, for points that are among the values, each taken out of its class."""
        index = np.searchsorted(self.values, points)
        around = np.logaddexp(
            self._from_left(points, index - 1), self._from_right(points, index + 1)
        )
        here = left_at(self.count[index], own_class(codes), weights)
        return np.logaddexp(around, _log(here)) - np.log(4 * self.bandwidth)

    def _from_left(self, points: Array, index: Array) -> Array:
        exists = index >= 0
        index = np.maximum(index, 0)
        distance = self._distance(points, self.values[index], exists)
        log_sum, log_distance_sum = self.left
        return _decayed(log_sum[index], log_distance_sum[index], distance)

    def _from_right(self, points: Array, index: Array) -> Array:
        exists = index < len(self.values)
        index = np.minimum(index, len(self.values) - 1)
        distance = self._distance(self.values[index], points, exists)
        log_sum, log_distance_sum = self.right
        return _decayed(log_sum[index], log_distance_sum[index], distance)

    def _distance(self, upper: Array, lower: Array, exists: Array) -> Array:
        """The distance in bandwidths; infinity where there is no value on that side."""
        with np.errstate(over="ignore"):
            distance = np.minimum((upper - lower) / self.bandwidth, _FARTHEST)
        return np.where(exists, distance, np.inf)[:, None]


def _decayed(log_sum: Array, log_distance_sum: Array, distance: Array) -> Array:
    """log of exp(-d) ((1 + d) A + C)."""
    finite = np.where(np.isinf(distance), 0.0, distance)
    inside = np.logaddexp(np.log1p(finite) + log_sum, log_distance_sum)
    return np.where(np.isinf(distance), -np.inf, inside - finite)


def bandwidth(moments: Moments) -> float:
    """The bandwidth for a column with these moments in each class.

        h = 3/4 s n^(-1/5)

    s^2 is the variance within the classes (`univariate.py`), n the mean number of rows of a class.
    The standard deviation of the kernel is 2 h, so this is 1.4 times the best width for estimating
    a normal density ([Silverman] section 3.4.2): smoother densities separate classes better. All
    classes have the same bandwidth, so that a frequent value weighs the same in all of them.
    """
    rows_of_a_class = max(moments.count.mean(), 1.0)
    return float(0.75 * np.sqrt(within_variance(moments)) * rows_of_a_class**-0.2)


def _accumulated(log_count: Array, position: Array) -> tuple[Array, Array]:
    """log A and log C at each position, which increases."""
    shifted = np.logaddexp.accumulate(log_count + position, axis=0)
    step = np.full_like(shifted, -np.inf)
    step[1:] = _log(np.diff(position, axis=0)) + shifted[:-1]
    return shifted - position, np.logaddexp.accumulate(step, axis=0) - position


def _log(sums: Array) -> Array:
    with np.errstate(divide="ignore"):
        return np.log(sums)
