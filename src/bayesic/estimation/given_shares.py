"""The m-estimate with shares of one's own: m rows divided among the levels as they are given.

    p(v | c) = (N_cv + m p_v) / (N_c + m)        [Mitchell] eq. 6.22

Levels that are not named share equally what the others leave: p_v = (1 - sum of the named) / U for
each of the U levels that occur and are not named.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

Array = np.ndarray

# Shares such as 0.333 add up to about 1 only: less than this is nothing.
ROUNDED = 1e-9


def not_given(shares: Mapping[str, Any]) -> Any:
    """What these shares leave of 1; below 0 if they are more.

    >>> not_given({"rain": 0.25}), not_given({"rain": 1 / 3, "sun": 2 / 3})
    (0.75, 0.0)
    """
    rest = 1 - sum(shares.values())
    return rest if abs(rest) > ROUNDED else 0 * rest


@dataclass(frozen=True, eq=False)
class GivenShares:
    """m rows divided among the levels of one column, in their order; one more that is never seen.

    A rule as those in shares.py; `at` gives the one for some of the levels.
    """

    amount: Any  # m
    given: Mapping[str, Any]  # p of all that are named
    share: Any  # (n_levels + 1,), p of each level, 0 if it is not named
    named: Any  # (n_levels + 1,), 1 if it is, else 0
    n_named: int  # how many of the levels are

    def at(self, level: Any) -> "GivenShares":
        """The rule for the levels of these numbers."""
        return replace(self, share=self.share[level], named=self.named[level])

    def divides_among(self, level: Array) -> Array:
        """Whether each of these levels is one of those that share what is not given."""
        return self.named[level] == 0

    def pseudo_counts(self, total: Any, n_rows: Any, n_levels: Any) -> tuple[Any, Any]:
        """a_v = m p_v, A = m; n_levels counts the named levels and those that occur besides."""
        n_others = n_levels - self.n_named
        n_others = n_others + (n_others < 1) * (1 - n_others)  # at least 1, also for fractions
        of_each = not_given(self.given) / n_others
        return self.amount * (self.share + (1 - self.named) * of_each), self.amount + 0 * n_levels


@dataclass(frozen=True)
class GivenEstimate:
    """The same before the levels are known: m, and the share of each level by its name."""

    amount: Any
    given: Mapping[str, float]
    where: str = "smoothing"  # what the user calls it, for messages

    def of_levels(self, levels: Sequence[str]) -> GivenShares:
        """The rule for these levels, all of which occur or are named.

        >>> rule = GivenEstimate(2.0, {"sun": 0.5}).of_levels(("rain", "snow", "sun"))
        >>> rule.pseudo_counts(0, 0, 3)[0]  # the last for a level that never came
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
