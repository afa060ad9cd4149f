"""The prior probability of each class."""

from typing import Any

import numpy as np

from bayesic.statistics.values import remaining

Array = np.ndarray


def class_prior(class_count: Array, prior: Any = "learned", smoothing: float = 0.0) -> Array:
    """The prior probability of each class.

        learned   P(c) = (N_c + lambda) / (N + K lambda)
        uniform   P(c) = 1 / K
        given     P(c) = the number given for class c

    N_c rows of class c, N in all, K classes. lambda = 0 is maximum likelihood, lambda = 1 the
    Laplace correction ([LiHang] eq. 4.8 and 4.11). With no rows at all, learned is uniform.

    >>> class_prior(np.array([9, 6]), smoothing=1).round(4)
    array([0.5882, 0.4118])
    """
    if not isinstance(prior, str):
        return np.asarray(prior, dtype=np.float64)
    smoothed = class_count + np.float64(smoothing)
    if prior == "uniform" or not smoothed.any():
        return np.full(len(class_count), 1.0 / len(class_count))
    return smoothed / smoothed.sum()


def log_prior(class_count: Array, prior: Any = "learned", smoothing: float = 0.0) -> Array:
    """Log of the prior probability of each class, -inf where that is zero; see class_prior."""
    with np.errstate(divide="ignore"):
        return np.log(class_prior(class_count, prior, smoothing))


def log_prior_without(
    class_count: Array, codes: Array, weights: Array, prior: Any = "learned"
) -> Array:
    """For each row, the log prior of each class as if that row had not been counted.

    codes and weights give the class and the weight of each row: the result has a row for each.

    >>> np.exp(log_prior_without(np.array([2, 1]), np.array([0, 1]), np.ones(2)))
    array([[0.5, 0.5],
           [1. , 0. ]])
    """
    if not isinstance(prior, str) or prior == "uniform":
        return np.tile(log_prior(class_count, prior), (len(codes), 1))
    counts = np.tile(class_count.astype(np.float64), (len(codes), 1))
    rows = np.arange(len(codes))
    counts[rows, codes] = remaining(counts[rows, codes], weights)
    total = counts.sum(axis=1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        learned = np.log(counts) - np.log(total)
    return np.where(total > 0, learned, -np.log(len(class_count)))


def checked_prior(prior: Any, n_classes: int) -> Array:
    """Given priors as float64: one for each class, 0 or more, summing to 1."""
    try:
        array = np.asarray(prior, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise type(error)(f"Priors must be numbers, one for each class: {error}.") from error
    if array.shape != (n_classes,):
        raise ValueError(
            f"Number of priors must match number of classes: got shape {array.shape} for "
            f"{n_classes} classes. Give one prior for each class, in the order of classes_."
        )
    if not (array >= 0).all():
        raise ValueError(
            f"Priors must be non-negative, got {array.tolist()}. Give probabilities from 0 to 1."
        )
    if not np.isclose(array.sum(), 1.0):
        raise ValueError(
            f"The sum of the priors should be 1, got {array.sum()}. Divide them by their sum."
        )
    return array
