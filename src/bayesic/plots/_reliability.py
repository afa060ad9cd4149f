"""Calibration: are answers that are called 80 % sure right four times out of five?"""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from scipy.special import betaincinv

from bayesic.data.arguments import as_numbers
from bayesic.data.labels import checked_labels
from bayesic.data.languages import number_of, said
from bayesic.data.typing import ArrayLike, Classifier, Label, LabelsLike, Size, TableLike
from bayesic.evaluation.report import evaluate_posterior
from bayesic.evaluation.scores import CalibrationBin
from bayesic.kernels import Array
from bayesic.plots._canvas import (
    COLOURS,
    DARK,
    GREY,
    LIGHT,
    axes_for,
    finished,
    name_axes,
    open_frame,
    write,
)

LEVEL = 0.95  # of the intervals
FLOOR, BAR_HEIGHT = -0.30, 0.18  # the bars of the numbers of rows stand below the curve


def calibration(
    answers: Classifier | ArrayLike,
    y: LabelsLike,
    *,
    X: TableLike | None = None,
    classes: Iterable[Label] | None = None,
    ax: Axes | None = None,
    size: Size | None = None,
) -> Figure:
    """How often answers are right, against how confident the model was.

    The confidence of a row is the probability of its most probable class. Rows are put into ten
    bins by it. A point is at the mean confidence of a bin and the share of right answers in it; on
    the diagonal the two are the same, below it the model is overconfident. The line through a point
    is the central 95 % of Beta(1 + right, 1 + wrong), what is known about the true share after that
    many rows. The bars below show how many rows there are.

    answers : class probabilities (n_rows, n_classes), or a fitted classifier. Pass probabilities of
        rows that were not learned, as leave_one_out gives
    y : the true classes
    X : the rows, for a classifier
    classes : names of the columns of the probabilities; if left out, the sorted classes of y

    >>> figure = calibration([[0.9, 0.1], [0.8, 0.2], [0.3, 0.7]], ["ham", "ham", "spam"])
    >>> figure.axes[0].get_title()
    'expected calibration error 0.2000, 3 rows'
    """
    posterior, names = _posterior_of(answers, y, X, classes)
    evaluation = evaluate_posterior(posterior, checked_labels(y), names)
    bins = [part for part in evaluation.calibration if part.n_rows]
    ax = axes_for(ax, size, (5.2, 5.0))
    _draw_frame(ax)
    _draw_bins(ax, bins)
    _draw_counts(ax, bins, said("rows"))
    numbers = {
        "error": f"{evaluation.expected_calibration_error:.4f}",
        "rows": number_of(f"{evaluation.n_rows:,}", evaluation.n_rows == 1, "row"),
    }
    title = said("expected calibration error {error}, {rows}", **numbers)
    sides = said("mean confidence"), said("share of right answers")
    name_axes(ax, *sides, title)
    return finished(ax)


def _posterior_of(
    answers: Any, y: LabelsLike, X: TableLike | None, classes: Iterable[Label] | None
) -> tuple[Array, Sequence[Label]]:
    """Probabilities and names of the classes, those of a model or those given."""
    if hasattr(answers, "predict_proba"):
        if X is None:
            raise ValueError("A model needs rows to answer: write calibration(model, y, X=X).")
        return np.asarray(answers.predict_proba(X)), answers.classes_
    if X is not None:
        raise ValueError("X is for a model, but probabilities were given. Leave one of them out.")
    posterior = as_numbers(answers, "answers")
    names: Any = np.unique(checked_labels(y)) if classes is None else classes
    if classes is None and posterior.ndim == 2 and posterior.shape[1] != len(names):
        raise ValueError(
            f"The probabilities have {posterior.shape[1]} columns, but y has {len(names)} classes. "
            "Name the columns: classes=model.classes_."
        )
    return posterior, names


def _credible_interval(n_right: float, n_wrong: float) -> tuple[float, float]:
    """The central 95 % of Beta(1 + right, 1 + wrong): the share of right answers, after counting.

    Of no row nothing is known:

    >>> [round(limit, 4) for limit in _credible_interval(0, 0)]
    [0.025, 0.975]
    """
    tail = (1 - LEVEL) / 2
    low, high = (float(betaincinv(1 + n_right, 1 + n_wrong, p)) for p in (tail, 1 - tail))
    return low, high


def _draw_frame(ax: Axes) -> None:
    """The diagonal, and axes from 0 to 1 with room for the bars below."""
    ax.plot([0, 1], [0, 1], color=GREY, linewidth=1, linestyle="--", zorder=1)
    open_frame(ax)
    ax.spines["left"].set_bounds(0, 1)
    ax.set(xlim=(-0.02, 1.02), ylim=(FLOOR - 0.01, 1.03))
    ax.set(xticks=np.linspace(0, 1, 6), yticks=np.linspace(0, 1, 6))


def _draw_bins(ax: Axes, bins: Sequence[CalibrationBin]) -> None:
    """A point with its interval for each bin, and a line through the points."""
    confidence = [part.mean_confidence for part in bins]
    right = [part.share_right for part in bins]
    limits = [
        _credible_interval(part.n_rows * part.share_right, part.n_rows * (1 - part.share_right))
        for part in bins
    ]
    ax.vlines(confidence, *zip(*limits, strict=True), color=COLOURS[0], linewidth=1.2, alpha=0.6)
    ax.plot(confidence, right, color=COLOURS[0], marker="o", markersize=5, linewidth=1.5)


def _draw_counts(ax: Axes, bins: Sequence[CalibrationBin], name: str) -> None:
    """A bar for the number of rows in each bin, below the curve, with the number on it."""
    largest = max(part.n_rows for part in bins)
    for part in bins:
        height = BAR_HEIGHT * part.n_rows / largest
        ax.bar((part.low + part.high) / 2, height, 0.09, bottom=FLOOR, color=LIGHT)
        middle = (part.low + part.high) / 2
        text = f"{part.n_rows:,}"
        write(ax, middle, FLOOR + height + 0.01, text, ha="center", fontsize=7, color=DARK)
    ax.axhline(FLOOR, color=LIGHT, linewidth=0.8)
    write(ax, 0.0, FLOOR + BAR_HEIGHT + 0.035, name, fontsize=7, color=DARK)
