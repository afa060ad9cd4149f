"""The models desk as a person uses it: digits on the page are those of the store."""

import numpy as np
import pytest

import bayesic as by
from bayesic.studio.text._example_mails import MAILS
from helpers.http_server import ask, teach_models
from helpers.studio_page import assert_accessible, assert_small, assert_text, eventually, texts

TEXTS, LABELS = map(list, zip(*MAILS, strict=True))
NEW = ["free lunch today", "prize for the team", "今天下雨", "money now"]


@pytest.fixture
def desk(new_page, address):
    """The page, with a model of mails that has learned the example and four mails more."""
    ask(address, "POST", "/studio/texts", {"example": "mails"})
    for text, label in zip(NEW, ["ham", "ham", "ham", "spam"], strict=True):
        done = ask(address, "POST", "/studio/texts/mails/teach", {"text": text, "label": label})
        assert done.json["done"] == "learned"
    return opened(new_page)


def opened(new_page, path="/desk/models", **how):
    page = new_page(path, **how)
    page.click("[data-model=mails]")
    page.wait_for_selector("[data-event]")
    return page


def events(address, name="mails"):
    return ask(address, "GET", f"/models/{name}/history").json["events"]


def test_an_empty_store_teaches(new_page):
    page = new_page("/desk/models")
    assert_text(page, "#list", "There is no model yet.")
    page.click("text=try the mails example")
    page.wait_for_selector("[data-class=spam]")


def test_models_are_listed_with_their_rows(desk):
    assert desk.get_attribute("[data-model=mails]", "data-rows") == str(len(MAILS) + 4)
    assert_text(desk, "[data-model=mails]", "TextClassifier · 54 rows · 2 classes")
    assert_text(desk, "#head", "ham 28, spam 26")


def test_one_row_is_one_row_and_a_row_that_was_adopted_can_be_forgotten(new_page, address):
    model = by.NaiveBayes().fit({"sky": ["sun", "rain"]}, ["play", "stay"])
    with by.connect(address) as store:
        store.create("days", model)
        store.adopt("days", [{"sky": "sun"}], ["play"], ids=["monday"])
    page = new_page("/desk/models#model=days")
    assert_text(page, "[data-op=adopt]", "recorded")
    page.click("[data-op=adopt] [data-key^=forget]")
    page.wait_for_selector("[data-op=forget]")
    assert [(one["op"], one["id"]) for one in events(address, "days")[1:]] == [
        ("adopt", "monday"),
        ("forget", "monday"),
    ]
    assert_text(page, "[data-model=days]", "NaiveBayes · 1 row · ")


def test_the_curve_has_the_digits_of_the_store(desk, address):
    with by.connect(address) as store:
        points = store.learning_curve("mails", points=30)
    for measure in ("accuracy", "log_loss"):
        chart = f"figure:has([data-last={measure}])"
        found = desk.evaluate(
            """chart => [...document.querySelectorAll(chart + ' [data-point]')].map(
                ({ dataset }) => [+dataset.point, +dataset.value, +dataset.recent])""",
            chart,
        )
        assert found == [
            [
                point.seq,
                pytest.approx(getattr(point, measure), abs=1e-12),
                pytest.approx(getattr(point, f"recent_{measure}"), abs=1e-12),
            ]
            for point in points
        ]


def test_history_is_turned_and_rows_are_forgotten_and_corrected_from_it(desk, address):
    happened = events(address)
    shown = desk.evaluate(
        "[...document.querySelectorAll('[data-event]')].map(one => Number(one.dataset.event))"
    )
    assert shown == [event["seq"] for event in happened[:-21:-1]]
    desk.click(f"[data-key='forget {happened[-1]['seq']}']")
    eventually(lambda: assert_last(address, "forget", happened[-1]["id"]))
    desk.select_option(f"[data-correct='{happened[-2]['seq']}']", label="spam")
    eventually(lambda: assert_last(address, "correct", happened[-2]["id"], "spam"))
    assert_text(desk, "#head", "ham 27, spam 26")
    model = by.TextClassifier().fit([*TEXTS, *NEW[:3]], [*LABELS, "ham", "ham", "spam"])
    with by.connect(address) as store:
        assert store.predict_proba("mails", ["free"]) == pytest.approx(
            model.predict_proba(["free"]), abs=1e-12
        )
    desk.click("[data-key=older]")
    eventually(lambda: assert_first(desk, events(address)[-21]["seq"]))
    desk.click("[data-key=newest]")
    eventually(lambda: assert_first(desk, events(address)[-1]["seq"]))


def assert_last(address, op, id, label=None):
    last = events(address)[-1]
    assert (last["op"], last["id"]) == (op, id)
    assert label is None or last["y"] == label


def assert_first(page, seq):
    assert page.locator("[data-event]").first.get_attribute("data-event") == str(seq)


def test_a_row_that_is_gone_is_told_in_a_sentence(desk, address):
    last = events(address)[-1]
    ask(address, "POST", "/models/mails/forget", {"ids": [last["id"]]})
    desk.select_option(f"[data-correct='{last['seq']}']", label="ham")
    assert_text(desk, "#notice", last["id"])


def test_a_copy_of_a_point_and_what_has_changed_since(desk, address):
    seq = events(address)[-5]["seq"]  # the last mail of the example
    desk.click(f"[data-key='event {seq}']")
    desk.wait_for_selector("[data-change]")
    with by.connect(address) as store:
        changes = {each.column: each.change for each in store.drift("mails", seq + 1).changes}
        found = desk.evaluate(
            """[...document.querySelectorAll('[data-change]')].map(one => [
                one.dataset.column, Number(one.dataset.change)])"""
        )
        assert dict(found) == pytest.approx({name: changes[name] for name, _ in found}, abs=1e-12)
        desk.click("[data-key=copy]")
        desk.wait_for_selector(f"[data-model='mails@{seq}']")
        example = by.TextClassifier().fit(TEXTS, LABELS)
        assert store.predict_proba(f"mails@{seq}", NEW) == pytest.approx(
            example.predict_proba(NEW), abs=1e-12
        )
        desk.click("[data-key='take back']")
        assert_text(desk, "#point", "4 rows forgotten, 0 corrected back, 0 learned again.")
        assert store.predict_proba("mails", NEW) == pytest.approx(
            example.predict_proba(NEW), abs=1e-12
        )
    assert desk.get_attribute("[data-model=mails]", "data-rows") == str(len(MAILS))


def test_a_point_chosen_far_below_brings_what_follows_into_view(desk, address):
    seq = events(address)[-19]["seq"]
    desk.click(f"[data-key='event {seq}']")
    assert_text(desk, "#point", f"After event {seq}")

    def check():
        top = desk.evaluate("document.querySelector('#point').getBoundingClientRect().top")
        assert 0 <= top <= 700

    eventually(check)


def test_two_models_are_compared(desk, address, tmp_path):
    seq = events(address)[10]["seq"]
    ask(address, "POST", "/studio/models/mails/copy", {"seq": seq})
    desk.click("[data-key=compare]")
    desk.wait_for_selector("[data-measure=log_loss]")
    with by.connect(address) as store:
        models = [store.model("mails"), store.model(f"mails@{seq}")]
    rows = [*TEXTS, *NEW], [*LABELS, "ham", "ham", "ham", "spam"]
    truth = [*rows, [models[0].leave_one_out(*rows), models[1].predict_proba(rows[0])]]
    assert_compared(desk, models, *truth)
    assert_text(desk, f"[data-flattered='mails@{seq}']", "rows that cannot be left out")
    path = tmp_path / "new.csv"
    rows = ["free prize", "see you at lunch", "report 奖"], ["spam", "ham", "ham"]
    lines = ["kind,body", *map(",".join, zip(*reversed(rows), strict=True))]
    path.write_bytes("\n".join(lines).encode("gbk"))
    with desk.expect_file_chooser() as chooser:
        desk.click("[data-key='compare table']")
    chooser.value.set_files(path)
    desk.click("[data-encoding=gb18030]")
    desk.click("dialog button.main")
    assert_text(desk, ".compared caption", "3 rows")
    assert_compared(desk, models, *rows, [model.predict_proba(rows[0]) for model in models])


def assert_compared(page, models, rows, labels, posteriors):
    places = [model.classes_.searchsorted(labels) for model in models]
    shares = [p[range(len(rows)), at] for p, at in zip(posteriors, places, strict=True)]
    expected = [-np.log(share).mean() for share in shares]

    def check():
        found = page.evaluate(
            """[...document.querySelectorAll('[data-measure=log_loss]')].map(
                one => Number(one.dataset.value))"""
        )
        assert found == pytest.approx(expected, abs=1e-12)

    eventually(check)
    differ = sum(posteriors[0].argmax(axis=1) != posteriors[1].argmax(axis=1))
    assert len(texts(page, "[data-differ]")) == differ


def test_a_model_is_downloaded_deleted_and_taken_in_again(desk, tmp_path):
    with desk.expect_download() as download:
        desk.click("[data-key=download]")
    download.value.save_as(tmp_path / "mails.bayes")
    assert by.load(tmp_path / "mails.bayes").predict(["free prize"])[0] == "spam"
    desk.click("[data-key=delete]")
    desk.click("[data-key='really delete']")
    eventually(lambda: assert_models(desk, []))
    with desk.expect_file_chooser() as chooser:
        desk.click("[data-key='take in']")
    chooser.value.set_files(tmp_path / "mails.bayes")
    eventually(lambda: assert_models(desk, ["mails"]))
    assert_text(desk, "#curve", "Nothing could be predicted yet")


def assert_models(page, names):
    found = page.evaluate(
        "[...document.querySelectorAll('[data-model]')].map(one => one.dataset.model)"
    )
    assert found == names


def test_names_stay_text_and_the_address_holds_what_is_chosen(new_page, address):
    name = "<img src=x onerror=alert(1)>"
    with by.connect(address) as store:
        store.create(name, by.TextClassifier())
        store.learn(name, [name, "b"], [name, "ham"], ids=[name, "b"])
    page = new_page("/desk/models")
    page.click(".model")
    page.click("[data-key^='event ']")
    assert_text(page, "#head h1", name)
    eventually(lambda: assert_address(page, "seq="))
    page.reload()
    assert_text(page, "#point", "After event")
    assert page.locator("img").count() == 0


def assert_address(page, part):
    assert part in page.evaluate("location.href")


def test_every_kind_of_model_is_shown(new_page, address):
    with by.connect(address) as store:
        teach_models(store)
        store.learn("numbers", [[9.0, 9.0]], [0])  # impossible to what was learned before
        assert store.learning_curve("numbers")[-1].log_loss == float("inf")
    page = new_page("/desk/models")
    for name in ("plans", "短信", "numbers", "day", "empty"):
        page.click(f"[data-model='{name}']")
        assert_text(page, "#head h1", name)
        page.wait_for_selector("[data-event]")
        page.wait_for_selector("#curve h2")
    page.click("[data-model=numbers]")
    assert_text(page, "[data-last=log_loss]", "∞")


def test_another_tab_that_teaches_is_followed(desk, address):
    ask(address, "POST", "/studio/texts/mails/teach", {"text": "one more", "label": "ham"})
    assert_text(desk, "#head", "55 rows")
    eventually(lambda: assert_first(desk, events(address)[-1]["seq"]))


def test_everybody_can_use_it(desk, new_page, page_tools, address):
    seq = events(address)[20]["seq"]
    ask(address, "POST", "/studio/models/mails/copy", {"seq": seq})
    for theme in ("light", "dark"):
        path = f"/desk/models#model=mails&seq={seq}"
        page = new_page(path, color_scheme=theme, bypass_csp=True)
        page.wait_for_selector("[data-change]")
        page.click("[data-key=compare]")
        page.wait_for_selector("[data-measure]")
        assert_accessible(page, page_tools)
        page.click("[data-key=help]")
        page.wait_for_selector("dialog")
        assert_accessible(page, page_tools)


def test_what_the_desk_loads_is_small_and_fits_a_phone(desk, new_page):
    page = opened(new_page, viewport={"width": 390, "height": 844})
    assert_small(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
