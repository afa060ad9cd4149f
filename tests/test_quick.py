"""`make quick` looks at five examples a property, and leaves out tests that there are."""

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
NAMES = (ROOT / "tests/thorough.txt").read_text(encoding="utf-8").split()


def test_names_are_in_order_and_come_once():
    assert sorted(set(NAMES)) == NAMES


@pytest.mark.parametrize("file", sorted({name.partition("::")[0] for name in NAMES}))
def test_what_is_left_out_of_a_quick_run_exists(file):
    text = (ROOT / file).read_text(encoding="utf-8")
    tests = [name.rpartition("::")[2] for name in NAMES if name.startswith(f"{file}::")]
    assert [test for test in tests if f"def {test}(" not in text] == []


def test_no_property_sets_its_number_of_examples_over_that_of_the_profile():
    """`at_most` is the way (tests/helpers/examples.py)."""
    files = {*(ROOT / "tests").rglob("*.py")} - {ROOT / "tests/conftest.py", Path(__file__)}
    files -= {ROOT / "tests/helpers/examples.py"}
    assert [file for file in files if "max_examples" in file.read_text(encoding="utf-8")] == []
