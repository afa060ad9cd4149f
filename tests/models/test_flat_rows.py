"""A flat list or dict of cells is one row to every model of tables, wherever rows are answered."""

import numpy as np
import pytest
from scipy import sparse

import bayesic as by

BOOK = by.datasets.li_hang()
COLUMNS = {name: [row[at] for row in BOOK.rows] for at, name in enumerate(BOOK.columns)}
MODELS = [
    by.NaiveBayes(),
    by.JointBayes(),
    by.TreeAugmentedNB(),
    by.KDependence(),
    by.AveragedOneDependence(),
    by.BayesForest(n_trees=5),
    by.AutoBayes("quick"),
    by.hypotheses.MDLTreeClassifier(),
    by.SemiSupervised(by.NaiveBayes()),
    by.BayesDecision(by.NaiveBayes(), loss=[[0, 1], [3, 0]]),
    by.Calibrated(by.NaiveBayes()),
]
every_model = pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)


def fitted(model, X):
    from sklearn.base import clone

    return clone(model).fit(X, BOOK.target)


@every_model
def test_a_row_without_names_is_one_row(model):
    model = fitted(model, BOOK.rows)
    expected = model.predict_proba([(2, "S")])
    for row in ([2, "S"], (2, "S")):
        assert (model.predict_proba(row) == expected).all()
        assert model.predict(row).tolist() == model.predict([(2, "S")]).tolist()
    for row in ({"x0": 2, "x1": "S"}, {"x1": 2, "x2": "S"}):
        with pytest.warns(UserWarning, match="its columns are taken in the order given"):
            assert (model.predict_proba(row) == expected).all()


@every_model
def test_a_row_of_learned_names_is_one_row(model):
    model = fitted(model, COLUMNS)
    expected = model.predict_proba({"X1": [2], "X2": ["S"]})
    for row in ([2, "S"], {"X1": 2, "X2": "S"}, {"X2": "S", "X1": np.int64(2)}):
        assert (model.predict_proba(row) == expected).all()
    gap = model.predict_proba({"X1": [2], "X2": [None]})
    for row in ([2, None], {"X1": 2, "X2": None}):
        assert (model.predict_proba(row) == gap).all()


def test_a_row_of_a_data_frame_is_one_row():
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({**COLUMNS, "Y": BOOK.target})
    for model in (by.NaiveBayes(), by.JointBayes(), by.BayesForest(n_trees=5)):
        model = model.fit(table, "Y")
        expected = model.predict_proba(table[["X1", "X2"]])
        for number in range(len(table)):
            for row in (table.iloc[number], table[["X2", "X1"]].iloc[number]):
                assert (model.predict_proba(row) == expected[number]).all()
        with pytest.raises(ValueError, match="got one column"):
            model.predict(table["X1"])


@every_model
def test_what_is_not_one_row_is_refused_as_before(model):
    model = fitted(model, BOOK.rows)
    for X, said in (
        ([2, "S", 3], r"Write a single row as \[\[...\]\]"),
        ([2], r"Write a single row as \[\[...\]\]"),
        (np.array([2, "S"], dtype=object), "must have rows and columns"),
        (np.array([2.0, 3.0]), "Reshape your data"),
        ({"x0": [2], "x1": "S"}, r"Write one row as \{'x1': \['S'\]\}"),
        ([], "minimum of 1 is required"),
    ):
        with pytest.raises(ValueError, match=said):
            model.predict(X)


@every_model
def test_columns_of_other_sequences_are_no_row(model):
    model = fitted(model, {"X1": range(15), "X2": COLUMNS["X2"]})
    asked = {"X1": range(2), "X2": ("S", "M")}
    assert model.predict_proba(asked).shape == (2, 2)


def test_all_answers_of_a_row_are_those_of_a_table_of_one_row():
    model = fitted(by.NaiveBayes(), BOOK.rows)
    for verb in ("predict_log_proba", "predict_joint_log_proba", "log_density"):
        row, table = getattr(model, verb)([2, "S"]), getattr(model, verb)([(2, "S")])
        np.testing.assert_array_equal(row, table)


def test_a_text_alone_is_the_row_of_a_model_of_one_text():
    notes = {"note": ["free lunch", "rain today"]}
    model = by.NaiveBayes(columns={"note": "text"}).fit(notes, ["spam", "ham"])
    assert model.predict(["free money"]).tolist() == ["spam"]


def test_a_sparse_matrix_that_is_a_dict_is_no_row():
    X = sparse.dok_matrix(np.array([[0.0, 1.0], [2.0, 0.0], [0.0, 3.0], [4.0, 0.0]]))
    model = by.NaiveBayes().fit(X.toarray(), ["ham", "spam"] * 2)
    assert model.predict(X).tolist() == ["ham", "spam"] * 2


def test_a_dict_of_states_is_one_row_of_a_network():
    net = by.datasets.campfire(storm=0.25, bus_tour_group=0.5)
    row = {"Storm": True, "BusTourGroup": True}
    expected = net.predict_proba({name: [state] for name, state in row.items()}, "Campfire")
    np.testing.assert_array_equal(net.predict_proba(row, "Campfire"), expected)
    assert sorted(expected[0]) == pytest.approx([0.4, 0.6])
