"""Structure by tests of independence: the algorithm PC in its stable form.

The tests look at the counts of two variables within strata. A stratum is a combination of states of
the variables that are given.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import lru_cache, partial
from itertools import combinations
from math import prod

import numpy as np

from bayesic.data.arguments import check_number, check_whole_number
from bayesic.estimation.dependent_columns import STATISTICS, independence_test
from bayesic.kernels import Array
from bayesic.networks._structure.coded_columns import (
    MOST_CELLS,
    CodedColumns,
    combinations_that_occur,
    family_table,
    numbers_of,
)
from bayesic.networks._structure.partial_graph import Edge, PartialGraph, by_name, oriented

Independent = Callable[[str, str, Sequence[str]], bool]
Skeleton = dict[str, set[str]]
SeparatingSets = dict[Edge, tuple[tuple[str, ...], ...]]

TABLES_KEPT = 2**14
CELLS_KEPT = 2**9  # of a table; all that are kept take 64 MB at most


# tests of conditional independence ------------------------------------------------------------


def counts_in_strata(columns: CodedColumns, first: int, second: int, given: Sequence[int]) -> Array:
    """Counts of two variables in each stratum: (states of first, states of second, strata).

    Where there may be more strata than rows, those that do not occur are left out.

    >>> from bayesic.networks._structure.coded_columns import coded_columns
    >>> rows = coded_columns({"rain": ["yes", "no", "yes"], "wet": ["yes", "no", "no"]})
    >>> counts_in_strata(rows, 0, 1, [])
    array([[[1], [0]],
           [[1], [1]]])
    """
    n_strata = prod(columns.sizes[variable] for variable in given)
    pair = (columns.sizes[first], columns.sizes[second])
    if n_strata <= columns.codes.shape[1]:
        return family_table(columns, [first, second, *given]).reshape(*pair, n_strata)
    stratum, n_strata = combinations_that_occur(columns, given)
    if prod(pair) * n_strata > MOST_CELLS:
        names = f"{columns.variables[first]} and {columns.variables[second]}"
        raise ValueError(
            f"{names} have too many states to test them: {prod(pair)} pairs in {n_strata} strata. "
            "Join rare states, or let fewer variables be given."
        )
    cell = columns.codes[first].astype(np.int64) * pair[1] + columns.codes[second]
    cell = cell * n_strata + stratum
    counts = np.bincount(cell, columns.weights, minlength=pair[0] * pair[1] * n_strata)
    return counts.astype(np.int64).reshape(*pair, n_strata)


def independence_in(
    columns: CodedColumns, test: str = "g-squared", significance: float = 0.05
) -> Independent:
    """A function that says whether two variables are independent, given others.

    They are if the p-value is above the significance. A test without degrees of freedom says
    nothing: in no stratum do both variables vary. Then they are taken as dependent, so that of two
    columns that copy each other none hides the other. Only a variable with a single state is
    independent of all.

    >>> from bayesic.networks._structure.coded_columns import coded_columns
    >>> rows = coded_columns({"rain": ["yes", "no"] * 20, "wet": ["yes", "no"] * 20})
    >>> independence_in(rows)("rain", "wet", [])
    False
    """
    if not isinstance(test, str) or test not in STATISTICS:
        raise ValueError(f"The test must be one of {', '.join(STATISTICS)}, got {test!r}.")
    check_number("significance", significance)
    if not 0 < significance < 1:
        raise ValueError(
            f"The significance must be between 0 and 1, got {significance!r}. Common values are "
            "0.05 and 0.01; the smaller it is, the fewer edges are found."
        )
    number, counts_of = numbers_of(columns), _counts_by_tables(columns)

    def independent(first: str, second: str, given: Sequence[str]) -> bool:
        conditions = [number[name] for name in given]
        result = independence_test(counts_of(number[first], number[second], conditions), test)
        return result.p_value > significance and (result.degrees_of_freedom > 0 or not given)

    return independent


def _counts_by_tables(columns: CodedColumns) -> Callable[[int, int, Sequence[int]], Array]:
    """`counts_in_strata` of these columns, where small tables are counted once.

    Tests of the same variables, each time with others of them given, share one table.
    """
    sizes, table = columns.sizes, lru_cache(TABLES_KEPT)(partial(family_table, columns))

    def counts_of(first: int, second: int, given: Sequence[int]) -> Array:
        wanted = (first, second, *given)
        if prod(sizes[variable] for variable in wanted) > CELLS_KEPT:
            return counts_in_strata(columns, first, second, given)
        members = tuple(sorted(wanted))
        counts = table(members).transpose([members.index(variable) for variable in wanted])
        return counts.reshape(sizes[first], sizes[second], -1)

    return counts_of


# the algorithm --------------------------------------------------------------------------------


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
    separating: SeparatingSets = {by_name(pair): () for pair in left_out}
    _take_out(neighbours, separating)
    kept = {by_name(pair) for pair in kept}
    pairs = [pair for pair in combinations(names, 2) if pair not in kept]
    size = 0
    while pairs and (max_condition is None or size <= max_condition):
        pairs = [pair for pair in pairs if _most_given(neighbours, pair) >= size]
        separators = {pair: _separating_sets(neighbours, pair, size, independent) for pair in pairs}
        separated = {pair: sets for pair, sets in separators.items() if sets}
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

    >>> from bayesic.networks._structure.coded_columns import coded_columns
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
