"""Bayes' rule on a partition: any numbers in, fractions stay fractions.

Products of many probabilities keep their kind of number, and never underflow.
"""

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from numbers import Integral, Rational, Real
from typing import Any, NamedTuple, TypeVar, overload

import numpy as np

from bayesic.data.typing import HasArray
from bayesic.kernels import Array

Kind = type[Fraction] | type[Decimal] | type[float]
Hypothesis = TypeVar("Hypothesis", bound=Hashable)

# int, float, Fraction, Decimal or a scalar of NumPy: no static type covers arithmetic between them
Number = Any


class ScaledProduct(NamedTuple):
    """weight * 2**exponent. Fractions and decimals have exponent 0."""

    weight: Number
    exponent: int


@overload
def bayes_rule(
    prior: Mapping[Hypothesis, Number], likelihood: Mapping[Hypothesis, Number] | Sequence[Number]
) -> dict[Hypothesis, Number]: ...


@overload
def bayes_rule(
    prior: Sequence[Number], likelihood: Sequence[Number] | HasArray
) -> list[Number]: ...


@overload
def bayes_rule(prior: HasArray, likelihood: Sequence[Number] | HasArray) -> Array: ...


def bayes_rule(
    prior: Mapping[Hypothesis, Number] | Sequence[Number] | HasArray,
    likelihood: Mapping[Hypothesis, Number] | Sequence[Number] | HasArray,
) -> dict[Hypothesis, Number] | list[Number] | Array:
    """The posterior probability of each hypothesis.

        P(h | D) = P(D | h) P(h) / P(D),      P(D) = sum over h of P(D | h) P(h)

    prior      : hypothesis -> P(h), summing to 1 over hypotheses of which exactly one is true; or
                 these numbers alone, as a list or array
    likelihood : hypothesis -> P(D | h), or the density of D under h; or several of these, one for
                 each observation, where the observations are independent given the hypothesis. If
                 the prior is a list, lists of numbers in the same order

    The posterior after one observation is the prior of the next, so that

        P(h | d_1, ..., d_n) = P(h) P(d_1 | h) ... P(d_n | h) / P(d_1, ..., d_n)

    in any order. Numbers keep their type: fractions in, fractions out. So do containers: a dict
    gives a dict, a list a list, an array an array.

    >>> from fractions import Fraction
    >>> prior = {"cancer": Fraction(8, 1000), "none": Fraction(992, 1000)}
    >>> positive_test = {"cancer": Fraction(98, 100), "none": Fraction(3, 100)}
    >>> bayes_rule(prior, positive_test)
    {'cancer': Fraction(49, 235), 'none': Fraction(186, 235)}
    >>> bayes_rule(prior, [positive_test, positive_test])
    {'cancer': Fraction(2401, 2680), 'none': Fraction(279, 2680)}
    >>> bayes_rule([0.5, 0.5], [0.25, 0.75])
    [0.25, 0.75]
    """
    if _is_list(prior):
        return _of_lists(prior, likelihood)
    prior = as_mapping(prior, "prior")
    check_prior(prior)
    is_one = hasattr(likelihood, "keys") or not isinstance(likelihood, Iterable)
    given: Any = likelihood
    observations = [given] if is_one else list(given)
    several = [f" in observation {number}" for number in range(len(observations))]
    checked = [
        _checked_likelihood(prior, observation, where if len(observations) > 1 else "")
        for observation, where in zip(observations, several, strict=True)
    ]
    return posterior_of({h: [prior[h], *(each[h] for each in checked)] for h in prior})


def _is_list(numbers: object) -> bool:
    return isinstance(numbers, (list, tuple, np.ndarray))


def _of_lists(prior: Any, likelihood: Any) -> Any:
    """The same where hypotheses have no names: they go by their places."""
    if not _is_list(likelihood) or any(isinstance(each, Mapping) for each in likelihood):
        raise TypeError(
            "If the prior is a list, the likelihood must be a list of the same length, or a list "
            f"of such lists, got {likelihood!r:.80}. Or give both as a dict of hypothesis and "
            "number."
        )
    is_one = not len(likelihood) or not any(map(_is_list, likelihood))
    observations = [likelihood] if is_one else list(likelihood)
    for observation in observations:
        if not _is_list(observation) or len(observation) != len(prior):
            raise ValueError(
                f"prior and likelihood must have a number for each hypothesis, got {len(prior)} in "
                f"the prior and {observation!r:.80} in the likelihood."
            )
    posterior = bayes_rule(dict(enumerate(prior)), [dict(enumerate(each)) for each in observations])
    values = list(posterior.values())
    return np.array(values) if isinstance(prior, np.ndarray) else values


def as_mapping(numbers: Any, what: str) -> Mapping[Hypothesis, Number]:
    """A dict of hypothesis and number, from whatever has keys and items, a pandas Series say."""
    if isinstance(numbers, Mapping):
        return numbers
    if not (hasattr(numbers, "keys") and hasattr(numbers, "items")) or isinstance(numbers, type):
        raise TypeError(
            f"{what} must be a dict of hypothesis and number, such as "
            f"{{'cancer': 0.008, 'none': 0.992}}, got {numbers!r:.80}."
        )
    return dict(numbers.items())


def posterior_of(factors: Mapping[Hypothesis, list[Number]]) -> dict[Hypothesis, Number]:
    """The product of each hypothesis' factors, divided by the sum of these products.

    >>> posterior_of({"rain": [0.5, 0.25], "sun": [0.5, 0.75]})
    {'rain': 0.25, 'sun': 0.75}
    """
    kind = common_kind(factor for each in factors.values() for factor in each)
    try:
        joint, _ = relative({name: product(each, kind) for name, each in factors.items()})
        evidence = sum(joint.values())
    except ArithmeticError as error:  # of decimals, whose exponents have a limit
        raise ValueError(
            f"The products cannot be computed with these decimals: {error}."
        ) from error
    if evidence == 0:
        raise ValueError(
            "The evidence is impossible under every hypothesis with a prior above 0, so nothing "
            "follows from it. Check the likelihoods, or add the hypothesis that explains it."
        )
    return {hypothesis: weight / evidence for hypothesis, weight in joint.items()}


# checks ---------------------------------------------------------------------------------------


def check_prior(prior: Mapping[Hypothesis, Number]) -> None:
    """Refuse numbers that are not probabilities of hypotheses of which exactly one is true."""
    as_mapping(prior, "prior")
    if not prior:
        raise ValueError("prior must name at least one hypothesis, got none.")
    for hypothesis, number in prior.items():
        check_weight(number, f"prior of {hypothesis!r}")
    total = _sum(list(prior.values()))
    if not abs(total - 1) <= 1e-9:
        raise ValueError(
            f"The prior must sum to 1, got {total}. Divide each by the sum, and name every "
            "hypothesis that may be true."
        )


def _sum(numbers: list[Number]) -> Number:
    """Exact if all numbers are; floats may be huge, and numbers of any kinds beside each other."""
    try:
        return sum(numbers) if common_kind(numbers) is not float else math.fsum(numbers)
    except (ArithmeticError, ValueError):
        return math.inf


def check_same_names(
    prior: Mapping[Hypothesis, Number], likelihood: Mapping[Hypothesis, Number], where: str
) -> None:
    """Refuse a likelihood that does not name the hypotheses of the prior."""
    if prior.keys() != likelihood.keys():
        raise ValueError(
            f"prior and likelihood must name the same hypotheses{where}: only the prior has "
            f"{sorted(map(str, prior.keys() - likelihood.keys()))}, only the likelihood has "
            f"{sorted(map(str, likelihood.keys() - prior.keys()))}."
        )


def check_weight(number: Number, what: str) -> None:
    """Refuse what is not a finite number of 0 or more."""
    is_number = isinstance(number, (Real, Decimal))
    try:
        fine = is_number and bool(0 <= number < math.inf)
    except ArithmeticError:  # a decimal that is not a number
        fine = False
    if not fine:
        raise ValueError(f"The {what} must be a finite number of 0 or more, got {number!r:.80}.")


def _checked_likelihood(
    prior: Mapping[Hypothesis, Number], likelihood: Any, where: str
) -> Mapping[Hypothesis, Number]:
    if not hasattr(likelihood, "keys") or isinstance(likelihood, type):
        raise TypeError(
            f"A likelihood must be a dict of hypothesis and number{where}, got {likelihood!r:.50}. "
            "Give one dict, or a list of them."
        )
    likelihood = as_mapping(likelihood, "likelihood")
    check_same_names(prior, likelihood, where)
    for hypothesis, number in likelihood.items():
        check_weight(number, f"likelihood of {hypothesis!r}{where}")
    return likelihood


# products of many probabilities ---------------------------------------------------------------


def common_kind(numbers: Iterable[Number]) -> Kind:
    """Fraction if all numbers are exact, Decimal if all are decimals or whole, else float.

    >>> common_kind([1, Fraction(1, 3)]).__name__, common_kind([0.5, Fraction(1, 3)]).__name__
    ('Fraction', 'float')
    """
    kinds = set(map(type, numbers))
    if all(issubclass(kind, Rational) for kind in kinds):
        return Fraction
    if all(issubclass(kind, (Decimal, Integral)) for kind in kinds):
        return Decimal
    return float


def product(factors: Iterable[Number], kind: Kind) -> ScaledProduct:
    """The product of all factors as a number of this kind.

    Floats are multiplied as m * 2**e with 1/2 <= m < 1: the exponent of the product has no limit.

    >>> product([Fraction(1, 3), 2], Fraction).weight
    Fraction(2, 3)
    >>> product([2.0**-1000, 2.0**-1000], float)
    ScaledProduct(weight=0.5, exponent=-1999)
    """
    if kind is Fraction:
        exact = list(factors)
        above = math.prod(int(factor.numerator) for factor in exact)
        return ScaledProduct(
            Fraction(above, math.prod(int(factor.denominator) for factor in exact)), 0
        )
    if kind is Decimal:
        return ScaledProduct(math.prod(factors, start=Decimal(1)), 0)
    weight, exponent = 1.0, 0
    for fraction, shift in map(_mantissa_and_exponent, factors):
        weight, carry = math.frexp(weight * fraction)
        exponent += shift + carry
    return ScaledProduct(weight, exponent)


def _mantissa_and_exponent(number: Number) -> tuple[float, int]:
    """A number of 0 or more as m * 2**e with 1/2 <= m < 1, also one that no float can hold.

    >>> _mantissa_and_exponent(0.75), _mantissa_and_exponent(2**5000)
    ((0.75, 0), (0.5, 5001))
    """
    try:
        return math.frexp(number)
    except OverflowError:
        exact = Fraction(number)
        shift = exact.numerator.bit_length() - exact.denominator.bit_length()
        fraction, more = math.frexp(exact / Fraction(2) ** shift)
        return fraction, shift + more


def relative(products: Mapping[Hypothesis, ScaledProduct]) -> tuple[dict[Hypothesis, Number], int]:
    """The products divided by 2**exponent, the same for all, so that the largest can be told.

    What is too small beside the largest becomes 0.

    >>> relative({"rain": ScaledProduct(0.5, -3000), "sun": ScaledProduct(0.5, -3001)})
    ({'rain': 0.5, 'sun': 0.25}, -3000)
    """
    top = max((exponent for weight, exponent in products.values() if weight), default=0)
    shifted = {
        name: math.ldexp(weight, exponent - top) if exponent - top else weight
        for name, (weight, exponent) in products.items()
    }
    return shifted, top


def log2(number: Number) -> float:
    """The logarithm to base 2 of a number of 0 or more, -inf for 0; also of huge fractions.

    >>> log2(Fraction(1, 2**5000)), log2(0)
    (-5000.0, -inf)
    """
    if number == 0:
        return -math.inf
    if isinstance(number, Rational):
        return math.log2(int(number.numerator)) - math.log2(int(number.denominator))
    if isinstance(number, Decimal):
        return float(number.ln() / Decimal(2).ln())
    return math.log2(number)
