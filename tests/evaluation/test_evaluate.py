"""`evaluate`: every classifier, every way to hold rows out, next to scikit-learn's numbers."""

import numpy as np
import pandas
import polars
import pyarrow
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn import linear_model, metrics, naive_bayes
from sklearn.datasets import load_iris
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    LeaveOneOut,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
    cross_val_predict,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

import bayesic as by

X, Y = load_iris(return_X_y=True)
NAMES = np.array(["setosa", "versicolor", "virginica"])
IRIS = {f"x{column}": X[:, column].tolist() for column in range(4)} | {"name": NAMES[Y].tolist()}
TEXTS = ["free money today", "lunch today", "free gift", "rain, no lunch", "money", "rain"] * 3
LABELS = ["spam", "ham"] * 9


def assert_scores(evaluation, labels, posterior):
    """All numbers, next to those of scikit-learn."""
    classes = np.unique(labels)
    answer = classes[posterior.argmax(axis=1)]
    assert evaluation.n_rows == len(labels)
    assert evaluation.classes == tuple(classes.tolist())
    assert evaluation.accuracy == pytest.approx(metrics.accuracy_score(labels, answer))
    assert evaluation.log_loss == pytest.approx(metrics.log_loss(labels, posterior), rel=1e-9)
    briers = [
        metrics.brier_score_loss(np.asarray(labels) == label, posterior[:, code])
        for code, label in enumerate(classes)
    ]
    assert evaluation.brier_score == pytest.approx(sum(briers), rel=1e-9)
    assert evaluation.confusion.tolist() == metrics.confusion_matrix(labels, answer).tolist()
    theirs = metrics.classification_report(labels, answer, output_dict=True, zero_division=np.nan)
    for score in evaluation.class_scores:
        of_class = theirs[str(score.label)]
        ours = [score.precision, score.recall, score.f1, score.n_rows]
        names = ["precision", "recall", "f1-score", "support"]
        np.testing.assert_allclose(ours, [of_class[name] for name in names])


# models -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "model",
    [
        naive_bayes.GaussianNB(),
        make_pipeline(StandardScaler(), linear_model.LogisticRegression()),
        by.GaussianNB(),
        by.GaussianBayes(),
        by.LogisticRegression(),
        by.NaiveBayes(),
        by.TreeAugmentedNB(),
        by.hypotheses.MDLTreeClassifier(),
        by.SemiSupervised(by.NaiveBayes()),
        by.BayesDecision(by.GaussianNB()),
    ],
    ids=lambda model: type(model).__name__,
)
def test_every_classifier_with_probabilities_is_judged(model):
    fitted = model.fit(X[::2], NAMES[Y][::2])
    evaluation = by.evaluate(fitted, X[1::2], NAMES[Y][1::2])
    assert_scores(evaluation, NAMES[Y][1::2], fitted.predict_proba(X[1::2]))


def test_the_model_that_was_chosen_is_judged():
    model = by.choose_model(IRIS, "name", [by.NaiveBayes(), by.GaussianBayes("tied")])
    rows = {name: cells for name, cells in IRIS.items() if name != "name"}
    expected = model.leave_one_out(pandas.DataFrame(rows), IRIS["name"])
    evaluation = by.evaluate(model, pandas.DataFrame(IRIS), "name", cv="leave-one-out")
    assert_scores(evaluation, IRIS["name"], expected)


@pytest.mark.parametrize(
    "model",
    [by.TextClassifier(), make_pipeline(CountVectorizer(), naive_bayes.MultinomialNB())],
    ids=lambda model: type(model).__name__,
)
def test_texts_are_judged(model):
    fitted = model.fit(TEXTS, LABELS)
    evaluation = by.evaluate(fitted, TEXTS, LABELS)
    assert_scores(evaluation, LABELS, fitted.predict_proba(TEXTS))


@pytest.mark.parametrize("model", [LinearSVC(), by.KNeighborsRegressor(), "mails.bayes"])
def test_what_gives_no_probabilities_is_refused(model):
    with pytest.raises(TypeError, match="must have predict_proba"):
        by.evaluate(model, X, Y, cv=3)


@pytest.mark.parametrize("model", [by.datasets.asia(), by.GaussianMixture(3).fit(X)])
def test_what_knows_no_classes_is_refused(model):
    with pytest.raises(TypeError, match="must be a classifier"):
        by.evaluate(model, X, Y)


def test_a_model_that_has_learned_nothing_is_refused_without_folds():
    with pytest.raises(ValueError, match="not fitted yet"):
        by.evaluate(by.NaiveBayes(), X, Y)


# tables and files -------------------------------------------------------------------------------


FRAMES = [pandas.DataFrame, polars.DataFrame, pyarrow.table]


@pytest.mark.parametrize(
    ("make", "model"),
    [(dict, by.NaiveBayes())]
    + [(make, model) for make in FRAMES for model in (by.NaiveBayes(), by.GaussianBayes())],
)
def test_tables_of_every_library_name_the_column_of_the_classes(make, model):
    folds = StratifiedKFold(3, shuffle=True, random_state=0)
    expected = cross_val_predict(model, X, NAMES[Y], cv=folds, method="predict_proba")
    evaluation = by.evaluate(model, make(IRIS), "name", cv=3)
    np.testing.assert_allclose(evaluation.answers.posterior, expected, rtol=1e-9, atol=1e-12)
    assert_scores(evaluation, NAMES[Y], expected)


@pytest.mark.parametrize("ending", ["csv", "parquet"])
@pytest.mark.parametrize("cv", [None, "leave-one-out", 3])
@pytest.mark.parametrize("model", [by.NaiveBayes(), by.GaussianBayes()])
def test_a_file_is_the_table_that_is_in_it(tmp_path, ending, cv, model):
    table = pandas.DataFrame(IRIS)
    path = tmp_path / f"iris.{ending}"
    table.to_csv(path, index=False) if ending == "csv" else table.to_parquet(path)
    fitted = model.fit(table.drop(columns="name"), IRIS["name"])
    ours, of_table = (by.evaluate(fitted, data, "name", cv=cv) for data in (path, table))
    np.testing.assert_allclose(ours.answers.posterior, of_table.answers.posterior, rtol=1e-9)
    assert ours.to_dict()["confusion"] == of_table.to_dict()["confusion"]


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_columns_of_a_file_that_are_ignored_do_not_disturb_folds(tmp_path, ending):
    days = pandas.date_range("2026-01-01", periods=150)
    table = pandas.DataFrame(IRIS | {"number": range(150), "day": days})
    path = tmp_path / f"iris.{ending}"
    table.to_csv(path, index=False) if ending == "csv" else table.to_parquet(path)
    model = by.NaiveBayes(columns={"number": "ignore", "day": "ignore"})
    expected = by.evaluate(by.NaiveBayes(), IRIS, "name", cv=3)
    assert by.evaluate(model, path, "name", cv=3).to_dict() == expected.to_dict()


def test_the_target_that_was_learned_need_not_be_named_again(tmp_path):
    path = tmp_path / "iris.csv"
    pandas.DataFrame(IRIS).to_csv(path, index=False)
    model = by.NaiveBayes().fit(IRIS, y="name")
    named = by.evaluate(model, IRIS, "name").to_dict()
    assert by.evaluate(model, IRIS).to_dict() == named
    assert by.evaluate(model, path).accuracy == named["accuracy"]
    assert by.evaluate(model, path, cv="leave-one-out").n_rows == 150
    on_top = by.calibrated(by.NaiveBayes()).fit(IRIS, y="name")
    assert by.evaluate(on_top, IRIS).to_dict() == by.evaluate(on_top, IRIS, "name").to_dict()
    with pytest.raises(ValueError, match="y must be the true class of each row"):
        by.evaluate(by.NaiveBayes().fit(X, Y), X)


@pytest.mark.parametrize("cv", [None, "leave-one-out", 3])
def test_texts_of_files_and_folders_are_those_in_them(tmp_path, cv):
    table = pandas.DataFrame({"note": "x", "body": TEXTS, "label": LABELS})
    table.to_csv(tmp_path / "mails.csv", index=False)
    order = np.argsort(LABELS, stable=True)
    for place, row in enumerate(order.tolist()):
        folder = tmp_path / "mails" / LABELS[row]
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{place:03}.txt").write_text(TEXTS[row])
    model = by.TextClassifier().fit(TEXTS, LABELS)
    expected = by.evaluate(model, TEXTS, LABELS, cv=cv)
    of_file = by.evaluate(model, tmp_path / "mails.csv", "label", cv=cv, text="body")
    of_table = by.evaluate(model, table, "label", cv=cv, text="body")
    assert of_file.to_dict() == of_table.to_dict() == expected.to_dict()
    of_folder = by.evaluate(model, tmp_path / "mails", cv=cv)
    in_order = by.evaluate(model, [TEXTS[row] for row in order], np.sort(LABELS), cv=cv)
    assert of_folder.to_dict() == in_order.to_dict()
    assert of_folder.unit == "text"


@pytest.mark.parametrize("cv", [None, "leave-one-out", 3])
def test_a_file_without_rows_is_refused(tmp_path, cv):
    path = tmp_path / "empty.csv"
    path.write_text("body,label\n")
    for model in (by.TextClassifier().fit(TEXTS, LABELS), by.NaiveBayes().fit(IRIS, y="name")):
        with pytest.raises(ValueError, match="has no rows"):
            by.evaluate(model, path, "label", cv=cv)


@pytest.mark.parametrize("rows", [None, 3, {1, 2}, {"links": "many"}, b"links"], ids=repr)
def test_what_has_no_rows_is_refused(rows):
    with pytest.raises(TypeError, match="X must be a table, an array, or a list of rows"):
        by.evaluate(by.NaiveBayes(), rows, ["ham", "spam"], cv=[([0], [1])])


def test_sparse_rows_can_be_cut_into_folds():
    counts = sparse.coo_array(X)
    assert by.evaluate(by.MultinomialNB(), counts, Y, cv=3).log_loss == pytest.approx(
        by.evaluate(by.MultinomialNB(), X, Y, cv=3).log_loss
    )


# cross validation -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "cv", [KFold(4, shuffle=True, random_state=1), StratifiedKFold(3), LeaveOneOut()], ids=str
)
def test_splitters_of_scikit_learn_split(cv):
    model = naive_bayes.GaussianNB()
    expected = cross_val_predict(model, X, Y, cv=cv, method="predict_proba")
    assert_scores(by.evaluate(model, X, Y, cv=cv), Y, expected)


def test_rows_are_judged_as_often_as_they_are_held_out():
    twice = by.evaluate(by.NaiveBayes(), X, Y, cv=RepeatedStratifiedKFold(n_splits=3, n_repeats=2))
    assert twice.n_rows == 300
    assert twice.answers.rows.tolist() == np.repeat(np.arange(150), 2).tolist()
    some = by.evaluate(by.NaiveBayes(), X, Y, cv=ShuffleSplit(2, test_size=15, random_state=0))
    assert some.n_rows == 30
    (train, test), *_ = splits = list(ShuffleSplit(2, test_size=15, random_state=0).split(X))
    assert by.evaluate(by.NaiveBayes(), X, Y, cv=splits).accuracy == some.accuracy
    model = by.NaiveBayes().fit(X[train], Y[train])
    once = by.evaluate(by.NaiveBayes(), X, Y, cv=[(train, test)])
    assert once.log_loss == pytest.approx(by.evaluate(model, X[test], Y[test]).log_loss)


def test_the_seed_is_that_of_the_folds():
    def at(seed):
        return by.evaluate(by.NaiveBayes(), X, Y, cv=3, seed=seed).to_dict()

    assert at(0) == by.evaluate(by.NaiveBayes(), X, Y, cv=3).to_dict()
    assert at(0) != at(1)


def test_the_model_itself_is_not_changed_by_folds():
    model = by.NaiveBayes().fit(X, Y)
    before = model.predict_proba(X)
    by.evaluate(model, X, Y, cv=3)
    np.testing.assert_array_equal(model.predict_proba(X), before)
    fresh = by.NaiveBayes()
    by.evaluate(fresh, X, Y, cv=3)
    assert not hasattr(fresh, "classes_")


@pytest.mark.parametrize("model", [by.NaiveBayes(), by.GaussianNB(), by.KNeighborsClassifier(3)])
def test_leave_one_out_is_as_many_fits_as_rows(model):
    rows = np.arange(0, 150, 5)
    fitted = model.fit(X[rows], Y[rows])
    exact = by.evaluate(fitted, X[rows], Y[rows], cv="leave-one-out")
    many = by.evaluate(by.BayesDecision(model), X[rows], Y[rows], cv=LeaveOneOut())
    if not isinstance(model, by.NaiveBayes):  # which keeps the kinds that it chose for its columns
        np.testing.assert_allclose(exact.answers.posterior, many.answers.posterior, atol=1e-9)
    np.testing.assert_array_equal(exact.answers.posterior, fitted.leave_one_out(X[rows], Y[rows]))


def test_a_model_that_cannot_leave_single_rows_out_is_refused():
    model = by.LogisticRegression().fit(X, Y)
    with pytest.raises(TypeError, match=r"LogisticRegression.*fitted again.*cv=5"):
        by.evaluate(model, X, Y, cv="leave-one-out")


def test_a_class_that_is_in_one_fold_only_is_declared_where_it_can_be():
    rare = np.where(np.arange(150) == 7, "rare", NAMES[Y])
    ours = by.evaluate(by.NaiveBayes(), X, rare, cv=KFold(3))
    assert ours.n_impossible == 0
    assert np.isfinite(ours.log_loss)
    theirs = by.evaluate(
        naive_bayes.GaussianNB(), X, rare, cv=KFold(3, shuffle=True, random_state=0)
    )
    assert theirs.n_impossible == 1
    assert theirs.log_loss == np.inf


@pytest.mark.parametrize(
    ("cv", "message"),
    [
        ("five", "cv must be None, 'leave-one-out', a number of folds"),
        (2.5, "cv must be None"),
        (True, "cv must be None"),
        ([1, 2], "cv must be None"),
        (1, "2 folds or more"),
        (51, "cv must be at most 50.*got 51"),
        ([], "rows to learn and rows to predict"),
        ([([0, 1], range(0))], "numbers of rows"),
        ([([0, 1], np.arange(0))], "rows to learn and rows to predict"),
        ([([0, 60], [150])], "from 0 to 149"),
        ([(0, 1)], "lists of numbers of rows"),
        (GroupKFold(3), "groups"),
    ],
)
def test_folds_that_cannot_be_are_refused(cv, message):
    with pytest.raises(ValueError, match=message):
        by.evaluate(by.NaiveBayes(), X, Y, cv=cv)


# weights ----------------------------------------------------------------------------------------

weights = st.lists(st.integers(0, 3), min_size=6, max_size=6).filter(any)


@given(weights, st.integers(0, 5))
def test_a_row_of_weight_two_is_two_rows(weights, seed):
    rng = np.random.default_rng(seed)
    rows, codes = rng.integers(0, 3, (6, 2)), np.array([0, 1, 0, 1, 1, 0])
    model = by.CategoricalNB(min_categories=3).fit(rows, codes)
    loss = [[0, 2], [1, 0]]
    ours = by.evaluate(model, rows, codes, loss=loss, sample_weight=weights)
    many = by.evaluate(model, np.repeat(rows, weights, 0), np.repeat(codes, weights), loss=loss)
    for name in ("accuracy", "log_loss", "brier_score", "expected_calibration_error"):
        assert getattr(ours, name) == pytest.approx(getattr(many, name))
    np.testing.assert_allclose(ours.confusion, many.confusion)
    for part in ("class_scores", "calibration"):
        np.testing.assert_allclose(getattr(ours, part), getattr(many, part))
    assert ours.cost.actions == many.cost.actions
    costs = ours.cost[:3], many.cost[:3]
    np.testing.assert_allclose(*costs)


def test_rows_of_weight_zero_are_no_rows():
    model = by.CategoricalNB(alpha=0).fit([[0], [0], [1]], ["ham", "spam", "ham"])
    evaluation = by.evaluate(model, [[0], [1]], ["spam", "spam"], sample_weight=[1, 0])
    assert (evaluation.n_rows, evaluation.n_impossible, evaluation.log_loss) == (1, 0, np.log(2))


def test_weights_are_learned_in_folds():
    each = np.arange(150) % 3
    ours = by.evaluate(
        by.GaussianNB(), X, Y, cv=KFold(3, shuffle=True, random_state=0), sample_weight=each
    )
    losses, total = 0.0, 0
    for train, test in KFold(3, shuffle=True, random_state=0).split(X):
        model = naive_bayes.GaussianNB().fit(X[train], Y[train], sample_weight=each[train])
        posterior = model.predict_proba(X[test])[np.arange(len(test)), Y[test]]
        losses, total = losses - (each[test] * np.log(posterior)).sum(), total + each[test].sum()
    assert ours.log_loss == pytest.approx(losses / total, rel=1e-6)
    with pytest.raises(TypeError, match="takes no sample_weight"):
        by.evaluate(by.KNeighborsClassifier(), X, Y, cv=3, sample_weight=each)
