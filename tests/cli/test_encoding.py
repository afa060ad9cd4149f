"""Tables and texts in other encodings than UTF-8, named by --encoding."""

import gzip
import json

import pytest

import bayesic as by

TABLE = "标签,正文\n垃圾,免费奖金\n正常,明天下雨\n正常,明天吃饭\n"
TEXTS, LABELS = ["免费奖金", "明天下雨", "明天吃饭"], ["垃圾", "正常", "正常"]
COLUMNS = ("--text", "正文", "--target", "标签")
GBK = ("--encoding", "gbk")


def in_memory():
    return by.TextClassifier().fit(TEXTS, LABELS)


@pytest.fixture(params=["gbk.csv", "gbk.csv.gz"])
def table(folder, request):
    """The table in GBK, packed or not."""
    content = TABLE.encode("gbk")
    path = folder / request.param
    path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)
    return request.param


@pytest.fixture
def mails(run, folder):
    """mails.bayes, learned from the table in UTF-8."""
    (folder / "utf-8.csv").write_text(TABLE, encoding="utf-8")
    run("fit", "utf-8.csv", *COLUMNS, "-o", "mails.bayes")
    return "mails.bayes"


def test_a_table_is_learned_answered_and_tried_in_its_encoding(run, table, mails):
    run("fit", table, *COLUMNS, *GBK, "-o", "gbk.bayes")
    assert by.load("gbk.bayes").predict_proba(TEXTS).tobytes() == (
        in_memory().predict_proba(TEXTS).tobytes()
    )
    for command in ("predict", "explain"):
        assert run(command, mails, table, *GBK).stdout == run(command, mails, "utf-8.csv").stdout
    told = run("evaluate", mails, table, "--leave-one-out", "--json", *GBK).stdout
    assert json.loads(told)["rows"] == 3


def test_a_table_of_columns_is_learned_in_its_encoding(run, folder):
    (folder / "weather.csv").write_bytes("天空,打球\n晴,是\n雨,否\n".encode("gb18030"))
    run("fit", "weather.csv", "--target", "打球", *GBK, "-o", "weather.bayes")
    assert by.load("weather.bayes").feature_names_in_.tolist() == ["天空"]
    kept = run("predict", "weather.bayes", "weather.csv", "--keep", *GBK).stdout
    assert kept.startswith("天空,打球,prediction,P(否),P(是)\n晴,是,是,")


def test_update_and_forget_read_the_encoding(run, table, mails):
    assert "6 texts, 2 classes" in run("update", mails, table, *GBK).stdout
    assert "3 texts, 2 classes" in run("forget", mails, table, *GBK).stdout


def test_texts_of_files_and_stdin_are_in_the_encoding(run, folder, mails):
    (folder / "rain.txt").write_bytes("明天下雨".encode("gbk"))
    assert run("predict", mails, "rain.txt", *GBK).stdout == "rain.txt\t正常\n"
    run("update", mails, "rain.txt", "--class", "正常", *GBK)
    run(
        "forget",
        mails,
        "-",
        "--class",
        "正常",
        "--stdin",
        "text",
        *GBK,
        stdin="明天下雨".encode("gbk"),
    )
    ours = by.load(mails).predict_proba(TEXTS)
    assert ours.tobytes() == in_memory().predict_proba(TEXTS).tobytes()
    lines = run("predict", mails, *GBK, stdin="免费\n明天\n".encode("gbk")).stdout
    assert lines == "垃圾\n正常\n"


def test_wide_encodings_are_read_from_files(run, folder, mails):
    (folder / "wide.csv").write_text(TABLE, encoding="utf-16")
    told = run("predict", mails, "wide.csv", "--encoding", "utf-16").stdout
    assert told == run("predict", mails, "utf-8.csv").stdout
    (folder / "wide.txt").write_text("明天", encoding="utf-16")
    assert "正常" in run("predict", mails, "wide.txt", "--encoding", "utf-16").stdout
    assert (
        "cannot be separated"
        in run("predict", mails, "--encoding", "utf-16", code=1, stdin=b"").stderr
    )


@pytest.mark.parametrize("encoding", ["no-such", "base64", ""])
def test_an_unknown_encoding_is_refused(run, mails, encoding):
    told = run("predict", mails, "--text", "rain", "--encoding", encoding, code=2).stderr
    assert "There is no encoding" in told


def test_another_encoding_than_that_of_the_file_is_refused(run, folder, table, mails):
    for words in ((table,), ("broken.txt",)):
        (folder / "broken.txt").write_bytes(b"\xff\xfe\xff")
        told = run("predict", mails, *words, "--encoding", "ascii", code=1).stderr
        assert "must be text in ascii, but has other bytes" in told
    assert "--encoding gbk" in run("predict", mails, table, code=1).stderr


def test_nothing_stays_behind(run, table, mails, tmp_path_factory, monkeypatch):
    temporary = tmp_path_factory.mktemp("temporary")
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    run("predict", mails, table, *GBK)
    assert list(temporary.iterdir()) == []
