"""Cases on the page: step through a table, see what surprises, test with it, learn from it."""

import csv
from math import log

import pytest

from bayesic.datasets import asia
from bayesic.networks.structure_learning import learn_structure
from helpers.studio_page import (
    assert_shows,
    assert_text,
    card,
    eventually,
    open_example,
    open_section,
    texts,
)

ASIA = asia()
ROWS = ASIA.sample(60, seed=1)
GIVEN = [{name: column[n] for name, column in ROWS.items()} for n in range(60)]


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    path = tmp_path_factory.mktemp("cases") / "patients.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([*ROWS, "ward"])
        writer.writerows([*row.values(), "east"] for row in GIVEN)
    return path


@pytest.fixture
def desk(page, table):
    open_example(page)
    open_section(page, "cases")
    choose(page, "text=open a CSV, TSV or Parquet file", table)
    assert_text(page, "#section-cases", "of 60")
    return page


def choose(page, button, path):
    with page.expect_file_chooser() as chooser:
        page.click(button)
    chooser.value.set_files(path)


def test_a_case_is_entered_as_evidence_and_the_next_one_by_a_key(desk):
    desk.click("[aria-label='Next case']")
    assert_shows(desk, ASIA, given=GIVEN[0])
    assert_text(desk, "#section-cases", "east (not used)")
    desk.keyboard.press("F8")
    assert_shows(desk, ASIA, given=GIVEN[1])
    desk.keyboard.press("[")
    assert_shows(desk, ASIA, given=GIVEN[0])
    desk.wait_for_url("**&row=0*")
    desk.reload()
    assert_shows(desk, ASIA, given=GIVEN[0])


def test_the_target_is_left_open(desk):
    desk.focus(card("lung") + " .header")
    desk.keyboard.press("t")
    desk.fill("[aria-label=case]", "7")
    desk.keyboard.press("Enter")
    known = {name: its for name, its in GIVEN[6].items() if name != "lung"}
    assert_shows(desk, ASIA, given=known)
    assert_text(desk, "#section-cases", "lung is left open")


def test_rows_that_surprise_the_network(desk):
    desk.click("text=which rows surprise the network?")
    logs = ASIA.log_probability(ROWS)

    def check():
        cells = desk.locator("[data-surprise] td")
        found = cells.evaluate_all("cells => cells.map(cell => +cell.dataset.value)")
        assert found == pytest.approx(sorted(logs.tolist()), rel=1e-12)

    eventually(check)
    first = int(texts(desk, "[data-surprise] tbody th")[0]) - 1
    assert logs[first] == pytest.approx(min(logs))
    desk.click("[data-surprise] tbody button >> nth=0")
    assert_shows(desk, ASIA, given=GIVEN[first])


def test_a_test_with_the_cases(desk):
    open_section(desk, "test")
    desk.select_option("#section-test select", "bronc")
    desk.click("#section-test >> text=test >> nth=-1")
    others = [{name: its for name, its in row.items() if name != "bronc"} for row in GIVEN]
    told = [ASIA.query("bronc", given=known).probabilities for known in others]
    truth = [ASIA.states("bronc").index(row["bronc"]) for row in GIVEN]
    right = sum(p.argmax() == t for p, t in zip(told, truth, strict=True)) / len(truth)
    loss = -sum(log(p[t]) for p, t in zip(told, truth, strict=True)) / len(truth)

    def check():
        cells = desk.locator("[data-score]")
        pairs = cells.evaluate_all("cells => cells.map(c => [c.dataset.score, +c.dataset.value])")
        found = dict(pairs)
        assert found.get("accuracy") == pytest.approx(right, rel=1e-12)
        assert found.get("log_loss") == pytest.approx(loss, rel=1e-9)
        assert found.get("n_rows") == 60

    eventually(check)
    counts = [int(text) for text in texts(desk, "[data-confusion] td")]
    assert sum(counts) == 60
    assert counts[0] + counts[3] == round(right * 60)
    assert desk.locator(".chart .bin").count() > 0


def test_tables_are_learned_and_that_is_undone(desk):
    open_section(desk, "learn")
    desk.fill("#section-learn [type=number]", "2")
    desk.click("text=learn from patients")
    assert_text(desk, "#section-learn [role=status]", "Learned")
    learned = asia().fit(ROWS, smoothing=2)
    assert_shows(desk, learned)
    desk.keyboard.press("Control+z")
    assert_shows(desk, ASIA)


def test_a_structure_is_learned_with_forbidden_and_demanded_edges_that_were_drawn(desk):
    open_section(desk, "learn")
    desk.select_option("#section-learn select", "structure")
    desk.click("text=draw required edges")
    draw(desk, "asia", "dysp")
    desk.click("text=draw forbidden edges")
    draw(desk, "tub", "either")
    assert texts(desk, "#section-learn li") == ["asia → dysp×", "tub → either×"]
    assert desk.locator(".constraint").count() == 2
    desk.keyboard.press("Escape")
    desk.click("text=learn from patients")
    columns = {**ROWS, "ward": ["east"] * 60}
    learned = learn_structure(
        columns, required=[("asia", "dysp")], forbidden=[("tub", "either")], smoothing=1
    )

    def check():
        edges = desk.locator(".edge")
        found = edges.evaluate_all("edges => edges.map(e => [e.dataset.from, e.dataset.to])")
        assert {tuple(edge) for edge in found} == set(learned.edges)

    eventually(check)


def draw(page, start, end):
    page.hover(card(start))
    begin, stop = (
        page.locator(part).bounding_box() for part in (card(start) + " .port", card(end) + " .name")
    )
    page.mouse.move(begin["x"] + begin["width"] / 2, begin["y"] + begin["height"] / 2)
    page.mouse.down()
    page.mouse.move(stop["x"] + 4, stop["y"] + 4, steps=4)
    page.mouse.up()


def test_a_network_is_learned_from_a_table_alone(page, table):
    choose(page, "text=choose a file", table)
    page.click("text=learn a network from it")
    page.wait_for_selector(".card")
    assert page.locator(".card").count() == 9  # the ward is a column too
