"""How often levels of one, two, or more columns occur together in each class."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import comb, prod
from typing import Self

import numpy as np

from bayesic.data.blocks import in_threads
from bayesic.data.columns import Categories, Cells
from bayesic.data.tables import Table
from bayesic.kernels import pick
from bayesic.statistics.values import (
    Immutable,
    check_counts,
    check_words,
    class_counts,
    placed,
    remaining,
)

Array = np.ndarray
Levels = dict[str, tuple[str, ...]]
Edges = dict[str, tuple[float, ...]]

CODE = np.int32
LARGEST_TABLE = 2**26  # cells, 512 MB: what has more levels than this is no table any more
PARTS = 16  # of the work of counting, to be shared by threads


@dataclass(frozen=True)
class Layout:
    """Where the combinations of columns stand in a table: those of one column, of two, and so on.

    sizes : levels of each column; order : most columns together
    """

    sizes: tuple[int, ...]
    order: int

    @property
    def most(self) -> int:
        """Most columns together that there are, which may be fewer than the order."""
        return min(self.order, len(self.sizes))

    def columns(self, together: int) -> Array:
        """The combinations of so many columns, in their order: (n_combinations, together)."""
        chosen = list(combinations(range(len(self.sizes)), together))
        return np.array(chosen, np.int64).reshape(len(chosen), together)

    def n_cells(self, together: int) -> int:
        """How many cells all combinations of so many columns have, as an exact number."""
        sums = [1] + [0] * together  # elementary symmetric polynomials of the sizes
        for size in self.sizes:
            for number in range(together, 0, -1):
                sums[number] += size * sums[number - 1]
        return sums[together]

    def start(self, together: int) -> int:
        """The first cell of the combinations of so many columns."""
        return sum(self.n_cells(number) for number in range(1, min(together, self.most + 1)))

    def first(self, together: int) -> Array:
        """The first cell of each combination of so many columns: (n_combinations,)."""
        sizes = np.array(self.sizes, np.int64)[self.columns(together)].prod(axis=1)
        return self.start(together) + np.cumsum(sizes) - sizes

    def shapes(self) -> Iterator[tuple[tuple[int, ...], tuple[int, ...], slice]]:
        """Each combination: its columns, their numbers of levels, and its cells."""
        start = 0
        for together in range(1, self.most + 1):
            for columns in combinations(range(len(self.sizes)), together):
                shape = tuple(self.sizes[column] for column in columns)
                stop = start + prod(shape)
                yield columns, shape, slice(start, stop)
                start = stop

    @property
    def n_rows(self) -> int:
        """All cells."""
        return self.start(self.order + 1)


@dataclass(frozen=True, eq=False)
class CombinationCounts(Immutable):
    """Rows of each class, and how often levels of up to `order` columns occur together in it.

    A row counts for a combination of columns if it is observed in all of them. Columns are in the
    order of their names, levels in sorted order, and each of them occurs. So the same rows in any
    order and split give the same statistic. The table holds the levels of single columns, then
    those of all pairs, and so on, each in the order of their columns and levels, the last fastest.

    The levels of a column of numbers are its bins: "0", "1" and so on. Counts of a column can be
    put together only if it is cut into the same bins.
    """

    class_count: Array  # (n_classes,)
    levels: Levels  # column -> its levels
    edges: Edges  # column of numbers -> least value, cut points, largest value
    order: int  # most columns that are counted together
    table: Array  # (n_cells, n_classes), int64, float64 with weights

    @classmethod
    def empty(cls, n_classes: int, order: int = 1) -> "CombinationCounts":
        """The zero of +: nothing was seen."""
        table = np.zeros((0, n_classes), np.int64)
        return cls(np.zeros(n_classes, np.int64), {}, {}, order, table)

    @property
    def layout(self) -> Layout:
        """Where the combinations stand in the table."""
        return Layout(tuple(map(len, self.levels.values())), self.order)

    def of(self, *columns: int) -> Array:
        """The counts of some columns, given by increasing numbers: (levels of each, n_classes)."""
        for together, shape, cells in self.layout.shapes():
            if together == columns:
                return self.table[cells].reshape(*shape, -1)
        raise ValueError(f"No counts of the columns {columns} together.")

    def __add__(self, other: "CombinationCounts") -> "CombinationCounts":
        class_count = self.class_count + other.class_count
        if not (self.levels and other.levels):
            filled = self if self.levels else other
            table = filled.table.astype(np.result_type(self.table, other.table), copy=False)
            return CombinationCounts(class_count, filled.levels, filled.edges, filled.order, table)
        _check_alike(self, other)
        levels = united_levels(self.levels, other.levels)
        table = self.laid_out(levels) + other.laid_out(levels)
        edges = self.edges | other.edges
        return CombinationCounts(class_count, levels, edges, self.order, table)

    def __sub__(self, other: "CombinationCounts") -> "CombinationCounts":
        class_count = remaining(self.class_count, other.class_count)
        if not other.levels:
            return CombinationCounts(class_count, self.levels, self.edges, self.order, self.table)
        for name, words in other.levels.items():
            unknown = [word for word in words if word not in self.levels.get(name, ())]
            if unknown:
                raise ValueError(
                    f"Only what was learned can be taken away: {unknown[0]!r} was never seen in "
                    f"column {name!r}. Check rows and labels against those given to fit."
                )
        _check_alike(self, other)
        table = remaining(self.table, other.laid_out(self.levels))
        return CombinationCounts(class_count, self.levels, self.edges, self.order, table).trimmed()

    def laid_out(self, levels: Levels) -> Array:
        """The table for other levels: zero where they are new, cut where they are missing."""
        if levels == self.levels:
            return self.table
        names = list(self.levels)
        kept = [_places(self.levels[name], levels.get(name, ())) for name in names]
        new = Layout(tuple(map(len, levels.values())), self.order)
        check_size(new, self.table.shape[1], levels)
        column_of = {name: number for number, name in enumerate(names)}
        old_column = [column_of.get(name) for name in levels]
        old_cells = {columns: (shape, cells) for columns, shape, cells in self.layout.shapes()}
        table = np.zeros((new.n_rows, self.table.shape[1]), self.table.dtype)
        for columns, shape, cells in new.shapes():
            old = tuple(number for c in columns if (number := old_column[c]) is not None)
            if len(old) < len(columns):
                continue
            old_shape, where = old_cells[old]
            counts = self.table[where].reshape(*old_shape, -1)
            target = table[cells].reshape(*shape, -1)
            target[np.ix_(*(kept[c][1] for c in old))] = counts[np.ix_(*(kept[c][0] for c in old))]
        return table

    def trimmed(self) -> "CombinationCounts":
        """Without the levels that do not occur, and without columns where none is left."""
        left: Levels = {}
        for (columns, _, cells), (name, words) in zip(
            self.layout.shapes(), self.levels.items(), strict=False
        ):
            assert len(columns) == 1  # single columns come first
            occurs = np.flatnonzero(self.table[cells].any(axis=1))
            some = tuple(words[number] for number in occurs.tolist())
            left |= {name: some} if some else {}
        edges = {name: cuts for name, cuts in self.edges.items() if name in left}
        return CombinationCounts(self.class_count, left, edges, self.order, self.laid_out(left))

    def with_classes_at(self, positions: Array, n_classes: int) -> "CombinationCounts":
        """The same counts in a wider list of classes, the old ones at these positions."""
        return CombinationCounts(
            placed(self.class_count, positions, n_classes),
            self.levels,
            self.edges,
            self.order,
            placed(self.table, positions, n_classes, axis=1),
        )

    def checked(self) -> Self:
        """This, if it can have come from counting; a file made by hand may say anything."""
        n_classes = len(self.class_count)
        check_counts("class_count", self.class_count, n_classes)
        if type(self.order) is not int or self.order < 1:
            raise ValueError(f"order must be a whole number from 1 on, got {self.order!r}.")
        for words in (tuple(self.levels), *self.levels.values()):
            check_words("Columns and levels", words)
        check_size(self.layout, n_classes, self.levels)
        check_counts("A table of combinations", self.table, self.layout.n_rows, n_classes)
        singles = self.table[: self.layout.start(2)]
        if not all(self.levels.values()) or not singles.any(axis=1).all():
            raise ValueError("Every level of a table of combinations must occur.")
        for name, edges in self.edges.items():
            _check_edges(name, edges, self.levels.get(name, ()))
        return self


def combination_counts(
    table: Table,
    codes: Array,
    n_classes: int,
    order: int,
    weights: Array | None = None,
    edges: Edges | None = None,
) -> CombinationCounts:
    """Count the levels of up to `order` columns of a table of categories together.

    codes are the classes of the rows, edges those of the columns whose levels are bins.

    >>> sky = Categories(np.array([1, 0, 1]), ("sun", "rain"))
    >>> wind = Categories(np.array([0, 0, -1]), ("weak",))
    >>> weather = Table({"sky": sky, "wind": wind}, 3, True, ("sky", "wind"))
    >>> counts = combination_counts(weather, np.array([0, 0, 1]), 2, order=2)
    >>> counts.levels
    {'sky': ('rain', 'sun'), 'wind': ('weak',)}
    >>> counts.of(0).tolist(), counts.of(0, 1).tolist()
    ([[1, 1], [1, 0]], [[[1, 0]], [[1, 0]]])
    """
    class_count = class_counts(codes, weights, n_classes)
    coded = {name: _sorted_codes(table.columns[name]) for name in sorted(table.columns)}
    coded = {name: column for name, column in coded.items() if column[1]}
    levels = {name: words for name, (_, words) in coded.items()}
    layout = Layout(tuple(map(len, levels.values())), order)
    check_size(layout, n_classes, levels)
    kind = np.int64 if weights is None else np.float64
    counts = np.zeros((layout.n_rows, n_classes), kind)
    if levels:
        numbers = np.stack([column for column, _ in coded.values()])
        _count_all(numbers, codes.astype(np.intp, copy=False), weights, layout, counts)
    return CombinationCounts(class_count, levels, edges or {}, order, counts).trimmed()


def _count_all(
    levels: Array, codes: Array, weights: Array | None, layout: Layout, counts: Array
) -> None:
    """Count every combination; threads count different ones, so each sum is in order of rows."""
    sizes = np.array(layout.sizes, np.int64)
    n_columns, n_rows = levels.shape
    n_combinations = sum(comb(n_columns, number) for number in range(1, layout.most + 1))
    kernels = pick("combinations", n_combinations * n_rows)

    def task(columns: Array, first: Array) -> Callable[[], None]:
        return lambda: kernels.count_combinations(
            levels, codes, weights, columns, first, sizes, counts
        )

    tasks = []
    for together in range(1, layout.most + 1):
        columns, first = layout.columns(together), layout.first(together)
        parts = range(0, len(columns), max(1, -(-len(columns) // PARTS)))
        step = parts.step
        tasks += [task(columns[at : at + step], first[at : at + step]) for at in parts]
    for _ in in_threads(lambda count: count(), tasks):
        pass


def _sorted_codes(cells: Cells) -> tuple[Array, tuple[str, ...]]:
    """The rows of a column by the numbers of their levels in sorted order, and these levels."""
    if not isinstance(cells, Categories):  # no row was observed
        return np.full(len(cells), -1, CODE), ()
    levels = tuple(sorted(cells.levels))
    place = {level: number for number, level in enumerate(levels)}
    return np.array([*(place[level] for level in cells.levels), -1], CODE)[cells.codes], levels


def united_levels(mine: Levels, theirs: Levels) -> Levels:
    """The levels of both, columns and levels in sorted order.

    >>> united_levels({"sky": ("sun",)}, {"sky": ("rain",), "hue": ("red",)})
    {'hue': ('red',), 'sky': ('rain', 'sun')}
    """
    return {
        name: tuple(sorted({*mine.get(name, ()), *theirs.get(name, ())}))
        for name in sorted({*mine, *theirs})
    }


def _places(old: tuple[str, ...], new: tuple[str, ...]) -> tuple[list[int], list[int]]:
    """The numbers of the levels that are in both, among the old and among the new."""
    place = {level: number for number, level in enumerate(new)}
    both = [(number, place[level]) for number, level in enumerate(old) if level in place]
    return [pair[0] for pair in both], [pair[1] for pair in both]


def check_size(layout: Layout, n_classes: int, levels: Levels) -> None:
    """Refuse tables that would not fit into memory."""
    n_cells = layout.n_rows * n_classes
    if n_cells > LARGEST_TABLE:
        longest = sorted(levels, key=lambda name: -len(levels[name]))[:3]
        most = {name: len(levels[name]) for name in longest}
        raise ValueError(
            f"Counting all levels of {layout.order} columns together takes {n_cells} cells, more "
            f"than {LARGEST_TABLE}. Most levels have {most}: leave such columns out with "
            f"columns={{{longest[0]!r}: 'ignore'}}, or let columns depend on fewer others."
        )


def _check_alike(mine: CombinationCounts, theirs: CombinationCounts) -> None:
    """Refuse to put counts together that are of other things."""
    if mine.order != theirs.order:
        raise ValueError(
            "Only counts of the same number of columns together can be put together: these are of "
            f"{mine.order} and {theirs.order}. Use the same n or k."
        )
    for name in {*mine.levels} & {*theirs.levels}:
        first, second = (part.edges.get(name, ()) for part in (mine, theirs))
        if first[1:-1] != second[1:-1]:
            raise ValueError(
                f"Only counts of the same bins can be put together: column {name!r} is cut at "
                f"{list(first[1:-1])} here and at {list(second[1:-1])} there. Learn the rows of one"
                " with partial_fit of the other, which keeps its bins."
            )
        if bool(first) != bool(second):
            raise ValueError(
                f"Column {name!r} holds numbers here and categories there. Say what it is with "
                f"columns={{{name!r}: ...}}."
            )


def _check_edges(name: str, edges: tuple[float, ...], levels: tuple[str, ...]) -> None:
    """Refuse what cannot be the edges of the bins of a column."""
    is_list = type(edges) is tuple and len(edges) > 1 and all(type(edge) is float for edge in edges)
    if not is_list or not np.isfinite(edges).all() or not edges[0] <= edges[-1]:
        raise ValueError(f"The bins of column {name!r} need a least and a largest value.")
    if not all(first < second for first, second in pairwise(edges[1:-1])):
        raise ValueError(f"The cut points of column {name!r} must be increasing.")
    if not levels or not {*levels} <= {*map(str, range(len(edges) - 1))}:
        raise ValueError(f"The levels of column {name!r} must be its bins.")
