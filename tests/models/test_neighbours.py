"""KNeighborsClassifier and KNeighborsRegressor: answers, learning more, forgetting, bad input."""

from collections import Counter
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.exceptions import NotFittedError

from bayesic.datasets import watermelon
from bayesic.models.neighbours.neighbours import KNeighborsClassifier, KNeighborsRegressor
from helpers.comparisons import assert_unchanged, state_of
from helpers.examples import at_most
from helpers.labelled_rows import labelled_rows

BOTH = (KNeighborsClassifier, KNeighborsRegressor)
MAILS = np.array([[0.0, 1.0], [1.0, 0.0], [1.0, 1.0], [4.0, 4.0], [5.0, 4.0]])
LABELS = np.array(["ham", "ham", "news", "spam", "spam"])
NUMBERS = np.array([1.0, 2.0, 4.0, 8.0, 16.0])


def learned(Model, **arguments):
    y = LABELS if Model is KNeighborsClassifier else NUMBERS
    return Model(**{"n_neighbors": 2, **arguments}).fit(MAILS, y), y


def nearest_by_hand(rows, x, k):
    """Numbers of the k nearest rows in exact arithmetic; ties by row number."""
    squares = [
        (sum((Fraction(a) - Fraction(b)) ** 2 for a, b in zip(row, x, strict=True)), number)
        for number, row in enumerate(rows)
    ]
    return [number for _, number in sorted(squares)[:k]]


# textbook case 29: majority and mean of the k nearest ------------------------------------------


@pytest.mark.parametrize("k", [1, 3, 5, 17])
def test_the_answer_is_the_majority_of_the_k_nearest(k):
    melons = watermelon()
    places = [melons.columns.index(name) for name in ("密度", "含糖率")]
    rows = [[row[place] for place in places] for row in melons.rows]
    labels = melons.target
    model = KNeighborsClassifier(k).fit(rows, labels)
    for x in [(0.5, 0.2), (0.3, 0.1), (0.7, 0.4)]:
        votes = Counter(labels[number] for number in nearest_by_hand(rows, x, k))
        shares = [float(Fraction(votes[name], k)) for name in model.classes_.tolist()]
        assert model.predict_proba([x])[0].tolist() == shares
        assert votes[model.predict([x])[0]] == max(votes.values())


@pytest.mark.parametrize("k", [1, 2, 4])
def test_the_answer_is_the_mean_of_the_k_nearest(k):
    rows, y = [(1, 2), (3, 1), (4, 4), (7, 0)], [3, 5, 10, 2]
    model = KNeighborsRegressor(k).fit(rows, y)
    for x in [(2, 2), (6, 1), (4, 4)]:
        mean = Fraction(sum(y[number] for number in nearest_by_hand(rows, x, k)), k)
        assert model.predict([x])[0] == pytest.approx(float(mean), rel=1e-15)


# answers ----------------------------------------------------------------------------------------


@at_most(30)
@given(labelled_rows(min_rows=3), st.integers(1, 3), st.sampled_from([0, 1, 0.5]))
def test_shares_with_ties_are_those_of_sorting_all_rows(rows, k, smoothing):
    model = KNeighborsClassifier(k, smoothing=smoothing).fit(rows.X, rows.y)
    n_classes = len(model.classes_)
    for x in rows.X[:3].tolist():
        votes = Counter(rows.y[number] for number in nearest_by_hand(rows.X.tolist(), x, k))
        expected = [
            float((votes[name] + Fraction(smoothing)) / (k + n_classes * Fraction(smoothing)))
            for name in model.classes_.tolist()
        ]
        np.testing.assert_allclose(model.predict_proba([x])[0], expected, rtol=1e-14)


def test_of_equal_shares_the_first_class_is_the_answer():
    model = KNeighborsClassifier(2).fit([[0.0], [1.0]], ["spam", "ham"])
    assert model.predict([[0.0]]).tolist() == ["ham"]


def test_logs_are_those_of_the_shares_and_may_be_infinite():
    model, _ = learned(KNeighborsClassifier)
    half = np.log(0.5)
    assert model.predict_log_proba([[0.0, 1.1]])[0].tolist() == [half, half, -np.inf]
    smoothed, _ = learned(KNeighborsClassifier, smoothing=1)
    np.testing.assert_allclose(
        smoothed.predict_log_proba([[0.0, 1.1]]), np.log([[2 / 5, 2 / 5, 1 / 5]]), rtol=1e-15
    )


def test_a_learned_row_is_all_that_counts_by_distance():
    model, _ = learned(KNeighborsRegressor, weights="distance", n_neighbors=5)
    assert model.predict(MAILS).tolist() == NUMBERS.tolist()


@pytest.mark.parametrize("Model", BOTH)
def test_set_params_holds_at_once(Model):
    model, y = learned(Model)
    model.set_params(n_neighbors=1, metric="manhattan", weights="distance")
    expected = Model(1, metric="manhattan", weights="distance").fit(MAILS, y)
    assert model.predict([[3.0, 2.0]]).tolist() == expected.predict([[3.0, 2.0]]).tolist()


def test_p_and_metric_name_the_same_distances():
    asked = [[2.0, 2.9]]
    for p, metric in ((1, "manhattan"), (2, "euclidean")):
        by_p, _ = learned(KNeighborsClassifier, p=p)
        by_name, _ = learned(KNeighborsClassifier, metric=metric)
        assert by_p.kneighbors(asked)[0].tolist() == by_name.kneighbors(asked)[0].tolist()
    assert learned(KNeighborsClassifier, p=1)[0].kneighbors([[0, 0]], 3)[0].tolist() == [[1, 1, 2]]


@pytest.mark.parametrize("Model", BOTH)
def test_what_was_learned_does_not_change_with_the_callers_array(Model):
    X, y = MAILS.copy(), LABELS if Model is KNeighborsClassifier else NUMBERS.copy()
    model = Model(1).fit(X, y)
    before = model.predict(MAILS).tolist()
    X[:] = 0
    if y is not LABELS:
        y[:] = 0
    assert model.predict(MAILS).tolist() == before


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_tables_are_taken(frame):
    table = frame({"free": MAILS[:, 0], "lunch": MAILS[:, 1]})
    model = KNeighborsClassifier(2).fit(table, LABELS.tolist())
    assert model.feature_names_in_.tolist() == ["free", "lunch"]
    expected = learned(KNeighborsClassifier)[0].predict_proba(MAILS).tolist()
    assert model.predict_proba(table).tolist() == expected


# explain ----------------------------------------------------------------------------------------


def test_explain_shows_the_neighbours():
    model, _ = learned(KNeighborsClassifier, n_neighbors=3, weights="distance")
    one = model.explain((1.0, 3.0))
    assert one.answer == model.predict([[1.0, 3.0]])[0]
    assert [*one.probability.values()] == model.predict_proba([[1.0, 3.0]])[0].tolist()
    distance, rows = model.kneighbors([[1.0, 3.0]])
    assert [near.row for near in one.neighbours] == rows[0].tolist()
    assert [near.distance for near in one.neighbours] == distance[0].tolist()
    assert [near.label for near in one.neighbours] == LABELS[rows[0]].tolist()
    weights = [near.weight for near in one.neighbours]
    closeness = 1 / distance[0]
    np.testing.assert_allclose(weights, 3 * closeness / closeness.sum(), rtol=1e-14)


def test_explain_gives_one_for_a_row_and_a_list_for_rows():
    model, _ = learned(KNeighborsRegressor)
    one = model.explain([4.0, 4.0])
    assert model.explain(np.array([4.0, 4.0])) == one
    assert model.explain([[4.0, 4.0], [0.0, 0.0]])[0] == one
    assert (one.answer, one.probability) == (12.0, {})


def test_a_row_by_name_is_explained():
    table = pd.DataFrame(MAILS, columns=["free", "lunch"])
    model = KNeighborsClassifier(1).fit(table, LABELS)
    assert model.explain({"lunch": 4, "free": 5}).answer == "spam"
    assert model.explain(table.iloc[4]).neighbours[0].row == 4
    with pytest.raises(ValueError, match=r"missing \['lunch'\], unknown \['rain'\]"):
        model.explain({"free": 1, "rain": 2})
    with pytest.raises(ValueError, match="A missing value has no distance"):
        model.explain({"free": 1, "lunch": float("nan")})


def test_several_outputs_are_explained_together():
    model = KNeighborsRegressor(1).fit([[0.0], [1.0]], [[1.0, 2.0], [3.0, 4.0]])
    assert model.explain([0.9]).answer == (3.0, 4.0)
    assert model.explain([0.9]).neighbours[0].label == (3.0, 4.0)


# learning more and forgetting ---------------------------------------------------------------


def same_answers(ours, theirs, X):
    np.testing.assert_array_equal(ours.statistics_.values, theirs.statistics_.values)
    np.testing.assert_array_equal(ours.statistics_.targets, theirs.statistics_.targets)
    method = "predict_proba" if hasattr(ours, "predict_proba") else "predict"
    np.testing.assert_array_equal(getattr(ours, method)(X), getattr(theirs, method)(X))


@at_most(30)
@given(labelled_rows(min_rows=3), st.sampled_from(["uniform", "distance"]), st.sampled_from([0, 1]))
def test_leave_one_out_equals_refits(rows, weights, smoothing):
    arguments = {"weights": weights, "smoothing": smoothing}
    model = KNeighborsClassifier(2, **arguments).fit(rows.X, rows.y)
    found = model.leave_one_out(rows.X, rows.y)
    for row in range(len(rows.y)):
        rest = rows.where(np.arange(len(rows.y)) != row)
        refit = KNeighborsClassifier(2, **arguments)
        refit.partial_fit(rest.X, rest.y, classes=model.classes_)
        np.testing.assert_array_equal(found[row], refit.predict_proba(rows.X[row : row + 1])[0])


@at_most(20)
@given(labelled_rows(min_rows=3), st.data())
def test_leave_one_out_of_some_rows_forgets_the_same_rows(rows, data):
    model = KNeighborsClassifier(2).fit(rows.X, rows.y)
    row = data.draw(st.integers(0, len(rows.y) - 1))
    one = rows.where(slice(row, row + 1))
    found = model.leave_one_out(one.X, one.y)
    np.testing.assert_array_equal(found, model.forget(one.X, one.y).predict_proba(one.X))


@pytest.mark.parametrize("shape", [(9,), (9, 1), (9, 2)])
def test_regressors_learn_more_forget_and_leave_one_out(shape):
    rng = np.random.default_rng(1)
    X, y = rng.integers(0, 3, (9, 2)), rng.normal(size=shape)
    whole = KNeighborsRegressor(3).fit(X, y)
    pieces = KNeighborsRegressor(3).partial_fit(X[:4], y[:4]).partial_fit(X[4:], y[4:])
    merged = KNeighborsRegressor(3).fit(X[:4], y[:4]).merge(KNeighborsRegressor().fit(X[4:], y[4:]))
    for model in (pieces, merged):
        same_answers(model, whole, X)
    found = whole.leave_one_out(X, y)
    assert found.shape == shape
    for row in range(9):
        rest = np.delete(np.arange(9), row)
        refit = KNeighborsRegressor(3).fit(X[rest], y[rest])
        np.testing.assert_array_equal(found[row], refit.predict(X[row : row + 1])[0])
    first = KNeighborsRegressor(3).fit(X[:4], y[:4])
    same_answers(pieces.forget(X[4:], y[4:]), first, X)


def test_a_new_class_may_come_at_any_time():
    model, _ = learned(KNeighborsClassifier, smoothing=1)
    model.partial_fit([[9.0, 9.0]], ["alarm"])
    assert model.classes_.tolist() == ["alarm", "ham", "news", "spam"]
    expected = [(count + 1) / (2 + 4) for count in (1, 0, 0, 1)]
    np.testing.assert_allclose(model.predict_proba([[9.0, 8.0]]), [expected], rtol=1e-15)


def test_a_declared_class_counts_in_smoothed_shares():
    model = KNeighborsClassifier(1, smoothing=1)
    model.partial_fit([[1.0]], ["sun"], classes=["rain", "sun", "snow"])
    np.testing.assert_allclose(model.predict_proba([[1.0]]), [[0.25, 0.25, 0.5]], rtol=1e-15)


def test_everything_can_be_forgotten_and_learned_again():
    model, y = learned(KNeighborsClassifier)
    model.forget(MAILS, y)
    with pytest.raises(ValueError, match="there are 0 rows to choose from"):
        model.predict(MAILS)
    model.partial_fit(MAILS, y)
    same_answers(model, learned(KNeighborsClassifier)[0], MAILS)


# bad input --------------------------------------------------------------------------------------

BAD_ROWS = {
    "NaN": ([[np.nan, 1.0]], ValueError, "SimpleImputer.*NaiveBayes"),
    "infinity": ([[np.inf, 1.0]], ValueError, "infinity"),
    "too large": ([[1e150, 1.0]], ValueError, "at most 1e[+]140 in size, got 1e[+]150"),
    "sparse": (sparse.csr_array([[0.0, 1.0]]), TypeError, "[Ss]parse.*toarray"),
    "words": ([["free", "lunch"]], ValueError, "must hold numbers"),
    "three columns": ([[1.0, 2.0, 3.0]], ValueError, "3 features.*expecting 2"),
    "one dimension": ([1.0, 2.0], ValueError, "Expected 2D array"),
    "no rows": (np.empty((0, 2)), ValueError, "at least one row"),
}


@pytest.mark.parametrize("Model", BOTH)
@pytest.mark.parametrize("bad", BAD_ROWS)
def test_bad_rows_are_refused_and_change_nothing(Model, bad):
    X, error, message = BAD_ROWS[bad]
    model, y = learned(Model)
    before = state_of(model)
    calls = {
        "predict": lambda: model.predict(X),
        "kneighbors": lambda: model.kneighbors(X),
        "partial_fit": lambda: model.partial_fit(X, y[:1]),
        "forget": lambda: model.forget(X, y[:1]),
        "leave_one_out": lambda: model.leave_one_out(X, y[:1]),
    }
    if bad != "three columns":
        calls["fit"] = lambda: model.fit(X, y[:1])
    for call in calls.values():
        with pytest.raises(error, match=message):
            call()
        assert_unchanged(model, before)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n_neighbors": 0}, "n_neighbors must be a whole number of 1 or more, got 0"),
        ({"n_neighbors": 2.5}, "n_neighbors must be a whole number"),
        ({"weights": "rank"}, "weights must be one of 'uniform', 'distance'"),
        ({"algorithm": "ball_tree"}, "algorithm must be one of 'auto', 'kd_tree', 'brute'"),
        ({"metric": "cosine"}, "metric must be one of 'minkowski', 'euclidean', 'manhattan'"),
        ({"p": 3}, "p must be 1 .* or 2"),
    ],
)
@pytest.mark.parametrize("Model", BOTH)
def test_bad_arguments_are_refused(Model, arguments, message):
    with pytest.raises(ValueError, match=message):
        learned(Model, **arguments)
    model, _ = learned(Model)
    with pytest.raises(ValueError, match=message):
        model.set_params(**arguments).predict(MAILS)


@pytest.mark.parametrize("smoothing", [-1, np.nan, np.inf, [1.0]])
def test_bad_smoothing_is_refused(smoothing):
    with pytest.raises(ValueError, match="smoothing must be a number of 0 or more"):
        learned(KNeighborsClassifier, smoothing=smoothing)


@pytest.mark.parametrize("Model", BOTH)
def test_more_neighbours_than_rows_are_refused(Model):
    model, y = learned(Model, n_neighbors=5)
    with pytest.raises(ValueError, match="n_neighbors = 6, n_samples_fit = 5.*fewer neighbours"):
        model.kneighbors(MAILS, 6)
    with pytest.raises(ValueError, match="n_neighbors = 5, n_samples_fit = 4"):
        model.leave_one_out(MAILS, y)


@pytest.mark.parametrize("Model", BOTH)
def test_what_was_never_learned_is_not_forgotten(Model):
    model, y = learned(Model)
    before = state_of(model)
    for rows, labels in ((MAILS + 1, y), (MAILS, y[::-1]), (MAILS[[0, 0]], y[[0, 0]])):
        for call in (model.forget, model.leave_one_out):
            with pytest.raises(ValueError, match="Only what was learned"):
                call(rows, labels)
            assert_unchanged(model, before)


def test_labels_that_were_never_learned_are_not_forgotten():
    model, _ = learned(KNeighborsClassifier)
    with pytest.raises(ValueError, match="alarm"):
        model.forget(MAILS[:1], ["alarm"])


@pytest.mark.parametrize("Model", BOTH)
def test_labels_and_rows_must_be_as_many(Model):
    model, y = learned(Model)
    with pytest.raises(ValueError, match=r"\[5, 4\].*one label for each row"):
        model.partial_fit(MAILS, y[:4])


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (None, "requires y to be passed"),
        ([np.nan] * 5, "Input y contains NaN"),
        ([np.inf] * 5, "Input y contains infinity"),
        ([1e200] * 5, "y must be at most 1e[+]140"),
        (["spam"] * 5, "y must hold numbers"),
        (np.zeros((5, 1, 1)), "one row of numbers, for each row"),
        (np.zeros((5, 0)), "one row of numbers, for each row"),
    ],
    ids=["none", "NaN", "infinity", "large", "words", "three dimensions", "no outputs"],
)
def test_bad_numbers_to_predict_are_refused(y, message):
    with pytest.raises(ValueError, match=message):
        KNeighborsRegressor().fit(MAILS, y)


def test_other_numbers_of_outputs_are_refused():
    model, _ = learned(KNeighborsRegressor)
    two = KNeighborsRegressor().fit(MAILS, np.ones((5, 2)))
    with pytest.raises(ValueError, match=r"1 number\(s\) for each row as in `fit`, got 2"):
        model.partial_fit(MAILS, np.ones((5, 2)))
    with pytest.raises(ValueError, match=r"1 number\(s\) for each row as in `fit`, got 2"):
        model.merge(two)


def test_models_of_other_kinds_and_features_are_not_merged():
    model, _ = learned(KNeighborsClassifier)
    with pytest.raises(TypeError, match="KNeighborsClassifier, the other a KNeighborsRegressor"):
        model.merge(learned(KNeighborsRegressor)[0])
    with pytest.raises(ValueError, match="same features"):
        model.merge(KNeighborsClassifier().fit([[1.0]], ["ham"]))


@pytest.mark.parametrize("Model", BOTH)
def test_nothing_is_answered_before_learning(Model):
    for call in ("kneighbors", "predict", "explain"):
        with pytest.raises(NotFittedError):
            getattr(Model(), call)(MAILS)
    for call in ("forget", "leave_one_out"):
        with pytest.raises(NotFittedError):
            getattr(Model(), call)(MAILS, LABELS)


# the state of files -----------------------------------------------------------------------------


@pytest.mark.parametrize("Model", BOTH)
@pytest.mark.parametrize("named", [False, True])
def test_a_restored_model_is_the_same(Model, named):
    X = pd.DataFrame(MAILS, columns=["free", "lunch"]) if named else MAILS
    _, y = learned(Model)
    model = Model(2, weights="distance").fit(X, y)
    restored = Model(2, weights="distance")._restore(model._state())
    same_answers(restored, model, X)
    assert vars(restored).keys() == vars(model).keys()
    same_answers(restored.partial_fit(X, y), model.partial_fit(X, y), X)


@pytest.mark.parametrize(
    ("Model", "change", "message"),
    [
        (KNeighborsClassifier, {"values": None}, "needs arrays"),
        (KNeighborsClassifier, {"values": np.zeros((4, 2))}, "target for each learned row"),
        (KNeighborsClassifier, {"values": np.full((5, 2), np.nan)}, "finite"),
        (KNeighborsClassifier, {"targets": np.full((5, 1), 3)}, "class numbers"),
        (KNeighborsClassifier, {"targets": np.full((5, 1), -1)}, "class numbers"),
        (KNeighborsClassifier, {"targets": np.zeros((5, 1))}, "int64"),
        (KNeighborsClassifier, {"targets": np.zeros((5, 2), np.int64)}, "one class number each"),
        (KNeighborsClassifier, {"classes": LABELS}, "every class once"),
        (KNeighborsClassifier, {"classes": LABELS[[4, 0, 2]]}, "in order"),
        (KNeighborsClassifier, {"classes": ["ham", "news", "spam"]}, "must be an array"),
        (KNeighborsClassifier, {"feature_names": ["free"]}, "one name each"),
        (KNeighborsClassifier, {"feature_names": ["free", 2]}, "must be texts"),
        (KNeighborsRegressor, {"outputs_2d": 1}, "their shape"),
        (KNeighborsRegressor, {"targets": np.zeros((5, 1), np.int64)}, "float64"),
        (KNeighborsRegressor, {"targets": np.zeros((5, 2))}, "two dimensions"),
    ],
)
def test_a_state_that_cannot_be_is_refused(Model, change, message):
    state = learned(Model)[0]._state()
    fresh = Model()
    before = state_of(fresh)
    with pytest.raises(ValueError, match=message):
        fresh._restore({**state, **change})
    assert_unchanged(fresh, before)


@pytest.mark.parametrize("Model", BOTH)
def test_a_state_with_other_keys_is_refused(Model):
    state = learned(Model)[0]._state()
    with pytest.raises(ValueError, match="lacks .*values.* unknown .*code"):
        Model()._restore({"code": 1, **{key: state[key] for key in state if key != "values"}})
