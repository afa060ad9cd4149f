"""Explanations as bars: in plain text, in the colours of a terminal, and in a notebook."""

import math
from html import escape
from typing import TYPE_CHECKING
from unicodedata import combining, east_asian_width

if TYPE_CHECKING:
    from rich.console import RenderableType

    from bayesic.evidence.explanation import Explanation

BAR_WIDTH = 20

# Readable on white and on black.
FOR_COLOUR, AGAINST_COLOUR = "#2a9d5c", "#d1495b"


def as_text(explanation: "Explanation") -> str:
    """One line for the prior and each feature, the strongest evidence first."""
    lines = [explanation.headline()]
    parts = [("prior", explanation.prior_log_odds), *explanation.strongest_first()]
    names = max(display_width(name) for name, _ in [*parts, ("log odds", 0.0)])
    numbers = max(len(f"{weight:+.4f}") for _, weight in [*parts, ("", explanation.log_odds)])
    scale = largest_finite(explanation)
    for name, weight in parts:
        padded = name + " " * (names - display_width(name))
        bar = ("+" if weight > 0 else "-") * round(BAR_WIDTH * relative(weight, scale))
        lines.append(f"  {padded}  {weight:+{numbers}.4f}  {bar}".rstrip())
    lines.append(f"  {'log odds':<{names}}  {explanation.log_odds:+{numbers}.4f}")
    return "\n".join(lines)


def as_rich(explanation: "Explanation") -> "RenderableType":
    """The same as a renderable of rich, with values and bars in colour."""
    from rich.table import Table
    from rich.text import Text

    table = Table.grid(padding=(0, 2))
    table.title, table.title_justify = Text(explanation.headline(), style="bold"), "left"
    for justify in ("left", "left", "right", "left"):
        table.add_column(justify=justify)
    scale = largest_finite(explanation)
    for name, value, weight in table_rows(explanation):
        style = "green" if weight > 0 else "red"
        bar = Text("█" * round(BAR_WIDTH * relative(weight, scale)), style=style)
        table.add_row(Text(name), Text(value, style="dim"), Text(f"{weight:+.4f}"), bar)
    total = Text(f"{explanation.log_odds:+.4f}", style="bold")
    table.add_row(Text("log odds", style="bold"), "", total, "")
    return table


def as_html(explanation: "Explanation") -> str:
    """The same as an HTML table; names are escaped, all style stands in the tags."""
    scale = largest_finite(explanation)
    rows = [
        html_row(name, value, weight, relative(weight, scale))
        for name, value, weight in table_rows(explanation)
    ]
    total = (
        f'<tr style="background:none;border-top:1px solid currentColor"><td><b>log odds</b></td>'
        f'<td></td><td style="text-align:right"><b>{explanation.log_odds:+.4f}</b></td><td></td>'
        "</tr>"
    )
    headline = escape(explanation.headline())
    return (
        '<table style="border-collapse:collapse;color:inherit;font-size:inherit">'
        f'<caption style="text-align:left;color:inherit"><b>{headline}</b></caption>'
        f"<tbody>{''.join(rows)}{total}</tbody></table>"
    )


def html_row(name: str, value: str, weight: float, length: float) -> str:
    """A line of the table; bars for the answer go to the right of the middle, others to the left.

    >>> html_row("<b>", "1", 0.5, 1.0).count("&lt;b&gt;")
    1
    """
    side, colour = ("left", FOR_COLOUR) if weight > 0 else ("right", AGAINST_COLOUR)
    bar = f"position:absolute;{side}:50%;width:{50 * length:.1f}%;height:100%;background:{colour}"
    return (
        f'<tr style="background:none"><td style="text-align:left">{escape(name)}</td>'
        f'<td style="text-align:left;opacity:0.7">{escape(value)}</td>'
        f'<td style="text-align:right">{weight:+.4f}</td>'
        '<td><div style="position:relative;width:16em;height:0.8em">'
        f'<div style="{bar}"></div></div></td></tr>'
    )


def table_rows(explanation: "Explanation") -> list[tuple[str, str, float]]:
    """Name, value and weight of the prior and of each feature, the strongest evidence first."""
    features = [
        (name, explanation.values.get(name, ""), weight)
        for name, weight in explanation.strongest_first()
    ]
    return [("prior", "", explanation.prior_log_odds), *features]


def largest_finite(explanation: "Explanation") -> float:
    """The strongest finite evidence, which gets the longest bar."""
    weights = [explanation.prior_log_odds, *explanation.weights.values()]
    return max((abs(weight) for weight in weights if math.isfinite(weight)), default=0.0)


def relative(weight: float, scale: float) -> float:
    """The length of a bar, from 0 to 1."""
    return 1.0 if math.isinf(weight) else abs(weight) / (scale or 1.0)


def display_width(text: str) -> int:
    """Columns that a text takes in a terminal: Chinese characters take two, accents none.

    >>> display_width("湿度")
    4
    """
    return sum(
        0 if combining(character) else 2 if east_asian_width(character) in "WF" else 1
        for character in text
    )
