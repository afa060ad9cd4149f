"""Kill -9 at random moments: nothing acknowledged is lost, nothing is learned twice."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(__file__).with_name("crash.py")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_after_thirty_kills_all_that_was_acknowledged_is_there_and_counted_once():
    done = subprocess.run(
        [sys.executable, PROGRAM, "--kills", "30"], capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "30 kills" in done.stdout and "0 with problems" in done.stdout
