"""The checks of scikit-learn for every estimator."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from bayesic.mixtures.gaussian_mixture import GaussianMixture
from bayesic.mixtures.k_means import KMeans

BY_CHANCE = "the rows of the start are drawn by chance, and which those are depends on their order"
NO_CLASSIFIER = "the check takes every estimator with predict_proba for a classifier"

OF_WEIGHTS = {
    "check_sample_weight_equivalence_on_dense_data": BY_CHANCE,
    "check_sample_weight_equivalence_on_sparse_data": BY_CHANCE,
}
EXPECTED_FAILURES = {
    "KMeans": OF_WEIGHTS,
    "GaussianMixture": {
        **OF_WEIGHTS,
        "check_estimator_sparse_array": NO_CLASSIFIER,
        "check_estimator_sparse_matrix": NO_CLASSIFIER,
    },
}


@pytest.mark.filterwarnings("ignore")  # the checks feed odd data on purpose
@parametrize_with_checks(
    [
        KMeans(3),
        KMeans(3, init="random"),
        GaussianMixture(2),
        GaussianMixture(2, covariance_type="tied"),
        GaussianMixture(2, covariance_type="diag"),
        GaussianMixture(2, covariance_type="spherical"),
    ],
    expected_failed_checks=lambda model: EXPECTED_FAILURES[type(model).__name__],
)
def test_estimator_contract(estimator, check):
    check(estimator)
