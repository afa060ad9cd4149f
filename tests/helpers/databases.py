"""Databases that run what `to_sql` writes: the same rows in all of them."""

import os
import shutil
import sqlite3
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest

TYPES = {str: "text", bool: "boolean", int: "integer", float: "double precision"}
ARROW_TYPES = {"string": "text", "double": "double precision", "int64": "bigint", "bool": "boolean"}
FOLDERS = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: path.parent.name)


class Database:
    """Tables in, rows out."""

    def __init__(self, connection: Any, dialect: str, place: str = "?") -> None:
        """place : where a value stands in a statement"""
        self.connection, self.dialect, self.place = connection, dialect, place

    def answers(
        self, sql: str, columns: Mapping[str, Sequence], table: str = "days", **types: str
    ) -> list[tuple]:
        """What a SELECT that keeps "row" says of these columns, in the order of the rows."""
        name = _quoted(table)
        heads = [
            '"row" integer',
            *(f"{_quoted(c)} {types.get(c) or type_of(v)}" for c, v in columns.items()),
        ]
        self.connection.execute(f"drop table if exists {name}")
        self.connection.execute(f"create table {name} ({', '.join(heads)})")
        places = ", ".join([self.place] * len(heads))
        rows = [*zip(range(n_rows(columns)), *columns.values(), strict=True)]
        self.connection.cursor().executemany(f"insert into {name} values ({places})", rows)
        found = self.connection.execute(sql).fetchall()
        self.connection.execute(f"drop table {name}")
        return [row[1:] for row in sorted(found, key=lambda row: row[0])]


def n_rows(columns: Mapping[str, Sequence]) -> int:
    """How many rows columns have."""
    return len(next(iter(columns.values())))


def type_of(values: Sequence) -> str:
    """The SQL type of a column of Python values, a text if there is none."""
    kinds = {type(value) for value in values if value is not None} or {str}
    return TYPES[float if kinds == {int, float} else kinds.pop()]


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def probabilities(rows: Sequence[tuple]) -> np.ndarray:
    """Rows of numbers as an array, null as NaN."""
    return np.array([[np.nan if cell is None else cell for cell in row] for row in rows], float)


# servers ----------------------------------------------------------------------------------------


def duckdb_in_memory() -> Database:
    """DuckDB."""
    return Database(duckdb.connect(), "duckdb")


def sqlite_in_memory() -> Database:
    """SQLite."""
    return Database(sqlite3.connect(":memory:"), "sqlite")


@contextmanager
def postgresql() -> Iterator[Database]:
    """A PostgreSQL server of its own in a temporary folder, which only this process asks."""
    psycopg = _needed()
    folder = Path(tempfile.mkdtemp(prefix="bayesic-"))
    user = "postgres" if os.geteuid() == 0 else None  # it does not run as root
    if user is not None:
        shutil.chown(folder, user)
    data, quiet = str(folder / "data"), {"check": True, "capture_output": True, "user": user}
    locale = ["--encoding=UTF8", "--locale=C", "--username=postgres", "--auth=trust", "--no-sync"]
    subprocess.run([FOLDERS[-1] / "initdb", "-D", data, *locale], cwd=folder, **quiet)
    options = f"-c listen_addresses='' -c fsync=off -k {folder}"
    control = [FOLDERS[-1] / "pg_ctl", "-D", data, "-w", "-l", str(folder / "log")]
    subprocess.run([*control, "-o", options, "start"], cwd=folder, **quiet)
    try:
        # The table of one test has other types than the one before: a statement that was prepared
        # for the earlier one would take a word for a boolean.
        with psycopg.connect(
            host=str(folder), user="postgres", autocommit=True, prepare_threshold=None
        ) as connection:
            yield Database(connection, "postgresql", "%s")
    finally:
        subprocess.run([*control, "-m", "immediate", "stop"], cwd=folder, **quiet)
        shutil.rmtree(folder)


def on_server(database: Database, table: Any, name: str = "days") -> tuple[Any, Any]:
    """A connection of Ibis to the server, and a pyarrow table there."""
    ibis = pytest.importorskip("ibis")
    info = database.connection.info
    types = [ARROW_TYPES[str(field.type)] for field in table.schema]
    quoted = map(_quoted, table.column_names)
    heads = ", ".join(f"{column} {type_}" for column, type_ in zip(quoted, types, strict=True))
    database.connection.execute(f"drop table if exists {name} cascade")
    database.connection.execute(f"create table {name} ({heads})")
    places = ", ".join(["%s"] * len(types))
    rows = [*zip(*table.to_pydict().values(), strict=True)]
    database.connection.cursor().executemany(f"insert into {name} values ({places})", rows)
    connection = ibis.postgres.connect(host=info.host, user="postgres", database="postgres")
    return connection, connection.table(name)


@contextmanager
def tables_on(database: Database) -> Iterator[Callable[[Any], Any]]:
    """What puts a pyarrow table on the server and gives it as a table of Ibis."""
    with ExitStack() as opened:

        def put(table: Any) -> Any:
            connection, found = on_server(database, table)
            opened.callback(connection.disconnect)
            return found

        yield put


def _needed() -> Any:
    """psycopg, where it and PostgreSQL are installed; elsewhere tests are skipped, or fail."""
    try:
        import psycopg
    except ImportError:
        psycopg = None
    if psycopg is not None and FOLDERS:
        return psycopg
    missing = "psycopg is" if FOLDERS else "PostgreSQL (Debian: postgresql-15) is"
    if os.environ.get("BAYESIC_POSTGRES_TESTS") == "required":
        pytest.fail(f"BAYESIC_POSTGRES_TESTS=required, but {missing} not installed.")
    pytest.skip(f"{missing} not installed: nothing is tried on a PostgreSQL server.")
