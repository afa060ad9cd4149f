"""Arguments of users, checked."""

from collections.abc import Callable, Sequence
from functools import wraps
from inspect import Signature, signature
from numbers import Integral, Real
from sys import float_info
from typing import Any

import numpy as np

LARGEST = float_info.max


def check_one_of(name: str, given: Any, known: Sequence[str | None]) -> None:
    """Refuse what is none of the known words."""
    is_word = given is None or isinstance(given, str)  # a table has an answer of its own to ==
    if not is_word or given not in known:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, known))}, got {given!r:.80}.")


def check_flag(name: str, given: Any) -> None:
    """Refuse what is neither True nor False."""
    if not isinstance(given, (bool, np.bool_)):
        raise ValueError(f"{name} must be True or False, got {given!r}.")


def check_whole_number(name: str, given: Any, least: int) -> None:
    """Refuse what is no whole number, or too small."""
    if not is_whole_number(given) or given < least:
        raise ValueError(f"{name} must be a whole number from {least} on, got {given!r}.")


def check_number(name: str, given: Any) -> None:
    """Refuse what is no finite number of 0 or more."""
    if not is_number(given) or not 0 <= given <= LARGEST:
        raise ValueError(f"{name} must be a number of 0 or more, got {given!r}.")


def is_number(given: Any) -> bool:
    """Whether this is a number that a float can hold, and not True or False.

    >>> is_number(2), is_number(0.5), is_number(True), is_number("2"), is_number(10**400)
    (True, True, False, False, False)
    """
    if not isinstance(given, Real) or isinstance(given, bool):
        return False
    try:
        float(given)
    except OverflowError:
        return False
    return True


def is_whole_number(given: Any) -> bool:
    """Whether this is a whole number, and not True or False.

    >>> is_whole_number(2), is_whole_number(True), is_whole_number(2.0)
    (True, False, False)
    """
    return isinstance(given, Integral) and not isinstance(given, bool)


def without_arguments(verb: Callable[..., Any], names: tuple[str, ...]) -> Callable[..., Any]:
    """A method that does not take the arguments of these names: they keep their defaults.

    >>> def fit(X, y, classes=None, sample_weight=None):
    ...     return X, y, classes, sample_weight
    >>> less = without_arguments(fit, ("classes",))
    >>> str(signature(less)), less([1], [2], [3])
    ('(X, y, sample_weight=None)', ([1], [2], None, [3]))
    """
    arguments = signature(verb).parameters.items()
    less = Signature([argument for name, argument in arguments if name not in names])

    @wraps(verb)
    def with_less(*given: Any, **by_name: Any) -> Any:
        return verb(**less.bind(*given, **by_name).arguments)

    with_less.__signature__ = less  # type: ignore[attr-defined]  # what `inspect` shows
    return with_less
