"""Statistics of a column -> its event model, as told or by default."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from bayesic.estimation.given_shares import GivenEstimate
from bayesic.estimation.shares import Lambda
from bayesic.models.events.automatic import automatic_number_event, automatic_smoothing
from bayesic.models.events.event import Event
from bayesic.models.events.gaussian import gaussian
from bayesic.models.events.kernel import kernel
from bayesic.models.events.m_estimate import Rule, is_m_estimate, m_estimate
from bayesic.models.events.poisson import poisson
from bayesic.models.events.shares import Shares, bernoulli, binned, categorical
from bayesic.models.events.text import text
from bayesic.statistics.levels import LevelCounts
from bayesic.statistics.tables import ColumnCounts

Array = np.ndarray

# What a column gets that smoothing does not name, and what densities get under "auto".
USUAL = Lambda(1.0)


def checked_rule(smoothing: Any, where: str = "smoothing") -> Rule | None:
    """A number, ("m", m) with p or without, or "auto", as a rule; None for "auto"."""
    if isinstance(smoothing, str) and smoothing == "auto":
        return None
    if is_m_estimate(smoothing):
        amount = checked_amount(smoothing[1], f"m in {where}")
        return m_estimate(amount, smoothing[2] if len(smoothing) > 2 else None, where)
    others = ", ('m', 2) for the m-estimate, 'auto' to let leave-one-out choose"
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


def rules(smoothing: Any) -> tuple[dict[str, Rule | None], Rule | None]:
    """What smoothing says of single columns, and of all others; None is "auto"."""
    if not isinstance(smoothing, Mapping):
        of_all = checked_rule(smoothing)
        if isinstance(of_all, GivenEstimate):
            raise ValueError(
                "p of single values belong to one column, got them for all. Name the column: "
                f"smoothing={{'outlook': {tuple(smoothing)!r}}}, for example."
            )
        return {}, of_all
    of_columns = {
        str(name): checked_rule(amount, f"smoothing of {name!r}")
        for name, amount in smoothing.items()
    }
    return of_columns, USUAL


def make_event(
    counts: ColumnCounts,
    kind: str,
    rule: Rule | None,
    class_count: Array,
    variance: str = "smoothed",
) -> Event:
    """The event model of a column.

    kind     : "auto" for the best one for numbers
    rule     : None for the best lambda
    variance : one of VARIANCES, for gaussian columns
    """
    if isinstance(counts, LevelCounts):
        return _level_event(counts, kind, rule, class_count)
    if isinstance(rule, GivenEstimate):
        raise ValueError(
            f"{rule.where} gives p of single values, but the column holds numbers. Tell it to be "
            "categorical, or use ('m', m, 'uniform')."
        )
    if kind == "gaussian":
        return gaussian(counts, variance)
    if kind == "poisson":
        return poisson(counts)
    if kind == "kernel":
        return kernel(counts, (rule or USUAL).amount)
    if kind == "binned":
        return _smoothed(binned(counts, rule or USUAL), rule)
    return _smoothed(automatic_number_event(counts, rule or USUAL, variance), rule)


def _level_event(counts: LevelCounts, kind: str, rule: Rule | None, class_count: Array) -> Event:
    usual = rule or USUAL
    if kind == "text":
        return _smoothed(text(counts, usual, class_count), rule)
    if kind == "bernoulli":
        return _smoothed(bernoulli(counts, usual), rule)
    return _smoothed(categorical(counts, usual), rule)


def _smoothed(event: Any, rule: Rule | None) -> Any:
    """The event model with the best lambda, if none is told and it has one."""
    return automatic_smoothing(event) if rule is None and isinstance(event, Shares) else event
