"""Models whose score is a sum over columns, as a nomogram."""

import numpy as np

from bayesic.data.columns import Categories, Cells, Numbers
from bayesic.estimation.kernel_density import MOST_ALONE
from bayesic.estimation.term_weights import weighted
from bayesic.evidence.explanation import classes_to_compare, difference
from bayesic.evidence.nomogram_scales import Nomogram, NomogramColumn, compared_classes
from bayesic.models.columns.naive_columns import NaiveColumns
from bayesic.models.columns.weighed_columns import weight_of
from bayesic.models.events.event import EventModel
from bayesic.statistics.leading_bits import MANTISSA_BITS
from bayesic.statistics.number_counts import NumberCounts
from bayesic.statistics.table_counts import ColumnCounts

N_POINTS = 201  # of a curve


def naive_nomogram(
    fitted: NaiveColumns, classes: list, answer: object, against: object
) -> Nomogram:
    """The points of independent columns, by the scores that `explain` takes."""
    first, other = compared_classes(classes, *classes_to_compare(classes, answer, against))
    prior = fitted.prior.in_scores(fitted.prior.log)

    def column(name: str, event: EventModel) -> NomogramColumn:
        values, cells, is_curve = _values(event, fitted.kept[name])
        if cells is None:
            return NomogramColumn(name, event.kind, (), ())
        # a few at a time: the same bits as for single rows
        parts = [slice(start, start + MOST_ALONE) for start in range(0, len(cells), MOST_ALONE)]
        found = np.concatenate([event.scores(event.encode(cells.part(part))) for part in parts])
        scores = weighted(weight_of(fitted.weights, name), found)
        weights = difference(scores[:, first], scores[:, other])
        return NomogramColumn(name, event.kind, values, tuple(weights.tolist()), is_curve)

    return Nomogram(
        classes[first],
        classes[other],
        float(difference(prior[first], prior[other])),
        tuple(column(name, event) for name, event in fitted.events.items()),
    )


def _values(
    event: EventModel, counts: ColumnCounts
) -> tuple[tuple[object, ...], Cells | None, bool]:
    """The values of a column that are shown, as cells, and whether there are others between."""
    if counts.holds == "text":
        return (), None, False
    if not isinstance(counts, NumberCounts):
        levels = tuple(counts.levels)
        return levels, Categories(np.arange(len(levels)), levels), False
    keys, is_exact = counts.keys, counts.bits == MANTISSA_BITS
    is_curve = event.kind != "categorical" or not is_exact
    numbers = np.linspace(keys[0], keys[-1], N_POINTS) if is_curve else keys
    if is_curve and is_exact and len(keys) <= N_POINTS:
        numbers = np.union1d(numbers, keys)  # so that each value that was seen has its point
    return tuple(numbers.tolist()), Numbers(numbers), is_curve
