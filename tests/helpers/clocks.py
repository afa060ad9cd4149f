"""The time, which stands still until a test moves it: clock[0] += DAY."""

from datetime import UTC, datetime

DAY = 86400.0
FIRST_OF_MAY = datetime(2026, 5, 1, tzinfo=UTC).timestamp()


def standing_clock(monkeypatch, module, name):
    """What a test moves; module.name() tells it."""
    now = [FIRST_OF_MAY]
    monkeypatch.setattr(module, name, lambda: now[0])
    return now
