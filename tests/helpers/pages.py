"""The pages of the documentation: their code, headings and tables, in English and Chinese."""

import doctest
import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
TWINS = {
    ROOT / "README.md": ROOT / "README.zh.md",
    **{
        DOCS / name: DOCS / "zh" / name
        for name in ("start.md", "which-model.md")
        + tuple(f"how-to/{page.name}" for page in sorted((DOCS / "how-to").glob("*.md")))
    },
}
BLOCK = re.compile(r"^```([a-z]+) ?(\S*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def text_of(page: Path) -> str:
    """What is written on a page."""
    return page.read_text(encoding="utf-8")


def blocks_of(page: Path) -> list[tuple[str, str, str]]:
    """All blocks of code: language, the name of the file that it is, if any, and what is in it."""
    return BLOCK.findall(text_of(page))


def headings_of(page: Path) -> list[str]:
    """All headings, each as the signs of its level: "#", "##"."""
    return re.findall(r"^(#+) ", BLOCK.sub("", text_of(page)), re.MULTILINE)


def tables_of(page: Path) -> list[list[list[str]]]:
    """All tables: their rows, without the line below the heading, and the cells of each."""
    tables = re.findall(r"(?:^\|.*\|$\n?)+", text_of(page), re.MULTILINE)
    return [[_cells(line) for line in table.splitlines() if "---" not in line] for table in tables]


def names_in(text: str) -> list[str]:
    """The names between backticks, without what they are called with."""
    return re.findall(r"`(?:\w+\.)*(\w+)[^`]*`", text)


def run_python(source: str, names: dict[str, Any]) -> None:
    """Run the examples of a block, whatever they print; doctest compares that elsewhere."""
    for example in doctest.DocTestParser().get_examples(source):
        if example.exc_msg is None:
            exec(compile(example.source, "page", "exec"), names)


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|").split("|")]
