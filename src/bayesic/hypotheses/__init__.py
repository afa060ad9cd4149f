"""Reasoning about a finite set of hypotheses.

Names are fetched when they are first used: `bayes_rule` does not wait for scikit-learn.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from bayesic.hypotheses.bayes_rule import bayes_rule

# public name -> the module that holds it
_HOME = {
    "BayesOptimalClassifier": "model_votes",
    "GibbsClassifier": "model_votes",
    "Hypothesis": "space",
    "HypothesisSpace": "space",
    "MDLTreeClassifier": "mdl_tree.tree_classifier",
    "RuleClassifier": "rule",
    "SigmoidUnit": "sigmoid_unit",
    "brute_force_map": "brute_force",
    "candidate_elimination": "version_space",
    "code_length": "space",
    "covers": "attributes",
    "description_length": "space",
    "find_s": "version_space",
    "mdl_hypothesis": "space",
    "more_general": "attributes",
    "train_sigmoid_unit": "sigmoid_unit",
    "weighted_vote": "model_votes",
}

__all__ = [
    "BayesOptimalClassifier",
    "GibbsClassifier",
    "Hypothesis",
    "HypothesisSpace",
    "MDLTreeClassifier",
    "RuleClassifier",
    "SigmoidUnit",
    "bayes_rule",
    "brute_force_map",
    "candidate_elimination",
    "code_length",
    "covers",
    "description_length",
    "find_s",
    "mdl_hypothesis",
    "more_general",
    "train_sigmoid_unit",
    "weighted_vote",
]

if TYPE_CHECKING:
    from bayesic.hypotheses.attributes import covers, more_general
    from bayesic.hypotheses.brute_force import brute_force_map
    from bayesic.hypotheses.mdl_tree.tree_classifier import MDLTreeClassifier
    from bayesic.hypotheses.model_votes import (
        BayesOptimalClassifier,
        GibbsClassifier,
        weighted_vote,
    )
    from bayesic.hypotheses.rule import RuleClassifier
    from bayesic.hypotheses.sigmoid_unit import SigmoidUnit, train_sigmoid_unit
    from bayesic.hypotheses.space import (
        Hypothesis,
        HypothesisSpace,
        code_length,
        description_length,
        mdl_hypothesis,
    )
    from bayesic.hypotheses.version_space import candidate_elimination, find_s


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(
            f"bayesic.hypotheses has no name {name!r}. Its public names are: {', '.join(__all__)}."
        )
    value = getattr(import_module(f"bayesic.hypotheses.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
