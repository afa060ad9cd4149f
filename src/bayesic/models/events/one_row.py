"""The scores of a single row: columns of the same kind are scored together.

A row has one number for each column and class. What it takes to call NumPy for each column is more
than what there is to compute, so the counts of all columns of levels are laid on top of each other,
and so are the normal distributions, and what follows from sums of kernels. All of it goes cell by
cell: the same bits come out.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate
from operator import add, lt
from typing import Any

import numpy as np

from bayesic.estimation.smoothing import OneForAll
from bayesic.kernels import Array
from bayesic.kernels.leaving import log_shares
from bayesic.models.events.densities import Gaussian, Kernel, log_density, log_normal
from bayesic.models.events.event import EventModel
from bayesic.models.events.shares import Shares

Encoded = Sequence[tuple[EventModel, Any]]


def scores_of_one(encoded: Encoded, n_classes: int) -> Array:
    """log p(x_j | c) of each column of one row: (n_columns, n_classes)."""
    scores = np.empty((len(encoded), n_classes))
    groups: dict[type | None, list[int]] = {}
    for at, (event, cells) in enumerate(encoded):
        groups.setdefault(_group(event, cells), []).append(at)
    for at in groups.pop(None, ()):
        event, cells = encoded[at]
        scores[at] = event.scores(cells)[0]
    for group, places in groups.items():
        score = DENSITIES.get(group, _of_levels)
        scores[places] = score([encoded[at] for at in places])
    return scores


def _group(event: Any, cells: Any) -> type | None:
    """What a column has in common with those that it is scored with; None: it is scored alone."""
    if type(event) in DENSITIES:
        return type(event) if cells.item() == cells.item() else None  # NaN is not observed
    # whole counts are exact, in whatever order they are added up
    if type(event).scores is not Shares.scores or event.table.dtype.kind != "i":
        return None
    is_seen = len(event.table) > 0 and cells.item() >= 0
    return type(event.rule) if is_seen and isinstance(event.rule, OneForAll) else None


def _of_levels(encoded: Sequence[tuple[Any, Array]]) -> Array:
    """The tables stand below each other, and so do the amounts of their rules, all of one kind."""
    events, levels = [event for event, _ in encoded], [cells.item() for _, cells in encoded]
    sizes = [len(event.table) for event in events]
    first = [*accumulate(sizes, initial=0)]
    known = [*map(min, levels, [size - 1 for size in sizes])]
    table = np.concatenate([event.table for event in events])
    counts = table.take([*map(add, first, known)], axis=0)
    if known != levels:  # some were never seen
        counts[[*map(lt, known, levels)]] = 0
    observed = np.add.reduceat(table, first[:-1])
    total, n_rows = (np.add.reduce(each, axis=1, keepdims=True) for each in (counts, observed))
    n_levels = np.array([event.n_levels for event in events])[:, None]
    amounts = np.array([event.rule.amount for event in events])[:, None]
    above, below = type(events[0].rule)(amounts).pseudo_counts(total, n_rows, n_levels)
    return log_shares(counts + above, observed + below, n_levels)


def _of_numbers(encoded: Sequence[tuple[Any, Array]]) -> Array:
    values = np.array([cells for _, cells in encoded])
    mean = np.array([event.mean for event, _ in encoded])
    return log_normal(values, mean, np.array([event.variance for event, _ in encoded]))


def _of_kernels(encoded: Sequence[tuple[Any, Array]]) -> Array:
    log_sums = np.concatenate([event.sums.log_sums(cells) for event, cells in encoded])
    count = np.array([event.sums.n_rows for event, _ in encoded])
    return log_density(log_sums, count, np.array([[event.amount] for event, _ in encoded]))


DENSITIES: Mapping[Any, Callable] = {Gaussian: _of_numbers, Kernel: _of_kernels}
