"""What rounding leaves behind, and what is done about it."""

import numpy as np

Array = np.ndarray

# Sums of fractions leave noise behind when all of them are taken away again: this share of the sum.
ROUNDING = 1e-10

EPSILON = np.finfo(np.float64).eps
TINY = np.finfo(np.float64).tiny

# Least variance of a class, as a share of the variance over all rows: rounding is far below it.
SMALLEST_SHARE = 2.0**-80


def left(total: Array, removed: Array | float) -> Array:
    """total - removed, for counts that hold what is removed: 0 where only rounding noise is left.

    Noise is small, and no whole number: whole counts are exact.

    >>> left(np.array([3.0, 0.3, 1e12]), np.array([1.0, 0.1 + 0.2, 1e12 - 1]))
    array([2., 0., 1.])
    """
    rest = total - removed
    noise = (rest <= ROUNDING * total) & (rest != np.rint(rest))
    return np.where(noise | (rest < 0), 0.0, rest)


def scatter_noise(scatter: Array, weight: Array, step: Array, size: Array) -> Array:
    """How far rounding may have put off: scatter - weight step^2, where step is a difference of
    numbers of this size.
    """
    off = 4 * EPSILON * size
    return 1e-14 * scatter + weight * off * (2 * np.abs(step) + off)


def floored_variance(variance: Array, overall: Array) -> Array:
    """The variance of a class, at least the smallest share of the variance over all rows.

    A class whose values are all the same has a density without bound: with this floor it stays a
    number, and rounding does not decide. A feature that is the same in all rows tells nothing:
    variance 1, for every class.
    """
    floored = np.maximum(variance, np.maximum(SMALLEST_SHARE * overall, TINY))
    return np.where((variance == 0) & (overall == 0), 1.0, floored)
