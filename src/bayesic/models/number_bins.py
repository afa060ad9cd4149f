"""Columns of numbers as columns of bins, for models that count levels."""

from dataclasses import dataclass

import numpy as np

from bayesic.data.columns import Categories, Numbers
from bayesic.estimation.bins import cut_points
from bayesic.statistics.numbers import NumberCounts

Array = np.ndarray


@dataclass(frozen=True)
class Bins:
    """Where a column of numbers is cut; bin b holds the values with b cut points not above them."""

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

    def text(self, number: int) -> str:
        """The limits of a bin, to be written behind the name of the column.

        >>> [Bins((0.0, 2.0, 5.0, 9.0)).text(number) for number in range(3)]
        ['<2', ' from 2 to 5', ' from 5']
        """
        limits = [f" from {self.edges[number]:.6g}"] if number > 0 else []
        if number < len(self.cuts):
            limits.append(f" to {self.cuts[number]:.6g}" if limits else f"<{self.cuts[number]:.6g}")
        return "".join(limits) or " any"

    def sample(self, numbers: Array, rng: np.random.Generator) -> Array:
        """A number for each of these bins, evenly drawn from it."""
        edges = np.array(self.edges)
        return rng.uniform(edges[numbers], edges[numbers + 1])


def bins_of(counts: NumberCounts) -> Bins:
    """Bins that tell the classes apart, by the minimum description length rule ([FayyadIrani])."""
    values = counts.values[[0, -1]].tolist()
    return Bins((values[0], *cut_points(counts).tolist(), values[1]))
