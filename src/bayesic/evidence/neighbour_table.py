"""The neighbours that an answer comes from, as a table to read."""

from dataclasses import dataclass, field

from bayesic.data.languages import said
from bayesic.data.typing import Label
from bayesic.evidence.fractions import value_text
from bayesic.evidence.text_table import aligned
from bayesic.html import html_table

HEAD = ("row", "label", "distance", "weight")


@dataclass(frozen=True)
class Neighbour:
    """One of the nearest rows."""

    row: int  # its number among all rows that were learned, from 0 on
    label: Label  # its class, or the number (tuple of numbers) to be predicted
    distance: float
    weight: float  # of the k that all neighbours have together


@dataclass(frozen=True)
class Neighbours:
    """Why one row gets its answer: the k nearest rows, nearest first.

    >>> nearest = (Neighbour(4, "spam", 0.5, 1.0), Neighbour(17, "ham", 2.0, 1.0))
    >>> print(Neighbours("ham", nearest, {"ham": 0.5, "spam": 0.5}))
    ham (0.5000) from the 2 nearest rows
      row  label  distance  weight
        4  spam     0.5000  1.0000
       17  ham      2.0000  1.0000
    """

    answer: Label  # a class, or the predicted number (tuple of numbers)
    neighbours: tuple[Neighbour, ...]
    probability: dict[Label, float] = field(default_factory=dict)  # class -> share; numbers: none

    def _head(self) -> tuple[str, ...]:
        return tuple(said(name) for name in HEAD)

    def __str__(self) -> str:
        rows = [self._head(), *map(_cells, self.neighbours)]
        return "\n".join([self.headline(), *aligned(rows, numbers=(0, 2, 3))])

    def _repr_html_(self) -> str:
        return self.to_html()

    def to_html(self, with_headline: bool = True) -> str:
        """A table of HTML, as notebooks show it."""
        headline = self.headline() if with_headline else None
        return html_table(self._head(), map(_cells, self.neighbours), headline, "rlrr")

    def headline(self) -> str:
        """The answer, its share, and how many rows it comes from."""
        share = f" ({self.probability[self.answer]:.4f})" if self.probability else ""
        n_rows = len(self.neighbours)
        answer = {"answer": _label_text(self.answer), "share": share}
        if n_rows == 1:
            return said("{answer}{share} from the nearest row", **answer)
        several = "{answer}{share} from the {number} nearest rows"
        return said(several, number=n_rows, **answer)


def _label_text(label: object) -> str:
    """A label as a reader knows it.

    >>> _label_text("雨"), _label_text(2.5), _label_text((1.0, 0.25))
    ('雨', '2.5', '(1, 0.25)')
    """
    if isinstance(label, float):
        return str(value_text(label))
    if isinstance(label, tuple):
        return f"({', '.join(map(_label_text, label))})"
    return str(label)


def _cells(one: Neighbour) -> tuple[str, str, str, str]:
    return str(one.row), _label_text(one.label), f"{one.distance:.4f}", f"{one.weight:.4f}"
