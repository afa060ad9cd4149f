"""Leave-one-out by changes of rank one: what a row takes with it when it leaves.

With v = x - mean_c for a row of class c and weight w, the scatter of c loses a v v^T,
a = w n_c / (n_c - w). A covariance that holds this scatter becomes M - b v v^T, with an M that is
the same for all rows of c with this weight, and

    (M - b v v^T)^-1 = M^-1 + b / k  M^-1 v v^T M^-1,    |M - b v v^T| = |M| k,
    k = 1 - b v^T M^-1 v                                          [ShermanMorrison]
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from bayesic.estimation.covariance import (
    SINGULAR,
    CovarianceRule,
    divisor,
    filling,
    floor_of_pooled,
    least_eigenvalue,
    mixed,
    weight_of_singular,
)
from bayesic.estimation.normal_density import LOG_TWO_PI
from bayesic.kernels.leaving import left, pull
from bayesic.statistics.cross_moments import CrossMoments, diagonal_of

Array = np.ndarray

# From here on a change of rank one does not tell whether a matrix is singular.
NEARLY_SINGULAR = 10 * SINGULAR


class LeftOut(NamedTuple):
    """Learned rows to be left out, one at a time."""

    values: Array  # (n_rows, n_features)
    codes: Array  # (n_rows,)
    weights: Array  # (n_rows,)

    def where(self, chosen: Array | slice) -> "LeftOut":
        """Some of these rows."""
        return LeftOut(self.values[chosen], self.codes[chosen], self.weights[chosen])


class Group(NamedTuple):
    """Rows of one class with one weight, and the rows of each class when one of them has left."""

    chosen: Array  # (n_chosen,), numbers of the rows
    own: int
    rest: Array  # (n_classes,)
    lost: float  # a of the formula above
    growth: float  # n / (n - w): how much farther the mean is from the row when it has left


def groups_of(rows: LeftOut, class_count: Array) -> Iterator[Group]:
    """The rows by class and weight; those that leave no row of their class behind are left out."""
    count = class_count.astype(np.float64)
    for own in np.unique(rows.codes):
        for weight in np.unique(rows.weights[rows.codes == own]):
            rest = count.copy()
            rest[own] = left(count[own], weight)
            if rest[own] > 0:
                growth = 1 + pull(rest[own], weight)
                chosen = np.flatnonzero((rows.codes == own) & (rows.weights == weight))
                yield Group(chosen, int(own), rest, weight * growth, growth)


def changed_squares(u: Array, v: Array, whitening: Array, lost: float) -> tuple[Array, Array]:
    """u (M - lost v v^T)^-1 u of each row, and the k of each, 0 where nothing is kept.

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


class Plan(NamedTuple):
    """What serves all rows of one class and weight: covariances M before a row leaves."""

    whitening: Array  # (n_classes, n_features, n_features)
    log_det: Array  # (n_classes,)
    shares: Array  # (n_classes,), how much of the scatter of the row's class is in each M
    least: Array  # (n_classes,), least eigenvalues
    pooled: Array | None  # the whitening of the pooled covariance, where some class needs it
    share_of_pooled: float
    least_of_pooled: float


# What was made for one block of rows serves the others: (rule, class, weight) -> plan.
Plans = dict[tuple[CovarianceRule, int, float], Plan | None]


def scores_by_rank_one(
    rule: CovarianceRule, moments: CrossMoments, rows: LeftOut, plans: Plans
) -> tuple[Array, Array]:
    """log p(x | c) of each row in each class, the row not learned: (n_rows, n_classes).

    And the rows for which this does not tell, (n_rows,) bool: without them a covariance may be
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


def _scores_of(
    plan: Plan, moments: CrossMoments, values: Array, group: Group
) -> tuple[Array, Array]:
    count = moments.class_count
    v = values - moments.mean[group.own]
    scores, least = np.empty((len(values), len(count))), np.full(len(values), np.inf)
    for c, (whitening, share) in enumerate(zip(plan.whitening, plan.shares, strict=True)):
        if c == group.own:
            u = v * group.growth
        elif count[c] > 0:
            u = values - moments.mean[c]
        else:  # a class without rows is where all rows are
            overall = moments.class_moments.overall.mean[0]
            u = (values - overall) * (count.sum() / group.rest.sum())
        squares, kept = changed_squares(u, v, whitening, share * group.lost)
        log_det = plan.log_det[c] + np.log(np.where(kept > 0, kept, 1.0))
        scores[:, c] = -0.5 * (squares + log_det + values.shape[1] * LOG_TWO_PI)
        least = np.minimum(least, plan.least[c] * kept)
    if plan.pooled is not None:
        _, kept = changed_squares(v, v, plan.pooled, plan.share_of_pooled * group.lost)
        least = np.minimum(least, plan.least_of_pooled * kept)
    return scores, least <= NEARLY_SINGULAR


def _plan(rule: CovarianceRule, moments: CrossMoments, rest: Array, own: int) -> Plan | None:
    """What serves all rows of one class, None where rows of it must be looked at one by one."""
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
        return None  # without an outlier it may be regular
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
    return Plan(
        np.linalg.inv(factors).swapaxes(-2, -1),
        2 * np.log(diagonal_of(factors)).sum(axis=-1),
        shares,
        least,
        np.linalg.inv(np.linalg.cholesky(pooled)).T if needs_pooled else None,
        1 / by_all,
        float(least_of_pooled),
    )
