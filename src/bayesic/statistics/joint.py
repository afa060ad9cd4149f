"""How often each combination of levels occurs in each class: the joint table of all columns."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from bayesic.data.sorted_words import SortedWords
from bayesic.data.tables import Table
from bayesic.kernels import Array
from bayesic.statistics.additive import (
    Immutable,
    check_counts,
    check_words,
    class_counts,
    counts_by_class,
    faded,
    not_learned,
    remaining,
    with_classes_placed,
)
from bayesic.statistics.aligned import (
    CODE,
    Levels,
    levels_of_both,
    places_of_keys,
    sorted_codes,
    sums_of_runs,
    taken_at,
)

LARGEST_KEY = 2**62


@dataclass(frozen=True, eq=False)
class JointCounts(Immutable):
    """Rows of each class, and a sparse table of the rows that were observed in all columns.

    A row with a gap counts in class_count alone: it is in no single cell of the table. So the
    complete rows of each class are the sums of the table.

    Columns are in the order of their names, levels in sorted order, rows in the order of their
    codes, and all of them occur in the table. So the same rows in any order and split give the same
    statistic. Without any complete row there are no columns either.
    """

    class_count: Array  # (n_classes,) rows, those with gaps included
    levels: Levels  # column -> its levels
    rows: Array  # (n_distinct, n_columns) int32, the number of each row's level in each column
    table: Array  # (n_distinct, n_classes), int64, float64 with weights

    @classmethod
    def empty(cls, n_classes: int) -> "JointCounts":
        """The zero of +: nothing was seen."""
        table = np.zeros((0, n_classes), np.int64)
        return cls(np.zeros(n_classes, np.int64), {}, np.zeros((0, 0), CODE), table)

    @property
    def n_complete(self) -> Array:
        """Rows of each class without a gap: (n_classes,)."""
        return self.table.sum(axis=0)

    @property
    def n_levels(self) -> Array:
        """How many levels each column has: (n_columns,)."""
        return np.array([*map(len, self.levels.values())], np.int64)

    def counts_of(self, queries: Array) -> Array:
        """How often rows occur in each class: (n_asked, n_classes).

        queries : (n_queries, n_columns), codes as in `rows`; -1 stands for any level of its column,
                len(levels) for one that never occurs
        """
        counts = np.zeros((len(queries), self.table.shape[1]), self.table.dtype)
        for columns, where in patterns(queries >= 0):
            parts = self.rows[:, columns], queries[np.ix_(where, columns)]
            keys = row_keys(np.concatenate(parts), self.n_levels[columns] + 1)
            mine, theirs = np.split(keys, [len(self.rows)])
            # most patterns have few rows: it is these that are sorted, not the whole table
            wanted, number = np.unique(theirs, return_inverse=True)
            index, agrees = places_of_keys(wanted, mine)
            counts[where] = summed_at(index[agrees], self.table[agrees], len(wanted))[number]
        return counts

    @property
    def column_names(self) -> list[str]:
        """The columns in which something was observed."""
        return list(self.levels)

    def __add__(self, other: "JointCounts") -> "JointCounts":
        class_count = self.class_count + other.class_count
        if not (self.levels and other.levels):
            filled = self if self.levels else other
            table = filled.table.astype(np.result_type(self.table, other.table), copy=False)
            return JointCounts(class_count, filled.levels, filled.rows, table)
        _check_columns(self.levels, other.levels)
        levels = levels_of_both(self.levels, other.levels)
        both = [_recoded_rows(part.rows, part.levels, levels) for part in (self, other)]
        rows = np.concatenate(both)
        table = np.concatenate([self.table, other.table])
        keys = row_keys(rows, [*map(len, levels.values())])
        order = np.argsort(keys, kind="stable")
        first, sums = sums_of_runs(keys[order], table[order])
        return JointCounts(class_count, levels, rows[order[first]], sums)

    def __sub__(self, other: "JointCounts") -> "JointCounts":
        class_count = remaining(self.class_count, other.class_count)
        if not other.levels:
            return JointCounts(class_count, self.levels, self.rows, self.table)
        if not self.levels:
            raise _unknown_row(other, 0)
        _check_columns(self.levels, other.levels)
        theirs = _recoded_rows(other.rows, other.levels, self.levels)
        keys = row_keys(np.concatenate([self.rows, theirs]), self.n_levels + 1)
        places, known = places_of_keys(*np.split(keys, [len(self.rows)]))
        if not known.all():
            raise _unknown_row(other, int(known.argmin()))
        table = taken_at(places, self.table, other.table)
        return _trimmed(class_count, self.levels, self.rows, table)

    def scaled(self, factor: float) -> "JointCounts":
        """The same rows, each of which counts factor times as much, from 0 to 1."""
        class_count = faded(self.class_count, factor)
        return _trimmed(class_count, self.levels, self.rows, faded(self.table, factor))

    def with_classes_at(self, positions: Array, n_classes: int) -> "JointCounts":
        """The same counts in a wider list of classes, the old ones at these positions."""
        return with_classes_placed(self, positions, n_classes, class_count=0, table=1)

    def checked(self) -> Self:
        """This, if it can have come from counting; a file made by hand may say anything."""
        n_columns, n_distinct = len(self.levels), len(self.rows)
        check_counts("class_count", self.class_count, self.class_count.size)
        check_counts("table", self.table, n_distinct, self.class_count.size)
        if self.rows.shape != (n_distinct, n_columns) or self.rows.dtype != CODE:
            raise ValueError("A joint table needs int32 codes, one for each row and column.")
        if bool(n_columns) != bool(n_distinct) or not self.table.any(axis=1).all():
            raise ValueError("Every row and every column of a joint table must occur.")
        for words in (tuple(self.levels), *self.levels.values()):
            check_words("Columns and levels of a joint table", words)
        for codes, size in zip(self.rows.T, self.n_levels, strict=True):
            if not np.array_equal(np.unique(codes), np.arange(size)):
                raise ValueError("Every level of a joint table must occur, and no others.")
        if (np.diff(row_keys(self.rows, self.n_levels)) <= 0).any():
            raise ValueError("The rows of a joint table must be different, in sorted order.")
        return self


def joint_counts(
    table: Table, codes: Array, n_classes: int, weights: Array | None = None
) -> JointCounts:
    """Count the rows of a table of categories; codes are the classes of its rows.

    >>> from bayesic.data.columns import Categories
    >>> cells = Categories(np.array([1, 0, 1]), ("sun", "rain"))
    >>> sky = Table({"sky": cells}, 3, True, ("sky",))
    >>> counts = joint_counts(sky, np.array([0, 0, 1]), 2)
    >>> counts.levels, counts.rows.tolist(), counts.table.tolist()
    ({'sky': ('rain', 'sun')}, [[0], [1]], [[1, 1], [1, 0]])
    """
    class_count = class_counts(codes, weights, n_classes)
    coded = {name: sorted_codes(table.columns[name]) for name in sorted(table.columns)}
    rows = np.column_stack([column for column, _ in coded.values()])
    levels = {name: names for name, (_, names) in coded.items()}
    complete = (rows >= 0).all(axis=1)
    if not complete.all():
        rows, codes = rows[complete], codes[complete]
        weights = None if weights is None else weights[complete]
    keys = row_keys(rows, [*map(len, levels.values())])
    _, first, number = np.unique(keys, return_index=True, return_inverse=True)
    counted = counts_by_class(number, len(first), codes, n_classes, weights)
    return _trimmed(class_count, levels, rows[first], counted)


def _trimmed(class_count: Array, levels: Levels, rows: Array, table: Array) -> JointCounts:
    """The statistic without the rows and levels that do not occur."""
    occurs = table.any(axis=1)
    if not occurs.any():
        return JointCounts(class_count, {}, np.zeros((0, 0), CODE), table[:0])
    rows, table = rows[occurs], table[occurs]
    left = {
        name: tuple(words[code] for code in np.unique(rows[:, column]).tolist())
        for column, (name, words) in enumerate(levels.items())
    }
    return JointCounts(class_count, left, _recoded_rows(rows, levels, left), table)


# rows of codes ----------------------------------------------------------------------------------


def row_keys(rows: Array, sizes: Sequence[int] | Array) -> Array:
    """A whole number for each row of codes: the same for the same rows, and in the same order.

    Column j holds codes below sizes[j]. Where the product of the sizes is too large for a number,
    those that occur so far are numbered again.

    >>> row_keys(np.array([[0, 2], [1, 0], [0, 2]]), sizes=[2, 3])
    array([2, 3, 2])
    """
    keys, bound = np.zeros(len(rows), np.int64), 1
    for codes, size in zip(rows.T, map(int, sizes), strict=True):
        if bound * size > LARGEST_KEY:
            distinct, keys = np.unique(keys, return_inverse=True)
            bound = len(distinct)
        keys = keys * size + codes
        bound *= size
    return keys


def summed_at(index: Array, table: Array, n_places: int) -> Array:
    """The sum of the rows of a table by their places: (n_places, n_classes).

    >>> summed_at(np.array([1, 1]), np.array([[2, 0], [4, 1]]), n_places=3).tolist()
    [[0, 0], [6, 1], [0, 0]]
    """
    n_classes = table.shape[1]
    cells = index[:, None] * n_classes + np.arange(n_classes)
    sums = np.bincount(cells.ravel(), table.ravel(), minlength=n_places * n_classes)
    return sums.reshape(n_places, n_classes).astype(table.dtype, copy=False)


def _recoded_rows(rows: Array, old: Levels, new: Levels) -> Array:
    """The rows by their numbers in the new levels; len(levels) where they are not among them."""
    recoded = np.empty_like(rows)
    for column, (name, levels) in enumerate(old.items()):
        places = SortedWords(new[name]).places(levels)
        recoded[:, column] = np.where(places < 0, len(new[name]), places)[rows[:, column]]
    return recoded


def patterns(observed: Array) -> Iterator[tuple[Array, Array]]:
    """The sets of columns that rows are observed in: numbers of the columns, and of the rows.

    >>> list(patterns(np.array([[True, False], [True, True]])))
    [(array([0]), array([0])), (array([0, 1]), array([1]))]
    """
    keys = row_keys(observed, [2] * observed.shape[1])
    _, first, number = np.unique(keys, return_index=True, return_inverse=True)
    for pattern, row in enumerate(first):
        yield np.flatnonzero(observed[row]), np.flatnonzero(number == pattern)


def _check_columns(mine: Levels, theirs: Levels) -> None:
    if mine.keys() != theirs.keys():
        raise ValueError(
            "Joint tables must have the same columns to be put together: these are "
            f"{[*mine]} and {[*theirs]}."
        )


def _unknown_row(counts: JointCounts, row: int) -> ValueError:
    words = zip(counts.levels.items(), counts.rows[row].tolist(), strict=True)
    values = {name: levels[code] for (name, levels), code in words}
    return not_learned(f"the row {values} was never seen")
