"""Editing a network on the page: variables, states, edges, tables; all of it can be undone."""

import pytest

from bayesic.datasets import asia
from bayesic.networks import editing
from helpers.studio_page import (
    assert_shows,
    assert_text,
    card,
    eventually,
    open_example,
    open_section,
    state,
)

ASIA = asia()


@pytest.fixture
def desk(page):
    open_example(page)
    return page


def middle(page, selector):
    box = page.locator(selector).bounding_box()
    assert box is not None  # it is being drawn anew
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page, start, end):
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2, steps=3)
    page.mouse.move(*end, steps=3)
    page.mouse.up()


def test_a_variable_is_added_renamed_and_deleted_and_all_is_undone(desk):
    desk.click("text=+ variable")
    desk.fill("dialog input", "fever")
    desk.keyboard.press("Enter")
    with_fever = editing.with_variable(ASIA, "fever", ["yes", "no"])
    assert_shows(desk, with_fever)
    desk.keyboard.press("F2")
    desk.fill("dialog input", "temperature")
    desk.keyboard.press("Enter")
    assert_shows(desk, editing.renamed_variable(with_fever, "fever", "temperature"))
    desk.keyboard.press("Delete")
    assert_shows(desk, ASIA)
    for _ in range(3):
        desk.keyboard.press("Control+z")
    assert_shows(desk, ASIA)
    desk.keyboard.press("Control+y")
    assert_shows(desk, with_fever)


def test_a_name_that_is_taken_is_refused_with_the_sentence_of_the_library(desk):
    desk.click(card("lung") + " .header")
    desk.keyboard.press("F2")
    desk.fill("dialog input", "bronc")
    desk.keyboard.press("Enter")
    assert_text(desk, "dialog [role=alert]", "bronc")
    desk.keyboard.press("Escape")
    assert_shows(desk, ASIA)


def test_evidence_follows_a_variable_to_its_new_name(desk):
    desk.click(state("xray", "yes"))
    desk.keyboard.press("F2")
    desk.fill("dialog input", "x-ray")
    desk.keyboard.press("Enter")
    renamed = editing.renamed_variable(ASIA, "xray", "x-ray")
    assert_shows(desk, renamed, given={"x-ray": "yes"})
    desk.keyboard.press("Control+z")
    assert_shows(desk, ASIA, given={"xray": "yes"})


def test_an_edge_is_drawn_from_the_dot_below_a_card(desk):
    desk.hover(card("asia"))
    drag(desk, middle(desk, card("asia") + " .port"), middle(desk, card("lung") + " .header"))
    connected = editing.with_edge(ASIA, "asia", "lung")
    eventually(lambda: has_edge(desk, "asia", "lung"))
    assert_shows(desk, connected)  # the table of the child is kept
    desk.keyboard.press("Control+z")
    eventually(lambda: has_edge(desk, "asia", "lung", 0))
    assert_shows(desk, ASIA)


def has_edge(page, parent, child, count=1):
    assert page.locator(f'.edge[data-from="{parent}"][data-to="{child}"]').count() == count


def test_a_cycle_is_refused_as_it_is_drawn(desk):
    desk.hover(card("dysp"))
    start, end = middle(desk, card("dysp") + " .port"), middle(desk, card("bronc") + " .header")
    desk.mouse.move(*start)
    desk.mouse.down()
    desk.mouse.move(*end, steps=4)
    assert_text(desk, "#notice", "An edge from dysp to bronc would close a cycle.")
    assert desk.locator(".new-edge.refused").count() == 1
    desk.mouse.up()
    assert_text(desk, "#notice", "got bronc -> dysp -> bronc")  # what the library says
    has_edge(desk, "dysp", "bronc", 0)


def test_an_edge_is_deleted_and_its_parent_summed_out(desk):
    desk.click(card("dysp") + " .header")
    open_section(desk, "table")
    desk.click("[aria-label='Delete the edge from bronc']")
    without = editing.without_edge(ASIA, "bronc", "dysp")
    eventually(lambda: has_edge(desk, "bronc", "dysp", 0))
    assert_shows(desk, without)
    desk.select_option("[aria-label='add a parent']", "smoke")
    eventually(lambda: has_edge(desk, "smoke", "dysp"))
    assert_shows(desk, editing.with_edge(without, "smoke", "dysp"))


def test_states_are_added_renamed_and_deleted(desk):
    desk.click(card("smoke") + " .header")
    desk.keyboard.press("e")
    desk.wait_for_selector(".grid td input")
    desk.click("[aria-label='add a state']")
    desk.fill("dialog.small input", "formerly")
    desk.keyboard.press("Enter")
    three = editing.with_state(ASIA, "smoke", "formerly")
    assert_shows(desk, three)
    desk.fill("[aria-label='name of state 3']", "in the past")
    desk.keyboard.press("Tab")
    assert_shows(desk, editing.renamed_state(three, "smoke", "formerly", "in the past"))
    desk.click("[aria-label='delete state in the past']")
    assert_shows(desk, ASIA)


def test_a_table_is_typed_and_normalised(desk):
    desk.click(card("smoke") + " .header")
    desk.keyboard.press("e")
    desk.fill("[data-row='0'][data-column='0']", "3")
    desk.fill("[data-row='0'][data-column='1']", "1")
    desk.click("dialog >> text=save >> nth=-1")
    assert_text(desk, "dialog .refused", "1")  # the sum is not 1
    desk.click("text=normalise and save")
    assert_shows(desk, editing.with_rows(ASIA, "smoke", [[0.75, 0.25]]))


def test_a_table_is_pasted_from_a_spreadsheet(new_page):
    page = new_page(permissions=["clipboard-read", "clipboard-write"])
    open_example(page)
    page.click(card("dysp") + " .header")
    page.keyboard.press("e")
    page.wait_for_selector(".grid td input")
    page.evaluate("navigator.clipboard.writeText('0.5\\t0.5\\n80%\\t20%\\n0,25\\t0,75\\n0\\t1\\n')")
    page.click("[data-row='0'][data-column='0']")
    page.keyboard.press("Control+v")
    page.click("dialog >> text=save >> nth=-1")
    rows = [[0.5, 0.5], [0.8, 0.2], [0.25, 0.75], [0, 1]]
    assert_shows(page, editing.with_rows(ASIA, "dysp", rows))


def test_noisy_or_by_one_number_for_each_cause(desk):
    desk.click(card("dysp") + " .header")
    desk.keyboard.press("e")
    desk.click("summary:text-is('Noisy-OR')")
    desk.fill("[name=leak]", "0.1")
    desk.fill("[name=bronc]", "0.8")
    desk.fill("[name=either]", "0.7")
    desk.click("text=fill by noisy-OR")
    noisy = editing.with_noisy_or(ASIA, "dysp", {"bronc": 0.8, "either": 0.7}, leak=0.1)
    assert_shows(desk, noisy)


def test_a_card_is_moved_and_stays_there(desk):
    x, y = middle(desk, card("asia") + " .name")
    drag(desk, (x, y), (x - 60, y + 40))

    def is_there():
        found = middle(desk, card("asia") + " .name")
        assert found == pytest.approx((x - 60, y + 40), abs=2)

    eventually(is_there)
    where = desk.locator(card("asia")).get_attribute("transform")
    desk.reload()
    desk.wait_for_selector(card("asia"))
    assert desk.locator(card("asia")).get_attribute("transform") == where


def test_a_new_network_is_made_from_nothing(page):
    page.click("text=new network")
    page.fill("dialog input", "weather")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=+ variable")
    for name in ("rain", "wet"):
        page.click("text=+ variable")
        page.fill("dialog input", name)
        page.keyboard.press("Enter")
        page.wait_for_selector(card(name))
    open_section(page, "table")
    page.select_option("[aria-label='add a parent']", "rain")
    eventually(lambda: has_edge(page, "rain", "wet"))
    page.keyboard.press("e")
    page.fill("[data-row='0'][data-column='0']", "0.9")
    page.fill("[data-row='0'][data-column='1']", "0.1")
    page.click("dialog >> text=save >> nth=-1")
    page.click(state("wet", "yes"))

    def follows():  # 0.5 * 0.9 against 0.5 * 0.5
        found = page.get_attribute(state("rain", "yes"), "data-probability")
        assert float(found) == pytest.approx(0.9 / 1.4, abs=1e-12)

    eventually(follows)
