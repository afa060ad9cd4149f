"""The tables that are open: their size, what is missing, and some rows for pictures."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import anyio
import numpy as np

from bayesic.data.distinct import is_missing
from bayesic.data.source import opened_file
from bayesic.kernels import Array
from bayesic.studio.network._case_rows import Cases

SAMPLE = 20_000  # rows that are kept for pictures and lists; of a shorter table these are all

Columns = dict[str, list]  # name -> cells


@dataclass(frozen=True, eq=False)
class OpenTable:
    """A file as the desk knows it."""

    cases: Cases
    stored: Mapping[str, str]  # column -> its kind in the file, as in `Source.kinds`
    missing: Mapping[str, int]  # column -> how many of all rows lack it
    numbers: Array  # the number in the file of each row that is kept
    rows: Columns  # these rows, as plain values

    @property
    def is_whole(self) -> bool:
        """Whether all rows are kept."""
        return len(self.numbers) == self.cases.n_rows

    def index(self, number: object) -> int:
        """Where the row of this number is kept."""
        index = int(np.searchsorted(self.numbers, number)) if isinstance(number, int) else -1
        if not 0 <= index < len(self.numbers) or self.numbers[index] != number:
            raise ValueError(
                f"The desk has {len(self.numbers)} rows of {self.cases.name} at hand, and the row "
                f"{number!r:.30} is not among them."
            )
        return index

    def row(self, index: int) -> dict[str, Any]:
        """The cells of a row."""
        return {name: cells[index] for name, cells in self.rows.items()}

    def without(self, column: str, indices: Sequence[int] | None = None) -> Columns:
        """What columns say about a target, from all rows that are kept or from some."""
        return {
            name: cells if indices is None else [cells[index] for index in indices]
            for name, cells in self.rows.items()
            if name != column
        }


def read_table(cases: Cases) -> OpenTable:
    """A table of a file, which is read once more, block by block."""
    file = opened_file(cases.path)
    stored = file.kinds
    wanted = np.unique(np.arange(SAMPLE) * cases.n_rows // SAMPLE)
    missing = dict.fromkeys(stored, 0)
    rows: Columns = {name: [] for name in stored}
    for block in file.blocks(_kinds_to_read(stored)):
        n_rows, columns = _block(block.X)
        first, after = block.first_row, block.first_row + n_rows
        indices = wanted[(wanted >= first) & (wanted < after)] - first
        for name, cells in columns:
            missing[name] += _n_missing(cells)
            rows[name] += _plain_cells(cells, indices)
    return OpenTable(cases, stored, missing, wanted, rows)


def _kinds_to_read(stored: Mapping[str, str]) -> dict[str, str]:
    """Whole numbers stay so, as they may be classes; a date is the text that stands there."""
    return {name: "label" if kind == "number" else "category" for name, kind in stored.items()}


def _block(block: Any) -> tuple[int, Iterator[tuple[str, object]]]:
    if isinstance(block, Mapping):
        return len(next(iter(block.values()))), iter(block.items())
    return block.num_rows, ((name, block.column(name)) for name in block.column_names)


def _n_missing(cells: Any) -> int:
    return sum(map(is_missing, cells)) if isinstance(cells, list) else cells.null_count


def _plain_cells(cells: Any, indices: Array) -> list:
    picked = [cells[index] for index in indices] if isinstance(cells, list) else None
    found = cells.take(indices).to_pylist() if picked is None else picked
    return [_plain(cell) for cell in found]


def _plain(cell: object) -> object:
    if is_missing(cell):
        return None
    return cell if isinstance(cell, (str, bool, int, float)) else str(cell)


def shown(cell: object) -> str:
    """A cell as the page shows it, "" for none.

    >>> shown(3.0), shown(0.25), shown(None), shown("雨")
    ('3', '0.25', '', '雨')
    """
    if cell is None:
        return ""
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 2**53:
        return str(int(cell))
    return str(cell)


def typed(table: OpenTable, column: str, text: object) -> object:
    """A cell as a person types it: a number where the column has numbers; "" for none."""
    if column not in table.stored:
        raise ValueError(
            f"There is no column {column!r:.80}. The columns are {', '.join(table.stored):.300}."
        )
    if not isinstance(text, str):
        raise ValueError(f"A cell must be a text, got {text!r:.60}.")
    if not text.strip():
        return None
    if table.stored[column] != "number":
        return text
    try:
        number = float(text)
    except ValueError:
        raise ValueError(
            f"Column {column!r} holds numbers, got {text!r:.60}. Type a number, or leave the cell "
            "empty."
        ) from None
    return int(number) if number.is_integer() and "." not in text else number


def corrected(changed: Mapping[str, object], id: str, label: object) -> object:
    """The label that a row was given since, if it is another than that of the file."""
    return None if changed.get(id) == label else changed.get(id)


@dataclass(frozen=True, eq=False)
class TableModel:
    """A model of the store, and what it was learned from."""

    name: str  # in the store
    table: str
    target: str
    kind: str  # of the model
    columns: Mapping[str, str]  # column -> kind, as given to the model
    n_rows: int
    seq: int  # the event by which all rows were in it


@dataclass(eq=False)
class OpenTables:
    """What the table desk has open."""

    open: dict[str, OpenTable] = field(default_factory=dict)  # name of the cases -> the table
    learned: dict[str, TableModel] = field(default_factory=dict)  # name in the store -> the model
    judged: dict[tuple[str, int], Any] = field(default_factory=dict)  # (name, seq) -> answers
    progress: dict[str, Any] = field(default_factory=dict)  # tab -> the file that its work tells in
    _turns: dict[tuple, anyio.Lock] = field(
        default_factory=dict
    )  # choices -> held by the request that learns them

    def turn(self, *choices: object) -> anyio.Lock:
        """Held while these choices are learned: a second request waits, and finds the model."""
        return self._turns.setdefault(choices, anyio.Lock())
