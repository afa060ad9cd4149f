"""thorough.txt names tests that there are."""

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
