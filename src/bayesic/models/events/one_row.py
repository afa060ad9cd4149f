"""The scores of a single row: columns of the same kind are scored together.

A row has one number for each column and class. What it takes to call NumPy for each column is more
than what there is to compute, so the counts of all columns of levels are laid on top of each other,
and so are the normal distributions. All of it goes cell by cell: the same bits come out.
"""

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Any

import numpy as np

from bayesic.kernels import Array
from bayesic.kernels.leaving import log_shares
from bayesic.models.events.densities import Gaussian, log_normal
from bayesic.models.events.event import Event
from bayesic.models.events.shares import Shares

Encoded = Sequence[tuple[Event, Any]]


def scores_of_one(encoded: Encoded, n_classes: int) -> Array:
    """log p(x_j | c) of each column of one row: (n_columns, n_classes)."""
    scores = np.empty((len(encoded), n_classes))
    levels = [at for at, (event, cells) in enumerate(encoded) if _is_level(event, cells)]
    numbers = [at for at, (event, cells) in enumerate(encoded) if _is_number(event, cells)]
    groups: list[tuple[list[int], Callable]] = [(levels, _of_levels), (numbers, _of_numbers)]
    for places, score in groups:
        if places:
            scores[places] = score([encoded[at] for at in places])
    for at in set(range(len(encoded))).difference(levels, numbers):
        event, cells = encoded[at]
        scores[at] = event.scores(cells)[0]
    return scores


def _is_level(event: Any, cells: Any) -> bool:
    # whole counts are exact, in whatever order they are added up
    if type(event).scores is not Shares.scores or event.table.dtype.kind != "i":
        return False
    return len(event.table) > 0 and cells.item() >= 0


def _is_number(event: Event, cells: Any) -> bool:
    return type(event) is Gaussian and cells.item() == cells.item()  # NaN is not


def _of_levels(encoded: Sequence[tuple[Any, Array]]) -> Array:
    """The tables stand below each other, and below them a row of zeros, for levels never seen."""
    sizes = [len(event.table) for event, _ in encoded]
    first = [*accumulate(sizes, initial=0)]
    levels = [min(cells.item(), size) for (_, cells), size in zip(encoded, sizes, strict=True)]
    rows = [
        start + level if level < size else first[-1]
        for start, level, size in zip(first, levels, sizes, strict=False)
    ]
    tables = [event.table for event, _ in encoded]
    table = np.concatenate([*tables, np.zeros_like(tables[0][:1])])
    counts, observed = table[rows], np.add.reduceat(table[:-1], first[:-1])
    n_levels = [max(event.n_levels, 1) for event, _ in encoded]
    totals = counts.sum(axis=1).tolist(), observed.sum(axis=1).tolist(), n_levels
    pseudo = [
        event.rule.at(level).pseudo_counts(*total)
        for (event, _), level, *total in zip(encoded, levels, *totals, strict=True)
    ]
    above, below = np.array(pseudo, dtype=np.float64).T[:, :, None]
    return log_shares(counts + above, observed + below, np.array(n_levels)[:, None])


def _of_numbers(encoded: Sequence[tuple[Any, Array]]) -> Array:
    values = np.array([cells for _, cells in encoded])
    mean = np.array([event.mean for event, _ in encoded])
    return log_normal(values, mean, np.array([event.variance for event, _ in encoded]))
