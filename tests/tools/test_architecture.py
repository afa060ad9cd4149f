"""tools/architecture.py draws the import contract, and the picture of the page is up to date."""

import re

import architecture


def test_the_picture_of_the_page_is_what_the_contract_says():
    assert architecture.PICTURE.read_text(encoding="utf-8") == architecture.picture()


def test_every_layer_is_drawn_from_the_top_down():
    drawn = re.findall(r'class="name" x="\d+" y="(\d+)">(\w+)<', architecture.picture())
    heights = [int(height) for height, _ in drawn]
    names = [name for _, name in drawn]
    assert heights == sorted(heights)
    assert names[0] == "cli"
    assert names.index("models") < names.index("estimation") < names.index("data")
    assert set(architecture.CHAIN) <= set(names)


def test_a_sentence_is_the_first_of_the_folder(tmp_path):
    (tmp_path / "rows").mkdir()
    (tmp_path / "rows" / "__init__.py").write_text('"""Rows `in`, rows\nout. More."""')
    (tmp_path / "one.py").write_text('"""One file."""')
    assert architecture.sentence("rows", tmp_path) == "Rows in, rows out"
    assert architecture.sentence("one", tmp_path) == "One file"
