"""The columns of NaiveBayes: each event model tells what it knows."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from bayesic.data.columns import Numbers
from bayesic.data.languages import Sentence
from bayesic.data.typing import Label
from bayesic.estimation.information import (
    kernel_information,
    normal_information,
    poisson_information,
    share_information,
)
from bayesic.evidence.bins_text import bin_text
from bayesic.evidence.column_table import ColumnTable
from bayesic.evidence.summary import ColumnSummary
from bayesic.kernels import Array
from bayesic.models.events.densities import Gaussian, Kernel, Poisson
from bayesic.models.events.event import EventModel
from bayesic.models.events.shares import Binned, Categorical, Shares
from bayesic.models.events.text import Text
from bayesic.models.summaries.levels import left_out_bits, level_shares, level_summary, level_table
from bayesic.models.summaries.numbers import class_records
from bayesic.statistics.number_counts import NumberCounts
from bayesic.statistics.table_counts import ColumnCounts


def event_summary(
    name: str, event: EventModel, counts: ColumnCounts, prior: Array, n_rows: float
) -> ColumnSummary:
    """A column with this event model, which was made of these counts."""
    if isinstance(event, Text):
        bits = share_information(level_shares(event), prior)
        per_row = event.table.sum() / n_rows if n_rows else 0.0
        of_one = Sentence("bits of one word; {number} words a row", number=f"{per_row:.3g}")
        return ColumnSummary(name, event.kind, event.n_levels, bits, note=of_one)
    if isinstance(event, Shares):
        note = "says nothing" if event.n_levels < 2 else ""
        return level_summary(name, event.kind, event, prior, n_rows, note)
    assert isinstance(counts, NumberCounts)
    left_out = _number_left_out(event, counts, n_rows)
    bits = _density_bits(event, prior)
    return ColumnSummary(name, event.kind, len(counts.keys), bits, left_out)


def _density_bits(event: EventModel, prior: Array) -> float:
    """I(X; C) of a numeric column that has a density in each class."""
    if isinstance(event, Gaussian):
        parameters = event.mean[:, None], event.variance[:, None]
        return float(normal_information(*parameters, prior)[0])
    if isinstance(event, Poisson):
        return poisson_information(event.rate, prior)
    assert isinstance(event, Kernel)
    sums = event.sums
    return kernel_information(event.scores, sums.values, sums.bandwidth, prior)


def _number_left_out(event: EventModel, counts: NumberCounts, n_rows: float) -> float:
    """What a numeric column says about left-out rows, in bits."""
    if isinstance(event, Kernel) and not event.amount:
        event = replace(event, amount=1.0)  # see `smoothed`
    encoded = event.encode(Numbers(counts.values))
    return left_out_bits(event.scores_without, encoded, counts.table, n_rows)


def event_table(
    name: str,
    event: EventModel,
    counts: ColumnCounts,
    classes: Sequence[Label],
    prior: Array,
    fractions: bool,
) -> ColumnTable:
    """The values of a column, or its numbers in each class."""
    if isinstance(event, Shares):
        cuts: dict[str, Any] = {"cuts": event.cuts.tolist()} if isinstance(event, Binned) else {}
        texts = value_texts(event)
        return level_table(name, event.kind, event, texts, classes, prior, fractions, **cuts)
    assert isinstance(counts, NumberCounts)
    moments = counts.moments
    mean, spread = moments.mean[:, 0], np.sqrt(moments.variance()[:, 0])
    facts: dict[str, Any] = {}
    more: dict[str, Any] = {}
    if isinstance(event, Gaussian):
        mean, spread = event.mean, np.sqrt(event.variance)
    elif isinstance(event, Poisson):
        more = {"rate": event.rate}
    elif isinstance(event, Kernel):
        facts = {"bandwidth": event.sums.bandwidth, "smoothing": event.amount}
    records = class_records(classes, moments.count[:, 0], mean, spread, **more)
    return ColumnTable(name, event.kind, classes=records, facts=facts)


def value_texts(event: Shares) -> list[str]:
    """The values of a column as a reader knows them."""
    if isinstance(event, Binned):
        return [bin_text(event.cuts, number) for number in range(len(event.table))]
    assert isinstance(event, (Text, Categorical))
    return list(event.words if isinstance(event, Text) else event.levels)


def n_numbers(event: EventModel) -> int:
    """How many numbers an event model has: see `NaiveBayes.n_parameters`."""
    if isinstance(event, Shares):
        return event.n_levels * event.table.shape[1]
    if isinstance(event, Gaussian):
        return event.mean.size + event.variance.size
    if isinstance(event, Poisson):
        return event.rate.size
    assert isinstance(event, Kernel)
    return event.sums.count.size + 1
