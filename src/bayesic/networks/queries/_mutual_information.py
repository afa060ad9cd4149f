"""What to ask next: how much each variable says about a target."""

from collections.abc import Mapping

import numpy as np

from bayesic.data.states import State
from bayesic.kernels import Array
from bayesic.networks._engine.exact_inference import posteriors, scaled_evidence
from bayesic.networks.network_text import information_text
from bayesic.networks.queries._model import NamedModel
from bayesic.networks.queries._relevant import relevant_part
from bayesic.networks.queries.checked_evidence import CheckedEvidence
from bayesic.networks.queries.impossible import impossible


class Information(dict[str, float]):
    """Variable -> bits it says about the target, the largest first."""

    def __init__(
        self,
        bits: Mapping[str, float],
        target: str,
        given: Mapping[str, State],
        entropy: float,
    ) -> None:
        super().__init__(bits)
        self.target = target
        self.given = given
        self.entropy = entropy  # bits: all that there is to know about the target

    def __str__(self) -> str:
        return information_text(self)


def mutual_information(model: NamedModel, target: int, evidence: CheckedEvidence) -> Information:
    """I(target; v | evidence) in bits, of each variable v that was not observed.

        I(T; V) = sum over t of P(t) sum over v of P(v | t) log2 (P(v | t) / P(v))

    [KF] appendix A.1: by how much V is expected to lessen the entropy of T. The posteriors of all
    variables, once for each state of the target, are one batch.
    """
    names = model.variables
    if target in evidence.states:
        raise ValueError(
            f"{names[target]} is already observed, so there is nothing left to find out about it. "
            "Leave it out of given."
        )
    free = [v for v in range(len(names)) if v not in evidence.states]
    part = relevant_part(model, free, evidence)
    n_states = len(model.states[names[target]])
    rows = np.repeat(part.row().evidence.states, 1 + n_states, 0)
    rows[1:, part.targets[free.index(target)]] = np.arange(n_states)
    answers, log_evidence = posteriors(part.tree(), scaled_evidence(rows), part.targets)
    if log_evidence[0] == -np.inf:
        raise impossible(model, evidence)
    answer_of = dict(zip(free, answers, strict=True))
    share = answer_of.pop(target)[0]
    bits = {names[v]: _information(share, its[1:], its[0]) for v, its in answer_of.items()}
    ranked = dict(sorted(bits.items(), key=lambda item: -item[1]))
    entropy = -_sum_of_logs(share, share)
    return Information(ranked, names[target], evidence.named(model), max(0.0, entropy))


def _information(share: Array, conditional: Array, marginal: Array) -> float:
    """P(t), P(v | t) with a row for each t, P(v) -> bits.

    >>> _information(np.array([0.5, 0.5]), np.eye(2), np.array([0.5, 0.5]))
    1.0
    """
    ratios = np.divide(conditional, marginal, out=np.ones_like(conditional), where=conditional > 0)
    return max(0.0, _sum_of_logs(share[:, None] * conditional, ratios))


def _sum_of_logs(weights: Array, values: Array) -> float:
    """The sum of weight * log2(value), where a weight of 0 counts nothing."""
    counted = weights > 0
    return float((weights[counted] * np.log2(values[counted])).sum())
