"""The scores of a fitted model, as expressions: which models can be written down, and how.

A fitted object names the function that writes its scores: its `formula`.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from bayesic.catalogue import MODELS, entry_of, is_text_model
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
from bayesic.export._tree_nodes import forest_scores
from bayesic.mixtures.semi_supervised import SemiSupervised

Formula = Callable[[Any, Steps], list[Expression]]
FORMULAS: dict[str, Formula] = {
    formula.__name__: formula
    for formula in (
        *(averaged_scores, category_scores, counted_scores, discriminant_scores, forest_scores),
        *(logistic_scores, naive_scores, network_scores, normal_scores, present_scores),
        quadratic_scores,
    )
}


def scores_of(model: object, steps: Steps) -> ClassScores:
    """log p(x, c) of each class, for a model that has learned."""
    if isinstance(model, Calibrated):
        inside = scores_of(model.model_, steps)
        return calibrated_scores(steps, inside, model._calibration)
    if isinstance(model, SemiSupervised):
        return scores_of(model.model_, steps)
    fitted = getattr(model, "_fitted", None)
    formula = getattr(fitted, "formula", None)
    if fitted is None or formula is None:
        known = ", ".join(name for name, entry in MODELS.items() if entry.exported)
        raise TypeError(f"{known} can be exported, got {type(model).__name__}. {_way_out(model)}")
    scores = FORMULAS[formula](fitted, steps)
    even = np.full(len(scores), 1 / len(scores))  # no row is impossible for weights
    return ClassScores(scores, getattr(fitted.prior, "probability", even))


def takes_numbers(model: object) -> bool:
    """Whether a model takes a matrix of numbers, and not a table."""
    while isinstance(model, (BayesDecision, Calibrated, SemiSupervised)):
        model = model._learned if isinstance(model, BayesDecision) else model.model_
    return entry_of(model).reads == "numbers"


def _way_out(model: object) -> str:
    if is_text_model(model):
        return (
            "Neither SQL nor ONNX cuts words: count them in columns, and fit MultinomialNB to the "
            "counts."
        )
    return "Fit one of these, or use the model in Python."
