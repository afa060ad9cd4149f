"""What scikit-learn asks of an estimator beside its checks: tags, clones, pipelines."""

import pytest
from sklearn.base import clone
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler

import bayesic as by
from helpers.labelled_rows import FIVE


@pytest.mark.parametrize("model", FIVE)
def test_tags_tell_the_truth(model):
    tags = model().__sklearn_tags__()
    assert tags.input_tags.sparse
    assert tags.input_tags.allow_nan
    assert tags.input_tags.categorical == (model is by.CategoricalNB)
    assert tags.input_tags.positive_only == (model not in (by.GaussianNB, by.BernoulliNB))
    assert not tags.array_api_support


@pytest.mark.parametrize("model", FIVE)
def test_clone_copies_the_arguments_and_nothing_learned(model):
    fitted = model().fit([[0, 1], [1, 0]], ["rain", "sun"])
    copy = clone(fitted)
    assert copy.get_params() == fitted.get_params()
    assert not hasattr(copy, "classes_")


def test_pipelines_and_cross_validation_take_our_models():
    from sklearn.datasets import load_iris

    X, y = load_iris(return_X_y=True)
    pipeline = make_pipeline(MinMaxScaler(), by.GaussianNB())
    assert cross_val_score(pipeline, X, y, cv=5).mean() > 0.9
