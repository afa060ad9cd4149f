"""The report: what cannot be divided, what was impossible, costs, worst rows, and its shapes."""

import json
import math
import re
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import BaseEstimator, ClassifierMixin

import bayesic as by

CREDIT = {"approve": {"good": 0, "bad": 5}, "decline": {"good": 1, "bad": 0}}


class Told(ClassifierMixin, BaseEstimator):
    """A classifier whose rows are the probabilities themselves."""

    def __init__(self, classes):
        self.classes_ = np.array(classes)

    def predict_proba(self, X):
        return np.asarray(X)


def told(posterior, y, classes=("bad", "good"), **options):
    return by.evaluate(Told(classes), posterior, y, **options)


def as_json(evaluation):
    return json.loads(json.dumps(evaluation.to_dict(), allow_nan=False))


# what the model does not know, and what it holds for impossible ---------------------------------


def test_a_class_that_the_model_does_not_know_had_probability_zero():
    evaluation = told([[0.75, 0.25], [0.5, 0.5]], ["ham", "news"], ["ham", "spam"])
    assert evaluation.classes == ("ham", "spam", "news")
    assert evaluation.confusion.tolist() == [[1, 0, 0], [0, 0, 0], [1, 0, 0]]
    assert evaluation.log_loss == math.inf
    assert evaluation.worst[0] == (1, "news", "ham", 0.0)


def test_a_label_that_is_never_answered_and_a_class_without_rows_have_no_share():
    bad, good = told([[0.25, 0.75], [0.25, 0.75]], ["good", "good"]).class_scores
    assert (good.precision, good.recall, good.f1, good.n_rows) == (1, 1, 1, 2)
    assert bad.n_rows == 0
    assert np.isnan([bad.precision, bad.recall, bad.f1]).all()
    never = told([[0.25, 0.75], [0.25, 0.75]], ["good", "bad"]).class_scores[0]
    assert math.isnan(never.precision)
    assert (never.recall, never.f1) == (0, 0)


def test_rows_held_for_impossible_are_counted_and_told():
    evaluation = told([[1, 0], [0.75, 0.25], [0, 1]], ["good", "bad", "bad"])
    assert (evaluation.log_loss, evaluation.n_impossible) == (math.inf, 2)
    assert evaluation.log_loss_of_others == pytest.approx(-math.log(0.75))
    sentence = (
        "2 rows have a true class with probability 0, so the log loss is infinite; over the other "
        "rows it is 0.2877."
    )
    assert sentence in str(evaluation).splitlines()
    assert sentence in evaluation._repr_html_()
    plain = as_json(evaluation)
    assert (plain["log_loss"], plain["impossible_rows"]) == ("inf", 2)


def test_where_every_row_is_impossible_no_number_is_nan():
    evaluation = told([[1.0, 0.0]], ["good"])
    assert "infinite." in str(evaluation)
    plain = as_json(evaluation)
    assert (plain["log_loss"], plain["log_loss_of_others"]) == ("inf", None)
    assert (evaluation.accuracy, evaluation.brier_score) == (0, 2)


def test_probabilities_that_are_nan_are_refused():
    with pytest.raises(ValueError, match="of 1 of 2 rows are NaN, first in row 1"):
        told([[0.5, 0.5], [np.nan, np.nan]], ["good", "bad"])


@pytest.mark.parametrize("posterior", [[[0.5, 0.75]], [[1.5, -0.5]]])
def test_what_is_no_probability_is_refused(posterior):
    with pytest.raises(ValueError, match="probabilities that sum to 1"):
        told(posterior, ["good"])


def test_labels_of_another_kind_are_refused():
    with pytest.raises(TypeError, match=r"same type.*\['0', '1'\].*\[0, 1\]"):
        told([[0.5, 0.5]] * 2, ["0", "1"], [0, 1])


@pytest.mark.parametrize("y", [["good"], ["good", None], []])
def test_labels_that_do_not_fit_are_refused(y):
    with pytest.raises(ValueError, match=r"row|label"):
        told([[0.5, 0.5]] * 2, y)


# costs ------------------------------------------------------------------------------------------

POSTERIOR = [[0.25, 0.75], [0.125, 0.875], [0.0625, 0.9375], [0.5, 0.5]]
TRUTH = ["bad", "good", "good", "good"]


def test_costs_are_exact_fractions():
    # approve where 5 P(bad) < P(good): rows 1 and 2; the other two are declined
    cost = told(POSTERIOR, TRUTH, loss=CREDIT).cost
    assert cost.expected_cost == Fraction(0 + 0 + 0 + 1, 4)
    # taken for certain: row 3 is a tie, and goes to the first class, bad
    assert cost.zero_one_cost == Fraction(5 + 0 + 0 + 1, 4)
    assert (cost.constant_action, cost.constant_cost) == ("decline", Fraction(3, 4))
    assert cost.actions == {"approve": 2, "decline": 2}


def test_no_action_may_be_the_cheapest_of_all():
    cost = told(POSTERIOR, TRUTH, loss=CREDIT, reject_loss=0.4).cost
    assert (cost.constant_action, cost.constant_cost) == ("reject", 0.4)
    assert cost.actions == {"approve": 1, "reject": 3}  # 5/8 and 7/8 are more than 0.4
    assert cost.expected_cost == pytest.approx(3 * 0.4 / 4)


def test_a_decision_brings_its_loss_along():
    model = by.GaussianNB().fit([[0.0], [1.0], [4.0], [5.0]], ["bad", "bad", "good", "good"])
    decision = by.BayesDecision(model, CREDIT, reject_loss=0.25)
    rows, truth = [[0.0], [2.6], [5.0]], ["bad", "bad", "good"]
    ours = by.evaluate(decision, rows, truth)
    assert ours.cost.expected_cost == -decision.score(rows, truth)
    plain = by.evaluate(model, rows, truth, loss=CREDIT, reject_loss=0.25)
    assert ours.to_dict() == plain.to_dict()
    cheap = by.evaluate(decision, rows, truth, loss=[[0, 1], [1, 0]])
    assert "reject" not in cheap.cost.actions


def test_without_a_loss_there_are_no_costs():
    evaluation = told(POSTERIOR, TRUTH)
    assert evaluation.cost is None
    assert "cost" not in str(evaluation)
    assert "expected_cost" not in evaluation.to_dict()


shares = st.lists(st.integers(1, 9), min_size=2, max_size=2)


@given(st.lists(st.tuples(shares, st.booleans()), min_size=1, max_size=8))
def test_if_mistakes_cost_one_the_cost_is_the_share_of_mistakes(rows):
    posterior = [
        [first / (first + second), second / (first + second)] for (first, second), _ in rows
    ]
    truth = ["good" if is_good else "bad" for _, is_good in rows]
    evaluation = told(posterior, truth, loss=[[0, 1], [1, 0]])
    assert evaluation.cost.zero_one_cost == pytest.approx(1 - evaluation.accuracy)
    assert evaluation.cost.expected_cost == pytest.approx(1 - evaluation.accuracy)
    most = max(truth.count("good"), truth.count("bad"))
    assert evaluation.cost.constant_cost == pytest.approx(1 - most / len(truth))


# worst rows -------------------------------------------------------------------------------------


@given(st.lists(st.tuples(shares, st.booleans()), min_size=1, max_size=8), st.integers(0, 9))
def test_the_worst_rows_are_those_of_least_probability_of_the_truth(rows, n):
    posterior = [
        [first / (first + second), second / (first + second)] for (first, second), _ in rows
    ]
    truth = [int(is_good) for _, is_good in rows]
    names = ["bad", "good"]
    worst = told(posterior, [names[code] for code in truth], worst=n).worst
    expected = sorted((posterior[row][code], row) for row, code in enumerate(truth))
    assert [(row.probability, row.row) for row in worst] == expected[:n]
    assert all(row.truth == names[truth[row.row]] for row in worst)
    assert all(row.answer == names[int(np.argmax(posterior[row.row]))] for row in worst)


def test_the_number_of_a_row_is_that_of_the_table_not_of_the_fold():
    days = by.datasets.play_tennis().to_dict()
    rows = {name: cells for name, cells in days.items() if name != "PlayTennis"}
    evaluation = by.evaluate(by.NaiveBayes(), days, "PlayTennis", cv=[(range(10), [12, 10])])
    model = by.NaiveBayes().fit(
        {name: cells[:10] for name, cells in rows.items()}, days["PlayTennis"][:10]
    )
    for row in evaluation.worst:
        asked = {name: [cells[row.row]] for name, cells in rows.items()}
        (expected,) = model.predict_proba(asked)
        assert row.truth == days["PlayTennis"][row.row]
        assert row.probability == pytest.approx(expected[list(model.classes_).index(row.truth)])
    with pytest.raises(ValueError, match="worst must be a whole number of 0 or more"):
        told(POSTERIOR, TRUTH, worst=-1)


# shapes -----------------------------------------------------------------------------------------


def test_all_numbers_are_printed():
    evaluation = told(POSTERIOR, TRUTH, loss=CREDIT)
    lines = str(evaluation).splitlines()
    assert lines[0] == "4 rows: answers of Told"
    for title in ("Scores", "Classes", "Calibration", "Confusion", "Actions", "Worst"):
        assert title in lines
    for name in ("accuracy", "log_loss", "brier_score", "expected_calibration_error"):
        assert f"{getattr(evaluation, name):.4f}" in str(evaluation)
    assert "  cost of always 'decline'              0.7500" in lines
    assert repr(evaluation).startswith("<Evaluation of 4 rows: answers of Told; accuracy 0.5000")


def test_chinese_names_stand_in_columns():
    evaluation = told([[0.75, 0.25], [0.25, 0.75]], ["垃圾", "正常"], ["垃圾", "正常"])
    lines = str(evaluation).splitlines()
    start = lines.index("Confusion")
    assert lines[start + 1 : start + 4] == [
        "  truth \\ answer  垃圾  正常",
        "  垃圾               1     0",
        "  正常               0     1",
    ]
    assert as_json(evaluation)["confusion"]["垃圾"] == {"垃圾": 1, "正常": 0}


def test_html_shows_the_same_and_names_are_no_tags():
    evaluation = told([[0.75, 0.25]], ["<b>spam"], ["<b>spam", "ham"])
    html = evaluation._repr_html_()
    assert "<b>spam" not in html
    assert "&lt;b&gt;spam" in html
    assert html.count("<table") == html.count("</table>") == len(evaluation.shown().tables)
    for number in re.findall(r"\d+\.\d{4}", str(evaluation)):
        assert number in html


def test_the_dict_is_plain_json():
    plain = as_json(told(POSTERIOR, TRUTH, loss=CREDIT))
    assert plain["how"] == "answers of Told"
    assert plain["rows"] == 4
    assert [part["class"] for part in plain["classes"]] == ["bad", "good"]
    assert set(plain["classes"][0]) == {
        *("class", "rows", "share", "mean_probability", "precision", "recall", "f1")
    }
    assert plain["worst"][0] == {"row": 0, "truth": "bad", "answer": "good", "probability": 0.25}
    assert plain["actions"] == {"approve": 2, "decline": 2}
    assert (plain["constant_action"], plain["constant_cost"]) == ("decline", 0.75)


@pytest.mark.parametrize("labels", [[0, 1], [False, True], [0.0, 1.0]])
def test_labels_that_are_no_words_are_plain_json_too(labels):
    classes = np.array(labels)
    plain = as_json(told([[0.75, 0.25]], classes[:1], classes, loss=[[0, 1], [1, 0]]))
    assert plain["worst"][0]["truth"] == labels[0]
    assert plain["confusion"][str(labels[0])] == {str(labels[0]): 1, str(labels[1]): 0}


def test_tables_become_data_frames():
    evaluation = told(POSTERIOR, TRUTH, loss=CREDIT, worst=1)
    frames = evaluation.to_pandas()
    assert frames["confusion"].loc["good", "bad"] == 1
    assert frames["classes"].set_index("label").loc["good", "recall"] == 2 / 3
    assert frames["worst"].to_dict("records") == [
        {"row": 0, "truth": "bad", "answer": "good", "probability": 0.25}
    ]
    assert frames["calibration"]["n_rows"].sum() == 4
    assert frames["scores"].set_index("score").loc["accuracy", "value"] == 0.5
    assert frames["actions"]["n_rows"].tolist() == [2, 2]
    assert told(POSTERIOR, TRUTH, worst=0).to_pandas()["worst"].empty
