"""All that is kept of a table: the rows of each class, and one statistic for each column."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from math import isnan
from operator import add, sub
from typing import Any, Self

import numpy as np

from bayesic.data.columns import Categories, Cells, Numbers, Texts
from bayesic.data.counted_texts import CountedTexts
from bayesic.data.distinct import category_name
from bayesic.data.tables import Table
from bayesic.data.tokens import Tokenizer
from bayesic.data.typing import RandomState
from bayesic.kernels import Array
from bayesic.statistics._noise import Noise, refused
from bayesic.statistics.additive import (
    Immutable,
    check_counts,
    class_counts,
    faded,
    placed,
    remaining,
    whole_if_exact,
)
from bayesic.statistics.level_counts import LevelCounts, WordCounts, level_counts
from bayesic.statistics.moments import LARGEST_VALUE
from bayesic.statistics.number_counts import NumberCounts, counts_of_columns, one_number, too_large

ColumnCounts = LevelCounts | NumberCounts

_NAMES = {"category": "categories", "text": "texts", "number": "numbers"}


@dataclass(frozen=True, eq=False)
class TableCounts(Immutable):
    """Rows of each class, and what is kept of each column in which something was observed."""

    class_count: Array  # (n_classes,)
    columns: dict[str, ColumnCounts]

    @classmethod
    def empty(cls, n_classes: int) -> "TableCounts":
        """The zero of +: nothing was seen."""
        return cls(np.zeros(n_classes, np.int64), {})

    @property
    def column_names(self) -> list[str]:
        """The columns in which something was observed."""
        return list(self.columns)

    def __add__(self, other: "TableCounts") -> "TableCounts":
        columns = dict(self.columns)
        for name, theirs in other.columns.items():
            mine = columns.get(name)
            columns[name] = theirs if mine is None else _combined(name, mine, theirs, add)
        return TableCounts(self.class_count + other.class_count, columns)

    def with_rows(self, rows: Table, codes: Array) -> "TableCounts":
        """With a few rows more, one after the other; codes are their classes.

        To the last bit what `+` gives for one row at a time.
        """
        n_classes = len(self.class_count)
        columns = dict(self.columns)
        for name, cells in rows.columns.items():
            counts = _with_cells(name, columns.get(name), cells, codes, n_classes)
            if counts is not None:
                columns[name] = counts
        return TableCounts(self.class_count + class_counts(codes, None, n_classes), columns)

    @property
    def is_whole(self) -> bool:
        """Whether rows have counted once each: without weights."""
        return self.class_count.dtype.kind == "i"

    def __sub__(self, other: "TableCounts") -> "TableCounts":
        class_count = remaining(self.class_count, other.class_count)
        columns = dict(self.columns)
        for name, theirs in other.columns.items():
            if name not in columns:
                raise ValueError(
                    f"Only what was learned can be taken away: column {name!r} was never observed."
                )
            columns[name] = _combined(name, columns[name], theirs, sub)
        left = {name: counts for name, counts in columns.items() if len(counts.table)}
        return TableCounts(class_count, left)

    def scaled(self, factor: float) -> "TableCounts":
        """The same rows, each of which counts factor times as much, from 0 to 1."""
        columns = {name: counts.scaled(factor) for name, counts in self.columns.items()}
        left = {name: counts for name, counts in columns.items() if len(counts.table)}
        return TableCounts(faded(self.class_count, factor), left)

    @property
    def sensitivity(self) -> int:
        """How many counts a row changes by 1: that of its class, and one for each column."""
        return 1 + len(self.columns)

    def with_noise(
        self,
        epsilon: float,
        levels: Mapping[str, Iterable] | None = None,
        random_state: RandomState = None,
    ) -> "TableCounts":
        """The counts with noise: see `_noise.py`. All columns must hold categories.

        levels : column -> the categories that there can be; None: those that occur,
            published as they are

        >>> sky = LevelCounts(("rain", "sun"), np.array([[3, 1], [0, 4]]))
        >>> counts = TableCounts(np.array([3, 5]), {"sky": sky})
        >>> counts.sensitivity, counts.with_noise(epsilon=60.0).columns["sky"].table.tolist()
        (2, [[3, 1], [0, 4]])
        """
        known = _levels_of(self)
        if levels is not None:
            known = _with_levels(known, levels, len(self.class_count))
        noise = Noise(epsilon, 1 + len(known), random_state)
        columns = {
            name: replace(counts, table=noise.on(counts.table)).trimmed()
            for name, counts in known.items()
        }
        left = {name: counts for name, counts in columns.items() if len(counts.table)}
        return TableCounts(noise.on(self.class_count), {**left})

    def with_classes_at(self, positions: Array, n_classes: int) -> "TableCounts":
        """The same counts in a wider list of classes, the old ones at these positions."""
        columns = {
            name: counts.with_classes_at(positions, n_classes)
            for name, counts in self.columns.items()
        }
        return TableCounts(placed(self.class_count, positions, n_classes), columns)

    def checked(self) -> Self:
        """This, if it can have come from counting; a file made by hand may say anything."""
        check_counts("class_count", self.class_count, len(self.class_count))
        for name, counts in self.columns.items():
            counts.checked()
            if counts.table.shape[1] != len(self.class_count):
                raise ValueError(f"Column {name!r} has another number of classes than the table.")
        return self


def _levels_of(counts: TableCounts) -> dict[str, LevelCounts]:
    """The columns, all of which hold categories."""
    columns: dict[str, LevelCounts] = {}
    for name, column in counts.columns.items():
        if not isinstance(column, LevelCounts) or isinstance(column, WordCounts):
            raise TypeError(f"Column {name!r} holds {_NAMES[column.holds]}. {refused(column)}")
        columns[name] = column
    return columns


def _with_levels(
    columns: Mapping[str, LevelCounts], levels: Mapping[str, Iterable], n_classes: int
) -> dict[str, LevelCounts]:
    """The counts of all levels that there can be, those that do not occur included."""
    undeclared = [name for name in columns if name not in levels]
    declared = {}
    for name, names in levels.items():
        words = tuple(sorted({category_name(each) for each in names}))
        nothing = LevelCounts(words, np.zeros((len(words), n_classes), np.int64))
        occur = columns.get(name, LevelCounts.empty(n_classes))
        undeclared += [f"{name}: {level}" for level in occur.levels if level not in words]
        declared[name] = nothing + occur
    if undeclared:
        raise ValueError(
            "levels must name all columns, and all categories that there can be, but the rows have "
            f"others as well: {undeclared[:5]}. Add them, or call them by one name before."
        )
    return declared


def _combined(
    name: str,
    mine: ColumnCounts,
    theirs: ColumnCounts,
    operation: Callable[[Any, Any], ColumnCounts],
) -> ColumnCounts:
    if type(mine) is not type(theirs):
        raise ValueError(
            f"Column {name!r} has held {_NAMES[mine.holds]} so far and holds "
            f"{_NAMES[theirs.holds]} now. Declare it with columns={{{name!r}: ...}}."
        )
    try:
        return operation(mine, theirs)
    except ValueError as error:
        raise ValueError(f"Column {name!r}: {error}") from error


def _with_cells(
    name: str, mine: ColumnCounts | None, cells: Cells, codes: Array, n_classes: int
) -> ColumnCounts | None:
    """What is kept of a column, with the cells of a few rows more; None if there is nothing."""
    if isinstance(cells, Numbers):
        if _are_too_large(cells.values):
            raise too_large(name)
        if mine is None:
            mine = NumberCounts.empty(n_classes)
        if isinstance(mine, NumberCounts):
            counts = mine.with_values(cells.values, codes)
            return counts if len(counts.table) else None
    if type(mine) is LevelCounts and isinstance(cells, Categories) and len(cells) == 1:
        level = cells.codes.item()
        return mine if level < 0 else mine.with_level(cells.levels[level], codes.item())
    one_column = Table({name: cells}, len(cells), True, (name,))
    theirs = table_counts(one_column, codes, n_classes).columns.get(name)
    if mine is None or theirs is None:
        return mine or theirs
    return _combined(name, mine, theirs, add)


def _are_too_large(values: Array) -> bool:
    if len(values) == 1:
        return abs(values.item()) > LARGEST_VALUE
    return bool((np.abs(values) > LARGEST_VALUE).any())


def table_counts(
    table: Table, codes: Array, n_classes: int, weights: Array | None = None
) -> TableCounts:
    """Summarise the columns of a table; codes are the classes of its rows."""
    if table.n_rows == 1 and weights is None:
        counted = _counts_of_one(table, codes, n_classes)
        if counted is not None:
            return counted

    numbers = {
        name: cells.values for name, cells in table.columns.items() if isinstance(cells, Numbers)
    }
    of_numbers = counts_of_columns(numbers, codes, n_classes, weights)

    def counts_of(name: str, cells: Cells) -> ColumnCounts:
        if name in of_numbers:
            return of_numbers[name]
        if isinstance(cells, Categories):
            return level_counts(cells.codes, cells.levels, codes, n_classes, weights)
        if isinstance(cells, Texts):
            return word_counts_by_class(cells.texts, codes, n_classes, weights)
        return LevelCounts.empty(n_classes)

    columns = {name: counts_of(name, cells) for name, cells in table.columns.items()}
    observed = {name: counts for name, counts in columns.items() if len(counts.table)}
    return TableCounts(class_counts(codes, weights, n_classes), observed)


def _counts_of_one(table: Table, codes: Array, n_classes: int) -> TableCounts | None:
    """Summarise a table of one row; None if a cell must be looked at more closely."""
    one = class_counts(codes, None, n_classes)[None]
    count = one.T.astype(np.float64)
    nothing = np.zeros_like(count)
    for shared in (one, count, nothing):
        shared.flags.writeable = False
    columns: dict[str, ColumnCounts] = {}
    for name, cells in table.columns.items():
        if isinstance(cells, Categories):
            level = cells.codes.item()
            if level >= 0:
                columns[name] = LevelCounts((cells.levels[level],), one)
        elif isinstance(cells, Numbers):
            value = cells.values.item()
            if abs(value) > LARGEST_VALUE:
                return None
            if not isnan(value):
                columns[name] = one_number(value, one, count, nothing)
        elif isinstance(cells, Texts):
            return None
    return TableCounts(one[0], columns)


def word_counts_by_class(
    texts: list[str | None], codes: Array, n_classes: int, weights: Array | None
) -> WordCounts:
    """How often each word occurs in the texts of each class."""
    words, table, _ = CountedTexts(texts, Tokenizer()).by_class(codes, n_classes, weights)
    return WordCounts(words, whole_if_exact(table) if weights is None else table).trimmed()
