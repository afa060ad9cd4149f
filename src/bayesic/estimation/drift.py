"""How much evidence has changed: log scores under later counts, less those under earlier ones."""

import numpy as np

from bayesic.estimation.smoothing import GivenShares, Lambda, Smoothing, smoothed_log_shares
from bayesic.kernels import Array


def mean_changes(table: Array, log_later: Array, log_earlier: Array, n_rows: float) -> Array:
    """The contribution of each value to the mean difference of log scores: (n_values,).

        D_v = sum over classes c of  N_cv / N  (log p(v | c) - log p'(v | c))

    table : N_cv of the N later rows, (n_values, n_classes), the shape of the log scores

    >>> logs = np.log([[0.5], [0.5]]), np.log([[0.25], [0.75]])
    >>> mean_changes(np.array([[1], [1]]), *logs, n_rows=2).round(4)
    array([ 0.3466, -0.2027])
    """
    with np.errstate(invalid="ignore"):  # -inf on both sides, where there is no row
        parts = table * (log_later - log_earlier)
    return np.where(table > 0, parts, 0.0).sum(axis=1) / n_rows


def share_changes(later: Array, earlier: Array, rule: Smoothing, n_rows: float) -> Array:
    """The same for levels: p(v | c) = (N_cv + a_v) / (N_c + A) over the levels of both.

    later, earlier : counts of the same levels, (n_levels, n_classes)
    """
    if isinstance(rule, GivenShares):  # given for the levels of one of the two only
        rule = Lambda(1.0)
    now, then = (smoothed_log_shares(table, len(table), rule)[:-1] for table in (later, earlier))
    return mean_changes(later, now, then, n_rows)
