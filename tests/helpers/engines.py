"""The same rows in every engine: files, DuckDB, and lazy tables."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

import duckdb
import pyarrow as pa
from pyarrow import parquet

from bayesic.data import duckdb_tables


def parquet_file(table: pa.Table, folder: Path) -> Any:
    path = folder / "雨's days.parquet"
    parquet.write_table(table, path)
    return path


def relation(table: pa.Table, folder: Path) -> Any:
    return duckdb.connect().from_arrow(table)


LOCAL = {"parquet": parquet_file, "duckdb": relation}


@contextmanager
def rows_stay() -> Iterator[list[Sequence[str]]]:
    """While this lasts, only the first row comes as it is; gives the columns that are streamed."""
    streamed: list[Sequence[str]] = []

    def blocks(table: Any, columns: Sequence[str]) -> Iterator[Any]:
        streamed.append(columns)
        return duck_blocks(table, columns)

    def refuse(*_: Any) -> Any:
        raise AssertionError("All rows were read.")

    duck_blocks = duckdb_tables.DuckTable.blocks
    with (
        mock.patch("bayesic.models.readers.counted_tables.FIRST_ROWS", 1),
        mock.patch("bayesic.models.readers.labelled_rows.file_blocks", refuse),
        mock.patch.object(duckdb_tables.DuckTable, "blocks", blocks),
    ):
        yield streamed
