"""Tables that are not UTF-8: the person sees in which encoding they can be read, and chooses."""

import gzip
import shlex

import pytest
from click.testing import CliRunner

import bayesic as by
from bayesic.cli.main import commands as bayesic
from bayesic.cli.studio import opened
from bayesic.studio.workspace import Studio
from helpers.studio_page import assert_text
from helpers.studio_server import studying
from helpers.table_desk import CLIPBOARD, assert_explains, copied, learn

TARGET = "去"
DAYS = {
    "天气": ["晴", "雨", "晴", "阴", "雨", "阴"] * 4,
    "风": ["弱", "弱", "强", "强", "强", "弱"] * 4,
    TARGET: ["是", "否", "是", "是", "否", "是"] * 4,
}
TEXT = "\r\n".join(",".join(row) for row in [[*DAYS], *zip(*DAYS.values(), strict=True)]) + "\r\n"
NAIVE = by.NaiveBayes().fit(DAYS, y=TARGET)
ROW = {"天气": "阴", "风": "强"}  # number 3


def choose(page, path):
    with page.expect_file_chooser() as chooser:
        page.click("text=choose a file")
    chooser.value.set_files(path)


def written(folder, encoding):
    path = folder / "天气.csv"
    path.write_bytes(TEXT.encode(encoding))
    return path


@pytest.mark.parametrize(
    ("encoding", "name"), [("gbk", "gb18030"), ("big5", "big5"), ("shift_jis", "shift_jis")]
)
def test_the_encoding_is_chosen_by_its_first_lines(new_page, tmp_path, encoding, name):
    text = TEXT if encoding == "gbk" else TEXT.translate(str.maketrans("气阴强风", "氣陰強風"))
    (tmp_path / "days.csv").write_bytes(text.encode(encoding))
    page = new_page()
    choose(page, tmp_path / "days.csv")
    header = text.partition("\r\n")[0]
    assert_text(page, f"[data-encoding={name}]", header)
    page.click(f"[data-encoding={name}]")
    page.wait_for_url("**/desk/table#table=*")
    page.wait_for_selector(".columns-table")
    assert_text(page, ".columns-table", header.split(",")[0])


def test_a_table_in_gbk_is_learned_and_its_code_runs(new_page, tmp_path, monkeypatch, capsys):
    page = new_page(permissions=CLIPBOARD)
    choose(page, written(tmp_path, "gbk"))
    page.click("[data-encoding=gb18030]")
    page.wait_for_url("**/desk/table#table=*")
    learn(page, row=3)
    assert_explains(page, NAIVE, ROW)
    monkeypatch.chdir(tmp_path)
    names = {}
    exec(copied(page, "copy as Python", "import bayesic"), names)
    assert_explains(page, names["model"], names["row"])
    assert str(NAIVE.explain(ROW)) in capsys.readouterr().out
    commands = copied(page, "as command", "bayesic fit").strip().split("\n")
    runs = [CliRunner().invoke(bayesic, shlex.split(line)[1:]) for line in commands]
    assert [run.exit_code for run in runs] == [0, 0, 0]
    assert_explains(page, by.load(tmp_path / "天气.bayes"), ROW)


def test_a_packed_file_of_the_command_line_is_named_in_the_code(browser, tmp_path, capsys):
    path = tmp_path / "天气.csv.gz"
    path.write_bytes(gzip.compress(TEXT.encode("gbk")))
    studio = Studio()
    place = opened(studio, (path,), tmp_path / "studio.store", "gbk")
    with (
        studying(tmp_path / "studio.store", studio) as address,
        browser.new_context(permissions=CLIPBOARD) as context,
    ):
        page = context.new_page()
        page.goto(f"{address}/{place}")
        learn(page, row=3)
        assert_explains(page, NAIVE, ROW)
        names = {}
        exec(copied(page, "copy as Python", "import gzip"), names)
        commands = copied(page, "as command", "bayesic fit")
    assert names["rows"] == str(tmp_path / "天气.utf-8.csv")
    assert str(NAIVE.explain(ROW)) in capsys.readouterr().out
    assert f"{path} " in commands.replace("'", "") and "--encoding gb18030" in commands


def test_unicode_of_excel_says_itself_what_it_is(new_page, tmp_path):
    page = new_page()
    choose(page, written(tmp_path, "utf-16"))
    page.wait_for_url("**/desk/table#table=*")
    learn(page, row=3)
    assert_explains(page, NAIVE, ROW)


def test_who_knows_no_encoding_reads_the_sentence_of_the_library(new_page, tmp_path):
    page = new_page()
    choose(page, written(tmp_path, "gbk"))
    page.wait_for_selector("[data-encoding=gb18030]")
    page.keyboard.press("Escape")
    assert_text(page, "#notice", "must be UTF-8 text, but is not")
    assert page.locator("dialog").count() == 0


def test_what_is_refused_for_another_reason_asks_nothing(new_page, tmp_path):
    (tmp_path / "天气.csv").write_text(TEXT.replace("风", "天气", 1), encoding="utf-8")
    page = new_page()
    choose(page, tmp_path / "天气.csv")
    assert_text(page, "#notice", "must have different names")
    assert page.locator("[data-encoding]").count() == 0


def test_a_header_that_is_the_same_in_all_encodings_is_not_shown(new_page, tmp_path):
    (tmp_path / "days.csv").write_bytes("sky,play\nsun,yes\n雨,no\n".encode("gbk"))
    page = new_page()
    choose(page, tmp_path / "days.csv")
    assert_text(page, "[data-encoding=gb18030]", "雨,no")
    assert "sky" not in page.inner_text("[data-encoding=gb18030]")


def test_cases_of_a_network_may_be_in_another_encoding(new_page, tmp_path):
    network = by.BeliefNetwork([("天气", TARGET)]).fit(
        {name: DAYS[name] for name in ("天气", TARGET)}
    )
    network.write(tmp_path / "net.json")
    page = new_page()
    choose(page, tmp_path / "net.json")
    page.wait_for_selector(".card")
    drop(page, written(tmp_path, "gbk"))
    page.click("[data-encoding=gb18030]")
    assert_text(page, "#section-cases", "24")


def test_texts_may_be_in_another_encoding(new_page, tmp_path):
    (tmp_path / "mails.csv").write_bytes("kind,body\n垃圾,免费\nham,今天\nham,下雨\n".encode("gbk"))
    page = new_page("/desk/text")
    with page.expect_file_chooser() as chooser:
        page.click("[data-key=table]")
    chooser.value.set_files(tmp_path / "mails.csv")
    page.click("[data-encoding=gb18030]")
    page.wait_for_selector("dialog select")
    page.click("dialog button.main")
    assert_text(page, "#notice", "3 texts learned, 3 of them new.")
    page.wait_for_url("**model=mails**")


def drop(page, path):
    """As if the file was dropped on the page."""
    transfer = page.evaluate_handle(
        """([name, bytes]) => {
            const transfer = new DataTransfer();
            transfer.items.add(new File([new Uint8Array(bytes)], name));
            return transfer;
        }""",
        [path.name, [*path.read_bytes()]],
    )
    page.dispatch_event("body", "drop", {"dataTransfer": transfer})
