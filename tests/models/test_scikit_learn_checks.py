"""scikit-learn's checks of the estimator contract."""

import pytest
from sklearn.base import clone
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

import bayesic as by
from helpers.labelled_rows import FIVE

WHOLE_NUMBERS = "feeds numbers that are not whole, which CategoricalNB refuses"

EXPECTED_FAILURES = {
    "CategoricalNB": {
        "check_sample_weight_equivalence_on_dense_data": WHOLE_NUMBERS,
        "check_sample_weight_equivalence_on_sparse_data": WHOLE_NUMBERS,
        "check_classifiers_one_label_sample_weights": WHOLE_NUMBERS,
    }
}


@pytest.mark.filterwarnings("ignore")  # the checks feed odd data on purpose
@parametrize_with_checks(
    [model() for model in FIVE],
    expected_failed_checks=lambda model: EXPECTED_FAILURES.get(type(model).__name__, {}),
)
def test_estimator_contract(estimator, check):
    check(estimator)


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
