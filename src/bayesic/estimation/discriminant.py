"""Linear discriminants: classes with one covariance have straight boundaries.

    log P(c | x) = x . coef_c + constant_c + log P(c) + a constant shared by all classes,
    coef_c = Sigma^-1 mean_c,    constant_c = -1/2 mean_c . coef_c

The same with deviations from any centre in place of x and mean_c: `slope_c = Sigma^-1 (mean_c -
centre)` keeps the digits where the centre is far from zero.
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from scipy import linalg

from bayesic.estimation.covariance import SINGULAR, least_eigenvalue
from bayesic.estimation.gaussian_without import NEARLY_SINGULAR, LeftOut, changed_squares, groups_of
from bayesic.estimation.prior import ClassPrior
from bayesic.kernels import Array
from bayesic.statistics.cross_moments import CrossMoments

_LARGEST_SCORE = np.finfo(np.float64).max

# A spread this many times above the limit stays above it when a row is left out.
_SAFE = 10.0


class SingularCovarianceError(linalg.LinAlgError):
    """A covariance is singular but must not be: `what` names it, the message has the advice."""

    def __init__(self, what: str, message: str) -> None:
        super().__init__(message)
        self.what = what


class Discriminants(NamedTuple):
    """The linear rule of each class, and the directions that separate the classes."""

    centre: Array  # (n_features,)
    slope: Array  # (n_classes, n_features), for deviations from the centre
    coef: Array  # (n_classes, n_features)
    constant: Array  # (n_classes,), without the log prior
    scalings: Array | None = None  # (n_features, n_directions)
    explained_variance_ratio: Array | None = None  # (n_components,)


def discriminants_by_svd(
    mean: Array, within: Array, prior: Array, n_rows: float, n_components: int, tol: float
) -> Discriminants:
    """The rule in the directions in which there is spread: no matrix is inverted.

    Features are scaled to spread 1 within the classes, turned to their principal axes, and axes
    with a spread of no more than tol are dropped; what is left is turned so that the first
    direction separates the class means best ([Hastie] section 4.3.3).

    within : (n_features, n_features), sum of scatter_c / N
    """
    centre = prior @ mean
    spread = np.sqrt(np.diagonal(within))
    spread = np.where(spread > 0, spread, 1.0)
    variance, axes = linalg.eigh(within / spread[:, None] / spread)
    variance, axes = variance[::-1], axes[:, ::-1]
    rank = int((np.sqrt(np.maximum(variance, 0.0)) > tol).sum())
    whitening = axes[:, :rank] / spread[:, None] / np.sqrt(variance[:rank])
    between = np.sqrt(n_rows * prior / max(1, len(prior) - 1))[:, None] * (mean - centre)
    _, sizes, directions = linalg.svd(between @ whitening, full_matrices=False)
    n_directions = int((sizes > tol * sizes[:1]).sum())
    scalings = whitening @ directions.T[:, :n_directions]
    coordinates = (mean - centre) @ scalings
    slope = coordinates @ scalings.T
    constant = -0.5 * (coordinates**2).sum(axis=1) - slope @ centre
    total = (sizes**2).sum()
    explained = sizes**2 / (total if total > 0 else 1.0)
    return Discriminants(centre, slope, slope, constant, scalings, explained[:n_components])


def discriminants_by_least_squares(mean: Array, covariance: Array, centre: Array) -> Discriminants:
    """The rule by solving Sigma coef_c = mean_c, in the sense of least squares.

    >>> rule = discriminants_by_least_squares(np.array([[2.0, 0.0]]), np.eye(2), np.zeros(2))
    >>> rule.coef, rule.constant
    (array([[2., 0.]]), array([-2.]))
    """
    coef = linalg.lstsq(covariance, mean.T)[0].T
    slope = linalg.lstsq(covariance, (mean - centre).T)[0].T
    return Discriminants(centre, slope, coef, _constant(mean, coef))


def discriminants_by_eigenvectors(
    mean: Array, covariance: Array, total: Array, centre: Array, n_components: int
) -> Discriminants:
    """The rule through the directions e in which the class means differ most for their spread.

        (e . (total - Sigma) e) / (e . Sigma e)  is large

    total : the covariance of all rows around their common mean
    """
    if least_eigenvalue(covariance) <= SINGULAR:
        raise SingularCovarianceError(
            "The covariance within the classes is singular",
            "solver='eigen' needs a covariance within the classes that is not singular: features "
            "depend on each other, or there are few rows. Use solver='svd', or give a shrinkage.",
        )
    ratio, directions = linalg.eigh(total - covariance, covariance)
    ratio, directions = ratio[::-1], directions[:, ::-1]
    coef = (mean @ directions) @ directions.T
    slope = ((mean - centre) @ directions) @ directions.T
    explained = (ratio / ratio.sum())[:n_components]
    return Discriminants(centre, slope, coef, _constant(mean, coef), directions, explained)


def _constant(mean: Array, coef: Array) -> Array:
    return -0.5 * np.einsum("ij,ij->i", mean, coef)


def shrunk_to_mean_variance(covariance: Array, weight: float) -> Array:
    """(1 - w) Sigma + w (mean variance) I.

    >>> shrunk_to_mean_variance(np.array([[1.0, 2.0], [2.0, 5.0]]), 0.5)
    array([[2., 1.],
           [1., 4.]])
    """
    n_features = len(covariance)
    return (1 - weight) * covariance + weight * np.trace(covariance) / n_features * np.eye(
        n_features
    )


def linear_scores(values: Array, mean: Array, rule: Discriminants) -> Array:
    """log p(x | c) of each row in each class, up to a constant shared by all classes.

    values : (n_rows, n_features). Returns (n_rows, n_classes).
    """
    constant = -0.5 * np.einsum("ij,ij->i", mean - rule.centre, rule.slope)
    with np.errstate(over="ignore", invalid="ignore"):  # far out: the largest numbers of float64
        return np.nan_to_num((values - rule.centre) @ rule.slope.T + constant, nan=-_LARGEST_SCORE)


def linear_scores_without(
    moments: CrossMoments, rows: LeftOut, prior: ClassPrior, is_svd: bool, tol: float
) -> tuple[Array, Array]:
    """Leave-one-out log p(x | c) of each row, up to a constant shared by its classes.

        -1/2 (x - mean_c) S^-1 (x - mean_c),    S = M - b v v^T,    v = x - mean of its class

    S is the covariance within the classes without the row: sum of scatter_c / N, or with a given
    prior sum of P(c) scatter_c / n_c. See `gaussian_without.py` for M and b.

    is_svd : the rule is that of `discriminants_by_svd`, which drops directions

    Returns the scores (n_rows, n_classes), and the rows that must be learned again one by one
    because a direction may lose its spread: at most tol, in units of the spread of the features;
    or may be dropped because the class means hardly differ in it.
    """
    is_given = not (is_svd or isinstance(prior.rule, str))
    scores = np.zeros((len(rows.codes), len(moments.class_count)))
    again = np.ones(len(rows.codes), dtype=bool)
    limit = max((_SAFE * tol) ** 2, NEARLY_SINGULAR)
    for group in groups_of(rows, moments.class_count):
        rest, own = group.rest, group.own
        if not rest.all():
            continue
        share = prior.probability / rest if is_given else np.full(len(rest), 1 / rest.sum())
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
        if is_svd and min(len(rest) - 1, len(whitening)) > 1:
            shares = replace(prior, class_count=rest).probability
            between = np.sqrt(shares)[:, None] * (moments.mean - shares @ moments.mean) @ whitening
            lost = share[own] * group.lost
            distance = np.sqrt((1 - kept) / lost) if lost > 0 else np.zeros(len(kept))
            moved = (group.growth - 1) * np.sqrt(shares[own] * (1 - shares[own])) * distance
            again[group.chosen] |= ~_keeps_directions(between, moved, kept, tol)
    return scores, again


def _keeps_directions(between: Array, moved: Array, kept: Array, tol: float) -> Array:
    """Whether the class means still differ in all directions when each row is left out.

    The mean of its class moves by -(growth - 1) v, and so no singular value of `between` by more
    than the size of that; then all grow, by at most 1 / sqrt(kept): Weyl's inequalities.

    between : (n_classes, n_features), the weighted means in units of the spread
    moved   : (n_rows,), how far each row moves them
    """
    sizes = linalg.svd(between, compute_uv=False)
    n_directions = min(len(between) - 1, between.shape[1])
    least, largest = sizes[n_directions - 1] - moved, sizes[0] + moved
    return least * np.sqrt(kept) > _SAFE * tol * largest
