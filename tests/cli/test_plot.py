"""`bayesic plot` writes pictures, whole or not at all."""

import json
import subprocess
import sys

import pytest

import bayesic as by
from bayesic import plots

PNG, SVG = b"\x89PNG\r\n\x1a\n", b"<?xml"


@pytest.fixture
def calls(monkeypatch):
    """Arguments with which the functions that draw were called, by name."""
    seen = {}

    def watched(name, draw):
        def call(*arguments, **options):
            seen[name] = arguments, options
            return draw(*arguments, **options)

        return call

    for name in plots.__all__:
        monkeypatch.setattr(plots, name, watched(name, getattr(plots, name)))
    return seen


@pytest.fixture
def blooms(run, write):
    """blooms.csv with two columns of numbers, and blooms.bayes."""
    table = {
        "length": [1.0, 1.5, 1.2, 3.0, 3.5, 3.2],
        "width": [0.2, 0.4, 0.3, 1.0, 1.4, 1.2],
        "garden": ["north"] * 6,
        "kind": ["rose"] * 3 + ["lily"] * 3,
    }
    write("blooms.csv", table)
    run("fit", "blooms.csv", "--columns", "garden=ignore", "-o", "blooms.bayes")
    return table


@pytest.fixture
def spam(run, write):
    """mails.csv, and spam.bayes which has learned it."""
    mails = ["free money", "free gift", "lunch today", "lunch at noon"]
    write("mails.csv", {"body": mails, "label": ["spam", "spam", "ham", "ham"]})
    run("fit", "mails.csv", "--text", "body", "--target", "label", "-o", "spam.bayes")
    return "spam.bayes"


def test_confusion_shows_the_answers_of_the_model(run, folder, model, calls, tennis):
    result = run("plot", "confusion", model, "tennis.csv", "--out", "picture.png")
    assert result.stdout == "picture.png: 14 rows of tennis.csv.\n"
    assert (folder / "picture.png").read_bytes().startswith(PNG)
    (labels, predicted), _ = calls["confusion"]
    assert labels.tolist() == tennis["PlayTennis"]
    assert predicted.tolist() == by.load(model).predict("tennis.csv").tolist()


def test_calibration_can_leave_each_row_out(run, folder, model, calls):
    words = ("plot", "calibration", model, "tennis.csv", "-o", "picture.svg", "--leave-one-out")
    assert json.loads(run(*words, "--json").stdout) == {
        "file": "picture.svg",
        "picture": "calibration",
        "rows": 14,
        "how": "leave-one-out on tennis.csv",
    }
    assert (folder / "picture.svg").read_bytes().startswith(SVG)
    (posterior, _), options = calls["calibration"]
    expected = by.load(model).leave_one_out("tennis.csv", y="PlayTennis")
    assert posterior.tolist() == expected.tolist()
    assert options["classes"].tolist() == ["No", "Yes"]


def test_regions_are_those_of_the_two_columns_that_were_learned(run, folder, blooms, calls):
    result = run("plot", "regions", "blooms.bayes", "blooms.csv", "-o", "picture.png")
    assert result.stdout == "picture.png: 6 rows of blooms.csv.\n"
    (_, X, y), _ = calls["decision_regions"]
    assert list(by.data.tables.as_table(X).columns) == ["length", "width"]
    assert y.tolist() == blooms["kind"]


def test_densities_have_a_panel_for_each_column(run, folder, model, calls):
    run("plot", "densities", model, "tennis.csv", "--target", "PlayTennis", "-o", "picture.PNG")
    assert (folder / "picture.PNG").read_bytes().startswith(PNG)
    assert set(calls) == {"densities"}


def test_evidence_is_that_of_explain(run, folder, model, calls):
    words = (model, "tennis.csv", "--row", 3, "--against", "No")
    told = json.loads(run("plot", "evidence", *words, "-o", "picture.svg", "--json").stdout)
    expected = json.loads(run("explain", *words, "--json").stdout)
    assert told == {"file": "picture.svg", "picture": "evidence", **expected}
    ((reasons,), _) = calls["evidence"]
    assert reasons.weights == expected["weights"]


def test_texts_have_pictures_of_answers_and_evidence(run, folder, spam):
    told = run("plot", "confusion", spam, "mails.csv", "--leave-one-out", "-o", "c.png")
    assert told.stdout == "c.png: 4 texts, leave-one-out on mails.csv.\n"
    told = run("plot", "evidence", spam, "--text", "free lunch money", "-o", "e.png")
    assert told.stdout.startswith("e.png: spam (")
    run("plot", "evidence", spam, "mails.csv", "--row", 2, "-o", "row.png")
    told = run("plot", "evidence", spam, "-o", "stdin.png", stdin="lunch\n")
    assert told.stdout.startswith("stdin.png: ham (")
    assert all((folder / name).exists() for name in ("c.png", "e.png", "row.png", "stdin.png"))


def test_the_same_svg_picture_has_no_date_in_it(run, folder, model):
    run("plot", "confusion", model, "tennis.csv", "-o", "picture.svg")
    assert b"<dc:date>" not in (folder / "picture.svg").read_bytes()


def test_missing_characters_are_told_in_one_note(run, folder, write, monkeypatch):
    monkeypatch.setattr("bayesic.plots._fonts.CHINESE_FAMILIES", ("No Such Hei",))
    write("天气.csv", {"天空": ["晴", "雨"], "打球": ["是", "否"]})
    run("fit", "天气.csv", "--target", "打球", "-o", "weather.bayes")
    result = run("plot", "confusion", "weather.bayes", "天气.csv", "-o", "picture.png")
    assert result.stderr.count("note: ") == 1
    assert "No font was found that has the characters 否 是" in result.stderr


# what goes wrong ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("confusion", "tennis.bayes", "no.csv"), "no file 'no.csv'"),
        (("confusion", "no.bayes", "tennis.csv"), "no file no.bayes"),
        (("densities", "tennis.bayes", "blooms.csv"), "no column 'PlayTennis'"),
        (("regions", "tennis.bayes", "tennis.csv"), "two columns, got 4"),
        (("evidence", "tennis.bayes", "tennis.csv", "--row", "14"), "from 0 to 13"),
        (("evidence", "tennis.bayes", "tennis.csv", "--against", "Maybe"), "'Maybe'"),
    ],
)
def test_errors_are_one_sentence_and_no_picture(run, folder, model, blooms, words, message):
    result = run("plot", *words, "-o", "picture.png", code=1)
    assert result.stdout == ""
    (error,) = result.stderr.splitlines()
    assert error.startswith("Error: ")
    assert message in error
    assert not [*folder.glob("*.png"), *folder.glob(".bayesic*")]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("rainbow", "tennis.bayes", "tennis.csv", "-o", "x.png"), "'rainbow' is not one of"),
        (("confusion", "tennis.bayes", "tennis.csv"), "--out"),
        (("confusion", "tennis.bayes", "tennis.csv", "-o", "x.pdf"), "end in .png or .svg"),
        (("confusion", "tennis.bayes", "-o", "x.png"), "confusion needs a SOURCE"),
        (("confusion", "tennis.bayes", "tennis.csv", "-o", "x.png", "--row", "1"), "for evidence"),
        (
            ("evidence", "tennis.bayes", "tennis.csv", "-o", "x.png", "--leave-one-out"),
            "--leave-one-out is for confusion, calibration, not for evidence",
        ),
        (("regions", "spam.bayes", "mails.csv", "-o", "x.png"), "spam.bayes has learned texts"),
        (
            ("densities", "tennis.bayes", "tennis.csv", "-o", "x.png", "--text", "Wind"),
            "--text is for models of texts",
        ),
    ],
)
def test_usage_errors_have_exit_code_2(run, folder, model, spam, words, message):
    assert message in run("plot", *words, code=2).stderr
    assert not (folder / "x.png").exists()


def test_a_folder_that_is_not_there_is_refused(run, model):
    result = run("plot", "confusion", model, "tennis.csv", "-o", "no/x.png", code=1)
    assert "There is no folder" in result.stderr


def test_an_old_picture_stays_if_drawing_fails(run, folder, model, monkeypatch):
    (folder / "picture.png").write_bytes(b"old")

    def broken(*_, **__):
        raise ValueError("No ink.")

    monkeypatch.setattr("matplotlib.figure.Figure.savefig", broken)
    result = run("plot", "confusion", model, "tennis.csv", "-o", "picture.png", code=1)
    assert result.stderr == "Error: No ink.\n"
    assert (folder / "picture.png").read_bytes() == b"old"


def test_without_matplotlib_one_sentence_tells_what_to_install(folder, model):
    program = f"""
import sys
sys.modules["matplotlib"] = None
from bayesic.cli.main import main
sys.argv = ["bayesic", "plot", "confusion", {model!r}, "tennis.csv", "-o", "picture.png"]
main()
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert ran.returncode == 1
    assert ran.stderr == (
        "Error: Pictures need matplotlib, which is not installed. "
        "Run pip install 'bayesic[plot]'.\n"
    )
    assert not (folder / "picture.png").exists()
