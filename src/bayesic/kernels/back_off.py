"""Scores by shares that lean on those with one parent less, in NumPy: the specification.

`_compiled_back_off.py` holds the same functions in Numba. Shapes and names are those of
`combinations.py`, and here too a row's own weight w is taken out of all counts first:

    p(x | p1 .. pi, c) = (N - w + s p(x | p1 .. pi-1, c)) / (M - w + s)
    p(x | c)           = (N - w + s / S) / (M - w + s)

N counts the level x with those of its parents p1 .. pi in a class, M sums N over the levels x, and
s is the amount of the rows. Where M - w + s = 0 the share is the one that it leans on.
"""

from typing import NamedTuple

import numpy as np

from bayesic.kernels import Array
from bayesic.kernels.combinations import (
    Averages,
    FamilyIndex,
    LevelRows,
    add_to_sets,
    counted_groups,
    counted_sets,
    family_counts,
    means_of_steps,
    sets_in_use,
)
from bayesic.kernels.leaving import leaning, left_at, own_class

__all__ = ["averaged_scores", "family_scores"]


class LeaningAverages(NamedTuple):
    """Where the counts of sets of parents stand, and those that their shares lean on."""

    columns: Averages  # of sets of one column
    sets: Averages  # of the sets that are averaged, of n columns: 1 or 2
    stronger: Array  # int64 (n_groups, n + 1), the parent that each child keeps longer; 0 if n = 1


def family_scores(rows: LevelRows, table: Array, margins: Array, families: FamilyIndex) -> Array:
    """log p of the level of each column given its parents: (n_columns, n_rows, n_classes).

    A share leans on the one without the last of its parents. A parent that is not usable is left
    out of the condition; a column that is not observed has 0.
    """
    n_columns, n_rows = rows.levels.shape
    scores = np.zeros((n_columns, n_rows, table.shape[1]))
    for column, own in enumerate(rows.levels):
        number = np.zeros(n_rows, np.int64)  # of the set of parents
        counted = family_counts(rows, table, margins, families, column, number)
        shares = _leaning(rows, *counted, 1.0 / rows.n_levels[column][:, None])
        for index in range(families.n_parents[column]):
            usable = rows.usable[families.parents[column, index]]
            number = number + (usable << index)
            counted = family_counts(rows, table, margins, families, column, number)
            shares = np.where(usable[:, None], _leaning(rows, *counted, shares), shares)
        scores[column] = np.where(own[:, None] >= 0, _logs(shares), 0.0)
    return scores


def averaged_scores(
    rows: LevelRows, table: Array, margins: Array, averages: LeaningAverages, at_least: float
) -> tuple[Array, Array]:
    """log of the mean of p(x | c) over the sets of parents after each step, and their number.

    As in `combinations.py`. Given two parents a column leans on its share given the stronger one.
    Two columns together lean on the product of their shares, as if they were independent.
    """
    columns, sets, stronger = averages
    alone, is_pair = _shares_alone(rows, table, columns), sets.sets.shape[1] > 1
    leans_on = (
        _shares_given_one(rows, table, margins, columns, alone) if is_pair else alone[:, None]
    )
    count, total = counted_sets(rows, table, sets)
    in_use = sets_in_use(rows, sets, count, at_least)
    shares = alone[sets.sets].prod(axis=1)
    shares = _leaning(rows, count, total, shares) if is_pair else shares
    scores = np.where(in_use[:, :, None], _logs(shares), -np.inf)

    def add(groups: slice) -> None:
        for group in counted_groups(rows, table, margins, sets, groups):
            less = leans_on[group.child, stronger[group.numbers, group.place]]
            logs = _logs(_leaning(rows, group.counted, group.total, less))
            add_to_sets(scores, in_use, rows, group, logs)

    return means_of_steps(sets, scores, in_use, add)


def _shares_alone(rows: LevelRows, table: Array, columns: Averages) -> Array:
    """p(x_j | c) of all columns: (n_columns, n_rows, n_classes)."""
    count, total = counted_sets(rows, table, columns)
    seen = rows.levels < rows.sizes[:, None]
    count = np.where(seen[:, :, None], count, 0.0)
    return _leaning(rows, count, total, 1.0 / rows.n_levels[:, :, None])


def _shares_given_one(
    rows: LevelRows, table: Array, margins: Array, columns: Averages, alone: Array
) -> Array:
    """p(x_j | x_i, c) of all pairs of columns: (n_columns, n_columns, n_rows, n_classes)."""
    shares = np.empty((len(alone), *alone.shape))
    for group in counted_groups(rows, table, margins, columns, slice(0, len(columns.groups))):
        parents = columns.sets[group.of_set, 0]
        less = alone[group.child]
        shares[group.child, parents] = _leaning(rows, group.counted, group.total, less)
    return shares


def _leaning(rows: LevelRows, count: Array, total: Array, share: Array) -> Array:
    """Shares without the rows themselves, (..., n_rows, n_classes), that lean on others."""
    own = ..., *own_class(rows.codes)
    rest, rest_total = (left_at(each, own, rows.weights) for each in (count, total))
    return leaning(rest, rest_total, rows.amount, share)


def _logs(shares: Array) -> Array:
    with np.errstate(divide="ignore"):
        return np.log(shares)
