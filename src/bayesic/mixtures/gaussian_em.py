"""EM for Gaussian mixtures: statistics with soft classes, parameters from them, in turns."""

from typing import NamedTuple

import numpy as np

from bayesic.data.matrices import Matrix
from bayesic.kernels import Array, pick
from bayesic.kernels.blas import one_blas_thread
from bayesic.mixtures.components import (
    Components,
    SoftMoments,
    estimated,
    has_correlations,
    joint_log_density,
)
from bayesic.mixtures.em import Climb, climb
from bayesic.mixtures.expectation import expected_statistics, soft_statistics
from bayesic.mixtures.lloyd import assigned, nearest_means, smallest_step
from bayesic.mixtures.soft_moments import soft_cross_moments, soft_moments
from bayesic.mixtures.starts import random_rows, rows_at, spread_rows
from bayesic.statistics.cross_moments import cross_moments
from bayesic.statistics.moments import class_moments

STARTS = ("kmeans", "k-means++", "random", "random_from_data")

# Of k-means at the start, as scikit-learn has it.
STEPS_OF_K_MEANS, TOLERANCE_OF_K_MEANS = 300, 1e-4


class Task(NamedTuple):
    """What a mixture is to be learned from, and how."""

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
            return soft_cross_moments(values, shares, pick("covariances", steps * n_features))
        return soft_moments(values, shares, pick("centres", steps))


class Expected(NamedTuple):
    """What is expected of the hidden components of the rows: their statistics by shares."""

    statistics: SoftMoments
    components: Components  # under which it is expected


def expect(task: Task, components: Components) -> tuple[Expected, float]:
    """The E-step: the soft statistics of all rows, and the mean of log p(x)."""
    statistics, log_density = expected_statistics(
        task.X,
        task.weights,
        joint_log_density(components, task.covariance_type, task.X.shape[0]),
        task.summarise,
        task.n_components,
    )
    return Expected(statistics, components), log_density


def maximise(task: Task, expected: Expected) -> Components:
    """The M-step: the parameters that follow from the statistics."""
    return estimated(expected.statistics, task.covariance_type, task.reg_covar, expected.components)


def climb_from(
    task: Task, start: Components, max_iter: int, tol: float
) -> Climb[Components, Expected]:
    """EM from these parameters on, until a step changes the mean of log p(x) by less than tol.

    Threads of BLAS that have factored a small matrix go on looking for work for a while, and take
    the processors from the next step.
    """
    with one_blas_thread():
        return climb(
            expect(task, start)[0],
            lambda components: expect(task, components),
            lambda expected: maximise(task, expected),
            max_iter,
            settled=lambda _before, _after, gain: abs(gain) < tol,
        )


def first_components(task: Task, how: str, rng: np.random.Generator) -> Components:
    """Parameters to begin with: every row belongs to one component, or to all by chance."""
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
    """The component of each row: by k-means, or that of the nearest of some rows."""
    X, weights = task.X, task.row_weights
    choose = random_rows if how == "random_from_data" else spread_rows
    centres = rows_at(X, choose(X, weights, task.n_components, rng))
    if how == "kmeans":
        smallest = smallest_step(X, weights, TOLERANCE_OF_K_MEANS)
        centres = nearest_means(X, weights, centres, STEPS_OF_K_MEANS, smallest).state
    return assigned(X, weights, centres)[0].codes
