"""The site that `make docs` builds: complete, without dead links, without other hosts."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

import pytest

from website.public import public_names
from website.reference import page_of

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
NEEDED = ("sphinx", "myst_parser", "furo")
pytestmark = pytest.mark.xdist_group("site")  # one build for all

# attributes by which a page loads something
LOADS = {("script", "src"), ("img", "src"), ("iframe", "src"), ("source", "src"), ("link", "href")}
CHINESE = ["index", "start", "which-model", "studio", "textbook"]


class Page(HTMLParser):
    """What a page links to, loads, and can be reached by."""

    def __init__(self, file):
        super().__init__()
        self.links, self.loaded, self.names = [], [], set()
        self.feed(file.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        known = dict(attributes)
        self.names |= {known[name] for name in ("id", "name") if known.get(name)}
        self.links += [known["href"]] if tag == "a" and known.get("href") else []
        is_reference = tag == "link" and known.get("rel") in ("next", "prev", "canonical")
        for name in ("src", "href"):
            if (tag, name) in LOADS and known.get(name) and not is_reference:
                self.loaded.append(known[name])


def missing():
    """What is not installed; where the site is demanded that is a failure."""
    lacking = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if lacking and os.environ.get("BAYESIC_SITE_TESTS") == "required":
        pytest.fail(f"{', '.join(lacking)} not installed, and BAYESIC_SITE_TESTS=required")
    return lacking


def chromium():
    """The browser that is installed."""
    path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
    if path is None and os.environ.get("BAYESIC_BROWSER_TESTS") == "required":
        pytest.fail("there is no chromium on the path, and BAYESIC_BROWSER_TESTS=required")
    return path or pytest.skip("no chromium: the search of the site is not tried.")


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The folder of the site, built once, and what the build said."""
    if lacking := missing():
        pytest.skip(f"{', '.join(lacking)} not installed: no site. Run make .venv/docs first.")
    out = tmp_path_factory.mktemp("site") / "site"
    paths = [str(ROOT / "tools"), str(ROOT / "src"), os.environ.get("PYTHONPATH", "")]
    ran = subprocess.run(
        [sys.executable, "-m", "website", str(out)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    return out, ran.returncode, ran.stderr


@pytest.fixture(scope="module")
def site(built):
    return built[0]


@pytest.fixture(scope="module")
def pages(site):
    return {file: Page(file) for file in sorted(site.rglob("*.html"))}


def test_the_site_is_built_without_a_warning(built):
    assert built[2] == ""
    assert built[1] == 0


def test_every_page_of_the_documentation_is_on_the_site(site):
    pages = [page.relative_to(DOCS).with_suffix(".html") for page in DOCS.rglob("*.md")]
    assert [str(page) for page in pages if not (site / page).is_file()] == []
    assert (site / "contributing.html").is_file()


def test_every_public_name_has_an_entry_on_its_page(pages, site):
    for one in public_names():
        assert (
            f"bayesic.{one.name}" in pages[site / "reference" / f"{page_of(one.name)}.html"].names
        )


def test_no_link_and_no_anchor_is_dead(pages, site):
    dead = []
    for file, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            target = (file.parent / unquote(parts.path)).resolve() if parts.path else file
            if parts.scheme or parts.netloc:
                continue
            if not target.is_file():
                dead.append(f"{file.relative_to(site)} -> {link}")
            elif target.suffix == ".html" and parts.fragment:
                known = pages[site / target.relative_to(site.resolve())].names
                if unquote(parts.fragment) not in known:
                    dead.append(f"{file.relative_to(site)} -> {link}")
    assert dead == []


def test_nothing_is_loaded_from_another_host(pages, site):
    loaded = {link for page in pages.values() for link in page.loaded}
    for sheet in site.rglob("*.css"):
        text = sheet.read_text(encoding="utf-8")
        loaded |= set(re.findall(r"(?:url\(|@import )[\"']?([^\"')]+)", text))
    assert any(link.endswith(".css") or ".css?" in link for link in loaded)
    assert sorted(link for link in loaded if re.match(r"(\w+:)?//", link)) == []


def test_formulas_are_mathml_without_a_script(pages, site):
    written = [page for page in DOCS.rglob("*.md") if "$$" in page.read_text(encoding="utf-8")]
    for page in written:
        html = (site / page.relative_to(DOCS)).with_suffix(".html").read_text(encoding="utf-8")
        assert "<math" in html
    assert not any("mathjax" in link.lower() for page in pages.values() for link in page.loaded)


@pytest.mark.parametrize(
    ("tree", "words", "page"),
    [
        ("", "NaiveBayes", "reference/naivebayes.html"),
        ("", "missing value", "glossary.html"),
        ("", "feature importance", "how-to/explaining.html"),
        ("", "imbalance", "how-to/imbalance.html"),
        ("", "incremental", "how-to/online-learning.html"),
        ("", "calibration", "reference/calibrated.html"),
        ("", "unlearning", "how-to/online-learning.html"),
        ("", "explainable", "how-to/explaining.html"),
        ("zh/", "缺失值", "how-to/missing-values.html"),
        ("zh/", "贝叶斯学习", "index.html"),
        ("zh/", "漂移", "index.html"),
    ],
)
def test_words_are_found_without_a_server(site, tmp_path, tree, words, page):
    assert f'href="{page}' in found_by(site, tree, words, tmp_path)


@pytest.mark.parametrize(
    ("tree", "words", "page", "sentence"),
    [
        ("", "missing value", "missing-values", "A missing value is left out of the product"),
        ("", "feature importance", "explaining", "Which features matter (feature importance)?"),
        ("", "incremental", "online-learning", "I want incremental learning"),
        ("", "explainable", "explaining", "I need an explainable model."),
        ("zh/", "缺失值", "missing-values", "缺失值的权重是 0"),
        ("zh/", "漂移", "online-learning", "还想发现漂移"),
    ],
)
def test_the_best_page_is_found_first_with_its_sentence(
    site, tmp_path, tree, words, page, sentence
):
    first = re.search(r"<li.*?</li>", found_by(site, tree, words, tmp_path), re.DOTALL)[0]
    assert f'href="how-to/{page}.html"' in first
    assert sentence in re.sub(r"<.*?>", "", first)  # found words are marked


def found_by(site, tree, words, folder):
    """What the page of the search shows, opened as a file."""
    search = (site / tree / "search.html").as_uri() + f"?q={quote(words)}"
    flags = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}"]
    shown = subprocess.run(
        [chromium(), *flags, "--virtual-time-budget=10000", "--dump-dom", search],
        check=True,
        capture_output=True,
        text=True,
        encoding="utf-8",
    ).stdout
    return shown[shown.index('id="search-results"') :]


def test_paper_has_no_link_to_skip_what_is_not_there_and_formulas_have_a_font(site):
    for tree in ("", "zh"):
        style = (site / tree / "_static" / "site.css").read_text(encoding="utf-8")
        paper = style[style.index("@media print") :]
        assert re.search(r"\.skip-to-content \{ display: none; \}", paper)
        assert re.search(r'^math \{ font-family: ".*math; \}$', style, re.MULTILINE | re.DOTALL)


def test_lines_of_chinese_paragraphs_are_joined_without_a_space(site):
    wide = r"[\u3000-\u303f\u3400-\u9fff\uff00-\uffef]"
    for file in (site / "zh").rglob("*.html"):
        for paragraph in re.findall(r"<p>.*?</p>", file.read_text(encoding="utf-8"), re.DOTALL):
            assert re.findall(rf"{wide}\n{wide}", paragraph) == []


@pytest.mark.parametrize("name", CHINESE)
def test_the_chinese_tree_has_what_everyone_reads_first(site, name):
    assert (site / "zh" / f"{name}.html").is_file()


def test_every_page_of_how_to_has_its_chinese_twin():
    english = sorted(page.name for page in (DOCS / "how-to").glob("*.md"))
    assert english
    assert english == sorted(page.name for page in (DOCS / "zh" / "how-to").glob("*.md"))
