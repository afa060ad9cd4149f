"""Reasoning about a finite set of hypotheses.

Names are fetched when they are first used: `bayes_rule` does not wait for scikit-learn.
"""

from typing import TYPE_CHECKING

from bayesic.hypotheses.bayes_rule import bayes_rule
from bayesic.lazy_names import lazy_names

# public name -> the module that holds it
_HOME = {
    "BayesOptimalClassifier": "bayesic.hypotheses._model_votes",
    "GibbsClassifier": "bayesic.hypotheses._model_votes",
    "Hypothesis": "bayesic.hypotheses._space",
    "HypothesisSpace": "bayesic.hypotheses._space",
    "MDLTreeClassifier": "bayesic.hypotheses.mdl_tree.tree_classifier",
    "RuleClassifier": "bayesic.hypotheses._rule",
    "SigmoidUnit": "bayesic.hypotheses._sigmoid_unit",
    "brute_force_map": "bayesic.hypotheses._brute_force",
    "candidate_elimination": "bayesic.hypotheses.version_space",
    "class_prior": "bayesic.estimation.prior",
    "code_length": "bayesic.hypotheses._space",
    "covers": "bayesic.hypotheses.attributes",
    "description_length": "bayesic.hypotheses._space",
    "find_s": "bayesic.hypotheses.version_space",
    "mdl_hypothesis": "bayesic.hypotheses._space",
    "more_general": "bayesic.hypotheses.attributes",
    "train_sigmoid_unit": "bayesic.hypotheses._sigmoid_unit",
    "weighted_vote": "bayesic.hypotheses._model_votes",
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
    "class_prior",
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
    from bayesic.estimation.prior import class_prior
    from bayesic.hypotheses._brute_force import brute_force_map
    from bayesic.hypotheses._model_votes import (
        BayesOptimalClassifier,
        GibbsClassifier,
        weighted_vote,
    )
    from bayesic.hypotheses._rule import RuleClassifier
    from bayesic.hypotheses._sigmoid_unit import SigmoidUnit, train_sigmoid_unit
    from bayesic.hypotheses._space import (
        Hypothesis,
        HypothesisSpace,
        code_length,
        description_length,
        mdl_hypothesis,
    )
    from bayesic.hypotheses.attributes import covers, more_general
    from bayesic.hypotheses.mdl_tree.tree_classifier import MDLTreeClassifier
    from bayesic.hypotheses.version_space import candidate_elimination, find_s

__getattr__, __dir__ = lazy_names(globals(), _HOME)
