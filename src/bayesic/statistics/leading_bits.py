"""The leading bits of numbers: sign, exponent, and the first bits of the mantissa.

Cutting bits off twice is cutting them off once, in whatever order numbers come.
"""

import numpy as np

from bayesic.kernels import Array

MANTISSA_BITS = 52
TINIEST = np.finfo(np.float64).tiny


def leading_bits(values: Array, bits: int) -> Array:
    """These numbers with all but the first bits of the mantissa set to zero.

    >>> leading_bits(np.array([3.1416, -3.1416]), bits=4)
    array([ 3.125, -3.125])
    """
    if bits >= MANTISSA_BITS:
        return values
    mask = np.int64(-1) << np.int64(MANTISSA_BITS - bits)
    return (values.view(np.int64) & mask).view(np.float64)


def middle(keys: Array, bits: int) -> Array:
    """The middle of all numbers that have these leading bits."""
    if bits >= MANTISSA_BITS:
        return keys
    half = np.int64(1) << np.int64(MANTISSA_BITS - bits - 1)
    return np.where(keys == 0, 0.0, (keys.view(np.int64) | half).view(np.float64))


def at_resolution(values: Array, bits: int) -> Array:
    """The number that the table of a column has for each of these; NaN stays NaN."""
    cut = middle(leading_bits(without_tiny(values), bits), bits)
    return np.where(np.isnan(values), np.nan, cut)


def without_tiny(values: Array) -> Array:
    """Numbers below the normal range, and -0.0, as 0: cutting bits never makes a zero."""
    return np.where(np.abs(values) >= TINIEST, values, 0.0)
