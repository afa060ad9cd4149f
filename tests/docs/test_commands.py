"""Commands on the pages give what the pages show, after the Python above them has run."""

import re
from pathlib import Path

import pytest

from helpers.command_line import ran, rounded
from helpers.pages import DOCS, ROOT, blocks_of, run_python, text_of

# those of docs/start.md are run in test_start.py
PAGES = sorted(page for page in (DOCS / "how-to").glob("*.md") if "```console" in text_of(page))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_command_gives_what_the_page_shows(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for kind, file, body in blocks_of(page):
        if file:
            Path(file).write_text(body, encoding="utf-8")
        elif kind == "python" and ">>>" in body:
            run_python(body, names)
        elif kind == "console":
            printed = "".join(map(ran, re.findall(r"^\$ (.*)$", body, re.M)))
            assert rounded(printed) == rounded(body)


def test_the_commands_of_the_readme_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    readme = ROOT / "README.md"
    run_python(blocks_of(readme)[0][2], names)
    write_csv("mails.csv", names["mails"])
    write_csv("new.csv", {name: [cell] for name, cell in names["new"].items()})
    lines = re.findall(r"^    (bayesic (?!studio).*)$", text_of(readme), re.MULTILINE)
    printed = [ran(line) for line in lines]
    assert [line.split()[1] for line in lines] == ["fit", "predict", "explain", "evaluate"]
    assert not any("Error" in text for text in printed)
    assert "spam" in printed[1]
    assert "spam (0.7788) rather than ham" in printed[2]


def write_csv(path, table):
    """A dict of columns as a file; None is an empty field."""
    rows = zip(*table.values(), strict=True)
    lines = [",".join("" if cell is None else f'"{cell}"' for cell in row) for row in rows]
    Path(path).write_text("\n".join([",".join(table), *lines, ""]), encoding="utf-8")
