"""Write constraints.txt, the versions that passed: `make newest` runs this after the tests.

All packages of the environment are listed that are not the project itself. `--check` only says
whether this Python may write it: of the oldest one supported, since a version for that one also
installs on newer ones, and not the other way round.
"""

import platform
import sys
import tomllib
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).parents[1]
BEFORE = "3.15"  # the first Python for which some of these versions have no wheels

HEAD = """\
# The versions that the tests passed with, on Python {python} and {system}: written by
# `make newest`, installed by `make test` and all others. Python {before} gets the newest.
"""


def constraints(versions: Iterable[tuple[str, str]]) -> str:
    """The file, from names and versions.

    >>> print(constraints([("ruff", "0.17.5"), ("Jinja2", "3.1.6")]).partition("\\n\\n")[2], end="")
    jinja2==3.1.6; python_version < "3.15"
    ruff==0.17.5; python_version < "3.15"
    """
    python, system = platform.python_version(), f"{platform.system()} {platform.machine()}"
    head = HEAD.format(python=python, system=system, before=BEFORE)
    pins = sorted({f"{_normal(name)}=={version}" for name, version in versions})
    return "\n".join([head, *(f'{pin}; python_version < "{BEFORE}"' for pin in pins), ""])


def oldest_python() -> str:
    """The oldest one that is supported.

    >>> oldest_python()
    '3.11'
    """
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return str(settings["project"]["requires-python"].removeprefix(">="))


def _normal(name: str) -> str:
    return name.lower().replace("_", "-").replace(".", "-")


def _installed() -> list[tuple[str, str]]:
    found = [(one.name, one.version) for one in metadata.distributions()]
    return [(name, version) for name, version in found if name != "bayesic"]


def main() -> None:
    """Write the file beside pyproject.toml."""
    here, oldest = "{}.{}".format(*sys.version_info), oldest_python()
    if here != oldest:
        sys.exit(
            f"Versions are tested on the oldest Python that is supported, {oldest}, got {here}. "
            f"Run make newest PYTHON=python{oldest}."
        )
    if "--check" not in sys.argv:
        text = constraints(_installed())
        (ROOT / "constraints.txt").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
