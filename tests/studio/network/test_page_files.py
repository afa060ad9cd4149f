"""Files on the page: dropped, chosen, saved; networks, models of them, tables of any kind."""

import base64
import csv

import pytest

import bayesic as by
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
)

ASIA = asia()
ROWS = ASIA.sample(40, seed=3)
GIVEN = [{name: column[n] for name, column in ROWS.items()} for n in range(40)]

DROP = """([name, data]) => {
  const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
  const transfer = new DataTransfer();
  transfer.items.add(new File([bytes], name));
  const drag = (kind) => document.querySelector("main").dispatchEvent(
    new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer: transfer }));
  drag("dragover");
  const isMarked = document.body.classList.contains("dropping");
  drag("drop");
  return isMarked;
}"""


def drop(page, path):
    """Drop a file on the page, as from the desktop."""
    assert page.evaluate(DROP, [path.name, base64.b64encode(path.read_bytes()).decode()])


def write_rows(path, columns, mark=","):
    with path.open("w", newline="") as file:
        writer = csv.writer(file, delimiter=mark)
        writer.writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))


def campfire():
    return by.BeliefNetwork(
        [("Storm", "Fire")],
        {
            "Storm": {"yes": 0.25, "no": 0.75},
            "Fire": {"yes": {"yes": 0.5, "no": 0.5}, "no": {"yes": 0.125, "no": 0.875}},
        },
    )


def test_a_network_is_dropped_on_the_start_page_and_on_the_desk(page, tmp_path):
    page.wait_for_selector("[data-example=asia]")
    ASIA.write(tmp_path / "clinic.bif")
    drop(page, tmp_path / "clinic.bif")
    page.wait_for_selector(".state[data-probability]")
    assert_shows(page, ASIA)
    campfire().write(tmp_path / "fire.net")
    drop(page, tmp_path / "fire.net")
    assert_shows(page, campfire())
    assert_text(page, "h1", "fire")
    assert not page.evaluate("document.body.classList.contains('dropping')")


TITLES = {"bif": "BIF", "xml": "XMLBIF", "net": "Hugin NET", "uai": "UAI", "json": "JSON"}


def save(page, title, path):
    """Save the network in a format of the menu, here."""
    page.click("#foot >> text=save")
    with page.expect_download() as download:
        page.click(f"[role=menuitem]:text-is('{title}')")
    download.value.save_as(path)


@pytest.mark.parametrize("ending", TITLES)
def test_every_format_is_saved_and_opened_again_with_all_digits(page, ending, tmp_path):
    open_example(page)
    path = tmp_path / f"again.{ending}"
    save(page, TITLES[ending], path)
    drop(page, path)
    assert_text(page, "h1", "again")
    if ending != "uai":
        return assert_shows(page, ASIA)
    eventually(lambda: only_digits(page))
    return None


def only_digits(page):
    """UAI has numbers in place of names."""
    marginals = ASIA.query()
    expected = [marginals[name].probabilities.tolist() for name in ASIA.variables]
    assert list(shown(page).values()) == [pytest.approx(each, abs=1e-12) for each in expected]


def test_a_model_file_has_what_was_learned_and_none_without_rows(page, tmp_path):
    open_example(page)
    page.click("#foot >> text=save")
    page.click("[role=menuitem]:text-is('bayesic model')")
    assert_text(page, "#notice", "This network has not learned any rows.")
    write_rows(tmp_path / "patients.csv", ROWS)
    drop(page, tmp_path / "patients.csv")
    open_section(page, "learn")
    page.click("text=learn from patients")
    learned = asia().fit(ROWS, smoothing=1)
    assert_shows(page, learned)
    save(page, "bayesic model", tmp_path / "learned.bayes")
    assert by.load(tmp_path / "learned.bayes").n_parameters == learned.n_parameters
    drop(page, tmp_path / "learned.bayes")
    assert_text(page, "h1", "learned")
    assert_shows(page, learned)


def test_a_model_file_is_opened_with_what_it_has_learned(page, tmp_path):
    learned = by.BeliefNetwork(ASIA.edges).fit(ROWS, smoothing=1)
    learned.save(tmp_path / "learned.bayes")
    with page.expect_file_chooser() as chooser:
        page.click("text=choose a file")
    chooser.value.set_files(tmp_path / "learned.bayes")
    page.wait_for_selector(".state[data-probability]")
    assert_shows(page, learned)


@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet"])
def test_cases_of_every_kind_are_dropped_and_stepped_through(page, ending, tmp_path):
    path = tmp_path / f"patients.{ending}"
    if ending == "parquet":
        pyarrow = pytest.importorskip("pyarrow")
        from pyarrow import parquet

        plain = {name: [str(cell) for cell in column] for name, column in ROWS.items()}
        parquet.write_table(pyarrow.table(plain), path)
    else:
        write_rows(path, ROWS, "\t" if ending == "tsv" else ",")
    open_example(page)
    drop(page, path)
    assert_text(page, "#section-cases", "of 40")
    page.keyboard.press("]")
    assert_shows(page, ASIA, given=GIVEN[0])
    page.keyboard.press("]")
    assert_shows(page, ASIA, given=GIVEN[1])


def test_missing_values_are_filled_in_by_em(page, tmp_path):
    gaps = {name: list(column) for name, column in ROWS.items()}
    for name, every in (("either", 3), ("smoke", 4)):
        gaps[name] = ["" if n % every == 0 else cell for n, cell in enumerate(gaps[name])]
    write_rows(tmp_path / "gaps.csv", gaps)
    missing = {
        name: [None if cell == "" else cell for cell in column] for name, column in gaps.items()
    }
    open_example(page)
    drop(page, tmp_path / "gaps.csv")
    open_section(page, "learn")
    page.check("#section-learn [type=checkbox]")
    page.click("text=learn from gaps")
    assert_text(page, "#section-learn [role=status]", "Learned")
    assert_shows(page, asia().fit(missing, smoothing=1, method="em"))
    page.keyboard.press("Control+z")
    assert_shows(page, ASIA)


def test_positions_are_in_the_file(page, tmp_path):
    open_example(page)
    box = page.locator(card("asia") + " .name").bounding_box()
    page.mouse.move(box["x"] + 4, box["y"] + 4)
    page.mouse.down()
    page.mouse.move(box["x"] - 40, box["y"] + 30, steps=4)
    page.mouse.up()
    page.wait_for_function("() => document.querySelector('[data-key=undo]:not([disabled])')")
    where = page.locator(card("asia")).get_attribute("transform")
    save(page, "BIF", tmp_path / "moved.bif")
    drop(page, tmp_path / "moved.bif")
    assert_text(page, "h1", "moved")
    page.wait_for_selector(state("asia", "yes"))
    assert page.locator(card("asia")).get_attribute("transform") == where
