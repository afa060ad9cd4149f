"""Family counts -> conditional tables: shares of the counts, smoothed with pseudo-counts.

    P(y_ik | u_ij) = (N_ijk + a) / (N_ij + r a),    1 / r where N_ij + r a = 0

N_ijk counts the rows in which variable i has its state k, and its parents have their states j;
N_ij sums it over the r states. The pseudo-count a is lambda for every cell, or that of BDeu.
"""

import math
from collections.abc import Mapping
from numbers import Real
from typing import Any

from bayesic.data.states import States, followed_by
from bayesic.estimation.shares import BDeu, Lambda, TableSmoothing, smoothed_shares
from bayesic.networks.conditional_tables import ConditionalTable
from bayesic.statistics.families import FamilyCounts


def checked_smoothing(smoothing: Any) -> TableSmoothing:
    """The rule behind what a user gives: a number, or ("bdeu", ess).

    >>> checked_smoothing(1), checked_smoothing(("bdeu", 10)).pseudo_count((2, 5))
    (Lambda(amount=1.0), 1.0)
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
    return BDeu(float(amount)) if name == "bdeu" else Lambda(float(amount))


def estimated_tables(
    counts: FamilyCounts, given: Mapping[str, States | None], rule: TableSmoothing
) -> tuple[dict[str, States], dict[str, ConditionalTable]]:
    """The states and the table of every variable.

    given : states that were given keep their order; those that the counts have besides follow
    """
    states = {name: its for name, its in followed_by(given, counts.states).items() if its}
    if len(states) < len(given):
        raise ValueError(
            "These are all the rows that were learned: without them the states of the "
            "variables are not known. Make a new network instead."
        )
    shares = {
        name: smoothed_shares(of_family, rule.pseudo_count(of_family.shape))
        for name, of_family in counts.tables(states).items()
    }
    tables = {
        name: ConditionalTable(
            name, states[name], parents, tuple(states[parent] for parent in parents), shares[name]
        )
        for name, parents in counts.parents.items()
    }
    return states, tables
