"""The journal in SQLite: events in their order, models, snapshots. One connection writes.

SQLite before 3.51.3 can damage a file if two connections write or checkpoint at the same moment. So
one connection of one process does both, and all others are opened with mode=ro, which can do
neither. WAL with synchronous=FULL: a commit is on the disk when it returns.
"""

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from time import time as wall_clock
from typing import Any
from urllib.parse import quote

from bayesic.data.spelling import spelt
from bayesic.store.bodies import Row, digest, line_of, row_of
from bayesic.store.errors import DamagedError, DiskError, ReadOnlyError, UnknownIdError
from bayesic.store.events import Event
from bayesic.store.fold import Call

MARK = 0x62617965  # "baye", in the header of the file
VERSION = 1
LAST = 2**63 - 1  # no event has a larger number
PATIENCE = 10.0  # seconds for which a reader waits while the file is repaired after a crash

SCHEMA = """
create table model (
    number integer primary key autoincrement,
    name text not null unique,
    told text not null,           -- JSON: what the first partial_fit is told
    seq integer not null,         -- the event that created it
    bytes blob not null,          -- as it was then
    sha256 text not null,
    cut integer not null          -- up to this event the journal is not whole; 0 if all of it is
);
create table event (
    seq integer primary key autoincrement,
    model integer not null,
    call integer not null,        -- the first event of those that came together
    id text not null,
    time real not null,
    op text not null,
    body text,                    -- JSON: the row; null if there is none, or it was dropped
    digest text                   -- of a row that was dropped
);
create index event_of_model on event (model, seq);
create index event_of_id on event (model, id);
create table snapshot (
    model integer not null,
    seq integer not null,
    bytes blob not null,
    sha256 text not null,
    primary key (model, seq)
);
"""
IS_LAST = """not exists (
    select 1 from event as later
    where later.model = event.model and later.id = event.id and later.seq > event.seq
)"""


@contextmanager
def sentences(path: Any) -> Iterator[None]:
    """What SQLite raises, as one of the errors of a store."""
    try:
        yield
    except sqlite3.OperationalError as error:
        if "readonly" in str(error) or "read-only" in str(error):
            raise ReadOnlyError(
                f"{path} cannot be written: {error}. Open it with {spelt('read_only=True')}, or "
                "make the file and its folder writable."
            ) from error
        raise DiskError(
            f"The disk did not take or give what {path} needs: {error}. What was acknowledged "
            "before is safe, this call is not. Make room or check the disk, and try again."
        ) from error
    except sqlite3.DatabaseError as error:
        raise DamagedError(
            f"{path} is damaged, or no store: {error}. store.verify() tells what is whole; take "
            "the rest from a backup, or from store.export()."
        ) from error


# opening ----------------------------------------------------------------------------------------


def open_to_write(path: Path) -> sqlite3.Connection:
    """The one connection that writes; the file is made if there is none."""
    with sentences(path):
        connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        try:
            _prepare(connection, path)
        except BaseException:
            connection.close()
            raise
    return connection


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    is_new = not path.exists() or path.stat().st_size == 0
    if not is_new:
        check_version(connection, path)
    connection.execute("pragma journal_mode = wal")
    connection.execute("pragma synchronous = full")
    connection.execute("pragma secure_delete = on")  # what is dropped is overwritten
    if connection.execute("pragma user_version").fetchone()[0] == 0:
        connection.executescript(
            f"begin; {SCHEMA} pragma application_id = {MARK}; "
            f"pragma user_version = {VERSION}; commit;"
        )
    connection.execute("begin immediate")  # refused at once where nothing can be written
    connection.execute("rollback")


def open_to_read(path: Path) -> sqlite3.Connection:
    """A connection that can neither write nor checkpoint."""
    if not path.is_file():
        raise FileNotFoundError(f"There is no store {path}. Check the path.")
    address = f"file:{quote(str(path))}?mode=ro"
    if not log_of(path).exists() and not os.access(path.parent, os.W_OK):
        address += "&immutable=1"  # nobody can write, and SQLite could make no file beside it
    with sentences(path):
        connection = sqlite3.connect(
            address, uri=True, isolation_level=None, check_same_thread=False, timeout=PATIENCE
        )
        try:
            check_version(connection, path)
        except BaseException:
            connection.close()
            raise
    return connection


def log_of(path: Path) -> Path:
    """The log that SQLite keeps beside a file that is open for writing."""
    return path.with_name(f"{path.name}-wal")


@contextmanager
def reading(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection that sees one state of the journal, whatever is written meanwhile."""
    connection = open_to_read(path)
    try:
        with sentences(path):
            connection.execute("begin")
            yield connection
    finally:
        connection.close()


def check_version(connection: sqlite3.Connection, path: Path) -> None:
    """Refuse a file that is no store, or one of a later version."""
    (mark,) = connection.execute("pragma application_id").fetchone()
    (version,) = connection.execute("pragma user_version").fetchone()
    if mark != MARK and (mark or version or _has_tables(connection)):
        raise DamagedError(f"{path} is a database of another program, and no store.")
    if version > VERSION:
        raise DamagedError(
            f"{path} was written by a newer bayesic (version {version}; this one reads {VERSION}): "
            "update bayesic to read it."
        )


def _has_tables(connection: sqlite3.Connection) -> bool:
    return bool(connection.execute("select count(*) from sqlite_master").fetchone()[0])


# reading ----------------------------------------------------------------------------------------


def known_event(connection: sqlite3.Connection, model: int, id: str) -> tuple | None:
    """The last event of an id: (seq, op, body, digest); None if there is none."""
    return connection.execute(
        "select seq, op, body, digest from event where model = ? and id = ? "
        "order by seq desc limit 1",
        (model, id),
    ).fetchone()


def row_before(connection: sqlite3.Connection, model: int, id: str, seq: int) -> Row:
    """The row that an id meant before this event."""
    found = connection.execute(
        "select body from event where model = ? and id = ? and seq < ? and op != 'forget' "
        "order by seq desc limit 1",
        (model, id, seq),
    ).fetchone()
    if found is None or found[0] is None:
        raise UnknownIdError(
            f"The row {id!r:.80} is no longer in the journal: it was dropped by "
            "compact(keep_rows=False), so it cannot be taken back out."
        )
    return row_of(found[0])


def events(
    connection: sqlite3.Connection, model: int, after: int, upto: int | None, and_only: str = "1"
) -> Iterator[tuple]:
    """(seq, call, id, time, op, body) of a model, in order."""
    yield from connection.execute(
        "select seq, call, id, time, op, body from event "
        f"where model = ? and seq > ? and seq <= ? and {and_only} order by seq",
        (model, after, LAST if upto is None else upto),
    )


def calls(
    connection: sqlite3.Connection, model: int, after: int, upto: int | None = None
) -> Iterator[Call]:
    """What was learned and forgotten together, in order. What was dropped is not among it."""
    for _, group in groupby(events(connection, model, after, upto), lambda event: event[1]):
        happened = [event for event in group if event[4] != "create"]
        if happened:
            yield _call(connection, model, happened)


def _call(connection: sqlite3.Connection, model: int, happened: list[tuple]) -> Call:
    def rows_before(*ops: str) -> list[Row]:
        of_these = [(id, seq) for seq, _, id, _, op, _ in happened if op in ops]
        return [row_before(connection, model, *each) for each in of_these]

    learned = [row_of(body) for *_, op, body in happened if op in ("learn", "correct")]
    parts = learned, rows_before("forget", "correct"), rows_before("leave")
    return Call(happened[-1][0], *parts, time=happened[-1][3])


def surviving(connection: sqlite3.Connection, model: int, and_only: str = "1") -> Iterator[tuple]:
    """The last event of each row that was not forgotten."""
    which = f"{and_only} and op in ('learn', 'correct', 'adopt') and {IS_LAST}"
    return events(connection, model, 0, None, which)


def history(
    connection: sqlite3.Connection, model: int, after: int, limit: int | None
) -> Iterator[Event]:
    """What happened to a model."""
    for number, (seq, _, id, time_, op, body) in enumerate(events(connection, model, after, None)):
        if number == limit:
            return
        yield Event(seq, op, id, time_, None if body is None else row_of(body))


def latest(
    connection: sqlite3.Connection, model: int, before: int | None, limit: int
) -> list[Event]:
    """What happened to a model last, the latest first."""
    found = connection.execute(
        "select seq, id, time, op, body from event where model = ? and seq < ? "
        "order by seq desc limit ?",
        (model, LAST if before is None else before, limit),
    )
    return [
        Event(seq, op, id, time_, None if body is None else row_of(body))
        for seq, id, time_, op, body in found
    ]


# writing ----------------------------------------------------------------------------------------


class Journal:
    """The connection that writes, and the numbers and times that it gives."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.connection = open_to_write(path)
        with sentences(path):
            self._look()

    def _look(self) -> None:
        numbers = "select max(seq), max(time) from event where seq = (select max(seq) from event)"
        _, last_time = self.connection.execute(numbers).fetchone()
        found = self.connection.execute(
            "select seq from sqlite_sequence where name = 'event'"
        ).fetchone()
        self.last_seq, self.last_time = found[0] if found else 0, last_time or 0.0

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All that is written within is on the disk afterwards, or none of it."""
        with sentences(self.path):
            self.connection.execute("begin immediate")
            try:
                yield
                self.connection.execute("commit")
            except BaseException:
                if self.connection.in_transaction:
                    self.connection.execute("rollback")
                self._look()
                raise

    def now(self) -> float:
        """The time; where the clock goes backwards, that of the last event."""
        self.last_time = max(self.last_time, wall_clock())
        return self.last_time

    def write(
        self,
        model: int,
        op: str,
        ids: Sequence[str],
        rows: Sequence[Row | None],
        time: float | None = None,
        call: int | None = None,
    ) -> list[int]:
        """Write events of one call, and return their numbers.

        time : of the call; now, if it was not asked before
        call : the first event of the call, if it is none of these
        """
        first, now = self.last_seq + 1, self.now() if time is None else time
        seqs = list(range(first, first + len(ids)))
        lines = [None if row is None or op == "leave" else line_of(row) for row in rows]
        digests = [digest(row) if row is not None and op == "leave" else None for row in rows]
        self.connection.executemany(
            "insert into event (seq, model, call, id, time, op, body, digest) "
            "values (?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (seq, model, call or first, id, now, op, line, of_row)
                for seq, id, line, of_row in zip(seqs, ids, lines, digests, strict=True)
            ],
        )
        self.last_seq = first + len(ids) - 1
        return seqs

    def drop(self, model: int, upto: int, keep_rows: bool) -> None:
        """Drop what later events have replaced; without keep_rows all rows, but for digests."""
        of_model = "model = ? and seq <= ? and op != 'create'"
        self.connection.execute(
            f"delete from event where {of_model} and not ({IS_LAST})", (model, upto)
        )
        if not keep_rows:
            for seq, *_, body in list(events(self.connection, model, 0, upto, "body is not null")):
                self.connection.execute(
                    "update event set body = null, digest = ? where seq = ?",
                    (digest(row_of(body)), seq),
                )

    def shrink(self) -> None:
        """Give what was dropped back to the disk."""
        with sentences(self.path):
            self.connection.execute("pragma wal_checkpoint(truncate)")
            self.connection.execute("vacuum")
            self.connection.execute("pragma wal_checkpoint(truncate)")
