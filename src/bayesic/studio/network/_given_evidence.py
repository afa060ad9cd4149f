"""What is known, as the page says it: states by their numbers; and as the library takes it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from bayesic.networks.network import BeliefNetwork

KINDS = ("given", "some", "likelihoods", "becomes", "do")


@dataclass(frozen=True, eq=False)
class GivenEvidence:
    """The evidence of a question, by names: what `BeliefNetwork.query` takes."""

    given: Mapping[str, Any] = field(default_factory=dict)
    likelihoods: Mapping[str, list[float]] = field(default_factory=dict)
    do: Mapping[str, object] = field(default_factory=dict)
    distributions: Mapping[str, object] = field(default_factory=dict)


def evidence_of(network: BeliefNetwork, given: object) -> GivenEvidence:
    """Evidence as the page tells it, checked.

    "some" says of a variable that it has one of some states: a likelihood of 1 for these, and of 0
    for the others; "becomes" what the belief in it becomes.

    >>> from bayesic.datasets import asia
    >>> evidence_of(asia(), {"given": {"xray": 0}, "some": {"smoke": [1]}})
    GivenEvidence(given={'xray': 'yes'}, likelihoods={'smoke': [0.0, 1.0]}, do={}, distributions={})
    """
    given = {} if given is None else given
    if not isinstance(given, dict) or not given.keys() <= set(KINDS):
        raise ValueError(
            f"evidence must be an object with some of {', '.join(KINDS)}, got {given!r:.100}."
        )
    parts = {kind: _by_variable(kind, given.get(kind)) for kind in KINDS}
    likelihoods = dict(parts["likelihoods"])
    for name, numbers in parts["some"].items():
        likelihoods[name] = _times(likelihoods.get(name), _indicator(network, name, numbers), name)
    return GivenEvidence(
        {name: state_at(network, name, number) for name, number in parts["given"].items()},
        likelihoods,
        {name: state_at(network, name, number) for name, number in parts["do"].items()},
        parts["becomes"],
    )


def _by_variable(kind: str, given: object) -> dict[str, Any]:
    if given is None:
        return {}
    if not isinstance(given, dict):
        raise ValueError(f'"{kind}" of the evidence must be an object, got {given!r:.60}.')
    return given


def state_at(network: BeliefNetwork, variable: str, number: Any) -> Any:
    """The state of this number.

    >>> from bayesic.datasets import asia
    >>> state_at(asia(), "xray", 1)
    'no'
    """
    states = network.states(variable)
    is_whole = isinstance(number, int) and not isinstance(number, bool)
    if not is_whole or not 0 <= number < len(states):
        raise ValueError(
            f"The states of {variable} have the numbers 0 to {len(states) - 1}, got {number!r:.60}."
        )
    return states[number]


def _indicator(network: BeliefNetwork, variable: str, numbers: object) -> list[float]:
    if not isinstance(numbers, list) or not numbers:
        raise ValueError(
            f'"some" must list numbers of states of {variable}, got {numbers!r:.60}. Leave the '
            "variable out if nothing is known of it."
        )
    for number in numbers:
        state_at(network, variable, number)
    return [float(index in numbers) for index in range(len(network.states(variable)))]


def _times(likelihood: object, indicator: list[float], variable: str) -> list[float]:
    """Both at once: what was seen, and that the state is one of some."""
    if likelihood is None:
        return indicator
    if not isinstance(likelihood, list) or len(likelihood) != len(indicator):
        raise ValueError(
            f"The likelihoods of {variable} are {len(indicator)} numbers, one for each of its "
            f"states, got {likelihood!r:.60}."
        )
    return [one * other for one, other in zip(likelihood, indicator, strict=True)]
