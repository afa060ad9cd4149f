"""EM with hard classes: every row belongs to its nearest centre, and to no other.

Also where EM begins, hard or soft: rows that lie far from each other, chosen by chance.
"""

from typing import Any, NamedTuple

import numpy as np
from scipy import sparse
from sklearn.utils.validation import check_random_state

from bayesic.data.blocks import in_threads, row_blocks
from bayesic.data.matrices import Matrix, dense_rows
from bayesic.kernels import Array, pick
from bayesic.mixtures.em import Climb, climb
from bayesic.statistics.moments import class_moments

# Centres that move less than this part of the spread stand still, but for rounding; squared.
STANDS_STILL = 1e-24


class Assigned(NamedTuple):
    """What the centres have of the rows, when each row is given to the nearest of them."""

    centres: Array  # (n_clusters, n_features)
    class_count: Array  # (n_clusters,)  weight of the rows of each centre
    steps: Array  # (n_clusters, n_features)  weighted sum of x - centre over its rows
    codes: Array  # (n_rows,)  the number of the centre of each row


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
        lambda found: _moved(X, weights, found),
        max_iter,
        settled=lambda before, after, _: bool(((after - before) ** 2).sum() <= smallest),
    )


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


def _moved(X: Matrix, weights: Array, found: Assigned) -> Array:
    """The M-step: every centre to the mean of its rows. Centres without rows are placed again.

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


def feature_variances(X: Matrix, weights: Array | None) -> Array:
    """The variance of each feature; refuses numbers that are too large to have one."""
    one_class = np.zeros(X.shape[0], dtype=np.intp)
    return class_moments(X, one_class, 1, weights).per_class.variance()[0]


def squared_distances(X: Matrix, centres: Array) -> Array:
    """|x_i - c_k|^2 of each row and centre, (n_centres, n_rows), in blocks and threads.

    >>> squared_distances(np.array([[0.0, 0.0], [3.0, 4.0]]), np.array([[0.0, 0.0]]))
    array([[ 0., 25.]])
    """
    n_rows, n_features = X.shape
    kernels = pick("centres", n_rows * n_features * len(centres))
    squares = np.empty((len(centres), n_rows))

    def fill(rows: slice) -> None:
        squares[:, rows] = kernels.squared_distances(dense_rows(X, rows), centres)

    for _ in in_threads(fill, row_blocks(n_rows, n_features / kernels.BLOCKS_AT_ONCE)):
        pass
    return squares


def rows_at(X: Matrix, numbers: Array) -> Array:
    """The rows with these numbers, as float64."""
    chosen = X[numbers].toarray() if sparse.issparse(X) else X[numbers]
    return chosen.astype(np.float64, order="C")


# where to begin -------------------------------------------------------------------------------


def generator(random_state: Any) -> np.random.Generator:
    """A generator of random numbers from whatever scikit-learn takes as random_state."""
    return np.random.default_rng(check_random_state(random_state).randint(2**31))


def random_rows(X: Matrix, weights: Array, n: int, rng: np.random.Generator) -> Array:
    """The numbers of n rows of X, all different if there are enough, by chance and weight."""
    too_few = bool(np.count_nonzero(weights) < n)
    return rng.choice(len(weights), n, replace=too_few, p=weights / weights.sum())


def spread_rows(X: Matrix, weights: Array, n: int, rng: np.random.Generator) -> Array:
    """The numbers of n rows that lie far from each other: greedy k-means++ ([Arthur]).

    The first is any row. Each further one is drawn with a probability that grows with

        w_i min over the rows k chosen so far of |x_i - x_k|^2

    a few times, and of these the one is kept that makes the sum of this least.

    weights : (n_rows,), 0 for rows that must not be chosen

    >>> X = np.array([[0.0], [0.1], [50.0], [50.1]])
    >>> sorted(spread_rows(X, np.ones(4), 2, np.random.default_rng(0)) // 2)
    [np.int64(0), np.int64(1)]
    """
    chosen = random_rows(X, weights, 1, rng)
    nearest = squared_distances(X, rows_at(X, chosen))[0]
    n_trials = 2 + int(np.log(n))
    while len(chosen) < n:
        cost = weights * nearest
        if not cost.any():  # every row has been chosen, or one like it
            return np.append(chosen, random_rows(X, weights, n - len(chosen), rng))
        trials = random_rows(X, cost, n_trials, rng)
        distances = np.minimum(nearest, squared_distances(X, rows_at(X, trials)))
        best = int((distances @ weights).argmin())
        chosen, nearest = np.append(chosen, trials[best]), distances[best]
    return chosen
