"""Commands on the pages give what the pages show, after the Python above them has run."""

import re
from pathlib import Path

import pytest

import bayesic as by
from helpers.command_line import ran, rounded
from helpers.pages import DOCS, ROOT, blocks_of, run_python, text_of

READMES = [ROOT / "README.md", ROOT / "README.zh.md"]

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


@pytest.mark.parametrize("readme", READMES, ids=["en", "zh"])
def test_the_commands_of_the_readme_run_on_the_files_that_it_writes(readme, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for _, _, body in blocks_of(readme):
        run_python(body, names)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mails.csv", "new.csv"]
    lines = re.findall(r"^    (bayesic (?!studio).*)$", text_of(readme), re.MULTILINE)
    with by.language("en"):  # a shell is another process, which the page's Python tells nothing
        printed = [ran(line) for line in lines]
    assert [line.split()[1] for line in lines] == ["fit", "predict", "explain", "evaluate"]
    assert not any("Error" in text for text in printed)
    assert "spam" in printed[1]
    assert "spam (0.7788) rather than ham" in printed[2]


INSTALL = re.compile(r"pip install ([\"']?bayesic\b[^ `.,;:]*)")
PUBLISHED = [*READMES, *DOCS.rglob("*.md")]


@pytest.mark.parametrize("page", PUBLISHED, ids=lambda page: str(page.relative_to(ROOT)))
def test_no_page_asks_an_index_for_what_is_not_there(page):
    asked = INSTALL.findall(text_of(page))
    assert [one for one in asked if "[" not in one] == []  # pip adds extras to what is installed
