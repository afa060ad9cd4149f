"""Rows -> the splits of a forest; counts at its nodes -> probabilities that back off."""

from collections.abc import Sequence
from functools import lru_cache
from math import ceil, exp, sqrt
from types import ModuleType
from typing import NamedTuple

import numpy as np

from bayesic.data.blocks import in_threads, row_blocks
from bayesic.data.columns import Categories, Numbers
from bayesic.data.tables import Table
from bayesic.data.typing import Label
from bayesic.estimation.row_keys import CELLS_OF_A_KEY, row_keys
from bayesic.kernels import Array, pick
from bayesic.kernels.forest import (
    COLUMN,
    LEAF,
    MISSING,
    STEPS_OF_A_ROW,
    UNKNOWN,
)
from bayesic.kernels.splitmix import STEP, mixed
from bayesic.progress import bar_of
from bayesic.statistics.forest import MOST_LEVELS, Forest, ForestCounts, nodes_by_depth

N_BINS = 32  # of a numeric column, with about equally many rows in each
ROWS_OF_A_TREE = 100_000  # a tree is grown from about so many rows; all rows are counted in it
TRIED = {"best": 1.0, "random": 2.0}  # columns tried, times the root of their number


# rows that are drawn ------------------------------------------------------------------------------


def times_drawn(keys: Array, tree: int, forest: Forest) -> Array:
    """How often each row is drawn for a tree: a Poisson variate that follows from its key."""
    limits, seed = _limits(forest.n_rows), _seeds(forest, range(tree, tree + 1))[0]
    times = np.zeros(len(keys), np.uint8)
    for rows in row_blocks(len(keys), CELLS_OF_A_KEY):
        uniform = _uniform(keys[rows], seed)
        drawn = np.flatnonzero(uniform >= limits[0])
        times[rows][drawn] = np.searchsorted(limits, uniform[drawn], side="right")
    return times


def never_drawn(keys: Array, forest: Forest) -> Array:
    """Whether each row was not drawn for each tree: (n_rows, n_trees)."""
    uniform = _uniform(keys[:, None], _seeds(forest, range(forest.n_trees)))
    return uniform < _limits(forest.n_rows)[0]


@lru_cache(maxsize=8)  # the same for all trees of a forest
def _limits(n_rows: int) -> Array:
    """Upper limits of 53-bit integers with which a row is drawn at most 0, 1, 2, ... times."""
    share = min(1.0, ROWS_OF_A_TREE / max(n_rows, 1))  # below 1 for very many rows
    odds, limits = exp(-share), [0.0]
    for times in range(1, 9):
        limits.append(limits[-1] + odds)
        odds *= share / times
    return np.ceil(np.array(limits[1:]) * 2.0**53).astype(np.uint64)


def _uniform(keys: Array, seeds: Array) -> Array:
    """Uniform integers of 53 bits."""
    return mixed(keys + seeds) >> np.uint64(11)


def _seeds(forest: Forest, trees: range) -> Array:
    """The seeds of the random draws of these trees: uint64."""
    first = forest.seed % 2**44 * 2**20 + 1  # room for all trees of a forest within 64 bits
    return mixed(np.arange(first + trees.start, first + trees.stop, dtype=np.uint64) * STEP)


# growing ----------------------------------------------------------------------------------------


class TrainingRows(NamedTuple):
    """Rows to grow trees from."""

    codes: Array  # uint8 (n_columns, n_rows); for numeric columns the ranks
    classes: Array  # int64 (n_rows,)
    weights: Array  # float64 (n_rows,)
    keys: Array  # uint64 (n_rows,)
    n_classes: int
    ranks: Array  # uint8 (n_codes,), of the codes of all columns; a tree ranks the levels it sees
    first_code: Array  # int64 (n_columns + 1,)


def grow_forest(
    table: Table,
    labels: Sequence[Label],
    codes: Array,
    weights: Array | None,
    n_trees: int,
    splits: str,
    seed: int,
) -> Forest:
    """Trees of random rows, random columns, and the best or random cuts ([Breiman], [Geurts]).

    Each tree sorts the levels of a categorical column by the share of their rows that is of one
    class, which the tree draws. So they are cut in two like numbers.
    """
    every = np.ones(table.n_rows) if weights is None else weights
    keys = row_keys(table, labels, codes, every)
    columns = sorted(table.columns.items())  # their order does not matter
    some: slice | Array = slice(None)
    if table.n_rows > ROWS_OF_A_TREE:  # enough to choose the cuts
        some = np.sort(np.argpartition(keys, ROWS_OF_A_TREE)[:ROWS_OF_A_TREE])
    measured = {name: its.values for name, its in columns if isinstance(its, Numbers)}
    cuts = in_threads(lambda values: cuts_of(values[some]), measured.values())
    cuts_of_columns = dict(zip(measured, cuts, strict=True))
    levels = {name: _levels_of(its) for name, its in columns if isinstance(its, Categories)}
    empty = np.zeros(0, np.int32)
    no_trees = np.zeros(1, np.int64), empty.reshape(0, 4), empty, np.zeros((0, 0), np.uint8)
    coding = Forest(cuts_of_columns, levels, *no_trees, table.n_rows, seed)
    rows = TrainingRows(
        _codes_to_rank(coding, table), codes.astype(np.int64), every, keys, len(labels),
        _first_ranks(coding), coding.trees.first_code,
    )  # fmt: skip
    kernels = pick("forest", table.n_rows * n_trees * STEPS_OF_A_ROW)
    with bar_of("growing trees", n_trees) as advance:

        def grow(tree: int) -> tuple[Array, Array, Array]:
            grown = _grow_tree(rows, coding, tree, splits, kernels)
            advance()
            return grown

        nodes, parents, ranks = zip(*in_threads(grow, range(n_trees)), strict=True)
    first = np.cumsum([0, *map(len, nodes)])
    for each, tree_parents, start in zip(nodes, parents, first.tolist(), strict=False):
        each[:, 2:][each[:, 2:] != LEAF] += start
        tree_parents[1:] += start
    trees = first, np.concatenate(nodes), np.concatenate(parents), np.array(ranks)
    return Forest(cuts_of_columns, levels, *trees, table.n_rows, seed)


def cuts_of(values: Array) -> tuple[float, ...]:
    """Cuts of numbers into N_BINS bins of about equally many rows, halfway between two values.

    >>> cuts_of(np.array([1.0, 2.0, 2.0, 4.0, np.nan]))
    (1.5, 3.0)
    """
    observed = np.sort(values[~np.isnan(values)])
    different = observed[np.append(True, observed[1:] != observed[:-1])[: len(observed)]]
    if len(different) < 2:
        return ()
    last = np.arange(len(different) - 1)
    if len(different) > N_BINS:
        quantiles = len(observed) * np.arange(1, N_BINS) // N_BINS
        last = np.searchsorted(different, observed[quantiles])
        last = np.unique(last[last < len(different) - 1])
    middle = different[last] / 2 + different[last + 1] / 2
    cuts = np.where(middle > different[last], middle, different[last + 1])  # neighbours in float64
    return tuple(cuts.tolist())


def _levels_of(cells: Categories) -> tuple[str, ...]:
    """The levels in sorted order; only the most frequent if there are very many."""
    counts = np.bincount(cells.codes[cells.codes >= 0], minlength=len(cells.levels))
    order = sorted(range(len(cells.levels)), key=lambda code: (-counts[code], cells.levels[code]))
    return tuple(sorted(cells.levels[code] for code in order[:MOST_LEVELS]))


def _grow_tree(
    rows: TrainingRows, coding: Forest, tree: int, splits: str, kernels: ModuleType
) -> tuple[Array, Array, Array]:
    """The nodes of a tree, their parents, and the ranks of all codes."""
    n_columns = len(rows.codes)
    drawn = times_drawn(rows.keys, tree, coding) * (rows.weights > 0)
    if np.count_nonzero(drawn) < 2:  # too few: the tree is grown from all rows
        drawn = (rows.weights > 0).astype(np.uint8)
    mine = np.flatnonzero(drawn)
    if not len(mine) or not n_columns:  # nothing to split
        leaf = np.full((1, 4), LEAF, np.int32)
        return leaf, leaf[:, 0].copy(), np.full_like(rows.ranks, UNKNOWN)
    codes, classes = rows.codes.take(mine, axis=1), rows.classes[mine]
    weights = drawn[mine] * rows.weights[mine]
    seed = _seeds(coding, range(tree, tree + 1))[0]
    ranks, n_numbers = rows.ranks.copy(), len(coding.cuts)
    if coding.levels:
        chances = mixed(rows.keys[mine] + seed)
        of_drawn = _of_drawn_class(classes, weights, chances)
        indices = codes[n_numbers:] + rows.first_code[n_numbers:-1, None]
        _rank_levels(ranks, indices, weights, of_drawn, rows.first_code, chances.min())
        codes[n_numbers:] = ranks.take(indices)
    n_tried = min(n_columns, ceil(TRIED[splits] * sqrt(n_columns)))
    is_random = splits == "random"
    grown = kernels.grown(codes, classes, weights, rows.n_classes, n_tried, is_random, int(seed))
    return *grown, ranks


def _codes_to_rank(coding: Forest, table: Table) -> Array:
    """The codes of rows, (n_columns, n_rows); in numeric columns they are ranks already."""
    codes = np.ascontiguousarray(coding.codes(table).T)
    for its_codes, cuts in zip(codes, coding.cuts.values(), strict=False):
        its_codes[its_codes > len(cuts)] = MISSING
    return codes


def _first_ranks(coding: Forest) -> Array:
    """The ranks of the codes of all columns, before a tree has seen any level."""
    ranks = np.full(sum(coding.n_codes), UNKNOWN, np.uint8)
    for column, (start, n_codes) in enumerate(
        zip(coding.trees.first_code.tolist(), coding.n_codes, strict=False)
    ):
        if column < len(coding.cuts):
            ranks[start : start + n_codes - 2] = np.arange(n_codes - 2)
        ranks[start + n_codes - 2] = MISSING
    return ranks


def _rank_levels(
    ranks: Array,
    indices: Array,
    weights: Array,
    of_drawn: Array,
    first_code: Array,
    chance: np.uint64,
) -> None:
    """Rank the levels that occur in the rows of a tree, each column by itself.

    ranks    : of all codes, changed in place
    indices  : (n_columns, n_rows), into ranks, of the codes of the categorical columns
    of_drawn : the weights of the rows of the class that the tree has drawn, 0 for other rows
    chance   : uint64, by which levels with the same share are ordered
    """
    n_columns, n_codes = len(indices), len(ranks)
    total = np.bincount(indices.ravel(), np.tile(weights, n_columns), n_codes)
    own = np.bincount(indices.ravel(), np.tile(of_drawn, n_columns), n_codes)
    seen = np.flatnonzero((total > 0) & (ranks != MISSING))
    column = np.searchsorted(first_code, seen, side="right") - 1
    drawn = mixed(chance + (seen - first_code[column]).astype(np.uint64) * STEP)
    order = np.lexsort((drawn, own[seen] / total[seen], column))
    begins = np.searchsorted(seen, first_code[column])
    ranks[seen[order]] = np.arange(len(seen)) - begins


def _of_drawn_class(classes: Array, weights: Array, chances: Array) -> Array:
    """The weights of the rows of one class, 0 for the others.

    It is the class of the weighted median row in the order of chances.
    """
    half = weights.sum() / 2
    part = (chances >> np.uint64(56)).astype(np.intp)  # 256 in order, one has the median
    before = np.cumsum(np.bincount(part, weights))
    middle = np.searchsorted(before, half)
    near = np.flatnonzero(part == middle)
    near = near[np.argsort(chances[near])]
    so_far = (before[middle - 1] if middle else 0.0) + np.cumsum(weights[near])
    row = near[min(np.searchsorted(so_far, half), len(near) - 1)]
    return weights * (classes == classes[row])


# probabilities ------------------------------------------------------------------------------------


def node_probabilities(counts: ForestCounts, strength: float) -> Array:
    """P(c) at each node, backing off to the node above it: (n_nodes, n_classes).

    p = (N_c + s p_parent) / (N + s),  above the root 1 / K
    """
    parents, n_classes = counts.forest.parents, len(counts.class_count)
    total = counts.table.sum(axis=1)[:, None] + strength
    probability = counts.table / total
    share = strength / total
    for depth, level in enumerate(nodes_by_depth(parents)):
        above = probability[parents[level]] if depth else 1.0 / n_classes
        probability[level] += share[level] * above
    return probability


def column_steps(forest: Forest, probability: Array, stopped: Array) -> Array:
    """What the splits on each column add to P(c) on the way down, the mean over the trees.

    (n_rows, n_columns, n_classes); with P(c) at the root they sum to the mean of the trees.
    """
    rows, at = np.arange(len(stopped))[:, None], stopped
    steps = np.zeros((len(stopped), len(forest.columns), probability.shape[1]))
    above = forest.parents[at]
    while (above != LEAF).any():
        moved = above != LEAF
        step = np.where(moved[:, :, None], probability[at] - probability[above], 0.0)
        np.add.at(steps, (rows, forest.nodes[above, COLUMN] * moved), step)
        at = np.where(moved, above, at)
        above = forest.parents[at]
    return steps / forest.n_trees


def blocks_of(n_rows: int, n_columns: int) -> list[slice]:
    """Large blocks of rows, so that the nodes of a tree are read once for many of them."""
    return row_blocks(n_rows, max(n_columns, 1), at_least=2**13)
