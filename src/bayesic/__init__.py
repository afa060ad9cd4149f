"""bayesic: Bayesian learning by counting.

`import bayesic as by` loads nothing heavy: each name is fetched when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from bayesic.registry import MODELS

__version__ = "0.2.0"

# public name -> the module that holds it
_HOME = {
    **{name: home for name, home in MODELS.items() if not home.startswith("bayesic.hypotheses")},
    "BayesDecision": "bayesic.decisions.bayes_decision",
    "BeliefNetwork": "bayesic.networks.network",
    "Calibrated": "bayesic.evaluation.calibrated",
    "FactorModel": "bayesic.networks.factor_model",
    "ImpossibleEvidence": "bayesic.networks.queries.impossible",
    "SemiSupervised": "bayesic.mixtures.semi_supervised",
    "bayes_rule": "bayesic.hypotheses.bayes_rule",
    "calibrated": "bayesic.evaluation.calibrated",
    "choose_model": "bayesic.selection.choose_model",
    "class_prior": "bayesic.estimation.prior",
    "compare": "bayesic.networks.structure.comparing",
    "connect": "bayesic.serve.client",
    "date_columns": "bayesic.data.dates",
    "decide": "bayesic.decisions.decide",
    "drift": "bayesic.evaluation.drift",
    "edge_strengths": "bayesic.networks.structure.bootstrap",
    "evaluate": "bayesic.evaluation.evaluate",
    "expected_cost": "bayesic.decisions.decide",
    "expected_memberships": "bayesic.mixtures.known_variance",
    "learn_structure": "bayesic.networks.structure.learn",
    "load": "bayesic.files.model_files",
    "means_of_known_variance": "bayesic.mixtures.known_variance",
    "noisy_or": "bayesic.networks.noisy_or",
    "open_store": "bayesic.store.store",
    "rank": "bayesic.decisions.posterior",
    "read_network": "bayesic.networks.files.read_network",
    "to_onnx": "bayesic.export.to_onnx",
    "to_sql": "bayesic.export.to_sql",
}
_MODULES = ("datasets", "hypotheses", "plots", "spark")

__all__ = [
    "AutoBayes",
    "AveragedOneDependence",
    "BayesDecision",
    "BayesForest",
    "BeliefNetwork",
    "BernoulliNB",
    "Calibrated",
    "CategoricalNB",
    "ComplementNB",
    "FactorModel",
    "GaussianBayes",
    "GaussianMixture",
    "GaussianNB",
    "ImpossibleEvidence",
    "JointBayes",
    "KDependence",
    "KMeans",
    "KNeighborsClassifier",
    "KNeighborsRegressor",
    "LeastSquares",
    "LinearDiscriminantAnalysis",
    "LogisticRegression",
    "MultinomialNB",
    "NaiveBayes",
    "QuadraticDiscriminantAnalysis",
    "SemiSupervised",
    "TextClassifier",
    "TreeAugmentedNB",
    "bayes_rule",
    "calibrated",
    "choose_model",
    "class_prior",
    "compare",
    "connect",
    "datasets",
    "date_columns",
    "decide",
    "drift",
    "edge_strengths",
    "evaluate",
    "expected_cost",
    "expected_memberships",
    "hypotheses",
    "learn_structure",
    "load",
    "means_of_known_variance",
    "noisy_or",
    "open_store",
    "plots",
    "rank",
    "read_network",
    "spark",
    "to_onnx",
    "to_sql",
]

if TYPE_CHECKING:
    from bayesic import datasets, hypotheses, plots, spark
    from bayesic.data.dates import date_columns
    from bayesic.decisions.bayes_decision import BayesDecision
    from bayesic.decisions.decide import decide, expected_cost
    from bayesic.decisions.posterior import rank
    from bayesic.estimation.prior import class_prior
    from bayesic.evaluation.calibrated import Calibrated, calibrated
    from bayesic.evaluation.drift import drift
    from bayesic.evaluation.evaluate import evaluate
    from bayesic.export.to_onnx import to_onnx
    from bayesic.export.to_sql import to_sql
    from bayesic.files.model_files import load
    from bayesic.hypotheses.bayes_rule import bayes_rule
    from bayesic.mixtures.gaussian_mixture import GaussianMixture
    from bayesic.mixtures.k_means import KMeans
    from bayesic.mixtures.known_variance import expected_memberships, means_of_known_variance
    from bayesic.mixtures.semi_supervised import SemiSupervised
    from bayesic.models.averaged_dependence import AveragedOneDependence
    from bayesic.models.bernoulli import BernoulliNB
    from bayesic.models.categorical import CategoricalNB
    from bayesic.models.complement import ComplementNB
    from bayesic.models.discriminant import QuadraticDiscriminantAnalysis
    from bayesic.models.forest import BayesForest
    from bayesic.models.gaussian import GaussianNB
    from bayesic.models.gaussian_bayes import GaussianBayes
    from bayesic.models.joint import JointBayes
    from bayesic.models.least_squares import LeastSquares
    from bayesic.models.linear_discriminant import LinearDiscriminantAnalysis
    from bayesic.models.logistic import LogisticRegression
    from bayesic.models.multinomial import MultinomialNB
    from bayesic.models.naive_bayes import NaiveBayes
    from bayesic.models.neighbours import KNeighborsClassifier, KNeighborsRegressor
    from bayesic.models.network_classifier import KDependence, TreeAugmentedNB
    from bayesic.models.text_classifier import TextClassifier
    from bayesic.networks.factor_model import FactorModel
    from bayesic.networks.files.read_network import read_network
    from bayesic.networks.network import BeliefNetwork
    from bayesic.networks.noisy_or import noisy_or
    from bayesic.networks.queries.impossible import ImpossibleEvidence
    from bayesic.networks.structure.bootstrap import edge_strengths
    from bayesic.networks.structure.comparing import compare
    from bayesic.networks.structure.learn import learn_structure
    from bayesic.selection.auto_bayes import AutoBayes
    from bayesic.selection.choose_model import choose_model
    from bayesic.serve.client import connect
    from bayesic.store.store import open_store


def __getattr__(name: str) -> Any:
    if name in _HOME:
        value = getattr(import_module(_HOME[name]), name)
    elif name in _MODULES:
        value = import_module(f"bayesic.{name}")
    else:
        raise AttributeError(
            f"bayesic has no name {name!r}. Its public names are: {', '.join(__all__)}."
        )
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
