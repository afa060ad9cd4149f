"""Weights of evidence as bars: what speaks for an answer, and what against it."""

from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from bayesic.data.languages import said
from bayesic.data.typing import Size
from bayesic.evidence.bars import feature_text, largest_finite, lines_of, notes_of
from bayesic.evidence.explanation import Explanation
from bayesic.evidence.text_table import short
from bayesic.plots._canvas import (
    COLOURS,
    DARK,
    axes_for,
    finished,
    name_axes,
    name_ticks,
    open_frame,
    write,
)

MOST_BARS = 15  # features; the weaker ones are added up
INFINITE = 1.25  # length of the bar of an infinite weight, in lengths of the longest finite one
ROOM = 1.6  # at both ends of the axis, in the same lengths, so that numbers fit


class _Bar(NamedTuple):
    """One line of the picture."""

    name: str
    weight: float
    colour: str


def evidence(
    explanation: Explanation,
    *,
    ax: Axes | None = None,
    size: Size | None = None,
) -> Figure:
    """Prior, weight of each feature, and their sum, the log odds of the answer.

    Bars to the right speak for the answer, bars to the left for the other side. The strongest
    evidence comes first; beyond 15 features the weaker ones are added up in one bar.

    explanation : of one row, such as model.explain(row) gives

    >>> from bayesic import TextClassifier
    >>> model = TextClassifier().fit(["free money", "lunch today"], ["spam", "ham"])
    >>> figure = evidence(model.explain("free lunch today"))
    >>> [label.get_text() for label in figure.axes[0].get_yticklabels()]
    ['prior', 'free', 'lunch', 'today', 'log odds']
    """
    if not isinstance(explanation, Explanation):
        given = "list" if isinstance(explanation, list) else type(explanation).__name__
        raise TypeError(
            "evidence shows the Explanation of one row, such as model.explain(row) gives, got "
            f"{given}."
        )
    bars = _bars_of(explanation)
    ax = axes_for(ax, size, (6.4, 1.4 + 0.3 * len(bars)))
    longest = max(largest_finite(explanation), _finite_or_zero(explanation.log_odds)) or 1.0
    _draw_bars(ax, bars, longest)
    ax.axvline(0, color=DARK, linewidth=0.8)
    ax.axhline(len(bars) - 1.5, color=DARK, linewidth=0.6)
    open_frame(ax)
    ax.set(xlim=(-ROOM * longest, ROOM * longest), ylim=(len(bars) - 0.4, -0.6))
    name_ticks(ax.yaxis, [bar.name for bar in bars])
    ax.tick_params(axis="y", length=0)
    names = {"answer": short(explanation.answer, 16)}
    names["other"] = (
        said("the rest") if explanation.against is None else short(explanation.against, 16)
    )
    sides = said("← for {other}     log odds     for {answer} →", **names)
    titles = [explanation.headline(), *notes_of(explanation)[:1]]
    name_axes(ax, sides, title="\n".join(short(title, 70) for title in titles))
    return finished(ax)


def _finite_or_zero(number: float) -> float:
    """The size of a number, 0 if it is infinite."""
    return abs(number) if np.isfinite(number) else 0.0


def _bars_of(explanation: Explanation) -> list[_Bar]:
    """The bars from top to bottom: prior, features, what is left of them, and the sum."""
    most = len(explanation.weights) if explanation.top is None else explanation.top
    if most > MOST_BARS:
        most = MOST_BARS - 1
    sides = [
        _Bar(feature_text(line), line.weight, COLOURS[0 if line.weight > 0 else 1])
        for line in lines_of(explanation, most)
    ]
    total = said("log odds")
    return [*sides, _Bar(total, explanation.log_odds, DARK)]


def _draw_bars(ax: Axes, bars: list[_Bar], longest: float) -> None:
    """Bars with their weights at the end; an infinite one is hatched."""
    for index, bar in enumerate(bars):
        infinite = np.isinf(bar.weight)
        length = np.sign(bar.weight) * INFINITE * longest if infinite else bar.weight
        hatch = "///" if infinite else None
        ax.barh(
            index, length, 0.68, color=bar.colour, hatch=hatch, edgecolor="white", linewidth=0.0
        )
        side = 1 if bar.weight >= 0 else -1
        write(
            ax,
            length + side * 0.03 * longest,
            index,
            f"{bar.weight:+.2f}",
            ha="left" if side > 0 else "right",
            va="center",
            fontsize=8,
            color=DARK,
        )
