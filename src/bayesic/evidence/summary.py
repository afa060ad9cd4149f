"""What a model has learned, in one view: rows, classes, columns, and which of them matter."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from bayesic.evidence.text_table import counted, html_of_table, text_table
from bayesic.html import Markup, html_table

if TYPE_CHECKING:
    import pandas as pd

    from bayesic.estimation.dependence import DependentPair, DependentPairs

MOST_COLUMNS = 20  # that are printed

LEFT_OUT = "left out: bits told of each learned row by all other rows; below 0 it would mislead."
PAIRS_OF_ROWS = "Which columns depend on each other is seen from rows: summary(X, y)."


@dataclass(frozen=True)
class ClassSummary:
    """A class, its rows (or the sum of their weights), and its prior probability."""

    label: Any
    rows: float | None
    prior: float | None


@dataclass(frozen=True)
class ColumnSummary:
    """A column, and how much it tells of the class.

    bits     : I(X; C) under the model; None where the statistics do not say
    left_out : how many bits nearer to its class each learned row is brought by the column alone, as
               known from all other rows; None where the statistics do not say. A column that only
               seems to tell something, such as an identifier, has many bits and none left out.
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
class Summary:
    """What a model has learned: `print` it, show it in a notebook, or take `to_dict()`.

    model        : the model as it is made in Python
    rows         : how many rows it has learned, or the sum of their weights; None if not known
    target       : the name of the column with the classes, if it was told
    classes      : the classes, in the order of classes_
    columns      : the columns; those that tell most of the class come first
    entropy      : bits that there are to know of the class; None where there are no classes
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

    def __str__(self) -> str:
        parts = [[self.headline()]]
        for title, headers, rows in self._tables():
            shown = rows[:MOST_COLUMNS]
            parts.append([title, *text_table(headers, shown), *_left_out(rows)])
        parts.append(self._notes())
        return "\n\n".join("\n".join(lines) for lines in parts if lines)

    def headline(self) -> str:
        """The model, and how much it has learned."""
        return f"{self.model}: {', '.join(self._sizes())}"

    def _sizes(self) -> list[str]:
        sizes = [] if self.rows is None else [counted(self.rows, self.unit)]
        if self.classes:
            plural = "classes" if self.of_what == "class" else None
            sizes.append(counted(len(self.classes), self.of_what, plural))
        sizes.append(counted(len(self.columns), self.noun))
        return [*sizes, counted(self.n_parameters, "parameter")]

    def _tables(self) -> list[tuple[str, list[str], list[list[Any]]]]:
        """Title, names of the columns, and rows of each table."""
        tables = []
        if self.classes:
            of_target = f" of {self.target}" if self.target else ""
            headers = [self.of_what, f"{self.unit}s", "prior"]
            rows = [[str(part.label), part.rows, part.prior] for part in self.classes]
            plural = "Classes" if self.of_what == "class" else f"{self.of_what.capitalize()}s"
            tables.append((f"{plural}{of_target}", *_without_empty(headers, rows)))
        if self.columns:
            tables.append((self._column_title(), *self._column_rows()))
        pairs = [] if self.pairs is None else self.pairs.significant
        if pairs:
            headers = [self.noun, "and", "bits", "G", "degrees", "p-value"]
            tables.append((self._pair_title(), headers, _pair_rows(pairs)))
        return tables

    def _column_title(self) -> str:
        if all(part.bits is None for part in self.columns):
            return f"{self.noun.capitalize()}s"
        about = self.target or f"the {self.of_what}"
        known = "" if self.entropy is None else f", of {self.entropy:.4f}"
        return f"{self.noun.capitalize()}s, by the bits that they tell of {about}{known}"

    def _column_rows(self) -> tuple[list[str], list[list[Any]]]:
        headers = [self.noun, "kind", "values", "bits", "left out", "weight", ""]
        rows = [
            [part.name, part.kind, part.n_values, part.bits, part.left_out, part.weight, part.note]
            for part in self.columns
        ]
        return _without_empty(headers, rows)

    def _pair_title(self) -> str:
        within = f" within the {self.of_what}{'es' if self.of_what == 'class' else 's'}"
        return (
            f"{self.noun.capitalize()}s that depend on each other{within if self.classes else ''}"
        )

    def _notes(self) -> list[str]:
        known = any(part.left_out is not None for part in self.columns)
        notes = [*([LEFT_OUT] if known else []), *self.notes]
        if self.pairs is None:
            return notes
        n_tested, n_untested = self.pairs.n_tested, self.pairs.n_untested
        if n_tested and not self.pairs.significant:
            notes.append(f"No pair of {self.noun}s depends significantly on each other.")
        if n_untested:
            pairs = f"{counted(n_untested, 'pair')} of {self.noun}s"
            notes.append(f"For {pairs} there are too few rows to tell if they depend.")
        return notes

    def _repr_html_(self) -> str:
        tables = [
            html_of_table(headers, rows[:MOST_COLUMNS], title, _left_out(rows))
            for title, headers, rows in self._tables()
        ]
        head = html_table(None, [[self.headline()]])
        notes = (
            html_table(None, [[note] for note in self._notes()]) if self._notes() else Markup("")
        )
        return "<br>".join([head, *tables, *([notes] if notes else [])])

    def to_dict(self) -> dict[str, Any]:
        """Strings, numbers, lists and dicts only, for JSON."""
        return {
            "model": self.model,
            "rows": self.rows,
            "target": self.target,
            "classes": [
                {"class": plain_label(part.label), "rows": part.rows, "prior": part.prior}
                for part in self.classes
            ],
            "columns": [asdict(part) for part in self.columns],
            "entropy": self.entropy,
            "pairs": None if self.pairs is None else [asdict(pair) for pair in self.pairs.pairs],
            "n_parameters": self.n_parameters,
            "notes": self._notes(),
        }

    def to_pandas(self) -> "pd.DataFrame":
        """The columns as a table of pandas, those that tell most first."""
        return as_frame([asdict(part) for part in self.columns])


def _pair_rows(pairs: "Sequence[DependentPair]") -> list[list[Any]]:
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
    """Those that tell most of the class first; those of which nothing is known last."""
    return tuple(sorted(columns, key=lambda part: -1.0 if part.bits is None else -part.bits - 1))


def plain_label(label: Any) -> Any:
    """A label as JSON can hold it.

    >>> from fractions import Fraction
    >>> plain_label("ham"), plain_label(2), plain_label(Fraction(1, 3))
    ('ham', 2, '1/3')
    """
    return label if isinstance(label, (str, int, float, bool, type(None))) else str(label)


def as_frame(records: Sequence[dict[str, Any]]) -> "pd.DataFrame":
    """Records as a table of pandas."""
    try:
        import pandas as pd
    except ImportError as error:
        raise ImportError("to_pandas needs pandas: pip install pandas.") from error
    return pd.DataFrame.from_records(records)


def _without_empty(headers: list[str], rows: list[list[Any]]) -> tuple[list[str], list[list[Any]]]:
    """The table without the columns in which there is nothing."""
    kept = [
        place for place in range(len(headers)) if any(row[place] not in (None, "") for row in rows)
    ]
    return [headers[place] for place in kept], [[row[place] for place in kept] for row in rows]


def _left_out(rows: Sequence[Any]) -> list[str]:
    return [f"  ... and {len(rows) - MOST_COLUMNS} more"] if len(rows) > MOST_COLUMNS else []
