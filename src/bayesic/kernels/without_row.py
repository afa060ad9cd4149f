"""Leave-one-out in NumPy: learned rows, each taken out of the statistics before it is scored.

Names and shapes as in `_reference.py`. Counts may come dense or as
CSR: arithmetic on the `values` of the cells of a dense block has the shape of the block, on those
of a CSR block the shape of its stored entries.
"""

from typing import Any, Protocol

import numpy as np
from scipy import sparse

from bayesic.kernels import Array
from bayesic.kernels.leaving import left, log_shares, moments_without, own_class, share_parts
from bayesic.kernels.rounding import floored_variance

# `category_without_row` and `presence_without_row` serve odd weights only, and have no twin
__all__ = ["complement_without_row", "gaussian_without_row", "multinomial_without_row"]


class _Cells(Protocol):
    """What both kinds of blocks offer."""

    values: Array

    def of_rows(self, numbers: Array) -> Array:
        """numbers[row] for each cell."""

    def of_features(self, numbers: Array) -> Array:
        """numbers[feature] for each cell."""

    def of_class(self, table: Array, codes: Array) -> Array:
        """table[codes[row], feature] for each cell."""

    def sum_rows(self, terms: Array) -> Array:
        """Sum of these terms, one for each cell, over the cells of each row."""


class _DenseCells:
    """All cells of a dense block."""

    def __init__(self, block: Array) -> None:
        self.values = block

    def of_rows(self, numbers: Array) -> Array:
        return numbers[:, None]

    def of_features(self, numbers: Array) -> Array:
        return numbers

    def of_class(self, table: Array, codes: Array) -> Array:
        return table[codes]

    def sum_rows(self, terms: Array) -> Array:
        return np.broadcast_to(terms, self.values.shape).sum(axis=1)


class _SparseCells:
    """The stored cells of a CSR block."""

    def __init__(self, block: sparse.csr_array) -> None:
        self.values = block.data
        self.row = np.repeat(np.arange(block.shape[0]), np.diff(block.indptr))
        self.feature = block.indices
        self.n_rows = block.shape[0]

    def of_rows(self, numbers: Array) -> Array:
        return numbers[self.row]

    def of_features(self, numbers: Array) -> Array:
        return numbers[self.feature]

    def of_class(self, table: Array, codes: Array) -> Array:
        return table[codes[self.row], self.feature]

    def sum_rows(self, terms: Array) -> Array:
        return np.bincount(self.row, terms, minlength=self.n_rows)


def _cells_of(block: Any) -> _Cells:
    """The cells of a dense or CSR block.

    >>> dense = np.array([[0.0, 2.0], [1.0, 3.0]])
    >>> for block in (dense, sparse.csr_array(dense)):
    ...     cells = _cells_of(block)
    ...     print(cells.sum_rows(cells.values * cells.of_features(np.array([10.0, 1.0]))))
    [ 2. 13.]
    [ 2. 13.]
    """
    return _SparseCells(block) if sparse.issparse(block) else _DenseCells(block)


def multinomial_without_row(
    block: Array | sparse.csr_array,
    codes: Array,
    weights: Array,
    feature_count: Array,
    alpha: Array,
) -> Array:
    """Score of each row in its own class, its counts x taken out: float64 (n_rows,).

        sum over t of x_t log((T_ct - w x_t + alpha_t) / sum over u of (T_cu - w x_u + alpha_u))

    block         : counts, dense or CSR
    feature_count : float64 (n_classes, n_features); alpha : float64 (n_features,)
    """
    cells = _cells_of(block)
    removed = cells.values * cells.of_rows(weights)
    rest = left(cells.of_class(feature_count, codes), removed) + cells.of_features(alpha)
    total = left(feature_count.sum(axis=1)[codes], cells.sum_rows(removed)) + alpha.sum()
    logs = log_shares(rest, cells.of_rows(total), len(alpha))
    return cells.sum_rows(times_log(cells.values, logs))


def complement_without_row(
    block: Array | sparse.csr_array,
    codes: Array,
    weights: Array,
    complement: Array,
    alpha: Array,
    norm: bool,
) -> tuple[Array, Array]:
    """Scores of each row under each class, its counts taken out of the other classes' complements.

    complement : float64 (n_classes, n_features), counts of all other classes

    Returns the finite part of the scores, and how much of a row weighs +inf, both
    (n_rows, n_classes).
    """
    cells = _cells_of(block)
    scores = np.empty((len(codes), len(complement)))
    boundless = np.empty_like(scores)
    for c in range(len(complement)):
        removed = cells.values * cells.of_rows(weights * (codes != c))
        scores[:, c], boundless[:, c] = _complement_scores(
            cells, removed, complement[c], alpha, norm
        )
    return scores, boundless


def _complement_scores(
    cells: _Cells, removed: Array, complement: Array, alpha: Array, norm: bool
) -> tuple[Array, Array]:
    smoothed = complement + alpha
    n_features = len(alpha)
    rest = left(cells.of_features(complement), removed) + cells.of_features(alpha)
    total = left(complement.sum(), cells.sum_rows(removed)) + alpha.sum()
    length, some = cells.sum_rows(cells.values), total > 0
    rest, _ = share_parts(rest, cells.of_rows(total), n_features)
    _, total = share_parts(total, total, n_features)
    log_rest, log_total = _finite_log(rest), np.log(total)
    scores = length * log_total - cells.sum_rows(cells.values * log_rest)
    gone = rest == 0
    if not norm:
        return scores, cells.sum_rows(cells.values * gone)
    log_smoothed = _finite_log(smoothed)
    log_change = cells.sum_rows(log_rest - cells.of_features(log_smoothed))
    weight_sum = n_features * log_total - log_smoothed.sum() - log_change
    n_gone = (smoothed == 0).sum() + cells.sum_rows(gone & (removed > 0))
    equal = (weight_sum == 0) | ~some
    normalised = np.where(equal, length / n_features, scores / np.where(equal, 1.0, weight_sum))
    in_the_limit = cells.sum_rows(cells.values * gone) / np.maximum(n_gone, 1)
    return np.where((n_gone > 0) & some, in_the_limit, normalised), np.zeros_like(scores)


def presence_without_row(
    present: Array,
    missing: Array | None,
    codes: Array,
    weights: Array,
    present_count: Array,
    absent_count: Array,
    alpha: Array,
) -> Array:
    """Score of each row in its own class, the row taken out of its counts: float64 (n_rows,).

    present, missing            : float64 (n_rows, n_features), how far each is; None if none is
    present_count, absent_count : float64 (n_classes, n_features); alpha : float64 (n_features,)
    """
    absent = 1.0 - present if missing is None else 1.0 - present - missing
    smoothed_present = left(present_count[codes], present * weights[:, None]) + alpha
    smoothed_absent = left(absent_count[codes], absent * weights[:, None]) + alpha
    total = smoothed_present + smoothed_absent
    terms = times_log(present, log_shares(smoothed_present, total, 2))
    return (terms + times_log(absent, log_shares(smoothed_absent, total, 2))).sum(axis=1)


def category_without_row(
    categories: Array,
    codes: Array,
    weights: Array,
    table: Array,
    first: Array,
    observed: Array,
    n_categories: Array,
    alpha: float,
) -> Array:
    """Score of each row in its own class, the row taken out of its counts: float64 (n_rows,).

    table        : float64 (n_cells, n_classes), counts; first : where each feature begins
    observed     : float64 (n_features, n_classes), the sum of each feature's counts
    n_categories : int64 (n_features,), how many categories each feature has
    """
    known = categories >= 0
    # one row more, for what is not in the table: codes not observed, or of rows of weight 0
    table_and_zero = np.vstack([table, np.zeros_like(table, shape=(1, table.shape[1]))])
    inside = known & (categories < np.diff(first))
    cells = np.where(inside, first[:-1] + categories, len(table))
    removed = known * weights[:, None]
    rest = left(table_and_zero[cells, codes[:, None]], removed) + alpha
    total = left(observed.T[codes], removed) + n_categories * alpha
    logs = log_shares(rest, total, np.maximum(n_categories, 1))
    return np.where(known, logs, 0.0).sum(axis=1)


def gaussian_without_row(
    values: Array,
    codes: Array,
    weights: Array,
    per_class: tuple[Array, Array, Array],
    overall: tuple[Array, Array, Array],
    var_smoothing: float,
) -> Array:
    """Log density of each row under each class, the row taken out of the moments.

    per_class : count, mean and scatter of each feature in each class
    overall   : the same over all rows, (1, n_features)

    The row leaves its own class, which gets a new mean and variance, and all rows together, from
    which every class gets a new epsilon.
    """
    observed = ~np.isnan(values)
    filled = np.where(observed, values, 0.0)
    removed = observed * weights[:, None]
    all_count, all_mean, all_scatter = moments_without(filled, removed, *overall)
    all_variance = _variance(all_count, all_scatter)
    epsilon = var_smoothing * all_variance.max(axis=1, keepdims=True)
    count, mean, scatter = per_class
    variance = _variance(count, scatter)
    own_count, own_mean, own_scatter = moments_without(
        filled, removed, count[codes], mean[codes], scatter[codes]
    )
    own = own_count, own_mean, _variance(own_count, own_scatter)

    def log_density(count: Array, mean: Array, variance: Array) -> Array:
        if not count.all():
            mean = np.where(count > 0, mean, all_mean)
            variance = np.where(count > 0, variance, all_variance)
        variance = floored_variance(variance + epsilon, all_variance)
        with np.errstate(over="ignore"):
            terms = (filled - mean) ** 2 / variance + np.log(variance)
        return np.where(observed, terms, 0.0).sum(axis=1)

    scores = np.stack(
        [log_density(count[c], mean[c], variance[c]) for c in range(len(count))], axis=1
    )
    scores[own_class(codes)] = log_density(*own)
    return -0.5 * (scores + np.log(2 * np.pi) * observed.sum(axis=1, keepdims=True))


def _variance(count: Array, scatter: Array) -> Array:
    return np.divide(scatter, count, out=np.zeros_like(scatter), where=count > 0)


def _finite_log(numbers: Array) -> Array:
    """The logarithm, and 0 where it would be -inf."""
    return np.log(np.where(numbers == 0, 1.0, numbers))


def times_log(count: Array, log_probability: Array) -> Array:
    """count * log_probability, where nothing times log 0 is nothing.

    >>> times_log(np.array([0.0, 2.0]), np.array([-np.inf, -1.0]))
    array([ 0., -2.])
    """
    with np.errstate(invalid="ignore"):
        return np.where(count == 0, 0.0, count * log_probability)
