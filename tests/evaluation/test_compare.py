"""Fitted models side by side on the same rows: by hand, and next to scikit-learn and scipy."""

import json
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from sklearn import metrics
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import ShuffleSplit, StratifiedKFold, cross_val_predict

import bayesic as by
from bayesic.evaluation.scores import disputed, paired_difference

X, Y = load_iris(return_X_y=True)
NAMES = np.array(["setosa", "versicolor", "virginica"])[Y]
LEARN, TEST = slice(0, None, 2), slice(1, None, 2)


class Forecast:
    """A classifier that says what it was given: P(rain) of each row."""

    classes_ = np.array(["dry", "rain"])

    def __init__(self, *rain):
        self.rain = np.array(rain)

    def predict_proba(self, X):
        return np.column_stack([1 - self.rain, self.rain])


DAYS, WEATHER = [[0], [1], [2], [3]], ["rain", "rain", "dry", "rain"]
BOLD, SHY = Forecast(0.75, 0.5, 0.25, 0.25), Forecast(0.5, 0.75, 0.75, 0.75)


@pytest.fixture(scope="module")
def fitted():
    models = {
        "naive": by.GaussianNB(),
        "tied": by.GaussianBayes("tied"),
        "theirs": LogisticRegression(max_iter=1000),
    }
    return {name: model.fit(X[LEARN], NAMES[LEARN]) for name, model in models.items()}


@pytest.fixture(scope="module")
def iris(fitted):
    return by.compare(fitted, X[TEST], NAMES[TEST])


# scores and differences ---------------------------------------------------------------------------


def test_scores_are_those_of_scikit_learn(iris, fitted):
    for name, model in fitted.items():
        posterior = model.predict_proba(X[TEST])
        theirs = metrics.log_loss(NAMES[TEST], posterior)
        assert iris.evaluations[name].log_loss == pytest.approx(theirs, rel=1e-9)
        right = metrics.accuracy_score(NAMES[TEST], model.predict(X[TEST]))
        assert iris.evaluations[name].accuracy == right


def test_the_least_log_loss_comes_first(iris):
    losses = [report.log_loss for report in iris.evaluations.values()]
    assert losses == sorted(losses)
    assert iris.best == min(iris.evaluations, key=lambda name: iris.evaluations[name].log_loss)
    assert [each.other for each in iris.differences] == [iris.best] * 2


def test_a_difference_is_that_of_a_paired_test(iris, fitted):
    truth = np.unique(NAMES, return_inverse=True)[1][TEST]
    rows = np.arange(len(truth))
    losses = {n: -np.log(m.predict_proba(X[TEST])[rows, truth]) for n, m in fitted.items()}
    theirs = stats.ttest_rel(losses["naive"], losses["theirs"])
    ours = iris.difference("naive", "theirs")
    assert ours.log_loss / ours.log_loss_error == pytest.approx(theirs.statistic, rel=1e-9)
    assert ours.log_loss == pytest.approx(np.mean(losses["naive"] - losses["theirs"]), rel=1e-9)


def test_differences_by_hand():
    found = by.compare({"bold": BOLD, "shy": SHY}, DAYS, WEATHER)
    # P(truth): bold 3/4, 1/2, 3/4, 1/4; shy 1/2, 3/4, 1/4, 3/4
    logs = [math.log(each) for each in (2 / 3, 3 / 2, 1 / 3, 3)]
    mean = math.fsum(logs) / 4
    assert found.difference("bold", "shy").log_loss == pytest.approx(mean, abs=1e-12)
    error = math.sqrt(math.fsum((each - mean) ** 2 for each in logs) / 12)
    assert found.difference("bold", "shy").log_loss_error == pytest.approx(error, rel=1e-12)
    # right: bold in rows 0 and 2 (a half answers the first class, dry), shy in rows 1 and 3
    accuracy = found.difference("bold", "shy")[4:]
    assert accuracy == (0.0, pytest.approx(math.sqrt(Fraction(4, 12)), rel=1e-12))


def test_a_difference_turned_round_is_the_same_below_zero(iris):
    one, other = iris.difference("naive", "tied"), iris.difference("tied", "naive")
    assert (one.log_loss, one.accuracy) == (-other.log_loss, -other.accuracy)
    assert one.log_loss_error == other.log_loss_error


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9), st.integers(1, 3)), min_size=2))
def test_a_row_of_weight_two_counts_as_two(rows):
    first, second, weights = map(np.array, zip(*rows, strict=True))
    ours = paired_difference(first, second, weights.astype(float))
    repeated = paired_difference(np.repeat(first, weights), np.repeat(second, weights))
    assert ours == pytest.approx(repeated, rel=1e-12, abs=1e-12)


def test_one_row_has_a_difference_but_no_standard_error():
    (difference,) = by.compare([Forecast(0.5), Forecast(0.25)], [[0]], ["rain"]).differences
    assert difference.log_loss == pytest.approx(math.log(2))
    assert math.isnan(difference.log_loss_error)


def test_an_impossible_truth_is_infinitely_worse_and_said():
    found = by.compare(
        {"sure": Forecast(1.0, 0.0), "shy": Forecast(0.75, 0.5)}, [[0], [1]], ["rain"] * 2
    )
    assert found.best == "shy"
    assert found.differences[0].log_loss == math.inf
    assert math.isnan(found.differences[0].log_loss_error)
    assert found.notes()[0].startswith("sure: 1 row has a true class with probability 0")
    json.dumps(found.to_dict(), allow_nan=False)


# rows that are answered differently ---------------------------------------------------------------


def test_rows_that_are_answered_differently_come_by_how_far_apart_they_are():
    found = by.compare({"bold": BOLD, "shy": SHY}, DAYS, WEATHER)
    assert found.n_disputed == 4
    assert [row.row for row in found.disputed] == [2, 3, 0, 1]
    first = found.disputed[0]
    assert (first.truth, first.answers) == ("dry", {"shy": "rain", "bold": "dry"})
    assert first.probabilities == {"shy": 0.25, "bold": 0.75}
    assert len(by.compare([BOLD, SHY], DAYS, WEATHER, worst=1).disputed) == 1


def test_disputed_rows_are_those_in_which_predictions_differ(iris, fitted):
    answers = np.array([model.predict(X[TEST]) for model in fitted.values()])
    expected = np.flatnonzero((answers != answers[0]).any(axis=0))
    assert {row.row for row in iris.disputed} == set(expected.tolist())
    assert iris.n_disputed == len(expected) > 0


def test_equally_far_rows_keep_their_order():
    same = np.array([[0.5, 0.5], [0.25, 0.25]])
    assert disputed([["rain", "rain"], ["dry", "dry"]], same) == [0, 1]


# which rows, which models -------------------------------------------------------------------------


def test_learned_rows_are_answered_as_if_they_had_not_been_learned():
    models = [by.GaussianNB().fit(X, NAMES), by.GaussianBayes("tied").fit(X, NAMES)]
    found = by.compare(models, X, NAMES, cv="leave-one-out")
    for model in models:
        theirs = metrics.log_loss(NAMES, model.leave_one_out(X, NAMES))
        assert found.evaluations[type(model).__name__].log_loss == pytest.approx(theirs, rel=1e-9)


def test_folds_are_the_same_for_all_models():
    models = {"ours": by.GaussianNB(), "theirs": LogisticRegression(max_iter=1000)}
    found = by.compare(models, X, NAMES, cv=4, seed=1)
    folds = StratifiedKFold(4, shuffle=True, random_state=1)
    posterior = cross_val_predict(models["theirs"], X, NAMES, cv=folds, method="predict_proba")
    expected = metrics.log_loss(NAMES, posterior)
    assert found.evaluations["theirs"].log_loss == pytest.approx(expected, rel=1e-9)
    pairs = found.to_dict()["models"]
    again = by.compare(models, X, NAMES, cv=iter([*folds.split(X, NAMES)]))
    assert pairs["ours"]["log_loss"] == again.to_dict()["models"]["ours"]["log_loss"]


def test_folds_that_differ_from_model_to_model_are_refused():
    models = [by.GaussianNB(), by.GaussianBayes("tied")]
    with pytest.raises(ValueError, match="same folds to all models"):
        by.compare(models, X, NAMES, cv=ShuffleSplit(2, test_size=9))


def test_models_of_a_list_are_named_by_their_class():
    model = by.GaussianNB().fit(X, NAMES)
    found = by.compare([model, by.GaussianBayes().fit(X, NAMES), model, model], X, NAMES)
    expected = {"GaussianNB", "GaussianBayes", "GaussianNB 2", "GaussianNB 3"}
    assert set(found.evaluations) == expected


def test_texts_and_weights_are_passed_on():
    texts, labels = ["free money", "lunch today", "free gift", "rain"], ["spam", "ham"] * 2
    models = {name: by.TextClassifier(name) for name in ("multinomial", "bernoulli")}
    fitted = [model.fit(texts, labels) for model in models.values()]
    found = by.compare(
        dict(zip(models, fitted, strict=True)), texts, labels, sample_weight=[1, 2, 0, 1]
    )
    assert str(found).startswith("3 texts, ")
    report = by.evaluate(fitted[0], texts, labels, sample_weight=[1, 2, 0, 1])
    assert found.evaluations["multinomial"].log_loss == report.log_loss


@pytest.mark.parametrize("models", [[], {}, [BOLD], {"bold": BOLD}])
def test_one_model_is_no_comparison(models):
    with pytest.raises(ValueError, match="two models or more"):
        by.compare(models, DAYS, WEATHER)


@pytest.mark.parametrize("models", [BOLD, "bold", None])
def test_models_are_a_dict_or_a_list(models):
    with pytest.raises(TypeError, match="a dict or a list of fitted classifiers"):
        by.compare(models, DAYS, WEATHER)


def test_networks_are_told_where_their_structures_are_compared():
    with pytest.raises(TypeError, match=r"bayesic\.networks\.compare"):
        by.compare({"asia": by.datasets.asia(), "bold": BOLD}, DAYS, WEATHER)


def test_a_model_that_is_not_there_is_named(iris):
    with pytest.raises(KeyError, match="no model 'forest'.*naive"):
        iris.difference("forest", "naive")


# shown --------------------------------------------------------------------------------------------


def test_the_report_is_printed_shown_and_handed_on():
    found = by.compare({"bold": BOLD, "<shy>": SHY}, DAYS, WEATHER)
    text = str(found)
    assert text.startswith("4 rows, 4 of them answered differently\n")
    assert "Differences from bold" in text
    assert "dry (0.7500)" in text
    assert repr(found) == "<ModelComparison on 4 rows: bold best, 1 behind it>"
    assert "&lt;shy&gt;" in found._repr_html_()
    assert "<shy>" not in found._repr_html_()
    frames = found.to_pandas()
    assert list(frames) == ["scores", "differences", "disputed"]
    assert frames["scores"]["log_loss"].tolist() == [r.log_loss for r in found.evaluations.values()]
    assert frames["disputed"]["P(truth) bold"].tolist() == [0.75, 0.25, 0.75, 0.5]
    told = json.loads(json.dumps(found.to_dict()))
    assert (told["best"], told["rows"], told["disputed_rows"]) == ("bold", 4, 4)
    assert told["disputed"][0]["answers"] == {"bold": "dry", "<shy>": "rain"}


def test_the_report_speaks_chinese():
    with by.language("zh"):
        text = str(by.compare({"大胆": BOLD, "谨慎": SHY}, DAYS, WEATHER))
    assert text.startswith("4 行，其中 4 个回答不同")
    assert "标准误差" in text
    assert "log loss" not in text
