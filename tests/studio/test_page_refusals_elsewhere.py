"""What cannot be done, on the desks for tables, texts, models and lessons, on a Chinese page."""

from helpers.studio_page import assert_both
from helpers.table_desk import learn


def choose(page, button, path):
    with page.expect_file_chooser() as chooser:
        page.click(button)
    chooser.value.set_files(path)


def test_a_table_that_cannot_be_read(new_page, tmp_path):
    (tmp_path / "rows.csv").write_text("sky,sky\nsun,sun\n")
    page = new_page("/desk/table#example=tennis", locale="zh-CN")
    page.wait_for_selector(".columns-table")
    choose(page, "[data-key=open]", tmp_path / "rows.csv")
    assert_both(page, "#notice", "无法读取 rows.csv。", "columns must have different names")


def test_a_model_without_a_nomogram_or_fractions(new_page):
    page = new_page("/desk/table#example=tennis", locale="zh-CN")
    learn(page, "AutoBayes", row=0)
    page.click("#tab-nomogram")
    assert_both(page, "#view p.quiet", "这个模型没有列线图：", "AutoBayes")
    page.click("#section-work > summary")
    assert_both(page, "#section-work p.quiet", "这里无法用分数展示：", "AutoBayes")


def test_a_table_of_texts_that_cannot_be_read(new_page, tmp_path):
    (tmp_path / "rows.parquet").write_bytes(b"no parquet at all")
    page = new_page("/desk/text", locale="zh-CN")
    choose(page, "[data-key=table]", tmp_path / "rows.parquet")
    assert_both(page, "#notice", "无法读取 rows.parquet。", "rows.parquet")


def test_a_file_that_is_no_model(new_page, tmp_path):
    (tmp_path / "mails.bayes").write_bytes(b"no model at all")
    page = new_page("/desk/models", locale="zh-CN")
    choose(page, "[data-key='take in']", tmp_path / "mails.bayes")
    assert_both(page, "#notice", "无法读取 mails.bayes。", "model")
