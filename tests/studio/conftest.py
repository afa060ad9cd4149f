"""A studio on a free port, and a browser that opens its page."""

import os
import shutil
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from helpers.studio_server import studying

FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update"),
)
CHROMIUMS = ("chromium", "chromium-browser", "google-chrome")


@pytest.fixture
def address(tmp_path):
    """The address of a studio in which nothing is open."""
    with studying(tmp_path / "studio.store") as address:
        yield address


def missing(what):
    """Skip a test of the page, or fail where these tests are demanded."""
    if os.environ.get("BAYESIC_BROWSER_TESTS") == "required":
        pytest.fail(f"{what}, and BAYESIC_BROWSER_TESTS=required")
    pytest.skip(
        f"{what}: tests of the page are skipped. Debian: apt-get install chromium; "
        "pip install playwright"
    )


@pytest.fixture(scope="session")
def browser():
    """Chromium, started once."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        missing("playwright is not installed")
    found = [os.environ.get("BAYESIC_CHROMIUM"), *map(shutil.which, CHROMIUMS)]
    path = next(filter(None, found), None)
    if path is None:
        missing("there is no chromium on the path")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def new_page(browser, address):
    """Makes pages, which fail the test if they log an error or ask another host."""
    problems, contexts = [], []

    def made(path="/", **how):
        context = browser.new_context(**{"viewport": {"width": 1280, "height": 800}, **how})
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: heard(message.type, message.text))
        page.on("pageerror", lambda error: problems.append(f"error: {error}"))
        page.on("request", lambda request: asked(request.url))
        page.goto(address + path)
        return page

    def heard(kind, text):
        if kind in ("error", "warning"):
            problems.append(f"{kind}: {text}")

    def asked(url):
        parts, ours = urlsplit(url), urlsplit(address).netloc
        if parts.scheme in ("http", "https", "ws", "wss") and parts.netloc != ours:
            problems.append(f"asked another host: {url}")

    made.problems = problems
    yield made
    for context in contexts:
        context.close()
    assert problems == []


@pytest.fixture
def page(new_page):
    """The page of a studio in which nothing is open."""
    return new_page()


@pytest.fixture(scope="session")
def page_tools():
    """The folder with the tools of npm by which the page is checked."""
    folder = Path(os.environ.get("BAYESIC_PAGE_TOOLS", "/tmp/bayesic-page-tools")) / "node_modules"
    if not (folder / "axe-core").is_dir():
        missing("axe-core is not installed in BAYESIC_PAGE_TOOLS")
    return folder
