"""A finite set of named hypotheses, with prior and likelihood: what follows from data.

The most probable hypothesis is also the one with the shortest description, in bits.
"""

import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from bayesic.hypotheses.bayes_rule import (
    Number,
    as_mapping,
    check_prior,
    check_same_names,
    check_weight,
    common_kind,
    log2,
    posterior_of,
    product,
    relative,
)

Likelihood = Callable[[Any], Number] | Mapping[Any, Number]
MOST_SHOWN = 10  # hypotheses


@dataclass(frozen=True)
class Hypothesis:
    """One hypothesis: what it is called, P(h), and P(d | h) of an observation d.

    name       : any value that can be a key
    prior      : P(h)
    likelihood : a dict observation -> P(d | h), or a function of one observation

    >>> from fractions import Fraction
    >>> half = Fraction(1, 2)
    >>> fair = Hypothesis("fair", Fraction(9, 10), {"heads": half, "tails": half})
    >>> fair.prior * fair.probability("heads")
    Fraction(9, 20)
    """

    name: Hashable
    prior: Number
    likelihood: Likelihood  # a function of one observation, or a dict observation -> P(d | h)

    def probability(self, observation: object) -> Number:
        """P(d | h), or the density of d.

        >>> Hypothesis("cancer", 0.008, {"+": 0.98, "-": 0.02}).probability("+")
        0.98
        """
        number = self._looked_up(observation)
        check_weight(number, f"likelihood of {self.name!r} for {observation!r}")
        return number

    def _looked_up(self, observation: object) -> Number:
        if not isinstance(self.likelihood, Mapping):
            _check_likelihood(self.name, self.likelihood)
            return self.likelihood(observation)
        if not isinstance(observation, Hashable) or observation not in self.likelihood:
            raise ValueError(
                f"Hypothesis {self.name!r} gives no probability to {observation!r}. It knows "
                f"{list(self.likelihood)}: give 0 for impossible observations."
            )
        return self.likelihood[observation]


def _check_likelihood(name: Hashable, likelihood: object) -> None:
    """Refuse what gives no probability to an observation."""
    if not isinstance(likelihood, Mapping) and not callable(likelihood):
        raise TypeError(
            f"The likelihood of {name!r} must be a dict of observation and probability, or a "
            f"function of one observation, got {likelihood!r:.80}."
        )


def _as_observations(data: object) -> list[object]:
    """The observations as a list.

    >>> _as_observations("+-")
    ['+', '-']
    """
    if not isinstance(data, Iterable):
        raise TypeError(
            f"data must be a list of observations, got {data!r:.80}. Write one as [{data!r:.40}]."
        )
    return list(data)


class HypothesisSpace:
    """Named hypotheses of which exactly one is true, and what data say about them.

    prior      : name -> P(h), summing to 1; None if all are equally probable
    likelihood : name -> P(d | h), as a function of one observation d or as a dict d -> probability

    The observations of `data` are independent given the hypothesis: P(D | h) is the product of
    P(d | h), in any order. Fractions in, fractions out. Floats do not underflow, however many
    observations there are. [Mitchell] sections 6.1 and 6.2.

    >>> from fractions import Fraction
    >>> patient = HypothesisSpace(
    ...     prior={"cancer": Fraction("0.008"), "none": Fraction("0.992")},
    ...     likelihood={
    ...         "cancer": {"+": Fraction("0.98"), "-": Fraction("0.02")},
    ...         "none": {"+": Fraction("0.03"), "-": Fraction("0.97")},
    ...     },
    ... )
    >>> patient.posterior(["+"])
    {'cancer': Fraction(49, 235), 'none': Fraction(186, 235)}
    >>> patient.map_hypothesis(["+"]), patient.ml_hypothesis(["+"]), patient.evidence(["+"])
    ('none', 'cancer', Fraction(47, 1250))
    >>> patient.map_hypothesis(["+", "+"])
    'cancer'
    >>> patient
    HypothesisSpace of 2: 'cancer' (1/125), 'none' (124/125)
    """

    def __init__(
        self,
        prior: Mapping[Hashable, Number] | None = None,
        likelihood: Mapping[Hashable, Likelihood] | None = None,
    ) -> None:
        given: Mapping[Hashable, Likelihood] = as_mapping(likelihood, "likelihood")
        for name, each in given.items():
            _check_likelihood(name, each)
        if prior is None:
            prior = dict.fromkeys(given, Fraction(1, max(len(given), 1)))
        prior = as_mapping(prior, "prior")
        check_prior(prior)
        check_same_names(prior, given, "")
        self._hypotheses = {name: Hypothesis(name, prior[name], given[name]) for name in prior}

    def __repr__(self) -> str:
        shown = [f"{each.name!r} ({each.prior})" for each in self]
        more = f" and {len(shown) - MOST_SHOWN} more" if len(shown) > MOST_SHOWN else ""
        return f"HypothesisSpace of {len(shown)}: {', '.join(shown[:MOST_SHOWN])}{more}"

    def __len__(self) -> int:
        return len(self._hypotheses)

    def __iter__(self) -> Iterator[Hypothesis]:
        return iter(self._hypotheses.values())

    def __getitem__(self, name: Hashable) -> Hypothesis:
        """The hypothesis of this name."""
        if not isinstance(name, Hashable) or name not in self._hypotheses:
            raise ValueError(
                f"There is no hypothesis {name!r:.50}. There are {list(self._hypotheses)}."
            )
        return self._hypotheses[name]

    def posterior(self, data: Iterable[object]) -> dict[Hashable, Number]:
        """P(h | D) of each hypothesis; without data the prior."""
        return posterior_of(self._joint_factors(data))

    def map_hypothesis(self, data: Iterable[object]) -> Hashable:
        """The name of the hypothesis of the largest P(h | D), the first of several."""
        posterior = self.posterior(data)
        return max(posterior, key=posterior.__getitem__)

    def ml_hypothesis(self, data: Iterable[object]) -> Hashable:
        """The name of the hypothesis of the largest P(D | h), the first of several."""
        # the posterior under equal priors
        share = posterior_of({name: each[1:] for name, each in self._joint_factors(data).items()})
        return max(share, key=share.__getitem__)

    def evidence(self, data: Iterable[object]) -> Number:
        """P(D) = sum over h of P(D | h) P(h); floats may be too small for it, see log_evidence."""
        total, exponent = self._evidence(data)
        try:
            return math.ldexp(total, exponent) if exponent else total
        except OverflowError:  # densities
            return math.inf

    def log_evidence(self, data: Iterable[object]) -> float:
        """The natural logarithm of P(D); -inf if the data are impossible."""
        total, exponent = self._evidence(data)
        return (log2(total) + exponent) * math.log(2)

    def _evidence(self, data: Iterable[object]) -> tuple[Number, int]:
        factors = self._joint_factors(data)
        kind = common_kind(factor for each in factors.values() for factor in each)
        joint, exponent = relative({name: product(each, kind) for name, each in factors.items()})
        return sum(joint.values()), exponent

    def _joint_factors(self, data: Iterable[object]) -> dict[Hashable, list[Number]]:
        """For each hypothesis P(h), and P(d | h) of every observation."""
        observations = _as_observations(data)
        return {
            each.name: [each.prior, *map(each.probability, observations)]
            for each in self._hypotheses.values()
        }


# description length ---------------------------------------------------------------------------


def code_length(probability: float | Fraction) -> float:
    """Bits of the optimal code for a message of this probability: -log2 p, inf for p = 0.

    >>> code_length(0.125), code_length(0)
    (3.0, inf)
    """
    check_weight(probability, "probability")
    return 0.0 - log2(probability)


def description_length(hypothesis: Hypothesis, data: Iterable[object]) -> float:
    """Bits to write down the hypothesis, and then the data with its help.

        L(h) + L(D | h) = -log2 P(h) - log2 P(D | h)

    under the optimal codes for P(h) and for P(d | h) ([Mitchell] eq. 6.16). Densities stand for
    probabilities up to the number of digits: their lengths can be compared, and may be below 0.

    >>> coin = Hypothesis("fair", 0.25, {"head": 0.5, "tail": 0.5})
    >>> description_length(coin, ["head", "tail", "head"])
    5.0
    """
    _check_hypothesis(hypothesis)
    observations = _as_observations(data)
    lengths = [code_length(hypothesis.probability(observation)) for observation in observations]
    return math.fsum([code_length(hypothesis.prior), *lengths])


def mdl_hypothesis(hypotheses: Iterable[Hypothesis], data: Iterable[object]) -> Hashable:
    """The name of the hypothesis of the shortest description, the first of several.

    It is the MAP hypothesis: -log2 turns the largest product into the smallest sum.

    >>> fair = Hypothesis("fair", 0.75, {"head": 0.5, "tail": 0.5})
    >>> fake = Hypothesis("fake", 0.25, {"head": 1, "tail": 0})
    >>> mdl_hypothesis([fair, fake], ["head"]), mdl_hypothesis([fair, fake], ["head"] * 2)
    ('fair', 'fake')
    """
    observations = _as_observations(data)
    candidates = list(hypotheses) if isinstance(hypotheses, Iterable) else [hypotheses]
    if not candidates:
        raise ValueError("There must be at least one hypothesis to choose from, got none.")
    return min(candidates, key=lambda each: description_length(each, observations)).name


def _check_hypothesis(hypothesis: object) -> None:
    if not isinstance(hypothesis, Hypothesis):
        raise TypeError(
            "A hypothesis must be a Hypothesis(name, prior, likelihood), got "
            f"{hypothesis!r:.80}. `HypothesisSpace` holds several of them."
        )
