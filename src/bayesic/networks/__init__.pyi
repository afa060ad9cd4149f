from bayesic.networks import editing as editing
from bayesic.networks._noisy_tables import noisy_or as noisy_or
from bayesic.networks._structure.bootstrap import edge_strengths as edge_strengths
from bayesic.networks._structure.graph_comparison import compare as compare
from bayesic.networks.factor_model import FactorModel as FactorModel
from bayesic.networks.queries.impossible import ImpossibleEvidence as ImpossibleEvidence

__all__: list[str]
