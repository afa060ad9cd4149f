"""The kernels of `combinations.py` in Numba: the same functions, faster. Shapes as there.

Shares are multiplied, and the logarithm is taken before a product gets too small: one division for
each share, where the reference takes two logarithms.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from bayesic.kernels import Array
from bayesic.kernels._compiled_leaving import left, share_parts
from bayesic.kernels._jit import inlined, inner, jit
from bayesic.kernels.combinations import Averages, FamilyIndex, LevelRows

__all__ = ["averaged_scores", "count_combinations", "family_scores"]

RowFacts = tuple[Array, Array, Array, Array, Array, Array]

# Rows that are counted before the next combination: their levels stay near the processor.
ROWS_AT_ONCE = 8192

# A product of shares below this goes into the logarithm.
SMALL = 1e-200


def count_combinations(
    levels: Array,
    codes: Array,
    weights: Array | None,
    columns: Array,
    first: Array,
    sizes: Array,
    counts: Array,
) -> None:
    if weights is None:
        _count(levels, codes, columns, first, sizes, counts)
    else:
        _weigh(levels, codes, weights, columns, first, sizes, counts)


@inner
def _fill_cells(levels: Array, together: Array, sizes: Array, cells: Array) -> None:
    """The cell of each row in the combination of all columns but the last; -1 for none."""
    cells[:] = 0
    for index in range(len(together) - 1):
        column = together[index]
        for row in range(len(cells)):
            level = levels[column, row]
            if level < 0:
                cells[row] = -1
            elif cells[row] >= 0:
                cells[row] = cells[row] * sizes[column] + level


@inner
def _same_but_last(columns: Array, number: int) -> bool:
    """Whether this combination has all columns but the last with the one before."""
    for index in range(columns.shape[1] - 1):
        if columns[number, index] != columns[number - 1, index]:
            return False
    return True


@jit()
def _count(
    levels: Array, codes: Array, columns: Array, first: Array, sizes: Array, counts: Array
) -> None:
    for start in range(0, len(codes), ROWS_AT_ONCE):
        here = slice(start, min(start + ROWS_AT_ONCE, len(codes)))
        classes, cells = codes[here], np.empty(here.stop - start, dtype=np.int64)
        for number in range(len(columns)):
            if number == 0 or not _same_but_last(columns, number):
                _fill_cells(levels[:, here], columns[number], sizes, cells)
            last = columns[number, -1]
            own, size = levels[last, here], sizes[last]
            out = counts[first[number] :]
            for row in range(len(cells)):
                if cells[row] >= 0 and own[row] >= 0:
                    out[cells[row] * size + own[row], classes[row]] += 1


@jit()
def _weigh(
    levels: Array,
    codes: Array,
    weights: Array,
    columns: Array,
    first: Array,
    sizes: Array,
    counts: Array,
) -> None:
    for start in range(0, len(codes), ROWS_AT_ONCE):
        here = slice(start, min(start + ROWS_AT_ONCE, len(codes)))
        classes, cells = codes[here], np.empty(here.stop - start, dtype=np.int64)
        of_rows = weights[here]
        for number in range(len(columns)):
            if number == 0 or not _same_but_last(columns, number):
                _fill_cells(levels[:, here], columns[number], sizes, cells)
            last = columns[number, -1]
            own, size = levels[last, here], sizes[last]
            out = counts[first[number] :]
            for row in range(len(cells)):
                if cells[row] >= 0 and own[row] >= 0:
                    out[cells[row] * size + own[row], classes[row]] += of_rows[row]


@inner
def _share(count: float, total: float, pseudo: float, strength: float, n_levels: float) -> float:
    above, below = share_parts(count + pseudo, total + strength, n_levels)
    return above / below


def family_scores(rows: LevelRows, table: Array, margins: Array, families: FamilyIndex) -> Array:
    scores = np.zeros((*rows.levels.shape, table.shape[1]))
    _fill_family_scores(rows, table, margins, families, scores)
    return scores


@jit()
def _fill_family_scores(
    rows: LevelRows, table: Array, margins: Array, families: FamilyIndex, scores: Array
) -> None:
    for column in range(scores.shape[0]):
        parents = families.parents[column, : families.n_parents[column]]
        for row in range(scores.shape[1]):
            level = rows.levels[column, row]
            if level < 0:
                continue
            in_use = 0
            for index in range(len(parents)):
                if rows.usable[parents[index], row]:
                    in_use |= 1 << index
            cell = families.table_first[column, in_use]
            margin = families.margin_first[column, in_use]
            for index in range(len(parents)):
                if in_use >> index & 1:
                    given = rows.levels[parents[index], row]
                    cell += families.parent_stride[column, in_use, index] * given
                    margin += families.margin_stride[column, in_use, index] * given
            seen = level < rows.sizes[column]
            cell += families.child_stride[column, in_use] * level if seen else 0
            n_levels, removed = rows.n_levels[column, row], rows.weights[row]
            strength = rows.amount * n_levels if rows.by_level else rows.amount
            pseudo = strength * rows.share[column, row]
            for c in range(scores.shape[2]):
                count, total = table[cell, c] if seen else 0.0, margins[margin, c]
                if removed > 0 and c == rows.codes[row]:
                    count, total = left(count, removed), left(total, removed)
                share = _share(count, total, pseudo, strength, n_levels)
                scores[column, row, c] = math.log(share)


def averaged_scores(
    rows: LevelRows, table: Array, margins: Array, averages: Averages, at_least: float
) -> tuple[Array, Array]:
    n_steps = len(averages.set_stop)
    return filled(_fill_averaged_scores, rows, table, margins, averages, at_least, n_steps)


def filled(
    fill: Callable,
    rows: LevelRows,
    table: Array,
    margins: Array,
    averages: Any,
    at_least: float,
    n_steps: int,
) -> tuple[Array, Array]:
    """Scores and numbers of sets in use after each step, made here and filled by a kernel."""
    shape = n_steps, rows.levels.shape[1]
    scores, n_in_use = np.zeros((*shape, table.shape[1])), np.zeros(shape, np.int64)
    fill(rows, table, margins, averages, float(at_least), scores, n_in_use)
    return scores, n_in_use


@jit()
def _fill_averaged_scores(
    rows: LevelRows,
    table: Array,
    margins: Array,
    averages: Averages,
    at_least: float,
    scores: Array,
    n_in_use: Array,
) -> None:
    n_columns, (n_sets, n_classes) = len(rows.sizes), averages.set_total.shape
    product, logs = np.empty((n_sets, n_classes)), np.empty((n_sets, n_classes))
    in_use = np.empty(n_sets, dtype=np.bool_)
    # the row that is being scored, side by side in memory
    own, usable = np.empty(n_columns, np.int64), np.empty(n_columns, np.bool_)
    n_levels, pseudo, strength = np.empty(n_columns), np.empty(n_columns), np.empty(n_columns)
    facts = rows.sizes, own, usable, n_levels, pseudo, strength
    smoothing = rows.amount, rows.by_level
    for row in range(scores.shape[1]):
        logs[:] = 0.0
        for column in range(n_columns):
            own[column], usable[column] = rows.levels[column, row], rows.usable[column, row]
            n_levels[column] = rows.n_levels[column, row]
            strength[column] = rows.amount * n_levels[column] if rows.by_level else rows.amount
            pseudo[column] = rows.share[column, row]
        learned = rows.weights[row], rows.codes[row] if rows.weights[row] > 0 else -1
        _begin_sets(facts, smoothing, learned, table, averages, at_least, in_use, product)
        pseudo *= strength  # so far the share of the level
        start = 0
        for step in range(len(scores)):
            groups, begun = (start, averages.group_stop[step]), in_use[: averages.set_stop[step]]
            _multiply_groups(
                facts, learned, table, margins, averages, groups, in_use, product, logs
            )
            fill_mean(begun, product, logs, scores[step, row], n_in_use[step, row : row + 1])
            start = averages.group_stop[step]


@inlined
def _begin_sets(
    facts: RowFacts,
    smoothing: tuple[float, bool],
    learned: tuple[float, int],
    table: Array,
    averages: Averages,
    at_least: float,
    in_use: Array,
    product: Array,
) -> None:
    """Find the sets that take part; the product of each begins with the share of its levels."""
    sizes, own, usable, n_levels, share, _ = facts
    (amount, by_level), (removed, code) = smoothing, learned
    for number in range(len(averages.sets)):
        in_use[number] = True
        cell, all_levels, all_share = 0, 1.0, 1.0
        for column in averages.sets[number]:
            in_use[number] &= usable[column]
            cell = cell * sizes[column] + own[column]
            all_levels *= n_levels[column]
            all_share *= share[column]
        if not in_use[number]:
            continue
        count = table[averages.set_first[number] + cell]
        together = left(count.sum(), removed)
        in_use[number] = together > 0 and together >= at_least
        strength = amount * all_levels if by_level else amount
        for c in range(len(count)):
            counted, total = count[c], averages.set_total[number, c]
            if c == code:
                counted, total = left(counted, removed), left(total, removed)
            pseudo = strength * all_share
            product[number, c] = _share(counted, total, pseudo, strength, all_levels)


@inlined
def _multiply_groups(
    facts: RowFacts,
    learned: tuple[float, int],
    table: Array,
    margins: Array,
    averages: Averages,
    of_step: tuple[int, int],
    in_use: Array,
    product: Array,
    logs: Array,
) -> None:
    """Multiply each set with the shares of the other columns, given the set, of these groups."""
    sizes, own, _, n_levels, pseudo, strength = facts
    removed, code = learned
    groups, n_together, n_classes = averages.groups, averages.groups.shape[1], product.shape[1]
    group_first, margin_first = averages.group_first, averages.margin_first
    set_without = averages.set_without
    for number in range(of_step[0], of_step[1]):
        cell = 0
        for index in range(n_together):
            column = groups[number, index]
            # a level never seen has no cell: its counts are 0, and no set holds it
            level = own[column] if 0 <= own[column] < sizes[column] else 0
            cell = cell * sizes[column] + level
        cell += group_first[number]
        for index in range(n_together):
            child, of_set = groups[number, index], set_without[number, index]
            if own[child] < 0 or not in_use[of_set]:
                continue
            margin = 0
            for position in range(n_together):
                if position != index:
                    column = groups[number, position]
                    margin = margin * sizes[column] + own[column]
            margin += margin_first[number, index]
            seen, added = own[child] < sizes[child], (pseudo[child], strength[child])
            for c in range(n_classes):
                count, total = table[cell, c] if seen else 0.0, margins[margin, c]
                if c == code:
                    count, total = left(count, removed), left(total, removed)
                product[of_set, c] *= _share(count, total, *added, n_levels[child])
            keep_large(product[of_set], logs[of_set])


@inlined
def keep_large(product: Array, logs: Array) -> None:
    """Put products that get too small into the logarithm."""
    for c in range(len(product)):
        if product[c] < SMALL:
            logs[c] += math.log(product[c])
            product[c] = 1.0


@inlined
def fill_mean(in_use: Array, product: Array, logs: Array, scores: Array, n_in_use: Array) -> None:
    """The logarithm of the mean over the sets in use, if any, and their number."""
    n_in_use[0] = in_use.sum()
    if n_in_use[0] == 0:
        return
    for c in range(len(scores)):
        largest = -np.inf
        for number in range(len(in_use)):
            if in_use[number]:
                logs[number, c] += math.log(product[number, c])
                product[number, c] = 1.0
                largest = max(largest, logs[number, c])
        scores[c] = largest
        if largest > -np.inf:
            total = 0.0
            for number in range(len(in_use)):
                if in_use[number]:
                    total += math.exp(logs[number, c] - largest)
            scores[c] += math.log(total / n_in_use[0])
