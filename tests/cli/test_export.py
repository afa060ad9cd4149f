"""`bayesic export`: the SQL and the ONNX graphs of the library, in files or on stdout."""

import json

import duckdb
import pytest

import bayesic as by


def test_the_sql_is_that_of_the_library(run, model):
    written = run("export", model, "--sql", "--table", "days", "--keep", "day").stdout
    assert written == by.to_sql(by.load(model), "days", keep="day") + "\n"


def test_a_file_is_written_and_answers_a_table(run, folder, model):
    words = ["--sql", "--table", "new.csv", "--out", "answers.sql"]
    told = run("export", model, *words).stdout
    assert told == "answers.sql: P(No), P(Yes) of every row of new.csv, for duckdb.\n"
    found = duckdb.execute((folder / "answers.sql").read_text()).fetchall()
    expected = by.load(model).predict_proba("new.csv")
    assert found == [pytest.approx(row, abs=1e-12) for row in expected.tolist()]


def test_costs_bring_an_action(run, folder, model):
    words = ["--sql", "--table", "new.csv", "--loss", "loss.json", "--reject", "0.5", "--json"]
    told = json.loads(run("export", model, *words).stdout)
    assert told["columns"] == ["P(No)", "P(Yes)", "action", "risk"]
    loss = {"play": {"Yes": 0, "No": 5}, "stay": {"Yes": 1, "No": 0}}
    expected = by.BayesDecision(by.load(model), loss, 0.5).predict("new.csv").tolist()
    assert [row[2] for row in duckdb.execute(told["sql"]).fetchall()] == expected


def test_a_decision_and_a_calibrated_model_can_be_in_the_file(run, folder, tennis):
    inside = by.calibrated(by.NaiveBayes()).fit(tennis, y="PlayTennis")
    decision = by.BayesDecision(inside, reject_loss=0.3)
    decision.save("decision.bayes")
    written = run("export", "decision.bayes", "--sql", "--table", "days", "--dialect", "sqlite")
    assert written.stdout == by.to_sql(decision, "days", "sqlite") + "\n"


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (("--table", "days"), 2, "Say what to write: --sql, or --onnx FILE."),
        (("--sql", "--table", "days", "--onnx", "x.onnx"), 2, "Say what to write"),
        (("--onnx", "x.onnx", "--out", "x.sql"), 2, "--out is for --sql, not for --onnx"),
        (("--sql", "--table", "days", "--missing", "?"), 2, "--missing is for --onnx"),
        (("--onnx", "x.onnx", "--missing", "Sunny"), 1, "such as --missing '<missing>'"),
        (("--sql",), 2, "give its name with --table"),
        (("--sql", "--table", "days", "--dialect", "oracle"), 2, "duckdb"),
        (("--sql", "--table", "days", "--keep", "P(No)"), 1, "Rename them"),
    ],
)
def test_what_is_missing_is_told(run, model, words, code, sentence):
    assert sentence in run("export", model, *words, code=code).stderr


def test_a_file_for_onnx_is_written(run, folder, model):
    told = run("export", model, "--onnx", "tennis.onnx").stdout
    assert told == (
        "tennis.onnx: label, probabilities from Outlook, Temperature, Humidity, Wind.\n"
    )
    expected = by.to_onnx(by.load(model)).SerializeToString()
    assert (folder / "tennis.onnx").read_bytes() == expected


def test_options_of_onnx_are_those_of_the_library(run, folder, model):
    words = ["--onnx", "t.onnx", "--loss", "loss.json", "--dtype", "float32", "--missing", "?"]
    told = json.loads(run("export", model, *words, "--json").stdout)
    assert told["outputs"] == ["label", "probabilities", "risk"]
    loss = {"play": {"Yes": 0, "No": 5}, "stay": {"Yes": 1, "No": 0}}
    expected = by.to_onnx(by.BayesDecision(by.load(model), loss), "float32", "?")
    assert (folder / "t.onnx").read_bytes() == expected.SerializeToString()


def test_advice_is_spelt_as_options(run, write):
    write("notes.csv", {"note": ["rain today", "sun today"], "sky": ["rain", "sun"]})
    run("fit", "notes.csv", "--target", "sky", "--columns", "note=text", "--out", "notes.bayes")
    told = run("export", "notes.bayes", "--sql", "--table", "notes", code=1).stderr
    assert "--columns note=ignore" in told
