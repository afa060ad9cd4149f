"""What the readers of all formats share: refusals with a line, numbers, the network at the end."""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np

from bayesic.networks.errors import NetworkError

Array = np.ndarray
Network = TypeVar("Network")

# What a file may hold, twenty times as much as the largest of the public networks and more: all of
# it together takes about a gigabyte of memory, whatever the file says.
LARGEST_TABLE = 10_000_000  # entries of all tables
MOST_VARIABLES, MOST_STATES = 200_000, 1_000_000
MOST_WORDS = 10_000_000  # numbers, names and marks


class RefusedNetworkError(ValueError):
    """Why a file holds no network, and in which line that is, if it is in one."""

    def __init__(self, reason: str, line: int | None = None) -> None:
        super().__init__(reason)
        self.line = line


def check_at_most(most: int, count: int, what: str, line: int | None = None) -> None:
    """Refuse a file that would take too much memory."""
    if count > most:
        raise RefusedNetworkError(
            f"a network file has at most {most:,} {what}, got {count:,}. Split the network into "
            "smaller ones, or make it in Python, with BeliefNetwork(edges, tables)",
            line,
        )


@dataclass
class Parsed:
    """The content of a file: variables with states, and a table for each.

    Readers say where they are by a number that `line_of` turns into a line: lines are counted only
    when an error asks for one.
    """

    line_of: Callable[[int], int]
    states: dict[str, tuple[str, ...]] = field(default_factory=dict)
    parents: dict[str, tuple[str, ...]] = field(default_factory=dict)
    tables: dict[str, Array] = field(default_factory=dict)
    places: dict[str, int] = field(default_factory=dict)  # where the table of a variable begins
    n_entries: int = 0
    n_states: int = 0

    def add_variable(self, name: str, states: Sequence[str], place: int) -> None:
        """Keep a variable; a name comes once, and so does each of its states."""
        if name in self.states:
            raise self.refusal(f"the variable {name} is declared a second time", place)
        if not states:
            raise self.refusal(f"the variable {name} has no states", place)
        if len(set(states)) < len(states):
            twice = Counter(states).most_common(1)[0][0]
            raise self.refusal(f"the variable {name} has the state {shown(twice)} twice", place)
        self.states[name] = tuple(states)
        self.n_states += len(states)
        check_at_most(MOST_VARIABLES, len(self.states), "variables")
        check_at_most(MOST_STATES, self.n_states, "states")

    def shape_of_table(self, name: str, parents: Sequence[str], place: int) -> tuple[int, ...]:
        """The shape of a table, last the states of the variable, if it is not too big."""
        for variable in (name, *parents):
            if variable not in self.states:
                raise self.refusal(f"the variable {variable} is not declared", place)
        if name in self.tables:
            raise self.refusal(f"the variable {name} has a second table", place)
        shape = tuple(len(self.states[variable]) for variable in (*parents, name))
        self.n_entries += math.prod(shape)
        if self.n_entries > LARGEST_TABLE:
            check_at_most(
                LARGEST_TABLE, self.n_entries, f"numbers in its tables, up to that of {name}",
                self.line_of(place),
            )  # fmt: skip
        return shape

    def add_table(self, name: str, parents: Sequence[str], table: Array, place: int) -> None:
        """Keep the table of a variable."""
        self.parents[name] = tuple(parents)
        self.tables[name] = table
        self.places[name] = place

    def made_by(self, make: Callable[..., Network]) -> Network:
        """The network, if every variable has its table and all tables are right.

        make : makes a network of edges, tables and states
        """
        for name in self.states:
            if name not in self.tables:
                raise RefusedNetworkError(f"the variable {name} has no table")
        edges = [(parent, name) for name in self.states for parent in self.parents[name]]
        try:
            return make(edges, self.tables, self.states)
        except NetworkError as error:
            reason = str(error).rstrip(".")
            if error.variable in self.places:
                raise self.refusal(reason, self.places[error.variable]) from None
            raise RefusedNetworkError(reason) from None

    def refusal(self, reason: str, place: int) -> RefusedNetworkError:
        """The error with the line of this place."""
        return RefusedNetworkError(reason, self.line_of(place))


def as_floats(words: Sequence[str], line_of: Callable[[int], int]) -> Array:
    """The numbers that these words write: finite, in plain digits.

    `line_of` tells the line of a word, by its place among the words.

    >>> as_floats(["0.25", "7.5e-1"], line_of=lambda place: 1)
    array([0.25, 0.75])
    """
    try:
        numbers = np.array(list(map(float, words)), dtype=np.float64)
    except ValueError:
        numbers = None
    text = " ".join(words)
    # float() also takes digits of other scripts, 1_000, inf and nan
    if numbers is None or not text.isascii() or "_" in text or not np.isfinite(numbers).all():
        place = next(place for place, word in enumerate(words) if not _is_number(word))
        raise RefusedNetworkError(f"{shown(words[place])} should be a number", line_of(place))
    return numbers


def _is_number(word: str) -> bool:
    try:
        return word.isascii() and "_" not in word and math.isfinite(float(word))
    except ValueError:
        return False


def shown(word: str) -> str:
    """A word of a file for an error, cut if it is long.

    >>> shown("probabilty")
    "'probabilty'"
    """
    return repr(word if len(word) <= 40 else word[:37] + "...")
