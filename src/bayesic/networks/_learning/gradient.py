"""Tables of a network from rows with gaps, by steps along the gradient.

    d ln P(D | w) / d w_ijk = sum over rows d of P(Y_i = j, parents of Y_i = k | d, w) / w_ijk

This is [Mitchell] eq. 6.25, from [Russell1995]. The sum is the count that EM expects, N_ijk, so the
gradient costs one E-step. The prior of the smoothing adds a_ijk / w_ijk.

A step goes along the gradient and then back to tables whose rows sum to 1. Dividing each row by its
sum would do that, but not lead to the maximum: w + eta N / w is proportional to w where w is
proportional to the square root of N, for any eta. So we take the nearest row that sums to 1, which
is what a projection of the gradient comes to. It stays where w is proportional to N.
"""

from typing import NamedTuple

import numpy as np

from bayesic.data.arguments import tell
from bayesic.kernels import Array
from bayesic.kernels.rounding import EPSILON
from bayesic.mixtures.em import climb
from bayesic.networks._learning.incomplete import Ascent, Objective, Tables

SMALLEST = 1e-12  # entry of a table: at 0 its gradient could not be computed any more
FIRST_RATE, LARGEST_RATE = 0.01, 1.0


class _Point(NamedTuple):
    tables: Tables
    counts: Tables  # expected there
    value: float
    rate: float  # to go on with


def gradient(counts: Tables, tables: Tables) -> Tables:
    """The derivative of the objective by each entry, from the counts expected under the tables.

    counts : expected counts, with pseudo-counts

    >>> gradient([np.array([3.0, 1.0])], [np.array([0.5, 0.5])])
    [array([6., 2.])]
    """
    return [of_family / table for of_family, table in zip(counts, tables, strict=True)]


def moved(counts: Tables, tables: Tables, learning_rate: float) -> Tables:
    """The tables after one step of the book, their rows summing to 1 again.

        w_ijk <- w_ijk + eta * gradient_ijk

    >>> moved([np.array([9.0, 1.0])], [np.array([0.5, 0.5])], learning_rate=0.01)
    [array([0.58, 0.42])]
    """
    slopes = gradient(counts, tables)
    return [
        nearest_shares(table + learning_rate * slope, SMALLEST)
        for table, slope in zip(tables, slopes, strict=True)
    ]


def stepped(counts: Tables, tables: Tables, rate: float) -> Tables:
    """The same with an eta of its own for each row of a table.

        w_ijk <- w_ijk + eta_ik * gradient_ijk,    eta_ik = rate / sum over j of N_ijk

    So rows of a table that few rows of data tell about learn as fast as others.

    >>> stepped([np.array([3.0, 1.0])], [np.array([0.5, 0.5])], rate=0.1)
    [array([0.55, 0.45])]
    """
    shares = []
    for of_family in counts:
        total = of_family.sum(axis=-1, keepdims=True)
        shares.append(np.divide(of_family, total, out=np.zeros_like(of_family), where=total > 0))
    return moved(shares, tables, rate)


def nearest_shares(points: Array, smallest: float) -> Array:
    """The nearest points whose coordinates are `smallest` or more and sum to 1.

        share_j = smallest + max(0, point_j - c),    c such that the shares sum to 1

    >>> nearest_shares(np.array([[0.7, 0.5], [2.0, 0.5]]), 0.0)
    array([[0.6, 0.4],
           [1. , 0. ]])
    """
    n_states = points.shape[-1]
    above = points - smallest
    falling = -np.sort(-above, axis=-1)
    # c if the largest one, the two largest, ... are above it
    left = np.cumsum(falling, axis=-1) - (1 - n_states * smallest)
    cuts = left / np.arange(1, n_states + 1)
    last = (falling > cuts).sum(axis=-1, keepdims=True) - 1
    cut = np.take_along_axis(cuts, last, axis=-1)
    return smallest + np.maximum(above - cut, 0.0)


def gradient_ascent(
    objective: Objective,
    start: Tables,
    max_iter: int,
    tol: float,
    learning_rate: float | None = None,
) -> Ascent:
    """Climb from these tables along the gradient; an entry of 0 becomes the smallest there is.

    learning_rate : eta of every step. The climb ends before a step that would lower the objective.
          None: such a step is taken again, a quarter as long, and after each step that was taken
          the next is twice as long
    tol : done where sum over j of N_ijk times w_ijk is N_ijk for all entries, up to this share of
          the rows: there EM would change nothing either

    The counts are those expected at the end. With a learning rate they are those of which the
    tables after the last step are the shares: as many rows as there are, drawn from these tables.
    """

    def step(at: _Point) -> _Point:
        if learning_rate is not None:
            tables = moved(objective.with_pseudo_counts(at.counts), at.tables, learning_rate)
            return _Point(tables, *objective.expect(tables), learning_rate)
        rate, counts = at.rate, objective.with_pseudo_counts(at.counts)
        while True:
            tables = stepped(counts, at.tables, rate)
            after = _Point(tables, *objective.expect(tables), min(2 * rate, LARGEST_RATE))
            if after.value >= at.value or rate < EPSILON:
                return after
            rate /= 4

    def settled(_: _Point, after: _Point, gain: float) -> bool:
        counts = objective.with_pseudo_counts(after.counts)
        return _largest_difference(counts, after.tables) <= tol * objective.total_weight

    above_zero = [nearest_shares(table, SMALLEST) for table in start]
    first = _Point(above_zero, *objective.expect(above_zero), FIRST_RATE)
    ascent = climb(first, lambda at: (at, at.value), step, max_iter, settled=settled)
    if learning_rate is None:
        return Ascent(ascent.state.counts, ascent.trace, ascent.converged)
    has_ended = len(ascent.trace) < max_iter or ascent.trace[0] < first.value
    if has_ended and not ascent.converged:
        tell(
            f"The log likelihood fell in a step: learning_rate={learning_rate!r} is too large. "
            "Use a smaller one, or None."
        )
    drawn = objective.counts_of(ascent.state.tables)
    return Ascent(drawn, ascent.trace, ascent.converged)


def _largest_difference(counts: Tables, tables: Tables) -> float:
    return max(
        float(np.abs(of_family - table * of_family.sum(axis=-1, keepdims=True)).max())
        for of_family, table in zip(counts, tables, strict=True)
    )
