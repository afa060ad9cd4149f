"""Distances of pairs of rows, and the nearest of them, the same on every road.

A distance is always added up feature by feature, in the order of the features, in float64. So it
does not hang on the way in which a pair was found, nor on the rows beside it.
"""

import numpy as np

from bayesic.data.blocks import row_blocks

Array = np.ndarray

METRICS = ("euclidean", "manhattan")

# Distances that are found by other sums agree with ours to more digits than this, also with a
# million features. Below the second number squares lose their digits, or vanish.
ROUNDING = 1e-9
VANISHING = 1e-150


def pair_distances(differences: Array, metric: str) -> Array:
    """The length of each row of differences: (n_pairs,).

        euclidean   d(x, y) = sqrt(sum over j of (x_j - y_j)^2)
        manhattan   d(x, y) = sum over j of |x_j - y_j|

    >>> pair_distances(np.array([[3.0, -4.0]]), "euclidean")
    array([5.])
    >>> pair_distances(np.array([[3.0, -4.0]]), "manhattan")
    array([7.])
    """
    terms = differences**2 if metric == "euclidean" else np.abs(differences)
    total = np.zeros(len(differences))
    for feature in range(differences.shape[1]):
        total += terms[:, feature]
    return np.sqrt(total) if metric == "euclidean" else total


def distances_of(X: Array, asked: Array, points: Array, point: Array, metric: str) -> Array:
    """Distances of the pairs X[asked], points[point], in parts that stay near the processor."""
    out = np.empty(len(asked))
    for part in row_blocks(len(asked), X.shape[1]):
        out[part] = pair_distances(X[asked[part]] - points[point[part]], metric)
    return out


def farthest_that_may_tie(distance: Array) -> Array:
    """How far other sums may put a point that is not farther than these distances."""
    return distance * (1 + ROUNDING) + VANISHING


def nearest_of_pairs(
    asked: Array, row: Array, distance: Array, n_asked: int, k: int
) -> tuple[Array, Array]:
    """The k nearest rows of each row that is asked for, from a list of pairs in any order.

    Nearest first; of rows that are equally far, the one with the smaller number first. Returns
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
