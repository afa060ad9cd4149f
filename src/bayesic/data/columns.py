"""What the cells of one column are: numbers, categories, texts, or nothing at all."""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

import numpy as np

from bayesic.kernels import Array

NOT_OBSERVED = -1


@dataclass(frozen=True, eq=False)
class Numbers:
    """Measurements; NaN where not observed."""

    values: Array  # float64 (n_rows,)

    def __len__(self) -> int:
        return len(self.values)

    def part(self, rows: slice) -> "Numbers":
        """These rows, without a copy."""
        return Numbers(self.values[rows])


@dataclass(frozen=True, eq=False)
class Categories:
    """For each row the number of its level; -1 where not observed."""

    codes: Array  # intp (n_rows,)
    levels: tuple[str, ...]  # distinct, each of them occurs, in any order

    def __len__(self) -> int:
        return len(self.codes)

    def part(self, rows: slice) -> "Categories":
        """These rows, without a copy; keeps all levels, also those that do not occur in them."""
        return Categories(self.codes[rows], self.levels)


@dataclass(frozen=True, eq=False)
class Texts:
    """Raw strings; None where not observed."""

    texts: list[str | None]

    def __len__(self) -> int:
        return len(self.texts)

    def part(self, rows: slice) -> "Texts":
        """These rows."""
        return Texts(self.texts[rows])


@dataclass(frozen=True, eq=False)
class Nothing:
    """No row was observed, and nobody told what the column is."""

    n_rows: int

    def __len__(self) -> int:
        return self.n_rows

    def part(self, rows: slice) -> "Nothing":
        """These rows."""
        return Nothing(len(range(self.n_rows)[rows]))


Cells = Numbers | Categories | Texts | Nothing


def category_name(value: Any) -> str:
    """The text of one category.

    Categories are compared as text: 1, 1.0 and "1" are one category, whatever library the table
    came from. (pandas turns whole numbers into floats as soon as one of them is missing.)

    >>> [category_name(value) for value in (1, 1.0, "1", 0.5, True, date(2024, 1, 5))]
    ['1', '1', '1', '0.5', 'True', '2024-01-05']
    """
    if isinstance(value, str):
        return str(value)
    if isinstance(value, (float, np.floating)):
        return str(int(value)) if value.is_integer() else str(value)
    if isinstance(value, Decimal):
        return _decimal_name(value)
    if isinstance(value, np.datetime64):
        return _numpy_time_name(value)
    if isinstance(value, datetime):
        midnight = value.tzinfo is None and value == datetime(*value.timetuple()[:3])
        return value.date().isoformat() if midnight else value.isoformat(sep=" ")
    if isinstance(value, (date, time)):
        return value.isoformat()
    if isinstance(value, (timedelta, np.timedelta64)):
        return _duration_name(value)
    return str(value)


def _decimal_name(value: Decimal) -> str:
    """As the float of the same value would be named, if there is one."""
    if value.is_finite() and value == value.to_integral_value():
        return str(int(value))
    nearest = str(float(value))
    return nearest if Decimal(nearest) == value else str(value.normalize())


def _numpy_time_name(value: np.datetime64) -> str:
    exact = value.astype("datetime64[us]")
    if exact != value:  # finer than a microsecond: datetime cannot hold it
        return str(value).replace("T", " ")
    return category_name(exact.astype("datetime64[us]").item())


def _duration_name(value: Any) -> str:
    if isinstance(value, np.timedelta64):
        value = value.astype("timedelta64[us]").item()
    # libraries have their own kinds of timedelta, with other texts
    return str(timedelta(microseconds=value // timedelta(microseconds=1)))


def united_levels(codes: Array, values: list) -> Categories:
    """Categories from codes into any values, of which several may have the same name or none occur.

    Codes below 0 are not observed.

    >>> united_levels(np.array([0, 1, -1, 2]), ["rain", 1.0, "1"]).levels
    ('rain', '1')
    """
    occurs = np.zeros(len(values) + 1, dtype=bool)
    occurs[codes] = True  # code -1 marks the last place, which is no level
    position: dict[str, int] = {}
    target = np.full(len(values) + 1, NOT_OBSERVED, dtype=np.intp)
    for code in np.flatnonzero(occurs[:-1]).tolist():
        target[code] = position.setdefault(category_name(values[code]), len(position))
    if np.array_equal(target[:-1], np.arange(len(values))):
        return Categories(codes.astype(np.intp, copy=False), tuple(position))
    return Categories(target[codes], tuple(position))
