"""Counts -> shares and their logarithms, smoothed with pseudo-counts.

    p(v | c) = (N_cv + a_v) / (N_c + A),   A = sum of a_v over the levels v

Smoothing is a choice of a_v: the same lambda for every level (also called `alpha`), or m times its
share over all rows, an equal share, or a given one,

    p(v | c) = (N_cv + m p_v) / (N_c + m)        [Mitchell] eq. 6.22

where levels that are not named share equally what the others leave: p_v = (1 - sum of the named) /
U for each of the U levels that occur and are not named.

Everywhere a_v = 0 is the limit of a_v going to 0: plain relative frequencies, -inf for the
logarithm of a share of 0, and equal shares where all counts are 0.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from bayesic.kernels import Array
from bayesic.kernels.leaving import left, left_at, log_shares, own_class, share_parts

# Given shares such as 0.333 add up to about 1 only: a smaller remainder counts as 0.
_ROUNDED = 1e-9

Number = Any  # a float, a Fraction, or an array of floats


class OneForAll:
    """A rule that depends on the counts of the levels and not on their names."""

    def at(self, level: int | slice | Array) -> Self:
        """The rule for the levels with these indices."""
        return self

    def divides_among(self, level: Array) -> Array:
        """Whether each of these levels shares the pseudo-counts that are not given by name."""
        return np.ones(len(level), dtype=bool)


@dataclass(frozen=True)
class Lambda(OneForAll):
    """The same pseudo-count for every level ([LiHang] eq. 4.10): 1 is the Laplace correction."""

    amount: Number

    def pseudo_counts(
        self, total: Number, n_rows: Number, n_levels: Number
    ) -> tuple[Number, Number]:
        """a_v = lambda, A = S lambda."""
        return self.amount + 0 * total, self.amount * n_levels

    def pseudo_count(self, shape: tuple[int, ...]) -> Number:
        """The pseudo-count of each cell of a table of a network, of any shape: lambda."""
        return self.amount


@dataclass(frozen=True)
class BDeu:
    """A number of pseudo-rows for each table of a network, spread evenly over its cells.

        a = ess / (q r)      for q combinations of states of the parents and r states

    Each row of the table gets ess / q rows, as by `UniformEstimate` ([KF] section 17.4, [Heckerman]
    section 5).
    """

    equivalent_sample_size: float

    def pseudo_count(self, shape: tuple[int, ...]) -> float:
        """The pseudo-count of each cell of a table of this shape."""
        return self.equivalent_sample_size / math.prod(shape)


@dataclass(frozen=True)
class MEstimate(OneForAll):
    """m rows divided among the levels by their shares over all classes ([Mitchell] section 6.9.1).

    The shares are Laplace's, p_v = (N_v + 1) / (N + S), so that a level never seen has one too.
    """

    amount: Number

    def pseudo_counts(
        self, total: Number, n_rows: Number, n_levels: Number
    ) -> tuple[Number, Number]:
        """a_v = m p_v, A = m."""
        return self.amount * (total + 1) / (n_rows + n_levels), self.amount + 0 * n_levels


@dataclass(frozen=True)
class UniformEstimate(OneForAll):
    """m rows divided equally among the levels, p_v = 1 / S ([Mitchell] section 6.9.1)."""

    amount: Number

    def pseudo_counts(
        self, total: Number, n_rows: Number, n_levels: Number
    ) -> tuple[Number, Number]:
        """a_v = m / S, A = m."""
        return self.amount / n_levels + 0 * total, self.amount + 0 * n_levels


@dataclass(frozen=True)
class BackOff(OneForAll):
    """s pseudo-rows, divided by the shares given one parent less; see `back_off.py`.

    The amount is None until it is chosen.
    """

    amount: Number

    def pseudo_counts(
        self, total: Number, n_rows: Number, n_levels: Number
    ) -> tuple[Number, Number]:
        """a_v = s / S, A = s: those of a column without parents."""
        return UniformEstimate(self.amount).pseudo_counts(total, n_rows, n_levels)


@dataclass(frozen=True, eq=False)
class GivenShares:
    """m pseudo-rows divided among the levels of one column, and a level that was never seen.

    `at` gives the rule for some of the levels.
    """

    amount: Number  # m
    given: Mapping[str, Number]  # p of the named levels
    share: Number  # (n_levels + 1,), p of each level, 0 if it is not named
    named: Number  # (n_levels + 1,), 1 for a named level, else 0
    n_named: int  # number of named levels

    def at(self, level: int | slice | Array) -> "GivenShares":
        """The rule for the levels with these indices."""
        return replace(self, share=self.share[level], named=self.named[level])

    def divides_among(self, level: Array) -> Array:
        """Whether each of these levels is unnamed: those share what is not given."""
        return self.named[level] == 0

    def pseudo_counts(
        self, total: Number, n_rows: Number, n_levels: Number
    ) -> tuple[Number, Number]:
        """a_v = m p_v, A = m; n_levels counts the named levels and those that occur besides."""
        n_others = n_levels - self.n_named
        n_others = n_others + (n_others < 1) * (1 - n_others)  # at least 1, also for fractions
        of_each = not_given(self.given) / n_others
        return self.amount * (self.share + (1 - self.named) * of_each), self.amount + 0 * n_levels


@dataclass(frozen=True)
class GivenEstimate:
    """`GivenShares` before the levels are known: m, and the share of each level by its name."""

    amount: Number
    given: Mapping[str, float]
    where: str = "smoothing"  # the argument, for messages

    def of_levels(self, levels: Sequence[str]) -> GivenShares:
        """The rule for these levels, each of which occurs or is named.

        >>> rule = GivenEstimate(2.0, {"sun": 0.5}).of_levels(("rain", "snow", "sun"))
        >>> rule.pseudo_counts(0, 0, 3)[0]  # the last for a level never seen
        array([0.5, 0.5, 1. , 0.5])
        """
        others = [level for level in levels if level not in self.given]
        if others and not not_given(self.given):
            raise ValueError(
                f"{self.where} gives p that sum to 1 and leaves nothing for {others[:5]}, learned "
                "as well. Name them too (0 if you mean it), or let p sum to less than 1: what is "
                "left is shared by all that are not named."
            )
        share = np.array([*(float(self.given.get(level, 0.0)) for level in levels), 0.0])
        named = np.array([*(int(level in self.given) for level in levels), 0])
        return GivenShares(self.amount, self.given, share, named, int(named.sum()))


# A rule gives pseudo-counts to levels that occur `total` times in n_rows rows of n_levels levels:
# arrays, or Fractions if its amount is one. The amount is also the number of pseudo-rows that a
# density gets from all rows.
Smoothing = Lambda | MEstimate | UniformEstimate | BackOff | GivenShares

# of the tables of a network
PseudoCounts = Lambda | BDeu
TableSmoothing = PseudoCounts | BackOff


def not_given(shares: Mapping[str, Number]) -> Number:
    """1 less the sum of these shares; below 0 if they sum to more.

    >>> not_given({"rain": 0.25}), not_given({"rain": 1 / 3, "sun": 2 / 3})
    (0.75, 0.0)
    """
    rest = 1 - sum(shares.values())
    return rest if abs(rest) > _ROUNDED else 0 * rest


def prior_smoothing(rule: Smoothing | GivenEstimate | None, n_classes: int) -> float:
    """lambda of P(c) = (N_c + lambda) / (N + K lambda) under a rule: its own; m / K; else 1.

    So an m-estimate divides m rows equally among the K classes, and m = 0 gives their shares.

    >>> prior_smoothing(Lambda(0.5), 3), prior_smoothing(MEstimate(2), 4), prior_smoothing(None, 2)
    (0.5, 0.5, 1.0)
    """
    if isinstance(rule, Lambda):
        return float(rule.amount)
    if rule is None or isinstance(rule, BackOff):
        return 1.0
    return float(rule.amount) / n_classes


# shares of levels -------------------------------------------------------------------------------


def smoothed_shares(counts: Array, pseudo_count: float) -> Array:
    """The share of each state in each row of a table: equal shares where all counts are 0.

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

    table : (n_levels_seen, n_classes); n_levels : S, the number of levels of the column

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
    shrinks  : whether S falls when the only row of a level is left out
    """
    own = own_class(codes)
    rest = left_at(counts, own, weights)
    seen = left_at(np.broadcast_to(observed, rest.shape), own, weights)
    total = rest.sum(axis=1)
    levels = n_levels - (total == 0) if shrinks else np.full(len(codes), n_levels)
    levels = np.maximum(levels, 1)  # a column without levels counts as one with one
    pseudo, all_pseudo = rule.pseudo_counts(total, seen.sum(axis=1), levels)
    return log_shares(rest + pseudo[:, None], seen + all_pseudo[:, None], levels[:, None])


# shares of features -----------------------------------------------------------------------------


def smoothed_log_probability(feature_count: Array, alpha: float | Array) -> Array:
    """Log of the smoothed share of each feature within each class.

        log p(t | c) = log(T_ct + alpha) - log(T_c + alpha V)

    T_ct counts feature t in class c, T_c sums it over the V features; alpha may differ by feature.
    With alpha = 1 this is [IIR] eq. 13.7 and the rule of [Mitchell] table 6.2.

    >>> np.exp(smoothed_log_probability(np.array([[5, 0, 1]]), alpha=1)).round(4)
    array([[0.6667, 0.1111, 0.2222]])
    """
    smoothed = feature_count + alpha
    return log_shares(smoothed, smoothed.sum(axis=1, keepdims=True), smoothed.shape[1])


def presence_log_probability(
    present: Array, absent: Array, alpha: float | Array, without: float = 0.0
) -> tuple[Array, Array]:
    """Log of the smoothed share of rows with, and without, each feature in each class.

        p(j | c) = (present_cj + alpha) / (present_cj + absent_cj + 2 alpha)      [IIR] fig. 13.3

    Both come from counts: 1 - exp(log p) would lose all digits as p nears 1. `without` is the
    weight of a row to leave out: one with the feature in the first, one without it in the second.

    >>> with_feature, without = presence_log_probability(np.array([[3]]), np.array([[0]]), alpha=1)
    >>> np.exp(with_feature), np.exp(without)
    (array([[0.8]]), array([[0.2]]))
    """
    total = left(present + absent, without) + 2 * np.asarray(alpha)
    return (
        log_shares(left(present, without) + alpha, total, 2),
        log_shares(left(absent, without) + alpha, total, 2),
    )


def category_log_probability(
    table: Array, observed: Array, n_categories: Array, alpha: float, without: float = 0.0
) -> Array:
    """Log of the smoothed share of each category of each feature in each class.

        log p(x_j = v | c) = log(N_cjv + alpha) - log(N_cj + S_j alpha)      [LiHang] eq. 4.10

    table    : N_cjv of category v of feature j in class c, features below each other, (rows,
               n_classes); each has one row more than categories, for the share of an unseen value,
               alpha / (N_cj + S_j alpha)
    observed : N_cj, which sums it over the categories: (n_features, n_classes)

    S_j is n_categories[j]. `without` is the weight of a row to be left out, one that has the
    category.

    >>> sky = np.array([[3], [1], [0]])  # sun, rain, and a category never seen
    >>> shares = category_log_probability(sky, np.array([[4]]), np.array([2]), alpha=1.0)
    >>> np.exp(shares).round(4).ravel()
    array([0.6667, 0.3333, 0.1667])
    """
    total = left(observed, without) + alpha * n_categories[:, None]
    feature = np.repeat(np.arange(len(n_categories)), n_categories + 1)
    sizes = np.maximum(n_categories, 1)[feature][:, None]
    return log_shares(left(table, without) + alpha, total[feature], sizes)


def complement_weights(feature_count: Array, alpha: float | Array, norm: bool) -> Array:
    """Weights of complement naive Bayes, which grow with the rarity of a feature outside the class.

        w_ct = -log((T_t - T_ct + alpha_t) / sum over u of (T_u - T_cu + alpha_u))

    ([Rennie] table 4). T_t counts feature t in all classes. With norm each class's weights are
    divided by their sum.
    A feature that never occurs outside of a class, with alpha = 0, weighs +inf for it.

    >>> complement_weights(np.array([[3, 1], [0, 2]]), alpha=1, norm=False).round(4)
    array([[1.3863, 0.2877],
           [0.4055, 1.0986]])
    """
    complement = feature_count.sum(axis=0) - feature_count + alpha
    logged = log_shares(complement, complement.sum(axis=1, keepdims=True), complement.shape[1])
    return _normalised_logs(logged) if norm else -logged


def _normalised_logs(logged: Array) -> Array:
    """Each row divided by its sum; the limit where some are -inf, equal weights if all are 0.

    >>> _normalised_logs(np.array([[-1.0, -3.0], [-np.inf, -2.0]]))
    array([[0.25, 0.75],
           [1.  , 0.  ]])
    """
    boundless = np.isneginf(logged)
    logged = np.where(boundless.any(axis=1, keepdims=True), -1.0 * boundless, logged)
    total = logged.sum(axis=1, keepdims=True)
    equal = np.full_like(logged, 1.0 / logged.shape[1])
    return np.divide(logged, total, out=equal, where=total != 0)
