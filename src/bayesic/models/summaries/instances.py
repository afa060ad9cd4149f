"""What models that keep the rows themselves tell of their columns."""

from collections.abc import Sequence

import numpy as np

from bayesic.evidence.column_table import ColumnTable
from bayesic.evidence.summary import ColumnSummary
from bayesic.models.events.densities import gaussian
from bayesic.models.summaries.events import event_summary
from bayesic.models.summaries.numbers import correlation_bits, moment_table
from bayesic.statistics.cross_moments import CrossMoments, cross_moments
from bayesic.statistics.instances import Instances
from bayesic.statistics.moments import class_moments
from bayesic.statistics.numbers import counts_of_columns

Array = np.ndarray


def class_column_summaries(
    names: Sequence[str], instances: Instances, n_classes: int
) -> list[ColumnSummary]:
    """Columns of rows with classes, as normal densities see them."""
    codes = instances.targets[:, 0]
    columns = dict(zip(names, np.ascontiguousarray(instances.values.T), strict=True))
    n_rows = float(max(instances.n_rows, 1))
    prior = np.bincount(codes, minlength=n_classes) / n_rows
    counts = counts_of_columns(columns, codes, n_classes)
    found = [
        event_summary(name, gaussian(counts[name]), counts[name], prior, n_rows) for name in names
    ]
    return [ColumnSummary(p.name, "number", p.n_values, p.bits, p.left_out) for p in found]


def target_column_summaries(names: Sequence[str], instances: Instances) -> list[ColumnSummary]:
    """Columns of rows with numbers to be predicted: what correlations tell of these."""
    moments = moments_of_rows(np.hstack([instances.values, instances.targets]))
    bits = correlation_bits(moments, instances.targets.shape[1]).tolist()
    return [
        ColumnSummary(name, "number", bits=told) for name, told in zip(names, bits, strict=True)
    ]


def moments_of_rows(values: Array) -> CrossMoments:
    """Means and cross-products of rows without classes."""
    return cross_moments(values, np.zeros(len(values), np.int64), 1)


def instance_table(
    name: str, names: Sequence[str], instances: Instances, classes: Sequence | None
) -> ColumnTable:
    """Mean and spread of a column: in each class, or of all rows."""
    values = instances.values[:, [list(names).index(name)]]
    codes = np.zeros(len(values), np.int64) if classes is None else instances.targets[:, 0]
    labels = ["all rows"] if classes is None else classes
    moments = class_moments(values, codes, len(labels)).per_class
    return moment_table(name, "number", labels, moments, 0)
