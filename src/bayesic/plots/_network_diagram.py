"""A belief network: its variables in layers, each with the probabilities of its states."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch, Rectangle
from matplotlib.path import Path
from matplotlib.textpath import text_to_path

from bayesic.data.languages import said
from bayesic.data.typing import Size
from bayesic.evidence.bars import probability_text
from bayesic.evidence.text_table import short
from bayesic.networks.distribution import Distribution
from bayesic.networks.edge_routes import EdgeRoute, Sizes
from bayesic.networks.layout import NetworkLayout, layout, spread
from bayesic.networks.network import BeliefNetwork
from bayesic.networks.network_text import conditions_text
from bayesic.plots._canvas import (
    COLOURS,
    DARK,
    GREY,
    LIGHT,
    axes_for,
    finished,
    name_axes,
    write,
)
from bayesic.plots._fonts import families_for

MOST_STATES = 6  # lines of a variable
LARGEST = 100.0  # inches of a picture; a network that needs more is drawn smaller
PIXELS = 96.0  # units of a position in an inch
LONGEST = 100  # columns of a terminal that are looked at of a name

# Inches from here on; fonts are in points. All of them shrink and grow with the picture.
NAME_FONT, STATE_FONT, TITLE_FONT, POINTS = 9.0, 7.0, 12.0, 72.0
NAME_LINE, STATE_LINE, TITLE_LINE = 0.26, 0.165, 0.3
NAME_ROOM, STATE_ROOM, BAR_ROOM, NUMBER_ROOM = 1.7, 0.8, 0.45, 0.42
PADDING, MARGIN, EDGE_OF_FIGURE = 0.07, 0.15, 0.05

SHARE, SEEN = COLOURS[:2]  # colours of bars, and of what was observed
PALE = "#FDF1E7"  # behind what was observed


@dataclass(frozen=True)
class _Card:
    """What is shown of a variable."""

    name: str
    lines: Sequence[tuple[str, float]]  # states and their probabilities
    observed: bool

    @property
    def height(self) -> float:
        """The room that it needs."""
        return NAME_LINE + (len(self.lines) * STATE_LINE + PADDING if self.lines else 0.0)


@dataclass(frozen=True)
class _Measures:
    """What all cards of a picture share."""

    width: float  # of a card
    state_width: float  # of the texts before the bars
    scale: float  # inches of the picture for each inch of the plan

    def font(self, points: float) -> float:
        """The size of a font in this picture."""
        return points * self.scale


def network(
    net: BeliefNetwork,
    given: Mapping[str, object] | None = None,
    *,
    ax: Axes | None = None,
    size: Size | None = None,
) -> Figure:
    """The variables of a network, parents above children, with the probabilities of their states.

    given : variable -> its observed state. Bars are then posteriors, and what was observed is drawn
        in orange, with a thick frame

    If the network has `positions` for all its variables, they are drawn there, moved apart until
    none overlap; 96 units are an inch. Long names are cut. With more than 6 states the 5 most
    probable are shown, and the sum of the others. If a table is missing, only names are shown.

    >>> from bayesic.datasets.networks import asia
    >>> figure = network(asia(), given={"xray": "yes"})
    >>> figure.axes[0].get_title()
    'given xray=yes'
    """
    _check_network(net)
    cards, seen = _cards_of(net, given)
    width, state_width = _widths_of(cards.values())
    heights = {name: card.height for name, card in cards.items()}
    sizes = Sizes(width, heights, beside=0.22, between=0.42, passing=0.12)
    parents = {name: net.parents(name) for name in net.variables}
    plan = layout(parents, sizes, _places_of(net, sizes))
    title = said("given {seen}", seen=seen) if seen else ""
    needed = (plan.width + 2 * MARGIN, plan.height + 2 * MARGIN + (TITLE_LINE if title else 0.0))
    is_new = ax is None
    ax = axes_for(ax, size, _usual_size(needed))
    measures = _Measures(width, state_width, _scale_of(ax, is_new, needed))
    for route in plan.routes.values():
        _draw_edge(ax, route, measures)
    for name, (x, y) in plan.middles.items():
        _draw_card(ax, cards[name], x - width / 2, y - heights[name] / 2, measures)
    _frame(ax, plan)
    name_axes(ax, title=_fitting(title, needed[0] * measures.scale, TITLE_FONT))
    return finished(ax)


def _check_network(net: object) -> None:
    if not isinstance(net, BeliefNetwork):
        raise TypeError(
            f"network shows a BeliefNetwork, got {type(net).__name__}. Make one of edges and "
            "tables, or read one with read_network."
        )
    if not net.variables:
        raise ValueError("network shows the variables of a network, but this one has none.")


# what is shown ------------------------------------------------------------------------------------


def _cards_of(
    net: BeliefNetwork, given: Mapping[str, object] | None
) -> tuple[dict[str, _Card], str]:
    """A card for each variable, and what was observed as a text."""
    names = {name: _fitting(name, NAME_ROOM, NAME_FONT) for name in net.variables}
    if net.variables_without_table and not given:
        return {name: _Card(text, (), False) for name, text in names.items()}, ""
    marginals = net.query(given=given)
    seen = marginals[net.variables[0]].given
    cards = {
        name: _Card(text, _lines_of(marginals[name]), name in seen) for name, text in names.items()
    }
    return cards, conditions_text(seen)


def _lines_of(distribution: Distribution) -> list[tuple[str, float]]:
    """The states and their probabilities; of many, the most probable ones in their order.

    >>> dice = Distribution(("Dice",), (tuple(range(1, 9)),), np.array([.1] * 6 + [.2] * 2))
    >>> _lines_of(dice)[-2:], [state for state, _ in _lines_of(dice)]
    ([('8', 0.2), ('… 3 more', 0.3)], ['1', '2', '3', '7', '8', '… 3 more'])
    """
    states, shares = distribution.states[0], distribution.probabilities
    n_shown = len(states) if len(states) <= MOST_STATES else MOST_STATES - 1
    order = np.argsort(-shares, kind="stable")
    lines = [
        (_fitting(str(states[number]), STATE_ROOM, STATE_FONT), float(shares[number]))
        for number in sorted(order[:n_shown].tolist())
    ]
    others = order[n_shown:]
    if len(others):
        more = said("… {number} more", number=len(others))
        lines.append((more, round(float(shares[others].sum()), 15)))
    return lines


def _widths_of(cards: Iterable[_Card]) -> tuple[float, float]:
    """The width of every card, and of the texts of states in it."""
    names, states = [0.0], [0.0]
    for card in cards:
        names.append(_text_width(card.name, NAME_FONT))
        states += [_text_width(state, STATE_FONT) for state, _ in card.lines]
    state_width = max(states)
    lines = state_width + 2 * PADDING + BAR_ROOM + NUMBER_ROOM if state_width else 0.0
    return max(*names, lines, 0.4) + 2 * PADDING, state_width


def _text_width(text: str, points: float) -> float:
    """How wide a text is when it is drawn; a character that no font has is a box."""
    families, missing = families_for(text, FontProperties().get_family())
    boxed = "".join("—" if character in missing else character for character in text)
    font = FontProperties(family=families, size=points)
    return text_to_path.get_text_width_height_descent(boxed, font, False)[0] / POINTS


def _fitting(name: str, room: float, points: float) -> str:
    """A name on one line, its end left out if it is wider than its room.

    >>> _fitting("rain", room=1.0, points=9), _fitting("a very rainy day", room=0.5, points=9)
    ('rain', 'a ver…')
    """
    text = short(name, LONGEST)
    while len(text) > 1 and _text_width(text, points) > room:
        text = f"{text.removesuffix('…')[:-1].rstrip()}…"
    return text


def _places_of(net: BeliefNetwork, sizes: Sizes) -> dict[str, tuple[float, float]] | None:
    """Where the network says that its variables stand, if it does so of all, in inches."""
    middles = {name: (x / PIXELS, y / PIXELS) for name, (x, y) in net.positions.items()}
    return spread(middles, sizes) if len(middles) == len(net.variables) else None


# where, and how large -----------------------------------------------------------------------------


def _usual_size(needed: Size) -> Size:
    """The size of a new figure: as large as is needed, but not without limit."""
    shrink = min(1.0, LARGEST / max(needed))
    return needed[0] * shrink, needed[1] * shrink


def _scale_of(ax: Axes, is_new: bool, needed: Size) -> float:
    """By how much the plan shrinks or grows on these axes."""
    figure = ax.get_figure(root=True)
    assert figure is not None  # these axes are part of one
    room = figure.bbox_inches if is_new else ax.get_window_extent()
    inch = 1.0 if is_new else figure.dpi
    return float(min(room.width / inch / needed[0], room.height / inch / needed[1]))


def _frame(ax: Axes, plan: NetworkLayout) -> None:
    """Show all of the plan, equally scaled to both sides, from top to bottom."""
    margin = MARGIN - EDGE_OF_FIGURE  # which the figure leaves free by itself
    right, bottom = plan.left + plan.width, plan.top + plan.height
    ax.set(xlim=(plan.left - margin, right + margin), ylim=(bottom + margin, plan.top - margin))
    ax.set_aspect("equal")
    ax.set_axis_off()


# drawing ------------------------------------------------------------------------------------------


def _draw_edge(ax: Axes, route: EdgeRoute, measures: _Measures) -> None:
    """An arrow: straight down through layers, and with a curve from one to the next."""
    x, top, bottom = route[0]
    points, codes = [(x, top)], [Path.MOVETO]
    for position, (next_x, next_top, next_bottom) in enumerate([*route[1:], route[-1]]):
        if bottom != top:
            points.append((x, bottom))
            codes.append(Path.LINETO)
        if position < len(route) - 1:
            half = (bottom + next_top) / 2
            points += [(x, half), (next_x, half), (next_x, next_top)]
            codes += [Path.CURVE4] * 3
        x, top, bottom = next_x, next_top, next_bottom
    arrow = FancyArrowPatch(
        path=Path(points, codes),
        arrowstyle="-|>",
        mutation_scale=measures.font(8.0),
        linewidth=measures.font(0.8),
        color=GREY,
        zorder=1,
    )
    ax.add_patch(arrow)


def _draw_card(ax: Axes, card: _Card, left: float, top: float, measures: _Measures) -> None:
    """A box with the name of a variable, and a line for each state."""
    box = FancyBboxPatch(
        (left, top),
        measures.width,
        card.height,
        boxstyle="round,pad=0,rounding_size=0.05",
        linewidth=measures.font(1.8 if card.observed else 0.8),
        edgecolor=SEEN if card.observed else DARK,
        facecolor=PALE if card.observed else "white",
        zorder=2,
    )
    ax.add_patch(box)
    write(
        ax,
        left + measures.width / 2,
        top + NAME_LINE / 2,
        card.name,
        ha="center",
        va="center",
        fontsize=measures.font(NAME_FONT),
        color=SEEN if card.observed else DARK,
    )
    for number, (state, share) in enumerate(card.lines):
        middle = top + NAME_LINE + (number + 0.5) * STATE_LINE
        colour = SEEN if card.observed else SHARE
        _draw_line(ax, state, share, left + PADDING, middle, colour, measures)


def _draw_line(
    ax: Axes,
    state: str,
    share: float,
    left: float,
    middle: float,
    colour: str,
    measures: _Measures,
) -> None:
    """A state, its probability as a bar, and as a number."""
    right = left + measures.width - 2 * PADDING
    bar = left + measures.state_width + PADDING
    longest = right - NUMBER_ROOM - PADDING - bar
    style = {"va": "center", "fontsize": measures.font(STATE_FONT), "color": DARK}
    write(ax, left, middle, state, ha="left", **style)
    for length, shade in ((longest, LIGHT), (longest * min(share, 1.0), colour)):
        height = 0.6 * STATE_LINE
        start = (bar, middle - height / 2)
        ax.add_patch(Rectangle(start, length, height, facecolor=shade, linewidth=0, zorder=3))
    write(ax, right, middle, probability_text(share), ha="right", **style)
