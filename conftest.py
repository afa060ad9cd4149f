"""The examples of each page run in an empty folder of their own, so that they may write files."""

from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent / "examples"


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(request):
    """For pages: a folder with nothing but the examples, as they stand in the project."""
    if request.path.suffix == ".md":
        folder = request.getfixturevalue("tmp_path")
        (folder / "examples").symlink_to(EXAMPLES)
        request.getfixturevalue("monkeypatch").chdir(folder)
