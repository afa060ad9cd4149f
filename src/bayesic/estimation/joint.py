"""The joint table of all columns -> the smoothed share of a row in each class.

    p(x | c) = (N_c(x) + lambda M) / (N_c + lambda S),   S = S_1 * ... * S_J

N_c(x) counts the complete rows of class c that agree with x where x is observed, N_c all of them.
S_j is the number of levels of column j, M their product over the columns that are not observed in
x, which are summed out. S soon exceeds every float, so products of levels are sums of logarithms.
"""

import numpy as np

from bayesic.estimation.dirichlet_evidence import log_rising
from bayesic.kernels import Array
from bayesic.kernels.leaving import left_at, own_class
from bayesic.statistics.joint import JointCounts, row_keys, summed_at

_LARGEST_LOG = 600.0  # exp of it is finite, and stays so times any count


def joint_log_shares(statistics: JointCounts, levels: Array, smoothing: float) -> Array:
    """log p(x | c) of rows of codes: (n_rows, n_classes).

    levels : (n_rows, n_columns); -1 is not observed, the number of levels of a
        column one that was never seen

    >>> sky = JointCounts(np.array([2, 1]), {"sky": ("rain", "sun")}, np.array([[0], [1]]),
    ...     np.array([[2, 0], [0, 1]]))
    >>> np.exp(joint_log_shares(sky, np.array([[0], [2], [-1]]), smoothing=1)).round(4)
    array([[0.75  , 0.3333],
           [0.25  , 0.3333],
           [1.    , 1.    ]])
    """
    log_levels = np.log(np.maximum(statistics.n_levels, 1))
    log_missing = np.where(levels < 0, log_levels, 0.0).sum(axis=1)
    counts = statistics.counts_of(levels)
    return _log_shares(counts, statistics.n_complete, log_missing, log_levels.sum(), smoothing)


def joint_log_shares_without(
    statistics: JointCounts, levels: Array, codes: Array, weights: Array, smoothing: float
) -> Array:
    """The same for learned rows, each taken out of the table first.

    Levels that no other row has do not count without it. A row with a gap is not in the table.
    codes and weights give the class and the weight of each row.
    """
    own = own_class(codes)
    removed = np.where((levels >= 0).all(axis=1), weights, 0.0)
    counts = statistics.counts_of(levels)
    rest = left_at(counts, own, removed)
    complete = left_at(np.broadcast_to(statistics.n_complete, rest.shape), own, removed)
    gone = (counts.sum(axis=1) > 0) & (rest.sum(axis=1) == 0)
    n_levels = statistics.n_levels - (gone[:, None] & _only_in_one_row(statistics, levels))
    log_levels = np.log(np.maximum(n_levels, 1))
    log_missing = np.where(levels < 0, log_levels, 0.0).sum(axis=1)
    return _log_shares(rest, complete, log_missing, log_levels.sum(axis=1), smoothing)


def joint_log_evidence(statistics: JointCounts, columns: list[int], smoothing: float) -> float:
    """log P of some columns of the rows given their classes, with the shares integrated out.

    Each of the S combinations of levels has a pseudo-count of lambda: those of a combination of
    some columns are lambda M, for the M combinations of levels of the others.

    >>> sky = JointCounts(np.array([2, 1]), {"sky": ("rain", "sun")}, np.array([[0], [1]]),
    ...     np.array([[2, 0], [0, 1]]))
    >>> float(np.exp(joint_log_evidence(sky, [0], smoothing=1)).round(4))  # 1/2 * 2/3 * 1/2
    0.1667
    """
    keys = row_keys(statistics.rows[:, columns], statistics.n_levels[columns])
    distinct, index = np.unique(keys, return_inverse=True)
    counts = summed_at(index, statistics.table, len(distinct))
    log_levels = np.log(statistics.n_levels)
    log_all = np.log(smoothing) + log_levels.sum()
    log_each = log_all - log_levels[columns].sum()
    return float(_log_rising_of_log(log_each, counts).sum()) - float(
        _log_rising_of_log(log_all, statistics.n_complete).sum()
    )


def _log_rising_of_log(log_start: float, count: Array) -> Array:
    """log_rising of exp(log_start), which may be too large for a float: there it is n log a."""
    bounded = min(log_start, _LARGEST_LOG)
    return log_rising(np.exp(bounded), count) + (log_start - bounded) * count


def _only_in_one_row(statistics: JointCounts, levels: Array) -> Array:
    """Whether the level of each cell occurs in no more than one row of the table."""
    alone = np.empty(levels.shape, bool)
    for column, size in enumerate(statistics.n_levels):
        # one bin more for levels never seen, and one for cells that were not observed
        n_rows = np.bincount(statistics.rows[:, column], minlength=size + 2)
        alone[:, column] = n_rows[levels[:, column]] == 1
    return alone


def _log_shares(
    counts: Array, totals: Array, log_missing: Array, log_cells: Array, smoothing: float
) -> Array:
    """log(N(x) + lambda M) - log(N + lambda S); the limit of lambda going to 0 where both are 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        log_smoothing = np.log(float(smoothing))
        smoothed = np.logaddexp(np.log(counts), (log_smoothing + log_missing)[:, None])
        log_totals = np.logaddexp(np.log(totals), np.reshape(log_smoothing + log_cells, (-1, 1)))
        shares = smoothed - log_totals
    return np.where(np.isneginf(log_totals), (log_missing - log_cells)[:, None], shares)
