# mypy: disallow-untyped-defs=False
"""Rows and centres in Numba: the same functions as `centres.py`. Shapes and names as there."""

import numpy as np

from bayesic.kernels.jit import jit

__all__ = [
    "nearest_centres",
    "squared_distances",
    "weighted_moments",
]

Array = np.ndarray

# There are no temporary arrays, and the fewer blocks the less is left to Python.
BLOCKS_AT_ONCE = 8


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
@jit(fastmath={"reassoc", "contract"})
def _squared_distance(row, centre):
    square = 0.0
    for feature in range(len(row)):
        step = row[feature] - centre[feature]
        square += step * step
    return square


@jit()
def _fill_squared_distances(values, centres, squares):
    for row in range(values.shape[0]):
        for k in range(centres.shape[0]):
            squares[k, row] = _squared_distance(values[row], centres[k])


@jit()
def _fill_nearest_centres(values, centres, weights, codes, count, steps):
    total = 0.0
    for row in range(values.shape[0]):
        nearest, least = 0, _squared_distance(values[row], centres[0])
        for k in range(1, centres.shape[0]):
            square = _squared_distance(values[row], centres[k])
            if square < least:
                nearest, least = k, square
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
