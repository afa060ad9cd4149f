"""Explanations as bars: in plain text, in the colours of a terminal, and in a notebook."""

import math
from typing import TYPE_CHECKING, NamedTuple

from bayesic.data.languages import said
from bayesic.evidence.text_table import aligned, short
from bayesic.html import AGAINST_COLOUR, FOR_COLOUR, Markup, html_table

if TYPE_CHECKING:
    from rich.console import RenderableType

    from bayesic.evidence.explanation import Explanation

BAR_WIDTH = 20
MOST_NAMED = 5  # features that rule out a class


class ExplanationLine(NamedTuple):
    """One line of an explanation: the prior, a feature, or all others together."""

    name: str
    value: str  # nothing if there is none, and of a word that occurs once
    weight: float
    counted: bool = False  # whether the value tells how often the feature occurs


def lines_of(explanation: "Explanation", most: int | None = None) -> list[ExplanationLine]:
    """The prior, the features with the strongest first, and what all others add.

    most : how many features at most; without it as many as the explanation is to show
    """
    shown, others = explanation.shown_and_others(most)
    lines = [ExplanationLine(said("prior"), "", explanation.prior_log_odds)]
    lines += [_line_of(explanation, name, weight) for name, weight in shown]
    if others:
        number = _n_others(len(others))
        lines.append(ExplanationLine(number, "", math.fsum(others.values())))
    return lines


def _n_others(number: int) -> str:
    """How many others there are.

    >>> _n_others(1), _n_others(12)
    ('1 other', '12 others')
    """
    if number == 1:
        return said("1 other")
    return said("{number} others", number=number)


def _line_of(explanation: "Explanation", name: str, weight: float) -> ExplanationLine:
    """The line of a feature."""
    value = short(explanation.values.get(name, ""))
    if not explanation.counted:
        return ExplanationLine(name, value, weight)
    return ExplanationLine(
        name, f"×{value}" if value not in ("", "1") else "", weight, counted=True
    )


def feature_text(line: ExplanationLine) -> str:
    """A feature and its value.

    >>> feature_text(ExplanationLine("sky", "sun", 0.5))
    'sky = sun'
    >>> feature_text(ExplanationLine("free", "×2", 0.5, counted=True))
    'free ×2'
    """
    if not line.value:
        return line.name
    return f"{line.name} {line.value}" if line.counted else f"{line.name} = {line.value}"


def notes_of(explanation: "Explanation") -> list[str]:
    """What members of an average say; and which values rule out a row that is impossible."""
    votes = [
        said(
            "{probability} says {name}",
            probability=probability_text(share),
            name=name,
        )
        for name, share in explanation.votes.items()
    ]
    return [*votes, *_impossible_notes(explanation)]


def _impossible_notes(explanation: "Explanation") -> list[str]:
    """Of a row that is impossible on both sides: which values rule them out."""
    if not explanation.is_impossible:
        return []
    sides = explanation.sides()
    everywhere = len(explanation.ruled_out) == len(explanation.probability)
    where = said("in every class")
    if not everywhere:
        named_sides = said(" and in ").join(map(str, sides))
        where = said("in {sides}", sides=named_sides)
    notes = [said("Impossible {where}: the odds are those of the prior.", where=where)]
    for label in sides:
        ruling = explanation.ruled_out[label]
        named = [feature_text(_line_of(explanation, name, -math.inf)) for name in ruling]
        if len(named) > MOST_NAMED:
            left = _n_others(len(named) - MOST_NAMED + 1)
            named = [*named[: MOST_NAMED - 1], left]
        names = ", ".join(named) or said("all together")
        notes.append(said("{label} is ruled out by {names}.", label=label, names=names))
    return notes


# three ways to show them --------------------------------------------------------------------------


def as_text(explanation: "Explanation") -> str:
    """One line for the prior and each feature, the strongest evidence first."""
    scale = largest_finite(explanation)
    rows = [
        (feature_text(line), _weight_text(line.weight), _text_bar(line.weight, scale))
        for line in lines_of(explanation)
    ]
    rows.append((said("log odds"), _weight_text(explanation.log_odds), ""))
    notes = [f"  {note}" for note in notes_of(explanation)]
    return "\n".join([explanation.headline(), *aligned(rows, numbers=(1,)), *notes])


def as_rich(explanation: "Explanation") -> "RenderableType":
    """The same as a renderable of rich, with values and bars in colour."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    table = Table.grid(padding=(0, 2))
    table.title, table.title_justify = Text(explanation.headline(), style="bold"), "left"
    for justify in ("left", "left", "right", "left"):
        table.add_column(justify=justify)
    scale = largest_finite(explanation)
    for name, value, weight, _ in lines_of(explanation):
        style = "green" if weight > 0 else "red"
        bar = Text("█" * round(BAR_WIDTH * _relative(weight, scale)), style=style)
        table.add_row(Text(name), Text(value, style="dim"), Text(_weight_text(weight)), bar)
    total = Text(_weight_text(explanation.log_odds), style="bold")
    table.add_row(Text(said("log odds"), style="bold"), "", total, "")
    return Group(table, *map(Text, notes_of(explanation)))


def as_html(explanation: "Explanation", with_headline: bool = True) -> Markup:
    """The same as an HTML table; names are escaped."""
    scale = largest_finite(explanation)
    return html_table(
        None,
        [
            (line.name, line.value, _weight_text(line.weight), _html_bar(line.weight, scale))
            for line in lines_of(explanation)
        ],
        caption=explanation.headline() if with_headline else None,
        align="llrl",
        foot=(said("log odds"), "", _weight_text(explanation.log_odds), ""),
        notes=notes_of(explanation),
    )


def _text_bar(weight: float, scale: float) -> str:
    """A bar of signs.

    >>> _text_bar(-0.5, scale=1.0)
    '----------'
    """
    return ("+" if weight > 0 else "-") * round(BAR_WIDTH * _relative(weight, scale))


def _html_bar(weight: float, scale: float) -> Markup:
    """A bar to the right of the middle for the answer, to the left for the other side."""
    side, colour = ("left", FOR_COLOUR) if weight > 0 else ("right", AGAINST_COLOUR)
    width = 50 * _relative(weight, scale)
    bar = f"position:absolute;{side}:50%;width:{width:.1f}%;height:100%;background:{colour}"
    return Markup(
        f'<div style="position:relative;width:16em;height:0.8em"><div style="{bar}"></div></div>'
    )


# numbers and texts --------------------------------------------------------------------------------


def _weight_text(weight: float) -> str:
    """A weight with its sign; four digits behind the point, unless it is very large.

    >>> _weight_text(0.69312), _weight_text(-1e-9), _weight_text(-1234567.8), _weight_text(math.inf)
    ('+0.6931', '+0.0000', '-1.23457e+06', '+inf')
    """
    if abs(weight) >= 1e6:
        return f"{weight:+.6g}"
    return f"{round(weight, 4) + 0.0:+.4f}"


def probability_text(probability: float) -> str:
    """A probability with four digits; a small one is not shown as zero.

    >>> probability_text(0.4), probability_text(0.0), probability_text(3e-7)
    ('0.4000', '0.0000', '3.0e-07')
    """
    if 0 < probability < 0.00005:
        return f"{probability:.1e}"
    return f"{probability:.4f}"


def largest_finite(explanation: "Explanation") -> float:
    """The strongest finite evidence, which gets the longest bar."""
    weights = [explanation.prior_log_odds, *explanation.weights.values()]
    return max((abs(weight) for weight in weights if math.isfinite(weight)), default=0.0)


def _relative(weight: float, scale: float) -> float:
    """The length of a bar, from 0 to 1; that of all others together may be longer than any."""
    return 1.0 if math.isinf(weight) else min(abs(weight) / (scale or 1.0), 1.0)
