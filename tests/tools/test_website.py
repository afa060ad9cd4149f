"""Pages of the repository become pages of the site."""

import re
from pathlib import Path

import pytest

from website.chinese import PAIRS, SPLITTER
from website.pages import listed_pages, with_site_links, with_tree

ROOT = Path(__file__).parents[2]
HERE = "https://github.com/bayesic/bayesic/blob/main/"


@pytest.mark.parametrize(
    ("page", "link", "target"),
    [
        ("docs/start.md", "how-to/costs.md#loss", "how-to/costs.md#loss"),
        ("docs/start.md", "#loss", "#loss"),
        ("docs/start.md", "https://example.org/start.md", "https://example.org/start.md"),
        ("docs/start.md", "../CONTRIBUTING.md#tests", "contributing.md#tests"),
        ("docs/how-to/costs.md", "../../CHANGELOG.md", "../changelog.md"),
        ("docs/start.md", "../benchmarks/models/RESULTS.md", HERE + "benchmarks/models/RESULTS.md"),
        ("docs/start.md", "start.ipynb", HERE + "docs/start.ipynb"),
        ("docs/zh/start.md", "../images/studio.png", "../images/studio.png"),
        ("docs/zh/start.md", "how-to/costs.md", "how-to/costs.md"),
        ("docs/zh/how-to/costs.md", "../../decisions.md#a", "site:../../decisions.html#a"),
        ("docs/index.md", "zh/index.md", "site:zh/index.html"),
        ("CONTRIBUTING.md", "docs/glossary.md", "glossary.md"),
        ("CONTRIBUTING.md", "README.md", HERE + "README.md"),
    ],
)
def test_a_link_leads_to_the_same_place_on_the_site(page, link, target):
    assert with_site_links(page, f"see [there]({link}).") == f"see [there]({target})."
    assert with_site_links(page, f"[there]: {link}\n") == f"[there]: {target}\n"


def test_code_is_left_as_it_is():
    code = "```python\nrows[0](../README.md)\n```\n`[a](../README.md)`"
    assert with_site_links("docs/start.md", code) == code


def test_the_tree_is_what_the_first_page_lists():
    text = "# T\n\n## Start\n\n- [A](a.md): and [b](b.md)\n\n## How to\n\n- [C](how-to/c.md)\n"
    assert listed_pages(text) == {"Start": ["a.md"], "How to": ["how-to/c.md"]}
    pages = {"index.md", "a.md", "b.md", "how-to/c.md", "how-to/d.md"}
    shown = with_tree("index.md", text, pages)
    assert ":caption: Start\n\na.md\n```" in shown
    assert ":caption: How to\n\nhow-to/c.md\nhow-to/d.md\n```" in shown  # also what is not listed
    assert with_tree("a.md", text, pages) == text


def test_a_page_with_a_folder_of_its_name_stands_above_the_pages_in_it():
    text = "# Cases\n\n- [Two](cases/2.md)\n- [One](cases/1.md)\n- [Else](other.md)\n"
    pages = {"cases.md", "cases/1.md", "cases/2.md", "cases/3.md", "zh/cases/1.md", "other.md"}
    assert "\ncases/2.md\ncases/1.md\ncases/3.md\n```" in with_tree("cases.md", text, pages)
    assert "\ncases/1.md\n```" in with_tree("zh/cases.md", "# 例\n", {*pages, "zh/cases.md"})


@pytest.mark.parametrize("page", ["docs/index.md", "docs/zh/index.md"])
def test_a_page_is_listed_once(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    links = re.findall(r"^- \[[^\]]+\]\(([^)]+)\)", text, re.M)
    assert len(links) > 10
    assert sorted(set(links)) == sorted(links)


def test_page_and_script_cut_chinese_alike():
    assert PAIRS.pattern[:-1] in SPLITTER
