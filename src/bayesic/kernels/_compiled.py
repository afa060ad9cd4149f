"""The kernels in Numba: the same functions as `_reference.py`, faster. Shapes and names as there.

Serial over one block; threads run blocks side by side (`nogil`). `class_sums` is the
reference's: SciPy's compiled product already runs at the speed of memory.
"""

import math

import numpy as np

from bayesic.kernels import Array
from bayesic.kernels._jit import inner, jit
from bayesic.kernels._reference import class_sums

__all__ = [
    "category_counts",
    "category_scores",
    "class_moments",
    "class_sums",
    "class_sums_of_entries",
    "gaussian_scores",
]

# There are no temporary arrays, and the fewer blocks the fewer results to be put together.
BLOCKS_AT_ONCE = 16

# What is passed over twice should still be in the processor's cache the second time: 400 kB.
CELLS_IN_CACHE = 50_000


def class_sums_of_entries(
    stored: Array,
    columns: Array,
    entries: Array,
    codes: Array,
    weights: Array | None,
    n_classes: int,
    n_features: int,
) -> Array:
    sums = np.zeros((n_classes, n_features))
    weights = np.ones(len(stored)) if weights is None else weights
    _add_entries_by_class(stored, columns, entries, codes, weights, sums)
    return sums


@jit()
def _add_entries_by_class(stored, columns, entries, codes, weights, sums):
    entry = 0
    for row in range(len(stored)):
        c, weight = codes[row], weights[row]
        for _ in range(stored[row]):
            sums[c, columns[entry]] += weight * entries[entry]
            entry += 1


def class_moments(
    values: Array, codes: Array, weights: Array | None, n_classes: int
) -> tuple[Array, Array, Array]:
    n_rows, n_features = values.shape
    shape = (n_classes, n_features)
    total = np.zeros(shape), np.zeros(shape), np.zeros(shape)
    weights = np.ones(n_rows) if weights is None else weights
    rows_at_once = max(4 * n_classes, CELLS_IN_CACHE // n_features)
    arguments = values, codes, weights, rows_at_once, *total
    start = _add_moments_in_pieces(0, *arguments)
    while start < n_rows:  # there are gaps in the piece that begins here
        start = _add_moments_of_observed(start, *arguments)
        start = _add_moments_in_pieces(start, *arguments)
    return total


@jit()
def _add_moments_in_pieces(start, values, codes, weights, rows_at_once, count, mean, scatter):
    """Add the moments of pieces of rows, up to the first piece with gaps; where it begins."""
    while start < len(values):
        stop = start + rows_at_once
        complete, new_count, new_mean, new_scatter = _moments(
            values[start:stop], codes[start:stop], weights[start:stop], len(count)
        )
        if not complete:
            return start
        _merge_moments(count, mean, scatter, new_count, new_mean, new_scatter)
        start = stop
    return start


@jit()
def _add_moments_of_observed(start, values, codes, weights, rows_at_once, count, mean, scatter):
    """Add the moments of a piece with gaps; where the next one begins."""
    stop = start + rows_at_once
    moments = _moments_of_observed(
        values[start:stop], codes[start:stop], weights[start:stop], len(count)
    )
    _merge_moments(count, mean, scatter, *moments)
    return stop


# The arrays of a piece are made where they are filled: so the compiler knows that they do not
# overlap.
@inner
def _moments(values, codes, weights, n_classes):
    """Whether there are no gaps; then also weight, mean and scatter."""
    n_rows, n_features = values.shape
    shape = n_classes, n_features
    count, some_value, mean, scatter = (
        np.zeros(shape), np.zeros(shape), np.zeros(shape), np.zeros(shape)
    )  # fmt: skip
    seen = np.zeros(n_classes, dtype=np.bool_)
    for row in range(n_rows):
        c, weight = codes[row], weights[row]
        count[c, 0] += weight
        if not seen[c]:
            seen[c] = True
            for feature in range(n_features):
                some_value[c, feature] = values[row, feature]
        for feature in range(n_features):
            mean[c, feature] += weight * (values[row, feature] - some_value[c, feature])
    if not _is_finite(mean):
        return False, count, mean, scatter
    for c in range(n_classes):
        class_weight = count[c, 0]
        for feature in range(n_features):
            count[c, feature] = class_weight
            if class_weight > 0:
                mean[c, feature] = some_value[c, feature] + mean[c, feature] / class_weight
    for row in range(n_rows):
        c, weight = codes[row], weights[row]
        for feature in range(n_features):
            deviation = values[row, feature] - mean[c, feature]
            scatter[c, feature] += weight * (deviation * deviation)
    return True, count, mean, scatter


@inner
def _is_finite(table):
    total = 0.0
    for row in range(table.shape[0]):
        for column in range(table.shape[1]):
            total += table[row, column]
    return math.isfinite(total)


@inner
def _moments_of_observed(values, codes, weights, n_classes):
    """The same, leaving out NaN; an infinity shows as a mean that is not finite."""
    n_rows, n_features = values.shape
    shape = n_classes, n_features
    count, some_value, mean, scatter = (
        np.zeros(shape), np.zeros(shape), np.zeros(shape), np.zeros(shape)
    )  # fmt: skip
    seen = np.zeros(shape, dtype=np.bool_)
    for row in range(n_rows):
        c, weight = codes[row], weights[row]
        for feature in range(n_features):
            value = values[row, feature]
            if not math.isnan(value):
                if not seen[c, feature]:
                    seen[c, feature] = True
                    some_value[c, feature] = value
                count[c, feature] += weight
                mean[c, feature] += weight * (value - some_value[c, feature])
    for c in range(n_classes):
        for feature in range(n_features):
            if count[c, feature] > 0:
                mean[c, feature] = some_value[c, feature] + mean[c, feature] / count[c, feature]
    for row in range(n_rows):
        c, weight = codes[row], weights[row]
        for feature in range(n_features):
            deviation = values[row, feature] - mean[c, feature]
            if not math.isnan(deviation):
                scatter[c, feature] += weight * (deviation * deviation)
    return count, mean, scatter


@inner
def _merge_moments(count, mean, scatter, new_count, new_mean, new_scatter):
    """Add new moments to the first three arrays, in place ([Chan])."""
    for c in range(len(mean)):
        for feature in range(mean.shape[1]):
            new = new_count[c, feature]
            if new > 0:
                old = count[c, feature]
                step = new_mean[c, feature] - mean[c, feature]
                count[c, feature] = old + new
                mean[c, feature] += step * (new / (old + new))
                scatter[c, feature] += new_scatter[c, feature]
                scatter[c, feature] += step * step * (old * (new / (old + new)))


def category_counts(
    categories: Array, codes: Array, weights: Array | None, first: Array, n_classes: int
) -> Array:
    if weights is None:
        counts = np.zeros((first[-1], n_classes), dtype=np.int64)
        _count_categories(categories, codes, first, counts)
    else:
        counts = np.zeros((first[-1], n_classes))
        _weigh_categories(categories, codes, weights, first, counts)
    return counts


@jit()
def _count_categories(categories, codes, first, counts):
    for row in range(categories.shape[0]):
        c = codes[row]
        for feature in range(categories.shape[1]):
            category = categories[row, feature]
            if category >= 0:
                counts[first[feature] + category, c] += 1


@jit()
def _weigh_categories(categories, codes, weights, first, counts):
    for row in range(categories.shape[0]):
        c = codes[row]
        for feature in range(categories.shape[1]):
            category = categories[row, feature]
            if category >= 0:
                counts[first[feature] + category, c] += weights[row]


def category_scores(categories: Array, log_probability: Array, first: Array) -> Array:
    scores = np.zeros((len(categories), log_probability.shape[1]))
    _add_category_scores(categories, log_probability, first, scores)
    return scores


@jit()
def _add_category_scores(categories, log_probability, first, scores):
    for row in range(categories.shape[0]):
        for feature in range(categories.shape[1]):
            category = categories[row, feature]
            if category >= 0:
                cell = first[feature] + min(category, first[feature + 1] - first[feature] - 1)
                for c in range(scores.shape[1]):
                    scores[row, c] += log_probability[cell, c]


def gaussian_scores(values: Array, mean: Array, variance: Array) -> Array:
    scores = np.empty((len(values), len(mean)))
    log_norm = np.log(2 * np.pi * variance)
    _fill_gaussian_scores(values, mean, 1.0 / variance, log_norm, log_norm.sum(axis=1), scores)
    return scores


# "reassoc" lets the sum over the features run in vector registers. No other part of fastmath:
# infinities must stay what they are, and NaN must show.
@jit(fastmath={"reassoc", "contract"})
def _fill_gaussian_scores(values, mean, precision, log_norm, log_norm_sum, scores):
    for row in range(values.shape[0]):
        for c in range(mean.shape[0]):
            squares = 0.0
            for feature in range(values.shape[1]):
                deviation = values[row, feature] - mean[c, feature]
                squares += deviation * deviation * precision[c, feature]
            if math.isnan(squares):
                scores[row, c] = -0.5 * _sum_of_observed(
                    values[row], mean[c], precision[c], log_norm[c]
                )
            else:
                scores[row, c] = -0.5 * (log_norm_sum[c] + squares)


@inner
def _sum_of_observed(values, mean, precision, log_norm):
    total = 0.0
    for feature in range(len(values)):
        if not math.isnan(values[feature]):
            deviation = values[feature] - mean[feature]
            total += log_norm[feature] + deviation * deviation * precision[feature]
    return total
