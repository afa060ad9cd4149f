"""The base classes of estimators: scikit-learn's, or stand-ins in a process that only answers."""

from typing import TYPE_CHECKING

from bayesic.models import stand_ins

if TYPE_CHECKING or not stand_ins.in_use:
    from sklearn.base import BaseEstimator, ClassifierMixin
else:
    from bayesic.models.stand_ins import BaseEstimator, ClassifierMixin

__all__ = ["BaseEstimator", "ClassifierMixin"]
