"""Bayes' rule on a partition: any numbers in, fractions stay fractions."""

from collections.abc import Hashable, Iterable, Mapping
from typing import Any, TypeVar

from bayesic.hypotheses.products import common_kind, product, relative

Hypothesis = TypeVar("Hypothesis", bound=Hashable)


def bayes_rule(
    prior: Mapping[Hypothesis, Any],
    likelihood: Mapping[Hypothesis, Any] | Iterable[Mapping[Hypothesis, Any]],
) -> dict[Hypothesis, Any]:
    """The posterior probability of each hypothesis.

        P(h | D) = P(D | h) P(h) / P(D),      P(D) = sum over h of P(D | h) P(h)

    prior      : hypothesis -> P(h), summing to 1 over hypotheses of which exactly one is true
    likelihood : hypothesis -> P(D | h), or the density of D under h; or several of these, one for
                 each observation, where the observations are independent given the hypothesis

    The posterior after one observation is the prior of the next, so that

        P(h | d_1, ..., d_n) = P(h) P(d_1 | h) ... P(d_n | h) / P(d_1, ..., d_n)

    in any order. Numbers keep their kind: fractions in, fractions out.

    >>> from fractions import Fraction
    >>> prior = {"cancer": Fraction(8, 1000), "none": Fraction(992, 1000)}
    >>> positive_test = {"cancer": Fraction(98, 100), "none": Fraction(3, 100)}
    >>> bayes_rule(prior, positive_test)
    {'cancer': Fraction(49, 235), 'none': Fraction(186, 235)}
    >>> bayes_rule(prior, [positive_test, positive_test])
    {'cancer': Fraction(2401, 2680), 'none': Fraction(279, 2680)}
    """
    check_prior(prior)
    observations = [likelihood] if isinstance(likelihood, Mapping) else list(likelihood)
    for number, observation in enumerate(observations):
        several = f" in observation {number}" if len(observations) > 1 else ""
        _check_likelihood(prior, observation, several)
    return posterior_of({h: [prior[h], *(each[h] for each in observations)] for h in prior})


def posterior_of(factors: Mapping[Hypothesis, list[Any]]) -> dict[Hypothesis, Any]:
    """The product of each hypothesis' factors, divided by the sum of these products.

    >>> posterior_of({"rain": [0.5, 0.25], "sun": [0.5, 0.75]})
    {'rain': 0.25, 'sun': 0.75}
    """
    kind = common_kind(factor for each in factors.values() for factor in each)
    joint, _ = relative({name: product(each, kind) for name, each in factors.items()})
    evidence = sum(joint.values())
    if evidence == 0:
        raise ValueError(
            "The evidence is impossible under every hypothesis with a prior above 0, so nothing "
            "follows from it. Check the likelihoods, or add the hypothesis that explains it."
        )
    return {hypothesis: weight / evidence for hypothesis, weight in joint.items()}


def check_prior(prior: Mapping[Any, Any]) -> None:
    """Refuse numbers that are no probabilities of hypotheses of which exactly one is true."""
    if not prior:
        raise ValueError("prior must name at least one hypothesis, got none.")
    for hypothesis, number in prior.items():
        check_weight(number, f"prior of {hypothesis!r}")
    total = sum(prior.values())
    if abs(total - 1) > 1e-9:
        raise ValueError(
            f"The prior must sum to 1, got {total}. Divide each by the sum, and name every "
            "hypothesis that may be true."
        )


def check_same_names(prior: Mapping[Any, Any], likelihood: Mapping[Any, Any], where: str) -> None:
    """Refuse a likelihood that does not name the hypotheses of the prior."""
    if prior.keys() != likelihood.keys():
        raise ValueError(
            f"prior and likelihood must name the same hypotheses{where}: only the prior has "
            f"{sorted(map(str, prior.keys() - likelihood.keys()))}, only the likelihood has "
            f"{sorted(map(str, likelihood.keys() - prior.keys()))}."
        )


def check_weight(number: Any, what: str) -> None:
    """Refuse what is no finite number of 0 or more."""
    try:
        fine = bool(0 <= number < float("inf"))
    except (TypeError, ValueError):
        fine = False
    if not fine:
        raise ValueError(f"The {what} must be a finite number of 0 or more, got {number!r}.")


def _check_likelihood(prior: Mapping[Any, Any], likelihood: Mapping[Any, Any], where: str) -> None:
    if not isinstance(likelihood, Mapping):
        raise TypeError(
            f"A likelihood must be a dict of hypothesis and number{where}, got {likelihood!r:.50}. "
            "Give one dict, or a list of them."
        )
    check_same_names(prior, likelihood, where)
    for hypothesis, number in likelihood.items():
        check_weight(number, f"likelihood of {hypothesis!r}{where}")
