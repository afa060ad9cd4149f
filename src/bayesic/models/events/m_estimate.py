"""The m-estimate as a user asks for it: ("m", m), ("m", m, "uniform") or ("m", m, {value: p})."""

import math
from collections.abc import Mapping
from numbers import Real
from typing import Any

from bayesic.data.distinct import category_name
from bayesic.estimation.given_shares import GivenEstimate, not_given
from bayesic.estimation.shares import MEstimate, Smoothing, UniformEstimate

# what a user can ask for: GivenEstimate becomes a Smoothing once the levels are known
Rule = Smoothing | GivenEstimate


def is_m_estimate(smoothing: Any) -> bool:
    """Whether this asks for an m-estimate.

    >>> is_m_estimate(("m", 2)), is_m_estimate(["m", 2, "uniform"]), is_m_estimate(2)
    (True, True, False)
    """
    is_list = isinstance(smoothing, (tuple, list)) and len(smoothing) in (2, 3)
    return is_list and isinstance(smoothing[0], str) and smoothing[0] == "m"


def m_estimate(
    amount: float, shares: Any, where: str
) -> MEstimate | UniformEstimate | GivenEstimate:
    """The rule for m and the shares p of the levels: None, "uniform" or a dict.

    >>> m_estimate(2.0, {"rain": 0.25, "sun": 0.75}, "smoothing").given
    {'rain': 0.25, 'sun': 0.75}
    """
    if shares is None:
        return MEstimate(amount)
    if isinstance(shares, str) and shares == "uniform":
        return UniformEstimate(amount)
    if isinstance(shares, Mapping) and shares:
        return GivenEstimate(amount, _checked_shares(shares, where), where)
    raise ValueError(
        f"p in {where} must be 'uniform', for the same share of every value, or a dict of value "
        f"and probability such as {{'rain': 0.25, 'sun': 0.75}}, got {shares!r}. Leave it out, "
        "('m', 2), for the shares over all classes."
    )


def _checked_shares(shares: Mapping[Any, Any], where: str) -> dict[str, float]:
    for name, share in shares.items():
        is_number = isinstance(share, Real) and not isinstance(share, bool)
        if not is_number or not 0 <= share <= 1:
            raise ValueError(
                f"p in {where} must be a probability from 0 to 1 for each value, got {share!r} for "
                f"{name!r}."
            )
    named = {category_name(name): float(share) for name, share in shares.items()}
    if len(named) < len(shares):
        raise ValueError(
            f"p in {where} must name each value once; values are compared as text, so 1 and '1' "
            f"are one: got {[*shares]}."
        )
    if not_given(named) < 0:
        raise ValueError(
            f"p in {where} must sum to 1 or less, got {math.fsum(named.values())}. What is left is "
            "shared by the values that are not named."
        )
    return named
