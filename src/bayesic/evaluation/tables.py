"""Tables with a title: as plain text, for notebooks, and for pandas."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from bayesic.evidence.bars import display_width
from bayesic.html import html_table

GAP = "   "


class ReportTable(NamedTuple):
    """A table of a report."""

    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[Any]]


def as_text(table: ReportTable) -> str:
    """The table in columns: texts to the left, numbers to the right.

    >>> print(as_text(ReportTable("Weather", ["天气", "days"], [["晴", 5], ["rain", 12]])))
    Weather
    天气   days
    ───────────
    晴        5
    rain     12
    """
    cells = [list(table.header), *([*map(cell_text, row)] for row in table.rows)]
    widths = [max(map(display_width, column)) for column in zip(*cells, strict=True)]
    sides = alignment(table)
    lines = [GAP.join(map(_padded, row, widths, sides)).rstrip() for row in cells]
    rule = "─" * (sum(widths) + len(GAP) * (len(widths) - 1))
    return "\n".join([table.title, lines[0], rule, *lines[1:]])


def as_html(table: ReportTable) -> str:
    """The same for a notebook; names are escaped."""
    rows = [[*map(cell_text, row)] for row in table.rows]
    return html_table(table.header, rows, table.title, alignment(table))


def alignment(table: ReportTable) -> str:
    """A letter for each column: "l" where texts stand, "r" for numbers.

    >>> alignment(ReportTable("Weather", ["weather", "days"], [["rain", 12]]))
    'lr'
    """
    first = table.rows[0] if table.rows else [""] * len(table.header)
    return "".join("l" if isinstance(cell, str) else "r" for cell in first)


def cell_text(value: Any) -> str:
    """A cell for the reader: four digits behind the point for what is no whole number.

    >>> cell_text(0.70425), cell_text(1234), cell_text(None), cell_text("晴")
    ('0.7043', '1,234', '-', '晴')
    """
    if value is None or value != value:
        return "-"
    if isinstance(value, float):
        return f"{value:.4f}" if abs(value) < 1e4 else f"{value:.6g}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def _padded(text: str, width: int, side: str) -> str:
    gap = " " * (width - display_width(text))
    return text + gap if side == "l" else gap + text
