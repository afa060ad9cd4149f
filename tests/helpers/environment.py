"""Threads, kernels and sizes of blocks for the time of a test, and Pythons of their own."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

# warnings are errors, but not that other packages will change
FUTURE = ("DeprecationWarning", "PendingDeprecationWarning", "FutureWarning")
WARNINGS = ["-W", "error", *(f"-Wignore::{kind}" for kind in FUTURE)]


@contextmanager
def environment(**variables: str) -> Iterator[None]:
    """Environment variables for the time of a block, also inside property tests."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in variables.items():
            patch.setenv(name, value)
        yield


@contextmanager
def cells_per_block(cells: int) -> Iterator[None]:
    """Blocks as small as this, so that small data has several."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("bayesic.data.blocks.CELLS_PER_BLOCK", cells)
        yield


def run_python(program: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a program in a Python of its own, with these environment variables."""
    return subprocess.run(
        [sys.executable, *WARNINGS, "-c", program],
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        timeout=300,
    )
