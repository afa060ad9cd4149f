"""Columns of levels: categories, yes or no, and numbers in bins."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

import numpy as np

from bayesic.data.columns import Categories, Cells, Nothing, Numbers
from bayesic.data.distinct import category_name
from bayesic.estimation.bins import bin_table, cut_points
from bayesic.estimation.smoothing import (
    GivenEstimate,
    GivenShares,
    Smoothing,
    log_shares_without,
    smoothed_log_shares,
)
from bayesic.evidence.bins_text import column_in_bin
from bayesic.evidence.fractions import Share, class_shares, exact
from bayesic.evidence.work import Factor
from bayesic.kernels import Array
from bayesic.statistics.leading_bits import MANTISSA_BITS, at_resolution, middle
from bayesic.statistics.level_counts import LevelCounts
from bayesic.statistics.number_counts import NumberCounts


@dataclass(frozen=True, eq=False)
class Shares:
    """Each level has its smoothed share in each class, p(v | c) = (N_cv + a_v) / (N_c + A).

    Rows are given by the number of their level: -1 is not observed, numbers past the last level
    are levels that were never seen.
    """

    table: Array  # (n_levels_seen, n_classes)  counts
    n_levels: int
    rule: Smoothing

    # whether a level counts only as long as some row has it
    shrinks = False

    @cached_property
    def log_table(self) -> Array:
        """log p(v | c), the last row for a level never seen: (n_levels_seen + 1, n_classes)."""
        return smoothed_log_shares(self.table, self.n_levels, self.rule)

    @cached_property
    def observed(self) -> Array:
        """Rows of each class that have a level: (n_classes,)."""
        return np.add.reduce(self.table, 0)

    def scores(self, encoded: Array) -> Array:
        """The log share of each row's level."""
        return _looked_up(self.log_table, encoded)

    def scores_without(self, encoded: Array, codes: Array, weights: Array) -> Array:
        """The log share of each row's level in the counts of all other rows."""
        if len(codes) > self.table.size and np.ptp(weights) == 0:
            # rows of a level and class are all alike: compute each of them once
            n_classes = self.table.shape[1]
            level, code = np.divmod(np.arange(self.table.size), n_classes)
            each = self._without(level, code, np.full(len(level), weights[0]))
            return _looked_up(each, np.where(encoded < 0, -1, encoded * n_classes + codes))
        scores = self._without(np.maximum(encoded, 0), codes, weights)
        return np.where(encoded[:, None] < 0, 0.0, scores)

    def _without(self, level: Array, codes: Array, weights: Array) -> Array:
        rule = self.rule.at(level)
        return log_shares_without(
            self.table[level], codes, weights, self.observed, self.n_levels, self.shrinks, rule
        )

    def counts_of(self, level: int) -> tuple[Array, Array]:
        """How often one level occurs in each class, and all of them."""
        is_seen = level < len(self.table)
        return self.table[level] if is_seen else np.zeros_like(self.observed), self.observed

    def shares_of(self, level: int) -> tuple[Share, ...]:
        """The share of one level in each class, exact where the counts are whole."""
        count, observed = self.counts_of(level)
        rule = _exact_rule(self.rule, min(level, len(self.table)))
        total, n_rows = (Fraction(float(number)) for number in (count.sum(), observed.sum()))
        pseudo, all_pseudo = rule.pseudo_counts(total, n_rows, max(self.n_levels, 1))
        return class_shares(count, observed, pseudo, all_pseudo, max(self.n_levels, 1))

    def sampled_levels(self, codes: Array, rng: np.random.Generator) -> Array:
        """The number of a level for each of these classes."""
        shares = np.exp(self.log_table[: len(self.table)])
        bounds = np.cumsum(shares / shares.sum(axis=0), axis=0)
        levels = np.empty(len(codes), dtype=np.intp)
        for code in np.unique(codes):
            of_class = codes == code
            draws = rng.random(of_class.sum())
            levels[of_class] = np.searchsorted(bounds[:-1, code], draws, side="right")
        return levels


def _exact_rule(rule: Smoothing, level: int) -> Smoothing:
    """The rule for one level, in fractions."""
    amount, of_level = exact(rule.amount), rule.at(level)
    if not isinstance(of_level, GivenShares):
        return replace(of_level, amount=amount)
    return replace(
        of_level,
        amount=amount,
        given={name: exact(share) for name, share in of_level.given.items()},
        share=exact(of_level.share),
        named=int(of_level.named),
    )


def _looked_up(log_table: Array, rows: Array) -> Array:
    """These rows of a table, its last for all beyond it, zeros for -1."""
    scores = log_table[np.minimum(rows, len(log_table) - 1)]
    if rows.min(initial=0) < 0:
        scores[rows < 0] = 0.0
    return scores


@dataclass(frozen=True, eq=False)
class Categorical(Shares):
    """Categories by name."""

    levels: tuple[str, ...]

    kind = "categorical"
    shrinks = True

    @cached_property
    def place(self) -> dict[str, int]:
        """The number of each level."""
        return numbered(self.levels)

    def encode(self, cells: Cells) -> Array:
        """The number of each row's level; one more than the last for a level never seen."""
        if isinstance(cells, Nothing):
            return np.full(len(cells), -1)
        assert isinstance(cells, Categories)
        if len(cells.codes) == 1:
            return np.array([self._place_of(cells)])
        return recoded(cells, self.place)

    def _place_of(self, cells: Categories) -> int:
        """The same for a single row."""
        code = cells.codes.item()
        if code < 0:
            return -1
        level = cells.levels[code]
        return self.levels.index(level) if level in self.levels else len(self.levels)

    def factors(self, name: str, shown: str, encoded: Array) -> list[Factor]:
        """P(level | c), written with the name of the level alone, as books do."""
        return [Factor(shown, self.shares_of(int(encoded[0])))]

    def sample(self, codes: Array, rng: np.random.Generator) -> Array:
        """The name of a level for each of these classes."""
        return np.array(self.levels, dtype=object)[self.sampled_levels(codes, rng)]


def numbered(levels: tuple[str, ...]) -> dict[str, int]:
    """The number of each level.

    >>> numbered(("rain", "sun"))
    {'rain': 0, 'sun': 1}
    """
    return {level: number for number, level in enumerate(levels)}


def recoded(cells: Categories, place: dict[str, int]) -> Array:
    """The rows by the numbers of their levels; one more than the last where they have none."""
    numbers = [place.get(level, len(place)) for level in cells.levels]
    return np.array([*numbers, -1], dtype=np.intp)[cells.codes]


def categorical(counts: LevelCounts, rule: Smoothing | GivenEstimate) -> Categorical:
    """The event model of a column of categories; those with a given share are levels, too."""
    levels, table = counts.levels, counts.table
    if isinstance(rule, GivenEstimate):
        new = tuple(name for name in rule.given if name not in set(levels))
        levels = levels + new
        table = np.vstack([table, np.zeros((len(new), table.shape[1]), table.dtype)])
        rule = rule.of_levels(levels)
    return Categorical(table, len(levels), rule, levels)


@dataclass(frozen=True, eq=False)
class WholeNumbers(Categorical):
    """Whole numbers that name categories, as 1, 2, 3 in a textbook's table."""

    values: Array  # (n_levels,) increasing: the number of each level

    def encode(self, cells: Cells) -> Array:
        """The number of each row's level; one more than the last for a value never seen."""
        if not isinstance(cells, Numbers):
            return super().encode(cells)
        values, last = at_resolution(cells.values, MANTISSA_BITS), len(self.values) - 1
        place = np.minimum(np.searchsorted(self.values, values), last)
        known = self.values[place] == values
        return np.where(np.isnan(values), -1, np.where(known, place, last + 1))

    def sample(self, codes: Array, rng: np.random.Generator) -> Array:
        """A number for each of these classes."""
        return self.values[self.sampled_levels(codes, rng)]


def whole_numbers(counts: NumberCounts, rule: Smoothing) -> WholeNumbers:
    """The event model of a column of whole numbers, each of which is a category.

    >>> from bayesic.estimation.smoothing import Lambda
    >>> from bayesic.statistics.number_counts import number_counts
    >>> rooms = number_counts(np.array([1.0, 2.0, 1.0]), np.array([0, 0, 1]), n_classes=2)
    >>> whole_numbers(rooms, Lambda(1.0)).levels
    ('1', '2')
    """
    levels = tuple(map(category_name, counts.values.tolist()))
    return WholeNumbers(counts.table, len(levels), rule, levels, counts.values)


_YES_OR_NO = ("0", "1")


@dataclass(frozen=True, eq=False)
class Bernoulli(Categorical):
    """Yes or no: two levels, also when only one of them was seen."""

    kind = "bernoulli"
    shrinks = False

    def factors(self, name: str, shown: str, encoded: Array) -> list[Factor]:
        """P(column=1 | c): a bare 1 would not tell which column is meant."""
        return [Factor(f"{name}={shown}", self.shares_of(int(encoded[0])))]


def bernoulli(counts: LevelCounts, rule: Smoothing | GivenEstimate) -> Bernoulli:
    """The event model of a column of zeros and ones."""
    others = [level for level in counts.levels if level not in _YES_OR_NO]
    if others:
        raise ValueError(
            f"A bernoulli column holds 0 and 1, but {others[0]!r} was learned. "
            "It can only be categorical."
        )
    if isinstance(rule, GivenEstimate):
        others = [name for name in rule.given if name not in _YES_OR_NO]
        if others:
            raise ValueError(
                f"{rule.where} must give p for 0 and 1, because a bernoulli column has no other "
                f"values: got {others}."
            )
        rule = rule.of_levels(_YES_OR_NO)
    table = np.zeros((2, counts.table.shape[1]), counts.table.dtype)
    table[[_YES_OR_NO.index(level) for level in counts.levels]] = counts.table
    return Bernoulli(table, 2, rule, _YES_OR_NO)


@dataclass(frozen=True, eq=False)
class Binned(Shares):
    """Numbers by the bin that they fall into."""

    cuts: Array  # (n_levels - 1,) increasing; a value equal to a cut belongs above it
    limits: tuple[float, float]  # least and largest value learned

    kind = "binned"

    def encode(self, cells: Cells) -> Array:
        """The number of each row's bin."""
        if isinstance(cells, Nothing):
            return np.full(len(cells), -1)
        assert isinstance(cells, Numbers)
        bins = self.cuts.searchsorted(cells.values, side="right")
        return np.where(np.isnan(cells.values), -1, bins)

    def factors(self, name: str, shown: str, encoded: Array) -> list[Factor]:
        """P(bin | c), written with the limits of the bin."""
        number = int(encoded[0])
        return [Factor(column_in_bin(name, self.cuts, number), self.shares_of(number))]

    def sample(self, codes: Array, rng: np.random.Generator) -> Array:
        """A number for each of these classes, evenly drawn from its bin."""
        edges = np.concatenate([self.limits[:1], self.cuts, self.limits[1:]])
        bins = self.sampled_levels(codes, rng)
        return rng.uniform(edges[bins], edges[bins + 1])


def binned(counts: NumberCounts, rule: Smoothing, told: Sequence[float] | None = None) -> Binned:
    """The event model of a numeric column, cut into bins that separate the classes.

    told : where to cut, if that is known
    """
    cuts = cut_points(counts) if told is None else np.array(told, dtype=np.float64)
    lowest, highest = middle(counts.keys[[0, -1]], counts.bits).tolist()
    return Binned(bin_table(counts, cuts), len(cuts) + 1, rule, cuts, (lowest, highest))
