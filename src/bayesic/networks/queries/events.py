"""The probability of an event: each of some variables is in one of some states."""

from collections.abc import Collection, Mapping
from math import exp
from typing import Any

import numpy as np

from bayesic.networks.codes import number_of_state
from bayesic.networks.engine.inference import posteriors
from bayesic.networks.engine.tree import compile_tree
from bayesic.networks.queries.evidence import Known
from bayesic.networks.queries.impossible import impossible
from bayesic.networks.queries.model import NamedModel
from bayesic.networks.queries.relevant import relevant_part

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
    part = relevant_part(model, tuple(inside), known)
    row = part.known.row(part.factors.n_variables)
    # the first row is given alone, the second given and event
    soft = {
        place: np.array([np.ones_like(indicator), indicator])
        for place, indicator in zip(part.targets, inside.values(), strict=True)
    }
    _, (log_given, log_both) = posteriors(
        compile_tree(part.factors), np.repeat(row, 2, axis=0), (), soft
    )
    if log_given == -np.inf:
        raise impossible(model, known)
    return min(1.0, exp(log_both - log_given))


def _indicator(model: NamedModel, variable: str, states: Any) -> Array:
    """1 for the states of the event, 0 for the others."""
    several = isinstance(states, Collection) and not isinstance(states, str)
    indicator = np.zeros(len(model.states[variable]))
    for state in states if several else [states]:
        indicator[number_of_state(variable, model.states[variable], state)] = 1.0
    return indicator
