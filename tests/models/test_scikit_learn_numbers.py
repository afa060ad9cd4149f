"""The same numbers as scikit-learn on ordinary data, to 1e-10 relative."""

import numpy as np
import pytest
import sklearn.naive_bayes as peer
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine

import bayesic as by
from helpers.labelled_rows import FIVE

CLOSE = {"rtol": 1e-10, "atol": 1e-300}

ATTRIBUTES = {
    "GaussianNB": ["theta_", "var_", "epsilon_", "class_prior_"],
    "MultinomialNB": ["feature_count_", "feature_log_prob_", "class_log_prior_"],
    "ComplementNB": ["feature_count_", "feature_all_", "feature_log_prob_", "class_log_prior_"],
    "BernoulliNB": ["feature_count_", "feature_log_prob_", "class_log_prior_"],
    "CategoricalNB": ["category_count_", "feature_log_prob_", "class_log_prior_", "n_categories_"],
}


def twins(model, **arguments):
    return model(**arguments), getattr(peer, model.__name__)(**arguments)


def assert_same_model(ours, theirs, X):
    for attribute in ["classes_", "class_count_", *ATTRIBUTES[type(ours).__name__]]:
        mine, other = getattr(ours, attribute), getattr(theirs, attribute)
        pairs = zip(mine, other, strict=True) if isinstance(other, list) else [(mine, other)]
        for one, two in pairs:
            np.testing.assert_allclose(one, two, rtol=1e-10, atol=1e-12, err_msg=attribute)
    # what rounding decides does not count
    clear = np.diff(np.sort(theirs.predict_proba(X), axis=1)[:, -2:], axis=1).ravel() > 1e-9
    np.testing.assert_array_equal(ours.predict(X)[clear], theirs.predict(X)[clear])
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), **CLOSE)
    np.testing.assert_allclose(
        ours.predict_joint_log_proba(X), theirs.predict_joint_log_proba(X), rtol=1e-10, atol=1e-10
    )
    np.testing.assert_allclose(
        ours.predict_log_proba(X), theirs.predict_log_proba(X), rtol=1e-9, atol=1e-9
    )


def data_for(model, load):
    X, y = load(return_X_y=True)
    return (np.floor(X).astype(np.int64) if model is by.CategoricalNB else X), y


@pytest.mark.parametrize("load", [load_iris, load_wine, load_breast_cancer, load_digits])
@pytest.mark.parametrize("model", FIVE)
def test_real_data_gives_the_same_numbers(model, load):
    X, y = data_for(model, load)
    ours, theirs = twins(model)
    assert_same_model(ours.fit(X, y), theirs.fit(X, y), X)


@pytest.mark.parametrize("model", FIVE)
def test_weights_give_the_same_numbers(model):
    X, y = data_for(model, load_wine)
    weights = np.random.default_rng(3).uniform(0.1, 3.0, len(y))
    # our epsilon_ looks at the weights, so that a row of weight 2 is two rows; theirs does not
    no_epsilon = {"var_smoothing": 0.0} if model is by.GaussianNB else {}
    ours, theirs = twins(model, **no_epsilon)
    assert_same_model(
        ours.fit(X, y, sample_weight=weights), theirs.fit(X, y, sample_weight=weights), X
    )


@pytest.mark.parametrize("model", [m for m in FIVE if m is not by.GaussianNB])
@pytest.mark.parametrize("alpha", [0.1, 0.5, 10.0])
@pytest.mark.parametrize("fit_prior", [True, False])
def test_smoothing_and_priors_give_the_same_numbers(model, alpha, fit_prior):
    X, y = data_for(model, load_digits)
    ours, theirs = twins(model, alpha=alpha, fit_prior=fit_prior)
    assert_same_model(ours.fit(X, y), theirs.fit(X, y), X)


def test_complement_weights_can_be_normalised():
    X, y = load_digits(return_X_y=True)
    ours, theirs = twins(by.ComplementNB, norm=True)
    assert_same_model(ours.fit(X, y), theirs.fit(X, y), X)


def test_given_priors_give_the_same_numbers():
    X, y = load_iris(return_X_y=True)
    ours, theirs = twins(by.GaussianNB, priors=[0.2, 0.3, 0.5], var_smoothing=1e-3)
    assert_same_model(ours.fit(X, y), theirs.fit(X, y), X)


@pytest.mark.parametrize("model", [by.MultinomialNB, by.ComplementNB, by.BernoulliNB])
def test_sparse_counts_give_the_same_numbers(model):
    X = sparse.random_array(
        (200, 50), density=0.1, format="csr", rng=np.random.default_rng(5), data_sampler=None
    )
    y = np.arange(200) % 3
    ours, theirs = twins(model)
    assert_same_model(ours.fit(X, y), theirs.fit(X, y), X)


@given(
    st.lists(st.lists(st.integers(0, 4), min_size=3, max_size=3), min_size=4, max_size=12),
    st.sampled_from([m for m in FIVE if m is not by.GaussianNB]),
    st.floats(0.01, 5.0),
)
def test_any_small_table_of_counts_gives_the_same_numbers(rows, model, alpha):
    y = np.arange(len(rows)) % 2
    ours, theirs = twins(model, alpha=alpha)
    assert_same_model(ours.fit(rows, y), theirs.fit(rows, y), rows)
