"""Tables as they are: columns of any kind, in memory or from files, matched by column name."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

from bayesic.data.arguments import tell
from bayesic.data.columns import Categories, Cells, Nothing, Numbers, Texts
from bayesic.data.source import InMemory, RowBlock, Source, Stored, opened
from bayesic.data.tables import Table, as_table, known_here
from bayesic.evidence.fractions import value_text
from bayesic.evidence.several import is_flat_row, is_single_row
from bayesic.models.columns.schema import KINDS, MADE_ANEW, as_kind, refuse_unknown_names
from bayesic.models.readers.known_columns import (
    Kept,
    KnownColumns,
    columns_to_know,
    refuse_unknown_columns,
    tell_of_missing_columns,
)
from bayesic.models.readers.labelled_rows import asked_blocks

# From this many rows on, a column without a single known value is probably not what was learned.
ROWS_TO_WONDER = 20


@dataclass(frozen=True)
class TableReader:
    """How a model of named columns takes rows in; a gap is null."""

    columns: KnownColumns
    kinds: Mapping[str, str]  # of columns, as the user tells
    numeric: str  # kind of undeclared numeric columns
    stored: Mapping[str, str] = field(default_factory=dict)  # of learned columns: "number", ...
    levels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # of learned categories
    named_by: Mapping[str, Mapping[str, object]] = field(
        default_factory=dict
    )  # other arguments that name columns
    goes_by_position: ClassVar[bool] = False

    @cached_property
    def features(self) -> list[str]:
        """The columns that take part."""
        return [name for name in self.columns.names if self.kinds.get(name) != "ignore"]

    def blocks(self, source: Source, y: object, sample_weight: object) -> Iterator[RowBlock]:
        """Rows to learn, with their classes and weights."""
        return source.labelled(y, sample_weight, self.told, self.columns.model)

    def asked(self, source: Source) -> Iterator[RowBlock]:
        """Rows to answer; a flat list or dict of as many cells as columns is one row.

        So is a series of pandas whose labels are columns, such as `table.iloc[0]`.
        """
        X = source.X
        if (
            hasattr(X, "to_dict")
            and getattr(X, "ndim", None) == 1
            and {*getattr(X, "index", ())} & {*self.columns.names}
        ):
            X = X.to_dict()
        if is_flat_row(X, len(self.columns.names)):
            source = InMemory(self._as_rows(X))
        return asked_blocks(source, self.told)

    def read(self, block: RowBlock) -> tuple[Table, Kept]:
        """The rows as a table, and what is to be kept of their columns."""
        stored, known = self.told, self.columns
        if known.number:
            stored = known_here(stored, block.X, known.names, known.named)
        table = as_table(block.X, stored, block.first_row)
        if table.n_rows == 0:
            raise ValueError(
                f"Found array with 0 sample(s) (shape={(0, len(table.names))}) while a minimum of "
                f"1 is required by {known.model}."
            )
        if not known.number:
            return self._first(block, table)
        table = self._as_kinds(self._matched(table), block.first_row)
        if block.y is None:  # new values may well be learned
            self._wonder(table)
        return table, {}

    def stored_in(self, source: Source, target: str | None) -> dict[str, str]:
        """How the columns of a file are read."""
        return self.told

    @cached_property
    def told(self) -> dict[str, str]:
        """How the cells of columns are stored, as given or as learned."""
        told = {name: KINDS[kind] for name, kind in self.kinds.items()}
        target = {} if self.columns.target is None else {self.columns.target: "ignore"}
        return {**self.stored, **told, **target}

    def cells(self, X: object) -> Table:
        """Some of the columns alone, as `read` gives them."""
        return self._as_kinds(as_table(X, self.told), 0)

    def one(self, X: Any) -> tuple[Table, bool]:
        """Rows to explain, and whether it was one row alone: a tuple, list, array, or dict."""
        if isinstance(opened(X), Stored):
            raise ValueError(
                f"Reasons are given for rows in memory, not for a file ({str(X)!r:.80}). Read the "
                "rows you want to know about first."
            )
        single = is_single_row(X)
        return self.read(RowBlock(self._as_rows(X) if single else X))[0], single

    def shown(self, rows: Table) -> list[list[str | None]]:
        """The cells as a reader knows them, None where missing: (n_rows, n_features)."""
        columns = [_shown(cells) for cells in rows.columns.values()]
        return [[column[row] for column in columns] for row in range(rows.n_rows)]

    # how it is done -------------------------------------------------------------------------

    def _as_rows(self, row: Any) -> Any:
        """One row alone as a table or list of rows; cells without names get the learned ones."""
        if hasattr(row, "to_dict"):
            row = row.to_dict()
        names = self.columns.names
        if self.columns.named and not isinstance(row, Mapping) and len(row) == len(names):
            row = dict(zip(names, row, strict=True))
        return {name: [cell] for name, cell in row.items()} if isinstance(row, Mapping) else [row]

    def _first(self, block: RowBlock, table: Table) -> tuple[Table, Kept]:
        names = block.names or table.names
        for argument, told in {"columns": self.kinds, **self.named_by}.items():
            if told:
                refuse_unknown_names(told, names, argument)
        given = tuple(names) if table.named else None
        if len(table.columns) < len(names):  # some were not read
            known = KnownColumns(self.columns.model, len(names), given, self.columns.target)
            table = TableReader(known, self.kinds, self.numeric)._matched(table)
        return self._as_kinds(table, block.first_row), columns_to_know(len(names), given)

    def _matched(self, table: Table) -> Table:
        """The table with the learned columns, in their order; those that are missing are null."""
        known = self.columns
        if table.named and known.named:
            if table.names == known.names and len(table.columns) == len(known.names):
                return table
            unknown, missing = known.of_names(list(table.columns))
            missing = [name for name in missing if self.kinds.get(name) != "ignore"]
            refuse_unknown_columns(known, unknown, missing)
            tell_of_missing_columns(missing)
            cells = {n: table.columns.get(n, Nothing(table.n_rows)) for n in self.features}
            return Table(cells, table.n_rows, True, known.names)
        known.check_number(len(table.names))
        known.tell_of_names(table.named)
        place = dict(zip(known.names, table.names, strict=True))
        cells = {name: table.columns[place[name]] for name in self.features}
        return Table(cells, table.n_rows, known.named, known.names)

    def _as_kinds(self, table: Table, first_row: int) -> Table:
        if MADE_ANEW.isdisjoint([self.numeric, *self.kinds.values()]):
            return table
        columns = {
            name: as_kind(name, cells, self.kinds.get(name, self.numeric), first_row)
            for name, cells in table.columns.items()
        }
        return Table(columns, table.n_rows, table.named, table.names)

    def _wonder(self, table: Table) -> None:
        """Warn of columns of categories without a single one that was learned."""
        if table.n_rows < ROWS_TO_WONDER:
            return
        for name, learned in self.levels.items():
            cells = table.columns.get(name)
            if not isinstance(cells, Categories) or self.stored[name] != "category":
                continue
            n_observed = (cells.codes >= 0).sum()
            if n_observed >= ROWS_TO_WONDER and set(learned).isdisjoint(cells.levels):
                tell(
                    f"Column {name!r}: none of its values was ever learned. Its values are like "
                    f"{list(cells.levels[:3])}, the learned ones like {list(learned[:3])}."
                )


def _shown(cells: Cells) -> list[str | None]:
    """The cells of a column as a reader knows them, None where missing."""
    if isinstance(cells, Numbers):
        return [value_text(value) for value in cells.values.tolist()]
    if isinstance(cells, Categories):
        names = [*cells.levels, None]
        return [names[code] for code in cells.codes.tolist()]
    return cells.texts if isinstance(cells, Texts) else [None] * len(cells)
