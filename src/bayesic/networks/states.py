"""Names of variables and of their states: what may be one, and how it is looked up."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from bayesic.networks.errors import NetworkError

State = str | bool | int | float
States = tuple[State, ...]

WITHOUT_ORDER = (str, bytes, set, frozenset)  # no list of names, or one in an order of its own
SHOWN = 10  # names that an error lists


def checked_variable(name: Any) -> str:
    """The name of a variable, if it is a text that is not blank."""
    if not isinstance(name, str) or not name.strip():
        raise NetworkError(
            f"A variable is named by a text, got {name!r}. Use a name such as 'Storm'."
        )
    return str(name)


def checked_states(variable: str, states: Any) -> States:
    """The states of a variable as a tuple of texts, booleans and numbers, each given once.

    >>> checked_states("天气", ["晴", "雨"])
    ('晴', '雨')
    """
    if isinstance(states, WITHOUT_ORDER) or not isinstance(states, Iterable):
        raise NetworkError(
            f"The states of {variable} must be a list, got {states!r}. "
            "Give all of them, as in ['yes', 'no'].",
            variable,
        )
    names = tuple(_checked_state(variable, state) for state in states)
    if not names:
        raise NetworkError(f"{variable} must have at least one state, got none.", variable)
    twice = [name for name, times in Counter(names).items() if times > 1]
    if twice:
        raise NetworkError(
            f"The states of {variable} must be different, got {twice[0]!r} more than once.",
            variable,
        )
    return names


def _checked_state(variable: str, state: Any) -> State:
    plain = state.item() if isinstance(state, np.generic) else state
    if isinstance(plain, str):
        return str(plain)
    if isinstance(plain, (bool, int)) or (isinstance(plain, float) and math.isfinite(plain)):
        return plain
    raise NetworkError(
        f"States are texts, booleans or finite numbers, got {state!r} for {variable}.", variable
    )


def names_in(given: Any) -> Iterator[Any]:
    """The variables that are asked about: one, or each of several.

    They are not looked at yet, and not listed: whoever gives a billion of them hears of the first.

    >>> list(names_in("Storm")), list(names_in(["Storm", "Campfire"]))
    (['Storm'], ['Storm', 'Campfire'])
    """
    if isinstance(given, str):
        return iter([given])
    return values_in(given, "Name a variable, or several in a list")


def values_in(given: Any, rule: str) -> Iterator[Any]:
    """What a list or another collection holds; what is none is refused with this rule."""
    try:
        return iter(given)
    except TypeError:
        raise TypeError(f"{rule}, got {given!r}.") from None


def position_of(state: Any, states: States, variable: str) -> int:
    """The number of a state among those of its variable; others are refused.

    States that come from a file are texts. Where all are, what is no text is looked up as text.

    >>> position_of("no", ("yes", "no"), "Rain"), position_of(True, ("True", "False"), "Storm")
    (1, 0)
    """
    if isinstance(state, (str, bool, int, float, np.generic)):
        if state in states:
            return states.index(state)
        if str(state) in states:
            return states.index(str(state))
    raise NetworkError(f"{variable} has the states {listed(states)}, got {state!r}.", variable)


def listed(names: Sequence[Any]) -> str:
    """Names for an error, the first of them only if there are many.

    >>> listed(["yes", "no"])
    "'yes', 'no'"
    """
    shown = ", ".join(map(repr, names[:SHOWN]))
    return shown if len(names) <= SHOWN else f"{shown} and {len(names) - SHOWN} more"
