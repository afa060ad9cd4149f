"""What rounding leaves behind, and what is done about it."""

import numpy as np

from bayesic.kernels import Array

# Sums of fractions leave noise behind when all of them are taken away again: this share of the sum.
ROUNDING = 1e-10

EPSILON = np.finfo(np.float64).eps
TINY = np.finfo(np.float64).tiny

# Least variance of a class, as a share of the variance over all rows: rounding is far below it.
SMALLEST_SHARE = 2.0**-80


def floored_variance(variance: Array, overall: Array) -> Array:
    """The variance of a class, at least the smallest share of the variance over all rows.

    A class whose values are all the same has a density without bound: with this floor it stays a
    number, and rounding does not decide. A feature that is the same in all rows tells nothing:
    variance 1, for every class.
    """
    floored = np.maximum(variance, np.maximum(SMALLEST_SHARE * overall, TINY))
    return np.where((variance == 0) & (overall == 0), 1.0, floored)
