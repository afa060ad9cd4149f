"""The mutual information of columns and the class, and of columns within the classes.

From counts it is a sum (`class_information`, `conditional_information`, in nats). Under a model of
any kind it is, in bits,

    I(X; C) = sum over c of P(c) E[ log2 (p(X | c) / p(X)) ],   p(x) = sum over c of P(c) p(x | c)

The mean is over the values that the column has in class c, as the model describes them: shares are
summed, densities are integrated. So all kinds of columns are measured alike, from 0 (no
information) to the entropy of the class (it determines the class). With plain relative frequencies
it is the mutual information of the counts, the gain of [Mitchell] section 3.4.1.2.
"""

from collections.abc import Callable

import numpy as np
import scipy

from bayesic.kernels import Array

# Densities are integrated piece by piece, with this many points in each (Gauss-Legendre).
_POINTS = 6

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(_POINTS)

# The ends of the pieces of a normal density, in deviations from its mean; the rest is negligible.
_DEVIATIONS = np.arange(-9.0, 10.0)

# The ends of the pieces of a kernel, in bandwidths; at least half a bandwidth long.
_BANDWIDTHS = np.array(
    [-40.0, -20.0, -10.0, -6.0, -3.0, -1.0, 0.0, 1.0, 3.0, 6.0, 10.0, 20.0, 40.0]
)

# Of a Poisson distribution with more counts than this every second, third, ... is summed.
_MOST_COUNTS = 4096

_CELLS_AT_ONCE = 2**21  # numbers in memory at a time


def class_information(counts: Array) -> float:
    """The mutual information of a column and the class.

        I(X; C) = sum over v, c of P(v, c) log(P(v, c) / (P(v) P(c)))

    counts : (n_levels, n_classes), rows with each level in each class

    >>> class_information(np.array([[3, 0], [0, 3]])), class_information(np.array([[1, 2], [2, 4]]))
    (0.6931471805599453, 0.0)
    """
    return float(conditional_information(counts[:, :, None]))


def conditional_information(counts: Array) -> Array:
    """The mutual information of two columns within the classes ([FriedmanTAN] section 4.1).

        I(X; Y | C) = sum over x, y, c of P(x, y, c) log(P(x, y | c) / (P(x | c) P(y | c)))

    counts : (levels of X, levels of Y, n_classes), rows in which both were observed; or such tables
        of several pairs, along further axes before these

    >>> float(conditional_information(np.array([[[2, 1], [0, 1]], [[0, 1], [2, 1]]])))
    0.34657359027997264
    """
    counts = counts.astype(np.float64)
    cells, occurs = (-3, -2, -1), counts > 0
    of_class, of_x, of_y = (
        np.where(occurs, counts.sum(axis=axes, keepdims=True), 1.0) for axes in ((-3, -2), -2, -3)
    )
    # products of tiny soft counts would be 0
    ratio = np.where(occurs, counts, 1.0) / of_x * (of_class / of_y)
    total = counts.sum(axis=cells)
    bits = (counts * np.log(ratio)).sum(axis=cells) / np.where(total > 0, total, 1.0)
    return np.maximum(bits, 0.0)  # rounding may give less than 0


def presence_information(present: Array, class_count: Array) -> Array:
    """The mutual information of the presence of each word and the class of a text, in nats.

        I(W; C) = sum over v, c of P(v, c) log(P(v, c) / (P(v) P(c))),   v = present, absent

    ([IIR] eq. 13.16.)

    present : (n_words, n_classes), texts of each class that have the word
    class_count : (n_classes,), texts of each class

    >>> presence_information(np.array([[3, 0], [2, 2], [3, 3]]), np.array([3, 3])).round(4)
    array([0.6931, 0.    , 0.    ])
    """
    information = np.zeros(len(present))
    if not class_count.any():
        return information
    share = class_count / class_count.sum()
    for counts in (present, np.maximum(class_count - present, 0)):  # below 0 by rounding of weights
        expected = counts.sum(axis=1, keepdims=True) * share
        ratio = np.where(counts > 0, counts, 1.0) / np.where(counts > 0, expected, 1.0)
        information += (counts * np.log(ratio)).sum(axis=1)
    return np.maximum(information / class_count.sum(), 0.0)


def entropy(prior: Array) -> float:
    """The entropy of the class in bits: -sum over c of P(c) log2 P(c).

    >>> entropy(np.array([0.5, 0.5])), entropy(np.array([1.0, 0.0]))
    (1.0, 0.0)
    """
    return max(0.0, -float(scipy.special.xlogy(prior, prior).sum() / np.log(2)))


def entropy_of_counts(counts: Array) -> Array:
    """The entropy of the class in each line of a table, times its number of rows, in bits.

    >>> entropy_of_counts(np.array([[2, 2], [4, 0]]))
    array([4., 0.])
    """
    total = counts.sum(axis=1)
    nats = scipy.special.xlogy(total, total) - scipy.special.xlogy(counts, counts).sum(axis=1)
    return np.maximum(nats, 0.0) / np.log(2)


def telling(shares: Array, prior: Array) -> tuple[Array, Array, Array]:
    """The contribution of each value to the mutual information with the class, in bits.

        information(v) = sum over c of P(c) p(v|c) log2 (p(v|c) / p(v))

    Also the index of the class that the value favours most, and the factor p(v|c) / p(v) by which
    observing it changes the probability of that class.

    shares : (n_values, n_classes), p(v | c); prior : (n_classes,)

    >>> information, favoured, factor = telling(np.array([[1.0, 0.0], [0.0, 1.0]]), np.full(2, 0.5))
    >>> information, favoured, factor
    (array([0.5, 0.5]), array([0, 1]), array([2., 2.]))
    """
    overall = shares @ prior
    factors = shares / np.where(overall > 0, overall, 1.0)[:, None]
    logs = np.log2(np.where(factors > 0, factors, 1.0))
    favoured = factors.argmax(axis=1)
    information = (shares * prior * logs).sum(axis=1)
    return information, favoured, factors.max(axis=1)


def share_information(shares: Array, prior: Array) -> float:
    """I(X; C) of a column of values with these shares: (n_values, n_classes).

    >>> outlook = np.array([[3, 2], [0, 4], [2, 3]]) / [5, 9]  # play tennis: sunny, overcast, rain
    >>> round(share_information(outlook, np.array([5, 9]) / 14), 3)
    0.247
    """
    return max(0.0, float(telling(shares, prior)[0].sum()))


def normal_information(mean: Array, variance: Array, prior: Array) -> Array:
    """I(X; C) of columns that are normally distributed in each class: (n_features,).

    mean, variance : (n_classes, n_features)

    >>> mean, variance = np.array([[0.0, 0.0], [0.0, 50.0]]), np.ones((2, 2))
    >>> normal_information(mean, variance, np.array([0.5, 0.5])).round(6)
    array([0., 1.])
    """
    possible = prior > 0
    mean, variance, prior = mean[possible], variance[possible], prior[possible]
    n_classes, n_features = mean.shape
    step = max(1, _CELLS_AT_ONCE // (n_classes**2 * len(_DEVIATIONS) * _POINTS))
    parts = [
        _normal_information(mean[:, some], variance[:, some], prior)
        for some in (slice(first, first + step) for first in range(0, n_features, step))
    ]
    return np.concatenate([np.zeros(0), *parts])


def _normal_information(mean: Array, variance: Array, prior: Array) -> Array:
    mean = mean - mean[0]  # only distances matter: large means would lose digits
    # a class without spread gets a very small one: the ends of its pieces must differ
    floor = 1e-18 * (np.ptp(mean, axis=0) ** 2 + variance.max(axis=0))
    variance = np.maximum(variance, np.where(floor > 0, floor, 1.0))
    ends = mean[..., None] + np.sqrt(variance)[..., None] * _DEVIATIONS
    ends = np.sort(np.moveaxis(ends, 1, 0).reshape(mean.shape[1], -1), axis=1)
    points, weights = _points_between(ends)
    shape = (-1, 1, 1)
    log_density = np.stack(
        [
            -0.5
            * (
                (points - m.reshape(shape)) ** 2 / v.reshape(shape)
                + np.log(2 * np.pi * v).reshape(shape)
            )
            for m, v in zip(mean, variance, strict=True)
        ],
        axis=-1,
    )
    return np.maximum(0.0, (weights * _bits_at(log_density, prior)).sum(axis=(1, 2)))


def kernel_information(
    log_density: Callable[[Array], Array], values: Array, bandwidth: float, prior: Array
) -> float:
    """I(X; C) of a column with a kernel density in each class.

    log_density : points -> log p(x | c), (n_points, n_classes)
    values      : the centres of the kernels
    """
    half = bandwidth / 2
    ends = np.unique(np.round((values[:, None] - values[0] + bandwidth * _BANDWIDTHS) / half))
    points, weights = _points_between(half * ends)
    total = 0.0
    step = max(1, _CELLS_AT_ONCE // (_POINTS * len(prior)))
    for first in range(0, len(points), step):
        some = slice(first, first + step)
        at = log_density(values[0] + points[some].ravel())
        total += float((weights[some].ravel() * _bits_at(at, prior)).sum())
    return max(0.0, total)


def poisson_information(rate: Array, prior: Array) -> float:
    """I(X; C) of a column of counts with these rates: (n_classes,).

    >>> round(poisson_information(np.array([2.0, 2.0]), np.array([0.5, 0.5])), 9)
    0.0
    """
    total = 0.0
    for own, share in zip(rate.tolist(), prior.tolist(), strict=True):
        spread = 10 * np.sqrt(own) + 30
        first, last = max(0.0, np.floor(own - spread)), np.ceil(own + spread)
        step = float(np.ceil((last - first + 1) / _MOST_COUNTS))
        counts = np.arange(first, last + 1, step)[:, None]
        log_probability = (
            scipy.special.xlogy(counts, rate) - rate - scipy.special.gammaln(counts + 1)
        )
        own_log = scipy.special.xlogy(counts, own) - own - scipy.special.gammaln(counts + 1)
        overall = _log_mean(log_probability, prior)
        gain = np.where(np.isneginf(own_log[:, 0]), 0.0, own_log[:, 0] - overall)
        total += share * step * float((np.exp(own_log[:, 0]) * gain).sum())
    return max(0.0, total / np.log(2))


def _points_between(ends: Array) -> tuple[Array, Array]:
    """Points in the pieces between these ends, and their weights: (..., n_pieces, _POINTS) each."""
    left, width = ends[..., :-1, None], np.diff(ends)[..., None]
    return left + width * (_NODES + 1) / 2, width * _WEIGHTS / 2


def _bits_at(log_density: Array, prior: Array) -> Array:
    """sum over c of P(c) p(x | c) log2 (p(x | c) / p(x)); classes are on the last axis."""
    density = np.exp(log_density)
    with np.errstate(invalid="ignore"):
        gain = log_density - _log_mean(log_density, prior)[..., None]
    return (prior * density * np.where(density > 0, gain, 0.0)).sum(axis=-1) / np.log(2)


def _log_mean(log_density: Array, prior: Array) -> Array:
    """log of the mean density, log sum over c of P(c) p(x | c)."""
    with np.errstate(divide="ignore"):
        return np.logaddexp.reduce(log_density + np.log(prior), axis=-1)
