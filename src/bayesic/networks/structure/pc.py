"""Structure by tests of independence: the algorithm PC in its stable form."""

from collections.abc import Collection, Iterable
from itertools import combinations

from bayesic.data.arguments import check_whole_number
from bayesic.networks.structure.coded_columns import CodedColumns
from bayesic.networks.structure.independence_tests import Independent, independence_in
from bayesic.networks.structure.orientation import oriented
from bayesic.networks.structure.partial_graph import Edge, PartialGraph

Skeleton = dict[str, set[str]]
SeparatingSets = dict[Edge, tuple[tuple[str, ...], ...]]


def skeleton(
    variables: Iterable[str],
    independent: Independent,
    kept: Collection[Edge] = (),
    left_out: Collection[Edge] = (),
    max_condition: int | None = None,
) -> tuple[Skeleton, SeparatingSets]:
    """Which pairs share an edge: those that no set of neighbours makes independent.

    Sets of neighbours of one of the two are tried by their size. Edges are taken out after all
    sets of a size, so that the order of the variables has no part in the result: PC-stable
    ([ColomboMaathuis]). All sets of that size which separate a pair are returned; see
    `v_structures`.

    independent   : function of two variables and a tuple of given ones, sorted
    kept          : pairs that keep their edge without a test
    left_out      : pairs that have no edge, even if no set separates them
    max_condition : variables in a set, at most

    >>> edges, separating = skeleton(
    ...     ["cloud", "rain", "wet"], lambda one, other, given: given == ("rain",)
    ... )
    >>> edges["cloud"], edges["wet"], separating
    ({'rain'}, {'rain'}, {('cloud', 'wet'): (('rain',),)})
    """
    names = sorted(variables)
    neighbours: Skeleton = {name: set(names) - {name} for name in names}
    separating: SeparatingSets = {_by_name(pair): () for pair in left_out}
    _take_out(neighbours, separating)
    kept = {_by_name(pair) for pair in kept}
    pairs = [pair for pair in combinations(names, 2) if pair not in kept]
    size = 0
    while pairs and (max_condition is None or size <= max_condition):
        pairs = [pair for pair in pairs if _most_given(neighbours, pair) >= size]
        found = {pair: _separating_sets(neighbours, pair, size, independent) for pair in pairs}
        separated = {pair: sets for pair, sets in found.items() if sets}
        _take_out(neighbours, separated)
        separating |= separated
        pairs = [pair for pair in pairs if pair not in separated]
        size += 1
    return neighbours, separating


def _most_given(neighbours: Skeleton, pair: Edge) -> int:
    one, other = pair
    return max(len(neighbours[one] - {other}), len(neighbours[other] - {one}))


def _separating_sets(
    neighbours: Skeleton, pair: Edge, size: int, independent: Independent
) -> tuple[tuple[str, ...], ...]:
    """Of all sets of this size of other neighbours of the one or the other, those that separate."""
    one, other = pair
    of_one = combinations(sorted(neighbours[one] - {other}), size)
    of_other = combinations(sorted(neighbours[other] - {one}), size)
    sets = sorted({*of_one, *of_other})
    return tuple(given for given in sets if independent(one, other, given))


def _take_out(neighbours: Skeleton, pairs: Iterable[Edge]) -> None:
    for one, other in pairs:
        neighbours[one].discard(other)
        neighbours[other].discard(one)


def _by_name(edge: Edge) -> Edge:
    return edge if edge[0] < edge[1] else edge[::-1]


def partial_graph(
    variables: Iterable[str],
    independent: Independent,
    required: Collection[Edge] = (),
    forbidden: Collection[Edge] = (),
    max_condition: int | None = None,
) -> PartialGraph:
    """All networks with these independences, as one graph: skeleton, v-structures, rules.

    If `independent` is right, and the independences are those of a network, the directed edges are
    those that all such networks share ([Spirtes], chapter 5, [Meek]). See `pc`.

    >>> def by_chance(one, other, given):
    ...     return {one, other} == {"Bus", "Storm"} and not given
    >>> partial_graph(["Storm", "Bus", "Campfire"], by_chance).directed
    (('Bus', 'Campfire'), ('Storm', 'Campfire'))
    """
    required, forbidden = set(required), set(forbidden)
    left_out = [(parent, child) for parent, child in forbidden if (child, parent) in forbidden]
    neighbours, separating = skeleton(variables, independent, required, left_out, max_condition)
    turned = {(child, parent) for parent, child in forbidden if child in neighbours[parent]}
    return oriented(neighbours, separating, required | turned)


def pc(
    columns: CodedColumns,
    test: str = "g-squared",
    significance: float = 0.05,
    required: Collection[Edge] = (),
    forbidden: Collection[Edge] = (),
    max_condition: int | None = 3,
) -> PartialGraph:
    """The edges that tests of independence show, directed where the data tells the direction.

    test          : "g-squared" or "chi-squared"
    significance  : a pair is independent if the p-value of the test is above it
    required      : (parent, child) of edges that are there, without a test
    forbidden     : (parent, child) of edges that are not; the other direction may be
    max_condition : variables given in a test, at most; None for all neighbours, which may take very
        long. The more are given, the fewer rows are alike: tests with many miss what is there.

    An edge that may go one way only is directed that way. Neither the order of the rows nor that
    of the columns has a part in the result.

    >>> from bayesic.networks.structure.coded_columns import coded_columns
    >>> storm, bus = [0, 0, 1, 1] * 25, [0, 1] * 50
    >>> fire = [one | other for one, other in zip(storm, bus)]
    >>> rows = coded_columns({"Storm": storm, "Bus": bus, "Campfire": fire})
    >>> pc(rows).directed
    (('Bus', 'Campfire'), ('Storm', 'Campfire'))
    """
    if max_condition is not None:
        check_whole_number("max_condition", max_condition, least=0)
    independent = independence_in(columns, test, significance)
    return partial_graph(columns.variables, independent, required, forbidden, max_condition)
