"""The start page and the tours that begin there."""

import pytest

import bayesic as by
from bayesic.datasets import asia
from helpers.studio_page import (
    address_of,
    assert_accessible,
    assert_shows,
    assert_text,
    eventually,
    loaded_bytes,
    state,
    texts,
)

ASIA = asia()


def begin_clinic(page):
    page.click("[data-tour=clinic]")
    page.wait_for_selector(".state[data-probability]")
    page.wait_for_selector(".tour")


def test_every_link_of_the_start_page_leads_somewhere(page):
    page.wait_for_selector("[data-desk=lessons]")
    links = page.locator("#start a, #toolbar nav a")
    addresses = [one.get_attribute("href") for one in links.all()]
    assert "/desk/lessons" in addresses
    for address in addresses:
        assert page.request.get(page.url.split("#")[0].rstrip("/") + address).ok
    page.click("[data-desk=lessons]")
    page.wait_for_selector("[data-lesson=disease]")


def test_a_model_file_goes_to_the_models_and_other_files_are_refused(page, tmp_path):
    model = by.NaiveBayes().fit({"sky": ["sun", "rain"]}, ["play", "stay"])
    model.save(tmp_path / "days.bayes")
    choose(page, tmp_path / "days.bayes")
    page.wait_for_url("**/desk/models#model=days")
    page.goto(address_of(page).split("/desk")[0])
    (tmp_path / "poem.bayes").write_text("roses are red")
    choose(page, tmp_path / "poem.bayes")
    assert_text(page, "#notice", "poem.bayes")


def choose(page, path):
    with page.expect_file_chooser() as chooser:
        page.click("text=choose a file")
    chooser.value.set_files(path)


def test_only_tours_of_desks_that_are_there_are_offered(page):
    page.wait_for_selector("[data-tour=clinic]")
    desks = page.evaluate("fetch('/studio/desks').then(answer => answer.json())")["desks"]
    offered = [one.get_attribute("data-tour") for one in page.locator("[data-tour]").all()]
    needed = {"clinic": "network", "costs": "table", "mails": "text"}
    assert offered == [name for name, desk in needed.items() if desk in desks]


def test_the_tour_of_the_clinic_from_the_first_step_to_the_last(page):
    begin_clinic(page)
    assert_text(page, ".tour header", "1 / 6")
    page.click(state("dysp", "yes"))
    assert_shows(page, ASIA, given={"dysp": "yes"})
    page.click("[data-key='tour next']")
    assert_text(page, ".tour", "all three have risen")
    page.click("[data-key='tour next']")
    page.click(state("xray", "yes"))
    known = {"dysp": "yes", "xray": "yes"}
    assert_shows(page, ASIA, given=known)
    page.click("[data-key='tour next']")
    page.click("#section-ask-next summary")
    page.select_option("#section-ask-next select", "lung")
    page.wait_for_selector("[data-bits]")
    page.click("[data-key='tour next']")
    page.click(state("smoke", "no"))
    page.click(state("asia", "yes"))
    known = {**known, "smoke": "no", "asia": "yes"}
    assert_shows(page, ASIA, given=known)
    page.click("[data-key='tour next']")
    page.wait_for_selector("[data-step='0']")
    assert_text(page, ".tour header", "6 / 6")
    assert page.locator("[data-key='tour next']").count() == 0
    page.click("[data-key='tour back']")  # to the other desk, as it was left
    assert_shows(page, ASIA, given=known)
    assert_text(page, ".tour header", "5 / 6")


def test_what_the_tour_says_is_so():
    """Risen, fallen, best explanation: by the joint distribution."""
    before = ASIA.query()
    breath = ASIA.query(given={"dysp": "yes"})
    picture = ASIA.query(given={"dysp": "yes", "xray": "yes"})
    assert all(breath[name]["yes"] > before[name]["yes"] for name in ("bronc", "lung", "tub"))
    assert picture["lung"]["yes"] > breath["lung"]["yes"]
    assert picture["bronc"]["yes"] < breath["bronc"]["yes"]
    last = ASIA.query(given={"dysp": "yes", "xray": "yes", "smoke": "no", "asia": "yes"})
    assert last["tub"]["yes"] > max(last["lung"]["yes"], last["bronc"]["yes"])


def test_a_tour_by_keys_is_in_the_address_and_ends_with_escape(page):
    begin_clinic(page)
    page.keyboard.press("F6")
    page.keyboard.press("Enter")
    assert_text(page, ".tour header", "2 / 6")
    page.wait_for_url("**tour=clinic.2")
    page.reload()
    assert_text(page, ".tour header", "2 / 6")
    page.keyboard.press("F6")
    page.keyboard.press("Escape")
    page.wait_for_selector(".tour", state="hidden")
    assert_shows(page, ASIA)
    eventually(lambda: without_tour(page))


def without_tour(page):
    assert "tour" not in address_of(page)


def test_a_tour_goes_along_to_another_desk_and_speaks_chinese(page):
    begin_clinic(page)
    page.click("[title=中文]")
    assert_text(page, ".tour", "一位病人呼吸困难")
    page.click("[data-key='desk lessons']")
    page.wait_for_selector("[data-lesson]")
    assert_text(page, ".tour", "一位病人呼吸困难")  # what it is about is not here; its text is
    assert not page.locator(".tour-ring").is_visible()


def test_the_ring_is_where_the_thing_is_and_the_card_beside_it(page):
    begin_clinic(page)

    def check():
        ring = page.locator(".tour-ring").bounding_box()
        thing = page.locator(state("dysp", "yes")).bounding_box()
        card = page.locator(".tour").bounding_box()
        assert ring is not None
        assert abs(ring["x"] + 4 - thing["x"]) < 3
        assert abs(ring["y"] + 4 - thing["y"]) < 3
        assert card["x"] >= thing["x"] + thing["width"] or card["y"] >= thing["y"] + thing["height"]

    eventually(check)


def test_an_address_with_a_tour_that_does_not_exist_is_no_harm(new_page):
    page = new_page("/desk/lessons#lesson=disease&tour=moon.7")
    page.wait_for_selector("[data-step='0']")
    assert not page.locator(".tour").is_visible()


@pytest.mark.parametrize("language", ["en-US", "zh-CN"])
def test_start_page_and_tour_fit_a_phone(new_page, language):
    page = new_page(viewport={"width": 390, "height": 844}, locale=language)
    page.wait_for_selector("[data-tour]")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    begin_clinic(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    card = page.locator(".tour").bounding_box()
    assert card["x"] >= 0
    assert card["x"] + card["width"] <= 390


def test_on_a_phone_what_a_step_is_about_is_brought_into_view(new_page):
    page = new_page(viewport={"width": 390, "height": 844})
    page.wait_for_selector("[data-tour]")
    begin_clinic(page)
    for _ in range(3):
        page.click("[data-key='tour next']")
    assert_text(page, ".tour header", "4 / 6")

    def check():
        thing = page.locator("#section-ask-next").bounding_box()
        assert 0 <= thing["y"] <= page.locator(".tour").bounding_box()["y"]
        assert page.locator(".tour-ring").is_visible()

    eventually(check)


def test_everybody_can_use_start_page_and_tour(new_page, page_tools):
    page = new_page(bypass_csp=True)
    page.wait_for_selector("[data-tour]")
    assert loaded_bytes(page) < 150_000
    assert_accessible(page, page_tools)
    begin_clinic(page)
    assert_accessible(page, page_tools)
    assert texts(page, ".tour header strong") == ["A clinic"]


def next_step(page, number):
    page.click(".tour button:text-is('next')")
    eventually(lambda: assert_step(page, number))


def assert_step(page, number):
    assert f".{number}" in address_of(page).partition("tour=")[2]
    assert page.locator(".tour-ring").is_visible()


def test_the_tour_of_costs_goes_from_learning_to_the_best_action(page):
    page.click("[data-tour=costs]")
    eventually(lambda: assert_step(page, 1))
    page.click("[data-key=learn]")
    page.wait_for_selector("[data-learned]")
    next_step(page, 2)
    page.click("[data-row='1']")
    page.click(".tour button:text-is('next')")  # the third step is about the row that was clicked
    eventually(lambda: assert_text(page, ".tour", "Change a cell"))
    next_step(page, 4)
    ring = eventually(lambda: box_of_ring(page))
    assert ring["x"] >= 0 and ring["x"] + ring["width"] <= 1280  # the section ends with the window
    page.click("#section-costs > summary")
    page.wait_for_selector("#section-costs [data-reject]")


def box_of_ring(page):
    assert page.locator(".tour-ring").is_visible()
    return page.locator(".tour-ring").bounding_box()


def test_the_tour_of_mails_goes_from_typing_to_correcting(page):
    page.click("[data-tour=mails]")
    eventually(lambda: assert_step(page, 1))
    page.fill("#editor textarea", "you win a free prize")
    eventually(lambda: assert_text(page, "#reasons", "prize"))
    next_step(page, 2)
    next_step(page, 3)
    page.click("[data-teach=ham]")
    next_step(page, 4)
    assert_text(page, "#section-words", "for ham")
