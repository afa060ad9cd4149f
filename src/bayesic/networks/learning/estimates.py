"""Family counts -> conditional tables: shares of the counts, smoothed with pseudo-counts.

    P(y_ik | u_ij) = (N_ijk + a) / (N_ij + r a),    1 / r where N_ij + r a = 0

N_ijk counts the rows in which variable i has its state k, and its parents have their states j;
N_ij sums it over the r states. The pseudo-count a is lambda for every cell, or, for q combinations
of states of the parents, ess / (q r): the BDeu prior, which spreads `ess` rows evenly over the
cells of each table ([KF] section 17.4, [Heckerman] section 5).
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from bayesic.data.states import States
from bayesic.networks.tables import ConditionalTable
from bayesic.statistics.families import FamilyCounts

Array = np.ndarray


@dataclass(frozen=True)
class SameForAll:
    """The same pseudo-count for every cell: 1 is Laplace's, 0 gives the plain shares."""

    amount: float

    def pseudo_count(self, shape: tuple[int, ...]) -> float:
        """What is added to each cell of a table of this shape."""
        return self.amount


@dataclass(frozen=True)
class BDeu:
    """So many rows for each table, spread evenly over its cells."""

    equivalent_sample_size: float

    def pseudo_count(self, shape: tuple[int, ...]) -> float:
        """What is added to each cell of a table of this shape."""
        return self.equivalent_sample_size / math.prod(shape)


Smoothing = SameForAll | BDeu


def checked_smoothing(smoothing: Any) -> Smoothing:
    """The rule behind what a user gives: a number, or ("bdeu", ess).

    >>> checked_smoothing(1), checked_smoothing(("bdeu", 10)).pseudo_count((2, 5))
    (SameForAll(amount=1.0), 1.0)
    """
    is_pair = isinstance(smoothing, (tuple, list)) and len(smoothing) == 2
    name, amount = smoothing if is_pair else ("lambda", smoothing)
    is_number = isinstance(amount, Real) and not isinstance(amount, bool) and math.isfinite(amount)
    if name not in ("lambda", "bdeu") or (is_pair and name == "lambda") or not is_number:
        raise ValueError(
            "smoothing must be a number of 0 or more, or ('bdeu', equivalent sample size), got "
            f"{smoothing!r}. Use 1 for Laplace smoothing, 0 for plain shares."
        )
    if amount < 0 or (name == "bdeu" and amount == 0):
        raise ValueError(
            f"smoothing must be 0 or more, an equivalent sample size above 0; got {smoothing!r}. "
            "Use 1 for Laplace smoothing, 0 for plain shares."
        )
    return BDeu(float(amount)) if name == "bdeu" else SameForAll(float(amount))


def smoothed_shares(counts: Array, pseudo_count: float) -> Array:
    """The share of each state in each row of a table; see above.

    >>> smoothed_shares(np.array([[3, 1], [0, 0]]), pseudo_count=0)
    array([[0.75, 0.25],
           [0.5 , 0.5 ]])
    """
    n_states = counts.shape[-1]
    total = counts.sum(axis=-1, keepdims=True) + n_states * pseudo_count
    with np.errstate(invalid="ignore"):
        shares = (counts + pseudo_count) / total
    return np.where(total == 0, 1 / n_states, shares)


def estimated_tables(
    counts: FamilyCounts, states: Mapping[str, States], rule: Smoothing
) -> dict[str, ConditionalTable]:
    """The table of every variable."""
    return {
        name: ConditionalTable(
            name,
            states[name],
            counts.parents[name],
            tuple(states[parent] for parent in counts.parents[name]),
            smoothed_shares(of_family, rule.pseudo_count(of_family.shape)),
        )
        for name, of_family in counts.tables(states).items()
    }
