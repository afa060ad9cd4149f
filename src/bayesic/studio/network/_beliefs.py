"""Questions to a network as pure functions, which answer in plain values: for a thread or a worker.

States are given by their numbers. A network comes as it is after what was set from outside: `cut`.
"""

from collections.abc import Mapping
from math import prod
from typing import Any

import numpy as np

from bayesic.data.typing import QueryMethod
from bayesic.networks.distribution import Marginals, SampledDistribution
from bayesic.networks.network import BeliefNetwork
from bayesic.networks.queries.impossible import ImpossibleEvidence, impossible_where_set
from bayesic.networks.queries.jeffrey import likelihoods_to_become
from bayesic.studio.network._given_evidence import GivenEvidence

Answers = dict[str, Any]
BY_SAMPLES: QueryMethod = "likelihood-weighting"


def beliefs(cut: BeliefNetwork, evidence: GivenEvidence) -> Answers:
    """The posterior of each variable, and log P(evidence)."""
    try:
        found = cut.query(
            None, evidence.given, evidence.likelihoods, distributions=evidence.distributions
        )
    except ImpossibleEvidence as error:
        return impossible(cut, evidence, error)
    return {
        "method": "exact",
        "probabilities": _probabilities(found),
        "log_probability": found.log_evidence,
        "standard_errors": None,
    }


def sampled_beliefs(cut: BeliefNetwork, evidence: GivenEvidence, samples: int) -> Answers:
    """The same from samples, each probability with its standard error."""
    try:
        found = cut.query(
            *(None, evidence.given, evidence.likelihoods, None, BY_SAMPLES, samples),
            distributions=evidence.distributions,
        )
    except ImpossibleEvidence as error:
        return impossible(cut, evidence, error)
    return {
        "method": BY_SAMPLES,
        "probabilities": _probabilities(found),
        "log_probability": None,
        "standard_errors": {
            name: _errors(each)
            for name, each in found.items()
            if isinstance(each, SampledDistribution)
        },
        "samples": samples,
    }


def _probabilities(found: Marginals) -> dict[str, list[float]]:
    return {name: each.probabilities.tolist() for name, each in found.items()}


def _errors(found: SampledDistribution) -> list[float]:
    return [found.standard_error[state] for state in found.states[0]]


def impossible(cut: BeliefNetwork, evidence: GivenEvidence, error: ImpossibleEvidence) -> Answers:
    """What cannot happen together, named, with what was set."""
    if evidence.do and not evidence.distributions:
        error = impossible_where_set(cut, evidence.do, evidence.given, evidence.likelihoods)
    return {"impossible": {"sentence": str(error), "variables": list(error.variables)}}


def conflict(cut: BeliefNetwork, evidence: GivenEvidence) -> Answers:
    """How many bits the findings conflict by; of impossible ones, nothing."""
    try:
        return {"bits": cut.conflict(evidence.given, evidence.likelihoods)}
    except ImpossibleEvidence:
        return {"bits": None}


def _soft(cut: BeliefNetwork, evidence: GivenEvidence) -> Mapping[str, object]:
    """The likelihoods, and those under which beliefs become what was given."""
    if not evidence.distributions:
        return evidence.likelihoods
    known = evidence.distributions, evidence.given, evidence.likelihoods
    return {**evidence.likelihoods, **likelihoods_to_become(cut._named_model(), *known)}


def most_probable(cut: BeliefNetwork, evidence: GivenEvidence) -> Answers:
    """The most probable states of all variables together."""
    try:
        found = cut.most_probable(evidence.given, _soft(cut, evidence))
    except ImpossibleEvidence as error:
        return impossible(cut, evidence, error)
    return {
        "states": {name: cut.states(name).index(state) for name, state in found.items()},
        "probability": found.probability,
        "log_probability": found.log_probability,
    }


def ask_next(cut: BeliefNetwork, evidence: GivenEvidence, target: str) -> object:
    """What to ask next to learn most about a target: variables with their bits, most first."""
    try:
        found = cut.mutual_information(target, evidence.given, _soft(cut, evidence))
    except ImpossibleEvidence as error:
        return impossible(cut, evidence, error)
    return [
        {"variable": name, "bits": bits} for name, bits in found.items() if name not in evidence.do
    ]


def separation(cut: BeliefNetwork, evidence: GivenEvidence, start: str, end: str | None) -> Answers:
    """What evidence has cut off from a variable, what not, and an open path to another one."""
    known = [*evidence.given, *evidence.do]
    soft = [*evidence.likelihoods, *evidence.distributions]
    connected = cut.d_connected(start, known, soft)
    others = {*connected, start, *known}
    path = None if end is None else cut.open_path(start, end, known, soft) or None
    return {
        "separated": [name for name in cut.variables if name not in others],
        "connected": connected,
        "path": path,
    }


def table(network: BeliefNetwork, variable: str) -> Answers:
    """The table of a variable, a row for each combination of its parents' states."""
    states = network.states(variable)
    parents = network.parents(variable)
    is_missing = variable in network.variables_without_table
    if is_missing:
        n_rows = prod(len(network.states(parent)) for parent in parents)
        rows: list[list[float | None]] = [[None] * len(states)] * n_rows
    else:
        rows = np.reshape(network.table(variable).values, (-1, len(states))).tolist()
    return {
        "variable": variable,
        "states": [*map(str, states)],
        "parents": [
            {"name": name, "states": [*map(str, network.states(name))]} for name in parents
        ],
        "rows": rows,
        "missing": is_missing,
    }
