"""Bits that look drawn at random and follow from a number: splitmix64 ([Steele]).

The same number gives the same bits on every machine, in NumPy and in Numba.
"""

import numpy as np

from bayesic.kernels import Array

STEP = np.uint64(0x9E3779B97F4A7C15)  # from one number of a sequence to the next
MIX = (
    (np.uint64(30), np.uint64(0xBF58476D1CE4E5B9)),
    (np.uint64(27), np.uint64(0x94D049BB133111EB)),
)
LAST_SHIFT = np.uint64(31)
HIGH_BITS = np.uint64(33)  # that are dropped to leave 31, which fit into any whole number


def mixed(numbers: Array) -> Array:
    """64 bits for each number: small whole numbers, and those that differ little, differ in all.

    >>> mixed(np.array([1, 2], np.uint64))
    array([ 6238072747940578789, 15839785061582574730], dtype=uint64)
    """
    for shift, factor in MIX:
        numbers = (numbers ^ (numbers >> shift)) * factor
    return numbers ^ (numbers >> LAST_SHIFT)


def below(states: Array, limits: Array) -> Array:
    """A whole number from 0 on below its limit for each state: int64; the limits are small."""
    return ((mixed(states) >> HIGH_BITS) % limits.astype(np.uint64)).astype(np.int64)
