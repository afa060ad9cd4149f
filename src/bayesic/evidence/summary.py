"""What a model has learned, in one view: rows, classes, columns, and which of them matter."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from bayesic.data.json_text import json_value
from bayesic.data.languages import language, noun, number_of, said
from bayesic.data.typing import Label
from bayesic.evidence.shown_tables import Shown, ShownTable, ShownTables, as_frame
from bayesic.evidence.text_table import number_text

if TYPE_CHECKING:
    import pandas as pd

    from bayesic.estimation.dependent_columns import DependentPair, DependentPairs

MOST_COLUMNS = 20  # that are printed

LEFT_OUT = "left out: bits about each learned row, from all the other rows; below 0 it misleads."
PAIRS_OF_ROWS = "To see which columns depend on each other, pass rows: summary(X, y)."


@dataclass(frozen=True)
class ClassSummary:
    """A class, its rows (or the sum of their weights), and its prior probability."""

    label: Label
    rows: float | None
    prior: float | None


@dataclass(frozen=True)
class ColumnSummary:
    """A column, and how much it says about the class.

    bits     : I(X; C) under the model; None where the statistics do not say
    left_out : how many bits nearer to its class each learned row is brought by the column alone, as
        predicted from all other rows; None where the statistics do not say. A column that only
        seems informative, such as an identifier, has many bits and none left out.
    weight   : what its log probabilities are multiplied by, where that was learned
    """

    name: str
    kind: str
    n_values: int | None = None
    bits: float | None = None
    left_out: float | None = None
    note: str = ""
    weight: float | None = None


@dataclass(frozen=True)
class Summary(Shown):
    """What a model has learned: `print` it, show it in a notebook, or take `to_dict()`.

    model        : the model as it is made in Python
    rows         : how many rows it has learned, or the sum of their weights; None if not known
    target       : the name of the column with the classes, if it was given
    classes      : the classes, in the order of classes_
    columns      : the columns; those that say most about the class come first
    entropy      : bits that there are to know about the class; None where there are no classes
    pairs        : columns that depend on each other within the classes; None if not known
    n_parameters : how many numbers the model has estimated
    """

    model: str
    rows: float | None
    target: str | None
    classes: tuple[ClassSummary, ...]
    columns: tuple[ColumnSummary, ...]
    entropy: float | None
    pairs: "DependentPairs | None"
    n_parameters: int
    unit: str = "row"  # what is learned
    noun: str = "column"  # what tells
    of_what: str = "class"  # what it tells of
    notes: tuple[str, ...] = ()

    def shown(self) -> ShownTables:
        """Classes, columns, and pairs of columns that depend on each other."""
        return ShownTables(self._tables(), [self.headline()], self._notes())

    def headline(self) -> str:
        """The model, and how much it has learned."""
        return f"{self.model}: {', '.join(self._sizes())}"

    def _sizes(self) -> list[str]:
        sizes = [] if self.rows is None else [self._counted(self.rows, self.unit)]
        if self.classes:
            sizes.append(self._counted(len(self.classes), self.of_what))
        sizes.append(self._counted(len(self.columns), self.noun))
        return [*sizes, self._counted(self.n_parameters, "parameter")]

    def _counted(self, number: float, singular: str) -> str:
        return number_of(number_text(number), number == 1, singular)

    def _several(self, singular: str) -> str:
        return noun(singular, plural=True)

    def _tables(self) -> list[ShownTable]:
        tables = []
        if self.classes:
            headers = [noun(self.of_what), self._several(self.unit), "prior"]
            rows = [[str(part.label), part.rows, part.prior] for part in self.classes]
            title = self._several(self.of_what).capitalize()
            if self.target:
                title = said("{things} of {target}", things=title, target=self.target)
            tables.append(_table(title, headers, rows))
        if self.columns:
            tables.append(_table(self._column_title(), *self._column_rows()))
        pairs = [] if self.pairs is None else self.pairs.significant
        if pairs:
            headers = [noun(self.noun), "and", "bits", "G", "degrees", "p-value"]
            tables.append(_table(self._pair_title(), headers, _pair_rows(pairs)))
        return tables

    def _column_title(self) -> str:
        things = self._several(self.noun).capitalize()
        if all(part.bits is None for part in self.columns):
            return things
        group = noun(self.of_what)
        named = said("{target}", target=self.target) if self.target else None
        about = {"things": things, "about": named or said("the {thing}", thing=group)}
        if self.entropy is None:
            return said("{things}, by bits of information about {about}", **about)
        title = "{things}, by bits of information about {about}, out of {entropy}"
        return said(title, entropy=f"{self.entropy:.4f}", **about)

    def _column_rows(self) -> tuple[list[str], list[list[str | float | None]]]:
        headers = [noun(self.noun), "kind", "values", "bits", "left out", "weight", ""]
        rows = [
            [
                *(part.name, said(part.kind), part.n_values),
                *(part.bits, part.left_out, part.weight),
                said(part.note),
            ]
            for part in self.columns
        ]
        return headers, rows

    def _pair_title(self) -> str:
        things = self._several(self.noun).capitalize()
        if not self.classes:
            return said("{things} that depend on each other", things=things)
        within = "{things} that depend on each other within the {groups}"
        return said(within, things=things, groups=self._several(self.of_what))

    def _notes(self) -> list[str]:
        known = any(part.left_out is not None for part in self.columns)
        notes = [said(note) for note in ([LEFT_OUT] if known else []) + [*self.notes]]
        if self.pairs is None:
            return notes
        things = self._several(self.noun)
        n_tested, n_untested = self.pairs.n_tested, self.pairs.n_untested
        if n_tested and not self.pairs.significant:
            none = "No pair of {things} depends significantly on each other."
            notes.append(said(none, things=things))
        if n_untested:
            few = "For {pairs} of {things} there are too few rows to tell if they depend."
            pairs = self._counted(n_untested, "pair")
            notes.append(said(few, pairs=pairs, things=things))
        return notes

    def to_dict(self) -> dict[str, object]:
        """Strings, numbers, lists and dicts only, for JSON; notes in English."""
        with language("en"):
            notes = self._notes()
        return {
            "model": self.model,
            "rows": self.rows,
            "target": self.target,
            "classes": [
                {"class": json_value(part.label), "rows": part.rows, "prior": part.prior}
                for part in self.classes
            ],
            "columns": [asdict(part) for part in self.columns],
            "entropy": self.entropy,
            "pairs": None if self.pairs is None else [asdict(pair) for pair in self.pairs.pairs],
            "n_parameters": self.n_parameters,
            "notes": notes,
        }

    def to_pandas(self) -> "pd.DataFrame":
        """The columns as a table of pandas, those that say most first."""
        return as_frame([asdict(part) for part in self.columns])


def _pair_rows(pairs: "Sequence[DependentPair]") -> list[list[object]]:
    return [
        [
            pair.first,
            pair.second,
            pair.bits,
            pair.statistic,
            pair.degrees_of_freedom,
            _p_value_text(pair.p_value),
        ]
        for pair in pairs
    ]


def _p_value_text(p_value: float) -> str:
    """A p-value with two digits.

    >>> _p_value_text(0.0312), _p_value_text(1e-30), _p_value_text(1.0)
    ('0.031', '< 1e-16', '1')
    """
    return "< 1e-16" if p_value < 1e-16 else f"{p_value:.2g}"


def sorted_by_bits(columns: Sequence[ColumnSummary]) -> tuple[ColumnSummary, ...]:
    """Those that say most about the class first; those of which nothing is known last."""
    return tuple(sorted(columns, key=lambda part: -1.0 if part.bits is None else -part.bits - 1))


def _table(title: str, headers: Sequence[str], rows: Sequence[Sequence[object]]) -> ShownTable:
    """The first rows of a table, without columns in which there is nothing."""
    kept = [
        index for index in range(len(headers)) if any(row[index] not in (None, "") for row in rows)
    ]
    names = [headers[index] if index == 0 else said(headers[index]) for index in kept]
    first = [[row[index] for index in kept] for row in rows[:MOST_COLUMNS]]
    return ShownTable(names, first, title, len(rows))
