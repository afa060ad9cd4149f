"""constraints.txt has a version for all that is installed, and tools/constraints.py writes it."""

import re
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import constraints

ROOT = Path(__file__).parents[2]
LINES = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
PINS = {one.name: one for one in map(Requirement, filter(re.compile("[^#]").match, LINES))}
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def required():
    """All that is asked for anywhere in pyproject.toml, and pip, which installs it."""
    project = SETTINGS["project"]
    lists = [SETTINGS["build-system"]["requires"], project["dependencies"], ["pip>=25.3"]]
    lists += [*project["optional-dependencies"].values(), *SETTINGS["dependency-groups"].values()]
    return [one for several in lists for one in map(Requirement, several) if one.name != "bayesic"]


def all_required():
    """The same, with what these need in turn, as far as it is installed here."""
    seen, waiting = set(), required()
    while waiting:
        one = waiting.pop()
        if str(one) in seen or not applies(one):
            continue
        seen.add(str(one))
        yield canonicalize_name(one.name)
        for line in requirements_of(one.name):
            waiting += [found for found in [Requirement(line)] if needed(found, one.extras)]


def applies(requirement):
    return requirement.marker is None or requirement.marker.evaluate({"extra": ""})


def needed(requirement, extras):
    marker = requirement.marker
    if marker is None or any(marker.evaluate({"extra": extra}) for extra in extras or {""}):
        requirement.marker = None
        return True
    return False


def requirements_of(name):
    try:
        return metadata.requires(name) or []
    except metadata.PackageNotFoundError:
        return []


def test_every_version_is_one_that_pyproject_allows():
    for one in required():
        (pin,) = PINS[canonicalize_name(one.name)].specifier
        assert pin.operator == "=="
        assert one.specifier.contains(pin.version), one


@pytest.mark.skipif(sys.platform != "linux", reason="written on Linux: others need other packages")
def test_what_is_needed_in_turn_has_a_version_too():
    assert sorted(set(all_required()) - set(PINS)) == []


def test_make_installs_nothing_without_them():
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert re.search(r"^CONSTRAINTS := constraints.txt$", text, re.M)
    assert re.search(r"^PIP := .* pip .*install .*--constraint \$\(CONSTRAINTS\)$", text, re.M)
    assert re.search(r"^INSTALL := \$\(PIP\) --build-constraint \$\(CONSTRAINTS\)$", text, re.M)
    recipes = re.findall(r"^\t(.*(?:--editable|--group|--upgrade).*)$", text, re.M)
    assert len(recipes) == 6
    assert all(line.startswith(("$(PIP) ", "$(INSTALL) ")) for line in recipes)


def test_a_newer_python_does_not_write_them(monkeypatch, capsys):
    monkeypatch.setattr(sys, "version_info", (3, 99))
    with pytest.raises(SystemExit, match=r"make newest PYTHON=python3\.11"):
        constraints.main()
