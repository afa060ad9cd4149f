"""A classifier on top of another: what it knows, the other has learned."""

from abc import ABC, abstractmethod
from typing import Any

from bayesic.contract.estimator import Estimator
from bayesic.data.arguments import check_is_fitted
from bayesic.kernels import Array


class OnTop(Estimator, ABC):
    """A classifier that has learned through the classifier `model`, of which it keeps `model_`."""

    model: Any

    estimator_type = "classifier"
    _models_inside = ("model", "model_")

    @property
    @abstractmethod
    def _learned(self) -> Any:
        """The model that has learned."""

    @property
    def classes_(self) -> Array:
        """The classes of the model: the order of the columns of predict_proba."""
        return self._known("classes_")

    @property
    def n_features_in_(self) -> int:
        """Number of columns that the model has learned."""
        return self._known("n_features_in_")

    @property
    def feature_names_in_(self) -> Array:
        """Names of the columns that the model has learned, if they had names."""
        return self._known("feature_names_in_")

    def _known(self, name: str) -> Any:
        """What the model knows, once it is fitted."""
        try:
            return getattr(self._learned, name)
        except AttributeError:
            check_is_fitted(self)
            raise
