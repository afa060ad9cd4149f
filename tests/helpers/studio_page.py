"""The page of the studio as a person uses it, and what the library says to the same."""

import json
import time
from importlib.resources import files
from pathlib import Path

import pytest

PAGE = Path(str(files("bayesic.studio"))) / "page"
MOST_BYTES = 150_000  # of JavaScript and CSS that a desk loads
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]
PATIENCE = 30.0  # seconds until what should be on the page must be there


def state(variable, text):
    """The row of a state on its card."""
    return f".state[data-variable={json.dumps(variable)}][data-state={json.dumps(text)}]"


def open_example(page, name="asia"):
    """Open an example from the start page, as a newcomer does."""
    page.click(f"[data-example={name}]")
    page.wait_for_selector(".state[data-probability]")


def open_section(page, name):
    """Open a section of the panel."""
    page.click(f"#section-{name} > summary")


def shown(page):
    """The digits of the page: variable -> the probabilities of its states."""
    rows = page.evaluate(  # at one moment: what is drawn anew loses its digits for a while
        "[...document.querySelectorAll('.state[data-probability]')].map(row => ({...row.dataset}))"
    )
    found = {}
    for row in rows:
        found.setdefault(row["variable"], []).append(float(row["probability"]))
    return found


def eventually(check):
    """Check again and again until it holds, or until the patience is over."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            return check()
        except Exception:  # a missing digit or key as well: the page is not there yet
            if time.monotonic() > end:
                raise
            time.sleep(0.02)


def assert_shows(page, network, **known):
    """The bars are what the library answers to the same question, digit by digit."""
    marginals = network.query(**known)
    expected = {name: marginals[name].probabilities.tolist() for name in network.variables}

    def check():
        found = shown(page)
        assert found.keys() == expected.keys()
        for name, probabilities in expected.items():
            assert found[name] == pytest.approx(probabilities, abs=1e-12), name

    eventually(check)


def texts(page, selector):
    """The texts of all elements that are found."""
    return [text.strip() for text in page.locator(selector).all_text_contents()]


def assert_text(page, selector, text):
    """An element has this text, soon."""

    def check():
        assert text in " ".join(texts(page, selector))

    eventually(check)


def card(variable):
    """The card of a variable."""
    return f".card[data-variable={json.dumps(variable)}]"


def address_of(page):
    """The address as it is now; page.url lags behind."""
    return page.evaluate("location.href")


def loaded_bytes(page):
    """How much JavaScript and CSS a page has loaded, uncompressed."""
    loaded = page.evaluate(
        "performance.getEntriesByType('resource').map(one => one.name.split('/studio/page/')[1])"
    )
    names = {name for name in loaded if name and name.endswith((".js", ".css"))}
    return sum(len((PAGE / name).read_bytes()) for name in names)


def assert_accessible(page, page_tools):
    """No rule of axe-core is broken. The page must not have its policy: the tool is a script."""
    page.wait_for_selector("#toolbar button")
    page.evaluate((page_tools / "axe-core" / "axe.min.js").read_text("utf-8"))
    # an experiment of the tool, which joins the texts of a row without the space between them
    without = {"label-content-name-mismatch": {"enabled": False}}
    found = page.evaluate("how => axe.run(how)", {"runOnly": RULES, "rules": without})
    problems = [
        (one["id"], node["html"][:160], node["failureSummary"][:300])
        for one in found["violations"]
        for node in one["nodes"][:3]
    ]
    assert problems == []


def assert_small(page):
    """What the page has loaded is less than a desk may load."""
    assert loaded_bytes(page) < MOST_BYTES


def assert_both(page, selector, chinese, english):
    """The page says it in Chinese, and then the library in a span that is marked as English."""

    def check():
        told = page.locator(selector).inner_text()
        assert told.startswith(chinese)
        sentence = page.locator(f"{selector} [lang=en]").inner_text()
        assert english in sentence
        assert told.endswith(sentence)

    eventually(check)
