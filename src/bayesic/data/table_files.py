"""CSV, TSV and Parquet files, DuckDB relations and lazy tables -> blocks of rows, or counts.

Rows come one block after the other, so that a file may be larger than memory.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from bayesic.data import duckdb_files
from bayesic.data.arrow_blocks import ArrowBlocks
from bayesic.data.duckdb_files import csv_source, parquet_source, relation_source
from bayesic.data.labels import take_column
from bayesic.data.lazy_frames import is_lazy, lazy_source
from bayesic.data.sources import Answering, Source, Told
from bayesic.data.tables import NOTHING_TOLD
from bayesic.kernels import Array

# The rows on their way through stay below 100 MB, unless cells are long texts.
CELLS_PER_BLOCK = 2**19
MOST_ROWS_PER_BLOCK = 50_000

CSV_ENDINGS = (".csv", ".tsv", ".txt", ".csv.gz", ".tsv.gz")

Block = Any  # pyarrow.Table, or a dict of lists where pyarrow is not installed


def is_file(X: Any) -> bool:
    """Whether X is the path of a file, a DuckDB relation or a lazy table, not one in memory.

    >>> is_file("mail.csv"), is_file([[1, 2]])
    (True, False)
    """
    return isinstance(X, (str, os.PathLike)) or is_held_elsewhere(X)


def is_held_elsewhere(X: Any) -> bool:
    """Whether X is a table of an engine: a DuckDB relation, a lazy table, blocks of Arrow.

    >>> is_held_elsewhere("mail.csv")
    False
    """
    return isinstance(X, ArrowBlocks) or _is_relation(X) or is_lazy(X)


def file_columns(source: Any) -> dict[str, str]:
    """The columns of a file by name: each is one of `Source.kinds`."""
    opened = _opened(source)
    return dict(zip(opened.names, opened.kinds, strict=True))


def source_name(source: Any) -> str:
    """What a message calls a file, relation or lazy table."""
    return _opened(source).name


def has_order(source: Any) -> bool:
    """Whether the rows come in the same order each time, so that a list can stand beside them."""
    return _opened(source).has_order


def file_blocks(
    source: Any, stored: Told = NOTHING_TOLD, rows_per_block: int | None = None
) -> Iterator[Block]:
    """The rows of a file in blocks that `as_table` takes, in order; no block if it has no rows.

    stored : the declared type of a column: "number", "category", "text", "ignore" (it is not read),
             or "label" (of a CSV file: whole numbers stay whole numbers, words stay as written)
    """
    opened = _opened(source)
    kept = _kept(opened, stored)
    rows = rows_per_block or max(1, min(MOST_ROWS_PER_BLOCK, CELLS_PER_BLOCK // len(kept)))
    with opened.sentences():
        batches = opened.batches(kept, stored, rows)
    return _named_blocks(opened, batches, [opened.names[place] for place in kept])


def _kept(opened: Source, stored: Told) -> list[int]:
    kept = [place for place, name in enumerate(opened.names) if stored.get(name) != "ignore"]
    return kept or list(range(len(opened.names)))  # without any column the rows would be lost


def countable(source: Any, stored: Told = NOTHING_TOLD) -> Answering | None:
    """The columns of a file as a table that its engine counts; None where rows must be read.

    stored : as in `file_blocks`
    """
    opened = _opened(source)
    if opened.lazy is None or not duckdb_files.has_pyarrow():
        return None
    with opened.sentences():
        table = opened.lazy(_kept(opened, stored))
    return Answering(opened.names, table, opened.sentences)


def table_in_memory(source: Any, told: Mapping[str, str]) -> Any:
    """All rows at once, as a pyarrow table or a dict of lists; with told as in file_blocks."""
    blocks = list(file_blocks(source, told))
    if not blocks:
        raise ValueError(f"{source_name(source)} has no rows.")
    if isinstance(blocks[0], Mapping):
        return {name: [cell for block in blocks for cell in block[name]] for name in blocks[0]}
    return import_module("pyarrow").concat_tables(blocks)


def read_labels(source: Any, target: str) -> Array:
    """The classes of all rows of a file; no other column is read."""
    told = {name: "label" if name == target else "ignore" for name in file_columns(source)}
    labels = [take_column(block, target)[1] for block in file_blocks(source, told)]
    if not labels:
        raise ValueError(f"{source_name(source)} has no rows.")
    return np.concatenate(labels)


# the three kinds of sources -------------------------------------------------------------------


def _opened(source: Any) -> Source:
    if isinstance(source, ArrowBlocks):
        return source.source
    if _is_relation(source):
        return relation_source(source)
    if is_lazy(source):
        return lazy_source(source)
    path = _checked_path(source)
    return parquet_source(path) if path.name.lower().endswith(".parquet") else csv_source(path)


def _is_relation(X: Any) -> bool:
    return type(X).__name__ == "DuckDBPyRelation"


def _checked_path(source: Any) -> Path:
    path = Path(source)
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


# blocks ---------------------------------------------------------------------------------------


def _named_blocks(source: Source, batches: Iterator[Any], names: list[str]) -> Iterator[Block]:
    with source.sentences():
        for batch in batches:
            if isinstance(batch, list):
                tell_rows_read(len(batch[0]))
                yield dict(zip(names, map(list, batch), strict=True))
            else:
                tell_rows_read(batch.num_rows)
                table = import_module("pyarrow").Table.from_batches([batch])
                yield table.rename_columns(names)


_tell_rows_read: ContextVar[Callable[[int], None]] = ContextVar("rows", default=lambda n_rows: None)


def tell_rows_read(n_rows: int) -> None:
    """Say that this many more rows, or texts, were read from a file."""
    _tell_rows_read.get()(n_rows)


@contextmanager
def counting_rows(tell: Callable[[int], None]) -> Iterator[None]:
    """While this lasts, tell(n) is called for every n rows that are read from a file."""
    token = _tell_rows_read.set(tell)
    try:
        yield
    finally:
        _tell_rows_read.reset(token)
