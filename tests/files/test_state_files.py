"""Models that are no sums of counts in model files: lines, neighbours."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_diabetes, load_iris

import bayesic as by
from bayesic.files.archive import read_archive, write_archive
from bayesic.models.linear.least_squares import LeastSquares
from bayesic.models.linear.logistic import LogisticRegression
from bayesic.models.neighbours.neighbours import KNeighborsClassifier, KNeighborsRegressor

IRIS = load_iris(as_frame=True)
SPECIES = IRIS.target_names[IRIS.target]
DIABETES = load_diabetes(as_frame=True)
MODELS = {
    "softmax": (LogisticRegression(C=0.5), IRIS.data, SPECIES),
    "two classes": (LogisticRegression(), IRIS.data, SPECIES == "setosa"),
    "neighbours": (KNeighborsClassifier(3, weights="distance", smoothing=1), IRIS.data, SPECIES),
    "means": (KNeighborsRegressor(4), DIABETES.data, DIABETES.target),
    "line": (LeastSquares(), DIABETES.data, DIABETES.target),
}


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("as_array", [False, True], ids=["table", "array"])
def test_a_saved_model_gives_the_same_answers(name, as_array, tmp_path):
    model, X, y = MODELS[name]
    X = X.to_numpy() if as_array else X
    model.fit(X, y).save(tmp_path / "model.bayes")
    loaded = by.load(tmp_path / "model.bayes")
    assert loaded.get_params() == model.get_params()
    np.testing.assert_array_equal(loaded.predict(X), model.predict(X))
    if hasattr(model, "predict_proba"):
        np.testing.assert_array_equal(loaded.predict_proba(X), model.predict_proba(X))
        assert loaded.classes_.tolist() == model.classes_.tolist()
    assert hasattr(loaded, "feature_names_in_") != as_array


@pytest.mark.parametrize("name", ["neighbours", "means", "line"])
def test_a_loaded_model_learns_more(name, tmp_path):
    model, X, y = MODELS[name]
    half = len(X) // 2
    y = pd.Series(y)
    model.fit(X[:half], y[:half]).save(tmp_path / "model.bayes")
    loaded = by.load(tmp_path / "model.bayes").partial_fit(X[half:], y[half:])
    model.fit(X, y)
    answers, expected = loaded.predict(X[:9]).tolist(), model.predict(X[:9]).tolist()
    assert answers == (expected if name == "neighbours" else pytest.approx(expected))


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("part", ["extra", "classes", "features"])
def test_a_file_that_lacks_something_is_refused(name, part, tmp_path):
    model, X, y = MODELS[name]
    model.fit(X, y).save(tmp_path / "model.bayes")
    manifest, arrays = read_archive(tmp_path / "model.bayes")
    broken = {
        "extra": {"dict": []},
        "classes": None if manifest["classes"] is not None else ["ham"],
        "features": {"number": 1, "names": None},
    }
    manifest[part] = broken[part]
    write_archive(tmp_path / "broken.bayes", manifest, arrays)
    with pytest.raises(ValueError, match="is not a bayesic model file"):
        by.load(tmp_path / "broken.bayes")
