"""How well one column alone tells the class, each row judged by all others."""

import numpy as np

from bayesic.kernels.leaving import left_at, own_class

Array = np.ndarray


def class_log_score(log_likelihood: Array, codes: Array, count: Array, n_rows: Array) -> float:
    """Sum over rows of log P(class of the row | its value), the row itself left out.

        P(c | x) ~ (N_c + 1) / (N + K) * p(x | c)

    Rows that are alike are given once, with their number:

    log_likelihood : (n, n_classes), log p(x | c) without the row
    codes, count   : the class of such rows, and how many there are
    n_rows         : (n_classes,), rows of each class in all

    >>> sure = np.log([[0.9, 0.1], [0.1, 0.9]])
    >>> score = class_log_score(sure, np.array([0, 1]), np.array([3, 3]), np.array([3, 3]))
    >>> round(score, 4), round(6 * np.log(0.9 * 3 / (0.9 * 3 + 0.1 * 4)), 4)
    (-0.8289, np.float64(-0.8289))
    """
    own = own_class(codes)
    rest = left_at(np.tile(n_rows, (len(codes), 1)), own, np.minimum(count, 1))
    log_prior = np.log(rest + 1)
    scores = log_prior + log_likelihood
    impossible = np.isneginf(scores).all(axis=1)
    scores[impossible] = log_prior[impossible]  # what no class can explain tells nothing
    log_posterior = scores[own] - np.logaddexp.reduce(scores, axis=1)
    return float((count * log_posterior).sum())
