"""What scikit-learn asks of an estimator that does not derive from its base class."""

import pickle

import numpy as np
import pytest
import sklearn
from sklearn.base import BaseEstimator, is_classifier, is_clusterer, is_regressor
from sklearn.compose import ColumnTransformer
from sklearn.exceptions import UnsetMetadataPassedError
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import get_tags

import bayesic as by

X = np.array([[1.0, 2.0], [2.0, 1.0], [3.0, 4.0], [4.0, 3.0], [7.0, 9.0], [8.0, 8.0]] * 3)
y = ["short", "short", "short", "short", "tall", "tall"] * 3


def test_models_do_not_derive_from_its_classes_and_are_what_they_are():
    assert not isinstance(by.GaussianNB(), BaseEstimator)
    assert is_classifier(by.GaussianNB()) and is_regressor(by.LeastSquares())
    assert is_clusterer(by.KMeans())
    assert get_tags(by.GaussianMixture()).estimator_type == "density_estimator"
    assert get_tags(by.LinearDiscriminantAnalysis()).transformer_tags is not None


def test_who_needs_its_base_class_adds_it_in_two_lines():
    class Mine(by.GaussianNB, BaseEstimator):
        pass

    model = Mine(var_smoothing=0.1).fit(X, y)
    assert isinstance(model, BaseEstimator) and repr(model) == "Mine(var_smoothing=0.1)"
    assert cross_val_score(model, X, y).shape == (5,)
    with sklearn.config_context(enable_metadata_routing=True):
        asking = model.set_fit_request(sample_weight=True)
        assert asking is model
        assert model.get_metadata_routing().fit.requests == {"sample_weight": True}


def test_a_model_on_top_takes_what_all_models_inside_take():
    Vote = by.hypotheses.BayesOptimalClassifier
    both = get_tags(Vote([by.NaiveBayes(), by.LinearDiscriminantAnalysis()]))
    one = get_tags(by.BayesDecision(by.NaiveBayes()))
    assert one.input_tags.allow_nan and not both.input_tags.allow_nan
    assert one.input_tags.sparse and both.input_tags.sparse
    assert not get_tags(Vote(None)).input_tags.allow_nan  # `fit` refuses it


# metadata routing -------------------------------------------------------------------------------


def test_verbs_ask_for_what_they_take_beside_rows():
    with sklearn.config_context(enable_metadata_routing=True):
        model = by.GaussianNB()
        assert model.set_fit_request(sample_weight=True) is model
        asked = model.get_metadata_routing()
    assert asked.fit.requests == {"sample_weight": True}
    assert asked.partial_fit.requests == {"classes": None, "sample_weight": None}
    assert asked.score.requests == {"sample_weight": None}


def test_a_verb_that_takes_nothing_else_asks_for_nothing():
    assert hasattr(by.KMeans(), "set_fit_request")
    assert not hasattr(by.KMeans(), "set_partial_fit_request")
    assert not hasattr(by.KNeighborsClassifier(), "set_fit_request")


def test_weights_reach_a_model_in_a_pipeline_that_asks_for_them():
    weights = np.arange(1.0, len(y) + 1)
    with sklearn.config_context(enable_metadata_routing=True):
        asking = by.GaussianNB(var_smoothing=0.1).set_fit_request(sample_weight=True)
        scaler = StandardScaler().set_fit_request(sample_weight=False)
        pipeline = make_pipeline(scaler, asking).fit(X, y, sample_weight=weights)
        with pytest.raises(UnsetMetadataPassedError, match="not requested for GaussianNB.fit"):
            make_pipeline(scaler, by.GaussianNB()).fit(X, y, sample_weight=weights)
    scaled = StandardScaler().fit(X)
    alone = by.GaussianNB(var_smoothing=0.1).fit(scaled.transform(X), y, sample_weight=weights)
    expected = alone.predict_proba(scaled.transform(X))
    assert pipeline.predict_proba(X).tolist() == expected.tolist()


# tables out -------------------------------------------------------------------------------------


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_transform_gives_the_table_that_was_asked_for(library):
    plain = by.KMeans(2, random_state=0).fit(X)
    table = by.KMeans(2, random_state=0).set_output(transform=library).fit_transform(X)
    assert type(table).__module__.startswith(library)
    assert list(table.columns) == ["kmeans0", "kmeans1"]
    assert table.to_numpy().tolist() == plain.transform(X).tolist()
    with sklearn.config_context(transform_output=library):
        assert type(plain.transform(X)) is type(table)
    assert isinstance(plain.set_output(transform="default").transform(X), np.ndarray)


def test_columns_of_a_pipeline_have_names():
    steps = [("groups", by.KMeans(2), [0, 1])]
    table = ColumnTransformer(steps).set_output(transform="pandas").fit_transform(X)
    assert list(table.columns) == ["groups__kmeans0", "groups__kmeans1"]


def test_words_are_not_a_dense_table():
    model = by.TextClassifier().fit(["free lunch", "rain today"], ["spam", "ham"])
    with pytest.raises(ValueError, match="set_output"):
        model.set_output(transform="pandas").transform(["free"])


# in a notebook ----------------------------------------------------------------------------------


def test_a_notebook_shows_the_parameters_of_models_and_of_those_inside():
    pages = [by.GaussianNB(var_smoothing=0.125), by.calibrated(by.GaussianNB(var_smoothing=0.125))]
    pages.append(make_pipeline(StandardScaler(), pages[0]))
    for page in pages:
        shown = page._repr_mimebundle_()
        assert "0.125" in shown["text/html"] and shown["text/plain"] == repr(page)
    with sklearn.config_context(display="text"):
        assert not hasattr(pages[0], "_repr_html_")
        assert "text/html" not in pages[0]._repr_mimebundle_()


# attributes -------------------------------------------------------------------------------------


def test_dir_names_what_there_is():
    assert "log_evidence" in dir(by.NaiveBayes())
    assert "log_evidence" not in dir(by.ComplementNB())
    assert "forget" in dir(by.calibrated(by.NaiveBayes()))
    assert "forget" not in dir(by.calibrated(by.LogisticRegression()))
    assert "set_fit_request" not in dir(by.KNeighborsClassifier())


def test_what_pipelines_have_asked_for_goes_through_a_pickle():
    with sklearn.config_context(enable_metadata_routing=True):
        asking = by.GaussianNB().set_fit_request(sample_weight=True)
        again = pickle.loads(pickle.dumps(asking))
        assert again.get_metadata_routing().fit.requests == {"sample_weight": True}
