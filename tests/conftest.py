"""How the property tests run, and which tests are thorough.

They look at the same examples for everybody. `pytest --hypothesis-profile=explore` looks at new
ones, and at more of them (`make explore`), `quick` at a few. `make quick` also leaves out what is
marked as thorough: tests that were slow when it was last looked at (`--remember-slow`).
"""

import os
from pathlib import Path

from hypothesis import HealthCheck, settings

from helpers.slow_tests import SLOW, Stopwatch, file_of, without_parameters

os.environ.setdefault("BAYESIC_QUIET", "1")  # nothing on stderr about compiling

settings.register_profile(
    "bayesic",
    deadline=None,
    max_examples=60,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "explore",
    settings.get_profile("bayesic"),
    max_examples=300,
    derandomize=False,
    database=None,  # what is tried depends on the seed alone
)
settings.register_profile("quick", settings.get_profile("bayesic"), max_examples=5)
settings.load_profile("bayesic")

FOLDER = Path(__file__).parent
SLOW_NAMES = {*SLOW.read_text(encoding="utf-8").split()}
WHOLE = {FOLDER / "statistics/test_laws.py", FOLDER / "models/test_laws.py"}


def pytest_addoption(parser):
    """`pytest tests --hypothesis-profile=quick --remember-slow` on a quiet machine."""
    told = "write tests/slow.txt: the tests that are too slow for make quick"
    parser.addoption("--remember-slow", action="store_true", help=told)


def pytest_configure(config):
    """Time the tests if asked to, and look for no examples in test files if there is no time."""
    if config.getoption("remember_slow", False) and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Stopwatch())
    if is_quick(config):
        config.option.doctestmodules = False  # to look takes longer than they do


def is_quick(config):
    return config.getoption("markexpr", "") == "not thorough"


def pytest_ignore_collect(collection_path, config):
    """A file that is left out as a whole need not be imported."""
    name = collection_path.relative_to(config.rootpath).as_posix()
    return True if is_quick(config) and name in SLOW_NAMES else None


def pytest_collection_modifyitems(config, items):
    """Mark what is thorough: slow tests, and all but the first parameters of the others.

    The laws are tried on every statistic and model, also in a quick run. What is timed is what a
    quick run could have.
    """
    seen, timed = set(), []
    for item in items:
        name = without_parameters(item.nodeid)
        is_first = name not in seen or item.path in WHOLE
        if not is_first or SLOW_NAMES & {name, file_of(name)}:
            item.add_marker("thorough")
        if is_first:
            timed.append(item)
        seen.add(name)
    if config.getoption("remember_slow", False):
        items[:] = timed
