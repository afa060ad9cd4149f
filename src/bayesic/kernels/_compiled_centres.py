# mypy: disallow-untyped-defs=False
"""Rows around centres in Numba: the same functions as `centres.py`. Shapes and names as there.

For products of features rows are worked on in groups that stay in the nearest memory, turned so
that each feature is one run of numbers. The loops over a group then run in vector registers.
"""

import numpy as np

from bayesic.kernels import Array
from bayesic.kernels._jit import inlined, inner, jit
from bayesic.kernels.centres import class_by_class

__all__ = [
    "class_scatter",
    "nearest_centres",
    "squared_distances",
    "weighted_moments",
    "weighted_scatter",
    "whitened_squares",
]

# There are no temporary arrays, and the fewer blocks the less is left to Python.
BLOCKS_AT_ONCE = 8
# Rows of a group. Groups whose runs begin a power of two apart would push each other out.
GROUP, WHITENED_GROUP, APART = 128, 64, 8
# Features are multiplied in squares of so many: their sums stay in registers.
TILE = 4


def squared_distances(values: Array, centres: Array) -> Array:
    squares = np.empty((len(centres), len(values)))
    _fill_squared_distances(values, centres, squares)
    return squares


def nearest_centres(
    values: Array, centres: Array, weights: Array
) -> tuple[Array, Array, Array, float]:
    codes = np.empty(len(values), np.int64)
    count, steps = np.zeros(len(centres)), np.zeros(centres.shape)
    total = _fill_nearest_centres(values, centres, weights, codes, count, steps)
    return codes, count, steps, total


# "reassoc" lets the sum over the features run in vector registers. No other part of fastmath:
# infinities must stay what they are.
IN_REGISTERS = {"reassoc", "contract"}


@inlined
def _squared_distance(values, row, centres, k):
    square = 0.0
    for feature in range(values.shape[1]):
        step = values[row, feature] - centres[k, feature]
        square += step * step
    return square


@inlined
def _two_squared_distances(values, row, centres, k):
    """Those of the centre and the next one: a row is read once for both."""
    first, second = 0.0, 0.0
    for feature in range(values.shape[1]):
        value = values[row, feature]
        step, other = value - centres[k, feature], value - centres[k + 1, feature]
        first += step * step
        second += other * other
    return first, second


@jit(fastmath=IN_REGISTERS)
def _fill_squared_distances(values, centres, squares):
    for row in range(values.shape[0]):
        for k in range(centres.shape[0]):
            squares[k, row] = _squared_distance(values, row, centres, k)


@jit(fastmath=IN_REGISTERS)
def _fill_nearest_centres(values, centres, weights, codes, count, steps):
    total, n_centres = 0.0, centres.shape[0]
    for row in range(values.shape[0]):
        nearest, least = 0, np.inf
        for k in range(0, n_centres - 1, 2):
            first, second = _two_squared_distances(values, row, centres, k)
            if first < least:
                nearest, least = k, first
            if second < least:
                nearest, least = k + 1, second
        if n_centres % 2:
            square = _squared_distance(values, row, centres, n_centres - 1)
            if square < least:
                nearest, least = n_centres - 1, square
        weight = weights[row]
        codes[row] = nearest
        count[nearest] += weight
        total += weight * least
        for feature in range(values.shape[1]):
            steps[nearest, feature] += weight * (values[row, feature] - centres[nearest, feature])
    return total


def weighted_moments(values: Array, centres: Array, shares: Array) -> tuple[Array, Array]:
    sums, squares = np.zeros(centres.shape), np.zeros(centres.shape)
    _add_weighted_moments(values, centres, shares, sums, squares)
    return sums, squares


@jit()
def _add_weighted_moments(values, centres, shares, sums, squares):
    for row in range(values.shape[0]):
        for k in range(centres.shape[0]):
            share = shares[k, row]
            if share == 0:
                continue
            for feature in range(values.shape[1]):
                step = values[row, feature] - centres[k, feature]
                sums[k, feature] += share * step
                squares[k, feature] += share * step * step


def weighted_scatter(values: Array, rows: Array, weights: Array) -> tuple[Array, Array]:
    n_features = values.shape[1]
    mean, scatter = np.empty(n_features), np.empty((n_features, n_features))
    _fill_weighted_scatter(np.ascontiguousarray(values), rows, weights, mean, scatter)
    return mean, scatter


@jit()
def _fill_weighted_scatter(values, rows, weights, mean, scatter):
    """Deviations from the mean of the first group, corrected at the end: one pass over the rows."""
    n_features = values.shape[1]
    n_tiled = (n_features + TILE - 1) // TILE * TILE
    steps, roots = np.zeros((n_tiled, GROUP + APART)), np.zeros(GROUP)
    sums, products = np.zeros(n_features), np.zeros((n_tiled, n_tiled))
    centre, total = np.zeros(n_features), 0.0
    for start in range(0, len(rows), GROUP):
        stop = min(len(rows), start + GROUP)
        group, its_weights = rows[start:stop], weights[start:stop]
        total = _add_group(values, group, its_weights, total, centre, steps, roots, sums, products)
    _finish(centre, sums, products, total, mean, scatter)


def class_scatter(
    values: Array, codes: Array, weights: Array, n_classes: int
) -> tuple[Array, Array]:
    if n_classes * GROUP > len(values):  # most of the memory for waiting rows would stay empty
        return class_by_class(weighted_scatter, values, codes, weights, n_classes)
    n_features = values.shape[1]
    mean = np.zeros((n_classes, n_features))
    scatter = np.zeros((n_classes, n_features, n_features))
    indices = np.arange(GROUP)
    _fill_class_scatter(np.ascontiguousarray(values), codes, weights, indices, mean, scatter)
    return mean, scatter


@jit()
def _fill_class_scatter(values, codes, weights, indices, mean, scatter):
    """The same for all classes: a row waits until its class has a group.

    So the rows are read in their order, which is faster than class by class.
    """
    n_classes, n_features = mean.shape
    n_tiled = (n_features + TILE - 1) // TILE * TILE
    steps, roots = np.zeros((n_tiled, GROUP + APART)), np.zeros(GROUP)
    sums, products = np.zeros((n_classes, n_features)), np.zeros((n_classes, n_tiled, n_tiled))
    centre, total = np.zeros((n_classes, n_features)), np.zeros(n_classes)
    waiting, its_weights = np.empty((n_classes, GROUP, n_features)), np.empty((n_classes, GROUP))
    n_waiting = np.zeros(n_classes, np.int64)
    n_rows = len(values)
    for row in range(n_rows + n_classes):  # at the end each class, however few wait
        c = codes[row] if row < n_rows else row - n_rows
        n_here = n_waiting[c]
        if row < n_rows and weights[row] > 0:
            its_weights[c, n_here] = weights[row]
            _copy(values[row], waiting[c, n_here])
            n_here += 1
        n_waiting[c] = n_here % GROUP
        if n_here == GROUP or (row >= n_rows and n_here > 0):
            group = indices[:n_here]
            total[c] = _add_group(
                waiting[c], group, its_weights[c], total[c],
                centre[c], steps, roots, sums[c], products[c],
            )  # fmt: skip
    for c in range(n_classes):
        if total[c] > 0:
            _finish(centre[c], sums[c], products[c], total[c], mean[c], scatter[c])


@jit()
def _copy(cells, out):
    for feature in range(len(cells)):
        out[feature] = cells[feature]


@jit()
def _add_group(values, rows, weights, total, centre, steps, roots, sums, products):
    """Add up to GROUP rows to the sums of a class; returns the weight of all rows so far."""
    if total == 0:
        _fill_mean(values, rows, weights, centre)
    for index in range(GROUP):
        weight = weights[index] if index < len(rows) else 0.0
        total += weight
        roots[index] = np.sqrt(weight)
    _fill_steps(values, rows, centre, roots, steps)
    _add_sums(steps, roots, sums)
    _add_products(steps, products)
    return total


@jit()
def _finish(centre, sums, products, total, mean, scatter):
    """Mean and scatter from the sums and products of deviations from the centre."""
    for i in range(len(centre)):
        residual = sums[i] / total
        mean[i] = centre[i] + residual
        for j in range(i + 1):
            scatter[i, j] = products[i, j] - residual * sums[j]
            scatter[j, i] = scatter[i, j]


@jit()
def _fill_mean(values, rows, weights, mean):
    total = 0.0
    for index in range(len(rows)):
        weight = weights[index]
        total += weight
        for feature in range(values.shape[1]):
            mean[feature] += weight * values[rows[index], feature]
    for feature in range(values.shape[1]):
        mean[feature] /= total


@inlined
def _fill_steps(values, rows, centre, roots, steps):
    """(x - centre) * root, one run a feature. Four rows at once: their numbers lie side by side."""
    n_fours = len(rows) // 4 * 4
    for index in range(0, n_fours, 4):
        x0, x1 = values[rows[index]], values[rows[index + 1]]
        x2, x3 = values[rows[index + 2]], values[rows[index + 3]]
        w0, w1, w2, w3 = roots[index], roots[index + 1], roots[index + 2], roots[index + 3]
        for feature in range(values.shape[1]):
            middle = centre[feature]
            steps[feature, index] = (x0[feature] - middle) * w0
            steps[feature, index + 1] = (x1[feature] - middle) * w1
            steps[feature, index + 2] = (x2[feature] - middle) * w2
            steps[feature, index + 3] = (x3[feature] - middle) * w3
    for index in range(n_fours, len(rows)):
        for feature in range(values.shape[1]):
            step = values[rows[index], feature] - centre[feature]
            steps[feature, index] = step * roots[index]
    for feature in range(len(steps)):
        for index in range(len(rows), GROUP):
            steps[feature, index] = 0.0


# "reassoc" lets the sums over a group run in vector registers.
@jit(fastmath=IN_REGISTERS)
def _add_sums(steps, roots, sums):
    for feature in range(len(sums)):
        run, total = steps[feature], 0.0
        for index in range(GROUP):
            total += run[index] * roots[index]
        sums[feature] += total


@jit(fastmath=IN_REGISTERS)
def _add_products(steps, products):
    """Add the sums of products of all pairs of features, the second not after the first's tile."""
    for i in range(0, len(products), TILE):
        a0, a1, a2, a3 = steps[i], steps[i + 1], steps[i + 2], steps[i + 3]
        for j in range(0, i + 1, TILE):
            b0, b1, b2, b3 = steps[j], steps[j + 1], steps[j + 2], steps[j + 3]
            s00 = s01 = s02 = s03 = s10 = s11 = s12 = s13 = 0.0
            s20 = s21 = s22 = s23 = s30 = s31 = s32 = s33 = 0.0
            for index in range(GROUP):
                p, q, r, s = a0[index], a1[index], a2[index], a3[index]
                w, x, y, z = b0[index], b1[index], b2[index], b3[index]
                s00, s01, s02, s03 = s00 + p * w, s01 + p * x, s02 + p * y, s03 + p * z
                s10, s11, s12, s13 = s10 + q * w, s11 + q * x, s12 + q * y, s13 + q * z
                s20, s21, s22, s23 = s20 + r * w, s21 + r * x, s22 + r * y, s23 + r * z
                s30, s31, s32, s33 = s30 + s * w, s31 + s * x, s32 + s * y, s33 + s * z
            _add_row(products[i], j, s00, s01, s02, s03)
            _add_row(products[i + 1], j, s10, s11, s12, s13)
            _add_row(products[i + 2], j, s20, s21, s22, s23)
            _add_row(products[i + 3], j, s30, s31, s32, s33)


@inner
def _add_row(row, first, s0, s1, s2, s3):
    row[first] += s0
    row[first + 1] += s1
    row[first + 2] += s2
    row[first + 3] += s3


def whitened_squares(values: Array, means: Array, whitening: Array) -> Array:
    squares = np.empty((len(means), len(values)))
    lower = np.ascontiguousarray(whitening.swapaxes(1, 2))
    _fill_whitened_squares(np.ascontiguousarray(values), means, lower, squares)
    return squares


@jit()
def _fill_whitened_squares(values, means, lower, squares):
    n_rows, n_features = values.shape
    features = np.zeros((n_features, WHITENED_GROUP + APART))
    steps = np.empty((n_features, WHITENED_GROUP + APART))
    total = np.empty(WHITENED_GROUP)
    for start in range(0, n_rows, WHITENED_GROUP):
        size = min(WHITENED_GROUP, n_rows - start)
        for row in range(size):
            for feature in range(n_features):
                features[feature, row] = values[start + row, feature]
        for c in range(len(means)):
            for feature in range(n_features):
                for row in range(WHITENED_GROUP):
                    steps[feature, row] = features[feature, row] - means[c, feature]
            _fill_squares_of_group(steps, lower[c], total)
            own = squares[c, start : start + size]
            for row in range(size):
                own[row] = total[row]


@jit(fastmath={"contract"})
def _fill_squares_of_group(steps, lower, total):
    """Sum over i of (sum over j up to i of L_ij step_j)^2, four j at once."""
    standard = np.empty(WHITENED_GROUP)
    total[:] = 0.0
    for i in range(len(lower)):
        standard[:] = 0.0
        n_fours = (i + 1) // 4 * 4
        for j in range(0, n_fours, 4):
            s0, s1, s2, s3 = steps[j], steps[j + 1], steps[j + 2], steps[j + 3]
            a, b, c, d = lower[i, j], lower[i, j + 1], lower[i, j + 2], lower[i, j + 3]
            for row in range(WHITENED_GROUP):
                standard[row] += a * s0[row] + b * s1[row] + c * s2[row] + d * s3[row]
        for j in range(n_fours, i + 1):
            run, a = steps[j], lower[i, j]
            for row in range(WHITENED_GROUP):
                standard[row] += a * run[row]
        for row in range(WHITENED_GROUP):
            total[row] += standard[row] * standard[row]
