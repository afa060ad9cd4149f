"""Leave-one-out for linear discriminants, by changes of rank one."""

import numpy as np

from bayesic.estimation.covariance import least_eigenvalue
from bayesic.estimation.rank_one import NEARLY_SINGULAR, LeftOut, changed_squares, groups_of
from bayesic.statistics.cross_moments import CrossMoments

Array = np.ndarray

# A spread that is this many times the least that counts stays above it when a row leaves.
SAFE = 10.0


def linear_scores_without(
    moments: CrossMoments, rows: LeftOut, given_prior: Array | None, tol: float
) -> tuple[Array, Array]:
    """log p(x | c) of each row, not learned, up to what is the same for all classes of that row.

        -1/2 (x - mean_c) S^-1 (x - mean_c),    S = M - b v v^T,    v = x - mean of its class

    S is the covariance within the classes without the row: sum of scatter_c / N, or with a given
    prior sum of P(c) scatter_c / n_c. See `rank_one.py` for M and b.

    Returns the scores (n_rows, n_classes), and the rows that must be learned again one by one
    because a direction may lose its spread: at most tol, in units of the spread of the features.
    """
    scores = np.zeros((len(rows.codes), len(moments.class_count)))
    again = np.ones(len(rows.codes), dtype=bool)
    limit = max((SAFE * tol) ** 2, NEARLY_SINGULAR)
    for group in groups_of(rows, moments.class_count):
        rest, own = group.rest, group.own
        if not rest.all():
            continue
        share = np.full(len(rest), 1 / rest.sum()) if given_prior is None else given_prior / rest
        matrix = np.tensordot(share, moments.scatter, axes=1)
        least = least_eigenvalue(matrix)
        if least <= limit:
            continue
        whitening = np.linalg.inv(np.linalg.cholesky(matrix)).T
        values = rows.values[group.chosen]
        v = values - moments.mean[own]
        for c in range(len(rest)):
            u = v * group.growth if c == own else values - moments.mean[c]
            squares, kept = changed_squares(u, v, whitening, share[own] * group.lost)
            scores[group.chosen, c] = -0.5 * squares
        again[group.chosen] = least * kept <= limit
    return scores, again
