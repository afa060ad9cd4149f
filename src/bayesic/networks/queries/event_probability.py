"""The probability of an event: each of some variables is in one of some states."""

from collections.abc import Collection, Mapping, Sequence
from math import exp
from typing import Any

import numpy as np

from bayesic.networks.engine.inference import posteriors
from bayesic.networks.queries.evidence import Known
from bayesic.networks.queries.impossible import impossible
from bayesic.networks.queries.model import NamedModel
from bayesic.networks.queries.relevant import relevant_part
from bayesic.networks.variable_names import number_of_state

Array = np.ndarray


def probability_of(model: NamedModel, event: Mapping[str, Any], known: Known) -> float:
    """P(event | given) = P(event, given) / P(given).

    event : variable -> its state, or a collection of states of which it has one
    """
    if not isinstance(event, Mapping):
        raise TypeError(
            f"An event is a mapping from variables, got {type(event).__name__}. "
            "Write {'Storm': True, 'Level': ['low', 'high']}."
        )
    inside = {model.number(name): _indicator(model, name, states) for name, states in event.items()}
    factors = relevant_part(model, tuple(inside), known).owners
    log_given = _log_sum(model, known, factors)
    if log_given == -np.inf:
        raise impossible(model, known)
    return min(1.0, exp(_log_sum(model, _with_event(known, inside), factors) - log_given))


def _log_sum(model: NamedModel, known: Known, factors: Sequence[int]) -> float:
    """The log of the sum of the product of these factors over all states that agree."""
    part = relevant_part(model, (), known, among=frozenset(factors))
    return float(posteriors(part.tree(), part.row(), ())[1][0])


def _with_event(known: Known, inside: Mapping[int, Array]) -> Known:
    """What is known and the event: a variable with one state of the event is as good as observed.

    To observe it cuts the model, and so makes it smaller.
    """
    states, several = dict(known.states), {}
    for variable, indicator in inside.items():
        if variable in states or indicator.sum() != 1:
            several[variable] = indicator
        else:
            states[variable] = int(indicator.argmax())
    return Known(states, several)


def _indicator(model: NamedModel, variable: str, states: Any) -> Array:
    """1 for the states of the event, 0 for the others."""
    several = isinstance(states, Collection) and not isinstance(states, str)
    indicator = np.zeros(len(model.states[variable]))
    for state in states if several else [states]:
        indicator[number_of_state(state, model.states[variable], variable)] = 1.0
    return indicator
