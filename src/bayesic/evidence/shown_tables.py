"""Tables for the reader as one value: printed as plain text, in a notebook as HTML."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bayesic.data.languages import said
from bayesic.evidence.text_table import html_of_table, text_table
from bayesic.html import Markup, escape

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class ShownTable:
    """A table: names of columns, and the cells of its rows. Numbers are aligned to the right.

    title : above it
    total : how many rows there are, if these are only the first
    notes : lines below it
    """

    headers: Sequence[str]
    rows: Sequence[Sequence[object]]
    title: str = ""
    total: int = 0
    notes: Sequence[str] = ()

    def _below(self) -> list[str]:
        n_more = self.total - len(self.rows)
        more = [said("... and {number} more", number=n_more)] if n_more > 0 else []
        return [*more, *self.notes]

    def __str__(self) -> str:
        title = [self.title] if self.title else []
        below = [f"  {note}" for note in self._below()]
        return "\n".join([*title, *text_table(self.headers, self.rows), *below])

    def to_html(self) -> Markup:
        """The same as a table of HTML."""
        return html_of_table(self.headers, self.rows, self.title or None, self._below())


@dataclass(frozen=True)
class ShownTables:
    """Lines of text, tables below them, and notes at the end.

    >>> days = ShownTable(["天气", "days"], [["晴", 5], ["rain", 12]], title="Weather")
    >>> print(ShownTables([days], head=["17 days"]))
    17 days
    <BLANKLINE>
    Weather
      天气  days
      晴       5
      rain    12
    """

    tables: Sequence[ShownTable]
    head: Sequence[str] = ()
    notes: Sequence[str] = ()

    def __str__(self) -> str:
        parts = ["\n".join(self.head), *map(str, self.tables), "\n".join(self.notes)]
        return "\n\n".join(part for part in parts if part)

    def to_html(self) -> Markup:
        """The same as HTML: the style of notebooks stands in `bayesic.html`."""
        tables = "<br>".join(table.to_html() for table in self.tables)
        return Markup(f"<div>{_lines(self.head)}{tables}{_lines(self.notes)}</div>")


def _lines(texts: Iterable[str]) -> str:
    return "".join(f'<div style="padding:0.2em 0.5em">{escape(text)}</div>' for text in texts)


class Shown(ABC):
    """A result in four forms: `print` and notebooks show its tables, programs take plain values."""

    @abstractmethod
    def shown(self) -> ShownTables:
        """Its tables, in the language that is spoken."""

    @abstractmethod
    def to_dict(self) -> dict[str, object]:
        """Strings, numbers, lists and dicts only, for JSON."""

    @abstractmethod
    def to_pandas(self) -> Any:
        """A table of pandas, or several by their names."""

    def __str__(self) -> str:
        return str(self.shown())

    def _repr_html_(self) -> str:
        return self.shown().to_html()


def as_frame(records: Sequence[Mapping[str, object]]) -> "pd.DataFrame":
    """Records as a table of pandas."""
    try:
        import pandas as pd
    except ImportError as error:
        raise ImportError("to_pandas needs pandas: pip install pandas.") from error
    return pd.DataFrame.from_records(records)
