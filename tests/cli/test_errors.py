"""What goes wrong is said in one sentence, with an exit code, and never with a traceback."""

import os
import signal
import subprocess
import sys
import warnings
from io import StringIO
from time import sleep

import click
import pytest
from click.testing import CliRunner

import bayesic as by
from bayesic import progress
from bayesic.cli._help import LazyGroup
from bayesic.cli._output import working
from helpers.command_line import Terminal

BAYESIC = [sys.executable, "-m", "bayesic.cli.main"]


def run_process(*words, **variables):
    return subprocess.run(
        [*BAYESIC, *words],
        env={**os.environ, **variables},
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("fit", "no.csv", "--out", "x.bayes"), "no file 'no.csv'"),
        (("fit", ".", "--out", "x.bayes"), "one folder of texts for each class"),
        (("fit", "loss.json", "--out", "x.bayes"), "must end in .csv"),
        (
            ("fit", "tennis.csv", "--target", "Rain", "--out", "x.bayes"),
            "got 'Rain'. The columns are",
        ),
        (("fit", "tennis.csv", "--out", "no/x.bayes"), "no folder"),
        (("fit", "tennis.csv", "--out", "x.bayes", "--smoothing", "-1"), "0 or more"),
        (("fit", "tennis.csv", "--out", "x.bayes", "--smoothing", "Rain=1"), "'Rain'"),
        (("fit", "tennis.csv", "--out", "x.bayes", "--columns", "Wind=windy"), "'windy'"),
        (("fit", "tennis.csv", "--out", "x.bayes", "--columns", "no.json"), "no.json"),
        (("fit", "tennis.csv", "--out", "x.bayes", "--columns", "list.json"), "an object"),
        (("fit", "tennis.csv", "--out", "x.bayes", "--columns", "broken.json"), "JSON file"),
        (("fit", "tennis.csv", "--out", "x.bayes", "--numeric", "round"), "'round'"),
        (("fit", "tennis.csv", "--out", "x.bayes", "--prior", "Yes=1"), "lacks ['No']"),
        (("fit", "empty.csv", "--out", "x.bayes"), "empty"),
        (("fit", "header.csv", "--out", "x.bayes"), "no rows"),
        (("evaluate", "header.csv"), "no rows"),
        (("predict", "no.bayes", "new.csv"), "no file no.bayes"),
        (("predict", "broken.bayes", "new.csv"), "not a bayesic model file"),
        (("predict", "tennis.bayes", "header.csv"), "no rows"),
        (("predict", "tennis.bayes", "new.csv", "--loss", "list.json"), "an object"),
        (("predict", "tennis.bayes", "new.csv", "--loss", "words.csv"), "must hold numbers"),
        (("predict", "tennis.bayes", "new.csv", "--loss", "twice.csv"), "'play' twice"),
        (("predict", "tennis.bayes", "new.csv", "--loss", "less.csv"), "missing in loss: ['No']"),
    ],
)
def test_errors_are_one_sentence_and_exit_code_1(run, folder, model, words, message):
    for name, content in {
        "list.json": "[1]",
        "broken.json": "{",
        "empty.csv": "",
        "header.csv": "Outlook,PlayTennis\n",
        "broken.bayes": "not a zip",
        "words.csv": "action,Yes,No\nplay,much,little\n",
        "twice.csv": "action,Yes,No\nplay,0,1\nplay,1,0\n",
        "less.csv": "action,Yes\nplay,0\n",
    }.items():
        (folder / name).write_text(content)
    result = run(*words, code=1)
    errors = [line for line in result.stderr.splitlines() if not line.startswith("note: ")]
    assert result.stdout == ""
    assert len(errors) == 1
    assert errors[0].startswith("Error: ")
    assert message in errors[0]
    assert not (folder / "x.bayes").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("learn",), "No such command"),
        (("fit",), "SOURCE"),
        (("fit", "tennis.csv"), "--out"),
        (("fit", "tennis.csv", "--out", "model.csv"), "must end in .bayes"),
        (("fit", "tennis.csv", "--out", "x.bayes", "--smoothing", "much"), "'much'"),
        (("fit", "tennis.csv", "--out", "x.bayes", "--smoothing", "m:much"), "'m:much'"),
        (("fit", "tennis.csv", "--out", "x.bayes", "--smoothing", "1", "--smoothing", "2"), "one"),
        (("fit", "tennis.csv", "--out", "x.bayes", "--columns", "Wind"), "age=gaussian"),
        (("fit", "tennis.csv", "--out", "x.bayes", "--prior", "even"), "spam=0.2"),
        (("fit", "tennis.csv", "--out", "x.bayes", "--prior", "Yes=half"), "'half'"),
        (("predict", "tennis.bayes", "new.csv", "--reject", "free"), "--reject"),
        (("merge", "--out", "x.bayes"), "MODELS"),
    ],
)
def test_usage_errors_have_exit_code_2(run, folder, model, words, message):
    assert message in run(*words, code=2).stderr
    assert not (folder / "x.bayes").exists()


def test_a_message_counts_rows_as_explain_does(run, write):
    write("visits.csv", {"visits": [3, 2, 0.5], "label": ["ham", "spam", "ham"]})
    words = ("fit", "visits.csv", "--out", "x.bayes", "--columns", "visits=poisson")
    assert "Row 2 holds 0.5" in run(*words, code=1).stderr
    run("fit", "visits.csv", "--out", "x.bayes")
    assert '"visits": "0.5"' in run("explain", "x.bayes", "visits.csv", "--row", 2, "--json").stdout


# the group of commands --------------------------------------------------------------------------


def group_that(does):
    """A group with one command, which does this."""

    class Group(LazyGroup):
        def get_command(self, ctx, cmd_name):
            return click.Command("rain", callback=does)

    return Group("weather", lines={"rain": "It rains."})


def test_warnings_are_notes_and_each_is_shown_once():
    def warn():
        for _ in range(3):
            warnings.warn("It\nrains.", UserWarning, stacklevel=1)
        warnings.warn("Write it in another way.", DeprecationWarning, stacklevel=1)

    result = CliRunner().invoke(group_that(warn), ["rain"])
    assert result.stderr == "note: It rains.\n"
    assert result.exit_code == 0


def test_an_interrupted_command_ends_quietly_with_130():
    def interrupt():
        raise KeyboardInterrupt

    result = CliRunner().invoke(group_that(interrupt), ["rain"])
    assert (result.exit_code, result.output) == (130, "")


def test_an_error_of_the_system_names_the_file():
    def full():
        raise OSError(28, "No space left on device", "model.bayes")

    result = CliRunner().invoke(group_that(full), ["rain"])
    assert (result.exit_code, result.stderr) == (
        1,
        "Error: model.bayes: No space left on device.\n",
    )


# a real process -----------------------------------------------------------------------------------


def test_a_reader_who_has_seen_enough_is_no_error(folder, model, tennis, write):
    write("many.csv", {name: cells * 2000 for name, cells in tennis.items()})
    command = [*BAYESIC, "predict", model, "many.csv"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"row,prediction,P(No),P(Yes)\n"
        process.stdout.close()
        assert process.stderr.read() == b""


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is another thing on Windows")
def test_ctrl_c_ends_a_process_quietly_with_130():
    program = """
import sys, time
from bayesic.cli import demo, main
demo.story = lambda: (print("waiting", flush=True), time.sleep(60))
sys.argv = ["bayesic", "demo"]
main.main()
"""
    command = [sys.executable, "-c", program]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout.readline().split() == [b"waiting"]
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) == 130
        assert process.stderr.read() == b""


def test_chinese_goes_through_a_pipe_in_utf_8_whatever_the_language_is(folder, write):
    write("天气.csv", {"天空": ["晴", "雨"], "打球": ["是", "否"]})
    plain = {"LC_ALL": "C", "PYTHONIOENCODING": "ascii"}
    learned = run_process("fit", "天气.csv", "--out", "model.bayes", **plain)
    assert (learned.returncode, learned.stdout[:12]) == (0, "model.bayes:")
    assert "'打球'" in learned.stderr
    for words in (["show", "model.bayes"], ["show", "model.bayes", "--json"]):
        assert "天空" in run_process(*words, **plain).stdout
    answers = run_process("predict", "model.bayes", "天气.csv", **plain).stdout
    assert answers.startswith("row,prediction,P(否),P(是)\n0,是,")


# the progress bar ---------------------------------------------------------------------------------


def as_stderr(stream, monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stderr", stream)
    return stream


def test_long_work_shows_a_bar_on_a_terminal(monkeypatch):
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    terminal = as_stderr(Terminal(), monkeypatch)
    with working("reading [rain].csv", total=2) as done:
        done(1)
        for _ in range(1000):
            if "reading [rain].csv" in terminal.getvalue():
                return
            sleep(0.01)
    raise AssertionError(terminal.getvalue())


def test_short_work_shows_nothing(monkeypatch):
    terminal = as_stderr(Terminal(), monkeypatch)
    with working("reading rain.csv") as done:
        done(1)
    assert terminal.getvalue() == ""


def test_a_file_gets_no_bar(monkeypatch):
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    file = as_stderr(StringIO(), monkeypatch)
    with working("reading rain.csv") as done:
        done(1)
    assert file.getvalue() == ""


def test_a_model_that_was_saved_in_python_without_a_target_takes_the_last_column(run, tennis):
    days = by.datasets.play_tennis()
    X = dict(zip(days.columns, zip(*days.rows, strict=True), strict=True))
    by.NaiveBayes().fit(X, list(days.target)).save("python.bayes")
    result = run("update", "python.bayes", "tennis.csv")
    assert "last column, 'PlayTennis'" in result.stderr
    assert by.load("python.bayes").class_count_.tolist() == [10, 18]
