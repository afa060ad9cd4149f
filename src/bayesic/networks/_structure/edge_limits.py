"""Constraints on the edges of a structure: which are required, and which are forbidden."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bayesic.data.arguments import check_whole_number
from bayesic.kernels import Array
from bayesic.networks._directed_graph import topological_order
from bayesic.networks._structure.partial_graph import Edge
from bayesic.networks.variable_names import WITHOUT_ORDER, listed, values_in
from bayesic.statistics.additive import Immutable


@dataclass(frozen=True, eq=False)
class EdgeLimits(Immutable):
    """Which edges a search may use; both arrays are [child, parent]."""

    addable: Array  # bool (n, n), may be there
    fixed: Array  # bool (n, n), must be there
    most_parents: int


def limits_of(
    variables: Sequence[str],
    required: Iterable[Edge] = (),
    forbidden: Iterable[Edge] = (),
    tiers: Sequence[Sequence[str]] | None = None,
    max_parents: int | None = None,
) -> EdgeLimits:
    """Edges that must be there, that must not, and how many may lead to a variable.

    tiers : lists of variables; no edge leads to an earlier list from a later one

    >>> limits = limits_of(["Rain", "Wet"], tiers=[["Rain"], ["Wet"]])
    >>> limits.addable
    array([[False, False],
           [ True, False]])
    """
    n_variables = len(variables)
    addable = ~np.eye(n_variables, dtype=bool)
    fixed = np.zeros((n_variables, n_variables), bool)
    index_of = {name: index for index, name in enumerate(variables)}
    for parent, child in checked_pairs("forbidden", forbidden, index_of):
        addable[index_of[child], index_of[parent]] = False
    for parent, child in _edges_against_tiers(tiers, index_of):
        addable[index_of[child], index_of[parent]] = False
    for parent, child in checked_pairs("required", required, index_of):
        if not addable[index_of[child], index_of[parent]]:
            raise ValueError(
                f"The edge {parent} -> {child} cannot be required and forbidden. "
                "Look at required, forbidden and tiers."
            )
        fixed[index_of[child], index_of[parent]] = True
    topological_order(parents_by_name(variables, fixed))  # refuses cycles
    if max_parents is None:
        return EdgeLimits(addable, fixed, n_variables)
    check_whole_number("max_parents", max_parents, least=0)
    _refuse_too_many(variables, fixed, max_parents)
    return EdgeLimits(addable, fixed, int(max_parents))


def listed_edges(argument: str, edges: object) -> list[Any]:
    """The edges as they were given, unchecked; an empty list for None."""
    rule = f"{argument} must be a list of edges (parent, child)"
    if isinstance(edges, WITHOUT_ORDER[:2]):
        raise ValueError(f"{rule}, got {edges!r}.")
    return [] if edges is None else [*values_in(edges, rule)]


def checked_pairs(argument: str, edges: object, variables: Iterable[str]) -> list[Edge]:
    """Edges of these variables, as pairs."""
    pairs = []
    for edge in listed_edges(argument, edges):
        ends = edge if isinstance(edge, (tuple, list)) else ()
        if len(ends) != 2:
            raise ValueError(f"{argument} holds pairs (parent, child), got {edge!r}.")
        for name in ends:
            _check_known(argument, name, variables)
        if ends[0] == ends[1]:
            raise ValueError(f"{argument} holds pairs (parent, child), got {edge!r}.")
        pairs.append((ends[0], ends[1]))
    return pairs


def _edges_against_tiers(tiers: object, variables: Iterable[str]) -> list[Edge]:
    """All edges that lead from a later list of variables to an earlier one."""
    if tiers is None:
        return []
    tier_of: dict[str, int] = {}
    for index, tier in enumerate(values_in(tiers, "tiers must be lists of variables")):
        if isinstance(tier, WITHOUT_ORDER[:2]):
            raise ValueError(f"tiers must be lists of variables, got {tier!r}. Write [{tier!r}].")
        for name in values_in(tier, "tiers must be lists of variables"):
            _check_known("tiers", name, variables)
            if tier_of.setdefault(name, index) != index:
                raise ValueError(f"A variable is in one of the tiers, got {name!r} in two.")
    return [
        (later, earlier)
        for later in tier_of
        for earlier in tier_of
        if tier_of[later] > tier_of[earlier]
    ]


def _check_known(argument: str, name: object, variables: Iterable[str]) -> None:
    if not isinstance(name, str) or name not in variables:
        raise ValueError(
            f"{argument} names {name!r}, which is no column. The columns are "
            f"{listed(tuple(variables))}."
        )


def _refuse_too_many(variables: Sequence[str], fixed: Array, max_parents: int) -> None:
    for name, n_parents in zip(variables, fixed.sum(axis=1).tolist(), strict=True):
        if n_parents > max_parents:
            raise ValueError(
                f"max_parents must leave room for the required edges, got {max_parents}, and "
                f"{name} has {n_parents} of them."
            )


def members_of(row: Array) -> int:
    """The indices of true entries, as the bits of a number.

    >>> members_of(np.array([True, False, True]))
    5
    """
    return sum(1 << index for index in np.flatnonzero(row).tolist())


def parents_by_name(variables: Sequence[str], parents: Array) -> dict[str, list[str]]:
    """Variable -> its parents, from a matrix [child, parent]."""
    return {
        name: [variables[parent] for parent in np.flatnonzero(row).tolist()]
        for name, row in zip(variables, parents, strict=True)
    }
