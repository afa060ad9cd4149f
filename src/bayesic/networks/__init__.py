"""Belief networks: graphs with probability tables, exact answers, sampling, files."""

from typing import TYPE_CHECKING

from bayesic.lazy_names import lazy_names

# public name -> the module that defines it
_HOME = {
    "FactorModel": "bayesic.networks.factor_model",
    "ImpossibleEvidence": "bayesic.networks.queries.impossible",
    "compare": "bayesic.networks.structure.graph_comparison",
    "edge_strengths": "bayesic.networks.structure.bootstrap",
    "noisy_or": "bayesic.networks.noisy_tables",
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
    from bayesic.networks.factor_model import FactorModel
    from bayesic.networks.noisy_tables import noisy_or
    from bayesic.networks.queries.impossible import ImpossibleEvidence
    from bayesic.networks.structure.bootstrap import edge_strengths
    from bayesic.networks.structure.graph_comparison import compare

__getattr__, __dir__ = lazy_names(globals(), _HOME, _MODULES)
