"""The page about plots is complete, and its pictures are there and small."""

import re
import runpy
from pathlib import Path

import pytest

from bayesic import plots

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "plots.md").read_text(encoding="utf-8")
PICTURES = runpy.run_path(str(DOCS / "images" / "make.py"))["PICTURES"]


def test_every_function_is_on_the_page():
    assert [name for name in plots.__all__ if f"| `{name}(" not in PAGE] == []


def test_the_page_shows_every_picture_that_is_made():
    assert sorted(re.findall(r"\(images/(.*)\.png\)", PAGE)) == sorted(PICTURES)


@pytest.mark.parametrize("name", PICTURES)
def test_pictures_are_there_and_small(name):
    assert 1_000 < (DOCS / "images" / f"{name}.png").stat().st_size < 100_000
