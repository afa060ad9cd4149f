"""EM for Gaussian mixtures: statistics with soft classes, and parameters from them.

The statistics are those of Gaussian classes (`ClassMoments`, `CrossMoments`), and add up like them;
the weight of a row is its share.
"""

from collections.abc import Callable
from types import ModuleType
from typing import NamedTuple, Protocol

import numpy as np

from bayesic.data.arguments import part
from bayesic.data.blocks import in_threads, row_blocks
from bayesic.data.matrices import Matrix, dense_rows
from bayesic.kernels import Array, pick
from bayesic.kernels import centres as plain
from bayesic.kernels.blas import one_blas_thread
from bayesic.mixtures._lloyd import (
    assigned,
    nearest_means,
    random_rows,
    rows_at,
    smallest_step,
    spread_rows,
)
from bayesic.mixtures.components import (
    Components,
    SoftMoments,
    estimated,
    has_correlations,
    joint_log_density,
)
from bayesic.mixtures.em import Climb, climb
from bayesic.statistics.additive import Sums
from bayesic.statistics.cross_moments import CrossMoments, cross_moments, diagonal_of, with_diagonal
from bayesic.statistics.moments import ClassMoments, Moments, class_moments, without_noise

STARTS = ("kmeans", "k-means++", "random", "random_from_data")

# Of k-means at the start, as in scikit-learn.
STEPS_OF_K_MEANS, TOLERANCE_OF_K_MEANS = 300, 1e-4

# Larger blocks than usual: there are fewer statistics to add.
USUAL_BLOCKS_AT_ONCE = 2

# Shares below this part of the mean share add up to less than rounding.
NEGLIGIBLE = 2.0**-55

Scorer = Callable[[Array], Array]  # rows -> log p(x, component), (n_components, n_rows)


class Task(NamedTuple):
    """The rows that a mixture is learned from, and the options of the estimate."""

    X: Matrix
    weights: Array | None  # of the rows
    n_components: int
    covariance_type: str
    reg_covar: float

    @property
    def row_weights(self) -> Array:
        """The weight of each row."""
        return np.ones(self.X.shape[0]) if self.weights is None else self.weights

    def summarise(self, values: Array, shares: Array) -> SoftMoments:
        """The statistics of rows by their shares."""
        n_rows, n_features = self.X.shape
        steps = n_rows * n_features * self.n_components
        if has_correlations(self.covariance_type):
            return soft_cross_moments(values, shares, pick("centres", steps * n_features))
        return soft_moments(values, shares, pick("centres", steps))

    def expect(self, components: Components) -> tuple[SoftMoments, float]:
        """The E-step: the soft statistics of all rows, and the mean of log p(x)."""
        return expected_statistics(
            self.X,
            self.weights,
            joint_log_density(components, self.covariance_type, self.X.shape[0]),
            self.summarise,
            self.n_components,
        )


class MixtureRows(Protocol):
    """Rows that a mixture is learned from, in memory or in a Spark DataFrame."""

    @property
    def covariance_type(self) -> str: ...
    @property
    def reg_covar(self) -> float: ...

    def expect(self, components: Components) -> tuple[SoftMoments, float]:
        """The E-step, as in `Task.expect`."""


class Expected(NamedTuple):
    """The expected statistics of the components, and the parameters they were computed under."""

    statistics: SoftMoments
    components: Components


def climb_from(
    task: MixtureRows, start: Components, max_iter: int, tol: float
) -> Climb[Components, Expected]:
    """EM from these parameters on, until a step changes the mean of log p(x) by less than tol.

    BLAS has one thread: its threads spin for a while after they have factored a small matrix, and
    would take the processors from the next step.
    """
    with one_blas_thread():
        return climb(
            _expect(task, start)[0],
            lambda components: _expect(task, components),
            lambda expected: _maximise(task, expected),
            max_iter,
            settled=lambda _before, _after, gain: abs(gain) < tol,
        )


def _expect(task: MixtureRows, components: Components) -> tuple[Expected, float]:
    statistics, log_density = task.expect(components)
    return Expected(statistics, components), log_density


def _maximise(task: MixtureRows, expected: Expected) -> Components:
    """The M-step: the parameters that follow from the statistics."""
    return estimated(expected.statistics, task.covariance_type, task.reg_covar, expected.components)


def first_components(task: Task, how: str, rng: np.random.Generator) -> Components:
    """Starting parameters: each row belongs to one component, or to all by random shares."""
    X, weights, n_components = task.X, task.weights, task.n_components
    statistics: SoftMoments
    if how == "random":
        shares = rng.random((n_components, X.shape[0]))
        shares *= task.row_weights / shares.sum(axis=0)
        statistics = soft_statistics(X, shares, task.summarise)
    elif has_correlations(task.covariance_type):
        statistics = cross_moments(X, _first_classes(task, how, rng), n_components, weights)
    else:
        statistics = class_moments(X, _first_classes(task, how, rng), n_components, weights)
    return estimated(statistics, task.covariance_type, task.reg_covar, before=None)


def _first_classes(task: Task, how: str, rng: np.random.Generator) -> Array:
    """The component of each row: by k-means, or by the nearest of some chosen rows."""
    X, weights = task.X, task.row_weights
    choose = random_rows if how == "random_from_data" else spread_rows
    centres = rows_at(X, choose(X, weights, task.n_components, rng))
    if how == "kmeans":
        smallest = smallest_step(X, weights, TOLERANCE_OF_K_MEANS)
        centres = nearest_means(X, weights, centres, STEPS_OF_K_MEANS, smallest).state
    return assigned(X, weights, centres)[0].codes


# the E-step: the expected statistics of each component ----------------------------------------


def shares_of(scores: Array) -> tuple[Array, Array]:
    """P(component | x) of each row, (n_components, n_rows), and log p(x), (n_rows,).

        r_k = p(x, k) / sum over j of p(x, j)

    scores : log p(x, component), (n_components, n_rows). A row so far from all components that its
    probability underflows is shared equally by all.

    >>> shares, log_density = shares_of(np.log([[0.1, 0.1], [0.3, 0.1]]))
    >>> shares.round(4).tolist(), np.exp(log_density).round(4).tolist()
    ([[0.25, 0.5], [0.75, 0.5]], [0.4, 0.2])
    """
    largest = scores.max(axis=0)
    offset = np.where(np.isneginf(largest), 0.0, largest)
    shares = np.exp(scores - offset)
    total = shares.sum(axis=0)
    with np.errstate(divide="ignore"):
        log_density = offset + np.log(total)
    if (total == 0).any():
        shares[:, total == 0] = 1.0
        total = shares.sum(axis=0)
    shares /= total
    return shares, log_density


def expected_statistics(
    X: Matrix,
    weights: Array | None,
    scorer: Scorer,
    summarise: Callable[[Array, Array], Sums],
    n_components: int,
) -> tuple[Sums, float]:
    """The statistics of all rows by their shares, and the mean of log p(x): one pass over the rows.

    weights   : of the rows, or None
    summarise : function from rows and shares to statistics
    """

    def of_block(rows: slice) -> tuple[Sums, float]:
        values = dense_rows(X, rows)
        shares, log_density = shares_of(scorer(values))
        row_weights = part(weights, rows)
        if row_weights is None:
            return summarise(values, shares), float(log_density.sum())
        counts = row_weights > 0  # a row of weight 0 may be impossible
        total = float(row_weights[counts] @ log_density[counts])
        return summarise(values, shares * row_weights), total

    statistics, total = _added(X, n_components, of_block)
    return statistics, total / (X.shape[0] if weights is None else float(weights.sum()))


def soft_statistics(X: Matrix, shares: Array, summarise: Callable[[Array, Array], Sums]) -> Sums:
    """The statistics of all rows by given shares: (n_components, n_rows)."""

    def of_block(rows: slice) -> tuple[Sums, float]:
        return summarise(dense_rows(X, rows), shares[:, rows]), 0.0

    return _added(X, len(shares), of_block)[0]


def _added(
    X: Matrix, n_components: int, of_block: Callable[[slice], tuple[Sums, float]]
) -> tuple[Sums, float]:
    """The statistics and the log densities of all blocks, added in order."""
    with one_blas_thread():
        parts = in_threads(of_block, blocks_of(X, n_components))
        statistics, total = next(parts)
        for more, log_density in parts:
            statistics, total = statistics + more, total + log_density
    return statistics, total


def blocks_of(X: Matrix, n_components: int) -> list[slice]:
    """The blocks of rows of an E-step, each at least as large as the statistics."""
    n_rows, n_features = X.shape
    return row_blocks(n_rows, n_features / USUAL_BLOCKS_AT_ONCE, n_components * n_features)


# moments of rows that belong to every component by a share ------------------------------------


def soft_moments(values: Array, shares: Array, kernels: ModuleType = plain) -> ClassMoments:
    """Mean and scatter of each feature in each component.

        n_k = sum of r_ik,  mean_k = sum of r_ik x_i / n_k,
        scatter_k = sum of r_ik (x_i - mean_k)^2

    values  : float64 (n_rows, n_features)
    shares  : float64 (n_components, n_rows), r_ik of row i in component k
    kernels : `pick("centres", steps)`

    >>> halves = soft_moments(np.array([[1.0], [3.0]]), np.array([[1.0, 0.5], [0.0, 0.5]]))
    >>> halves.class_count, halves.per_class.mean.round(4).tolist()
    (array([1.5, 0.5]), [[1.6667], [3.0]])
    """
    count = shares.sum(axis=1)
    # rounded: the sum of the deviations from it corrects mean and scatter
    centres = (shares / np.where(count > 0, count, 1.0)[:, None]) @ values
    sums, squares = kernels.weighted_moments(values, centres, shares)
    divisor = np.where(count > 0, count, 1.0)[:, None]
    mean = centres + sums / divisor
    scatter = np.maximum(squares - sums * (sums / divisor), 0.0)
    of_features = np.repeat(count[:, None], values.shape[1], axis=1)
    scatter = without_noise(of_features, mean, scatter)
    return ClassMoments(count, Moments(of_features, mean, scatter))


def soft_cross_moments(values: Array, shares: Array, kernels: ModuleType = plain) -> CrossMoments:
    """As `soft_moments`, with products of features: scatter_k = sum of r_ik (x - m_k)(x - m_k)^T.

    kernels : `pick("centres", steps)`

    Rows whose shares together are below the rounding of their sum are left out.

    >>> rows = np.array([[1.0, 2.0], [3.0, 6.0]])
    >>> soft_cross_moments(rows, np.array([[1.0, 1.0]])).scatter[0]
    array([[2., 4.],
           [4., 8.]])
    """
    (n_rows, n_features), n_components = values.shape, len(shares)
    count = shares.sum(axis=1)
    mean = np.zeros((n_components, n_features))
    scatter = np.zeros((n_components, n_features, n_features))
    for k in np.flatnonzero(count):
        rows = np.flatnonzero(shares[k] > NEGLIGIBLE * count[k] / n_rows)
        mean[k], scatter[k] = kernels.weighted_scatter(values, rows, shares[k, rows])
    squares = without_noise(count[:, None], mean, np.maximum(diagonal_of(scatter), 0.0))
    return CrossMoments(count, mean, with_diagonal(scatter, squares))
