from bayesic.estimation.prior import class_prior as class_prior
from bayesic.hypotheses._brute_force import brute_force_map as brute_force_map
from bayesic.hypotheses._model_votes import BayesOptimalClassifier as BayesOptimalClassifier
from bayesic.hypotheses._model_votes import GibbsClassifier as GibbsClassifier
from bayesic.hypotheses._model_votes import weighted_vote as weighted_vote
from bayesic.hypotheses._rule import RuleClassifier as RuleClassifier
from bayesic.hypotheses._sigmoid_unit import SigmoidUnit as SigmoidUnit
from bayesic.hypotheses._sigmoid_unit import train_sigmoid_unit as train_sigmoid_unit
from bayesic.hypotheses._space import Hypothesis as Hypothesis
from bayesic.hypotheses._space import HypothesisSpace as HypothesisSpace
from bayesic.hypotheses._space import code_length as code_length
from bayesic.hypotheses._space import description_length as description_length
from bayesic.hypotheses._space import mdl_hypothesis as mdl_hypothesis
from bayesic.hypotheses.attributes import covers as covers
from bayesic.hypotheses.attributes import more_general as more_general
from bayesic.hypotheses.bayes_rule import bayes_rule as bayes_rule
from bayesic.hypotheses.mdl_tree.tree_classifier import MDLTreeClassifier as MDLTreeClassifier
from bayesic.hypotheses.version_space import candidate_elimination as candidate_elimination
from bayesic.hypotheses.version_space import find_s as find_s

__all__: list[str]
