"""Texts and mails whose class is named, and mailboxes that are named after their class."""

import json

import pytest

import bayesic as by

MAIL = "From: sun@example.org\nSubject: Money\n\nfree lunch\n"
BOX = "From sun Mon Jan  1 00:00:00 2024\nSubject: {}\n\n{}\n\n"
TEXTS, LABELS = ["Free lunch, free money", "lunch today?", "rain"], ["spam", "ham", "ham"]


@pytest.fixture
def spam(folder):
    """spam.bayes, which knows ham and spam."""
    by.TextClassifier().fit(TEXTS, LABELS).save("spam.bayes")
    return "spam.bayes"


@pytest.fixture
def boxes(folder):
    """mails/ with a mailbox for each class."""
    (folder / "mails").mkdir()
    (folder / "mails" / "ham.mbox").write_text(BOX.format("rain", "today") * 2)
    (folder / "mails" / "spam.mbox").write_text(BOX.format("Money", "free lunch"))
    return "mails"


def assert_learned(path, more, label):
    """The model is the one of the first texts and these, all of this class."""
    expected = by.TextClassifier().fit([*TEXTS, *more], [*LABELS, *[label] * len(more)])
    ours = by.load(path)
    assert ours.class_count_.tolist() == expected.class_count_.tolist()
    assert ours.predict_proba(TEXTS).tobytes() == expected.predict_proba(TEXTS).tobytes()


# one class --------------------------------------------------------------------------------------


def test_a_mail_is_learned_and_forgotten(run, folder, spam):
    (folder / "win.eml").write_text(MAIL)
    run("update", spam, "win.eml", "--class", "spam")
    assert_learned(spam, ["sun@example.org\nMoney\nfree lunch\n"], "spam")
    run("forget", spam, "win.eml", "--class", "spam")
    assert_learned(spam, [], "spam")


@pytest.mark.parametrize(
    ("words", "texts"),
    [
        ((), ["sun@example.org\nMoney\nfree lunch\n"]),
        (("--stdin", "mail"), ["sun@example.org\nMoney\nfree lunch\n"]),
        (("--stdin", "text"), [MAIL]),
        (("--stdin", "lines"), MAIL.splitlines()),
    ],
)
def test_stdin_is_a_mail_or_what_is_said(run, spam, words, texts):
    run("update", spam, "-", "--class", "spam", *words, stdin=MAIL.encode())
    assert_learned(spam, texts, "spam")
    run("forget", spam, "-", "--class", "spam", *words, stdin=MAIL.encode())
    assert_learned(spam, [], "spam")


def test_a_mail_on_stdin_without_any_header_is_a_text(run, spam):
    run("update", spam, "-", "--class", "ham", stdin="明天下雨 rain\n".encode())
    assert_learned(spam, ["明天下雨 rain\n"], "ham")


def test_several_files_folders_and_stdin_are_learned_at_once(run, folder, spam):
    (folder / "more").mkdir()
    (folder / "more" / "1.txt").write_text("money now")
    (folder / "more" / "box.mbox").write_text(BOX.format("win", "big") * 2)
    (folder / "2.txt").write_text("cheap lunch")
    told = run("update", spam, "2.txt", "more", "-", "--class", "spam", "--json", stdin=b"free")
    assert json.loads(told.stdout)["classes"] == {"ham": 2, "spam": 1 + 5}
    assert_learned(spam, ["cheap lunch", "money now", *["win\nbig\n"] * 2, "free"], "spam")


def test_nothing_is_written_if_one_of_several_cannot_be_read(run, folder, spam):
    (folder / "good.txt").write_text("money now")
    before = (folder / spam).read_bytes()
    assert "'no.txt'" in run("update", spam, "good.txt", "no.txt", "--class", "spam", code=1).stderr
    assert (folder / spam).read_bytes() == before


def test_a_class_that_is_not_known_must_be_announced(run, folder, spam):
    told = run("update", spam, "-", "--class", "spma", stdin=b"free", code=1).stderr
    assert "got the class spma. Nothing was learned" in told
    run("update", spam, "-", "--class", "news", "--new-classes", stdin=b"free")
    assert by.load(spam).classes_.tolist() == ["ham", "news", "spam"]
    told = run("forget", spam, "-", "--class", "spma", stdin=b"free", code=1).stderr
    assert "got the class spma" in told


def test_classes_that_are_numbers_are_typed_as_text(run, folder):
    by.TextClassifier().fit(["rain", "free"], [0, 1]).save("numbers.bayes")
    run("update", "numbers.bayes", "-", "--class", "1", stdin=b"free")
    assert by.load("numbers.bayes").class_count_.tolist() == [1, 2]


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("spam.bayes", "-"), 2, "no class: name it with --class"),
        (("spam.bayes", "1.txt"), 1, "no classes to learn"),
        (("spam.bayes", "1.txt", "--class", "ham", "--stdin", "text"), 2, "no SOURCE is -"),
        (("spam.bayes", "mails.csv", "--class", "ham"), 2, "mails.csv is a table"),
        (("spam.bayes", "1.txt", "--class", "ham", "--target", "label"), 2, "give one of them"),
        (("spam.bayes", "-", "--class", "ham"), 1, "stdin, but it was empty"),
        (("spam.bayes", "--class", "ham"), 2, "SOURCE"),
        (("tennis.bayes", "tennis.csv", "--class", "Yes"), 2, "learned the columns of a table"),
    ],
)
def test_what_makes_no_sense_is_refused(run, folder, spam, model, write, words, code, message):
    write("mails.csv", {"label": LABELS, "body": TEXTS})
    (folder / "1.txt").write_text("rain")
    assert message in run("update", *words, code=code).stderr
    assert_learned(spam, [], "spam")


# mailboxes --------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", [("mails",), ("mails/ham.mbox", "mails/spam.mbox")])
def test_mailboxes_are_classes_of_their_names(run, folder, boxes, words):
    run("fit", *words, "-o", "mails.bayes")
    ours = by.load("mails.bayes")
    texts = ["rain\ntoday\n", "rain\ntoday\n", "Money\nfree lunch\n"]
    expected = by.TextClassifier().fit(texts, ["ham", "ham", "spam"])
    assert ours.classes_.tolist() == ["ham", "spam"]
    assert ours.predict_proba(texts).tobytes() == expected.predict_proba(texts).tobytes()


def test_mailboxes_are_updated_forgotten_and_evaluated(run, folder, boxes):
    run("fit", boxes, "-o", "mails.bayes")
    assert "(ham 2, spam 2)" in run("update", "mails.bayes", "mails/spam.mbox").stdout
    assert "(ham 2, spam 1)" in run("forget", "mails.bayes", "mails/spam.mbox").stdout
    assert "3 texts" in run("evaluate", "mails.bayes", boxes, "--leave-one-out").stdout
    (folder / "junk.mbox").write_text(BOX.format("win", "now"))
    assert "got the class junk" in run("update", "mails.bayes", "junk.mbox", code=1).stderr
    assert "(ham 2, spam 2)" in run("update", "mails.bayes", "junk.mbox", "--class", "spam").stdout


def test_mailboxes_beside_folders_are_classes_too(folder, boxes):
    (folder / "mails" / "ham").mkdir()
    (folder / "mails" / "ham" / "1.txt").write_text("lunch")
    (folder / "mails" / "notes.txt").write_text("left out")
    model = by.TextClassifier().fit(boxes)
    assert dict(zip(model.classes_, model.class_count_, strict=True)) == {"ham": 3, "spam": 1}


def test_a_mailbox_among_other_files_is_no_class(run, folder, boxes):
    (folder / "mails" / "1.txt").write_text("lunch")
    assert "there is none in it" in run("fit", boxes, "-o", "x.bayes", code=1).stderr
    model = by.TextClassifier().fit(["rain", "free"], ["ham", "spam"])
    assert len(model.predict(boxes)) == 4  # all that is there is answered


def test_several_files_that_are_no_mailboxes_cannot_be_fitted_together(run, boxes):
    words = ("fit", "mails/ham.mbox", "tennis.csv", "-o", "x.bayes")
    assert "got tennis.csv beside others" in run(*words, code=2).stderr
    assert "--out" in run("fit", "mails/ham.mbox", "mails/spam.mbox", code=2).stderr


def test_several_tables_are_learned_one_after_the_other(run, model):
    assert "42 rows" in run("update", model, "tennis.csv", "tennis.csv").stdout
    assert "14 rows" in run("forget", model, "tennis.csv", "tennis.csv").stdout
