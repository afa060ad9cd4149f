"""Attributes with finitely many values, and conjunctions of them as hypotheses.

A hypothesis is a tuple with one entry for each attribute: a value that the attribute must have, "?"
if any value will do, or "∅" in all places for the hypothesis that covers nothing.

Attribute j has m_j values. The conjunctions without the empty one are the cells of a cube with
m_j + 1 places along axis j: a place for each value, and the last for "?". Cubes are held flat, in
C order. A row lies in the cell of its values; a value that no conjunction asks for has the last
place. Every pass over one axis takes as long as the cube is large, whatever the number of rows.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from bayesic.data.coded import Coded, ColumnBlock, block_of, coded
from bayesic.data.distinct import category_name
from bayesic.data.states import in_order
from bayesic.data.typing import TableLike
from bayesic.kernels import Array
from bayesic.models.columns.schema import refuse_unknown_names

Conjunction = tuple[str, ...]
ANY = "?"
NOTHING = "∅"

# 2^24: 24 attributes with one value each, or 12 with three
LARGEST_CUBE = 1 << 24


@dataclass(frozen=True)
class Attributes:
    """The names of the attributes, and the values that each can have, as text."""

    names: tuple[str, ...]
    values: tuple[tuple[str, ...], ...]

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many values each attribute has."""
        return tuple(map(len, self.values))

    @property
    def n_hypotheses(self) -> int:
        """How many conjunctions there are that mean different things: prod (m_j + 1) + 1.

        >>> Attributes(("sky", "wind"), (("sun", "rain", "snow"), ("yes", "no"))).n_hypotheses
        13
        """
        return math.prod(size + 1 for size in self.sizes) + 1

    def encode(self, X: TableLike) -> Array:
        """The number of each cell's value, (n_rows, n_attributes); other values get the next one.

        >>> Attributes(("sky",), (("sun", "rain"),)).encode([["rain"], ["hail"]])
        array([[1],
               [2]])
        """
        block = block_of(X)
        if len(block.names) != len(self.names):
            raise ValueError(
                f"X must have the {len(self.names)} attributes {list(self.names)}, got "
                f"{len(block.names)} columns."
            )
        by_name = block.named and set(self.names) == set(block.names)
        columns = _coded(block)
        codes = np.empty((block.n_rows, len(self.names)), dtype=np.intp)
        for index, name in enumerate(self.names if by_name else block.names):
            values = self.values[index]
            codes[:, index] = columns[name].numbered(values, unseen=len(values))
        return codes

    def checked(self, hypothesis: Sequence[object]) -> Conjunction:
        """The hypothesis as a tuple of text; the empty one is all ∅."""
        texts = _checked_conjunction(hypothesis)
        if len(texts) != len(self.names):
            raise ValueError(
                f"A hypothesis must have one entry for each of {list(self.names)}, got "
                f"{hypothesis!r}. Write '?' where any value will do."
            )
        return (NOTHING,) * len(texts) if NOTHING in texts else texts


def attributes_of(X: TableLike, values: Mapping[str, Sequence[object]] | None = None) -> Attributes:
    """The attributes of a table, with the values that occur in it.

    values : column -> all values that it can have, for columns where X does not show all of them;
             columns without names are called x0, x1, ...

    >>> attributes_of([("Sunny", "Warm"), ("Rainy", "Warm")], {"x1": ["Warm", "Cold"]}).values
    (('Sunny', 'Rainy'), ('Warm', 'Cold'))
    """
    block = block_of(X)
    given = _checked_values(values)
    refuse_unknown_names(given, block.names, "values")
    levels = {name: _values(column) for name, column in _coded(block).items()}
    for name, declared in given.items():
        missing = [level for level in levels[name] if level not in declared]
        if missing or len(set(declared)) < len(declared):
            raise ValueError(
                f"values must list every value of {name!r} once, got {list(declared)}; the table "
                f"also has {missing}."
            )
    all_values = tuple(given.get(name, levels[name]) for name in block.names)
    for name, declared in zip(block.names, all_values, strict=True):
        if {ANY, NOTHING} & set(declared):
            raise ValueError(
                f"'?' and '∅' have a special meaning in hypotheses, but are values of "
                f"{name!r}. Leave out the rows, or give the value another name."
            )
    return Attributes(block.names, all_values)


def _checked_values(values: object) -> dict[str, tuple[str, ...]]:
    """The declared values of columns, as text."""
    if values is None:
        return {}
    lists = (list, tuple, range, np.ndarray)
    if not isinstance(values, Mapping) or not all(isinstance(v, lists) for v in values.values()):
        raise TypeError(
            "values must be a dict of column name and list of values, such as "
            f"{{'sky': ['sun', 'rain']}}, got {values!r:.80}."
        )
    return {str(name): tuple(map(category_name, some)) for name, some in values.items()}


def covers(hypothesis: Sequence[object], row: Sequence[object]) -> bool:
    """Whether the hypothesis says yes to this row: h(x) = 1.

    >>> covers(("Sunny", "?"), ("Sunny", "Cold")), covers(("∅", "∅"), ("Sunny", "Cold"))
    (True, False)
    """
    wanted_values, row_values = _checked_conjunction(hypothesis), _checked_conjunction(row)
    if len(wanted_values) != len(row_values):
        raise ValueError(
            f"Hypothesis and row must have the same number of entries, got {len(wanted_values)} "
            "and "
            f"{len(row_values)}."
        )
    pairs = zip(wanted_values, row_values, strict=True)
    return all(wanted in (ANY, value) for wanted, value in pairs)


def more_general(first: Sequence[object], second: Sequence[object]) -> bool:
    """Whether the first hypothesis covers every row that the second covers.

    >>> more_general(("Sunny", "?"), ("Sunny", "Warm")), more_general(("∅", "∅"), ("?", "Warm"))
    (True, False)
    >>> more_general(("Sunny", "?"), ("Sunny", "?"))
    True
    """
    return NOTHING in _checked_conjunction(second) or covers(first, second)


def _checked_conjunction(entries: object) -> Conjunction:
    if not isinstance(entries, (list, tuple, np.ndarray)) or np.ndim(entries) != 1:
        raise TypeError(
            "A hypothesis, or a row, must be a list or tuple with one entry for each attribute, "
            f"got {entries!r:.80}. Write '?' where any value will do."
        )
    return tuple(map(category_name, entries))


def _coded(block: ColumnBlock) -> dict[str, Coded]:
    """All columns, without gaps."""
    columns = coded(block, dict.fromkeys(block.names), only_names=True)
    for name, column in columns.items():
        if not column.states or (column.codes < 0).any():
            raise ValueError(
                f"Concept learning needs every value, but {name!r} has missing values. Leave out "
                "these rows, or replace them by a value such as 'unknown'."
            )
    return columns


def _values(column: Coded) -> tuple[str, ...]:
    """The values that occur as text: numbers in their order, others as they came."""
    states = column.occurring()
    if not any(isinstance(state, (str, bool)) for state in states):
        states = in_order(states)
    return tuple(map(category_name, states))


# all conjunctions at once ---------------------------------------------------------------------


def cells_of(codes: Array, sizes: Sequence[int]) -> Array:
    """The cell of each row in the flat cube: intp (n_rows,).

    >>> cells_of(np.array([[0, 1], [2, 0]]), [2, 1])
    array([1, 4])
    """
    cells = np.zeros(len(codes), dtype=np.intp)
    for column, size in zip(codes.T, sizes, strict=True):
        cells = cells * (size + 1) + column
    return cells


def covered_rows(codes: Array, weights: Array, sizes: Sequence[int]) -> Array:
    """For each conjunction the sum of the weights of the rows that it covers.

    Along each axis the place of "?" gets the sum of all places. Weights that are bool tell
    whether any such row is covered.

    >>> rows = np.array([[0, 0], [0, 1]])
    >>> covered_rows(rows, np.array([1, 1]), [1, 2]).reshape(2, 3)
    array([[1, 1, 2],
           [1, 1, 2]])
    """
    _refuse_large(sizes)
    cube = np.zeros(math.prod(size + 1 for size in sizes), dtype=weights.dtype)
    np.add.at(cube, cells_of(codes, sizes), weights)
    for axis, size in enumerate(sizes):
        view = _along(cube, sizes, axis)
        for value in range(size):
            view[:, size] += view[:, value]
    return cube


def covering_hypotheses(weights: Array, sizes: Sequence[int]) -> Array:
    """For each row that there can be, the sum of the weights of the conjunctions that cover it.

    The mirror image of covered_rows: each place gets what stands in the place of "?".

    >>> covering_hypotheses(np.array([1, 1, 1, 1]), [1, 1])
    array([4, 2, 2, 1])
    """
    cube = weights.copy()
    for axis, size in enumerate(sizes):
        view = _along(cube, sizes, axis)
        view[:, :size] += view[:, size:]
    return cube


def most_general_of(chosen: Array, sizes: Sequence[int]) -> Array:
    """Which of the chosen conjunctions have no chosen one with a value less: bool.

    For a set that has with any conjunction all that are more special, these are its most general.

    >>> most_general_of(np.array([True, True, True, False]), [1, 1])
    array([False,  True,  True, False])
    """
    general = chosen.copy()
    for axis, size in enumerate(sizes):
        _along(general, sizes, axis)[:, :size] &= ~_along(chosen, sizes, axis)[:, size:]
    return general


def n_constraints(sizes: Sequence[int]) -> Array:
    """How many attributes each conjunction asks for: int8, flat.

    >>> n_constraints([1, 1])
    array([2, 1, 1, 0], dtype=int8)
    """
    counts = np.zeros(1, dtype=np.int8)
    for size in sizes:
        here = np.array([1] * size + [0], dtype=np.int8)
        counts = np.add.outer(counts, here).ravel()
    return counts


def _refuse_large(sizes: Sequence[int]) -> None:
    """Refuse attributes with more conjunctions than fit into memory at ease."""
    n_cells = math.prod(size + 1 for size in sizes)
    if n_cells > LARGEST_CUBE:
        raise ValueError(
            f"There are {n_cells:,} conjunctions to look at; at most {LARGEST_CUBE:,} can be. "
            "Leave out attributes, or use find_s, which needs no list of them."
        )


def _along(cube: Array, sizes: Sequence[int], axis: int) -> Array:
    """The cube as (cells before, places of this axis, cells behind): a view."""
    behind = math.prod(size + 1 for size in sizes[axis + 1 :])
    return cube.reshape(-1, sizes[axis] + 1, behind)
