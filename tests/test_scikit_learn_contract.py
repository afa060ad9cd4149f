"""scikit-learn's checks of the estimator contract, for all estimators in one place.

Each class is checked once, with the parameters that it has by default: the verbs are the same for
all of them, and what a parameter changes in a formula has tests of its own.
"""

import warnings
from functools import partial

import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import (
    check_clusterer_compute_labels_predict,
    check_clustering,
    check_estimators_partial_fit_n_features,
    parametrize_with_checks,
)

import bayesic as by
from bayesic.hypotheses import BayesOptimalClassifier, GibbsClassifier
from bayesic.hypotheses.mdl_tree.tree_classifier import MDLTreeClassifier
from helpers.labelled_rows import FIVE

ESTIMATORS = [
    *(model() for model in FIVE),
    by.NaiveBayes(),
    by.GaussianBayes(),
    by.QuadraticDiscriminantAnalysis(),
    by.LinearDiscriminantAnalysis(),
    by.JointBayes(),
    by.TreeAugmentedNB(),
    by.KDependence(k=2),
    by.KDependence(k="auto", smoothing="back-off"),  # chooses k when it learns
    by.AveragedOneDependence(),
    by.KNeighborsClassifier(),
    by.KNeighborsRegressor(),
    by.LogisticRegression(),
    by.LeastSquares(),
    by.KMeans(3),
    by.GaussianMixture(2),
    MDLTreeClassifier(),
    # around another model: ours, with what it says of its input, or a stranger's
    by.SemiSupervised(by.MultinomialNB()),
    by.calibrated(by.NaiveBayes()),
    by.BayesDecision(by.MultinomialNB()),
    by.BayesDecision(LogisticRegression()),
    BayesOptimalClassifier([by.GaussianNB(), GaussianNB()]),
    GibbsClassifier([by.GaussianNB(), DecisionTreeClassifier()]),
]
NOT_CHECKED = {
    "AutoBayes": "learns a dozen models in every check",
    "BayesForest": "learns sixty trees in every check",
    "BeliefNetwork": "has variables, not features and a target",
    "TextClassifier": "takes texts",
}

WHOLE_NUMBERS = "feeds numbers that are not whole, which CategoricalNB refuses"
FEW_ROWS = "feeds too few rows for the features, which `fit` refuses as in scikit-learn"
BY_CHANCE = "the rows of the start are drawn by chance, and which those are depends on their order"
NO_CLASSIFIER = "the check takes every estimator with predict_proba for a classifier"
OF_WEIGHTS = (
    "check_sample_weight_equivalence_on_dense_data",
    "check_sample_weight_equivalence_on_sparse_data",
)
EXPECTED_FAILURES = {
    "CategoricalNB": dict.fromkeys(
        (*OF_WEIGHTS, "check_classifiers_one_label_sample_weights"), WHOLE_NUMBERS
    ),
    "GaussianBayes": {"check_estimators_nan_inf": "answers rows with gaps; learning refuses them"},
    "QuadraticDiscriminantAnalysis": dict.fromkeys(
        (*OF_WEIGHTS, "check_sample_weights_shape", "check_sample_weights_not_overwritten"),
        FEW_ROWS,
    ),
    "KMeans": dict.fromkeys(OF_WEIGHTS, BY_CHANCE),
    "GaussianMixture": {
        **dict.fromkeys(OF_WEIGHTS, BY_CHANCE),
        "check_estimator_sparse_array": NO_CLASSIFIER,
        "check_estimator_sparse_matrix": NO_CLASSIFIER,
    },
}


# scikit-learn looks for its own base class to know what groups rows
OF_CLUSTERS = (
    check_clusterer_compute_labels_predict,
    check_clustering,
    partial(check_clustering, readonly_memmap=True),
    check_estimators_partial_fit_n_features,
)


with warnings.catch_warnings():  # that they do not derive from its base class
    warnings.filterwarnings("ignore", ".* does not inherit from `sklearn.base.BaseEstimator`")
    all_checks = parametrize_with_checks(
        ESTIMATORS,
        expected_failed_checks=lambda model: EXPECTED_FAILURES.get(type(model).__name__, {}),
    )


@pytest.mark.filterwarnings("ignore")  # the checks feed odd data on purpose
@all_checks
def test_estimator_contract(estimator, check):
    check(estimator)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "check", OF_CLUSTERS, ids=lambda check: getattr(check, "__name__", "read-only")
)
def test_contract_of_what_groups_rows(check):
    check("KMeans", by.KMeans(3))


def test_every_estimator_is_checked_or_says_why_not():
    named = [name for name in by.__all__ if name[0].isupper()]
    learners = {name for name in named if hasattr(getattr(by, name), "fit")}
    checked = {type(model).__name__ for model in ESTIMATORS}
    assert learners - checked == NOT_CHECKED.keys()
