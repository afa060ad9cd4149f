"""The kernels of `back_off.py` in Numba: the same functions, faster. Shapes as there."""

import math

import numpy as np

from bayesic.kernels import Array
from bayesic.kernels._compiled_combinations import fill_mean, filled, keep_large
from bayesic.kernels._compiled_leaving import leaning, left
from bayesic.kernels._jit import inlined, jit
from bayesic.kernels.back_off import LeaningAverages
from bayesic.kernels.combinations import Averages, FamilyIndex, LevelRows

__all__ = ["averaged_scores", "family_scores"]

RowFacts = tuple[float, Array, Array, tuple[float, int]]  # s, sizes, own levels, weight and class


def family_scores(rows: LevelRows, table: Array, margins: Array, families: FamilyIndex) -> Array:
    scores = np.zeros((*rows.levels.shape, table.shape[1]))
    _fill_family_scores(rows, table, margins, families, scores)
    return scores


@jit()
def _fill_family_scores(
    rows: LevelRows, table: Array, margins: Array, families: FamilyIndex, scores: Array
) -> None:
    n_columns, n_rows, n_classes = scores.shape
    for column in range(n_columns):
        parents = families.parents[column, : families.n_parents[column]]
        for row in range(n_rows):
            level = rows.levels[column, row]
            if level < 0:
                continue
            code = rows.codes[row] if rows.weights[row] > 0 else -1
            for c in range(n_classes):
                scores[column, row, c] = 1.0 / rows.n_levels[column, row]
            in_use = 0
            for step in range(len(parents) + 1):  # no parent, then one more with each step
                if step > 0:
                    if not rows.usable[parents[step - 1], row]:
                        continue
                    in_use |= 1 << (step - 1)
                cell = families.table_first[column, in_use]
                margin = families.margin_first[column, in_use]
                for index in range(step):
                    if in_use >> index & 1:
                        given = rows.levels[parents[index], row]
                        cell += families.parent_stride[column, in_use, index] * given
                        margin += families.margin_stride[column, in_use, index] * given
                seen = level < rows.sizes[column]
                cell += families.child_stride[column, in_use] * level if seen else 0
                for c in range(n_classes):
                    count, total = table[cell, c] if seen else 0.0, margins[margin, c]
                    if c == code:
                        count = left(count, rows.weights[row])
                        total = left(total, rows.weights[row])
                    leans_on = scores[column, row, c]
                    scores[column, row, c] = leaning(count, total, rows.amount, leans_on)
            for c in range(n_classes):
                scores[column, row, c] = math.log(scores[column, row, c])


def averaged_scores(
    rows: LevelRows, table: Array, margins: Array, averages: LeaningAverages, at_least: float
) -> tuple[Array, Array]:
    n_steps = len(averages.sets.set_stop)
    return filled(_fill_averaged_scores, rows, table, margins, averages, at_least, n_steps)


@jit()
def _fill_averaged_scores(
    rows: LevelRows,
    table: Array,
    margins: Array,
    averages: LeaningAverages,
    at_least: float,
    scores: Array,
    n_in_use: Array,
) -> None:
    columns, sets, stronger = averages
    n_columns, (n_sets, n_classes) = len(rows.sizes), sets.set_total.shape
    is_pair = sets.sets.shape[1] > 1
    product, logs = np.empty((n_sets, n_classes)), np.empty((n_sets, n_classes))
    in_use, shares = np.empty(n_sets, dtype=np.bool_), np.empty(n_classes)
    alone = np.empty((n_columns, n_classes))
    given = np.empty((n_columns, n_columns if is_pair else 0, n_classes))  # child, parent
    own, usable = np.empty(n_columns, np.int64), np.empty(n_columns, np.bool_)
    for row in range(scores.shape[1]):
        logs[:] = 0.0
        learned = rows.weights[row], rows.codes[row] if rows.weights[row] > 0 else -1
        facts = rows.amount, rows.sizes, own, learned
        for column in range(n_columns):
            own[column], usable[column] = rows.levels[column, row], rows.usable[column, row]
            if own[column] >= 0:
                _fill_alone(facts, column, 1.0 / rows.n_levels[column, row], table, columns, alone)
        _begin_sets(facts, usable, table, sets, at_least, alone, in_use, product)
        if is_pair:
            _fill_given(facts, usable, table, margins, columns, alone, shares, given)
        leaning_on = alone, given, stronger
        start = 0
        for step in range(len(scores)):
            groups, begun = (start, sets.group_stop[step]), in_use[: sets.set_stop[step]]
            _multiply_groups(
                facts, table, margins, sets, groups, leaning_on, in_use, shares, product, logs
            )
            fill_mean(begun, product, logs, scores[step, row], n_in_use[step, row : row + 1])
            start = sets.group_stop[step]


@inlined
def _fill_alone(
    facts: RowFacts, column: int, share: float, table: Array, columns: Averages, alone: Array
) -> None:
    """The share of the level of a column in each class; share is the one that it leans on."""
    amount, sizes, own, (removed, code) = facts
    seen = own[column] < sizes[column]
    cell = columns.set_first[column] + (own[column] if seen else 0)
    for c in range(alone.shape[1]):
        count, total = table[cell, c] if seen else 0.0, columns.set_total[column, c]
        if c == code:
            count, total = left(count, removed), left(total, removed)
        alone[column, c] = leaning(count, total, amount, share)


@inlined
def _fill_given(
    facts: RowFacts,
    usable: Array,
    table: Array,
    margins: Array,
    columns: Averages,
    alone: Array,
    shares: Array,
    given: Array,
) -> None:
    """The share of the level of each column given each other one, in each class."""
    own = facts[2]
    for number in range(len(columns.groups)):
        for index in range(2):
            child, parent = columns.groups[number, index], columns.groups[number, 1 - index]
            if own[child] >= 0 and usable[parent]:
                at = number, index
                _fill_shares(facts, table, margins, columns, at, alone[child], shares)
                for c in range(len(shares)):
                    given[child, parent, c] = shares[c]


@inlined
def _begin_sets(
    facts: RowFacts,
    usable: Array,
    table: Array,
    sets: Averages,
    at_least: float,
    alone: Array,
    in_use: Array,
    product: Array,
) -> None:
    """Find the sets that take part; the product of each begins with the share of its levels."""
    amount, sizes, own, (removed, code) = facts
    n_together = sets.sets.shape[1]
    for number in range(len(sets.sets)):
        in_use[number] = True
        cell = 0
        for column in sets.sets[number]:
            in_use[number] &= usable[column]
            cell = cell * sizes[column] + own[column]
        if not in_use[number]:
            continue
        count = table[sets.set_first[number] + cell]
        together = left(count.sum(), removed)
        in_use[number] = together > 0 and together >= at_least
        for c in range(len(count)):
            product[number, c] = alone[sets.sets[number, 0], c]
            if n_together > 1:
                counted, total = count[c], sets.set_total[number, c]
                if c == code:
                    counted, total = left(counted, removed), left(total, removed)
                both = product[number, c] * alone[sets.sets[number, 1], c]
                product[number, c] = leaning(counted, total, amount, both)


@inlined
def _multiply_groups(
    facts: RowFacts,
    table: Array,
    margins: Array,
    sets: Averages,
    of_step: tuple[int, int],
    leaning_on: tuple[Array, Array, Array],
    in_use: Array,
    shares: Array,
    product: Array,
    logs: Array,
) -> None:
    """Multiply each set with the shares of the other columns, given the set, of these groups."""
    own, (alone, given, stronger) = facts[2], leaning_on
    is_pair = sets.sets.shape[1] > 1
    for number in range(of_step[0], of_step[1]):
        for index in range(sets.groups.shape[1]):
            child, of_set = sets.groups[number, index], sets.set_without[number, index]
            if own[child] < 0 or not in_use[of_set]:
                continue
            leans_on = given[child, stronger[number, index]] if is_pair else alone[child]
            _fill_shares(facts, table, margins, sets, (number, index), leans_on, shares)
            for c in range(len(shares)):
                product[of_set, c] *= shares[c]
            keep_large(product[of_set], logs[of_set])


@inlined
def _fill_shares(
    facts: RowFacts,
    table: Array,
    margins: Array,
    averages: Averages,
    at: tuple[int, int],
    leans_on: Array,
    shares: Array,
) -> None:
    """The shares of the column at a place of a group, given the others, in each class."""
    amount, sizes, own, (removed, code) = facts
    number, index = at
    cell = margin = 0
    for position in range(averages.groups.shape[1]):
        column = averages.groups[number, position]
        # a level never seen has no cell: its counts are 0, and no other column is asked
        level = own[column] if 0 <= own[column] < sizes[column] else 0
        cell = cell * sizes[column] + level
        if position != index:
            margin = margin * sizes[column] + own[column]
    child = averages.groups[number, index]
    seen = own[child] < sizes[child]
    cell += averages.group_first[number]
    margin += averages.margin_first[number, index]
    for c in range(len(shares)):
        count, total = table[cell, c] if seen else 0.0, margins[margin, c]
        if c == code:
            count, total = left(count, removed), left(total, removed)
        shares[c] = leaning(count, total, amount, leans_on[c])
