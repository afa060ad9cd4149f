"""The requests of the writer: each is written in a transaction, or refused.

A model learns on a copy before anything is written. So what the model refuses is never in the
journal, and what is in the journal can always be replayed.
"""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from bayesic.networks.network import BeliefNetwork
from bayesic.store._adopting import begin_without
from bayesic.store._fold import Call, applied
from bayesic.store._journal import Journal
from bayesic.store._journal_lines import JournalLine, check_all, of_id
from bayesic.store._model_snapshots import checksum, declared_line, write_snapshot
from bayesic.store._seals import seal_rows
from bayesic.store._windows import leaving, without
from bayesic.store.errors import ConflictError, DamagedError, UnknownIdError, UnknownNameError
from bayesic.store.journal_events import Receipt, State, StoredModel
from bayesic.store.model_bytes import bytes_of
from bayesic.store.plain_rows import Row, digest

KEYS = {"event": "model", "snapshot": "model", "head": "model", "model": "number"}  # of its tables
GONE = ("forget", "leave")  # what happened last to rows that a model does not know any more


class Request(Protocol):
    """What one call of the user wants to be written."""

    @property
    def name(self) -> str:
        """The model that it is about."""

    def write(self, workspace: "Workspace") -> Receipt:
        """Write it, or raise why not; then nothing was written."""


@dataclass(eq=False)
class Workspace:
    """What requests work with: the journal, in a transaction, and the models so far."""

    journal: Journal
    models: dict[str, StoredModel]
    shrinks: bool = False  # whether the file is to be made smaller afterwards

    def get(self, name: str) -> StoredModel:
        """The model of this name, if it is whole."""
        return whole(stored_in(self.models, name))

    def advance(self, stored: StoredModel, model: object, seqs: Sequence[int]) -> None:
        """The model after these events."""
        n_since = stored.n_since + len(seqs)
        self.models[stored.name] = replace(stored, state=State(seqs[-1], model), n_since=n_since)


def stored_in(models: Mapping[str, StoredModel], name: str) -> StoredModel:
    """The model of this name, if it is there."""
    stored = models.get(name) if isinstance(name, str) else None
    if stored is None:
        raise UnknownNameError(
            f"There is no model {name!r:.80} in the store. It has {list(models)[:20]}."
        )
    return stored


def whole(stored: StoredModel) -> StoredModel:
    """The model, if it is not damaged."""
    if stored.problem:
        raise DamagedError(stored.problem)
    return stored


# rows -------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Learn:
    """Learn rows."""

    name: str
    rows: Sequence[Row]
    ids: Sequence[str] | None  # None: none was given, and new ones are made

    def new_rows(self, workspace: Workspace, stored: StoredModel) -> tuple[Receipt, list[int]]:
        """The receipt so far, with -1 for an event to come; and which of the rows are new."""
        check_labels(stored, self.rows)
        if self.ids is None:
            made, n_rows = tuple(secrets.token_hex(12) for _ in self.rows), len(self.rows)
            return Receipt(made, (-1,) * n_rows, (False,) * n_rows), list(range(n_rows))
        found = [
            learned_before(workspace, stored, *each)
            for each in zip(self.ids, self.rows, strict=True)
        ]
        seqs = tuple(-1 if seq is None else seq for seq in found)
        already = tuple(seq is not None for seq in found)
        return Receipt(tuple(self.ids), seqs, already), [k for k, s in enumerate(seqs) if s < 0]

    def some(self, indices: Sequence[int]) -> list[Row]:
        """The rows at these places."""
        return [self.rows[index] for index in indices]

    def write(self, workspace: Workspace) -> Receipt:
        """Write the rows that are new."""
        stored = workspace.get(self.name)
        receipt, new = self.new_rows(workspace, stored)
        if not new:
            return receipt
        now, rows = workspace.journal.now(), self.some(new)
        coming = list(zip([receipt.ids[index] for index in new], rows, strict=True))
        left = leaving(workspace.journal, stored, coming, now)
        model = applied(
            stored.state.model, Call(0, rows, left=left.rows, time=now), stored.declared
        )
        first = left.write_old(workspace.journal, now)
        receipt, seqs = self.written(workspace, stored, receipt, new, now, first)
        first = seqs[0] if first is None else first
        left.write_new(workspace.journal, now, first)
        stored = replace(stored, inside=left.inside)
        workspace.advance(stored, model, range(first, workspace.journal.last_seq + 1))
        return receipt

    def written(
        self,
        workspace: Workspace,
        stored: StoredModel,
        receipt: Receipt,
        new: list[int],
        now: float,
        call: int | None = None,
    ) -> tuple[Receipt, list[int]]:
        """Write the new rows, which the model has learned; the receipt with their numbers."""
        ids = [receipt.ids[index] for index in new]
        seqs = workspace.journal.write(stored.number, "learn", ids, self.some(new), now, call)
        all_seqs = list(receipt.seqs)
        for index, seq in zip(new, seqs, strict=True):
            all_seqs[index] = seq
        return replace(receipt, seqs=tuple(all_seqs)), seqs


def check_labels(stored: StoredModel, rows: Sequence[Row]) -> None:
    """Refuse labels for a network, and rows without a label for all others."""
    is_network = isinstance(stored.state.model, BeliefNetwork)
    if is_network and rows[0].y is not None:
        raise ValueError(
            f"{stored.name!r} is a belief network, which learns whole rows: leave y out."
        )
    if not is_network and rows[0].y is None:
        raise ValueError(
            f"{stored.name!r} learns rows with their labels: give y, one for each row, or the name "
            "of the column that holds them."
        )


def learned_before(workspace: Workspace, stored: StoredModel, id: str, row: Row) -> int | None:
    """The event in which this row was learned; None if the id is free; refused if it is not."""
    given, is_free, left = "", True, None
    for line in of_id(workspace.journal.connection, stored.number, id):
        if line.op == "forget":
            break
        is_free, given = False, given or digest(row)
        if given == (line.digest if line.row is None else digest(line.row)):
            left = line.seq
            if line.op != "leave":  # the event in which it came is returned, unless it was dropped
                break
    if is_free or left is not None:
        return left
    raise ConflictError(
        f"The id {id!r:.80} belongs to another row of {stored.name!r}, and each id is learned "
        "once. Use correct(name, id, y) to change its label, forget(name, [id]) to free it, or "
        "give this row an id of its own."
    )


@dataclass(frozen=True, eq=False)
class Forget:
    """Take rows back out."""

    name: str
    ids: Sequence[str]

    def write(self, workspace: Workspace) -> Receipt:
        """Write what is not forgotten yet."""
        stored = workspace.get(self.name)
        found = [last_event(workspace, stored, id) for id in self.ids]
        seqs, already = [line.seq for line in found], tuple(line.op in GONE for line in found)
        there = [index for index, was in enumerate(already) if not was]
        if there:
            rows = [kept_row(found[index]) for index in there]
            model = applied(stored.state.model, Call(0, forgotten=rows), stored.declared)
            ids = [self.ids[index] for index in there]
            new = workspace.journal.write(stored.number, "forget", ids, [None] * len(ids))
            for index, seq in zip(there, new, strict=True):
                seqs[index] = seq
            workspace.advance(without(stored, len(new)), model, new)
        return Receipt(tuple(self.ids), tuple(seqs), already)


@dataclass(frozen=True, eq=False)
class Correct:
    """Give a row another label; of a network, other cells."""

    name: str
    id: str
    y: Any

    def write(self, workspace: Workspace) -> Receipt:
        """Write the row as it should have been."""
        stored = workspace.get(self.name)
        last = last_event(workspace, stored, self.id)
        if last.op == "forget":
            raise UnknownIdError(
                f"The row {self.id!r:.80} of {stored.name!r} was forgotten. Learn it again."
            )
        if last.op == "leave":
            raise UnknownIdError(
                f"The row {self.id!r:.80} of {stored.name!r} has left the window of "
                f"{stored.window!r}, so there is nothing to correct."
            )
        old = kept_row(last)
        new = Row({**old.x, **self.y}) if isinstance(self.y, dict) else Row(old.x, self.y)
        check_labels(stored, [new])
        if digest(new) == digest(old):
            return Receipt((self.id,), (last.seq,), (True,))
        model = applied(stored.state.model, Call(0, [new], [old]), stored.declared)
        seqs = workspace.journal.write(stored.number, "correct", [self.id], [new])
        workspace.advance(stored, model, seqs)
        return Receipt((self.id,), tuple(seqs), (False,))


def last_event(workspace: Workspace, stored: StoredModel, id: str) -> JournalLine:
    """What happened last to a row."""
    found = next(of_id(workspace.journal.connection, stored.number, id), None)
    if found is None:
        raise UnknownIdError(f"{stored.name!r} has never learned a row with the id {id!r:.80}.")
    return found


def kept_row(line: JournalLine) -> Row:
    """The row of an event, if it was not dropped."""
    row = line.row
    if row is None:
        raise UnknownIdError(
            f"The row {line.id!r:.80} was dropped by compact(keep_rows=False): that it was learned "
            "is known, what it was is not. So it can neither be forgotten nor corrected."
        )
    return row


# models -----------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Create:
    """Take a model in."""

    name: str
    model: Any
    data: bytes
    declared: Mapping[str, Any]
    window: Any = None

    def write(self, workspace: Workspace) -> Receipt:
        """Write the model as it begins."""
        declared, connection = (
            declared_line(self.declared, self.window),
            workspace.journal.connection,
        )
        sha256 = checksum(self.data)
        if self.name in workspace.models:
            return self._again(workspace, declared, sha256)
        cursor = connection.execute(
            "insert into main.model (name, told, seq, bytes, sha256, cut) "
            "values (?, ?, ?, ?, ?, 0)",
            (self.name, declared, workspace.journal.last_seq + 1, self.data, sha256),
        )
        number = cursor.lastrowid or 0
        seal_rows(connection, "model", "number", number)
        (seq,) = workspace.journal.write(number, "create", [""], [None])
        state = State(seq, self.model)
        workspace.models[self.name] = StoredModel(
            number, self.name, self.declared, state, seq, window=self.window
        )
        return Receipt(seqs=(seq,), already=(False,))

    def _again(self, workspace: Workspace, declared: str, sha256: str) -> Receipt:
        known = workspace.journal.connection.execute(
            "select seq, told, sha256 from model where name = ?", (self.name,)
        ).fetchone()
        if known[1:] != (declared, sha256):
            raise ConflictError(
                f"There is a model {self.name!r} in the store already. Choose another name, or "
                "delete that one first."
            )
        return Receipt(seqs=(known[0],), already=(True,))


@dataclass(frozen=True, eq=False)
class Delete:
    """Remove a model, and all that it has learned."""

    name: str

    def write(self, workspace: Workspace) -> Receipt:
        """Write that nothing is left."""
        stored = stored_in(workspace.models, self.name)
        for table, key in KEYS.items():
            workspace.journal.connection.execute(
                f"delete from main.{table} where {key} = ?", (stored.number,)
            )
        del workspace.models[self.name]
        return Receipt()


@dataclass(frozen=True, eq=False)
class Compact:
    """Keep a model as it is now, and drop what is not needed any more."""

    name: str
    keep_rows: bool

    def write(self, workspace: Workspace) -> Receipt:
        """Write the state as the one from which on the journal is whole."""
        stored, connection = workspace.get(self.name), workspace.journal.connection
        check_all(connection, stored.number)  # what is damaged must not be sealed
        if stored.window is not None and not self.keep_rows:
            raise ValueError(
                f"{stored.name!r} has a window of {stored.window!r}, and needs its rows until they "
                "leave it. Use compact(name), which drops those that have left."
            )
        seq, data = stored.state.seq, bytes_of(stored.state.model)
        begin_without(connection, stored)
        connection.execute("delete from main.snapshot where model = ?", (stored.number,))
        connection.execute("update main.model set cut = ? where number = ?", (seq, stored.number))
        seal_rows(connection, "model", "number", stored.number)
        write_snapshot(connection, stored.number, seq, data)
        workspace.journal.drop(stored.number, seq, self.keep_rows)
        workspace.models[self.name] = replace(stored, snapshot_seq=seq, n_since=0)
        workspace.shrinks = True
        return Receipt(seqs=(seq,), already=(False,))


@dataclass(frozen=True, eq=False)
class TakeSnapshot:
    """Keep the bytes of a state."""

    name: str
    number: int
    seq: int
    data: bytes

    def write(self, workspace: Workspace) -> Receipt:
        """Write them, if the model is still there and has not started over since."""
        stored = workspace.models.get(self.name)
        if stored is not None and stored.number == self.number and stored.snapshot_seq < self.seq:
            write_snapshot(workspace.journal.connection, self.number, self.seq, self.data)
            n_since = workspace.journal.connection.execute(
                "select count(*) from event where model = ? and seq > ?", (self.number, self.seq)
            ).fetchone()[0]
            workspace.models[self.name] = replace(stored, snapshot_seq=self.seq, n_since=n_since)
        return Receipt()
