"""Evidence on the page: what is clicked is what the library is asked."""

import math

import pytest

from bayesic.datasets import asia
from helpers.studio_page import (
    assert_shows,
    assert_text,
    eventually,
    open_example,
    shown,
    state,
    texts,
)

ASIA = asia()


@pytest.fixture
def desk(page):
    open_example(page)
    return page


def test_an_example_is_one_click_away_and_shows_what_is_believed(desk):
    assert_shows(desk, ASIA)
    assert texts(desk, "#foot .status")[0].startswith("8 variables")


def test_a_click_observes_a_state_and_a_second_one_takes_it_back(desk):
    desk.click(state("xray", "yes"))
    assert_shows(desk, ASIA, given={"xray": "yes"})
    assert desk.get_attribute(state("xray", "yes"), "aria-pressed") == "true"
    assert_text(desk, "#section-evidence li", "xray = yes")
    desk.click(state("xray", "yes"))
    assert_shows(desk, ASIA)
    assert texts(desk, "#section-evidence li") == []


def test_the_probability_of_the_evidence_is_that_of_the_library(desk):
    desk.click(state("xray", "yes"))
    desk.click(state("smoke", "no"))
    given_no_smoke = ASIA.query("xray", given={"smoke": "no"}).probabilities[0]
    expected = ASIA.query("smoke").probabilities[1] * given_no_smoke

    def check():
        found = desk.get_attribute("#section-evidence output", "data-log-probability")
        assert math.exp(float(found)) == pytest.approx(expected, rel=1e-12)

    eventually(check)


def test_alt_click_says_that_it_is_not_this_state(desk):
    desk.click(state("bronc", "yes"), modifiers=["Alt"])
    assert_shows(desk, ASIA, given={"bronc": "no"})


def test_one_of_several_states(new_page, tmp_path):
    page, net = loaded_die(new_page, tmp_path)
    page.click(state("Dice", "1"))
    page.click(state("Dice", "3"), modifiers=["Shift"])
    page.click(state("Dice", "6"), modifiers=["Control"])
    assert_shows(page, net, likelihoods={"Dice": [1, 0, 1, 0, 0, 1]})
    assert_text(page, "#section-evidence li", "Dice: 1 or 3 or 6")
    page.keyboard.press("r")
    page.click(state("Dice", "2"), modifiers=["Alt"])
    assert_shows(page, net, likelihoods={"Dice": [1, 0, 1, 1, 1, 1]})
    assert_text(page, "#section-evidence li", "Dice ≠ 2")


def loaded_die(new_page, folder):
    """A page with a die of which a card is drawn, opened from a file."""
    from bayesic import BeliefNetwork

    numbers = [str(number) for number in range(1, 7)]
    net = BeliefNetwork(
        [("Dice", "Even")],
        {
            "Dice": dict(zip(numbers, [0.1, 0.1, 0.2, 0.2, 0.1, 0.3], strict=True)),
            "Even": {
                n: {"yes": 0.9, "no": 0.1} if int(n) % 2 == 0 else {"yes": 0.2, "no": 0.8}
                for n in numbers
            },
        },
    )
    net.write(folder / "dice.bif")
    page = new_page()
    with page.expect_file_chooser() as chooser:
        page.click("text=choose a file")
    chooser.value.set_files(folder / "dice.bif")
    page.wait_for_selector(".state[data-probability]")
    return page, net


def test_do_cuts_what_points_to_the_variable_and_is_marked(desk):
    desk.click(state("lung", "yes"), button="right")
    desk.click("[role=menuitem]:has-text('do(x)')")
    assert_shows(desk, ASIA, do={"lung": "yes"})
    assert_text(desk, '.card[data-variable="lung"] .badge', "do")
    assert_text(desk, "#section-evidence li", "do(lung = yes)")
    assert shown(desk)["smoke"] == pytest.approx([0.5, 0.5])  # no evidence about its cause


def test_likelihoods_by_dragging_bars(desk):
    desk.click('.card[data-variable="dysp"] .header')
    desk.keyboard.press("l")
    row = desk.locator(state("dysp", "no") + " .track").bounding_box()
    desk.mouse.move(row["x"] + row["width"] * 0.9, row["y"] + 4)
    desk.mouse.down()
    desk.mouse.move(row["x"] + row["width"] * 0.5, row["y"] + 4, steps=5)
    desk.mouse.move(row["x"] + row["width"] * 0.25, row["y"] + 4, steps=5)
    desk.mouse.up()
    assert_shows(desk, ASIA, likelihoods={"dysp": [1, 0.25]})
    desk.keyboard.press("Control+z")  # the whole drag is one step
    assert_shows(desk, ASIA)


def test_likelihoods_by_keys(desk):
    desk.focus(state("dysp", "no"))
    desk.keyboard.press("l")
    for _ in range(4):
        desk.keyboard.press("ArrowLeft")
    assert_shows(desk, ASIA, likelihoods={"dysp": [1, 0.8]})


def test_a_belief_becomes_what_is_told_by_dragging_bars_and_by_keys(desk):
    desk.click(state("xray", "yes"))
    desk.click('.card[data-variable="smoke"] .header')
    desk.keyboard.press("b")
    assert_text(desk, "#section-evidence .mode", "what does the belief become?")
    row = desk.locator(state("smoke", "yes") + " .track").bounding_box()
    desk.mouse.move(row["x"] + row["width"] * 0.9, row["y"] + 4)
    desk.mouse.down()
    desk.mouse.move(row["x"] + row["width"] * 0.5, row["y"] + 4, steps=4)
    desk.mouse.move(row["x"] + row["width"] * 0.25, row["y"] + 4, steps=4)
    desk.mouse.up()
    known = {"given": {"xray": "yes"}}
    assert_shows(desk, ASIA, **known, distributions={"smoke": [0.25, 0.75]})
    assert_text(desk, "#section-evidence li", "smoke → yes 25.0 % : no 75.0 %")
    assert desk.locator("#section-evidence [data-log-probability]").count() == 0
    desk.focus(state("smoke", "yes"))
    desk.keyboard.press("ArrowLeft")
    assert_shows(desk, ASIA, **known, distributions={"smoke": [0.2, 0.8]})
    desk.focus(state("dysp", "no"))
    desk.keyboard.press("b")
    desk.keyboard.press("ArrowRight")
    desk.keyboard.press("Escape")
    now = ASIA.query("dysp", **known, distributions={"smoke": [0.2, 0.8]}).probabilities[1]
    told = {"smoke": [0.2, 0.8], "dysp": [1 - round(now + 0.05, 2), round(now + 0.05, 2)]}
    assert_shows(desk, ASIA, **known, distributions=told)
    desk.wait_for_url("**becomes.dysp*")
    desk.reload()
    desk.wait_for_selector(".state[data-probability]")
    assert_shows(desk, ASIA, **known, distributions=told)
    desk.click("[aria-label='Forget dysp']")
    desk.click("[aria-label='Forget smoke']")
    assert_shows(desk, ASIA, **known)


def test_a_belief_that_cannot_become_this_is_refused(desk):
    desk.click(state("lung", "yes"))
    desk.focus(state("either", "no"))
    desk.keyboard.press("b")
    desk.keyboard.press("ArrowRight")
    assert_text(
        desk, "#section-evidence [role=alert]", "either=no cannot happen given what is known"
    )
    assert desk.locator(".card.clashing").get_attribute("data-variable") == "either"


def test_impossible_evidence_is_named_and_shown(desk):
    desk.click(state("lung", "yes"))
    desk.click(state("either", "no"))
    assert_text(desk, "#section-evidence [role=alert]", "either")
    clashing = desk.locator(".card.clashing").evaluate_all(
        "all => all.map(c => c.dataset.variable)"
    )
    assert sorted(clashing) == ["either", "lung"]
    desk.click(state("lung", "yes"))
    assert_shows(desk, ASIA, given={"either": "no"})
    assert desk.locator(".card.clashing").count() == 0


def test_what_cannot_happen_leaves_the_beliefs_of_before(desk):
    desk.click(state("lung", "yes"))
    assert_shows(desk, ASIA, given={"lung": "yes"})
    desk.click(state("either", "no"))
    desk.wait_for_selector("#section-evidence [role=alert]")
    heads = "#section-beliefs thead th"
    eventually(lambda: assert_equal(texts(desk, heads), ["state", "before"]))
    found = [float(one.get_attribute("data-belief")) for one in desk.locator("[data-belief]").all()]
    expected = ASIA.query(given={"lung": "yes"})["either"].probabilities.tolist()
    assert found == pytest.approx(expected, abs=1e-12)


def assert_equal(found, expected):
    assert found == expected


def test_findings_that_conflict_are_told_in_bits(desk):
    desk.click(state("xray", "yes"))
    assert_shows(desk, ASIA, given={"xray": "yes"})
    assert desk.locator("[data-conflict]").count() == 0  # one alone conflicts with nothing
    desk.click(state("smoke", "no"))
    desk.click(state("dysp", "no"))
    given = {"xray": "yes", "smoke": "no", "dysp": "no"}
    apart = sum(math.log2(ASIA.query(name)[its]) for name, its in given.items())
    together = ASIA.log_probability([given])[0] / math.log(2)

    def check():
        bits = float(desk.get_attribute("[data-conflict]", "data-conflict"))
        assert bits == pytest.approx(apart - together, abs=1e-9)

    eventually(check)
    assert_text(desk, ".conflict", "conflict 0.689 bits")


def test_ghost_bars_are_the_beliefs_before_the_last_change(desk):
    desk.click(state("xray", "yes"))
    assert_shows(desk, ASIA, given={"xray": "yes"})
    before = ASIA.query("lung").probabilities[0]
    row = desk.locator(state("lung", "yes"))
    width = float(row.locator(".track").get_attribute("width"))

    def check():
        assert float(row.locator(".ghost").get_attribute("width")) == pytest.approx(width * before)

    eventually(check)


def test_keys_do_all_of_it(desk):
    desk.focus(state("smoke", "no"))
    desk.keyboard.press("Enter")
    assert_shows(desk, ASIA, given={"smoke": "no"})
    desk.keyboard.press("ArrowUp")
    desk.keyboard.press("d")
    assert_shows(desk, ASIA, do={"smoke": "yes"})
    desk.keyboard.press("x")
    assert_shows(desk, ASIA)
    desk.keyboard.press("n")
    assert_shows(desk, ASIA, given={"smoke": "no"})
    desk.keyboard.press("u")
    assert_shows(desk, ASIA)
    desk.keyboard.press("y")
    assert_shows(desk, ASIA, given={"smoke": "no"})


def test_arrow_keys_walk_from_card_to_card(desk):
    desk.focus(state("asia", "no"))
    desk.keyboard.press("ArrowDown")
    assert desk.evaluate("document.activeElement.closest('.card').dataset.variable") == "tub"
    desk.keyboard.press("ArrowRight")
    assert desk.evaluate("document.activeElement.closest('.card').dataset.variable") == "lung"


def test_undo_and_redo_of_evidence(desk):
    desk.click(state("xray", "yes"))
    desk.click(state("smoke", "no"))
    assert_shows(desk, ASIA, given={"xray": "yes", "smoke": "no"})
    desk.click("text=undo")
    assert_shows(desk, ASIA, given={"xray": "yes"})
    desk.keyboard.press("Control+z")
    assert_shows(desk, ASIA)
    desk.keyboard.press("Control+Shift+z")
    desk.click("text=redo")
    assert_shows(desk, ASIA, given={"xray": "yes", "smoke": "no"})
