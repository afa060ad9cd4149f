"""`bayesic explain`, `show` and `demo`: what the model knows, and why."""

import json
from fractions import Fraction

import numpy as np
import pytest

import bayesic as by
from bayesic.estimation.information import telling

DAY = {"Outlook": "Sunny", "Temperature": "Cool", "Humidity": "High", "Wind": "Strong"}


def test_reasons_are_those_of_the_library(run, model):
    assert run("explain", model, "new.csv").stdout == f"{by.load(model).explain(DAY)}\n"
    told = json.loads(run("explain", model, "new.csv", "--json").stdout)
    assert told == {"row": 0, **by.load(model).explain(DAY).to_dict()}


def test_the_work_is_that_of_the_textbook(run):
    run("fit", "tennis.csv", "--out", "tennis.bayes", "--smoothing", "0")
    text = run("explain", "tennis.bayes", "new.csv", "--row", "0", "--work").stdout
    assert "9/14·2/9·3/9·3/9·3/9 = 1/189" in text
    assert "P(Yes|x) = 125/611 = 0.2046" in text


def test_a_cell_that_is_empty_has_no_factor(run, model):
    text = run("explain", model, "new.csv", "--row", "1", "--work").stdout
    assert "P(Overcast|Yes)·P(Normal|Yes)·P(Weak|Yes)" in text


def test_a_column_of_numbers_is_explained_from_text(run, write):
    table = {"size": [1.5, 2.5, 7.25, 8.0], "label": [1, 1, 2, 3]}
    write("size.csv", table)
    run("fit", "size.csv", "--out", "size.bayes", "--numeric", "gaussian")
    told = json.loads(run("explain", "size.bayes", "size.csv", "--against", "2", "--json").stdout)
    expected = by.load("size.bayes").explain({"size": 1.5}, against=2).to_dict()
    assert told == {"row": 0, **expected}


def test_a_row_or_class_that_is_not_there_is_refused(run, model):
    assert "from 0 to 1" in run("explain", model, "new.csv", "--row", "2", code=1).stderr
    assert "'Perhaps'" in run("explain", model, "new.csv", "--against", "Perhaps", code=1).stderr
    run("explain", model, "new.csv", "--row", "-1", code=2)


def test_a_class_is_explained_by_name_and_the_strongest_columns_alone(run, model):
    why = by.load(model).explain(DAY, answer="Yes", top=2)
    for option in ("--answer", "--class"):
        shown = run("explain", model, "new.csv", option, "Yes", "--top", "2").stdout
        assert shown == f"{why}\n"
    assert shown.startswith("Yes (") and "; predicted: No\n" in shown and "  2 others " in shown
    told = json.loads(run("explain", model, "new.csv", "--top", "1", "--json").stdout)
    assert told["others"]["number"] == 3 and len(told["weights"]) == 1


def test_an_impossible_row_says_so(run, write):
    run("fit", "tennis.csv", "--out", "plain.bayes", "--smoothing", "0")
    write("storm.csv", {name: [cell] for name, cell in {**DAY, "Wind": "Stormy"}.items()})
    shown = run("explain", "plain.bayes", "storm.csv").stdout
    assert "Impossible in every class: the odds are those of the prior." in shown
    assert "No is ruled out by Wind = Stormy." in shown
    told = json.loads(run("explain", "plain.bayes", "storm.csv", "--json").stdout)
    assert told["impossible"] is True and told["weights"] == {}


def test_options_of_weights_are_refused_with_the_calculation(run, model):
    for option in (("--top", "1"), ("--answer", "Yes"), ("--against", "Yes")):
        error = run("explain", model, "new.csv", "--work", *option, code=2).stderr
        assert f"{option[0]} is about weights of evidence" in error
    run("explain", model, "new.csv", "--top", "0", code=2)
    assert "'Perhaps'" in run("explain", model, "new.csv", "--answer", "Perhaps", code=1).stderr


# show -------------------------------------------------------------------------------------------


def test_show_tells_classes_columns_and_parameters(run, model):
    told = json.loads(run("show", model, "--json").stdout)
    assert told["classes"] == [
        {"class": "No", "rows": 5, "prior": float(Fraction(6, 16))},
        {"class": "Yes", "rows": 9, "prior": float(Fraction(10, 16))},
    ]
    assert [column["name"] for column in told["columns"]] == list(DAY)
    assert told["parameters"]["smoothing"] == 1.0
    text = run("show", model).stdout
    for word in ("PlayTennis", "No", "Yes", *DAY, "categorical", "0.3750"):
        assert word in text


def test_one_column_in_full_has_counts_and_shares(run, model):
    told = json.loads(run("show", model, "--column", "Outlook", "--json").stdout)
    overcast = told["values"][0]
    assert overcast["value"] == "Overcast"
    assert overcast["counts"] == {"No": 0, "Yes": 4}
    assert overcast["shares"]["No"] == pytest.approx(float(Fraction(1, 8)), rel=1e-12)
    assert overcast["shares"]["Yes"] == pytest.approx(float(Fraction(5, 12)), rel=1e-12)
    overall = Fraction(6, 16) * Fraction(1, 8) + Fraction(10, 16) * Fraction(5, 12)
    assert overcast["factor"] == pytest.approx(float(Fraction(5, 12) / overall), rel=1e-12)
    assert overcast["speaks_for"] == "Yes"
    assert "0.4167" in run("show", model, "--column", "Outlook").stdout


def test_what_the_values_tell_adds_up_to_the_mutual_information():
    joint = np.array([[3, 2], [0, 4], [2, 3]]) / 14  # Outlook and PlayTennis, unsmoothed
    prior = joint.sum(axis=0)
    information, _, _ = telling(joint / prior, prior)
    terms = [
        p * np.log2(p / (joint[row].sum() * prior[column]))
        for (row, column), p in np.ndenumerate(joint)
        if p > 0
    ]
    assert information.sum() == pytest.approx(sum(terms), rel=1e-12)
    assert information.sum() == pytest.approx(0.247, abs=5e-4)  # [Mitchell] section 3.4.1.2: Gain


def test_every_kind_of_column_is_shown(run, write):
    numbers = np.arange(1.0, 21.0)
    table = {
        "gauss": numbers,
        "density": numbers,
        "bins": numbers,
        "count": numbers.astype(int),
        "flag": [0, 1] * 10,
        "text": ["free lunch", "rain"] * 10,
        "same": ["fog"] * 20,
        "label": ["ham"] * 10 + ["spam"] * 10,
    }
    write("mail.csv", table)
    kinds = {"gauss": "gaussian", "density": "kernel", "bins": "binned", "count": "poisson"}
    kinds |= {"flag": "bernoulli", "text": "text", "same": "categorical"}
    options = [word for name, kind in kinds.items() for word in ("--columns", f"{name}={kind}")]
    run("fit", "mail.csv", "--out", "mail.bayes", *options)
    text = run("show", "mail.bayes").stdout
    assert "2 bins: <10.5 → ham" in text
    assert "says nothing" in text
    for name, kind in kinds.items():
        told = json.loads(run("show", "mail.bayes", "--column", name, "--json").stdout)
        assert (told["name"], told["kind"]) == (name, kind)
        assert name in run("show", "mail.bayes", "--column", name).stdout
    told = json.loads(run("show", "mail.bayes", "--column", "gauss", "--json").stdout)
    assert [part["mean"] for part in told["classes"]] == pytest.approx([5.5, 15.5])


def test_an_unknown_column_is_an_error_that_names_the_known_ones(run, model):
    error = run("show", model, "--column", "Rain", code=1).stderr
    assert "Rain" in error and "Outlook" in error


def test_a_model_that_does_not_learn_tables_is_refused(run):
    by.GaussianNB().fit([[1.0], [2.0]], ["rain", "sun"]).save("numbers.bayes")
    assert "holds a GaussianNB" in run("show", "numbers.bayes", code=1).stderr


def test_a_model_of_the_joint_table_sums_it_over_all_other_columns(run, tennis):
    by.JointBayes().fit(tennis, y="PlayTennis").save("joint.bayes")
    assert "28 rows" in run("update", "joint.bayes", "tennis.csv").stdout
    told = json.loads(run("show", "joint.bayes", "--json").stdout)
    assert [column["kind"] for column in told["columns"]] == ["categorical"] * 4
    wind = json.loads(run("show", "joint.bayes", "--column", "Wind", "--json").stdout)
    weak = wind["values"][1]
    assert (weak["value"], weak["counts"]) == ("Weak", {"No": 4, "Yes": 12})
    n_others = 3 * 3 * 2  # combinations of the other columns, each with one row more
    expected = Fraction(12 + n_others, 18 + 2 * n_others)
    assert weak["shares"]["Yes"] == pytest.approx(float(expected), rel=1e-12)


def test_a_model_that_was_saved_in_python_without_names_is_shown(run):
    by.NaiveBayes().fit([(2, "S"), (1, "M")], [1, -1]).save("python.bayes")
    assert "x1" in run("show", "python.bayes").stdout


def test_chinese_tables_stand_in_line_and_names_are_no_commands(run, write):
    table = {
        "天空[bold]": ["晴", "雨", "晴"],
        "wind": ["弱", "强", "弱"],
        "打球": ["是", "否", "是"],
    }
    write("天气.csv", table)
    run("fit", "天气.csv", "--out", "天气.bayes")
    lines = run("show", "天气.bayes").stdout.splitlines()
    header, first, second = (
        next(line for line in lines if line.startswith(start))
        for start in ("column", "天空[bold]", "wind")
    )
    wide = sum(character > "⺀" for character in first.partition("categorical")[0])
    assert first.index("categorical") + wide == second.index("categorical") == header.index("kind")
    assert "晴 → 是" in first


# demo -------------------------------------------------------------------------------------------


def test_the_demo_tells_the_story_of_the_textbook(run):
    text = run("demo").stdout
    for part in ("= 18/875", "= 1/189", "P(No|x) = 486/611", "rather than Yes", "stay", "Forget"):
        assert part in text
    told = json.loads(run("demo", "--json").stdout)
    assert told["probability"] == pytest.approx(float(Fraction(486, 611)), rel=1e-12)
    assert told["risk"] == pytest.approx(float(Fraction(125, 611)), rel=1e-12)
