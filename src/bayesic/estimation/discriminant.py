"""Linear discriminants: classes with one covariance have straight boundaries.

    log P(c | x) = (x - centre) . slope_c - 1/2 (mean_c - centre) . slope_c + log P(c) + ...,
    slope_c = Sigma^-1 (mean_c - centre)

with any centre: the common mean keeps the digits where columns are far from zero. Directions
without spread within the classes are dropped, so Sigma may be singular.
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from scipy import linalg

from bayesic.estimation.covariance import least_eigenvalue
from bayesic.estimation.gaussian_without import NEARLY_SINGULAR, LeftOut, changed_squares, groups_of
from bayesic.estimation.prior import ClassPrior
from bayesic.kernels import Array
from bayesic.statistics.cross_moments import CrossMoments

_LARGEST_SCORE = np.finfo(np.float64).max

# In units of the spread of the features: a direction with no more counts as one without spread, and
# so, as a share of the first, does one in which the class means differ by no more.
LEAST_SPREAD = 1e-4

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
    slope: Array  # (n_classes, n_features)
    constant: Array  # (n_classes,), of x . slope_c, without the log prior
    scalings: Array  # (n_features, n_directions)
    explained_variance_ratio: Array  # of all directions


def discriminants(mean: Array, covariance: Array, prior: Array, n_rows: float) -> Discriminants:
    """The rule in the directions in which there is spread: no matrix is inverted.

    Features are scaled to spread 1 within the classes, turned to their principal axes, and axes
    with a spread of no more than LEAST_SPREAD are dropped; what is left is turned so that the first
    direction separates the class means best ([Hastie] section 4.3.3).

    covariance : (n_features, n_features), within the classes

    >>> rule = discriminants(np.array([[0.0, 0], [2, 0]]), np.diag([1.0, 0]), np.full(2, 0.5), 8.0)
    >>> rule.slope.tolist(), rule.scalings.shape
    ([[-1.0, 0.0], [1.0, 0.0]], (2, 1))
    """
    centre = prior @ mean
    spread = np.sqrt(np.diagonal(covariance))
    spread = np.where(spread > 0, spread, 1.0)
    variance, axes = linalg.eigh(covariance / spread[:, None] / spread)
    variance, axes = variance[::-1], axes[:, ::-1]
    rank = int((np.sqrt(np.maximum(variance, 0.0)) > LEAST_SPREAD).sum())
    whitening = axes[:, :rank] / spread[:, None] / np.sqrt(variance[:rank])
    between = np.sqrt(n_rows * prior / max(1, len(prior) - 1))[:, None] * (mean - centre)
    _, sizes, directions = linalg.svd(between @ whitening, full_matrices=False)
    n_directions = int((sizes > LEAST_SPREAD * sizes[:1]).sum())
    scalings = whitening @ directions.T[:, :n_directions]
    coordinates = (mean - centre) @ scalings
    slope = coordinates @ scalings.T
    constant = -0.5 * (coordinates**2).sum(axis=1) - slope @ centre
    total = (sizes**2).sum()
    explained = sizes**2 / (total if total > 0 else 1.0)
    return Discriminants(centre, slope, constant, scalings, explained)


def linear_scores(values: Array, mean: Array, rule: Discriminants) -> Array:
    """log p(x | c) of each row in each class, up to a constant shared by all classes.

    values : (n_rows, n_features). Returns (n_rows, n_classes).
    """
    constant = -0.5 * np.einsum("ij,ij->i", mean - rule.centre, rule.slope)
    with np.errstate(over="ignore", invalid="ignore"):  # far out: the largest numbers of float64
        return np.nan_to_num((values - rule.centre) @ rule.slope.T + constant, nan=-_LARGEST_SCORE)


def linear_scores_without(
    moments: CrossMoments, rows: LeftOut, prior: ClassPrior
) -> tuple[Array, Array]:
    """Leave-one-out log p(x | c) of each row, up to a constant shared by its classes.

        -1/2 (x - mean_c) S^-1 (x - mean_c),    S = M - b v v^T,    v = x - mean of its class

    S is the covariance within the classes without the row, sum of scatter_c / N. See
    `gaussian_without.py` for M and b.

    Returns the scores (n_rows, n_classes), and the rows that must be learned again one by one
    because a direction may lose its spread, or the class means may differ in it no more.
    """
    scores = np.zeros((len(rows.codes), len(moments.class_count)))
    again = np.ones(len(rows.codes), dtype=bool)
    limit = max((_SAFE * LEAST_SPREAD) ** 2, NEARLY_SINGULAR)
    for group in groups_of(rows, moments.class_count):
        rest, own = group.rest, group.own
        if not rest.all():
            continue
        lost = group.lost / rest.sum()
        matrix = moments.scatter.sum(axis=0) / rest.sum()
        least = least_eigenvalue(matrix)
        if least <= limit:
            continue
        whitening = np.linalg.inv(np.linalg.cholesky(matrix)).T
        values = rows.values[group.chosen]
        v = values - moments.mean[own]
        for c in range(len(rest)):
            u = v * group.growth if c == own else values - moments.mean[c]
            squares, kept = changed_squares(u, v, whitening, lost)
            scores[group.chosen, c] = -0.5 * squares
        again[group.chosen] = least * kept <= limit
        if min(len(rest) - 1, len(whitening)) > 1:
            shares = replace(prior, class_count=rest).probability
            between = np.sqrt(shares)[:, None] * (moments.mean - shares @ moments.mean) @ whitening
            distance = np.sqrt((1 - kept) / lost) if lost > 0 else np.zeros(len(kept))
            moved = (group.growth - 1) * np.sqrt(shares[own] * (1 - shares[own])) * distance
            again[group.chosen] |= ~_keeps_directions(between, moved, kept)
    return scores, again


def _keeps_directions(between: Array, moved: Array, kept: Array) -> Array:
    """Whether the class means still differ in all directions when each row is left out.

    The mean of its class moves by -(growth - 1) v, and so no singular value of `between` by more
    than the size of that; then all grow, by at most 1 / sqrt(kept): Weyl's inequalities.

    between : (n_classes, n_features), the weighted means in units of the spread
    moved   : (n_rows,), how far each row moves them
    """
    sizes = linalg.svd(between, compute_uv=False)
    n_directions = min(len(between) - 1, between.shape[1])
    least, largest = sizes[n_directions - 1] - moved, sizes[0] + moved
    return least * np.sqrt(kept) > _SAFE * LEAST_SPREAD * largest
