"""States of categorical columns with their types: texts, booleans and numbers.

States are compared as text, as categories are everywhere, and True is 1: one state has one name in
all tables, whatever library they come from.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from bayesic.data.distinct import category_name

State = str | bool | int | float
States = tuple[State, ...]


def as_state(value: Any) -> State:
    """One cell as a state; whole numbers are int, as tables turn them into floats for a gap.

    >>> as_state(2.0), as_state(np.bool_(True)), as_state(np.datetime64("2024-01-05"))
    (2, True, '2024-01-05')
    """
    if isinstance(value, (np.datetime64, np.timedelta64)):
        return category_name(value)
    plain = value.item() if isinstance(value, np.generic) else value
    if type(plain) in (bool, int):
        return plain
    if isinstance(plain, float) and np.isfinite(plain):
        return int(plain) if plain.is_integer() else float(plain)
    return category_name(plain)


def in_order(states: Iterable[State]) -> States:
    """States sorted, numbers before texts.

    >>> in_order(["rain", 10, 2, "fog"])
    (2, 10, 'fog', 'rain')
    """
    states = tuple(states)
    return tuple(states[number] for number in numbers_in_order(states))


def numbers_in_order(states: States) -> list[int]:
    """The numbers of states in the order of the states.

    >>> numbers_in_order(("rain", 10, "fog"))
    [1, 2, 0]
    """
    return sorted(
        range(len(states)), key=lambda number: (isinstance(states[number], str), states[number])
    )


def names_of_state(state: State) -> tuple[str, ...]:
    """The texts under which a state is found in a table: True is also 1, and the other way round.

    >>> names_of_state("rain"), names_of_state(2.0), names_of_state(True), names_of_state(0)
    (('rain',), ('2',), ('True', '1'), ('0', 'False'))
    """
    if isinstance(state, str) or state not in (0, 1):
        return (category_name(state),)
    names = str(bool(state)), str(int(state))
    return names if isinstance(state, bool) else names[::-1]


def numbers_of_names(states: States) -> dict[str, int]:
    """The texts of states -> their numbers; a text that is itself a state stays so.

    >>> numbers_of_names((True, "rain", 2.0))
    {'True': 0, 'rain': 1, '2': 2, '1': 0, '2.0': 2}
    """
    numbers = {category_name(state): number for number, state in enumerate(states)}
    for number, state in enumerate(states):
        for name in (*names_of_state(state), str(state)):
            numbers.setdefault(name, number)
    return numbers


def found_number(state: State, numbers: Mapping[str, int]) -> int | None:
    """The number of a state by `numbers_of_names` of others; None if it is none of them."""
    return next((numbers[name] for name in names_of_state(state) if name in numbers), None)


def numbers_among(some: States, states: States) -> list[int | None]:
    """The number that each of some states has among others, None for those that are new.

    >>> numbers_among(("1", "fog"), (False, True))
    [1, None]
    """
    if some == states:
        return list(range(len(states)))
    if len(some) == 1 and type(some[0]) is str and some[0] in states:
        return [states.index(some[0])]
    numbers = numbers_of_names(states)
    return [found_number(state, numbers) for state in some]


def united_states(first: States, second: States) -> States:
    """The states of both, in order; what both have is as it is in the first.

    >>> united_states((False, True), ("True", "unknown"))
    (False, True, 'unknown')
    """
    return first if first == second else in_order([*first, *_new(second, first)])


def followed_by(
    given: Mapping[str, States | None], found: Mapping[str, States]
) -> dict[str, States | None]:
    """The states that were given of each column, then those found that are new, both as they are.

    None for a column without any.

    >>> followed_by({"Wind": ("no", "low")}, {"Wind": ("high", "low", "no")})
    {'Wind': ('no', 'low', 'high')}
    """
    return {
        name: (*(known or ()), *_new(found[name], known or ())) or None
        for name, known in given.items()
    }


def _new(states: States, known: States) -> list[State]:
    places = numbers_among(states, known)
    return [state for state, place in zip(states, places, strict=True) if place is None]
