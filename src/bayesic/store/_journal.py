"""The journal in SQLite: events in their order, models, snapshots. One connection writes.

SQLite before 3.51.3 can damage a file if two connections write or checkpoint at the same moment. So
one connection of one process does both, and all others are opened with mode=ro, which can do
neither. WAL with synchronous=FULL: a commit is on the disk when it returns.
"""

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from time import time as wall_clock
from urllib.parse import quote

from bayesic.data.arguments import tell
from bayesic.data.spelling import spelt
from bayesic.store._index_checks import are_made_anew, damage_of, read_by_table
from bayesic.store._journal_lines import (
    CELLS,
    NO_HEAD,
    JournalConnection,
    checked,
    last_of_ids,
    lines,
    refuse,
)
from bayesic.store._seals import (
    START,
    chain_of,
    read_head,
    seal_events,
    seal_of,
    write_head,
)
from bayesic.store._versions import MARK, SCHEMA, VERSION, upgrade, views
from bayesic.store.errors import ClockError, DamagedError, DiskError, ReadOnlyError
from bayesic.store.plain_rows import Row, digest, line_of

PATIENCE = 10.0  # seconds for which a reader waits while the file is repaired after a crash
LEAP = 366 * 86400.0  # seconds after the last event, beyond which a clock is doubted
BEHIND = 3600.0  # seconds before the last event, from which on there is a warning
NO_INDEXES = (
    "Its events are read without its indexes, which takes longer. verify() tells what is whole."
)
MOST = 2**62  # a larger number of an event is no number that was given


@contextmanager
def sentences(path: object) -> Iterator[None]:
    """What SQLite raises, as one of the errors of a store."""
    try:
        yield
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode == sqlite3.SQLITE_ERROR:  # tables are not as they should be
            raise _damaged(path, error) from error
        if "readonly" in str(error) or "read-only" in str(error):
            raise ReadOnlyError(
                f"{path} cannot be written: {error}. Open it with {spelt('read_only=True')}, or "
                "make the file and its folder writable."
            ) from error
        raise DiskError(
            f"The disk did not take or give what {path} needs: {error}. What was acknowledged "
            "before is safe, this call is not. Make room or check the disk, and try again."
        ) from error
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:  # or what it says is no text
        raise _damaged(path, error) from error


def _damaged(path: object, error: Exception) -> DamagedError:
    return DamagedError(
        f"{path} is damaged, or no store: {error}. store.verify() tells what is whole; take "
        "the rest from a backup, or from store.export()."
    )


# opening ----------------------------------------------------------------------------------------


def open_to_write(path: Path) -> JournalConnection:
    """The one connection that writes; the file is made if there is none."""
    with sentences(path):
        connection = sqlite3.connect(
            path, isolation_level=None, check_same_thread=False, factory=JournalConnection
        )
        try:
            _prepare(connection, path)
        except BaseException:
            connection.close()
            raise
    return connection


def _prepare(connection: JournalConnection, path: Path) -> None:
    is_new = not path.exists() or path.stat().st_size == 0
    if not is_new:
        check_version(connection, path)
    connection.text_factory = _text
    connection.execute("pragma journal_mode = wal")
    connection.execute("pragma synchronous = full")
    connection.execute("pragma secure_delete = on")  # what is dropped is overwritten
    version = version_of(connection)
    if version and (damage := damage_of(connection)):
        _repair(connection, path, damage)
    if version == 0:
        connection.executescript(
            f"begin; {SCHEMA} pragma application_id = {MARK}; "
            f"pragma user_version = {VERSION}; commit;"
        )
    elif version < VERSION:
        upgrade(connection)
    connection.execute("begin immediate")  # refused at once where nothing can be written
    connection.execute("rollback")


def _repair(connection: JournalConnection, path: Path, damage: str) -> None:
    """Make the indexes of a damaged file anew; where that does not help, do not use them."""
    is_sealed = version_of(connection) == VERSION
    if are_made_anew(connection, is_sealed):
        tell(
            f"The indexes of {path} were damaged ({damage}). They were made anew from its events, "
            "which are whole."
        )
        return
    tell(f"{path} is damaged: {damage}. {NO_INDEXES}")
    if is_sealed:
        read_by_table(connection, is_sealed)


def open_to_check(path: Path) -> tuple[JournalConnection, bool]:
    """A connection that reads, and whether the file is damaged, so that its indexes are not used.

    This looks at the whole file.
    """
    connection = open_to_read(path)
    damage = damage_of(connection)
    if damage is None:
        return connection, False
    connection.close()
    tell(f"{path} is damaged: {damage}. {NO_INDEXES}")
    return open_to_read(path, by_table=True), True


def open_to_read(path: Path, by_table: bool = False) -> JournalConnection:
    """A connection that can neither write nor checkpoint.

    by_table : without the indexes of the file, which are damaged
    """
    if not path.is_file():
        raise FileNotFoundError(f"There is no store {path}. Check the path.")
    address = f"file:{quote(str(path))}?mode=ro"
    if not log_of(path).exists() and not os.access(path.parent, os.W_OK):
        address += "&immutable=1"  # it cannot change, and SQLite could make no file beside it
    with sentences(path):
        connection = sqlite3.connect(
            address,
            uri=True,
            isolation_level=None,
            check_same_thread=False,
            timeout=PATIENCE,
            factory=JournalConnection,
        )
        try:
            check_version(connection, path)
            connection.text_factory = _text
            is_sealed = version_of(connection) == VERSION
            if by_table:
                read_by_table(connection, is_sealed)
            elif not is_sealed:
                connection.executescript(views(is_sealed, by_table))
        except BaseException:
            connection.close()
            raise
    return connection


def log_of(path: Path) -> Path:
    """The log that SQLite keeps beside a file that is open for writing."""
    return path.with_name(f"{path.name}-wal")


@contextmanager
def reading(path: Path, by_table: bool = False) -> Iterator[JournalConnection]:
    """A connection that sees one state of the journal, whatever is written meanwhile."""
    connection = open_to_read(path, by_table)
    try:
        with sentences(path):
            connection.execute("begin")
            yield connection
    finally:
        connection.close()


def check_version(connection: sqlite3.Connection, path: Path) -> None:
    """Refuse a file that is no store, or one of a later version."""
    (mark,) = connection.execute("pragma application_id").fetchone()
    version = version_of(connection)
    if mark != MARK and (mark or version or _has_tables(connection)):
        raise DamagedError(f"{path} is a database of another program, and no store.")
    if version > VERSION:
        raise DamagedError(
            f"{path} was written by a newer bayesic (version {version}; this one reads {VERSION}): "
            "update bayesic to read it."
        )


def version_of(connection: sqlite3.Connection) -> int:
    """The version of the tables; 0 if there are none yet."""
    return connection.execute("pragma user_version").fetchone()[0]


def _text(data: bytes) -> str:
    """Damaged texts too, so that their seal can be looked at."""
    return data.decode(errors="surrogateescape")


def _has_tables(connection: sqlite3.Connection) -> bool:
    return bool(connection.execute("select count(*) from sqlite_master").fetchone()[0])


def _moment(time: float) -> str:
    """A time for a sentence; the year 9999 is the last that it can have."""
    return (
        f"{datetime.fromtimestamp(min(max(time, 0.0), 253_402_214_400.0), UTC):%Y-%m-%d %H:%M} UTC"
    )


# writing ----------------------------------------------------------------------------------------


class Journal:
    """The connection that writes, and the numbers and times that it gives."""

    def __init__(self, path: Path, trust_clock: bool = False) -> None:
        self.path, self._trusts_clock = path, trust_clock
        self.connection = open_to_write(path)
        self._file = path.stat()
        with sentences(path):
            self._look()
        if self.last_time and self.last_time - wall_clock() > BEHIND:
            tell(
                f"The clock is behind the last event of {path}, of {_moment(self.last_time)}. "
                "Until it is there, new events get the time of that one, and windows and rows that "
                "fade stand still. If the clock was wrong then, learn what export() writes in a "
                "new model."
            )

    def _look(self) -> None:
        self._chains: dict[int, bytes] = {}  # of the last events of models, as far as known
        last = self.connection.execute(
            f"select {CELLS} from event where seq = (select max(seq) from event)"
        ).fetchone()
        given = self.connection.execute("select seq from sqlite_sequence where name = 'event'")
        self.last_seq = max([0, *(last or ())[:1], *(given.fetchone() or ())])
        if self.last_seq > MOST:
            refuse(f"The last event cannot have the number {self.last_seq}.")
        try:
            self.last_time = checked(last).time if last else 0.0
        except DamagedError:  # its model says so
            self.last_time = 0.0

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All that is written within is on the disk afterwards, or none of it."""
        self._check_place()
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

    def _check_place(self) -> None:
        """Refuse to write where the file has another name: its log stays behind at the old one."""
        try:
            is_there = os.path.samestat(self.path.stat(), self._file)
        except FileNotFoundError:
            is_there = False
        if not is_there:
            raise DiskError(
                f"{self.path} was moved, replaced or removed while it is open, and nothing more is "
                "written: the log beside it would be lost. What was acknowledged is in both. Move "
                "the file back, close the store, and move it then."
            )

    def now(self) -> float:
        """The time; where the clock goes backwards, that of the last event."""
        clock = wall_clock()
        if self.last_time and clock - self.last_time > LEAP and not self._trusts_clock:
            raise ClockError(
                f"The clock says {_moment(clock)}, and the last event of {self.path} is of "
                f"{_moment(self.last_time)}, more than a year before. A wrong time could not be "
                "taken back: rows would leave windows and fade. Set the clock right; or if it is, "
                f"say so once: {spelt('open_store(path, trust_clock=True)')}, and learn a row."
            )
        self.last_time = max(self.last_time, clock)
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
        chain, given = self._chain(model), []
        for seq, (id, row) in enumerate(zip(ids, rows, strict=True), start=first):
            left = row is not None and op == "leave"
            line = None if row is None or left else line_of(row)
            of_row = digest(row) if row is not None and left else None
            cells = (seq, model, call or first, id, now, op, line, of_row)
            seal = seal_of(*cells)
            chain = chain_of(chain, seal)
            given.append((*cells, seal, chain))
        self.connection.executemany(
            f"insert into main.event ({CELLS}) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", given
        )
        self.last_seq = first + len(ids) - 1
        self._chains[model] = chain
        write_head(self.connection, model, self.last_seq, chain)
        return list(range(first, first + len(ids)))

    def _chain(self, model: int) -> bytes:
        """The chain of the last event of a model."""
        if model not in self._chains:
            has_begun = "select 1 from event where model = ?"
            if self.connection.execute(has_begun, (model,)).fetchone() is None:
                return START
            head = read_head(self.connection, model)
            self._chains[model] = refuse(NO_HEAD) if head is None else head[1]
        return self._chains[model]

    def drop(self, model: int, upto: int, keep_rows: bool) -> None:
        """Drop what later events have replaced; without keep_rows all rows, but for digests."""
        of_model = "model = ? and seq <= ? and op != 'create'"
        last = last_of_ids(self.connection, model)
        self.connection.execute(
            f"delete from main.event where {of_model} and not ({last})", (model, upto)
        )
        if not keep_rows:
            rows = lines(self.connection, model, 0, upto, "body is not null")
            self.connection.executemany(
                "update main.event set body = null, digest = ? where seq = ?",
                [(digest(line.row), line.seq) for line in rows if line.row is not None],
            )
        seal_events(self.connection, model)
        self._chains.pop(model, None)

    def shrink(self) -> None:
        """Give what was dropped back to the disk."""
        with sentences(self.path):
            self.connection.execute("pragma wal_checkpoint(truncate)")
            self.connection.execute("vacuum")
            self.connection.execute("pragma wal_checkpoint(truncate)")
