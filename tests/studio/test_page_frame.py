"""The frame of the page: start, address, languages, colours, tabs, a server that is gone."""

import re

import pytest

from bayesic.datasets import asia
from helpers.studio_page import assert_shows, assert_text, eventually, open_example, state, texts
from helpers.studio_server import studying

ASIA = asia()


def test_the_page_loads_without_errors_and_without_other_hosts(page):
    page.wait_for_selector("[data-example=asia]")
    assert "bayesic" in page.title().lower()


def test_a_newcomer_has_evidence_in_two_clicks(page):
    open_example(page)
    page.click(state("smoke", "yes"))
    assert_shows(page, ASIA, given={"smoke": "yes"})


def test_a_reload_keeps_what_was_chosen(page):
    open_example(page)
    page.click(state("xray", "yes"))
    page.focus(state("asia", "no"))
    page.keyboard.press("d")
    page.keyboard.press("k")
    page.click(state("smoke", "no"))
    known = {"given": {"xray": "yes", "smoke": "no"}, "do": {"asia": "no"}}
    assert_shows(page, ASIA, **known)
    page.wait_for_url("**is.smoke=1*")
    page.reload()
    assert_shows(page, ASIA, **known)
    assert page.locator(".card.selected").get_attribute("data-variable") == "smoke"
    assert_text(page, "#section-scenarios summary", "Scenarios (1)")


def test_an_address_can_be_shared(page, new_page):
    open_example(page)
    page.click(state("xray", "yes"))
    assert_shows(page, ASIA, given={"xray": "yes"})
    page.wait_for_url("**is.xray=0*")
    other = new_page("/" + page.evaluate("location.hash"))
    assert_shows(other, ASIA, given={"xray": "yes"})


def test_two_languages_and_the_choice_is_remembered(page):
    open_example(page)
    page.click("[title=中文]")
    assert_text(page, "#section-evidence summary", "证据")
    assert page.get_attribute("html", "lang") == "zh-CN"
    page.reload()
    assert_text(page, "#section-evidence summary", "证据")
    page.click("[title=English]")
    assert_text(page, "#section-evidence summary", "Evidence")


def test_light_and_dark(new_page):
    page = new_page(color_scheme="dark")
    page.wait_for_selector("[data-example=asia]")
    paper = "getComputedStyle(document.body).backgroundColor"
    assert page.evaluate(paper) == "rgb(22, 24, 27)"
    page.click("[data-key=theme]")  # from automatic to light
    assert page.evaluate(paper) == "rgb(255, 255, 255)"
    page.click("[data-key=theme]")
    assert page.evaluate(paper) == "rgb(22, 24, 27)"


def test_names_that_look_like_markup_stay_text(new_page, tmp_path):
    from bayesic import BeliefNetwork

    name, evil = "<img src=x onerror=alert(1)>", "<b>yes</b>"
    net = BeliefNetwork([], {name: {evil: 0.25, "no": 0.75}})
    net.write(tmp_path / "evil.json")
    page = new_page()
    with page.expect_file_chooser() as chooser:
        page.click("text=choose a file")
    chooser.value.set_files(tmp_path / "evil.json")
    page.wait_for_selector(".state[data-probability]")
    page.click(state(name, evil))
    assert_shows(page, net, given={name: evil})
    assert_text(page, "#section-evidence li", f"{name} = {evil}")
    assert page.locator("img, b").count() == 0


def test_two_tabs_agree_on_what_was_edited(page, new_page):
    open_example(page)
    other = new_page("/#document=asia")
    other.wait_for_selector(".state[data-probability]")
    page.click('.card[data-variable="lung"] .header')
    page.keyboard.press("F2")
    page.fill("dialog input", "lung cancer")
    page.keyboard.press("Enter")
    for tab in (page, other):
        tab.wait_for_selector('.card[data-variable="lung cancer"]')
    page.keyboard.press("Control+z")
    for tab in (page, other):
        tab.wait_for_selector('.card[data-variable="lung"]')


def test_a_server_that_is_gone_is_told(new_page, browser, tmp_path):
    page = browser.new_context().new_page()
    with studying(tmp_path / "other.store") as address:
        page.goto(address)
        page.wait_for_selector("[data-example=asia]")
    assert_text(page, "#lost", "The server has stopped")
    page.context.close()


def test_a_document_that_is_not_open_leads_to_the_start_page(new_page):
    page = new_page("/#document=nowhere")
    page.wait_for_selector("[data-example=asia]")
    assert_text(page, "#notice", "nowhere")


def test_a_dropped_file_that_is_no_network_shows_the_sentence_of_the_library(page, tmp_path):
    (tmp_path / "poem.bif").write_text("roses are red")
    with page.expect_file_chooser() as chooser:
        page.click("text=choose a file")
    chooser.value.set_files(tmp_path / "poem.bif")
    assert_text(page, "#notice", "poem.bif")


def test_the_help_lists_the_keys(page):
    open_example(page)
    page.keyboard.press("?")
    assert_text(page, "dialog", "One of several states")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")


def test_copy_as_python_runs_and_gives_the_same_digits(new_page, tmp_path, monkeypatch, capsys):
    page = new_page(permissions=["clipboard-read", "clipboard-write"])
    open_example(page)
    page.click(state("xray", "yes"))
    page.focus(state("lung", "no"))
    page.keyboard.press("t")
    page.click("text=copy as Python")
    code = eventually(lambda: clipboard(page, "read_network"))
    monkeypatch.chdir(tmp_path)
    ASIA.write("asia.bif")
    exec(code, {})
    assert capsys.readouterr().out.strip() == str(ASIA.query("lung", given={"xray": "yes"}))
    page.click("text=as command")
    command = eventually(lambda: clipboard(page, "bayesic network"))
    assert command == "bayesic network query asia.bif lung --given xray=yes"


def clipboard(page, needle):
    text = page.evaluate("navigator.clipboard.readText()")
    assert needle in text
    return text


@pytest.mark.parametrize("ending", ["bif", "xml", "net", "uai", "json"])
def test_every_format_can_be_saved(page, ending, tmp_path):
    from bayesic import read_network

    titles = {"bif": "BIF", "xml": "XMLBIF", "net": "Hugin NET", "uai": "UAI", "json": "JSON"}
    open_example(page)
    page.click("#foot >> text=save")
    with page.expect_download() as download:
        page.click(f"[role=menuitem]:text-is('{titles[ending]}')")
    path = tmp_path / download.value.suggested_filename
    assert path.name == f"asia.{ending}"
    download.value.save_as(path)
    assert read_network(path).n_parameters == ASIA.n_parameters


def test_pictures_as_svg_and_png(page, tmp_path):
    open_example(page)
    for title, beginning in (("SVG", b"<svg"), ("PNG", b"\x89PNG")):
        page.click("#foot >> text=picture")
        with page.expect_download() as download:
            page.click(f"[role=menuitem]:text-is('{title}')")
        data = download.value.path().read_bytes()
        assert data.startswith(beginning)
        assert len(data) > 2000
    assert re.findall("class=|style=", data.decode("latin1")) == []


def test_on_a_phone_the_panel_stands_below_the_canvas(new_page):
    page = new_page(viewport={"width": 390, "height": 844})
    open_example(page)
    canvas, panel = (page.locator(part).bounding_box() for part in ("#stage", "#panel"))
    assert panel["y"] >= canvas["y"] + canvas["height"]
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert texts(page, "#panel h2")[0] == "What is known"


def test_all_of_the_network_is_printed(page):
    open_example(page)
    page.keyboard.press("=")
    page.keyboard.press("=")  # closer than the window is wide
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    stage = page.locator("#canvas").bounding_box()
    for name in ASIA.variables:
        box = page.locator(f'.card[data-variable="{name}"]').bounding_box()
        assert stage["x"] <= box["x"]
        assert box["x"] + box["width"] <= stage["x"] + stage["width"]
        assert box["y"] + box["height"] <= stage["y"] + stage["height"]
    assert not page.locator("#toolbar").is_visible()
    page.emulate_media(media="screen")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator("#canvas").get_attribute("viewBox") is None


def test_several_documents_are_open_and_can_be_closed(page):
    open_example(page)
    page.click("[data-key=brand]")
    open_example(page, "campfire")
    page.click("[data-key=brand]")
    assert_text(page, "#start", "8 variables")
    page.click("[aria-label='Close campfire']")
    eventually(lambda: none_left(page, "campfire"))
    page.click("[data-key='open asia'] >> nth=0")
    assert_shows(page, ASIA)


def none_left(page, name):
    assert page.locator(f"[aria-label='Close {name}']").count() == 0
