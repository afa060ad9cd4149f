"""Tables with a title: as plain text, and for notebooks."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from bayesic.evidence.text_table import cell_text, is_text, text_table
from bayesic.html import html_table


class ReportTable(NamedTuple):
    """A table of a report."""

    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[Any]]


def as_text(table: ReportTable) -> str:
    """The title, and the table below it: texts to the left, numbers to the right.

    >>> print(as_text(ReportTable("Weather", ["天气", "days"], [["晴", 5], ["rain", 12]])))
    Weather
      天气  days
      晴       5
      rain    12
    """
    return "\n".join([table.title, *text_table(table.header, table.rows)])


def as_html(table: ReportTable) -> str:
    """The same for a notebook; names are escaped."""
    sides = ("l" if is_text(column) else "r" for column in zip(*table.rows, strict=True))
    rows = [[*map(cell_text, row)] for row in table.rows]
    return html_table(table.header, rows, table.title, "".join(sides))
