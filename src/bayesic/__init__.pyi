"""What `by.` offers: type checkers read it here, and so does the package itself."""

from bayesic import datasets as datasets
from bayesic import decisions as decisions
from bayesic import hypotheses as hypotheses
from bayesic import mixtures as mixtures
from bayesic import networks as networks
from bayesic import plots as plots
from bayesic import spark as spark
from bayesic.data.dates import date_columns as date_columns
from bayesic.data.languages import language as language
from bayesic.decisions.bayes_decision import BayesDecision as BayesDecision
from bayesic.decisions.decide import decide as decide
from bayesic.evaluation.calibrated import Calibrated as Calibrated
from bayesic.evaluation.calibrated import calibrated as calibrated
from bayesic.evaluation.compare import compare as compare
from bayesic.evaluation.drift import drift as drift
from bayesic.evaluation.evaluate import evaluate as evaluate
from bayesic.export.to_onnx import to_onnx as to_onnx
from bayesic.export.to_sql import to_sql as to_sql
from bayesic.files.model_files import load as load
from bayesic.mixtures.gaussian_mixture import GaussianMixture as GaussianMixture
from bayesic.mixtures.k_means import KMeans as KMeans
from bayesic.mixtures.semi_supervised import SemiSupervised as SemiSupervised
from bayesic.models.arrays.bernoulli import BernoulliNB as BernoulliNB
from bayesic.models.arrays.categorical import CategoricalNB as CategoricalNB
from bayesic.models.arrays.complement import ComplementNB as ComplementNB
from bayesic.models.arrays.multinomial import MultinomialNB as MultinomialNB
from bayesic.models.columns.naive_bayes import NaiveBayes as NaiveBayes
from bayesic.models.levels.averaged_dependence import AveragedOneDependence as AveragedOneDependence
from bayesic.models.levels.joint import JointBayes as JointBayes
from bayesic.models.levels.network_classifier import KDependence as KDependence
from bayesic.models.levels.network_classifier import TreeAugmentedNB as TreeAugmentedNB
from bayesic.models.linear.least_squares import LeastSquares as LeastSquares
from bayesic.models.linear.logistic import LogisticRegression as LogisticRegression
from bayesic.models.neighbours.neighbours import KNeighborsClassifier as KNeighborsClassifier
from bayesic.models.neighbours.neighbours import KNeighborsRegressor as KNeighborsRegressor
from bayesic.models.normal.discriminant import (
    QuadraticDiscriminantAnalysis as QuadraticDiscriminantAnalysis,
)
from bayesic.models.normal.gaussian import GaussianNB as GaussianNB
from bayesic.models.normal.gaussian_bayes import GaussianBayes as GaussianBayes
from bayesic.models.normal.linear_discriminant import (
    LinearDiscriminantAnalysis as LinearDiscriminantAnalysis,
)
from bayesic.models.trees.forest import BayesForest as BayesForest
from bayesic.models.words.text_classifier import TextClassifier as TextClassifier
from bayesic.networks.network import BeliefNetwork as BeliefNetwork
from bayesic.networks.reading import read_network as read_network
from bayesic.networks.structure_learning import learn_structure as learn_structure
from bayesic.selection.auto_bayes import AutoBayes as AutoBayes
from bayesic.selection.choose_model import choose_model as choose_model
from bayesic.serve.client import connect as connect
from bayesic.store.store import open_store as open_store

__version__: str
__all__: list[str]
