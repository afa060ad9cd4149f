"""Snapshots: models as bytes in the journal, so that not all of it need be replayed.

A snapshot may be old or damaged without any loss: the one before it is taken, or the bytes that the
model began with, and more events are replayed.
"""

import hashlib
import json
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from bayesic.data.arguments import tell
from bayesic.files.tagged import decode, encode
from bayesic.store import _journal
from bayesic.store._fold import folded
from bayesic.store._journal_lines import ADVICE, LAST, calls, refuse
from bayesic.store._seals import SEALED, is_whole, seal_of
from bayesic.store.errors import DamagedError, UnknownEventError, UnknownNameError
from bayesic.store.journal_events import State, StoredModel
from bayesic.store.model_bytes import model_of

KEPT = 2  # of each model


def checksum(data: bytes) -> str:
    """The SHA-256 of bytes."""
    return hashlib.sha256(data).hexdigest()


def write_snapshot(connection: sqlite3.Connection, model: int, seq: int, data: bytes) -> None:
    """Keep the bytes of a model as it was after an event, and drop older ones."""
    sha256 = checksum(data)
    connection.execute(
        "insert or replace into main.snapshot values (?, ?, ?, ?, ?)",
        (model, seq, data, sha256, seal_of(model, seq, sha256)),
    )
    connection.execute(
        "delete from main.snapshot where model = ? "
        "and seq != (select cut from model where number = ?) "
        "and seq not in (select seq from snapshot where model = ? order by seq desc limit ?)",
        (model, model, model, KEPT),
    )


def states_kept(
    connection: sqlite3.Connection, model: int, upto: int | None = None
) -> Iterator[tuple[int, object | str]]:
    """The states that are kept of a model, the last first; of a damaged one, what is wrong."""
    last = LAST if upto is None else upto
    kept = connection.execute(
        "select seq, 'snapshot', 'model' from snapshot where model = ? and seq <= ? union all "
        "select seq, 'model', 'number' from model where number = ? and seq <= ? and cut = 0 "
        "order by seq desc",
        (model, last, model, last),
    ).fetchall()
    for seq, table, key in kept:
        try:
            data, sha256, seal, *cells = connection.execute(
                f"select bytes, sha256, seal, {SEALED[table]} from {table} "
                f"where {key} = ? and +seq = ?",
                (model, seq),
            ).fetchone() or (b"", "", b"")
            if checksum(data) != sha256 or not is_whole(seal, *cells):
                raise DamagedError("its bytes do not have the checksum that was written with them")
            yield seq, model_of(data)
        except (sqlite3.DatabaseError, DamagedError) as error:
            yield seq, f"the state after event {seq} is damaged ({error})"


def beginning(connection: sqlite3.Connection, stored: StoredModel) -> Any:
    """The model as it was created: replays begin with it, after compact has cut the journal too."""
    found = connection.execute(
        "select bytes, sha256 from model where number = ?", (stored.number,)
    ).fetchone()
    if found is None:
        raise UnknownNameError(f"The model {stored.name!r} was deleted.")
    data, sha256 = found
    if checksum(data) != sha256:
        refuse("The model with which replays begin is damaged: its checksum is another.")
    return model_of(data)


def state_at(
    connection: sqlite3.Connection, stored: StoredModel, upto: int | None = None
) -> StoredModel:
    """A model as it was after an event, or is now: the last state kept, and what came after."""
    problems = []
    for seq, model in states_kept(connection, stored.number, upto):
        if isinstance(model, str):
            problems.append(model)
            continue
        if problems:
            tell(f"Of {stored.name!r} {'; '.join(problems)}: more of the journal was replayed.")
        return _folded_from(connection, replace(stored, state=State(seq, model)), upto)
    if not problems:
        raise UnknownEventError(
            f"{stored.name!r} has no state after event {upto}: it began later, or compact has cut "
            "what was before. history(name) tells from where on."
        )
    raise DamagedError(f"The model {stored.name!r} cannot be read: {'; '.join(problems)}.")


def _folded_from(
    connection: sqlite3.Connection, stored: StoredModel, upto: int | None
) -> StoredModel:
    """The model with the events after its state."""
    since = 0
    last = stored.state.seq

    def counted() -> Iterator[Any]:
        nonlocal since, last
        for call in calls(connection, stored.number, stored.state.seq, upto):
            n_events = max(len(call.learned), len(call.forgotten)) + len(call.left)
            since, last = since + n_events, call.last
            yield call

    model = folded(stored.state.model, counted(), stored.declared)
    return replace(stored, state=State(last, model), snapshot_seq=stored.state.seq, n_since=since)


def refolded(connection: sqlite3.Connection, stored: StoredModel, seq: int) -> StoredModel:
    """The model as it follows from the state that is kept after this event, and all that came."""
    model = next(m for at, m in states_kept(connection, stored.number, seq) if at == seq)
    upto = stored.state.seq
    return _folded_from(connection, replace(stored, state=State(seq, model)), upto)


def followed(connection: sqlite3.Connection, stored: StoredModel) -> StoredModel:
    """The model with what has come since; itself if nothing has."""
    now = _folded_from(connection, stored, None)
    return stored if now.state.seq == stored.state.seq else now


def listed(connection: sqlite3.Connection) -> list[StoredModel]:
    """The models of a journal, without their states."""
    found = connection.execute(f"select seal, {SEALED['model']} from model order by number")
    return [_listed(*cells) for cells in found]


def _listed(seal: Any, *cells: Any) -> StoredModel:
    number, name, declared, _, _, cut = cells
    try:
        if not is_whole(seal, *cells):
            raise ValueError
        kept = decode(json.loads(declared), {}, {})
    except (ValueError, TypeError, LookupError):
        problem = f"What is kept of the model {name!r:.80} itself is damaged. {ADVICE}"
        return StoredModel(number, str(name), {}, State(0, None), 0, problem=problem)
    window = kept.pop("window", None)
    return StoredModel(number, name, kept, State(0, None), cut, window=window)


def declared_line(declared: Mapping[str, object], window: object = None) -> str:
    """The arguments of the first `partial_fit`, and the window, as a line of JSON."""
    kept = dict(declared) if window is None else {**declared, "window": window}
    return json.dumps(encode(kept, "told", {}, {}))  # tuples stay tuples


def read_models(connection: sqlite3.Connection) -> dict[str, StoredModel]:
    """All models in their last states. A damaged one does not keep the others from being read."""
    for problem in missing(connection):
        tell(problem)
    return {stored.name: read_model(connection, stored) for stored in listed(connection)}


def missing(connection: sqlite3.Connection) -> list[str]:
    """What is wrong where there are events of a model, and no model."""
    found = connection.execute(
        "select model, seq from head where model not in (select number from model)"
    )
    return [f"The model of event {seq} is missing: its row is damaged." for _, seq in found]


def read_model(connection: sqlite3.Connection, stored: StoredModel) -> StoredModel:
    """A model in its last state; or what is wrong with it."""
    if stored.problem:
        return stored
    try:
        with _journal.sentences("The journal"):
            return state_at(connection, stored)
    except Warning:  # where these are errors
        raise
    except Exception as error:  # what was damaged before it was sealed, any model may refuse
        return replace(stored, problem=f"The model {stored.name!r} cannot be used: {error}")
