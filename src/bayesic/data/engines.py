"""Tables that are not in memory: what is asked of a file, a relation, a lazy table.

Rows come in blocks. What is counted need not: the engine that holds the rows groups them, and only
the groups come.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias

from bayesic.kernels import Array

if TYPE_CHECKING:
    import pyarrow as pa

Told = Mapping[str, str]

# of Arrow, or, where pyarrow is not there, the columns of some rows
Batch: TypeAlias = "pa.RecordBatch | list[tuple]"

FIRST_ROWS = 2**14  # are read as they are; if there are no others, nothing is grouped
MOST_GROUPS = 2**18  # of a column; if it has more, its rows are read
MOST_TOGETHER = 2**14  # groups of columns that are counted together, as the first rows tell
REFUSALS = (TypeError, ValueError)  # of a group, after which rows are read
CHANGED = "The table has changed while it was counted."


class Groups(NamedTuple):
    """The different rows of some columns, and how often each occurs."""

    table: "pa.Table"  # the columns by their names
    times: Array  # int64 (n_groups,)


class NumberGroups(NamedTuple):
    """Numbers of one class that begin with the same bits, and moments.

    The moments of a group may be shared among it and its neighbours: what is right is those of all
    groups of a class together.
    """

    table: "pa.Table"  # the column of the classes
    keys: Array  # float64 (n_groups,): at least so many leading bits, others 0; NaN: not observed
    times: Array  # int64, how many there are
    mean: Array  # float64
    scatter: Array  # float64, the sum of squared deviations from the mean


class ClassSums(NamedTuple):
    """What the numbers of some columns come to in each class."""

    table: "pa.Table"  # the column of the classes, each once
    times: Array  # int64 (n_classes,), rows
    of: Mapping[str, Array]  # what was asked for -> float64 (n_classes, n_columns); NaN: no number


class LazyTable(Protocol):
    """A table that an engine holds, which counts its rows."""

    def head(self, n_rows: int) -> "pa.Table":
        """Some rows, the first if there is an order, as a pyarrow table."""

    def groups(self, families: Sequence[Sequence[str]], most: int) -> Iterator[Groups]:
        """For each list of columns its different rows: all, or a little more than `most` of them.

        Null counts as a value here.
        """

    def number_groups(
        self, target: str, bits: Mapping[str, int], most: int
    ) -> Iterator[NumberGroups]:
        """For each numeric column, by class: all groups, or a little more than `most`.

        bits : column -> how many bits of the mantissa all numbers of a group have in common
        """

    def blocks(self, columns: Sequence[str]) -> Iterator["pa.Table"]:
        """All rows with these columns alone, in pyarrow tables."""


class AddingTable(LazyTable, Protocol):
    """A lazy table that adds up numbers, too. Its rows have no order, so nor has a sum of them."""

    def class_sums(
        self, target: str, columns: Sequence[str], asked: Sequence[str], above: float = 0.0
    ) -> ClassSums:
        """What is asked for of the numbers of each class; null and NaN are none.

        asked : "count", "sum", "least", "most", "mean", "variance" (divided by n), or "above": how
                many are above a threshold
        """


@dataclass(frozen=True)
class StoredTable:
    """A table that is not in memory: its columns, how to get at them, what to say when it fails."""

    names: Sequence[str]
    kinds: Sequence[str]  # of the columns: "number", "boolean", "category", "date" or "other"
    batches: Callable[[list[int], Told, int], Iterator[Batch]]  # places of columns, told, rows
    lazy: Callable[[list[int]], LazyTable] | None  # the same columns, to be counted
    sentences: Callable[[], AbstractContextManager]  # in which errors become sentences
    name: str  # for messages
    has_order: bool = True  # whether rows come in the same order each time


# what is asked together --------------------------------------------------------------------------


def united_families(
    families: Sequence[Sequence[str]], n_values: Mapping[str, int]
) -> list[tuple[str, ...]]:
    """Lists of columns, some of them put together: an engine goes over fewer columns less often.

    All groups of a family can be seen from those of a larger one. Where a family fits in several,
    it goes where it adds the fewest groups.

    n_values : how many different values a column has, about

    >>> united_families([("mail", "sky"), ("mail", "wind"), ("mail", "code")],
    ...     {"mail": 2, "sky": 3, "wind": 4, "code": 10_000})
    [('mail', 'code'), ('mail', 'wind', 'sky')]
    """

    def size(columns: Iterable[str]) -> int:
        return prod(n_values[name] for name in columns)

    united: list[dict[str, None]] = []  # of each the columns, in order
    for family in sorted(families, key=size, reverse=True):
        fitting = [its for its in united if size({**its, **dict.fromkeys(family)}) <= MOST_TOGETHER]
        if fitting:
            least = min(fitting, key=lambda its: size(set(family) - set(its)))
            least.update(dict.fromkeys(family))
        else:
            united.append(dict.fromkeys(family))
    return [tuple(its) for its in united]


def groups_of_families(
    rows: LazyTable, families: Sequence[Sequence[str]], n_values: Mapping[str, int]
) -> Iterator[tuple[Sequence[str], Groups]]:
    """Lists of columns that have every family within, and their groups.

    Families are put together as `united_families` says; where there are too many groups then, each
    is asked for by itself. Only the groups of a single family can be more than MOST_GROUPS.
    """
    united, apart = united_families(families, n_values), []
    for members, groups in zip(united, rows.groups(united, MOST_GROUPS), strict=True):
        within = [family for family in families if {*family} <= {*members}]
        if len(groups.times) > MOST_GROUPS and len(within) > 1:
            apart += within
        else:
            yield members, groups
    if apart:
        yield from zip(apart, rows.groups(apart, MOST_GROUPS), strict=True)
