"""The table desk as a person uses it, and what the library says to the same rows."""

from math import fsum

import pytest

from helpers.studio_page import eventually

CLIPBOARD = ["clipboard-read", "clipboard-write"]


def open_file(page, path):
    with page.expect_file_chooser() as chooser:
        page.click("text=choose a file")
    chooser.value.set_files(path)
    page.wait_for_url("**/desk/table#table=*")
    page.wait_for_selector(".columns-table")


def learn(page, model="NaiveBayes", row=None):
    """Choose a model, learn, and click a row."""
    page.wait_for_selector("[data-key=learn]")
    page.select_option("#strip select", model)
    page.click("[data-key=learn]")
    page.wait_for_selector("[data-learned]")
    if row is not None:
        page.click(f"[data-row='{row}']")
        page.wait_for_selector(".step[data-weight]")


def weights(page):
    """The lines of the bridge: name -> weight."""
    lines = page.evaluate(
        "[...document.querySelectorAll('.step[data-weight]')].map(one => "
        "[one.dataset.step, Number(one.dataset.weight)])"
    )
    return dict(lines)


def probabilities(page):
    found = page.evaluate(
        "[...document.querySelectorAll('.posterior [data-probability]')].map(one => "
        "[one.dataset.class, Number(one.dataset.probability)])"
    )
    return dict(found)


def assert_explains(page, model, row, **asked):
    """The bridge is `explain` digit by digit, and adds up to its log odds."""
    expected = model.explain(row, **asked)
    lines = {
        "prior": expected.prior_log_odds,
        **expected.weights,
        "log odds": expected.log_odds,
    }

    def check():
        found = weights(page)
        assert found == pytest.approx(lines, abs=1e-12)
        assert fsum([*found.values(), -found["log odds"]]) == pytest.approx(
            found["log odds"], abs=1e-12
        )
        assert probabilities(page) == pytest.approx(expected.probability, abs=1e-12)

    eventually(check)


def copied(page, button, needle):
    """What a button has put on the clipboard, which all pages share."""
    page.evaluate("navigator.clipboard.writeText('')")
    page.click(f"text={button}")

    def check():
        text = page.evaluate("navigator.clipboard.readText()")
        assert needle in text
        return text

    return eventually(check)
