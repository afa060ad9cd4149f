"""Rows of any table as plain values, and as lines of JSON that give back the same values.

A row is what the user gave: a dict by column, a list of cells, or a text; and its label. A model
never learns the user's own objects, only what came back from the line: so learning and replaying
are the same.
"""

import hashlib
import json
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from numbers import Integral, Real
from typing import Any

import numpy as np

from bayesic.data.distinct import category_name, is_missing
from bayesic.data.frames import any_table_library_loaded, as_series
from bayesic.data.labels import take_column
from bayesic.data.source import Stored, opened
from bayesic.data.tables import plain_column, raw_columns
from bayesic.data.typing import TableLike

Id = str | int  # of a row
Ids = Iterable[Id]

TAG = "float"  # {"float": "inf"}, as in model files: JSON has no number for it


@dataclass(frozen=True)
class Row:
    """One row as plain values: numbers, texts, True, False, and None for a gap."""

    x: Any  # a dict by column, a list of cells, or a text
    y: Any = None  # its label; None where there is none, as for a network


def rows_of(X: TableLike, y: object = None) -> list[Row]:
    """The rows of a table, array, list of rows or texts, or file, with their labels.

    y : the label of each row, the name of the column that holds them, or None

    >>> rows_of({"sky": ["rain", None], "wind": [3, float("nan")]}, ["stay", "go"])
    [Row(x={'sky': 'rain', 'wind': 3}, y='stay'), Row(x={'sky': None, 'wind': None}, y='go')]
    """
    source = opened(X)
    if isinstance(source, Stored):
        X = source.whole({y: "label"} if isinstance(y, str) else {})
    if isinstance(y, str):
        X, y = take_column(X, y)
    records = _records(X)
    if not records:
        raise ValueError("There are no rows, so there is nothing to learn. Give at least one.")
    if y is None:
        return [Row(x) for x in records]
    labels = _cells(y)
    if len(labels) != len(records):
        raise ValueError(
            f"X has {len(records)} rows, y has {len(labels)} labels: give one label for each row."
        )
    for number, label in enumerate(labels):
        check_label(label, f" in row {number}")
    return [Row(x, label) for x, label in zip(records, labels, strict=True)]


def check_label(label: object, where: str = "") -> None:
    """Refuse a gap and an infinite number as the label of a row."""
    if label is None or label in (math.inf, -math.inf):
        raise ValueError(
            f"Every row needs a label, or a finite number to be predicted, got {label}{where}. "
            "Leave out rows without one."
        )


def _records(X: TableLike) -> list[object]:
    if isinstance(X, (list, tuple)):
        if all(isinstance(row, Mapping) for row in X):  # each keeps its own columns
            return [{str(name): plain(cell) for name, cell in row.items()} for row in X]
        if all(isinstance(text, str) or is_missing(text) for text in X):
            return [plain(text) for text in X]
    if _is_column_of_texts(X):
        return _cells(X)
    columns, n_rows, named = raw_columns(X)
    names, cells = [str(name) for name, _ in columns], [_cells(values) for _, values in columns]
    rows = zip(*cells, strict=True) if cells else iter([()] * n_rows)
    return [dict(zip(names, row, strict=True)) if named else list(row) for row in rows]


def _is_column_of_texts(X: TableLike) -> bool:
    if isinstance(X, np.ndarray):
        return X.ndim == 1 and X.dtype.kind in "UOT"
    if isinstance(X, (list, tuple, Mapping)) or not any_table_library_loaded():
        return False
    return as_series(X) is not None


def _cells(values: object) -> list[object]:
    """The cells of a column as plain values."""
    values = plain_column(values)
    if isinstance(values, list):
        return list(map(plain, values))
    if isinstance(values, np.ndarray):
        if values.ndim != 1:
            raise ValueError(f"A column must have one dimension, got {values.ndim}.")
        return list(map(plain, values.tolist() if values.dtype.kind in "biufUOT" else values))
    import narwhals as nw

    series: Any = as_series(values)

    cells = series.to_list()
    if series.dtype in (nw.Categorical, nw.Enum):  # its numbers are names
        return [None if is_missing(cell) else category_name(cell) for cell in cells]
    return list(map(plain, cells))


def plain(cell: object) -> object:
    """A cell as JSON knows it: a text, a number, True, False, or None for a gap.

    >>> [plain(cell) for cell in (np.int64(3), float("nan"), np.True_, np.float32(0.5), "雨")]
    [3, None, True, 0.5, '雨']
    """
    if type(cell) in (str, int, bool):
        return cell
    if is_missing(cell):
        return None
    if isinstance(cell, (bool, np.bool_)):
        return bool(cell)
    if isinstance(cell, str):
        return str(cell)
    if isinstance(cell, Integral):
        return int(cell)
    if isinstance(cell, (Real, Decimal)):
        return float(cell)
    raise TypeError(
        f"A store keeps numbers, texts, True and False, and None for a gap, got a "
        f"{type(cell).__name__}: {cell!r:.60}. Turn it into a text or a number; for dates there is "
        "bayesic.date_columns."
    )


# lines ------------------------------------------------------------------------------------------


def line_of(row: Row) -> str:
    """The row as a line of JSON, floats exactly.

    >>> line_of(Row({"天气": "雨", "wind": 0.1}, "stay"))
    '{"x":{"天气":"雨","wind":0.1},"y":"stay"}'
    """
    content = {"x": row.x} if row.y is None else {"x": row.x, "y": row.y}
    try:
        line = _json(content, ensure_ascii=False)
    except ValueError:  # infinities
        content = {**content, "x": _each(_tagged, row.x)}  # a label is finite
        line = _json(content, ensure_ascii=False)
    try:
        line.encode()
    except UnicodeEncodeError:  # half of a surrogate pair: only an escape can hold it
        return _json(content)
    return line


def row_of(line: str) -> Row:
    """The row of a line.

    >>> row_of('{"x":["rain",{"float":"inf"}],"y":1}')
    Row(x=['rain', inf], y=1)
    """
    content = json.loads(line)
    if TAG in line:
        content["x"] = _each(_untagged, content["x"])
    return Row(**content)


def digest(row: Row) -> str:
    """What tells whether two rows are the same: columns in any order, 1 and 1.0 are one number.

    >>> digest(Row({"sky": "rain", "wind": 1.0})) == digest(Row({"wind": 1, "sky": "rain"}))
    True
    """
    same = _json([_each(_compared, row.x), _compared(row.y)], sort_keys=True)
    return hashlib.sha256(same.encode()).hexdigest()


def _json(content: Any, **how: Any) -> str:
    return json.dumps(content, allow_nan=False, separators=(",", ":"), **how)


def _each(change: Callable[[object], object], part: object) -> object:
    """Every cell of a row changed, or the one cell that it is."""
    if isinstance(part, dict):
        return {name: change(cell) for name, cell in part.items()}
    return [change(cell) for cell in part] if isinstance(part, list) else change(part)


def _tagged(cell: object) -> object:
    return {TAG: str(cell)} if isinstance(cell, float) and math.isinf(cell) else cell


def _untagged(cell: object) -> object:
    return float(cell[TAG]) if isinstance(cell, dict) else cell


def _compared(cell: Any) -> Any:
    is_whole = isinstance(cell, float) and cell.is_integer()
    return int(cell) if is_whole else _tagged(cell)
