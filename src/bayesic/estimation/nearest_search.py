"""Two roads to the nearest points: a k-d tree for few features, a scan of all points for many.

A distance is always added up feature by feature, in the order of the features, in float64. So it
depends neither on the road on which a pair was found, nor on the rows beside it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from scipy.spatial import cKDTree
from scipy.spatial.distance import cdist
from threadpoolctl import threadpool_limits

from bayesic.data.blocks import in_threads, row_blocks
from bayesic.kernels import Array

METRICS = ("euclidean", "manhattan")

# Distances that are found by other sums agree with ours to more digits than this, also with a
# million features. Below the second number squares lose their digits, or vanish.
_ROUNDING = 1e-9

_VANISHING = 1e-150


def _pair_distances(differences: Array, metric: str) -> Array:
    """The length of each row of differences: (n_pairs,).

        euclidean   d(x, y) = sqrt(sum over j of (x_j - y_j)^2)
        manhattan   d(x, y) = sum over j of |x_j - y_j|

    >>> _pair_distances(np.array([[3.0, -4.0]]), "euclidean")
    array([5.])
    >>> _pair_distances(np.array([[3.0, -4.0]]), "manhattan")
    array([7.])
    """
    terms = differences**2 if metric == "euclidean" else np.abs(differences)
    total = np.zeros(len(differences))
    for feature in range(differences.shape[1]):
        total += terms[:, feature]
    return np.sqrt(total) if metric == "euclidean" else total


def _distances_of(X: Array, asked: Array, points: Array, point: Array, metric: str) -> Array:
    """Distances of the pairs X[asked], points[point], in parts that stay near the processor."""
    out = np.empty(len(asked))
    for part in row_blocks(len(asked), X.shape[1]):
        out[part] = _pair_distances(X[asked[part]] - points[point[part]], metric)
    return out


def _farthest_that_may_tie(distance: Array) -> Array:
    """How far other sums may put a point that is not farther than these distances."""
    return distance * (1 + _ROUNDING) + _VANISHING


def nearest_of_pairs(
    asked: Array, row: Array, distance: Array, n_asked: int, k: int
) -> tuple[Array, Array]:
    """The k nearest rows of each row that is asked for, from a list of pairs in any order.

    Nearest first; of rows that are equally distant, the one with the smaller number first. Returns
    distances and rows, both (n_asked, k). Each of the n_asked rows must be in k pairs or more.

    >>> nearest_of_pairs(
    ...     np.array([0, 0, 0]), np.array([7, 5, 6]), np.array([1.0, 1.0, 0.5]), n_asked=1, k=2
    ... )
    (array([[0.5, 1. ]]), array([[6, 5]]))
    """
    order = np.lexsort((row, distance, asked))
    first = np.searchsorted(asked[order], np.arange(n_asked))
    chosen = order[first[:, None] + np.arange(k)]
    return distance[chosen], row[chosen]


# by a k-d tree ----------------------------------------------------------------------------------


Tree = Any  # scipy.spatial.cKDTree

_LEAF = 32  # points; the fastest of 8, 16 and 32 for 300,000 points with 5 features

_CELLS_OF_ONE_FOUND = 20  # blocks of 1000 rows for k = 5: enough of them for every thread


def tree_of(points: Array) -> Tree:
    """The tree of these points; it serves every metric."""
    return cKDTree(points, leafsize=_LEAF, balanced_tree=False)


def nearest_by_tree(
    tree: Tree, points: Array, X: Array, k: int, metric: str
) -> tuple[Array, Array]:
    """Distances and numbers of the k nearest points of each row of X: (n_asked, k) both.

    The tree adds up distances in another order than we do, and takes any of the points that are
    equally distant. So it is asked for one more than k. Where the distance to this last one leaves
    a doubt who is among the k nearest, it is asked for twice as many, and so on.
    """
    distance, nearest = np.empty((len(X), k)), np.empty((len(X), k), np.intp)
    # neighbours after one another go down the same branches of the tree
    in_order = cKDTree(X, leafsize=_LEAF, balanced_tree=False).indices

    def fill(block: slice) -> None:
        asked, n_found = in_order[block], min(k + 1, len(points))
        while len(asked):
            unsure = []
            for part in _asked_blocks(len(asked), n_found):
                rows = asked[part]
                *found, sure = _found_by_tree(tree, points, X[rows], k, n_found, metric)
                distance[rows[sure]], nearest[rows[sure]] = found[0][sure], found[1][sure]
                unsure.append(rows[~sure])
            asked, n_found = np.concatenate(unsure), min(2 * n_found, len(points))

    for _ in in_threads(fill, _asked_blocks(len(X), k + 1)):
        pass
    return distance, nearest


def _asked_blocks(n_asked: int, n_found: int) -> list[slice]:
    return row_blocks(n_asked, _CELLS_OF_ONE_FOUND * n_found)


def _found_by_tree(
    tree: Tree, points: Array, X: Array, k: int, n_found: int, metric: str
) -> tuple[Array, Array, Array]:
    """The k nearest of n_found points of the tree, and if it is sure that no other is as near."""
    of_tree, found = tree.query(X, np.arange(1, n_found + 1), p=2 if metric == "euclidean" else 1)
    asked = np.repeat(np.arange(len(X)), n_found)
    exact = _distances_of(X, asked, points, found.ravel(), metric)
    distance, nearest = nearest_of_pairs(asked, found.ravel(), exact, len(X), k)
    beyond = of_tree[:, -1] * (1 - _ROUNDING)
    sure = _farthest_that_may_tie(distance[:, -1]) < beyond
    return distance, nearest, sure | (n_found == len(points))


# by a scan of all points, with matrix products --------------------------------------------------


# A block of scores has 2^19 cells and stays near the processor.
ASKED_PER_BLOCK = 256

SCORES_PER_BLOCK = 2**19

# Where scores let more than this share of the points through, better ones are faster.
_MANY = 0.01

# Rows farther from the points than this many times their extent have no scores by products.
_FAR = 2.0**40

# The names of the metrics in SciPy.
_NAMES = {"euclidean": "euclidean", "manhattan": "cityblock"}


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
        return np.abs(self._scaled(X)).max(axis=1) > _FAR

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
            reach = np.ldexp(_farthest_that_may_tie(distance), -self._exponent)
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
        return -cdist(prepared, self.points[points], _NAMES[self.metric])

    def least(self, X: Array, distance: Array) -> Array:
        return -_farthest_that_may_tie(distance)


def scores_for(points: Array, metric: str) -> tuple[Scores, ...]:
    """Scores for a metric, the fastest first, the most exact last."""
    exact = DistanceScores(points, metric)
    if metric == "manhattan":
        return (exact,)
    return ProductScores(points, np.float32), ProductScores(points, np.float64), exact


class _Candidates:
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
        distance = _distances_of(self.X, asked, self.points, point, self.metric)
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
    many = (_MANY * min(step, n_points) + 2 * k) * len(X)
    candidates, n_settled = _Candidates(X, points, k, metric), 0
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
    distance = _distances_of(X, asked, scores.points, best.ravel(), metric)
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
