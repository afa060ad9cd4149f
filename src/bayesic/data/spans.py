"""Spans of rows or of time, and moments, as users write them: 1000, "30 days", "2026-05-01"."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import numpy as np

from bayesic.data.arguments import is_number
from bayesic.kernels import Array

SECONDS = {"second": 1, "minute": 60, "hour": 3600, "day": 86400, "week": 604800}


@dataclass(frozen=True)
class Span:
    """So many rows, or so many seconds."""

    length: float
    is_time: bool


def span_of(name: str, given: object) -> Span:
    """A number of rows, or a text such as "30 days"; name is that of the parameter.

    >>> span_of("decay", 1000), span_of("decay", "2 hours"), span_of("decay", "day").length
    (Span(length=1000.0, is_time=False), Span(length=7200.0, is_time=True), 86400.0)
    >>> span_of("decay", "30 moons")
    Traceback (most recent call last):
    ValueError: decay must be a number of rows above 0, such as 1000, or a span of time such as
    '30 days' (seconds, minutes, hours, days, weeks), got '30 moons'.
    """
    length, is_time = given, False
    if isinstance(given, str):
        is_time = True
        number, _, unit = given.strip().rpartition(" ")
        seconds = SECONDS.get(unit.lower().removesuffix("s"), 0)
        length = _number(number or "1") * seconds
    if not is_number(length) or not 0 < length < float("inf"):
        raise ValueError(
            f"{name} must be a number of rows above 0, such as 1000, or a span of time such as "
            f"'30 days' (seconds, minutes, hours, days, weeks), got {given!r:.80}."
        )
    return Span(float(length), is_time)


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0


def seconds_of(times: Any, n_rows: int) -> Array:
    """The moment of each row in seconds since 1970, one for each or one for all.

    times : numbers of seconds, datetimes (UTC unless they have a time zone), or texts such as
        "2026-05-01" or "2026-05-01T12:30"

    >>> seconds_of(["1970-01-02", "1970-01-01T00:01"], 2)
    array([8.64e+04, 6.00e+01])
    >>> seconds_of(5, 2)
    array([5., 5.])
    """
    listed = [times] if isinstance(times, (str, datetime)) or np.ndim(times) == 0 else list(times)
    seconds = np.array([seconds_at(time) for time in listed])
    if np.ndim(times) == 0 and len(seconds) == 1:
        return np.full(n_rows, seconds[0])
    if len(seconds) != n_rows:
        raise ValueError(
            f"times must have one moment for each of the {n_rows} rows, or be a single one, got "
            f"{len(seconds)}."
        )
    return seconds


def seconds_at(time: Any) -> float:
    """A moment in seconds since 1970.

    >>> seconds_at("1970-01-02")
    86400.0
    """
    moment: Any = time
    if isinstance(time, np.datetime64):
        moment = (time - np.datetime64(0, "s")) / np.timedelta64(1, "s")
    elif isinstance(time, (str, datetime)):
        try:
            read = datetime.fromisoformat(time) if isinstance(time, str) else time
            moment = (read if read.tzinfo else read.replace(tzinfo=UTC)).timestamp()
        except ValueError:
            moment = None
    elif is_number(time):
        moment = float(time)
    if not isinstance(moment, float) or not np.isfinite(moment):
        raise ValueError(
            "A moment in time must be a number of seconds since 1970, a datetime, or a text such "
            f"as '2026-05-01T12:30', got {time!r:.80}."
        )
    return float(moment)
