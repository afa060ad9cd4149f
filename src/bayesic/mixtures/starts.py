"""Where EM begins: rows that lie far from each other, chosen by chance."""

from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils.validation import check_random_state

from bayesic.data.blocks import in_threads, row_blocks
from bayesic.data.matrices import Matrix, dense_rows
from bayesic.kernels import Array, pick
from bayesic.statistics.moments import class_moments


def generator(random_state: Any) -> np.random.Generator:
    """A generator of random numbers from whatever scikit-learn takes as random_state."""
    return np.random.default_rng(check_random_state(random_state).randint(2**31))


def rows_at(X: Matrix, numbers: Array) -> Array:
    """The rows with these numbers, as float64."""
    chosen = X[numbers].toarray() if sparse.issparse(X) else X[numbers]
    return chosen.astype(np.float64, order="C")


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


def random_rows(X: Matrix, weights: Array, n: int, rng: np.random.Generator) -> Array:
    """The numbers of n rows of X, all different if there are enough, by chance and weight."""
    return _drawn(weights, n, rng)


def _drawn(weights: Array, n: int, rng: np.random.Generator) -> Array:
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
    chosen = _drawn(weights, 1, rng)
    nearest = squared_distances(X, rows_at(X, chosen))[0]
    n_trials = 2 + int(np.log(n))
    while len(chosen) < n:
        cost = weights * nearest
        if not cost.any():  # every row has been chosen, or one like it
            return np.append(chosen, _drawn(weights, n - len(chosen), rng))
        trials = _drawn(cost, n_trials, rng)
        distances = np.minimum(nearest, squared_distances(X, rows_at(X, trials)))
        best = int((distances @ weights).argmin())
        chosen, nearest = np.append(chosen, trials[best]), distances[best]
    return chosen
