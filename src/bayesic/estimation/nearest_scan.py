"""The nearest points by looking at all of them, for many features: matrix products."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from scipy.spatial.distance import cdist
from threadpoolctl import threadpool_limits

from bayesic.data.blocks import in_threads
from bayesic.estimation.distances import distances_of, farthest_that_may_tie, nearest_of_pairs

Array = np.ndarray

# A block of scores has 2^19 cells and stays near the processor.
ASKED_PER_BLOCK = 256
SCORES_PER_BLOCK = 2**19

# Where scores let more than this share of the points through, better ones are faster.
MANY = 0.01

# Rows farther from the points than this many times their extent have no scores by products.
FAR = 2.0**40

# The names of the metrics in SciPy.
NAMES = {"euclidean": "euclidean", "manhattan": "cityblock"}


class Scores(Protocol):
    """Numbers that fall with the distance, quickly made, and how far they can be trusted."""

    @property
    def points(self) -> Array:
        """The points to be searched: (n_points, n_features)."""

    def far(self, X: Array) -> Array:
        """Which rows are too far from the points for such scores: (n_asked,)."""

    def prepared(self, X: Array) -> Array:
        """The rows that are asked for, as `scores` takes them."""

    def scores(self, prepared: Array, points: slice) -> Array:
        """The score of each prepared row with each of these points: (n_asked, n_points)."""

    def least(self, X: Array, distance: Array) -> Array:
        """A score that every point at such a distance of its row of X has at least: (n_asked,)."""


@dataclass(frozen=True, eq=False)
class ProductScores:
    """x.y - |y|^2 / 2, which is (|x|^2 - |x - y|^2) / 2, by one matrix product.

    Points and rows are moved by the middle of the points and scaled by a power of two, so that no
    coordinate of a point is larger than 1. Where the nearest points are very near for the extent of
    all, rounding hides the differences between them.
    """

    points: Array  # (n_points, n_features)
    precision: Any  # np.float32, which is twice as fast, or np.float64

    @cached_property
    def _middle(self) -> Array:
        return self.points.mean(axis=0)

    @cached_property
    def _exponent(self) -> int:
        return int(np.frexp(np.abs(self.points - self._middle).max())[1])

    @cached_property
    def _table(self) -> Array:
        """The points, and -|y|^2 / 2 beside them: (n_points, n_features + 1)."""
        table = _with_column(self._scaled(self.points), 0.0)
        table[:, -1] = -0.5 * np.einsum("ij,ij->i", table, table)
        return table.astype(self.precision, copy=False)

    def _scaled(self, X: Array) -> Array:
        with np.errstate(over="ignore"):
            return np.ldexp(X - self._middle, -self._exponent)

    def far(self, X: Array) -> Array:
        return np.abs(self._scaled(X)).max(axis=1) > FAR

    def prepared(self, X: Array) -> Array:
        return _with_column(self._scaled(X), 1.0).astype(self.precision)

    def scores(self, prepared: Array, points: slice) -> Array:
        return prepared @ self._table[points].T

    def least(self, X: Array, distance: Array) -> Array:
        """(|x|^2 - d^2) / 2, less what rounding can add up to.

        A product of n terms is off by at most n eps times the product of the absolute values
        ([Higham] section 3.1), and that is at most |x||y| + |y|^2 / 2. |y| is sqrt(n) or less.
        """
        n_features, limits = X.shape[1], np.finfo(self.precision)
        radius = np.sqrt(n_features)
        length = np.sqrt((self._scaled(X) ** 2).sum(axis=1))
        rounding = (n_features + 8) * (
            limits.eps * (length * radius + radius**2)
            + np.finfo(np.float64).eps * (length + radius) ** 2
            + limits.tiny
        )
        with np.errstate(over="ignore"):
            reach = np.ldexp(farthest_that_may_tie(distance), -self._exponent)
            least = 0.5 * (length - reach) * (length + reach) - rounding
            return np.nextafter(least.astype(self.precision), self.precision(-np.inf))


@dataclass(frozen=True, eq=False)
class DistanceScores:
    """The distance itself, as SciPy adds it up, with its sign turned: slower, and always exact."""

    points: Array
    metric: str

    def far(self, X: Array) -> Array:
        return np.zeros(len(X), bool)

    def prepared(self, X: Array) -> Array:
        return X

    def scores(self, prepared: Array, points: slice) -> Array:
        return -cdist(prepared, self.points[points], NAMES[self.metric])

    def least(self, X: Array, distance: Array) -> Array:
        return -farthest_that_may_tie(distance)


def scores_for(points: Array, metric: str) -> tuple[Scores, ...]:
    """Scores for a metric, the fastest first, the most exact last."""
    exact = DistanceScores(points, metric)
    if metric == "manhattan":
        return (exact,)
    return ProductScores(points, np.float32), ProductScores(points, np.float64), exact


class Candidates:
    """The nearest points so far of the rows that are asked for, and others that may be nearer."""

    def __init__(self, X: Array, points: Array, k: int, metric: str) -> None:
        self.X, self.points, self.k, self.metric = X, points, k, metric
        self.distance, self.nearest = np.empty((len(X), 0)), np.empty((len(X), 0), np.intp)
        self.pending: list[tuple[Array, Array]] = []

    @property
    def n_pending(self) -> int:
        """Pairs whose distance is not known yet."""
        return sum(len(asked) for asked, _ in self.pending)

    def add(self, asked: Array, point: Array) -> None:
        """Points that may be among the k nearest of these rows."""
        self.pending.append((asked, point))

    def settle(self) -> None:
        """Keep the k nearest of all candidates, by their distances."""
        if not self.pending:
            return
        asked, point = map(np.concatenate, zip(*self.pending, strict=True))
        distance = distances_of(self.X, asked, self.points, point, self.metric)
        known = np.repeat(np.arange(len(self.X)), self.nearest.shape[1])
        self.distance, self.nearest = nearest_of_pairs(
            np.concatenate([known, asked]),
            np.concatenate([self.nearest.ravel(), point]),
            np.concatenate([self.distance.ravel(), distance]),
            len(self.X),
            self.k,
        )
        self.pending = []


def nearest_by_scan(scores: Sequence[Scores], X: Array, k: int, metric: str) -> tuple[Array, Array]:
    """Distances and numbers of the k nearest points of each row of X: (n_asked, k) both.

    Scores only say which points can be among the k nearest; the distances of these are computed
    as everywhere, and decide. scores : as `scores_for` gives them.
    """
    distance, nearest = np.empty((len(X), k)), np.empty((len(X), k), np.intp)
    far = scores[0].far(X)

    def fill(asked: Array) -> None:
        of_block = scores[-1:] if far[asked[0]] else scores
        distance[asked], nearest[asked] = _scanned(of_block, X[asked], k, metric)

    blocks = [
        rows[start : start + ASKED_PER_BLOCK]
        for rows in (np.flatnonzero(~far), np.flatnonzero(far))
        for start in range(0, len(rows), ASKED_PER_BLOCK)
    ]
    with threadpool_limits(1, "blas"):  # its threads and ours would wait for each other
        for _ in in_threads(fill, blocks):
            pass
    return distance, nearest


def _scanned(scores: Sequence[Scores], X: Array, k: int, metric: str) -> tuple[Array, Array]:
    """The k nearest points of each row of a block."""
    points = scores[0].points
    n_points, step = len(points), max(k, SCORES_PER_BLOCK // len(X))
    many = (MANY * min(step, n_points) + 2 * k) * len(X)
    candidates, n_settled = Candidates(X, points, k, metric), 0
    reach = _first_reach(scores[0], X, slice(0, step), k, metric)
    passing = _sieve(scores[0], X, reach)
    for start in range(0, n_points, step):
        block = slice(start, min(start + step, n_points))
        asked, point = passing(block)
        while len(scores) > 1 and len(asked) > many:
            scores = scores[1:]
            if not n_settled:
                reach = _first_reach(scores[0], X, block, k, metric)
            passing = _sieve(scores[0], X, reach)
            asked, point = passing(block)
        candidates.add(asked, point + start)
        if block.stop >= 2 * n_settled or candidates.n_pending > SCORES_PER_BLOCK:
            candidates.settle()
            n_settled, reach = block.stop, candidates.distance[:, -1]
            passing = _sieve(scores[0], X, reach)
    candidates.settle()
    return candidates.distance, candidates.nearest


def _first_reach(scores: Scores, X: Array, block: slice, k: int, metric: str) -> Array:
    """Distances within which each row has k points for sure: those of the best scores."""
    first = scores.scores(scores.prepared(X), block)
    best = np.argpartition(first, -k, axis=1)[:, -k:]
    asked = np.repeat(np.arange(len(X)), k)
    distance = distances_of(X, asked, scores.points, best.ravel(), metric)
    return distance.reshape(-1, k).max(axis=1)


def _sieve(scores: Scores, X: Array, reach: Array) -> Callable[[slice], tuple[Array, Array]]:
    """A function from a block of points to all pairs that may be as near as `reach`."""
    prepared, least = scores.prepared(X), scores.least(X, reach)[:, None]

    def passing(block: slice) -> tuple[Array, Array]:
        found = scores.scores(prepared, block)
        return np.divmod(np.flatnonzero(found >= least), found.shape[1])

    return passing


def _with_column(X: Array, value: float) -> Array:
    return np.column_stack([X, np.full(len(X), value)])
