"""`to_onnx`: a runtime of others says what the model says, row by row."""

import sys
from fractions import Fraction

import numpy as np
import onnx
import onnxruntime
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.base import clone

import bayesic as by
from bayesic.data.distinct import category_name
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

MISSING = "<missing>"
SKIES = {"sky": ["sun", "rain", "sun", "rain"]}


class Runtime:
    """onnxruntime, with what was written."""

    def __init__(self, model, **told):
        self.written = by.to_onnx(model, **told)
        onnx.checker.check_model(self.written, full_check=True)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self.session = onnxruntime.InferenceSession(
            self.written.SerializeToString(), options, providers=["CPUExecutionProvider"]
        )
        self.missing = told.get("missing", "")

    def answers(self, columns):
        """The outputs by name, of a matrix or of columns of Python values."""
        feeds = {}
        for put in self.session.get_inputs():
            if put.name == "X" and not isinstance(columns, dict):
                feeds["X"] = columns
            elif put.type == "tensor(string)":
                words = [self.missing if v is None else category_name(v) for v in columns[put.name]]
                feeds[put.name] = np.array(words, object)[:, None]
            else:
                numbers = [np.nan if v is None else v for v in columns[put.name]]
                feeds[put.name] = np.array(numbers, float)[:, None]
        outputs = [put.name for put in self.session.get_outputs()]
        return dict(zip(outputs, self.session.run(None, feeds), strict=True))


def assert_says_the_same(model, rows, missing=MISSING):
    answers = Runtime(model, missing=missing).answers(rows)
    expected, size = answer(model, rows)
    ours = answers["probabilities"]
    # a score is a sum of rounded numbers: of large ones fewer digits are known behind the point
    assert (np.abs(ours - expected) <= 1e-12 * np.maximum(size / 100, 1)).all()
    best = np.take_along_axis(
        ours, np.searchsorted(model.classes_, answers["label"])[:, None], axis=1
    )
    assert (best[:, 0] == ours.max(axis=1)).all()


# textbooks --------------------------------------------------------------------------------------


def test_the_day_of_the_textbook_has_its_exact_fraction():  # [Mitchell] section 6.9.1
    tennis = by.datasets.play_tennis().to_dict()
    model = by.NaiveBayes(smoothing=0).fit(tennis, y="PlayTennis")
    day = {"Outlook": ["Sunny"], "Temperature": ["Cool"], "Humidity": ["High"], "Wind": ["Strong"]}
    answers = Runtime(model).answers(day)
    assert answers["label"].tolist() == ["No"]
    expected = [[float(Fraction(486, 611)), float(Fraction(125, 611))]]
    assert answers["probabilities"] == pytest.approx(np.array(expected), abs=1e-14)


# any table --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", MODELS)
@at_most(15)
@given(learned=TABLE, asked=st.lists(ROW, min_size=1, max_size=8))
def test_models_of_tables_say_the_same(name, learned, asked):
    rows, labels = map(list, zip(*learned, strict=True))
    try:
        model = quietly(clone(MODELS[name]), in_columns(rows), labels)
        columns = in_columns(asked)
        answer(model, columns)
    except ValueError:  # a column of gaps alone may be anything
        assume(False)
    assert_says_the_same(model, columns)


# arrays -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("name", NUMBER_MODELS)
def test_models_of_numbers_say_the_same(name, n_classes):
    assert_says_the_same(*model_of_numbers(name, n_classes))


@pytest.mark.parametrize("name", COUNT_MODELS)
def test_models_of_counts_say_the_same(name):
    assert_says_the_same(*model_of_counts(name))


@pytest.mark.parametrize("name", ["QDA", "LDA", "logistic"])
def test_a_model_that_refuses_gaps_has_no_answer_for_them(name):
    X = np.random.default_rng(0).normal(size=(20, 2))
    model = clone(NUMBER_MODELS[name]).fit(X, np.arange(20) % 2)
    answers = Runtime(model).answers(np.array([[np.nan, 1.0], [1e300, np.nan]]))
    assert np.isnan(answers["probabilities"]).all()
    assert answers["label"].tolist() == [0, 0]


def test_normal_classes_answer_from_whatever_was_observed():
    assert_says_the_same(*normal_classes_with_every_gap())


@pytest.mark.parametrize("name", ["GaussianNB", "LDA", "logistic", "full"])
def test_float32_comes_in_and_goes_out(name):
    rng = np.random.default_rng(1)
    y = np.arange(60) % 3
    X = (rng.normal(size=(60, 4)) * 50 + y[:, None]).astype(np.float32)
    model = clone(NUMBER_MODELS[name]).fit(X.astype(float), y)
    answers = Runtime(model, dtype="float32").answers(X)
    assert answers["probabilities"].dtype == np.float32
    assert np.abs(answers["probabilities"] - model.predict_proba(X.astype(float))).max() < 1e-6


# large ones -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["naive", "tree", "average", "forest"])
def test_columns_of_many_levels(name):
    assert_says_the_same(*model_of_towns(name))


def test_deep_trees():
    assert_says_the_same(*deep_trees(n_trees=60))


@pytest.mark.parametrize(
    "model", [by.MultinomialNB(), by.GaussianNB(), by.CategoricalNB(), by.BernoulliNB()]
)
def test_a_graph_does_not_grow_with_classes_and_columns(model):
    rng = np.random.default_rng(6)
    X, y = rng.poisson(1.0, size=(40, 300)), np.arange(40) % 20
    model = clone(model).fit(X, y)
    assert len(by.to_onnx(model).graph.node) < 150
    assert_says_the_same(model, X.astype(float))


@pytest.mark.parametrize("values", [[0.5, 2.25, 1e9], [-1, 0, 1], [3, 1000, 10**9]])
def test_numbers_that_are_categories_are_found_exactly(values):
    columns = {"size": [*values, *values]}
    model = by.NaiveBayes(columns={"size": "categorical"}).fit(columns, list("xxyyxy"))
    asked = {"size": [*values, 0.25, -7, 5e-324, 1e300, None]}
    assert_says_the_same(model, asked)


# decisions --------------------------------------------------------------------------------------

LOSS = {"it's on": {"No": 5, "Yes": 0}, "取消": {"No": 0, "Yes": 1}}


@pytest.mark.parametrize("loss", [None, LOSS, [[0, 1], [2, 0], [0.4, 0.4]]])
@pytest.mark.parametrize("reject_loss", [None, 0.2])
def test_the_label_of_a_decision_is_its_action(loss, reject_loss):
    tennis = by.datasets.play_tennis().to_dict()
    model = by.BayesDecision(by.NaiveBayes(), loss, reject_loss).fit(tennis, y="PlayTennis")
    days = {name: cells for name, cells in tennis.items() if name != "PlayTennis"}
    answers = Runtime(model).answers(days)
    assert np.allclose(answers["probabilities"], model.predict_proba(days), atol=1e-12)
    actions = model.predict(days).tolist()
    if "reject" in actions:  # an output holds texts, or numbers
        actions = [*map(str, actions)]
    assert answers["label"].tolist() == actions
    risk = model.predict_risk(days).min(axis=1)
    risk = risk if reject_loss is None else np.minimum(risk, reject_loss)
    assert np.allclose(answers["risk"], risk, atol=1e-12)


def test_a_row_without_an_answer_has_no_action():
    X, y = [[0.0], [1.0], [2.0], [3.0]], ["sun", "rain", "sun", "rain"]
    model = by.BayesDecision(by.LogisticRegression(), reject_loss=0.1).fit(X, y)
    answers = Runtime(model).answers(np.array([[np.nan]]))
    assert answers["label"].tolist() == [""]
    assert np.isnan(answers["risk"]).all()


# names, labels and gaps -------------------------------------------------------------------------


def test_inputs_and_outputs_are_called_as_users_expect():
    columns = {"天气": ["sun", "rain", "sun"], "wind": [1.5, 2.5, 3.5]}
    model = by.NaiveBayes(numeric="gaussian").fit(columns, ["on", "off", "on"])
    session = Runtime(model).session
    assert {put.name: (put.type, put.shape) for put in session.get_inputs()} == {
        "天气": ("tensor(string)", ["rows", 1]),
        "wind": ("tensor(double)", ["rows", 1]),
    }
    assert [(put.name, put.shape) for put in session.get_outputs()] == [
        ("label", ["rows"]),
        ("probabilities", ["rows", 2]),
    ]
    [matrix] = Runtime(by.GaussianNB().fit([[1.0, 2.0], [3.0, 5.0]], [0, 1])).session.get_inputs()
    assert (matrix.name, matrix.type, matrix.shape) == ("X", "tensor(double)", ["rows", 2])


@pytest.mark.parametrize(
    "labels", [["on", "off"], [3, 7], [True, False], [1.0, 2.0], np.array([1, 2], np.uint8)]
)
def test_labels_keep_their_type(labels):
    model = by.GaussianNB().fit([[1.0], [5.0]], labels)
    answers = Runtime(model).answers(np.array([[1.0], [5.0]]))
    assert answers["label"].tolist() == model.predict([[1.0], [5.0]]).tolist() == [*labels]


def test_an_empty_text_is_a_gap_unless_it_was_learned():
    model = by.NaiveBayes().fit(SKIES, ["yes", "no", "yes", "yes"])
    assert_says_the_same(model, {"sky": [None, "sun", "snow"]}, missing="")
    model = by.NaiveBayes().fit({"sky": ["", "rain"]}, ["yes", "no"])
    with pytest.raises(ValueError, match="'' was learned. Choose another one, such as missing="):
        by.to_onnx(model)
    assert_says_the_same(model, {"sky": ["", None, "rain"]}, missing="nobody looked")


def test_no_rows_have_no_answers():
    model = by.NaiveBayes().fit(SKIES, ["yes", "no", "yes", "yes"])
    assert Runtime(model).answers({"sky": []})["probabilities"].shape == (0, 2)


def test_a_model_that_looks_at_no_column_says_the_same_of_all_rows():
    model = by.NaiveBayes(columns={"sky": "ignore"}).fit(SKIES, ["yes", "no", "yes", "yes"])
    assert_says_the_same(model, SKIES)


def test_a_column_may_have_the_name_of_a_node():
    columns = {"bayesic/0": ["sun", "rain"], "bayesic//1": ["sun", "rain"], "X": [1.0, 2.0]}
    model = quietly(by.NaiveBayes(), columns, ["yes", "no"])
    assert_says_the_same(model, columns)


# refusals ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("model", "sentence"), REFUSED)
def test_what_cannot_be_written_is_refused(model, sentence):
    with pytest.raises((ValueError, TypeError), match=sentence):
        by.to_onnx(model)


def test_odd_arguments_are_refused():
    model = fitted(by.NaiveBayes())
    with pytest.raises(ValueError, match="dtype must be"):
        by.to_onnx(model, dtype="float16")
    with pytest.raises(TypeError, match="missing must be a text"):
        by.to_onnx(model, missing=None)
    with pytest.raises(ValueError, match="not fitted"):
        by.to_onnx(by.NaiveBayes())
    for name in ("label", ""):
        with pytest.raises(ValueError, match="Rename the column"):
            by.to_onnx(fitted(by.NaiveBayes(), {name: SKIES["sky"]}))


def test_without_the_package_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(ImportError, match=r"pip install 'bayesic\[onnx\]'"):
        by.to_onnx(fitted(by.NaiveBayes()))
