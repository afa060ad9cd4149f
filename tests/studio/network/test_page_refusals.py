"""What cannot be done, in both languages: the library's sentence is English, and marked as such."""

import pytest

from helpers.studio_page import assert_both, assert_text, card, open_example, state


@pytest.fixture
def desk(new_page):
    page = new_page(locale="zh-CN")
    open_example(page)
    assert_text(page, "#section-evidence summary", "证据")
    return page


def test_impossible_evidence(desk):
    desk.click(state("lung", "yes"))
    desk.click(state("either", "no"))
    assert_both(desk, "#section-evidence [role=alert]", "这些不可能同时成立：", "either")
    desk.click("#section-most-probable > summary")
    assert_both(desk, "#section-most-probable .refused", "这些不可能同时成立：", "either")


def test_a_cycle(desk):
    desk.hover(card("dysp"))
    start, end = (
        desk.locator(part).bounding_box() for part in (f"{card('dysp')} .port", card("bronc"))
    )
    desk.mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
    desk.mouse.down()
    desk.mouse.move(end["x"] + 20, end["y"] + 8, steps=3)
    desk.mouse.up()
    assert_both(desk, "#notice", "从 dysp 到 bronc 的边会形成环", "bronc -> dysp -> bronc")


@pytest.mark.parametrize("name", ["bronc", " "])
def test_names(desk, name):
    chinese = "无法完成：" if name == " " else "名称 bronc 已被使用。"
    desk.click(card("lung") + " .header")
    desk.keyboard.press("F2")
    desk.fill("dialog input", name)
    desk.keyboard.press("Enter")
    assert_both(desk, "dialog [role=alert]", chinese, "ame")


def test_tables_without_numbers(desk):
    desk.click(card("smoke") + " .header")
    desk.keyboard.press("e")
    desk.fill("[data-row='0'][data-column='0']", "many")
    desk.click("dialog .main")
    assert_text(desk, "dialog .refused", '每格需要一个数，但得到 "many"')
    desk.fill("[data-row='0'][data-column='0']", "0.9")
    desk.click("dialog .main")
    assert_both(desk, "dialog .table-editor > .refused", "每一行都要填", "1.4")


def test_a_file_that_cannot_be_read(desk, tmp_path):
    (tmp_path / "poem.bif").write_text("roses are red")
    with desk.expect_file_chooser() as chooser:
        desk.click("[data-key=open]")
    chooser.value.set_files(tmp_path / "poem.bif")
    assert_both(desk, "#notice", "无法读取 poem.bif。", "poem.bif")


def test_a_document_that_is_not_open(new_page):
    page = new_page("/desk/network#document=nowhere", locale="zh-CN")
    page.wait_for_url("**/")
    assert_both(page, "#notice", "nowhere 没有打开。", "nowhere")


def test_an_english_page_says_it_once(page):
    open_example(page)
    page.click(state("lung", "yes"))
    page.click(state("either", "no"))
    alert = page.locator("#section-evidence [role=alert]")
    alert.wait_for()
    assert alert.inner_text() == alert.locator("[lang=en]").inner_text()
