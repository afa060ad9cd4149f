"""`--model tan|kdb|aode`: the command line gives the answers of the library."""

import csv
import io
import json
from fractions import Fraction

import numpy as np
import pytest
from sklearn.model_selection import StratifiedKFold

import bayesic as by
from bayesic.data import duckdb_files
from bayesic.data.tables import rows_at
from bayesic.evaluation.report import evaluate_posterior

MODELS = {
    "tan": by.TreeAugmentedNB,
    "kdb": by.KDependence,
    "aode": by.AveragedOneDependence,
}
FIT = ("fit", "days.csv", "--target", "play")

every_model = pytest.mark.parametrize("name", MODELS)


@pytest.fixture
def days(write):
    """days.csv with words, numbers, gaps and a Chinese name, and the same as a dict of columns."""
    rng = np.random.default_rng(7)
    play = np.arange(60) % 3 > 0
    sky = np.where(rng.random(60) < 0.3 + 0.4 * play, "sun", "rain").tolist()
    wet = np.where((np.array(sky) == "rain") ^ (rng.random(60) < 0.2), "wet", "dry").tolist()
    wet[4] = None
    table = {
        "sky": sky,
        "degrees": (10 + 12 * play + 4 * rng.standard_normal(60)).round(1).tolist(),
        "地面": wet,
        "play": np.where(play, "yes", "no").tolist(),
    }
    write("days.csv", table)
    return table


def in_python(name, table, **options):
    return MODELS[name](**options).fit(table, y="play")


def without_classes(table):
    return {column: cells for column, cells in table.items() if column != "play"}


def assert_same_answers(path, expected, table):
    loaded, X = by.load(path), without_classes(table)
    assert type(loaded) is type(expected)
    np.testing.assert_allclose(loaded.predict_proba(X), expected.predict_proba(X), rtol=1e-12)


# learning and answers ---------------------------------------------------------------------------


@every_model
@pytest.mark.parametrize("has_pyarrow", [True, False], ids=["with pyarrow", "without"])
def test_fit_learns_what_the_library_learns(run, days, name, has_pyarrow, monkeypatch):
    monkeypatch.setattr(duckdb_files, "has_pyarrow", lambda: has_pyarrow)
    told = run(*FIT, "--model", name, "-o", "m.bayes").stdout
    assert told == "m.bayes: 60 rows, 2 classes (no 20, yes 40), 3 columns.\n"
    assert_same_answers("m.bayes", in_python(name, days), days)


@pytest.mark.parametrize(
    ("name", "words", "options"),
    [
        ("tan", ("--smoothing", "m:5"), {"smoothing": ("m", 5.0)}),
        ("tan", ("--columns", "degrees=ignore"), {"columns": {"degrees": "ignore"}}),
        ("kdb", ("-k", "2", "--smoothing", "0.5"), {"k": 2, "smoothing": 0.5}),
        ("kdb", ("-k", "auto", "--smoothing", "back-off"), {"k": "auto", "smoothing": "back-off"}),
        ("aode", ("--smoothing", "back-off:2"), {"smoothing": ("back-off", 2.0)}),
        ("aode", ("-n", "2", "--prior", "uniform"), {"n": 2, "prior": "uniform"}),
        ("aode", ("--prior", "yes=0.9", "--prior", "no=0.1"), {"prior": {"yes": 0.9, "no": 0.1}}),
    ],
    ids=lambda part: " ".join(part) if isinstance(part, tuple) else None,
)
def test_options_are_arguments_of_the_model(run, days, name, words, options):
    run(*FIT, "--model", name, *words, "-o", "m.bayes")
    assert_same_answers("m.bayes", in_python(name, days, **options), days)


@every_model
def test_predict_answers_rows_with_gaps_by_name(run, days, write, name):
    run(*FIT, "--model", name, "-o", "m.bayes")
    asked = {"地面": ["wet", None], "degrees": [9.5, 30], "sky": ["rain", "sun"]}
    write("asked.csv", asked)
    rows = csv.DictReader(io.StringIO(run("predict", "m.bayes", "asked.csv").stdout))
    told = [[float(row["P(no)"]), float(row["P(yes)"])] for row in rows]
    np.testing.assert_allclose(told, in_python(name, days).predict_proba(asked))


@every_model
def test_folds_are_answered_by_models_of_the_other_folds(run, days, name):
    words = ("evaluate", "days.csv", "--target", "play", "--model", name, "--cv", 3, "--json")
    told = json.loads(run(*words).stdout)
    X, y = without_classes(days), np.array(days["play"])
    posterior = np.empty((60, 2))
    for train, test in StratifiedKFold(3, shuffle=True, random_state=0).split(y, y):
        model = MODELS[name]().fit(rows_at(X, train), y[train])
        posterior[test] = model.predict_proba(rows_at(X, test))
    theirs = evaluate_posterior(posterior, y, np.array(["no", "yes"]))
    assert told["accuracy"] == theirs.accuracy
    assert told["log_loss"] == pytest.approx(theirs.to_dict()["log_loss"])


@every_model
def test_leave_one_out_is_that_of_the_library(run, days, name):
    words = ("evaluate", "days.csv", "--target", "play", "--model", name, "--leave-one-out")
    told = json.loads(run(*words, "--json").stdout)
    posterior = in_python(name, days).leave_one_out(days, y="play")
    theirs = evaluate_posterior(posterior, np.array(days["play"]), np.array(["no", "yes"]))
    assert told["log_loss"] == pytest.approx(theirs.to_dict()["log_loss"])


# reasons and show -------------------------------------------------------------------------------


@every_model
def test_explain_gives_the_weights_of_evidence(run, days, name):
    run(*FIT, "--model", name, "-o", "m.bayes")
    told = json.loads(run("explain", "m.bayes", "days.csv", "--row", 8, "--json").stdout)
    asked = {column: cells[8] for column, cells in without_classes(days).items()}
    expected = in_python(name, days).explain(asked).to_dict()
    assert told["answer"] == expected["answer"]
    assert told["weights"] == pytest.approx(expected["weights"])


def test_the_calculation_of_a_tree_is_in_fractions(run, model):
    run("fit", "tennis.csv", "--model", "tan", "--smoothing", "0", "-o", "tan.bayes")
    told = run("explain", "tan.bayes", "new.csv", "--work").stdout
    assert by.load("tan.bayes").parents_["Humidity"] == ("Temperature",)
    # of the days without a game one is cool, and its humidity is normal: none is cool and high
    assert "P(High given Cool|No)" in told and "·0/1·" in told
    # of the three cool days with a game none is humid
    assert "·0/3·" in told
    assert Fraction(0, 3) == 0 and "x is impossible in every class" in told


@every_model
def test_show_tells_columns_values_and_what_they_depend_on(run, days, name):
    run(*FIT, "--model", name, "-o", "m.bayes")
    told = json.loads(run("show", "m.bayes", "--json").stdout)
    assert told["model"] == MODELS[name].__name__ and told["target"] == "play"
    assert [part["kind"] for part in told["columns"]] == ["categorical", "binned", "categorical"]
    expected = in_python(name, days)
    if name != "aode":
        parents = {part["name"]: tuple(part["depends_on"]) for part in told["columns"]}
        assert parents == expected.parents_
        child = next(column for column, given in parents.items() if given)
        assert f"depends on {parents[child][0]}" in run("show", "m.bayes").stdout
    column = json.loads(run("show", "m.bayes", "--column", "地面", "--json").stdout)
    pairs = list(zip(days["地面"], days["play"], strict=True))
    for part in column["values"]:
        for label, count in part["counts"].items():
            assert count == pairs.count((part["value"], label))
    bins = run("show", "m.bayes", "--column", "degrees").stdout.splitlines()
    assert bins[0].startswith("degrees: binned") and bins[1].split()[0] == "value"


def test_show_tells_of_a_column_that_was_ignored(run, days):
    run(*FIT, "--model", "tan", "--columns", "sky=ignore", "-o", "m.bayes")
    assert run("show", "m.bayes", "--column", "sky").stdout == "sky: ignore\n"


# changing ---------------------------------------------------------------------------------------


@every_model
def test_update_forget_and_merge_are_those_of_the_library(run, days, write, name):
    words = {column: cells for column, cells in days.items() if column != "degrees"}
    parts = {"first": slice(0, 40), "second": slice(40, 60)}
    for part, rows in parts.items():
        write(f"{part}.csv", {column: cells[rows] for column, cells in words.items()})
        run("fit", f"{part}.csv", "--model", name, "-o", f"{part}.bayes")
    run("update", "first.bayes", "second.csv", "-o", "updated.bayes")
    assert_same_answers("updated.bayes", in_python(name, words), words)
    run("merge", "first.bayes", "second.bayes", "-o", "merged.bayes")
    assert_same_answers("merged.bayes", in_python(name, words), words)
    told = run("forget", "merged.bayes", "second.csv").stdout
    assert told.startswith("merged.bayes: 40 rows")
    first = {column: cells[:40] for column, cells in words.items()}
    assert_same_answers("merged.bayes", in_python(name, first), words)


def test_columns_that_were_cut_differently_are_not_merged(run, folder, days, write):
    for part, rows in (("first", slice(0, 40)), ("second", slice(40, 60))):
        write(f"{part}.csv", {column: cells[rows] for column, cells in days.items()})
        run("fit", f"{part}.csv", "--model", "aode", "-o", f"{part}.bayes")
    told = run("merge", "first.bayes", "second.bayes", "-o", "merged.bayes", code=1).stderr
    assert "'degrees'" in told
    assert not (folder / "merged.bayes").exists()


# errors -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "code", "expected"),
    [
        (("tan", "--smoothing", "auto"), 2, "such as 0.5, or m:2 or back-off, for tan, got auto"),
        (("kdb", "--smoothing", "sky=2"), 2, "such as 0.5, or m:2 or back-off, for kdb, got sky=2"),
        (("tan", "-k", "2"), 2, "-k is for --model kdb, not for tan"),
        (("kdb", "-n", "2"), 2, "-n is for --model aode, not for kdb"),
        (("aode", "--numeric", "binned"), 2, "--numeric is for --model naive, not for aode"),
        (("aode", "--neighbors", "3"), 2, "--neighbors is for --model knn, not for aode"),
        (("kdb", "-k", "-1"), 1, "k must be a whole number of 0 or more"),
        (("kdb", "-k", "two"), 1, "k must be a whole number of 0 or more, or 'auto', got 'two'"),
        (("naive", "--smoothing", "back-off"), 2, "--smoothing must be a number such as 0.5"),
        (("aode", "-n", "3"), 1, "n must be 1 or 2, got 3"),
        (("tan", "--columns", "degrees=gaussian"), 1, "must be categorical or binned or ignore"),
        (("tan", "--columns", "rain=ignore"), 1, "['rain']"),
        (("tan", "--prior", "yes=1"), 1, "prior must give a probability for each class"),
    ],
    ids=lambda part: " ".join(part) if isinstance(part, tuple) else None,
)
def test_options_that_do_not_fit_are_refused(run, folder, days, words, code, expected):
    assert expected in run(*FIT, "-o", "m.bayes", "--model", *words, code=code).stderr
    assert not (folder / "m.bayes").exists()


def test_they_are_not_for_texts(run, write):
    write("mails.csv", {"body": ["free money", "lunch"], "label": ["spam", "ham"]})
    words = ("fit", "mails.csv", "--text", "body", "--target", "label", "-o", "m.bayes")
    assert "--model tan is for tables" in run(*words, "--model", "tan", code=2).stderr
    assert "-k is for models of tables" in run(*words, "-k", 1, code=2).stderr
