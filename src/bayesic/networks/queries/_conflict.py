"""Whether findings tell against each other: how much rarer they are together than apart."""

from math import inf, log

from bayesic.networks.queries._model import NamedModel
from bayesic.networks.queries.checked_evidence import CheckedEvidence
from bayesic.networks.queries.impossible import impossible, log_weight


def conflict(model: NamedModel, evidence: CheckedEvidence) -> float:
    """How many bits the findings conflict by.

        conflict(e) = log2 (P(e_1) P(e_2) ... / P(e_1, e_2, ...))     [Conflict]

    Findings that a network explains make each other more probable: the conflict is 0 or less. Above
    0 they are rarer together than if they had nothing to do with each other: a case that is rare,
    an error in what was seen, or a network that does not fit.

    >>> from bayesic.datasets.networks import asia
    >>> model = asia()._named_model()
    >>> xray, smoke, dysp = map(model.number, ("xray", "smoke", "dysp"))
    >>> round(conflict(model, CheckedEvidence({xray: 0, smoke: 0})), 4)
    -0.46
    >>> round(conflict(model, CheckedEvidence({xray: 0, smoke: 1, dysp: 1})), 4)
    0.6895
    """
    nothing, together = log_weight(model, CheckedEvidence()), log_weight(model, evidence)
    if together == -inf:
        raise impossible(model, evidence)
    alone = [CheckedEvidence({variable: state}) for variable, state in evidence.states.items()]
    alone += [
        CheckedEvidence(likelihoods={variable: its})
        for variable, its in evidence.likelihoods.items()
    ]
    apart = sum(log_weight(model, each) - nothing for each in alone)
    return (apart - (together - nothing)) / log(2)
