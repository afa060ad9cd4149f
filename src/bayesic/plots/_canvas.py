"""What all pictures share: new figures, the colour and marker of each class, labels as they are,
and the rows that are drawn."""

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Any, Literal, cast

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.text import Text

from bayesic.data.arguments import is_number
from bayesic.data.columns import Numbers
from bayesic.data.frames import as_frame
from bayesic.data.labels import take_column
from bayesic.data.tables import as_table, has_column_names
from bayesic.data.typing import LabelsLike, Size, TableLike
from bayesic.evidence.text_table import display_width, short
from bayesic.kernels import Array
from bayesic.plots._fonts import add_fonts

# The palette of Okabe and Ito without its yellow, which is faint on white: readers who are
# colour-blind tell these colours apart. Markers differ too.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#5F5F5F")
MARKERS = ("o", "^", "s", "D", "v", "P", "X", "*")
DARK, GREY, LIGHT = "#333333", "#8A8A8A", "#D9D9D9"


def colour(number: int) -> str:
    """The colour of the class of this number."""
    return COLOURS[number % len(COLOURS)]


def marker(number: int) -> str:
    """Its marker: there are 56 different pairs of colour and marker."""
    return MARKERS[number % len(MARKERS)]


class NotebookFigure(Figure):
    """A figure that notebooks show by themselves, with or without `%matplotlib inline`."""

    def _repr_png_(self) -> bytes:
        picture = BytesIO()
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Glyph .* missing")  # said when it was drawn
            self.savefig(picture, format="png")
        return picture.getvalue()


# figures ------------------------------------------------------------------------------------------


def new_figure(size: Size | None, usual: Size) -> Figure:
    """An empty figure of this size, or of the usual one."""
    sides = usual if size is None else size
    is_pair = isinstance(sides, (list, tuple, np.ndarray)) and len(sides) == 2
    if not is_pair or not all(is_number(side) and 0 < side < np.inf for side in sides):
        raise ValueError(
            f"size must be width and height in inches, such as (6, 4), got {size!r:.80}."
        )
    width, height = sides
    return NotebookFigure(figsize=(width, height), layout="constrained")


def axes_for(ax: Axes | None, size: Size | None, usual: Size) -> Axes:
    """Where to draw: on the axes that are given, or on those of a new figure."""
    if ax is None:
        return new_figure(size, usual).add_subplot()
    if size is not None:
        raise ValueError("size is that of a new figure, but ax is part of one. Leave out one.")
    return ax


def finished(ax: Axes) -> Figure:
    """The figure of the axes, ready to be shown or saved."""
    figure = cast(Figure, ax.get_figure())
    add_fonts(figure)
    return figure


def open_frame(ax: Axes) -> None:
    """Take away the lines above and to the right."""
    ax.spines[["top", "right"]].set_visible(False)


def draw_points(
    ax: Axes, points: Array, codes: Array, n_classes: int, size: float = 26.0, alpha: float = 1.0
) -> None:
    """Draw points (n_rows, 2), each with colour and marker of its class."""
    for number in range(n_classes):
        own = points[codes == number]
        ax.scatter(
            own[:, 0],
            own[:, 1],
            s=size,
            color=colour(number),
            marker=marker(number),
            alpha=alpha,
            edgecolors="white",
            linewidths=0.6,
            zorder=3,
        )


def short_numbers(ax: Axes) -> None:
    """Write a common power of ten beside an axis of very large or small numbers."""
    ax.ticklabel_format(axis="both", style="sci", scilimits=(-3, 4))


# labels -------------------------------------------------------------------------------------------


def as_it_is(text: Text) -> Text:
    """Let a label stand as it is written: $ in a name does not begin a formula."""
    text.set_parse_math(False)
    return text


def name_axes(ax: Axes, x: str = "", y: str = "", title: str = "") -> None:
    """Write the names of the axes, and the title; empty ones are left out."""
    for set_text, name in ((ax.set_xlabel, x), (ax.set_ylabel, y), (ax.set_title, title)):
        if name:
            as_it_is(set_text(name))


def name_ticks(axis: Axis, names: Sequence[object] | Array) -> None:
    """Put names at 0, 1, 2, ... on an axis."""
    for label in axis.set_ticks(range(len(names)), [short(name) for name in names]):
        as_it_is(label.label1)


def tilt_long_names(ax: Axes, room: float) -> None:
    """Tilt the names below the axes if one of them is wider than its room.

    room : in columns of a terminal, of all names together
    """
    labels = ax.get_xticklabels()
    if max(display_width(label.get_text()) for label in labels) * len(labels) > room:
        for label in labels:
            label.set(rotation=35, ha="right", rotation_mode="anchor")


def write(ax: Axes, x: float, y: float, text: str, **style: Any) -> Text:
    """Write a text into the picture."""
    return as_it_is(ax.text(x, y, text, **style))


def class_handles(names: Iterable[object], line: Literal["", "-"] = "") -> list[Line2D]:
    """What the legend shows of each class: its marker, with a line of this style if any."""
    return [
        Line2D(
            [], [], color=colour(number), marker=marker(number), linestyle=line, label=short(name)
        )
        for number, name in enumerate(names)
    ]


def legend_beside(ax: Axes, handles: Sequence[Artist], title: str = "") -> None:
    """A legend to the right of the axes, where it hides nothing."""
    legend = ax.legend(
        handles=handles,
        title=title or None,
        loc="upper left",
        bbox_to_anchor=(1.0, 1.0),
        frameon=False,
        alignment="left",
    )
    for text in (*legend.get_texts(), legend.get_title()):
        as_it_is(text)


# rows ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Plane:
    """Rows with two numeric columns."""

    names: tuple[str, str]
    points: Array  # (n_rows, 2), NaN where missing
    rows_at: Callable[[Array], TableLike]  # points -> rows in the form in which these ones came


def rows_and_labels(X: TableLike, y: LabelsLike) -> tuple[TableLike, LabelsLike]:
    """The rows without their classes, and the classes; y may be the name of a column of X."""
    return take_column(X, y) if isinstance(y, str) else (X, y)


def plane_of(X: TableLike, picture: str) -> Plane:
    """X as two numeric columns; anything else is refused, in the name of the picture.

    >>> plane_of({"width": [1, 2], "height": [3, 5]}, "a map").points.tolist()
    [[1.0, 3.0], [2.0, 5.0]]
    """
    table = as_table(X)
    if len(table.names) != 2:
        names = ", ".join(table.names[:6]) + (", ..." if len(table.names) > 6 else "")
        raise ValueError(
            f"{picture} needs rows of two columns, got {len(table.names)}: {names}. Learn a model "
            "of two of them, and give these two."
        )
    for name, cells in table.columns.items():
        if not isinstance(cells, Numbers):
            raise ValueError(f"{picture} needs columns of numbers, but {name!r} holds none.")
    first, second = table.names
    columns = [cells.values for cells in table.columns.values() if isinstance(cells, Numbers)]
    points = np.column_stack(columns)
    if not np.isfinite(points).all(axis=1).any():
        raise ValueError(f"{picture} needs at least one row without gaps, got none.")
    return Plane((first, second), points, _maker_of_rows(X, table.names))


def steps_over(values: Array, n_steps: int, margin: float) -> Array:
    """A grid from somewhat below the least value to somewhat above the largest.

    margin : below and above, as a share of the range

    >>> steps_over(np.array([0.0, 100.0, np.nan]), n_steps=3, margin=0.1)
    array([-10.,  50., 110.])
    """
    finite = values[np.isfinite(values)]
    low, high = (finite.min(), finite.max()) if len(finite) else (0.0, 1.0)
    beside = margin * (high - low) or 1.0
    return np.linspace(low - beside, high + beside, n_steps)


def _maker_of_rows(X: TableLike, names: tuple[str, ...]) -> Callable[[Array], TableLike]:
    """What makes rows like X of points: arrays of arrays, tables of the same library of tables."""
    if not has_column_names(X):
        return lambda points: points
    frame = None if isinstance(X, (Mapping, list, tuple)) else as_frame(X)
    if frame is None:
        return lambda points: dict(zip(names, points.T, strict=True))

    def table_of(points: Array) -> TableLike:
        import narwhals as nw

        columns = dict(zip(frame.columns, np.ascontiguousarray(points.T), strict=True))
        return nw.from_dict(columns, backend=frame.implementation).to_native()

    return table_of
