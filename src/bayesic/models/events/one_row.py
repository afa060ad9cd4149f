"""The scores of a single row: columns of the same kind are scored together.

A row has one number for each column and class. What it takes to call NumPy for each column is more
than what there is to compute, so the counts of all columns of levels are laid on top of each other,
and so are the normal distributions. All of it goes cell by cell: the same bits come out.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from bayesic.kernels import Array
from bayesic.kernels.leaving import log_shares
from bayesic.models.events.densities import Gaussian, log_normal
from bayesic.models.events.event import Event
from bayesic.models.events.shares import Shares

Encoded = Sequence[tuple[Event, Any]]


def scores_of_one(encoded: Encoded) -> list[Array]:
    """log p(x_j | c) of each column of one row: (n_classes,) each."""
    scores: list[Any] = [None] * len(encoded)
    levels = [at for at, (event, cells) in enumerate(encoded) if _is_level(event, cells)]
    numbers = [at for at, (event, cells) in enumerate(encoded) if _is_number(event, cells)]
    groups: list[tuple[list[int], Callable]] = [(levels, _of_levels), (numbers, _of_numbers)]
    for places, score in groups:
        if places:
            for at, row in zip(places, score([encoded[at] for at in places]), strict=True):
                scores[at] = row
    return [
        event.scores(cells)[0] if row is None else row
        for row, (event, cells) in zip(scores, encoded, strict=True)
    ]


def _is_level(event: Event, cells: Any) -> bool:
    # whole counts are exact, in whatever order they are added up
    if not isinstance(event, Shares) or type(event).scores is not Shares.scores:
        return False
    return event.table.dtype.kind == "i" and cells.item() >= 0


def _is_number(event: Event, cells: Any) -> bool:
    return type(event) is Gaussian and cells.item() == cells.item()  # NaN is not


def _of_levels(encoded: Sequence[tuple[Any, Array]]) -> Array:
    both = np.array([event.counts_of(cells.item()) for event, cells in encoded])
    totals, n_levels = both.sum(axis=2).tolist(), [max(event.n_levels, 1) for event, _ in encoded]
    pseudo = [
        event.rule.at(min(cells.item(), len(event.table))).pseudo_counts(*total, some)
        for (event, cells), total, some in zip(encoded, totals, n_levels, strict=True)
    ]
    above, below = (both + np.array(pseudo, dtype=np.float64)[:, :, None]).transpose(1, 0, 2)
    return log_shares(above, below, np.array(n_levels)[:, None])


def _of_numbers(encoded: Sequence[tuple[Any, Array]]) -> Array:
    values = np.array([cells for _, cells in encoded])
    mean = np.array([event.mean for event, _ in encoded])
    return log_normal(values, mean, np.array([event.variance for event, _ in encoded]))
