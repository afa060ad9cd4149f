"""Moments of single columns -> the normal or Poisson distribution of each in each class.

`gaussian_parameters` adds the same epsilon to the variance of every feature, as scikit-learn does.
`normal_parameters` uses one column only, and its floor is free of the scale:

    smoothed   variance_c = (scatter_c + s^2) / N_c
    ml         variance_c = scatter_c / N_c
    unbiased   variance_c = scatter_c / (N_c - 1)

    s^2 = (sum of scatter_c over c + t^2) / (N + 1)

s^2 is the variance within the classes, t^2 that of all rows together. A class of one row, or of
rows that are all the same, gets s^2 / N_c, the variance that N_c rows of an average class support,
also under the other two rules, which give it no variance. As N_c grows all
three are the maximum likelihood estimate. The answers depend neither on the
unit of the column nor on other columns. A column that is the same in all rows has no information.

Of a column of counts `poisson_rates` estimates

    rate_c = (sum of x over the rows of c + t) / (N_c + 1)

t is the mean over all rows, as if each class had one more row of average value. A column of zeros
has the rate 1 / (2 (N + 1)) in all classes: no information, and no count is impossible.
"""

from collections.abc import Iterable
from functools import reduce
from operator import add
from typing import NamedTuple

import numpy as np

from bayesic.kernels import Array
from bayesic.kernels.leaving import left_at, moments_without, own_class
from bayesic.kernels.rounding import floored_variance
from bayesic.statistics.moments import ClassMoments, Moments, pooled_numbers, sum_of_groups

VARIANCES = ("smoothed", "ml", "unbiased")

# With less than this share of the scatter left, a difference has lost half of its digits.
_LOST = 1e-7

# Up to so many classes are estimated one after the other in plain Python.
FEW_CLASSES = 16


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
    learning at once. A class without observations of a feature has its distribution over all rows;
    a variance of zero is handled by floored_variance.

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


class NormalParameters(NamedTuple):
    """The normal distribution of each class; or of the class of each row, with the row left out."""

    mean: Array
    variance: Array


class NormalWithout(NamedTuple):
    """The parameters with each row left out in turn: arrays of n_rows, or one value for all."""

    others: NormalParameters  # (n_classes, n_rows): of rows of another class, where s^2 changes
    own: NormalParameters  # of the row's own class
    lost: Array  # rows with nearly all of the scatter: the rest has lost its digits


def normal_parameters(moments: Moments, rule: str = "smoothed") -> NormalParameters:
    """Mean and variance of each class: (n_classes,) each. moments are those of one column.

    rule : one of VARIANCES

    >>> one_row_and_two = Moments(*np.array([[[1.0], [2.0]], [[5.0], [2.0]], [[0.0], [2.0]]]))
    >>> mean, variance = normal_parameters(one_row_and_two)
    >>> mean, variance.round(4)  # t^2 = 8/3 and s^2 = (2 + 8/3) / 4 = 7/6
    (array([5., 2.]), array([1.1667, 1.5833]))
    >>> normal_parameters(one_row_and_two, "unbiased").variance.round(4)  # 2 / (2 - 1)
    array([1.1667, 2.    ])
    """
    if len(moments.count) <= FEW_CLASSES:
        return _of_few_classes(moments, rule)
    overall = moments.pooled()
    variance = overall.variance()
    within = _within(sum_of_groups(moments.scatter), variance, overall.count)
    parameters = _with_floor(moments.arrays(), within, overall.mean, variance, rule)
    return NormalParameters(*(array[:, 0] for array in parameters))


def _of_few_classes(moments: Moments, rule: str) -> NormalParameters:
    """The same bits in plain Python, which is faster than some fifty calls of NumPy."""
    count, mean, scatter = (array.ravel().tolist() for array in moments.arrays())
    n_rows, all_mean, all_scatter = pooled_numbers(count, mean, scatter)
    all_variance = all_scatter / n_rows if n_rows > 0 else 0.0
    within = (reduce(add, scatter) + all_variance) / (n_rows + 1)
    variances = [
        _floored(*of_class, within, rule) if of_class[0] > 0 else all_variance
        for of_class in zip(count, scatter, strict=True)
    ]
    means = [own if n > 0 else all_mean for n, own in zip(count, mean, strict=True)]
    return NormalParameters(np.array(means), np.array([each or 1.0 for each in variances]))


def _floored(count: float, scatter: float, within: float, rule: str) -> float:
    """The variance of a class that has rows, by the rule above."""
    divisor = count - (rule == "unbiased")
    if rule == "smoothed" or not divisor > 0 or not scatter / divisor > 0:
        return (scatter + within) / count
    return scatter / divisor


def within_variance(moments: Moments) -> float:
    """s^2 of the rule above, 1 for a column that is the same in all rows."""
    overall = moments.pooled()
    variance = _within(moments.scatter.sum(), overall.variance()[0, 0], overall.count[0, 0])
    return float(variance) if variance > 0 else 1.0


def normal_without(
    moments: Moments, values: Array, codes: Array, weights: Array, rule: str = "smoothed"
) -> NormalWithout:
    """The parameters of all classes with each row left out in turn.

    values, codes, weights : the value of each row, its class and its weight; rule : of VARIANCES
    """
    count, mean, scatter = (array[:, 0] for array in moments.arrays())
    overall = [array[0, 0] for array in moments.pooled().arrays()]
    own = moments_without(values, weights, count[codes], mean[codes], scatter[codes])
    n_rows, all_mean, all_scatter = moments_without(values, weights, *overall)
    all_variance = all_scatter / np.where(n_rows > 0, n_rows, 1.0)
    within = _within(scatter.sum() - scatter[codes] + own[2], all_variance, n_rows)
    of_classes = (array[:, None] for array in (count, mean, scatter))
    others = _with_floor(of_classes, within, all_mean, all_variance, rule)
    lost = (own[2] < _LOST * scatter[codes]) | (all_scatter < _LOST * overall[2])
    return NormalWithout(others, _with_floor(own, within, all_mean, all_variance, rule), lost)


def _within(scatter: Array, overall_variance: Array, n_rows: Array) -> Array:
    return (scatter + overall_variance) / (n_rows + 1)


def _with_floor(
    moments: Iterable[Array], within: Array, overall_mean: Array, overall_variance: Array, rule: str
) -> NormalParameters:
    """Mean and variance by the rule above; classes without rows have those of all rows."""
    count, mean, scatter = (np.asarray(array) for array in moments)
    some = count > 0
    variance = (scatter + within) / np.where(some, count, 1.0)
    if rule != "smoothed":
        divisor = count - (rule == "unbiased")
        own = scatter / np.where(divisor > 0, divisor, 1.0)
        variance = np.where((divisor > 0) & (own > 0), own, variance)
    if not some.all():
        mean = np.where(some, mean, overall_mean)
        variance = np.where(some, variance, overall_variance)
    if not variance.all():
        variance = np.where(variance > 0, variance, 1.0)
    return NormalParameters(mean, variance)


def poisson_rates(moments: Moments) -> Array:
    """The rate of each class: (n_classes,). moments are those of one column.

    >>> one_row_and_two = Moments(*np.array([[[1.0], [2.0]], [[5.0], [2.0]], [[0.0], [2.0]]]))
    >>> poisson_rates(one_row_and_two)  # t = 3: (5 + 3) / 2 and (4 + 3) / 3
    array([4.        , 2.33333333])
    """
    count = moments.count[:, 0]
    total = count * moments.mean[:, 0]
    return _rates(count, total, total.sum(), count.sum())


def rates_without(moments: Moments, values: Array, codes: Array, weights: Array) -> Array:
    """The rates with each row left out in turn: (n_rows, n_classes)."""
    own, shape = own_class(codes), (len(codes), len(moments.count))
    per_class = moments.count[:, 0], moments.count[:, 0] * moments.mean[:, 0]
    count, total = (
        left_at(np.broadcast_to(sums, shape), own, removed)
        for sums, removed in zip(per_class, (weights, weights * values), strict=True)
    )
    return _rates(count, total, total.sum(axis=1, keepdims=True), count.sum(axis=1, keepdims=True))


def _rates(count: Array, total: Array, all_total: Array, n_rows: Array) -> Array:
    usual = all_total / np.where(n_rows > 0, n_rows, 1.0)
    rates = (total + usual) / (count + 1)
    return np.where(all_total > 0, rates, 0.5 / (n_rows + 1))
