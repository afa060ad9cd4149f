"""Models that are asked while they learn: each answer comes from one state of the model.

All that a model has learned is in its attributes, none of which is ever changed in place. So a
shallow copy of a model is one of its states, and does not change any more.

- `answering` runs a method on such a copy, taken once: however long it takes, and whatever another
  thread learns meanwhile, classes and scores belong together.
- `learning` runs a method on a copy as well, and hands all of it over in one step when it is done.
  If it fails, nothing has changed.

So readers are safe while one writer learns. Two writers must take turns.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

from bayesic.data.calls import called

Model = TypeVar("Model")
Method = TypeVar("Method", bound=Callable[..., Any])


def snapshot(model: Model) -> Model:
    """A copy of the model as it is now, which does not change when the model learns.

    A model on top of others names the attributes that hold them in `_models_inside`.
    """
    copy = _copy(model)
    for name in getattr(model, "_models_inside", ()):
        if name in vars(copy):
            vars(copy)[name] = held_still(vars(copy)[name])
    return copy


def held_still(part: object) -> Any:
    """Snapshots of models of this library, of one or of a list; anything else as it is.

    Other models change in place: a copy would not hold them still.
    """
    if isinstance(part, (list, tuple)):
        return [snapshot(model) if is_ours(model) else model for model in part]
    return snapshot(part) if is_ours(part) else part


def is_ours(model: object) -> bool:
    """Whether this is a model of this library, or of a class made from one.

    >>> is_ours("GaussianNB")
    False
    """
    return any(base.__module__.startswith("bayesic.") for base in type(model).__mro__)


def _copy(model: Model) -> Model:
    copy = object.__new__(type(model))
    object.__setattr__(copy, "__dict__", vars(model).copy())  # as in _give
    return copy


def _give(model: object, state: dict[str, object]) -> None:
    """Let a model have a copy of these attributes, in one step: no other thread comes between."""
    object.__setattr__(model, "__dict__", state.copy())


def answering(method: Method) -> Method:
    """The method, asked of a snapshot of the model.

    >>> class Urn:
    ...     @answering
    ...     def half(self):
    ...         urn.balls = 7  # as another thread may do at any time
    ...         return self.balls / 2
    >>> urn = Urn()
    >>> urn.balls = 3
    >>> urn.half()
    1.5
    """

    @wraps(method)
    def from_one_state(self: object, *args: object, **kwargs: object) -> Any:
        return called(method, snapshot(self), args, kwargs)

    return cast("Method", from_one_state)


def learning(method: Method) -> Method:
    """The method, which returns the model; what it changes is seen all at once, or not at all.

    >>> class Urn:
    ...     @learning
    ...     def fill(self, balls):
    ...         self.balls = balls
    ...         self.half = balls / 2
    >>> urn = Urn().fill(3)
    >>> urn.fill("many")
    Traceback (most recent call last):
    TypeError: unsupported operand type(s) for /: 'str' and 'int'
    >>> urn.balls
    3
    """

    @wraps(method)
    def all_at_once(self: object, *args: object, **kwargs: object) -> Any:
        draft = _copy(self)
        called(method, draft, args, kwargs)
        _give(self, vars(draft))
        return self

    return cast("Method", all_at_once)
