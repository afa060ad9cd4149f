"""Graphs with directed and undirected edges: all networks that the same independences allow.

An edge has a direction where a v-structure gives it one, or where that follows. Where the data does
not tell it, a network takes either.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

Edge = tuple[str, str]
Neighbours = Mapping[str, Collection[str]]
Separating = Mapping[Edge, Sequence[Sequence[str]]]


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


def by_name(edge: Edge) -> Edge:
    """The edge with the first name first, whatever its direction."""
    return edge if edge[0] < edge[1] else (edge[1], edge[0])


# directions that the independences tell -------------------------------------------------------


def v_structures(neighbours: Neighbours, separating: Separating) -> list[tuple[str, str, str]]:
    """All triples one -> middle <- other without an edge between one and other.

    The middle is a child of both if it is in less than half of the sets that separate the two: the
    majority rule of [ColomboMaathuis], which does not depend on the order of the variables. If the
    tests are right it is in none or in all of them. Without such a set there is no v-structure.

    >>> fire = {"Bus": ["Campfire"], "Campfire": ["Bus", "Storm"], "Storm": ["Campfire"]}
    >>> v_structures(fire, {("Bus", "Storm"): [()]})
    [('Bus', 'Campfire', 'Storm')]
    >>> v_structures(fire, {("Bus", "Storm"): [("Campfire",)]})
    []
    """
    structures = []
    for middle in sorted(neighbours):
        for one, other in combinations(sorted(neighbours[middle]), 2):
            if other not in neighbours[one]:
                sets = separating[one, other]
                if 2 * sum(middle in members for members in sets) < len(sets):
                    structures.append((one, middle, other))
    return structures


def oriented(
    neighbours: Neighbours, separating: Separating, required: Collection[Edge] = ()
) -> PartialGraph:
    """The skeleton with the directions that are known, that v-structures show, and that follow.

    neighbours : variable -> those that it shares an edge with
    separating : of each pair without an edge, the first name first, the sets that separate it
    required   : (parent, child) of edges whose direction is given; v-structures against it are none

    An edge that v-structures direct both ways stays undirected, and so does one that the rules
    direct both ways at the same time; both are contradicted. So no order of edges has a part in
    the result.

    >>> chain = {"cloud": ["rain"], "rain": ["cloud", "wet"], "wet": ["rain"]}
    >>> oriented(chain, {("cloud", "wet"): [("rain",)]}, required=[("cloud", "rain")]).directed
    (('cloud', 'rain'), ('rain', 'wet'))
    """
    given = set(required)
    shown = {
        (parent, middle)
        for one, middle, other in v_structures(neighbours, separating)
        if (middle, one) not in given and (middle, other) not in given
        for parent in (one, other)
    }
    contradicted = _both_ways(shown)
    directed = given | {edge for edge in shown if edge not in contradicted}
    while implied := _implied(neighbours, directed) - contradicted:
        contradicted |= _both_ways(implied)
        directed |= implied - contradicted
    skeleton = [(one, other) for one in neighbours for other in neighbours[one] if one < other]
    return PartialGraph(
        tuple(sorted(neighbours)),
        tuple(sorted(directed)),
        tuple(sorted(edge for edge in skeleton if not _is_directed(edge, directed))),
        {pair: tuple(map(tuple, sets)) for pair, sets in sorted(separating.items())},
        tuple(sorted(edge for edge in contradicted if edge[0] < edge[1])),
    )


def _implied(neighbours: Neighbours, directed: Collection[Edge]) -> set[Edge]:
    """All directions that one of the four rules of [Meek] gives an undirected edge at once."""
    parents: dict[str, set[str]] = {name: set() for name in neighbours}
    for parent, child in directed:
        parents[child].add(parent)
    open_to = {
        name: {
            other
            for other in neighbours[name]
            if other not in parents[name] and name not in parents[other]
        }
        for name in neighbours
    }
    return {
        (parent, child)
        for child in neighbours
        for parent in open_to[child]
        if _new_v_structure_otherwise(parent, child, neighbours, parents)
        or _cycle_otherwise(parent, child, parents)
        or _two_ways_to(parent, child, neighbours, parents, open_to)
        or _around(parent, child, neighbours, parents, open_to)
    }


def _new_v_structure_otherwise(
    parent: str, child: str, neighbours: Neighbours, parents: Mapping[str, set[str]]
) -> bool:
    """Rule 1: before -> parent - child, where before and child share no edge."""
    return any(before not in neighbours[child] for before in parents[parent])


def _cycle_otherwise(parent: str, child: str, parents: Mapping[str, set[str]]) -> bool:
    """Rule 2: parent -> between -> child."""
    return any(parent in parents[between] for between in parents[child])


def _two_ways_to(
    parent: str,
    child: str,
    neighbours: Neighbours,
    parents: Mapping[str, set[str]],
    open_to: Mapping[str, set[str]],
) -> bool:
    """Rule 3: parent - one -> child and parent - other -> child; one and other share no edge."""
    between = open_to[parent] & parents[child]
    return any(other not in neighbours[one] for one, other in combinations(between, 2))


def _around(
    parent: str,
    child: str,
    neighbours: Neighbours,
    parents: Mapping[str, set[str]],
    open_to: Mapping[str, set[str]],
) -> bool:
    """Rule 4: parent - first -> second -> child; first and child share no edge, parent, second do.

    It is needed where directions are known beforehand.
    """
    return any(
        first in open_to[parent] and first not in neighbours[child]
        for second in parents[child]
        if second in neighbours[parent]
        for first in parents[second]
    )


def _both_ways(edges: Iterable[Edge]) -> set[Edge]:
    edges = set(edges)
    return {(one, other) for one, other in edges if (other, one) in edges}


def _is_directed(edge: Edge, directed: Collection[Edge]) -> bool:
    return edge in directed or edge[::-1] in directed


# one network of the graph ---------------------------------------------------------------------


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
    index_of = {name: number for number, name in enumerate(graph.variables)}
    edges.sort(key=lambda edge: (index_of[edge[1]], index_of[edge[0]]))
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
