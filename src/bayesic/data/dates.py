"""Dates and times: seen in columns of strings, and taken apart into columns of whole numbers."""

import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from datetime import date, datetime, time
from typing import Any

import numpy as np

from bayesic.data.distinct import is_missing
from bayesic.data.frames import Frame, as_frame
from bayesic.data.typing import TableLike

Parts = dict[str, list[int | None]]  # the name of a part, and its value in each row

_DAY = re.compile(r"(\d{4})[-/年](\d{1,2})[-/月](\d{1,2})日?(?:[T ]\s*(\S.*))?", re.ASCII)

_PARTS: dict[str, Callable[[datetime], int]] = {
    "year": lambda when: when.year,
    "month": lambda when: when.month,
    "weekday": lambda when: when.isoweekday(),
    "hour": lambda when: when.hour,
}


def date_columns(table: TableLike, column: str) -> Any:
    """The table with a column of dates replaced by columns of year, month, weekday and hour.

    A date occurs once and never again; its parts recur, so that a model can learn from them.
    Weekdays are 1 (Monday) to 7 (Sunday). There is a column for the hour if any value has a time of
    day. Missing values stay missing.

    table  : a pandas, polars or pyarrow table, a dict of columns, or a list of dicts; the same kind
             comes back, and the input is not changed
    column : the name of the column: dates, datetimes, or strings such as "2024-01-05",
             "2024-01-05 17:30", "2024/1/5" or "2024年1月5日"

    >>> date_columns({"sold": ["2024-01-05", "2024-02-10"], "price": [3, 4]}, "sold")
    {'sold_year': [2024, 2024], 'sold_month': [1, 2], 'sold_weekday': [5, 6], 'price': [3, 4]}
    """
    if isinstance(table, Mapping):
        return _in_place_of(column, dict(table), _named_parts(list(_column(table, column)), column))
    if isinstance(table, (list, tuple)) and all(isinstance(row, Mapping) for row in table):
        parts = _named_parts([row.get(column) for row in table], column)
        return [
            _in_place_of(column, dict(row), {name: values[place] for name, values in parts.items()})
            for place, row in enumerate(table)
        ]
    frame = None if isinstance(table, (list, tuple, np.ndarray, str)) else as_frame(table)
    if frame is None:
        raise TypeError(
            "table must have named columns: a pandas, polars or pyarrow table, a dict of columns "
            f"or a list of dicts, got {type(table).__name__}. Read a file into a table first."
        )
    _check_name(column, frame.columns)
    return _frame_with_parts(frame, column)


def looks_like_date(value: str) -> bool:
    """Whether a string is a date, with or without a time.

    >>> [looks_like_date(text) for text in ("2024-01-05", "2024/1/5 17:30", "2024-13-05", "12")]
    [True, True, False, False]
    """
    return _parsed(value) is not None


def _parsed(text: str) -> datetime | None:
    found = _DAY.fullmatch(text.strip())
    if not found:
        return None
    year, month, day, clock = found.groups()
    try:
        of_day = time.fromisoformat(clock) if clock else time()
        return datetime.combine(date(int(year), int(month), int(day)), of_day)
    except ValueError:
        return None


def _moment(value: object, row: int, column: str) -> datetime | None:
    """One value as a datetime, None if it is missing."""
    if is_missing(value):
        return None
    if isinstance(value, np.datetime64):
        value = value.astype("datetime64[us]").item()
    if isinstance(value, str):
        value = (_parsed(value) or value) if value.strip() else None
    if value is None or isinstance(value, datetime):
        return value
    if isinstance(value, date):
        return datetime.combine(value, time())
    raise ValueError(
        f"Column {column!r} must hold dates, got {value!r:.50} in row {row}. Write them as "
        "2024-01-05 or 2024-01-05 17:30, and use None for missing values."
    )


def _named_parts(values: Sequence[object], column: str) -> Parts:
    moments = [_moment(value, row, column) for row, value in enumerate(values)]
    has_time = any(moment is not None and moment.time() != time() for moment in moments)
    return {
        f"{column}_{name}": [None if moment is None else part(moment) for moment in moments]
        for name, part in _PARTS.items()
        if has_time or name != "hour"
    }


def _in_place_of(column: str, named: dict, parts: Mapping[str, object]) -> dict:
    """The entries with those of the parts where that of the column was."""
    twice = [name for name in parts if name in named]
    if twice:
        raise ValueError(f"The table already has a column {twice[0]!r}. Rename it first.")
    found: dict = {}
    for name, value in named.items():
        found.update(parts if name == column else {name: value})
    return found


def _column(table: Mapping, column: str) -> Any:
    _check_name(column, list(table))
    values = table[column]
    if isinstance(values, (str, bytes)) or not hasattr(values, "__iter__"):
        raise ValueError(
            f"A table given as a dict needs a list for each column, got {values!r:.50} for "
            f"{column!r}."
        )
    return values


def _check_name(column: object, names: Sequence[object]) -> None:
    if not isinstance(column, Hashable) or column not in names:
        raise ValueError(f"The table has no column {column!r}. It has {list(names)}.")


def _frame_with_parts(frame: Frame, column: str) -> Any:
    import narwhals as nw

    parts = _named_parts(frame[column].to_list(), column)
    columns = _in_place_of(column, dict.fromkeys(frame.columns), parts)
    index = nw.maybe_get_index(frame)
    for name, values in parts.items():
        dtype = nw.Float64 if None in values else nw.Int64
        series = nw.new_series(name, values, dtype, backend=frame.implementation)
        # the rows of pandas keep their index
        frame = frame.with_columns(
            series if index is None else nw.maybe_set_index(series, index=index)
        )
    return frame.select(*columns).to_native()
