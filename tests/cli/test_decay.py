"""Rows that fade: --decay of fit, and what update makes of it."""

import numpy as np
import pytest

import bayesic as by
from bayesic.cli import _labelled_files as labelled_files
from helpers.clocks import DAY, standing_clock


@pytest.fixture
def clock(monkeypatch):
    return standing_clock(monkeypatch, labelled_files, "time")


@pytest.fixture
def mails(write):
    write("mails.csv", {"label": ["spam", "ham"], "body": ["free money", "lunch today"]})
    return ("mails.csv", "--text", "body", "--target", "label")


@pytest.mark.parametrize("model", ["naive", "tan", "kdb", "aode"])
def test_rows_of_a_table_fade_by_their_number(run, tennis, model):
    run(
        "fit",
        "tennis.csv",
        "--target",
        "PlayTennis",
        "--model",
        model,
        "--decay",
        7,
        "-o",
        "t.bayes",
    )
    run("update", "t.bayes", "tennis.csv")
    ages = np.arange(27.0, -1, -1)
    played = np.array(tennis["PlayTennis"] * 2)
    expected = [(2 ** (-ages / 7))[played == label].sum() for label in ("No", "Yes")]
    assert by.load("t.bayes").class_count_ == pytest.approx(expected)


def test_texts_fade_from_the_moment_at_which_they_were_learned(run, folder, mails, clock):
    run("fit", *mails, "--decay", "2 days", "--out", "spam.bayes")
    clock[0] += 2 * DAY
    run("update", "spam.bayes", "mails.csv")
    clock[0] += 2 * DAY
    (folder / "win.txt").write_text("free gift")
    run("update", "spam.bayes", "win.txt", "--class", "spam")
    assert by.load("spam.bayes").class_count_.tolist() == [0.75, 1.75]  # ham, spam
    assert "rows fade" in run("forget", "spam.bayes", "win.txt", "--class", "spam", code=1).stderr


def test_a_table_that_is_evaluated_has_rows_but_no_moments(run):
    words = ("evaluate", "tennis.csv", "--target", "PlayTennis", "--decay")
    assert "Give a number of rows, such as --decay 1000" in run(*words, "9 days", code=2).stderr
    assert run(*words, "5", "--cv", 3).stdout.startswith("14 rows: 3-fold")


def test_what_is_no_span_or_not_for_this_model_is_refused(run):
    words = ("fit", "tennis.csv", "--target", "PlayTennis", "--out", "t.bayes", "--decay")
    assert "decay must be a number of rows above 0" in run(*words, "0", code=1).stderr
    assert "such as '30 days'" in run(*words, "2 moons", code=1).stderr
    refused = run(*words, "5", "--model", "forest", code=2).stderr
    assert "--decay is for --model naive, tan, kdb, aode, not for forest" in refused
