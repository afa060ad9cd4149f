"""Trees that cut columns in two: growing them, and where rows come to in them. In NumPy.

Every column is an order: numbers by their bins, the levels of categories as a tree ranks them. A
node asks whether the rank of one column is at most its cut; cells that were not observed have a
branch of their own, if there were such rows. `_compiled_forest.py` has the same in Numba.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from bayesic.kernels import Array
from bayesic.kernels.leaving import left
from bayesic.kernels.splitmix import STEP, below

__all__ = ["answers", "answers_without", "grown", "stops"]

MISSING, UNKNOWN = 255, 254  # ranks: the cell was not observed; its level is not in the order
STEPS_OF_A_ROW = 3000  # in a tree: it is looked at in every node above its leaf, by many calls

LEAF = -1  # in place of a column or a child

# columns of nodes: what it asks for, the last rank of the first child, the number of that child
# (the second follows it) and of the child for cells that were not observed
COLUMN, CUT, CHILD, FOR_MISSING = range(4)


class Trees(NamedTuple):
    """Trees one after the other, each from its root on, parents before children."""

    first_node: Array  # int64 (n_trees + 1,)
    nodes: Array  # int32 (n_nodes, 4)
    parents: Array  # int32 (n_nodes,)  -1 for roots
    ranks: Array  # uint8 (n_trees, n_codes)  of the codes of all columns
    first_code: Array  # int64 (n_columns + 1,)


# growing --------------------------------------------------------------------------------------


class TreeLevel(NamedTuple):
    """The nodes of a tree that are equally far from the root and may be split, and their rows."""

    numbers: Array  # int64 (n_nodes,)  in the tree
    rows: Array  # int64 (n,)
    node: Array  # int64 (n,)  of each row, counted from 0 in this level
    class_count: Array  # float64 (n_nodes, n_classes)


class Best(NamedTuple):
    """The best split of each node so far."""

    gain: Array
    column: Array
    cut: Array


def grown(
    ranks: Array,
    classes: Array,
    weights: Array,
    n_classes: int,
    n_tried: int,
    at_random: bool,
    seed: int,
) -> tuple[Array, Array]:
    """The nodes of a tree, int32 (n_nodes, 4), and their parents, -1 for the root.

    ranks   : uint8 (n_columns, n_rows); classes : int64, weights : float64 (n_rows,), above 0
    n_tried : how many columns a node tries, drawn at random from those that differ among its rows
    at_random : whether it tries one cut of each, drawn at random, or all of them

    A node takes the split under which the sum over its children of sum_c N_c^2 / N is largest (the
    Gini index is least); of equal ones the first that it tried. It is a leaf if all of its rows are
    of one class, or have the same ranks. What is drawn depends on the seed and on the number of the
    node alone.
    """
    every = np.arange(len(classes))
    nodes, parents, n_nodes = [], [np.full(1, LEAF)], 1
    numbers, node, rows = np.zeros(1, np.int64), np.zeros(len(classes), np.int64), every
    while len(numbers):
        count = _class_count(node, classes[rows], weights[rows], len(numbers), n_classes)
        best = _best_splits(
            TreeLevel(numbers, rows, node, count), ranks, classes, weights, n_tried, at_random, seed
        )
        made = np.full((len(numbers), 4), LEAF)
        is_split = best.column >= 0
        own = ranks[best.column[node], rows]
        is_gap = own == MISSING
        with_gaps = np.bincount(node[is_gap & is_split[node]], minlength=len(numbers)) > 0
        n_children = np.where(is_split, 2 + with_gaps, 0)
        child = n_nodes + np.cumsum(n_children) - n_children
        made[is_split, COLUMN], made[is_split, CUT] = best.column[is_split], best.cut[is_split]
        made[is_split, CHILD] = child[is_split]
        made[with_gaps, FOR_MISSING] = child[with_gaps] + 2
        nodes.append(made)
        parents.append(np.repeat(numbers, n_children))
        stays = is_split[node]
        node, rows, own, is_gap = node[stays], rows[stays], own[stays], is_gap[stays]
        node = child[node] + np.where(is_gap, 2, own > best.cut[node]) - n_nodes
        numbers = np.arange(n_nodes, n_nodes + n_children.sum())
        n_nodes += len(numbers)
    return np.concatenate(nodes).astype(np.int32), np.concatenate(parents).astype(np.int32)


def _class_count(
    node: Array, classes: Array, weights: Array, n_nodes: int, n_classes: int
) -> Array:
    cells = np.bincount(node * n_classes + classes, weights, minlength=n_nodes * n_classes)
    return cells.reshape(n_nodes, n_classes)


def _best_splits(
    level: TreeLevel, ranks: Array, classes: Array, weights: Array, n_tried: int, at_random: bool,
    seed: int,
) -> Best:  # fmt: skip
    n_nodes, n_columns = len(level.numbers), len(ranks)
    best = Best(np.full(n_nodes, -1.0), np.full(n_nodes, LEAF), np.full(n_nodes, LEAF))
    states = np.uint64(seed) + (level.numbers + 1).astype(np.uint64) * STEP
    order = np.tile(np.arange(n_columns), (n_nodes, 1))
    tried = np.where((level.class_count > 0).sum(axis=1) > 1, 0, n_tried)
    for turn in range(n_columns):
        active = np.flatnonzero(tried < n_tried)
        if not len(active):
            break
        states[active] += STEP
        index = turn + below(states[active], np.full(len(active), n_columns - turn))
        column = order[active, index]
        order[active, index] = order[active, turn]
        counts = _rank_counts(level, ranks, classes, weights, active, column)
        first, n_cuts = _cuts(counts)
        tried[active] += n_cuts > 0
        drawn = None
        if at_random:
            can = active[n_cuts > 0]
            states[can] += STEP
            drawn = np.zeros(len(active), np.int64)
            drawn[n_cuts > 0] = below(states[can], n_cuts[n_cuts > 0])
        gain, cut = _best_cuts(counts, first, n_cuts, drawn)
        better = gain > best.gain[active]
        here = active[better]
        best.gain[here], best.column[here], best.cut[here] = (
            gain[better],
            column[better],
            cut[better],
        )
    return best


def _rank_counts(
    level: TreeLevel, ranks: Array, classes: Array, weights: Array, active: Array, column: Array
) -> Array:
    """Rows of each class with each rank of one column of each node; the last rank is a gap."""
    index = np.full(len(level.numbers), -1)
    index[active] = np.arange(len(active))
    mine = index[level.node]
    rows, mine = level.rows[mine >= 0], mine[mine >= 0]
    own = ranks[column[mine], rows].astype(np.int64)
    n_ranks = int(own.max(where=own != MISSING, initial=0)) + 2
    own[own == MISSING] = n_ranks - 1
    n_classes = level.class_count.shape[1]
    cells = (mine * n_ranks + own) * n_classes + classes[rows]
    counts = np.bincount(cells, weights[rows], minlength=len(active) * n_ranks * n_classes)
    return counts.reshape(len(active), n_ranks, n_classes)


def _cuts(counts: Array) -> tuple[Array, Array]:
    """The first rank after which each node can be cut, and how many follow it.

    Behind the last rank only if there are gaps: these are told from the rest then.
    """
    seen = counts[:, :-1].max(axis=2) > 0
    first, last = seen.argmax(axis=1), seen.shape[1] - 1 - seen[:, ::-1].argmax(axis=1)
    n_cuts = last - first + (counts[:, -1].max(axis=1) > 0)
    return first, np.where(seen.max(axis=1), n_cuts, 0)


def _best_cuts(
    counts: Array, first: Array, n_cuts: Array, drawn: Array | None
) -> tuple[Array, Array]:
    """The gain of the best cut of each node, -inf if it has none, and that cut."""
    low = np.cumsum(counts[:, :-1], axis=1)
    gain = _purity(low) + _purity(low[:, -1:] - low) + _purity(counts[:, -1:])
    step = np.arange(gain.shape[1]) - first[:, None]
    allowed = (step >= 0) & (step < n_cuts[:, None]) if drawn is None else step == drawn[:, None]
    gain = np.where(allowed & (n_cuts > 0)[:, None], gain, -np.inf)
    cut = gain.argmax(axis=1)
    return gain[np.arange(len(cut)), cut], cut


def _purity(counts: Array) -> Array:
    """sum_c N_c^2 / N over the last axis; 0 where there is nothing."""
    total = counts.sum(axis=-1)
    return (counts * counts).sum(axis=-1) / np.where(total > 0, total, 1.0)


# rows in trees --------------------------------------------------------------------------------


def stops(codes: Array, trees: Trees, some: slice) -> Array:
    """The last node that each row comes to in some of the trees: int32 (n_rows, n_trees).

    codes : uint8 (n_rows, n_columns), the codes of each column counted from 0

    A row stops at a leaf; or at a node that asks for a level which is not in the order of the tree,
    or for a cell that was not observed and has no branch there.
    """
    numbers = np.arange(len(trees.first_node) - 1)[some]
    at = np.tile(trees.first_node[numbers].astype(np.int32), (len(codes), 1))
    goes_on = np.ones(at.shape, bool)
    while goes_on.any():
        goes_on &= trees.nodes[at, COLUMN] != LEAF
        row, tree = np.nonzero(goes_on)
        node = trees.nodes[at[row, tree]]
        column = node[:, COLUMN]
        rank = trees.ranks[numbers[tree], trees.first_code[column] + codes[row, column]]
        child = node[:, CHILD] + (rank > node[:, CUT])
        child = np.where(rank == MISSING, node[:, FOR_MISSING], child)
        child = np.where(rank == UNKNOWN, LEAF, child)
        at[row, tree] = np.where(child == LEAF, at[row, tree], child)
        goes_on[row, tree] = child != LEAF
    return at


def answers(codes: Array, trees: Trees, probability: Array) -> Array:
    """The mean over the trees of P(c) at the node where each row stops: (n_rows, n_classes).

    probability : float64 (n_nodes, n_classes)
    """
    return probability[stops(codes, trees, slice(None))].mean(axis=1)


def answers_without(
    stopped: Array,
    parents: Array,
    counts: Array,
    classes: Array,
    weights: Array,
    is_asked: Array,
    strengths: Array,
) -> Array:
    """Mean over the asked trees of P(c | x) without the own row: (n_strengths, n_rows, n_classes).

        p = (N_c - own + s p_parent) / (N - own + s), from the root on; above the root 1 / K

    stopped : (n_rows, n_trees), from `stops`; is_asked : bool, the same shape, some in each row
    counts  : float64 (n_nodes, n_classes); strengths : s
    """
    n_rows, n_classes = len(classes), counts.shape[1]
    total = np.zeros((len(strengths), n_rows, n_classes))
    for tree in range(stopped.shape[1]):
        rows = np.flatnonzero(is_asked[:, tree])
        probability = np.full((len(strengths), len(rows), n_classes), 1.0 / n_classes)
        for here, node in _paths(stopped[rows, tree], parents):
            some = rows[here]
            count = counts[node].copy()
            own = np.arange(len(some)), classes[some]
            count[own] = left(count[own], weights[some])
            whole = count.sum(axis=1)[:, None] + strengths[:, None, None]
            above = strengths[:, None, None] * probability[:, here]
            probability[:, here] = (count + above) / whole
        total[:, rows] += probability
    return total / is_asked.sum(axis=1)[:, None]


def _paths(stopped: Array, parents: Array) -> Iterator[tuple[Array, Array]]:
    """From the root on: the rows (by place) that come that far, and the node of each."""
    steps, at = [], stopped.astype(np.int64)
    while (at >= 0).any():
        steps.append(at)
        at = np.where(at >= 0, parents[at], LEAF)
    every = np.array(steps)
    depth = (every >= 0).sum(axis=0)
    for level in range(len(steps)):
        here = np.flatnonzero(depth > level)
        yield here, every[depth[here] - 1 - level, here]
