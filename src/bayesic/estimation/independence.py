"""Tests of independence within strata: what the counts of two variables say.

A stratum is a class, or a combination of states of the variables that are given.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy

from bayesic.estimation.information import conditional_information

Array = np.ndarray


@dataclass(frozen=True)
class IndependenceTest:
    """A statistic that follows chi-squared if the variables are independent, and what it says."""

    statistic: float
    degrees_of_freedom: int
    p_value: float  # of a statistic at least as large, if they are independent


def g_squared(counts: Array) -> float:
    """Twice the log of the likelihood ratio of dependence to independence ([Spirtes], chapter 5).

        G2 = 2 sum over x, y, z of n_xyz log(n_xyz n_z / (n_xz n_yz)) = 2 N I(X; Y | Z)

    counts : (states of X, states of Y, strata)

    >>> round(g_squared(np.array([[[20], [10]], [[10], [20]]])), 4)
    6.796
    """
    return 2.0 * float(counts.sum()) * conditional_information(counts)


def chi_squared(counts: Array) -> float:
    """Squared distances of the counts from those expected, by Pearson ([Spirtes], chapter 5).

        X2 = sum over x, y, z of (n_xyz - e_xyz)^2 / e_xyz,    e_xyz = n_xz n_yz / n_z

    There is no correction for continuity. Cells that nothing is expected in count 0.

    counts : (states of X, states of Y, strata)

    >>> round(chi_squared(np.array([[[20], [10]], [[10], [20]]])), 4)
    6.6667
    """
    of_stratum = np.maximum(counts.sum(axis=(0, 1)), 1)
    expected = counts.sum(axis=1)[:, None, :] * (counts.sum(axis=0)[None, :, :] / of_stratum)
    distance = (counts - expected) ** 2
    return float((distance / np.where(expected > 0, expected, 1.0)).sum())


STATISTICS: dict[str, Callable[[Array], float]] = {
    "g-squared": g_squared,
    "chi-squared": chi_squared,
}


def degrees_of_freedom(counts: Array) -> int:
    """How many counts of a table are free when its margins are known.

        sum over z of (states of X that occur in z - 1) (states of Y that occur in z - 1)

    A state that never occurs in a stratum has no row or column there, and a stratum without rows
    adds nothing: zeros that could not be otherwise say nothing for independence.

    >>> degrees_of_freedom(np.array([[[2, 0], [1, 0], [0, 3]], [[1, 0], [2, 0], [0, 1]]]))
    1
    """
    first = counts.any(axis=1).sum(axis=0) - 1
    second = counts.any(axis=0).sum(axis=0) - 1
    return int((np.maximum(first, 0) * np.maximum(second, 0)).sum())


def independence_test(counts: Array, test: str = "g-squared") -> IndependenceTest:
    """The test of independence of X and Y within strata.

    Without a degree of freedom nothing speaks against independence, and the p-value is 1.

    counts : (states of X, states of Y, strata)

    >>> result = independence_test(np.array([[[20], [10]], [[10], [20]]]), "chi-squared")
    >>> round(result.statistic, 4), result.degrees_of_freedom, round(result.p_value, 4)
    (6.6667, 1, 0.0098)
    """
    statistic, freedom = STATISTICS[test](counts), degrees_of_freedom(counts)
    p_value = float(scipy.special.chdtrc(freedom, statistic)) if freedom else 1.0
    return IndependenceTest(statistic, freedom, p_value)
