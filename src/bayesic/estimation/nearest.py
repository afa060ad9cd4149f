"""The k nearest of the rows that were learned, exact and the same on both roads; what they say."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from bayesic.data.blocks import row_blocks
from bayesic.data.matrices import equal_rows
from bayesic.estimation.nearest_search import (
    METRICS,
    Scores,
    Tree,
    nearest_by_scan,
    nearest_by_tree,
    nearest_of_pairs,
    scores_for,
    tree_of,
)
from bayesic.kernels import Array
from bayesic.statistics.additive import Immutable

ROADS = ("auto", "kd_tree", "brute")

# The tree is faster up to here, whatever the number of points: benchmarks/NEIGHBOURS.md.
MOST_FEATURES_OF_A_TREE = 8

WEIGHTS = ("uniform", "distance")


@dataclass(frozen=True, eq=False)
class _Distinct(Immutable):
    """The different ones among some rows, and the rows that are equal to each of them.

    Points are in the order of their first rows. So of two points that are equally distant from
    something, the one with the smaller number has the row that was learned first.
    """

    first: Array  # (n_points,)  the first row of each point
    rows: Array  # (n_rows,)     all rows, point by point
    start: Array  # (n_points,)  where the rows of each point begin
    count: Array  # (n_points,)  how many there are

    @classmethod
    def of(cls, values: Array) -> "_Distinct":
        """The different rows of a matrix."""
        first, point = equal_rows(values)
        count = np.bincount(point, minlength=len(first))
        return cls(first, np.argsort(point, kind="stable"), np.cumsum(count) - count, count)

    def nearest_rows(self, distance: Array, nearest: Array, k: int) -> tuple[Array, Array]:
        """The k nearest rows, from the nearest points and their distances, (n_asked, ...)."""
        if len(self.first) == len(self.rows):
            return distance, self.first[nearest]
        out = np.empty((len(nearest), k)), np.empty((len(nearest), k), np.intp)
        for block in row_blocks(len(nearest), k * nearest.shape[1]):
            out[0][block], out[1][block] = self._rows_of(distance[block], nearest[block], k)
        return out

    def _rows_of(self, distance: Array, nearest: Array, k: int) -> tuple[Array, Array]:
        points = nearest.ravel()
        n_rows = np.minimum(self.count[points], k)
        pair = np.repeat(np.arange(len(points)), n_rows)
        number = np.arange(len(pair)) - np.repeat(np.cumsum(n_rows) - n_rows, n_rows)
        row = self.rows[self.start[points[pair]] + number]
        asked = pair // nearest.shape[1]
        return nearest_of_pairs(asked, row, distance.ravel()[pair], len(nearest), k)


@dataclass(frozen=True, eq=False)
class NearestRows(Immutable):
    """Rows to be searched. What the search needs is made when it is first needed, and kept."""

    values: Array  # float64 (n_rows, n_features)

    def __getstate__(self) -> dict[str, Array]:
        return {"values": self.values}  # a pickle need not hold what can be made again

    @cached_property
    def _distinct(self) -> _Distinct:
        return _Distinct.of(self.values)

    @cached_property
    def _points(self) -> Array:
        distinct = self._distinct.first
        return self.values if len(distinct) == len(self.values) else self.values[distinct]

    @cached_property
    def _tree(self) -> Tree:
        return tree_of(self._points)

    @cached_property
    def _scores(self) -> dict[str, tuple[Scores, ...]]:
        return {metric: scores_for(self._points, metric) for metric in METRICS}

    def nearest(
        self, X: Array, k: int, metric: str = "euclidean", road: str = "auto"
    ) -> tuple[Array, Array]:
        """Distances and numbers of the k nearest rows of each row of X: (n_asked, k) both.

        Nearest first; of equally distant rows, the one learned first.

        >>> rows = NearestRows(np.array([[1.0], [5.0], [3.0]]))
        >>> rows.nearest(np.array([[4.0]]), k=2)
        (array([[1., 1.]]), array([[1, 2]]))
        """
        n_points = min(k, len(self._points))  # so many points have k rows or more
        if road == "auto":
            road = faster_road(self.values.shape[1])
        if road == "kd_tree":
            found = nearest_by_tree(self._tree, self._points, X, n_points, metric)
        else:
            found = nearest_by_scan(self._scores[metric], X, n_points, metric)
        return self._distinct.nearest_rows(*found, k)

    def nearest_without(
        self, rows: Array, k: int, metric: str = "euclidean", road: str = "auto"
    ) -> tuple[Array, Array]:
        """The k nearest other rows of each of these rows, which are given by their numbers.

        >>> NearestRows(np.array([[1.0], [5.0], [3.0]])).nearest_without(np.array([2]), k=1)
        (array([[2.]]), array([[0]]))
        """
        distance, nearest = self.nearest(self.values[rows], k + 1, metric, road)
        # a row with many equals may not be among its own k + 1 nearest: then the last one goes
        kept = nearest != rows[:, None]
        kept[kept.all(axis=1), -1] = False
        return distance[kept].reshape(-1, k), nearest[kept].reshape(-1, k)


def faster_road(n_features: int) -> str:
    """'kd_tree' or 'brute', whichever is faster for points that fill the space.

    >>> faster_road(5), faster_road(50)
    ('kd_tree', 'brute')
    """
    return "kd_tree" if n_features <= MOST_FEATURES_OF_A_TREE else "brute"


def neighbour_weights(distance: Array, weights: str) -> Array:
    """How much each of the k neighbours counts: (n_asked, k), k in all for each row.

        uniform    w_i = 1
        distance   w_i ~ 1 / d_i

    If neighbours are at distance 0, they share the weight and the others count nothing.

    >>> neighbour_weights(np.array([[1.0, 3.0], [0.0, 3.0]]), "distance")
    array([[1.5, 0.5],
           [2. , 0. ]])
    """
    if weights == "uniform":
        return np.ones_like(distance)
    nearest = distance[:, :1]
    # relative to the nearest: 1 / d alone could be too large for a number
    closeness = np.where(distance == nearest, 1.0, nearest / np.where(distance == 0, 1.0, distance))
    total = np.zeros_like(nearest)
    for neighbour in range(distance.shape[1]):
        total += closeness[:, neighbour, None]
    return closeness * (distance.shape[1] / total)


def class_shares(codes: Array, weights: Array, n_classes: int, smoothing: float) -> Array:
    """The share of each class among the neighbours: (n_asked, n_classes).

        P(c | x) = (k_c + lambda) / (k + K lambda)

    k_c is the weight of the neighbours of class c, k that of all of them, K the number of classes.
    lambda = 0 gives the plain shares, lambda = 1 those of Laplace.

    codes   : (n_asked, k), the class number of each neighbour
    weights : (n_asked, k), as `neighbour_weights` gives them

    >>> class_shares(np.array([[0, 1, 1]]), np.ones((1, 3)), n_classes=2, smoothing=1.0)
    array([[0.4, 0.6]])
    """
    n_asked, k = codes.shape
    shares = np.full((n_asked, n_classes), float(smoothing))
    for neighbour in range(k):  # one after the other: a row does not depend on its neighbours
        shares[np.arange(n_asked), codes[:, neighbour]] += weights[:, neighbour]
    return shares / (k + n_classes * smoothing)


def neighbour_means(targets: Array, weights: Array) -> Array:
    """The weighted mean of the neighbours' targets: (n_asked, n_outputs).

        f(x) = sum over i of w_i y_i / k

    targets : (n_asked, k, n_outputs)

    >>> neighbour_means(np.array([[[1.0], [2.0], [6.0]]]), np.ones((1, 3)))
    array([[3.]])
    """
    n_asked, k, n_outputs = targets.shape
    total = np.zeros((n_asked, n_outputs))
    for neighbour in range(k):
        total += weights[:, neighbour, None] * targets[:, neighbour]
    return total / k
