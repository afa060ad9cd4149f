"""Texts on the command line: it learns, answers and explains what the library does."""

import csv
import io
import json
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from sklearn import metrics

import bayesic as by
from bayesic.data import duckdb_files

BODIES = ["Free lunch, free money", "lunch today?", "money for free", "Rain today", "rain, rain"]
LABELS = ["spam", "ham", "spam", "ham", "ham"]
COLUMNS = ("--text", "body", "--target", "label")
MAIL = "From: sun@example.org\nSubject: Money\n\nfree lunch\n"
BOX = "From sun Mon Jan  1 00:00:00 2024\nSubject: rain\n\ntoday\n\n"


@pytest.fixture
def mails(write):
    """mails.csv, with a column of numbers beside texts and labels."""
    write("mails.csv", {"label": LABELS, "size": range(5), "body": BODIES})
    return "mails.csv"


@pytest.fixture
def spam(run, mails):
    """spam.bayes, learned from mails.csv."""
    run("fit", mails, *COLUMNS, "-o", "spam.bayes")
    return "spam.bayes"


@pytest.fixture
def folders(folder):
    """mails/ with one folder for each class: a text, a mail, a mailbox."""
    for label in ("正常", "垃圾"):
        (folder / "mails" / label).mkdir(parents=True)
    (folder / "mails" / "正常" / "1.txt").write_text("明天下雨", encoding="utf-8")
    (folder / "mails" / "正常" / "box.mbox").write_text(BOX + BOX)
    (folder / "mails" / "垃圾" / "免费.eml").write_text(MAIL)
    (folder / "mails" / "垃圾" / ".hidden").write_text("not read")
    return "mails"


def in_memory(**options):
    return by.TextClassifier(**options).fit(BODIES, LABELS)


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


# fit --------------------------------------------------------------------------------------------


def test_a_model_file_is_named_after_what_was_learned(run, mails, folder):
    run("fit", mails, *COLUMNS)
    assert by.load(folder / "mails.bayes").vocabulary_ == in_memory().vocabulary_
    again = run("fit", mails, *COLUMNS, code=2)
    assert "mails.bayes already exists. Name the file to write with --out." in again.output


def test_a_column_of_texts_is_learned_as_the_library_learns_it(run, mails):
    result = run("fit", mails, *COLUMNS, "--out", "spam.bayes")
    assert result.stdout == "spam.bayes: 5 texts, 2 classes (ham 3, spam 2), 6 words.\n"
    ours = by.load("spam.bayes")
    assert ours.predict_proba(BODIES).tobytes() == in_memory().predict_proba(BODIES).tobytes()


def test_parquet_gives_the_same_model(run, folder):
    pd.DataFrame({"body": BODIES, "label": LABELS}).to_parquet(folder / "mails.parquet")
    run("fit", "mails.parquet", *COLUMNS, "-o", "spam.bayes")
    ours = by.load("spam.bayes").predict_proba(BODIES)
    assert ours.tobytes() == in_memory().predict_proba(BODIES).tobytes()


def test_a_folder_has_a_folder_for_each_class(run, folders):
    told = json.loads(run("fit", folders, "-o", "spam.bayes", "--json").stdout)
    assert (told["texts"], told["classes"]) == (4, {"正常": 3, "垃圾": 1})
    texts = ["sun@example.org\nMoney\nfree lunch\n", "明天下雨", "rain\ntoday\n", "rain\ntoday\n"]
    expected = by.TextClassifier().fit(texts, ["垃圾", "正常", "正常", "正常"])
    ours = by.load("spam.bayes")
    assert ours.vocabulary_ == expected.vocabulary_
    assert ours.predict_proba(texts).tobytes() == expected.predict_proba(texts).tobytes()


def test_the_target_is_the_only_column_beside_the_texts(run, write):
    write("mails.csv", {"label": LABELS, "body": BODIES})
    assert "column 'label'" in run("fit", "mails.csv", "--text", "body", "-o", "x.bayes").stderr
    assert by.load("x.bayes").classes_.tolist() == ["ham", "spam"]


def test_options_reach_the_model(run, folder, mails):
    (folder / "words.txt").write_text("for\n\n 下雨 \n", encoding="utf-8")
    run(
        *("fit", mails, *COLUMNS, "-o", "spam.bayes", "--model", "complement", "--ngrams", "1-2"),
        *("--analyzer", "char", "--min-count", "2", "--drop-top", "1", "--language", "zh"),
        *("--smoothing", "0.5", "--stop-words", "words.txt"),
    )
    options = {"model": "complement", "ngrams": (1, 2), "analyzer": "char", "min_count": 2}
    options |= {"drop_top": 1, "language": "zh", "smoothing": 0.5, "stop_words": ["for", "下雨"]}
    told = by.load("spam.bayes").get_params()
    assert {name: told[name] for name in options} == options


@pytest.mark.parametrize(
    ("words", "name", "value"),
    [
        (("--weighting", "tf-idf"), "weighting", "tf-idf"),
        (("--weighting", "log-count-ratio"), "weighting", "log-count-ratio"),
        (("--weighting", "none"), "weighting", None),
        (("--stop-words", "en"), "stop_words", "en"),
        (("--stop-words", "zh"), "stop_words", "zh"),
        (("--smoothing", "auto"), "smoothing", "auto"),
        (("--smoothing", "m:2"), "smoothing", ("m", 2.0)),
        (("--smoothing", "m:2:uniform"), "smoothing", ("m", 2.0, "uniform")),
        (("--tokenizer", "zh-words"), "tokenizer", "zh-words"),
        (("--tokenizer", "whitespace"), "tokenizer", "whitespace"),
        (("--ngrams", "2"), "ngrams", (2, 2)),
        (("--model", "bernoulli"), "model", "bernoulli"),
        (("--model", "binary-multinomial"), "model", "binary-multinomial"),
    ],
)
def test_each_option_gives_the_model_of_the_library(run, mails, words, name, value):
    run("fit", mails, *COLUMNS, "-o", "spam.bayes", *words)
    ours, theirs = by.load("spam.bayes"), in_memory(**{name: value})
    assert ours.get_params()[name] == value
    assert ours.predict_proba(BODIES).tobytes() == theirs.predict_proba(BODIES).tobytes()


# predict ----------------------------------------------------------------------------------------


def test_texts_of_the_command_line_get_a_line_each(run, spam):
    result = run("predict", spam, "--text", "free money", "--text", "rain", "--text", "")
    assert result.stdout == "spam\nham\nham\n"


def test_the_probability_is_the_fraction_of_the_textbook(run, spam):
    (row,) = rows_of(run("predict", spam, "--text", "Free rain!", "--proba").stdout)
    ham = Fraction(3, 5) * Fraction(1, 6 + 6) * Fraction(3 + 1, 6 + 6)
    free = Fraction(2, 5) * Fraction(3 + 1, 7 + 6) * Fraction(1, 7 + 6)
    assert float(row["P(ham)"]) == pytest.approx(float(ham / (ham + free)), rel=1e-12)
    assert list(row) == ["row", "prediction", "P(ham)", "P(spam)"]


@pytest.mark.parametrize("dash", [(), ("-",)])
@pytest.mark.parametrize("end", ["", "\n", "\r\n"])
def test_every_line_of_stdin_gets_a_line(run, spam, dash, end):
    lines = ["free money", "", "rain"]
    result = run("predict", spam, *dash, stdin=((end or "\n").join(lines) + end).encode())
    assert result.stdout.splitlines() == in_memory().predict(lines).tolist()


def test_stdin_can_be_one_text_or_one_mail(run, spam):
    whole = run("predict", spam, "--stdin", "text", "--json", stdin=MAIL.encode()).stdout
    mail = run("predict", spam, "--stdin", "mail", "--json", stdin=MAIL.encode()).stdout
    for told, text in ((whole, MAIL), (mail, "sun@example.org\nMoney\nfree lunch\n")):
        (row,) = json.loads(told)
        assert row["P(ham)"] == in_memory().predict_proba([text])[0, 0]


def test_a_mail_tells_its_character_set(run, spam):
    mail = "Subject: rain\nContent-Type: text/plain; charset=gb2312\n\n下雨".encode("gb18030")
    assert run("predict", spam, "--stdin", "mail", stdin=mail).stdout == "ham\n"


def test_files_and_folders_are_answered_by_name(run, folder, spam, folders):
    answers = run("predict", spam, folders).stdout.splitlines()
    names = ["mails/垃圾/免费.eml", "mails/正常/1.txt", "mails/正常/box.mbox:0"]
    names.append("mails/正常/box.mbox:1")
    assert answers == [f"{name}\t{'spam' if 'eml' in name else 'ham'}" for name in names]
    table = rows_of(run("predict", spam, folders, "--proba").stdout)
    assert [row["name"] for row in table] == names
    assert run("predict", spam, names[0]).stdout == f"{names[0]}\tspam\n"


def test_a_table_of_texts_is_answered_as_a_table(run, spam, mails):
    rows = rows_of(run("predict", spam, mails, "--text", "body").stdout)
    assert [float(row["P(ham)"]) for row in rows] == in_memory().predict_proba(BODIES)[
        :, 0
    ].tolist()
    assert [row["row"] for row in rows] == list("01234")
    kept = rows_of(run("predict", spam, mails, "--text", "body", "--keep").stdout)
    assert [row["body"] for row in kept] == BODIES
    assert [row["prediction"] for row in kept] == [row["prediction"] for row in rows]


def test_blocks_go_on_where_the_last_one_ended(run, spam, write, monkeypatch):
    monkeypatch.setattr("bayesic.cli._questions.MOST_ROWS_PER_BLOCK", 3)
    write("many.csv", {"body": BODIES * 4, "number": range(20)})
    rows = rows_of(run("predict", spam, "many.csv", "--text", "body", "--keep").stdout)
    assert [int(row["number"]) for row in rows] == list(range(20))
    assert [row["body"] for row in rows] == BODIES * 4
    numbers = rows_of(run("predict", spam, "many.csv", "--text", "body").stdout)
    assert [int(row["row"]) for row in numbers] == list(range(20))


def test_costs_make_the_action_the_answer(run, spam, folder):
    (folder / "costs.json").write_text(
        '{"delete": {"spam": 0, "ham": 9}, "keep": {"spam": 1, "ham": 0}}'
    )
    texts = ["free money", "rain"]
    words = [word for text in texts for word in ("--text", text)]
    answers = run("predict", spam, *words, "--loss", "costs.json").stdout.splitlines()
    costs = {"delete": {"spam": 0, "ham": 9}, "keep": {"spam": 1, "ham": 0}}
    model = in_memory()
    expected = by.decide(model.predict_proba(texts), costs, classes=model.classes_).action
    assert answers == expected.tolist()


def test_json_has_the_rows_of_the_csv(run, spam):
    told = json.loads(run("predict", spam, "--json", stdin=b"rain\nmoney").stdout)
    as_csv = rows_of(run("predict", spam, "--proba", stdin=b"rain\nmoney").stdout)
    assert [{name: str(cell) for name, cell in row.items()} for row in told] == as_csv


def test_a_file_has_what_stdout_would_have(run, folder, spam):
    words = ("predict", spam, "--text", "rain", "--text", "free")
    assert run(*words, "-o", "answers.txt").stdout == ""
    assert (folder / "answers.txt").read_text() == run(*words).stdout


# explain and show -------------------------------------------------------------------------------


def test_reasons_are_those_of_the_library(run, spam, mails):
    assert (
        run("explain", spam, "--text", "free rain").stdout
        == f"{in_memory().explain('free rain')}\n"
    )
    assert run("explain", spam, mails, "--text", "body", "--row", "3").stdout == (
        f"{in_memory().explain(BODIES[3])}\n"
    )
    told = json.loads(run("explain", spam, "--row", "1", "--json", stdin=b"rain\nfree").stdout)
    assert told == {"row": 1, **in_memory().explain("free").to_dict()}
    work = run("explain", spam, "--stdin", "mail", "--work", stdin=MAIL.encode()).stdout
    assert work == f"{in_memory().work('sun@example.org Money free lunch')}\n"


def test_show_counts_different_words_with_tf_idf_too(run, mails):
    run("fit", mails, *COLUMNS, "--weighting", "tf-idf", "-o", "weighed.bayes")
    told = json.loads(run("show", "weighed.bayes", "--json").stdout)
    assert [part["words"] for part in told["classes"]] == [3, 4]


def test_show_counts_texts_and_words_and_names_the_words_of_each_class(run, spam):
    told = json.loads(run("show", spam, "--json").stdout)
    assert (told["texts"], told["words"]) == (5, 6)
    assert [(part["class"], part["texts"], part["words"]) for part in told["classes"]] == [
        ("ham", 3, 3),  # lunch, rain, today
        ("spam", 2, 4),  # for, free, lunch, money
    ]
    rain = np.log(float(Fraction(4, 12) / Fraction(1, 13)))
    assert told["classes"][0]["top_words"]["rain"] == pytest.approx(rain, rel=1e-12)
    assert min(told["classes"][1]["top_words"].values()) > 0
    text = run("show", spam).stdout
    for part in ("5 texts, 6 different words", "Classes", f"rain {rain:+.3g}", "multinomial"):
        assert part in text


# learning goes on -------------------------------------------------------------------------------


def test_update_forget_and_merge_are_those_of_the_library(run, write, spam):
    write("more.csv", {"body": ["snow 下雪"], "label": ["weather"]})
    before = by.load(spam).predict_proba(BODIES)
    words = ("update", spam, "more.csv", *COLUMNS, "--new-classes", "-o", "all.bayes")
    assert "6 texts, 3 classes" in run(*words).stdout
    run("fit", "more.csv", *COLUMNS, "-o", "more.bayes")
    run("merge", spam, "more.bayes", "-o", "merged.bayes")
    whole = by.TextClassifier().fit([*BODIES, "snow 下雪"], [*LABELS, "weather"])
    for name in ("all.bayes", "merged.bayes"):
        ours = by.load(name).predict_proba(BODIES)
        assert ours.tobytes() == whole.predict_proba(BODIES).tobytes()
    run("update", spam, "mails.csv", *COLUMNS)
    run("forget", spam, "mails.csv", *COLUMNS)
    assert by.load(spam).predict_proba(BODIES).tobytes() == before.tobytes()


def test_a_model_knows_the_column_with_the_texts(run, spam, mails):
    for command, *rest in (
        ("predict",),
        ("explain", "--row", 2),
        ("evaluate", "--target", "label"),
    ):
        told = run(command, spam, mails, "--text", "body", *rest).stdout
        assert run(command, spam, mails, *rest).stdout == told
    assert "10 texts" in run("update", spam, mails, "--target", "label").stdout
    assert "5 texts" in run("forget", spam, mails, "--target", "label").stdout


def test_folders_are_learned_and_forgotten(run, folders):
    run("fit", folders, "-o", "spam.bayes")
    assert "8 texts" in run("update", "spam.bayes", folders).stdout
    assert "4 texts" in run("forget", "spam.bayes", folders).stdout


def test_nothing_needs_pyarrow(run, spam, mails, monkeypatch):
    commands = (
        ("predict", spam, mails, "--keep"),
        ("evaluate", mails, *COLUMNS, "--cv", "2"),
        ("update", spam, mails, *COLUMNS, "-o", "more.bayes"),
    )
    with_pyarrow = [run(*words).output for words in commands]
    monkeypatch.setattr(duckdb_files, "has_pyarrow", lambda: False)
    assert [run(*words).output for words in commands] == with_pyarrow


# evaluate ---------------------------------------------------------------------------------------


def report(run, *words):
    return json.loads(run("evaluate", *words, "--json").stdout)


def test_leave_one_out_is_that_of_the_library(run, spam, mails):
    told = report(run, spam, mails, *COLUMNS, "--leave-one-out")
    posterior = in_memory().leave_one_out(BODIES, LABELS)
    assert told["rows"] == 5
    assert told["log_loss"] == pytest.approx(metrics.log_loss(LABELS, posterior), rel=1e-9)
    assert report(run, mails, *COLUMNS, "--leave-one-out") == told


def test_texts_that_were_not_learned_are_tried(run, write, spam, mails):
    test = {"label": ["spam", "ham"], "body": ["free rain", "lunch money"]}
    write("test.csv", test)
    told = report(run, spam, "test.csv", *COLUMNS)
    posterior = in_memory().predict_proba(test["body"])
    assert told["log_loss"] == pytest.approx(metrics.log_loss(test["label"], posterior), rel=1e-9)
    assert report(run, mails, "test.csv", *COLUMNS) == told
    text = run("evaluate", spam, "test.csv", *COLUMNS).stdout
    assert text.startswith("2 texts: texts of test.csv\n")


@pytest.mark.parametrize("way", [("--cv", "2"), ("--share", "0.4"), ("--leave-one-out",)])
def test_tables_and_folders_are_held_out_alike(run, folder, mails, way):
    for number, (body, label) in enumerate(zip(BODIES, LABELS, strict=True)):
        (folder / "texts" / label).mkdir(parents=True, exist_ok=True)
        (folder / "texts" / label / f"{number}.txt").write_text(body)
    rows = sorted(zip(LABELS, BODIES, strict=True), key=lambda row: row[0])
    pd.DataFrame(rows, columns=["label", "body"]).to_csv(folder / "sorted.csv", index=False)
    of_folder, of_table = report(run, "texts", *way), report(run, "sorted.csv", *COLUMNS, *way)
    assert of_folder | {"how": ""} == of_table | {"how": ""}


def test_options_of_learning_reach_what_is_evaluated(run, mails):
    told = report(run, mails, *COLUMNS, "--leave-one-out", "--model", "bernoulli")
    posterior = in_memory(model="bernoulli").leave_one_out(BODIES, LABELS)
    assert told["log_loss"] == pytest.approx(metrics.log_loss(LABELS, posterior), rel=1e-9)


def test_what_auto_has_chosen_is_told(run, mails):
    chosen = in_memory(model="auto").chosen_.parameters
    told = run("fit", mails, *COLUMNS, "-o", "spam.bayes", "--model", "auto")
    assert f"; chosen: model={chosen['model']!r}, " in told.stdout
    assert f"\nchosen: model={chosen['model']!r}, " in run("show", "spam.bayes").stdout
    shown = json.loads(run("show", "spam.bayes", "--json").stdout)
    assert shown["chosen"]["smoothing"] == chosen["smoothing"]
    assert by.load("spam.bayes").chosen_.parameters == chosen


def test_auto_takes_mailboxes_in_one_folder_only(run, folder):
    for name in ("ham", "spam"):
        (folder / f"{name}.mbox").write_text("")
    refused = run("fit", "ham.mbox", "spam.mbox", "-o", "x.bayes", "--model", "auto", code=2)
    assert "Put them into one folder" in refused.stderr


# demo -------------------------------------------------------------------------------------------


def test_the_demo_of_texts_is_the_example_of_the_textbook(run):  # [IIR] example 13.1
    china = Fraction(3, 4) * Fraction(3, 7) ** 3 * Fraction(1, 14) ** 2
    other = Fraction(1, 4) * Fraction(2, 9) ** 5
    told = json.loads(run("demo", "--texts", "--json").stdout)
    assert told["probability"] == pytest.approx(float(china / (china + other)), rel=1e-12)
    without = Fraction(2, 3) * Fraction(4, 10) ** 3 * Fraction(1, 10) ** 2
    rest = Fraction(1, 3) * Fraction(2, 8) ** 5
    expected = float(without / (without + rest))
    assert told["probability_without_first_text"] == pytest.approx(expected, rel=1e-12)
    assert "P(China|x)" in run("demo", "--texts").stdout


@pytest.mark.parametrize("weighting", ["none", "tf-idf", "log-count-ratio"])
def test_a_class_of_one_text_is_never_the_answer_when_that_text_is_left_out(run, write, weighting):
    write("mails.csv", {"label": ["ham", "spam", "spam"], "body": ["rain", "lunch", "lunch"]})
    words = (*COLUMNS, "--weighting", weighting)
    told = json.loads(run("evaluate", "mails.csv", *words, "--leave-one-out", "--json").stdout)
    assert told["accuracy"] == pytest.approx(2 / 3)
    assert told["confusion"]["ham"] == {"ham": 0, "spam": 1}
    assert told["log_loss"] == "inf"
    assert 0 <= told["brier_score"] <= 2
