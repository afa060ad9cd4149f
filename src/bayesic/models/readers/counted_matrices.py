"""Numbers that are added up where they are: an engine gives their sums by class, not the rows.

Only of tables whose rows have no order, such as those of Spark and of databases: sums of fractions
depend on the order in the last bits. Of others rows are read, and the same bits come each time.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from bayesic.data.matrices import is_whole
from bayesic.data.source import Stored
from bayesic.kernels import Array
from bayesic.models.readers.counted_tables import Counting, counted_at_source
from bayesic.models.readers.reader import Counted, CountsStored
from bayesic.statistics.additive import placed, remaining, whole_if_exact
from bayesic.statistics.features import LARGEST_COUNT, FeatureCounts, PresenceCounts
from bayesic.statistics.moments import LARGEST_VALUE, ClassMoments, Moments, without_noise

# Of one query. From 60 on Spark took longer than its partitions do. PostgreSQL gives at most 1,664
# numbers at once.
MOST_SUMS_OF_SPARK, MOST_SUMS = 50, 1_600


def added_at_source(
    model: CountsStored,
    source: Stored,
    target: str,
    count: Callable[[Counting], Counted],
    n_sums: int,
) -> Counted | None:
    """Classes and statistics by the engine of a lazy table; None if its rows must be read.

    n_sums : how many sums of each column are asked for
    """
    if source.path is not None or source.has_order:
        return None
    n_columns = len(model._reader().features) or len(source.names) - 1
    most = MOST_SUMS_OF_SPARK if source.is_spark else MOST_SUMS
    return counted_at_source(model, source, target, count) if n_columns * n_sums <= most else None


def added_counts(table: Counting) -> Counted:
    """The statistics of `feature_counts`."""
    classes, class_count, (sums, least) = _by_class(table, ["sum", "least"])
    if (least < 0).any() or not (sums <= LARGEST_COUNT).all():
        raise ValueError("Counts must be 0 or more, and not too large to be added up.")
    if is_whole(table.first.dtype):
        sums = whole_if_exact(sums)
    return classes, FeatureCounts(class_count, sums)


def added_presence(table: Counting, threshold: float | None) -> Counted:
    """The statistics of `presence_counts`."""
    asked = ["sum" if threshold is None else "above", "count", "least", "most"]
    classes, class_count, (present, observed, least, most) = _by_class(table, asked, threshold or 0)
    low, high = (0.0, 1.0) if threshold is None else (-np.finfo(float).max, np.finfo(float).max)
    if (least < low).any() or (most > high).any():
        raise ValueError("Numbers must be finite, and without a threshold from 0 to 1.")
    if threshold is not None or is_whole(table.first.dtype):
        present = whole_if_exact(present)
    absent = remaining(whole_if_exact(observed), present)
    return classes, PresenceCounts(class_count, present, absent)


def added_moments(table: Counting) -> Counted:
    """The statistics of `class_moments`."""
    classes, class_count, (count, mean, variance) = _by_class(table, ["count", "mean", "variance"])
    some = count > 0
    mean, scatter = np.where(some, mean, 0.0), np.where(some, variance * count, 0.0)
    if not ((np.abs(mean) <= LARGEST_VALUE).all() and np.isfinite(scatter).all()):
        raise ValueError("Numbers must be finite, and their squares as well.")
    moments = Moments(count, mean, without_noise(count, mean, scatter))
    return classes, ClassMoments(class_count, moments)


def _by_class(
    table: Counting, asked: Sequence[str], above: float = 0.0
) -> tuple[Any, Array, list[Array]]:
    """The classes, rows of each, and all that is asked for: (n_classes, n_features) each."""
    names = table.reader.features
    if not set(names) <= set(table.names):
        raise ValueError("Columns that are not there have no sums.")
    found = table.rows.class_sums(table.target, names, asked, above)
    _, classes, codes = table.labelled(found.table)
    if len(np.unique(codes)) < len(codes):
        raise ValueError("A class must be written in one way.")
    class_count, *sums = (
        placed(numbers, codes, len(classes))
        for numbers in (found.times, *(found.of[what] for what in asked))
    )
    return classes, class_count, sums
