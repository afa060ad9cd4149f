"""EM with hard classes: every row belongs to its nearest centre, and to no other."""

from typing import NamedTuple

import numpy as np

from bayesic.data.blocks import in_threads, row_blocks
from bayesic.data.matrices import Matrix, dense_rows
from bayesic.kernels import Array, pick
from bayesic.mixtures.em import Climb, climb
from bayesic.mixtures.starts import feature_variances, rows_at, squared_distances

# Centres that move less than this part of the spread stand still, but for rounding; squared.
STANDS_STILL = 1e-24


class Assigned(NamedTuple):
    """What the centres have of the rows, when each row is given to the nearest of them."""

    centres: Array  # (n_clusters, n_features)
    class_count: Array  # (n_clusters,)  weight of the rows of each centre
    steps: Array  # (n_clusters, n_features)  weighted sum of x - centre over its rows
    codes: Array  # (n_rows,)  the number of the centre of each row


def assigned(X: Matrix, weights: Array, centres: Array) -> tuple[Assigned, float]:
    """Every row to its nearest centre; and the sum of squared distances, by weight.

    >>> rows = np.array([[0.0], [1.0], [9.0]])
    >>> found, inertia = assigned(rows, np.ones(3), np.array([[0.0], [8.0]]))
    >>> found.codes.tolist(), found.class_count.tolist(), inertia
    ([0, 0, 1], [2.0, 1.0], 2.0)
    """
    n_rows, n_features = X.shape
    kernels = pick("centres", n_rows * n_features * len(centres))
    codes = np.empty(n_rows, dtype=np.int64)

    def of_block(rows: slice) -> tuple[Array, Array, float]:
        values = dense_rows(X, rows)
        codes[rows], *sums = kernels.nearest_centres(values, centres, weights[rows])
        return tuple(sums)

    count, steps, inertia = np.zeros(len(centres)), np.zeros(centres.shape), 0.0
    blocks = row_blocks(n_rows, n_features / kernels.BLOCKS_AT_ONCE)
    for more_count, more_steps, more in in_threads(of_block, blocks):
        count, steps, inertia = count + more_count, steps + more_steps, inertia + more
    return Assigned(centres, count, steps, codes), inertia


def moved(X: Matrix, weights: Array, found: Assigned) -> Array:
    """The M-step: every centre to the mean of its rows. Centres without rows are placed anew.

    Each of them goes to a row that is farthest from its centre: that lowers the sum as well. If all
    rows are at their centres, it stays.
    """
    centres, has_rows = found.centres.copy(), found.class_count > 0
    centres[has_rows] += found.steps[has_rows] / found.class_count[has_rows, None]
    empty = np.flatnonzero(~has_rows)
    if len(empty):
        distance = squared_distances(X, found.centres).min(axis=0) * (weights > 0)
        farthest = np.argsort(-distance, kind="stable")[: len(empty)]
        farthest = farthest[distance[farthest] > 0]
        centres[empty[: len(farthest)]] = rows_at(X, farthest)
    return centres


def smallest_step(X: Matrix, weights: Array, tol: float) -> float:
    """Centres whose squared steps sum to no more than this stand still.

    tol : as a share of the mean variance of the features
    """
    return float(max(tol, STANDS_STILL) * feature_variances(X, weights).mean())


def nearest_means(
    X: Matrix, weights: Array, start: Array, max_iter: int, smallest: float
) -> Climb[Array, Assigned]:
    """Centres to the mean of their rows, rows to their nearest centre, in turns ([Lloyd]).

    The state is the centres, the objective minus the sum of squared distances.

    smallest : done when the squared steps of the centres sum to no more than this
    """

    def expect(centres: Array) -> tuple[Assigned, float]:
        found, inertia = assigned(X, weights, centres)
        return found, -inertia

    return climb(
        expect(start)[0],
        expect,
        lambda found: moved(X, weights, found),
        max_iter,
        settled=lambda before, after, _: bool(((after - before) ** 2).sum() <= smallest),
    )
