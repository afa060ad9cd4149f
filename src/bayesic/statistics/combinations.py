"""How often levels of one, two, or more columns occur together in each class."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, combinations, pairwise
from math import comb, isfinite
from typing import Self

import numpy as np

from bayesic.data.blocks import in_threads
from bayesic.data.distinct import category_name
from bayesic.data.sorted_words import SortedWords
from bayesic.data.tables import Table
from bayesic.kernels import Array, pick
from bayesic.statistics.additive import (
    Immutable,
    check_counts,
    check_words,
    class_counts,
    remaining,
    with_classes_placed,
    with_counts_faded,
)
from bayesic.statistics.aligned import (
    Levels,
    laid_out,
    learned_places,
    levels_of_both,
    places_of_cells,
    sorted_codes,
    sum_at,
    taken_at,
)

Edges = dict[str, tuple[float, ...]]

LARGEST_TABLE = 2**26  # cells, 512 MB: what has more levels than this is not a table any more
MOST_COMBINATIONS = 2**19  # of columns, each of which is a table of its own: 1,024 columns in pairs
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
        """The combinations of this many columns, in their order: (n_combinations, together)."""
        if together == 2:  # without a list of millions of pairs
            return np.stack(np.triu_indices(len(self.sizes), 1), axis=1).astype(np.int64)
        chosen = list(combinations(range(len(self.sizes)), together))
        return np.array(chosen, np.int64).reshape(len(chosen), together)

    def n_cells_of(self, together: int) -> int:
        """How many cells all combinations of this many columns have, as an exact number."""
        sums = [1] + [0] * together  # elementary symmetric polynomials of the sizes
        for size in self.sizes:
            for number in range(together, 0, -1):
                sums[number] += size * sums[number - 1]
        return sums[together]

    def start(self, together: int) -> int:
        """The first cell of the combinations of this many columns."""
        return sum(self.n_cells_of(number) for number in range(1, min(together, self.most + 1)))

    def first(self, together: int) -> Array:
        """The first cell of each combination of this many columns: (n_combinations,)."""
        sizes = np.array(self.sizes, np.int64)[self.columns(together)].prod(axis=1)
        return self.start(together) + np.cumsum(sizes) - sizes

    def shapes(self) -> Iterator[tuple[tuple[int, ...], tuple[int, ...], slice]]:
        """Each combination: its columns, their numbers of levels, and its cells."""
        return laid_out(_together(range(len(self.sizes)), self.order), self.sizes)

    @property
    def n_cells(self) -> int:
        """All cells."""
        return self.start(self.order + 1)


@dataclass(frozen=True, eq=False)
class CombinationCounts(Immutable):
    """Rows of each class, and how often levels of up to `order` columns occur together in it.

    A row counts for a combination of columns if it is observed in all of them. Columns are in the
    order of their names, levels in sorted order, and each of them occurs. So the same rows in any
    order and split give the same statistic. The table holds the levels of single columns, then
    those of all pairs, and so on, each in the order of their columns and levels, the last fastest.

    The levels of a numeric column are its bins: "0", "1" and so on; or, without edges, its numbers.
    Counts of a column can be put together only if it is cut into the same bins.
    """

    class_count: Array  # (n_classes,)
    levels: Levels  # column -> its levels
    edges: Edges  # numeric column -> least value, cut points, largest value; () without bins
    order: int  # most columns that are counted together
    table: Array  # (n_cells, n_classes), int64, float64 with weights

    @classmethod
    def empty(cls, n_classes: int, order: int) -> "CombinationCounts":
        """The zero of +: nothing was seen."""
        table = np.zeros((0, n_classes), np.int64)
        return cls(np.zeros(n_classes, np.int64), {}, {}, order, table)

    @property
    def layout(self) -> Layout:
        """Where the combinations stand in the table."""
        return _layout(self.levels, self.order)

    def of(self, *columns: int) -> Array:
        """The counts of some columns, given by increasing numbers: (levels of each, n_classes)."""
        for together, shape, cells in self.layout.shapes():
            if together == columns:
                return self.table[cells].reshape(*shape, -1)
        raise ValueError(f"No counts of the columns {columns} together.")

    @property
    def column_names(self) -> list[str]:
        """The columns in which something was observed."""
        return list(self.levels)

    def __add__(self, other: "CombinationCounts") -> "CombinationCounts":
        class_count = self.class_count + other.class_count
        _check_alike(self, other)
        levels = levels_of_both(self.levels, other.levels)
        layout = _layout(levels, self.order)
        _check_size(layout, len(class_count), levels)
        both = ((part._places(levels), part.table) for part in (self, other))
        table = sum_at(layout.n_cells, *both)
        return CombinationCounts(class_count, levels, self.edges | other.edges, self.order, table)

    def __sub__(self, other: "CombinationCounts") -> "CombinationCounts":
        class_count = remaining(self.class_count, other.class_count)
        for name, words in other.levels.items():
            learned_places(words, self.levels.get(name, ()), where=f" in column {name!r}")
        _check_alike(self, other)
        table = taken_at(other._places(self.levels), self.table, other.table)
        return CombinationCounts(class_count, self.levels, self.edges, self.order, table).trimmed()

    def _places(self, levels: Levels) -> Array | None:
        """The index of each cell in the table of other levels, which include all of these."""
        if levels == self.levels:
            return None
        numbers = {name: SortedWords(levels[name]).places(own) for name, own in self.levels.items()}
        return _places_in(levels, numbers, self.order)

    def trimmed(self) -> "CombinationCounts":
        """Without the levels that do not occur, and without columns where none is left."""
        singles = zip(self.levels, self.layout.shapes(), strict=False)  # they come first
        occurs = {name: np.flatnonzero(self.table[at].any(axis=1)) for name, (_, _, at) in singles}
        if all(len(occurs[name]) == len(words) for name, words in self.levels.items()):
            return self
        numbers = {name: some for name, some in occurs.items() if len(some)}
        left = {name: tuple(self.levels[name][n] for n in some) for name, some in numbers.items()}
        edges = {name: cuts for name, cuts in self.edges.items() if name in left}
        table = self.table[_places_in(self.levels, numbers, self.order)]
        return CombinationCounts(self.class_count, left, edges, self.order, table)

    def scaled(self, factor: float) -> "CombinationCounts":
        """The same rows, each of which counts factor times as much, from 0 to 1."""
        return with_counts_faded(self, factor, "class_count", "table").trimmed()

    def with_classes_at(self, positions: Array, n_classes: int) -> "CombinationCounts":
        """The same counts in a wider list of classes, the old ones at these positions."""
        return with_classes_placed(self, positions, n_classes, class_count=0, table=1)

    def checked(self) -> Self:
        """This, if it can have come from counting; a file made by hand may say anything."""
        n_classes = len(self.class_count)
        check_counts("class_count", self.class_count, n_classes)
        if type(self.order) is not int or self.order < 1:
            raise ValueError(f"order must be a whole number of 1 or more, got {self.order!r}.")
        for words in (tuple(self.levels), *self.levels.values()):
            check_words("Columns and levels", words)
        _check_size(self.layout, n_classes, self.levels)
        check_counts("A table of combinations", self.table, self.layout.n_cells, n_classes)
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

    codes are the classes of the rows, edges those of the numeric columns.

    >>> from bayesic.data.columns import Categories
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
    coded = {name: sorted_codes(table.columns[name]) for name in sorted(table.columns)}
    coded = {name: column for name, column in coded.items() if column[1]}
    levels = {name: words for name, (_, words) in coded.items()}
    layout = _layout(levels, order)
    _check_size(layout, n_classes, levels)
    kind = np.int64 if weights is None else np.float64
    counts = np.zeros((layout.n_cells, n_classes), kind)
    if levels:
        numbers = np.stack([column for column, _ in coded.values()])
        _count_all(numbers, codes.astype(np.intp, copy=False), weights, layout, counts)
    edges = {name: cuts for name, cuts in (edges or {}).items() if name in levels}
    return CombinationCounts(class_count, levels, edges, order, counts).trimmed()


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


def _layout(levels: Levels, order: int) -> Layout:
    return Layout(tuple(map(len, levels.values())), order)


def _together(names: Iterable, order: int) -> Iterator[tuple]:
    """The columns of each combination, in the order of the table."""
    names = list(names)
    most = min(order, len(names))
    return chain.from_iterable(combinations(names, together) for together in range(1, most + 1))


def _places_in(levels: Levels, numbers: Mapping[str, Array], order: int) -> Array:
    """The cells of some levels of some columns, by their numbers, in the table of all levels."""
    others = laid_out(_together(levels, order), {name: len(own) for name, own in levels.items()})
    return places_of_cells(_together(numbers, order), numbers, others)


def _check_size(layout: Layout, n_classes: int, levels: Levels) -> None:
    """Refuse tables that would not fit into memory, or are too many."""
    n_columns = len(layout.sizes)
    n_together = sum(comb(n_columns, number) for number in range(1, layout.most + 1))
    if layout.most > 1 and n_together > MOST_COMBINATIONS:
        raise ValueError(
            f"{n_columns} columns make {n_together:,} combinations of up to {layout.most} columns "
            f"to be counted, more than {MOST_COMBINATIONS:,}. Use NaiveBayes, which counts each "
            "column alone, or keep the columns that tell most about the class, by its summary()."
        )
    n_cells = layout.n_cells * n_classes
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
        first, second = (part.edges.get(name) for part in (mine, theirs))
        if (first is None) != (second is None):
            raise ValueError(
                f"Column {name!r} holds numbers here and categories there. Declare it with "
                f"columns={{{name!r}: ...}}."
            )
        if bool(first) != bool(second) or (first or ())[1:-1] != (second or ())[1:-1]:
            raise ValueError(
                f"Only counts of the same bins can be put together: column {name!r} is cut at "
                f"{_cuts(first)} here and at {_cuts(second)} there. Learn the rows of one with "
                "partial_fit of the other, which keeps its bins."
            )


def _cuts(edges: tuple[float, ...] | None) -> str:
    """Where a numeric column is cut.

    >>> _cuts((0.0, 2.0, 9.0)), _cuts(())
    ('[2.0]', 'every number')
    """
    return str(list(edges[1:-1])) if edges else "every number"


def _check_edges(name: str, edges: tuple[float, ...], levels: tuple[str, ...]) -> None:
    """Refuse what cannot be the edges of the bins of a column."""
    if edges == () and type(edges) is tuple:
        if not levels or not all(map(_is_number, levels)):
            raise ValueError(f"The levels of column {name!r} must be its numbers.")
        return
    is_list = type(edges) is tuple and len(edges) > 1 and all(type(edge) is float for edge in edges)
    if not is_list or not np.isfinite(edges).all() or not edges[0] <= edges[-1]:
        raise ValueError(f"The bins of column {name!r} need a least and a largest value.")
    if not all(first < second for first, second in pairwise(edges[1:-1])):
        raise ValueError(f"The cut points of column {name!r} must be increasing.")
    if not levels or not {*levels} <= {*map(str, range(len(edges) - 1))}:
        raise ValueError(f"The levels of column {name!r} must be its bins.")


def _is_number(level: str) -> bool:
    """Whether this is how a number is written as a level.

    >>> _is_number("3"), _is_number("03"), _is_number("rain")
    (True, False, False)
    """
    try:
        return isfinite(float(level)) and category_name(float(level)) == level
    except ValueError:
        return False
