"""EM: the components of a Gaussian mixture as ellipses, and how the log likelihood climbs."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Ellipse
from matplotlib.ticker import MaxNLocator

from bayesic.data.languages import said
from bayesic.data.typing import ArrayLike, Predictor, Size, TableLike
from bayesic.kernels import Array
from bayesic.plots._canvas import (
    COLOURS,
    DARK,
    axes_for,
    colour,
    draw_points,
    finished,
    legend_beside,
    marker,
    name_axes,
    open_frame,
    plane_of,
    short_numbers,
)

MASSES = (0.5, 0.95)  # of a component within its ellipses
MOST_MARKERS = 60  # steps: for more, the line alone is drawn


def mixture(
    model: Predictor,
    X: TableLike,
    *,
    ax: Axes | None = None,
    size: Size | None = None,
) -> Figure:
    """The rows, each with the colour of its component, and two ellipses for each component.

    Half of a component lies within the inner ellipse, 95 % within the outer one. The legend gives
    its weight.

    model : a fitted GaussianMixture of two columns, of any covariance_type, ours or scikit-learn's
    X : rows of these two columns

    >>> import bayesic as by
    >>> people = [[1.50, 50], [1.60, 55], [1.55, 54], [1.80, 80], [1.90, 84], [1.85, 90]]
    >>> start = [[1.5, 50], [1.9, 85]]
    >>> model = by.GaussianMixture(2, means_init=start, random_state=0).fit(people)
    >>> figure = by.plots.mixture(model, people)
    >>> len(figure.axes[0].patches), figure.axes[0].get_legend().get_texts()[0].get_text()
    (4, '0.500')
    """
    needed = ("means_", "covariances_", "weights_", "covariance_type", "predict")
    if not all(hasattr(model, name) for name in needed):
        raise TypeError(f"mixture needs a fitted GaussianMixture, got {model!r:.80}.")
    plane = plane_of(X, "mixture")
    fitted: Any = model
    means = np.asarray(fitted.means_)
    covariances = _component_covariances(fitted)
    codes = np.asarray(fitted.predict(X))
    ax = axes_for(ax, size, (6.0, 4.4))
    draw_points(ax, plane.points, codes, len(means), size=20.0, alpha=0.6)
    for number, (mean, covariance) in enumerate(zip(means, covariances, strict=True)):
        for mass in MASSES:
            ax.add_patch(_ellipse(mean, covariance, mass, edgecolor=colour(number), zorder=4))
        ax.plot(*mean, marker="+", markersize=10, markeredgewidth=2, color=DARK, zorder=5)
    ax.autoscale_view()
    open_frame(ax)
    short_numbers(ax)
    name_axes(ax, *plane.names)
    legend_beside(ax, _weight_handles(np.asarray(fitted.weights_)), said("weight"))
    return finished(ax)


def _component_covariances(model: Any) -> Array:
    """The covariance matrix of each component, (n_components, 2, 2), of any covariance_type."""
    covariances, (n_components, n_features) = np.asarray(model.covariances_), model.means_.shape
    identity = np.eye(n_features)
    if model.covariance_type == "full":
        return covariances
    if model.covariance_type == "tied":
        return np.broadcast_to(covariances, (n_components, n_features, n_features))
    if model.covariance_type == "diag":
        return covariances[:, :, None] * identity
    return covariances[:, None, None] * identity


def _ellipse(mean: Array, covariance: Array, mass: float, **style: Any) -> Ellipse:
    """The ellipse of equal density that holds this share of a normal distribution of two features.

        (x - mean)^T covariance^-1 (x - mean) = -2 log(1 - mass)

    >>> shown = _ellipse(np.zeros(2), np.diag([4.0, 1.0]), mass=1 - np.exp(-0.5))
    >>> round(shown.width, 4), round(shown.height, 4)
    (2.0, 4.0)
    """
    variances, axes = np.linalg.eigh(covariance)  # the smaller one first
    radius = np.sqrt(-2 * np.log1p(-mass))
    width, height = (2 * radius * np.sqrt(variances)).tolist()
    angle = np.degrees(np.arctan2(axes[1, 0], axes[0, 0]))
    centre = float(mean[0]), float(mean[1])
    return Ellipse(centre, width, height, angle=angle, fill=False, linewidth=1.6, **style)


def _weight_handles(weights: Array) -> list[Line2D]:
    """What the legend shows of each component."""
    return [
        Line2D([], [], color=colour(number), marker=marker(number), ls="", label=f"{weight:.3f}")
        for number, weight in enumerate(weights)
    ]


def log_likelihood(
    trace: ArrayLike | Predictor,
    *,
    ax: Axes | None = None,
    size: Size | None = None,
) -> Figure:
    """The log likelihood after each step; under exact EM it never falls ([Dempster]).

    trace : the numbers, or a fitted model with trace_: SemiSupervised, GaussianMixture,
        LogisticRegression

    >>> figure = log_likelihood([-30.0, -20.0, -19.5])
    >>> figure.axes[0].lines[0].get_ydata()
    array([-30. , -20. , -19.5])
    """
    values = np.asarray(getattr(trace, "trace_", trace))
    if values.ndim != 1 or values.size == 0 or values.dtype.kind not in "fiu":
        raise ValueError(
            "trace must be the log likelihoods of at least one step, or a fitted model with "
            f"trace_, got {trace!r:.80}."
        )
    ax = axes_for(ax, size, (5.6, 3.6))
    mark = "o" if len(values) <= MOST_MARKERS else ""
    number = np.arange(1, len(values) + 1)
    ax.plot(number, values, color=COLOURS[0], marker=mark, markersize=4, linewidth=1.5)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.ticklabel_format(axis="y", style="plain", useOffset=False)
    open_frame(ax)
    name_axes(ax, said("step"), said("log likelihood"))
    return finished(ax)
