"""Counts of combinations -> shares of a level given others, as the scoring kernels take them.

    p(x_j | parents, c) = (N_c(x_j, parents) + A q) / (N_c(parents) + A)

N_c(x_j, parents) counts rows of class c, N_c(parents) sums it over the levels of column j, which
leaves out the rows where column j is not observed. With lambda, A = lambda S and q = 1 / S for S
levels; with an m-estimate A = m and q = (N_v + 1) / (N + S), the share of the level in all classes.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from math import prod

import numpy as np

from bayesic.estimation.dependent_columns import Parents
from bayesic.estimation.smoothing import BackOff, Lambda, Smoothing
from bayesic.kernels import Array
from bayesic.kernels.back_off import LeaningAverages
from bayesic.kernels.combinations import Averages, FamilyIndex, LevelRows
from bayesic.kernels.leaving import leaning, left
from bayesic.statistics.combinations import CombinationCounts


@dataclass(frozen=True, eq=False)
class CountTables:
    """The counts of all combinations, and their sums over each of the columns.

    first : for the columns of a combination, the index of its first cell in the table, and the
        indices in margins of its sums over the first of its columns, the second, and so on
    """

    sizes: Array  # int64 (n_columns,)
    table: Array  # float64 (n_cells, n_classes)
    margins: Array  # float64 (n_margins, n_classes)
    first: dict[tuple[int, ...], tuple[int, tuple[int, ...]]]
    level_total: list[Array]  # of each column, the rows of all classes with each level

    def of(self, columns: tuple[int, ...]) -> Array:
        """The counts of some columns, in increasing order: (levels of each, n_classes)."""
        shape = tuple(self.sizes[list(columns)].tolist())
        start, _ = self.first[columns]
        return self.table[start : start + prod(shape)].reshape(*shape, -1)


def count_tables(counts: CombinationCounts) -> CountTables:
    """The tables and margins of the counts, which do not depend on the smoothing."""
    table, n_classes = counts.table.astype(np.float64), len(counts.class_count)
    margins: list[Array] = []
    first, start = {}, 0
    for columns, shape, cells in counts.layout.shapes():
        block = table[cells].reshape(*shape, n_classes)
        starts = []
        for axis in range(len(columns)):
            margin = block.sum(axis=axis).reshape(-1, n_classes)
            starts.append(start)
            margins.append(margin)
            start += len(margin)
        first[columns] = cells.start, tuple(starts)
    sizes = np.array(counts.layout.sizes, np.int64)
    totals = np.split(table[: sizes.sum()].sum(axis=1), np.cumsum(sizes)[:-1]) if len(sizes) else []
    stacked = np.concatenate(margins) if margins else np.zeros((0, n_classes))
    return CountTables(sizes, table, stacked, first, totals)


def families(tables: CountTables, parents: Parents) -> FamilyIndex:
    """The positions of the counts of each column, given any subset of its parents."""
    n_columns, most = len(parents), max(map(len, parents), default=0)
    n_sets = 2**most
    first, margin_first, child = (np.zeros((n_columns, n_sets), np.int64) for _ in range(3))
    strides, margin_strides = (np.zeros((n_columns, n_sets, most), np.int64) for _ in range(2))
    padded = np.zeros((n_columns, most), np.int64)
    for column, given in enumerate(parents):
        padded[column, : len(given)] = given
        for subset in range(2 ** len(given)):
            in_set = [index for index in range(len(given)) if subset >> index & 1]
            columns = tuple(sorted([column, *(given[index] for index in in_set)]))
            start, margin_starts = tables.first[columns]
            stride = _strides(columns, tables.sizes)
            others = tuple(other for other in columns if other != column)
            margin_stride = _strides(others, tables.sizes)
            first[column, subset] = start
            margin_first[column, subset] = margin_starts[columns.index(column)]
            child[column, subset] = stride[column]
            for index in in_set:
                strides[column, subset, index] = stride[given[index]]
                margin_strides[column, subset, index] = margin_stride[given[index]]
    n_parents = np.array([*map(len, parents)], np.int64)
    return FamilyIndex(n_parents, padded, first, child, strides, margin_first, margin_strides)


def _strides(columns: tuple[int, ...], sizes: Array) -> dict[int, int]:
    """The distance between the levels of each column, the last column fastest."""
    strides, step = {}, 1
    for column in reversed(columns):
        strides[column] = step
        step *= int(sizes[column])
    return strides


def averages(counts: CombinationCounts, tables: CountTables, n: int) -> Averages:
    """The positions of the counts of all sets of n columns, and of those with one column more."""
    layout = counts.layout
    sets, groups = layout.columns(n), layout.columns(n + 1)
    index_of = {columns: index for index, columns in enumerate(map(tuple, sets.tolist()))}
    without = [
        [index_of[(*columns[:dropped], *columns[dropped + 1 :])] for dropped in range(n + 1)]
        for columns in groups.tolist()
    ]
    margin_first = [tables.first[tuple(columns)][1] for columns in groups.tolist()]
    # summing the first margin of a set is summing the set
    stops = layout.first(n) + tables.sizes[sets].prod(axis=1)
    totals = [
        tables.table[start:stop].sum(axis=0)
        for start, stop in zip(layout.first(n).tolist(), stops.tolist(), strict=True)
    ]
    return Averages(
        sets,
        layout.first(n),
        np.array(totals).reshape(len(sets), tables.table.shape[1]),
        groups,
        layout.first(n + 1),
        np.array(margin_first, np.int64).reshape(-1, n + 1),
        np.array(without, np.int64).reshape(-1, n + 1),
        np.array([len(sets)]),
        np.array([len(groups)]),
    )


def leaning_averages(
    counts: CombinationCounts, tables: CountTables, n: int, of_pairs: Array
) -> LeaningAverages:
    """The same, and the column each share backs off to; of_pairs holds I(X_i; X_j | C)."""
    columns = averages(counts, tables, 1)
    if n == 1:
        return LeaningAverages(columns, columns, np.zeros_like(columns.groups))
    sets = averages(counts, tables, n)
    stronger = np.empty_like(sets.groups)
    for index in range(n + 1):
        child, others = sets.groups[:, index, None], np.delete(sets.groups, index, axis=1)
        first = of_pairs[child, others].argmax(axis=1)  # of equal ones the first
        stronger[:, index] = others[np.arange(len(others)), first]
    return LeaningAverages(columns, sets, stronger)


def as_columns_enter(
    averages: Averages | LeaningAverages, order: Array
) -> Averages | LeaningAverages:
    """The same in steps: of no column, of the first one in this order, of the first two, and so on.

    order : the numbers of all columns. Every set and group comes in with the last of its columns.
    """
    if isinstance(averages, LeaningAverages):
        sets, groups = _entering(averages.sets, order)
        return LeaningAverages(averages.columns, sets, averages.stronger[groups])
    return _entering(averages, order)[0]


def _entering(averages: Averages, order: Array) -> tuple[Averages, Array]:
    """The sets and groups in the order in which they are complete; and the order of the groups."""
    step = np.zeros(len(order), np.int64)
    step[order] = np.arange(1, len(order) + 1)
    of_sets, of_groups = (step[each].max(axis=1) for each in (averages.sets, averages.groups))
    sets, groups = (np.argsort(each, kind="stable") for each in (of_sets, of_groups))
    index = np.zeros(len(sets), np.int64)
    index[sets] = np.arange(len(sets))
    steps = np.arange(len(order) + 1)
    set_stop, group_stop = (
        np.searchsorted(np.sort(each), steps, side="right") for each in (of_sets, of_groups)
    )
    entering = Averages(
        averages.sets[sets],
        averages.set_first[sets],
        averages.set_total[sets],
        averages.groups[groups],
        averages.group_first[groups],
        averages.margin_first[groups],
        index[averages.set_without[groups]],
        set_stop,
        group_stop,
    )
    return entering, groups


def scored_rows(
    levels: Array,
    tables: CountTables,
    n_levels: Sequence[int],
    shrinks: Sequence[bool],
    rule: Smoothing,
    learned: tuple[Array, Array] | None = None,
) -> LevelRows:
    """Rows in the form that the scoring kernels take.

    levels   : (n_columns, n_rows), -1 is not observed, from sizes[column] on never seen
    n_levels : S of each column
    shrinks  : whether S of each column falls when the only row of a level is left out
    learned  : class and weight of each row, to score it as if it had not been learned
    """
    n_columns, n_rows = levels.shape
    shares, sizes = np.empty(levels.shape), np.empty(levels.shape)
    usable = np.empty(levels.shape, bool)
    for column in range(n_columns):
        facts = tables.level_total[column], n_levels[column], shrinks[column], rule
        own = levels[column]
        if learned is None:  # rows of a level have the same facts: compute them once a level
            each = np.append(np.arange(tables.sizes[column]), [tables.sizes[column], -1])
            own = np.where(own < 0, -1, np.minimum(own, tables.sizes[column]))
            parts = _facts_of_rows(each, np.zeros(len(each)), *facts)
            shares[column], sizes[column], usable[column] = (part[own] for part in parts)
        else:
            parts = _facts_of_rows(own, learned[1], *facts)
            shares[column], sizes[column], usable[column] = parts
    codes, weights = learned or (np.zeros(n_rows, np.intp), np.zeros(n_rows))
    by_level = isinstance(rule, Lambda)
    return LevelRows(
        levels, tables.sizes, shares, sizes, usable, codes, weights, float(rule.amount), by_level
    )


def _facts_of_rows(
    own: Array, weights: Array, total: Array, n_levels: int, shrinks: bool, rule: Smoothing
) -> tuple[Array, Array, Array]:
    """q, S and whether the level was seen, for the cells of a column, without their own weights."""
    seen = (own >= 0) & (own < len(total))
    count = np.where(seen, total[np.where(seen, own, 0)], 0.0)
    rest = left(count, np.where(seen, weights, 0.0))
    levels = n_levels - (seen & (rest == 0)) if shrinks else np.full(len(own), n_levels)
    levels = np.maximum(levels, 1)
    n_rows = left(total.sum(), np.where(seen, weights, 0.0))
    pseudo, all_pseudo = replace(rule, amount=1.0).pseudo_counts(rest, n_rows, levels)
    return pseudo / all_pseudo, levels.astype(np.float64), rest > 0


def shares_of_levels(
    tables: CountTables, columns: tuple[int, ...], n_levels: Sequence[int], rule: Smoothing
) -> Array:
    """p of the combinations of levels of some columns, in each class: (levels of each, n_classes).

    Bins that never occurred are left out: the shares sum to one over the others.
    """
    counts = tables.of(columns)
    if isinstance(rule, BackOff) and len(columns) > 1:  # as if the columns were independent
        alone = [shares_of_levels(tables, (column,), n_levels, rule) for column in columns]
        together = np.array(
            [
                reduce(np.multiply.outer, each)
                for each in zip(*(part.T for part in alone), strict=True)
            ]
        )
        return _normalised(counts + rule.amount * np.moveaxis(together, 0, -1))
    return _normalised(counts + _pseudo_counts(tables, columns, n_levels, rule)[..., None])


def shares_given(
    tables: CountTables,
    column: int,
    parents: tuple[int, ...],
    n_levels: Sequence[int],
    rule: Smoothing,
) -> Array:
    """p of the levels of a column given those of others: (levels of parents, n_classes, levels).

    As in shares_of_levels the shares sum to one over the levels that occurred.
    """
    if isinstance(rule, BackOff):
        shares = shares_of_levels(tables, (column,), n_levels, rule).T
        for n_parents in range(1, len(parents) + 1):
            counts = _counts_given(tables, column, parents[:n_parents])
            total = counts.sum(axis=-1, keepdims=True)
            shares = leaning(counts, total, rule.amount, np.expand_dims(shares, -3))
        return shares
    pseudo = _pseudo_counts(tables, (column,), n_levels, rule)
    smoothed = _counts_given(tables, column, parents) + pseudo
    return np.moveaxis(_normalised(np.moveaxis(smoothed, -1, 0), n_axes=1), 0, -1)


def _counts_given(tables: CountTables, column: int, parents: tuple[int, ...]) -> Array:
    """Counts of a column and its parents: (levels of parents, n_classes, levels)."""
    columns = tuple(sorted((column, *parents)))
    counts = tables.of(columns)
    counts = np.moveaxis(counts, [columns.index(parent) for parent in parents], range(len(parents)))
    return np.moveaxis(counts, -2, -1)


def _pseudo_counts(
    tables: CountTables, columns: tuple[int, ...], n_levels: Sequence[int], rule: Smoothing
) -> Array:
    """A q of each combination of levels of some columns."""
    shares, n_cells = np.ones(()), 1
    for column in columns:
        total = tables.level_total[column]
        own, all_own = replace(rule, amount=1.0).pseudo_counts(total, total.sum(), n_levels[column])
        shares = np.multiply.outer(shares, own / all_own)
        n_cells *= n_levels[column]
    return shares * rule.amount * (n_cells if isinstance(rule, Lambda) else 1)


def _normalised(smoothed: Array, n_axes: int | None = None) -> Array:
    """Shares over the first axes, all but the last by default; equal shares where all are 0."""
    axes = tuple(range(smoothed.ndim - 1 if n_axes is None else n_axes))
    total = smoothed.sum(axis=axes, keepdims=True)
    n_shares = np.prod([smoothed.shape[axis] for axis in axes])
    equal = np.full_like(smoothed, 1.0 / max(n_shares, 1))
    return np.divide(smoothed, total, out=equal, where=total > 0)


def drawn(shares: Array, rng: np.random.Generator) -> Array:
    """An index for each row of shares, drawn with these probabilities: (n_rows,)."""
    bounds = np.cumsum(shares, axis=1)
    draws = rng.random(len(shares)) * bounds[:, -1]
    return np.minimum((bounds <= draws[:, None]).sum(axis=1), shares.shape[1] - 1)
