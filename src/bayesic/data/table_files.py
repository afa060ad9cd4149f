"""CSV, TSV and Parquet files, DuckDB relations and lazy tables -> blocks of rows, or counts.

DuckDB reads and converts, one block after the other, so that a file may be larger than memory.
In a CSV file, columns that hold numbers only (as far as DuckDB looks to find out, some 20,000 rows)
are numbers. All others are text exactly as written: 'true' stays 'true'.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from bayesic.data.arrow_blocks import ArrowBlocks
from bayesic.data.blocks import number_of_threads
from bayesic.data.columns import Column, refuse_dates
from bayesic.data.csv_files import (
    CsvFile,
    csv_query,
    csv_sentence,
    first_line,
    open_csv,
    quoted_path,
    refuse_equal_names,
    sniffing_query,
)
from bayesic.data.duckdb_tables import DuckTable, arrow_batches, identifier
from bayesic.data.labels import take_column
from bayesic.data.lazy_frames import is_lazy, lazy_source
from bayesic.data.sources import Answering, LazyTable, Source, Told
from bayesic.data.tables import NOTHING_TOLD
from bayesic.kernels import Array

# The rows on their way through stay below 100 MB, unless cells are long texts.
CELLS_PER_BLOCK = 2**19
MOST_ROWS_PER_BLOCK = 50_000

# More threads read faster than anyone learns, and each of them needs its own buffers.
MOST_THREADS = 4

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
    if opened.lazy is None or not _has_pyarrow():
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
        return _relation_source(source)
    if is_lazy(source):
        return lazy_source(source)
    path = _checked_path(source)
    return _parquet_source(path) if path.name.lower().endswith(".parquet") else _csv_source(path)


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


def _csv_source(path: Path) -> Source:
    file = open_csv(path)

    def sentence(message: str) -> str:
        return csv_sentence(message, file)

    def batches(places: list[int], stored: Told, rows: int) -> Iterator[Any]:
        columns = [Column(name, stored.get(name)) for name in file.names]
        read_as = [_read_as(column, type_) for column, type_ in zip(columns, types, strict=True)]
        return _query_batches(csv_query(file, read_as, places), rows)

    types = _sniffed_types(file)
    sentences = partial(_errors_as_sentences, sentence)
    # not lazy: to read the file is most of the work, and each group would read it again
    return Source(file.names, list(map(_kind, types)), batches, None, sentences, repr(str(path)))


def _sniffed_types(file: CsvFile) -> list[str]:
    import duckdb

    try:
        types = _described_types(sniffing_query(file))
        if file.may_have_codes and "BIGINT" in types:
            floats = _described_types(sniffing_query(file, whole_numbers=False))
            types = [
                "VARCHAR" if type_ == "BIGINT" and as_float == "VARCHAR" else type_
                for type_, as_float in zip(types, floats, strict=True)
            ]
    except duckdb.Error as error:
        message = _strict_message(file) or str(error)
        raise ValueError(csv_sentence(message, file)) from None  # DuckDB repeats the line
    if len(types) != len(file.names):
        raise ValueError(
            f"{file.path}: the header must be one line with the names of all columns, got "
            f"{len(file.names)} names for {len(types)} columns."
        )
    return ["VARCHAR" if type_ == "BOOLEAN" else type_ for type_ in types]  # yes, no: words here


def _described_types(query: str) -> list[str]:
    return [type_ for _, type_, *_ in _connection().execute(query).fetchall()]


def _strict_message(file: CsvFile) -> str:
    """What is wrong when every field is read as it is: unlike the sniffer, this knows the line."""
    import duckdb

    places = range(len(file.names))
    try:
        result = _connection().execute(csv_query(file, ["VARCHAR"] * len(places), places))
        while result.fetchmany(MOST_ROWS_PER_BLOCK):
            pass
    except duckdb.Error as error:
        return str(error)
    return ""


def _read_as(column: Column, type_: str) -> str:
    """The type to read a column of a CSV file as, from the declared kind and what DuckDB saw."""
    kind = _kind(type_)
    if column.told == "label":
        return type_ if type_ in ("BIGINT", "DOUBLE") else "VARCHAR"
    if column.told is None and kind == "date":
        refuse_dates(column)
    is_number = column.told == "number" or (column.told is None and kind == "number")
    return "DOUBLE" if is_number else "VARCHAR"


def _parquet_source(path: Path) -> Source:
    import duckdb

    def sentence(message: str) -> str:
        return f"{path} cannot be read as a Parquet file: {first_line(message)}."

    def batches(places: list[int], stored: Told, rows: int) -> Iterator[Any]:
        selected = ", ".join(identifier(described[place][0]) for place in places)
        return _query_batches(f"SELECT {selected} FROM {table}", rows)

    def lazy(places: list[int]) -> LazyTable:
        columns = {names[place]: described[place][0] for place in places}
        return DuckTable(connection.sql(f"SELECT * FROM {table}"), columns)

    table, connection = f"read_parquet({quoted_path(path)})", _connection()
    try:
        described = connection.execute(f"DESCRIBE SELECT * FROM {table}").fetchall()
        names = _parquet_names(path, connection)
    except duckdb.Error as error:
        raise ValueError(sentence(str(error))) from None
    if len(names) != len(described):
        raise ValueError(sentence("its columns are not those that it names"))
    refuse_equal_names(path, names)
    kinds = [_kind(type_) for _, type_, *_ in described]
    sentences = partial(_errors_as_sentences, sentence)
    return Source(names, kinds, batches, lazy, sentences, repr(str(path)))


def _parquet_names(path: Path, connection: Any) -> list[str]:
    """The names of the columns as they stand in the file.

    DuckDB renames columns that it takes for the same, and Rain and rain are the same to it.
    """
    query = f"SELECT name, num_children FROM parquet_schema({quoted_path(path)})"
    elements = iter(connection.execute(query).fetchall())
    _, n_columns = next(elements)  # the root: all others follow, each before its own parts

    def skip_parts(n_parts: int | None) -> None:
        for _ in range(n_parts or 0):
            skip_parts(next(elements)[1])

    names = []
    for _ in range(n_columns or 0):
        name, n_parts = next(elements)
        skip_parts(n_parts)
        names.append(name)
    return names


def _relation_source(relation: Any) -> Source:
    def sentence(message: str) -> str:
        return f"The DuckDB relation cannot be read: {first_line(message)}."

    def batches(places: list[int], stored: Told, rows: int) -> Iterator[Any]:
        if not _has_pyarrow():
            raise ValueError(
                "Reading a DuckDB relation needs pyarrow, which is not installed. "
                "Run pip install pyarrow, or write the relation to a Parquet file and name that."
            )
        selected = ", ".join(identifier(relation.columns[place]) for place in places)
        return arrow_batches(relation.project(selected), rows)

    def lazy(places: list[int]) -> LazyTable:
        names = [relation.columns[place] for place in places]
        return DuckTable(relation, dict(zip(names, names, strict=True)))

    sentences = partial(_errors_as_sentences, sentence)
    with sentences():  # its connection may be closed, its table gone
        names, kinds = relation.columns, [_kind(str(type_)) for type_ in relation.types]
    return Source(names, kinds, batches, lazy, sentences, "The DuckDB relation")


_NUMBERS = {"TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "FLOAT", "DOUBLE"}
_NUMBERS |= {"UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "UHUGEINT", "BIGNUM", "VARINT"}


def _kind(type_: str) -> str:
    """What a column of this type of DuckDB holds.

    >>> [_kind(type_) for type_ in ("DECIMAL(5,2)", "BOOLEAN", "VARCHAR", "DATE", "INTEGER[]")]
    ['number', 'boolean', 'category', 'date', 'other']
    """
    if type_.endswith("]"):
        return "other"
    if type_ in _NUMBERS or type_.startswith("DECIMAL"):
        return "number"
    if type_.startswith(("DATE", "TIME", "INTERVAL")):
        return "date"
    if type_ == "BOOLEAN":
        return "boolean"
    return "category" if type_.startswith(("VARCHAR", "ENUM", "UUID")) else "other"


# blocks ---------------------------------------------------------------------------------------


def _connection() -> Any:
    """A connection of our own: nothing is downloaded, no setting of the user is changed."""
    import duckdb

    config: dict[str, Any] = {
        "autoinstall_known_extensions": "false",
        "autoload_known_extensions": "false",
        "threads": str(min(MOST_THREADS, number_of_threads())),
    }
    connection = duckdb.connect(":memory:", config=config)
    connection.execute("SET enable_progress_bar = false")  # it would go to stdout
    return connection


def _query_batches(query: str, rows: int) -> Iterator[Any]:
    connection = _connection()
    if _has_pyarrow():
        return arrow_batches(connection.sql(query), rows)
    result = connection.execute(query)
    return iter(lambda: list(zip(*result.fetchmany(rows), strict=True)), [])


def _has_pyarrow() -> bool:
    return find_spec("pyarrow") is not None


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


@contextmanager
def _errors_as_sentences(sentence: Callable[[str], str]) -> Iterator[None]:
    import duckdb

    try:
        yield
    except (duckdb.Error, OSError) as error:  # pyarrow hands on the errors of DuckDB as OSError
        raise ValueError(sentence(str(error))) from None
