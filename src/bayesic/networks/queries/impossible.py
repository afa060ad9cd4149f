"""Evidence that cannot happen: found, and named."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence

from bayesic.data.states import State
from bayesic.networks.engine.inference import posteriors
from bayesic.networks.queries.evidence import Known
from bayesic.networks.queries.model import NamedModel
from bayesic.networks.queries.relevant import relevant_part


class ImpossibleEvidence(ValueError):  # noqa: N818 (its name says what it is)
    """What was given has the probability 0; `evidence` holds the observations that clash."""

    def __init__(self, message: str, evidence: Mapping[str, State]) -> None:
        super().__init__(message)
        self.evidence = dict(evidence)

    def __reduce__(self) -> tuple:
        return type(self), (str(self), self.evidence)


def _is_possible(model: NamedModel, known: Known) -> bool:
    """Whether what is known has a probability above 0."""
    if model.is_quick and not known.is_wide:
        row = known.row(len(model.states))
        _, log_evidence = posteriors(model.tree, row, ())
    else:
        part = relevant_part(model, (), known)
        _, log_evidence = posteriors(part.tree(), part.row(), ())
    return bool(log_evidence[0] > -float("inf"))


def impossible(model: NamedModel, known: Known) -> ImpossibleEvidence:
    """The error for impossible evidence, with a smallest set of observations that clash.

    None of the set can be left out: without any one of them the rest could happen.
    """
    clash = _smallest_clash(model, known)
    observed = Known({v: known.states[v] for kind, v in clash if kind == "state"}).named(model)
    texts = [f"{variable}={state}" for variable, state in observed.items()]
    texts += [f"the likelihoods of {model.variables[v]}" for kind, v in clash if kind == "soft"]
    if not texts:
        return ImpossibleEvidence("The product of the factors is 0 for all states.", {})
    together = " cannot happen together" if len(texts) > 1 else " cannot happen"
    return ImpossibleEvidence(
        f"{', '.join(texts)}{together}: the probability is 0. Check what was observed, or the "
        "zeros in the tables.",
        observed,
    )


Item = tuple[str, int]  # "state" or "soft", and the variable


def _smallest_clash(model: NamedModel, known: Known) -> list[Item]:
    """Observations that cannot happen together, none of which can be left out, in their order.

    Of the observations from the first on, that which makes all before it impossible is needed. With
    it put in front, the same is asked of those before. Each is found by bisection, so k of n
    observations take k log n questions.
    """
    items: list[Item] = [("state", v) for v in known.states]
    items += [("soft", v) for v in known.likelihoods]
    needed: list[Item] = []

    def clash(count: int) -> bool:
        return not _is_possible(model, _only(known, [*items[:count], *needed]))

    while not clash(0):
        count = bisect_left(range(len(items) + 1), True, key=clash)
        needed.append(items[count - 1])
        items = items[: count - 1]
    return needed[::-1]


def _only(known: Known, items: Sequence[Item]) -> Known:
    return Known(
        {v: known.states[v] for kind, v in items if kind == "state"},
        {v: known.likelihoods[v] for kind, v in items if kind == "soft"},
    )
