"""The climb of EM: the log likelihood after each step."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from bayesic.plots.canvas import COLOURS, axes_for, finished, name_axes, open_frame

MOST_MARKERS = 60  # steps: for more, the line alone is drawn


def log_likelihood(trace: Any, *, ax: Axes | None = None, size: Any = None) -> Figure:
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
    name_axes(ax, "step", "log likelihood")
    return finished(ax)
