"""Rows that come as batches of Arrow: some rows of a table that another program holds."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from importlib import import_module
from typing import TYPE_CHECKING

from bayesic.data.engines import StoredTable, Told
from bayesic.data.source import Stored

if TYPE_CHECKING:
    import pyarrow as pa

# Batches are put together until they have so many cells or bytes: counting few rows at a time
# would spend most of the time on what each block costs by itself.
CELLS_OF_A_BLOCK = 2**22
BYTES_OF_A_BLOCK = 2**26


def arrow_batches(
    names: Sequence[str],
    types: Sequence["pa.DataType"],
    batches: Iterable["pa.RecordBatch"],
    name: str = "The DataFrame",
) -> Stored:
    """Batches of Arrow as a source: gone through once, if they are an iterator.

    names : of the columns
    types : pyarrow.DataType of each
    batches : pyarrow.RecordBatch, with as many columns
    name : for messages
    """

    def gathered(places: list[int], stored: Told, rows: int) -> Iterator["pa.RecordBatch"]:
        return _gathered(batch.select(places) for batch in batches)

    kinds = [*map(kind_of, types)]
    table = StoredTable(names, kinds, gathered, None, nullcontext, name)
    return Stored(batches, lambda: table)


def arrow_rows(table: "pa.Table") -> Stored:
    """A table of pyarrow, in one block.

    >>> import pyarrow as pa
    >>> arrow_rows(pa.table({"rain": [1, 2]})).kinds
    {'rain': 'number'}
    """
    columns = table.combine_chunks().columns
    arrays = [
        column.chunk(0) if column.num_chunks else column.combine_chunks() for column in columns
    ]
    whole = import_module("pyarrow").RecordBatch.from_arrays(arrays, names=table.column_names)
    return arrow_batches(tuple(table.column_names), tuple(table.schema.types), [whole])


def kind_of(type_: object) -> str:
    """What a column of this type of Arrow holds, in the words of `StoredTable.kinds`.

    >>> import pyarrow as pa
    >>> [kind_of(type_) for type_ in (pa.int8(), pa.bool_(), pa.date32(), pa.list_(pa.int8()))]
    ['number', 'boolean', 'date', 'other']
    """
    types = import_module("pyarrow").types
    if types.is_integer(type_) or types.is_floating(type_) or types.is_decimal(type_):
        return "number"
    if types.is_temporal(type_):
        return "date"
    if types.is_boolean(type_):
        return "boolean"
    words = types.is_string, types.is_large_string, types.is_dictionary
    return "category" if any(is_one(type_) for is_one in words) else "other"


def _gathered(batches: Iterable["pa.RecordBatch"]) -> Iterator["pa.RecordBatch"]:
    """Small batches put together; those without rows are left out."""
    held: list[pa.RecordBatch] = []
    cells = n_bytes = 0
    for batch in batches:
        if not batch.num_rows:
            continue
        held.append(batch)
        cells += batch.num_rows * max(batch.num_columns, 1)
        n_bytes += batch.nbytes
        if cells >= CELLS_OF_A_BLOCK or n_bytes >= BYTES_OF_A_BLOCK:
            yield _joined(held)
            cells = n_bytes = 0
    if held:
        yield _joined(held)


def _joined(held: list["pa.RecordBatch"]) -> "pa.RecordBatch":
    """All batches as one; the list is empty then, so that nothing is kept twice."""
    arrow = import_module("pyarrow")
    arrays = [arrow.concat_arrays(cells) for cells in zip(*(b.columns for b in held), strict=True)]
    names = held[0].schema.names
    held.clear()
    return arrow.RecordBatch.from_arrays(arrays, names=names)
