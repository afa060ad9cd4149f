"""The neighbours as scikit-learn estimators, and scikit-learn's neighbours as an oracle."""

import pickle

import numpy as np
import pandas as pd
import pytest
import sklearn.neighbors as peer
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from bayesic.models.neighbours.neighbours import KNeighborsClassifier, KNeighborsRegressor
from helpers.examples import at_most

BOTH = (KNeighborsClassifier, KNeighborsRegressor)


arguments = st.fixed_dictionaries(
    {
        "n_neighbors": st.integers(1, 12),
        "weights": st.sampled_from(["uniform", "distance"]),
        "p": st.sampled_from([1, 2]),
        "algorithm": st.sampled_from(["auto", "kd_tree", "brute"]),
    }
)


@st.composite
def random_numbers(draw):
    """Rows without ties, as good as sure, and rows to ask for."""
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    n_rows, n_features = draw(st.integers(12, 200)), draw(st.integers(1, 20))
    scale = 10.0 ** rng.integers(-3, 4, n_features)
    return (
        rng,
        rng.normal(size=(n_rows, n_features)) * scale,
        rng.normal(size=(9, n_features)) * scale,
    )


@at_most(40)
@given(random_numbers(), arguments)
def test_classifiers_agree(data, arguments):
    rng, X, asked = data
    y = rng.choice(["ham", "news", "spam"], len(X))
    ours = KNeighborsClassifier(**arguments).fit(X, y)
    theirs = peer.KNeighborsClassifier(**arguments).fit(X, y)
    distance, rows = ours.kneighbors(asked)
    their_distance, their_rows = theirs.kneighbors(asked)
    np.testing.assert_allclose(distance, their_distance, rtol=1e-7)
    np.testing.assert_array_equal(rows, their_rows)
    np.testing.assert_allclose(ours.predict_proba(asked), theirs.predict_proba(asked), rtol=1e-6)
    if arguments["weights"] == "uniform":  # weighted votes may tie but for the last digit
        assert ours.predict(asked).tolist() == theirs.predict(asked).tolist()
        assert ours.score(asked, y[:9]) == theirs.score(asked, y[:9])


@at_most(40)
@given(random_numbers(), arguments, st.integers(0, 3))
def test_regressors_agree(data, arguments, n_outputs):
    rng, X, asked = data
    y = rng.normal(size=(len(X), n_outputs) if n_outputs else len(X))
    ours = KNeighborsRegressor(**arguments).fit(X, y)
    theirs = peer.KNeighborsRegressor(**arguments).fit(X, y)
    assert ours.predict(asked).shape == theirs.predict(asked).shape
    np.testing.assert_allclose(ours.predict(asked), theirs.predict(asked), rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(ours.score(X, y), theirs.score(X, y), rtol=1e-6, atol=1e-9)


def test_neighbours_of_the_learned_rows_are_without_themselves():
    X = np.random.default_rng(3).normal(size=(50, 3))
    ours = KNeighborsClassifier(4).fit(X, np.arange(50) % 2).kneighbors()
    theirs = peer.KNeighborsClassifier(4).fit(X, np.arange(50) % 2).kneighbors()
    np.testing.assert_allclose(ours[0], theirs[0], rtol=1e-12)
    np.testing.assert_array_equal(ours[1], theirs[1])


@pytest.mark.parametrize("Model", BOTH)
def test_tags_tell_the_truth(Model):
    tags = Model().__sklearn_tags__()
    assert not tags.input_tags.sparse
    assert not tags.input_tags.allow_nan
    assert tags.target_tags.multi_output == (Model is KNeighborsRegressor)


@pytest.mark.parametrize("Model", BOTH)
def test_clone_copies_the_arguments_and_nothing_learned(Model):
    fitted = Model(3, weights="distance", p=1).fit([[0.0], [1.0], [2.0]], [0, 1, 1])
    copy = clone(fitted)
    assert copy.get_params() == fitted.get_params()
    assert not hasattr(copy, "statistics_")


def test_pipelines_grids_and_cross_validation_take_our_models():
    X, y = load_iris(return_X_y=True)
    pipeline = make_pipeline(StandardScaler(), KNeighborsClassifier())
    theirs = make_pipeline(StandardScaler(), peer.KNeighborsClassifier())
    assert cross_val_score(pipeline, X, y).tolist() == cross_val_score(theirs, X, y).tolist()
    search = GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 15], "smoothing": [0, 1]})
    assert search.fit(X, y).best_params_["n_neighbors"] == 15


def test_pickles_answer_as_before():
    X, y = load_iris(return_X_y=True)
    model = KNeighborsClassifier().fit(X, y)
    before = model.predict_proba(X[::7])
    copied = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(copied.predict_proba(X[::7]), before)


def test_tables_keep_their_names_and_other_names_are_refused():
    table = pd.DataFrame({"density": [0.1, 0.2, 0.7], "sugar": [1, 2, 3]})
    model = KNeighborsClassifier(1).fit(table, ["no", "no", "yes"])
    assert model.feature_names_in_.tolist() == ["density", "sugar"]
    assert model.predict(table).tolist() == ["no", "no", "yes"]
    with pytest.raises(ValueError, match="feature names"):
        model.predict(table.rename(columns={"sugar": "salt"}))
