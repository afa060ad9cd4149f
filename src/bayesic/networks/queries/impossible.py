"""Finding and naming evidence that cannot happen."""

from bisect import bisect_left
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from bayesic.data.states import State
from bayesic.networks._engine.exact_inference import posteriors
from bayesic.networks.queries._model import NamedModel
from bayesic.networks.queries._relevant import relevant_part
from bayesic.networks.queries.checked_evidence import CheckedEvidence, checked_evidence
from bayesic.networks.variable_names import Given

if TYPE_CHECKING:
    from bayesic.networks.network import BeliefNetwork


class ImpossibleEvidence(ValueError):  # noqa: N818 (its name says what it is)
    """The given evidence has probability 0.

    evidence  : the observations that clash
    variables : all variables that clash, those with likelihoods and those set by do among them

    >>> from bayesic.datasets import asia
    >>> try:
    ...     asia().query("xray", {"tub": "no", "lung": "no", "either": "yes"})
    ... except ImpossibleEvidence as error:
    ...     error.variables
    ('tub', 'lung', 'either')
    """

    def __init__(
        self, message: str, evidence: Mapping[str, State], variables: Sequence[str] = ()
    ) -> None:
        super().__init__(message)
        self.evidence = dict(evidence)
        self.variables = tuple(variables or evidence)

    def __reduce__(self) -> tuple:
        return type(self), (str(self), self.evidence, self.variables)


def log_weight(model: NamedModel, evidence: CheckedEvidence) -> float:
    """log P(evidence); of factors that are not probabilities, the log of what they sum to."""
    if model.is_quick and not evidence.is_wide:
        row = evidence.row(len(model.states))
        _, log_evidence = posteriors(model.tree, row, ())
    else:
        part = relevant_part(model, (), evidence)
        _, log_evidence = posteriors(part.tree(), part.row(), ())
    return float(log_evidence[0])


def _is_possible(model: NamedModel, evidence: CheckedEvidence) -> bool:
    """Whether the evidence has a probability above 0."""
    return log_weight(model, evidence) > -float("inf")


def impossible(
    model: NamedModel, evidence: CheckedEvidence, do: Collection[str] = frozenset()
) -> ImpossibleEvidence:
    """The error for impossible evidence, with a smallest set of observations that clash.

    None of the set can be left out: without any one of them the rest could happen.

    do : variables among those that are known which were set, and not observed
    """
    clash = _smallest_clash(model, evidence)
    states = CheckedEvidence({v: evidence.states[v] for kind, v in clash if kind == "state"}).named(
        model
    )
    observed = {variable: state for variable, state in states.items() if variable not in do}
    soft = [model.variables[v] for kind, v in clash if kind == "soft"]
    texts = [f"{variable}={state}" for variable, state in observed.items()]
    texts += [f"the likelihoods of {variable}" for variable in soft]
    texts += [f"do({variable}={state})" for variable, state in states.items() if variable in do]
    if not texts:
        return ImpossibleEvidence("The product of the factors is 0 for all states.", {})
    together = " cannot happen together" if len(texts) > 1 else " cannot happen"
    return ImpossibleEvidence(
        f"{', '.join(texts)}{together}: the probability is 0. Check what was observed, or the "
        "zeros in the tables.",
        observed,
        [*dict.fromkeys([*states, *soft])],
    )


def impossible_where_set(
    cut: "BeliefNetwork",
    do: Mapping[str, object],
    given: Given,
    likelihoods: Given,
) -> ImpossibleEvidence:
    """The same where some variables were set: those that are needed for the clash are named too.

    cut : the network after setting them. What is set sums to 1 there, whatever is observed. So it
        gets an even table instead, and is observed: what cannot happen then is the same.
    """
    sizes = {name: len(cut.states(name)) for name in do}
    even = cut.with_tables({name: np.full(size, 1 / size) for name, size in sizes.items()})
    model = even._named_model()
    return impossible(model, checked_evidence(model, {**do, **(given or {})}, likelihoods), do)


Item = tuple[str, int]  # "state" or "soft", and the variable


def _smallest_clash(model: NamedModel, evidence: CheckedEvidence) -> list[Item]:
    """Observations that cannot happen together, none of which can be left out, in their order.

    Of the observations from the first on, that which makes all before it impossible is needed. With
    it put in front, the same is asked of those before. Each is found by bisection, so k of n
    observations take k log n questions.
    """
    items: list[Item] = [("state", v) for v in evidence.states]
    items += [("soft", v) for v in evidence.likelihoods]
    needed: list[Item] = []

    def clash(count: int) -> bool:
        return not _is_possible(model, _only(evidence, [*items[:count], *needed]))

    while not clash(0):
        count = bisect_left(range(len(items) + 1), True, key=clash)
        needed.append(items[count - 1])
        items = items[: count - 1]
    return needed[::-1]


def _only(evidence: CheckedEvidence, items: Sequence[Item]) -> CheckedEvidence:
    return CheckedEvidence(
        {v: evidence.states[v] for kind, v in items if kind == "state"},
        {v: evidence.likelihoods[v] for kind, v in items if kind == "soft"},
    )
