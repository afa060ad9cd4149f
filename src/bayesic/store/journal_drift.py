"""What has changed between two spans of the journal."""

import sqlite3
from datetime import datetime
from itertools import islice
from typing import Any

from bayesic.contract.constructor import clone
from bayesic.data.arguments import is_whole_number
from bayesic.data.spans import seconds_at
from bayesic.evaluation.drift import Drift, drift, refuse_others
from bayesic.models.words.text_classifier import TextClassifier
from bayesic.store._fold import MOST_ROWS, Call, applied
from bayesic.store._journal_lines import surviving
from bayesic.store._replay import known_row
from bayesic.store.journal_events import StoredModel

Moment = int | float | str | datetime  # as users give it: the number of an event, or a time
Cut = int | float  # where a span begins or ends: the number of an event, or seconds since 1970


def cut_of(name: str, given: Any) -> Cut:
    """Where a span begins or ends, as given in Python; name is that of the argument.

    >>> cut_of("since", 120), cut_of("since", "1970-01-02")
    (120, 86400.0)
    """
    if is_whole_number(given):
        return int(given)
    try:
        return seconds_at(given)
    except ValueError:
        raise ValueError(
            f"{name} must be the number of an event, or a moment in time such as '2026-05-01', "
            f"'2026-05-01T12:30' or a datetime, got {given!r:.80}."
        ) from None


def cuts_of(since: Moment, start: Moment | None, until: Moment | None) -> dict[str, Cut]:
    """Where two spans begin and end, by name: those that are given.

    >>> cuts_of(120, None, "1970-01-02")
    {'since': 120, 'until': 86400.0}
    """
    others = {name: cut for name, cut in (("start", start), ("until", until)) if cut is not None}
    return {name: cut_of(name, cut) for name, cut in {"since": since, **others}.items()}


def cut_typed(name: str, text: str) -> Cut:
    """The same as it is typed: digits are the number of an event, with a point they are seconds.

    >>> cut_typed("since", "120"), cut_typed("since", "120.5"), cut_typed("since", "1970-01-02")
    (120, 120.5, 86400.0)
    """
    try:
        return int(text) if text.isdecimal() else float(text) if "." in text else cut_of(name, text)
    except ValueError:
        return cut_of(name, text)


def drift_between(
    connection: sqlite3.Connection,
    stored: StoredModel,
    since: Moment,
    start: Moment | None,
    until: Moment | None,
) -> Drift:
    """What has changed from start <= events < since to since <= events < until."""
    refuse_others(stored.state.model, stored.state.model)
    cuts = cuts_of(since, start, until)
    middle = cuts["since"]
    earlier, n_earlier = _learned(connection, stored, cuts.get("start"), middle)
    later, n_later = _learned(connection, stored, middle, cuts.get("until"))
    if not n_earlier or not n_later:
        given = {"start": start, "since": since, "until": until}
        spans = ", ".join(f"{name}={each!r:.40}" for name, each in given.items() if name in cuts)
        raise ValueError(
            f"Both spans need rows that {stored.name!r} still knows, got {n_earlier} before and "
            f"{n_later} after, with {spans}. history(name) tells the numbers and times of events."
        )
    return drift(earlier, later)


def _learned(
    connection: sqlite3.Connection, stored: StoredModel, begin: Cut | None, end: Cut | None
) -> tuple[Any, int]:
    """A copy of a model that has learned the rows of a span alone, and how many there are."""
    model, n_rows = _unlearned(stored.state.model), 0
    # rows that a model had learned before it came into the store have no time
    within = ["op != 'adopt'", _condition(">=", begin), _condition("<", end)]
    found = surviving(connection, stored.number, " and ".join(filter(None, within)))
    while learned := list(islice(found, MOST_ROWS)):
        rows, times = list(map(known_row, learned)), [line.time for line in learned]
        model = applied(model, Call(0, rows, time=times), stored.declared)
        n_rows += len(rows)
    return model, n_rows


def _condition(relation: str, cut: Cut | None) -> str:
    """In SQL."""
    if cut is None:
        return ""
    return f"{'seq' if isinstance(cut, int) else 'time'} {relation} {cut!r}"


def _unlearned(model: object) -> object:
    """A copy that has learned nothing, and chooses by its own rows; texts it cuts alike."""
    chosen = model._settings.parameters if isinstance(model, TextClassifier) else {}
    return clone(model).set_params(**chosen | {"choices": "always"})
