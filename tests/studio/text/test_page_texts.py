"""The text desk as a person uses it: digits on the page are those of the library."""

import subprocess
import sys
from itertools import pairwise

import pytest

import bayesic as by
from bayesic.studio.text._example_mails import MAILS
from helpers.http_server import ask
from helpers.studio_page import assert_accessible, assert_small, assert_text, eventually

TEXTS, LABELS = zip(*MAILS, strict=True)
QUESTION = "Free lunch? 今天开会 👩‍🚀 <img src=x onerror=alert(1)>"


@pytest.fixture
def model():
    return by.TextClassifier().fit(list(TEXTS), list(LABELS))


@pytest.fixture
def desk(new_page):
    return opened(new_page)


def opened(new_page, **how):
    page = new_page("/desk/text", **how)
    page.click("[data-example=mails]")
    page.wait_for_selector("[data-class=spam]")
    return page


def typed(page, text):
    page.fill("#editor textarea", text)


def assert_shows(page, model, text):
    """The classes, the words in the list and those in the text are what the library says."""
    (reason,) = model.explain([text])
    expected = dict(zip(model.classes_.tolist(), model.predict_proba([text])[0], strict=True))

    def check():
        found = page.evaluate(
            """() => ({
                classes: [...document.querySelectorAll('[data-class]')].map(one => [
                    one.dataset.class, Number(one.dataset.probability)]),
                words: [...document.querySelectorAll('[data-word]')].map(one => [
                    one.dataset.word, Number(one.dataset.weight)]),
                odds: Number(document.querySelector('[data-log-odds]')?.dataset.logOdds),
                marks: [...document.querySelectorAll('[data-text]')].map(one => [
                    one.dataset.text, Number(one.dataset.weight ?? 0), one.className]),
            })"""
        )
        assert dict(found["classes"]) == pytest.approx(expected, abs=1e-12)
        assert dict(found["words"]) == pytest.approx(reason.weights, abs=1e-12)
        assert found["odds"] == pytest.approx(reason.log_odds, abs=1e-12)
        added = sum(weight for _, weight, _ in found["marks"])
        assert reason.prior_log_odds + added == pytest.approx(reason.log_odds, abs=1e-12)
        for _, weight, kind in found["marks"]:
            assert weight == 0 or ("for" in kind.split()) == (weight > 0)
        return found

    return eventually(check)


def test_an_example_is_one_click_away(desk, model):
    assert_shows(desk, model, desk.input_value("#editor textarea"))
    eventually(lambda: assert_address(desk, "model=mails"))


def test_an_example_can_be_named_in_the_address(new_page, model):
    page = new_page("/desk/text#example=mails")
    page.wait_for_selector("[data-class=spam]")
    assert_shows(page, model, page.input_value("#editor textarea"))


def test_words_are_coloured_while_typing(desk, model):
    typed(desk, "")
    desk.focus("#editor textarea")
    desk.keyboard.type("Free prize 免费")
    found = assert_shows(desk, model, "Free prize 免费")
    assert [(text, kind.split()[-1]) for text, _, kind in found["marks"]] == [
        ("Free", "for"),
        ("prize", "for"),
        ("免费", "for"),
    ]
    desk.keyboard.type(" meeting")
    assert_shows(desk, model, "Free prize 免费 meeting")


def test_names_and_texts_stay_text(desk, model):
    typed(desk, QUESTION)
    assert_shows(desk, model, QUESTION)
    desk.fill("[data-key='new class']", "<img src=x onerror=alert(1)>")
    desk.click("[data-key='learn new class']")
    assert_text(desk, "[data-class] th", "<img src=x onerror=alert(1)>")
    assert desk.locator("img").count() == 0
    learned = by.TextClassifier().fit([*TEXTS, QUESTION], [*LABELS, "<img src=x onerror=alert(1)>"])
    assert_shows(desk, learned, QUESTION)


def test_the_text_behind_the_field_breaks_its_lines_where_the_field_does(desk):
    typed(desk, "会议改到周四上午十点，地点在四号会议室。请点击链接。 Free e-mail “rain”\n\n" * 3)
    heights = """() => {
        const [field, same] = ['textarea', '.same-text'].map(
            one => document.querySelector('#editor ' + one));
        const sheet = document.querySelector('.sheet');
        return Array.from({ length: 120 }, (_, more) => {
            sheet.style.width = `${300 + more}px`;
            return [same.clientHeight, field.scrollHeight, same.clientWidth - field.clientWidth];
        });
    }"""
    found = desk.evaluate(heights)
    assert [(high, wide) for high, _, wide in found] == [(high, 0) for _, high, _ in found]


def test_each_word_has_its_colour_behind_it(desk):
    typed(desk, "free prize 今天免费")
    eventually(lambda: assert_marks(desk, ["free", "prize", "今天", "免费"]))
    boxes = desk.evaluate(
        """[...document.querySelectorAll('.mark-word')].map(one => {
            const { left, right, top, bottom } = one.getBoundingClientRect();
            return [left, right, top, bottom];
        })"""
    )
    lefts = [left for left, *_ in boxes]
    assert lefts == sorted(lefts)
    for (_, right, top, _), (left, _, other_top, bottom) in pairwise(boxes):
        assert right <= left + 0.5
        assert abs(top - other_top) < 8  # fonts of two scripts
        assert bottom > top


def test_what_is_between_is_kept_while_the_answer_is_under_way(desk):
    typed(desk, "free prize money")
    eventually(lambda: assert_marks(desk, ["free", "prize", "money"]))
    held = []
    desk.route("**/ask", lambda route: held.append(route))  # no answer comes for a while
    typed(desk, "free new prize money")
    eventually(lambda: assert_marks(desk, ["free", "prize", "money"]))
    assert desk.text_content("#editor .same-text").strip("\u200b") == "free new prize money"
    for route in held:
        route.continue_()
    eventually(lambda: assert_marks(desk, ["free", "new", "prize", "money"]))


def assert_marks(page, words):
    found = page.evaluate(
        "[...document.querySelectorAll('[data-text]')].map(one => one.dataset.text)"
    )
    assert found == words


def test_the_word_under_the_caret_tells_what_it_says(desk, model):
    typed(desk, "free snow")
    eventually(lambda: assert_marks(desk, ["free", "snow"]))
    desk.focus("#editor textarea")
    desk.keyboard.press("Control+Home")
    weight = model.explain(["free snow"])[0].weights["free"]
    assert_text(desk, "#editor .word", f"free: +{weight:.3f}, for spam")
    desk.keyboard.press("Control+End")
    assert_text(desk, "#editor .word", "has not learned this word")


def test_a_corrected_answer_is_learned_and_in_the_journal(desk, model, address):
    text = "Free lunch for the team"
    typed(desk, text)
    assert_shows(desk, model, text)
    desk.click("[data-teach=ham]")
    assert_text(desk, ".taught", "Learned as ham.")
    assert_shows(desk, by.TextClassifier().fit([*TEXTS, text], [*LABELS, "ham"]), text)
    desk.click("[data-teach=spam]")
    assert_text(desk, ".taught", "Corrected: it is spam.")
    assert_shows(desk, by.TextClassifier().fit([*TEXTS, text], [*LABELS, "spam"]), text)
    events = ask(address, "GET", "/models/mails/history").json["events"]
    assert [(one["op"], one["y"]) for one in events[-2:]] == [("learn", "ham"), ("correct", "spam")]
    assert events[-1]["id"] == events[-2]["id"]
    desk.click("text=take it back")
    assert_text(desk, ".taught", "Taken back.")
    assert_shows(desk, model, text)


def test_two_tabs_see_what_the_other_teaches_and_lose_nothing(desk, new_page, model):
    other = opened(new_page)
    for page, text, label in [(desk, "rain in spring", "ham"), (other, "best casino", "spam")]:
        typed(page, text)
        page.click(f"[data-teach={label}]")
    both = by.TextClassifier().fit(
        [*TEXTS, "rain in spring", "best casino"], [*LABELS, "ham", "spam"]
    )
    assert_shows(desk, both, "rain in spring")
    assert_shows(other, both, "best casino")


def test_a_model_that_is_deleted_elsewhere_leaves_the_empty_desk(desk, address):
    assert ask(address, "DELETE", "/models/mails").status == 200
    desk.wait_for_selector("[data-example=mails]")
    assert desk.locator("[data-class]").count() == 0


def test_a_text_file_that_is_chosen_becomes_the_text(desk, model, tmp_path):
    (tmp_path / "mail.txt").write_bytes("free\r\n免费".encode())
    with desk.expect_file_chooser() as chooser:
        desk.click("#section-learn [data-key=table]")
    chooser.value.set_files(tmp_path / "mail.txt")
    assert_shows(desk, model, "free\n免费")


def test_the_most_telling_words_of_each_class_are_there(desk, model):
    def check():
        rows = desk.evaluate(
            "[...document.querySelectorAll('[data-telling]')].map(one => ({...one.dataset}))"
        )
        for label in ("ham", "spam"):
            found = {row["telling"]: float(row["weight"]) for row in rows if row["of"] == label}
            assert found == pytest.approx(model.top_words(label, 12), abs=1e-12)

    eventually(check)


def test_another_class_can_be_explained(desk, model):
    typed(desk, "free lunch")
    assert_shows(desk, model, "free lunch")
    other = {"ham": "spam", "spam": "ham"}[model.predict(["free lunch"])[0]]
    (reason,) = model.explain(["free lunch"], answer=other)
    desk.click(f"[data-key='class {other}']")

    def check():
        found = float(desk.get_attribute("[data-log-odds]", "data-log-odds"))
        assert found == pytest.approx(reason.log_odds, abs=1e-12)

    eventually(check)
    eventually(lambda: assert_address(desk, f"answer={other}"))


def assert_address(page, part):
    assert part in page.evaluate("location.href")


def test_reload_keeps_the_text_and_undo_brings_the_last_one_back(desk, model):
    text = "first free line\nsecond 行"
    typed(desk, text)
    assert_shows(desk, model, text)
    eventually(lambda: assert_address(desk, "second"))
    desk.reload()
    desk.wait_for_selector("[data-class=spam]")
    assert desk.input_value("#editor textarea") == text
    assert_shows(desk, model, text)
    typed(desk, "other")
    desk.wait_for_timeout(10)
    desk.click("[data-key=undo]")
    eventually(lambda: assert_text_is(desk, text))


def assert_text_is(page, text):
    assert page.input_value("#editor textarea") == text


def test_a_folder_is_learned(new_page, tmp_path):
    for name, text in {"spam/1.txt": "free money 免费", "ham/1.txt": "lunch today"}.items():
        (tmp_path / "letters" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "letters" / name).write_text(text, "utf-8")
    page = new_page("/desk/text")
    with page.expect_file_chooser() as chooser:
        page.click("[data-key=folder]")
    chooser.value.set_files(tmp_path / "letters")
    assert_text(page, "#notice", "2 texts learned, 2 of them new.")
    typed(page, "free 免费 today")
    assert_shows(page, by.TextClassifier().fit(tmp_path / "letters"), "free 免费 today")
    eventually(lambda: assert_address(page, "model=letters"))


def test_a_column_of_a_table_is_learned(new_page, tmp_path):
    path = tmp_path / "mails.csv"
    path.write_text("kind,body\nspam,free money\nham,lunch today\nham,rain\n")
    page = new_page("/desk/text")
    with page.expect_file_chooser() as chooser:
        page.click("[data-key=table]")
    chooser.value.set_files(path)
    page.wait_for_selector("dialog select")
    chosen = page.evaluate("[...document.querySelectorAll('dialog select')].map(one => one.value)")
    assert chosen == ["body", "kind"]
    page.click("dialog button.main")
    assert_text(page, "#notice", "3 texts learned, 3 of them new.")
    typed(page, "free rain")
    model = by.TextClassifier().fit(["free money", "lunch today", "rain"], ["spam", "ham", "ham"])
    assert_shows(page, model, "free rain")


def test_a_damaged_table_shows_the_sentence_of_the_library(new_page, tmp_path):
    (tmp_path / "rows.parquet").write_bytes(b"no parquet at all")
    page = new_page("/desk/text")
    with page.expect_file_chooser() as chooser:
        page.click("[data-key=table]")
    chooser.value.set_files(tmp_path / "rows.parquet")
    assert_text(page, "#notice", "rows.parquet")


def test_a_new_model_begins_with_one_text(new_page):
    page = new_page("/desk/text")
    page.click("[data-key='new model']")
    page.fill("dialog input", "信件")
    page.click("dialog button.main")
    assert_text(page, "#answer", "This model has learned nothing yet.")
    for text, label in [("今天下雨", "天气"), ("free money", "spam")]:
        typed(page, text)
        page.fill("[data-key='new class']", label)
        page.click("[data-key='learn new class']")
        assert_text(page, ".taught", f"Learned as {label}.")
    model = by.TextClassifier().fit(["今天下雨", "free money"], ["天气", "spam"])
    typed(page, "下雨 money money")
    assert_shows(page, model, "下雨 money money")


def test_the_python_that_is_copied_runs_and_says_the_same(new_page, tmp_path, model):
    page = opened(new_page, permissions=["clipboard-read", "clipboard-write"])
    text = 'it\'s "free"\n今天 \\n lunch 👩‍🚀'
    typed(page, text)
    assert_shows(page, model, text)
    with page.expect_download() as download:
        page.click("text=download the model")
    assert download.value.suggested_filename == "mails.bayes"
    download.value.save_as(tmp_path / "mails.bayes")
    page.click("text=copy as Python")
    assert_text(page, "#notice", "Copied.")
    program = page.evaluate("navigator.clipboard.readText()")
    printed = run([sys.executable, "-c", program], tmp_path)
    assert printed.strip().endswith(str(model.explain([text])[0]).strip())
    page.click("text=as command")
    command = eventually(lambda: copied(page, "bayesic explain"))
    printed = run(
        ["bash", "-c", command.replace("bayesic", f"{sys.executable} -m bayesic", 1)], tmp_path
    )
    assert "spam" in printed and "free" in printed


def copied(page, beginning):
    found = page.evaluate("navigator.clipboard.readText()")
    assert found.startswith(beginning)
    return found


def run(command, folder):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_everybody_can_use_it(new_page, page_tools):
    for theme in ("light", "dark"):
        page = new_page("/desk/text", color_scheme=theme, bypass_csp=True)
        page.wait_for_selector("[data-example]")
        assert_accessible(page, page_tools)
        page.click("[data-example=mails]")
        page.wait_for_selector("[data-telling]")
        assert_accessible(page, page_tools)
        page.click("[data-key=help]")
        page.wait_for_selector("dialog")
        assert_accessible(page, page_tools)


def test_what_the_desk_loads_is_small_and_fits_a_phone(new_page):
    page = opened(new_page, viewport={"width": 390, "height": 844})
    assert_small(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
