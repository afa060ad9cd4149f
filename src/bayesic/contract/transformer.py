"""Estimators that also make numbers of rows: what scikit-learn's pipelines ask of these."""

import sys
from abc import abstractmethod
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any, Self, TypeVar, cast

from bayesic.contract._borrowed import in_scikit_learn
from bayesic.contract.estimator import Estimator
from bayesic.data.typing import LabelsLike, TableLike
from bayesic.kernels import Array

Method = TypeVar("Method", bound=Callable[..., Any])


class Transformer(Estimator):
    """An estimator with `transform`, which is `in_container`."""

    @abstractmethod
    def transform(self, X: TableLike) -> Any:
        """The numbers of each row."""

    @abstractmethod
    def get_feature_names_out(self, input_features: Iterable[str] | None = None) -> Array:
        """The names of the columns of `transform`."""

    def fit_transform(self, X: TableLike, y: LabelsLike | None = None, **fit_params: object) -> Any:
        """Learn from rows, and transform them; fit_params go to `fit`."""
        learner: Any = self
        return learner.fit(X, y, **fit_params).transform(X)

    def set_output(self, *, transform: str | None = None) -> Self:
        """Say what `transform` gives: "default", "pandas" or "polars"; None changes nothing."""
        if transform is not None:
            self._sklearn_output_config = {"transform": transform}  # where scikit-learn looks
        return self


class NumberedTransformer(Transformer):
    """A transformer whose columns are named by the class, and numbered: kmeans0, kmeans1."""

    def get_feature_names_out(self, input_features: Iterable[str] | None = None) -> Array:
        """The names of the columns of `transform`.

        input_features : only checked: they must be those that were learned
        """
        from sklearn.base import ClassNamePrefixFeaturesOutMixin

        return ClassNamePrefixFeaturesOutMixin.get_feature_names_out(self, input_features)


def in_container(transform: Method) -> Method:
    """The method `transform`, whose numbers come in the container that `set_output` says."""

    @wraps(transform)
    def as_asked(self: Transformer, X: TableLike) -> Any:
        if _container(self) in (None, "default"):
            return transform(self, X)
        return in_scikit_learn(self).transform(X)

    return cast("Method", as_asked)


def _container(transformer: Transformer) -> str | None:
    """What was asked for: of this one, or of scikit-learn for all, which loads it."""
    container = getattr(transformer, "_sklearn_output_config", {}).get("transform")
    loaded: Any = sys.modules.get("sklearn")
    if container is None and hasattr(loaded, "get_config"):
        container = loaded.get_config()["transform_output"]
    return container
