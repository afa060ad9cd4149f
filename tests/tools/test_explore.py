"""tools/explore.py shows what it runs, ends in time, and says how to replay what it finds."""

import time

import pytest

import explore

FAILING = "FAILED tests/test_rain.py::test_rain - AssertionError"


def script(folder, text):
    path = folder / "tests_of_rain.py"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_what_is_found_is_shown_with_its_replay(tmp_path, capfd):
    command = script(tmp_path, f"print('17 passed'); print({FAILING!r}); raise SystemExit(1)")
    assert explore.found_by(command, 7, time.monotonic() + 60) == [
        "PYTHONHASHSEED=7 python -m pytest --hypothesis-profile=explore --hypothesis-seed=7 "
        '"tests/test_rain.py::test_rain"'
    ]
    assert capfd.readouterr().out == f"17 passed\n{FAILING}\n"


def test_at_the_end_of_the_time_it_still_says_what_it_found(tmp_path):
    waiting = f"""
import time
try:
    time.sleep(600)
except KeyboardInterrupt:
    print({FAILING!r})
"""
    (replay,) = explore.found_by(script(tmp_path, waiting), 7, time.monotonic() + 2)
    assert replay.endswith('"tests/test_rain.py::test_rain"')


def test_what_cannot_run_has_not_found_nothing(tmp_path):
    with pytest.raises(SystemExit, match="ended with 4"):
        explore.found_by(script(tmp_path, "raise SystemExit(4)"), 7, time.monotonic() + 60)


def test_a_seed_gives_the_same_hashes(tmp_path, capfd):
    command = script(tmp_path, "print(hash('rain'))")
    for _ in range(2):
        explore.found_by(command, 7, time.monotonic() + 60)
    first, second = capfd.readouterr().out.split()
    assert first == second
