"""Cross-moments of features and target -> the line of least squares."""

from typing import NamedTuple

import numpy as np
from scipy.linalg import eigh

from bayesic.data.arguments import part
from bayesic.data.blocks import in_threads, row_blocks
from bayesic.data.matrices import Matrix, dense_rows
from bayesic.kernels import Array
from bayesic.kernels.blas import one_blas_thread
from bayesic.kernels.rounding import EPSILON
from bayesic.statistics.cross_moments import CrossMoments, cross_moments

# Rows with a leverage this near to 1 are taken out one by one.
_ALONE = 1e-6


class LeastSquaresLine(NamedTuple):
    """y = coef x + intercept + noise of this variance."""

    coef: Array  # (n_features,)
    intercept: float
    variance: float
    root: Array  # (n_features, rank), root root^T is the (pseudo-)inverse of the scatter
    rank: int


def least_squares(moments: CrossMoments, fit_intercept: bool) -> LeastSquaresLine:
    """The weights under which the targets are most probable, with Gaussian noise.

        w = S_xx^-1 S_xy     b = mean_y - w mean_x     variance = (S_yy - w S_xy) / N

    S are the sums of products of deviations from the mean (from zero without an intercept). That
    the sum of squares is least and the likelihood largest is the same ([Mitchell] section 6.4), and
    the variance is the mean squared residual. Where features depend on each other, these are the
    weights of least |w|.

    moments : of the features and, as the last one, the target; one class

    >>> from bayesic.statistics.cross_moments import cross_moments
    >>> table = np.array([[0.0, 1.0], [1.0, 2.0], [2.0, 6.0]])
    >>> line = least_squares(cross_moments(table, np.zeros(3, np.intp), 1), fit_intercept=True)
    >>> line.coef, round(line.intercept, 9), round(line.variance, 9)  # residuals 1/2, -1, 1/2
    (array([2.5]), 0.5, 0.5)
    """
    count, mean, scatter = float(moments.class_count[0]), moments.mean[0], moments.scatter[0]
    if not fit_intercept:
        scatter, mean = scatter + count * np.outer(mean, mean), np.zeros_like(mean)
    root, null = _inverse_root(scatter[:-1, :-1])
    coef = root @ (root.T @ scatter[:-1, -1])
    coef -= null @ (np.linalg.pinv(null) @ coef)
    # (w, -1) S (w, -1)^T: the sum of squared residuals, never below zero but for rounding
    direction = np.append(coef, -1.0)
    squares = max(float(direction @ scatter @ direction), 0.0)
    variance = squares / count if count > 0 else 0.0
    return LeastSquaresLine(coef, float(mean[-1] - coef @ mean[:-1]), variance, root, root.shape[1])


def _inverse_root(scatter: Array) -> tuple[Array, Array]:
    """R with R R^T the (pseudo-)inverse of the scatter, and a basis of its null space.

    Features are scaled to unit spread, so that a small unit never looks like a dependence. The
    scatter holds squares: features that are linearly dependent up to about the eighth digit count
    as exactly dependent.
    """
    size = np.sqrt(np.diag(scatter))
    size = np.where(size > 0, size, 1.0)
    shares, directions = eigh(scatter / size / size[:, None])
    kept = shares > 64 * EPSILON * len(size) * max(float(shares[-1]), EPSILON)
    scaled = directions / size[:, None]
    return scaled[:, kept] / np.sqrt(shares[kept]), scaled[:, ~kept]


def joint_moments(X: Matrix, target: Array, weights: Array | None) -> CrossMoments:
    """The cross-moments of [X | target], as one class.

    >>> joint_moments(np.array([[0.0], [2.0]]), np.array([1.0, 5.0]), None).scatter[0]
    array([[2., 4.],
           [4., 8.]])
    """
    n_columns = X.shape[1] + 1

    def of_block(rows: slice) -> CrossMoments:
        table = np.column_stack([dense_rows(X, rows), target[rows]])
        return cross_moments(table, np.zeros(len(table), np.intp), 1, part(weights, rows))

    # the sums of products of a block are not larger than the block
    blocks = row_blocks(X.shape[0], n_columns, at_least=n_columns)
    with one_blas_thread():
        return sum(in_threads(of_block, blocks), start=CrossMoments.empty(1, n_columns))


def predictions_without_row(
    moments: CrossMoments,
    line: LeastSquaresLine,
    fit_intercept: bool,
    X: Array,
    target: Array,
    weights: Array,
) -> Array:
    """The leave-one-out prediction of each learned row.

        y_i - (y_i - w x_i - b) / (1 - h_i)

    h_i is the leverage of the row. A row of leverage 1 alone determines some direction: it is taken
    out, and the line is estimated again. There are no more of these than features.

    >>> X, target, weights = np.array([[0.0], [1.0], [2.0]]), np.array([1.0, 2.0, 6.0]), np.ones(3)
    >>> moments = joint_moments(X, target, weights)
    >>> line = least_squares(moments, fit_intercept=True)
    >>> predictions_without_row(moments, line, True, X, target, weights).round(9)
    array([-2. ,  3.5,  3. ])
    """
    mean = moments.mean[0, :-1] if fit_intercept else None
    share = leverage(X, weights, float(moments.class_count[0]), mean, line)
    alone = share > 1 - _ALONE
    residual = target - X @ line.coef - line.intercept
    without = target - residual / np.where(alone, 1.0, 1 - share)
    for row in np.flatnonzero(alone):
        learned = joint_moments(X[[row]], target[[row]], weights[[row]])
        other = least_squares(moments - learned, fit_intercept)
        without[row] = X[row] @ other.coef + other.intercept
    return without


def leverage(
    X: Array, weights: Array, count: float, mean: Array | None, line: LeastSquaresLine
) -> Array:
    """The leverage of each row, from 0 to 1: the diagonal of the hat matrix.

        h_i = s_i (1 / N + (x_i - mean) S_xx^-1 (x_i - mean))

    mean : of the features, or None without an intercept, where 1 / N is left out

    >>> root = np.array([[1 / np.sqrt(2.0)]])
    >>> line = LeastSquaresLine(np.array([2.5]), 0.5, 0.5, root, rank=1)
    >>> leverage(np.array([[0.0], [1.0], [2.0]]), np.ones(3), 3.0, np.array([1.0]), line).round(4)
    array([0.8333, 0.3333, 0.8333])
    """
    centred = X if mean is None else X - mean
    along = centred @ line.root
    own = np.einsum("ij,ij->i", along, along) + (0.0 if mean is None else 1.0 / count)
    return weights * own
