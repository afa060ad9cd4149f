"""Counts of levels -> the share of each level in each class, smoothed with pseudo-counts.

    p(v | c) = (N_cv + a_v) / (N_c + A),   A = sum of a_v over the levels v

Smoothing is a choice of a_v: the same lambda for every level, or m times its share over all rows,
an equal share, or one that is given (given_shares.py).
"""

import math
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from bayesic.estimation.given_shares import GivenShares
from bayesic.kernels.leaving import left_at, log_shares, own_class, share_parts

Array = np.ndarray


class OneForAll:
    """A rule that treats levels of the same counts alike, whatever their names are."""

    def at(self, level: Any) -> Self:
        """The rule for the levels of these numbers."""
        return self

    def divides_among(self, level: Array) -> Array:
        """Whether each of these levels is one of those that pseudo-counts are divided among."""
        return np.ones(len(level), dtype=bool)


@dataclass(frozen=True)
class Lambda(OneForAll):
    """The same pseudo-count for every level ([LiHang] eq. 4.10): 1 is the Laplace correction."""

    amount: Any

    def pseudo_counts(self, total: Any, n_rows: Any, n_levels: Any) -> tuple[Any, Any]:
        """a_v = lambda, A = S lambda."""
        return self.amount + 0 * total, self.amount * n_levels

    def pseudo_count(self, shape: tuple[int, ...]) -> Any:
        """What is added to each cell of a table of a network, of any shape: lambda."""
        return self.amount


@dataclass(frozen=True)
class BDeu:
    """So many rows for each table of a network, spread evenly over its cells.

        a = ess / (q r)      for q combinations of states of the parents and r states

    Each row of the table gets ess / q rows, as by `UniformEstimate` ([KF] section 17.4, [Heckerman]
    section 5).
    """

    equivalent_sample_size: float

    def pseudo_count(self, shape: tuple[int, ...]) -> float:
        """What is added to each cell of a table of this shape."""
        return self.equivalent_sample_size / math.prod(shape)


@dataclass(frozen=True)
class MEstimate(OneForAll):
    """m rows divided among the levels by their shares over all classes ([Mitchell] section 6.9.1).

    The shares are Laplace's, p_v = (N_v + 1) / (N + S), so that a level never seen has one too.
    """

    amount: Any

    def pseudo_counts(self, total: Any, n_rows: Any, n_levels: Any) -> tuple[Any, Any]:
        """a_v = m p_v, A = m."""
        return self.amount * (total + 1) / (n_rows + n_levels), self.amount + 0 * n_levels


@dataclass(frozen=True)
class UniformEstimate(OneForAll):
    """m rows divided equally among the levels, p_v = 1 / S ([Mitchell] section 6.9.1)."""

    amount: Any

    def pseudo_counts(self, total: Any, n_rows: Any, n_levels: Any) -> tuple[Any, Any]:
        """a_v = m / S, A = m."""
        return self.amount / n_levels + 0 * total, self.amount + 0 * n_levels


# A rule gives pseudo-counts to levels that occur `total` times in n_rows rows of n_levels levels:
# arrays, or Fractions, if its amount is one. The amount is also how many rows a density gets that
# could be anywhere.
Smoothing = Lambda | MEstimate | UniformEstimate | GivenShares
TableSmoothing = Lambda | BDeu  # of the tables of a network


def smoothed_shares(counts: Array, pseudo_count: float) -> Array:
    """The share of each state in each row of a table: equal shares where there is nothing.

        p = (N_k + a) / (N + r a),    1 / r where N + r a = 0

    counts : (..., r)

    >>> smoothed_shares(np.array([[3, 1], [0, 0]]), pseudo_count=0)
    array([[0.75, 0.25],
           [0.5 , 0.5 ]])
    """
    n_states = counts.shape[-1]
    total = counts.sum(axis=-1, keepdims=True) + n_states * pseudo_count
    above, below = share_parts(counts + pseudo_count, total, n_states)
    return above / below


def smoothed_log_shares(table: Array, n_levels: int, rule: Smoothing) -> Array:
    """log p(v | c) for each level v and class c, and in the last row that of an unseen level.

    table : (n_levels_seen, n_classes); n_levels : S, how many levels the column has

    >>> np.exp(smoothed_log_shares(np.array([[2, 3], [3, 3], [1, 3]]), 3, Lambda(1.0))).round(4)
    array([[0.3333, 0.3333],
           [0.4444, 0.3333],
           [0.2222, 0.3333],
           [0.1111, 0.0833]])
    """
    counts = np.vstack([table, np.zeros((1, table.shape[1]), table.dtype)])
    total = counts.sum(axis=1)
    pseudo, all_pseudo = rule.pseudo_counts(total, total.sum(), max(n_levels, 1))
    observed = table.sum(axis=0) + float(all_pseudo)
    return log_shares(counts + pseudo[:, None], observed[None, :], max(n_levels, 1))


def log_shares_without(
    counts: Array,
    codes: Array,
    weights: Array,
    observed: Array,
    n_levels: int,
    shrinks: bool,
    rule: Smoothing,
) -> Array:
    """log p(v | c) for rows that are taken out of the counts first: (n_rows, n_classes).

    counts   : (n_rows, n_classes), how often the level of each row occurs in each class
    codes    : class of each row; weights : its weight
    observed : (n_classes,), sum of the counts over the levels
    shrinks  : whether a level that only this row has is a level no more without it
    """
    own = own_class(codes)
    rest = left_at(counts, own, weights)
    seen = left_at(np.broadcast_to(observed, rest.shape), own, weights)
    total = rest.sum(axis=1)
    levels = n_levels - (total == 0) if shrinks else np.full(len(codes), n_levels)
    levels = np.maximum(levels, 1)  # none is left: as if there was one
    pseudo, all_pseudo = rule.pseudo_counts(total, seen.sum(axis=1), levels)
    return log_shares(rest + pseudo[:, None], seen + all_pseudo[:, None], levels[:, None])
