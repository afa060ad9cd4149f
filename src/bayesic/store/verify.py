"""Checks of a whole store: the file, the snapshots, the ids, and each model."""

import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from bayesic.networks.network_text import counted
from bayesic.store import _journal, _journal_lines, _model_snapshots
from bayesic.store.errors import DamagedError
from bayesic.store.journal_events import StoredModel
from bayesic.store.model_bytes import bytes_of

MOST_LINES = 10  # that SQLite says of a damaged file
LEARNED_TWICE = """
select model, id from (
    select model, id, op, lag(op) over (partition by model, id order by seq) as before from event
) where op = 'learn' and before in ('learn', 'correct', 'adopt') limit 10
"""


@dataclass(frozen=True)
class Verified:
    """What `verify` has found."""

    n_models: int
    n_events: int
    problems: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """Whether there is no problem."""
        return not self.problems

    def __str__(self) -> str:
        known = f"{counted(self.n_models, 'model')}, {counted(self.n_events, 'event')}"
        return "\n".join([f"{known}: {'all is well' if self.ok else 'damaged'}", *self.problems])


def verify(connection: sqlite3.Connection, stored: Mapping[str, StoredModel]) -> Verified:
    """Check a journal, and the models that were made of it."""
    problems = [*_of_file(connection)]
    n_events = 0
    try:
        (n_events,) = connection.execute("select count(*) from event").fetchone()
        for model, id in connection.execute(LEARNED_TWICE):
            problems.append(f"The row {id!r:.80} of model {model} was learned twice.")
    except sqlite3.DatabaseError as error:
        problems.append(f"The events cannot all be read: {error}.")
    for model in stored.values():
        problems += _of_model(connection, model)
    try:
        problems += _model_snapshots.missing(connection)
    except sqlite3.DatabaseError as error:
        problems.append(f"The models cannot all be read: {error}.")
    return Verified(len(stored), n_events, tuple(problems))


def _of_file(connection: sqlite3.Connection) -> Iterator[str]:
    try:
        for (line,) in connection.execute(f"pragma integrity_check({MOST_LINES})"):
            if line != "ok":
                yield f"The file is damaged: {line}."
    except sqlite3.DatabaseError as error:
        yield f"The file is damaged: {error}."


def _of_model(connection: sqlite3.Connection, stored: StoredModel) -> Iterator[str]:
    """What is wrong with a model: an event, a snapshot, or what the journal gives."""
    damaged: dict[str, None] = {}
    try:
        for _ in _journal_lines.lines(connection, stored.number, problem=damaged.setdefault):
            pass
    except sqlite3.DatabaseError as error:
        damaged[f"Its events cannot all be read: {error}."] = None
    yield from (f"{stored.name!r}: {problem}" for problem in damaged)
    if stored.problem:
        yield stored.problem
        return
    try:
        kept = [*_model_snapshots.states_kept(connection, stored.number, stored.state.seq)]
        yield from (f"{stored.name!r}: {state}." for _, state in kept if isinstance(state, str))
        yield from _of_beginning(connection, stored)
        whole = [seq for seq, state in kept if not isinstance(state, str)]
        if not whole or damaged:
            return
        with _journal.sentences("The journal"):
            again = _model_snapshots.refolded(connection, stored, whole[-1])
        if bytes_of(again.state.model) != bytes_of(stored.state.model):
            yield (
                f"{stored.name!r}: replaying its journal from event {whole[-1]} gives another "
                "model than the one in use."
            )
    except Warning:  # where these are errors
        raise
    except Exception as error:  # what was damaged before it was sealed, any model may refuse
        yield f"{stored.name!r}: {error}"


def _of_beginning(connection: sqlite3.Connection, stored: StoredModel) -> Iterator[str]:
    """What is wrong with the bytes that a model begins with, where they are no longer a state."""
    was_cut = "select 1 from model where number = ? and cut > 0"
    if connection.execute(was_cut, (stored.number,)).fetchone():
        try:
            _model_snapshots.beginning(connection, stored)
        except DamagedError as error:
            yield f"{stored.name!r}: {error}"
