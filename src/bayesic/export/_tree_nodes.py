"""Trees: to which node a row comes, and what the nodes say.

Targets with arrays or loops walk down all trees (`Steps.walk`); others get nested conditions.
"""

from collections.abc import Sequence

import numpy as np

from bayesic.export._expressions import (
    Condition,
    Conditional,
    Expression,
    Function,
    IsGap,
    IsOneOf,
    LookupTable,
    NameOf,
    Number,
    Relation,
    Times,
    total,
)
from bayesic.export._naive_bayes import bins_of, summed
from bayesic.export._steps import Steps
from bayesic.kernels.forest import LEAF, UNKNOWN
from bayesic.models.trees.forest import MeanOfTrees
from bayesic.statistics.forest import Forest

Stop = tuple[Expression, LookupTable]  # the node at which a row stops in a tree, and what nodes say

MOST_SPLITS = 8  # in one step: choices within choices can be too deep for a database


def forest_scores(fitted: MeanOfTrees, steps: Steps) -> list[Expression]:
    """log P(c) + T (log p - log P(c)), p the mean over the trees at the nodes a row comes to."""
    tables = _walked(fitted, steps) if steps.can_walk else _chosen(fitted, steps)
    said = steps.entries(tables)
    share = Number(1.0 / len(tables))
    means = steps.let(
        *(Times((share, total(list(of_class)))) for of_class in zip(*said, strict=True))
    )
    temperature = fitted.smoothness.temperature
    logs = [Times((Number(temperature), Function("ln", mean))) for mean in means]
    return summed((1 - temperature) * fitted.prior.log, [logs])


def _chosen(fitted: MeanOfTrees, steps: Steps) -> list[Stop]:
    """Where a row stops in each tree, by choices within choices."""
    choices = NestedConditions(fitted.counts.forest, steps)
    stops = choices.stops()
    return [(at, _said(fitted, choices.ends[tree])) for tree, at in enumerate(stops)]


def _walked(fitted: MeanOfTrees, steps: Steps) -> list[Stop]:
    """The same for those that can walk down trees by themselves."""
    forest = fitted.counts.forest
    bins = bins_of(steps, forest.cuts)
    gaps = [Number(len(cuts) + 1) for cuts in forest.cuts.values()]
    numbers = [
        Conditional(((IsGap(index), gap),), index) for index, gap in zip(bins, gaps, strict=True)
    ]
    codes: list[Expression] = [*numbers, *level_codes(forest, steps)]
    roots = map(Number, forest.first_node[:-1].tolist())
    stops: list[Expression] = [*(steps.walk(forest.trees, codes) if codes else roots)]
    said = _said(fitted, range(len(fitted.probability)))
    return [(at, said) for at in stops]


def _said(fitted: MeanOfTrees, ends: Sequence[int]) -> LookupTable:
    """P(c) at the nodes of a tree where rows stop: each comes to one of them."""
    probability = fitted.probability[ends]
    return LookupTable(tuple(ends[:-1]), probability[:-1], probability[-1], probability[-1])


def level_codes(forest: Forest, steps: Steps) -> tuple[NameOf, ...]:
    """The codes of the columns of categories."""
    tables = []
    for name, known in forest.levels.items():
        codes = np.arange(len(known) + 2)[:, None]  # the last two: a gap, a level never seen
        cell = steps.cell(name, "category", known)
        tables.append((cell, LookupTable(tuple(known), codes[:-2], codes[-1], codes[-2])))
    return steps.let(*(code for (code,) in steps.entries(tables)))


class NestedConditions:
    """The way of a row down all trees at the same time, as choices within choices."""

    def __init__(self, forest: Forest, steps: Steps) -> None:
        """Cells are read when a node asks for them."""
        self.forest, self.steps = forest, steps
        self._first_code = forest.trees.first_code.tolist()
        self._nodes = forest.nodes.tolist()
        self.ends: list[list[int]] = [[] for _ in range(forest.n_trees)]  # nodes where rows stop
        numbers = [steps.cell(name, "number") for name in forest.cuts]
        self._cells = [*numbers, *level_codes(forest, steps)]
        self._open: list[int] = []  # nodes of the tree at hand that wait for the next step

    def stops(self) -> list[NameOf]:
        """The node at which a row stops, in each tree."""
        roots = self.forest.first_node[:-1].tolist()
        waiting = [[root] for root in roots]
        at: list[NameOf] = []
        while any(waiting):
            ways = []
            for tree, nodes in enumerate(waiting):
                self._open = []
                cases = [(node, self._way(tree, node, MOST_SPLITS)) for node in nodes]
                ways.append(_from_nodes(at[tree], cases) if at else cases[0][1])
                waiting[tree] = self._open
            at = [*self.steps.let(*ways)]
        return at

    def _way(self, tree: int, node: int, n_splits: int) -> Expression:
        """The node to which this many splits lead from this one."""
        column, cut, child, for_missing = self._nodes[node]
        if column == LEAF:
            return self._stop(tree, node)
        if n_splits == 0:
            self._open.append(node)
            return Number(node)
        first, second = (self._way(tree, child + side, n_splits - 1) for side in (0, 1))
        gap: Expression = self._stop(tree, node)
        if for_missing != LEAF:
            gap = self._way(tree, for_missing, n_splits - 1)
        cell = self._cells[column]
        if column >= len(self.forest.cuts):
            return self._by_level(tree, node, cell, (gap, first, second))
        cuts = self.forest.cuts[self.forest.columns[column]]
        if cut >= len(cuts):
            return Conditional(((IsGap(cell), gap),), first)
        return Conditional(
            ((IsGap(cell), gap), (Relation(cell, "<", Number(cuts[cut])), first)), second
        )

    def _by_level(
        self, tree: int, node: int, code: NameOf, ways: tuple[Expression, Expression, Expression]
    ) -> Expression:
        """The branch of a level by its rank in the tree; a row of a level without one stops."""
        column, cut, *_ = self._nodes[node]
        start, stop = self._first_code[column : column + 2]
        ranks = self.forest.ranks[tree, start:stop]
        is_known = ranks < UNKNOWN
        gap, first, second = ways
        cases: list[tuple[Condition, Expression]] = [(IsOneOf(code, (len(ranks) - 2,)), gap)]
        for which, way in ((ranks <= cut, first), (ranks > cut, second)):
            codes = tuple(np.flatnonzero(which & is_known).tolist())
            if codes:
                cases.append((IsOneOf(code, codes), way))
        return Conditional(tuple(cases), self._stop(tree, node))

    def _stop(self, tree: int, node: int) -> Number:
        if node not in self.ends[tree][-1:]:
            self.ends[tree].append(node)
        return Number(node)


def _from_nodes(at: NameOf, ways: Sequence[tuple[int, Expression]]) -> Expression:
    """On from where a row is, if it has not stopped."""
    if not ways:
        return at
    return Conditional(tuple((Relation(at, "=", Number(node)), way) for node, way in ways), at)
