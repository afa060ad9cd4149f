"""Moments -> the mean and variance of each feature in each class."""

from typing import NamedTuple

import numpy as np

from bayesic.kernels.rounding import floored_variance
from bayesic.statistics.moments import ClassMoments

Array = np.ndarray


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
    learning at once. A class that never showed a feature takes it as distributed over all rows;
    a variance of zero is handled as floored_variance says.

    >>> from bayesic.statistics.moments import class_moments
    >>> X, codes = np.array([[1.0], [3.0], [8.0]]), np.array([0, 0, 1])
    >>> gaussian_parameters(class_moments(X, codes, n_classes=2), var_smoothing=0).mean
    array([[2.],
           [8.]])
    """
    overall, seen = moments.overall, moments.per_class.count > 0
    epsilon = float(var_smoothing * overall.variance().max())
    mean = np.where(seen, moments.per_class.mean, overall.mean)
    variance = np.where(seen, moments.per_class.variance(), overall.variance())
    return GaussianParameters(
        mean, floored_variance(variance + epsilon, overall.variance()), epsilon
    )
