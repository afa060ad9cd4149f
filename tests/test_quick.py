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


@pytest.fixture
def watch(monkeypatch, tmp_path):
    """A stopwatch, a way to tell it of the steps of a test, and the names that it keeps."""
    kept, watch = tmp_path / "slow.txt", Stopwatch()
    kept.write_text("tests/test_rain.py::test_hail\ntests/test_sun.py\n")
    monkeypatch.setattr("helpers.slow_tests.SLOW", kept)

    def told(name, outcome="passed", **seconds):
        for step, time in {"setup": 0.0, "call": 0.0, "teardown": 0.0, **seconds}.items():
            place = (RAIN, 1, "")
            watch.pytest_runtest_logreport(
                pytest.TestReport(name, place, {}, outcome, None, step, duration=time)
            )

    def names():
        watch.pytest_sessionfinish()
        return kept.read_text().split()

    return told, names


@pytest.mark.parametrize("when, slow", [("setup", RAIN), ("call", f"{RAIN}::test_drop")])
def test_a_test_that_is_slow_to_prepare_takes_its_file_along(watch, when, slow):
    told, names = watch
    told(f"{RAIN}::test_drop[1]", **{when: 2 * LONGEST})
    told(f"{RAIN}::test_drop[2]", setup=LONGEST / 2, call=LONGEST / 2, teardown=2 * LONGEST)
    assert names() == [slow, "tests/test_sun.py"]


def test_what_was_skipped_is_as_slow_as_it_was(watch):
    told, names = watch
    told(f"{RAIN}::test_hail", outcome="skipped")
    assert names() == [f"{RAIN}::test_hail", "tests/test_sun.py"]
