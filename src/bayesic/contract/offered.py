"""Methods that only some kinds of a class offer: `hasattr` tells which."""

from collections.abc import Callable
from functools import update_wrapper
from typing import Any, Protocol, TypeVar, cast

Method = TypeVar("Method", bound=Callable[..., Any])


class Offering(Protocol):
    """What makes a method one that only some kinds of a class offer."""

    def __call__(self, method: Method) -> Method: ...


def offered_if(condition: Callable[[type], bool]) -> Offering:
    """A method that classes have for which the condition holds; others do not have the attribute.

    >>> class Urn:
    ...     is_open = True
    ...     @offered_if(lambda urn: urn.is_open)
    ...     def draw(self):
    ...         return "red"
    >>> class Closed(Urn):
    ...     is_open = False
    >>> Urn().draw(), hasattr(Urn, "draw"), hasattr(Closed(), "draw")
    ('red', True, False)
    """

    def offering(method: Method) -> Method:
        return cast("Method", Offered(method, lambda model, kind: condition(kind)))

    return offering


def offered_where(condition: Callable[[Any], bool]) -> Offering:
    """A method that an object has while the condition holds for it.

    >>> class Urn:
    ...     balls = 0
    ...     @offered_where(lambda urn: urn.balls > 0)
    ...     def draw(self):
    ...         self.balls -= 1
    >>> hasattr(Urn(), "draw"), hasattr(Urn, "draw")
    (False, True)
    """

    def offering(method: Method) -> Method:
        return cast(
            "Method", Offered(method, lambda model, kind: model is None or condition(model))
        )

    return offering


def fitted_can(name: str) -> Callable[[type], bool]:
    """Whether the fitted object of a kind of model has a method of this name."""
    return lambda model: callable(getattr(model.fitted_class, name, None))  # type: ignore[attr-defined]


class Offered:
    """The descriptor of such a method."""

    def __init__(self, method: Callable[..., Any], holds: Callable[[object, type], bool]) -> None:
        self._method, self._holds = method, holds
        update_wrapper(self, method)  # type: ignore[arg-type]  # not a function itself

    def __get__(self, model: object, kind: type) -> Any:
        if not self._holds(model, kind):
            raise AttributeError(f"{kind.__name__} has no method {self._method.__name__!r}.")
        return self._method if model is None else self._method.__get__(model, kind)
