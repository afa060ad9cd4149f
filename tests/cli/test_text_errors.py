"""Texts that cannot be learned or answered are refused in one sentence; pipes behave as pipes."""

import os
import subprocess
import sys

import pytest

import bayesic as by

BAYESIC = [sys.executable, "-m", "bayesic.cli.main"]
COLUMNS = ("--text", "body", "--target", "label")
NOT_UTF_8 = "café".encode("latin-1")


@pytest.fixture
def spam(run, write, folder, model):
    """spam.bayes beside tennis.bayes, and sources that are not as they should be."""
    write("mails.csv", {"label": ["spam", "ham"], "body": ["free money", "rain today"]})
    run("fit", "mails.csv", *COLUMNS, "-o", "spam.bayes")
    for name in ("empty", "flat", "mails/spam", "mails/ham"):
        (folder / name).mkdir(parents=True)
    for name in ("flat/1.txt", "mails/spam/1.txt", "mails/ham/1.txt"):
        (folder / name).write_text("free rain")
    (folder / "latin.csv").write_bytes(b"label,body\nspam," + NOT_UTF_8 + b"\nham,rain\n")
    (folder / "latin.txt").write_bytes(NOT_UTF_8)
    (folder / "binary.dat").write_bytes(bytes(range(256)))
    (folder / "none.mbox").write_text("no mail")
    (folder / "none.eml").write_text("no class")
    (folder / "header.csv").write_text("label,body\n")
    (folder / "news.csv").write_text("label,news\nspam,free\n")
    (folder / "one.csv").write_text("body\nrain\n")
    by.GaussianNB().fit([[1.0], [2.0]], ["rain", "sun"]).save("numbers.bayes")
    by.TextClassifier().fit(["free", "rain"], ["spam", "ham"]).save("python.bayes")
    return "spam.bayes"


def error_of(result):
    """The one sentence on stderr, behind notes and the usage of the command."""
    assert result.stdout == ""
    errors = [line for line in result.stderr.splitlines() if line.startswith("Error: ")]
    assert errors == result.stderr.splitlines()[-1:]
    return errors[0]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("fit", "flat", "-o", "x.bayes"), "one folder of texts for each class"),
        (("fit", "empty", "-o", "x.bayes"), "one folder of texts for each class"),
        (("fit", "none.mbox", "-o", "x.bayes"), "must be a mailbox"),
        (("fit", "no.csv", *COLUMNS, "-o", "x.bayes"), "no file 'no.csv'"),
        (("fit", "header.csv", *COLUMNS, "-o", "x.bayes"), "no rows"),
        (("fit", "latin.csv", *COLUMNS, "-o", "x.bayes"), "must be UTF-8"),
        (("fit", "one.csv", "--text", "body", "-o", "x.bayes"), "beside 'body'"),
        (("fit", "mails.csv", "--text", "body", "--target", "no", "-o", "x.bayes"), "'no'"),
        (("fit", "mails.csv", *COLUMNS, "-o", "x.bayes", "--model", "best"), "'best'"),
        (("fit", "mails.csv", *COLUMNS, "-o", "x.bayes", "--weighting", "best"), "'best'"),
        (("fit", "mails.csv", *COLUMNS, "-o", "x.bayes", "--language", "fr"), "'fr'"),
        (("fit", "mails.csv", *COLUMNS, "-o", "x.bayes", "--min-count", "0"), "min_count"),
        (("fit", "mails.csv", *COLUMNS, "-o", "x.bayes", "--ngrams", "2-1"), "ngrams"),
        (("fit", "mails.csv", *COLUMNS, "-o", "x.bayes", "--stop-words", "no"), "no: No such"),
        (("fit", "mails.csv", *COLUMNS, "-o", "x.bayes", "--stop-words", "latin.txt"), "UTF-8"),
        (("predict", "numbers.bayes", "--text", "rain"), "holds a GaussianNB"),
        (("predict", "spam.bayes", "no.eml"), "no file or folder 'no.eml'"),
        (("predict", "spam.bayes", "empty"), "no file in it"),
        (("predict", "spam.bayes", "binary.dat"), "zero bytes"),
        (("predict", "spam.bayes", "none.mbox"), "must be a mailbox"),
        (("fit", "none.eml", "-o", "x.bayes"), "no classes to learn"),
        (("predict", "spam.bayes", "header.csv", "--text", "body"), "no rows"),
        (("predict", "spam.bayes", "latin.csv", "--text", "body"), "must be UTF-8"),
        (("predict", "tennis.bayes", "flat"), "is a folder"),
        (("update", "spam.bayes", "flat"), "one folder of texts for each class"),
        (("update", "spam.bayes", "no"), "no file or folder 'no'"),
        (("forget", "spam.bayes", "mails"), "Only what was learned"),
        (("merge", "spam.bayes", "tennis.bayes", "-o", "x.bayes"), "same kind"),
        (("evaluate", "spam.bayes", "header.csv", *COLUMNS), "no rows"),
        (("evaluate", "header.csv", *COLUMNS, "--cv", "2"), "no rows"),
        (("evaluate", "mails", "flat"), "one folder of texts for each class"),
        (("evaluate", "mails"), "--cv must be at most 1"),
        (("explain", "spam.bayes", "mails", "--row", "2"), "from 0 to 1"),
        (("explain", "spam.bayes", "--text", "rain", "--against", "sun"), "'sun'"),
    ],
)
def test_errors_are_one_sentence_and_exit_code_1(run, folder, spam, words, message):
    before = (folder / spam).read_bytes()
    assert message in error_of(run(*words, code=1))
    assert not (folder / "x.bayes").exists()
    assert (folder / spam).read_bytes() == before


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("fit", "mails.csv", "--text", "no", "-o", "x.bayes"), "got 'no'"),
        (("fit", "mails", "--target", "label", "-o", "x.bayes"), "--target names a column"),
        (("fit", "mails", "--text", "body", "-o", "x.bayes"), "--text names a column"),
        (("fit", "mails", "--columns", "body=text", "-o", "x.bayes"), "--columns is for"),
        (("fit", "mails.csv", "--ngrams", "1-2", "-o", "x.bayes"), "by --text"),
        (("fit", "mails.csv", *COLUMNS, "--ngrams", "two", "-o", "x.bayes"), "'two'"),
        (("fit", "mails.csv", *COLUMNS, "--smoothing", "body=2", "-o", "x.bayes"), "body=2"),
        (("fit", "mails.csv", *COLUMNS, "--smoothing", "m:2:even", "-o", "x.bayes"), "m:2:even"),
        (("predict", "spam.bayes", "news.csv"), "got 'body'. The columns are label, news"),
        (("predict", "python.bayes", "news.csv"), "the texts. The columns are label, news"),
        (("predict", "spam.bayes", "mails.csv", "--text", "a", "--text", "b"), "got 'a'"),
        (("predict", "spam.bayes", "mails", "--text", "body"), "--text names a column"),
        (("predict", "spam.bayes", "--text", "rain", "--keep"), "--keep"),
        (("predict", "spam.bayes", "--text", "rain", "--stdin", "mail"), "--stdin"),
        (("predict", "spam.bayes", "-", "--text", "rain"), "not both"),
        (("predict", "tennis.bayes", "--text", "rain"), "--text is for models of texts"),
        (("predict", "tennis.bayes"), "name the file"),
        (("predict", "tennis.bayes", "-"), "name the file"),
        (
            ("predict", "tennis.bayes", "new.csv", "--stdin", "mail"),
            "--stdin is for models of texts",
        ),
        (("explain", "tennis.bayes", "--text", "rain"), "--text is for models of texts"),
        (("explain", "spam.bayes", "news.csv"), "got 'body'. The columns are label, news"),
        (("update", "tennis.bayes", "mails.csv", "--text", "body"), "--text is for"),
        (("update", "spam.bayes", "news.csv"), "got 'body'. The columns are label, news"),
        (("forget", "spam.bayes", "news.csv"), "got 'body'. The columns are label, news"),
        (("evaluate", "tennis.bayes", "mails.csv", "--text", "body"), "--text is for"),
        (("evaluate", "spam.bayes", "news.csv"), "got 'body'. The columns are label, news"),
        (("evaluate", "spam.bayes", "mails.csv", *COLUMNS, "--ngrams", "2"), "already fitted"),
        (("evaluate", "mails.csv", "mails", *COLUMNS), "--text names a column"),
        (("show", "spam.bayes", "--column", "body"), "--column is for models of tables"),
    ],
)
def test_usage_errors_have_exit_code_2(run, folder, spam, words, message):
    assert message in error_of(run(*words, code=2))
    assert not (folder / "x.bayes").exists()


@pytest.mark.parametrize(
    ("stdin", "words", "message"),
    [
        (b"", (), "it was empty"),
        (b"", ("--stdin", "mail"), "it was empty"),
        (NOT_UTF_8, (), "Line 0 of stdin must be UTF-8"),
        (b"rain\n" + NOT_UTF_8, ("--json",), "Line 1 of stdin must be UTF-8"),
        (NOT_UTF_8, ("--stdin", "text"), "The text on stdin must be UTF-8"),
        (b"\x7fELF\x00\x00", (), "zero bytes"),
    ],
)
def test_stdin_that_is_no_text_is_refused(run, spam, stdin, words, message, monkeypatch):
    monkeypatch.setattr("bayesic.cli._questions.BYTES_PER_READ", 1000)
    result = run("predict", spam, *words, code=1, stdin=stdin)
    assert message in result.stderr.splitlines()[-1]
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize("size", [1, 2, 7, 1000])
def test_lines_are_the_same_however_the_bytes_come(run, spam, monkeypatch, size):
    monkeypatch.setattr("bayesic.cli._questions.BYTES_PER_READ", size)
    lines = ["free money", "", "下雨 rain", "x" * 5000, "rain today"]
    result = run("predict", spam, stdin="\n".join(lines).encode())
    assert result.stdout.splitlines() == by.load(spam).predict(lines).tolist()


# real processes -----------------------------------------------------------------------------------


def test_a_line_is_answered_before_the_next_one_is_sent(spam):
    command = [*BAYESIC, "predict", spam]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        for text, answer in ((b"free money\n", b"spam"), (b"rain\n", b"ham"), (b"free\n", b"spam")):
            process.stdin.write(text)
            process.stdin.flush()
            assert process.stdout.readline().split() == [answer]
        process.stdin.close()
        assert process.wait(timeout=60) == 0


def test_a_reader_who_has_seen_enough_is_no_error(spam):
    command = [*BAYESIC, "predict", spam]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        process.stdin.write(b"rain\n")
        process.stdin.flush()
        assert process.stdout.readline().split() == [b"ham"]
        process.stdout.close()
        process.stdin.write(b"rain\n")
        process.stdin.close()
        assert process.stderr.read() == b""


def test_chinese_goes_through_pipes_in_utf_8_whatever_the_language_is(folder):
    table = "类,文\n垃圾,免费奖金\n正常,明天下雨\n"
    (folder / "邮件.csv").write_text(table, encoding="utf-8")
    plain = {**os.environ, "LC_ALL": "C", "PYTHONIOENCODING": "ascii"}
    learn = ["fit", "邮件.csv", "--text", "文", "--target", "类", "-o", "邮件.bayes"]
    answer = ["predict", "邮件.bayes"]
    for words, stdin, printed in (
        (learn, "", "邮件.bayes: 2 texts, 2 classes (垃圾 1, 正常 1)"),
        (answer, "明天\n奖金\n", "正常\n垃圾\n"),
        ([*answer, "--text", "下雨"], "", "正常\n"),
    ):
        result = subprocess.run(
            [*BAYESIC, *words], input=stdin.encode(), capture_output=True, env=plain, timeout=120
        )
        assert result.returncode == 0
        assert result.stdout.decode().startswith(printed)
