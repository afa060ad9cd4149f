"""The kernels in NumPy and SciPy: the specification that `_compiled.py` must match.

Each works on one block of rows. Shapes and names are the same throughout:

    values     : float64 (n_rows, n_features), C order; NaN means not observed
    categories : int64 (n_rows, n_features), C order; -1 means not observed
    codes      : intp (n_rows,), class numbers in [0, n_classes)
    weights    : float64 (n_rows,), or None for one each
"""

import numpy as np
from scipy import sparse

from bayesic.kernels import Array

__all__ = [
    "category_counts",
    "category_scores",
    "class_moments",
    "class_sums",
    "class_sums_of_entries",
    "gaussian_scores",
]

# How many blocks of rows a kernel takes at once when it counts: one, because of temporary arrays.
BLOCKS_AT_ONCE = 1


def class_sums(values: Array, codes: Array, weights: Array | None, n_classes: int) -> Array:
    """Sum of the rows of each class: float64 (n_classes, n_features).

        out[c, j] = sum over rows i of class c of  weight_i * values_ij

    A sparse indicator times the rows, which touches each row once and only its own class:
    a NaN in one class stays out of the others.
    """
    n_rows = len(codes)
    entries = np.ones(n_rows) if weights is None else weights
    indicator = sparse.csc_array((entries, codes, np.arange(n_rows + 1)), shape=(n_classes, n_rows))
    return indicator @ values


def class_sums_of_entries(
    stored: Array,
    columns: Array,
    entries: Array,
    codes: Array,
    weights: Array | None,
    n_classes: int,
    n_features: int,
) -> Array:
    """Sum of the stored entries of the rows of each class: float64 (n_classes, n_features).

    stored  : int (n_rows,), how many entries each row has, the rows' entries after one another
    columns : int (n_entries,), the feature of each entry
    entries : float64 (n_entries,)
    """
    cells = np.repeat(codes * n_features, stored) + columns
    if weights is not None:
        entries = entries * np.repeat(weights, stored)
    sums = np.bincount(cells, entries, minlength=n_classes * n_features)
    return sums.astype(np.float64, copy=False).reshape(n_classes, n_features)


def class_moments(
    values: Array, codes: Array, weights: Array | None, n_classes: int
) -> tuple[Array, Array, Array]:
    """Weight, mean and scatter of each feature in each class, all (n_classes, n_features).

        mean_cj = sum w_i x_ij / sum w_i        scatter_cj = sum w_i (x_ij - mean_cj)^2

    over the rows i of class c where x_ij is observed.
    """
    # two passes: the one-pass sum of squares loses all digits near 1e8. The first sums differences
    # from some value of the class, so that values that are all the same have no scatter at all.
    observed = ~np.isnan(values)
    some_value = _first_observed(values, observed, codes, n_classes)
    differences = np.where(observed, values - some_value[codes], 0.0)
    count = class_sums(observed.astype(np.float64), codes, weights, n_classes)
    sums = class_sums(differences, codes, weights, n_classes)
    mean = np.where(count > 0, some_value + sums / np.where(count > 0, count, 1.0), 0.0)
    deviations = np.where(observed, values - mean[codes], 0.0)
    deviations *= deviations
    return count, mean, class_sums(deviations, codes, weights, n_classes)


def _first_observed(values: Array, observed: Array, codes: Array, n_classes: int) -> Array:
    """The first value of each feature in each class, 0 where there is none."""
    first = np.zeros((n_classes, values.shape[1]))
    first_row = np.full(n_classes, -1)
    first_row[codes[::-1]] = np.arange(len(codes))[::-1]
    for c in np.flatnonzero(first_row >= 0):
        first[c] = values[first_row[c]]
        if not observed[first_row[c]].all():
            rows = np.flatnonzero(codes == c)
            place = observed[rows].argmax(axis=0)
            first[c] = np.nan_to_num(values[rows[place], np.arange(values.shape[1])])
    return first


def category_counts(
    categories: Array, codes: Array, weights: Array | None, first: Array, n_classes: int
) -> Array:
    """How often each category of each feature occurs in each class: (n_cells, n_classes).

    first : int64 (n_features + 1,), the row of the table where each feature's categories begin

        out[first_j + v, c] = sum over rows i of class c with categories_ij = v of  weight_i

    Counts are int64 without weights and float64 with them.
    """
    observed = categories >= 0
    cells = (categories + first[:-1]) * n_classes + codes[:, None]
    entry_weights = None
    if weights is not None:
        entry_weights = np.broadcast_to(weights[:, None], categories.shape)[observed]
    counts = np.bincount(cells[observed], entry_weights, minlength=first[-1] * n_classes)
    kind = np.int64 if weights is None else np.float64
    return counts.reshape(first[-1], n_classes).astype(kind, copy=False)


def category_scores(categories: Array, log_probability: Array, first: Array) -> Array:
    """Sum of the log probabilities of each row's categories: float64 (n_rows, n_classes).

    log_probability : float64 (n_cells, n_classes); each feature's last row serves unseen values
    first           : int64 (n_features + 1,), where each feature's rows begin in that table
    """
    scores = np.zeros((len(categories), log_probability.shape[1]))
    unseen = np.diff(first) - 1
    for feature in range(categories.shape[1]):
        column = categories[:, feature]
        terms = log_probability[first[feature] + np.minimum(column, unseen[feature])]
        terms[column < 0] = 0.0
        scores += terms
    return scores


def gaussian_scores(values: Array, mean: Array, variance: Array) -> Array:
    """Log density of each row under each class: float64 (n_rows, n_classes).

    score_ic = -1/2 sum over observed j of
               log(2 pi variance_cj) + (x_ij - mean_cj)^2 / variance_cj
    """
    log_norm = np.log(2 * np.pi * variance)
    precision = 1.0 / variance
    scores = np.empty((len(values), len(mean)))
    deviations = np.empty_like(values)
    with np.errstate(over="ignore", invalid="ignore"):  # too far to square: as far as can be
        for c in range(len(mean)):
            np.subtract(values, mean[c], out=deviations)
            deviations *= deviations
            scores[:, c] = deviations @ precision[c] + log_norm[c].sum()
        incomplete = np.isnan(scores[:, 0])
        if incomplete.any():
            rows = values[incomplete]
            for c in range(len(mean)):
                terms = (rows - mean[c]) ** 2 * precision[c] + log_norm[c]
                scores[incomplete, c] = np.nansum(terms, axis=1)
    return -0.5 * scores
