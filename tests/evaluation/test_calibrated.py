"""Calibrated: the temperature of a model from what it says of rows as if they were new."""

import math
import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar
from scipy.special import log_softmax
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import Perceptron
from sklearn.model_selection import cross_val_score
from sklearn.naive_bayes import GaussianNB as TheirGaussianNB
from sklearn.tree import DecisionTreeClassifier

import bayesic as by
from bayesic.estimation.calibration import ROWS_FOR_BIAS, Calibration, calibration_of

WORDS = ("ham", "news", "spam")


def clouds(n_rows=60, seed=0):
    """Rows around a centre for each class; both columns say nearly the same."""
    rng = np.random.default_rng(seed)
    y = np.array(WORDS)[np.arange(n_rows) % 3]
    first = np.arange(n_rows) % 3 + rng.normal(0, 0.8, n_rows)
    return np.column_stack([first, first + rng.normal(0, 0.1, n_rows)]), y


def log_loss(probability, codes, weights=None):
    with np.errstate(divide="ignore"):
        logs = np.log(probability[np.arange(len(codes)), codes])
    return -np.average(logs, weights=weights)


# the temperature --------------------------------------------------------------------------------


shares = st.floats(1e-12, 1.0)


@given(st.lists(st.tuples(shares, shares, st.integers(0, 1)), min_size=1, max_size=30))
def test_log_loss_is_never_above_that_of_the_probabilities_as_they_are(rows):
    probability = np.array([row[:2] for row in rows])
    probability /= probability.sum(axis=1, keepdims=True)
    codes = np.array([row[2] for row in rows])
    calibration = calibration_of(probability, codes)
    after = np.exp(calibration.log_proba(np.log(probability)))
    assert log_loss(after, codes) <= log_loss(probability, codes) + 1e-12


def test_temperature_is_the_best_that_scipy_finds():
    rng = np.random.default_rng(0)
    logs = log_softmax(3 * rng.normal(size=(15, 2)), axis=1)  # too few rows for a bias
    codes = np.array([int(row.argmax()) for row in logs])
    codes[::4] = 1 - codes[::4]

    def loss(weight):
        own = log_softmax(weight * logs, axis=1)[np.arange(15), codes]
        return (weight - 1) ** 2 / 2 - own.sum()

    theirs = minimize_scalar(loss, bounds=(0, 10), method="bounded", options={"xatol": 1e-10})
    ours = calibration_of(np.exp(logs), codes)
    assert ours.temperature == pytest.approx(1 / theirs.x, rel=1e-6)
    assert not ours.bias.any()


def days(n_copies, share_of_rain):
    """Columns that are independent in each class, in exact shares: sky and wind."""
    sky, wind, play = [], [], []
    for label, p_sun, p_calm, size in (
        ("yes", 3, 2, 16),
        ("no", 1, 3, round(16 * share_of_rain / (1 - share_of_rain))),
    ):
        for is_sunny, of_sky in ((1, p_sun), (0, 4 - p_sun)):
            for is_calm, of_wind in ((1, p_calm), (0, 4 - p_calm)):
                times = n_copies * size * of_sky * of_wind // 16
                sky += ["sun" if is_sunny else "rain"] * times
                wind += ["calm" if is_calm else "wind"] * times
                play += [label] * times
    return sky, wind, play


@pytest.mark.parametrize("share_of_rain", [1 / 2, 3 / 4])
def test_columns_given_twice_say_what_they_say_once(share_of_rain):
    # log odds of twice are prior + 2 evidence. Halved, with the other half of the prior as a bias,
    # they are those of once, which is the truth here: so T = 2 is best, as rows grow.
    sky, wind, play = days(500, share_of_rain)
    once = by.NaiveBayes(smoothing=0).fit({"sky": sky, "wind": wind}, play)
    table = {"sky": sky, "wind": wind, "sky again": sky, "wind again": wind}
    model = by.calibrated(by.NaiveBayes(smoothing=0)).fit(table, play)
    assert model.temperature_ == pytest.approx(2.0, abs=0.005)
    log_odds = math.log(share_of_rain / (1 - share_of_rain))
    assert model.bias_[0] - model.bias_[1] == pytest.approx(log_odds / 2, abs=0.005)
    np.testing.assert_allclose(
        model.predict_proba(table), once.predict_proba({"sky": sky, "wind": wind}), atol=0.002
    )


def test_probabilities_of_zero_are_taken_for_the_least_that_was_said():
    probability = np.array([[1.0, 0.0], [0.0, 1.0], [0.9, 0.1], [0.2, 0.8]] * 10)
    codes = np.array([0, 0, 0, 1] * 10)  # what could not be was, in every fourth row
    calibration = calibration_of(probability, codes)
    assert calibration.least_log == math.log(0.1)
    with np.errstate(divide="ignore"):
        after = np.exp(calibration.log_proba(np.log(probability)))
    assert after.min() > 0
    assert log_loss(after, codes) < math.log(2)


def test_a_model_that_misleads_is_not_listened_to():
    probability = np.array([[0.9, 0.1], [0.1, 0.9]] * 20)
    calibration = calibration_of(probability, np.array([1, 0] * 20))
    assert calibration.temperature == math.inf
    np.testing.assert_allclose(np.exp(calibration.log_proba(np.log(probability))), 0.5)
    assert calibration.scaled(np.array([-np.inf, 3.0])).tolist() == [0.0, 0.0]


def test_classes_have_a_bias_if_each_has_enough_rows():
    X, y = clouds(3 * ROWS_FOR_BIAS)
    assert by.calibrated(by.GaussianNB()).fit(X, y).bias_.any()
    few = by.calibrated(by.GaussianNB()).fit(X[:-1], y[:-1])
    assert not few.bias_.any()
    np.testing.assert_array_equal(few.predict(X), few.model_.predict(X))  # the order stays


# the model on top -------------------------------------------------------------------------------


MODELS = {
    "naive Bayes": by.NaiveBayes(),
    "Gaussian": by.GaussianBayes(),
    "neighbours": by.KNeighborsClassifier(3),
    "logistic, which has no leave_one_out": by.LogisticRegression(),
    "of scikit-learn": TheirGaussianNB(),
    "a tree of scikit-learn, which is sure": DecisionTreeClassifier(random_state=0),
}


@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
def test_any_model_can_be_calibrated(model):
    X, y = clouds(300)
    new, truth = clouds(300, seed=1)
    codes = np.searchsorted(WORDS, truth)
    ours = by.calibrated(model).fit(X, y)
    plain = clone(model).fit(X, y)
    assert ours.classes_.tolist() == list(WORDS)
    before = log_loss(plain.predict_proba(new), codes)
    assert log_loss(ours.predict_proba(new), codes) < before + 0.001  # of a model that was right
    np.testing.assert_allclose(np.exp(ours.predict_log_proba(new)), ours.predict_proba(new))
    np.testing.assert_allclose(ours.predict_proba(new).sum(axis=1), 1.0)
    assert ours.score(new, truth) == np.mean(ours.predict(new) == truth)


def test_naive_bayes_of_columns_that_say_the_same_gets_a_temperature_of_about_two():
    X, y = clouds(3000)
    assert by.calibrated(by.GaussianNB()).fit(X, y).temperature_ == pytest.approx(2.0, abs=0.15)


def test_leave_one_out_is_that_of_the_model_calibrated():
    X, y = clouds()
    model = by.calibrated(by.GaussianNB()).fit(X, y)
    theirs = log_softmax(
        np.log(model.model_.leave_one_out(X, y)) / model.temperature_ + model.bias_, axis=1
    )
    np.testing.assert_allclose(np.log(model.leave_one_out(X, y)), theirs, rtol=1e-12)
    assert not hasattr(by.calibrated(TheirGaussianNB()), "leave_one_out")


def test_weights_are_how_often_a_row_counts():
    X, y = clouds(40)
    times = np.arange(40) // 3 % 3
    weighted = by.calibrated(by.GaussianNB()).fit(X, y, sample_weight=times)
    repeated = by.calibrated(by.GaussianNB()).fit(np.repeat(X, times, axis=0), np.repeat(y, times))
    assert weighted.temperature_ == pytest.approx(repeated.temperature_, rel=1e-9)
    np.testing.assert_allclose(weighted.bias_, repeated.bias_, rtol=1e-7)
    assert by.calibrated(by.GaussianNB()).fit(
        X, y, sample_weight=np.ones(40)
    ).temperature_ == pytest.approx(by.calibrated(by.GaussianNB()).fit(X, y).temperature_, rel=1e-9)
    with pytest.raises(TypeError, match="takes no sample_weight"):
        by.calibrated(by.KNeighborsClassifier()).fit(X, y, sample_weight=times)


def test_y_may_be_the_name_of_a_column():
    sky, wind, play = days(2, 1 / 2)
    table = {"sky": sky, "wind": wind, "play": play}
    named = by.calibrated(by.NaiveBayes()).fit(table, "play")
    beside = by.calibrated(by.NaiveBayes()).fit({"sky": sky, "wind": wind}, play)
    assert named.temperature_ == beside.temperature_
    asked = {"sky": sky, "wind": wind}
    np.testing.assert_array_equal(named.predict_proba(table), beside.predict_proba(asked))


@pytest.mark.parametrize("model", [by.LogisticRegression(), TheirGaussianNB()])
def test_y_may_be_the_name_of_a_column_where_folds_are_learned(model):
    X, y = clouds()
    table = pd.DataFrame({"first": X[:, 0], "second": X[:, 1], "mail": y})
    named, features = by.calibrated(model).fit(table, "mail"), table[["first", "second"]]
    assert named.temperature_ == by.calibrated(model).fit(features, y).temperature_
    assert named.predict(table).tolist() == named.predict(features).tolist()
    assert named.score(table, "mail") > 0.5


def test_counts_are_learned_on_forgotten_and_merged_and_the_temperature_stays():
    X, y = clouds(90)
    model = by.calibrated(by.GaussianNB()).fit(X[:60], y[:60])
    before = model.temperature_, model.bias_.tolist()
    model.partial_fit(X[60:], y[60:])
    np.testing.assert_allclose(model.model_.theta_, by.GaussianNB().fit(X, y).theta_)
    model.forget(X[60:], y[60:])
    model.merge(by.calibrated(by.GaussianNB()).fit(X[60:], y[60:]))
    np.testing.assert_allclose(model.model_.theta_, by.GaussianNB().fit(X, y).theta_)
    assert (model.temperature_, model.bias_.tolist()) == before
    with pytest.raises(TypeError, match="Only calibrated models"):
        model.merge(by.GaussianNB().fit(X, y))


def test_a_verb_that_fails_changes_nothing():
    X, y = clouds()
    model = by.calibrated(by.MultinomialNB()).fit(abs(X), y)
    before = model.predict_proba(abs(X))
    with pytest.raises(ValueError, match="Negative"):
        model.partial_fit(-abs(X), y)
    with pytest.raises(ValueError, match="Only what was learned"):
        model.forget(abs(X) * 1000, y)
    np.testing.assert_array_equal(model.predict_proba(abs(X)), before)


def test_new_classes_come_without_a_bias():
    sky, wind, play = days(2, 1 / 2)
    model = by.calibrated(by.NaiveBayes()).fit({"sky": sky, "wind": wind}, play)
    bias = dict(zip(model.classes_, model.bias_, strict=True))
    assert bias["yes"] != 0
    model.partial_fit({"sky": ["sun"], "wind": ["calm"]}, ["maybe"])
    assert dict(zip(model.classes_, model.bias_, strict=True)) == bias | {"maybe": 0.0}
    assert model.predict_proba({"sky": ["sun"], "wind": ["calm"]}).shape == (1, 3)


def test_a_model_that_never_had_a_fit_is_as_it_is():
    X, y = clouds()
    model = by.calibrated(by.GaussianNB()).partial_fit(X, y, classes=WORDS)
    assert model.temperature_ == 1.0
    np.testing.assert_allclose(model.predict_proba(X), by.GaussianNB().fit(X, y).predict_proba(X))


@pytest.mark.parametrize("against", [None, "news"])
def test_reasons_add_up_to_the_calibrated_log_odds(against):
    X, y = clouds(120)
    model = by.calibrated(by.GaussianNB()).fit(X, y)
    assert model.bias_.any()
    for row in X[:10]:
        why = model.explain(row, against=against)
        [shares] = model.predict_proba([row])
        assert why.probability == pytest.approx(dict(zip(WORDS, shares, strict=True)), rel=1e-12)
        first = why.probability[why.answer]
        other = 1 - first if why.against is None else why.probability[why.against]
        assert why.log_odds == pytest.approx(math.log(first / other), rel=1e-9)
        assert math.fsum([why.prior_log_odds, *why.weights.values()]) == why.log_odds


def test_reasons_between_two_classes_are_divided_by_the_temperature():
    sky, wind, play = days(1, 1 / 2)
    model = by.calibrated(by.NaiveBayes()).fit({"sky": sky, "wind": wind}, play)
    ours = model.explain({"sky": "sun", "wind": "calm"}, answer="yes")
    plain = model.model_.explain({"sky": "sun", "wind": "calm"}, answer="yes")
    for name, weight in plain.weights.items():
        assert ours.weights[name] == pytest.approx(weight / model.temperature_)


def test_models_without_log_odds_are_not_explained():
    assert not hasattr(by.calibrated(by.KNeighborsClassifier()), "explain")
    assert not hasattr(by.calibrated(RandomForestClassifier()), "explain")


def test_summary_tells_the_temperature():
    X, y = clouds()
    model = by.calibrated(by.GaussianNB()).fit(X, y)
    shown = str(model.summary())
    assert shown.startswith("Calibrated(model=GaussianNB()): 60 rows, 3 classes")
    assert f"divided by a temperature of {model.temperature_:.4g}" in shown


# files, decisions, scikit-learn -----------------------------------------------------------------


@pytest.mark.parametrize("model", [by.NaiveBayes(), by.KNeighborsClassifier(2)])
def test_a_file_holds_model_and_temperature(model, tmp_path):
    X, y = clouds()
    model = by.calibrated(model).fit(X, y)
    model.save(tmp_path / "mails.bayes")
    back = by.load(tmp_path / "mails.bayes")
    assert type(back) is by.Calibrated
    np.testing.assert_array_equal(back.predict_proba(X), model.predict_proba(X))
    np.testing.assert_array_equal(back.leave_one_out(X, y), model.leave_one_out(X, y))
    more = [other.partial_fit(X[:5], y[:5]).predict_proba(X) for other in (back, model)]
    np.testing.assert_array_equal(*more)
    assert repr(clone(back)) == repr(clone(model))


def test_a_temperature_without_end_is_kept(tmp_path):
    model = by.calibrated(by.GaussianNB()).fit(*clouds())
    model._calibration = Calibration(math.inf, model.bias_)
    model.save(tmp_path / "noise.bayes")
    assert by.load(tmp_path / "noise.bayes").temperature_ == math.inf


def test_a_file_holds_a_decision_on_top(tmp_path):
    X, y = clouds()
    loss = {"read": {"ham": 0, "news": 1, "spam": 5}, "drop": {"ham": 9, "news": 2, "spam": 0}}
    deciding = by.BayesDecision(by.calibrated(by.GaussianNB()), loss).fit(X, y)
    deciding.save(tmp_path / "mails.bayes")
    back = by.load(tmp_path / "mails.bayes")
    assert type(back) is by.BayesDecision
    np.testing.assert_array_equal(back.predict_risk(X), deciding.predict_risk(X))
    shares = by.calibrated(by.GaussianNB()).fit(X, y).predict_proba(X)
    np.testing.assert_allclose(
        deciding.predict_risk(X), shares @ [[0, 9], [1, 2], [5, 0]], rtol=1e-9
    )


def test_models_of_others_are_pickled_not_saved(tmp_path):
    model = by.calibrated(TheirGaussianNB()).fit(*clouds())
    with pytest.raises(TypeError, match="Use pickle for others"):
        model.save(tmp_path / "mails.bayes")
    back = pickle.loads(pickle.dumps(model))
    assert back.temperature_ == model.temperature_


@pytest.mark.parametrize(
    "change",
    [
        {"temperature": 0.0},
        {"temperature": -1.0},
        {"temperature": math.nan},
        {"temperature": "2"},
        {"least_log": 1.0},
        {"least_log": math.nan},
        {"bias": np.zeros(2)},
        {"bias": np.full(3, np.nan)},
        {"bias": [0.0, 0.0, 0.0]},
        {"more": 1},
    ],
)
def test_what_cannot_be_a_calibration_is_refused(change):
    model = by.GaussianNB().fit(*clouds())
    state = {"temperature": 2.0, "bias": np.zeros(3), "least_log": -math.inf} | change
    with pytest.raises(ValueError, match="must"):
        by.Calibrated._restored(model, state)


def test_it_is_a_classifier_for_scikit_learn():
    X, y = clouds()
    model = by.calibrated(by.GaussianNB(var_smoothing=1e-3))
    assert model.get_params()["model__var_smoothing"] == 1e-3
    scores = cross_val_score(model, X, y, cv=3, scoring="neg_log_loss")
    assert scores.shape == (3,)
    assert by.evaluate(model.fit(X, y), X, y, cv="leave-one-out").log_loss < 1


def test_a_model_without_rows_is_not_fitted():
    with pytest.raises(NotFittedError):
        by.calibrated(by.GaussianNB()).predict([[1.0]])


def test_models_without_probabilities_are_refused():
    with pytest.raises(TypeError, match="must have predict_proba"):
        by.calibrated(Perceptron()).fit(*clouds())
