"""Arguments of users, checked."""

from collections.abc import Sequence
from numbers import Integral, Real
from sys import float_info
from typing import Any

LARGEST = float_info.max


def check_one_of(name: str, given: Any, known: Sequence[str | None]) -> None:
    """Refuse what is none of the known words."""
    is_word = given is None or isinstance(given, str)  # a table has an answer of its own to ==
    if not is_word or given not in known:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, known))}, got {given!r:.80}.")


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
