"""Description length in bits: the shortest description is the most probable hypothesis."""

import math
from collections.abc import Iterable
from typing import Any

from bayesic.hypotheses.bayes_rule import check_weight
from bayesic.hypotheses.products import log2
from bayesic.hypotheses.space import Hypothesis, as_observations


def code_length(probability: Any) -> float:
    """Bits of the optimal code for a message of this probability: -log2 p, inf for p = 0.

    >>> code_length(0.125), code_length(0)
    (3.0, inf)
    """
    check_weight(probability, "probability")
    return 0.0 - log2(probability)


def description_length(hypothesis: Hypothesis, data: Iterable[Any]) -> float:
    """Bits to write down the hypothesis, and then the data with its help.

        L(h) + L(D | h) = -log2 P(h) - log2 P(D | h)

    under the optimal codes for P(h) and for P(d | h) ([Mitchell] eq. 6.16). Densities stand for
    probabilities up to the number of digits: their lengths can be compared, and may be below 0.

    >>> coin = Hypothesis("fair", 0.25, {"head": 0.5, "tail": 0.5})
    >>> description_length(coin, ["head", "tail", "head"])
    5.0
    """
    _check_hypothesis(hypothesis)
    observations = as_observations(data)
    lengths = [code_length(hypothesis.probability(observation)) for observation in observations]
    return math.fsum([code_length(hypothesis.prior), *lengths])


def mdl_hypothesis(hypotheses: Iterable[Hypothesis], data: Iterable[Any]) -> Any:
    """The name of the hypothesis of the shortest description, the first of several.

    It is the MAP hypothesis: -log2 turns the largest product into the smallest sum.

    >>> fair = Hypothesis("fair", 0.75, {"head": 0.5, "tail": 0.5})
    >>> fake = Hypothesis("fake", 0.25, {"head": 1, "tail": 0})
    >>> mdl_hypothesis([fair, fake], ["head"]), mdl_hypothesis([fair, fake], ["head"] * 2)
    ('fair', 'fake')
    """
    observations = as_observations(data)
    known = list(hypotheses) if isinstance(hypotheses, Iterable) else [hypotheses]
    if not known:
        raise ValueError("There must be at least one hypothesis to choose from, got none.")
    return min(known, key=lambda each: description_length(each, observations)).name


def _check_hypothesis(hypothesis: Any) -> None:
    if not isinstance(hypothesis, Hypothesis):
        raise TypeError(
            "A hypothesis must be a Hypothesis(name, prior, likelihood), got "
            f"{hypothesis!r:.80}. `HypothesisSpace` holds several of them."
        )
