"""Posterior -> action."""

from typing import TYPE_CHECKING

from bayesic.lazy_names import lazy_names

# public name -> the module that defines it
_HOME = {
    "expected_cost": "bayesic.decisions.decide",
    "rank": "bayesic.decisions.sure_answers",
}

__all__ = [
    "expected_cost",
    "rank",
]

if TYPE_CHECKING:
    from bayesic.decisions.decide import expected_cost
    from bayesic.decisions.sure_answers import rank

__getattr__, __dir__ = lazy_names(globals(), _HOME)
