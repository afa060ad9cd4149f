"""The k nearest of the rows that were learned, with ties by the order of learning; what they say.

scikit-learn finds them. It takes any of the rows that are equally distant, and its matrix products
round. So here the distances of what it finds are added up feature by feature, in the order of the
features, in float64, and these decide. Answers therefore depend neither on the algorithm nor on
which rows are asked for together.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
from threadpoolctl import ThreadpoolController

from bayesic.data.blocks import in_threads, number_of_threads, row_blocks
from bayesic.data.matrices import equal_rows
from bayesic.kernels import Array
from bayesic.kernels.blas import one_blas_thread
from bayesic.statistics.additive import Immutable

ALGORITHMS = ("auto", "kd_tree", "brute")

METRICS = ("euclidean", "manhattan")

WEIGHTS = ("uniform", "distance")

# rows, k -> distances and numbers of the points that it takes for the k nearest, (n_rows, k) both
Search = Callable[[Array, int], tuple[Array, Array]]

_CELLS_OF_ONE_FOUND = 20  # blocks of 1000 rows for k = 5: enough of them for every thread

_MANY = 10  # times k + 1

_VANISHING = 1e-150  # squares of smaller numbers lose their digits


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
        """The k nearest rows, from the nearest points and their distances, (n_queries, ...)."""
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
        row, of_pair = self.rows[self.start[points[pair]] + number], distance.ravel()[pair]
        query = pair // nearest.shape[1]
        order = np.lexsort((row, of_pair, query))
        first = np.searchsorted(query[order], np.arange(len(nearest)))
        chosen = order[first[:, None] + np.arange(k)]
        return of_pair[chosen], row[chosen]


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
        first = self._distinct.first
        return self.values if len(first) == len(self.values) else self.values[first]

    @cached_property
    def _middle(self) -> Array:
        # products of numbers round less the smaller they are; a mean would follow outliers
        return np.median(self._points, axis=0)

    @cached_property
    def _searches(self) -> dict[tuple[str, str], Search]:
        return {}

    def _search(self, metric: str, algorithm: str) -> Search:
        """scikit-learn's search among the points, around their middle."""
        if (metric, algorithm) not in self._searches:
            points = self._points - self._middle
            self._searches[metric, algorithm] = _search_among(points, metric, algorithm)
        return self._searches[metric, algorithm]

    def nearest(
        self, X: Array, k: int, metric: str = "euclidean", algorithm: str = "auto"
    ) -> tuple[Array, Array]:
        """Distances and numbers of the k nearest rows of each row of X: (n_queries, k) both.

        Nearest first; of equally distant rows, the one learned first.

        >>> rows = NearestRows(np.array([[1.0], [5.0], [3.0]]))
        >>> rows.nearest(np.array([[4.0]]), k=2)
        (array([[1., 1.]]), array([[1, 2]]))
        """
        n_points = min(k, len(self._points))  # so many points have k rows or more
        found = self._nearest_points(X, n_points, metric, algorithm)
        return self._distinct.nearest_rows(*found, k)

    def nearest_without(
        self, rows: Array, k: int, metric: str = "euclidean", algorithm: str = "auto"
    ) -> tuple[Array, Array]:
        """The k nearest other rows of each of these rows, which are given by their numbers.

        >>> NearestRows(np.array([[1.0], [5.0], [3.0]])).nearest_without(np.array([2]), k=1)
        (array([[2.]]), array([[0]]))
        """
        distance, nearest = self.nearest(self.values[rows], k + 1, metric, algorithm)
        # a row with many equals may not be among its own k + 1 nearest: then the last one goes
        kept = nearest != rows[:, None]
        kept[kept.all(axis=1), -1] = False
        return distance[kept].reshape(-1, k), nearest[kept].reshape(-1, k)

    def _nearest_points(self, X: Array, k: int, metric: str, algorithm: str) -> tuple[Array, Array]:
        """Distances and numbers of the k nearest points of each row of X: (n_queries, k) both.

        The search is asked for one more than k. Where the distance to this last one leaves it
        open which points are the k nearest, it is asked for twice as many, and so on. If many do
        not settle it, products hide what differences show.
        """
        if algorithm == "auto":
            algorithm = faster_algorithm(self.values.shape[1])
        distance, nearest = np.empty((len(X), k)), np.empty((len(X), k), np.intp)
        unsettled, n_found = np.arange(len(X)), min(k + 1, len(self._points))

        def fill(rows: Array) -> Array:
            """Fill in these rows, and return those that are in doubt."""
            around = X[rows] - self._middle
            with _openmp().limit(limits=n_threads):
                of_search, candidates = search(around, n_found)
            candidates.sort(axis=1)  # by number: a stable sort by distance then keeps ties in order
            exact = _distances(X[rows], self._points, candidates, metric)
            order = exact.argsort(axis=1, kind="stable")[:, :k]
            distance[rows] = np.take_along_axis(exact, order, axis=1)
            nearest[rows] = np.take_along_axis(candidates, order, axis=1)
            reach = _farthest_that_may_tie(distance[rows, -1], around, metric, algorithm)
            return rows[(of_search[:, -1] <= reach) & (n_found < len(self._points))]

        while len(unsettled):
            if n_found > _MANY * (k + 1):
                algorithm = "kd_tree"
            search = self._search(metric, algorithm)
            blocks = row_blocks(len(unsettled), _CELLS_OF_ONE_FOUND * n_found)
            n_threads = max(1, number_of_threads() // len(blocks))
            with one_blas_thread():  # scikit-learn sets it too, but not for several threads at once
                in_doubt = [*in_threads(fill, (unsettled[block] for block in blocks))]
            unsettled, n_found = np.concatenate(in_doubt), min(2 * n_found, len(self._points))
        return distance, nearest


def _search_among(points: Array, metric: str, algorithm: str) -> Search:
    from sklearn.neighbors import KDTree, NearestNeighbors

    if algorithm == "kd_tree":  # by itself: NearestNeighbors would touch the filters of warnings,
        return KDTree(points, metric=metric).query  # which all threads have in common
    return NearestNeighbors(algorithm=algorithm, metric=metric).fit(points).kneighbors


def faster_algorithm(n_features: int) -> str:
    """'kd_tree' or 'brute': scikit-learn's rule, for points that fill the space.

    >>> faster_algorithm(5), faster_algorithm(50)
    ('kd_tree', 'brute')
    """
    return "kd_tree" if n_features <= 15 else "brute"


@cache
def _openmp() -> ThreadpoolController:
    return ThreadpoolController().select(user_api="openmp")


def _distances(X: Array, points: Array, indices: Array, metric: str) -> Array:
    """The distance of each row of X to the points with these indices: (n_queries, n_found).

        euclidean   d(x, y) = sqrt(sum over j of (x_j - y_j)^2)
        manhattan   d(x, y) = sum over j of |x_j - y_j|

    >>> _distances(np.array([[3.0, 0.0]]), np.array([[0.0, 4.0]]), np.array([[0]]), "euclidean")
    array([[5.]])
    >>> _distances(np.array([[3.0, 0.0]]), np.array([[0.0, 4.0]]), np.array([[0]]), "manhattan")
    array([[7.]])
    """
    total = np.zeros(indices.shape)
    for feature in range(X.shape[1]):
        difference = X[:, feature, None] - points[indices, feature]
        total += difference**2 if metric == "euclidean" else np.abs(difference)
    return np.sqrt(total) if metric == "euclidean" else total


def _farthest_that_may_tie(distance: Array, around: Array, metric: str, algorithm: str) -> Array:
    """How far the search may put a point that is not farther than these distances: (n_queries,).

    Brute force adds up |x|^2 - 2 x.y + |y|^2 for the Euclidean distance, all others add up
    differences. The error of a sum of p products is at most p eps times the sum of their absolute
    values ([Higham] section 3.1), and |y| is at most |x| + d(x, y). The factor 4 and the 10 leave
    room for the other roundings.

    around : (n_queries, n_features), the rows of the query, from the middle of the points
    """
    rounding = 4 * (around.shape[1] + 10) * np.finfo(np.float64).eps
    size = np.linalg.norm(around, 1 if metric == "manhattan" else 2, axis=1) + distance
    if (metric, algorithm) == ("euclidean", "brute"):
        return np.hypot(distance, np.sqrt(rounding) * size) + _VANISHING
    return distance + rounding * size + _VANISHING


def neighbour_weights(distance: Array, weights: str) -> Array:
    """How much each of the k neighbours counts: (n_queries, k), k in all for each row.

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
    """The share of each class among the neighbours: (n_queries, n_classes).

        P(c | x) = (k_c + lambda) / (k + K lambda)

    k_c is the weight of the neighbours of class c, k that of all of them, K the number of classes.
    lambda = 0 gives the plain shares, lambda = 1 those of Laplace.

    codes   : (n_queries, k), the class number of each neighbour
    weights : (n_queries, k), as `neighbour_weights` gives them

    >>> class_shares(np.array([[0, 1, 1]]), np.ones((1, 3)), n_classes=2, smoothing=1.0)
    array([[0.4, 0.6]])
    """
    n_queries, k = codes.shape
    shares = np.full((n_queries, n_classes), float(smoothing))
    for neighbour in range(k):  # one after the other: a row does not depend on its neighbours
        shares[np.arange(n_queries), codes[:, neighbour]] += weights[:, neighbour]
    return shares / (k + n_classes * smoothing)


def neighbour_means(targets: Array, weights: Array) -> Array:
    """The weighted mean of the neighbours' targets: (n_queries, n_outputs).

        f(x) = sum over i of w_i y_i / k

    targets : (n_queries, k, n_outputs)

    >>> neighbour_means(np.array([[[1.0], [2.0], [6.0]]]), np.ones((1, 3)))
    array([[3.]])
    """
    n_queries, k, n_outputs = targets.shape
    total = np.zeros((n_queries, n_outputs))
    for neighbour in range(k):
        total += weights[:, neighbour, None] * targets[:, neighbour]
    return total / k
