"""A studio with tokens: the page sends the one that it was given, asks for one, and keeps it."""

import pytest

from bayesic.datasets import asia
from bayesic.serve.tokens import add_token, read_tokens
from helpers.http_server import ask
from helpers.studio_page import assert_shows, assert_text, card, open_example, state
from helpers.studio_server import studying

ASIA = asia()


@pytest.fixture
def tokens(tmp_path):
    """Right -> token."""
    return {right: add_token(tmp_path / "tokens", right) for right in ("read", "learn")}


@pytest.fixture
def address(tmp_path, tokens):
    """In place of the studio without tokens."""
    known = read_tokens(tmp_path / "tokens")
    with studying(tmp_path / "studio.store", tokens=known) as address:
        yield address


def test_a_token_in_the_address_opens_and_does_not_stay_there(new_page, tokens):
    page = new_page(f"/#token={tokens['learn']}")
    open_example(page)
    page.click(state("xray", "yes"))
    assert_shows(page, ASIA, given={"xray": "yes"})
    page.wait_for_url("**is.xray=0*")
    assert tokens["learn"] not in page.url
    page.reload()
    page.wait_for_selector(".state[data-probability]")
    assert_shows(page, ASIA, given={"xray": "yes"})


def test_without_a_token_the_page_asks_for_one(new_page, tokens):
    page = new_page()
    assert_text(page, "dialog", "This studio needs a token.")
    page.fill("dialog input", "guessed")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    assert_text(page, "dialog", "This studio needs a token.")  # that was not it
    page.fill("dialog input", tokens["learn"])
    with page.expect_navigation():
        page.keyboard.press("Enter")
    open_example(page)
    assert_shows(page, ASIA)
    # a browser logs what is not allowed, whatever the page does
    new_page.problems[:] = [text for text in new_page.problems if "401" not in text]


def test_an_address_that_was_shared_is_open_after_the_token(new_page, address, tokens):
    header = f"Bearer {tokens['learn']}"
    ask(address, "POST", "/studio/documents", {"example": "asia"}, authorization=header)
    page = new_page("/desk/network#document=asia&is.xray=0")
    page.fill("dialog input", tokens["read"])
    with page.expect_navigation():
        page.keyboard.press("Enter")
    page.wait_for_selector(".state[data-probability]")
    assert_shows(page, ASIA, given={"xray": "yes"})
    new_page.problems[:] = [text for text in new_page.problems if "401" not in text]


def test_who_may_only_read_can_ask_and_not_edit(new_page, address, tokens):
    header = f"Bearer {tokens['learn']}"
    ask(address, "POST", "/studio/documents", {"example": "asia"}, authorization=header)
    page = new_page(f"/desk/network#document=asia&token={tokens['read']}")
    page.wait_for_selector(state("xray", "yes") + "[data-probability]")
    page.click(state("xray", "yes"))
    assert_shows(page, ASIA, given={"xray": "yes"})
    page.click(card("lung") + " .header")
    page.keyboard.press("Delete")
    assert_text(page, "#notice", "This needs a token with the right 'learn'")
    assert_shows(page, ASIA, given={"xray": "yes"})
    new_page.problems[:] = [text for text in new_page.problems if "403" not in text]
