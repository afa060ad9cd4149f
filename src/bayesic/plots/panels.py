"""One panel of the class densities: curves, bins, counts or categories, with the data behind."""

from collections.abc import Callable
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from bayesic.kernels import Array
from bayesic.models.events.shares import Binned, Categorical
from bayesic.plots.canvas import colour, marker, name_ticks, short_numbers, tilt_long_names

LogDensity = Callable[[Array], Array]  # (n_values,) -> (n_values, n_classes)

N_STEPS = 400  # of a curve
MARGIN = 0.15  # beside the data, as a share of their range
MOST_BINS = 40  # of a histogram
FAINT = 0.25  # the data, behind the curves
MOST_LEVELS = 8  # categories that have room beside each other
ROOM_FOR_NAMES = 30  # characters below a panel
MOST_WHOLE_NUMBERS = 40
CROWD = 0.8  # the width that the bars of all classes have together
DOT: dict[str, Any] = {
    "markersize": 5,
    "linestyle": "",
    "markeredgecolor": "white",
    "markeredgewidth": 0.6,
}


def observed(values: Array, codes: Array, number: int) -> Array:
    """The values of a class that were observed."""
    return values[(codes == number) & np.isfinite(values)]


def draw_density(
    ax: Axes, values: Array, codes: Array, n_classes: int, log_density: LogDensity
) -> None:
    """The density of each class as a line, the histogram of its rows as an area."""
    known = values[np.isfinite(values)]
    low, high = (known.min(), known.max()) if len(known) else (0.0, 1.0)
    margin = MARGIN * (high - low) or 1.0
    grid = np.linspace(low - margin, high + margin, N_STEPS)
    density = np.exp(log_density(grid))
    edges = edges_of(known)
    for number in range(n_classes):
        own = observed(values, codes, number)
        if len(own):
            shares = np.histogram(own, edges, density=True)[0]
            ax.stairs(shares, edges, fill=True, color=colour(number), alpha=FAINT)
        ax.plot(grid, density[:, number], color=colour(number), linewidth=1.6)
    short_numbers(ax)


def edges_of(values: Array) -> Array:
    """The edges of a histogram: as many bins as the root of the number of values, at most 40.

    >>> edges_of(np.array([1.0, 2.0, 4.0, 5.0])), edges_of(np.array([3.0]))
    (array([1., 3., 5.]), array([2.5, 3.5]))
    """
    if len(values) == 0 or values.min() == values.max():
        middle = values[0] if len(values) else 0.0
        half = max(0.5, 1e-6 * abs(middle))
        return np.array([middle - half, middle + half])
    n_bins = min(int(np.ceil(np.sqrt(len(values)))), MOST_BINS)
    return np.unique(np.linspace(values.min(), values.max(), n_bins + 1))


def draw_bins(ax: Axes, values: Array, codes: Array, n_classes: int, event: Binned) -> None:
    """The share of each bin by its width, learned as a line, that of the rows as an area.

    The first bin begins at the least value that was learned, the last one ends at the largest.
    """
    edges = np.concatenate([event.limits[:1], event.cuts, event.limits[1:]])
    width = np.diff(edges)
    width = np.where(width > 0, width, 1.0)
    shares = np.exp(event.log_table[: len(event.cuts) + 1])
    for number in range(n_classes):
        own = observed(values, codes, number)
        if len(own):
            bins = np.searchsorted(event.cuts, own, side="right")
            counts = np.bincount(bins, minlength=len(width))
            heights = counts / len(own) / width
            ax.stairs(heights, edges, fill=True, color=colour(number), alpha=FAINT)
        ax.stairs(shares[:, number] / width, edges, color=colour(number), linewidth=1.6)
    short_numbers(ax)


def draw_whole_numbers(
    ax: Axes, values: Array, codes: Array, n_classes: int, log_density: LogDensity
) -> None:
    """The probability of each count as a point, the share of the rows as a bar."""
    known = values[np.isfinite(values)]
    largest = int(min(known.max(initial=0), MOST_WHOLE_NUMBERS))
    counts = np.arange(largest + 1)
    probability = np.exp(log_density(counts.astype(np.float64)))
    for number in range(n_classes):
        own = observed(values, codes, number)
        shares = np.array([(own == count).mean() if len(own) else 0.0 for count in counts])
        draw_shares(ax, shares, probability[:, number], number, n_classes)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))


def draw_levels(ax: Axes, encoded: Array, codes: Array, n_classes: int, event: Categorical) -> None:
    """The probability of each category as a point, the share of the rows as a bar.

    Of many categories those that are most frequent in what was learned.

    encoded : the number of each row's category, -1 where not observed
    """
    frequent = np.argsort(-event.table.sum(axis=1), kind="stable")[:MOST_LEVELS]
    shown = np.sort(frequent)
    probability = np.exp(event.log_table)
    for number in range(n_classes):
        own = encoded[(codes == number) & (encoded >= 0)]
        counts = np.bincount(own, minlength=len(probability))[shown]
        draw_shares(ax, counts / max(len(own), 1), probability[shown, number], number, n_classes)
    name_ticks(ax.xaxis, [event.levels[level] for level in shown])
    ax.tick_params(axis="x", length=0)
    tilt_long_names(ax, ROOM_FOR_NAMES)


def draw_shares(ax: Axes, shares: Array, probability: Array, number: int, n_classes: int) -> None:
    """Bars of one class beside those of the others, with the learned probabilities as points."""
    width = CROWD / n_classes
    places = np.arange(len(shares)) + (number - (n_classes - 1) / 2) * width
    ax.bar(places, shares, 0.9 * width, color=colour(number), alpha=FAINT)
    ax.plot(places, probability, color=colour(number), marker=marker(number), **DOT)
