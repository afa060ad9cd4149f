"""The base classes of estimators: scikit-learn's, or stand-ins in a process that only answers."""

from functools import cache
from typing import TYPE_CHECKING

from bayesic.models import stand_ins

if TYPE_CHECKING or not stand_ins.in_use:
    from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin
else:
    from bayesic.models.stand_ins import BaseEstimator, ClassifierMixin, TransformerMixin

__all__ = ["BaseEstimator", "ClassifierMixin", "TransformerMixin", "parameter_names"]


@cache
def parameter_names(model: type) -> list[str]:
    """The parameters of a kind of model; scikit-learn looks at its source each time."""
    return model._get_param_names()  # type: ignore[attr-defined]  # of scikit-learn
