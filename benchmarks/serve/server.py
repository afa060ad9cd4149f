"""What the store and its server reach: durable learns, predictions, restarts, memory.

    python -m benchmarks server

Each peer is measured in the same run. Prints a table and writes it to SERVER.md beside this file.
"""

import json
import os
import platform
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from datetime import date
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np

import bayesic as by
from benchmarks.measuring import processor, tell_and_keep
from benchmarks.models import one_row
from benchmarks.serve._server_million import BEHIND, of_a_million
from benchmarks.serve._serving import HELLO, Answered, Serving

RESULTS = Path(__file__).with_name("SERVER.md")
MANY = 64  # connections
SECONDS, WARM_UP = 8.0, 2.0
FIRST, ASKED = 5_000, 2_000  # rows that are learned before, and that are sent in turn
WORDS_OF_A_MAIL = 20

Row = list[str]


def line(job: str, ours: str, peer: str, ratio: str = "", bar: str = "") -> Row:
    return [job, ours, peer, ratio, bar]


# the data -----------------------------------------------------------------------------------------


class Bodies:
    """Models in a store that have learned some rows, and files of bodies to send."""

    def __init__(self, folder: Path) -> None:
        self.store, self._folder = folder / "models.store", folder
        rng = np.random.default_rng(0)
        texts, labels = one_row.texts(rng, FIRST + ASKED)
        mails = [" ".join(text.split()[:WORDS_OF_A_MAIL]) for text in texts]
        with by.open_store(self.store) as store:
            for name, model, rows, y in (
                ("table", by.NaiveBayes(), *one_row.table_rows(rng, FIRST + ASKED)),
                ("mail", by.TextClassifier(), mails, labels),
                ("text", by.TextClassifier(), texts, labels),
            ):
                store.create(name, model)
                store.learn(name, rows[:FIRST], y[:FIRST])
                some = list(zip(rows[FIRST:], y[FIRST:], strict=True))
                self._write(name, "predict", [{"row": row} for row, _ in some])
                self._write(name, "learn", [{"row": row, "y": label} for row, label in some])
        self._write("hello", "get", [])

    def _write(self, name: str, verb: str, bodies: list[dict]) -> None:
        self.path(name, verb).write_text("\n".join(map(json.dumps, bodies)))

    def path(self, name: str, verb: str) -> Path:
        return self._folder / f"{name}.{verb}"


def asked(server: Serving, bodies: Bodies, name: str, verb: str, connections: int) -> Answered:
    """Some seconds to warm up, then what is measured."""
    given = (f"/models/{name}/{verb}", bodies.path(name, verb), connections)
    server.clients(*given, WARM_UP).answered()
    return server.clients(*given, SECONDS).answered()


# one row in Python --------------------------------------------------------------------------------


def of_one_row() -> Iterator[Row]:
    rng = np.random.default_rng(0)
    for rows in (one_row.of_table(rng), one_row.of_texts(rng)):
        job, ours, _, theirs, _, ratio, bar = next(rows)
        yield line(f"learn and predict one row, Python: {job}", ours, f"river {theirs}", ratio, bar)


# learning -----------------------------------------------------------------------------------------


def commits(folder: Path, bodies: Bodies) -> float:
    """Commits in a second that SQLite itself makes of one row each, as durable as ours."""
    rows = bodies.path("mail", "learn").read_text().splitlines()
    connection = sqlite3.connect(folder / "plain.db", isolation_level=None)
    connection.execute("pragma journal_mode = wal")
    connection.execute("pragma synchronous = full")
    connection.execute("create table if not exists event (seq integer primary key, body text)")
    number, start = 0, time.perf_counter()
    while (passed := time.perf_counter() - start) < SECONDS:
        connection.execute("begin immediate")
        connection.execute("insert into event (body) values (?)", (rows[number % len(rows)],))
        connection.execute("commit")
        number += 1
    connection.close()
    return number / passed


def of_learning(folder: Path, server: Serving, bodies: Bodies) -> Iterator[Row]:
    before, hello_before = commits(folder, bodies), hellos(folder, bodies, 1)
    one = {name: asked(server, bodies, name, "learn", 1).rate for name in ("mail", "table")}
    rate = (before + commits(folder, bodies)) / 2
    hello = (hello_before + hellos(folder, bodies, 1)) / 2
    for name, learns in one.items():
        job, bar = f"durable learns, 1 connection: {JOBS[name]}", "0.8" if name == "mail" else ""
        yield line(job, f"{learns:,.0f}/s", f"SQLite {rate:,.0f}/s", f"{learns / rate:.2f}", bar)
    yield from of_one_learn(one["mail"], hello, rate)
    for name in ("mail", "table"):
        learns = asked(server, bodies, name, "learn", MANY).rate
        bar = "2,500/s" if name == "mail" else ""
        yield line(
            f"durable learns, {MANY} connections: {JOBS[name]}", f"{learns:,.0f}/s", "", "", bar
        )


def of_one_learn(learns: float, hello: float, commit_rate: float) -> Iterator[Row]:
    """Where the time of one durable learn goes, and the most that one connection could reach."""
    most = 1 / (1 / hello + 1 / commit_rate)
    yield line(
        f"the same beside one hello and one commit after the other: {JOBS['mail']}",
        f"{learns:,.0f}/s, {1000 / learns:.2f} ms",
        f"{most:,.0f}/s, {1000 / hello:.2f} ms of HTTP + {1000 / commit_rate:.2f} ms of commit",
        f"{learns / most:.2f}",
    )
    yield line(
        "one hello and one commit after the other, without any learning",
        f"{most:,.0f}/s",
        f"SQLite {commit_rate:,.0f}/s",
        f"{most / commit_rate:.2f}",
    )


# answering ----------------------------------------------------------------------------------------


def hellos(folder: Path, bodies: Bodies, connections: int) -> float:
    """Answers in a second of a server that only says hello."""
    command = ["-m", HELLO, str(folder / "hello.store")]
    given = "/hello", bodies.path("hello", "get"), connections
    with Serving(bodies.store, command) as server:
        server.clients(*given, WARM_UP).answered()
        return server.clients(*given, SECONDS).answered().rate


def of_answering(folder: Path, server: Serving, bodies: Bodies) -> Iterator[Row]:
    before = hellos(folder, bodies, MANY)
    rates = {name: asked(server, bodies, name, "predict", MANY).rate for name in JOBS}
    rate = (before + hellos(folder, bodies, MANY)) / 2
    for name, answers in rates.items():
        job, bar = f"predictions, {MANY} connections: {JOBS[name]}", "" if name == "text" else "0.4"
        peer = f"hello {rate:,.0f}/s"
        yield line(job, f"{answers:,.0f}/s", peer, f"{answers / rate:.2f}", bar)


def of_both(server: Serving, bodies: Bodies) -> Iterator[Row]:
    """Predictions while others learn as fast as they can."""
    for connections, bar in ((MANY, "5x"), (1, "")):
        alone = asked(server, bodies, "mail", "predict", connections).p99
        learn = bodies.path("mail", "learn")
        learners = server.clients("/models/mail/learn", learn, MANY, SECONDS + WARM_UP + 4)
        beside = asked(server, bodies, "mail", "predict", connections).p99
        n_learned = learners.answered().rate
        yield line(
            f"p99 of predictions, {connections} connection(s), while {MANY} learn "
            f"({n_learned:,.0f}/s): {JOBS['mail']}",
            f"{1000 * beside:.1f} ms",
            f"without {1000 * alone:.1f} ms",
            f"{beside / alone:.1f}x",
            bar,
        )


JOBS = {
    "table": "NaiveBayes, 12 columns",
    "mail": f"TextClassifier, texts of {WORDS_OF_A_MAIL} words",
    "text": f"TextClassifier, texts of {one_row.WORDS_OF_A_TEXT} words",
}


# a million events ---------------------------------------------------------------------------------


def of_events(folder: Path) -> Iterator[Row]:
    found = of_a_million(folder)
    replayed = f"replay of all {found['replayed']:.1f} s"
    events = f"{found['events']:,.0f} events"
    yield line(f"restart, {events}", f"{found['closed']:.1f} s", replayed, "", "3 s")
    job = f"the same, after kill -9, {BEHIND:,} events after the last snapshot"
    yield line(job, f"{found['killed']:.1f} s", replayed, "", "3 s")
    for job, few, many in (
        (f"memory of a server that starts with {events}", "small", "started"),
        (f"memory of a process that has learned {events}", "few", "many"),
    ):
        ours, peer = found[many] / 1e6, f"10,000 events {found[few] / 1e6:,.0f} MB"
        yield line(job, f"{ours:,.0f} MB", peer, f"{found[many] / found[few]:.2f}x", "1.1x")


# the report ---------------------------------------------------------------------------------------


def lines() -> Iterator[Row]:
    yield from of_one_row()
    with tempfile.TemporaryDirectory(dir=os.environ.get("BAYESIC_DISK")) as name:
        folder = Path(name)
        bodies = Bodies(folder)
        with Serving(bodies.store) as server:
            yield from of_answering(folder, server, bodies)
            yield from of_both(server, bodies)
            yield from of_learning(folder, server, bodies)
        yield from of_events(folder)


def report() -> str:
    head = ["job", "bayesic", "peer", "ratio", "to reach"]
    table = "\n".join(f"| {' | '.join(row)} |" for row in [head, ["---"] * len(head), *lines()])
    packages = ["numpy", "starlette", "uvicorn", "h11"]
    with suppress(PackageNotFoundError):
        version("river")
        packages.append("river")
    versions = ", ".join(f"{package} {version(package)}" for package in packages)
    return f"""# The store and its server

Measured {date.today()} with `python -m benchmarks server` on {os.cpu_count()} cores
({processor()}), Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}, {versions}.

The server is `bayesic serve --quiet` in a process of its own, on loopback; clients are another
process, of which each connection asks again as soon as it is answered. Each number is that of
{SECONDS:g} s after {WARM_UP:g} s to warm up. "SQLite" is the number of commits of one row each
(WAL, synchronous=FULL) to the same disk; "hello" is a bare Starlette route under the same settings
of uvicorn. A learn is answered when it is on the disk and counts. A connection that learns alone
waits for HTTP and for the disk, one after the other: the most that it can reach is a hello and a
commit by turns, which the table shows beside it. A restart is all from the start
of the process until the first answer. "To reach" is what we want; where it is missed, it stands
here all the same.

{table}
"""


if __name__ == "__main__":
    tell_and_keep(report, RESULTS, __doc__)
