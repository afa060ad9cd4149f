"""bayesic: Bayesian learning by counting.

`import bayesic as by` loads nothing heavy: each name is fetched when it is first used. The names
and their modules stand in `__init__.pyi`, which type checkers read as well.
"""

from bayesic.lazy_names import names_of_stub

__version__ = "0.2.0"

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

__all__, __getattr__, __dir__ = names_of_stub(
    globals(), {name: f"bayesic.{module}.{name}" for name, module in _MOVED.items()}
)
