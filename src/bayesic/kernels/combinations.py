"""Counting combinations of levels, and scoring by them, in NumPy: the specification.

`_compiled_combinations.py` holds the same functions in Numba, with the same shapes and names:

    levels    : int32 (n_columns, n_rows), the number of each row's level; -1 is not observed, and
                any number from sizes[column] on is a level that was never seen
    sizes     : int64 (n_columns,), the number of levels that were seen
    table     : float64 (n_cells, n_classes), counts of combinations, those of some columns in the
                order of their levels, the last column fastest
    share     : float64 (n_columns, n_rows), q: the part of the pseudo-counts of its column that the
                level of a row has
    n_levels  : float64 (n_columns, n_rows), S: how many levels the column has, at least 1
    usable    : bool (n_columns, n_rows), whether others may depend on the level: it was seen
    codes     : intp (n_rows,), the class of which weights (n_rows,) are taken out of all counts
                first; weights are 0 for rows that were not learned
    amount    : lambda if by_level, so that A = lambda S; else m, so that A = m

The probability of a level, given others, is everywhere

    p = (N - w + A q) / (M - w + A),    1 / S where M - w + A = 0

where N counts the combination in a class, and M sums N over the levels. Of several levels together
q and S are the products of theirs.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from bayesic.kernels import Array
from bayesic.kernels.leaving import left, left_at, log_shares, own_class

__all__ = ["averaged_scores", "count_combinations", "family_scores"]


class LevelRows(NamedTuple):
    """A block of rows as the scoring kernels take them; see above."""

    levels: Array
    sizes: Array
    share: Array
    n_levels: Array
    usable: Array
    codes: Array
    weights: Array
    amount: float
    by_level: bool


def some_rows(rows: LevelRows, here: Array) -> LevelRows:
    """Some of the rows, by number."""
    return LevelRows(
        np.ascontiguousarray(rows.levels[:, here]),
        rows.sizes,
        rows.share[:, here],
        rows.n_levels[:, here],
        rows.usable[:, here],
        rows.codes[here],
        rows.weights[here],
        rows.amount,
        rows.by_level,
    )


class FamilyIndex(NamedTuple):
    """Where the counts of each column and its parents stand, for each set of parents in use.

    Column j has n_parents[j] parents, in `parents`. Set number s holds parent p if bit p of s is
    set. The count of levels v, given levels u_p of the parents in the set, is at

        table[table_first[j, s] + child_stride[j, s] v + sum over p of parent_stride[j, s, p] u_p]

    and its sum over v at margins[margin_first[j, s] + sum over p of margin_stride[j, s, p] u_p].
    """

    n_parents: Array  # int64 (n_columns,)
    parents: Array  # int64 (n_columns, most_parents)
    table_first: Array  # int64 (n_columns, 2 ** most_parents)
    child_stride: Array  # int64 (n_columns, 2 ** most_parents)
    parent_stride: Array  # int64 (n_columns, 2 ** most_parents, most_parents), 0 if not in the set
    margin_first: Array  # int64 (n_columns, 2 ** most_parents)
    margin_stride: Array  # int64 (n_columns, 2 ** most_parents, most_parents)


class Averages(NamedTuple):
    """Where the counts of all sets of n parents stand, and of these sets with one more column.

    The columns of a set or group are in increasing order. The mean is taken after each step, over
    the sets before set_stop, each with the groups before group_stop; these hold no later set.
    """

    sets: Array  # int64 (n_sets, n), the columns of each set
    set_first: Array  # int64 (n_sets,), where its counts begin in the table
    set_total: Array  # float64 (n_sets, n_classes), rows in which the set was observed
    groups: Array  # int64 (n_groups, n + 1), the columns of a set and one more
    group_first: Array  # int64 (n_groups,), where its counts begin in the table
    margin_first: Array  # int64 (n_groups, n + 1), where their sums over one column begin
    set_without: Array  # int64 (n_groups, n + 1), the number of the set without this column
    set_stop: Array  # int64 (n_steps,), increasing
    group_stop: Array  # int64 (n_steps,), increasing


def count_combinations(
    levels: Array,
    codes: Array,
    weights: Array | None,
    columns: Array,
    first: Array,
    sizes: Array,
    counts: Array,
) -> None:
    """Count how often each combination of levels of some columns occurs in each class.

    columns : int64 (n_combinations, n_together), the columns of each combination
    first   : int64 (n_combinations,), the row of counts where each begins
    counts  : int64 (n_cells, n_classes), float64 with weights; zeros that are filled in place

    A row counts where all columns of the combination are observed.
    """
    n_classes = counts.shape[1]
    for together, start in zip(columns.tolist(), first.tolist(), strict=True):
        cells, n_cells = np.zeros(levels.shape[1], np.int64), 1
        for column in together:
            cells = cells * sizes[column] + levels[column]
            n_cells *= int(sizes[column])
        observed = (levels[together] >= 0).all(axis=0)
        of_rows = None if weights is None else weights[observed]
        cells = cells[observed] * n_classes + codes[observed]
        counted = np.bincount(cells, of_rows, minlength=n_cells * n_classes)
        counts[start : start + n_cells] = counted.reshape(n_cells, n_classes)


def family_scores(rows: LevelRows, table: Array, margins: Array, families: FamilyIndex) -> Array:
    """log p of the level of each column given its parents: (n_columns, n_rows, n_classes).

    A parent that is not usable is left out of the condition; a column that is not observed has 0.
    """
    n_columns, n_rows = rows.levels.shape
    scores = np.zeros((n_columns, n_rows, table.shape[1]))
    for column, own in enumerate(rows.levels):
        parents = families.parents[column, : families.n_parents[column]]
        bits = (1 << np.arange(len(parents)))[:, None]
        number = (rows.usable[parents] * bits).sum(axis=0)  # of the set
        counted = family_counts(rows, table, margins, families, column, number)
        logs = _log_shares(rows, *counted, rows.share[column], rows.n_levels[column])
        scores[column] = np.where(own[:, None] >= 0, logs, 0.0)
    return scores


def family_counts(
    rows: LevelRows, table: Array, margins: Array, families: FamilyIndex, column: int, number: Array
) -> tuple[Array, Array]:
    """N of the level of a column with those of its parents, and M: (n_rows, n_classes) both.

    number : (n_rows,), of the set of parents of each row
    """
    own = rows.levels[column]
    seen = (own >= 0) & (own < rows.sizes[column])
    cells = (
        families.table_first[column, number]
        + np.where(seen, own, 0) * families.child_stride[column, number]
    )
    totals = families.margin_first[column, number]
    for bit, parent in enumerate(families.parents[column, : families.n_parents[column]]):
        given = np.where(number >> bit & 1, rows.levels[parent], 0)
        cells = cells + families.parent_stride[column, number, bit] * given
        totals = totals + families.margin_stride[column, number, bit] * given
    return np.where(seen[:, None], table[cells], 0.0), margins[totals]


def averaged_scores(
    rows: LevelRows, table: Array, margins: Array, averages: Averages, at_least: float
) -> tuple[Array, Array]:
    """log of the mean of p(x | c) over the sets of parents after each step, and their number.

        p(x | c) = p(x_set | c) * product over the other observed columns j of p(x_j | x_set, c)

    A set takes part in a row if all its levels are usable, and occur together at_least times, all
    classes together. Rows without any set have score 0. Returns (n_steps, n_rows, n_classes) and
    (n_steps, n_rows).
    """
    scores, in_use = _scores_of_sets(rows, table, averages, at_least)

    def add(groups: slice) -> None:
        for group in counted_groups(rows, table, margins, averages, groups):
            facts = rows.share[group.child], rows.n_levels[group.child]
            logs = _log_shares(rows, group.counted, group.total, *facts)
            add_to_sets(scores, in_use, rows, group, logs)

    return means_of_steps(averages, scores, in_use, add)


def means_of_steps(
    averages: Averages, scores: Array, in_use: Array, add: Callable[[slice], None]
) -> tuple[Array, Array]:
    """The mean over the sets after each step, and how many take part.

    add : adds what these groups say to the scores, in place
    """
    n_steps, (_, *shape) = len(averages.set_stop), scores.shape
    means, n_in_use = np.zeros((n_steps, *shape)), np.zeros((n_steps, shape[0]), np.int64)
    start = 0
    for step, (n_sets, stop) in enumerate(
        zip(averages.set_stop.tolist(), averages.group_stop.tolist(), strict=True)
    ):
        add(slice(start, stop))
        means[step], n_in_use[step] = _log_mean(scores[:n_sets], in_use[:n_sets])
        start = stop
    return means, n_in_use


class CountedGroups(NamedTuple):
    """Groups with a child at the same place, and how often their levels occur together."""

    numbers: Array  # (n,), of the groups
    place: int
    child: Array  # (n,)
    of_set: Array  # (n,), the number of the set of its parents
    counted: Array  # (n, n_rows, n_classes), N
    total: Array  # (n, n_rows, n_classes), M


def counted_groups(
    rows: LevelRows, table: Array, margins: Array, averages: Averages, groups: slice
) -> Iterator[CountedGroups]:
    """These of the groups, with each of their columns as the child of the others."""
    levels = np.clip(rows.levels, 0, rows.sizes[:, None] - 1)  # what has no cell is masked later
    seen = (rows.levels < rows.sizes[:, None])[:, :, None]
    at_once = max(len(averages.sets), 1)  # as many numbers as the scores of all sets
    for start in range(groups.start, groups.stop, at_once):
        numbers = np.arange(start, min(start + at_once, groups.stop))
        columns = averages.groups[numbers]
        cells = averages.group_first[numbers][:, None] + cells_of(columns, levels, rows.sizes)
        counts = table[cells]
        for place in range(columns.shape[1]):
            others = np.delete(columns, place, axis=1)
            totals = averages.margin_first[numbers, place][:, None]
            totals = totals + cells_of(others, levels, rows.sizes)
            child, of_set = columns[:, place], averages.set_without[numbers, place]
            count = np.where(seen[child], counts, 0.0)
            yield CountedGroups(numbers, place, child, of_set, count, margins[totals])


def add_to_sets(
    scores: Array, in_use: Array, rows: LevelRows, group: CountedGroups, logs: Array
) -> None:
    """Add log p of the children, where they are observed, to the scores of their sets."""
    shown = in_use[group.of_set] & (rows.levels[group.child] >= 0)
    by_set = np.argsort(group.of_set, kind="stable")  # a set may have several children here
    sets, first = np.unique(group.of_set[by_set], return_index=True)
    shown_logs = np.where(shown[:, :, None], logs, 0.0)
    scores[sets] += np.add.reduceat(shown_logs[by_set], first, axis=0)


def _log_mean(scores: Array, in_use: Array) -> tuple[Array, Array]:
    """log of the mean over the sets in use, 0 where there are none; and how many there are."""
    n_in_use = in_use.sum(axis=0)
    mean = np.logaddexp.reduce(scores, axis=0) - np.log(np.maximum(n_in_use, 1))[:, None]
    return np.where(n_in_use[:, None] > 0, mean, 0.0), n_in_use


def _scores_of_sets(
    rows: LevelRows, table: Array, averages: Averages, at_least: float
) -> tuple[Array, Array]:
    """log p(x_set | c) of all sets, -inf for those that take no part; and which take part."""
    count, total = counted_sets(rows, table, averages)
    in_use = sets_in_use(rows, averages, count, at_least)
    share, n_levels = (part[averages.sets].prod(axis=1) for part in (rows.share, rows.n_levels))
    logs = _log_shares(rows, count, total, share, n_levels)
    return np.where(in_use[:, :, None], logs, -np.inf), in_use


def counted_sets(rows: LevelRows, table: Array, averages: Averages) -> tuple[Array, Array]:
    """How often the levels of each set occur together, and any: (n_sets, n_rows, n_classes)."""
    levels = np.clip(rows.levels, 0, rows.sizes[:, None] - 1)
    cells = averages.set_first[:, None] + cells_of(averages.sets, levels, rows.sizes)
    count = table[cells]
    return count, np.broadcast_to(averages.set_total[:, None, :], count.shape)


def sets_in_use(rows: LevelRows, averages: Averages, count: Array, at_least: float) -> Array:
    """Whether each set takes part: its levels are usable, and occur together often enough."""
    together = left(count.sum(axis=2), rows.weights)
    usable = rows.usable[averages.sets].all(axis=1)
    return usable & (together > 0) & (together >= at_least)


def cells_of(columns: Array, levels: Array, sizes: Array) -> Array:
    """The cell of each row in combinations of columns, from where these begin: (n, n_rows)."""
    cells = np.zeros((len(columns), levels.shape[1]), np.int64)
    for column in columns.T:
        cells = cells * sizes[column][:, None] + levels[column]
    return cells


def _log_shares(
    rows: LevelRows, count: Array, total: Array, share: Array, n_levels: Array
) -> Array:
    """log p; see above. count and total : (..., n_rows, n_classes), q and S : (..., n_rows)."""
    own = ..., *own_class(rows.codes)
    rest, rest_total = (left_at(each, own, rows.weights) for each in (count, total))
    strength = rows.amount * (n_levels if rows.by_level else np.ones_like(n_levels))
    above, below = rest + (strength * share)[..., None], rest_total + strength[..., None]
    return log_shares(above, below, n_levels[..., None])
