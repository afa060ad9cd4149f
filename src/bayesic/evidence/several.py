"""The reasons of several rows: a list that shows itself."""

from dataclasses import replace
from typing import Any, TypeVar

from bayesic.data.arguments import check_whole_number
from bayesic.evidence.explanation import Explanation
from bayesic.html import MOST_ROWS, escape, left_out

Reason = TypeVar("Reason")


class Reasons(list[Reason]):
    """A list of explanations, one for each row; print and notebooks show one after another.

    >>> Reasons(["first row", "second row"]) == ["first row", "second row"]
    True
    >>> print(Reasons(["first row", "second row"]))
    first row
    <BLANKLINE>
    second row
    """

    def __str__(self) -> str:
        return "\n\n".join(map(str, self))

    def __getitem__(self, place: Any) -> Any:
        found = super().__getitem__(place)
        return Reasons(found) if isinstance(place, slice) else found

    def _repr_html_(self) -> str:
        shown = "".join(_folded(number, one) for number, one in enumerate(self[:MOST_ROWS]))
        more = "".join(f"<div>{note}</div>" for note in left_out(len(self), "rows"))
        return f"<div>{shown}{more}</div>"


def _folded(number: int, reason: Any) -> str:
    """The headline of a row, which opens to the rest."""
    headline = f"{number}: {reason.headline()}"
    return (
        '<details style="margin:0.2em 0"><summary style="cursor:pointer;display:list-item">'
        f"<b>{escape(headline)}</b></summary>{reason.to_html(with_headline=False)}</details>"
    )


def with_top(explanations: list[Explanation], top: Any) -> Reasons[Explanation]:
    """These explanations, each to show the `top` strongest features; None for all."""
    if top is None:
        return Reasons(explanations)
    check_whole_number("top", top, least=1)
    return Reasons(replace(one, top=int(top)) for one in explanations)
