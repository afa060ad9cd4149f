"""What all tests and examples share: each begins in English, each page in a folder of its own."""

from pathlib import Path

import pytest

import bayesic as by

EXAMPLES = Path(__file__).parent / "examples"


@pytest.fixture(autouse=True)
def in_english():
    """A test, or a page, may set the language without telling the next."""
    with by.language("en"):
        yield


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(request):
    """For pages: a folder with nothing but the examples, as they stand in the project."""
    if request.path.suffix == ".md":
        folder = request.getfixturevalue("tmp_path")
        (folder / "examples").symlink_to(EXAMPLES)
        request.getfixturevalue("monkeypatch").chdir(folder)
