"""The tutorial and its notebook: the same, and both run."""

import doctest
import importlib.util
import json
import re

import nbformat
import pytest
from nbclient import NotebookClient

from helpers.command_line import ran, rounded
from helpers.pages import DOCS, ROOT, blocks_of, text_of

PAGES = [DOCS / "start.md", DOCS / "zh" / "start.md"]


@pytest.fixture(scope="module")
def tool():
    spec = importlib.util.spec_from_file_location("notebook", ROOT / "tools" / "notebook.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def notebook(page):
    return json.loads(text_of(page.with_suffix(".ipynb")))


@pytest.mark.parametrize("page", PAGES, ids=["en", "zh"])
def test_the_notebook_is_the_page(tool, page):
    assert page in tool.PAGES
    assert text_of(page.with_suffix(".ipynb")) == tool.notebook_of(text_of(page)), (
        "run python tools/notebook.py"
    )


def test_a_notebook_has_all_code_of_the_page_and_its_outputs(tool):
    page = "# Rain\n\n```python\n>>> rain = 3\n>>> rain\n3\n>>> print(rain)\n3\n\n```\n\nAnd sun.\n"
    cells = tool.cells_of(page)
    kinds = [(cell["cell_type"], "".join(cell["source"])) for cell in cells]
    assert kinds == [
        ("markdown", "# Rain"),
        ("code", "rain = 3\nrain"),
        ("code", "print(rain)"),
        ("markdown", "And sun."),
    ]
    assert [cell["outputs"][0]["output_type"] for cell in cells[1:3]] == [
        "execute_result",
        "stream",
    ]
    assert len({cell["id"] for cell in cells}) == 4


@pytest.mark.parametrize("page", PAGES, ids=["en", "zh"])
def test_the_notebook_and_the_commands_give_what_the_page_shows(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path / "jupyter"))
    cells = notebook(page)["cells"]
    assert len(cells) > 40
    for cell, shown in zip(cells, shown_in_a_kernel(page), strict=True):
        assert shows_the_same(outputs_of(cell), outputs_of(shown)), cell["source"]
    for kind, _, body in blocks_of(page):
        if kind == "console":
            printed = "".join(map(ran, re.findall(r"^\$ (.*)$", body, re.M)))
            assert rounded(printed) == rounded(body)


def shown_in_a_kernel(page):
    """The cells after Jupyter has run them, where there are no widgets."""
    book = nbformat.reads(text_of(page.with_suffix(".ipynb")), as_version=4)
    book.cells.insert(0, nbformat.v4.new_code_cell("import sys; sys.modules['ipywidgets'] = None"))
    return NotebookClient(book, timeout=300).execute().cells[1:]


def outputs_of(cell):
    return "".join(
        "".join(output.get("text") or output["data"]["text/plain"])
        for output in cell.get("outputs", [])
    )


def shows_the_same(expected, shown):
    return doctest.OutputChecker().check_output(expected, shown, doctest.NORMALIZE_WHITESPACE)
