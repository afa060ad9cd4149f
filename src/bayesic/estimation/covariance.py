"""Scatter of each class -> its covariance matrix, which is never singular; or variances alone.

Everything here takes any number of leading axes (...): the classes of one model, or the classes of
many models at once, each with another row left out.

The best amount of shrinkage is the one with the least leave-one-out loss (`leave_one_out_losses`).
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from bayesic.data.arguments import is_number
from bayesic.data.blocks import in_threads
from bayesic.estimation.prior import ClassPrior
from bayesic.kernels import Array
from bayesic.statistics.cross_moments import CrossMoments, diagonal_of

LEDOIT_WOLF = "ledoit-wolf"

# A correlation matrix whose least eigenvalue is no more than this counts as singular: the squares
# computed with it would lose half of their digits.
SINGULAR = 1e-10

_LEAST_CURE = 1e-6

# Amounts of shrinkage from none to all: few, because the loss is flat around its minimum.
CANDIDATES = (0.0, 0.01, 0.03, 0.1, 0.2, 0.35, 0.5, 0.7, 0.9, 1.0)


@dataclass(frozen=True)
class CovarianceRule:
    """How the covariance of a class is estimated; see class_covariances."""

    tied: bool = False
    weight: float | str = 0.0  # of the target, from 0 to 1; or LEDOIT_WOLF
    target: str = "pooled"  # or "diagonal", "mean variance", "identity"
    unbiased: bool = False
    fill_constant: bool = True  # variance 1 for a feature that is the same in all rows


class Covariances(NamedTuple):
    """Covariance matrices, and which of them would have been singular."""

    matrices: Array  # (..., n_classes, n_features, n_features)
    singular: Array  # (..., n_classes)


def class_covariances(
    rule: CovarianceRule, count: Array, scatter: Array, overall_variance: Array
) -> Covariances:
    """The covariance matrix of each class: maximum likelihood, or shrunk towards a target.

        Sigma_c = (1 - w) scatter_c / n_c + w T

    T is the target of the rule: `pooled`, the covariance within all classes ([Friedman]: w = 1 is
    LDA); `diagonal`, its own; `mean variance`, its own times the unit matrix; `identity`. Tied is
    sum of scatter_c / N, shrunk towards its diagonal. Unbiased divides by n_c - 1 and N - K.

    A matrix that is still singular gets the weight w = d / (n + d) of the pooled covariance, as if
    d rows of a usual class had been seen as well, for d features; a class without rows is a usual
    class. If the pooled covariance is singular, it is shrunk towards its diagonal in the same way.
    A feature that is the same in all rows has no information: variance 1 in every class.

    count            : (..., n_classes)
    scatter          : (..., n_classes, n_features, n_features)
    overall_variance : (..., n_features), of each feature over all rows

    >>> scatter = np.array([[[2.0, 1.0], [1.0, 2.0]], [[6.0, 0.0], [0.0, 6.0]]])
    >>> class_covariances(CovarianceRule(), np.array([2.0, 3.0]), scatter, np.ones(2)).matrices[0]
    array([[1. , 0.5],
           [0.5, 1. ]])
    """
    pooled = _pooled(rule, count, scatter, overall_variance)
    target = pooled.matrices[..., None, :, :]
    if rule.tied:
        matrices = np.broadcast_to(target, scatter.shape)
        return Covariances(matrices, np.broadcast_to(pooled.singular[..., None], count.shape))
    divided = scatter / divisor(count, rule.unbiased, 1)[..., None, None]
    matrices = _plus_diagonal(divided, filling(rule, overall_variance)[..., None, :])
    matrices = shrunk(rule, matrices, count, target if rule.target == "pooled" else None)
    singular = are_singular(matrices) | (count == 0)
    if singular.any():
        weight = np.where(singular, weight_of_singular(matrices, count), 0.0)
        matrices = mixed(matrices, target, weight)
    return Covariances(matrices, singular)


def covariances_of_moments(rule: CovarianceRule, moments: CrossMoments) -> Covariances:
    """The same from the statistic."""
    overall_variance = moments.class_moments.overall.variance()[0]
    count = moments.class_count.astype(np.float64)
    return class_covariances(rule, count, moments.scatter, overall_variance)


def class_variances(
    count: Array,
    squares: Array,
    overall_variance: Array,
    weight: float = 0.0,
    unbiased: bool = False,
    spherical: bool = False,
) -> Covariances:
    """The variance of each feature in each class, (..., n_classes, n_features), and which were 0.

        variance_cj = (1 - w) squares_cj / n_c + w (sum over k of squares_kj) / N

    Spherical takes the mean over the features. Unbiased divides by n_c - 1 and N - K. A class in
    which a feature has no spread gets the weight w = 1 / (n_c + 1) of the pooled variance there; if
    that is 0 too, one row of the overall variance t^2: t^2 / (N + 1). A feature that is the same in
    all rows has no information: variance 1.

    >>> class_variances(np.array([2.0, 3.0]), np.array([[2.0], [0.0]]), np.array([4.0])).matrices
    array([[1. ],
           [0.1]])
    """
    if spherical:
        one = class_variances(
            count,
            squares.mean(axis=-1, keepdims=True),
            overall_variance.mean(axis=-1, keepdims=True),
            weight,
            unbiased,
        )
        return Covariances(np.broadcast_to(one.matrices, squares.shape), one.singular)
    n_rows = count.sum(axis=-1)[..., None]
    pooled = squares.sum(axis=-2) / divisor(n_rows, unbiased, count.shape[-1])
    floor = np.where(overall_variance > 0, overall_variance / (n_rows + 1), 1.0)
    pooled = np.where(pooled > 0, pooled, floor)[..., None, :]
    variance = squares / divisor(count, unbiased, 1)[..., None]
    variance = (1 - weight) * variance + weight * pooled
    flat = variance == 0
    filled = np.where(flat, pooled / (count[..., None] + 1), variance)
    varies = overall_variance[..., None, :] > 0
    return Covariances(np.where(varies, filled, 1.0), (flat & varies).any(axis=-1))


def _pooled(
    rule: CovarianceRule, count: Array, scatter: Array, overall_variance: Array
) -> Covariances:
    """The covariance within the classes: sum of scatter_c / N, made safe."""
    n_rows = count.sum(axis=-1)
    divided_by = divisor(n_rows, rule.unbiased, count.shape[-1])
    pooled = scatter.sum(axis=-3) / divided_by[..., None, None]
    matrices = _plus_diagonal(pooled, floor_of_pooled(pooled, overall_variance, n_rows))
    if rule.tied:
        matrices = shrunk(rule, matrices, n_rows, _target_of("diagonal", matrices))
    singular = are_singular(matrices)
    if singular.any():
        weight = np.where(singular, weight_of_singular(matrices, n_rows), 0.0)
        matrices = mixed(matrices, _target_of("diagonal", matrices), weight)
    return Covariances(matrices, singular)


def filling(rule: CovarianceRule, overall_variance: Array) -> Array:
    """The amount added to the variances of features that are the same in all rows."""
    return np.where((overall_variance > 0) | (not rule.fill_constant), 0.0, 1.0)


def floor_of_pooled(pooled: Array, overall_variance: Array, n_rows: Array) -> Array:
    """The amount added to the diagonal of the pooled covariance: (..., n_features).

    A feature without spread inside the classes, though the classes differ in it, gets as much as
    one more row at the overall spread: t^2 / (N + 1). One that is the same in all rows gets 1.
    """
    varies = overall_variance > 0
    floor = np.where(varies, overall_variance / (np.asarray(n_rows)[..., None] + 1), 1.0)
    return np.where((diagonal_of(pooled) > 0) & varies, 0.0, floor)


def weight_of_singular(matrices: Array, count: Array) -> Array:
    """d / (n + d), the weight of the target in a singular matrix, enough to make it regular."""
    n_features = matrices.shape[-1]
    return np.maximum(n_features / (count + n_features), _LEAST_CURE)


def shrunk(
    rule: CovarianceRule, matrices: Array, count: Array, target: Array | None = None
) -> Array:
    """(1 - w) Sigma + w T, where w is the number of the rule, or that of Ledoit and Wolf.

    target : T; None for that of the rule

    >>> to_mean_variance = CovarianceRule(weight=0.5, target="mean variance")
    >>> shrunk(to_mean_variance, np.array([[1.0, 2.0], [2.0, 5.0]]), np.array(9.0))
    array([[2., 1.],
           [1., 4.]])
    """
    if rule.weight == 0:
        return matrices
    target = _target_of(rule.target, matrices) if target is None else target
    if rule.weight == LEDOIT_WOLF:
        return mixed(matrices, target, ledoit_wolf_weight(matrices, count))
    return mixed(matrices, target, np.full(count.shape, float(rule.weight)))


def checked_shrinkage(shrinkage: Any, words: tuple[str, ...]) -> float | str:
    """The weight of the target that was given, or one of these words.

    >>> checked_shrinkage(None, ()), checked_shrinkage("ledoit-wolf", (LEDOIT_WOLF,))
    (0.0, 'ledoit-wolf')
    """
    if isinstance(shrinkage, str) and shrinkage in words:  # a table answers == with a table
        return shrinkage
    if shrinkage is not None and not (is_number(shrinkage) and 0 <= shrinkage <= 1):
        *choices, last = ("None", "a number from 0 to 1", *map(repr, words))
        raise ValueError(
            f"shrinkage must be {', '.join(choices)} or {last}, got {shrinkage!r:.80}."
        )
    return float(shrinkage or 0.0)


def ledoit_wolf_weight(covariance: Array, count: Array) -> Array:
    """The weight of the diagonal that makes the expected squared error least.

        w = min(1, ((n - 2) / n tr(R^2) + d^2) / ((n + 2) (tr(R^2) - d)))

    R is the correlation matrix of d features. [LedoitWolf] estimate the best weight from fourth
    powers of the data; for Gaussian data this is its expectation given the covariance, which has
    the smaller error and needs no more than the statistic ([Chen], the Rao-Blackwell form).

    >>> half = np.array([[1.0, 0.5], [0.5, 1.0]])
    >>> float(ledoit_wolf_weight(half, np.array(30.0)).round(4))  # (28/30 * 2.5 + 4) / (32 * 0.5)
    0.3958
    """
    n_features = covariance.shape[-1]
    squares = (correlation(covariance) ** 2).sum(axis=(-2, -1))
    off_diagonal = squares - n_features
    count = np.maximum(count, 1.0)
    above = np.maximum(count - 2, 0.0) / count * squares + n_features**2
    below = (count + 2) * off_diagonal
    return np.minimum(np.divide(above, below, out=np.ones_like(above), where=below > above), 1.0)


def _target_of(name: str, matrices: Array) -> Array:
    """The target that follows from the matrix itself, or the unit matrix."""
    unit = np.eye(matrices.shape[-1])
    if name == "identity":
        return np.broadcast_to(unit, matrices.shape)
    variance = diagonal_of(matrices)
    if name == "mean variance":
        return unit * variance.mean(axis=-1)[..., None, None]
    return unit * variance[..., None, :]


def mixed(matrices: Array, target: Array, weight: Array) -> Array:
    """(1 - weight) matrices + weight target, for each of them."""
    weight = weight[..., None, None]
    return (1 - weight) * matrices + weight * target


def correlation(covariance: Array) -> Array:
    """The correlations of the features, 0 for a feature without spread."""
    variance = diagonal_of(covariance)
    scale = np.divide(1.0, np.sqrt(variance), out=np.zeros_like(variance), where=variance > 0)
    return covariance * scale[..., :, None] * scale[..., None, :]


def least_eigenvalue(covariance: Array) -> Array:
    """The least eigenvalue of the correlation matrix: (...), 0 if a feature has no spread.

    >>> least_eigenvalue(np.array([[4.0, 0.0], [0.0, 1e-30]])).round(12)
    np.float64(1.0)
    """
    return np.linalg.eigvalsh(correlation(covariance))[..., 0]


def are_singular(covariance: Array) -> Array:
    """Whether the least eigenvalue of each correlation matrix is SINGULAR at most: (...).

    A Cholesky factor shows it in a tenth of the time of eigenvalues, or less: it exists if all
    eigenvalues stay above 0 with the diagonal reduced. Eigenvalues decide near the bound alone.

    >>> are_singular(np.array([[[1.0, 0.5], [0.5, 1.0]], [[1.0, 1.0], [1.0, 1.0]]]))
    array([False,  True])
    """
    matrices = correlation(covariance)
    flat = matrices.reshape(-1, *matrices.shape[-2:])
    if _exceed(flat, 2 * SINGULAR):
        return np.zeros(matrices.shape[:-2], dtype=bool)
    singular = [not _exceed(each, SINGULAR / 2) for each in flat]
    for index, each in enumerate(flat):
        if not singular[index] and not _exceed(each, 2 * SINGULAR):
            singular[index] = bool(np.linalg.eigvalsh(each)[0] <= SINGULAR)
    return np.array(singular).reshape(matrices.shape[:-2])


def _exceed(matrices: Array, bound: float) -> bool:
    """Whether all eigenvalues are above the bound."""
    try:
        np.linalg.cholesky(matrices - bound * np.eye(matrices.shape[-1]))
    except np.linalg.LinAlgError:
        return False
    return True


def divisor(count: Array, unbiased: bool, lost: int) -> Array:
    """n, or n - lost for an unbiased estimate where there are enough rows; never 0.

    >>> divisor(np.array([0, 1, 5]), unbiased=True, lost=1)
    array([1., 1., 4.])
    """
    count = np.asarray(count, dtype=np.float64)
    if unbiased:
        count = np.where(count > lost, count - lost, count)
    return np.where(count > 0, count, 1.0)


def _plus_diagonal(matrices: Array, added: Array) -> Array:
    return matrices + np.eye(matrices.shape[-1]) * added[..., None, :]


def leave_one_out_losses(
    scorers: Sequence[Callable[[slice], Array]],
    blocks: Iterable[slice],
    prior: ClassPrior,
    codes: Array,
    weights: Array,
) -> Array:
    """The sum of -log P(class | row) over learned rows, for each of the candidates.

    scorers : for each candidate a function from a block of rows to log p(x | c) with this weight of
              shrinkage, each row left out of the estimate, (n_rows, n_classes)

    Rows whose class is impossible without them are skipped: they cannot tell the weights apart.
    """

    def losses_of(rows: slice) -> Array:
        own, row_weights = codes[rows], weights[rows]
        log_prior = prior.log_without(own, row_weights).T
        each = np.arange(len(own))
        possible = log_prior[each, own] > -np.inf
        losses = []
        for scores_without in scorers:
            joint = log_prior + scores_without(rows)
            with np.errstate(invalid="ignore"):  # rows so far out that every class has density 0
                log_posterior = joint[each, own] - np.logaddexp.reduce(joint, axis=1)
                losses.append(-(row_weights * log_posterior)[possible].sum())
        return np.nan_to_num(losses, nan=np.inf, posinf=np.inf)

    return sum(in_threads(losses_of, blocks), start=np.zeros(len(scorers)))


def best_candidate(losses: Array) -> float:
    """The candidate with the least loss, the largest of those that are equal.

    >>> best_candidate(np.arange(10.0)), best_candidate(np.zeros(10))
    (0.0, 1.0)
    """
    return CANDIDATES[len(losses) - 1 - int(losses[::-1].argmin())]
