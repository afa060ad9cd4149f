"""The table desk as a person uses it: every digit on the page is one of the library."""

from math import fsum

import pytest

import bayesic as by
from helpers.studio_page import assert_text, eventually, open_section

TENNIS = by.datasets.play_tennis().to_dict()
TARGET = "PlayTennis"
DAYS = [dict(zip(TENNIS, row, strict=True)) for row in zip(*TENNIS.values(), strict=True)]
NAIVE = by.NaiveBayes().fit(TENNIS, y=TARGET)


def without_target(row):
    return {name: cell for name, cell in row.items() if name != TARGET}


def learn(page, model="NaiveBayes", row=None):
    """Choose a model, learn, and click a row."""
    page.wait_for_selector("[data-key=learn]")
    page.select_option("#strip select", model)
    page.click("[data-key=learn]")
    page.wait_for_selector("[data-learned]")
    if row is not None:
        page.click(f"[data-row='{row}']")
        page.wait_for_selector(".step[data-weight]")


@pytest.fixture
def desk(new_page):
    page = new_page("/desk/table#example=tennis")
    learn(page, row=0)
    return page


def weights(page):
    """The lines of the bridge: name -> weight."""
    lines = page.evaluate(
        "[...document.querySelectorAll('.step[data-weight]')].map(one => "
        "[one.dataset.step, Number(one.dataset.weight)])"
    )
    return dict(lines)


def probabilities(page):
    found = page.evaluate(
        "[...document.querySelectorAll('.posterior [data-probability]')].map(one => "
        "[one.dataset.class, Number(one.dataset.probability)])"
    )
    return dict(found)


def assert_explains(page, model, row, **asked):
    """The bridge is `explain` digit by digit, and adds up to its log odds."""
    expected = model.explain(row, **asked)
    lines = {
        "prior": expected.prior_log_odds,
        **expected.weights,
        "log odds": expected.log_odds,
    }

    def check():
        found = weights(page)
        assert found == pytest.approx(lines, abs=1e-12)
        assert fsum([*found.values(), -found["log odds"]]) == pytest.approx(
            found["log odds"], abs=1e-12
        )
        assert probabilities(page) == pytest.approx(expected.probability, abs=1e-12)

    eventually(check)


def test_a_newcomer_has_a_table_learned_and_a_row_explained_in_four_clicks(page, tmp_path):
    path = tmp_path / "days.csv"
    lines = [",".join(TENNIS), *(",".join(day.values()) for day in DAYS)]
    path.write_text("\n".join(lines))
    clicks = []

    def click(what):
        clicks.append(what)
        page.click(what)

    with page.expect_file_chooser() as chooser:
        click("text=choose a file")
    chooser.value.set_files(path)
    page.wait_for_url("**/desk/table#table=days*")
    click(f"tr[data-column={TARGET}] input[type=radio]")
    click("[data-key=learn]")
    page.wait_for_selector("[data-learned]")
    click("[data-row='3']")
    assert_explains(page, by.AutoBayes().fit(path, y=TARGET), without_target(DAYS[3]))
    assert len(clicks) <= 6


def test_the_bridge_is_what_the_library_explains(desk):
    for number in (0, 5, 13):
        desk.click(f"[data-row='{number}']")
        assert_explains(desk, NAIVE, without_target(DAYS[number]))
    desk.select_option("[aria-label='why this class']", "No")
    assert_explains(desk, NAIVE, without_target(DAYS[13]), answer="No")
    open_section(desk, "work")
    assert_text(desk, "[data-work]", str(NAIVE.work(without_target(DAYS[13]))).split("\n")[-1])


def test_what_if_a_cell_were_another_and_back_by_undo(desk):
    desk.select_option("[data-cell=Outlook]", "Overcast")
    row = {**without_target(DAYS[0]), "Outlook": "Overcast"}
    assert_explains(desk, NAIVE, row)
    desk.select_option("[data-cell=Wind]", "")
    assert_explains(desk, NAIVE, {**row, "Wind": None})
    desk.wait_for_url("**cell.Wind=*")
    desk.reload()
    assert_explains(desk, NAIVE, {**row, "Wind": None})
    desk.click("text=as in the file")
    assert_explains(desk, NAIVE, without_target(DAYS[0]))
    desk.click("[data-key=undo]")
    assert_explains(desk, NAIVE, {**row, "Wind": None})


def test_columns_are_shown_with_bits_and_kinds_that_can_be_changed(new_page):
    page = new_page("/desk/table#example=melons")
    page.wait_for_selector("[data-bits]")
    columns = by.datasets.watermelon().to_dict()
    model = by.NaiveBayes().fit(columns, y="好瓜")
    bits = {column.name: column.bits for column in model.summary().columns}

    def check():
        found = page.evaluate(
            "[...document.querySelectorAll('tr[data-column]')].map(row => [row.dataset.column, "
            "Number(row.querySelector('[data-bits]')?.dataset.bits ?? -1)])"
        )
        assert {name: value for name, value in found if value >= 0} == pytest.approx(bits)

    eventually(check)
    page.select_option("#strip select", "NaiveBayes")
    page.select_option("[aria-label='kind of 密度']", "binned")
    page.wait_for_url("**kind.*")
    page.click("[data-key=undo]")
    eventually(lambda: pytest.approx(page.input_value("[aria-label='kind of 密度']")) == "")
