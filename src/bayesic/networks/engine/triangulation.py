"""Triangulation: an order in which to sum variables out, and the cliques that this makes.

Summing out a variable joins all its neighbours. The edges this adds are the fill; the variable with
its neighbours at that moment is a clique of the triangulated graph.
"""

from collections.abc import Iterable, Sequence
from heapq import heapify, heappop, heappush
from itertools import combinations
from math import prod

Neighbours = list[set[int]]


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
    neighbours: Neighbours, cardinalities: Sequence[int]
) -> list[tuple[int, tuple[int, ...]]]:
    """Each variable in the order of weighted min-fill, with its neighbours when it is summed out.

    The next variable is the one with the least weight of fill, where an edge weighs the product of
    its two cardinalities [KF, section 9.4.3]; then the one with the smallest clique table; then the
    first.

    >>> square = neighbours_of(4, [(0, 1), (1, 2), (2, 3), (3, 0)])
    >>> elimination_cliques(square, [2, 2, 2, 2])
    [(0, (1, 3)), (1, (2, 3)), (2, (3,)), (3, ())]
    """
    graph = _Shrinking(neighbours, cardinalities)
    queue = [(graph.cost(variable), variable) for variable in range(len(neighbours))]
    heapify(queue)
    done = [False] * len(neighbours)
    cliques = []
    while queue:
        cost, variable = heappop(queue)
        if done[variable] or cost != graph.cost(variable):
            continue  # it was queued again with the cost it has now
        done[variable] = True
        cliques.append((variable, tuple(sorted(graph.left[variable]))))
        for other in graph.sum_out(variable):
            heappush(queue, (graph.cost(other), other))
    return cliques


class _Shrinking:
    """A graph from which variables are summed out, with the fill that each of them would cost.

    Fill is kept up to date and not computed anew: a variable with thousands of neighbours has
    millions of pairs of them.
    """

    def __init__(self, neighbours: Neighbours, weights: Sequence[int]) -> None:
        self.weights = weights
        self.left = [set(others) for others in neighbours]
        self.sizes = [
            weights[v] * prod(weights[other] for other in others)
            for v, others in enumerate(neighbours)
        ]
        self.fill = [
            sum(weights[v] * (self._weight(around - self.left[v]) - weights[v]) for v in around)
            // 2
            for around in self.left
        ]

    def cost(self, variable: int) -> tuple[int, int]:
        return self.fill[variable], self.sizes[variable]

    def sum_out(self, variable: int) -> set[int]:
        """Take the variable out and join its neighbours; the variables whose cost may differ."""
        around, weight = self.left[variable], self.weights[variable]
        changed = set(around)
        for other in around:
            self.left[other].discard(variable)
            self.fill[other] -= weight * self._weight(self.left[other] - around)
            self.sizes[other] //= weight
        for one, other in combinations(sorted(around), 2):
            if other not in self.left[one]:
                changed |= self._join(one, other)
        return changed

    def _join(self, one: int, other: int) -> set[int]:
        left, weights = self.left, self.weights
        common = left[one] & left[other]
        for between in common:
            self.fill[between] -= weights[one] * weights[other]
        self.fill[one] += weights[other] * self._weight(left[one] - common)
        self.fill[other] += weights[one] * self._weight(left[other] - common)
        left[one].add(other)
        left[other].add(one)
        self.sizes[one] *= weights[other]
        self.sizes[other] *= weights[one]
        return common

    def _weight(self, variables: set[int]) -> int:
        return sum(self.weights[variable] for variable in variables)
