"""Tables of counts whose rows have labels: the one way to add them and to take them away.

What is kept of categories, words and states are such tables, with classes in their columns mostly.
Labels are in order and each of them occurs, so that the same data in any order and split give the
same table. All that `+` and `-` need to know is where the rows of one table stand in another:

    a + b : the rows of both, each at its index among the labels of both
    a - b : the rows of b taken from those at their places in a, then the labels that are left

A label may be a word, or some levels of several columns: then the rows are the cells of tables with
one axis for each column, and these tables stand after one another in one array.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import compress, repeat
from math import prod
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from bayesic.data.blocks import row_blocks
from bayesic.data.columns import Categories, Cells
from bayesic.data.sorted_words import SortedWords
from bayesic.kernels import Array
from bayesic.statistics.additive import not_learned, remaining

Words = tuple[str, ...]
Numbers = Mapping[str, int] | None  # word -> its number
Levels = dict[str, Words]  # column -> its levels
Axes = tuple[Any, ...]  # of one table: names, or indices, of columns
Part = tuple[Axes, tuple[int, ...], slice]  # the axes of a table, its shape, and its cells

CODE = np.int32


# rows at places ---------------------------------------------------------------------------------


def sum_at(n_rows: int, *parts: tuple[Array | None, Array]) -> Array:
    """Tables added up, each given by the places of its rows among n_rows; None: as they stand.

    >>> sum_at(3, (np.array([0, 2]), np.array([5, 1])), (np.array([1, 2]), np.array([7, 2])))
    array([5, 7, 3])
    """
    (first_places, first), *others = parts
    dtype = np.result_type(first, *(table for _, table in others))
    if first_places is None:
        out = first.astype(dtype)
    else:
        out = np.zeros((n_rows, *first.shape[1:]), dtype)
        out[first_places] = first
    for places, table in others:
        if places is None:
            out += table
            continue
        for rows in row_blocks(len(table), prod(table.shape[1:])):
            out[places[rows]] += table[rows]  # no temporary array as large as a table
    return out


def taken_at(places: Array | None, table: Array, taken: Array) -> Array:
    """The table without what is taken from the rows at these places.

    >>> taken_at(np.array([2]), np.array([5, 7, 3]), np.array([2]))
    array([5, 7, 1])
    """
    if places is None:
        return remaining(table, taken)
    out = table.astype(np.result_type(table, taken))
    out[places] = remaining(table[places], taken)
    return out


def with_row_at(index: int, table: Array, row: ArrayLike) -> Array:
    """A copy of the table with one more row, at this index. It is read-only.

    >>> with_row_at(1, np.array([5, 7]), 6)
    array([5, 6, 7])
    """
    out = np.empty((len(table) + 1, *table.shape[1:]), table.dtype)
    out[:index], out[index], out[index + 1 :] = table[:index], row, table[index:]
    out.flags.writeable = False
    return out


def row_added(index: int, table: Array, is_new: bool, row: Array) -> Array:
    """A copy of the table with the row added at this index, to the row there or as a new one.

    >>> row_added(1, np.array([5, 7]), False, np.array(2))
    array([5, 9])
    """
    if row.dtype != table.dtype:
        table = table.astype(np.result_type(table, row))
    if is_new:
        return with_row_at(index, table, row)
    out = table.copy()
    out[index] += row
    out.flags.writeable = False
    return out


def cell_added(index: int, column: int, table: Array, is_new: bool) -> Array:
    """A copy of a table of counts with one more in a cell, of a row that stands there or not.

    >>> cell_added(1, 0, np.array([[5, 7]]), True).tolist()
    [[5, 7], [1, 0]]
    """
    if is_new:
        out = np.empty((len(table) + 1, table.shape[1]), table.dtype)
        out[:index], out[index], out[index + 1 :] = table[:index], 0, table[index:]
    else:
        out = table.copy()
    out[index, column] += 1
    out.flags.writeable = False
    return out


def places_of_keys(keys: Array, wanted: Array) -> tuple[Array, Array]:
    """Where each of the wanted keys stands among increasing keys, and whether it is one of them."""
    index = np.searchsorted(keys, wanted)
    known = index < len(keys)
    known[known] = keys[index[known]] == wanted[known]
    return index, known


def sums_of_runs(keys: Array, table: Array) -> tuple[Array, Array]:
    """Where each key begins in a sorted list of keys, and the sum of its rows of the table.

    >>> sums_of_runs(np.array([3, 7, 7]), np.array([2, 1, 4]))
    (array([0, 1]), array([2, 5]))
    """
    first = first_of_runs(keys)
    return first, table if len(first) == len(keys) else np.add.reduceat(table, first, axis=0)


def first_of_runs(keys: Array) -> Array:
    """Where each key begins in a sorted list of keys."""
    is_first = np.ones(len(keys), bool)
    is_first[1:] = keys[1:] != keys[:-1]
    return np.flatnonzero(is_first)


# rows with words --------------------------------------------------------------------------------


def added(
    first: Words, second: Words, *pairs: tuple[Array, Array], numbers: Numbers = None
) -> tuple:
    """The words of two statistics together, and for each pair of their tables the sum.

    numbers : of the first words, if they are at hand

    >>> words, table = added(("free",), ("free", "rain"), (np.array([[5]]), np.array([[1], [2]])))
    >>> words, table.tolist()
    (('free', 'rain'), [[6], [2]])
    """
    if first == second:
        return first, *(mine + theirs for mine, theirs in pairs)
    if len(second) == 1:
        return _with_one(first, second[0], *pairs)
    words, *places = united_words(first, second, numbers)
    return words, *(sum_at(len(words), *zip(places, pair, strict=True)) for pair in pairs)


def _with_one(words: Words, word: str, *pairs: tuple[Array, Array]) -> tuple:
    """The same for a single word more: one row of each table changes."""
    index = bisect_left(words, word)
    is_new = words[index : index + 1] != (word,)
    tables = [row_added(index, mine, is_new, theirs[0]) for mine, theirs in pairs]
    return (*words[:index], word, *words[index:]) if is_new else words, *tables


def taken_away(places: Array, words: Words, *pairs: tuple[Array, Array]) -> tuple:
    """The words that are left where rows are taken from those at places, and what is left of each.

    >>> table, taken = np.array([[6], [2]]), np.array([[6]])
    >>> taken_away(np.array([0]), ("free", "rain"), (table, taken))
    (('rain',), array([[2]]))
    """
    return occurring(words, *(taken_at(places, table, taken) for table, taken in pairs))


def occurring(words: Words, *tables: Array) -> tuple:
    """The words whose rows are not all 0 in the first table, and their rows of each table."""
    occurs = tables[0].any(axis=1)
    if occurs.all():
        return words, *tables
    numbers = np.flatnonzero(occurs)
    return tuple(words[n] for n in numbers.tolist()), *(table[numbers] for table in tables)


def united_words(
    first: Words, second: Words, numbers: Numbers = None
) -> tuple[Words, Array | None, Array]:
    """The words of two sorted lists in one, and the places there of the first and the second.

    None for the first: as they stand, no word is new.

    >>> united_words(("free", "rain"), ("lunch", "rain"))
    (('free', 'lunch', 'rain'), array([0, 2]), array([1, 2]))
    """
    if numbers is None:
        theirs = SortedWords(first).places(second)
    else:
        theirs = np.fromiter(map(numbers.get, second, repeat(-1)), np.intp, len(second))
    is_new = theirs < 0
    if not is_new.any():
        return first, None, theirs
    new = tuple(compress(second, is_new.tolist()))
    before = np.fromiter(map(bisect_left, repeat(first), new), np.intp, len(new))
    mine = np.arange(len(first))
    mine += np.searchsorted(before, mine, side="right")
    theirs[~is_new] = mine[theirs[~is_new]]
    theirs[is_new] = before + np.arange(len(new))
    # two sorted runs after one another are sorted in one pass
    return tuple(sorted(first + new)), mine, theirs


def learned_places(
    words: Words,
    learned: Words,
    what: str = "",
    where: str = "",
    to_check: str = "rows and labels",
) -> Array:
    """The places of words among those that were learned; others are refused."""
    if words == learned:
        return np.arange(len(words))
    places = SortedWords(learned).places(words)
    if (places < 0).any():
        unknown = words[int(places.argmin())]
        raise not_learned(f"{what}{unknown!r} was never seen{where}", to_check)
    return places


# columns of levels ------------------------------------------------------------------------------


def sorted_codes(cells: Cells) -> tuple[Array, Words]:
    """The rows of a column by the numbers of their levels in sorted order, and these levels."""
    if not isinstance(cells, Categories):  # no row was observed
        return np.full(len(cells), -1, CODE), ()
    levels = tuple(sorted(cells.levels))
    index = {level: number for number, level in enumerate(levels)}
    return np.array([*(index[level] for level in cells.levels), -1], CODE)[cells.codes], levels


def levels_of_both(mine: Levels, theirs: Levels) -> Levels:
    """The levels of both, columns and levels in sorted order.

    >>> levels_of_both({"sky": ("sun",)}, {"sky": ("rain",), "hue": ("red",)})
    {'hue': ('red',), 'sky': ('rain', 'sun')}
    """
    return {
        name: tuple(sorted({*mine.get(name, ()), *theirs.get(name, ())}))
        for name in sorted({*mine, *theirs})
    }


# cells of tables with several axes --------------------------------------------------------------


def laid_out(tables: Iterable[Axes], sizes: Mapping | Sequence) -> Iterator[Part]:
    """Tables after one another, given by the axes of each: shapes and cells, the last axis fastest.

    sizes : axis -> how many labels it has

    >>> [*laid_out([("sky",), ("sky", "wind")], {"sky": 3, "wind": 2})]
    [(('sky',), (3,), slice(0, 3, None)), (('sky', 'wind'), (3, 2), slice(3, 9, None))]
    """
    start = 0
    for axes in tables:
        shape = tuple(sizes[axis] for axis in axes)
        stop = start + prod(shape)
        yield axes, shape, slice(start, stop)
        start = stop


def places_of_cells(
    tables: Iterable[Axes], numbers: Mapping[str, Array], others: Iterable[Part]
) -> Array:
    """The index of each cell of tables among the cells of others, which have all their labels.

    numbers : axis -> the number of each of its labels among those of the other tables

    >>> sky, wind = np.array([0, 2]), np.array([1])
    >>> others = laid_out([("sky",), ("sky", "wind")], {"sky": 3, "wind": 2})
    >>> places_of_cells([("sky",), ("sky", "wind")], {"sky": sky, "wind": wind}, others)
    array([0, 2, 4, 8])
    """
    where = {axes: (shape, cells.start) for axes, shape, cells in others}
    places = [np.zeros(0, np.intp)]
    for axes in tables:
        shape, start = where[axes]
        cells = numbers[axes[0]]
        for axis, size in zip(axes[1:], shape[1:], strict=True):
            cells = (cells[:, None] * size + numbers[axis]).ravel()
        places.append(cells + start)
    return np.concatenate(places)
