"""The events of a journal, read and checked: what was changed is reported, and never used."""

import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import groupby, islice
from typing import Any, NamedTuple, NoReturn, TypeVar

from bayesic.data.arguments import tell
from bayesic.store._fold import Call
from bayesic.store._seals import START, UNSEALED, chain_of, is_whole, read_head
from bayesic.store.errors import DamagedError, UnknownIdError
from bayesic.store.journal_events import Event
from bayesic.store.plain_rows import Row, row_of

LAST = 2**63 - 1  # no event has a larger number
NO_CHAIN = b"none"  # that nothing follows
MOST_TRIED = 10**6  # numbers of events that are tried behind a page that cannot be read
ALL = "1"
IS_LAST = """not exists (
    select 1 from event as later
    where later.model = event.model and later.id = event.id and later.seq > event.seq
)"""
OF_MODEL = "select seq from event where model = ? order by seq limit -1"
# without the index of ids, which no chain guards: it does not have call
IN_ORDER = "select seq, id from event where model = ? and typeof(call) != '' order by seq limit -1"
ADVICE = (
    "verify() lists all that is damaged. Take the store from a backup; or export() the rows that "
    "are whole, and learn them in a new model."
)

NO_HEAD = "Which event of a model is the last one cannot be read: its head is damaged."

Found = TypeVar("Found")
Problem = Callable[[str], None]  # is called with what is wrong


class JournalConnection(sqlite3.Connection):
    """A connection to a journal."""

    by_table = False  # whether its indexes are damaged, and not used

    def __init__(self, *given: Any, **by_name: Any) -> None:
        super().__init__(*given, **by_name)
        self.known_whole: set[int] = set()  # models of which all events were looked at


class JournalLine(NamedTuple):
    """An event as it is in the file."""

    seq: int
    model: int
    call: int
    id: str
    time: float
    op: str
    body: str | None
    digest: str | None
    seal: Any
    chain: object

    @property
    def row(self) -> Row | None:
        """The row, as learned or corrected; None where there is none, or it was dropped."""
        try:
            return None if self.body is None else row_of(self.body)
        except (ValueError, TypeError, LookupError) as error:  # damaged before it was sealed
            raise DamagedError(f"{damaged(self.seq)} {ADVICE}") from error


CELLS = ", ".join(JournalLine._fields)


def damaged(seq: int) -> str:
    """The sentence about an event that was changed."""
    return f"Event {seq} is damaged: it is not what was written."


def refuse(problem: str) -> NoReturn:
    """Raise a problem."""
    raise DamagedError(f"{problem} {ADVICE}")


def checked(found: tuple) -> JournalLine:
    """The event of these cells; refused if it is damaged."""
    line = JournalLine(*found)
    if not is_whole(line.seal, *found[:-2]):
        refuse(damaged(line.seq))
    return line


def lines(
    connection: sqlite3.Connection,
    model: int,
    after: int = 0,
    upto: int | None = None,
    and_only: str = ALL,
    problem: Problem = refuse,
) -> Iterator[JournalLine]:
    """The events of a model that are as they were written, in order.

    and_only : a condition, in SQL. With one, it cannot be seen whether events are missing
    problem  : is called with what is damaged or missing; unless it raises, the rest is read
    """
    found = _found(connection, model, after, LAST if upto is None else upto, and_only, problem)
    if and_only != ALL:
        yield from _sealed(found, problem)
        return
    before = _chain_before(connection, model, after)
    for line in found:
        follows = chain_of_line(before, line)
        if not is_whole(line.seal, *line[:-2]):
            problem(damaged(line.seq))
        else:
            if before and line.chain not in follows and line.chain != UNSEALED:
                problem(f"Before event {line.seq} an event of this model is missing or damaged.")
            yield line
        before = {line.chain, *follows}  # if one of them is damaged, the next follows the other
    _check_end(connection, model, LAST if upto is None else upto, before, problem)


def _sealed(found: Iterator[JournalLine], problem: Problem) -> Iterator[JournalLine]:
    for line in found:
        if is_whole(line.seal, *line[:-2]):
            yield line
        else:
            problem(damaged(line.seq))


def chain_of_line(before: Collection[object], line: JournalLine) -> set[bytes]:
    """What the chain of an event is, after one of these."""
    if not isinstance(line.seal, bytes):
        return set()
    return {chain_of(chain, line.seal) for chain in before if isinstance(chain, bytes)}


def _chain_before(connection: sqlite3.Connection, model: int, after: int) -> set[object]:
    """The chain of the last event up to this one; empty if it cannot be read."""
    if after <= 0:
        return {START}
    try:
        found = connection.execute(
            "select seq, chain from event where model = ? and seq <= ? order by seq desc limit 1",
            (model, after),
        ).fetchone()
    except sqlite3.DatabaseError:
        return set()
    if found is None:
        return {START}
    seq, chain = found
    return {chain if seq <= after else NO_CHAIN}  # the index has it at another place


def _check_end(
    connection: sqlite3.Connection,
    model: int,
    upto: int,
    before: Collection[object],
    problem: Problem,
) -> None:
    """Whether an event is missing before the first one that comes later, or before the end."""
    found = connection.execute(
        f"select {CELLS} from event where model = ? and seq > ? order by seq limit 1",
        (model, upto),
    ).fetchone()
    if found is not None and found[0] > upto:  # else the index has it at another place
        later = JournalLine(*found)
        is_known = before and is_whole(later.seal, *later[:-2]) and later.chain != UNSEALED
        if is_known and later.chain not in chain_of_line(before, later):
            problem(f"Before event {later.seq} an event of this model is missing or damaged.")
        return
    head = read_head(connection, model)
    if head is None:
        problem(NO_HEAD)
    elif before and head[1] not in before and head[1] != UNSEALED:
        problem(f"Events of this model are missing or damaged: the last one is event {head[0]}.")


def _found(
    connection: sqlite3.Connection,
    model: int,
    after: int,
    upto: int,
    and_only: str,
    problem: Problem,
) -> Iterator[JournalLine]:
    """Events as they are in the file. Where a page cannot be read, what is behind it is."""
    asked = f"select {CELLS} from event where {and_only} and"
    # the order of the index is looked at only where the chain guards it
    which = "model = ?" if and_only == ALL else f"seq in ({OF_MODEL})"
    try:
        for found in connection.execute(
            f"{asked} {which} and seq > ? and seq <= ? order by seq", (model, after, upto)
        ):
            if found[0] > after:
                yield JournalLine(*found)
                after = found[0]
        return
    except sqlite3.DatabaseError as error:
        if and_only != ALL:  # else the chain tells whether an event of this model is missing
            problem(f"Behind event {after} a part of the journal cannot be read: {error}.")
    (last,) = connection.execute("select max(seq) from event").fetchone()
    for seq in range(after + 1, min(last or 0, upto, after + MOST_TRIED) + 1):
        try:  # without the index, which may be what is damaged
            one = connection.execute(f"{asked} seq = ? and +model = ?", (seq, model)).fetchone()
        except sqlite3.DatabaseError:
            continue
        if one is not None:
            yield JournalLine(*one)


def check_all(connection: sqlite3.Connection, model: int, after: int = 0) -> None:
    """Refuse a journal of which an event is damaged or missing."""
    for _ in lines(connection, model, after):
        pass


def last_of_ids(connection: sqlite3.Connection, model: int) -> str:
    """Which events of a model are the last of their ids: a condition in SQL.

    It does not use the index of ids, unless the events cannot all be read.
    """
    try:
        connection.execute(f"select count(id) from ({IN_ORDER})", (model,)).fetchone()
    except sqlite3.DatabaseError:
        return IS_LAST
    in_order = IN_ORDER.replace("?", str(model))
    return f"seq in (select max(seq) from ({in_order}) group by id)"


# what is asked ----------------------------------------------------------------------------------


def of_id(connection: sqlite3.Connection, model: int, id: str) -> Iterator[JournalLine]:
    """The events of an id, the last first. In a damaged file, only of a model that is whole."""
    if isinstance(connection, JournalConnection) and connection.by_table:
        if model not in connection.known_whole:
            check_all(connection, model)
        connection.known_whole.add(model)
    asked = f"select {CELLS} from event where model = ? and id = ? order by seq desc"
    for line in map(checked, connection.execute(asked, (model, id))):
        if (line.model, line.id) != (model, id):
            refuse("The index of ids is damaged.")
        yield line


def row_before(connection: sqlite3.Connection, model: int, id: str, seq: int) -> Row:
    """The row that an id meant before this event."""
    before = (line for line in of_id(connection, model, id) if line.seq < seq)
    found = next((line for line in before if line.op != "forget"), None)
    if found is None:
        raise DamagedError(f"The row {id!r:.80} that event {seq} takes out is missing. {ADVICE}")
    row = found.row
    if row is None:
        raise UnknownIdError(
            f"The row {id!r:.80} is no longer in the journal: it was dropped by "
            "compact(keep_rows=False), so it cannot be taken back out."
        )
    return row


def calls(
    connection: sqlite3.Connection, model: int, after: int, upto: int | None = None
) -> Iterator[Call]:
    """What was learned and forgotten together, in order. What was dropped is not among it."""
    for _, group in groupby(lines(connection, model, after, upto), lambda line: line.call):
        happened = [line for line in group if line.op != "create"]
        if happened:
            yield _call(connection, model, happened)


def _call(connection: sqlite3.Connection, model: int, happened: list[JournalLine]) -> Call:
    def rows_before(*ops: str) -> list[Row]:
        of_these = [(line.id, line.seq) for line in happened if line.op in ops]
        return [row_before(connection, model, *each) for each in of_these]

    learned = [line.row for line in happened if line.op in ("learn", "correct")]
    rows = [row for row in learned if row is not None]
    parts = rows, rows_before("forget", "correct"), rows_before("leave")
    return Call(happened[-1].seq, *parts, time=happened[-1].time)


def surviving(
    connection: sqlite3.Connection, model: int, and_only: str = ALL, problem: Problem = refuse
) -> Iterator[JournalLine]:
    """The last event of each row that was not forgotten; refused first if any event is missing."""
    for _ in lines(connection, model, problem=problem):
        pass
    last = last_of_ids(connection, model)
    which = f"{and_only} and op in ('learn', 'correct', 'adopt') and {last}"
    yield from lines(connection, model, and_only=which, problem=problem)


def history(
    connection: sqlite3.Connection,
    model: int,
    after: int,
    limit: int | None,
    upto: int | None = None,
) -> list[Event]:
    """What happened to a model. What is damaged is reported, and left out."""
    problems: dict[str, None] = {}
    found = []
    for line in islice(lines(connection, model, after, upto, problem=problems.setdefault), limit):
        try:
            found.append(Event(line.seq, line.op, line.id, line.time, line.row))
        except DamagedError:
            problems[damaged(line.seq)] = None
    warn_of(problems)
    return found


def latest(
    connection: sqlite3.Connection, model: int, before: int | None, limit: int
) -> list[Event]:
    """What happened to a model last, the latest first."""
    upto = LAST if before is None else before - 1
    first, n_found = connection.execute(
        "select min(seq), count(*) from "
        "(select seq from event where model = ? and seq <= ? order by seq desc limit ?)",
        (model, upto, limit),
    ).fetchone()
    if first is None:
        return []
    first = 1 if n_found < limit else first  # there should be none before: the chain tells
    return history(connection, model, first - 1, None, None if before is None else upto)[::-1]


def some_of(rows: Iterator[Found], problems: Iterable[str]) -> Iterator[Found]:
    """These rows; if there is none, the problems that were met are raised."""
    n_rows = 0
    for row in rows:
        n_rows += 1
        yield row
    if n_rows == 0 and (sentences := " ".join(problems)):
        refuse(f"No row can be read. {sentences}")


def warn_of(problems: dict[str, None]) -> None:
    """Warn of what is damaged."""
    if problems:
        tell(f"{' '.join(problems)} The rest was read.")
