"""Arguments of users, checked."""

from collections.abc import Sequence
from math import inf
from numbers import Integral, Real
from typing import Any


def check_one_of(name: str, given: Any, known: Sequence[str | None]) -> None:
    """Refuse what is none of the known words."""
    if given not in known:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, known))}, got {given!r}.")


def check_whole_number(name: str, given: Any, least: int) -> None:
    """Refuse what is no whole number, or too small."""
    if not is_whole_number(given) or given < least:
        raise ValueError(f"{name} must be a whole number from {least} on, got {given!r}.")


def check_number(name: str, given: Any) -> None:
    """Refuse what is no finite number of 0 or more."""
    is_number = isinstance(given, Real) and not isinstance(given, bool)
    if not is_number or not 0 <= float(given) < inf:
        raise ValueError(f"{name} must be a number of 0 or more, got {given!r}.")


def is_whole_number(given: Any) -> bool:
    """Whether this is a whole number, and not True or False.

    >>> is_whole_number(2), is_whole_number(True), is_whole_number(2.0)
    (True, False, False)
    """
    return isinstance(given, Integral) and not isinstance(given, bool)
