"""`bayesic evaluate`: the ways to hold rows out, and all the numbers that come of it."""

import json

import numpy as np
import pytest
from sklearn import metrics
from sklearn.model_selection import StratifiedKFold, cross_val_predict

import bayesic as by


@pytest.fixture
def mail():
    """200 rows of numbers and words, with labels that are numbers; some cells are empty."""
    rng = np.random.default_rng(3)
    label = rng.integers(1, 4, 200)
    word = np.array(["free", "rain", "goal"])[np.where(rng.random(200) < 0.6, label - 1, 0)]
    return {
        "length": (label * 2 + rng.normal(0, 1, 200)).round(3).tolist(),
        "word": [None if number % 17 == 0 else str(w) for number, w in enumerate(word)],
        "label": label.tolist(),
    }


def report(run, *words):
    return json.loads(run("evaluate", *words, "--json").stdout)


def assert_scores(told, labels, posterior):
    """The numbers of a report, next to those of scikit-learn."""
    assert told["rows"] == len(labels)
    assert told["log_loss"] == pytest.approx(metrics.log_loss(labels, posterior), rel=1e-9)
    answer = np.unique(labels)[posterior.argmax(axis=1)]
    assert told["accuracy"] == pytest.approx(metrics.accuracy_score(labels, answer))


def test_a_model_is_tried_on_another_table(run, write, mail):
    parts = [
        {name: cells[half] for name, cells in mail.items()}
        for half in (slice(120), slice(120, None))
    ]
    write("train.csv", parts[0])
    write("test.csv", parts[1])
    run("fit", "train.csv", "--out", "mail.bayes")
    posterior = by.NaiveBayes().fit(parts[0], y="label").predict_proba(parts[1])
    told = report(run, "mail.bayes", "test.csv")
    assert_scores(told, parts[1]["label"], posterior)
    assert report(run, "train.csv", "test.csv", "--target", "label") | {"how": ""} == told | {
        "how": ""
    }


def test_folds_are_those_of_scikit_learn(run, write, mail):
    write("mail.csv", mail)
    X, y = np.column_stack([mail["length"], mail["word"]]).astype(object), np.array(mail["label"])
    folds = StratifiedKFold(4, shuffle=True, random_state=5)
    table = by.NaiveBayes(columns={"x0": "gaussian"})
    posterior = cross_val_predict(table, X, y, cv=folds, method="predict_proba")
    told = report(
        run,
        *("mail.csv", "--target", "label", "--cv", "4", "--seed", "5"),
        *("--columns", "length=gaussian"),
    )
    assert_scores(told, y, posterior)


def test_without_a_way_it_is_ten_folds(run, write, mail):
    write("mail.csv", mail)
    told = report(run, "mail.csv")
    assert told["how"].startswith("10-fold cross validation")
    assert told == report(run, "mail.csv", "--cv", "10")


def test_leave_one_out_is_that_of_the_model(run, write, mail):
    write("mail.csv", mail)
    model = by.NaiveBayes().fit(mail, y="label")
    told = report(run, "mail.csv", "--leave-one-out")
    assert_scores(told, mail["label"], model.leave_one_out(mail, y="label"))
    run("fit", "mail.csv", "--out", "mail.bayes")
    assert report(run, "mail.bayes", "mail.csv", "--leave-one-out") == told


def test_a_share_of_the_rows_is_held_out(run, write, mail):
    write("mail.csv", mail)
    told = report(run, "mail.csv", "--share", "0.3")
    assert told["rows"] == 60
    assert told == report(run, "mail.csv", "--share", "0.3", "--seed", "0")
    assert told != report(run, "mail.csv", "--share", "0.3", "--seed", "1")


def test_a_class_with_fewer_rows_than_folds_is_no_error(run, write, tennis):
    write("rare.csv", tennis | {"PlayTennis": [*tennis["PlayTennis"][:-1], "Maybe"]})
    result = run("evaluate", "rare.csv", "--cv", "3", "--json")
    assert "least populated class" in result.stderr
    assert np.isfinite(json.loads(result.stdout)["log_loss"])


def test_a_class_that_was_never_learned_makes_the_log_loss_infinite(run, write, tennis, model):
    write("maybe.csv", tennis | {"PlayTennis": ["Maybe"] * 14})
    told = report(run, model, "maybe.csv")
    assert told["log_loss"] == "inf"
    assert told["accuracy"] == 0


@pytest.mark.parametrize("loss", ["loss.json", "loss.csv"])
def test_the_expected_cost_is_that_of_the_library(run, model, tennis, loss):
    costs = {"play": {"Yes": 0, "No": 5}, "stay": {"Yes": 1, "No": 0}}
    told = report(run, model, "tennis.csv", "--loss", loss, "--reject", "0.3")
    decision = by.BayesDecision(by.load(model), costs, 0.3)
    assert told["expected_cost"] == -decision.score(tennis, tennis["PlayTennis"])
    assert sum(told["actions"].values()) == 14


def test_tables_show_all_numbers_of_the_json(run, model):
    words = ("evaluate", model, "tennis.csv", "--loss", "loss.json")
    told, text = json.loads(run(*words, "--json").stdout), run(*words).stdout
    for name in ("accuracy", "log_loss", "brier_score", "expected_calibration_error"):
        assert f"{told[name]:.4f}" in text
    for name in ("expected_cost", "zero_one_cost", "constant_cost"):
        assert f"{told[name]:.4f}" in text
    for title in ("Scores", "Classes", "Calibration", "Confusion", "Actions", "Worst"):
        assert title in text.splitlines()
    for part in told["classes"]:
        assert f"{part['mean_probability']:.4f}" in text
        assert f"{part['f1']:.4f}" in text


def test_the_report_is_that_of_the_library(run, model, tennis):
    ours = by.evaluate(by.load(model), tennis, cv="leave-one-out", worst=3).to_dict()
    told = report(run, model, "tennis.csv", "--leave-one-out", "--worst", "3")
    assert told == ours | {"how": "leave-one-out on tennis.csv"}
    folds = by.evaluate(by.NaiveBayes(), tennis, "PlayTennis", cv=4, seed=7).to_dict()
    told = report(run, "tennis.csv", "--cv", "4", "--seed", "7")
    assert told == folds | {"how": "4-fold cross validation on tennis.csv"}


def test_the_worst_rows_have_the_numbers_that_explain_takes(run, model, tennis):
    told = report(run, model, "tennis.csv", "--worst", "2")
    assert len(told["worst"]) == 2
    for row in told["worst"]:
        assert row["truth"] == tennis["PlayTennis"][row["row"]]
        words = ("explain", model, "tennis.csv", "--row", row["row"], "--json")
        probability = json.loads(run(*words).stdout)["probability"]
        assert row["probability"] == pytest.approx(probability[row["truth"]])
    assert "Worst" not in run("evaluate", model, "tennis.csv", "--worst", "0").stdout


def test_rows_that_were_held_for_impossible_are_told(run, write, tennis, model):
    write("maybe.csv", tennis | {"PlayTennis": [*tennis["PlayTennis"][:-1], "Maybe"]})
    text = run("evaluate", model, "maybe.csv").stdout
    assert "1 row has a true class with probability 0, so the log loss is infinite" in text
    assert report(run, model, "maybe.csv")["impossible_rows"] == 1


def test_more_folds_than_rows_of_a_class_are_refused(run):
    message = run("evaluate", "tennis.csv", "--cv", "10", code=1).stderr
    assert "--cv must be at most 9" in message
    assert "--leave-one-out" in message


def test_probabilities_that_are_nan_are_refused(run, model, monkeypatch):
    def nothing(self, X):
        return np.full((14, 2), np.nan)

    monkeypatch.setattr(by.NaiveBayes, "predict_proba", nothing)
    assert "are NaN, first in row 0" in run("evaluate", model, "tennis.csv", code=1).stderr


def test_a_singular_covariance_in_a_fold_is_refused_with_a_way_out(run, write):
    write("same.csv", {"x": [1, 2, 3, 4] * 3, "y": [1, 2, 3, 4] * 3, "label": ["ham", "spam"] * 6})
    words = ("evaluate", "same.csv", "--model", "qda", "--cv", "2")
    assert "--shrinkage 0.1" in run(*words, code=1).stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("tennis.bayes",), "MODEL TABLE"),
        (("tennis.bayes", "tennis.csv", "--cv", "5"), "fit new models"),
        (("tennis.bayes", "tennis.csv", "--smoothing", "2"), "is already fitted"),
        (("tennis.csv", "--cv", "5", "--share", "0.5"), "Give one of"),
        (("tennis.csv", "tennis.csv", "--leave-one-out"), "two tables"),
        (("tennis.csv", "--cv", "1"), "--cv"),
        (("tennis.csv", "--share", "1"), "--share"),
    ],
)
def test_arguments_that_contradict_each_other_are_usage_errors(run, model, words, message):
    assert message in run("evaluate", *words, code=2).stderr
