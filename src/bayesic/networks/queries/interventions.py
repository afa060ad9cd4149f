"""Interventions: variables that are set from outside, whatever their parents say."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesic.networks.distribution import Marginals
from bayesic.networks.queries.evidence import checked_mapping
from bayesic.networks.variable_names import number_of_state

if TYPE_CHECKING:
    from bayesic.networks.network import BeliefNetwork

Array = np.ndarray


def intervened(
    net: "BeliefNetwork", values: Mapping[str, Any]
) -> tuple[list[tuple[str, str]], dict[str, Array]]:
    """Edges and tables after setting these variables: no edge leads to them, their state is sure.

        P(all others | do(x)) = product over the others of P(y | parents of Y), with X = x

    [KF] chapter 21.

    >>> from bayesic.datasets.networks import asia
    >>> edges, tables = intervened(asia(), {"lung": "yes"})
    >>> ("smoke", "lung") in edges, tables["lung"]
    (False, array([1., 0.]))
    """
    if not isinstance(values, Mapping):
        raise TypeError(
            f"do must be a mapping from variables, got {type(values).__name__}. "
            "Write do={'Storm': True}."
        )
    sure = {}
    for variable, state in values.items():
        states = net.states(variable)
        sure[variable] = np.eye(len(states))[number_of_state(state, states, variable)]
    tables = {name: table.values for name, table in net._tables.items() if name not in sure}
    edges = [(parent, child) for parent, child in net.edges if child not in sure]
    return edges, {**tables, **sure}


def check_not_set(do: Mapping[str, Any], *observed: Mapping[str, Any] | None) -> None:
    """Refuse evidence about a variable that is set: it says nothing about the others any more."""
    for evidence in observed:
        for variable in checked_mapping("What was observed", evidence):
            if variable in do:
                raise ValueError(
                    f"{variable} is set by do and cannot be observed as well. Leave one out."
                )


def with_interventions(answer: Any, cut: "BeliefNetwork", do: Mapping[str, Any]) -> Any:
    """The same distribution, or distributions, that tell what was set."""
    states = {variable: cut.table(variable)[()].max() for variable in do}
    if isinstance(answer, Marginals):
        return Marginals({name: replace(its, do=states) for name, its in answer.items()})
    return replace(answer, do=states)
