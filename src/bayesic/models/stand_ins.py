"""Stand-ins for the base classes of scikit-learn, where nobody looks for these.

`import sklearn.base` takes more than a second of processor time: it loads scipy.stats, and pandas
where that is installed. A process that loads a model, answers and ends (`bayesic predict`) shows
its models to nobody, and needs none of it. Everywhere else models derive from scikit-learn's
classes, see contract.
"""

import inspect
import sys
from typing import Any

in_use = False


def use() -> None:
    """Let models that are loaded from now on do without scikit-learn, until the process ends."""
    global in_use
    in_use = "bayesic.models.contract" not in sys.modules


class BaseEstimator:
    """An estimator that knows its parameters."""

    @classmethod
    def _get_param_names(cls) -> list[str]:
        return sorted(name for name in inspect.signature(cls.__init__).parameters if name != "self")

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The constructor arguments by name."""
        return {name: getattr(self, name) for name in self._get_param_names()}


class ClassifierMixin:
    """A classifier."""


class TransformerMixin:
    """A transformer."""
