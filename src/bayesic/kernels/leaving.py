"""What is left of counts and of moments when a row leaves: the formulas of every leave-one-out.

A row of weight w takes w out of the N rows that have its level and out of the M rows of its class.
With a pseudo-counts for the level, and A for all S levels, the share of the level becomes

    p = (N - w + a) / (M - w + A),    1 / S where M - w + A = 0

and with s rows divided by a share that it leans on, p = (N - w + s share) / (M - w + s).

Of moments it takes its value x:

    n' = n - w,    mean' = mean + (mean - x) w / n',    scatter' = scatter - w n / n' (x - mean)^2

Where nothing is left the mean stays where it was, and the scatter is 0.

`left`, `share_parts`, `leaning`, `pull` and `scatter_left` are arithmetic alone, without a branch:
NumPy calls them with arrays, and `_compiled_leaving.py` compiles the same lines for numbers.
"""

import numpy as np

from bayesic.kernels import Array
from bayesic.kernels.rounding import EPSILON, ROUNDING


def left(total: Array, removed: Array | float) -> Array:
    """total - removed, for counts that hold what is removed: 0 where only rounding noise is left.

    Noise is small, and no whole number: whole counts are exact.

    >>> left(np.array([3.0, 0.3, 1e12]), np.array([1.0, 0.1 + 0.2, 1e12 - 1]))
    array([2., 0., 1.])
    """
    rest = total - removed
    some = (rest > ROUNDING * total) | ((rest > 0) & (rest == np.floor(rest)))
    return rest * some + 0.0


def left_at(counts: Array, at: tuple, removed: Array) -> Array:
    """The counts as float64, with something taken out of some of them: one for each row.

    at : the index of these counts, of which none comes twice

    >>> left_at(np.array([[2, 1], [2, 1]]), own_class(np.array([1, 0])), np.ones(2))
    array([[2., 0.],
           [1., 1.]])
    """
    rest = counts.astype(np.float64)
    rest[at] = left(rest[at], removed)
    return rest


def own_class(codes: Array) -> tuple[Array, Array]:
    """Where each row's own class stands in an array (n_rows, n_classes)."""
    return np.arange(len(codes)), codes


def share_parts(above: Array, below: Array, n_shares: Array | float) -> tuple[Array, Array]:
    """Numerator and denominator of shares; 1 and n_shares, equal shares, where both are 0."""
    none = below == 0
    return above + none, below + none * n_shares


def leaning(count: Array, total: Array, strength: Array | float, share: Array | float) -> Array:
    """(count + s share) / (total + s): s rows divided by a share that is known better.

    Where there is nothing else it is that share.

    >>> leaning(np.array([3.0, 0.0]), np.array([4.0, 0.0]), strength=2.0, share=0.25)
    array([0.58333333, 0.25      ])
    >>> leaning(np.array([3.0, 0.0]), np.array([4.0, 0.0]), strength=0.0, share=0.25)
    array([0.75, 0.25])
    """
    below = total + strength
    none = below == 0
    return (count + (strength + none) * share) / (below + none)


def log_shares(above: Array, below: Array, n_shares: Array | float) -> Array:
    """log(above / below), -inf for a share of nothing; log(1 / n_shares) where below is 0.

    >>> log_shares(np.array([1.0, 0.0, 0.0]), np.array([2.0, 2.0, 0.0]), 4).round(4)
    array([-0.6931,    -inf, -1.3863])
    """
    if not np.asarray(below).all():
        above, below = share_parts(above, below, n_shares)
    with np.errstate(divide="ignore"):
        return np.log(above) - np.log(below)


def pull(rest: Array, weight: Array | float) -> Array:
    """w / n': how far, in steps from the row to the mean, the mean moves on; 0 if nothing is left.

    The deviation of the row from the mean grows 1 + pull times, and the scatter loses weight times
    that of its square.
    """
    none = rest == 0
    return weight / (rest + none) * (1 - none)


def scatter_left(
    scatter: Array, lost: Array, step: Array, size: Array, own: Array | float = 0.0
) -> Array:
    """scatter - own - lost step^2: 0 where only rounding noise is left.

    step : a difference of numbers of this size
    own  : the scatter of what leaves, around its own mean; a row has none
    """
    off = 4 * EPSILON * size
    noise = 1e-14 * scatter + lost * off * (2 * abs(step) + off)
    rest = scatter - (own + lost * step * step)
    return np.maximum(rest, 0.0) * (rest > noise)


def moments_without(
    values: Array, removed: Array, count: Array, mean: Array, scatter: Array
) -> tuple[Array, Array, Array]:
    """Count, mean and scatter when each value has left, with its weight.

    >>> moments_without(np.array([4.0]), np.array([1.0]), np.array([2]), np.array([3.0]), 2.0)
    (array([1.]), array([2.]), array([0.]))
    """
    rest = left(np.broadcast_to(count, values.shape), removed)
    moved, step = pull(rest, removed), mean - values
    rest_scatter = scatter_left(scatter, removed * (1 + moved), step, np.abs(mean))
    return rest, mean + step * moved, np.where(rest > 0, rest_scatter, 0.0)
