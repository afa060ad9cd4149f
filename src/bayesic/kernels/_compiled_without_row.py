"""Leave-one-out in Numba: the same functions as `without_row.py`, faster.

Two shortcuts make it so, both exact to rounding: logarithms of what is nearly all left come from a
series, and a change of epsilon that is small next to the variances is followed to first order.
"""

import math
from typing import Any

import numpy as np

from bayesic.kernels import Array, without_row
from bayesic.kernels._compiled_leaving import left, pull, scatter_left
from bayesic.kernels._jit import inner, jit
from bayesic.kernels.rounding import SMALLEST_SHARE, TINY

__all__ = ["complement_without_row", "gaussian_without_row", "multinomial_without_row"]


# Below this share of what they are taken out of, logarithms of what is left come from a series.
NEARBY = 0.001

# The logarithm of a product of so many numbers between 1e-9 and 1e9 stands for their logarithms.
FACTORS_IN_ONE_LOGARITHM = 32


@jit(fastmath={"reassoc", "contract"})
def _sum_of_logs_nearby(values, row, weight, inverse, logs, c):
    """The sum of x log(a - w x), from 1 / a and log a, by the series of log(1 - u), u = w x / a.

    With u below NEARBY the terms left out are below 1e-15 u.
    """
    total = 0.0
    for feature in range(values.shape[1]):
        value = values[row, feature]
        share = weight * value * inverse[c, feature]
        change = share * (1 + share * (1 / 2 + share * (1 / 3 + share / 4)))
        total += value * (logs[c, feature] - change)
    return total


@inner
def _sum_of_logs(values, row, weight, counts, alpha, c, rest_total):
    """The same without the series, and how much of x has nothing left; 0 if the class has not."""
    total, gone = 0.0, 0.0
    for feature in range(values.shape[1]):
        value = values[row, feature]
        if value > 0 and rest_total > 0:
            rest = left(counts[c, feature], weight * value) + alpha[feature]
            if rest > 0:
                total += value * math.log(rest)
            else:
                gone += value
    return total, gone


@inner
def _sum_and_largest(values, row):
    total, largest = 0.0, 0.0
    for feature in range(values.shape[1]):
        total += values[row, feature]
        largest = max(largest, values[row, feature])
    return total, largest


def multinomial_without_row(
    block: Any, codes: Array, weights: Array, feature_count: Array, alpha: Array
) -> Array:
    if not isinstance(block, np.ndarray):
        return without_row.multinomial_without_row(block, codes, weights, feature_count, alpha)
    scores = np.empty(len(codes))
    tables = _smoothed_tables(feature_count, alpha)
    _fill_multinomial_without_row(block, codes, weights, feature_count, alpha, *tables, scores)
    return scores


def _smoothed_tables(counts: Array, alpha: Array) -> tuple[Array, Array, Array, Array, float]:
    """1 / (N + alpha), its log, sums of N and largest inverse of each class, the sum of alpha."""
    tables = np.empty_like(counts), np.empty_like(counts)
    of_classes = np.zeros(len(counts)), np.zeros(len(counts))
    return *tables, *of_classes, _fill_smoothed(counts, alpha, *tables, *of_classes)


@jit()
def _fill_smoothed(counts, alpha, inverse, logs, total, largest_inverse):
    for c in range(counts.shape[0]):
        for feature in range(counts.shape[1]):
            smoothed = counts[c, feature] + alpha[feature]
            inverse[c, feature] = 1.0 / smoothed
            logs[c, feature] = math.log(smoothed)
            total[c] += counts[c, feature]
            largest_inverse[c] = max(largest_inverse[c], inverse[c, feature])
    alpha_sum = 0.0
    for feature in range(len(alpha)):
        alpha_sum += alpha[feature]
    return alpha_sum


@jit()
def _fill_multinomial_without_row(
    values, codes, weights, feature_count, alpha, inverse, logs, total, largest_inverse, alpha_sum,
    scores,
):  # fmt: skip
    for row in range(values.shape[0]):
        c, weight = codes[row], weights[row]
        length, largest = _sum_and_largest(values, row)
        rest_total = left(total[c], weight * length) + alpha_sum
        if weight * largest * largest_inverse[c] < NEARBY:
            score = _sum_of_logs_nearby(values, row, weight, inverse, logs, c)
        else:
            score, gone = _sum_of_logs(values, row, weight, feature_count, alpha, c, rest_total)
            if gone > 0:
                score = -np.inf
        scores[row] = score - length * math.log(rest_total if rest_total > 0 else len(alpha))


def complement_without_row(
    block: Any, codes: Array, weights: Array, complement: Array, alpha: Array, norm: bool
) -> tuple[Array, Array]:
    if norm or not isinstance(block, np.ndarray):
        return without_row.complement_without_row(block, codes, weights, complement, alpha, norm)
    scores = np.empty((len(codes), len(complement)))
    boundless = np.zeros_like(scores)
    tables = _smoothed_tables(complement, alpha)
    _fill_complement_without_row(
        block, codes, weights, complement, alpha, *tables, scores, boundless
    )
    return scores, boundless


@jit()
def _fill_complement_without_row(
    values, codes, weights, complement, alpha, inverse, logs, total, largest_inverse, alpha_sum,
    scores, boundless,
):  # fmt: skip
    largest_of_all = 0.0
    for c in range(len(largest_inverse)):
        largest_of_all = max(largest_of_all, largest_inverse[c])
    for row in range(values.shape[0]):
        length, largest = _sum_and_largest(values, row)
        near = weights[row] * largest * largest_of_all < NEARBY
        for c in range(complement.shape[0]):
            weight = weights[row] if codes[row] != c else 0.0
            rest_total = left(total[c], weight * length) + alpha_sum
            if near:
                score = _sum_of_logs_nearby(values, row, weight, inverse, logs, c)
            else:
                score, boundless[row, c] = _sum_of_logs(
                    values, row, weight, complement, alpha, c, rest_total
                )
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
        return without_row.gaussian_without_row(
            values, codes, weights, per_class, overall, var_smoothing
        )
    scores = np.empty((len(values), len(mean)))
    all_count, all_mean, all_scatter = overall[0][0, 0], overall[1], overall[2]
    epsilon, variance = var_smoothing * all_scatter.max() / all_count, scatter / count
    precision, of_classes = np.empty_like(variance), np.zeros((2, len(variance)))
    largest_precision = _fill_precision(variance, epsilon, precision, *of_classes)
    _fill_gaussian_without_row(
        values, codes, weights, count[:, 0].copy(), mean, scatter, variance, epsilon,
        precision, *of_classes, largest_precision,
        all_count, all_mean, all_scatter, np.argsort(-all_scatter[0]), var_smoothing, scores,
    )  # fmt: skip
    return scores


@jit()
def _fill_precision(variance, epsilon, precision, log_variance, precision_sum):
    """1 / (variance + epsilon); its sum, and that of log(variance + epsilon), of each class."""
    largest_precision = 0.0
    for c in range(variance.shape[0]):
        for feature in range(variance.shape[1]):
            smoothed = _floored(variance[c, feature] + epsilon)
            precision[c, feature] = 1.0 / smoothed
            log_variance[c] += math.log(smoothed)
            precision_sum[c] += precision[c, feature]
            largest_precision = max(largest_precision, precision[c, feature])
    return largest_precision


@jit()
def _fill_gaussian_without_row(
    values, codes, weights, count, mean, scatter, variance, epsilon,
    precision, log_variance, precision_sum, largest_precision,
    all_count, all_mean, all_scatter, by_scatter, var_smoothing, scores,
):  # fmt: skip
    log_norm = values.shape[1] * math.log(2 * math.pi)
    for row in range(values.shape[0]):
        own, weight = codes[row], weights[row]
        rest, all_rest = left(count[own], weight), left(all_count, weight)
        new_epsilon = 0.0
        if all_rest > 0:
            largest = _largest_scatter_without(
                values, row, weight, all_rest, all_mean, all_scatter, by_scatter
            )
            new_epsilon = var_smoothing * largest / all_rest
        change = new_epsilon - epsilon
        near = abs(change) * largest_precision < 1e-9
        for c in range(len(mean)):
            if c == own:
                continue
            if near:
                # log v and 1 / v to first order in the change of v: below 1e-18 is left out
                score = _squares_nearby(values, row, mean, precision, c, change)
                score += log_variance[c] + change * precision_sum[c]
            else:
                score = _squares_and_logs(values, row, mean, variance, c, new_epsilon)
            scores[row, c] = -0.5 * (score + log_norm)
        if rest > 0:
            score = _score_without(values, row, weight, rest, mean, scatter, own, new_epsilon)
        elif all_rest > 0:  # the class is empty without the row: it takes after all rows
            score = _score_without(
                values, row, weight, all_rest, all_mean, all_scatter, 0, new_epsilon
            )
        else:
            score = 0.0
            for feature in range(values.shape[1]):
                score += (values[row, feature] - all_mean[0, feature]) ** 2
        scores[row, own] = -0.5 * (score + log_norm)


@inner
def _largest_scatter_without(values, row, weight, rest, mean, scatter, by_scatter):
    lost = weight * (1 + pull(rest, weight))
    largest = 0.0
    index = 0
    # from the largest on: what is left can only be less
    while index < len(by_scatter) and scatter[0, by_scatter[index]] > largest:
        feature = by_scatter[index]
        centre = mean[0, feature]
        step = values[row, feature] - centre
        largest = max(largest, scatter_left(scatter[0, feature], lost, step, abs(centre)))
        index += 1
    return largest


@jit(fastmath={"reassoc", "contract"})
def _score_without(values, row, weight, rest, mean, scatter, c, epsilon):
    """Squares and logs of a row under the moments that are left when it is taken away."""
    stretch, inverse = 1 + pull(rest, weight), 1 / rest
    lost = weight * stretch
    squares, logs = 0.0, 0.0
    for start in range(0, values.shape[1], FACTORS_IN_ONE_LOGARITHM):
        stop = min(values.shape[1], start + FACTORS_IN_ONE_LOGARITHM)
        product, n_odd = 1.0, 0
        for feature in range(start, stop):
            centre = mean[c, feature]
            step = values[row, feature] - centre
            rest_scatter = scatter_left(scatter[c, feature], lost, step, abs(centre))
            variance = _floored(rest_scatter * inverse + epsilon)
            squares += (stretch * step) * (stretch * step) / variance
            product *= variance
            n_odd += (variance < 1e-9) | (variance > 1e9)
        if n_odd == 0:
            logs += math.log(product)
            continue
        for feature in range(start, stop):
            centre = mean[c, feature]
            step = values[row, feature] - centre
            rest_scatter = scatter_left(scatter[c, feature], lost, step, abs(centre))
            logs += math.log(_floored(rest_scatter * inverse + epsilon))
    return squares + logs


@jit(inline="always")
def _floored(variance):
    return 1.0 if variance == 0 else max(variance, TINY)


@jit(fastmath={"reassoc", "contract"})
def _squares_nearby(values, row, mean, precision, c, change):
    squares, slope = 0.0, 0.0
    for feature in range(values.shape[1]):
        deviation = values[row, feature] - mean[c, feature]
        square = deviation * deviation * precision[c, feature]
        squares += square
        slope += square * precision[c, feature]
    return squares - change * slope


@inner
def _squares_and_logs(values, row, mean, variance, c, epsilon):
    total = 0.0
    for feature in range(values.shape[1]):
        deviation = values[row, feature] - mean[c, feature]
        smoothed = _floored(variance[c, feature] + epsilon)
        total += deviation * deviation / smoothed + math.log(smoothed)
    return total
