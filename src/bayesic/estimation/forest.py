"""Rows -> the splits of a forest; counts at its nodes -> probabilities that back off."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, exp, sqrt
from typing import Any, NamedTuple

import numpy as np

from bayesic.data.blocks import in_threads, row_blocks
from bayesic.data.columns import Categories, Numbers
from bayesic.data.tables import Table
from bayesic.estimation.pool import log_softmax
from bayesic.estimation.prior import log_prior_without
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
from bayesic.statistics.forest import MOST_LEVELS, Forest, ForestCounts, levels_of_tree

N_BINS = 32  # of a column of numbers, about as many rows in each
ROWS_OF_A_TREE = 100_000  # from about so many each tree is grown; all rows are counted in it
TRIED = {"best": 1.0, "random": 2.0}  # times the root of the number of columns

STRENGTHS = np.array([0.05, 0.2, 0.5, 1.0, 2.5, 6.0])
MOST_ASKED = 1000  # rows from which the strength and the temperature are chosen
MOST_STEPS = 50  # to the best temperature


# rows that are drawn ------------------------------------------------------------------------------


def times_drawn(keys: Array, tree: int, forest: Forest) -> Array:
    """How often a tree is grown from each row: a Poisson number that follows from its key."""
    share = min(1.0, ROWS_OF_A_TREE / max(forest.n_rows, 1))  # of many rows each tree takes some
    odds, limits = exp(-share), [0.0]
    for number in range(1, 9):
        limits.append(limits[-1] + odds)
        odds *= share / number
    bits = np.ceil(np.array(limits[1:]) * 2.0**53).astype(np.uint64)
    seed, times = _seed_of(tree, forest), np.zeros(len(keys), np.uint8)
    for rows in row_blocks(len(keys), CELLS_OF_A_KEY):
        uniform = mixed(keys[rows] + seed) >> np.uint64(11)  # of 53 bits
        drawn = np.flatnonzero(uniform >= bits[0])
        times[rows][drawn] = np.searchsorted(bits, uniform[drawn], side="right")
    return times


def _seed_of(tree: int, forest: Forest) -> Any:
    """Of what one tree draws: uint64."""
    return mixed(np.array([forest.seed * 2**20 + tree + 1], np.uint64) * STEP)[0]


# growing ----------------------------------------------------------------------------------------


class Rows(NamedTuple):
    """Rows to grow trees from."""

    codes: Array  # uint8 (n_columns, n_rows)
    classes: Array  # int64 (n_rows,)
    weights: Array  # float64 (n_rows,)
    keys: Array  # uint64 (n_rows,)
    n_classes: int


def grow_forest(
    table: Table,
    labels: Sequence[Any],
    codes: Array,
    weights: Array | None,
    n_trees: int,
    splits: str,
    seed: int,
) -> Forest:
    """Trees of random rows, random columns, and the best or random cuts ([Breiman], [Geurts]).

    The levels of a category are put into an order by each tree: by how large a share of their rows
    is of one class, which the tree has drawn. So they are cut in two as numbers are.
    """
    every = np.ones(table.n_rows) if weights is None else weights
    keys = row_keys(table, labels, codes, every)
    columns = sorted(table.columns.items())  # their order does not matter
    some: Any = slice(None)
    if table.n_rows > ROWS_OF_A_TREE:  # enough to know where to cut
        some = np.sort(np.argpartition(keys, ROWS_OF_A_TREE)[:ROWS_OF_A_TREE])
    measured = {name: its.values for name, its in columns if isinstance(its, Numbers)}
    cuts = in_threads(lambda values: cuts_of(values[some]), measured.values())
    numbers = dict(zip(measured, cuts, strict=True))
    levels = {name: _levels_of(its) for name, its in columns if isinstance(its, Categories)}
    nothing = np.zeros(0, np.int32)
    no_trees = np.zeros(1, np.int64), nothing.reshape(0, 4), nothing, np.zeros((0, 0), np.uint8)
    coding = Forest(numbers, levels, *no_trees, table.n_rows, seed)
    rows = Rows(
        np.ascontiguousarray(coding.codes(table).T), codes.astype(np.int64), every,
        keys, len(labels),
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
    return Forest(numbers, levels, *trees, table.n_rows, seed)


def cuts_of(values: Array) -> tuple[float, ...]:
    """Where to cut numbers into N_BINS bins of about as many rows, half way between two of them.

    >>> cuts_of(np.array([1.0, 2.0, 2.0, 4.0, np.nan]))
    (1.5, 3.0)
    """
    observed = np.sort(values[~np.isnan(values)])
    different = observed[np.append(True, observed[1:] != observed[:-1])[: len(observed)]]
    if len(different) < 2:
        return ()
    last = np.arange(len(different) - 1)
    if len(different) > N_BINS:
        places = len(observed) * np.arange(1, N_BINS) // N_BINS
        last = np.searchsorted(different, observed[places])
        last = np.unique(last[last < len(different) - 1])
    middle = different[last] / 2 + different[last + 1] / 2
    cuts = np.where(middle > different[last], middle, different[last + 1])  # two neighbours
    return tuple(cuts.tolist())


def _levels_of(cells: Categories) -> tuple[str, ...]:
    """The levels in sorted order; of very many the most frequent."""
    counts = np.bincount(cells.codes[cells.codes >= 0], minlength=len(cells.levels))
    order = sorted(range(len(cells.levels)), key=lambda code: (-counts[code], cells.levels[code]))
    return tuple(sorted(cells.levels[code] for code in order[:MOST_LEVELS]))


def _grow_tree(
    rows: Rows, coding: Forest, tree: int, splits: str, kernels: Any
) -> tuple[Array, Array, Array]:
    """The nodes of a tree, their parents, and the ranks of all codes."""
    n_columns = len(rows.codes)
    drawn = times_drawn(rows.keys, tree, coding) * (rows.weights > 0)
    if np.count_nonzero(drawn) < 2:  # of so few rows all are taken
        drawn = (rows.weights > 0).astype(np.uint8)
    mine = np.flatnonzero(drawn)
    if not len(mine) or not n_columns:  # nothing to ask for
        leaf, ranks = np.full((1, 4), LEAF, np.int32), np.full(sum(coding.n_codes), UNKNOWN)
        return leaf, leaf[:, 0].copy(), ranks.astype(np.uint8)
    codes, classes = rows.codes.take(mine, axis=1), rows.classes[mine]
    weights = drawn[mine] * rows.weights[mine]
    seed = _seed_of(tree, coding)
    by_column = _ranks(codes, classes, weights, coding, mixed(rows.keys[mine] + seed))
    own = np.empty_like(codes)
    for column, its_ranks in enumerate(by_column):
        own[column] = its_ranks.take(codes[column])
    n_tried = min(n_columns, ceil(TRIED[splits] * sqrt(n_columns)))
    is_random = splits == "random"
    grown = kernels.grown(own, classes, weights, rows.n_classes, n_tried, is_random, int(seed))
    return *grown, np.concatenate(by_column)


def _ranks(
    codes: Array, classes: Array, weights: Array, coding: Forest, chances: Array
) -> list[Array]:
    """The ranks of the codes of each column: of numbers as they are, of levels as the tree sees.

    chances : uint64 (n_rows,), of which the tree draws a class, each by its share of the rows
    """
    of_drawn = _of_drawn_class(classes, weights, chances) if coding.levels else weights
    ranks = []
    for column, n_codes in enumerate(coding.n_codes):
        gap, its_ranks = n_codes - 2, np.full(n_codes, UNKNOWN, np.uint8)
        its_ranks[gap] = MISSING
        if column < len(coding.cuts):
            its_ranks[:gap] = np.arange(gap)
        else:
            total = np.bincount(codes[column], weights, minlength=n_codes)[:gap]
            own = np.bincount(codes[column], of_drawn, minlength=n_codes)[:gap]
            seen = np.flatnonzero(total > 0)
            chance = mixed(chances.min() + seen.astype(np.uint64) * STEP)
            its_ranks[seen[np.lexsort((chance, own[seen] / total[seen]))]] = np.arange(len(seen))
        ranks.append(its_ranks)
    return ranks


def _of_drawn_class(classes: Array, weights: Array, chances: Array) -> Array:
    """The weights of the rows of one class, that of the middle of all rows in the order of chances.

    The other rows have 0.
    """
    order = np.argsort(chances)
    middle = np.searchsorted(np.cumsum(weights[order]), weights.sum() / 2)
    return weights * (classes == classes[order[middle]])


# probabilities ------------------------------------------------------------------------------------


def node_probabilities(counts: ForestCounts, strength: float) -> Array:
    """P(c) at each node, leaning on the node above it: (n_nodes, n_classes).

    p = (N_c + s p_parent) / (N + s),  above the root 1 / K
    """
    forest, n_classes = counts.forest, len(counts.class_count)
    probability = np.empty(counts.table.shape)
    for first, stop in zip(forest.first_node[:-1], forest.first_node[1:], strict=True):
        here, parents = probability[first:stop], forest.parents[first:stop] - first
        table = counts.table[first:stop].astype(np.float64)
        total = table.sum(axis=1)[:, None] + strength
        for level in levels_of_tree(parents):
            above = 1.0 / n_classes if level.start == 0 else here[parents[level]]
            here[level] = (table[level] + strength * above) / total[level]
    return probability


def column_steps(forest: Forest, probability: Array, stopped: Array) -> Array:
    """What each column adds to P(c) on the way down, mean over the trees.

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


# rows that trees have not seen ----------------------------------------------------------------


class LeftOut(NamedTuple):
    """Learned rows, and in which trees each of them is asked."""

    codes: Array  # uint8 (n_rows, n_columns)
    classes: Array
    weights: Array
    is_asked: Array  # bool (n_rows, n_trees)


def left_out(forest: Forest, codes: Array, keys: Array, classes: Array, weights: Array) -> LeftOut:
    """Rows with the trees that were not grown from them; with all trees if there is none."""
    unseen = np.stack(
        [times_drawn(keys, tree, forest) == 0 for tree in range(forest.n_trees)], axis=1
    )
    unseen[~unseen.any(axis=1)] = True
    return LeftOut(codes, classes.astype(np.int64), weights, unseen)


def answers_left_out(counts: ForestCounts, rows: LeftOut, strengths: Array) -> Array:
    """P(c) of rows by the trees that have not seen them, less their own counts.

    (n_strengths, n_rows, n_classes)
    """
    forest, table = counts.forest, counts.table.astype(np.float64)
    kernels = forest.kernels_for(len(rows.codes))
    stopped = kernels.stops(rows.codes, forest.trees, slice(None))
    return kernels.answers_without(
        stopped, forest.parents, table, rows.classes, rows.weights, rows.is_asked, strengths
    )


@dataclass(frozen=True)
class Smoothness:
    """The strength of the back-off, and the temperature of the mean of the trees."""

    strength: float
    temperature: float


def best_smoothness(counts: ForestCounts, rows: LeftOut, strengths: Array) -> Smoothness:
    """The strength and temperature under which rows that trees have not seen are most probable.

        P(c | x)  ~  P(c) (p(c | x) / P(c))^T,  p the mean over trees

    The mean of many trees is less sure than it should be, so that T is mostly above 1.
    """
    answers = answers_left_out(counts, rows, strengths)
    found = []
    for strength, answer in zip(strengths.tolist(), answers, strict=True):
        smoothing = strength / len(counts.class_count)
        log_prior = log_prior_without(
            counts.class_count, rows.classes, rows.weights, smoothing=smoothing
        ).T
        steps = np.log(answer) - log_prior
        temperature, loss = best_temperature(log_prior, steps, rows.classes, rows.weights)
        found.append((loss, strength, temperature))
    _, strength, temperature = min(found)
    return Smoothness(strength, temperature)


def best_temperature(
    log_prior: Array, steps: Array, classes: Array, weights: Array
) -> tuple[float, float]:
    """T >= 0 under which the classes of rows are most probable, and their -log probability.

        sum over i of s_i log P(c_i | x_i) - (T - 1)^2 / 2,  log P = log_prior + T steps + constant

    It is concave in T: by Newton's steps, no longer than 1.

    >>> even, steps = np.log([[0.5, 0.5]] * 4), np.log([[0.8, 0.2]] * 4)
    >>> best_temperature(even, steps, np.array([0, 0, 0, 0]), np.full(4, 1e6))[0] > 5
    True
    """
    temperature, own = 1.0, (np.arange(len(classes)), classes)
    for _ in range(MOST_STEPS):
        log_probability = log_softmax(log_prior + temperature * steps)
        share = np.exp(log_probability)
        mean = (share * steps).sum(axis=1)
        slope = weights @ (steps[own] - mean) - (temperature - 1.0)
        curvature = weights @ (share * (steps - mean[:, None]) ** 2).sum(axis=1) + 1.0
        after = max(temperature + float(np.clip(slope / curvature, -1.0, 1.0)), 0.0)
        if abs(after - temperature) <= 1e-9:
            break
        temperature = after
    return temperature, float(-weights @ log_probability[own])


def blocks_of(n_rows: int, n_columns: int) -> list[slice]:
    """Rows to be answered at once: many, so that the nodes of a tree serve for all of them."""
    return row_blocks(n_rows, max(n_columns, 1), at_least=2**13)
