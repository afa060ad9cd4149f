"""Noise on counts, so that one cannot tell from them whether a row was there.

The geometric mechanism [Ghosh]: each count n becomes max(n + K, 0), K drawn for each of them from

    P(K = k) = (1 - alpha) / (1 + alpha) alpha^|k|,   alpha = exp(-epsilon / s)

s, the sensitivity, is by how much one row more or less changes all counts together. Then whatever
is published is at most exp(epsilon) times as probable with a row as without it. Counts below 0 are
cut off after the draw, which says nothing more about rows.

The draws have exactly this distribution ([Canonne], algorithms 1 and 2): they are made of whole
numbers, not of floats, whose rounding could tell what was rounded, and of random bits of the
operating system.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import prod
from random import Random, SystemRandom

import numpy as np

from bayesic.data.arguments import is_number
from bayesic.data.typing import RandomState
from bayesic.kernels import Array

LEAST_SHARE = 1e-9  # of epsilon for each count: with less nothing is left of any count
MOST_SHARE = 30.0  # with more not one count in 10^12 changes


class Noise:
    """What is added to the counts of one statistic, all of them once."""

    def __init__(self, epsilon: float, sensitivity: int, random_state: RandomState = None) -> None:
        """random_state : a seed or generator for tests; with it the noise can be taken off"""
        if not is_number(epsilon) or not LEAST_SHARE * sensitivity <= epsilon < float("inf"):
            raise ValueError(
                f"epsilon must be a number above 0, and {LEAST_SHARE:g} or more for each of the "
                f"{sensitivity} counts that a row changes, got {epsilon!r:.80}. 1.0 is usual."
            )
        if epsilon > MOST_SHARE * sensitivity:
            raise ValueError(
                f"epsilon must be at most {MOST_SHARE * sensitivity:g}, {MOST_SHARE:g} for each of "
                f"the {sensitivity} counts that a row changes, got {epsilon!r:.80}: with more no "
                "count would change, and nothing would be hidden. 1.0 is usual."
            )
        self.share = Fraction(float(epsilon)) / sensitivity
        self._random: Random = SystemRandom()
        if random_state is not None:
            self._random = Random(int(np.random.default_rng(random_state).integers(2**63)))

    def on(self, counts: Array) -> Array:
        """The counts with noise; whole numbers of 0 or more.

        >>> Noise(epsilon=30.0, sensitivity=1).on(np.array([3, 0]))
        array([3, 0])
        """
        if counts.dtype.kind != "i":
            raise ValueError(
                "Noise is for whole counts, of which a row changes each by 1 at most: these have "
                "weights. Fit without sample_weight and decay."
            )
        return np.maximum(counts + self.draws(counts.shape), 0)

    def draws(self, shape: Sequence[int]) -> Array:
        """K as above, so many of them."""
        numbers = (two_sided_geometric(self.share, self._random) for _ in range(prod(shape)))
        return np.fromiter(numbers, np.int64).reshape(shape)


def two_sided_geometric(share: Fraction, random: Random) -> int:
    """K with P(K = k) ~ exp(-share |k|), exactly."""
    while True:
        rest = random.randrange(share.denominator)
        if not _happens(rest, share.denominator, random):
            continue
        whole = 0
        while _happens(1, 1, random):
            whole += 1
        size = (rest + share.denominator * whole) // share.numerator
        is_negative = random.getrandbits(1)
        if size or not is_negative:  # or 0 would come twice as often
            return -size if is_negative else size


def _happens(part: int, whole: int, random: Random) -> bool:
    """True with probability exp(-part / whole), for a part from 0 to the whole, exactly."""
    trial = 1
    while random.randrange(trial * whole) < part:
        trial += 1
    return trial % 2 == 1


def refused(statistic: object) -> TypeError:
    """For statistics of which one row may change much, or that hold values of rows."""
    return TypeError(
        "Noise is for counts of categories (NaiveBayes, CategoricalNB) and of features that are "
        "present or absent (BernoulliNB), of which a row changes few, each by 1; got "
        f"{type(statistic).__name__}. Cut numbers at points that are known before the data is "
        "seen, give them as categories, and fit NaiveBayes."
    )
