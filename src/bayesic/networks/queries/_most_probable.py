"""The most probable explanation: states of all variables at once."""

from collections.abc import Mapping
from math import exp

import numpy as np

from bayesic.data.states import State
from bayesic.networks._engine import exact_inference
from bayesic.networks.network_text import explanation_text
from bayesic.networks.queries._model import NamedModel
from bayesic.networks.queries._relevant import relevant_part
from bayesic.networks.queries.checked_evidence import CheckedEvidence
from bayesic.networks.queries.impossible import impossible


class MostProbable(dict[str, State]):
    """Variable -> its state in the most probable states of all.

    given           : what was observed, and is among the states
    log_probability : log P(these states | given)
    """

    def __init__(
        self,
        states: Mapping[str, State],
        given: Mapping[str, State],
        log_probability: float,
    ) -> None:
        super().__init__(states)
        self.given = given
        self.log_probability = log_probability

    @property
    def probability(self) -> float:
        """P(these states | given)."""
        return exp(self.log_probability)

    def __str__(self) -> str:
        return explanation_text(self)


def most_probable(model: NamedModel, evidence: CheckedEvidence) -> MostProbable:
    """The states x that make P(x | given) largest, by max-product ([KF] section 13.3).

    Of several that are equally probable it is always the same one.
    """
    free = [v for v in range(len(model.states)) if v not in evidence.states]
    model.check_tables(range(len(model.states)))
    part = relevant_part(model, free, evidence)
    tree, nothing = part.tree(), part.row()
    (states,), log_largest = exact_inference.most_probable(tree, nothing)
    if log_largest[0] == -np.inf:
        raise impossible(model, evidence)
    _, log_evidence = exact_inference.posteriors(tree, nothing, ())
    chosen = dict(evidence.states)
    for variable, index in zip(free, part.targets, strict=True):
        chosen[variable] = int(states[index])
    return MostProbable(
        {name: its[chosen[v]] for v, (name, its) in enumerate(model.states.items())},
        evidence.named(model),
        min(0.0, float(log_largest[0] - log_evidence[0])),
    )
