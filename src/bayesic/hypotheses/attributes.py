"""Attributes with finitely many values, and conjunctions of them as hypotheses.

A hypothesis is a tuple with one entry for each attribute: a value that the attribute must have, "?"
if any value will do, or "∅" in all places for the hypothesis that covers nothing.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bayesic.data.coded import Block, Coded, block_of, coded
from bayesic.data.columns import category_name
from bayesic.data.states import in_order
from bayesic.kernels import Array
from bayesic.models.schema import refuse_unknown_names

Conjunction = tuple[str, ...]

ANY = "?"
NOTHING = "∅"


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
    def n_instances(self) -> int:
        """How many different rows there can be."""
        return math.prod(self.sizes)

    @property
    def n_hypotheses(self) -> int:
        """How many conjunctions there are that mean different things: prod (m_j + 1) + 1.

        >>> Attributes(("sky", "wind"), (("sun", "rain", "snow"), ("yes", "no"))).n_hypotheses
        13
        """
        return math.prod(size + 1 for size in self.sizes) + 1

    def encode(self, X: Any) -> Array:
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
        for place, name in enumerate(self.names if by_name else block.names):
            values = self.values[place]
            codes[:, place] = columns[name].numbered(values, unseen=len(values))
        return codes

    def checked(self, hypothesis: Sequence[Any]) -> Conjunction:
        """The hypothesis as a tuple of text; the empty one is all ∅."""
        texts = _checked_conjunction(hypothesis)
        if len(texts) != len(self.names):
            raise ValueError(
                f"A hypothesis must have one entry for each of {list(self.names)}, got "
                f"{hypothesis!r}. Write '?' where any value will do."
            )
        return (NOTHING,) * len(texts) if NOTHING in texts else texts


def attributes_of(X: Any, values: Mapping[str, Sequence[Any]] | None = None) -> Attributes:
    """The attributes of a table, with the values that occur in it.

    values : column -> all values that it can have, for columns where X does not show all of them;
             columns without names are called x0, x1, ...

    >>> attributes_of([("Sunny", "Warm"), ("Rainy", "Warm")], {"x1": ["Warm", "Cold"]}).values
    (('Sunny', 'Rainy'), ('Warm', 'Cold'))
    """
    block = block_of(X)
    told = _checked_values(values)
    refuse_unknown_names(told, block.names, "values")
    levels = {name: _values(column) for name, column in _coded(block).items()}
    for name, known in told.items():
        missing = [level for level in levels[name] if level not in known]
        if missing or len(set(known)) < len(known):
            raise ValueError(
                f"values must list every value of {name!r} once, got {list(known)}; the table "
                f"also has {missing}."
            )
    all_values = tuple(told.get(name, levels[name]) for name in block.names)
    for name, known in zip(block.names, all_values, strict=True):
        if {ANY, NOTHING} & set(known):
            raise ValueError(
                f"'?' and '∅' have a meaning of their own in hypotheses, but are values of "
                f"{name!r}. Leave out the rows, or give the value another name."
            )
    return Attributes(block.names, all_values)


def _checked_values(values: Any) -> dict[str, tuple[str, ...]]:
    """What is told of the values of columns, as text."""
    if values is None:
        return {}
    lists = (list, tuple, range, np.ndarray)
    if not isinstance(values, Mapping) or not all(isinstance(v, lists) for v in values.values()):
        raise TypeError(
            "values must be a dict of column name and list of values, such as "
            f"{{'sky': ['sun', 'rain']}}, got {values!r:.80}."
        )
    return {str(name): tuple(map(category_name, some)) for name, some in values.items()}


def covers(hypothesis: Sequence[Any], row: Sequence[Any]) -> bool:
    """Whether the hypothesis says yes to this row: h(x) = 1.

    >>> covers(("Sunny", "?"), ("Sunny", "Cold")), covers(("∅", "∅"), ("Sunny", "Cold"))
    (True, False)
    """
    wanted_values, row_values = _checked_conjunction(hypothesis), _checked_conjunction(row)
    if len(wanted_values) != len(row_values):
        raise ValueError(
            f"Hypothesis and row must have as many entries, got {len(wanted_values)} and "
            f"{len(row_values)}."
        )
    pairs = zip(wanted_values, row_values, strict=True)
    return all(wanted in (ANY, value) for wanted, value in pairs)


def more_general(first: Sequence[Any], second: Sequence[Any]) -> bool:
    """Whether the first hypothesis covers every row that the second covers.

    >>> more_general(("Sunny", "?"), ("Sunny", "Warm")), more_general(("∅", "∅"), ("?", "Warm"))
    (True, False)
    >>> more_general(("Sunny", "?"), ("Sunny", "?"))
    True
    """
    return NOTHING in _checked_conjunction(second) or covers(first, second)


def _checked_conjunction(entries: Any) -> Conjunction:
    if not isinstance(entries, (list, tuple, np.ndarray)) or np.ndim(entries) != 1:
        raise TypeError(
            "A hypothesis, or a row, must be a list or tuple with one entry for each attribute, "
            f"got {entries!r:.80}. Write '?' where any value will do."
        )
    return tuple(map(category_name, entries))


def _coded(block: Block) -> dict[str, Coded]:
    """All columns, without gaps."""
    columns = coded(block, dict.fromkeys(block.names), only_names=True)
    for name, column in columns.items():
        if not column.states or (column.codes < 0).any():
            raise ValueError(
                f"Concept learning needs every value, but {name!r} has cells that were not "
                "observed. Leave out these rows, or give the gap a value of its own, such as "
                "'unknown'."
            )
    return columns


def _values(column: Coded) -> tuple[str, ...]:
    """The values that occur as text: numbers in their order, others as they came."""
    states = column.occurring()
    if not any(isinstance(state, (str, bool)) for state in states):
        states = in_order(states)
    return tuple(map(category_name, states))
