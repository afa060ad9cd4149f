"""Counting where the data is, against the engine alone, and against fetching the rows.

    python -m benchmarks engines
    python -m benchmarks engines --rows 30000 --gigabytes 0.01 --dry    # to see that it runs
    python -m benchmarks engines --network alarm.bif                    # a network of your own

Prints a table and writes it to ENGINES.md beside this file. A row for PostgreSQL is measured where
a server is installed.
"""

import argparse
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import date
from importlib.metadata import version
from pathlib import Path
from typing import Any
from unittest import mock

import duckdb
import numpy as np
import pyarrow as pa
from pyarrow import parquet

import bayesic as by
from benchmarks.data import streaming
from benchmarks.measuring import measure_and_keep, processor

RESULTS = Path(__file__).with_name("ENGINES.md")
TESTS = Path(__file__).parents[2] / "tests"
WORDS, NUMBERS, REPEATS = 8, 4, 3
N_VARIABLES, N_STATES = 37, 3  # of the network that is made if none is given: as large as ALARM

ALONE = """
import sys, time, warnings
from pathlib import Path
warnings.simplefilter("ignore")
import bayesic as by
from pyarrow import parquet
how, path = sys.argv[1:]
start = time.perf_counter()
by.learn_structure(path if how == "file" else parquet.read_table(path), restarts=0)
seconds = time.perf_counter() - start
peak = int(Path("/proc/self/status").read_text().split("VmHWM:")[1].split()[0]) / 1e3
print(seconds, peak)
"""
COMMAND = """
import sys, time
from pathlib import Path
from bayesic.cli.main import main
start = time.perf_counter()
try:
    main()
except SystemExit as end:
    assert not end.code, end.code
seconds = time.perf_counter() - start
peak = int(Path("/proc/self/status").read_text().split("VmHWM:")[1].split()[0]) / 1e3
print(seconds, peak)
"""


def seconds_of(function: Callable[[], object]) -> float:
    """The shortest of some runs."""
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return min(times)


def line(job: str, ours: float, peer: str, theirs: float, bar: str) -> list[str]:
    return [job, f"{ours:.2f} s", peer, f"{theirs:.2f} s", f"{ours / theirs:.2f}x", bar]


# naive Bayes --------------------------------------------------------------------------------------


def table_query(n_rows: int) -> str:
    """Words and numbers that hang together with the class."""
    words = [
        f"'value ' || ((hash(i, {at}) + hash(i, 'class') % 3) % {5 * (at + 1)}) AS word_{at}"
        for at in range(WORDS)
    ]
    numbers = [
        f"sqrt(-2 * ln((1 + hash(i, 'radius', {at}) % 1000003) / 1000004.0)) * "
        f"cos(hash(i, 'angle', {at}) % 6283 / 1000.0) + hash(i, 'class') % 3 AS number_{at}"
        for at in range(NUMBERS)
    ]
    label = "['ham', 'news', 'spam'][CAST(1 + hash(i, 'class') % 3 AS BIGINT)] AS mail"
    return f"SELECT {', '.join([*words, *numbers, label])} FROM range({n_rows}) AS rows(i)"


def duckdb_alone(path: Path) -> Callable[[], object]:
    """The same groups, and the moments by class."""
    table = f"read_parquet('{path}')"
    groups = " UNION ALL ".join(
        f"SELECT {at}, mail, word_{at}, count(*) FROM {table} GROUP BY mail, word_{at}"
        for at in range(WORDS)
    )
    each = ", ".join(f"avg(number_{at}), var_pop(number_{at})" for at in range(NUMBERS))
    connection = duckdb.connect(config={"threads": str(os.cpu_count())})

    def counted() -> None:
        connection.execute(groups).fetchall()
        connection.execute(f"SELECT mail, count(*), {each} FROM {table} GROUP BY mail").fetchall()

    return counted


def of_files(n_rows: int, folder: Path) -> Iterator[list[str]]:
    path = folder / "mails.parquet"
    duckdb.connect().execute(f"COPY ({table_query(n_rows)}) TO '{path}' (FORMAT parquet)")
    size = f"Parquet, {n_rows:,} x ({WORDS} words + {NUMBERS} numbers)"
    gaussian = by.NaiveBayes(numeric="gaussian")
    ours = seconds_of(lambda: gaussian.fit(path, y="mail"))
    theirs = seconds_of(duckdb_alone(path))
    yield line(f"NaiveBayes.fit, {size}, gaussian", ours, "DuckDB alone", theirs, "2.5x")
    table = parquet.read_table(path)
    ours = seconds_of(lambda: by.NaiveBayes().fit(path, y="mail"))
    theirs = seconds_of(lambda: by.NaiveBayes().fit(table, y="mail"))
    yield line("the same, default kinds", ours, "fit of the table in memory", theirs, "1x")


def of_server(n_rows: int) -> Iterator[list[str]]:
    sys.path.append(str(TESTS))
    from helpers.databases import FOLDERS, postgresql

    try:
        import ibis
    except ImportError:
        ibis = None
    if not FOLDERS or ibis is None:
        return
    table = duckdb.connect().sql(table_query(n_rows)).fetchall()
    names = [f"word_{at}" for at in range(WORDS)] + [f"number_{at}" for at in range(NUMBERS)]
    heads = [f"{name} {'text' if name[0] == 'w' else 'double precision'}" for name in names]
    with postgresql() as database:
        database.connection.execute(f"CREATE TABLE mails ({', '.join(heads)}, mail text)")
        with (
            database.connection.cursor() as cursor,
            cursor.copy("COPY mails FROM STDIN") as copy,
        ):
            for row in table:
                copy.write_row(row)
        database.connection.execute("ANALYZE mails")  # which a server does by itself, a bit later
        del table
        host = database.connection.info.host
        engine = ibis.postgres.connect(host=host, user="postgres", database="postgres")

        def fetched() -> None:
            with database.connection.cursor() as cursor:
                rows = cursor.execute("SELECT * FROM mails").fetchall()
            columns = dict(zip([*names, "mail"], map(list, zip(*rows, strict=True)), strict=True))
            by.NaiveBayes().fit(columns, y="mail")

        ours = seconds_of(lambda: by.NaiveBayes().fit(engine.table("mails"), y="mail"))
        theirs = seconds_of(fetched)
        engine.disconnect()
    job = f"NaiveBayes.fit, PostgreSQL through Ibis, {n_rows:,} rows"
    yield line(job, ours, "fetch and fit", theirs, "0.25x")


# networks -----------------------------------------------------------------------------------------


def own_network() -> by.BeliefNetwork:
    """A network as large as ALARM: each variable has up to two of the four before it as parents."""
    rng = np.random.default_rng(7)
    names = [f"v{number}" for number in range(N_VARIABLES)]
    states = [f"state {number}" for number in range(N_STATES)]
    edges, tables = [], {}
    for number, name in enumerate(names):
        some = rng.choice(range(max(0, number - 4), number), min(number, 2), replace=False)
        edges += [(names[parent], name) for parent in sorted(some.tolist())]
        shape = (N_STATES,) * len(some)
        tables[name] = rng.dirichlet(np.full(N_STATES, 0.5), shape)
    return by.BeliefNetwork(edges, tables, dict.fromkeys(names, states))


def write_rows(network: by.BeliefNetwork, n_rows: int, path: Path) -> None:
    writer = None
    for start in range(0, n_rows, 500_000):
        rows = pa.table(network.sample(min(500_000, n_rows - start), seed=start))
        writer = writer or parquet.ParquetWriter(path, rows.schema)
        writer.write_table(rows)
    if writer is not None:
        writer.close()


def of_networks(n_rows: int, folder: Path, file: Path | None) -> Iterator[list[str]]:
    network = own_network() if file is None else by.read_network(file)
    path, name = folder / "cases.parquet", "own network" if file is None else file.stem
    write_rows(network, n_rows, path)

    def learned() -> by.BeliefNetwork:
        states: dict[str, Any] = dict.fromkeys(network.variables)
        return by.BeliefNetwork(network.edges, states=states).fit(path, smoothing=1)

    size = f"{name} of {len(network.variables)} variables, Parquet, {n_rows:,} rows"
    ours = seconds_of(learned)
    with mock.patch("bayesic.networks.codes._families_at_source", lambda *_: None):
        theirs = seconds_of(learned)
    yield line(f"BeliefNetwork.fit, {size}", ours, "read block by block", theirs, "0.2x")
    (ours, mine), (theirs, others) = (alone(ALONE, how, str(path)) for how in ("file", "memory"))
    row = line(f"learn_structure, {size}", ours, "the table in memory", theirs, "3x, 500 MB")
    row[1], row[3] = f"{row[1]}, {mine:.0f} MB", f"{row[3]}, {others:.0f} MB"
    yield row


def alone(program: str, *arguments: str) -> tuple[float, float]:
    """Seconds and peak memory in MB of a program in a process of its own."""
    command = [sys.executable, "-c", program, *arguments]
    answer = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    seconds, megabytes = answer.split()[-2:]
    return float(seconds), float(megabytes)


def of_command(gigabytes: float, folder: Path) -> Iterator[list[str]]:
    path = folder / "mails.csv"
    streaming.make_file(path, int(gigabytes * 1e9 / streaming.BYTES_PER_ROW))
    model = str(folder / "mails.bayes")
    seconds, megabytes = alone(COMMAND, "fit", str(path), "--target", "mail", "--out", model)
    size = path.stat().st_size / 1e9
    bar = f"{8 * size:.3g} s, 500 MB"  # 40 s for 5 GB
    yield [
        f"bayesic fit, CSV, {size:.3g} GB",
        f"{seconds:.2f} s, {megabytes:.0f} MB",
        "",
        "",
        "",
        bar,
    ]


# the report ---------------------------------------------------------------------------------------


def report(n_rows: int, gigabytes: float, network: Path | None) -> str:
    head = ["job", "bayesic", "against", "time", "ratio", "to reach"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rows = [
            head,
            ["---"] * len(head),
            *of_files(n_rows, folder),
            *of_server(n_rows // 3),
            *of_networks(n_rows, folder, network),
            *of_command(gigabytes, folder),
        ]
    table = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    packages = ", ".join(f"{name} {version(name)}" for name in ("duckdb", "narwhals", "pyarrow"))
    return f"""# Engines

Measured {date.today()} with `python -m benchmarks engines` on {os.cpu_count()} cores
({processor()}), Python {platform.python_version()}, numpy {version("numpy")}, {packages}.

The engine counts, and the groups come. DuckDB alone counts the same groups and moments, without
tables of values, which every model here keeps. "Fetch and fit" brings all rows through psycopg into
lists. Structures are climbed without restarts, in processes of their own, with their peak memory.
The ratio is our time divided by the other; what is to be reached is at most that. Where it is
missed, it stands here all the same.

{table}
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--dry", action="store_true", help=f"do not write {RESULTS.name}")
    parser.add_argument("--rows", type=int, default=3_000_000, help="of tables and networks")
    parser.add_argument("--gigabytes", type=float, default=5.0, help="of the CSV file")
    parser.add_argument("--network", type=Path, help="a network file, such as alarm.bif")
    asked = parser.parse_args()
    measure_and_keep(lambda: report(asked.rows, asked.gigabytes, asked.network), RESULTS, asked.dry)


if __name__ == "__main__":
    main()
