"""Evidence and interventions: given by names, checked, and turned into numbers."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesic.data.arguments import as_numbers
from bayesic.data.distinct import is_missing
from bayesic.data.states import State
from bayesic.kernels import Array
from bayesic.networks._engine.exact_inference import ScaledEvidence, is_wide, scaled_evidence
from bayesic.networks.distribution import Distribution, Marginals
from bayesic.networks.queries._model import NamedModel
from bayesic.networks.variable_names import Given, NetworkError, listed, number_of_state

if TYPE_CHECKING:
    from bayesic.networks.network import BeliefNetwork


@dataclass(frozen=True, eq=False)
class CheckedEvidence:
    """Evidence for one question, checked."""

    states: Mapping[int, int] = field(default_factory=dict)  # variable -> its observed state
    likelihoods: Mapping[int, Array] = field(default_factory=dict)

    @cached_property
    def is_wide(self) -> bool:
        """Whether likelihoods are so far apart that dividing them would lose one.

        Then they are put in as factors, for which no ratio is too large; see `within_range`.
        """
        return any(is_wide(values) for values in self.likelihoods.values())

    def row(self, n_variables: int) -> ScaledEvidence:
        """One row of evidence for the engine."""
        row = np.full((1, n_variables), -1, np.int64)
        for variable, state in self.states.items():
            row[0, variable] = state
        return scaled_evidence(row, {v: its[None] for v, its in self.likelihoods.items()})

    def named(self, model: NamedModel) -> Mapping[str, State]:
        """The observed variables and their states, by name."""
        names = model.variables
        return MappingProxyType(
            {names[v]: model.states[names[v]][state] for v, state in self.states.items()}
        )

    def soft(self, model: NamedModel) -> tuple[str, ...]:
        """The names of the variables of which there are likelihoods."""
        return tuple(model.variables[variable] for variable in self.likelihoods)


def checked_evidence(
    model: NamedModel,
    given: Given = None,
    likelihoods: Given = None,
) -> CheckedEvidence:
    """Evidence that is given by names.

    given       : variable -> its state; None or NaN means that it was not observed
    likelihoods : variable -> P(what was seen | state), as a mapping from all of its states or as
                  numbers in their order. Only their ratios matter
    """
    states = {}
    for variable, state in checked_mapping("given", given).items():
        number = model.number(variable)
        if is_missing(state):
            continue
        if isinstance(state, Mapping):
            raise NetworkError(
                f"given says in which state a variable is, and gives {variable} {dict(state)}. "
                f"Write distributions={{{variable!r}: ...}} in query for what its probabilities "
                f"become, or likelihoods={{{variable!r}: ...}} for P(what was seen | state).",
                variable,
            )
        states[number] = number_of_state(state, model.states[variable], variable)
    soft = {
        model.number(variable): _likelihoods(variable, model, values)
        for variable, values in checked_mapping("likelihoods", likelihoods).items()
    }
    return CheckedEvidence(states, soft)


def checked_mapping(name: str, given: object) -> Mapping[str, object]:
    """The argument if it is a mapping from variables; an empty one for None."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise TypeError(
            f"{name} must be a mapping from variables, got {type(given).__name__}. "
            f"Write {name}={{'Storm': ...}}."
        )
    return given


def numbers_by_state(variable: str, model: NamedModel, given: object, what: str) -> Any:
    """Numbers in the order of the states, where they are given as a mapping from all of them."""
    states = model.states[variable]
    if not isinstance(given, Mapping):
        return given
    states_given = {number_of_state(state, states, variable): state for state in given}
    if len(states_given) < len(states) or len(given) > len(states_given):
        raise NetworkError(
            f"{what} of {variable} must have a number for each of its states {listed(states)}, "
            f"got {dict(given)}.",
            variable,
        )
    return [given[states_given[number]] for number in range(len(states))]


def _likelihoods(variable: str, model: NamedModel, given: object) -> Array:
    states = model.states[variable]
    given = numbers_by_state(variable, model, given, "The likelihoods")
    values = as_numbers(given, f"The likelihoods of {variable}")
    if values.shape != (len(states),):
        raise NetworkError(
            f"The likelihoods of {variable} are {len(states)} numbers, one for each of its states "
            f"{listed(states)}; got {given!r}.",
            variable,
        )
    # this way round a NaN does not pass
    if not (values.min() >= 0 and 0 < values.max() < np.inf):
        raise NetworkError(
            f"The likelihoods of {variable} must be finite, 0 or more, and not all 0; "
            f"got {values.tolist()}.",
            variable,
        )
    return values


# interventions --------------------------------------------------------------------------------


def intervened(
    net: "BeliefNetwork", values: Mapping[str, object]
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


def check_not_set(do: Mapping[str, object], *observed: Mapping[str, object] | None) -> None:
    """Refuse evidence about a variable that is set: it says nothing about the others any more."""
    for evidence in observed:
        for variable in checked_mapping("What was observed", evidence):
            if variable in do:
                raise ValueError(
                    f"{variable} is set by do and cannot be observed as well. Leave one out."
                )


def with_interventions(
    answer: Distribution | Marginals, cut: "BeliefNetwork", do: Mapping[str, object]
) -> Distribution | Marginals:
    """The same answer with the interventions in its headline."""
    states = {variable: cut.table(variable)[()].max() for variable in do}
    if isinstance(answer, Marginals):
        shares = {name: replace(its, do=states) for name, its in answer.items()}
        return Marginals(shares, log_evidence=answer.log_evidence)
    return replace(answer, do=states)
