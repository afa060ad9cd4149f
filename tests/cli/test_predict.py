"""`bayesic predict`: the answers of the model, as CSV and JSON."""

import csv
import io
import json
from fractions import Fraction

import pandas as pd
import pytest

import bayesic as by
from bayesic.cli._spreadsheets import without_formula

CREDIT = {"play": {"Yes": 0, "No": 5}, "stay": {"Yes": 1, "No": 0}}


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_the_textbook_day_has_its_probability(run):
    run("fit", "tennis.csv", "--out", "tennis.bayes", "--smoothing", "0")
    first = rows_of(run("predict", "tennis.bayes", "new.csv").stdout)[0]
    no = Fraction(5, 14) * Fraction(3, 5) * Fraction(1, 5) * Fraction(4, 5) * Fraction(3, 5)
    yes = Fraction(9, 14) * Fraction(2, 9) * Fraction(3, 9) * Fraction(3, 9) * Fraction(3, 9)
    assert first["prediction"] == "No"
    assert float(first["P(No)"]) == pytest.approx(float(no / (no + yes)), rel=1e-12)


def test_answers_are_those_of_the_library_to_the_last_digit(run, model, tennis):
    rows = rows_of(run("predict", model, "tennis.csv").stdout)
    learned = by.load(model)
    assert list(rows[0]) == ["row", "prediction", "P(No)", "P(Yes)"]
    assert [int(row["row"]) for row in rows] == list(range(14))
    assert [row["prediction"] for row in rows] == learned.predict(tennis).tolist()
    ours = [[float(row["P(No)"]), float(row["P(Yes)"])] for row in rows]
    assert ours == learned.predict_proba(tennis).tolist()


@pytest.mark.parametrize("loss", ["loss.json", "loss.csv"])
def test_actions_and_risks_are_those_of_decide(run, model, tennis, loss):
    rows = rows_of(run("predict", model, "tennis.csv", "--loss", loss).stdout)
    learned = by.load(model)
    decision = by.decide(learned.predict_proba(tennis), CREDIT, classes=learned.classes_)
    assert [row["action"] for row in rows] == decision.action.tolist()
    assert [float(row["risk"]) for row in rows] == decision.risk.min(axis=1).tolist()


def test_rows_are_rejected_where_every_action_costs_more(run, model, tennis):
    rows = rows_of(run("predict", model, "tennis.csv", "--reject", "0.2").stdout)
    best = by.load(model).predict_proba(tennis).max(axis=1)
    expected = [
        "reject" if 1 - p > 0.2 else row["prediction"] for p, row in zip(best, rows, strict=True)
    ]
    assert [row["action"] for row in rows] == expected
    assert {row["risk"] for row in rows if row["action"] == "reject"} == {"0.2"}


def test_json_has_the_same_rows(run, model):
    told = json.loads(run("predict", model, "new.csv", "--json").stdout)
    assert [{name: str(cell) for name, cell in row.items()} for row in told] == rows_of(
        run("predict", model, "new.csv").stdout
    )


def test_kept_columns_are_as_they_stand_in_the_file(run, folder, model):
    (folder / "odd.csv").write_text(
        'Wind,Outlook,Humidity,Temperature\nWeak,"Sunny",High,007\nWeak,"a ""b"", c",,1e0\n'
    )
    rows = rows_of(run("predict", model, "odd.csv", "--keep").stdout)
    kept = [{name: row[name] for name in list(row)[:4]} for row in rows]
    assert kept == rows_of((folder / "odd.csv").read_text())
    assert list(rows[0])[4:] == ["prediction", "P(No)", "P(Yes)"]


def test_kept_columns_of_a_parquet_file_keep_their_types_in_json(run, folder, model, tennis):
    pd.DataFrame(tennis).to_parquet(folder / "tennis.parquet")
    told = json.loads(run("predict", model, "tennis.parquet", "--keep", "--json").stdout)
    assert [row["Outlook"] for row in told] == tennis["Outlook"]


def test_a_name_that_is_taken_is_refused(run, write, model, tennis):
    write(
        "again.csv",
        {"prediction" if name == "PlayTennis" else name: tennis[name] for name in tennis},
    )
    run("fit", "again.csv", "--out", "again.bayes")
    error = run("predict", "again.bayes", "again.csv", "--keep", code=1).stderr
    assert "['prediction']" in error and "--keep" in error


def test_a_file_has_what_stdout_would_have(run, folder, model):
    assert run("predict", model, "new.csv", "--out", "answers.csv").stdout == ""
    assert (folder / "answers.csv").read_text() == run("predict", model, "new.csv").stdout


def test_a_file_is_whole_or_as_it_was(run, folder, write, model, tennis):
    (folder / "answers.csv").write_text("precious")
    write("again.csv", tennis | {"P(No)": [1] * 14})
    run("fit", "again.csv", "--target", "PlayTennis", "--out", "again.bayes")
    before = sorted(path.name for path in folder.iterdir())
    run("predict", "again.bayes", "again.csv", "--keep", "--out", "answers.csv", code=1)
    assert (folder / "answers.csv").read_text() == "precious"
    assert sorted(path.name for path in folder.iterdir()) == before


def test_an_output_that_is_a_folder_or_in_none_is_refused(run, model):
    assert "folder" in run("predict", model, "new.csv", "--out", ".", code=1).stderr
    assert "no folder" in run("predict", model, "new.csv", "--out", "no/such.csv", code=1).stderr


def test_a_missing_column_is_a_note_and_an_unknown_one_an_error(run, write, model, tennis):
    write("less.csv", {"Wind": tennis["Wind"], "Outlook": tennis["Outlook"]})
    result = run("predict", model, "less.csv")
    assert result.stderr.startswith("note: The table has no column(s) ['Temperature', 'Humidity']")
    assert len(result.stderr.splitlines()) == 1
    write("other.csv", {"Rain": ["yes"]})
    assert "Rain" in run("predict", model, "other.csv", code=1).stderr


# thresholds and the most probable classes ---------------------------------------------------------


def posterior_of(row):
    return {name: float(cell) for name, cell in row.items() if name.startswith("P(")}


def test_a_class_is_answered_only_from_its_threshold_on(run, model):
    free = rows_of(run("predict", model, "new.csv").stdout)
    assert [row["prediction"] for row in free] == ["No", "Yes"]
    least = float(free[0]["P(No)"])
    for threshold, answers in ((least, ["No", "Yes"]), (least + 1e-9, ["Yes", "Yes"])):
        told = run("predict", model, "new.csv", "--threshold", f"No={threshold!r}").stdout
        rows = rows_of(told)
        assert [row["prediction"] for row in rows] == answers
        assert [posterior_of(row) for row in rows] == [posterior_of(row) for row in free]


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("--threshold", "Maybe=0.5"), 1, "one of the classes No, Yes, got 'Maybe'"),
        (("--threshold", "No=1.5"), 1, "from 0 to 1, got 1.5"),
        (("--threshold", "No=high"), 2, "must give a number"),
        (("--threshold", "No"), 2, "spam=0.99"),
        (("--threshold", "No=0.5", "--threshold", "Yes=0.5"), 1, "must have no threshold"),
        (("--threshold", "No=0.5", "--reject", "0.1"), 2, "give one of them"),
        (("--top", "0"), 2, "--top"),
    ],
)
def test_thresholds_that_make_no_sense_are_refused(run, model, words, code, message):
    result = run("predict", model, "new.csv", *words, code=code)
    assert message in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize("number", [1, 2, 9])
def test_the_most_probable_classes_come_first(run, number, folder):
    labels = ["ham", "news", "spam"]
    model = by.TextClassifier().fit(["rain lunch", "rain today", "free money"], labels)
    model.save("three.bayes")
    told = run("predict", "three.bayes", "--text", "rain today", "--top", number, "--json").stdout
    (row,) = json.loads(told)
    posterior = dict(zip(labels, model.predict_proba(["rain today"])[0].tolist(), strict=True))
    best = sorted(posterior, key=posterior.get, reverse=True)[:number]
    assert [row[f"class {place}"] for place in range(1, len(best) + 1)] == best
    shown = [row[f"P(class {place})"] for place in range(1, len(best) + 1)]
    assert shown == [posterior[label] for label in best]
    assert len(row) == 2 + 2 * len(best)


FORMULAS = ["=HYPERLINK(1)", "+cmd", "-cmd", "@SUM(1)", "\tcmd", "＝1", "-1-1", "=", "-"]
HARMLESS = ["-1.5", "+3", "-.5e-3", "rain", "'=1", "a=b", "", "1e5", "雨"]


@pytest.fixture
def sheet(run, folder):
    """A model and a table whose column, cells and classes are formulas to a spreadsheet."""
    texts = [*FORMULAS, *HARMLESS]
    table = {"=sky": texts, "wind": [-1.5] * len(texts), "go": ["=yes", "no"] * 9}
    pd.DataFrame(table).to_csv(folder / "sheet.csv", index=False)
    columns = ["--columns", "=sky=categorical", "--columns", "wind=gaussian"]
    run("fit", "sheet.csv", "--target", "go", *columns, "--out", "sheet.bayes")
    return table


def test_no_text_for_a_spreadsheet_is_a_formula_and_numbers_stay(run, sheet):
    asked = ["predict", "sheet.bayes", "sheet.csv", "--keep"]
    plain = list(csv.reader(io.StringIO(run(*asked).stdout, newline="")))
    safe = list(csv.reader(io.StringIO(run(*asked, "--for-spreadsheets").stdout, newline="")))
    assert plain[0][0] == "=sky"  # for programs, which read it
    assert safe[0][0] == "'=sky"
    assert [row[0] for row in plain[1:]] == sheet["=sky"]
    assert [row[0] for row in safe[1:]] == [f"'{text}" for text in FORMULAS] + HARMLESS
    assert {row[1] for row in safe[1:]} == {"-1.5"}
    given = plain[0].index("prediction")
    assert {row[given] for row in safe[1:]} == {"'=yes", "no"}
    assert [row[given + 1 :] for row in safe] == [row[given + 1 :] for row in plain]


@pytest.mark.parametrize("cell", ["\rcmd", "\ncmd", "-1.5\n", "+١", "-1e", "-inf"])
def test_what_is_no_plain_number_gets_an_apostrophe(cell):
    assert without_formula(cell) == f"'{cell}"


def test_texts_for_a_spreadsheet_are_csv_and_json_is_none(run, folder):
    lines = "=free money,spam\n-lunch today,ham\n"
    (folder / "mails.csv").write_text("body,kind\n" + lines)
    run("fit", "mails.csv", "--text", "body", "--target", "kind", "--out", "mails.bayes")
    found = run("predict", "mails.bayes", "--text", "=free", "--for-spreadsheets").stdout
    assert found.startswith("row,prediction,")
    refused = run("predict", "mails.bayes", "--text", "x", "--for-spreadsheets", "--json", code=2)
    assert "--json writes none" in refused.stderr


def test_a_model_of_a_named_series_is_asked_about_the_table_it_was_learned_from(run, tmp_path):
    table = pd.DataFrame(by.datasets.play_tennis().to_dict())
    table.to_csv(tmp_path / "days.csv", index=False)
    days, play = table.drop(columns="PlayTennis"), table["PlayTennis"]
    model = by.NaiveBayes().fit(days, play)
    model.save(tmp_path / "series.bayes")
    rows = rows_of(run("predict", tmp_path / "series.bayes", tmp_path / "days.csv").stdout)
    assert [row["prediction"] for row in rows] == model.predict(days).tolist()
    assert "14 rows" in run("evaluate", tmp_path / "series.bayes", tmp_path / "days.csv").stdout
