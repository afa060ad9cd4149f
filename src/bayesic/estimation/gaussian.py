"""Moments -> the mean and variance of each feature in each class."""

from typing import NamedTuple

import numpy as np

from bayesic.statistics.moments import ClassMoments, Moments

Array = np.ndarray

# A class whose values are all the same has a density without bound. With this variance the density
# is huge where the value is met and zero elsewhere, and every number stays finite.
SMALLEST_VARIANCE = np.finfo(np.float64).tiny


class GaussianParameters(NamedTuple):
    """The normal distribution of each feature in each class."""

    mean: Array  # (n_classes, n_features)
    variance: Array  # (n_classes, n_features), epsilon included
    epsilon: float  # added to every variance


def gaussian_parameters(moments: ClassMoments, var_smoothing: float) -> GaussianParameters:
    """Maximum likelihood with a floor: mean, and variance plus epsilon.

        mean_cj = sum x_ij / N_cj      variance_cj = sum (x_ij - mean_cj)^2 / N_cj + epsilon
        epsilon = var_smoothing * the largest variance of a feature over all rows

    Epsilon comes from the statistics of all rows learned so far, so that learning in pieces is
    learning at once. A class that never showed a feature takes it as distributed over all rows.

    >>> from bayesic.statistics.moments import class_moments
    >>> X, codes = np.array([[1.0], [3.0], [8.0]]), np.array([0, 0, 1])
    >>> gaussian_parameters(class_moments(X, codes, n_classes=2), var_smoothing=0).mean
    array([[2.],
           [8.]])
    """
    epsilon = variance_floor(moments.overall, var_smoothing)
    mean, variance = mean_and_variance(moments.per_class, moments.overall, epsilon)
    return GaussianParameters(mean, variance, float(epsilon[0]))


def variance_floor(overall: Moments, var_smoothing: float) -> Array:
    """epsilon: var_smoothing times the largest variance of a feature, for each group of rows."""
    return var_smoothing * overall.variance().max(axis=1)


def mean_and_variance(moments: Moments, overall: Moments, epsilon: Array) -> tuple[Array, Array]:
    """Mean and variance plus epsilon of each group; those of all rows where it has no values."""
    seen = moments.count > 0
    mean, raw = moments.mean, moments.variance()
    if not seen.all():
        # never observed in any row: every class is given the same
        fallback = np.where(overall.count > 0, overall.variance(), 1.0)
        mean, raw = np.where(seen, mean, overall.mean), np.where(seen, raw, fallback)
    return mean, np.maximum(raw + epsilon, SMALLEST_VARIANCE)
