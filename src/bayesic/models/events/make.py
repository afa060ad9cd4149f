"""Statistics of a column -> its event model, as given or by default.

Smoothing is given as lambda, "auto", or as an m-estimate: ("m", m), ("m", m, "uniform") or
("m", m, {value: p}).
"""

import math
from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any, TypeGuard

import numpy as np

from bayesic.data.columns import category_name
from bayesic.data.typing import Label
from bayesic.estimation.smoothing import (
    GivenEstimate,
    Lambda,
    MEstimate,
    Smoothing,
    UniformEstimate,
    not_given,
)
from bayesic.kernels import Array
from bayesic.models.events.automatic import automatic_number_event, automatic_smoothing
from bayesic.models.events.choice import NOTHING_CHOSEN, ColumnChoice
from bayesic.models.events.densities import gaussian, kernel, poisson
from bayesic.models.events.event import EventModel
from bayesic.models.events.shares import (
    Shares,
    bernoulli,
    binned,
    categorical,
    whole_numbers,
)
from bayesic.models.events.text import text
from bayesic.statistics.level_counts import LevelCounts
from bayesic.statistics.table_counts import ColumnCounts

# what a user can ask for: GivenEstimate becomes a Smoothing once the levels are known
Rule = Smoothing | GivenEstimate

OTHER_RULES = ", ('m', 2) for the m-estimate, 'auto' to let leave-one-out choose"

# What a column gets that smoothing does not name, and what densities get under "auto".
_USUAL = Lambda(1.0)


def checked_rule(
    smoothing: object, where: str = "smoothing", others: str = OTHER_RULES
) -> Rule | None:
    """A number, ("m", m) with p or without, or "auto", as a rule; None for "auto".

    others : what a message says may be given beside a number
    """
    if isinstance(smoothing, str) and smoothing == "auto":
        return None
    if _is_m_estimate(smoothing):
        amount = checked_amount(smoothing[1], f"m in {where}")
        return _m_estimate(amount, smoothing[2] if len(smoothing) > 2 else None, where)
    return Lambda(checked_amount(smoothing, where, others))


def checked_amount(amount: Any, where: str, others: str = "") -> float:
    """A pseudo-count as a number of 0 or more; `others` tells what else could be said."""
    is_number = isinstance(amount, (int, float, np.integer, np.floating))
    if not is_number or isinstance(amount, bool) or not 0 <= amount <= 1e100:
        raise ValueError(
            f"{where} must be a number of 0 or more, got {amount!r}. Use 1 for the Laplace "
            f"correction, 0 for plain relative frequencies{others}."
        )
    return float(amount)


def _is_m_estimate(smoothing: object) -> TypeGuard[Sequence[object]]:
    """Whether this asks for an m-estimate.

    >>> _is_m_estimate(("m", 2)), _is_m_estimate(["m", 2, "uniform"]), _is_m_estimate(2)
    (True, True, False)
    """
    if not isinstance(smoothing, (tuple, list)) or len(smoothing) not in (2, 3):
        return False
    return isinstance(smoothing[0], str) and smoothing[0] == "m"


def _m_estimate(
    amount: float, shares: object, where: str
) -> MEstimate | UniformEstimate | GivenEstimate:
    """The rule for m and the shares p of the levels: None, "uniform" or a dict.

    >>> _m_estimate(2.0, {"rain": 0.25, "sun": 0.75}, "smoothing").given
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


def _checked_shares(shares: Mapping[Label, Any], where: str) -> dict[str, float]:
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


def rules(smoothing: Any) -> tuple[dict[str, Rule | None], Rule | None]:
    """What smoothing says of single columns, and of all others; None is "auto"."""
    if type(smoothing) is float:  # by far most often
        return {}, Lambda(checked_amount(smoothing, "smoothing", OTHER_RULES))
    if not isinstance(smoothing, Mapping):
        of_all = checked_rule(smoothing)
        if isinstance(of_all, GivenEstimate):
            raise ValueError(
                "p for single values belongs to one column, got it for all. Name the column: "
                f"smoothing={{'outlook': {tuple(smoothing)!r}}}, for example."
            )
        return {}, of_all
    of_columns = {
        str(name): checked_rule(amount, f"smoothing of {name!r}")
        for name, amount in smoothing.items()
    }
    return of_columns, _USUAL


def make_event(
    counts: ColumnCounts,
    kind: str,
    rule: Rule | None,
    class_count: Array,
    variance: str = "smoothed",
    choice: ColumnChoice = NOTHING_CHOSEN,
) -> EventModel:
    """The event model of a column.

    kind     : "auto" for the best one for numbers
    rule     : None for the best lambda
    variance : one of VARIANCES, for gaussian columns
    choice   : what is not to be chosen again
    """
    if choice.kind is not None:
        kind = choice.kind
        rule = (rule or _USUAL) if choice.amount is None else Lambda(choice.amount)
    if isinstance(counts, LevelCounts):
        return _level_event(counts, kind, rule, class_count)
    if isinstance(rule, GivenEstimate):
        raise ValueError(
            f"{rule.where} gives p for single values, but the column holds numbers. Declare it "
            "categorical, or use ('m', m, 'uniform')."
        )
    if kind == "gaussian":
        return gaussian(counts, variance)
    if kind == "poisson":
        return poisson(counts)
    if kind == "kernel":
        return kernel(counts, (rule or _USUAL).amount, choice.bandwidth)
    if kind == "binned":
        return _smoothed(binned(counts, rule or _USUAL, choice.cuts), rule)
    if kind == "categorical":
        return whole_numbers(counts, rule or _USUAL)
    return _smoothed(automatic_number_event(counts, rule or _USUAL, variance), rule)


def _level_event(
    counts: LevelCounts, kind: str, rule: Rule | None, class_count: Array
) -> EventModel:
    usual = rule or _USUAL
    if kind == "text":
        return _smoothed(text(counts, usual, class_count), rule)
    if kind == "bernoulli":
        return _smoothed(bernoulli(counts, usual), rule)
    return _smoothed(categorical(counts, usual), rule)


def _smoothed(event: EventModel, rule: Rule | None) -> EventModel:
    """The event model with the best lambda, if none is given and it has one."""
    return automatic_smoothing(event) if rule is None and isinstance(event, Shares) else event
