"""Rows that a model had learned before it came into a store: they get ids, no more.

The beginning of such a model has these rows in it. So a row that was adopted and then corrected or
forgotten is one that the beginning has too much: a replay takes it out first, and so does compact,
which keeps nothing of such rows.
"""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from bayesic.data.arguments import has_learned
from bayesic.store._fold import Call, applied
from bayesic.store._journal_lines import last_of_ids, lines, of_id
from bayesic.store._model_snapshots import beginning, checksum
from bayesic.store.errors import UnknownIdError
from bayesic.store.journal_events import Receipt, StoredModel
from bayesic.store.model_bytes import bytes_of
from bayesic.store.plain_rows import Row


@dataclass(frozen=True, eq=False)
class Adopt:
    """Give ids to rows that a model knows already."""

    name: str
    rows: Sequence[Row]
    ids: Sequence[str]

    def write(self, workspace: Any) -> Receipt:
        """Write the rows that have no id yet. The model stays as it is."""
        from bayesic.store._requests import Learn  # which imports this file

        stored = workspace.get(self.name)
        _check(workspace, stored, self.ids)
        receipt, new = Learn(self.name, self.rows, self.ids).new_rows(workspace, stored)
        if not new:
            return receipt
        rows, ids = [self.rows[k] for k in new], [self.ids[k] for k in new]
        applied(
            stored.state.model, Call(0, forgotten=rows), stored.declared
        )  # refuses what it cannot know
        seqs = workspace.journal.write(stored.number, "adopt", ids, rows)
        workspace.advance(stored, stored.state.model, seqs)
        all_seqs = list(receipt.seqs)
        for index, seq in zip(new, seqs, strict=True):
            all_seqs[index] = seq
        return replace(receipt, seqs=tuple(all_seqs))


def _check(workspace: Any, stored: StoredModel, ids: Sequence[str]) -> None:
    """Refuse models that have learned nothing elsewhere, and rows that were forgotten."""
    begun = beginning(workspace.journal.connection, stored)
    if stored.window is not None or not has_learned(begun):
        raise ValueError(
            f"{stored.name!r} had learned nothing when it came into the store, or has a window: it "
            "has no rows without an id. Use learn(name, rows, y, ids)."
        )
    for id in ids:
        known = next(of_id(workspace.journal.connection, stored.number, id), None)
        if known is not None and known.op == "forget":
            raise UnknownIdError(
                f"The row {id!r:.80} of {stored.name!r} was forgotten. Learn it again."
            )


def taken_out(connection: sqlite3.Connection, model: int) -> list[Row]:
    """The rows that the beginning of a model has, and that were corrected or forgotten since."""
    last = last_of_ids(connection, model)
    found = lines(connection, model, and_only=f"op = 'adopt' and not ({last})")
    return [line.row for line in found if line.row is not None]


def begin_without(connection: sqlite3.Connection, stored: StoredModel) -> None:
    """Take these rows out of the bytes that a model begins with, so that they can be wiped out."""
    rows = taken_out(connection, stored.number)
    if rows:
        model = applied(beginning(connection, stored), Call(0, forgotten=rows), stored.declared)
        data = bytes_of(model)
        connection.execute(
            "update main.model set bytes = ?, sha256 = ? where number = ?",
            (data, checksum(data), stored.number),
        )
