"""Belief networks: graphs with probability tables, exact answers, sampling, files."""

from typing import TYPE_CHECKING

from bayesic.lazy_names import lazy_names

# public name -> the module that defines it
_HOME = {
    "FactorModel": "bayesic.networks.factor_model",
    "ImpossibleEvidence": "bayesic.networks.queries.impossible",
    "compare": "bayesic.networks._structure.graph_comparison",
    "edge_strengths": "bayesic.networks._structure.bootstrap",
    "noisy_or": "bayesic.networks._noisy_tables",
}
_MODULES = ("editing",)

__all__ = [
    "FactorModel",
    "ImpossibleEvidence",
    "compare",
    "edge_strengths",
    "noisy_or",
]

if TYPE_CHECKING:
    from bayesic.networks import editing as editing
    from bayesic.networks._noisy_tables import noisy_or
    from bayesic.networks._structure.bootstrap import edge_strengths
    from bayesic.networks._structure.graph_comparison import compare
    from bayesic.networks.factor_model import FactorModel
    from bayesic.networks.queries.impossible import ImpossibleEvidence

__getattr__, __dir__ = lazy_names(globals(), _HOME, _MODULES)
