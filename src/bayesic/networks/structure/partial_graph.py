"""Graphs with directed and undirected edges: all networks that the same independences allow."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from itertools import combinations

Edge = tuple[str, str]


@dataclass(frozen=True)
class PartialGraph:
    """What tests of independence tell about the edges of a network.

    An edge is undirected where the data fits either direction. Edges are sorted by names.
    """

    variables: tuple[str, ...]
    directed: tuple[Edge, ...]  # (parent, child)
    undirected: tuple[Edge, ...]  # the first name first
    # Of each pair without an edge, the smallest sets that make it independent. Empty where the
    # edge was forbidden and no test found one.
    separating: Mapping[Edge, tuple[tuple[str, ...], ...]] = field(default_factory=dict)
    # Those of the undirected that the tests would direct both ways.
    contradicted: tuple[Edge, ...] = ()


@dataclass(frozen=True)
class Extension:
    """Edges without a cycle, and where they differ from what the graph asked for."""

    edges: tuple[Edge, ...]  # (parent, child), by child
    message: str  # empty if nothing differs


def extended(
    graph: PartialGraph, required: Collection[Edge] = (), forbidden: Collection[Edge] = ()
) -> Extension:
    """A network of the graph: every edge directed, no cycle, no new v-structure ([DorTarsi]).

    A variable can be last if no edge leads out of it, and each neighbour by an undirected edge is
    a neighbour of all its others. All its edges are directed into it, it is taken out, and so on.
    Of several that can be last the last name is taken.

    If none can be, the graph contradicts itself, and no such network exists. Then that variable is
    last which changes least: the fewest edges are dropped, then the fewest are turned, then the
    fewest v-structures are new. The message lists the changes. Required edges are never turned, and
    an edge is dropped only if its other direction is forbidden.

    >>> chain = PartialGraph(("cloud", "rain", "wet"), (), (("cloud", "rain"), ("rain", "wet")))
    >>> extended(chain)
    Extension(edges=(('cloud', 'rain'), ('rain', 'wet')), message='')
    """
    rest = _neighbours(graph)
    children = {
        name: {child for parent, child in graph.directed if parent == name} for name in rest
    }
    edges: list[Edge] = []
    changes: list[str] = []
    while rest:
        choices = [
            _as_last(name, rest, children, required, forbidden)
            for name in sorted(rest, reverse=True)
        ]
        best = min(choices, key=_LastVariable.cost)
        edges += [(parent, best.name) for parent in sorted(best.parents)]
        changes += best.changes()
        for neighbour in rest.pop(best.name):
            rest[neighbour].remove(best.name)
            children[neighbour].discard(best.name)
    place = {name: number for number, name in enumerate(graph.variables)}
    edges.sort(key=lambda edge: (place[edge[1]], place[edge[0]]))
    return Extension(tuple(edges), _message(changes))


@dataclass(frozen=True)
class _LastVariable:
    """What it takes to have a variable last: to direct all its edges into it."""

    name: str
    parents: set[str]
    kept: list[str]  # children by required edges: it cannot be last
    dropped: list[str]  # children whose edge must not be turned
    turned: list[str]  # children that become parents
    married: list[Edge]  # parents without an edge that were not both known to be parents

    def cost(self) -> tuple[int, int, int, int]:
        """The smaller the better; all 0 if the graph allows it."""
        return len(self.kept), len(self.dropped), len(self.turned), len(self.married)

    def changes(self) -> list[str]:
        """In words."""
        return [
            *(f"{self.name} -> {child} is dropped" for child in self.dropped),
            *(f"{self.name} -> {child} is turned" for child in self.turned),
            *(f"{one} -> {self.name} <- {other} is new" for one, other in self.married),
        ]


def _as_last(
    name: str,
    neighbours: Mapping[str, Collection[str]],
    children: Mapping[str, Collection[str]],
    required: Collection[Edge],
    forbidden: Collection[Edge],
) -> _LastVariable:
    its_children = sorted(children[name])
    kept = [child for child in its_children if (name, child) in required]
    dropped = [child for child in its_children if (child, name) in forbidden]
    parents = set(neighbours[name]) - set(dropped)
    married = [
        (one, other)
        for one, other in combinations(sorted(parents), 2)
        if other not in neighbours[one] and not (name in children[one] and name in children[other])
    ]
    turned = [child for child in its_children if child not in dropped]
    return _LastVariable(name, parents, kept, dropped, turned, married)


def _neighbours(graph: PartialGraph) -> dict[str, set[str]]:
    neighbours: dict[str, set[str]] = {name: set() for name in graph.variables}
    for one, other in (*graph.directed, *graph.undirected):
        neighbours[one].add(other)
        neighbours[other].add(one)
    return neighbours


def _message(changes: list[str]) -> str:
    if not changes:
        return ""
    return (
        "The tests contradict each other: no network without cycles has just these edges and "
        f"v-structures. The nearest that was found differs: {'; '.join(changes)}."
    )
