"""The examples of each page run in an empty folder of their own, so that they may write files."""

import pytest


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    """Change into an empty folder."""
    monkeypatch.chdir(tmp_path)
