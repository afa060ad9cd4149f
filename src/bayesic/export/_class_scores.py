"""The scores of a fitted model, as expressions: which models can be written down, and how."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from bayesic.decisions.bayes_decision import BayesDecision
from bayesic.evaluation.calibrated import Calibrated
from bayesic.export._array_estimators import (
    category_scores,
    counted_scores,
    normal_scores,
    present_scores,
)
from bayesic.export._class_answers import ClassScores, calibrated_scores
from bayesic.export._column_networks import averaged_scores, network_scores
from bayesic.export._expressions import Expression
from bayesic.export._naive_bayes import naive_scores
from bayesic.export._normal_classes import discriminant_scores, logistic_scores, quadratic_scores
from bayesic.export._steps import Steps
from bayesic.export._tree_nodes import forest_scores, walked_forest_scores
from bayesic.mixtures.semi_supervised import SemiSupervised
from bayesic.models.arrays.bernoulli import PresentFeatures
from bayesic.models.arrays.categorical import CategoricalFeatures
from bayesic.models.arrays.multinomial import CountedFeatures
from bayesic.models.columns.naive_columns import NaiveColumns
from bayesic.models.levels.averaged_dependence import AveragedColumns
from bayesic.models.levels.column_network import ColumnNetwork
from bayesic.models.linear.logistic import LinearScores
from bayesic.models.normal.gaussian import NormalColumns
from bayesic.models.normal.gaussian_bayes import UncorrelatedClasses
from bayesic.models.normal.linear_classes import LinearClasses
from bayesic.models.normal.normal_classes import NormalClasses
from bayesic.models.readers.known_columns import known_columns
from bayesic.models.trees.forest import MeanOfTrees

# what a model has learned -> the score of each class; models of tables know their columns by name,
# models of numbers are told the names
OF_TABLES: dict[type, Callable[[Any, Steps], list[Expression]]] = {
    AveragedColumns: averaged_scores,
    ColumnNetwork: network_scores,
    MeanOfTrees: forest_scores,
    NaiveColumns: naive_scores,
}
OF_NUMBERS: dict[type, Callable[[Any, Steps, Sequence[str]], list[Expression]]] = {
    CategoricalFeatures: category_scores,
    CountedFeatures: counted_scores,
    LinearClasses: discriminant_scores,
    LinearScores: logistic_scores,
    NormalClasses: quadratic_scores,
    NormalColumns: normal_scores,
    PresentFeatures: present_scores,
    UncorrelatedClasses: normal_scores,
}


def scores_of(model: object, steps: Steps, can_walk: bool = False) -> ClassScores:
    """log p(x, c) of each class, for a model that has learned.

    can_walk : whether steps may be ways down trees
    """
    if isinstance(model, Calibrated):
        inside = scores_of(model.model_, steps, can_walk)
        return calibrated_scores(steps, inside, model._calibration)
    if isinstance(model, SemiSupervised):
        return scores_of(model.model_, steps, can_walk)
    fitted = getattr(model, "_fitted", None)
    of_tables = OF_TABLES | ({MeanOfTrees: walked_forest_scores} if can_walk else {})
    for kind in type(fitted).__mro__:
        if kind in of_tables:
            return ClassScores(of_tables[kind](fitted, steps), fitted.prior.probability)  # type: ignore[union-attr]
        if kind in OF_NUMBERS:
            scores = OF_NUMBERS[kind](fitted, steps, known_columns(model).names)
            even = np.full(len(scores), 1 / len(scores))  # no row is impossible for weights
            return ClassScores(scores, getattr(fitted.prior, "probability", even))  # type: ignore[union-attr]
    raise TypeError(
        "NaiveBayes, TreeAugmentedNB, KDependence, AveragedOneDependence, BayesForest, "
        "GaussianBayes, linear and quadratic discriminants, LogisticRegression and the five "
        f"array estimators can be exported, got {type(model).__name__}. {_way_out(model)}"
    )


def takes_numbers(model: object) -> bool:
    """Whether a model takes a matrix of numbers, and not a table."""
    while isinstance(model, (BayesDecision, Calibrated, SemiSupervised)):
        model = model._learned if isinstance(model, BayesDecision) else model.model_
    return any(kind in OF_NUMBERS for kind in type(getattr(model, "_fitted", None)).__mro__)


def _way_out(model: object) -> str:
    if type(model).__name__ == "TextClassifier":
        return (
            "Neither SQL nor ONNX cuts words: count them in columns, and fit MultinomialNB to the "
            "counts."
        )
    return "Fit one of these, or use the model in Python."
