"""Strange files on the table desk: each is shown, or told in a sentence, and none is a dead end."""

import bayesic as by
from helpers.studio_page import assert_text, eventually, texts
from helpers.table_desk import assert_explains, learn, open_file

# what is wider than the panel or the page, though it does not scroll by itself
OVERFLOW = """["html", "#panel", "#strip", "#row"].filter((selector) => {
  const { scrollWidth, clientWidth } = document.querySelector(selector);
  return scrollWidth > clientWidth;
})"""


def assert_no(page, selector):
    assert page.locator(selector).count() == 0


def test_a_target_that_cannot_be_learned_is_told_and_another_one_chosen(page, tmp_path):
    lines = [f"{'yes' if number > 150 else 'no'},{number / 7}" for number in range(300)]
    (tmp_path / "rain.csv").write_text("\n".join(["wet,height", *lines]))
    open_file(page, tmp_path / "rain.csv")
    page.click("tr[data-column=height] input[type=radio]")
    assert_text(page, "#strip .refused", "'height' has 300 different values")
    assert page.locator("[data-key=learn]").is_disabled()
    page.click("tr[data-column=wet] input[type=radio]")
    eventually(lambda: assert_no(page, "#strip .refused"))
    learn(page, row=5)
    model = by.NaiveBayes().fit(tmp_path / "rain.csv", y="wet")
    assert_explains(page, model, {"height": 5 / 7})


def test_a_table_without_a_likely_target_is_no_dead_end(page, tmp_path):
    lines = [f"{number / 3},{number / 7}" for number in range(300)]
    (tmp_path / "sizes.csv").write_text("\n".join(["width,height", *lines]))
    open_file(page, tmp_path / "sizes.csv")
    assert_text(page, "#strip .refused", "'height' has 300 different values")
    assert texts(page, ".columns-table th[scope=row]") == ["width", "height"]


def test_several_tables_are_open_and_one_leads_to_the_others(page, tmp_path, address):
    for name in ("first", "second"):
        (tmp_path / f"{name}.csv").write_text(f"sky,{name}\nrain,yes\nsun,no\n")
        page.goto(address)
        open_file(page, tmp_path / f"{name}.csv")
    page.select_option("#toolbar h1 select", "first")
    page.wait_for_selector("tr[data-column=first]")
    page.goto(address)
    page.click("[data-table=second]")
    page.wait_for_selector("tr[data-column=second]")


def test_one_class_alone_is_compared_with_nothing(page, tmp_path):
    (tmp_path / "same.csv").write_text("sky,wet\nrain,yes\nsun,yes\n")
    open_file(page, tmp_path / "same.csv")
    page.click("tr[data-column=wet] input[type=radio]")
    learn(page, row=0)
    assert_text(page, ".headline", "yes is the only class.")
    page.click("#tab-nomogram")
    assert_text(page, "#view", "A nomogram compares two classes")


def test_long_names_of_columns_and_classes_stay_in_their_places(new_page, tmp_path):
    long, markup = "a very long name of a class " * 4, '<img src=x onerror="alert(1)">'
    rows = [f'"{sky}","{label}"' for sky in ("rain", "sun") for label in (long, "short")]
    header = '"{}","{}"'.format(markup.replace('"', '""'), "列" * 90)
    (tmp_path / "names.csv").write_text("\n".join([header, *rows, *rows]), encoding="utf-8")
    for width in (1280, 390):
        page = new_page(viewport={"width": width, "height": 844})
        open_file(page, tmp_path / "names.csv")
        learn(page, row=0)
        assert page.evaluate(OVERFLOW) == []
        assert texts(page, ".step .name")[1] == markup


def test_a_column_that_cannot_be_learned_is_left_out_by_a_choice(page, tmp_path):
    wind = [number % 7 + number % 2 * 5 for number in range(40)]
    play = ["yn"[number % 2] for number in range(40)]
    far = ["1e308" if number % 5 else "1" for number in range(40)]
    rows = zip(map(str, wind), far, play, strict=True)
    (tmp_path / "rows.csv").write_text("\n".join(["wind,far,play", *map(",".join, rows)]))
    open_file(page, tmp_path / "rows.csv")
    assert_text(page, "#strip [role=alert]", "The values of column 'far' are too large")
    page.select_option("[data-column=far] select", "ignore")
    eventually(lambda: assert_no(page, "#strip .refused"))
    learn(page, row=0)
    assert_explains(page, by.NaiveBayes().fit({"wind": wind}, play), {"wind": 0})


def test_on_a_phone_the_whole_nomogram_is_there(new_page):
    page = new_page("/desk/table#example=melons", viewport={"width": 390, "height": 844})
    learn(page, row=3)
    page.click("#tab-nomogram")
    page.wait_for_selector("[data-total]")
    height = "(part) => document.querySelector('#view')[part]"
    assert page.evaluate(height, "scrollHeight") == page.evaluate(height, "clientHeight")


def test_news_is_told_calmly_and_refusals_in_red(new_page, tmp_path):
    page = new_page("/desk/table#example=tennis", permissions=["clipboard-write"])
    page.wait_for_selector(".columns-table")
    page.click("text=copy as Python")
    assert_text(page, "#notice.news", "Copied.")
    (tmp_path / "odd.csv").write_text("sky,sky\nrain,sun\n")
    with page.expect_file_chooser() as chooser:
        page.click("[data-key=open]")
    chooser.value.set_files(tmp_path / "odd.csv")
    assert_text(page, "#notice:not(.news)", "different names")
