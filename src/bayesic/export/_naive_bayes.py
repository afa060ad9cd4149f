"""Columns that add their part to the score by themselves: naive Bayes, of all kinds of columns."""

from collections.abc import Mapping, Sequence

import numpy as np

from bayesic.data.spelling import spelt
from bayesic.estimation.term_weights import weighted
from bayesic.export._expressions import (
    NEVER,
    AnyOf,
    Condition,
    Conditional,
    Expression,
    Gap,
    IsGap,
    LookupTable,
    NameOf,
    Number,
    Quotient,
    RankAmong,
    Relation,
    Sum,
    Times,
    minus,
    total,
)
from bayesic.export._kernel_densities import kernel_terms
from bayesic.export._steps import Steps
from bayesic.kernels import Array
from bayesic.models.columns.naive_columns import NaiveColumns
from bayesic.models.columns.weighed_columns import weight_of
from bayesic.models.events.densities import Gaussian, Kernel, Poisson
from bayesic.models.events.event import EventModel
from bayesic.models.events.shares import Bernoulli, Binned, Categorical, WholeNumbers

Terms = Sequence[Expression]  # what a column adds, one for each class

# squares of larger numbers overflow, and of smaller ones are 0, which some engines refuse
LARGEST_ROOT, SMALLEST_ROOT = 1e154, 1e-150


def naive_scores(fitted: NaiveColumns, steps: Steps) -> list[Expression]:
    """log P(c) + sum over the columns of log p(x_j | c), times their weights."""
    weights = {name: weight_of(fitted.weights, name) for name in fitted.events}
    events = {name: event for name, event in fitted.events.items() if weights[name]}
    tables = [
        _levels(name, event, weights[name], steps)
        for name, event in events.items()
        if isinstance(event, Categorical)
    ]
    binned = {name: event for name, event in events.items() if isinstance(event, Binned)}
    bins = bins_of(steps, {name: event.cuts.tolist() for name, event in binned.items()})
    tables += [
        (index, bin_table(weighted(weights[name], event.log_table)))
        for index, (name, event) in zip(bins, binned.items(), strict=True)
    ]
    kernels = {name: event for name, event in events.items() if isinstance(event, Kernel)}
    parts: list[Terms] = [
        [_times(weights[name], term) for term in terms]
        for name, terms in zip(kernels, kernel_terms(kernels, steps), strict=True)
    ]
    parts += [
        _terms(name, event, weights[name], len(events), steps)
        for name, event in events.items()
        if not isinstance(event, (Binned, Categorical, Kernel))
    ]
    log_prior = fitted.prior.in_scores(fitted.prior.log)
    return summed(log_prior, [*steps.entries(tables), *parts])


def summed(constants: Array, columns: Sequence[Terms]) -> list[Expression]:
    """The score of each class: a constant, and what each column adds."""
    return [
        total([Number(float(constant)), *(terms[code] for terms in columns)])
        for code, constant in enumerate(constants)
    ]


def _levels(
    name: str, event: Categorical, weight: float, steps: Steps
) -> tuple[NameOf, LookupTable]:
    """The log shares of the levels of a column."""
    logs = weighted(weight, event.log_table)
    keys: tuple = event.levels
    if isinstance(event, WholeNumbers):
        return steps.cell(name, "number"), level_table(tuple(event.values.tolist()), logs)
    if isinstance(event, Bernoulli):
        keys = ("0", "1", "false", "true", "False", "True")
        logs = logs[[0, 1, 0, 1, 0, 1, -1]]
    return steps.cell(name, "category", event.levels), level_table(keys, logs)


def level_table(keys: tuple, logs: Array) -> LookupTable:
    """Logs by level, (n_levels + 1, n_classes), the last for a level never seen; 0 for a gap."""
    return LookupTable(keys, logs[:-1], logs[-1], np.zeros(logs.shape[1]))


def _times(weight: float, term: Expression) -> Expression:
    return term if weight == 1 else Times((Number(weight), term))


def _terms(name: str, event: EventModel, weight: float, n_columns: int, steps: Steps) -> Terms:
    """log p(x_j | c) of a numeric column."""
    if isinstance(event, Gaussian):
        cell = steps.cell(name, "number")
        return [
            normal_log_density(cell, *each, n_columns, weight)
            for each in zip(event.mean.tolist(), event.variance.tolist(), strict=True)
        ]
    if isinstance(event, Poisson):
        cell = steps.cell(name, "number")
        return [_log_poisson(cell, rate, weight) for rate in event.rate.tolist()]
    raise ValueError(
        f"Categories and numbers can be exported, but column {name!r} is {event.kind}: neither SQL "
        "nor ONNX cuts words. Leave it out with "
        f"{spelt('columns={{{name!r}: {kind!r}}}', name=name, kind='ignore')}, and fit again."
    )


def normal_log_density(
    cell: NameOf, mean: float, variance: float, n_columns: int, weight: float = 1.0
) -> Expression:
    """log N(x; mean, variance), 0 for a gap; so far out that a square overflows it is -inf."""
    spread = variance**0.5
    far = min(LARGEST_ROOT / n_columns / max(weight, 1.0) ** 0.5 * spread, 1e308)
    low, high = (float(np.clip(mean + side * far, -1.7e308, 1.7e308)) for side in (-1, 1))
    z = Quotient(minus(cell, mean), Number(spread))
    constant = Number(-0.5 * weight * float(np.log(2 * np.pi * variance)))
    density = Sum((constant, Times((Number(-0.5 * weight), z, z))))
    cases: list[tuple[Condition, Expression]] = [
        (IsGap(cell), Number(0.0)),
        (outside(cell, low, high), Number(NEVER)),
    ]
    if np.spacing(mean) < SMALLEST_ROOT * spread:
        near = outside(cell, *(mean + side * SMALLEST_ROOT * spread for side in (-1, 1)))
        return Conditional((*cases, (near, density)), constant)
    return Conditional(tuple(cases), density)


def outside(cell: Expression, low: float, high: float) -> AnyOf:
    """Whether a number is below the low one or above the high one."""
    return AnyOf((Relation(cell, "<", Number(low)), Relation(cell, ">", Number(high))))


def _log_poisson(cell: NameOf, rate: float, weight: float) -> Expression:
    """x log rate - rate; x! is the same in all classes."""
    log = Sum((Times((Number(weight * float(np.log(rate))), cell)), Number(-weight * rate)))
    return Conditional(((IsGap(cell), Number(0.0)),), log)


def bins_of(steps: Steps, cuts: Mapping[str, Sequence[float]]) -> tuple[NameOf, ...]:
    """The number of the bin that each of these columns is in, by where they are cut, or a gap."""
    cells = {name: steps.cell(name, "number") for name in cuts}
    return steps.let(
        *(
            Conditional(((IsGap(cell), Gap()),), RankAmong(cell, tuple(cuts[name])))
            for name, cell in cells.items()
        )
    )


def bin_table(logs: Array) -> LookupTable:
    """Logs by the number of a bin, (n_bins + 1, n_classes); the last of a bin that is none."""
    return level_table(tuple(range(len(logs) - 1)), logs)
