"""Small HTML tables for notebooks: the one place for their style.

All style stands in the tags, colours are those of the page, and nothing is loaded from elsewhere:
so tables are readable on light and on dark themes. Texts are escaped, unless they are `Markup`.
"""

from collections.abc import Iterable, Sequence
from html import escape as _escape
from typing import Any

# Readable on white and on black.
FOR_COLOUR, AGAINST_COLOUR = "#2a9d5c", "#d1495b"

MOST_ROWS = 20  # of a table that may be long

_TABLE = "border-collapse:collapse;color:inherit;font-size:inherit;margin:0"
_CAPTION = "text-align:left;color:inherit;padding:0.2em 0.5em;caption-side:top;white-space:nowrap"
_SIDES = {"l": "left", "r": "right;white-space:nowrap"}


class Markup(str):
    """HTML that is ready, and must not be escaped again."""

    __slots__ = ()


def escape(value: Any) -> Markup:
    """A value as a text that HTML shows as it is.

    >>> escape("<晴>"), escape(0.5), escape(Markup("<b>sun</b>"))
    ('&lt;晴&gt;', '0.5', '<b>sun</b>')
    """
    return value if isinstance(value, Markup) else Markup(_escape(str(value)))


def html_table(
    headers: Sequence[Any] | None,
    rows: Iterable[Sequence[Any]],
    caption: Any = None,
    align: str | None = None,
    foot: Sequence[Any] | None = None,
    notes: Sequence[Any] = (),
) -> Markup:
    """A table; cells are escaped, and ready pieces of HTML are `Markup`.

    headers : names of the columns, None for a table without them
    rows    : the cells of each row
    caption : a headline above the table
    align   : a letter for each column, "l" for left or "r" for right; left without it
    foot    : cells of a last row, below a line, such as a sum
    notes   : lines below the table

    >>> html_table(None, [("<5", 7)], align="lr").count("&lt;5")
    1
    """
    cells = [_row(row, align) for row in rows]
    if foot is not None:
        cells.append(_row([_bold(cell) for cell in foot], align, "border-top:1px solid"))
    head = "" if headers is None else f"<thead>{_row(headers, align, '', 'th')}</thead>"
    title = "" if caption is None else f'<caption style="{_CAPTION}">{_bold(caption)}</caption>'
    below = "".join(f'<div style="padding:0.2em 0.5em">{escape(note)}</div>' for note in notes)
    return Markup(
        f'<table style="{_TABLE}">{title}{head}<tbody>{"".join(cells)}</tbody></table>{below}'
    )


def left_out(total: int, what: str, shown: int = MOST_ROWS) -> list[str]:
    """The note below a table that shows the first rows only.

    >>> left_out(25, "rows"), left_out(20, "rows")
    (['... and 5 more rows'], [])
    """
    return [f"... and {total - shown} more {what}"] if total > shown else []


def _bold(value: Any) -> Markup:
    return Markup(f"<b>{escape(value)}</b>") if str(value) else Markup("")


def _row(cells: Sequence[Any], align: str | None, line: str = "", tag: str = "td") -> str:
    """A row; backgrounds of notebooks that change from row to row are switched off."""
    sides = align or "l" * len(cells)
    border = "border-bottom:1px solid" if tag == "th" else line
    content = "".join(
        f'<{tag} style="text-align:{_SIDES[side]};padding:0.2em 0.5em;{border}">{escape(cell)}'
        f"</{tag}>"
        for cell, side in zip(cells, sides, strict=True)
    )
    return f'<tr style="background:none">{content}</tr>'
