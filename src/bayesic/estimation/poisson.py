"""Moments of a column of counts -> the Poisson rate of each class.

    rate_c = (sum of x over the rows of c + t) / (N_c + 1)

t is the mean over all rows: as if each class had one more row, the usual one. A column of zeros
alone has the rate 1 / (2 (N + 1)) everywhere: it tells nothing, and no count is impossible.
"""

import numpy as np

from bayesic.kernels.leaving import left_at, own_class
from bayesic.statistics.moments import Moments

Array = np.ndarray


def poisson_rates(moments: Moments) -> Array:
    """The rate of each class: (n_classes,). moments are those of one column.

    >>> one_row_and_two = Moments(*np.array([[[1.0], [2.0]], [[5.0], [2.0]], [[0.0], [2.0]]]))
    >>> poisson_rates(one_row_and_two)  # t = 3: (5 + 3) / 2 and (4 + 3) / 3
    array([4.        , 2.33333333])
    """
    count = moments.count[:, 0]
    total = count * moments.mean[:, 0]
    return _rates(count, total, total.sum(), count.sum())


def rates_without(moments: Moments, values: Array, codes: Array, weights: Array) -> Array:
    """The rates with each row taken out in turn: (n_rows, n_classes)."""
    own, shape = own_class(codes), (len(codes), len(moments.count))
    per_class = moments.count[:, 0], moments.count[:, 0] * moments.mean[:, 0]
    count, total = (
        left_at(np.broadcast_to(sums, shape), own, removed)
        for sums, removed in zip(per_class, (weights, weights * values), strict=True)
    )
    return _rates(count, total, total.sum(axis=1, keepdims=True), count.sum(axis=1, keepdims=True))


def _rates(count: Array, total: Array, all_total: Array, n_rows: Array) -> Array:
    usual = all_total / np.where(n_rows > 0, n_rows, 1.0)
    rates = (total + usual) / (count + 1)
    return np.where(all_total > 0, rates, 0.5 / (n_rows + 1))
