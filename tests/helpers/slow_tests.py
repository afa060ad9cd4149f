"""Which tests are slow: `pytest tests --remember-slow` writes them to tests/slow.txt.

A test is slow if it takes longer than LONGEST, and a whole file is if it takes that long to prepare
one of its tests: then the next one would have to wait instead.
"""

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

import pytest

LONGEST = 0.15  # seconds, with five examples a property
SLOW = Path(__file__).parents[1] / "slow.txt"


def file_of(name: str) -> str:
    """The file of a test, or the file itself.

    >>> file_of("tests/cli/test_fit.py::test_rain")
    'tests/cli/test_fit.py'
    """
    return name.partition("::")[0]


def without_parameters(nodeid: str) -> str:
    """The name of a test as it stands in slow.txt.

    >>> without_parameters("tests/cli/test_fit.py::test_rain[sun-::]")
    'tests/cli/test_fit.py::test_rain'
    """
    return nodeid.partition("[")[0]


def slow_names(
    known: Iterable[str], seconds: Mapping[str, float], skipped: Collection[str] = ()
) -> list[str]:
    """What is slow by these times, and what was known of files that were not run, or not wholly.

    >>> slow_names(
    ...     ["tests/test_rain.py::test_drop", "tests/test_sun.py"],
    ...     {"tests/test_rain.py::test_drop": 0.1, "tests/test_rain.py::test_flood": 2.0},
    ... )
    ['tests/test_rain.py::test_flood', 'tests/test_sun.py']
    """
    files = {file_of(name) for name in seconds} - {*skipped}
    names = {name for name in known if file_of(name) not in files}
    names |= {name for name, time in seconds.items() if time > LONGEST}
    return sorted(name for name in names if name == file_of(name) or file_of(name) not in names)


class Stopwatch:
    """A plugin that writes slow.txt when all tests have run."""

    def __init__(self) -> None:
        self._seconds: dict[str, float] = {}
        self._skipped: set[str] = set()  # files of tests that need what is not on this machine

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """The time of one step of a test: to prepare it counts for its file."""
        name = without_parameters(report.nodeid)
        if report.skipped:
            self._skipped.add(file_of(name))
        if report.when != "teardown":
            name = file_of(name) if report.when == "setup" else name
            self._seconds[name] = max(report.duration, self._seconds.get(name, 0.0))

    def pytest_sessionfinish(self) -> None:
        """Keep what was slow."""
        known = SLOW.read_text(encoding="utf-8").split()
        lines = (f"{name}\n" for name in slow_names(known, self._seconds, self._skipped))
        SLOW.write_text("".join(lines), encoding="utf-8")
