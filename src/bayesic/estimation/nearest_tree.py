"""The nearest points by a k-d tree, for few features."""

from typing import Any

import numpy as np
from scipy.spatial import cKDTree

from bayesic.data.blocks import in_threads, row_blocks
from bayesic.estimation.distances import (
    ROUNDING,
    distances_of,
    farthest_that_may_tie,
    nearest_of_pairs,
)

Array = np.ndarray
Tree = Any  # scipy.spatial.cKDTree

LEAF = 32  # points; the fastest of 8, 16 and 32 for 300,000 points with 5 features
CELLS_OF_ONE_FOUND = 20  # blocks of 1000 rows for k = 5: enough of them for every thread


def tree_of(points: Array) -> Tree:
    """The tree of these points; it serves every metric."""
    return cKDTree(points, leafsize=LEAF, balanced_tree=False)


def nearest_by_tree(
    tree: Tree, points: Array, X: Array, k: int, metric: str
) -> tuple[Array, Array]:
    """Distances and numbers of the k nearest points of each row of X: (n_asked, k) both.

    The tree adds up distances in another order than we do, and takes any of the points that are
    equally far. So it is asked for one more than k. Where the distance to this last one leaves a
    doubt who is among the k nearest, it is asked for twice as many, and so on.
    """
    distance, nearest = np.empty((len(X), k)), np.empty((len(X), k), np.intp)
    # neighbours after one another go down the same branches of the tree
    in_order = cKDTree(X, leafsize=LEAF, balanced_tree=False).indices

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
    return row_blocks(n_asked, CELLS_OF_ONE_FOUND * n_found)


def _found_by_tree(
    tree: Tree, points: Array, X: Array, k: int, n_found: int, metric: str
) -> tuple[Array, Array, Array]:
    """The k nearest of n_found points of the tree, and if it is sure that no other is as near."""
    of_tree, found = tree.query(X, np.arange(1, n_found + 1), p=2 if metric == "euclidean" else 1)
    asked = np.repeat(np.arange(len(X)), n_found)
    exact = distances_of(X, asked, points, found.ravel(), metric)
    distance, nearest = nearest_of_pairs(asked, found.ravel(), exact, len(X), k)
    beyond = of_tree[:, -1] * (1 - ROUNDING)
    sure = farthest_that_may_tie(distance[:, -1]) < beyond
    return distance, nearest, sure | (n_found == len(points))
