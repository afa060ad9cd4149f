"""The rows that a model knows, as its history tells."""

from collections.abc import Iterable

from bayesic.store.journal_events import Event
from bayesic.store.plain_rows import Row

Rows = dict[str, Row | None]  # by id; None for one that was dropped from the journal


def known_rows(events: Iterable[Event]) -> Rows:
    """The rows that are known after these events.

    >>> learned = Event(2, "learn", "m1", 0.0, Row("free", "spam"))
    >>> known_rows([learned]), known_rows([learned, Event(3, "forget", "m1", 0.0, None)])
    ({'m1': Row(x='free', y='spam')}, {})
    """
    found: Rows = {}
    for event in events:
        if event.op in ("forget", "leave"):
            found.pop(event.id, None)
        elif event.op != "create":
            found[event.id] = event.row
    return found
