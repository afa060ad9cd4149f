"""Some rows of a DataFrame, drawn by what is in them: the same for any order and partitioning.

Of rows that are all different, that is. Copies of a row are told apart within a block alone.
"""

from collections.abc import Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesic.data.arrow_rows import arrow_rows, kind_of
from bayesic.data.source import Stored
from bayesic.data.tables import as_table
from bayesic.estimation.row_keys import row_keys
from bayesic.kernels import Array
from bayesic.spark.partitions import collected, numbered, rows_of, spark_errors

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

MOST_SAMPLED = 2**18  # rows; of fewer all are taken


def sampled(frame: "DataFrame") -> tuple[Stored, int]:
    """About MOST_SAMPLED rows, or all, in an order that follows from their cells; and of how many.

    A row is taken if the key of its cells is small enough.
    """
    with spark_errors():
        n_rows = frame.count()
    some = frame if n_rows <= MOST_SAMPLED else _with_small_keys(frame, MOST_SAMPLED / n_rows)
    table = collected(some)
    return arrow_rows(table.take(np.argsort(keys_of(table), kind="stable"))), n_rows


def keys_of(table: Any) -> Array:
    """A number for each row of a pyarrow table that depends on its words and numbers: uint64."""
    kinds = {
        field.name: "ignore"
        for field in table.schema
        if kind_of(field.type) not in ("number", "boolean", "category")
    }
    codes, weights = np.zeros(table.num_rows, np.int64), np.ones(table.num_rows)
    return row_keys(as_table(table, kinds), [""], codes, weights)


def _with_small_keys(frame: "DataFrame", share: float) -> "DataFrame":
    """About this share of the rows, as Spark computes it."""
    limit, names = np.uint64(share * 2.0**64), tuple(frame.columns)

    def task(batches: Iterator[object]) -> Iterator[Any]:
        rows = rows_of(batches, names)
        if rows is None:
            return
        for batch in rows.table.batches([*range(len(names))], {}, 0):
            table = import_module("pyarrow").Table.from_batches([batch])
            yield from table.filter(keys_of(table.rename_columns(names)) < limit).to_batches()

    renamed = numbered(frame)
    return renamed.mapInArrow(task, renamed.schema).toDF(*names)
