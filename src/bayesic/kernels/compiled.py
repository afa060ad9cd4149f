"""The kernels in Numba: the same functions as `reference.py`, faster. Shapes and names as there.

Serial over one block; threads run blocks side by side (`nogil`). Some are taken over as they are:
`class_sums`, because SciPy's compiled product already runs at the speed of memory, and the two
leave-one-out kernels that serve odd weights only.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numba import njit

from bayesic.kernels import reference
from bayesic.kernels.reference import (
    EPSILON,
    ROUNDING,
    SMALLEST_SHARE,
    TINY,
    category_without_row,
    class_sums,
    presence_without_row,
)

__all__ = [
    "category_counts",
    "category_scores",
    "category_without_row",
    "class_moments",
    "class_sums",
    "complement_without_row",
    "gaussian_scores",
    "gaussian_without_row",
    "multinomial_without_row",
    "presence_without_row",
]

Array = np.ndarray

# What is passed over twice should still be in the processor's cache the second time: 400 kB.
CELLS_IN_CACHE = 50_000


def jit(**options: Any) -> Callable:
    """One policy for all kernels: release the lock, keep the machine code for the next process.

    Numba refuses to decorate when no cache directory can be written; then we go without a cache.
    """

    def decorate(function: Callable) -> Callable:
        try:
            return njit(nogil=True, error_model="numpy", cache=True, **options)(function)
        except RuntimeError:
            return njit(nogil=True, error_model="numpy", **options)(function)

    return decorate


def class_moments(
    values: Array, codes: Array, weights: Array | None, n_classes: int
) -> tuple[Array, Array, Array]:
    n_rows, n_features = values.shape
    shape = (n_classes, n_features)
    total = np.zeros(shape), np.zeros(shape), np.zeros(shape)
    weights = np.ones(n_rows) if weights is None else weights
    rows_at_once = max(4 * n_classes, CELLS_IN_CACHE // n_features)
    _add_moments_in_pieces(values, codes, weights, rows_at_once, *total)
    return total


@jit()
def _add_moments_in_pieces(values, codes, weights, rows_at_once, count, mean, scatter):
    for start in range(0, len(values), rows_at_once):
        piece = slice(start, start + rows_at_once)
        new_count, new_mean, new_scatter = _moments(
            values[piece], codes[piece], weights[piece], len(mean)
        )
        _merge_moments(count, mean, scatter, new_count, new_mean, new_scatter)


@jit()
def _moments(values, codes, weights, n_classes):
    n_rows, n_features = values.shape
    count = np.zeros((n_classes, n_features))
    mean = np.zeros((n_classes, n_features))
    residual = np.zeros((n_classes, n_features))
    scatter = np.zeros((n_classes, n_features))
    class_weight = np.zeros(n_classes)
    for row in range(n_rows):
        c, weight = codes[row], weights[row]
        class_weight[c] += weight
        for feature in range(n_features):
            mean[c, feature] += weight * values[row, feature]
    complete = np.isfinite(mean.sum())
    if complete:
        for c in range(n_classes):
            count[c] = class_weight[c]
    else:
        _sum_observed(values, codes, weights, count, mean)
    _divide(mean, count)
    for row in range(n_rows):
        c, weight = codes[row], weights[row]
        for feature in range(n_features):
            deviation = values[row, feature] - mean[c, feature]
            if complete or not math.isnan(deviation):
                residual[c, feature] += weight * deviation
                scatter[c, feature] += weight * (deviation * deviation)
    _divide(residual, count)
    return count, mean + residual, np.maximum(scatter - count * residual * residual, 0.0)


@jit()
def _sum_observed(values, codes, weights, count, sums):
    """Fill count and sums with what is not NaN."""
    count[:] = 0.0
    sums[:] = 0.0
    for row in range(values.shape[0]):
        c = codes[row]
        for feature in range(values.shape[1]):
            if not math.isnan(values[row, feature]):
                count[c, feature] += weights[row]
                sums[c, feature] += weights[row] * values[row, feature]


@jit()
def _divide(sums, count):
    for c in range(sums.shape[0]):
        for feature in range(sums.shape[1]):
            if count[c, feature] > 0:
                sums[c, feature] /= count[c, feature]


@jit()
def _merge_moments(count, mean, scatter, new_count, new_mean, new_scatter):
    """Add new moments to the first three arrays, in place ([Chan] eq. 2.1)."""
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


@jit()
def _sum_of_observed(values, mean, precision, log_norm):
    total = 0.0
    for feature in range(len(values)):
        if not math.isnan(values[feature]):
            deviation = values[feature] - mean[feature]
            total += log_norm[feature] + deviation * deviation * precision[feature]
    return total


# leave-one-out ----------------------------------------------------------------------------------

# Below this share of what they are taken out of, logarithms of what is left come from a series.
NEARBY = 0.001

# The logarithm of a product of so many numbers between 1e-18 and 1e18 stands for their logarithms.
FACTORS_IN_ONE_LOGARITHM = 16


@jit()
def _left(total, removed):
    rest = total - removed
    return rest if rest > ROUNDING * total else 0.0


@jit(fastmath={"reassoc", "contract"})
def _sum_of_logs_nearby(values, weight, inverse, logs):
    """The sum of x log(a - w x), from 1 / a and log a, by the series of log(1 - u), u = w x / a.

    With u below NEARBY the terms left out are below 1e-15 u.
    """
    total = 0.0
    for feature in range(len(values)):
        share = weight * values[feature] * inverse[feature]
        change = share * (1 + share * (1 / 2 + share * (1 / 3 + share / 4)))
        total += values[feature] * (logs[feature] - change)
    return total


@jit()
def _largest(values):
    largest = 0.0
    for value in values:
        largest = max(largest, value)
    return largest


def multinomial_without_row(
    block: Any, codes: Array, weights: Array, feature_count: Array, alpha: Array
) -> Array:
    if not isinstance(block, np.ndarray):
        return reference.multinomial_without_row(block, codes, weights, feature_count, alpha)
    scores = np.empty(len(codes))
    _fill_multinomial_without_row(block, codes, weights, feature_count, alpha, scores)
    return scores


@jit()
def _fill_multinomial_without_row(values, codes, weights, feature_count, alpha, scores):
    smoothed = feature_count + alpha
    total = smoothed.sum(axis=1)
    inverse, logs = 1.0 / smoothed, np.log(smoothed)
    for row in range(values.shape[0]):
        c, weight = codes[row], weights[row]
        length = values[row].sum()
        rest_total = _left(total[c], weight * length)
        if weight * _largest(values[row]) * inverse[c].max() < NEARBY:
            score = _sum_of_logs_nearby(values[row], weight, inverse[c], logs[c])
        else:
            score = 0.0
            for feature in range(values.shape[1]):
                value = values[row, feature]
                if value > 0 and rest_total > 0:
                    rest = _left(feature_count[c, feature], weight * value) + alpha[feature]
                    score += value * math.log(rest)
        scores[row] = score - length * math.log(rest_total if rest_total > 0 else len(alpha))


def complement_without_row(
    block: Any, codes: Array, weights: Array, complement: Array, alpha: Array, norm: bool
) -> tuple[Array, Array]:
    if norm or not isinstance(block, np.ndarray):
        return reference.complement_without_row(block, codes, weights, complement, alpha, norm)
    scores = np.empty((len(codes), len(complement)))
    boundless = np.zeros_like(scores)
    _fill_complement_without_row(block, codes, weights, complement, alpha, scores, boundless)
    return scores, boundless


@jit()
def _fill_complement_without_row(values, codes, weights, complement, alpha, scores, boundless):
    smoothed = complement + alpha
    total = smoothed.sum(axis=1)
    inverse, logs = 1.0 / smoothed, np.log(smoothed)
    largest_inverse = inverse.max()
    for row in range(values.shape[0]):
        length = values[row].sum()
        near = weights[row] * _largest(values[row]) * largest_inverse < NEARBY
        for c in range(complement.shape[0]):
            weight = weights[row] if codes[row] != c else 0.0
            rest_total = _left(total[c], weight * length)
            if near:
                score = _sum_of_logs_nearby(values[row], weight, inverse[c], logs[c])
            else:
                score = 0.0
                for feature in range(values.shape[1]):
                    value = values[row, feature]
                    if value > 0 and rest_total > 0:
                        rest = _left(complement[c, feature], weight * value) + alpha[feature]
                        if rest > 0:
                            score += value * math.log(rest)
                        else:
                            boundless[row, c] += value
            scores[row, c] = length * math.log(rest_total if rest_total > 0 else len(alpha)) - score


def gaussian_without_row(
    values: Array,
    codes: Array,
    weights: Array,
    per_class: tuple[Array, Array, Array],
    overall: tuple[Array, Array, Array],
    var_smoothing: float,
) -> Array:
    count, mean, scatter = per_class
    gaps = np.isnan(values.sum()) or not (count > 0).all() or np.ptp(count, axis=1).any()
    if gaps or var_smoothing < SMALLEST_SHARE:
        return reference.gaussian_without_row(
            values, codes, weights, per_class, overall, var_smoothing
        )
    scores = np.empty((len(values), len(mean)))
    _fill_gaussian_without_row(
        values, codes, weights, count[:, 0].copy(), mean, scatter, scatter / count,
        overall[0][0, 0], overall[1][0], overall[2][0], var_smoothing, scores,
    )  # fmt: skip
    return scores


@jit()
def _fill_gaussian_without_row(
    values, codes, weights, count, mean, scatter, variance,
    all_count, all_mean, all_scatter, var_smoothing, scores,
):  # fmt: skip
    epsilon = var_smoothing * all_scatter.max() / all_count
    smoothed = variance + epsilon
    smoothed = np.where(smoothed == 0, 1.0, np.maximum(smoothed, TINY))
    precision, log_variance = 1.0 / smoothed, np.log(smoothed).sum(axis=1)
    largest_precision, precision_sum = precision.max(), precision.sum(axis=1)
    log_norm = values.shape[1] * math.log(2 * math.pi)
    by_scatter = np.argsort(-all_scatter)
    for row in range(values.shape[0]):
        own, weight = codes[row], weights[row]
        rest, all_rest = _left(count[own], weight), _left(all_count, weight)
        new_epsilon = 0.0
        if all_rest > 0:
            largest = _largest_scatter_without(
                values[row], weight, all_rest, all_mean, all_scatter, by_scatter
            )
            new_epsilon = var_smoothing * largest / all_rest
        change = new_epsilon - epsilon
        near = abs(change) * largest_precision < 1e-9
        for c in range(len(mean)):
            if c == own:
                continue
            if near:
                # log v and 1 / v to first order in the change of v: below 1e-18 is left out
                score = _squares_nearby(values[row], mean[c], precision[c], change)
                score += log_variance[c] + change * precision_sum[c]
            else:
                score = _squares_and_logs(values[row], mean[c], variance[c], new_epsilon)
            scores[row, c] = -0.5 * (score + log_norm)
        if rest > 0:
            score = _score_without(values[row], weight, rest, mean[own], scatter[own], new_epsilon)
        elif all_rest > 0:  # the class is empty without the row: it takes after all rows
            score = _score_without(
                values[row], weight, all_rest, all_mean, all_scatter, new_epsilon
            )
        else:
            score = ((values[row] - all_mean) ** 2).sum()
        scores[row, own] = -0.5 * (score + log_norm)


@jit(inline="always")
def _scatter_left(scatter, weight, step, size):
    off = 4 * EPSILON * size
    noise = 1e-14 * scatter + weight * off * (2 * abs(step) + off)
    rest = scatter - weight * step * step
    return rest if rest > noise else 0.0


@jit()
def _largest_scatter_without(values, weight, rest, mean, scatter, by_scatter):
    weight = weight * (1 + weight / rest)
    largest = 0.0
    for feature in by_scatter:  # from the largest on: what is left can only be less
        if scatter[feature] <= largest:
            break
        step = values[feature] - mean[feature]
        largest = max(largest, _scatter_left(scatter[feature], weight, step, abs(mean[feature])))
    return largest


@jit(fastmath={"reassoc", "contract"})
def _score_without(values, weight, rest, mean, scatter, epsilon):
    """Squares and logs of a row under the moments that are left when it is taken away."""
    stretch, inverse = 1 + weight / rest, 1 / rest
    weight = weight * stretch
    squares, logs = 0.0, 0.0
    for start in range(0, len(values), FACTORS_IN_ONE_LOGARITHM):
        stop = min(len(values), start + FACTORS_IN_ONE_LOGARITHM)
        product, n_odd = 1.0, 0
        for feature in range(start, stop):
            step = values[feature] - mean[feature]
            rest_scatter = _scatter_left(scatter[feature], weight, step, abs(mean[feature]))
            variance = _floored(rest_scatter * inverse + epsilon)
            squares += (stretch * step) * (stretch * step) / variance
            product *= variance
            n_odd += (variance < 1e-18) | (variance > 1e18)
        if n_odd == 0:
            logs += math.log(product)
            continue
        for feature in range(start, stop):
            step = values[feature] - mean[feature]
            rest_scatter = _scatter_left(scatter[feature], weight, step, abs(mean[feature]))
            logs += math.log(_floored(rest_scatter * inverse + epsilon))
    return squares + logs


@jit(inline="always")
def _floored(variance):
    return 1.0 if variance == 0 else max(variance, TINY)


@jit(fastmath={"reassoc", "contract"})
def _squares_nearby(values, mean, precision, change):
    squares, slope = 0.0, 0.0
    for feature in range(len(values)):
        deviation = values[feature] - mean[feature]
        square = deviation * deviation * precision[feature]
        squares += square
        slope += square * precision[feature]
    return squares - change * slope


@jit()
def _squares_and_logs(values, mean, variance, epsilon):
    total = 0.0
    for feature in range(len(values)):
        deviation = values[feature] - mean[feature]
        smoothed = _floored(variance[feature] + epsilon)
        total += deviation * deviation / smoothed + math.log(smoothed)
    return total
