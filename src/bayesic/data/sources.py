"""Tables that are read from elsewhere: what is asked of a file, a relation, a lazy table.

Rows come in blocks. What is counted need not: the engine that holds the rows groups them, and only
the groups come.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from bayesic.kernels import Array

Told = Mapping[str, str]

FIRST_ROWS = 2**14  # are read as they are; if there are no others, nothing is grouped
MOST_GROUPS = 2**18  # of a column; if it has more, its rows are read
REFUSALS = (TypeError, ValueError)  # of a group, after which rows are read
CHANGED = "The table has changed while it was counted."


class Groups(NamedTuple):
    """The different rows of some columns, and how often each occurs."""

    table: Any  # pyarrow.Table, the columns by their names
    times: Array  # int64 (n_groups,)


class Cut(NamedTuple):
    """How many bits of the mantissa of numbers are kept, and the exponent of a large one."""

    bits: int
    exponent: int


class NumberGroups(NamedTuple):
    """Numbers of one class that begin with the same bits, and their moments."""

    table: Any  # pyarrow.Table, the column of the classes
    keys: Array  # float64 (n_groups,): at least so many leading bits, others 0; NaN: not observed
    times: Array  # int64, how many there are
    mean: Array  # float64
    scatter: Array  # float64, the sum of squared deviations from the mean


class LazyTable(Protocol):
    """A table that an engine holds, which counts its rows."""

    def head(self, n_rows: int) -> Any:
        """Some rows, the first if there is an order, as a pyarrow table."""

    def groups(self, families: Sequence[Sequence[str]], most: int) -> Iterator[Groups]:
        """For each list of columns its different rows: all, or a little more than `most` of them.

        A null is a value of its own here.
        """

    def number_groups(
        self, target: str, cuts: Mapping[str, Cut], most: int
    ) -> Iterator[NumberGroups]:
        """For each column of numbers, by class: all groups, or a little more than `most`."""

    def blocks(self, columns: Sequence[str]) -> Iterator[Any]:
        """All rows with these columns alone, in pyarrow tables."""


@dataclass(frozen=True)
class Source:
    """Something to read from: its columns, how to get at them, what to say when it fails."""

    names: Sequence[str]
    kinds: Sequence[str]  # of the columns: "number", "category", "date" or "other"
    batches: Callable[[list[int], Told, int], Iterator[Any]]  # places of columns, told, rows
    lazy: Callable[[list[int]], LazyTable] | None  # the same columns, to be counted
    sentences: Callable[[], AbstractContextManager]  # in which errors become sentences
    name: str  # for messages
    has_order: bool = True  # whether rows come in the same order each time


@dataclass(frozen=True)
class Answering:
    """A lazy table whose errors become sentences."""

    names: Sequence[str]  # of all columns of its source
    table: LazyTable
    sentences: Callable[[], AbstractContextManager]

    def head(self, n_rows: int) -> Any:
        """As the table answers."""
        with self.sentences():
            return self.table.head(n_rows)

    def groups(self, families: Sequence[Sequence[str]], most: int) -> Iterator[Groups]:
        """As the table answers."""
        with self.sentences():
            yield from self.table.groups(families, most)

    def number_groups(
        self, target: str, cuts: Mapping[str, Cut], most: int
    ) -> Iterator[NumberGroups]:
        """As the table answers."""
        with self.sentences():
            yield from self.table.number_groups(target, cuts, most)

    def blocks(self, columns: Sequence[str]) -> Iterator[Any]:
        """As the table answers."""
        with self.sentences():
            yield from self.table.blocks(columns)
