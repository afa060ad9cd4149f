"""Triangulation: an order in which to sum variables out, and the cliques that this makes.

Summing out a variable joins all its neighbours. The edges this adds are the fill; the variable with
its neighbours at that moment is a clique of the triangulated graph. The best order is hard to find:
several rules are tried, with ties by chance, and the smallest tables win.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import heapify, heappop, heappush
from itertools import combinations
from math import prod
from random import Random
from typing import NamedTuple

Neighbours = list[set[int]]
Elimination = list[tuple[int, tuple[int, ...]]]


class EliminationRule(NamedTuple):
    """By what the next variable is chosen."""

    weighted: bool  # an edge of the fill weighs the product of its two cardinalities, or 1
    size_first: bool  # the smallest clique table first, then the least fill


MIN_FILL_BY_WEIGHT = EliminationRule(weighted=True, size_first=False)

MIN_FILL = EliminationRule(weighted=False, size_first=False)

MIN_SIZE = EliminationRule(weighted=True, size_first=True)

# A hundred times as many cells as 4 GB hold. Chance gains a factor of ten, rarely more.
MOST_CELLS = 5e10


def neighbours_of(n_variables: int, scopes: Iterable[Sequence[int]]) -> Neighbours:
    """The graph in which the variables of each scope are joined.

    >>> neighbours_of(3, [(0, 1), (1, 2)])
    [{1}, {0, 2}, {1}]
    """
    neighbours: Neighbours = [set() for _ in range(n_variables)]
    for scope in scopes:
        for variable in scope:
            neighbours[variable].update(scope)
    for variable, others in enumerate(neighbours):
        others.discard(variable)
    return neighbours


def elimination_cliques(
    neighbours: Neighbours,
    cardinalities: Sequence[int],
    rule: EliminationRule = MIN_FILL_BY_WEIGHT,
    ties: Random | None = None,
) -> Elimination:
    """Each variable in the order in which it is summed out, with its neighbours at that moment.

    By default the next variable is the one with the least weight of fill, where an edge weighs the
    product of its two cardinalities [KF, section 9.4.3]; then the one with the smallest clique
    table. Of equal ones it is the first, or with `ties` one by chance. From the first clique with
    more than MOST_CELLS on the order matters no more: the rest is summed out fast.

    >>> square = neighbours_of(4, [(0, 1), (1, 2), (2, 3), (3, 0)])
    >>> elimination_cliques(square, [2, 2, 2, 2])
    [(0, (1, 3)), (1, (2, 3)), (2, (3,)), (3, ())]
    """
    graph = _Shrinking(neighbours, cardinalities if rule.weighted else [1] * len(neighbours))
    cost = graph.size_and_fill if rule.size_first else graph.fill_and_size
    chance = ties.random if ties else float
    queue = [(cost(variable), chance(), variable) for variable in range(len(neighbours))]
    heapify(queue)
    done = [False] * len(neighbours)
    cliques: Elimination = []
    while queue:
        its_cost, _, variable = heappop(queue)
        if done[variable] or its_cost != cost(variable):
            continue  # it was queued again with the cost it has now
        around = graph.left[variable]
        if prod(cardinalities[member] for member in (variable, *around)) > MOST_CELLS:
            return cliques + _summed_out_fast(graph.left, done)
        done[variable] = True
        cliques.append((variable, tuple(sorted(around))))
        for other in graph.sum_out(variable):
            heappush(queue, (cost(other), chance(), other))
    return cliques


def _summed_out_fast(left: Neighbours, done: Sequence[bool]) -> Elimination:
    """An elimination of all variables that are not done, always the one with the fewest neighbours.

    left : the neighbours of each variable, which are changed

    >>> _summed_out_fast(neighbours_of(4, [(0, 1, 2), (2, 3)]), [False] * 4)
    [(3, (2,)), (0, (1, 2)), (1, (2,)), (2, ())]
    """
    queue = [
        (len(left[variable]), variable) for variable, is_done in enumerate(done) if not is_done
    ]
    heapify(queue)
    left_over = {variable for _, variable in queue}
    cliques: Elimination = []
    while left_over:
        n_around, variable = heappop(queue)
        if variable not in left_over or n_around != len(left[variable]):
            continue  # it was queued again with the neighbours it has now
        left_over.remove(variable)
        around = left[variable]
        cliques.append((variable, tuple(sorted(around))))
        for other in around:
            left[other] |= around
            left[other] -= {variable, other}
            heappush(queue, (len(left[other]), other))
    return cliques


class _Shrinking:
    """A graph from which variables are summed out, with the fill that each of them would cost.

    Fill is kept up to date and not computed again: a variable with thousands of neighbours has
    millions of pairs of them. For the same reason only those pairs are looked at that are joined.
    """

    def __init__(self, neighbours: Neighbours, weights: Sequence[int]) -> None:
        self.weights = weights
        self.weight_of_all = weights[0] if len(set(weights)) == 1 else None
        self.left = [set(others) for others in neighbours]
        self.weight_around = [self._weight(others) for others in neighbours]
        self.sizes = [
            weights[v] * prod(weights[other] for other in others)
            for v, others in enumerate(neighbours)
        ]
        self.fill = [self._fill(variable) for variable in range(len(neighbours))]

    def _fill(self, variable: int) -> int:
        """All pairs of neighbours, less those that are joined: each of them is counted twice."""
        weights, around = self.weights, self.left[variable]
        pairs = self.weight_around[variable] ** 2 - sum(weights[v] ** 2 for v in around)
        joined = sum(weights[v] * self._weight(self.left[v] & around) for v in around)
        return (pairs - joined) // 2

    def fill_and_size(self, variable: int) -> tuple[int, int]:
        return self.fill[variable], self.sizes[variable]

    def size_and_fill(self, variable: int) -> tuple[int, int]:
        return self.sizes[variable], self.fill[variable]

    def sum_out(self, variable: int) -> set[int]:
        """Take the variable out and join its neighbours; the variables whose cost may differ."""
        around, weight = self.left[variable], self.weights[variable]
        changed = set(around)
        for other in around:
            self.left[other].discard(variable)
            self.weight_around[other] -= weight
            apart = self.weight_around[other] - self._weight(self.left[other] & around)
            self.fill[other] -= weight * apart
            self.sizes[other] //= weight
        for one, other in combinations(sorted(around), 2):
            if other not in self.left[one]:
                changed |= self._join(one, other)
        return changed

    def _join(self, one: int, other: int) -> set[int]:
        left, weights = self.left, self.weights
        common = left[one] & left[other]
        weight_common = self._weight(common)
        for between in common:
            self.fill[between] -= weights[one] * weights[other]
        for end, joined in ((one, other), (other, one)):
            self.fill[end] += weights[joined] * (self.weight_around[end] - weight_common)
            left[end].add(joined)
            self.weight_around[end] += weights[joined]
            self.sizes[end] *= weights[joined]
        return common

    def _weight(self, variables: set[int]) -> int:
        if self.weight_of_all is not None:
            return self.weight_of_all * len(variables)
        return sum(self.weights[variable] for variable in variables)


# the search for a good order ------------------------------------------------------------------

RULES = (MIN_FILL, MIN_FILL_BY_WEIGHT, MIN_SIZE)

# Cells of cliques that are computed in the time that an elimination takes for one edge, 4
# microseconds, as measured on networks of 100 to 1,000 variables; the share of the time of an
# inference that may go into the search, and the edges that are half a second.
CELLS_PER_EDGE, SHARE, MOST_EDGES = 300, 0.1, 100_000


def searched_elimination(neighbours: Neighbours, cardinalities: Sequence[int]) -> Elimination:
    """The best elimination that was found: the one with the fewest cells in its cliques.

    The first is by weighted min-fill. Others are tried as long as that takes a tenth of the time of
    one inference. This is decided by counting: the same graph always gets the same elimination.

    >>> square = neighbours_of(4, [(0, 1), (1, 2), (2, 3), (3, 0)])
    >>> searched_elimination(square, [2, 2, 2, 2])
    [(0, (1, 3)), (1, (2, 3)), (2, (3,)), (3, ())]
    """
    best = elimination_cliques(neighbours, cardinalities)
    fewest, number = n_cells(best, cardinalities), 0
    spent = edges = len(best) + sum(len(around) for _, around in best)
    while fewest <= MOST_CELLS and spent < min(MOST_EDGES, SHARE * fewest / CELLS_PER_EDGE):
        ties = Random(number) if number else None  # by default as the variables are numbered
        tried = elimination_cliques(neighbours, cardinalities, RULES[number % len(RULES)], ties)
        if (cells := n_cells(tried, cardinalities)) < fewest:
            best, fewest = tried, cells
        number, spent = number + 1, spent + edges
    return best


def n_cells(elimination: Elimination, cardinalities: Sequence[int]) -> int:
    """How many cells the tables of all cliques have that this elimination makes.

    >>> n_cells([(0, (1,)), (1, ())], [2, 3])
    9
    """
    return sum(_tables(elimination, cardinalities))


def largest_table(elimination: Elimination, cardinalities: Sequence[int]) -> int:
    """How many cells the largest of these tables has.

    >>> largest_table([(0, (1,)), (1, ())], [2, 3])
    6
    """
    return max(_tables(elimination, cardinalities), default=1)


def _tables(elimination: Elimination, cardinalities: Sequence[int]) -> Iterator[int]:
    for variable, around in elimination:
        yield prod((cardinalities[variable], *(cardinalities[other] for other in around)))


def restricted(elimination: Elimination, number: Mapping[int, int]) -> Elimination:
    """The elimination of some of the variables alone, by their new numbers.

    Each clique is what is left of a clique of the whole, so no table is larger than it was. This
    holds for every model that is the whole with some variables observed and some factors left out.

    >>> restricted([(0, (1, 3)), (1, (2, 3)), (2, (3,)), (3, ())], {0: 0, 2: 1, 3: 2})
    [(0, (2,)), (1, (2,)), (2, ())]
    """
    return [
        (number[variable], tuple(sorted(number[other] for other in around if other in number)))
        for variable, around in elimination
        if variable in number
    ]
