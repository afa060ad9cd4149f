"""Bayes' rule on a partition: any numbers in, fractions stay fractions."""

from collections.abc import Hashable, Mapping
from typing import Any, TypeVar

Hypothesis = TypeVar("Hypothesis", bound=Hashable)


def bayes_rule(
    prior: Mapping[Hypothesis, Any], likelihood: Mapping[Hypothesis, Any]
) -> dict[Hypothesis, Any]:
    """The posterior probability of each hypothesis.

        P(h | D) = P(D | h) P(h) / P(D),      P(D) = sum over h of P(D | h) P(h)

    prior      : hypothesis -> P(h), summing to 1 over hypotheses of which exactly one is true
    likelihood : hypothesis -> P(D | h), or the density of D under h

    Numbers keep their kind: fractions in, fractions out.

    >>> from fractions import Fraction
    >>> prior = {"cancer": Fraction(8, 1000), "none": Fraction(992, 1000)}
    >>> positive_test = {"cancer": Fraction(98, 100), "none": Fraction(3, 100)}
    >>> bayes_rule(prior, positive_test)
    {'cancer': Fraction(49, 235), 'none': Fraction(186, 235)}
    """
    _check(prior, likelihood)
    joint = {hypothesis: likelihood[hypothesis] * prior[hypothesis] for hypothesis in prior}
    evidence = sum(joint.values())
    if evidence == 0:
        raise ValueError(
            "The evidence is impossible under every hypothesis with a prior above 0, so nothing "
            "follows from it. Check the likelihoods, or add the hypothesis that explains it."
        )
    return {hypothesis: weight / evidence for hypothesis, weight in joint.items()}


def _check(prior: Mapping[Any, Any], likelihood: Mapping[Any, Any]) -> None:
    if not prior:
        raise ValueError("prior must name at least one hypothesis, got none.")
    if prior.keys() != likelihood.keys():
        raise ValueError(
            "prior and likelihood must name the same hypotheses: only the prior has "
            f"{sorted(map(str, prior.keys() - likelihood.keys()))}, only the likelihood has "
            f"{sorted(map(str, likelihood.keys() - prior.keys()))}."
        )
    for what, numbers in (("prior", prior), ("likelihood", likelihood)):
        for hypothesis, number in numbers.items():
            if not _is_weight(number):
                raise ValueError(
                    f"The {what} of {hypothesis!r} must be a finite number of 0 or more, "
                    f"got {number!r}."
                )
    total = sum(prior.values())
    if abs(total - 1) > 1e-9:
        raise ValueError(
            f"The prior must sum to 1, got {total}. Divide each by the sum, and name every "
            "hypothesis that may be true."
        )


def _is_weight(number: Any) -> bool:
    try:
        return bool(0 <= number < float("inf"))
    except (TypeError, ValueError):
        return False
