"""Climbing to a good structure: the change of one edge that gains most, as long as there is one.

A climb goes on a few steps downhill past a summit, and may not undo its last changes at once: the
tabu list ([Glover]). Restarts begin near the best structure found. Edges whose turning changes
nothing but the direction are turned at random, which leads to other neighbours of what says the
same about independence ([CasteloKocka]); and some variables lose all their edges.

K2 climbs too, but one variable at a time: where the order of the variables is known, no change of
one has to wait for another.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np

from bayesic.kernels import Array
from bayesic.kernels.structure import ADD, DROP, TURN, SearchGraph, Tabu
from bayesic.networks._structure.edge_limits import EdgeLimits, members_of
from bayesic.networks._structure.family_scores import FamilyScores
from bayesic.progress import bar_of

TABU = 5  # steps in which an edge that was changed stays as it is
PATIENCE = 10  # steps that a climb goes on without a better structure
TURNS = 20  # edges to turn at random before a restart
# Variables that lose their edges before a restart: this share of them, but not more than so many.
# Found by trying on samples of ALARM: with fewer, restarts lead back to where they came from.
SHARE_ISOLATED, MOST_ISOLATED = 0.25, 10
# Scores differ by more than this share of themselves, or by rounding alone.
ROUNDING = 1e-12


@dataclass(frozen=True)
class Move:
    """One change of an edge, its gain, and the score of the structure after it."""

    kind: int  # ADD, DROP or TURN of kernels/structure.py
    child: int
    parent: int
    gain: float
    score: float


@dataclass(frozen=True, eq=False)
class Climbed:
    """A structure, its score, the changes of the first climb, and the scores of better restarts."""

    parents: Array  # bool (n, n), [child, parent]
    score: float
    moves: tuple[Move, ...]
    restarts: tuple[tuple[int, float], ...] = ()  # number of the restart, score


# any order of the variables -------------------------------------------------------------------


class ScoredGraph:
    """A structure under change, with what each change of an edge would gain."""

    def __init__(self, scores: FamilyScores, parents: Array) -> None:
        self.scores = scores
        self.parents = parents.copy()  # bool (n, n), [child, parent]
        self.members = [members_of(row) for row in parents]  # the same as bits
        self.reach = np.empty_like(self.parents)
        self.gains = np.empty(parents.shape)
        self.own = np.empty(len(parents))
        scores.kernels.closure(self.parents, self.reach)
        for child in range(len(parents)):
            self._score(child)

    @property
    def score(self) -> float:
        """The score of the structure."""
        return float(self.own.sum())

    def change(self, kind: int, child: int, parent: int) -> None:
        """Add, drop or turn an edge."""
        self._toggle(child, parent)
        if kind == TURN:
            self._toggle(parent, child)
        self.scores.kernels.closure(self.parents, self.reach)

    def _toggle(self, child: int, parent: int) -> None:
        self.parents[child, parent] ^= True
        self.members[child] ^= 1 << parent
        self._score(child)

    def _score(self, child: int) -> None:
        self.own[child], self.gains[child] = self.scores.changes(child, self.members[child])


def hill_climb(scores: FamilyScores, limits: EdgeLimits, restarts: int, seed: int) -> Climbed:
    """The best structure of a climb from the required edges alone, and of restarts near the best.

    It is the same for the same seed, and for any order of the columns.
    """
    best = climb(ScoredGraph(scores, limits.fixed), limits)
    rng = np.random.default_rng(seed)
    better = []
    with bar_of("restarts", restarts) as advance:
        for number in range(1, restarts + 1):
            again = climb(ScoredGraph(scores, shaken(best.parents, limits, rng)), limits)
            rounding = ROUNDING * abs(best.score)
            if again.score > best.score + rounding:
                better.append((number, again.score))
            if again.score >= best.score - rounding:  # equally good ones have other neighbours
                best = Climbed(again.parents, max(again.score, best.score), best.moves)
            advance()
    return Climbed(best.parents, best.score, best.moves, tuple(better))


def climb(graph: ScoredGraph, limits: EdgeLimits) -> Climbed:
    """The best structure on the way uphill from here; never worse than the start."""
    closed = np.zeros(graph.parents.shape, np.int64)
    best, best_parents, n_best = graph.score, graph.parents.copy(), 0
    moves: list[Move] = []
    rounding = ROUNDING * abs(best)
    while True:
        edges = SearchGraph(
            graph.parents, graph.reach, limits.addable, limits.fixed, limits.most_parents
        )
        tabu = Tabu(closed, len(moves), needed=best - graph.score + rounding)  # to a new best
        kind, child, parent, gain = graph.scores.kernels.best_move(
            graph.gains, edges, tabu, rounding
        )
        if gain == -np.inf or (gain <= rounding and len(moves) - n_best >= PATIENCE):
            return Climbed(best_parents, best, tuple(moves[:n_best]))
        graph.change(kind, child, parent)
        moves.append(Move(kind, child, parent, gain, graph.score))
        closed[child, parent] = closed[parent, child] = len(moves) + TABU
        if graph.score > best + rounding:
            best, best_parents, n_best = graph.score, graph.parents.copy(), len(moves)


def shaken(parents: Array, limits: EdgeLimits, rng: np.random.Generator) -> Array:
    """A structure near this one: some edges turned, and some variables without edges."""
    turned = parents.copy()
    turnable = ~limits.fixed & limits.addable.T
    for _ in range(TURNS):
        edges = np.argwhere(covered_edges(turned) & turnable)
        if len(edges) == 0:
            break
        child, parent = edges[rng.integers(len(edges))]
        turned[child, parent], turned[parent, child] = False, True
    isolated = min(MOST_ISOLATED, ceil(SHARE_ISOLATED * len(parents)))
    for variable in rng.permutation(len(parents))[:isolated]:
        turned[variable] = limits.fixed[variable]
        turned[:, variable] = limits.fixed[:, variable]
    return turned


def covered_edges(parents: Array) -> Array:
    """Edges whose ends have the same parents besides: bool (n, n), [child, parent].

    Turning one of them keeps all independences ([Chickering] lemma 1).

    >>> covered_edges(np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0]], bool)).astype(int)
    array([[0, 0, 0],
           [1, 0, 0],
           [0, 1, 0]])
    """
    covered = np.zeros_like(parents)
    child, parent = np.nonzero(parents)
    differences = (parents[child] != parents[parent]).sum(axis=1)
    covered[child, parent] = differences == 1  # the parent itself
    return covered


# a given order --------------------------------------------------------------------------------


def k2(scores: FamilyScores, limits: EdgeLimits, order: Sequence[int]) -> Climbed:
    """The structure of the algorithm K2 ([CooperHerskovits] section 3.2), with one addition.

    order : the numbers of all variables, parents before children

    Each variable begins with the parents that it must have. The one that gains most is added until
    none gains, or the variable has its most parents. The addition: a parent is dropped again where
    that gains most. A parent that comes first only stands in for others that come later.
    """
    parents = limits.fixed.copy()
    own = [scores.of(child, members_of(row)) for child, row in enumerate(parents)]
    moves = []
    before = np.zeros(scores.n_variables, bool)
    for child in order:
        while True:
            own[child], gains = scores.changes(child, members_of(parents[child]))
            gains = np.where(_may_change(parents[child], before, limits, child), gains, -np.inf)
            rounding = ROUNDING * abs(own[child])
            if gains.max() <= rounding:
                break
            parent = int(np.argmax(gains >= gains.max() - rounding))  # the first of equal ones
            kind = DROP if parents[child, parent] else ADD
            parents[child, parent] ^= True
            own[child] += float(gains[parent])
            moves.append(Move(kind, child, parent, float(gains[parent]), sum(own)))
        before[child] = True
    return Climbed(parents, sum(own), tuple(moves))


def _may_change(parents: Array, before: Array, limits: EdgeLimits, child: int) -> Array:
    """Which variables may be added as a parent or dropped."""
    room = parents.sum() < limits.most_parents
    return np.where(parents, ~limits.fixed[child], before & limits.addable[child] & room)
