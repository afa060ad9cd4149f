"""A studio with tokens: the page sends the one that it was given, asks for one, and keeps it."""

import pytest

import bayesic as by
from bayesic.datasets import asia
from bayesic.serve.access_tokens import add_token, read_tokens
from helpers.http_server import ask
from helpers.studio_page import (
    assert_shows,
    assert_text,
    card,
    eventually,
    open_example,
    state,
)
from helpers.studio_server import studying

ASIA = asia()


@pytest.fixture
def tokens(tmp_path):
    """Right -> token."""
    return {right: add_token(tmp_path / "tokens", right) for right in ("read", "learn", "admin")}


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


def test_every_desk_and_every_further_tab_has_the_token(new_page, address, tokens, tmp_path):
    page = new_page(f"/#token={tokens['learn']}")
    page.wait_for_selector("[data-desk=lessons]")
    for desk in ("network", "table", "text", "lessons", "models"):
        eventually(lambda: page.goto(address))  # a desk with nothing open goes there by itself
        page.click(f"#toolbar nav [href^='/desk/{desk}']")
        page.wait_for_load_state()
        assert page.locator("dialog").count() == 0
    page.goto(f"{address}/desk/table#example=tennis")
    page.click("[data-key=learn]")
    page.wait_for_selector("[data-learned]")
    with page.expect_download() as download:
        page.click("text=download the model")
    download.value.save_as(tmp_path / "tennis.bayes")
    assert by.load(tmp_path / "tennis.bayes").classes_.tolist() == ["No", "Yes"]
    tab = page.context.new_page()
    tab.goto(page.url)  # an address that was shared has no token in it
    assert tokens["learn"] not in page.url
    tab.wait_for_selector("[data-learned]")


def test_the_whole_address_may_be_pasted_into_the_page_or_above_it(new_page, address, tokens):
    page = new_page("/desk/text#example=mails")
    assert_text(page, "dialog", "Open the address that the command “bayesic studio” has printed")
    page.fill("dialog input", f"{address}/desk/table#table=days&token={tokens['admin']}")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    page.wait_for_selector("[data-class=spam]")
    page = new_page("/desk/text#example=mails")
    page.wait_for_selector("dialog")
    page.evaluate(f"location.hash = 'model=mails&token={tokens['read']}'")
    page.wait_for_selector("[data-class=spam]")
    assert tokens["read"] not in page.evaluate("location.href")
    forget_refusals(new_page)


@pytest.mark.parametrize("place", ["/desk/table#example=tennis", "/desk/text#example=mails"])
def test_the_address_waits_for_the_token(new_page, address, tokens, place):
    page = new_page(place)
    assert_text(page, "dialog", "This studio needs a token.")
    page.click("dialog >> text=cancel")
    assert_text(page, "#lost", "it ends with the token.")
    page.reload()
    page.fill("dialog input", tokens["admin"])
    with page.expect_navigation():
        page.keyboard.press("Enter")
    page.wait_for_selector("[data-key=learn]" if "table" in place else "[data-class=spam]")
    forget_refusals(new_page)


def test_without_a_token_the_page_asks_for_one(new_page, tokens):
    page = new_page()
    assert_text(page, "dialog", "This studio needs a token.")
    page.fill("dialog input", "guessed")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    assert_text(page, "dialog", "The token that this browser has is not known here")
    page.fill("dialog input", tokens["learn"])
    with page.expect_navigation():
        page.keyboard.press("Enter")
    open_example(page)
    assert_shows(page, ASIA)
    forget_refusals(new_page)


def forget_refusals(new_page):
    """A browser logs what is not allowed, whatever the page does."""
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
    forget_refusals(new_page)


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
