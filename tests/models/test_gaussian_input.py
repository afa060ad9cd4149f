"""GaussianBayes, QDA and LDA take rows of every kind, and parameters that are set later."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.datasets import load_iris

import bayesic as by

IRIS, SPECIES = load_iris(return_X_y=True)
NAMES = ["sepal length", "sepal width", "petal length", "petal width"]
TABLE = pd.DataFrame(IRIS, columns=NAMES).assign(
    species=np.array(["setosa", "versicolor", "virginica"])[SPECIES]
)
MODELS = {
    "full": by.GaussianBayes,
    "diagonal": lambda: by.GaussianBayes("diagonal"),
    "auto": lambda: by.GaussianBayes("tied", shrinkage="auto"),
    "QDA": by.QuadraticDiscriminantAnalysis,
    "QDA shrunk": lambda: by.QuadraticDiscriminantAnalysis(shrinkage="ledoit-wolf"),
    "LDA": by.LinearDiscriminantAnalysis,
    "LDA shrunk": lambda: by.LinearDiscriminantAnalysis(shrinkage=0.3),
}
each_model = pytest.mark.parametrize("name", MODELS)


@each_model
def test_tables_dicts_and_files_give_the_model_of_the_array(name, tmp_path, blocks_of_40_rows):
    expected = MODELS[name]().fit(IRIS, TABLE["species"]).predict_proba(IRIS)
    TABLE.to_csv(tmp_path / "iris.csv", index=False)
    sources = {
        "dict": TABLE.to_dict("list"),
        "polars": pl.from_pandas(TABLE),
        "file": tmp_path / "iris.csv",
    }
    for kind, rows in sources.items():
        model = MODELS[name]().fit(rows, "species")
        assert model.feature_names_in_.tolist() == NAMES
        for asked in (rows, TABLE[NAMES[::-1]]):
            given = model.predict_proba(asked)
            np.testing.assert_allclose(given, expected, rtol=1e-8, atol=1e-10, err_msg=kind)


@each_model
def test_rows_by_name_give_the_model_of_the_array(name):
    expected = MODELS[name]().fit(IRIS, SPECIES).predict_proba(IRIS)
    rows = TABLE[NAMES].to_dict("records")
    model = MODELS[name]().fit(rows, SPECIES)
    np.testing.assert_array_equal(model.predict_proba(rows), expected)


@pytest.fixture
def blocks_of_40_rows(monkeypatch):
    monkeypatch.setattr("bayesic.data.source.MOST_ROWS_PER_BLOCK", 40)


@each_model
def test_words_are_refused(name):
    with pytest.raises(ValueError, match="column 'petal width' holds words such as 'broad'"):
        MODELS[name]().fit({"petal width": ["broad", "narrow"] * 4}, ["setosa", "virginica"] * 4)


@pytest.mark.parametrize(
    ("model", "later"),
    [
        (by.GaussianBayes(), {"covariance": "spherical", "shrinkage": 0.3}),
        (by.GaussianBayes("tied"), {"priors": [0.2, 0.3, 0.5], "unbiased": True}),
        (by.QuadraticDiscriminantAnalysis(), {"reg_param": 0.2}),
        (by.LinearDiscriminantAnalysis(), {"shrinkage": 0.1}),
        (by.LinearDiscriminantAnalysis(), {"priors": [0.2, 0.3, 0.5], "n_components": 1}),
    ],
)
def test_parameters_that_are_set_later_hold_at_once(model, later):
    model.fit(IRIS, SPECIES).set_params(**later)
    again = type(model)(**model.get_params()).fit(IRIS, SPECIES)
    np.testing.assert_array_equal(model.predict_proba(IRIS), again.predict_proba(IRIS))
    np.testing.assert_array_equal(
        getattr(model, "covariance_", None), getattr(again, "covariance_", None)
    )


def test_a_shrinkage_that_makes_no_sense_is_refused_also_when_it_is_set_later():
    model = by.GaussianBayes().fit(IRIS, SPECIES).set_params(shrinkage=7)
    with pytest.raises(ValueError, match="shrinkage must be"):
        model.predict(IRIS)
    assert model.set_params(shrinkage=0.5).predict(IRIS).shape == (150,)


def test_a_singular_class_is_told_when_rows_are_learned_and_not_when_candidates_are_tried():
    rows, kinds = [*IRIS[:20], *IRIS[50:52]], ["setosa"] * 20 + ["versicolor"] * 2
    model = by.GaussianBayes(shrinkage="auto").fit(rows, kinds)  # warnings are errors
    assert model.shrinkage_ > 0
