"""The kernels in NumPy and SciPy: the specification that `compiled.py` must match.

Each works on one block of rows. Shapes and names are the same throughout:

    values     : float64 (n_rows, n_features), C order; NaN means not observed
    categories : int64 (n_rows, n_features), C order; -1 means not observed
    codes      : intp (n_rows,), class numbers in [0, n_classes)
    weights    : float64 (n_rows,), or None for one each
"""

import numpy as np
from scipy import sparse

from bayesic.kernels.cells import Cells, cells_of

Array = np.ndarray

# Sums of fractions leave noise behind when all of them are taken away again: this share of the sum.
ROUNDING = 1e-10

EPSILON = np.finfo(np.float64).eps
TINY = np.finfo(np.float64).tiny

# Least variance of a class, as a share of the variance over all rows: rounding is far below it.
SMALLEST_SHARE = 2.0**-80


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


def class_moments(
    values: Array, codes: Array, weights: Array | None, n_classes: int
) -> tuple[Array, Array, Array]:
    """Weight, mean and scatter of each feature in each class, all (n_classes, n_features).

        mean_cj = sum w_i x_ij / sum w_i        scatter_cj = sum w_i (x_ij - mean_cj)^2

    over the rows i of class c where x_ij is observed.
    """
    # two passes: the one-pass sum of squares loses all digits near 1e8
    sums = class_sums(values, codes, weights, n_classes)
    if np.isfinite(sums).all():
        class_weight = np.bincount(codes, weights, minlength=n_classes).astype(np.float64)
        count = np.repeat(class_weight[:, None], values.shape[1], axis=1)
    else:
        observed = ~np.isnan(values)
        count = class_sums(observed.astype(np.float64), codes, weights, n_classes)
        sums = class_sums(np.where(observed, values, 0.0), codes, weights, n_classes)
    divisor = np.where(count > 0, count, 1.0)
    mean = sums / divisor
    deviations = values - mean[codes]
    if np.isnan(deviations.sum()):
        deviations = np.nan_to_num(deviations, posinf=np.inf, neginf=-np.inf)
    # the mean was rounded: what the deviations still sum to corrects it, and the scatter with it
    residual = class_sums(deviations, codes, weights, n_classes) / divisor
    deviations *= deviations
    scatter = class_sums(deviations, codes, weights, n_classes) - count * residual * residual
    return count, mean + residual, np.maximum(scatter, 0.0)


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


# leave-one-out: learned rows, each taken out of the statistics before it is scored --------------


def left(total: Array, removed: Array | float) -> Array:
    """total - removed, for counts that hold what is removed: 0 where only rounding noise is left.

    >>> left(np.array([3.0, 0.3]), np.array([1.0, 0.1 + 0.2]))
    array([2., 0.])
    """
    rest = total - removed
    return np.where(rest <= ROUNDING * total, 0.0, rest)


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
    cells = cells_of(block)
    removed = cells.values * cells.of_rows(weights)
    rest = left(cells.of_class(feature_count, codes), removed) + cells.of_features(alpha)
    total = left((feature_count + alpha).sum(axis=1)[codes], cells.sum_rows(removed))
    # where nothing is left of the class all features are equally likely
    some = total > 0
    log_total = np.log(np.where(some, total, len(alpha)))
    log_rest = _log(np.where(cells.of_rows(some), rest, 1.0))
    logs = cells.sum_rows(_times_log(cells.values, log_rest))
    return logs - cells.sum_rows(cells.values) * log_total


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
    cells = cells_of(block)
    scores = np.empty((len(codes), len(complement)))
    boundless = np.empty_like(scores)
    for c in range(len(complement)):
        removed = cells.values * cells.of_rows(weights * (codes != c))
        scores[:, c], boundless[:, c] = _complement_scores(
            cells, removed, complement[c], alpha, norm
        )
    return scores, boundless


def _complement_scores(
    cells: Cells, removed: Array, complement: Array, alpha: Array, norm: bool
) -> tuple[Array, Array]:
    smoothed = complement + alpha
    n_features = len(alpha)
    rest = left(cells.of_features(complement), removed) + cells.of_features(alpha)
    total = left(smoothed.sum(), cells.sum_rows(removed))
    length = cells.sum_rows(cells.values)
    # where nothing is left of the complement all features weigh the same
    some = total > 0
    log_total = np.log(np.where(some, total, n_features))
    log_rest = _finite_log(np.where(cells.of_rows(some), rest, 1.0))
    scores = length * log_total - cells.sum_rows(cells.values * log_rest)
    gone = (rest == 0) & cells.of_rows(some)
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
    nothing = total == 0
    terms = _times_log(present, _log(np.where(nothing, 0.5, smoothed_present)))
    terms += _times_log(absent, _log(np.where(nothing, 0.5, smoothed_absent)))
    terms -= (present + absent) * np.log(np.where(nothing, 1.0, total))
    return terms.sum(axis=1)


def category_without_row(
    categories: Array,
    codes: Array,
    weights: Array,
    table: Array,
    first: Array,
    n_categories: Array,
    alpha: float,
) -> Array:
    """Score of each row in its own class, the row taken out of its counts: float64 (n_rows,).

    table        : float64 (n_cells, n_classes), counts; first : where each feature begins
    n_categories : int64 (n_features,), how many categories each feature has
    """
    known = categories >= 0
    # one row more, for what is not in the table: codes not observed, or of rows of weight 0
    table_and_zero = np.vstack([table, np.zeros_like(table, shape=(1, table.shape[1]))])
    inside = known & (categories < np.diff(first))
    cells = np.where(inside, first[:-1] + categories, len(table))
    removed = known * weights[:, None]
    rest = left(table_and_zero[cells, codes[:, None]], removed) + alpha
    total = left(observed_in_class(table, first).T[codes], removed) + n_categories * alpha
    some = total > 0
    shares = np.where(some, rest / np.where(some, total, 1.0), 1 / np.maximum(n_categories, 1))
    return np.where(known, _log(shares), 0.0).sum(axis=1)


def observed_in_class(table: Array, first: Array) -> Array:
    """How many rows of each class show each feature: (n_features, n_classes)."""
    some = np.diff(first) > 0
    sums = np.zeros((len(some), table.shape[1]), table.dtype)
    if some.any():
        sums[some] = np.add.reduceat(table, first[:-1][some], axis=0)
    return sums


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
    known = np.where(observed, values, 0.0)
    removed = observed * weights[:, None]
    _, all_mean, all_variance = _without(known, removed, *overall)
    epsilon = var_smoothing * all_variance.max(axis=1, keepdims=True)
    count, mean, scatter = per_class
    variance = np.divide(scatter, count, out=np.zeros_like(scatter), where=count > 0)
    own = _without(known, removed, count[codes], mean[codes], scatter[codes])

    def log_density(count: Array, mean: Array, variance: Array) -> Array:
        if not count.all():
            mean = np.where(count > 0, mean, all_mean)
            variance = np.where(count > 0, variance, all_variance)
        variance = floored_variance(variance + epsilon, all_variance)
        with np.errstate(over="ignore"):
            terms = (known - mean) ** 2 / variance + np.log(variance)
        return np.where(observed, terms, 0.0).sum(axis=1)

    scores = np.stack(
        [log_density(count[c], mean[c], variance[c]) for c in range(len(count))], axis=1
    )
    scores[np.arange(len(codes)), codes] = log_density(*own)
    return -0.5 * (scores + np.log(2 * np.pi) * observed.sum(axis=1, keepdims=True))


def floored_variance(variance: Array, overall: Array) -> Array:
    """The variance of a class, at least the smallest share of the variance over all rows.

    A class whose values are all the same has a density without bound: with this floor it stays a
    number, and rounding does not decide. A feature that is the same in all rows tells nothing:
    variance 1, for every class.
    """
    floored = np.maximum(variance, np.maximum(SMALLEST_SHARE * overall, TINY))
    return np.where((variance == 0) & (overall == 0), 1.0, floored)


def _without(
    known: Array, removed: Array, count: Array, mean: Array, scatter: Array
) -> tuple[Array, Array, Array]:
    """Count, mean and variance after taking away each value with its weight."""
    rest = left(np.broadcast_to(count, known.shape), removed)
    some = rest > 0
    share = np.divide(removed, rest, out=np.zeros_like(rest), where=some)
    step = mean - known
    weight = removed * (1 + share)
    rest_scatter = scatter - weight * step * step
    noise = scatter_noise(scatter, weight, step, np.abs(mean))
    rest_scatter = np.where(rest_scatter <= noise, 0.0, rest_scatter)
    variance = np.divide(rest_scatter, rest, out=np.zeros_like(rest), where=some)
    return rest, mean + step * share, variance


def scatter_noise(scatter: Array, weight: Array, step: Array, size: Array) -> Array:
    """How far rounding may have put off: scatter - weight step^2, where step is a difference of
    numbers of this size.
    """
    off = 4 * EPSILON * size
    return 1e-14 * scatter + weight * off * (2 * np.abs(step) + off)


def _log(numbers: Array) -> Array:
    with np.errstate(divide="ignore"):
        return np.log(numbers)


def _finite_log(numbers: Array) -> Array:
    """The logarithm, and 0 where it would be -inf."""
    return np.log(np.where(numbers == 0, 1.0, numbers))


def _times_log(count: Array, log_probability: Array) -> Array:
    """count * log_probability, where nothing times log 0 is nothing."""
    with np.errstate(invalid="ignore"):
        return np.where(count == 0, 0.0, count * log_probability)
