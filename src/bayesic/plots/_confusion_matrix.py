"""The confusion matrix: which class is taken for which."""

from collections.abc import Iterable

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure

from bayesic.data.labels import encode_known_labels, encode_labels, united_labels
from bayesic.data.languages import said
from bayesic.data.typing import Label, LabelsLike, Size
from bayesic.evaluation.scores import confusion_counts
from bayesic.kernels import Array
from bayesic.plots._canvas import (
    COLOURS,
    DARK,
    GREY,
    axes_for,
    finished,
    name_axes,
    name_ticks,
    tilt_long_names,
    write,
)

MOST_WITH_SHARES, MOST_WITH_COUNTS = 10, 25  # classes: for more there is no room to write
CHARACTERS_PER_INCH = 11
SHADES = LinearSegmentedColormap.from_list("shades", ["#FFFFFF", COLOURS[0]])


def confusion(
    y: LabelsLike,
    predicted: LabelsLike,
    *,
    classes: Iterable[Label] | None = None,
    ax: Axes | None = None,
    size: Size | None = None,
) -> Figure:
    """How many rows of each class (from top to bottom) get each answer (from left to right).

    Below the number is its share of the rows of that class, which is also the shade.

    y : the true classes
    predicted : the answers, such as predict gives
    classes : the order of the classes; if left out, they are sorted

    >>> figure = confusion(["ham", "ham", "spam"], ["ham", "spam", "spam"])
    >>> [text.get_text() for text in figure.axes[0].texts]
    ['1\\n50 %', '1\\n50 %', '0', '1\\n100 %']
    """
    counts, names = _counts_of_answers(y, predicted, classes)
    n_classes = len(names)
    side = n_classes * _inches_per_class(n_classes)
    ax = axes_for(ax, size, (max(side + 2.0, 4.4), side + 1.4))
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    ax.imshow(shares, cmap=SHADES, vmin=0.0, vmax=1.0)
    name_ticks(ax.xaxis, names)
    name_ticks(ax.yaxis, names)
    tilt_long_names(ax, CHARACTERS_PER_INCH * side)
    _draw_grid(ax, n_classes)
    if n_classes <= MOST_WITH_COUNTS:
        _write_cells(ax, counts, shares, n_classes <= MOST_WITH_SHARES)
    right = int(np.trace(counts))
    total = int(counts.sum())
    numbers = {"accuracy": f"{right / total:.4f}", "right": f"{right:,}", "total": f"{total:,}"}
    title = said("accuracy {accuracy}: {right} of {total} right", **numbers)
    name_axes(ax, said("answer"), said("truth"), title)
    return finished(ax)


def _counts_of_answers(
    y: LabelsLike, predicted: LabelsLike, classes: Iterable[Label] | None = None
) -> tuple[Array, Array]:
    """Counts (n_classes, n_classes) with the truth in rows, and the names of the classes.

    >>> _counts_of_answers([1, 1, 2], [1, 2, 2])
    (array([[1, 1],
           [0, 1]]), array([1, 2]))
    """
    true_names, answered_names = encode_labels(y)[0], encode_labels(predicted)[0]
    if classes is None:
        names = encode_labels(united_labels(true_names, answered_names))[0]
    else:
        names = np.asarray(classes)
    truth, answers = encode_known_labels(y, names), encode_known_labels(predicted, names)
    if len(truth) != len(answers):
        raise ValueError(
            f"y and predicted must have the same number of rows, got {len(truth)} and "
            f"{len(answers)}."
        )
    return confusion_counts(truth, answers, len(names)), names


def _inches_per_class(n_classes: int) -> float:
    """The side of a cell: with room for number and share, for the number, or for the name alone."""
    if n_classes <= MOST_WITH_SHARES:
        return 0.6
    return 0.42 if n_classes <= MOST_WITH_COUNTS else 0.22


def _draw_grid(ax: Axes, n_classes: int) -> None:
    """Thin lines between the cells."""
    lines = np.arange(n_classes + 1) - 0.5
    ax.set_xticks(lines, minor=True)
    ax.set_yticks(lines, minor=True)
    ax.grid(which="minor", color="#BBBBBB", linewidth=0.6)
    ax.tick_params(which="both", length=0)


def _write_cells(ax: Axes, counts: Array, shares: Array, with_shares: bool) -> None:
    """The number of each cell, and its share below; light on dark cells."""
    for (row, column), count in np.ndenumerate(counts):
        share = shares[row, column]
        text = f"{count:,}\n{100 * share:.0f} %" if with_shares and count else f"{count:,}"
        shade = "white" if share > 0.6 else DARK if count else GREY
        write(ax, column, row, text, ha="center", va="center", color=shade, fontsize=9)
