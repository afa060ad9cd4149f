"""The same rows in every engine: files, DuckDB, and lazy tables."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

import duckdb
import polars as pl
import pyarrow as pa
from pyarrow import parquet

from bayesic.data import duckdb_tables, lazy_frames
from bayesic.spark.partitions import summaries


def parquet_file(table: pa.Table, folder: Path) -> Any:
    path = folder / "雨's days.parquet"
    parquet.write_table(table, path)
    return path


def relation(table: pa.Table, folder: Path) -> Any:
    return duckdb.connect().from_arrow(table)


def polars_frame(table: pa.Table, folder: Path) -> Any:
    return pl.from_arrow(table).lazy()


LOCAL = {"parquet": parquet_file, "duckdb": relation, "polars": polars_frame}


@contextmanager
def rows_stay() -> Iterator[list[Sequence[str]]]:
    """While this lasts, only the first row comes as it is; gives the columns that are streamed."""
    streamed: list[Sequence[str]] = []

    def noted(blocks: Any) -> Any:
        def noted_blocks(table: Any, columns: Sequence[str]) -> Iterator[Any]:
            streamed.append(columns)
            return blocks(table, columns)

        return noted_blocks

    def noted_summaries(frame: Any, summarise: Any) -> Any:
        streamed.append(frame.columns)
        return summaries(frame, summarise)

    def refuse(*_: Any) -> Any:
        raise AssertionError("All rows were read.")

    with (
        mock.patch("bayesic.data.engines.FIRST_ROWS", 1),
        mock.patch("bayesic.data.engines.REFUSALS", ()),
        mock.patch("bayesic.data.source.Stored.blocks", refuse),
        mock.patch("bayesic.models.readers.counted_tables.summaries", noted_summaries),
        _replaced(duckdb_tables.DuckTable, noted),
        _replaced(lazy_frames.FrameTable, noted),
    ):
        yield streamed


def _replaced(Table: Any, noted: Any) -> Any:
    return mock.patch.object(Table, "blocks", noted(Table.blocks))
