"""Leave-one-out for Gaussian classes: the log density of each learned row without the row itself.

With v = x - mean_c for a row of class c and weight w, the scatter of c loses a v v^T without the
row, a = w n_c / (n_c - w). A covariance that is a sum of scatters becomes M - b v v^T, with an M
that is the same for all rows of c with this weight, so that one factor serves them all
(`scores_by_rank_one`):

    (M - b v v^T)^-1 = M^-1 + b / k  M^-1 v v^T M^-1,    |M - b v v^T| = |M| k,
    k = 1 - b v^T M^-1 v                                          [ShermanMorrison]

In all other cases, and for rows without which a covariance becomes singular, everything is
estimated again (`scores_by_estimating_again`).
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from bayesic.data.blocks import part_blocks
from bayesic.estimation.covariance import (
    LEDOIT_WOLF,
    SINGULAR,
    CovarianceRule,
    class_covariances,
    class_variances,
    divisor,
    filling,
    floor_of_pooled,
    least_eigenvalue,
    mixed,
    weight_of_singular,
)
from bayesic.estimation.normal_density import LOG_TWO_PI
from bayesic.kernels import Array
from bayesic.kernels.leaving import left, left_at, moments_without, own_class, pull
from bayesic.statistics.cross_moments import CrossMoments, diagonal_of, outer_squares, with_diagonal

# With more distinct weights than this, a factor for each costs as much as estimating again.
_FEW_WEIGHTS = 16

# Below this least eigenvalue a change of rank one is too inexact to show singularity.
NEARLY_SINGULAR = 10 * SINGULAR


class LeftOut(NamedTuple):
    """Learned rows to be left out, one at a time."""

    values: Array  # (n_rows, n_features)
    codes: Array  # (n_rows,)
    weights: Array  # (n_rows,)

    def where(self, chosen: Array | slice) -> "LeftOut":
        """Some of these rows."""
        return LeftOut(self.values[chosen], self.codes[chosen], self.weights[chosen])


class _Group(NamedTuple):
    """Rows of one class with one weight, and the class counts without one of them."""

    chosen: Array  # (n_chosen,), indices of the rows
    own: int
    rest: Array  # (n_classes,)
    lost: float  # a of the formula above
    growth: float  # n / (n - w): the factor by which x - mean grows without the row


class _Plan(NamedTuple):
    """What is shared by all rows of one class and weight: the covariances M, with the row."""

    whitening: Array  # (n_classes, n_features, n_features)
    log_det: Array  # (n_classes,)
    shares: Array  # (n_classes,), the factor of the scatter of the row's class in each M
    least: Array  # (n_classes,), least eigenvalues
    pooled: Array | None  # the whitening of the pooled covariance, where some class needs it
    share_of_pooled: float
    least_of_pooled: float


# Plans are shared by the blocks of rows: (rule, class, weight) -> plan.
Plans = dict[tuple[CovarianceRule, int, float], _Plan | None]


class _MomentsWithout(NamedTuple):
    """The moments of all classes, for each row that is left out."""

    class_count: Array  # (n_rows, n_classes)
    mean: Array  # (n_rows, n_classes, n_features); that of all rows for a class without rows
    overall_variance: Array  # (n_rows, n_features)


def log_densities_without(
    rule: CovarianceRule, moments: CrossMoments, rows: LeftOut, plans: Plans
) -> Array:
    """Leave-one-out log p(x | c) of each row in each class: (n_rows, n_classes).

    plans : a cache, empty at first, shared by the blocks of rows
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
    if rule.weight == LEDOIT_WOLF or len(np.unique(rows.weights)) > _FEW_WEIGHTS:
        return False
    own_target = rule.tied or rule.target in ("diagonal", "mean variance")
    return rule.weight == 0 or not own_target


# by a change of rank one ------------------------------------------------------------------------


def scores_by_rank_one(
    rule: CovarianceRule, moments: CrossMoments, rows: LeftOut, plans: Plans
) -> tuple[Array, Array]:
    """Leave-one-out log p(x | c) of each row in each class: (n_rows, n_classes).

    And the rows for which this does not work, (n_rows,) bool: without them a covariance may be
    singular, or a class is empty.
    """
    scores = np.zeros((len(rows.codes), len(moments.class_count)))
    again = np.ones(len(rows.codes), dtype=bool)
    for group in groups_of(rows, moments.class_count):
        key = rule, group.own, group.lost
        if key not in plans:
            plans[key] = _plan(rule, moments, group.rest, group.own)
        plan = plans[key]
        if plan is not None:
            values = rows.values[group.chosen]
            scores[group.chosen], again[group.chosen] = _scores_of(plan, moments, values, group)
    return scores, again


def groups_of(rows: LeftOut, class_count: Array) -> Iterator[_Group]:
    """The rows by class and weight, except the only rows of a class."""
    count = class_count.astype(np.float64)
    for own in np.unique(rows.codes):
        for weight in np.unique(rows.weights[rows.codes == own]):
            rest = count.copy()
            rest[own] = left(count[own], weight)
            if rest[own] > 0:
                growth = 1 + pull(rest[own], weight)
                chosen = np.flatnonzero((rows.codes == own) & (rows.weights == weight))
                yield _Group(chosen, int(own), rest, float(weight * growth), float(growth))


def changed_squares(u: Array, v: Array, whitening: Array, lost: float) -> tuple[Array, Array]:
    """u (M - lost v v^T)^-1 u of each row, and its k, 0 where the matrix becomes singular.

    u, v      : (n_rows, n_features)
    whitening : (n_features, n_features), a W with M^-1 = W W^T

    >>> changed_squares(np.array([[1.0, 2.0]]), np.array([[1.0, 0.0]]), np.eye(2), lost=0.5)
    (array([6.]), array([0.5]))
    """
    u = u @ whitening
    squares = np.einsum("ij,ij->i", u, u)
    if lost == 0:
        return squares, np.ones(len(u))
    v = v @ whitening
    kept = 1 - lost * np.einsum("ij,ij->i", v, v)
    kept = np.where(kept > 0, kept, 0.0)
    across = np.einsum("ij,ij->i", u, v)
    return squares + lost * across * across / np.where(kept > 0, kept, 1.0), kept


def _scores_of(
    plan: _Plan, moments: CrossMoments, values: Array, group: _Group
) -> tuple[Array, Array]:
    count = moments.class_count
    v = values - moments.mean[group.own]
    scores, least = np.empty((len(values), len(count))), np.full(len(values), np.inf)
    empty = np.flatnonzero(count == 0)  # these have the same plan
    for c in (*np.flatnonzero(count), *empty[:1]):
        if c == group.own:
            u = v * group.growth
        elif count[c] > 0:
            u = values - moments.mean[c]
        else:  # a class without rows has the mean of all rows
            overall = moments.class_moments.overall.mean[0]
            u = (values - overall) * (count.sum() / group.rest.sum())
        squares, kept = changed_squares(u, v, plan.whitening[c], plan.shares[c] * group.lost)
        log_det = plan.log_det[c] + np.log(np.where(kept > 0, kept, 1.0))
        scores[:, c] = -0.5 * (squares + log_det + values.shape[1] * LOG_TWO_PI)
        least = np.minimum(least, plan.least[c] * kept)
    scores[:, empty] = scores[:, empty[:1]]
    if plan.pooled is not None:
        _, kept = changed_squares(v, v, plan.pooled, plan.share_of_pooled * group.lost)
        least = np.minimum(least, plan.least_of_pooled * kept)
    return scores, least <= NEARLY_SINGULAR


def _plan(rule: CovarianceRule, moments: CrossMoments, rest: Array, own: int) -> _Plan | None:
    """The plan of all rows of one class, None where they must be estimated one by one."""
    n_classes, overall = len(rest), moments.class_moments.overall
    constant = filling(rule, overall.scatter[0])
    by_class = divisor(rest, rule.unbiased, 1)
    by_all = float(divisor(rest.sum(), rule.unbiased, n_classes))
    within = moments.scatter.sum(axis=0) / by_all
    floor = floor_of_pooled(within, overall.variance()[0], rest.sum())
    pooled = within + np.diag(constant)
    weight = np.full(n_classes, 1.0 if rule.tied else float(rule.weight))
    to_pooled = rule.tied or rule.target == "pooled"
    alone = moments.scatter / by_class[:, None, None] + np.diag(constant)
    matrices = mixed(alone, pooled if to_pooled else np.eye(len(pooled)), weight)
    singular = (least_eigenvalue(matrices) <= SINGULAR) | (rest == 0)
    spreads = rest[own] > moments.n_features and diagonal_of(matrices[own]).all()
    if singular[own] and (spreads or rule.tied):
        return None  # it may be regular without an outlier
    rescue = np.where(singular, weight_of_singular(matrices, rest), 0.0)
    needs_pooled = bool(rescue.any() or (to_pooled and weight.any()))
    if needs_pooled and not np.array_equal(floor, constant):
        return None  # the floor of a feature changes with every row
    if not rule.tied:
        matrices = mixed(matrices, pooled, rescue)
    least = least_eigenvalue(matrices)
    least_of_pooled = least_eigenvalue(pooled) if needs_pooled else np.inf
    if min(least.min(), least_of_pooled) <= NEARLY_SINGULAR:
        return None
    of_pooled = rescue + (1 - rescue) * weight * to_pooled
    shares = of_pooled / by_all
    shares[own] += (1 - rescue[own]) * (1 - weight[own]) / by_class[own]
    factors = np.linalg.cholesky(matrices)
    return _Plan(
        np.linalg.inv(factors).swapaxes(-2, -1),
        2 * np.log(diagonal_of(factors)).sum(axis=-1),
        shares,
        least,
        np.linalg.inv(np.linalg.cholesky(pooled)).T if needs_pooled else None,
        1 / by_all,
        float(least_of_pooled),
    )


# by estimating again ----------------------------------------------------------------------------


def scores_by_estimating_again(rule: CovarianceRule, moments: CrossMoments, rows: LeftOut) -> Array:
    """The same by estimating again for each row, which works for every rule."""
    count, mean, overall_variance = _moments_without_rows(moments, rows)
    scatter = _scatters(moments, rows, rule.tied)
    covariance = class_covariances(rule, count, scatter, overall_variance).matrices
    factor = np.linalg.cholesky(covariance)
    steps = rows.values[:, None, :] - mean
    if rule.tied:  # one factor for all classes
        standard = np.linalg.solve(factor[:, 0], steps.swapaxes(-2, -1)).swapaxes(-2, -1)
    else:
        standard = np.linalg.solve(factor, steps[..., None])[..., 0]
    log_scale = np.log(diagonal_of(factor)).sum(axis=-1)
    squares = (standard * standard).sum(axis=-1)
    return -0.5 * (squares + moments.n_features * LOG_TWO_PI) - log_scale


def _scatters(moments: CrossMoments, rows: LeftOut, tied: bool) -> Array:
    """The scatter of each class for each row, the row taken out; if tied, their sum as one class.

    (n_rows, n_classes or 1, n_features, n_features)
    """
    own = _scatter_without(moments, rows)
    if tied:
        n_classes = len(moments.class_count)
        others = [np.delete(moments.scatter, c, axis=0).sum(axis=0) for c in range(n_classes)]
        return (np.stack(others)[rows.codes] + own)[:, None]
    scatter = np.repeat(moments.scatter[None], len(rows.codes), axis=0)
    scatter[own_class(rows.codes)] = own
    return scatter


def _scatter_without(moments: CrossMoments, rows: LeftOut) -> Array:
    """The scatter of the class of each row, the row taken out: (n_rows, n_features, n_features)."""
    steps = rows.values - moments.mean[rows.codes]
    rest = left(moments.class_count[rows.codes], rows.weights)
    lost = rows.weights * (1 + pull(rest, rows.weights))
    scatter = moments.scatter[rows.codes] - outer_squares(steps, lost)
    return with_diagonal(scatter, _own_moments(moments, rows)[2])


# without correlations ---------------------------------------------------------------------------


def log_densities_without_correlations(
    moments: CrossMoments, rows: LeftOut, weight: float, unbiased: bool, spherical: bool
) -> Array:
    """Leave-one-out log p(x | c) for diagonal or spherical covariances: (n_rows, n_classes)."""
    count, mean, overall_variance = _moments_without_rows(moments, rows)
    squares = np.repeat(diagonal_of(moments.scatter)[None], len(rows.codes), axis=0)
    squares[own_class(rows.codes)] = _own_moments(moments, rows)[2]
    variance = class_variances(
        count, squares, overall_variance, weight, unbiased, spherical
    ).matrices
    terms = (rows.values[:, None, :] - mean) ** 2 / variance + np.log(variance)
    return -0.5 * (terms.sum(axis=-1) + moments.n_features * LOG_TWO_PI)


def _moments_without_rows(moments: CrossMoments, rows: LeftOut) -> _MomentsWithout:
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
    return _MomentsWithout(count, mean.reshape(n_rows, n_classes, -1), variance)


def _own_moments(moments: CrossMoments, rows: LeftOut) -> tuple[Array, Array, Array]:
    """Count, mean and squares of each feature in the class of each row, the row taken out."""
    features = moments.class_moments.per_class
    removed = np.broadcast_to(rows.weights[:, None], rows.values.shape)
    own = (array[rows.codes] for array in features.arrays())
    return moments_without(rows.values, removed, *own)
