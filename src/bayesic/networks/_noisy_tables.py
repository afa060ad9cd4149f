"""Noisy-OR: a table written by one number for each cause."""

from collections.abc import Sequence
from itertools import product

import numpy as np

from bayesic.data.arguments import as_numbers
from bayesic.data.states import States
from bayesic.networks.variable_names import checked_states

MOST_CAUSES = 16  # the table doubles with each


def noisy_or(
    inhibitors: Sequence[float],
    leak: float = 0.0,
    states: Sequence = (True, False),
    parent_states: Sequence[Sequence] | None = None,
) -> dict[States, dict]:
    """The table of an effect that each of its causes can bring about alone.

        P(absent | causes) = (1 - leak) product over the causes that are present of q_i

    q_i is the probability that cause i is present and yet fails: its inhibitor. The leak is the
    probability of the effect without any of the causes ([Pearl], section 4.3.2).

    inhibitors    : q_i of each parent, in the order of the parents
    leak          : P(present | no cause is present)
    states        : the names of present and absent, in this order
    parent_states : the same for each parent, if they have other names

    >>> noisy_or([0.5, 0.25])[True, True]
    {True: 0.875, False: 0.125}
    >>> noisy_or([0.5], leak=0.5, states=("fever", "none"), parent_states=[("flu", "no flu")])
    {('flu',): {'fever': 0.75, 'none': 0.25}, ('no flu',): {'fever': 0.5, 'none': 0.5}}
    """
    q = _checked_probabilities("inhibitors", inhibitors)
    (leak,) = _checked_probabilities("leak", [leak]).tolist()
    present, absent = _pair("the effect", states)
    if parent_states is None:
        parent_states = [(present, absent)] * len(q)
    if len(parent_states) != len(q):
        raise ValueError(
            f"parent_states must name present and absent for each of the {len(q)} parents, "
            f"got {len(parent_states)}."
        )
    pairs = [_pair(f"parent {number}", pair) for number, pair in enumerate(parent_states)]
    table = {}
    for names in product(*pairs):
        is_present = [name == pair[0] for name, pair in zip(names, pairs, strict=True)]
        failing = (1.0 - leak) * float(np.prod(q[is_present]))
        table[names] = {present: 1.0 - failing, absent: failing}
    return table


def _checked_probabilities(name: str, given: Sequence[float]) -> np.ndarray:
    numbers = as_numbers(given, name)
    if numbers.ndim != 1 or not 1 <= len(numbers) <= MOST_CAUSES:
        raise ValueError(
            f"{name} must be a list of 1 to {MOST_CAUSES} probabilities, one for each parent, "
            f"got shape {numbers.shape}. For more causes put a variable in between."
        )
    if not ((numbers >= 0) & (numbers <= 1)).all():
        raise ValueError(f"{name} must be probabilities from 0 to 1, got {numbers.tolist()}.")
    return numbers


def _pair(what: str, states: Sequence) -> States:
    names = checked_states(what, states)
    if len(names) != 2:
        raise ValueError(
            f"In a noisy-OR {what} has two states, present and absent, got {list(names)}."
        )
    return names
