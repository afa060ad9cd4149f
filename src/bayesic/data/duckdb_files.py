"""CSV and Parquet files and DuckDB relations as sources: DuckDB reads and converts.

In a CSV file, columns that hold numbers only (as far as DuckDB looks to find out, some 20,000 rows)
are numbers. All others are text exactly as written: 'true' stays 'true'.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

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
from bayesic.data.engines import Batch, LazyTable, StoredTable, Told

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

# More threads read faster than anyone learns, and each of them needs its own buffers.
MOST_THREADS = 4
ROWS_TO_CHECK = 50_000  # at once, where a file cannot be read
SMALL_FILE = 100_000  # bytes, whose rows are read before pyarrow and pandas are loaded


def csv_table(path: Path) -> StoredTable:
    """A CSV file, of which DuckDB has looked at the first rows."""
    file = open_csv(path)

    def sentence(message: str) -> str:
        return csv_sentence(message, file)

    def batches(places: list[int], stored: Told, rows: int) -> Iterator[Batch]:
        columns = [Column(name, stored.get(name)) for name in file.names]
        read_as = [_read_as(column, type_) for column, type_ in zip(columns, types, strict=True)]
        is_small = path.stat().st_size <= SMALL_FILE
        return _query_batches(csv_query(file, read_as, places), rows, is_small)

    types = _sniffed_types(file)
    sentences = partial(_errors_as_sentences, sentence)
    # not lazy: to read the file is most of the work, and each group would read it again
    return StoredTable(
        file.names, list(map(_kind, types)), batches, None, sentences, repr(str(path))
    )


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
        while result.fetchmany(ROWS_TO_CHECK):
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


def parquet_table(path: Path) -> StoredTable:
    """A Parquet file, which knows its types."""
    import duckdb

    def sentence(message: str) -> str:
        return f"{path} cannot be read as a Parquet file: {first_line(message)}."

    def batches(places: list[int], stored: Told, rows: int) -> Iterator[Batch]:
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
    return StoredTable(names, kinds, batches, lazy, sentences, repr(str(path)))


def _parquet_names(path: Path, connection: "DuckDBPyConnection") -> list[str]:
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


def relation_table(relation: Any) -> StoredTable:
    """A relation, in the connection that it belongs to."""

    def sentence(message: str) -> str:
        return f"The DuckDB relation cannot be read: {first_line(message)}."

    def batches(places: list[int], stored: Told, rows: int) -> Iterator[Batch]:
        if not has_pyarrow():
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
    return StoredTable(names, kinds, batches, lazy, sentences, "The DuckDB relation")


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


# connections ----------------------------------------------------------------------------------


def _connection() -> "DuckDBPyConnection":
    """A connection of our own: nothing is downloaded, no setting of the user is changed."""
    import duckdb

    config: dict[str, str | bool | int | float | list[str]] = {
        "autoinstall_known_extensions": "false",
        "autoload_known_extensions": "false",
        "threads": str(min(MOST_THREADS, number_of_threads())),
    }
    connection = duckdb.connect(":memory:", config=config)
    # at a prompt it is on, and would go to stdout; where Jupyter has no widgets it cannot be set
    if connection.execute("SELECT current_setting('enable_progress_bar')").fetchall() == [(True,)]:
        connection.execute("SET enable_progress_bar = false")
    return connection


def _query_batches(query: str, rows: int, is_small: bool = False) -> Iterator[Batch]:
    connection = _connection()
    if has_pyarrow() and not is_small:
        return arrow_batches(connection.sql(query), rows)
    result = connection.execute(query)
    return iter(lambda: list(zip(*result.fetchmany(rows), strict=True)), [])


def has_pyarrow() -> bool:
    """Whether rows can be handed on as they are."""
    return find_spec("pyarrow") is not None


@contextmanager
def _errors_as_sentences(sentence: Callable[[str], str]) -> Iterator[None]:
    import duckdb

    try:
        yield
    except (duckdb.Error, OSError) as error:  # pyarrow hands on the errors of DuckDB as OSError
        raise ValueError(sentence(str(error))) from None
