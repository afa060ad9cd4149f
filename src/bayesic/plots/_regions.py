"""Decision regions: which class is most probable where, in the plane of two features."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

from bayesic.data.labels import encode_known_labels
from bayesic.data.typing import Classifier, LabelsLike, Size, TableLike
from bayesic.kernels import Array
from bayesic.plots._canvas import (
    DARK,
    axes_for,
    class_handles,
    colour,
    draw_points,
    finished,
    legend_beside,
    name_axes,
    plane_of,
    rows_and_labels,
    short_numbers,
    steps_over,
)

N_STEPS = 240  # points of the grid along each axis
MARGIN = 0.08  # around the data, as a share of their range
# How much of the colour of its class a point gets: where classes are equally probable, and where
# one is certain.
FAINTEST, STRONGEST = 0.12, 0.45
N_SHADES = 10  # between the two
SIDE_OF_TIE = 1e-9


def decision_regions(
    model: Classifier,
    X: TableLike,
    y: LabelsLike,
    *,
    ax: Axes | None = None,
    size: Size | None = None,
) -> Figure:
    """The most probable class at each point of the plane, the boundaries, and the data.

    The colour is stronger, in ten shades, the more probable the class. On a boundary the two
    most probable classes have the same probability.

    model : any classifier with predict_proba that has learned two numeric columns
    X : rows of these two columns: an array, a table, or a dict of columns
    y : their classes, or the name of the column of X that holds them

    >>> from bayesic import GaussianNB
    >>> X, y = [[1, 2], [2, 1], [8, 9], [9, 7]], ["low", "low", "high", "high"]
    >>> figure = decision_regions(GaussianNB().fit(X, y), X, y)
    >>> [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
    ['high', 'low']
    """
    if not hasattr(model, "predict_proba") or not hasattr(model, "classes_"):
        raise TypeError(
            f"decision_regions needs a fitted classifier with predict_proba, got {model!r:.80}."
        )
    X, y = rows_and_labels(X, y)
    plane = plane_of(X, "decision_regions")
    codes = encode_known_labels(y, np.asarray(model.classes_))
    ax = axes_for(ax, size, (6.0, 4.4))
    xs, ys = (steps_over(values, N_STEPS, MARGIN) for values in plane.points.T)
    grid = np.column_stack([part.ravel() for part in np.meshgrid(xs, ys)])
    posterior = np.asarray(model.predict_proba(plane.rows_at(grid)))
    posterior = posterior.reshape(len(ys), len(xs), -1)
    _draw_regions(ax, xs, ys, posterior)
    _draw_boundaries(ax, xs, ys, posterior)
    draw_points(ax, plane.points, codes, len(model.classes_))
    short_numbers(ax)
    name_axes(ax, *plane.names)
    legend_beside(ax, class_handles(model.classes_))
    return finished(ax)


def _draw_regions(ax: Axes, xs: Array, ys: Array, posterior: Array) -> None:
    """Colour each point by its most probable class.

    posterior : (n_y, n_x, n_classes)
    """
    n_classes = posterior.shape[2]
    certainty = (posterior.max(axis=2) - 1 / n_classes) / (1 - 1 / n_classes or 1.0)
    shade = np.round(N_SHADES * certainty) / N_SHADES
    strength = (FAINTEST + (STRONGEST - FAINTEST) * shade)[:, :, None]
    colours = np.array([to_rgb(colour(number)) for number in range(n_classes)])
    image = 1 - strength + strength * colours[posterior.argmax(axis=2)]
    half_x, half_y = (xs[1] - xs[0]) / 2, (ys[1] - ys[0]) / 2
    extent = (xs[0] - half_x, xs[-1] + half_x, ys[0] - half_y, ys[-1] + half_y)
    ax.imshow(image, origin="lower", extent=extent, aspect="auto", interpolation="nearest")


def _draw_boundaries(ax: Axes, xs: Array, ys: Array, posterior: Array) -> None:
    """Draw a line around the region of each class."""
    n_classes = posterior.shape[2]
    for number in range(n_classes if n_classes > 2 else n_classes - 1):
        lead = _lead_of(posterior, number)
        if lead.min() < 0 < lead.max():
            ax.contour(xs, ys, lead, levels=[0], colors=DARK, linewidths=1.1)


def _lead_of(posterior: Array, number: int) -> Array:
    """P(c) - max of the others, for the class of this number: above 0 where it is the answer.

    Where several are equally probable the first is the answer, as in predict.

    >>> _lead_of(np.array([[[0.75, 0.25], [0.5, 0.5]]]), 0)
    array([[5.e-01, 1.e-09]])
    """
    lead = posterior[:, :, number] - np.delete(posterior, number, axis=2).max(axis=2)
    is_answer = posterior.argmax(axis=2) == number
    return np.where(is_answer, np.maximum(lead, SIDE_OF_TIE), np.minimum(lead, -SIDE_OF_TIE))
