"""Leave-one-out for Gaussian classes: log densities of learned rows, each as if not learned.

Taking out a row takes one product of its deviations away from a scatter. Where a covariance is a
sum of scatters this is a change of rank one, and a factor of the covariance before serves all rows
of a class (`scores_by_rank_one`). In all other cases, and for the rows whose leaving makes a
covariance singular, everything is estimated again (`scores_by_estimating_again`).
"""

from typing import NamedTuple

import numpy as np

from bayesic.data.blocks import part_blocks
from bayesic.estimation.covariance import (
    LEDOIT_WOLF,
    CovarianceRule,
    class_covariances,
)
from bayesic.estimation.normal_density import LOG_TWO_PI
from bayesic.estimation.rank_one import LeftOut, Plans, scores_by_rank_one
from bayesic.estimation.variance import class_variances
from bayesic.kernels.leaving import left, left_at, moments_without, own_class, pull
from bayesic.statistics.cross_moments import (
    CrossMoments,
    diagonal_of,
    outer_squares,
    with_diagonal,
)

Array = np.ndarray

# With more different weights than this, a factor for each costs as much as estimating again.
FEW_WEIGHTS = 16


class MomentsWithout(NamedTuple):
    """The moments of all classes, for each row that is left out."""

    class_count: Array  # (n_rows, n_classes)
    mean: Array  # (n_rows, n_classes, n_features); that of all rows for a class without rows
    overall_variance: Array  # (n_rows, n_features)


def log_densities_without(
    rule: CovarianceRule, moments: CrossMoments, rows: LeftOut, plans: Plans
) -> Array:
    """log p(x | c) of each row in each class, the row not learned: (n_rows, n_classes).

    plans : empty at first; what is found for one block of rows is kept there for the others
    """
    n_features = moments.n_features
    again = np.ones(len(rows.codes), dtype=bool)
    scores = np.empty((len(rows.codes), len(moments.class_count)))
    if _is_of_rank_one(rule, rows):
        scores, again = scores_by_rank_one(rule, moments, rows, plans)
    if again.any():
        chosen = np.flatnonzero(again)
        cells = len(moments.class_count) * n_features**2
        for part in part_blocks(slice(0, len(chosen)), cells):
            some = chosen[part]
            scores[some] = scores_by_estimating_again(rule, moments, rows.where(some))
    return scores


def _is_of_rank_one(rule: CovarianceRule, rows: LeftOut) -> bool:
    if rule.weight == LEDOIT_WOLF or len(np.unique(rows.weights)) > FEW_WEIGHTS:
        return False
    own_target = rule.tied or rule.target in ("diagonal", "mean variance")
    return rule.weight == 0 or not own_target


# estimating again -------------------------------------------------------------------------------


def scores_by_estimating_again(rule: CovarianceRule, moments: CrossMoments, rows: LeftOut) -> Array:
    """The same by all the estimates anew for each row: right for every rule."""
    count, mean, overall_variance = moments_without_rows(moments, rows)
    scatter = np.repeat(moments.scatter[None], len(rows.codes), axis=0)
    scatter[own_class(rows.codes)] = scatter_without(moments, rows)
    covariance = class_covariances(rule, count, scatter, overall_variance).matrices
    factor = np.linalg.cholesky(covariance)
    steps = rows.values[:, None, :] - mean
    standard = np.linalg.solve(factor, steps[..., None])[..., 0]
    log_scale = np.log(diagonal_of(factor)).sum(axis=-1)
    squares = (standard * standard).sum(axis=-1)
    return -0.5 * (squares + moments.n_features * LOG_TWO_PI) - log_scale


def moments_without_rows(moments: CrossMoments, rows: LeftOut) -> MomentsWithout:
    """Counts, means and overall variances, for each row that is left out."""
    n_rows, n_classes = len(rows.codes), len(moments.class_count)
    removed = np.broadcast_to(rows.weights[:, None], rows.values.shape)
    overall = moments.class_moments.overall
    all_count, all_mean, all_scatter = moments_without(rows.values, removed, *overall.arrays())
    own = own_class(rows.codes)
    count = left_at(np.tile(moments.class_count, (n_rows, 1)), own, rows.weights)
    mean = np.repeat(moments.mean[None], n_rows, axis=0)
    mean[own] = _own_moments(moments, rows)[1]
    mean = np.where((count > 0)[:, :, None], mean, all_mean[:, None, :])
    variance = all_scatter / np.where(all_count > 0, all_count, 1.0)
    return MomentsWithout(count, mean.reshape(n_rows, n_classes, -1), variance)


def scatter_without(moments: CrossMoments, rows: LeftOut) -> Array:
    """The scatter of the class of each row, the row taken out: (n_rows, n_features, n_features)."""
    steps = rows.values - moments.mean[rows.codes]
    rest = left(moments.class_count[rows.codes], rows.weights)
    lost = rows.weights * (1 + pull(rest, rows.weights))
    scatter = moments.scatter[rows.codes] - outer_squares(steps, lost)
    return with_diagonal(scatter, _own_moments(moments, rows)[2])


def _own_moments(moments: CrossMoments, rows: LeftOut) -> tuple[Array, Array, Array]:
    """Count, mean and squares of each feature in the class of each row, the row taken out."""
    features = moments.class_moments.per_class
    removed = np.broadcast_to(rows.weights[:, None], rows.values.shape)
    own = (array[rows.codes] for array in features.arrays())
    return moments_without(rows.values, removed, *own)


# without correlations ---------------------------------------------------------------------------


def log_densities_without_correlations(
    moments: CrossMoments, rows: LeftOut, weight: float, unbiased: bool, spherical: bool
) -> Array:
    """The same for covariances that are diagonal or spherical: (n_rows, n_classes)."""
    count, mean, overall_variance = moments_without_rows(moments, rows)
    squares = np.repeat(diagonal_of(moments.scatter)[None], len(rows.codes), axis=0)
    squares[own_class(rows.codes)] = _own_moments(moments, rows)[2]
    variance = class_variances(
        count, squares, overall_variance, weight, unbiased, spherical
    ).matrices
    terms = (rows.values[:, None, :] - mean) ** 2 / variance + np.log(variance)
    return -0.5 * (terms.sum(axis=-1) + moments.n_features * LOG_TWO_PI)
