"""Triangulation: an order in which to sum variables out, and the cliques that this makes.

Summing out a variable joins all its neighbours. The edges this adds are the fill; the variable with
its neighbours at that moment is a clique of the triangulated graph.
"""

from collections.abc import Iterable, Sequence
from heapq import heapify, heappop, heappush
from itertools import combinations
from math import prod
from random import Random
from typing import NamedTuple

Neighbours = list[set[int]]
Elimination = list[tuple[int, tuple[int, ...]]]


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


class Rule(NamedTuple):
    """By what the next variable is chosen."""

    weighted: bool  # an edge of the fill weighs the product of its two cardinalities, or 1
    size_first: bool  # the smallest clique table first, then the least fill


MIN_FILL_BY_WEIGHT = Rule(weighted=True, size_first=False)
MIN_FILL = Rule(weighted=False, size_first=False)
MIN_SIZE = Rule(weighted=True, size_first=True)


def elimination_cliques(
    neighbours: Neighbours,
    cardinalities: Sequence[int],
    rule: Rule = MIN_FILL_BY_WEIGHT,
    ties: Random | None = None,
) -> Elimination:
    """Each variable in the order in which it is summed out, with its neighbours at that moment.

    By default the next variable is the one with the least weight of fill, where an edge weighs the
    product of its two cardinalities [KF, section 9.4.3]; then the one with the smallest clique
    table. Of equal ones it is the first, or with `ties` one by chance.

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
    cliques = []
    while queue:
        its_cost, _, variable = heappop(queue)
        if done[variable] or its_cost != cost(variable):
            continue  # it was queued again with the cost it has now
        done[variable] = True
        cliques.append((variable, tuple(sorted(graph.left[variable]))))
        for other in graph.sum_out(variable):
            heappush(queue, (cost(other), chance(), other))
    return cliques


class _Shrinking:
    """A graph from which variables are summed out, with the fill that each of them would cost.

    Fill is kept up to date and not computed anew: a variable with thousands of neighbours has
    millions of pairs of them. For the same reason only those pairs are looked at that are joined.
    """

    def __init__(self, neighbours: Neighbours, weights: Sequence[int]) -> None:
        self.weights = weights
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
        return sum(self.weights[variable] for variable in variables)
