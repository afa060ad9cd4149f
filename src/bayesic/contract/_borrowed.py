"""What scikit-learn's own base classes do for an estimator, made when it is needed."""

from collections.abc import Callable
from functools import cache
from types import new_class
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bayesic.contract.estimator import Estimator


def in_scikit_learn(estimator: "Estimator") -> Any:
    """The estimator as an object of scikit-learn's base classes, with the same attributes."""
    if estimator.is_borrowed:
        return estimator
    kind: type = type(estimator)
    copy: Any = object.__new__(_class_in_scikit_learn(kind))
    object.__setattr__(copy, "__dict__", vars(estimator))
    return copy


@cache
def _class_in_scikit_learn(kind: type) -> type:
    from sklearn.base import BaseEstimator, TransformerMixin

    bases: tuple[type, ...] = (kind, BaseEstimator)
    attributes = {
        "__module__": kind.__module__,
        "__doc__": kind.__doc__,
        "__reduce__": lambda self: (_empty, (kind,)),
        "is_borrowed": True,
    }
    if hasattr(kind, "transform"):  # scikit-learn wraps what a class itself defines
        bases = (kind, TransformerMixin, BaseEstimator)
        attributes["transform"] = kind.transform.__wrapped__
    return new_class(kind.__name__, bases, exec_body=lambda names: names.update(attributes))


def _empty(kind: type) -> object:
    """An object of that class without attributes: what a pickle of requests keeps of it."""
    return object.__new__(_class_in_scikit_learn(kind))


class Borrowed:
    """A method of scikit-learn's base classes, where these have it.

    It is made for the class that `in_scikit_learn` gives; of a class itself there is none, so that
    scikit-learn makes its own there.
    """

    def __set_name__(self, kind: type, name: str) -> None:
        self._kind, self._name = kind, name

    def __get__(self, estimator: "Estimator | None", kind: type) -> Any:
        if estimator is None:
            raise AttributeError(f"{self._name} is a method of an estimator, not of its class.")
        if estimator.is_borrowed:
            return getattr(super(self._kind, estimator), self._name)
        return getattr(in_scikit_learn(estimator), self._name)


class BorrowedSetter(Borrowed):
    """The same for a method that sets something and gives the estimator back."""

    def __get__(self, estimator: Any, kind: type) -> Callable[..., "Estimator"]:
        theirs = super().__get__(estimator, kind)

        def setting(**given: object) -> "Estimator":
            borrowed = theirs(**given)
            estimator._metadata_request = borrowed._metadata_request
            object.__setattr__(borrowed, "__dict__", {})  # these requests keep it, for its name
            return estimator

        return setting
