"""The tutorial and its notebook: the same, and both run."""

import ast
import contextlib
import doctest
import importlib.util
import io
import json
import re

import pytest

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


def test_the_notebook_and_the_commands_give_what_the_page_shows(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {"__name__": "__main__"}
    cells = [cell for cell in notebook(PAGES[0])["cells"] if cell["cell_type"] == "code"]
    assert len(cells) > 20
    for cell in cells:
        source = "".join(cell["source"])
        assert shows_the_same(outputs_of(cell), what_a_notebook_shows(source, names)), source
    for kind, _, body in blocks_of(PAGES[0]):
        if kind == "console":
            printed = "".join(map(ran, re.findall(r"^\$ (.*)$", body, re.M)))
            assert rounded(printed) == rounded(body)


def outputs_of(cell):
    return "".join(
        "".join(output.get("text") or output["data"]["text/plain"]) for output in cell["outputs"]
    )


def what_a_notebook_shows(source, names):
    """Run a cell: what it prints, and the value of its last line."""
    *first, last = ast.parse(source).body
    printed, value = io.StringIO(), None
    with contextlib.redirect_stdout(printed):
        exec(compile(ast.Module(first, []), "cell", "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
        else:
            exec(compile(ast.Module([last], []), "cell", "exec"), names)
    return printed.getvalue() + ("" if value is None else repr(value))


def shows_the_same(expected, shown):
    return doctest.OutputChecker().check_output(expected, shown, doctest.NORMALIZE_WHITESPACE)
