"""Kernel densities of columns: between two values that were learned they are one formula.

The kernels around all values left of x sum up to exp(-d) ((1 + d) A + C), with A and C those of the
next of these values, d bandwidths away; and so on its right (`estimation/kernel_density.py`). So a
row needs the number of the interval that x is in, and the logs of four sums for each class.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from bayesic.data.spelling import spelt
from bayesic.export._expressions import (
    NEVER,
    Conditional,
    Expression,
    Function,
    IsGap,
    LookupTable,
    NameOf,
    Number,
    Quotient,
    RankAmong,
    Relation,
    Sum,
    less,
    minus,
)
from bayesic.export._logs import log_sums
from bayesic.export._steps import Steps
from bayesic.models.events.densities import Kernel
from bayesic.statistics.leading_bits import MANTISSA_BITS
from bayesic.statistics.value_tables import MOST_VALUES

FARTHEST = 1e300  # bandwidths that a number is away, at most
NEAREST = 1e-300  # and what is no longer a distance


class Sides(NamedTuple):
    """What the table of a column says of a row: the sums on both sides of it."""

    distance: tuple[Expression, Expression]  # to the next value on the left and on the right
    log_sum: tuple[Sequence[Expression], Sequence[Expression]]  # log A of each class
    log_distance_sum: tuple[Sequence[Expression], Sequence[Expression]]  # log C


def kernel_terms(events: Mapping[str, Kernel], steps: Steps) -> list[list[Expression]]:
    """log p(x_j | c) of each column and class, 0 for a gap."""
    for name, event in events.items():
        _refuse_rounded(name, event)
    cells = [steps.cell(name, "number") for name in events]
    pairs = [*zip(cells, events.values(), strict=True)]
    near = steps.let(*(_within_reach(cell, event) for cell, event in pairs))
    values = [tuple(event.sums.values.tolist()) for event in events.values()]
    indices = steps.let(*map(RankAmong, near, values))
    tables = [*zip(indices, map(_table, events.values()), strict=True)]
    found = [steps.let(*entries) for entries in steps.entries(tables)]
    sides = [
        _sides(cell, event, entries)
        for cell, (_, event), entries in zip(near, pairs, found, strict=True)
    ]
    around = log_sums(steps, [group for each in sides for group in _kernels_around(each)])
    of_columns = _by_column(around, events)
    overall = log_sums(steps, of_columns)
    densities = log_sums(
        steps,
        [
            [own, *_anywhere(event, everywhere)]
            for (_, event), sums, everywhere in zip(pairs, of_columns, overall, strict=True)
            for own in sums
        ],
    )
    return [
        _terms(cell, event, sums, everywhere)
        for (cell, event), sums, everywhere in zip(
            pairs, _by_column(densities, events), overall, strict=True
        )
    ]


def _refuse_rounded(name: str, event: Kernel) -> None:
    if event.bits < MANTISSA_BITS:
        advice = spelt("columns={{{name!r}: {kind!r}}}", name=name, kind="gaussian")
        raise ValueError(
            f"Kernel densities of up to {MOST_VALUES} different numbers can be exported, but "
            f"column {name!r} has more. Fit again with {advice}, or 'binned'."
        )


def _within_reach(cell: NameOf, event: Kernel) -> Expression:
    """The number, or the farthest that counts."""
    far, values = FARTHEST * min(event.sums.bandwidth, 1.0), event.sums.values
    low, high = max(float(values[0]) - far, -8e307), min(float(values[-1]) + far, 8e307)
    cases = (
        (Relation(cell, "<", Number(low)), Number(low)),
        (Relation(cell, ">", Number(high)), Number(high)),
    )
    return Conditional(cases, cell)


def _table(event: Kernel) -> LookupTable:
    """For each interval the values that bound it, and log A and log C of both sides.

    (n_values + 1, 2 + 4 n_classes); -inf where there is nothing on that side
    """
    sums, nothing = event.sums, np.full((1, event.sums.count.shape[1]), NEVER)
    values = sums.values[:, None]
    columns = [
        np.vstack([values[:1], values]),
        np.vstack([values, values[-1:]]),
        *(np.vstack([nothing, side]) for side in sums.left),
        *(np.vstack([side, nothing]) for side in sums.right),
    ]
    numbers = np.hstack(columns)
    return LookupTable(tuple(range(len(numbers) - 1)), numbers[:-1], numbers[-1], numbers[-1])


def _sides(cell: NameOf, event: Kernel, entries: Sequence[NameOf]) -> Sides:
    n_classes, width = event.sums.count.shape[1], event.sums.bandwidth
    before, after, *logs = entries
    left, left_far, right, right_far = (
        logs[at * n_classes : (at + 1) * n_classes] for at in range(4)
    )
    distance = _in_widths(less(cell, before), width), _in_widths(less(after, cell), width)
    return Sides(distance, (left, right), (left_far, right_far))


def _in_widths(distance: Expression, width: float) -> Expression:
    """0 if it is below 0, or so small that an engine would refuse the quotient."""
    is_near = Relation(distance, "<", Number(width * NEAREST))
    return Conditional(((is_near, Number(0.0)),), Quotient(distance, Number(width)))


def _kernels_around(sides: Sides) -> list[list[Expression]]:
    """For each class four logs: log((1 + d) A) - d and log C - d of both sides."""
    groups: list[list[Expression]] = [[] for _ in sides.log_sum[0]]
    for distance, *logs in zip(*sides, strict=True):
        log_steps = Function("ln", Sum((Number(1.0), distance)))
        for group, log_sum, log_far in zip(groups, *logs, strict=True):
            group += [less(Sum((log_sum, log_steps)), distance), less(log_far, distance)]
    return groups


def _by_column(values: Sequence[NameOf], events: Mapping[str, Kernel]) -> list[Sequence[NameOf]]:
    n_classes = len(values) // max(len(events), 1)
    return [values[at * n_classes : (at + 1) * n_classes] for at in range(len(events))]


def _anywhere(event: Kernel, everywhere: NameOf) -> list[Expression]:
    """What rows of anywhere in the column add, if there are any."""
    if event.amount == 0:
        return []
    n_rows = float(event.sums.count.sum())
    return [Sum((everywhere, Number(float(np.log(event.amount / n_rows)))))]


def _terms(
    cell: NameOf, event: Kernel, sums: Sequence[NameOf], everywhere: NameOf
) -> list[Expression]:
    """(sum of kernels + a g(x)) / (N_c + a), in logs; a class without rows is as all rows are."""
    scale, counts = float(np.log(4 * event.sums.bandwidth)), event.sums.n_rows.tolist()
    terms: list[Expression] = []
    for of_class, count in zip(sums, counts, strict=True):
        rows = count + event.amount
        log_density = (
            minus(of_class, scale + float(np.log(rows)))
            if rows > 0
            else (minus(everywhere, scale + float(np.log(sum(counts)))))
        )
        terms.append(Conditional(((IsGap(cell), Number(0.0)),), log_density))
    return terms
