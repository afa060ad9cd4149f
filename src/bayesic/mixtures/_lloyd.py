"""EM with hard classes: every row belongs to its nearest centre, and to no other.

Also the starting points of EM, hard or soft: random rows that lie far from each other.
"""

from typing import NamedTuple

import numpy as np
from scipy import sparse

from bayesic.data.blocks import in_threads, row_blocks
from bayesic.data.matrices import Matrix, dense_rows
from bayesic.data.typing import RandomState
from bayesic.kernels import Array, pick
from bayesic.mixtures.em import Climb, climb
from bayesic.statistics.moments import class_moments

# Centres whose squared steps sum to less than this share of the variance move by rounding alone.
ROUNDING_STEP = 1e-24


class Assignment(NamedTuple):
    """Each row assigned to its nearest centre, with the sums from which the centres move."""

    centres: Array  # (n_clusters, n_features)
    class_count: Array  # (n_clusters,)  weight of the rows of each centre
    steps: Array  # (n_clusters, n_features)  weighted sum of x - centre over its rows
    codes: Array  # (n_rows,)  the index of the centre of each row


def nearest_means(
    X: Matrix, weights: Array, start: Array, max_iter: int, smallest: float
) -> Climb[Array, Assignment]:
    """Move centres to the mean of their rows and rows to their nearest centre, in turn ([Lloyd]).

    The state is the centres; the objective is minus the sum of squared distances.

    smallest : converged when the squared steps of the centres sum to no more than this
    """

    def expect(centres: Array) -> tuple[Assignment, float]:
        assignment, inertia = assigned(X, weights, centres)
        return assignment, -inertia

    return climb(
        expect(start)[0],
        expect,
        lambda assignment: _moved(X, weights, assignment),
        max_iter,
        settled=lambda before, after, _: bool(((after - before) ** 2).sum() <= smallest),
    )


def assigned(X: Matrix, weights: Array, centres: Array) -> tuple[Assignment, float]:
    """Assign every row to its nearest centre; also the weighted sum of squared distances.

    >>> rows = np.array([[0.0], [1.0], [9.0]])
    >>> assignment, inertia = assigned(rows, np.ones(3), np.array([[0.0], [8.0]]))
    >>> assignment.codes.tolist(), assignment.class_count.tolist(), inertia
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
    return Assignment(centres, count, steps, codes), inertia


def _moved(X: Matrix, weights: Array, assignment: Assignment) -> Array:
    """The M-step: move every centre to the mean of its rows.

    A centre without rows moves to the row that is farthest from its own centre, which lowers the
    sum of squares as well. If all rows are at their centres, it stays.
    """
    centres, has_rows = assignment.centres.copy(), assignment.class_count > 0
    centres[has_rows] += assignment.steps[has_rows] / assignment.class_count[has_rows, None]
    empty = np.flatnonzero(~has_rows)
    if len(empty):
        distance = squared_distances(X, assignment.centres).min(axis=0) * (weights > 0)
        farthest = np.argsort(-distance, kind="stable")[: len(empty)]
        farthest = farthest[distance[farthest] > 0]
        centres[empty[: len(farthest)]] = rows_at(X, farthest)
    return centres


def smallest_step(X: Matrix, weights: Array, tol: float) -> float:
    """The sum of the squared steps of the centres at which k-means has converged.

    tol : as a share of the mean variance of the features
    """
    return float(max(tol, ROUNDING_STEP) * feature_variances(X, weights).mean())


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


def rows_at(X: Matrix, indices: Array) -> Array:
    """The rows with these indices, as float64."""
    chosen = X[indices].toarray() if sparse.issparse(X) else X[indices]
    return chosen.astype(np.float64, order="C")


# starting points -------------------------------------------------------------------------------


def generator(random_state: RandomState) -> np.random.Generator:
    """A NumPy generator from any random_state that scikit-learn accepts."""
    from sklearn.utils.validation import check_random_state  # takes long to load

    return np.random.default_rng(check_random_state(random_state).randint(2**31))


def random_rows(X: Matrix, weights: Array, n: int, rng: np.random.Generator) -> Array:
    """The indices of n rows of X drawn by weight, all different if there are enough."""
    too_few = bool(np.count_nonzero(weights) < n)
    return rng.choice(len(weights), n, replace=too_few, p=weights / weights.sum())


def spread_rows(X: Matrix, weights: Array, n: int, rng: np.random.Generator) -> Array:
    """The indices of n rows that lie far from each other: greedy k-means++ ([Arthur]).

    The first is any row. For each further one a few candidates are drawn with probabilities
    proportional to

        w_i min over the rows k chosen so far of |x_i - x_k|^2

    and the candidate that makes the sum of this smallest is kept.

    weights : (n_rows,), 0 for rows that must not be chosen

    >>> X = np.array([[0.0], [0.1], [50.0], [50.1]])
    >>> sorted(spread_rows(X, np.ones(4), 2, np.random.default_rng(0)) // 2)
    [np.int64(0), np.int64(1)]
    """
    chosen = random_rows(X, weights, 1, rng)
    nearest = squared_distances(X, rows_at(X, chosen))[0]
    n_candidates = 2 + int(np.log(n))
    while len(chosen) < n:
        cost = weights * nearest
        if not cost.any():  # every row has been chosen, or an equal one
            return np.append(chosen, random_rows(X, weights, n - len(chosen), rng))
        candidates = random_rows(X, cost, n_candidates, rng)
        distances = np.minimum(nearest, squared_distances(X, rows_at(X, candidates)))
        best = int((distances @ weights).argmin())
        chosen, nearest = np.append(chosen, candidates[best]), distances[best]
    return chosen
