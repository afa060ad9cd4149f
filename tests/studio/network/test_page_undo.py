"""Undo and redo of everything that a person does on the page, and all of it after a reload."""

import csv

import pytest

from bayesic.datasets import asia
from helpers.studio_page import (
    assert_shows,
    assert_text,
    card,
    eventually,
    open_example,
    open_section,
    shown,
    state,
    texts,
)

ASIA = asia()


@pytest.fixture
def desk(page):
    open_example(page)
    return page


def seen(page):
    """All that a step can change: digits, places, edges, evidence, scenarios, constraints."""
    cards = "[...document.querySelectorAll('.card')].map(c => [c.dataset.variable, {}])"
    where = page.evaluate(cards.format("c.getAttribute('transform')"))
    labels = "[...document.querySelectorAll('.state')].map(s => s.dataset.state)"
    edges = "[...document.querySelectorAll('.edge')].map(e => [e.dataset.from, e.dataset.to])"
    return (
        {name: [round(p, 12) for p in its] for name, its in shown(page).items()},
        dict(where),
        page.evaluate(labels),
        sorted(map(tuple, page.evaluate(edges))),
        texts(page, "#section-evidence li"),
        texts(page, "#section-scenarios summary"),
        page.locator(".constraint").count(),
    )


def press(page, variable, label, *keys):
    page.focus(state(variable, label))
    for key in keys:
        page.keyboard.press(key)


def add_state(page):
    press(page, "smoke", "no", "e")
    page.click("[aria-label='add a state']")
    page.fill("dialog.small input", "formerly")
    page.keyboard.press("Enter")
    page.wait_for_selector("[aria-label='name of state 3']")


def rename_state(page):
    page.fill("[aria-label='name of state 3']", "past")
    page.keyboard.press("Tab")
    page.wait_for_selector("[aria-label='delete state past']")


def delete_state(page):
    page.click("[aria-label='delete state past']")
    page.wait_for_selector("[aria-label='name of state 3']", state="detached")


def type_table(page):
    page.fill("[data-row='0'][data-column='0']", "0.25")
    page.fill("[data-row='0'][data-column='1']", "0.75")
    page.click("dialog .main")
    page.wait_for_selector("dialog", state="detached")


def fill_by_noisy_or(page):
    press(page, "dysp", "no", "e")
    page.click("summary:text-is('Noisy-OR')")
    page.fill("[name=either]", "0.75")
    page.click("text=fill by noisy-OR")
    page.wait_for_selector("dialog", state="detached")


def add_variable(page):
    page.click("text=+ variable")
    page.fill("dialog input", "fever")
    page.keyboard.press("Enter")
    page.wait_for_selector(state("fever", "yes"))


def rename_variable(page):
    press(page, "fever", "yes", "F2")
    page.fill("dialog input", "heat")
    page.keyboard.press("Enter")
    page.wait_for_selector(state("heat", "yes"))


def add_edge(page):
    page.focus(card("heat") + " .header")
    page.keyboard.press("Enter")
    page.select_option("[aria-label='add a parent']", "lung")
    page.wait_for_selector(".edge[data-from=lung][data-to=heat]", state="attached")


def delete_edge(page):
    page.click("[aria-label='Delete the edge from lung']")
    page.wait_for_selector(".edge[data-from=lung][data-to=heat]", state="detached")


def forbid_an_edge(page):
    page.select_option("#section-learn [aria-label=from]", "asia")
    page.select_option("#section-learn [aria-label=to]", "dysp")
    page.click("#section-learn >> text='forbid'")
    page.wait_for_selector(".constraint.forbidden", state="attached")


STEPS = {
    "observe": lambda page: press(page, "xray", "yes", "Enter"),
    "exclude": lambda page: press(page, "tub", "yes", "n"),
    "likelihood": lambda page: press(page, "dysp", "no", "l", "ArrowLeft", "Escape"),
    "do": lambda page: press(page, "asia", "yes", "d"),
    "keep": lambda page: page.keyboard.press("k"),
    "clear": lambda page: page.keyboard.press("r"),
    "move": lambda page: press(page, "bronc", "yes", "Control+ArrowRight"),
    "add state": add_state,
    "rename state": rename_state,
    "delete state": delete_state,
    "table": type_table,
    "noisy-or": fill_by_noisy_or,
    "add variable": add_variable,
    "rename variable": rename_variable,
    "add edge": add_edge,
    "delete edge": delete_edge,
    "forbid": forbid_an_edge,
    "case": lambda page: page.keyboard.press("]"),
    "delete variable": lambda page: press(page, "bronc", "yes", "Delete"),
    "learn": lambda page: page.click("text=learn from patients"),
}


def test_every_step_is_undone_and_redone(desk, tmp_path):
    with (tmp_path / "patients.csv").open("w", newline="") as file:
        rows = ASIA.sample(30, seed=2)
        csv.writer(file).writerows([[*rows], *zip(*rows.values(), strict=True)])
    open_section(desk, "cases")
    with desk.expect_file_chooser() as chooser:
        desk.click("[data-key='open cases']")
    chooser.value.set_files(tmp_path / "patients.csv")
    assert_text(desk, "#section-cases", "of 30")
    open_section(desk, "table")
    open_section(desk, "learn")
    desk.select_option("#section-learn select", "structure")
    assert_shows(desk, ASIA)
    views = [seen(desk)]
    for step in STEPS.values():
        step(desk)
        views.append(eventually(lambda: changed(desk, views[-1])))
        eventually(lambda: settled(desk, views))
    for view in reversed(views[:-1]):
        desk.click("[data-key=undo]")
        eventually(lambda: is_seen(desk, view))  # noqa: B023
    assert desk.locator("[data-key=undo]").is_disabled()
    assert_shows(desk, ASIA)
    for view in views[1:]:
        desk.click("[data-key=redo]")
        eventually(lambda: is_seen(desk, view))  # noqa: B023
    assert desk.locator("[data-key=redo]").is_disabled()


def changed(page, before):
    now = seen(page)
    assert now != before
    return now


def settled(page, views):
    """What is seen stays the same for a moment: the answer is there."""
    page.wait_for_timeout(150)
    now = seen(page)
    is_same, views[-1] = now == views[-1], now
    assert is_same
    assert now[0], "no digits"


def is_seen(page, view):
    assert seen(page) == view


def test_a_reload_keeps_sections_constraints_and_opened_cards(desk):
    open_section(desk, "ask-next")
    open_section(desk, "beliefs")  # closed
    press(desk, "smoke", "yes", "o")
    open_section(desk, "learn")
    desk.wait_for_url("**open=smoke&sections=*learn*")
    desk.reload()
    desk.wait_for_selector(state("smoke", "yes"))
    opened = desk.eval_on_selector_all("details.section[open]", "all => all.map(one => one.id)")
    assert opened == ["section-evidence", "section-ask-next", "section-learn"]
    desk.goto(
        desk.url
        + "&forbidden="
        + "%5B%22asia%22%2C%22dysp%22%5D"
        + "&demanded=%5B1%2C2%5D&forbidden=x"
    )
    desk.reload()
    desk.wait_for_selector(".constraint", state="attached")
    assert desk.locator(".constraint.forbidden").count() == 1
    assert desk.locator(".constraint.demanded").count() == 0


def test_a_scenario_that_is_undone_leaves_the_bars_of_before(desk):
    desk.click(state("xray", "yes"))
    assert_shows(desk, ASIA, given={"xray": "yes"})
    desk.keyboard.press("k")
    desk.keyboard.press("Control+z")
    before = ASIA.query("lung").probabilities[0]
    row = desk.locator(state("lung", "yes"))
    width = float(row.locator(".track").get_attribute("width"))

    def check():
        assert float(row.locator(".ghost").get_attribute("width")) == pytest.approx(width * before)

    eventually(check)
