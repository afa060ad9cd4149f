"""Counts -> log probabilities: relative frequencies, smoothed with lambda (here `alpha`).

Everywhere alpha = 0 is the limit of alpha going to 0: plain relative frequencies, the logarithm of
a share of nothing is -inf, and equal shares where nothing at all was counted.
"""

import numpy as np

from bayesic.kernels.leaving import left, log_shares
from bayesic.statistics.categories import CategoryCounts, first_rows

Array = np.ndarray


def smoothed_log_probability(feature_count: Array, alpha: float | Array) -> Array:
    """Log of the smoothed share of each feature within each class.

        log p(t | c) = log(T_ct + alpha) - log(T_c + alpha V)

    T_ct counts feature t in class c, T_c sums it over the V features; alpha may differ by feature.
    With alpha = 1 this is [IIR] eq. 13.7 and the rule of [Mitchell] table 6.2.

    >>> np.exp(smoothed_log_probability(np.array([[5, 0, 1]]), alpha=1)).round(4)
    array([[0.6667, 0.1111, 0.2222]])
    """
    smoothed = feature_count + alpha
    return log_shares(smoothed, smoothed.sum(axis=1, keepdims=True), smoothed.shape[1])


def presence_log_probability(
    present: Array, absent: Array, alpha: float | Array, without: float = 0.0
) -> tuple[Array, Array]:
    """Log of the smoothed share of rows with, and without, each feature in each class.

        p(j | c) = (present_cj + alpha) / (present_cj + absent_cj + 2 alpha)      [IIR] fig. 13.3

    Both come from counts: 1 - exp(log p) would lose all digits as p nears 1. `without` is the
    weight of a row to be left out, one with the feature and one without it, respectively.

    >>> with_feature, without = presence_log_probability(np.array([[3]]), np.array([[0]]), alpha=1)
    >>> np.exp(with_feature), np.exp(without)
    (array([[0.8]]), array([[0.2]]))
    """
    total = left(present + absent, without) + 2 * np.asarray(alpha)
    return (
        log_shares(left(present, without) + alpha, total, 2),
        log_shares(left(absent, without) + alpha, total, 2),
    )


def category_log_probability(
    counts: CategoryCounts, n_categories: Array, alpha: float, without: float = 0.0
) -> tuple[Array, Array]:
    """Log of the smoothed share of each category of each feature in each class.

        log p(x_j = v | c) = log(N_cjv + alpha) - log(N_cj + S_j alpha)      [LiHang] eq. 4.10

    N_cjv counts category v of feature j in class c, N_cj sums it over the categories, S_j is
    n_categories[j]. Returns the tables below each other, (rows, n_classes), and where each begins.
    Every feature has one row more than categories, the last: the share of an unseen value,
    alpha / (N_cj + S_j alpha). `without` is the weight of a row to be left out, one that has the
    category.
    """
    table = left(counts.padded_table(n_categories + 1), without) + alpha
    total = left(counts.observed(), without) + alpha * n_categories[:, None]
    feature = np.repeat(np.arange(len(n_categories)), n_categories + 1)
    sizes = np.maximum(n_categories, 1)[feature][:, None]
    return log_shares(table, total[feature], sizes), first_rows(n_categories + 1)


def complement_weights(feature_count: Array, alpha: float | Array, norm: bool) -> Array:
    """Weights of complement naive Bayes: how rare a feature is outside of each class.

        w_ct = -log((T_t - T_ct + alpha_t) / sum over u of (T_u - T_cu + alpha_u))

    ([Rennie] table 4). T_t counts feature t in all classes. With norm each class's weights are
    divided by their sum.
    A feature that never occurs outside of a class, with alpha = 0, weighs +inf for it.

    >>> complement_weights(np.array([[3, 1], [0, 2]]), alpha=1, norm=False).round(4)
    array([[1.3863, 0.2877],
           [0.4055, 1.0986]])
    """
    complement = feature_count.sum(axis=0) - feature_count + alpha
    logged = log_shares(complement, complement.sum(axis=1, keepdims=True), complement.shape[1])
    return normalised_logs(logged) if norm else -logged


def normalised_logs(logged: Array) -> Array:
    """Each row divided by its sum: in the limit where some are -inf, equal if all are 0.

    >>> normalised_logs(np.array([[-1.0, -3.0], [-np.inf, -2.0]]))
    array([[0.25, 0.75],
           [1.  , 0.  ]])
    """
    boundless = np.isneginf(logged)
    logged = np.where(boundless.any(axis=1, keepdims=True), -1.0 * boundless, logged)
    total = logged.sum(axis=1, keepdims=True)
    equal = np.full_like(logged, 1.0 / logged.shape[1])
    return np.divide(logged, total, out=equal, where=total != 0)
