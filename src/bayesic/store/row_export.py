"""The rows of a model as a Parquet or CSV file."""

import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bayesic.data.csv_files import quoted_path
from bayesic.store.plain_rows import Row

FORMATS = {".parquet": "parquet", ".csv": "csv"}
TEXT = "varchar"
USUAL_BYTES = 2**24  # of a line, for which DuckDB has room; where one is longer, it needs more


def export_rows(rows: Iterable[tuple[str, float, Row]], path: str | os.PathLike[str]) -> int:
    """Write rows, each with its id and the time it was learned; return how many there are.

    The rows go through a file of lines, one by one: they need not fit into memory.
    """
    target, format = Path(path), format_of(path)
    if not target.parent.is_dir():
        raise FileNotFoundError(f"There is no folder {target.parent}. Make it first.")
    with TemporaryDirectory(dir=target.parent, prefix=".bayesic-") as folder:
        lines = Path(folder) / "rows.jsonl"
        types, n_rows, longest = _write_lines(rows, lines)
        if n_rows == 0:
            raise ValueError("There are no rows to export: none was learned, or all forgotten.")
        whole = Path(folder) / target.name
        _convert(lines, types, longest, whole, format)
        whole.replace(target)
    return n_rows


def format_of(path: str | os.PathLike[str]) -> str:
    """The format that the ending of a file asks for.

    >>> format_of("rows.parquet")
    'parquet'
    """
    format = FORMATS.get(Path(path).suffix)
    if format is None:
        raise ValueError(f"Rows are exported to a .parquet or .csv file, got {str(path)!r}.")
    return format


def _write_lines(
    rows: Iterable[tuple[str, float, Row]], lines: Path
) -> tuple[dict[str, str], int, int]:
    """Write a line for each row; the type of each column, how many rows, and the longest line."""
    types: dict[str, str] = {}
    n_rows = longest = 0
    with lines.open("w", encoding="ascii") as file:
        for record in _records(rows):
            for name, cell in record.items():
                types[name] = _wider(types.get(name), cell)
            line = json.dumps({_text(name): _shown(cell) for name, cell in record.items()}) + "\n"
            file.write(line)
            n_rows, longest = n_rows + 1, max(longest, len(line))
    return {_text(name): type_ or TEXT for name, type_ in types.items()}, n_rows, longest


def _records(rows: Iterable[tuple[str, float, Row]]) -> Iterator[dict[str, object]]:
    names: dict[str, str] = {}  # column -> its name in the file
    taken: set[str] = set()  # these names, in small letters
    for id, time, row in rows:
        cells = row.x if isinstance(row.x, dict) else _named(row.x)
        ours = {"id": id, "time": time} | ({} if row.y is None else {"y": row.y})
        taken |= ours.keys()
        for name in [name for name in cells if name not in names]:
            names[name] = _free(name, taken)
            taken.add(names[name].lower())
        yield ours | {names[name]: cell for name, cell in cells.items()}


def _free(name: str, taken: set[str]) -> str:
    """A name for a column: one may be called like one of ours, or not at all.

    To DuckDB, names are the same if they differ in capital letters alone.

    >>> _free("ID", {"id", "time"}), _free("", {"id", "time"})
    ('ID_', 'column')
    """
    free = name or "column"
    while free.lower() in taken:
        free += "_"
    return free


def _named(x: object) -> dict[str, Any]:
    return {f"x{k}": cell for k, cell in enumerate(x)} if isinstance(x, list) else {"text": x}


def _wider(type_: str | None, cell: object) -> str:
    """The type of a column in which this cell is, too; "" while there are only gaps."""
    if cell is None:
        return type_ or ""
    mine = "boolean" if isinstance(cell, bool) else "double" if _is_number(cell) else TEXT
    return mine if type_ in (None, "", mine) else TEXT


def _is_number(cell: object) -> bool:
    return (isinstance(cell, (int, float)) and abs(cell) <= 2**53) or isinstance(cell, float)


def _shown(cell: object) -> object:
    if isinstance(cell, str):
        return _text(cell)
    return str(cell) if cell in (float("inf"), float("-inf")) else cell


def _text(text: str) -> str:
    """Half of a surrogate pair, which stores took in once and no file can hold, as a "?"."""
    return text.encode(errors="replace").decode()


def _convert(lines: Path, types: dict[str, str], longest: int, path: Path, format: str) -> None:
    import duckdb

    columns = ", ".join(f"{_quoted(name)}: '{type_}'" for name, type_ in types.items())
    source = (
        f"read_json({quoted_path(lines)}, format='newline_delimited', columns={{{columns}}}, "
        f"maximum_object_size={max(longest, USUAL_BYTES)})"
    )
    header = ", header true" if format == "csv" else ""
    with duckdb.connect() as connection:
        connection.execute(
            f"copy (from {source}) to {_quoted(str(path))} (format {format}{header})"
        )


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
