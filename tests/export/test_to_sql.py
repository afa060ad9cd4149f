"""`to_sql`: a database says what the model says, row by row."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.base import clone

import bayesic as by
from helpers.databases import duckdb_in_memory, probabilities
from helpers.examples import at_most
from helpers.exported_models import (
    COUNT_MODELS,
    MODELS,
    NUMBER_MODELS,
    REFUSED,
    ROW,
    TABLE,
    answer,
    deep_trees,
    fitted,
    in_columns,
    model_of_counts,
    model_of_numbers,
    model_of_towns,
    normal_classes_with_every_gap,
    quietly,
)


def assert_says_the_same(database, model, columns, rows=None):
    """rows : the columns as the model takes them, if it takes arrays"""
    sql = by.to_sql(model, "days", database.dialect, keep="row")
    ours = probabilities(database.answers(sql, columns))
    expected, size = answer(model, columns if rows is None else rows)
    # a score is a sum of rounded numbers: of large ones fewer digits are known behind the point
    assert (np.abs(ours - expected) <= 1e-12 * np.maximum(size / 100, 1)).all()


def as_columns(X):
    """The columns of a matrix, with gaps as databases have them."""
    return {f"x{at}": [None if v != v else v for v in x.tolist()] for at, x in enumerate(X.T)}


# textbooks --------------------------------------------------------------------------------------


def test_the_day_of_the_textbook_has_its_exact_fraction(database):  # [Mitchell] section 6.9.1
    tennis = by.datasets.play_tennis().to_dict()
    model = by.NaiveBayes(smoothing=0).fit(tennis, y="PlayTennis")
    day = {"Outlook": ["Sunny"], "Temperature": ["Cool"], "Humidity": ["High"], "Wind": ["Strong"]}
    sql = by.to_sql(model, "days", database.dialect, keep="row")
    [[no, yes]] = database.answers(sql, day)
    assert no == pytest.approx(float(Fraction(486, 611)), abs=1e-14)
    assert yes == pytest.approx(float(Fraction(125, 611)), abs=1e-14)


# any table --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", MODELS)
@at_most(15)
@given(learned=TABLE, asked=st.lists(ROW, min_size=1, max_size=8))
def test_models_of_tables_say_the_same(database, name, learned, asked):
    rows, labels = map(list, zip(*learned, strict=True))
    try:
        model = quietly(clone(MODELS[name]), in_columns(rows), labels)
        columns = in_columns(asked)
        answer(model, columns)
    except ValueError:  # a column of gaps alone may be anything
        assume(False)
    assert_says_the_same(database, model, columns)


# arrays -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("name", NUMBER_MODELS)
def test_models_of_numbers_say_the_same(database, name, n_classes):
    model, asked = model_of_numbers(name, n_classes)
    assert_says_the_same(database, model, as_columns(asked), asked)


def test_normal_classes_answer_from_whatever_was_observed(database):
    model, asked = normal_classes_with_every_gap()
    assert_says_the_same(database, model, as_columns(asked), asked)


def test_many_features_of_normal_classes_want_rows_without_gaps(database):
    rng = np.random.default_rng(9)
    X = rng.normal(size=(60, 12))
    model = by.GaussianBayes().fit(X, np.arange(60) % 2)
    columns = {f"x{at}": X[:, at].tolist() for at in range(12)}
    assert_says_the_same(database, model, columns, X)
    sql = by.to_sql(model, "days", database.dialect, keep="row")
    columns["x3"][0] = None
    assert database.answers(sql, columns)[0] == (None, None)


@pytest.mark.parametrize("name", ["QDA", "LDA", "logistic"])
def test_a_model_that_refuses_gaps_has_no_answer_for_them(database, name):
    X = np.random.default_rng(0).normal(size=(20, 2))
    model = clone(NUMBER_MODELS[name]).fit(X, np.arange(20) % 2)
    sql = by.to_sql(model, "days", database.dialect, keep="row")
    columns = {"x0": [None, 1.0, 1e300], "x1": [1.0, None, None]}
    assert database.answers(sql, columns) == [(None, None)] * 3


@pytest.mark.parametrize("name", COUNT_MODELS)
def test_models_of_counts_say_the_same(database, name):
    model, asked = model_of_counts(name)
    assert_says_the_same(database, model, as_columns(asked), asked)


def test_numbers_that_are_next_to_a_value_of_a_kernel(database):
    model = by.NaiveBayes(numeric="kernel", smoothing=0)
    model = quietly(model, {"wind": [0.0, 1e9, 3.0, 5.0]}, ["on", "off", "on", "off"])
    assert_says_the_same(database, model, {"wind": [5e-324, 1e-300, 1e9, None]})


# large tables -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["naive", "tree", "average", "forest"])
def test_columns_of_many_levels_are_looked_up(database, name):
    model, columns = model_of_towns(name)
    assert "left join" in by.to_sql(model, "days", database.dialect)
    assert_says_the_same(database, model, columns)


def test_many_pairs_of_columns_are_asked_in_arrays_where_there_are_some(database):
    rng = np.random.default_rng(7)
    levels = np.array(["low", "high", "it's", "高"])
    columns = {f"c{at}": levels[rng.integers(0, 4, 80)].tolist() for at in range(12)}
    columns["c1"][:3] = [None, None, "new"]
    model = by.AveragedOneDependence().fit(columns, (np.arange(80) % 3).tolist())
    columns["c0"][:4] = [None, "new", None, "low"]
    sql = by.to_sql(model, "days", database.dialect)
    assert ("cross join" in sql) == (database.dialect != "sqlite")
    assert_says_the_same(database, model, columns)


def test_more_arrays_than_a_row_holds(database, monkeypatch):
    monkeypatch.setattr("bayesic.export._sql.MOST_ARRAYS", 2)
    model, columns = model_of_towns("average")
    assert_says_the_same(database, model, columns)


def test_many_tables_are_looked_up_in_several_steps(database):
    rng = np.random.default_rng(3)
    columns = {f"c{at}": [f"{n} km" for n in rng.integers(0, 45, 150)] for at in range(70)}
    model = quietly(by.NaiveBayes(), columns, (np.arange(150) % 2).tolist())
    assert_says_the_same(database, model, columns)


def test_deep_trees_are_walked_in_several_steps(database):
    assert_says_the_same(database, *deep_trees(n_trees=2))


def test_many_trees_are_walked_at_once_where_there_are_arrays(postgres):
    for database in (duckdb_in_memory(), postgres):
        assert_says_the_same(database, *deep_trees(n_trees=12))


@pytest.mark.parametrize(("n_columns", "n_classes"), [(230, 2), (2, 130)])
def test_many_columns_or_classes(database, n_columns, n_classes):
    X = np.random.default_rng(6).poisson(1.0, size=(n_classes, n_columns))
    model = by.MultinomialNB().fit(X, np.arange(n_classes))
    columns = {f"x{at}": X[:, at].tolist() for at in range(n_columns)}
    assert_says_the_same(database, model, columns, X)


# decisions --------------------------------------------------------------------------------------

LOSS = {"it's on": {"No": 5, "Yes": 0}, "取消": {"No": 0, "Yes": 1}}


@pytest.mark.parametrize("loss", [None, LOSS, [[0, 1], [2, 0], [0.4, 0.4]]])
@pytest.mark.parametrize("reject_loss", [None, 0.2])
def test_a_decision_comes_with_its_action_and_risk(database, loss, reject_loss):
    tennis = by.datasets.play_tennis().to_dict()
    model = by.BayesDecision(by.NaiveBayes(), loss, reject_loss).fit(tennis, y="PlayTennis")
    sql = by.to_sql(model, "days", database.dialect, keep="row")
    days = {name: cells for name, cells in tennis.items() if name != "PlayTennis"}
    rows = database.answers(sql, days)
    assert np.allclose(probabilities([row[:2] for row in rows]), model.predict_proba(days))
    actions = model.predict(days).tolist()
    if "reject" in actions:  # a column holds texts, or numbers
        actions = [*map(str, actions)]
    assert [row[2] for row in rows] == actions
    risk = model.predict_risk(days).min(axis=1)
    risk = risk if reject_loss is None else np.minimum(risk, reject_loss)
    assert np.allclose([row[3] for row in rows], risk, atol=1e-12)


def test_a_row_without_an_answer_has_no_action(database):
    X, y = [[0.0], [1.0], [2.0], [3.0]], ["sun", "rain", "sun", "rain"]
    model = by.BayesDecision(by.LogisticRegression(), reject_loss=0.1).fit(X, y)
    sql = by.to_sql(model, "days", database.dialect, keep="row")
    assert database.answers(sql, {"x0": [None]}) == [(None, None, None, None)]


# names and types --------------------------------------------------------------------------------


def test_columns_of_answers_are_called_as_on_the_command_line(database):
    model = by.NaiveBayes().fit({"sky": ["sun", "rain"]}, ['it\'s "on"', "不"])
    sql = by.to_sql(model, 'the "days" of may', database.dialect, keep=["row", "sky"])
    rows = database.answers(sql, {"sky": ["sun"]}, 'the "days" of may')
    assert rows[0][0] == "sun"
    assert 'as "P(it\'s ""on"")"' in sql
    assert 'as "P(不)"' in sql


@pytest.mark.parametrize("type_", ["integer", "double precision", "numeric(6, 2)", "real", "text"])
def test_numbers_that_name_categories_may_have_any_type(database, type_):
    model = by.NaiveBayes().fit({"zip": ["1", "2", "1", "30"]}, ["sun", "sun", "rain", "rain"])
    asked = {"zip": [1, 2, 30, 4, None]}
    sql = by.to_sql(model, "days", database.dialect, keep="row")
    cells = (
        {"zip": [None if n is None else str(n) for n in asked["zip"]]} if type_ == "text" else asked
    )
    ours = probabilities(database.answers(sql, cells, zip=type_))
    expected = model.predict_proba({"zip": ["1", "2", "30", "4", None]})
    assert np.abs(ours - expected).max() < 1e-12


def test_a_table_may_have_the_name_of_a_step(database):
    model = by.NaiveBayes().fit({"sky": ["sun", "rain"]}, ["yes", "no"])
    sql = by.to_sql(model, "BAYESIC_0", database.dialect, keep="row")
    [row] = database.answers(sql, {"sky": ["sun"]}, "BAYESIC_0")
    assert row[1] > row[0]


def test_the_parts_of_a_name_are_quoted_each():
    model = by.NaiveBayes().fit({"sky": ["sun", "rain"]}, ["yes", "no"])
    assert 'from "public"."days" as r' in by.to_sql(model, ("public", "days"), "postgresql")


def test_nul_is_written_where_a_text_may_hold_it(database):
    model = by.NaiveBayes().fit({"sky": ["sun", "ra\0in"]}, ["yes", "no"])
    if database.dialect == "postgresql":
        with pytest.raises(ValueError, match="PostgreSQL cannot hold the character NUL"):
            by.to_sql(model, "days", database.dialect)
    else:
        assert_says_the_same(database, model, {"sky": ["ra\0in", "ra", "sun"]})


BACKSLASHES = [r"C:\temp", "\\", r"\' or true --", r"\\", "it's", r"\n"]


def test_a_backslash_is_a_character_like_others(database):
    model = by.NaiveBayes().fit({"path": [*BACKSLASHES, "sun"]}, [*BACKSLASHES, "sun"])
    assert_says_the_same(database, model, {"path": [*BACKSLASHES, "sun", "n"]})


@pytest.mark.parametrize("standard", ["on", "off"])
def test_a_backslash_is_so_whatever_the_server_is_told(postgres, standard):
    postgres.connection.execute(f"set standard_conforming_strings = {standard}")
    postgres.connection.execute("set escape_string_warning = off")
    try:
        test_a_backslash_is_a_character_like_others(postgres)
    finally:
        postgres.connection.execute("reset all")


# refusals ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("model", "sentence"), REFUSED)
def test_what_cannot_be_written_is_refused(model, sentence):
    with pytest.raises((ValueError, TypeError), match=sentence):
        by.to_sql(model, "days")


def test_odd_arguments_are_refused():
    model = fitted(by.NaiveBayes())
    with pytest.raises(ValueError, match="dialect must be"):
        by.to_sql(model, "days", "oracle")
    with pytest.raises(ValueError, match="NUL"):
        by.to_sql(model, "da\0ys")
    with pytest.raises(ValueError, match="must have a character"):
        by.to_sql(model, "")
    with pytest.raises(TypeError, match="table must be a name"):
        by.to_sql(model, ())
    with pytest.raises(ValueError, match="keep names columns that the answer also has"):
        by.to_sql(model, "days", keep="P(yes)")
    with pytest.raises(ValueError, match="Unicode"):
        by.to_sql(model, "days", keep="\ud800")
    with pytest.raises(ValueError, match="not fitted"):
        by.to_sql(by.NaiveBayes(), "days")
