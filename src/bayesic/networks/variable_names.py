"""Names of variables and of their states: what may be one, and how it is looked up."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

import numpy as np

from bayesic.data.distinct import category_name
from bayesic.data.states import State, States, as_state, found_number, numbers_of_names

WITHOUT_ORDER = (str, bytes, set, frozenset)  # no list of names, or one in an order of its own
SHOWN = 10  # names that an error lists

Given = Mapping[str, object] | None  # variable -> what is given of it; read and checked by queries


class NetworkError(ValueError):
    """A network that cannot be; `variable` names the culprit, so that files can tell its line."""

    def __init__(self, message: str, variable: str | None = None) -> None:
        super().__init__(message)
        self.variable = variable

    def __reduce__(self) -> tuple:
        return type(self), (str(self), self.variable)


def checked_variable(name: object) -> str:
    """The name of a variable, if it is a text that is not blank."""
    if not isinstance(name, str) or not name.strip():
        raise NetworkError(
            f"A variable is named by a text, got {name!r}. Use a name such as 'Storm'."
        )
    return str(name)


def checked_states(variable: str, states: object) -> States:
    """The states of a variable as a tuple of texts, booleans and numbers, each given once.

    >>> checked_states("天气", ["晴", "雨"])
    ('晴', '雨')
    """
    is_scalar = getattr(states, "ndim", 1) == 0
    if isinstance(states, WITHOUT_ORDER) or not isinstance(states, Iterable) or is_scalar:
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


def _checked_state(variable: str, state: object) -> State:
    plain = state.item() if isinstance(state, np.generic) else state
    if isinstance(plain, str):
        return str(plain)
    if isinstance(plain, (bool, int)) or (isinstance(plain, float) and math.isfinite(plain)):
        return plain
    raise NetworkError(
        f"States are texts, booleans or finite numbers, got {state!r} for {variable}.", variable
    )


def checked_edges(edges: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Pairs (parent, child), each given once; the parents of a variable keep their order."""
    if isinstance(edges, WITHOUT_ORDER):
        raise NetworkError(
            f"edges must be a list of pairs (parent, child), got a {type(edges).__name__}: "
            "the parents of a variable have an order."
        )
    pairs: dict[tuple[str, str], None] = {}
    for edge in values_in(edges, "edges must be a list of pairs (parent, child)"):
        rule = "An edge is a pair (parent, child)"
        ends = () if isinstance(edge, str) else tuple(islice(values_in(edge, rule), 3))
        if len(ends) != 2:
            raise NetworkError(f"{rule}, got {edge!r}.")
        pair = (checked_variable(ends[0]), checked_variable(ends[1]))
        if pair in pairs:
            raise NetworkError(
                f"An edge is given once, got {pair[0]} -> {pair[1]} twice.", variable=pair[1]
            )
        pairs[pair] = None
    return list(pairs)


def names_in(given: object) -> Iterator[Any]:
    """The variables that are asked about: one, or each of several.

    They are not read yet, and not listed: given a billion of them, the error names the first.

    >>> list(names_in("Storm")), list(names_in(["Storm", "Campfire"]))
    (['Storm'], ['Storm', 'Campfire'])
    """
    if isinstance(given, str):
        return iter([given])
    return values_in(given, "Name a variable, or several in a list")


def values_in(given: Any, rule: str) -> Iterator[Any]:
    """What a list or another collection holds; anything else is refused with this rule."""
    try:
        return iter(given)
    except TypeError:
        raise TypeError(f"{rule}, got {given!r}.") from None


def number_of_state(state: object, states: States, variable: str) -> int:
    """The number of a state among those of its variable, found as in a table; others are refused.

    >>> number_of_state("no", ("yes", "no"), "Rain"), number_of_state("1", (True, False), "Storm")
    (1, 0)
    """
    try:
        return states.index(state)
    except (ValueError, TypeError):  # some objects cannot even be compared
        numbers = numbers_by_name(states, variable)
    number = found_number(as_state(state), numbers)
    if number is None:
        number = numbers.get(str(state))
    if number is None:
        raise NetworkError(f"{variable} has the states {listed(states)}, got {state!r}.", variable)
    return number


def state_like(text: str, states: States) -> State:
    """A state that was typed as a text, of the kind of the others where it can be.

    >>> state_like("4", (1, 2)), state_like("True", (False,)), state_like("4", ("1", "often"))
    (4, True, '4')
    """
    kinds = {type(state) for state in states}
    if kinds == {bool}:
        return {"True": True, "False": False}.get(text, text)
    try:
        return as_state(float(text)) if states and kinds <= {int, float} else text
    except ValueError:
        return text


def numbers_by_name(states: States, variable: str) -> dict[str, int]:
    """The text of each state -> its number. True and 1 are found under both texts.

    >>> numbers_by_name((True, False), "Storm")
    {'True': 0, 'False': 1, '1': 0, '0': 1}
    """
    check_texts({variable: states})
    return numbers_of_names(states)


def check_texts(states_of: Mapping[str, States | None]) -> None:
    """Refuse two states of a variable that have the same text: no table can tell them apart."""
    for variable, states in states_of.items():
        if not states or {*map(type, states)} == {str}:
            continue
        if len({category_name(state) for state in states}) < len(states):
            raise NetworkError(
                f"Two states of {variable} have the same text: {listed(states)}. States in tables "
                "are compared as text; rename one of them.",
                variable,
            )


def listed(names: Sequence[object]) -> str:
    """Names for an error, the first of them only if there are many.

    >>> listed(["yes", "no"])
    "'yes', 'no'"
    """
    shown = ", ".join(map(repr, names[:SHOWN]))
    return shown if len(names) <= SHOWN else f"{shown} and {len(names) - SHOWN} more"
