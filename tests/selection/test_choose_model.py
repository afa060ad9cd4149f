"""choose_model: the best of the family by what it says of rows that it has not learned."""

import json
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression

import bayesic as by
from bayesic.models.levels.averaged_dependence import AveragedOneDependence
from bayesic.models.levels.network_classifier import KDependence, TreeAugmentedNB
from bayesic.models.normal.gaussian_bayes import GaussianBayes
from bayesic.models.trees.forest import BayesForest
from bayesic.selection._honest import asked_in_folds
from bayesic.selection._race import FIRST_ROWS, Runner, judged_choice, mean_and_error
from bayesic.selection._score_table import model_text
from bayesic.selection.choose_model import choose_model, family
from helpers.examples import at_most

SMALL = [by.NaiveBayes(), TreeAugmentedNB(), AveragedOneDependence(), KDependence(k=2)]


def mails(n_rows, seed=0):
    """A table with strings, numbers and gaps; the class depends on two columns together."""
    rng = np.random.default_rng(seed)
    sky, size = rng.choice(["rain", "sun"], n_rows), rng.choice(["S", "M", "L"], n_rows)
    same = (sky == "rain") == (size == "S")
    length = rng.normal(np.where(same, 2.0, 4.0), 1.5)
    length[rng.random(n_rows) < 0.1] = np.nan
    shown = np.where(rng.random(n_rows) < 0.1, None, sky)
    return {"sky": shown, "size": size, "length": length}, np.where(same, "spam", "ham")


def blobs(n_rows, seed=0):
    """Numbers of two classes with the same means, whose correlations differ."""
    rng = np.random.default_rng(seed)
    y = np.where(rng.random(n_rows) < 0.5, "ham", "spam")
    first, noise = rng.normal(size=(2, n_rows))
    second = np.where(y == "ham", 0.9, -0.9) * first + 0.3 * noise
    return pd.DataFrame({"length": first, "width": second}), y


def loss_of_refits(candidate, X, y, weights=None):
    """Mean of -log P(own class), each row left out by learning all others."""
    weights = np.ones(len(y)) if weights is None else weights
    losses = []
    for row in range(len(y)):
        others = np.arange(len(y)) != row
        model = type(candidate)(**candidate.get_params())
        model.fit(X[others], y[others], sample_weight=weights[others])
        probability = model.predict_proba(X[row : row + 1])[0]
        losses.append(-np.log(probability[model.classes_.tolist().index(y[row])]))
    return np.average(losses, weights=weights)


def test_the_log_loss_is_that_of_learning_all_other_rows():
    X, y = blobs(24)
    weights = np.random.default_rng(1).integers(1, 4, 24).astype(float)
    candidates = [GaussianBayes(shape) for shape in ("full", "tied", "diagonal", "spherical")]
    model = choose_model(X, y, candidates, sample_weight=weights)
    X = X.to_numpy()
    for score in model.scores_[1:]:  # the first line is that of the choice
        expected = loss_of_refits(score.model, X, y, weights)
        assert score.log_loss == pytest.approx(expected, rel=1e-9), score.model
        assert score.n_rows == 24
    assert model.covariance == "full"


def part(X, rows):
    return {name: cells[rows] for name, cells in X.items()}


@pytest.mark.filterwarnings("ignore:Some columns tell nothing")
@at_most(10)
@given(st.integers(0, 10_000))
def test_what_chooses_is_judged_by_models_that_have_learned_other_rows(seed):
    X, y = mails(60, seed)
    model = choose_model(X, y, SMALL)
    assert len(model.scores_) == len(SMALL)
    codes = (y == "spam").astype(int)
    asked, fold = asked_in_folds(np.random.default_rng(0).permutation(60), codes)
    for score in model.scores_[1:]:  # the first line is that of the choice
        own, right = np.zeros(60), np.zeros(60, bool)
        for number in range(5):
            mine = asked[fold == number]
            others = np.setdiff1d(np.arange(60), mine)
            fitted = type(score.model)(**score.model.get_params()).fit(part(X, others), y[others])
            said = fitted.predict_proba(part(X, mine))
            own[mine] = said[np.arange(len(mine)), codes[mine]]
            right[mine] = said.argmax(axis=1) == codes[mine]
        assert score.judged == "folds"
        assert score.log_loss == pytest.approx(-np.log(own).mean(), rel=1e-9)
        assert score.accuracy == pytest.approx(right.mean(), rel=1e-12)
    behind = [score.behind for score in model.scores_]
    assert behind == sorted(behind)
    assert repr(model) == repr(model.scores_[0].model)


def test_what_chooses_nothing_is_judged_by_leave_one_out():
    X, y = mails(80)
    words = {name: X[name] for name in ("sky", "size")}
    fixed = [by.NaiveBayes(), AveragedOneDependence(), by.JointBayes()]
    for score in choose_model(words, y, fixed).scores_[1:]:
        fitted = type(score.model)(**score.model.get_params()).fit(words, y)
        own = fitted.leave_one_out(words, y)[np.arange(80), np.searchsorted(fitted.classes_, y)]
        assert score.judged == "leave-one-out"
        assert score.log_loss == pytest.approx(-np.log(own).mean(), rel=1e-9)


@pytest.mark.parametrize(
    ("model", "judged"),
    [
        (by.NaiveBayes(), "folds"),  # which kind the lengths are
        (by.NaiveBayes(numeric="gaussian"), "leave-one-out"),
        (by.NaiveBayes(numeric="kernel"), "folds"),
        (by.NaiveBayes({"length": "poisson"}), "leave-one-out"),
        (by.NaiveBayes({"length": "ignore"}), "leave-one-out"),
        (by.NaiveBayes({"length": "ignore"}, smoothing="auto"), "folds"),
        (by.NaiveBayes({"length": "ignore"}, smoothing={"sky": "auto"}), "folds"),
        (by.NaiveBayes({"length": "ignore"}, weights="learned"), "folds"),
        (AveragedOneDependence(), "folds"),
        (AveragedOneDependence(columns={"length": "ignore"}), "leave-one-out"),
        (AveragedOneDependence(columns={"length": "ignore"}, smoothing="back-off"), "folds"),
        (TreeAugmentedNB(columns={"length": "ignore"}), "folds"),
        (by.JointBayes(), "leave-one-out"),
        (BayesForest(5), "out-of-bag"),
    ],
    ids=repr,
)
def test_how_a_model_is_judged(model, judged):
    X, y = mails(60)
    X["length"] = np.abs(X["length"]).round()
    assert choose_model(X, y, [model]).scores_[0].judged == judged


def test_a_shrinkage_that_is_chosen_is_judged_by_folds():
    scores = choose_model(*blobs(60), [GaussianBayes(shrinkage=s) for s in (0.1, "auto")]).scores_
    assert {score.model.shrinkage: score.judged for score in scores} == {
        0.1: "leave-one-out",
        "auto": "folds",
    }


def test_a_forest_is_judged_by_other_trees_as_smooth_as_suits_other_rows():
    X, y = mails(70)
    X["length"] = np.random.default_rng(1).normal(size=70)  # no two rows are alike
    score = choose_model(X, y, [BayesForest(20)]).scores_[0]
    codes, own = (y == "spam").astype(int), np.zeros(70)
    asked, fold = asked_in_folds(np.random.default_rng(0).permutation(70), codes)
    forest = BayesForest(20).fit(X, y)
    for number in range(5):
        mine, others = asked[fold == number], asked[fold != number]
        grown = BayesForest(20).fit(X, y)
        (rows,) = grown._known_rows(part(X, others), y[others], None)
        grown._look_after([rows], True)
        chosen = grown._keep(forest.statistics_)
        said = chosen.leave_one_out(part(X, mine), y[mine])
        own[mine] = said[np.arange(len(mine)), codes[mine]]
    assert score.log_loss == pytest.approx(-np.log(own).mean(), rel=1e-9)


def noise(n_rows, rng):
    """Twelve columns of words and eight of numbers that have nothing to do with the class."""
    words = {f"word{number}": rng.choice(["a", "b", "c"], n_rows) for number in range(12)}
    numbers = {f"number{number}": rng.normal(size=n_rows) for number in range(8)}
    return {**words, **numbers}, rng.choice(["ham", "spam"], n_rows)


@pytest.mark.filterwarnings("ignore:Some columns tell nothing")
def test_on_noise_the_winner_is_as_good_as_it_claims():
    claimed, fresh = [], []
    for seed in range(20):
        rng = np.random.default_rng(seed)
        model = choose_model(*noise(150, rng))
        X, y = noise(2000, rng)
        said = model.predict_proba(X)[np.arange(2000), (y == "spam").astype(int)]
        claimed.append(model.scores_[0].log_loss)
        fresh.append(-np.log(said).mean())
    difference = np.subtract(claimed, fresh)
    assert abs(difference.mean()) < 2 * difference.std(ddof=1) / np.sqrt(20)
    assert np.mean(fresh) < np.log(2) + 0.02


def test_the_choice_is_judged_by_rows_that_took_no_part_in_it():
    rng = np.random.default_rng(0)
    losses, weights = rng.exponential(size=(4, 23)), rng.integers(1, 4, 23).astype(float)
    runners = [Runner(None, None, loss, loss < 0.7) for loss in losses]
    choice = judged_choice(runners, weights)
    for row in range(23):
        others = [other for other in range(23) if other % 5 != row % 5]
        best = min(range(4), key=lambda c: sum(weights[o] * losses[c, o] for o in others))
        assert choice.losses[row] == losses[best, row]
        assert choice.right[row] == (losses[best, row] < 0.7)


def test_folds_leave_out_a_fifth_at_most_and_no_class_as_a_whole():
    rng = np.random.default_rng(0)
    for n_rows, n_asked in ((10, 10), (500, 500), (800, 500), (5000, 500)):
        codes = np.append([7, 7], rng.integers(0, 3, n_rows - 2))
        asked, fold = asked_in_folds(rng.permutation(np.arange(n_rows))[:n_asked], codes)
        assert np.bincount(fold).max() <= np.ceil(n_rows / 5)
        assert (np.diff(fold) >= 0).all()
        assert len(np.unique(asked)) == n_asked
        for code in (0, 1, 2, 7):
            shares = np.bincount(fold[codes[asked] == code], minlength=fold.max() + 1)
            assert shares.max() - shares.min() <= 1


def test_the_chosen_model_is_the_candidate_fitted():
    X, y = mails(300)
    model = choose_model(X, y)
    expected = type(model)(**model.get_params()).fit(X, y)
    np.testing.assert_array_equal(model.predict_proba(X), expected.predict_proba(X))
    model.partial_fit({name: cells[:5] for name, cells in X.items()}, y[:5])  # it learns on
    assert model.statistics_.class_count.sum() == 305


def test_columns_that_matter_only_together_are_found():
    X, y = mails(400)
    names = [type(score.model).__name__ for score in choose_model(X, y).scores_]
    assert names[0] != "NaiveBayes"
    assert choose_model(*blobs(300)).covariance == "full"


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table], ids=["pd", "pl", "pa"])
def test_any_table_and_the_name_of_the_class_will_do(make):
    X, y = mails(120)
    table = {**X, "mail": y}
    expected = choose_model(X, y)
    frame = make({name: list(cells) for name, cells in table.items()})
    model = choose_model(frame, "mail")
    assert repr(model) == repr(expected)
    assert model.scores_[0].log_loss == pytest.approx(expected.scores_[0].log_loss, rel=1e-12)
    np.testing.assert_allclose(model.predict_proba(frame), expected.predict_proba(X), rtol=1e-12)


def test_a_table_of_numbers_with_the_name_of_its_class():
    X, y = blobs(120)
    model = choose_model(X.assign(mail=y), "mail")
    assert isinstance(model, GaussianBayes)
    assert model.feature_names_in_.tolist() == ["length", "width"]


def test_candidates_that_cannot_learn_the_table_are_listed_with_the_reason():
    X, y = mails(80)
    model = choose_model(pd.DataFrame(X), y)
    refused = [score for score in model.scores_ if score.reason]
    assert {type(score.model) for score in refused} == {GaussianBayes}
    assert all(np.isnan(score.log_loss) and score.n_rows == 0 for score in refused)
    assert "sky" in refused[0].reason
    assert f": {refused[0].reason}" in str(model.scores_).partition("left out: ")[2]


def test_what_is_slow_with_many_columns_is_left_out_unless_it_is_asked_for():
    rng = np.random.default_rng(0)
    X = {f"word{number}": rng.choice(["no", "yes"], 40) for number in range(50)}
    y = np.array(["ham", "spam"] * 20)
    refused = {model_text(score.model) for score in choose_model(X, y).scores_ if score.reason}
    assert "AveragedOneDependence(n=2, smoothing=('back-off', 8.0))" in refused
    assert "KDependence(k=2, smoothing=('back-off', 8.0))" in refused
    assert "AveragedOneDependence(smoothing=('back-off', 8.0))" not in refused
    asked = choose_model(X, y, [KDependence(k=2), by.NaiveBayes()])
    assert not any(score.reason for score in asked.scores_)


def test_a_row_that_is_alone_in_its_class_is_not_asked():
    X, y = mails(40)
    y[7] = "news"
    assert {score.n_rows for score in choose_model(X, y, SMALL).scores_} == {39}
    with pytest.raises(ValueError, match="at least one class must have two rows"):
        choose_model({"sky": ["rain", "sun"]}, ["ham", "spam"])


def test_of_equal_candidates_the_first_is_chosen():
    X, y = mails(50)
    twins = [AveragedOneDependence(m=1), AveragedOneDependence(m=1.0)]
    for candidates in (twins, twins[::-1]):
        assert repr(choose_model(X, y, candidates)) == repr(candidates[0])


def test_who_is_far_behind_is_not_asked_again():
    X, y = blobs(2000)
    scores = choose_model(X, y).scores_
    rows = [score.n_rows for score in scores if not score.reason]
    assert rows == sorted(rows, reverse=True)
    assert min(rows) == FIRST_ROWS
    assert max(rows) <= 1000
    assert {score.n_rows for score in choose_model(X, y, max_rows=60).scores_} == {60}


def test_the_same_seed_gives_the_same_table():
    X, y = mails(500)
    first, second = (choose_model(X, y, seed=3).scores_ for _ in range(2))
    assert str(first) == str(second)


def test_the_answer_does_not_hang_on_the_number_of_threads(monkeypatch):
    X, y = mails(700)
    tables = []
    for threads in ("1", "3"):
        monkeypatch.setenv("BAYESIC_THREADS", threads)
        tables.append([score[1:] for score in choose_model(X, y, SMALL).scores_])
    assert tables[0] == tables[1]


def test_impossible_rows_make_a_candidate_the_last_and_no_nan():
    X = {"sky": ["rain", "sun", "sun", "rain", "rain"]}
    y = ["ham", "ham", "ham", "spam", "spam"]  # without the first row no ham has rain
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = choose_model(X, y, [TreeAugmentedNB(smoothing=0), TreeAugmentedNB()])
    assert model.smoothing == 1.0
    assert model.scores_[1].log_loss == np.inf


def test_only_what_the_chosen_model_has_to_say_is_said():
    X, _ = blobs(60)
    X["copy"] = X["length"]  # singular
    y = np.where(X["length"].abs() < 0.7, "ham", "spam")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = choose_model(X, y, [by.NaiveBayes(), GaussianBayes("tied")])
    assert isinstance(model, by.NaiveBayes)
    with pytest.warns(UserWarning, match="singular"):
        choose_model(X, y, [GaussianBayes("tied")])


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"candidates": []}, ValueError, "at least one candidate"),
        ({"candidates": [LogisticRegression()]}, TypeError, "learn tables or arrays by counting"),
        ({"max_rows": 0}, ValueError, "max_rows"),
        ({"X": "mails.csv"}, ValueError, "rows in memory"),
        ({"y": ["ham"] * 3}, ValueError, "inconsistent numbers of samples"),
        ({"candidates": [GaussianBayes()]}, ValueError, "None of the candidates can learn"),
    ],
    ids=["no candidates", "a stranger", "no rows", "a file", "too few labels", "all refuse"],
)
def test_bad_input_gets_a_sentence(change, error, message):
    X, y = mails(30)
    with pytest.raises(error, match=message):
        choose_model(**{"X": pd.DataFrame(X), "y": y, **change})


def test_a_reason_of_many_candidates_is_told_once():
    with pytest.raises(ValueError, match="Columns must have different names") as told:
        choose_model(pd.DataFrame(np.zeros((9, 2)), columns=["wind", "wind"]), ["spam"] * 9)
    lines = str(told.value).splitlines()
    assert len(lines) == 2
    assert lines[1].startswith(f"- NaiveBayes() and {len(family()) - 1} more: Columns must")


def test_candidates_stay_as_they_were():
    candidates = [by.NaiveBayes(), TreeAugmentedNB()]
    choose_model(*mails(40), candidates)
    assert not any(hasattr(model, "statistics_") for model in candidates)


def test_the_table_of_scores_reads_well():
    X, y = mails(150)
    lines = str(choose_model(X, y, SMALL).scores_).splitlines()
    heads = ["model", "log", "loss", "behind", "accuracy", "rows", "judged", "by"]
    assert lines[0] == "The best model first, by rows not seen"
    assert lines[1].split() == heads
    assert len(lines) == 2 + len(SMALL)
    assert all(line.endswith("150  folds") for line in lines[2:])


def test_scores_are_a_data_frame_and_plain_values_too():
    scores = choose_model(*mails(60), [by.NaiveBayes(), GaussianBayes()]).scores_
    assert scores.to_pandas().equals(pd.DataFrame(scores))
    assert scores.to_pandas().columns.tolist()[:2] == ["model", "log_loss"]
    best, refused = json.loads(json.dumps(scores.to_dict(), allow_nan=False))["candidates"]
    assert (best["model"], best["log_loss"]) == ("NaiveBayes()", scores[0].log_loss)
    assert (refused["log_loss"], refused["reason"]) == (None, scores[1].reason)


def test_the_family_has_every_model():
    kinds = {type(model) for model in family()}
    expected = {by.NaiveBayes, TreeAugmentedNB, KDependence, AveragedOneDependence, GaussianBayes}
    assert kinds == expected | {BayesForest}
    shapes = {model.covariance for model in family() if isinstance(model, GaussianBayes)}
    assert shapes == {"full", "tied", "diagonal", "spherical"}


def test_mean_and_error_are_those_of_the_formula():
    values, weights = np.array([1.0, 2.0, 6.0]), np.array([2.0, 1.0, 1.0])
    mean, error = mean_and_error(values, weights)
    assert mean == pytest.approx(2.5)
    squares = (2 * 1.5) ** 2 + 0.5**2 + 3.5**2
    assert error == pytest.approx(np.sqrt(squares * 3 / 2) / 4)
