"""Class densities: what a model has learned of each feature, with the data behind it."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import ceil
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from bayesic.data.columns import Cells, Numbers
from bayesic.data.labels import encode_known_labels
from bayesic.data.matrices import dense_rows
from bayesic.data.typing import Classifier, LabelsLike, Size, TableLike
from bayesic.evidence.text_table import short
from bayesic.kernels import Array
from bayesic.models.columns.naive_bayes import NaiveBayes
from bayesic.models.events.event import EventModel
from bayesic.models.events.shares import Binned, Categorical
from bayesic.models.normal.gaussian import GaussianNB
from bayesic.models.normal.gaussian_bayes import GaussianBayes
from bayesic.plots._canvas import (
    as_it_is,
    class_handles,
    colour,
    marker,
    name_axes,
    name_ticks,
    new_figure,
    open_frame,
    rows_and_labels,
    short_numbers,
    steps_over,
    tilt_long_names,
)
from bayesic.plots._fonts import add_fonts

LogDensity = Callable[[Array], Array]  # (n_values,) -> (n_values, n_classes)
Draw = Callable[[Axes, Array, int], None]  # on these axes, for the code of each row, of so many

MOST_PANELS = 30
PANELS_PER_LINE = {1: 1, 2: 2, 4: 2}  # by the number of panels; 3 otherwise
PANEL = (2.9, 2.3)  # inches
ROOM_FOR_LEGEND = 1.0

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


def densities(
    model: Classifier,
    X: TableLike,
    y: LabelsLike,
    *,
    columns: Sequence[str] | None = None,
    size: Size | None = None,
) -> Figure:
    """p(x_j | c) of each feature and class, and the data: a panel for each feature.

    Lines are the densities that the model has learned, areas the histograms of the rows. For
    categories and counts, points are the learned probabilities, bars the shares of the rows.

    model : a fitted GaussianNB, GaussianBayes (its marginal densities) or NaiveBayes, whose columns
        of texts are left out
    X : rows as the model takes them
    y : their classes, or the name of the column of X that holds them
    columns : names of the features to show, at most 30; all if left out

    >>> X, y = [[1.0], [2.0], [3.0], [7.0], [8.0], [9.0]], ["low"] * 3 + ["high"] * 3
    >>> figure = densities(GaussianNB().fit(X, y), X, y)
    >>> [panel.get_title() for panel in figure.axes]
    ['x0']
    """
    if not isinstance(model, (GaussianNB, GaussianBayes, NaiveBayes)):
        raise TypeError(
            "densities shows what GaussianNB, GaussianBayes and NaiveBayes have learned of each "
            f"feature, got {model!r:.80}."
        )
    X, y = rows_and_labels(X, y)
    codes = encode_known_labels(y, model.classes_)
    draw = _table_panels(model, X) if isinstance(model, NaiveBayes) else _panels(model, X)
    names = _chosen(draw, columns)
    per_line = PANELS_PER_LINE.get(len(names), 3)
    n_lines = ceil(len(names) / per_line)
    usual = (PANEL[0] * per_line + ROOM_FOR_LEGEND, PANEL[1] * n_lines)
    figure = new_figure(size, usual)
    for index, name in enumerate(names, start=1):
        ax = figure.add_subplot(n_lines, per_line, index)
        draw[name](ax, codes, len(model.classes_))
        name_axes(ax, title=short(name))
        open_frame(ax)
        ax.set_ylim(bottom=0)
    handles = class_handles(model.classes_, line="-")
    legend = figure.legend(handles=handles, loc="outside right upper", frameon=False)
    for text in legend.get_texts():
        as_it_is(text)
    add_fonts(figure)
    return figure


def _chosen(features: Mapping[str, Draw], names: Sequence[str] | None) -> Sequence[str]:
    """The names of the features to show, all if none are given; too many are refused."""
    if not features:
        raise ValueError("densities needs at least one column that is neither text nor ignored.")
    unknown = [name for name in names or [] if name not in features]
    if unknown:
        raise ValueError(
            f"columns must be names of features that have a density, got {unknown[0]!r}. They are "
            f"{', '.join(features)}."
        )
    chosen = list(features) if names is None else names
    if not 1 <= len(chosen) <= MOST_PANELS:
        raise ValueError(
            f"densities shows from 1 to {MOST_PANELS} features, got {len(chosen)}. Choose some of "
            "them by columns=[names]."
        )
    return chosen


# features, and how their panels are drawn ---------------------------------------------------------


def _panels(model: GaussianNB | GaussianBayes, X: TableLike) -> dict[str, Draw]:
    """The features of a model of numbers."""
    matrix = model._rows(X)
    values = dense_rows(matrix, slice(0, matrix.shape[0]))
    return {
        name: partial(_draw_density, values[:, index], _marginal(model, index))
        for index, name in enumerate(model._feature_names())
    }


def _marginal(model: GaussianNB | GaussianBayes, index: int) -> LogDensity:
    """log p(x_j | c) of values of the feature with this index: (n_values, n_classes).

    It is the density of rows in which nothing but x_j is observed.
    """

    def log_density(values: Array) -> Array:
        rows = np.full((len(values), model.n_features_in_), np.nan)
        rows[:, index] = values
        return model._fitted.scorer(rows)(slice(0, len(rows)))

    return log_density


def _table_panels(model: NaiveBayes, X: TableLike) -> dict[str, Draw]:
    """The columns of a table that have a density or shares: all but texts."""
    columns, events = model._rows(X).columns, model.events_
    return {
        name: _column_panel(event, columns[name])
        for name, event in events.items()
        if event.kind != "text"
    }


def _column_panel(event: EventModel, cells: Cells) -> Draw:
    if isinstance(event, Categorical):
        return partial(_draw_levels, event.encode(cells), event)
    values = cells.values if isinstance(cells, Numbers) else np.full(len(cells), np.nan)
    if isinstance(event, Binned):
        return partial(_draw_bins, values, event)
    draw = _draw_whole_numbers if event.kind == "poisson" else _draw_density
    return partial(draw, values, event.scores)


# panels -------------------------------------------------------------------------------------------


def _observed(values: Array, codes: Array, number: int) -> Array:
    """The values of a class that were observed."""
    return values[(codes == number) & np.isfinite(values)]


def _draw_density(
    values: Array, log_density: LogDensity, ax: Axes, codes: Array, n_classes: int
) -> None:
    """The density of each class as a line, the histogram of its rows as an area."""
    grid = steps_over(values, N_STEPS, MARGIN)
    density = np.exp(log_density(grid))
    edges = _edges_of(values[np.isfinite(values)])
    for number in range(n_classes):
        own = _observed(values, codes, number)
        if len(own):
            shares = np.histogram(own, edges, density=True)[0]
            ax.stairs(shares, edges, fill=True, color=colour(number), alpha=FAINT)
        ax.plot(grid, density[:, number], color=colour(number), linewidth=1.6)
    short_numbers(ax)


def _edges_of(values: Array) -> Array:
    """The edges of a histogram: as many bins as the root of the number of values, at most 40.

    >>> _edges_of(np.array([1.0, 2.0, 4.0, 5.0])), _edges_of(np.array([3.0]))
    (array([1., 3., 5.]), array([2.5, 3.5]))
    """
    if len(values) == 0 or values.min() == values.max():
        middle = values[0] if len(values) else 0.0
        half = max(0.5, 1e-6 * abs(middle))
        return np.array([middle - half, middle + half])
    n_bins = min(int(np.ceil(np.sqrt(len(values)))), MOST_BINS)
    return np.unique(np.linspace(values.min(), values.max(), n_bins + 1))


def _draw_bins(values: Array, event: Binned, ax: Axes, codes: Array, n_classes: int) -> None:
    """The share of each bin by its width, learned as a line, that of the rows as an area.

    The first bin begins at the least value that was learned, the last one ends at the largest.
    """
    edges = np.concatenate([event.limits[:1], event.cuts, event.limits[1:]])
    width = np.diff(edges)
    width = np.where(width > 0, width, 1.0)
    shares = np.exp(event.log_table[: len(event.cuts) + 1])
    for number in range(n_classes):
        own = _observed(values, codes, number)
        if len(own):
            bins = np.searchsorted(event.cuts, own, side="right")
            counts = np.bincount(bins, minlength=len(width))
            heights = counts / len(own) / width
            ax.stairs(heights, edges, fill=True, color=colour(number), alpha=FAINT)
        ax.stairs(shares[:, number] / width, edges, color=colour(number), linewidth=1.6)
    short_numbers(ax)


def _draw_whole_numbers(
    values: Array, log_density: LogDensity, ax: Axes, codes: Array, n_classes: int
) -> None:
    """The probability of each count as a point, the share of the rows as a bar."""
    finite = values[np.isfinite(values)]
    largest = int(min(finite.max(initial=0), MOST_WHOLE_NUMBERS))
    counts = np.arange(largest + 1)
    probability = np.exp(log_density(counts.astype(np.float64)))
    for number in range(n_classes):
        own = _observed(values, codes, number)
        shares = np.array([(own == count).mean() if len(own) else 0.0 for count in counts])
        _draw_shares(ax, shares, probability[:, number], number, n_classes)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))


def _draw_levels(
    encoded: Array, event: Categorical, ax: Axes, codes: Array, n_classes: int
) -> None:
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
        _draw_shares(ax, counts / max(len(own), 1), probability[shown, number], number, n_classes)
    name_ticks(ax.xaxis, [event.levels[level] for level in shown])
    ax.tick_params(axis="x", length=0)
    tilt_long_names(ax, ROOM_FOR_NAMES)


def _draw_shares(ax: Axes, shares: Array, probability: Array, number: int, n_classes: int) -> None:
    """Bars of one class beside those of the others, with the learned probabilities as points."""
    width = CROWD / n_classes
    middles = np.arange(len(shares)) + (number - (n_classes - 1) / 2) * width
    ax.bar(middles, shares, 0.9 * width, color=colour(number), alpha=FAINT)
    ax.plot(middles, probability, color=colour(number), marker=marker(number), **DOT)
