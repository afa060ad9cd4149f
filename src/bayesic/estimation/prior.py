"""The prior probability of each class."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from bayesic.data.arguments import as_numbers, check_number, check_one_of
from bayesic.data.typing import ArrayLike
from bayesic.kernels import Array
from bayesic.kernels.leaving import left, left_at, log_shares


def as_it_is(log_prior: Array) -> Array:
    """All of the log prior."""
    return log_prior


@dataclass(frozen=True, eq=False)
class ClassPrior:
    """P(c) of each class, also with a row left out, and its part in the scores."""

    class_count: Array
    rule: str | ArrayLike = "learned"  # or "uniform", or a probability for each class
    smoothing: float = 0.0  # lambda, where it is learned
    in_scores: Callable[[Array], Array] = as_it_is  # the part of log P(c) in log p(x, c)

    @cached_property
    def probability(self) -> Array:
        """P(c) of each class; see class_prior."""
        return _probability(self.class_count, self.rule, self.smoothing)

    @cached_property
    def log(self) -> Array:
        """log P(c) of each class, -inf where it is zero."""
        with np.errstate(divide="ignore"):
            return np.log(self.probability)

    def log_without(self, codes: Array, weights: Array) -> Array:
        """log P(c) with each row left out in turn: (n_classes, n_rows); see log_prior_without."""
        return log_prior_without(self.class_count, codes, weights, self.rule, self.smoothing)


def class_prior(
    class_count: ArrayLike,
    prior: Literal["learned", "uniform"] | ArrayLike = "learned",
    smoothing: float = 0.0,
) -> Array:
    """The prior probability of each class.

        learned   P(c) = (N_c + lambda) / (N + K lambda)
        uniform   P(c) = 1 / K
        given     P(c) as given for class c

    N_c rows of class c, N in all, K classes. lambda = 0 is maximum likelihood, lambda = 1 the
    Laplace correction ([LiHang] eq. 4.8 and 4.11). With no rows at all, learned is uniform.

    class_count : rows of each class; of a model `statistics_.class_count`
    prior : "learned", "uniform", or a probability for each class, summing to 1
    smoothing : lambda

    >>> class_prior([9, 6], smoothing=1).round(4)  # 10/17 and 7/17
    array([0.5882, 0.4118])
    """
    counts = as_numbers(class_count, "class_count")
    if counts.ndim != 1 or not len(counts) or not ((counts >= 0) & (counts < np.inf)).all():
        raise ValueError(
            "class_count must be a count of 0 or more for each class, got "
            f"{class_count!r:.100}. Give statistics_.class_count of a model, or a list."
        )
    check_number("smoothing", smoothing)
    if isinstance(prior, str):
        check_one_of("prior", prior, ("learned", "uniform"))
        return _probability(counts, prior, smoothing)
    return checked_prior(prior, len(counts))


def _probability(class_count: Array, prior: str | ArrayLike, smoothing: float) -> Array:
    if not isinstance(prior, str):
        return np.asarray(prior, dtype=np.float64)
    smoothed = class_count + np.float64(smoothing)
    if prior == "uniform" or not smoothed.any():
        return np.full(len(class_count), 1.0 / len(class_count))
    return smoothed / smoothed.sum()


def log_prior(
    class_count: Array, prior: str | ArrayLike = "learned", smoothing: float = 0.0
) -> Array:
    """Log of the prior probability of each class, -inf where that is zero; see class_prior."""
    with np.errstate(divide="ignore"):
        return np.log(_probability(class_count, prior, smoothing))


def log_prior_without(
    class_count: Array,
    codes: Array,
    weights: Array,
    prior: str | ArrayLike = "learned",
    smoothing: float = 0.0,
) -> Array:
    """The log prior of each class with each row left out in turn: (n_classes, n_rows).

    codes and weights give the class and the weight of each row.

    >>> np.exp(log_prior_without(np.array([2, 1]), np.array([0, 1]), np.ones(2)))
    array([[0.5, 1. ],
           [0.5, 0. ]])
    """
    n_classes, n_rows = len(class_count), len(codes)
    if not isinstance(prior, str) or prior == "uniform":
        return np.broadcast_to(log_prior(class_count, prior)[:, None], (n_classes, n_rows))
    if n_rows > n_classes and np.ptp(weights) == 0:  # the same for all rows of a class
        one_each = np.arange(n_classes), weights[:n_classes]
        return log_prior_without(class_count, *one_each, prior, smoothing)[:, codes]
    counts = np.broadcast_to(class_count[:, None], (n_classes, n_rows))
    rest = left_at(counts, (codes, np.arange(n_rows)), weights)
    total = left(class_count.sum(), weights)
    return log_shares(rest + smoothing, total + n_classes * smoothing, n_classes)


def checked_prior(prior: object, n_classes: int) -> Array:
    """Given priors as float64: one for each class, 0 or more, summing to 1."""
    array = as_numbers(prior, "Priors")
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
