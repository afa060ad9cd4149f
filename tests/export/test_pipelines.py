"""Pipelines of scikit-learn that end with a model from here, converted by skl2onnx."""

import sys

import numpy as np
import onnxruntime
import pytest
import skl2onnx
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, OrdinalEncoder, StandardScaler

import bayesic as by
from bayesic.export import register_skl2onnx

PIPELINES = {
    "GaussianNB": (StandardScaler(), by.GaussianNB()),
    "MultinomialNB": (MinMaxScaler(), by.MultinomialNB()),
    "ComplementNB": (MinMaxScaler(), by.ComplementNB()),
    "BernoulliNB": (MinMaxScaler(), by.BernoulliNB(binarize=0.35)),
    "CategoricalNB": (OrdinalEncoder(), by.CategoricalNB()),
    "LDA": (StandardScaler(), by.LinearDiscriminantAnalysis()),
    "QDA": (StandardScaler(), by.QuadraticDiscriminantAnalysis()),
    "full": (StandardScaler(), by.GaussianBayes()),
    "logistic": (StandardScaler(), by.LogisticRegression()),
}


@pytest.fixture(autouse=True)
def registered():
    register_skl2onnx()


def rows():
    rng = np.random.default_rng(4)
    y = np.arange(60) % 3
    return rng.poisson(2.0 + y[:, None], size=(60, 4)).astype(float), y


def run(written, X):
    session = onnxruntime.InferenceSession(
        written.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    return session.run(None, {"X": X})


@pytest.mark.parametrize("labels", [np.array([3, 5, 9]), np.array(["rain", "sun", "雪"])])
@pytest.mark.parametrize(("dtype", "within"), [(np.float64, 1e-12), (np.float32, 1e-6)])
@pytest.mark.parametrize("name", PIPELINES)
def test_a_pipeline_says_the_same_as_in_python(name, dtype, within, labels):
    X, y = rows()
    pipeline = make_pipeline(*PIPELINES[name]).fit(X, labels[y])
    written = skl2onnx.to_onnx(pipeline, X[:1].astype(dtype), options={"zipmap": False})
    label, probabilities = run(written, X.astype(dtype))
    assert probabilities.dtype == dtype
    assert np.abs(probabilities - pipeline.predict_proba(X)).max() < within
    assert label.tolist() == pipeline.predict(X).tolist()


def test_probabilities_may_come_by_the_names_of_classes():
    X, y = rows()
    pipeline = make_pipeline(StandardScaler(), by.GaussianNB()).fit(X, y)
    X = X.astype(np.float32)  # ZipMap of ONNX takes no doubles
    _, named = run(skl2onnx.to_onnx(pipeline, X[:1]), X[:2])
    assert [*named[0]] == [0, 1, 2]
    assert [*named[0].values()] == pytest.approx(pipeline.predict_proba(X)[0], abs=1e-6)


def test_old_operators_are_refused():
    X, y = rows()
    pipeline = make_pipeline(StandardScaler(), by.GaussianNB()).fit(X, y)
    with pytest.raises(ValueError, match="got target_opset=15. Leave out target_opset"):
        skl2onnx.to_onnx(pipeline, X[:1], target_opset=15)


def test_without_the_package_it_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "skl2onnx", None)
    with pytest.raises(ImportError, match="pip install skl2onnx"):
        register_skl2onnx()
