"""All that a model knows of one column: counts and shares, or the numbers of its densities."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from bayesic.data.json_text import json_value
from bayesic.data.languages import language, said, spoken
from bayesic.evidence.fractions import Share, log_share
from bayesic.evidence.shown_tables import Shown, ShownTable, ShownTables, as_frame
from bayesic.evidence.work import as_fraction

if TYPE_CHECKING:
    import pandas as pd

Record = Mapping[str, Any]

# How the parts of a record are named in tables; those of each class follow it.
NAMES = {
    "standard_deviation": "standard deviation",
    "model_variance": "variance of the model",
    "speaks_for": "speaks for",
    "information": "bits",
}


# How counts are named in tables, where they are not of rows.
COUNTS = {
    "text": "words {label}",
    "word": "times {label}",
    "count": "times {label}",
    "texts with it": "texts {label}",
}


@dataclass(frozen=True)
class ColumnTable(Shown):
    """One column of a model: `print` it, show it in a notebook, or take `to_dict()`.

    values  : a record for each value, bin or word: `counts` and `shares`, P(value | class), by
              class; where they are known also the class that it `speaks_for`, the `factor` by which
              it changes the probability of that class, and its part of the column's bits,
              `information`
    given   : the same for each value and values of the columns that this one depends on
    classes : a record for each class: how many rows were observed, their mean and standard
              deviation, and what else the model has; or the weight of the column
    others  : the `correlations` with each other column by class, where the model has them
    facts   : smoothing, cut points of bins, columns that it depends on

    >>> weak = {"no": Fraction(2, 5), "yes": Fraction(2, 3)}
    >>> values = ({"value": "weak", "counts": {"no": 2, "yes": 6}, "shares": weak},)
    >>> table = ColumnTable("wind", "categorical", values)
    >>> print(table)
    wind: categorical
      value  rows no  rows yes  P(value|no)  P(value|yes)
      weak         2         6          2/5           2/3
    >>> table.values[0]["shares"]["yes"]
    Fraction(2, 3)
    """

    name: str
    kind: str
    values: tuple[Record, ...] = ()
    given: tuple[Record, ...] = ()
    classes: tuple[Record, ...] = ()
    others: tuple[Record, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)

    def headline(self) -> str:
        """The column, its kind, and what it depends on."""
        parents = ", ".join(self.facts.get("depends_on", ()))
        smoothing = self.facts.get("smoothing")
        column = {"name": self.name, "kind": said(self.kind)}
        if parents:
            headline = said("{name}: {kind}, depends on {parents}", **column, parents=parents)
        else:
            headline = said("{name}: {kind}", **column)
        if smoothing is None:
            return headline
        number = f"{smoothing:g}"
        return said("{headline}, smoothing {number}", headline=headline, number=number)

    def shown(self) -> ShownTables:
        """A table for each part of what is known."""
        parts = [records for records in self._parts().values() if records]
        if not parts:
            return ShownTables([], [self.headline()])
        flat = [[self._flat(record) for record in records] for records in parts]
        titles = [self.headline(), *[""] * (len(parts) - 1)]
        return ShownTables(
            [
                ShownTable([*records[0]], [[*record.values()] for record in records], title)
                for title, records in zip(titles, flat, strict=True)
            ]
        )

    def _parts(self) -> dict[str, tuple[Record, ...]]:
        names = ("classes", "values", "given", "others")
        return {name: getattr(self, name) for name in names}

    def _flat(self, record: Record) -> dict[str, object]:
        """A record without parts by class: the class stands in the name."""
        given = record.get("given", {})
        cells = {parent: spoken(value) for parent, value in given.items()}
        for name, part in record.items():
            if name == "counts":
                name_of = COUNTS.get(self.kind, "rows {label}")
                cells |= {said(name_of, label=label): n for label, n in part.items()}
            elif name == "correlations":
                name_of = "correlation {label}"
                cells |= {said(name_of, label=label): n for label, n in part.items()}
            elif name == "shares":
                parents = "".join(f",{parent}" for parent in given)
                name_of = "P(value|{given})"
                cells |= {said(name_of, given=f"{c}{parents}"): n for c, n in part.items()}
            elif name != "given":
                cells[said(NAMES.get(name, name))] = self._cell(name, part)
        return cells

    def _cell(self, name: str, part: object) -> object:
        """A part of a record as it is shown; names given by the library are translated."""
        part = spoken(part)
        return str(part) if name in ("class", "speaks_for") else part

    def to_dict(self) -> dict[str, Any]:
        """Strings, numbers, lists and dicts only, for JSON; fractions as text, such as "2/9"."""
        return {
            "name": self.name,
            "kind": self.kind,
            **{name: json_value(fact) for name, fact in self.facts.items()},
            **{name: json_value(records) for name, records in self._parts().items() if records},
        }

    def to_pandas(self) -> "pd.DataFrame":
        """The table as one of pandas; given the columns that it depends on, if there are any.

        Its columns are named in English, whatever language is spoken.
        """
        records = self.given or self.values or self.classes
        with language("en"):
            return as_frame([self._flat(record) for record in records])


def whole(number: Any) -> float:
    """A count as an int, a sum of weights as a float.

    >>> whole(3.0), whole(2.5)
    (3, 2.5)
    """
    return int(number) if float(number).is_integer() else float(number)


def shares_by_class(
    classes: Sequence[object], shares: Sequence[Share], fractions: bool
) -> dict[object, Fraction | float]:
    """Class -> probability: a Fraction on request, where the counts are whole."""
    return {
        label: _share_number(share, fractions) for label, share in zip(classes, shares, strict=True)
    }


def _share_number(share: Share, fractions: bool) -> Fraction | float:
    """A share as a number; where there is no exact one it stays a float.

    >>> _share_number((3, 9), fractions=True), _share_number((3, 4), fractions=False)
    (Fraction(1, 3), 0.75)
    """
    if isinstance(share, float):
        return math.exp(log_share(share))
    exact = as_fraction(share)
    return exact if fractions else float(exact)
