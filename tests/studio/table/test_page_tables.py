"""The table desk as a person uses it: every digit on the page is one of the library."""

import os
import sys
from math import fsum
from pathlib import Path

import pytest

import bayesic as by
from bayesic.studio.table import _fitting
from helpers import studio_work
from helpers.http_server import ask
from helpers.studio_page import (
    assert_accessible,
    assert_small,
    assert_text,
    eventually,
    open_section,
    texts,
)
from helpers.table_desk import assert_explains, learn, open_file

TENNIS = by.datasets.play_tennis().to_dict()
TARGET = "PlayTennis"
DAYS = [dict(zip(TENNIS, row, strict=True)) for row in zip(*TENNIS.values(), strict=True)]
HELPERS = Path(studio_work.__file__).parents[1]
NAIVE = by.NaiveBayes().fit(TENNIS, y=TARGET)


def without_target(row):
    return {name: cell for name, cell in row.items() if name != TARGET}


@pytest.fixture
def desk(new_page):
    page = new_page("/desk/table#example=tennis")
    learn(page, row=0)
    return page


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


def test_a_chosen_kind_is_taken_back_by_undo(new_page):
    page = new_page("/desk/table#example=melons")
    page.wait_for_selector("[data-bits]")
    page.select_option("#strip select", "NaiveBayes")
    page.select_option("[aria-label='kind of 密度']", "binned")

    def check(kind):
        assert page.input_value("[aria-label='kind of 密度']") == kind

    eventually(lambda: check("binned"))
    page.wait_for_url("**kind.*")
    page.click("[data-key=undo]")
    eventually(lambda: check(""))


# the nomogram -------------------------------------------------------------------------------------


def test_the_nomogram_is_that_of_the_library_and_its_marks_add_up(desk):
    desk.keyboard.press("3")
    desk.wait_for_selector(".nomogram")
    expected = NAIVE.nomogram()
    points = desk.evaluate(
        "[...document.querySelectorAll('[data-line] [data-value]')].map(one => "
        "[one.closest('[data-line]').dataset.line, one.dataset.value, Number(one.dataset.weight)])"
    )
    found = {(name, value): weight for name, value, weight in points}
    assert found == {
        (column.name, value): pytest.approx(weight, abs=1e-12)
        for column in expected.columns
        for value, weight in zip(column.values, column.weights, strict=True)
    }
    prior = float(desk.get_attribute("[data-prior]", "data-prior"))
    marks = desk.evaluate(
        "[...document.querySelectorAll('[data-mark]')].map(one => Number(one.dataset.mark))"
    )
    explanation = NAIVE.explain(without_target(DAYS[0]), answer="Yes", against="No")
    assert fsum([prior, *marks]) == pytest.approx(explanation.log_odds, abs=1e-12)
    total = float(desk.get_attribute("[data-total]", "data-total"))
    assert total == pytest.approx(explanation.log_odds, abs=1e-12)
    labels = texts(desk, "[data-total] text")  # the scale from sums to probabilities
    for probability, log_odds in [("0.01", "−4.59"), ("0.5", "0"), ("0.95", "+2.94")]:
        assert probability in labels and log_odds in labels


def test_a_model_that_is_no_sum_says_so(new_page):
    page = new_page("/desk/table#example=tennis")
    learn(page, "AutoBayes")
    page.click("#tab-nomogram")
    assert_text(page, "#view", "AutoBayes is no such sum")


# the store ----------------------------------------------------------------------------------------


def events(address, name="tennis"):
    found = ask(address, "GET", f"/models/{name}/history").json["events"]
    return [(event["op"], event["id"], event.get("y")) for event in found]


def test_a_corrected_label_is_learned_with_its_id_and_seen_in_another_tab(desk, new_page, address):
    desk.wait_for_url("**row=0*")
    other = new_page(f"/desk/table{desk.evaluate('location.hash')}")
    other.wait_for_selector(".step[data-weight]")
    desk.select_option("#row [aria-label=label]", "Yes")
    rows = [without_target(day) for day in DAYS]
    labels = ["Yes", *(day[TARGET] for day in DAYS[1:])]
    model = by.NaiveBayes().fit(rows, labels)
    assert_explains(desk, model, rows[0])
    assert_explains(other, model, rows[0])
    assert events(address)[-1] == ("correct", "0", "Yes")
    assert_text(desk, "#row", "was No")


def test_to_forget_on_the_page_is_to_forget_in_the_store(desk, address):
    desk.click("[data-key=forget]")
    rows = [without_target(day) for day in DAYS]
    model = by.NaiveBayes().fit(rows[1:], [day[TARGET] for day in DAYS[1:]])
    assert_explains(desk, model, rows[0])
    assert events(address)[-1] == ("forget", "0", None)
    assert_text(desk, "#row", "forgotten")
    desk.wait_for_selector("tr.is-forgotten[data-row='0']")
    desk.click("[data-key=teach]")
    assert_explains(desk, NAIVE, rows[0])
    assert events(address)[-1] == ("learn", "0", "No")
    desk.wait_for_selector("tr[data-row='0']:not(.is-forgotten)")
    assert desk.locator("tr[data-row='0'] .label span").count() == 0


def test_a_row_without_a_label_is_learned_when_it_gets_one(page, address, tmp_path):
    lines = [",".join(TENNIS), *(",".join(day.values()) for day in DAYS)]
    lines[4] = lines[4].removesuffix("Yes")
    (tmp_path / "days.csv").write_text("\n".join(lines))
    open_file(page, tmp_path / "days.csv")
    learn(page, row=3)
    page.select_option("#row .facts select", "Yes")
    assert_explains(page, NAIVE, without_target(DAYS[3]))
    assert events(address, "days")[-1] == ("learn", "3", "Yes")


def test_two_tabs_that_learn_and_change_at_the_same_time_lose_nothing(new_page, address):
    pages = [new_page("/desk/table#example=tennis") for _ in range(2)]
    for page in pages:
        page.wait_for_selector("[data-key=learn]")
        page.select_option("#strip select", "NaiveBayes")
    for page in pages:
        page.click("[data-key=learn]")
    for number, page in enumerate(pages):
        page.wait_for_selector("[data-learned=tennis]")
        page.click(f"[data-row='{number}']")
        page.wait_for_selector(".step[data-weight]")
    for page in pages:
        page.select_option("#row [aria-label=label]", "Yes")
    rows = [without_target(day) for day in DAYS]
    model = by.NaiveBayes().fit(rows, ["Yes", "Yes", *(day[TARGET] for day in DAYS[2:])])
    for number, page in enumerate(pages):
        assert_explains(page, model, rows[number])
    assert sorted(events(address)[-2:]) == [("correct", "0", "Yes"), ("correct", "1", "Yes")]


# costs --------------------------------------------------------------------------------------------


def test_costs_change_actions_and_the_region_of_none(new_page):
    page = new_page("/desk/table#example=melons")
    learn(page, row=0)
    open_section(page, "costs")
    page.fill("[data-reject]", "0.5")
    page.keyboard.press("Enter")
    columns = by.datasets.watermelon().to_dict()
    model = by.NaiveBayes().fit(columns, y="好瓜")
    loss = {"buy": {"否": 4, "是": 0}, "leave": {"否": 0, "是": 1}}

    def check(loss, reject):
        expected = by.evaluate(
            model, columns, "好瓜", loss=loss, reject_loss=reject, cv="leave-one-out"
        ).cost
        found = page.evaluate(
            "[...document.querySelectorAll('[data-actions] [data-count]')].map(one => "
            "[one.dataset.action, Number(one.dataset.count)])"
        )
        assert dict(found) == expected.actions
        cost = float(page.get_attribute("[data-expected-cost]", "data-expected-cost"))
        assert cost == pytest.approx(expected.expected_cost, abs=1e-12)

    eventually(lambda: check(loss, 0.5))
    regions = page.evaluate(
        "[...document.querySelectorAll('[data-region]')].map(one => one.dataset.region)"
    )
    assert regions == ["leave", "reject", "buy"]
    page.fill("[data-cost='buy|否']", "8")
    page.keyboard.press("Enter")
    eventually(lambda: check({**loss, "buy": {"否": 8, "是": 0}}, 0.5))
    row = {name: cells[0] for name, cells in columns.items() if name != "好瓜"}
    action = by.decide(
        model.predict_proba([row]), {**loss, "buy": {"否": 8, "是": 0}}, 0.5, model.classes_
    ).action[0]
    eventually(lambda: assert_action(page, action))
    page.click("[data-key=undo]")
    eventually(lambda: check(loss, 0.5))


def assert_action(page, action):
    assert page.get_attribute(".decision", "data-action") == action


def test_the_model_is_saved_as_a_file(desk, tmp_path):
    with desk.expect_download() as download:
        desk.click("text=download the model")
    download.value.save_as(tmp_path / "tennis.bayes")
    model = by.load(tmp_path / "tennis.bayes")
    assert_explains(desk, model, without_target(DAYS[0]))


# the page as a whole ------------------------------------------------------------------------------


def test_evaluation_and_members_are_those_of_the_library(new_page):
    page = new_page("/desk/table#example=tennis")
    learn(page, "AutoBayes", row=0)
    open_section(page, "members")
    model = by.AutoBayes().fit(TENNIS, y=TARGET)
    report = by.evaluate(model, TENNIS, TARGET, cv="leave-one-out")
    explanation = model.explain(without_target(DAYS[0]))

    def check():
        scores = {
            name: float(page.get_attribute(f"[data-score={name}]", "data-value"))
            for name in ("accuracy", "log_loss", "brier_score")
        }
        expected = {name: getattr(report, name) for name in scores}
        assert scores == pytest.approx(expected, abs=1e-9)
        votes = page.evaluate(
            "[...document.querySelectorAll('[data-vote]')].map(one => "
            "[one.closest('tr').dataset.member, Number(one.dataset.vote)])"
        )
        assert dict(votes) == pytest.approx(explanation.votes, abs=1e-9)

    page.wait_for_selector("[data-score=accuracy]")
    eventually(check)
    counts = [int(text) for text in texts(page, "[data-confusion] td")]
    assert counts == report.confusion.ravel().tolist()


def test_a_damaged_file_shows_the_sentence_of_the_library(page, tmp_path):
    path = tmp_path / "odd.parquet"
    path.write_bytes(b"PAR1 this is none")
    with page.expect_file_chooser() as chooser:
        page.click("text=choose a file")
    chooser.value.set_files(path)
    assert_text(page, "#notice", "odd.parquet cannot be read as a Parquet file")


def test_a_table_is_opened_by_its_name_and_what_is_gone_leads_to_the_start_page(new_page):
    page = new_page("/desk/table#table=nothing")
    page.wait_for_url("**/")
    assert_text(page, "#notice", "There are no cases 'nothing'")


def assert_told(page, share):
    assert page.locator("progress").get_attribute("value") == share


def test_a_network_learned_from_the_table_leaves_others_alone(new_page, address):
    opened = ask(address, "POST", "/studio/documents", {"example": "tennis"}).json
    page = new_page("/desk/table#example=tennis")
    page.click("text=learn a network from it")
    page.wait_for_url("**/desk/network#document=tennis+2&cases=tennis*")
    page.wait_for_selector(".card")
    heads = ask(address, "GET", "/studio/pulse").json["documents"]
    assert heads[opened["name"]] == {"head": opened["head"]}


def test_learning_has_a_bar_and_can_be_stopped(new_page, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(HELPERS), *sys.path]))
    monkeypatch.setattr(_fitting, "JOURNALLED", 0)
    monkeypatch.setattr(_fitting, "fitted", studio_work.never_fitted)
    page = new_page("/desk/table#example=tennis")
    page.wait_for_selector("[data-key=learn]")
    page.click("[data-key=learn]")
    eventually(lambda: assert_told(page, "0.25"))
    page.click("[data-key=stop]")
    page.wait_for_selector("progress", state="detached")
    monkeypatch.undo()
    page.click("[data-key=learn]")
    page.wait_for_selector("[data-learned]")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_everybody_can_use_it(new_page, page_tools, theme):
    page = new_page("/desk/table#example=melons", color_scheme=theme, bypass_csp=True)
    page.wait_for_selector("[data-bits]")
    assert_accessible(page, page_tools)
    learn(page, row=1)
    for name in ("work", "members", "costs"):
        open_section(page, name)
    page.wait_for_selector("[data-confusion]")
    page.wait_for_selector("[data-region]")
    assert_accessible(page, page_tools)
    page.click("#tab-nomogram")
    page.wait_for_selector(".nomogram")
    assert_accessible(page, page_tools)


def test_what_the_desk_loads_is_small_and_fits_a_small_screen(new_page):
    page = new_page("/desk/table#example=melons", viewport={"width": 390, "height": 844})
    learn(page, row=1)
    page.click("#tab-nomogram")
    page.wait_for_selector(".nomogram")
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert_all_in_view(page)
    page.click("#tab-columns")
    page.wait_for_selector("[data-bits]")
    assert_all_in_view(page)
    assert_small(page)


def assert_all_in_view(page):
    """Nothing stands to the right of the screen."""
    assert page.evaluate("(({scrollWidth, clientWidth}) => scrollWidth - clientWidth)(view)") == 0


def test_it_works_by_keyboard_and_in_chinese(new_page):
    page = new_page("/desk/table#example=tennis", locale="zh-CN")
    page.wait_for_selector("[data-key=learn]")
    page.select_option("#strip select", "NaiveBayes")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("l")
    page.wait_for_selector("[data-row='1'] [data-probability]")
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.wait_for_selector(".step[data-weight]")
    assert_text(page, "#row", "第 1 行")
    page.keyboard.press("Control+z")
    assert_text(page, "#row", "第 0 行")
    page.keyboard.press("?")
    assert_text(page, "dialog", "撤销、重做")
