"""Rows, wherever they are: a table in memory, a file, or a table that an engine holds.

`opened` asks what X is, once, and answers with a `Source`, which is handed on wherever rows, names
or types of columns are needed: the question is not asked again, and no file is looked at twice.
Rows of files come one block after the other, so that a file may be larger than memory.
"""

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast, final

import numpy as np

from bayesic.data import duckdb_files
from bayesic.data.duckdb_files import csv_table, parquet_table, relation_table
from bayesic.data.engines import (
    AddingTable,
    Batch,
    ClassSums,
    Groups,
    LazyTable,
    NumberGroups,
    StoredTable,
    Told,
)
from bayesic.data.labels import take_column
from bayesic.data.lazy_frames import is_lazy, is_of_spark, lazy_table
from bayesic.data.rows_read import tell_rows_read
from bayesic.data.tables import NOTHING_TOLD, number_of_rows
from bayesic.data.typing import FilePath
from bayesic.datasets.textbook import TextbookTable
from bayesic.kernels import Array

if TYPE_CHECKING:
    import pyarrow as pa

# The rows on their way through stay below 100 MB, unless cells are long texts.
CELLS_PER_BLOCK = 2**19
MOST_ROWS_PER_BLOCK = 50_000

PLAIN = (dict, list, tuple, np.ndarray)  # which have nothing more to say
CSV_ENDINGS = (".csv", ".tsv", ".txt", ".csv.gz", ".tsv.gz")


@dataclass(frozen=True)
class RowBlock:
    """Some rows as they came, and how many rows of their source come before them."""

    X: Any
    first_row: int = 0
    y: object = None
    weights: object = None
    names: tuple[str, ...] = ()  # of all columns of a file, also of those that are not read


class Source(ABC):
    """Rows that were opened: what they are is known, and is not asked again."""

    X: Any  # the rows as they came: a table, a list, a path, a table of an engine
    target: str | None = None  # the column of the classes, where the rows say which it is

    @abstractmethod
    def blocks(
        self, stored: Told = NOTHING_TOLD, rows_per_block: int | None = None
    ) -> Iterator[RowBlock]:
        """The rows, in order; in memory they are one block.

        stored : the declared type of a column of a file: "number", "category", "text", "ignore" (it
                 is not read), or "label" (of a CSV file: whole numbers stay whole numbers, words
                 stay as written)
        """

    @abstractmethod
    def labelled(
        self, y: object, sample_weight: object, stored: Told, model: str
    ) -> Iterator[RowBlock]:
        """The same with the class of each row, and its weight.

        y : the labels, or the name of the column that holds them
        model : the name of the model that learns them, for messages
        """


@final
@dataclass(frozen=True, eq=False)
class InMemory(Source):
    """Rows that are there: arrays, sparse matrices, tables, dicts of columns, lists."""

    X: Any
    target: str | None = None

    def blocks(
        self, stored: Told = NOTHING_TOLD, rows_per_block: int | None = None
    ) -> Iterator[RowBlock]:
        """All rows at once."""
        return iter([self.X if isinstance(self.X, RowBlock) else RowBlock(self.X)])

    def labelled(
        self, y: object, sample_weight: object, stored: Told, model: str
    ) -> Iterator[RowBlock]:
        """All rows at once, with their classes and weights."""
        y = self.target if y is None else y
        if y is None:
            raise no_target(model)
        X, y = take_column(self.X, y) if isinstance(y, str) else (self.X, y)
        return iter([RowBlock(X, 0, y, sample_weight)])


@final
@dataclass(frozen=True, eq=False)
class Stored(Source):
    """Rows of a file, or of a table that an engine holds.

    A file is looked at when its columns are asked for first, and never again. Texts are also in
    folders and in files that are no tables: of these no columns are asked.
    """

    X: Any
    look: Callable[[], StoredTable]
    path: Path | None = None  # None for a table of an engine
    is_spark: bool = False

    def __str__(self) -> str:
        return self.table.name if self.path is None else str(self.X)

    @cached_property
    def table(self) -> StoredTable:
        """What was seen when it was looked at."""
        return self.look()

    @property
    def name(self) -> str:
        """What messages call it."""
        return self.table.name if self.path is None else repr(str(self.X))

    @property
    def names(self) -> list[str]:
        """The names of all columns."""
        return list(self.table.names)

    @property
    def kinds(self) -> dict[str, str]:
        """The columns by name: each is one of `StoredTable.kinds`."""
        return dict(zip(self.table.names, self.table.kinds, strict=True))

    @property
    def has_order(self) -> bool:
        """Whether rows come in the same order each time, so that a list can stand beside them."""
        return self.table.has_order

    @cached_property
    def exists(self) -> bool:
        """Whether there is such a file, folder or table; a text that names none is just a text."""
        if self.path is None:
            return True
        try:
            return bool(str(self.X)) and self.path.exists()
        except (OSError, ValueError):  # a long text, or one with a zero in it, is not a file name
            return False

    # rows -----------------------------------------------------------------------------------

    def blocks(
        self, stored: Told = NOTHING_TOLD, rows_per_block: int | None = None
    ) -> Iterator[RowBlock]:
        """The rows in blocks that `as_table` takes; no block if there are none."""
        table, kept = self.table, self._kept(stored)
        rows = rows_per_block or max(1, min(MOST_ROWS_PER_BLOCK, CELLS_PER_BLOCK // len(kept)))
        with table.sentences():
            batches = table.batches(kept, stored, rows)
        return _named_blocks(table, batches, [table.names[place] for place in kept])

    def labelled(
        self, y: object, sample_weight: object, stored: Told, model: str
    ) -> Iterator[RowBlock]:
        """The rows in blocks, with their classes and weights."""
        if y is None:
            raise no_target(model)
        name = y if isinstance(y, str) else None
        if (name is None or sample_weight is not None) and not self.has_order:
            raise no_order(self.name)
        others, n_rows = tuple(each for each in self.names if each != name), 0
        for block in self.blocks(stored if name is None else {**stored, name: "label"}):
            here = slice(n_rows, n_rows + number_of_rows(block.X))
            X, labels = (
                (block.X, _entries("y", y, here)) if name is None else take_column(block.X, name)
            )
            weights = _entries("sample_weight", sample_weight, here)
            yield RowBlock(X, n_rows, labels, weights, others)
            n_rows = here.stop
        if n_rows == 0:
            raise ValueError(f"{self.name} has no rows: there is nothing to learn.")
        _entries("sample_weight", sample_weight, slice(0, n_rows), is_all=True)
        if name is None:
            _entries("y", y, slice(0, n_rows), is_all=True)

    def whole(self, stored: Told = NOTHING_TOLD) -> Any:
        """All rows at once, as a pyarrow table or a dict of lists."""
        blocks = [block.X for block in self.blocks(stored)]
        if not blocks:
            raise ValueError(f"{self.name} has no rows.")
        if isinstance(blocks[0], Mapping):
            return {name: [cell for block in blocks for cell in block[name]] for name in blocks[0]}
        return import_module("pyarrow").concat_tables(blocks)

    def labels(self, target: str) -> Array:
        """The classes of all rows; no other column is read."""
        stored = {name: "label" if name == target else "ignore" for name in self.names}
        labels = [take_column(block.X, target)[1] for block in self.blocks(stored)]
        if not labels:
            raise ValueError(f"{self.name} has no rows.")
        return np.concatenate(labels)

    def countable(self, stored: Told = NOTHING_TOLD) -> AddingTable | None:
        """The columns as a table that its engine counts; None where rows must be read."""
        table = self.table
        if table.lazy is None or not duckdb_files.has_pyarrow():
            return None
        with table.sentences():
            return _Counted(table, table.lazy(self._kept(stored)))

    def _kept(self, stored: Told) -> list[int]:
        """The places of the columns that are read."""
        names = self.table.names
        kept = [place for place, name in enumerate(names) if stored.get(name) != "ignore"]
        return kept or list(range(len(names)))  # without any column the rows would be lost


# the one question -----------------------------------------------------------------------------


def opened(X: object) -> Source:
    """X as a source of rows; a source as it is.

    >>> opened({"sky": ["rain", "sun"]}).X
    {'sky': ['rain', 'sun']}
    >>> isinstance(opened("mails.csv"), Stored), isinstance(opened([[1, 2]]), InMemory)
    (True, True)
    """
    if type(X) in PLAIN:
        return InMemory(X)
    if isinstance(X, (InMemory, Stored)):
        return X
    if isinstance(X, (str, os.PathLike)):
        return Stored(X, partial(_table_of_file, X), Path(X))
    if isinstance(X, TextbookTable):
        return InMemory(X.to_dict(), X.target_name)
    if type(X).__name__ == "DuckDBPyRelation":
        return Stored(X, partial(relation_table, X))
    if is_of_spark(X):
        return Stored(X, partial(lazy_table, X), is_spark=True)
    return Stored(X, partial(lazy_table, X)) if is_lazy(X) else InMemory(X)


def opened_file(X: object) -> Stored:
    """A file, or a table of an engine, opened; what is in memory is refused."""
    source = opened(X)
    if isinstance(source, Stored):
        return source
    raise TypeError(f"The path of a file or a table of an engine is needed, got {X!r:.80}.")


def _table_of_file(given: FilePath) -> StoredTable:
    path = _checked_path(given)
    return parquet_table(path) if path.name.lower().endswith(".parquet") else csv_table(path)


def _checked_path(given: FilePath) -> Path:
    path = Path(given)
    if not path.exists():
        raise FileNotFoundError(f"There is no file {str(path)!r}. Check the name and the folder.")
    if not path.is_file():
        raise ValueError(f"{str(path)!r} must be a file, but is a folder. Name one file in it.")
    if not path.name.lower().endswith((*CSV_ENDINGS, ".parquet")):
        raise ValueError(
            f"Files must end in {', '.join(CSV_ENDINGS)} or .parquet, got {path.name!r}. "
            "Save the table as one of these first."
        )
    try:
        str(path.absolute()).encode()
    except UnicodeEncodeError:
        raise ValueError(
            f"Tables are read from files and folders whose names are UTF-8, got {str(path)!r}. "
            "Rename it, or read the table first and give that."
        ) from None
    return path


# what stands beside the rows ------------------------------------------------------------------


def no_target(model: str) -> ValueError:
    """What is answered to rows without classes."""
    return ValueError(
        f"{model} requires y to be passed, but the target y is None. Give y: the class of each "
        "row, or the number to predict; or the name of the column that holds them."
    )


def no_order(name: str) -> ValueError:
    """What is answered to classes or weights in a list beside such a table."""
    return ValueError(
        f"{name} has no order of rows, so no list can be matched to them. Pass y as the name of "
        "a column, and no sample_weight."
    )


def _entries(what: str, given: Any, rows: slice, is_all: bool = False) -> Any:
    """The entries of y or sample_weight for these rows of a file; None for None."""
    if given is None:
        return None
    if len(given) < rows.stop or (is_all and len(given) > rows.stop):
        raise ValueError(
            f"{what} must have one entry for each row of the file, which has "
            f"{'' if is_all else 'at least '}{rows.stop} rows, got {len(given)}."
        )
    return given[rows]


# tables of engines and files ------------------------------------------------------------------


def _named_blocks(
    table: StoredTable, batches: Iterator[Batch], names: list[str]
) -> Iterator[RowBlock]:
    first_row = 0
    with table.sentences():
        for batch in batches:
            if isinstance(batch, list):
                n_rows, rows = len(batch[0]), dict(zip(names, map(list, batch), strict=True))
            else:
                of_arrow = import_module("pyarrow").Table.from_batches([batch])
                n_rows, rows = batch.num_rows, of_arrow.rename_columns(names)
            tell_rows_read(n_rows)
            yield RowBlock(rows, first_row)
            first_row += n_rows


@final
@dataclass(frozen=True)
class _Counted:
    """A lazy table whose errors become sentences."""

    of: StoredTable
    table: LazyTable

    def head(self, n_rows: int) -> "pa.Table":
        """As the table answers."""
        with self.of.sentences():
            return self.table.head(n_rows)

    def groups(self, families: Sequence[Sequence[str]], most: int) -> Iterator[Groups]:
        """As the table answers."""
        with self.of.sentences():
            yield from self.table.groups(families, most)

    def number_groups(
        self, target: str, bits: Mapping[str, int], most: int
    ) -> Iterator[NumberGroups]:
        """As the table answers."""
        with self.of.sentences():
            yield from self.table.number_groups(target, bits, most)

    def class_sums(
        self, target: str, columns: Sequence[str], asked: Sequence[str], above: float = 0.0
    ) -> ClassSums:
        """As the table answers, whose rows have no order."""
        with self.of.sentences():
            return cast("AddingTable", self.table).class_sums(target, columns, asked, above)

    def blocks(self, columns: Sequence[str]) -> Iterator["pa.Table"]:
        """As the table answers."""
        with self.of.sentences():
            yield from self.table.blocks(columns)
