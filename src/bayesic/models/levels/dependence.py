"""Bins of numeric columns, and counts of levels together with what follows from them alone.

Numbers are put into bins, by the rule of NaiveBayes, when a column has numbers for the first time,
using all rows. From then on the bins stay as they are. Few whole numbers in a small table get no
bins: each of them is a level, from then on.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from bayesic.data.columns import Categories, Cells, Numbers
from bayesic.estimation.bins import cut_points
from bayesic.estimation.dependent_columns import informations
from bayesic.estimation.families import CountTables, count_tables
from bayesic.kernels import Array
from bayesic.models.columns.schema import as_categories
from bayesic.statistics.combinations import CombinationCounts
from bayesic.statistics.number_counts import NumberCounts

Made = TypeVar("Made")


# bins -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Bins:
    """Where a numeric column is cut; bin b holds the values with b cut points not above them."""

    edges: tuple[float, ...]  # the least value learned, the cut points, the largest value learned

    @property
    def cuts(self) -> tuple[float, ...]:
        """The cut points, increasing."""
        return self.edges[1:-1]

    @property
    def n_bins(self) -> int:
        """One more than cut points."""
        return len(self.edges) - 1

    def categories(self, cells: Numbers) -> Categories:
        """The cells by the names of their bins: "0", "1" and so on."""
        codes = np.searchsorted(self.cuts, cells.values, side="right")
        codes[np.isnan(cells.values)] = -1
        return Categories(codes, tuple(map(str, range(self.n_bins))))

    def sample(self, numbers: Array, rng: np.random.Generator) -> Array:
        """A number for each of these bins, evenly drawn from it."""
        edges = np.array(self.edges)
        return rng.uniform(edges[numbers], edges[numbers + 1])


def bins_of(counts: NumberCounts) -> Bins:
    """Bins that separate the classes, by the minimum description length rule ([FayyadIrani])."""
    values = counts.values[[0, -1]].tolist()
    return Bins((values[0], *cut_points(counts).tolist(), values[1]))


def in_bins(cells: Cells, bins: Bins | None) -> Cells:
    """A numeric column as a column of bins, or of categories without them; others as they are."""
    if not isinstance(cells, Numbers):
        return cells
    return bins.categories(cells) if bins else as_categories(cells)


# counts ---------------------------------------------------------------------------------------


class CountedTogether:
    """Counts of levels together, and what follows from them alone, whatever the smoothing.

    It is made when it is first needed, and shared by all models that have these counts.
    """

    def __init__(self, counts: CombinationCounts) -> None:
        """Nothing is made yet."""
        self.counts = counts
        self._made: dict[object, Any] = {}

    def __repr__(self) -> str:
        return f"CountedTogether({self.counts!r})"

    def __reduce__(self) -> tuple[object, ...]:
        return CountedTogether, (self.counts,)

    @property
    def tables(self) -> CountTables:
        """The counts as tables of levels."""
        return self.once("tables", lambda: count_tables(self.counts))

    @property
    def informations(self) -> tuple[Array, Array]:
        """What each column says about the class, and each pair of columns about each other."""
        return self.once("informations", lambda: informations(self.counts))

    def once(self, what: object, make: Callable[[], Made]) -> Made:
        """What make gives, made once."""
        if what not in self._made:
            self._made[what] = make()
        return self._made[what]
