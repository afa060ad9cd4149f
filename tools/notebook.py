"""Write the tutorial as a notebook: `python tools/notebook.py`.

A page of Markdown becomes a notebook of format 4.5. Each example with its output is a cell of code,
everything in between a cell of Markdown. Outputs are those on the page, which the tests check.
"""

import ast
import doctest
import json
import re
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parents[1] / "docs"
PAGES = (DOCS / "start.md", DOCS / "zh" / "start.md")
CODE = re.compile(r"^```python\n(.*?)^```$\n*", re.MULTILINE | re.DOTALL)

Cell = dict[str, Any]


def cells_of(page: str) -> list[Cell]:
    """The cells of a notebook that reads like the page."""
    cells: list[Cell] = []
    end = 0
    for block in CODE.finditer(page):
        cells += [_markdown(page[end : block.start()]), *_code_cells(block[1])]
        end = block.end()
    cells.append(_markdown(page[end:]))
    cells = [cell for cell in cells if cell["source"]]
    return [{"id": f"cell-{number:03}", **cell} for number, cell in enumerate(cells)]


def notebook_of(page: str) -> str:
    """A notebook as the text of its file."""
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    content = {
        "cells": cells_of(page),
        "metadata": {"kernelspec": kernel, "language_info": {"name": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def shows_a_value(source: str) -> bool:
    """Whether a notebook shows the value of the last line, as it does of all but print(...)."""
    last = ast.parse(source).body[-1]
    return isinstance(last, ast.Expr) and not ast.unparse(last).startswith("print(")


def _markdown(text: str) -> Cell:
    return {"cell_type": "markdown", "metadata": {}, "source": _lines(text.strip())}


def _code_cells(block: str) -> list[Cell]:
    """One cell up to each output: a notebook shows the last value of a cell alone."""
    cells, source = [], ""
    for example in doctest.DocTestParser().get_examples(block):
        source += example.source
        if example.want:
            cells.append(_code(source, example.want))
            source = ""
    return [*cells, _code(source, "")] if source else cells


def _code(source: str, printed: str) -> Cell:
    text = _lines(re.sub(r"^<BLANKLINE>$", "", printed, flags=re.MULTILINE).rstrip("\n"))
    output: Cell = {"output_type": "stream", "name": "stdout", "text": text}
    if shows_a_value(source):
        output = {"output_type": "execute_result", "execution_count": None, "metadata": {}}
        output["data"] = {"text/plain": text}
    return {
        "cell_type": "code",
        "execution_count": None,
        "metadata": {},
        "outputs": [output] if printed else [],
        "source": _lines(source.rstrip("\n")),
    }


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def main() -> None:
    """Write the notebook of each page beside it."""
    for page in PAGES:
        path = page.with_suffix(".ipynb")
        path.write_text(notebook_of(page.read_text(encoding="utf-8")), encoding="utf-8")
        print(path)


if __name__ == "__main__":
    main()
