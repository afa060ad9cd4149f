"""How busy other programs keep the machine while something is measured.

The load average would count the measured program itself. Here the busy time of all processors
(/proc/stat) less our own is divided by the time that passed: 0.5 means that others kept half a
processor busy.
"""

import os
import time
from dataclasses import dataclass
from pathlib import Path

MOST = 0.5
SECONDS_TO_WATCH = 3.0
_STAT = Path("/proc/stat")
_BUSY = (0, 1, 2, 5, 6, 7)  # user, nice, system, irq, softirq, steal


@dataclass(frozen=True)
class Moment:
    """Seconds since some moment: on the clock, of all processors at work, of our own work."""

    clock: float
    busy: float
    own: float


def now() -> Moment | None:
    """The seconds so far; None where the system does not tell them."""
    if not _STAT.exists():
        return None
    ticks = [int(word) for word in _STAT.read_text().splitlines()[0].split()[1:]]
    own = os.times()
    return Moment(
        time.perf_counter(),
        sum(ticks[place] for place in _BUSY) / os.sysconf("SC_CLK_TCK"),
        own.user + own.system + own.children_user + own.children_system,
    )


def load_of_others(start: Moment | None, end: Moment | None) -> float | None:
    """Processors that other programs kept busy between two moments.

    >>> load_of_others(Moment(0.0, 100.0, 5.0), Moment(10.0, 125.0, 20.0))
    1.0
    """
    if start is None or end is None:
        return None
    return max(0.0, (end.busy - start.busy) - (end.own - start.own)) / (end.clock - start.clock)


def load_at_rest() -> float | None:
    """The load while we do nothing."""
    start = now()
    time.sleep(SECONDS_TO_WATCH)
    return load_of_others(start, now())


def is_quiet(*loads: float | None) -> bool:
    """Whether other programs disturbed nothing, as far as the system tells."""
    return all(load is None or load <= MOST for load in loads)


def sentence(before: float | None, during: float | None) -> str:
    """The loads, for the report.

    >>> sentence(0.02, 0.113)
    'Other programs kept 0.02 processors busy before, 0.11 during the measurement.'
    """
    if before is None or during is None:
        return "This system does not tell how busy other programs kept it."
    return (
        f"Other programs kept {before:.2f} processors busy before, {during:.2f} during the "
        "measurement."
    )
