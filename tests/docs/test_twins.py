"""English and Chinese pages are twins: the same code, headings, tables and pictures."""

import re

import pytest

from helpers.pages import DOCS, TWINS, blocks_of, headings_of, tables_of, text_of

every_pair = pytest.mark.parametrize(
    ("english", "chinese"), TWINS.items(), ids=[str(page.name) for page in TWINS]
)
CHINESE = re.compile(r"[\u4e00-\u9fff]")
SPOKEN = '>>> by.language("zh")'  # what a Chinese page says beyond its twin


def code_of(block):
    """Code without its comments and output, which are in the language of the page."""
    kind, name, body = block
    if kind == "python" and ">>> " in body:
        lines = re.findall(r"^(?:>>>|\.\.\.) .*$", body, re.MULTILINE)
        lines = [line for line in lines if not line.startswith(SPOKEN)]
        body = re.sub(r"  # .*$", "", "\n".join(lines), flags=re.MULTILINE)
    return kind, name, body


def prose_of(page):
    """A page without code, links and pictures."""
    text = re.sub(r"^```.*?^```$|^    .*?$|^\[.*$", "", text_of(page), flags=re.M | re.S)
    return re.sub(r"`[^`]*`|\([^)]*\)", "", text)


@every_pair
def test_twins_run_the_same_code(english, chinese):
    ours = [code_of(block) for block in blocks_of(english)]
    assert ours
    assert ours == [code_of(block) for block in blocks_of(chinese)]


@every_pair
def test_twins_have_the_same_headings_and_tables(english, chinese):
    assert headings_of(english) == headings_of(chinese)
    ours, theirs = tables_of(english), tables_of(chinese)
    assert [[len(row) for row in table] for table in ours] == [
        [len(row) for row in table] for table in theirs
    ]


@every_pair
def test_twins_name_the_same_code_in_their_tables(english, chinese):
    def code(page):
        return [re.findall(r"`([^`]*)`", " ".join(row)) for t in tables_of(page) for row in t]

    assert code(english) == code(chinese)


@every_pair
def test_a_page_is_in_its_language(english, chinese):
    assert len(CHINESE.findall(prose_of(chinese))) > 100
    assert len(CHINESE.findall(prose_of(english))) < 10


def test_every_english_how_to_has_a_chinese_twin_and_no_other_page_is_there():
    assert len(TWINS) > 14
    assert [page for page in TWINS.values() if not page.exists()] == []
    here = {page.name for page in (DOCS / "zh" / "how-to").glob("*.md")}
    assert here == {page.name for page in (DOCS / "how-to").glob("*.md")}
