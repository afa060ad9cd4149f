"""Reasoning about a finite set of hypotheses.

Names are fetched when they are first used: `bayes_rule` does not wait for scikit-learn.
"""

# now: or the module of this name would take its place, if it were imported first
from bayesic.hypotheses.bayes_rule import bayes_rule  # noqa: F401
from bayesic.lazy_names import names_of_stub

__all__, __getattr__, __dir__ = names_of_stub(globals())
