"""TreeAugmentedNB, KDependence, AveragedOneDependence with tables as they come: numbers and gaps,
files, reasons, samples, other estimators."""

import copy
import pickle
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.model_selection import cross_val_score

import bayesic as by
from bayesic.decisions.bayes_decision import BayesDecision
from bayesic.mixtures.semi_supervised import SemiSupervised
from bayesic.models.levels.averaged_dependence import AveragedOneDependence
from bayesic.models.levels.dependence import Bins
from bayesic.models.levels.network_classifier import KDependence, TreeAugmentedNB
from helpers.comparisons import assert_same, assert_unchanged, state_of

MODELS = {
    "tan": TreeAugmentedNB,
    "kdb": KDependence,
    "kdb2": lambda **p: KDependence(k=2, **p),
    "a1de": AveragedOneDependence,
    "a2de": lambda **p: AveragedOneDependence(n=2, **p),
}
every_model = pytest.mark.parametrize("make", MODELS.values(), ids=MODELS)


def mail(n_rows=200, seed=0):
    """A table of words, numbers and gaps, and classes."""
    rng = np.random.default_rng(seed)
    spam = rng.random(n_rows) < 0.5
    table = pd.DataFrame(
        {
            "sky": np.where(rng.random(n_rows) < 0.5, "sun", np.where(spam, "rain", "雨")),
            "length": rng.normal(np.where(spam, 3.0, 0.0), 1.0),
            "links": rng.poisson(np.where(spam, 4.0, 1.0)),
            "hue": rng.choice(["red", "green"], n_rows),
        }
    )
    table.loc[::9, "sky"] = None
    table.loc[::7, "length"] = np.nan
    return table, np.where(spam, "spam", "ham")


# numbers ----------------------------------------------------------------------------------------


@every_model
def test_numbers_are_in_the_bins_of_naive_bayes(make):
    X, y = mail()
    model, naive = make().fit(X, y), by.NaiveBayes(numeric="binned").fit(X, y)
    for name in ("length", "links"):
        assert model.bins_[name].cuts == tuple(naive.events_[name].cuts.tolist())
        in_bins = naive.events_[name].encode(naive._rows(X).columns[name])
        counts = model.statistics_.of(list(model.statistics_.levels).index(name))
        levels = [int(level) for level in model.statistics_.levels[name]]
        expected = np.zeros((max(levels) + 1, 2), int)
        np.add.at(expected, (in_bins[in_bins >= 0], (y == "spam")[in_bins >= 0].astype(int)), 1)
        np.testing.assert_array_equal(counts, expected[levels])


@every_model
def test_bins_stay_when_more_is_learned(make):
    X, y = mail()
    model = make().fit(X[:100], y[:100])
    bins = model.bins_
    model.partial_fit(X[100:], y[100:])
    assert model.bins_ == bins
    model.forget(X[100:], y[100:])
    assert_same(model.statistics_, make().fit(X[:100], y[:100]).statistics_)


@pytest.mark.filterwarnings("ignore:Some columns tell nothing")
@every_model
def test_bins_of_a_column_that_was_empty_come_with_its_first_numbers(make):
    X, y = mail()
    empty = X.assign(length=np.nan)
    model = make().fit(empty, y)
    assert list(model.bins_) == ["links"]
    assert sorted(model.partial_fit(X, y).bins_) == ["length", "links"]
    assert list(model.forget(X, y).bins_) == ["links"]


def test_models_of_other_bins_are_not_merged():
    X, y = mail()
    first, second = TreeAugmentedNB().fit(X[:100], y[:100]), TreeAugmentedNB().fit(X, y)
    before = state_of(first)
    with pytest.raises(ValueError, match="same bins.*with partial_fit of the other"):
        first.merge(second)
    assert_unchanged(first, before)


@every_model
def test_models_of_the_same_bins_are_merged(make):
    X, y = mail()
    first = make().fit(X[:100], y[:100])
    second = copy.deepcopy(first).partial_fit(X[100:], y[100:]).forget(X[:100], y[:100])
    together = copy.deepcopy(first).partial_fit(X[100:], y[100:])
    assert_same(first.merge(second).statistics_, together.statistics_)


def test_numbers_told_to_be_categories_are_counted_by_value():
    X, y = mail()
    model = TreeAugmentedNB(columns={"links": "categorical", "length": "ignore"}).fit(X, y)
    assert model.bins_ == {} and "length" not in model.statistics_.levels
    assert set(model.statistics_.levels["links"]) == {str(number) for number in set(X["links"])}
    with pytest.raises(ValueError, match="was learned as category and cannot be binned"):
        model.set_params(columns={"links": "binned"}).predict(X)


@every_model
def test_a_bin_without_rows_counts_as_a_level(make):
    X = {"age": [1.0, 2.0, 3.0, 11.0, 12.0, 13.0] * 6}
    y = ["young", "young", "young", "old", "old", "old"] * 6
    model = make().fit(X, y)
    assert model.bins_["age"].n_bins == 2
    old = {"age": [age for age, label in zip(X["age"], y, strict=True) if label == "old"]}
    model.forget(old, ["old"] * 18)
    share = np.exp(model.predict_joint_log_proba({"age": [12.0]})[0]) / model.class_prior_
    np.testing.assert_allclose(share, [float(Fraction(1, 2)), float(Fraction(1, 18 + 2))])


# files ------------------------------------------------------------------------------------------


@every_model
def test_a_file_is_learned_like_the_table(make, tmp_path, monkeypatch):
    X, y = mail()
    path = tmp_path / "mail.csv"
    X.assign(kind=y).to_csv(path, index=False)
    monkeypatch.setattr("bayesic.data.source.CELLS_PER_BLOCK", 5 * 40)  # 40 rows
    from_file, from_table = make().fit(path, "kind"), make().fit(X, y)
    assert from_file.bins_ == from_table.bins_
    assert_same(from_file.statistics_, from_table.statistics_)
    np.testing.assert_array_equal(from_file.predict_proba(path), from_table.predict_proba(X))


@every_model
def test_a_saved_model_answers_and_learns_as_before(make, tmp_path):
    X, y = mail()
    model = make(smoothing=("m", 2)).fit(X, y)
    model.save(tmp_path / "mail.bayes")
    loaded = by.load(tmp_path / "mail.bayes")
    assert type(loaded) is type(model) and loaded.get_params() == model.get_params()
    assert loaded.bins_ == model.bins_
    np.testing.assert_array_equal(loaded.predict_proba(X), model.predict_proba(X))
    assert_same(loaded.partial_fit(X, y).statistics_, model.partial_fit(X, y).statistics_)


@every_model
def test_models_are_pickled_and_cloned(make):
    X, y = mail()
    model = make().fit(X, y)
    copied = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(copied.predict_proba(X), model.predict_proba(X))
    assert not hasattr(clone(model), "statistics_")


@every_model
def test_tables_of_any_library_are_the_same_table(make):
    X, y = mail()
    ours = make().fit(X, y).predict_proba(X)
    records = {name: [None if cell != cell else cell for cell in X[name].tolist()] for name in X}
    for table in (pl.from_pandas(X), records):
        np.testing.assert_array_equal(make().fit(table, y).predict_proba(table), ours)


# little to learn from ---------------------------------------------------------------------------


@every_model
def test_one_class_and_one_column_will_do(make):
    model = make().fit({"sky": ["sun", "rain"]}, ["ham", "ham"])
    assert model.predict_proba({"sky": ["sun", "snow", None]}).tolist() == [[1.0]] * 3


@every_model
def test_a_model_that_has_forgotten_all_answers_the_prior(make):
    X, y = {"sky": ["sun", "rain"], "hue": [None, None]}, ["ham", "spam"]
    model = make().fit(X, y).forget(X, y)
    assert model.predict_proba(X).tolist() == [[0.5, 0.5]] * 2
    assert model.n_parameters == 0
    assert model.sample(2, random_state=0).X["sky"].tolist() == [None, None]
    model.partial_fit(X, y)
    assert model.predict(X).tolist() == y


# parameters -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (KDependence(k=-1), "k must be a whole number of 0 or more, got -1"),
        (KDependence(k=1.5), "k must be a whole number"),
        (AveragedOneDependence(n=3), "n must be 1 or 2, got 3"),
        (AveragedOneDependence(n=True), "n must be 1 or 2"),
        (AveragedOneDependence(m=-1), "m must be a number of 0 or more, got -1"),
        (TreeAugmentedNB(smoothing=-1), "smoothing must be a number of 0 or more"),
        (KDependence(k="best"), "whole number of 0 or more, or 'auto', got 'best'"),
        (TreeAugmentedNB(smoothing="auto"), "does not choose lambda"),
        (TreeAugmentedNB(smoothing=("back-off", -1)), "s in smoothing must be a number of 0"),
        (TreeAugmentedNB(columns={"sky": "gaussian"}), "every kind of column: column 'sky'"),
        (TreeAugmentedNB(prior="flat"), "prior must be"),
        (TreeAugmentedNB(columns={"skies": "ignore"}), r"columns names \['skies'\]"),
    ],
    ids=lambda value: value if isinstance(value, str) else repr(value),
)
def test_parameters_that_make_no_sense_are_refused(model, message):
    X, y = mail(20)
    before = state_of(model)
    with pytest.raises(ValueError, match=message):
        model.fit(X, y)
    assert_unchanged(model, before)


def test_parameters_that_need_other_counts_want_a_new_fit():
    X, y = mail()
    model = KDependence(k=1).fit(X, y)
    with pytest.raises(ValueError, match="needs counts of 3 columns together.*Fit it again"):
        model.set_params(k=2).predict(X)
    fewer = AveragedOneDependence(n=2).fit(X, y).set_params(n=1)
    theirs = AveragedOneDependence(n=1).fit(X, y)
    np.testing.assert_allclose(fewer.predict_proba(X), theirs.predict_proba(X), rtol=1e-12)


@every_model
def test_a_failed_call_changes_nothing(make):
    X, y = mail()
    model = make().fit(X[:150], y[:150])
    before = state_of(model)
    with pytest.raises(ValueError, match="Only what was learned can be taken away"):
        model.forget(X, y)
    with pytest.raises(ValueError, match="tone"):
        model.partial_fit(X.rename(columns={"hue": "tone"}), y)
    with pytest.raises(ValueError, match="'blue' was never seen in column 'hue'"):
        model.leave_one_out(X[:5].assign(hue="blue"), y[:5])
    assert_unchanged(model, before)


def test_levels_without_end_are_refused_with_the_column():
    names = [f"person {number}" for number in range(9_000)]
    with pytest.raises(ValueError, match="'ignore'"):
        TreeAugmentedNB().fit({"name": names, "mail": names}, ["ham", "spam"] * 4_500)


# reasons ----------------------------------------------------------------------------------------


@every_model
def test_weights_of_evidence_add_up_to_the_answer(make):
    X, y = mail()
    model = make().fit(X, y)
    scores = model._fitted.terms(model._rows(X)).sum(axis=1)
    joint = scores + np.log(model.class_prior_)
    np.testing.assert_allclose(joint, model.predict_joint_log_proba(X), rtol=1e-9)
    assert "length" in str(model.explain(X[:1]))


def test_work_of_a_tree_is_written_in_fractions():
    X = {"sky": ["rain", "rain", "sun", "sun"], "wind": ["weak", "weak", "weak", "strong"]}
    model = TreeAugmentedNB(smoothing=0).fit(X, ["no", "no", "yes", "yes"])
    work = model.work({"sky": "sun", "wind": "strong"})
    lines = str(work).splitlines()
    assert lines[1] == "P(yes)·P(sun|yes)·P(strong given sun|yes) = 2/4·2/2·1/2 = 1/4"
    assert work.posterior == {"no": 0, "yes": 1}


@every_model
def test_work_gives_the_answer_of_predict_proba(make):
    X, y = mail()
    model = make().fit(X, y)
    work = model.work(X[4:5])
    expected = model.predict_proba(X[4:5])[0]
    answer = [float(work.posterior[label]) for label in model.classes_]
    np.testing.assert_allclose(answer, expected, rtol=1e-9)


def test_work_names_the_bin_of_a_number():
    X, y = {"age": [1.0, 2.0, 3.0, 11.0, 12.0, 13.0] * 6}, ["young"] * 3 + ["old"] * 3
    model = TreeAugmentedNB(smoothing=0).fit(X, y * 6)
    assert "P(age<7|young) = 18/36·18/18" in str(model.work({"age": 2.0}))


# parameters of the model ------------------------------------------------------------------------


def test_the_numbers_of_all_tables_are_counted():
    X = {"sky": ["rain", "sun", "snow"] * 4, "wind": ["weak", "weak", "strong", "strong"] * 3}
    y = ["no", "no", "yes", "yes", "yes", "no"] * 2
    tree = TreeAugmentedNB().fit(X, y)
    (child,) = (name for name, parents in tree.parents_.items() if parents)
    of_root = {"wind": 3, "sky": 2}[child]
    assert tree.n_parameters == 2 * (of_root + 3 * 2)
    assert KDependence(k=0).fit(X, y).n_parameters == by.NaiveBayes().fit(X, y).n_parameters
    assert KDependence(k=0).fit(X, y).n_parameters == 2 * (3 + 2)
    assert AveragedOneDependence().fit(X, y).n_parameters == 2 * (3 + 3 * 2 + 2 + 2 * 3)
    assert AveragedOneDependence(n=2).fit(X, y).n_parameters == 2 * (3 * 2)
    assert by.JointBayes().fit(X, y).n_parameters == 2 * (3 * 2)


@every_model
def test_columns_that_depend_on_each_other_are_told_apart_where_naive_bayes_cannot(make):
    rng = np.random.default_rng(0)
    first, second = rng.integers(2, size=(2, 400))
    X = {"left": first.astype(str), "right": second.astype(str)}
    y = np.where(first == second, "same", "other")
    assert make().fit(X, y).score(X, y) == 1.0
    assert by.NaiveBayes().fit(X, y).score(X, y) < 0.7


# samples ----------------------------------------------------------------------------------------


@every_model
def test_samples_have_the_probabilities_of_the_model(make):
    rng = np.random.default_rng(0)
    first = rng.choice(["rain", "sun"], 60)
    second = np.where(rng.random(60) < 0.8, first, "snow")
    X = {"sky": first, "wind": second, "heat": rng.normal(first == "sun", 0.1)}
    model = make().fit(X, np.where(rng.random(60) < 0.7, first, "fog"))
    n_rows = 20_000
    sampled = model.sample(n_rows, label="fog", random_state=0)
    assert set(sampled.y) == {"fog"}
    pairs = pd.Series(list(zip(sampled.X["sky"], sampled.X["wind"], strict=True)))
    asked = {"sky": ["rain", "rain", "sun"], "wind": ["rain", "snow", "snow"]}
    asked["heat"] = [None] * 3
    of_class = model.classes_.tolist().index("fog")
    # over what heat may be: both sides of its cut, which is all that the model sees of it
    low, high = (np.full(3, value) for value in (-5.0, 5.0))
    joint = np.zeros(3)
    for heat in (low, high) if model.bins_["heat"].n_bins == 2 else (low,):
        scores = model.predict_joint_log_proba({**asked, "heat": heat})
        joint += np.exp(scores[:, of_class]) / model.class_prior_[of_class]
    for place, pair in enumerate(zip(asked["sky"], asked["wind"], strict=True)):
        share = (pairs == pair).mean()
        assert share == pytest.approx(joint[place], abs=5 * np.sqrt(0.25 / n_rows))


# on top -----------------------------------------------------------------------------------------


@every_model
def test_rows_without_a_label_are_learned_too(make):
    X, y = mail()
    some = [label if number < 60 else None for number, label in enumerate(y)]
    model = SemiSupervised(make(), max_iter=20, tol=1e-3)
    model.fit(X, some)
    assert model.predict_proba(X).shape == (200, 2)
    assert (np.diff(model.trace_) >= 0).all()
    assert (model.predict(X) == y).mean() > 0.8
    assert np.isfinite(model.leave_one_out(X, some)).all()


@every_model
def test_decisions_are_made_with_losses(make):
    X, y = mail()
    loss = {"ham": {"ham": 0, "spam": 1}, "spam": {"ham": 9, "spam": 0}}
    deciding = BayesDecision(make(), loss=loss).fit(X, y)
    ham, spam = make().fit(X, y).predict_proba(X).T
    expected = np.where(spam < 9 * ham, "ham", "spam")
    assert 0 < (expected == "ham").sum() < 200
    np.testing.assert_array_equal(deciding.predict(X), expected)


@every_model
def test_cross_validation_beats_chance(make):
    X, y = mail()
    assert cross_val_score(make(), X, y).mean() > 0.85


def test_bins_tell_their_limits():
    bins = Bins((0.0, 2.0, 9.0))
    assert bins.n_bins == 2 and bins.cuts == (2.0,)
    drawn = bins.sample(np.array([0] * 50 + [1] * 50), np.random.default_rng(0))
    assert (drawn[:50] < 2).all() and (drawn[50:] >= 2).all() and drawn.max() <= 9
