"""Class densities: what a model has learned of each feature, with the data behind it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from bayesic.data.columns import Numbers
from bayesic.data.labels import encode_known_labels
from bayesic.data.matrices import dense_rows
from bayesic.kernels import Array
from bayesic.models.events.shares import Binned, Categorical
from bayesic.models.gaussian import GaussianNB
from bayesic.models.gaussian_bayes import GaussianBayes
from bayesic.models.naive_bayes import NaiveBayes
from bayesic.plots.canvas import as_it_is, class_handles, name_axes, new_figure, open_frame, short
from bayesic.plots.fonts import add_fonts
from bayesic.plots.panels import draw_bins, draw_density, draw_levels, draw_whole_numbers
from bayesic.plots.rows import rows_and_labels

MOST_PANELS = 30
PANELS_PER_LINE = {1: 1, 2: 2, 4: 2}  # by the number of panels; 3 otherwise
PANEL = (2.9, 2.3)  # inches
ROOM_FOR_LEGEND = 1.0

Draw = Callable[[Axes, Array, int], None]  # on these axes, for classes by number, of so many


@dataclass(frozen=True, eq=False)
class Feature:
    """One feature: its name, and how its panel is drawn."""

    name: str
    draw: Draw


def densities(
    model: Any, X: Any, y: Any, *, columns: Sequence[str] | None = None, size: Any = None
) -> Figure:
    """p(x_j | c) of each feature and class, and the data: a panel for each feature.

    Lines are the densities that the model has learned, areas the histograms of the rows. Of
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
    learned = table_features(model, X) if isinstance(model, NaiveBayes) else numbers_of(model, X)
    features = chosen(learned, columns)
    per_line = PANELS_PER_LINE.get(len(features), 3)
    n_lines = ceil(len(features) / per_line)
    usual = (PANEL[0] * per_line + ROOM_FOR_LEGEND, PANEL[1] * n_lines)
    figure = new_figure(size, usual)
    for place, feature in enumerate(features, start=1):
        ax = figure.add_subplot(n_lines, per_line, place)
        feature.draw(ax, codes, len(model.classes_))
        name_axes(ax, title=short(feature.name))
        open_frame(ax)
        ax.set_ylim(bottom=0)
    handles = class_handles(model.classes_, line="-")
    legend = figure.legend(handles=handles, loc="outside right upper", frameon=False)
    for text in legend.get_texts():
        as_it_is(text)
    add_fonts(figure)
    return figure


def chosen(features: Sequence[Feature], names: Sequence[str] | None) -> list[Feature]:
    """The features of these names, or all of them; too many are refused."""
    by_name = {feature.name: feature for feature in features}
    if not by_name:
        raise ValueError("densities needs at least one column that is neither text nor ignored.")
    unknown = [name for name in names or [] if name not in by_name]
    if unknown:
        raise ValueError(
            f"columns must be names of features that have a density, got {unknown[0]!r}. They are "
            f"{', '.join(by_name)}."
        )
    found = list(features) if names is None else [by_name[name] for name in names]
    if not 1 <= len(found) <= MOST_PANELS:
        raise ValueError(
            f"densities shows from 1 to {MOST_PANELS} features, got {len(found)}. Choose some of "
            "them by columns=[names]."
        )
    return found


# models of a matrix -------------------------------------------------------------------------------


def numbers_of(model: GaussianNB | GaussianBayes, X: Any) -> list[Feature]:
    """The features of a model of numbers."""
    matrix = model._rows(X)
    values = dense_rows(matrix, slice(0, matrix.shape[0]))
    return [
        Feature(name, density_drawer(values[:, place], marginal(model, place)))
        for place, name in enumerate(model._feature_names())
    ]


def density_drawer(values: Array, log_density: Callable[[Array], Array]) -> Draw:
    """What draws the density of a feature."""
    return lambda ax, codes, n_classes: draw_density(ax, values, codes, n_classes, log_density)


def marginal(model: GaussianNB | GaussianBayes, place: int) -> Callable[[Array], Array]:
    """log p(x_j | c) of values of the feature at this place: (n_values, n_classes).

    It is the density of rows in which nothing but x_j is observed.
    """

    def log_density(values: Array) -> Array:
        rows = np.full((len(values), model.n_features_in_), np.nan)
        rows[:, place] = values
        return model._fitted.scorer(rows)(slice(0, len(rows)))

    return log_density


# NaiveBayes ---------------------------------------------------------------------------------------


def table_features(model: NaiveBayes, X: Any) -> list[Feature]:
    """The columns of a table that have a density or shares."""
    columns, events = model._rows(X).columns, model.events_
    drawers = {name: column_drawer(events[name], columns[name]) for name in events}
    return [Feature(name, draw) for name, draw in drawers.items() if draw is not None]


def column_drawer(event: Any, cells: Any) -> Draw | None:
    """What draws a column by its kind; None for texts."""
    if isinstance(event, Categorical):
        encoded = event.encode(cells)
        return lambda ax, codes, n_classes: draw_levels(ax, encoded, codes, n_classes, event)
    if event.kind == "text":
        return None
    values = cells.values if isinstance(cells, Numbers) else np.full(len(cells), np.nan)
    if isinstance(event, Binned):
        return lambda ax, codes, n_classes: draw_bins(ax, values, codes, n_classes, event)
    if event.kind == "poisson":
        return lambda ax, codes, n_classes: draw_whole_numbers(
            ax, values, codes, n_classes, event.scores
        )
    return density_drawer(values, event.scores)
