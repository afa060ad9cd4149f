"""The decision tree of the shortest description as a classifier."""

import pickle
from math import log2

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from bayesic.datasets.textbook import play_tennis
from bayesic.files import model_files as files
from bayesic.hypotheses.mdl_tree.tree_classifier import MDLTreeClassifier
from helpers.comparisons import assert_unchanged, state_of
from helpers.examples import at_most
from helpers.labelled_rows import labelled_rows

TENNIS = play_tennis()
DAYS = pd.DataFrame(TENNIS.rows, columns=list(TENNIS.columns))


# what it learns -----------------------------------------------------------------------------------


def test_fourteen_days_do_not_pay_for_a_tree():
    model = MDLTreeClassifier(exception_weight=1).fit(DAYS, TENNIS.target)
    assert model.n_leaves_ == 1
    # a leaf of one of two classes; 0 to 7 exceptions, 5 of 14
    assert model.description_length_ == pytest.approx(2 + log2(8) + log2(2002))
    assert model.predict(DAYS).tolist() == ["Yes"] * 14
    np.testing.assert_allclose(model.predict_proba(DAYS[:1]), [[6 / 16, 10 / 16]])


def test_many_days_pay_for_a_tree_without_exceptions():
    model = MDLTreeClassifier(exception_weight=1)
    model.fit(DAYS, TENNIS.target, sample_weight=np.full(14, 100))
    assert model.predict(DAYS).tolist() == list(TENNIS.target)
    again = MDLTreeClassifier(exception_weight=1).fit(
        pd.concat([DAYS] * 100, ignore_index=True), TENNIS.target * 100
    )
    assert str(model) == str(again)
    assert model.description_length_ == again.description_length_


def test_a_stump_by_hand():
    heights = {"height": [1.0, 2.0, 3.0, 4.0] * 10, "noise": ["rain", "rain", "sun", "sun"] * 10}
    y = ["low", "low", "high", "high"] * 10
    model = MDLTreeClassifier().fit({"height": heights["height"]}, y)
    # a test (1 bit) on 1 column at one of 3 cuts, two leaves, at most 10 exceptions in each
    assert model.description_length_ == pytest.approx(1 + log2(3) + 2 * 2 + 2 * log2(11))
    assert model.tree_.cut[0] == 2.5
    # a category that says the same has no cut to name; both columns are there to choose from
    both = MDLTreeClassifier().fit(heights, y)
    assert both.description_length_ == pytest.approx(1 + log2(2) + 2 * 2 + 2 * log2(11))
    assert both.columns_[both.tree_.column[0]].name == "noise"


def test_one_value_against_all_others():
    weekday = [day for day in ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun") for _ in range(20)]
    y = ["rest" if day == "Sun" else "work" for day in weekday]
    model = MDLTreeClassifier(exception_weight=1).fit({"weekday": weekday}, y)
    # 1 bit for a test, 1 for "one value", which of 7; leaves of 20 and of 120 rows
    expected = 1 + 1 + log2(7) + 2 * 2 + log2(11) + log2(61)
    assert model.description_length_ == pytest.approx(expected)
    assert model.predict({"weekday": ["Sun", "Mon", "holiday", None]}).tolist() == [
        "rest",
        "work",
        "work",
        "work",
    ]


def test_more_weight_for_exceptions_gives_larger_trees():
    X, y = load_iris(return_X_y=True)
    leaves = [MDLTreeClassifier(exception_weight=c).fit(X, y).n_leaves_ for c in (0.01, 1, 2, 50)]
    assert leaves == sorted(leaves)
    assert leaves[0] == 1
    assert MDLTreeClassifier(exception_weight=50).fit(X, y).score(X, y) == 1.0


@given(labelled_rows(min_rows=2, max_rows=12, missing=True), st.randoms(use_true_random=False))
@at_most(40)
def test_the_order_of_rows_does_not_matter(rows, random):
    places = list(range(len(rows.y)))
    random.shuffle(places)
    one = MDLTreeClassifier(exception_weight=5).fit(rows.X, rows.y)
    other = MDLTreeClassifier(exception_weight=5).fit(rows.X[places], rows.y[places])
    assert str(one) == str(other)
    assert one.description_length_ == other.description_length_


@given(labelled_rows(min_rows=2, max_rows=12, missing=True))
@at_most(40)
def test_gaps_and_new_values_get_answers_that_sum_to_one(rows):
    model = MDLTreeClassifier(exception_weight=5).fit(rows.X, rows.y)
    asked = np.array([[np.nan] * rows.X.shape[1], [1e300] * rows.X.shape[1]])
    probability = model.predict_proba(np.vstack([rows.X, asked]))
    np.testing.assert_allclose(probability.sum(axis=1), 1, rtol=1e-12)
    assert (probability > 0).all()


@given(labelled_rows(min_rows=2, max_rows=12))
@at_most(30)
def test_a_large_weight_learns_every_row_that_can_be_told_apart(rows):
    model = MDLTreeClassifier(exception_weight=1e6).fit(rows.X, rows.y)
    answers = dict(zip(map(tuple, rows.X.tolist()), model.predict(rows.X).tolist(), strict=True))
    table = pd.DataFrame(rows.X).assign(label=rows.y)
    for row, group in table.groupby(list(range(rows.X.shape[1]))):
        counts = group["label"].value_counts()
        assert counts[answers[tuple(np.atleast_1d(row).tolist())]] == counts.max()


def test_weights_count_rows():
    X, y = load_iris(return_X_y=True)
    twice = MDLTreeClassifier().fit(np.vstack([X, X]), np.concatenate([y, y]))
    weighted = MDLTreeClassifier().fit(X, y, sample_weight=np.full(150, 2))
    assert str(twice) == str(weighted)
    without = MDLTreeClassifier().fit(X[:100], y[:100])
    zero = MDLTreeClassifier().fit(X, y, sample_weight=np.repeat([1, 0], [100, 50]))
    assert zero.tree_.cut.tolist() == pytest.approx(without.tree_.cut.tolist(), nan_ok=True)


def test_weights_that_are_no_whole_numbers():
    X, y = load_iris(return_X_y=True)
    weights = np.random.default_rng(0).uniform(0.5, 3, 150)
    model = MDLTreeClassifier().fit(X, y, sample_weight=weights)
    assert model.score(X, y) > 0.9
    order = np.random.default_rng(1).permutation(150)
    turned = MDLTreeClassifier().fit(X[order], y[order], sample_weight=weights[order])
    assert str(turned) == str(model)


# tables -------------------------------------------------------------------------------------------

TABLE = {
    "天气": ["晴", "晴", "雨", "雨", None, "雨"] * 5,
    "wind": [1.0, 2.0, 3.0, None, 1.0, 3.0] * 5,
    "holiday": [True, False, True, False, True, False] * 5,
    "note": [None] * 30,
}
LABELS = ["出门", "出门", "在家", "在家", "在家", "在家"] * 5


@pytest.mark.parametrize("library", [dict, pd.DataFrame, pl.DataFrame], ids=["dict", "pd", "pl"])
def test_tables_of_any_library_give_the_same_tree(library):
    model = MDLTreeClassifier().fit(library(TABLE), LABELS)
    assert str(model) == str(MDLTreeClassifier().fit(TABLE, LABELS))
    assert model.feature_names_in_.tolist() == list(TABLE)
    assert model.predict(library(TABLE)).tolist() == LABELS
    assert [column.name for column in model.columns_] == ["天气", "wind", "holiday"]


def test_not_observed_is_a_category_of_its_own():
    model = MDLTreeClassifier().fit({"天气": TABLE["天气"]}, LABELS)
    assert "天气 = 晴: 出门 (10 rows)" in str(model)
    assert model.predict({"天气": [None, "晴", "雪"]}).tolist() == ["在家", "出门", "在家"]


def test_numbers_that_are_not_observed_go_where_most_rows_go():
    wind = [1.0] * 8 + [9.0] * 12 + [None]
    y = ["calm"] * 8 + ["storm"] * 13
    model = MDLTreeClassifier().fit({"wind": wind}, y)
    assert model.tree_.class_count.tolist() == [[8, 13], [8, 0], [0, 13]]
    assert model.predict({"wind": [None, 2.0]}).tolist() == ["storm", "calm"]


def test_columns_are_found_by_name_and_rows_by_position():
    model = MDLTreeClassifier().fit(pd.DataFrame(TABLE), LABELS)
    turned = pd.DataFrame(TABLE)[["wind", "note", "天气", "holiday"]]
    assert model.predict(turned).tolist() == LABELS
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        assert model.predict([("晴", 1.0, True, None)]).tolist() == ["出门"]
    with pytest.raises(ValueError, match="unseen at fit time"):
        model.predict(pd.DataFrame(TABLE).rename(columns={"wind": "Wind"}))


def test_numbers_may_name_categories_and_columns_be_ignored():
    codes = [1, 2, 3] * 20
    y = ["odd" if code != 2 else "even" for code in codes]
    model = MDLTreeClassifier(columns={"code": "categorical", "id": "ignore"})
    model.fit({"code": codes, "id": range(60)}, y)
    assert model.n_leaves_ == 2
    assert "code = 2: even (20 rows)" in str(model)
    assert model.predict({"code": [2, 7], "id": [5, 6]}).tolist() == ["even", "odd"]


def test_a_table_that_tells_nothing_is_one_leaf():
    model = MDLTreeClassifier().fit({"note": [None, None, None]}, ["rain", "rain", "sun"])
    assert model.n_leaves_ == 1
    assert model.predict({"note": ["new", None]}).tolist() == ["rain", "rain"]


def test_neighbouring_floats_are_told_apart():
    low = 1.0
    high = np.nextafter(low, 2)
    X, y = [[low], [high]] * 20, ["low", "high"] * 20
    assert MDLTreeClassifier().fit(X, y).score(X, y) == 1.0
    huge = [[-1.7e308], [1.7e308]] * 20
    assert MDLTreeClassifier().fit(huge, y).score(huge, y) == 1.0


# reasons ------------------------------------------------------------------------------------------


def test_the_path_of_a_row():
    model = MDLTreeClassifier(exception_weight=4).fit(DAYS, TENNIS.target)
    path = model.explain(("Sunny", "Hot", "High", "Weak"))
    assert path.answer == "No"
    assert path.count == {"No": 3.0, "Yes": 0.0}
    assert path.probability == {"No": 4 / 5, "Yes": 1 / 5}
    assert [step.branch for step in path.steps] == ["Humidity = High", "Outlook = Sunny"]
    assert [step.value for step in path.steps] == ["High", "Sunny"]
    assert path.steps[0].count == {"No": 4.0, "Yes": 3.0}
    assert not any(step.is_guess for step in path.steps)
    assert str(path).splitlines()[1] == "  Humidity = High  No 4, Yes 3"


def test_a_value_without_a_branch_is_told():
    model = MDLTreeClassifier(exception_weight=4).fit(DAYS, TENNIS.target)
    row = {"Outlook": "Snow", "Temperature": None, "Humidity": "High", "Wind": "Weak"}
    path = model.explain(row)
    assert path.steps[1].value == "Snow" and path.steps[1].is_guess
    assert "Outlook = Sunny (most rows)" in str(path)
    paths = model.explain(DAYS)
    assert [path.answer for path in paths] == model.predict(DAYS).tolist()


def test_text_shows_every_leaf():
    model = MDLTreeClassifier(exception_weight=4).fit(DAYS, TENNIS.target)
    lines = str(model).splitlines()
    assert lines[0].startswith(f"{model.n_leaves_} leaves, {model.description_length_:.1f} bits")
    assert sum("row" in line for line in lines) == model.n_leaves_
    assert "|   Outlook = Overcast: Yes (2 rows)" in lines
    assert str(MDLTreeClassifier()) == "MDLTreeClassifier()"


def test_a_number_in_words():
    X, y = load_iris(return_X_y=True, as_frame=True)
    model = MDLTreeClassifier().fit(X, y)
    assert "petal width (cm) <= 0.8: 0 (50 rows)" in str(model)


# bad input, scikit-learn, files -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"exception_weight": 0}, "number above 0, got 0"),
        ({"exception_weight": "two"}, "number above 0"),
        ({"exception_weight": True}, "number above 0"),
        ({"exception_weight": float("nan")}, "number above 0"),
        ({"columns": {"wind": "gaussian"}}, "one of categorical, ignore, got 'gaussian'"),
        ({"columns": {"Wind": "ignore"}}, "Check the spelling"),
    ],
)
def test_wrong_arguments_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        MDLTreeClassifier(**arguments).fit(TABLE, LABELS)
    with pytest.raises(TypeError, match="dict of column name and kind"):
        MDLTreeClassifier(columns=["wind"]).fit(TABLE, LABELS)


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        ([[1.0], [2.0]], ["rain"], "one label for each row"),
        ([[np.inf], [2.0]], ["rain", "sun"], "must be finite"),
        (np.empty((0, 2)), [], "at least one label"),
    ],
)
def test_bad_rows_change_nothing(X, y, message):
    model = MDLTreeClassifier().fit(TABLE, LABELS)
    before = state_of(model)
    with pytest.raises(ValueError, match=message):
        model.fit(X, y)
    assert_unchanged(model, before)


def test_pipelines_grids_clones_and_pickles():
    X, y = load_iris(return_X_y=True)
    pipeline = make_pipeline(StandardScaler(), MDLTreeClassifier())
    assert cross_val_score(pipeline, X, y).mean() > 0.9
    search = GridSearchCV(MDLTreeClassifier(), {"exception_weight": [0.01, 2.0]}).fit(X, y)
    assert search.best_params_["exception_weight"] == 2.0
    model = MDLTreeClassifier(exception_weight=3).fit(X, y)
    assert clone(model).get_params() == model.get_params()
    assert str(pickle.loads(pickle.dumps(model))) == str(model)


def restored(model, state):
    """What `load` does: classes and features come first."""
    other = clone(model)
    other.classes_ = model.classes_
    other.n_features_in_ = model.n_features_in_
    if hasattr(model, "feature_names_in_"):
        other.feature_names_in_ = model.feature_names_in_
    return other._restore(state)


@pytest.mark.parametrize("table", [TABLE, np.arange(60.0).reshape(30, 2)], ids=["table", "array"])
def test_the_state_is_all_that_was_learned(table):
    model = MDLTreeClassifier().fit(table, LABELS)
    other = restored(model, model._state())
    assert str(other) == str(model)
    assert other.description_length_ == model.description_length_
    np.testing.assert_array_equal(other.predict_proba(table), model.predict_proba(table))


def test_files_give_the_same_tree(tmp_path):
    model = MDLTreeClassifier(3.0, columns={"note": "ignore"}).fit(pd.DataFrame(TABLE), LABELS)
    model.save(tmp_path / "days.bayes")
    loaded = files.load(tmp_path / "days.bayes")
    assert loaded.get_params() == model.get_params()
    assert str(loaded) == str(model)
    assert loaded.predict(pd.DataFrame(TABLE)).tolist() == LABELS


def broken_states(state):
    n_nodes = len(state["column"])
    yield {**state, "column": state["column"] + 7}
    yield {**state, "first_child": np.zeros(n_nodes, np.int64)}
    yield {**state, "n_children": np.full(n_nodes, 2)}
    yield {**state, "cut": np.full(n_nodes, np.nan)}
    yield {**state, "class_count": -state["class_count"]}
    yield {**state, "class_count": state["class_count"][:, :1]}
    yield {**state, "test_bits": np.full(n_nodes, np.inf)}
    yield {**state, "value": np.zeros(n_nodes, np.int64)}
    yield {**state, "columns": [("elsewhere", None)]}
    yield {**state, "columns": [("height", ("tall", "small"))]}
    yield {name: value for name, value in state.items() if name != "cut"}
    yield {**state, "level": state["level"].astype(float)}


def test_a_state_that_cannot_be_is_refused():
    model = MDLTreeClassifier().fit({"height": [1.0, 2.0] * 20}, ["low", "high"] * 20)
    for state in broken_states(model._state()):
        with pytest.raises(ValueError):
            restored(model, state)
