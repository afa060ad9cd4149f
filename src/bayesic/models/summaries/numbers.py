"""Numeric columns: means and spreads by class, correlations, and bits about the class."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from bayesic.data.typing import Label
from bayesic.estimation.information import normal_information
from bayesic.evidence.column_table import ColumnTable, Record, whole
from bayesic.evidence.summary import ColumnSummary
from bayesic.kernels import Array
from bayesic.statistics.cross_moments import CrossMoments
from bayesic.statistics.moments import Moments


def normal_summaries(
    names: Sequence[str], kind: str, mean: Array, variance: Array, prior: Array
) -> list[ColumnSummary]:
    """Columns that are normally distributed in each class; arrays (n_classes, n_features)."""
    bits = normal_information(mean, variance, prior).tolist()
    return [ColumnSummary(name, kind, bits=told) for name, told in zip(names, bits, strict=True)]


def class_records(
    classes: Sequence[Label],
    count: Array,
    mean: Array,
    deviation: Array,
    group: str = "class",
    **more: Any,
) -> tuple[Record, ...]:
    """How many rows of each class were observed, their mean and standard deviation."""
    return tuple(
        {
            group: label,
            "observed": whole(count[number]),
            "mean": mean[number].item(),
            "standard_deviation": deviation[number].item(),
            **{name: numbers[number].item() for name, numbers in more.items()},
        }
        for number, label in enumerate(classes)
    )


def moment_table(
    name: str, kind: str, classes: Sequence[Label], moments: Moments, place: int, **more: Any
) -> ColumnTable:
    """The column at this place among the features, from its moments in each class."""
    deviation = np.sqrt(moments.variance()[:, place])
    numbers = moments.count[:, place], moments.mean[:, place], deviation
    return ColumnTable(name, kind, classes=class_records(classes, *numbers, **more))


def _correlation_records(
    names: Sequence[str], classes: Sequence[Label], covariances: Array, place: int
) -> tuple[Record, ...]:
    """The correlations of a column with all others in each class.

    covariances : (n_classes, n_features, n_features)
    """
    variances = np.einsum("cii->ci", covariances)
    product = np.sqrt(variances * variances[:, [place]])
    nothing = np.zeros_like(product)
    found = np.divide(covariances[:, place], product, out=nothing, where=product > 0)
    return tuple(
        {"column": other, "correlations": dict(zip(classes, found[:, at].tolist(), strict=True))}
        for at, other in enumerate(names)
        if at != place
    )


def correlated_table(
    names: Sequence[str],
    classes: Sequence[Label],
    moments: CrossMoments,
    variance: Array,
    place: int,
) -> ColumnTable:
    """The column at this place: its moments, its variance in the model, and its correlations."""
    own, features = variance[:, place], moments.class_moments.per_class
    table = moment_table(names[place], "number", classes, features, place, model_variance=own)
    return replace(table, others=_correlation_records(names, classes, moments.scatter, place))


def correlation_bits(moments: CrossMoments, n_targets: int) -> Array:
    """Bits that each feature gives about numeric targets, under a normal density.

        I(X_j; Y) = -1/2 log2 (1 - R_j^2)

    R_j^2 is the share of the variance of feature j that the targets, which are the last of the
    columns, explain: with one target the squared correlation.
    """
    scatter = moments.scatter.sum(axis=0)
    n_features = len(scatter) - n_targets
    own = np.diagonal(scatter)[:n_features]
    between = scatter[:n_features, n_features:]
    explained = np.einsum(
        "jt,ts,js->j", between, np.linalg.pinv(scatter[n_features:, n_features:]), between
    )
    share = np.divide(explained, own, out=np.zeros_like(own), where=own > 0)
    return np.maximum(-0.5 * np.log2(np.maximum(1.0 - share, np.finfo(np.float64).eps)), 0.0)
