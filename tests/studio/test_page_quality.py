"""The page as a whole: its words, its types, its size, and whether everybody can use it."""

import json
import re
import shutil
import subprocess

import pytest

from helpers.studio_page import (
    PAGE,
    assert_accessible,
    assert_small,
    open_example,
    open_section,
    state,
)

MODULES = sorted(PAGE.glob("*/*.js"))
DESKS = sorted(path.parent.name for path in PAGE.glob("*/main.html"))
TYPES = (
    *("--noEmit", "--allowJs", "--checkJs", "--strict", "--noImplicitAny", "false"),
    *("--target", "es2023", "--module", "esnext", "--moduleResolution", "bundler"),
    *("--lib", "es2023,dom,dom.iterable"),
)


def sentences(folder):
    """All English sentences of the modules of a folder."""
    text = "\n".join(module.read_text("utf-8") for module in (PAGE / folder).glob("*.js"))
    found = set(re.findall(r'say\(\s*"((?:[^"\\]|\\.)*)"', text))
    found |= set(re.findall(r'\btitle: "([^"]*)", on:', text))
    help_page = PAGE / folder / "help.js"
    pairs = re.findall(
        r'\["([^"]*)", "([^"]*)"\]', help_page.read_text("utf-8") if help_page.exists() else ""
    )
    return found | {part for pair in pairs for part in pair}


def chinese(folder):
    return json.loads((PAGE / folder / "chinese.json").read_text("utf-8"))


@pytest.mark.parametrize("desk", DESKS)
def test_every_sentence_is_there_in_chinese(desk):
    known = chinese("frame").keys() | chinese(desk).keys()
    assert sorted((sentences("frame") | sentences(desk)) - known) == []


@pytest.mark.parametrize("desk", DESKS)
def test_a_desk_gives_no_other_words_to_what_the_frame_says(desk):
    shared = chinese("frame")
    others = {key: text for key, text in chinese(desk).items() if shared.get(key, text) != text}
    assert others == {}


@pytest.mark.parametrize("folder", ["frame", *DESKS])
def test_placeholders_are_the_same_in_both_languages(folder):
    for english, words in chinese(folder).items():
        places = [set(re.findall(r"\{\d\}", text)) for text in (english, words)]
        assert places[0] == places[1], english


def test_modules_are_short_and_put_texts_in_as_texts():
    for module in MODULES:
        text = module.read_text("utf-8")
        assert text.count("\n") <= 300, module.name
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(", text)


def test_types_are_right(page_tools):
    if not shutil.which("node"):
        pytest.skip("node is not installed: the types of the page are not checked")
    command = [page_tools / ".bin" / "tsc", *TYPES, *MODULES, *PAGE.glob("*/types.d.ts")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout == ""


def test_what_a_desk_loads_is_small(new_page):
    page = new_page()
    open_example(page)
    page.click(state("xray", "yes"))
    assert_small(page)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_everybody_can_use_it(new_page, page_tools, theme):
    page = new_page(color_scheme=theme, bypass_csp=True)  # for the tool, not for the page
    assert_accessible(page, page_tools)
    open_example(page)
    page.click(state("xray", "yes"))
    for name in ("scenarios", "cases", "most-probable", "ask-next", "separation", "table"):
        open_section(page, name)
    page.wait_for_selector("[data-table]")
    assert_accessible(page, page_tools)
    page.keyboard.press("?")
    page.wait_for_selector("dialog")
    assert_accessible(page, page_tools)
