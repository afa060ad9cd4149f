"""`make quick` looks at five examples a property at most, and leaves out what is slow."""

from pathlib import Path

import pytest

from helpers.slow_tests import LONGEST, SLOW, Stopwatch, slow_names

TESTS = Path(__file__).parent
RAIN = "tests/test_rain.py"


def test_no_property_sets_its_number_of_examples_over_that_of_the_profile():
    """`at_most` is the way (tests/helpers/examples.py)."""
    files = {*TESTS.rglob("*.py")} - {Path(__file__), TESTS / "conftest.py"}
    files -= {TESTS / "helpers/examples.py"}
    assert [file for file in files if "max_examples" in file.read_text(encoding="utf-8")] == []


def test_slow_tests_are_kept_in_order():
    names = SLOW.read_text(encoding="utf-8").split()
    assert names == slow_names(names, {})


@pytest.mark.parametrize("when, slow", [("setup", RAIN), ("call", f"{RAIN}::test_drop")])
def test_who_is_slow_to_prepare_a_test_leaves_out_its_file(monkeypatch, tmp_path, when, slow):
    kept = tmp_path / "slow.txt"
    kept.write_text("tests/test_sun.py\n")
    monkeypatch.setattr("helpers.slow_tests.SLOW", kept)
    watch = Stopwatch()
    for step in ("setup", "call", "teardown"):
        seconds = 2 * LONGEST if step == when else LONGEST / 2
        watch.pytest_runtest_logreport(
            pytest.TestReport(
                f"{RAIN}::test_drop[1]", (RAIN, 1, ""), {}, "passed", None, step, duration=seconds
            )
        )
    watch.pytest_sessionfinish()
    assert kept.read_text().split() == [slow, "tests/test_sun.py"]
