"""Columns that depend on each other within the classes: of rows handed to `summary`, or learned."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import comb

import numpy as np
from scipy import sparse

from bayesic.data.columns import Categories, Cells, Numbers
from bayesic.data.labels import encode_known_labels
from bayesic.data.matrices import Matrix
from bayesic.data.tables import Table
from bayesic.estimation.dependent_columns import DependentPairs, pairs_of_counts, pairs_of_moments
from bayesic.evidence.summary import ColumnSummary, sorted_by_bits
from bayesic.kernels import Array
from bayesic.models.events.event import EventModel
from bayesic.models.events.shares import Binned
from bayesic.statistics.combinations import combination_counts
from bayesic.statistics.cross_moments import CrossMoments, cross_moments

MOST_COLUMNS = 200  # that are compared with each other: those that say most about the class
MOST_LEVELS = 256  # of a column: there are never rows enough to compare more

QUARTERS = ("0", "1", "2", "3")


def classes_of_rows(y: object, classes: Array) -> Array:
    """The class of each row that was handed to `summary`."""
    if y is None:
        raise ValueError(
            "summary(X, y) looks at columns within the classes: give y, the class of each row of X."
        )
    return encode_known_labels(y, classes)


def dependent_levels(
    columns: Mapping[str, Categories], codes: Array, n_classes: int, weights: Array | None = None
) -> DependentPairs:
    """Columns of levels that depend on each other within the classes."""
    few = {name: cells for name, cells in columns.items() if len(cells.levels) <= MOST_LEVELS}
    table = Table(dict(few), len(codes), True, tuple(few))
    found = pairs_of_counts(combination_counts(table, codes, n_classes, 2, weights))
    return replace(found, n_untested=comb(len(columns), 2) - found.n_tested)


def correlated_pairs(
    names: Sequence[str], moments: CrossMoments, rows: Matrix | None, codes: Array | None
) -> DependentPairs:
    """Columns that are correlated within the classes: of these rows, or (None) of the moments."""
    if rows is not None and codes is not None:
        moments = cross_moments(rows, codes, len(moments.class_count))
    return pairs_of_moments(names, moments)


def event_levels(cells: Cells, event: EventModel | None, codes: Array) -> Categories | None:
    """A column of NaiveBayes as levels: its categories, its bins, or the quarters of each class.

    Texts, and columns that are not used, give None.
    """
    if isinstance(cells, Categories):
        return cells
    if event is None or not isinstance(cells, Numbers):
        return None
    if isinstance(event, Binned):
        return Categories(event.encode(cells), tuple(map(str, range(event.n_levels))))
    return Categories(quarters(cells.values, codes), QUARTERS)


def quarters(values: Array, codes: Array) -> Array:
    """The quarter of its class in which each number lies, -1 where it is missing.

    Cut at the quartiles of the class, equal numbers are on the same side. So what is found does not
    depend on the unit or the shape of a column, and not on what it says about the class.

    >>> quarters(np.array([1.0, 2.0, 3.0, 4.0, 10.0, np.nan]), np.array([0, 0, 0, 0, 1, 1]))
    array([ 0,  1,  2,  3,  3, -1])
    """
    found = np.full(len(values), -1)
    for code in np.unique(codes):
        here = (codes == code) & ~np.isnan(values)
        if here.any():
            cuts = np.quantile(values[here], [0.25, 0.5, 0.75])
            found[here] = np.searchsorted(cuts, values[here], side="right")
    return found


def presence_levels(
    matrix: Matrix, places: Sequence[int], threshold: float = 0.0
) -> list[Categories]:
    """Whether features of a matrix, by their places, are above 0, as columns of levels."""
    columns = matrix[:, list(places)]
    dense = columns.toarray() if sparse.issparse(columns) else np.asarray(columns, float)
    present = np.where(np.isnan(dense), -1, dense > threshold).astype(np.int64)
    return [Categories(column, ("0", "1")) for column in present.T]


def most_telling(columns: Sequence[ColumnSummary]) -> list[str]:
    """The names of the columns that are compared with each other."""
    return [part.name for part in sorted_by_bits(columns)[:MOST_COLUMNS]]
