"""Which edges of a skeleton have a direction: v-structures, and what follows from them."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations

from bayesic.networks.structure.partial_graph import Edge, PartialGraph

Neighbours = Mapping[str, Collection[str]]
Separating = Mapping[Edge, Sequence[Sequence[str]]]


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
    found = []
    for middle in sorted(neighbours):
        for one, other in combinations(sorted(neighbours[middle]), 2):
            if other not in neighbours[one]:
                sets = separating[one, other]
                if 2 * sum(middle in members for members in sets) < len(sets):
                    found.append((one, middle, other))
    return found


def oriented(
    neighbours: Neighbours, separating: Separating, known: Collection[Edge] = ()
) -> PartialGraph:
    """The skeleton with the directions that are known, that v-structures show, and that follow.

    neighbours : variable -> those that it shares an edge with
    separating : of each pair without an edge, the first name first, the sets that separate it
    known      : (parent, child) of edges whose direction is given; v-structures against it are none

    An edge that v-structures direct both ways stays undirected, and so does one that the rules
    direct both ways at the same time; both are contradicted. So no order of edges has a part in
    the result.

    >>> chain = {"cloud": ["rain"], "rain": ["cloud", "wet"], "wet": ["rain"]}
    >>> oriented(chain, {("cloud", "wet"): [("rain",)]}, known=[("cloud", "rain")]).directed
    (('cloud', 'rain'), ('rain', 'wet'))
    """
    given = set(known)
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
