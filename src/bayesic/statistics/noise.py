"""Noise on counts, so that nobody can tell from them whether a row was there.

The geometric mechanism [Ghosh]: each count n becomes max(n + K, 0), K drawn for each of them from

    P(K = k) = (1 - alpha) / (1 + alpha) alpha^|k|,   alpha = exp(-epsilon / s)

s, the sensitivity, is by how much one row more or less changes all counts together. Then whatever
is published is at most exp(epsilon) times as probable with a row as without it. Counts below 0 are
cut off after the draw, which says nothing more about rows.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from bayesic.data.arguments import is_number
from bayesic.kernels import Array

LEAST_SHARE = 1e-9  # of epsilon for each count: with less nothing is left of any count


class Noise:
    """What is added to the counts of one statistic, all of them once."""

    def __init__(self, epsilon: float, sensitivity: int, random_state: Any = None) -> None:
        """random_state : a seed or a generator for tests; who knows it can take the noise off"""
        if not is_number(epsilon) or not LEAST_SHARE * sensitivity <= epsilon < float("inf"):
            raise ValueError(
                f"epsilon must be a number above 0, and {LEAST_SHARE:g} or more for each of the "
                f"{sensitivity} counts that a row changes, got {epsilon!r:.80}. 1.0 is usual."
            )
        self.share = epsilon / sensitivity
        self._rng = np.random.default_rng(random_state)

    def on(self, counts: Array) -> Array:
        """The counts with noise; whole numbers of 0 or more.

        >>> Noise(epsilon=100.0, sensitivity=1).on(np.array([3, 0]))
        array([3, 0])
        """
        if counts.dtype.kind != "i":
            raise ValueError(
                "Noise is for whole counts, of which a row changes each by 1 at most: these have "
                "weights. Fit without sample_weight and decay."
            )
        return np.maximum(counts + self.draws(counts.shape), 0)

    def draws(self, shape: int | Sequence[int]) -> Array:
        """K as above: one geometric number less another."""
        chance = -np.expm1(-self.share)  # 1 - alpha
        first, second = (self._rng.geometric(chance, shape) for _ in range(2))
        return first - second


def refused(statistic: Any) -> TypeError:
    """For statistics of which one row may change much, or that hold values of rows."""
    return TypeError(
        "Noise is for counts of categories (NaiveBayes, CategoricalNB) and of features that are "
        "present or absent (BernoulliNB), of which a row changes few, each by 1; got "
        f"{type(statistic).__name__}. Cut numbers at points that are known before the data is "
        "seen, give them as categories, and fit NaiveBayes."
    )
