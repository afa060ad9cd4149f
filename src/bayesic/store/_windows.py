"""Windows: a model of the last rows alone. When rows come, those that are too old leave.

What leaves is written to the journal, in the call that it makes room for. So a replay knows it, and
the id of a row that has left is still known: it is not learned again.
"""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from bayesic.data.arguments import is_whole_number
from bayesic.data.spans import span_of
from bayesic.store import _journal
from bayesic.store._journal_lines import CELLS, IS_LAST, check_all, checked, last_of_ids
from bayesic.store.journal_events import StoredModel
from bayesic.store.plain_rows import Row


@dataclass(frozen=True)
class WindowContents:
    """The rows of a model that are in its window."""

    after: int  # all of them are later events than this one
    n_rows: int


def check_window(window: object, model: Any) -> None:
    """Refuse anything but a window, and models whose rows cannot leave."""
    if not span_of("window", window).is_time and not is_whole_number(window):
        raise ValueError(f"A window must be a whole number of rows, or of time, got {window!r}.")
    if getattr(model, "decay", None) is not None:
        raise ValueError(
            f"Rows either fade or leave: this {type(model).__name__} has decay={model.decay!r}, "
            "and with a window rows are taken out as they were learned. Leave one of them out."
        )


def inside_now(connection: sqlite3.Connection, model: int) -> WindowContents:
    """What is in the window of a model, as the journal says."""
    first, n_rows = connection.execute(
        "select min(seq), count(*) from event where model = ? and op in ('learn', 'correct') "
        f"and {last_of_ids(connection, model)}",
        (model,),
    ).fetchone()
    after = 0 if first is None else first - 1
    check_all(connection, model, after)
    return WindowContents(after, n_rows)


def without(stored: StoredModel, n_rows: int) -> StoredModel:
    """The model when so many rows of its window were forgotten."""
    if stored.inside is None:
        return stored
    return replace(stored, inside=replace(stored.inside, n_rows=stored.inside.n_rows - n_rows))


@dataclass(frozen=True, eq=False)
class RowsLeaving:
    """Ids and rows that leave when others come, the oldest first, and what is inside then."""

    model: int
    old: Sequence[tuple[str, Row]] = ()
    new: Sequence[tuple[str, Row]] = ()  # of this very call, which has more rows than the window
    inside: WindowContents | None = None

    @property
    def rows(self) -> list[Row]:
        """All of them."""
        return [row for _, row in (*self.old, *self.new)]

    def write_old(self, to: _journal.Journal, now: float) -> int | None:
        """Write that the old ones have left; the first event of the call, if there are any."""
        return self._written(to, self.old, now, None)

    def write_new(self, to: _journal.Journal, now: float, call: int) -> None:
        """Write that of the new ones some have left, after they were learned."""
        self._written(to, self.new, now, call)

    def _written(
        self, to: _journal.Journal, gone: Sequence[tuple[str, Row]], now: float, call: int | None
    ) -> int | None:
        if not gone:
            return None
        ids, rows = zip(*gone, strict=True)
        return to.write(self.model, "leave", ids, rows, now, call)[0]


def leaving(
    to: _journal.Journal, stored: StoredModel, new: Sequence[tuple[str, Row]], now: float
) -> RowsLeaving:
    """What leaves the window of a model when these rows come now."""
    if stored.window is None:
        return RowsLeaving(stored.number)
    span, inside = span_of("window", stored.window), stored.inside
    if inside is None:
        inside = inside_now(to.connection, stored.number)
    length = len(new) if span.is_time else int(span.length)
    n_old = -1 if span.is_time else max(0, inside.n_rows + len(new) - length)
    until = now - span.length if span.is_time else now
    found = to.connection.execute(
        f"select {CELLS} from event where model = ? and seq > ? and time <= ? "
        f"and op in ('learn', 'correct') and {IS_LAST} order by seq limit ?",
        (stored.number, inside.after, until, n_old),
    ).fetchall()
    gone = [(line.id, line.row) for line in map(checked, found)]
    old = [(id, row) for id, row in gone if row is not None]
    at_once = new[: max(0, len(new) - length)]
    after = found[-1][0] if found else inside.after
    n_rows = inside.n_rows - len(old) + len(new) - len(at_once)
    return RowsLeaving(stored.number, old, at_once, WindowContents(after, n_rows))
