"""Columns, states, classes, words and models named like what every JavaScript object has."""

import json

import pytest

import bayesic as by
from helpers.http_server import ask
from helpers.studio_page import assert_shows, assert_text, card, eventually, state, texts
from helpers.studio_server import upload
from helpers.table_desk import assert_explains, learn, open_file

NAMES = ["constructor", "toString", "__proto__", "hasOwnProperty"]
TARGET = "valueOf"
CELLS = ["constructor", "__proto__"]
ROWS = [
    {name: CELLS[number >> place & 1] for place, name in enumerate(NAMES)}
    | {TARGET: ["toString", "__proto__"][number % 3 == 0]}
    for number in range(16)
]
COLUMNS = {name: [row[name] for row in ROWS] for name in [*NAMES, TARGET]}
NETWORK = by.BeliefNetwork([("__proto__", "constructor"), ("toString", "constructor")]).fit(
    {name: COLUMNS[name] for name in NAMES[:3]}, smoothing=1
)


def written(path):
    lines = [",".join(COLUMNS), *(",".join(row.values()) for row in ROWS)]
    path.write_text("\n".join(lines))
    return path


def test_columns_are_shown_learned_and_explained_and_their_cells_changed(page, tmp_path):
    open_file(page, written(tmp_path / "__proto__.csv"))
    assert texts(page, ".columns-table th[scope=row]") == [*NAMES, TARGET]
    assert texts(page, ".columns-table tr[data-column=__proto__] select option")[0].startswith(
        "categories"
    )
    page.select_option("tr[data-column=__proto__] select", "ignore")
    page.select_option("tr[data-column=toString] select", "ignore")
    page.select_option("tr[data-column=__proto__] select", "categorical")
    learn(page, row=0)
    told = {"__proto__": "categorical", "toString": "ignore"}
    model = by.NaiveBayes(columns=told).fit(COLUMNS, y=TARGET)
    cells = {name: ROWS[0][name] for name in NAMES if name != "toString"}
    assert_explains(page, model, cells)
    assert page.locator("#row .changed").count() == 0
    for name in ("__proto__", "constructor"):
        cells[name] = next(cell for cell in CELLS if cell != cells[name])
        page.select_option(f"[data-cell={name}]", cells[name])
        assert_explains(page, model, cells)
    page.wait_for_url("**cell.__proto__=*")
    page.reload()
    page.wait_for_selector(".step[data-weight]")
    assert_explains(page, model, cells)
    page.click("text=as in the file")
    assert_explains(page, model, {name: ROWS[0][name] for name in cells})


def test_costs_and_scores_of_such_classes_are_shown(page, tmp_path):
    open_file(page, written(tmp_path / "rows.csv"))
    learn(page, row=0)
    page.click("#section-costs > summary")
    page.fill("[data-cost='__proto__|toString']", "5")
    page.keyboard.press("Tab")
    loss = {
        "__proto__": {"__proto__": 0, "toString": 5},
        "toString": {"__proto__": 1, "toString": 0},
    }
    model = by.NaiveBayes().fit(COLUMNS, y=TARGET)
    report = by.evaluate(model, COLUMNS, TARGET, cv="leave-one-out", loss=loss)

    def check():
        shown = page.get_attribute("[data-expected-cost]", "data-expected-cost")
        assert float(shown) == pytest.approx(report.cost.expected_cost, abs=1e-12)
        counts = page.locator("[data-count]").evaluate_all(
            "cells => cells.map(cell => [cell.dataset.action, Number(cell.dataset.count)])"
        )
        assert sum(count for _, count in counts) == len(ROWS)
        assert {action for action, _ in counts} <= set(loss)

    eventually(check)


def test_a_kind_and_a_model_that_do_not_exist_are_no_dead_end(new_page, tmp_path, address):
    upload(address, written(tmp_path / "rows.csv").read_bytes(), "rows.csv", "cases")
    page = new_page(f"/desk/table#table=rows&target={TARGET}&kind.toString=constructor")
    assert_text(page, "#strip .refused", "constructor")
    page = new_page(f"/desk/table#table=rows&target={TARGET}&model=constructor")
    assert_text(page, "#strip .refused", "constructor")


@pytest.fixture
def network(new_page, address, tmp_path):
    NETWORK.save(tmp_path / "constructor.bayes")
    upload(address, (tmp_path / "constructor.bayes").read_bytes(), "constructor.bayes")
    page = new_page("/desk/network#document=constructor")
    page.wait_for_selector(".state[data-probability]")
    return page


def test_variables_and_states_of_a_network_are_asked_about(network):
    assert_shows(network, NETWORK)
    assert network.locator(".likely, .observed, .by-given").count() == 0
    network.click(state("__proto__", "__proto__"))
    known = {"__proto__": "__proto__"}
    assert_shows(network, NETWORK, given=known)
    network.wait_for_url("**is.__proto__=*")
    network.reload()
    network.wait_for_selector(".state[data-probability]")
    assert_shows(network, NETWORK, given=known)
    network.click(state("__proto__", "__proto__"))
    assert_shows(network, NETWORK)


@pytest.mark.parametrize("name", ["__proto__", "toString"])
def test_likelihoods_and_beliefs_of_such_variables_are_set_by_keys(network, name):
    first = NETWORK.states(name)[0]
    network.focus(state(name, first))
    network.keyboard.press("l")
    network.keyboard.press("ArrowLeft")
    likelihoods = [0.95, 1.0]
    assert_shows(network, NETWORK, likelihoods={name: likelihoods})
    network.wait_for_url(f"**likelihood.{name}=*")
    network.reload()
    network.wait_for_selector(".state[data-probability]")
    assert_shows(network, NETWORK, likelihoods={name: likelihoods})
    network.click(card(name) + " .header")
    expected = NETWORK.query(name, likelihoods={name: likelihoods}).probabilities

    def check():
        digits = network.locator("[data-belief]").evaluate_all(
            "cells => cells.map(cell => Number(cell.dataset.belief))"
        )
        assert digits == pytest.approx(expected.tolist(), abs=1e-12)

    eventually(check)


def test_noisy_or_of_causes_with_such_names(new_page, address, tmp_path):
    causes = ["querySelectorAll", "__proto__"]
    edges = [(cause, "wet") for cause in causes]
    names = [*causes, "wet"]
    made = by.BeliefNetwork(edges).fit({name: ["no", "yes"] for name in names}, smoothing=1)
    made.save(tmp_path / "rain.bayes")
    upload(address, (tmp_path / "rain.bayes").read_bytes(), "rain.bayes")
    page = new_page("/desk/network#document=rain")
    page.click(card("wet") + " .header")
    page.keyboard.press("e")
    page.click("summary:text-is('Noisy-OR')")
    page.fill("[name=querySelectorAll]", "0.8")
    page.fill("[name=__proto__]", "0.7")
    page.click("text=fill by noisy-OR")
    page.wait_for_selector("dialog", state="detached")
    strengths = dict(zip(causes, [0.8, 0.7], strict=True))
    assert_shows(page, by.networks.editing.with_noisy_or(made, "wet", strengths, leak=0))


def test_words_classes_and_the_name_of_a_text_model(new_page, address):
    rows = [["constructor __proto__", "toString"], ["toString valueOf", "__proto__"]]
    ask(address, "POST", "/studio/texts", {"new": "__proto__"})
    for text, label in rows:
        told = {"text": text, "label": label}
        ask(address, "POST", "/studio/texts/__proto__/teach", told)
    page = new_page("/desk/text#model=__proto__&text=constructor+toString")
    model = by.TextClassifier().fit(*map(list, zip(*rows, strict=True)))
    expected = dict(
        zip(model.classes_, model.predict_proba(["constructor toString"])[0], strict=True)
    )

    def check():
        found = page.locator("tr[data-class]").evaluate_all(
            "rows => rows.map(row => [row.dataset.class, Number(row.dataset.probability)])"
        )
        assert dict(found) == pytest.approx(expected, abs=1e-12)

    eventually(check)
    words = page.locator(".mark-word[data-text]").evaluate_all(
        "all => all.map(a => a.dataset.text)"
    )
    assert words == ["constructor", "toString"]


def test_a_model_whose_name_every_object_has_is_gone_when_it_is_deleted(new_page, address):
    ask(address, "POST", "/studio/texts", {"new": "constructor"})
    page = new_page("/desk/text#model=constructor")
    page.wait_for_selector("#editor textarea")
    ask(address, "DELETE", "/studio/models/constructor")
    page.wait_for_selector("body.without-model")


def test_rows_and_names_are_shown_on_the_models_desk(new_page, address):
    with by.connect(address) as store:
        store.create("__proto__", by.NaiveBayes())
        cells = [{name: row[name] for name in NAMES} for row in ROWS]
        store.learn("__proto__", cells, COLUMNS[TARGET])
    page = new_page("/desk/models#model=__proto__")
    assert_text(page, "#head h1", "__proto__")
    row = ", ".join(f"{name}={cell}" for name, cell in cells[-1].items())
    assert_text(page, "[data-event] .row", row)
    with by.connect(address) as store:
        store.learn("__proto__", cells[:1], COLUMNS[TARGET][:1])
    assert_text(page, "#head", "17 rows")


@pytest.mark.parametrize("name", ["constructor", "__proto__"])
def test_a_lesson_that_does_not_exist_leads_to_all_lessons(new_page, name):
    page = new_page(f"/desk/lessons#lesson={name}")
    page.wait_for_selector("[data-lesson=disease]")


def test_undo_brings_back_a_cell_of_such_a_column(page, tmp_path):
    open_file(page, written(tmp_path / "rows.csv"))
    learn(page, row=1)
    selector = f"[data-cell={json.dumps('__proto__')}]"
    before = page.input_value(selector)
    page.select_option(selector, next(cell for cell in CELLS if cell != before))
    page.wait_for_selector("#row .changed")
    page.click("[data-key=undo]")
    page.wait_for_selector("#row .changed", state="detached")
    assert page.input_value(selector) == before
