"""Questions on the page: scenarios, most probable states, what to ask, what depends on what."""

import numpy as np
import pytest

from bayesic.datasets import asia
from helpers.studio_page import (
    assert_shows,
    assert_text,
    eventually,
    open_example,
    open_section,
    state,
    texts,
)

ASIA = asia()


@pytest.fixture
def desk(page):
    open_example(page)
    page.click(state("xray", "yes"))
    assert_shows(page, ASIA, given={"xray": "yes"})
    return page


def test_the_most_probable_explanation(desk):
    open_section(desk, "most-probable")
    expected = dict(ASIA.most_probable(given={"xray": "yes"}))

    def check():
        found = desk.eval_on_selector_all(
            "[data-most-probable]",
            "cells => cells.map(cell => [cell.dataset.mostProbable, cell.textContent])",
        )
        assert dict(found) == {name: s for name, s in expected.items() if name != "xray"}

    eventually(check)
    marked = desk.eval_on_selector_all(
        ".state.most-probable", "rows => rows.map(row => [row.dataset.variable, row.dataset.state])"
    )
    assert dict(marked) == expected


def test_what_to_ask_next_in_bits(desk):
    open_section(desk, "ask-next")
    desk.select_option("#section-ask-next select", "lung")

    def check():
        found = desk.eval_on_selector_all(
            "[data-bits]", "cells => cells.map(cell => [cell.dataset.variable, +cell.dataset.bits])"
        )
        assert [name for name, _ in found[:1]] == ["either"]
        for name, bits in found:
            assert bits == pytest.approx(told_bits("lung", name), abs=1e-9), name

    eventually(check)
    desk.click("#section-ask-next td[data-variable=either] >> xpath=..//button")
    assert desk.locator(".card.selected").get_attribute("data-variable") == "either"


def told_bits(target, variable):
    """I(target; variable | xray = yes) in bits, by its definition."""
    joint = ASIA.query([target, variable], given={"xray": "yes"}).probabilities
    independent = joint.sum(axis=1, keepdims=True) * joint.sum(axis=0, keepdims=True)
    seen = joint > 0
    return float((joint[seen] * np.log2(joint[seen] / independent[seen])).sum())


def test_what_depends_on_what_by_colour_and_with_the_open_path(desk):
    desk.focus(state("asia", "yes"))
    desk.keyboard.press("s")
    others = [name for name in ASIA.variables if name not in ("asia", "xray")]
    separated = {name for name in others if ASIA.d_separated("asia", name, ["xray"])}

    def check():
        found = desk.locator(".card.separated:not(.known)")
        names = found.evaluate_all("cards => cards.map(card => card.dataset.variable)")
        assert set(names) == separated
        assert desk.locator(".card.connected").count() >= len(others) - len(separated)

    eventually(check)
    desk.focus(state("smoke", "yes"))
    desk.keyboard.press("s")
    assert_text(desk, "[data-list=path]", "asia → tub → either ← lung ← smoke")
    assert desk.locator(".edge.on-path").count() == 4
    desk.keyboard.press("Escape")
    assert desk.locator(".edge.on-path").count() == 0


def test_scenarios_side_by_side_and_behind_the_bars(desk):
    desk.keyboard.press("k")
    desk.click(state("smoke", "no"))
    assert_shows(desk, ASIA, given={"xray": "yes", "smoke": "no"})
    desk.keyboard.press("k")
    desk.keyboard.press("r")
    assert_shows(desk, ASIA)
    desk.click('.card[data-variable="lung"] .header')
    given = [{}, {"xray": "yes"}, {"xray": "yes", "smoke": "no"}]
    expected = [ASIA.query("lung", given=known).probabilities[0] for known in given]

    def check():
        row = desk.locator("[data-comparison=lung] tbody tr").first.locator("td")
        found = row.evaluate_all("cells => cells.map(cell => +cell.dataset.value)")
        assert found == pytest.approx(expected, abs=1e-12)

    eventually(check)
    desk.click("#section-scenarios li >> nth=0 >> text=A")
    row = desk.locator(state("lung", "yes"))
    width = float(row.locator(".track").get_attribute("width"))

    def is_behind():
        ghost = float(row.locator(".ghost").get_attribute("width"))
        assert ghost == pytest.approx(width * expected[1])

    eventually(is_behind)
    desk.click("#section-scenarios li >> nth=1 >> text=load")
    assert_shows(desk, ASIA, given=given[2])


def test_beliefs_can_be_read_in_digits(desk):
    desk.click('.card[data-variable="lung"] .header')
    expected = ASIA.query("lung", given={"xray": "yes"}).probabilities.tolist()
    cells = desk.locator("[data-belief]")
    found = cells.evaluate_all("cells => cells.map(cell => +cell.dataset.belief)")
    assert found == pytest.approx(expected, abs=1e-12)
    assert texts(desk, "[data-belief]") == ["0.488711", "0.511289"]


def test_the_neighbourhood_and_the_names_alone(desk):
    desk.click('.card[data-variable="lung"] .header')
    desk.keyboard.press("h")

    def near():
        cards = desk.locator(".card").evaluate_all("all => all.map(card => card.dataset.variable)")
        assert set(cards) == {"lung", *ASIA.markov_blanket("lung")}

    eventually(near)
    desk.keyboard.press("Escape")
    assert desk.locator(".card").count() == 8
    desk.keyboard.press("m")
    assert desk.locator(".cards.names-only").count() == 1
    assert desk.locator(".state").count() == 0
    desk.keyboard.press("m")
    assert_shows(desk, ASIA, given={"xray": "yes"})


def test_find_a_variable_by_a_part_of_its_name(desk):
    desk.keyboard.press("/")
    desk.keyboard.type("ron")
    desk.keyboard.press("Enter")
    assert desk.locator(".card.selected").get_attribute("data-variable") == "bronc"
