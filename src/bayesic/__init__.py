"""bayesic: Bayesian learning by counting.

`import bayesic as by` loads nothing heavy: each name is fetched when it is first used.
"""

from typing import TYPE_CHECKING

from bayesic.lazy_names import lazy_names
from bayesic.registry import MODELS

__version__ = "0.2.0"

# public name -> the module that holds it
_HOME = {
    **{name: home for name, home in MODELS.items() if not home.startswith("bayesic.hypotheses")},
    "BayesDecision": "bayesic.decisions.bayes_decision",
    "BeliefNetwork": "bayesic.networks.network",
    "Calibrated": "bayesic.evaluation.calibrated",
    "SemiSupervised": "bayesic.mixtures.semi_supervised",
    "calibrated": "bayesic.evaluation.calibrated",
    "choose_model": "bayesic.selection.choose_model",
    "compare": "bayesic.evaluation.compare",
    "connect": "bayesic.serve.client",
    "date_columns": "bayesic.data.dates",
    "decide": "bayesic.decisions.decide",
    "drift": "bayesic.evaluation.drift",
    "evaluate": "bayesic.evaluation.evaluate",
    "language": "bayesic.data.languages",
    "learn_structure": "bayesic.networks.structure_learning",
    "load": "bayesic.files.model_files",
    "open_store": "bayesic.store.store",
    "read_network": "bayesic.networks.reading",
    "to_onnx": "bayesic.export.to_onnx",
    "to_sql": "bayesic.export.to_sql",
}
_MODULES = ("datasets", "decisions", "hypotheses", "mixtures", "networks", "plots", "spark")
# a name that many look for here -> the module that has it
_MOVED = {
    "FactorModel": "networks",
    "ImpossibleEvidence": "networks",
    "bayes_rule": "hypotheses",
    "class_prior": "hypotheses",
    "edge_strengths": "networks",
    "expected_cost": "decisions",
    "expected_memberships": "mixtures",
    "means_of_known_variance": "mixtures",
    "noisy_or": "networks",
    "rank": "decisions",
}

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
    "GaussianBayes",
    "GaussianMixture",
    "GaussianNB",
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
    "calibrated",
    "choose_model",
    "compare",
    "connect",
    "date_columns",
    "decide",
    "drift",
    "evaluate",
    "language",
    "learn_structure",
    "load",
    "open_store",
    "read_network",
    "to_onnx",
    "to_sql",
]

if TYPE_CHECKING:
    from bayesic import datasets as datasets
    from bayesic import decisions as decisions
    from bayesic import hypotheses as hypotheses
    from bayesic import mixtures as mixtures
    from bayesic import networks as networks
    from bayesic import plots as plots
    from bayesic import spark as spark
    from bayesic.data.dates import date_columns
    from bayesic.data.languages import language
    from bayesic.decisions.bayes_decision import BayesDecision
    from bayesic.decisions.decide import decide
    from bayesic.evaluation.calibrated import Calibrated, calibrated
    from bayesic.evaluation.compare import compare
    from bayesic.evaluation.drift import drift
    from bayesic.evaluation.evaluate import evaluate
    from bayesic.export.to_onnx import to_onnx
    from bayesic.export.to_sql import to_sql
    from bayesic.files.model_files import load
    from bayesic.mixtures.gaussian_mixture import GaussianMixture
    from bayesic.mixtures.k_means import KMeans
    from bayesic.mixtures.semi_supervised import SemiSupervised
    from bayesic.models.arrays.bernoulli import BernoulliNB
    from bayesic.models.arrays.categorical import CategoricalNB
    from bayesic.models.arrays.complement import ComplementNB
    from bayesic.models.arrays.multinomial import MultinomialNB
    from bayesic.models.columns.naive_bayes import NaiveBayes
    from bayesic.models.levels.averaged_dependence import AveragedOneDependence
    from bayesic.models.levels.joint import JointBayes
    from bayesic.models.levels.network_classifier import KDependence, TreeAugmentedNB
    from bayesic.models.linear.least_squares import LeastSquares
    from bayesic.models.linear.logistic import LogisticRegression
    from bayesic.models.neighbours.neighbours import KNeighborsClassifier, KNeighborsRegressor
    from bayesic.models.normal.discriminant import QuadraticDiscriminantAnalysis
    from bayesic.models.normal.gaussian import GaussianNB
    from bayesic.models.normal.gaussian_bayes import GaussianBayes
    from bayesic.models.normal.linear_discriminant import LinearDiscriminantAnalysis
    from bayesic.models.trees.forest import BayesForest
    from bayesic.models.words.text_classifier import TextClassifier
    from bayesic.networks.network import BeliefNetwork
    from bayesic.networks.reading import read_network
    from bayesic.networks.structure_learning import learn_structure
    from bayesic.selection.auto_bayes import AutoBayes
    from bayesic.selection.choose_model import choose_model
    from bayesic.serve.client import connect
    from bayesic.store.store import open_store


__getattr__, __dir__ = lazy_names(
    globals(),
    _HOME,
    _MODULES,
    {name: f"bayesic.{module}.{name}" for name, module in _MOVED.items()},
)
