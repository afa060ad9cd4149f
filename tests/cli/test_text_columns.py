"""A model of texts knows the columns it was learned from: the target, and one text or several."""

import json

import pytest

import bayesic as by

LABELS = ["spam", "ham", "spam", "ham", "ham"]
SUBJECTS = ["Free", "Lunch", "Win", "Rain", "Today"]
BODIES = ["free lunch", "lunch today?", "money for free", "rain again", "rain, rain"]
JOINED = [f"{subject}\n{body}" for subject, body in zip(SUBJECTS, BODIES, strict=True)]


@pytest.fixture
def mails(write):
    """mails.csv, in which the subject stands between label and text."""
    write("mails.csv", {"label": LABELS, "subject": SUBJECTS, "text": BODIES})
    return "mails.csv"


@pytest.fixture
def spam(run, mails):
    run("fit", mails, "--text", "text", "--target", "label", "-o", "spam.bayes")
    return "spam.bayes"


@pytest.fixture
def both(run, mails):
    columns = ("--text", "subject", "--text", "text", "--target", "label")
    run("fit", mails, *columns, "-o", "both.bayes")
    return "both.bayes"


def accuracy(run, *words):
    return json.loads(run("evaluate", *words, "--json").stdout)["accuracy"]


# the target -------------------------------------------------------------------------------------


def test_update_and_forget_take_the_target_of_the_model(run, spam, mails):
    assert "10 texts, 2 classes (ham 6, spam 4)" in run("update", spam, mails).stdout
    assert "5 texts, 2 classes (ham 3, spam 2)" in run("forget", spam, mails).stdout
    expected = by.TextClassifier().fit(BODIES, LABELS).predict_proba(BODIES)
    assert by.load(spam).predict_proba(BODIES).tobytes() == expected.tobytes()


def test_evaluate_and_plot_take_the_target_of_the_model(run, spam, mails, folder):
    named = accuracy(run, spam, mails, "--target", "label", "--leave-one-out")
    assert accuracy(run, spam, mails, "--leave-one-out") == named
    run("plot", "confusion", spam, mails, "-o", "confusion.svg")
    assert "ham" in (folder / "confusion.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize("words", [("fit",), ("update", "python.bayes")])
def test_one_of_several_columns_is_never_guessed_to_be_the_target(run, mails, folder, words):
    by.TextClassifier().fit(BODIES, LABELS).save("python.bayes")  # knows no columns
    before = (folder / "python.bayes").read_bytes()
    told = run(*words, mails, "--text", "text", "-o", "new.bayes", code=2).stderr
    assert "with --target. Besides the texts there are label, subject." in told
    assert (folder / "python.bayes").read_bytes() == before
    assert not (folder / "new.bayes").exists()


def test_another_target_can_be_named(run, spam, write):
    write("more.csv", {"verdict": ["spam"], "from": ["sun"], "text": ["free"]})
    assert "6 texts" in run("update", spam, "more.csv", "--target", "verdict").stdout
    assert "'label'" in run("update", spam, "more.csv", code=1).stderr


# several columns of texts -----------------------------------------------------------------------


def test_texts_of_several_columns_are_joined_by_a_line_break(run, both):
    ours = by.load(both)
    assert ours.text_column_ == ("subject", "text")
    expected = by.TextClassifier().fit(JOINED, LABELS).predict_proba(JOINED)
    assert ours.predict_proba(JOINED).tobytes() == expected.tobytes()


def test_a_model_of_several_columns_answers_learns_and_forgets_tables_by_them(run, both, mails):
    told = json.loads(run("predict", both, mails, "--json").stdout)
    expected = by.TextClassifier().fit(JOINED, LABELS).predict_proba(JOINED)
    assert [row["P(ham)"] for row in told] == expected[:, 0].tolist()
    assert "10 texts" in run("update", both, mails).stdout
    assert "5 texts" in run("forget", both, mails).stdout
    assert by.load(both).predict_proba(JOINED).tobytes() == expected.tobytes()


def test_several_columns_are_named_for_predict_and_evaluate(run, spam, both, mails):
    columns = ("--text", "subject", "--text", "text")
    told = json.loads(run("predict", spam, mails, *columns, "--json").stdout)
    expected = by.load(spam).predict_proba(JOINED)
    assert [row["P(ham)"] for row in told] == expected[:, 0].tolist()
    anew = accuracy(run, mails, *columns, "--target", "label", "--leave-one-out")
    assert anew == accuracy(run, both, mails, "--leave-one-out")


def test_a_column_of_texts_named_twice_is_refused(run, mails, folder):
    columns = ("--text", "text", "--text", "text", "--target", "label")
    assert "each once" in run("fit", mails, *columns, "-o", "new.bayes", code=1).stderr
    assert not (folder / "new.bayes").exists()
