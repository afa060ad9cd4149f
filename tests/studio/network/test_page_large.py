"""Large networks on the page: names only when far, and costly questions told before."""

import os
import sys
from pathlib import Path

import pytest

from bayesic import BeliefNetwork
from bayesic.datasets import asia
from bayesic.studio import workspace as studios
from bayesic.studio.network import _beliefs, _evidence_questions
from helpers import studio_work
from helpers.studio_page import (
    assert_shows,
    assert_text,
    card,
    eventually,
    open_example,
    shown,
    state,
)

HELPERS = Path(studio_work.__file__).parents[1]
COIN = {"yes": 0.5, "no": 0.5}


def open_file(page, path):
    with page.expect_file_chooser() as chooser:
        page.click("text=choose a file")
    chooser.value.set_files(path)
    page.wait_for_selector(".card")


def test_what_is_far_is_a_name_and_what_is_found_has_bars(page, tmp_path):
    many = {f"coin {number}": COIN for number in range(900)}
    BeliefNetwork([], many).write(tmp_path / "coins.json")
    open_file(page, tmp_path / "coins.json")
    page.keyboard.press("f")
    page.wait_for_selector(".cards.names-only")
    assert page.locator(".card").count() == 900
    assert page.locator(".state").count() == 0
    page.keyboard.press("/")
    page.keyboard.type("coin 777")
    page.keyboard.press("Enter")
    page.wait_for_selector(state("coin 777", "yes"))
    assert 0 < page.locator(".state").count() < 1800
    page.click(state("coin 777", "yes"))

    def is_seen():
        assert shown(page)["coin 777"] == [1.0, 0.0]

    eventually(is_seen)
    page.keyboard.press("h")
    eventually(lambda: only(page, 1))
    assert page.locator(card("coin 777")).count() == 1


def only(page, count):
    assert page.locator(".card").count() == count


def test_what_costs_much_is_told_before_and_can_be_sampled(page, tmp_path):
    grid = wide_network(20)
    grid.write(tmp_path / "grid.json")
    open_file(page, tmp_path / "grid.json")
    assert_text(page, "#foot .status", "numbers, more than this machine can hold")
    assert page.locator("text=compute it").count() == 0
    page.click("text=/sample \\d+ cases/")
    assert_text(page, "#foot .status", "samples, error up to")
    found = shown(page)
    assert len(found) == len(grid.variables)
    for probabilities in found.values():  # every cell is a fair coin
        assert probabilities == pytest.approx([0.5, 0.5], abs=0.03)


def test_a_long_computation_is_stopped_by_a_click_and_by_a_newer_question(page, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(HELPERS), *sys.path]))
    open_example(page)
    monkeypatch.setattr(studios, "QUICK", 0.0)
    monkeypatch.setattr(_evidence_questions, "COSTLY", 0.0)
    monkeypatch.setattr(_beliefs, "beliefs", studio_work.wait_for_evidence)  # takes forever
    page.click(state("xray", "yes"))
    assert_text(page, "#foot .status", "the exact answer takes")
    page.click("text=compute it")
    page.click("#foot >> text=stop")
    page.click("text=compute it")
    page.wait_for_selector("#foot .busy")
    monkeypatch.undo()
    page.click(state("smoke", "no"))
    assert_shows(page, asia(), given={"xray": "yes", "smoke": "no"})


def test_a_click_on_the_minimap_leads_there(page, tmp_path):
    many = {f"coin {number}": COIN for number in range(900)}
    BeliefNetwork([], many).write(tmp_path / "coins.json")
    open_file(page, tmp_path / "coins.json")
    page.keyboard.press("/")
    page.keyboard.type("coin 1")
    page.keyboard.press("Enter")
    corner = page.wait_for_selector(".minimap").bounding_box()
    before = seen(page)
    page.mouse.click(corner["x"] + corner["width"] / 2, corner["y"] + corner["height"] / 2)
    eventually(lambda: assert_elsewhere(before, seen(page)))


def seen(page):
    """Where the frame of the minimap is."""
    frame = page.locator(".minimap .frame")
    return [float(frame.get_attribute(side)) for side in ("x", "y")]


def assert_elsewhere(before, after):
    assert after != before


def wide_network(size):
    """A square of variables, each of which depends on its neighbours above and to the left."""
    edges, tables = [], {}
    for row in range(size):
        for column in range(size):
            name = f"{row},{column}"
            parents = [f"{row - 1},{column}"] * (row > 0) + [f"{row},{column - 1}"] * (column > 0)
            edges += [(parent, name) for parent in parents]
            tables[name] = table_of(len(parents))
    return BeliefNetwork(edges, tables)


def table_of(n_parents):
    high, low = {"yes": 0.8, "no": 0.2}, {"yes": 0.2, "no": 0.8}
    if n_parents == 0:
        return COIN
    if n_parents == 1:
        return {"yes": high, "no": low}
    return {("yes", "yes"): high, ("yes", "no"): COIN, ("no", "yes"): COIN, ("no", "no"): low}
