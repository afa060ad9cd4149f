"""How the property tests run, and which tests are thorough.

They look at the same examples for everybody. `pytest --hypothesis-profile=explore` looks at new
ones, and at more of them (`make explore`), `quick` at a few. `make quick` also leaves out what is
marked as thorough.
"""

import os
from pathlib import Path

from hypothesis import HealthCheck, settings

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
SLOW = {*(FOLDER / "thorough.txt").read_text(encoding="utf-8").split()}
WHOLE = {FOLDER / "statistics/test_laws.py", FOLDER / "models/test_laws.py"}


def pytest_collection_modifyitems(items):
    """Mark what is thorough: slow tests, and all but the first parameters of the others.

    The laws are tried on every statistic and model, also in a quick run.
    """
    seen = set()
    for item in items:
        name = item.nodeid.partition("[")[0]
        is_slow = name in SLOW or name.partition("::")[0] in SLOW
        if is_slow or (name in seen and item.path not in WHOLE):
            item.add_marker("thorough")
        seen.add(name)
