"""A folder with the files of the textbook, and a way to run commands in it."""

import csv

import pytest
from click.testing import CliRunner

import bayesic as by
from bayesic.cli.main import commands

LOSS = '{"play": {"Yes": 0, "No": 5}, "stay": {"Yes": 1, "No": 0}}'


def write_table(path, columns, delimiter=","):
    """Write a dict of columns as CSV; None is an empty cell."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter=delimiter)
        writer.writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))


@pytest.fixture
def tennis():
    return by.datasets.play_tennis().to_dict()


@pytest.fixture
def folder(tmp_path, monkeypatch, tennis):
    """The folder in which commands run: tennis.csv, new.csv (no classes), loss.json, loss.csv."""
    monkeypatch.chdir(tmp_path)
    write_table(tmp_path / "tennis.csv", tennis)
    new = {"Outlook": ["Sunny", "Overcast"], "Temperature": ["Cool", None]}
    new |= {"Humidity": ["High", "Normal"], "Wind": ["Strong", "Weak"]}
    write_table(tmp_path / "new.csv", new)
    (tmp_path / "loss.json").write_text(LOSS)
    (tmp_path / "loss.csv").write_text("action,Yes,No\nplay,0,5\nstay,1,0\n")
    return tmp_path


@pytest.fixture
def write(folder):
    """Writes a table under this name into the folder."""
    return lambda name, columns, delimiter=",": write_table(folder / name, columns, delimiter)


@pytest.fixture
def run(folder):
    """Runs `bayesic` with these words; an unexpected exit code or a traceback fails the test."""

    def run_command(*words, code=0, stdin=None):
        words = [*map(str, words)]
        result = CliRunner().invoke(commands, words, prog_name="bayesic", input=stdin)
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        assert result.exit_code == code, result.output
        return result

    return run_command


@pytest.fixture
def model(run):
    """tennis.bayes, learned from tennis.csv."""
    run("fit", "tennis.csv", "--target", "PlayTennis", "--out", "tennis.bayes")
    return "tennis.bayes"
