"""`to_sql`: a database says what the model says, row by row."""

import warnings
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn.base import clone

import bayesic as by
from helpers.databases import probabilities

ODD = ["", " ", "  leading", "it's", 'the "best"', "雨", "🌧️", "100%", "a\\b", "%s", "null", "true"]
WORDS = st.sampled_from(["sun", "rain", *ODD])
NUMBERS = st.sampled_from([0.0, 1.0, -1.5, 2.0, 3.25, 1e9, -1e300, 1e300, 1e-300, 5e-324])
LABELS = st.sampled_from(["play", "it's", "不"])


def answer(model, rows):
    """The probabilities, and how large the scores behind them are."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # rows that are impossible, columns that tell nothing
        expected = model.predict_proba(rows)
        inside = getattr(model, "model_", model)
        if not hasattr(inside, "predict_joint_log_proba"):
            return expected, 1.0
        scores = np.abs(inside.predict_joint_log_proba(rows))
    return expected, np.where(np.isfinite(scores), scores, 0.0).max(axis=1, keepdims=True)


def assert_says_the_same(database, model, columns, rows=None):
    """rows : the columns as the model takes them, if it takes arrays"""
    sql = by.to_sql(model, "days", database.dialect, keep="row")
    ours = probabilities(database.answers(sql, columns))
    expected, size = answer(model, columns if rows is None else rows)
    # a score is a sum of rounded numbers: of large ones fewer digits are known behind the point
    assert (np.abs(ours - expected) <= 1e-12 * np.maximum(size / 100, 1)).all()


def quietly(model, *given, **told):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model.fit(*given, **told)


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

ROW = st.fixed_dictionaries(
    {
        '天 "1"': st.none() | WORDS,
        "wind": st.none() | NUMBERS,
        "it's": st.none() | st.integers(0, 3),
        "windy": st.none() | st.booleans(),
    }
)
TABLE = st.lists(st.tuples(ROW, LABELS), min_size=1, max_size=8)


def in_columns(rows):
    return {name: [row[name] for row in rows] for name in rows[0]}


MODELS = {
    "naive": by.NaiveBayes(numeric="gaussian"),
    "naive, binned, weights": by.NaiveBayes(numeric="binned", weights="learned"),
    "naive, categories": by.NaiveBayes(numeric="categorical", smoothing=("m", 2)),
    "naive, no smoothing": by.NaiveBayes(
        columns={"it's": "poisson", "windy": "bernoulli"}, numeric="gaussian", smoothing=0
    ),
    "naive, kernels": by.NaiveBayes(numeric="kernel"),
    "naive, kernels, no smoothing": by.NaiveBayes(numeric="kernel", smoothing=0, weights="learned"),
    "tree": by.TreeAugmentedNB(),
    "tree, weights": by.TreeAugmentedNB(weights="learned", smoothing=0),
    "network": by.KDependence(k=2, smoothing=("back-off", 2)),
    "network, chosen": by.KDependence(k="auto", smoothing=("m", 1)),
    "average": by.AveragedOneDependence(),
    "average, back-off": by.AveragedOneDependence(smoothing=("back-off", 1), m=2),
    "average, no smoothing": by.AveragedOneDependence(smoothing=0),
    "forest": by.BayesForest(n_trees=3),
    "forest at random": by.BayesForest(n_trees=2, splits="random", smoothing=2.0),
    "calibrated": by.calibrated(by.NaiveBayes(numeric="gaussian", smoothing=0)),
}


@pytest.mark.parametrize("name", MODELS)
@settings(max_examples=15)
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

NUMBER_MODELS = {
    "GaussianNB": by.GaussianNB(),
    "diagonal": by.GaussianBayes("diagonal"),
    "spherical": by.GaussianBayes("spherical", shrinkage=0.5),
    "full": by.GaussianBayes(shrinkage=0.1),
    "tied": by.GaussianBayes("tied"),
    "QDA": by.QuadraticDiscriminantAnalysis(solver="eigen", shrinkage=0.5, tol=0),
    "LDA": by.LinearDiscriminantAnalysis(),
    "LDA, least squares": by.LinearDiscriminantAnalysis(solver="lsqr"),
    "logistic": by.LogisticRegression(),
    "calibrated": by.calibrated(by.GaussianNB()),
}
HOLDS_GAPS = {"GaussianNB", "diagonal", "spherical", "calibrated", "full", "tied"}
FAR = [1e300, -1e300, 1e12, 0.0, 1e-300]


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("name", NUMBER_MODELS)
def test_models_of_numbers_say_the_same(database, name, n_classes):
    rng = np.random.default_rng(n_classes)
    y = np.arange(40) % n_classes
    X = rng.normal(size=(40, 3)) * [1, 100, 1e-3] + [0, 1e4, 5] + y[:, None] * [1, -100, 0]
    model = quietly(clone(NUMBER_MODELS[name]), X, np.array(["rain", "sun", "雪"])[y])
    asked = np.vstack([X, *([number, 1e4, 5] for number in FAR)])
    if name == "logistic":
        asked = asked[2:]  # it refuses rows of which no sum is known
        asked = asked[np.abs(asked).max(axis=1) < 1e200]
    if name in HOLDS_GAPS:
        asked[0], asked[1, 0], asked[2, 1:] = np.nan, np.nan, np.nan
    columns = {f"x{at}": [None if v != v else v for v in asked[:, at].tolist()] for at in range(3)}
    assert_says_the_same(database, model, columns, asked)


def test_normal_classes_answer_from_whatever_was_observed(database):
    rng = np.random.default_rng(8)
    X, y = rng.normal(size=(60, 5)) @ rng.normal(size=(5, 5)), np.arange(60) % 3
    model = by.GaussianBayes().fit(X, y)
    asked = np.repeat(X[:1], 32, axis=0)
    asked[[[bool(n >> at & 1) for at in range(5)] for n in range(32)]] = np.nan  # every pattern
    columns = {f"x{at}": [None if v != v else v for v in asked[:, at].tolist()] for at in range(5)}
    assert_says_the_same(database, model, columns, asked)


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


COUNT_MODELS = {
    "MultinomialNB": by.MultinomialNB(),
    "MultinomialNB, no smoothing": by.MultinomialNB(alpha=0),
    "ComplementNB": by.ComplementNB(norm=True),
    "BernoulliNB": by.BernoulliNB(binarize=1.0),
    "BernoulliNB, no smoothing": by.BernoulliNB(alpha=0),
    "CategoricalNB": by.CategoricalNB(),
    "CategoricalNB, no smoothing": by.CategoricalNB(alpha=0, min_categories=7),
    "semi-supervised": by.SemiSupervised(by.MultinomialNB()),
}


@pytest.mark.parametrize("name", COUNT_MODELS)
def test_models_of_counts_say_the_same(database, name):
    rng = np.random.default_rng(5)
    X, y = rng.poisson(1.0, size=(30, 4)).astype(float), np.arange(30) % 3
    model = quietly(clone(COUNT_MODELS[name]), X, np.array(["rain", "sun", "雪"], object)[y])
    X[0, 0], X[1], X[2, 1] = np.nan, np.nan, 9
    columns = {f"x{at}": [None if v != v else v for v in X[:, at].tolist()] for at in range(4)}
    assert_says_the_same(database, model, columns, X)


# large tables -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["naive", "tree", "average", "forest"])
def test_columns_of_many_levels_are_looked_up(database, name):
    rng = np.random.default_rng(2)
    levels = np.array([f"town {number} 市'" for number in range(60)])
    columns = {at: levels[rng.integers(0, 60, 200)].tolist() for at in ("from", "to", "by way of")}
    model = quietly(clone(MODELS[name]), columns, (np.arange(200) % 3).tolist())
    columns["to"][:3] = [None, "nowhere", ""]
    assert "left join" in by.to_sql(model, "days", database.dialect)
    assert_says_the_same(database, model, columns)


def test_many_tables_are_looked_up_in_several_steps(database):
    rng = np.random.default_rng(3)
    columns = {f"c{at}": [f"{n} km" for n in rng.integers(0, 45, 150)] for at in range(70)}
    model = quietly(by.NaiveBayes(), columns, (np.arange(150) % 2).tolist())
    assert_says_the_same(database, model, columns)


def test_deep_trees_are_walked_in_several_steps(database):
    rng = np.random.default_rng(4)
    columns = {"wind": rng.normal(size=600).tolist(), "rain": rng.normal(size=600).tolist()}
    model = by.BayesForest(n_trees=2).fit(columns, rng.integers(0, 3, 600).tolist())
    assert_says_the_same(database, model, columns)


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


# refusals ---------------------------------------------------------------------------------------

SKY = {"sky": ["sun", "rain", "sun", "rain"]}
NUMBERS_OF_ROWS = np.arange(8.0)[:, None]


def fitted(model, columns=SKY, labels=("yes", "no", "yes", "yes")):
    return quietly(model, columns, list(labels))


@pytest.mark.parametrize(
    ("model", "sentence"),
    [
        (fitted(by.NaiveBayes(columns={"sky": "text"})), "column 'sky' is text"),
        (
            fitted(
                by.NaiveBayes(numeric="kernel"),
                {"wind": [number / 7 for number in range(5000)]},
                [number % 2 for number in range(5000)],
            ),
            "different numbers, but column 'wind' has more",
        ),
        (fitted(by.AveragedOneDependence(n=2)), "n=1, got n=2"),
        (fitted(by.TextClassifier(), ["sun", "rain", "sun", "rain"]), "A database cuts no words"),
        (fitted(by.JointBayes()), "got JointBayes"),
        (fitted(by.BernoulliNB(binarize=None), np.eye(4)), "binarize=None"),
        (fitted(by.ComplementNB(alpha=0), np.eye(4)), "infinite"),
    ],
)
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
    with pytest.raises(ValueError, match="keep names columns that the answer has"):
        by.to_sql(model, "days", keep="P(yes)")
    with pytest.raises(ValueError, match="Unicode"):
        by.to_sql(model, "days", keep="\ud800")
    with pytest.raises(ValueError, match="not fitted"):
        by.to_sql(by.NaiveBayes(), "days")
