"""The Python values of one column -> cells: what they are is told, or seen from their types.

None, NaN and the missing values of pandas mean "not observed", everywhere.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, time, timedelta
from decimal import Decimal
from numbers import Real
from typing import Any, NoReturn

import numpy as np

from bayesic.data.columns import (
    NOT_OBSERVED,
    Categories,
    Cells,
    Nothing,
    Numbers,
    Texts,
    category_name,
    united_levels,
)


@dataclass(frozen=True)
class Column:
    """What messages say of a column, and what was told about it."""

    name: str
    told: str | None = None  # "number", "category", "text"
    first_row: int = 0  # where these rows start in the whole table

    def at(self, row: int) -> str:
        """The place of a row of this column, for a message."""
        return f"column {self.name!r}, row {self.first_row + row}"

    def says(self, kind: str) -> str:
        """How to tell what this column holds, for a message."""
        return f"columns={{{self.name!r}: {kind!r}}}"


def cells_of_values(values: list, column: Column) -> Cells:
    """The cells of a list of Python values.

    >>> cells_of_values(["rain", None, "sun", "rain"], Column("sky"))
    Categories(codes=array([ 0, -1,  1,  0]), levels=('rain', 'sun'))
    >>> cells_of_values([1, None, 2.5], Column("wind"))
    Numbers(values=array([1. , nan, 2.5]))
    """
    if column.told in (None, "category") and (words := _plain_words(values)) is not None:
        return words
    kinds = _kinds(values)
    if "other" in kinds and column.told != "category":
        refuse_kind(_first(values, "other"), column)
    if column.told is None:
        return _untold(values, kinds, column)
    return _TOLD[column.told](values, kinds, column)


def cells_of_array(values: np.ndarray, column: Column) -> Cells:
    """The cells of a one-dimensional array of any dtype.

    >>> cells_of_array(np.array([1.0, 2.0, 1.0]), Column("size", told="category")).levels
    ('1', '2')
    """
    kind = values.dtype.kind
    if values.ndim != 1:
        raise ValueError(
            f"A column must have one dimension, got {values.ndim} in column {column.name!r}. "
            "Give each of its columns a name of its own."
        )
    if isinstance(values, np.ma.MaskedArray) or kind in "OUT":
        return cells_of_values(values.tolist(), column)
    if kind in "iuf" and column.told in (None, "number"):
        return checked_numbers(values, column)
    if kind == "b" and column.told == "number":
        return checked_numbers(values, column)
    if kind in "biufMm" and len(values) and column.told in (None, "category"):
        return _categories_of_array(values, column)
    return cells_of_values(list(values), column)


def _categories_of_array(values: np.ndarray, column: Column) -> Cells:
    if values.dtype.kind in "Mm" and column.told is None:
        return cells_of_values(list(values), column)  # all NaT, or refused
    codes, rows = codes_of_numbers(values.view(np.uint8) if values.dtype == bool else values)
    if values.dtype.kind in "fMm":
        codes = np.where(values == values, codes, NOT_OBSERVED)  # NaN is not itself
    return united_levels(codes, list(values[rows]))


def codes_of_numbers(numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Numbers as codes from 0 on without gaps, and for each code a row in which it occurs.

    >>> codes_of_numbers(np.array([7, 3, 7]))
    (array([1, 0, 1]), array([1, 2]))
    """
    if numbers.dtype.kind in "iu" and len(numbers):
        lowest = int(numbers.min())
        span = int(numbers.max()) - lowest + 1
        if span <= 2 * len(numbers) and lowest >= -(2**62):  # a table is faster than sorting
            if numbers.dtype.kind == "u":  # from 2**63 on they have no place in intp
                places = (numbers - numbers.min()).astype(np.intp)
            else:
                places = numbers.astype(np.intp) - lowest
            row_of = np.full(span, NOT_OBSERVED, dtype=np.intp)
            row_of[places] = np.arange(len(numbers))
            occurs = row_of >= 0
            return (np.cumsum(occurs) - 1)[places], row_of[occurs]
    _, rows, codes = np.unique(numbers, return_index=True, return_inverse=True)
    return codes, rows


def checked_numbers(values: np.ndarray, column: Column) -> Cells:
    """Numbers, or Nothing if none is there and nobody told that they are numbers.

    >>> checked_numbers(np.array([3, 4]), Column("wind"))
    Numbers(values=array([3., 4.]))
    """
    with np.errstate(over="ignore"):  # wider floats that do not fit become infinite, see below
        values = np.asarray(values, dtype=np.float64)
    infinite = np.isinf(values)
    if infinite.any():
        row = int(infinite.argmax())
        raise ValueError(
            f"Numbers must be finite, got {values[row]} in {column.at(row)}. "
            "Replace it, or use NaN for a value that was not observed."
        )
    if column.told is None and np.isnan(values).all():
        return Nothing(len(values))
    return Numbers(values)


def _plain_words(values: list) -> Categories | None:
    """Words and gaps as categories; None if there is anything else, or no word at all."""
    if not any(isinstance(value, str) for value in values[:100]) and str not in map(type, values):
        return None
    try:
        codes = dict.fromkeys(values, NOT_OBSERVED)
    except TypeError:  # lists and the like: refused later, by name
        return None
    levels: list[str] = []
    for value in codes:
        if isinstance(value, str):
            codes[value] = len(levels)
            levels.append(str(value))
        elif not _is_missing(value):
            return None
    return Categories(_look_up(values, codes), tuple(levels))


def _look_up(values: list, codes: dict[Any, int]) -> np.ndarray:
    return np.fromiter(map(codes.__getitem__, values), dtype=np.intp, count=len(values))


# what values are ------------------------------------------------------------------------------


def _kinds(values: list) -> set[str]:
    """The kinds of values that occur, gaps left out."""
    types: dict[str, set[type]] = {}
    for type_ in set(map(type, values)):
        types.setdefault(_kind_of_type(type_), set()).add(type_)
    types.pop("gap", None)
    for kind in {"number", "date"} & types.keys():  # NaN is a number, NaT is a date
        if not any(type(value) in types[kind] and not _is_missing(value) for value in values):
            del types[kind]
    return set(types)


def _kind(value: Any) -> str:
    return "gap" if _is_missing(value) else _kind_of_type(type(value))


def _kind_of_type(type_: type) -> str:
    if type_.__name__ in ("NoneType", "NAType", "NaTType"):
        return "gap"
    for kind, types in _TYPES.items():
        if issubclass(type_, types):
            return kind
    return "other"


_TYPES: dict[str, tuple[type, ...]] = {
    "word": (str,),
    "truth": (bool, np.bool_),
    "date": (date, time, timedelta, np.datetime64, np.timedelta64),
    "number": (Real, Decimal),
}


def _is_missing(value: Any) -> bool:
    if isinstance(value, (float, np.floating, np.datetime64, np.timedelta64)):
        return bool(value != value)
    if isinstance(value, Decimal):
        return value.is_nan()
    return type(value).__name__ in ("NoneType", "NAType", "NaTType")


def _first(values: list, *kinds: str) -> tuple[int, Any]:
    """The first row with a value of one of these kinds, and the value."""
    return next((row, value) for row, value in enumerate(values) if _kind(value) in kinds)


# what is made of them -------------------------------------------------------------------------


def _untold(values: list, kinds: set[str], column: Column) -> Cells:
    if not kinds:
        return Nothing(len(values))
    if kinds == {"number"}:
        return _numbers(values, column)
    if kinds == {"date"}:
        refuse_dates(column)
    if not kinds <= {"word", "truth"}:
        refuse_mix(values, kinds, column)
    return _categories(values, kinds, column)


def _categories(values: list, kinds: set[str], column: Column) -> Cells:
    # True == 1, but they are two categories; and other things may not be hashable
    if {"truth", "number"} <= kinds or "other" in kinds:
        values = [None if _is_missing(value) else category_name(value) for value in values]
    distinct = list(dict.fromkeys(values))
    codes = _look_up(values, {value: code for code, value in enumerate(distinct)})
    gaps = np.fromiter(map(_is_missing, distinct), dtype=bool, count=len(distinct))
    if gaps.any():
        codes[gaps[codes]] = NOT_OBSERVED
    return united_levels(codes, distinct)


def _told_numbers(values: list, kinds: set[str], column: Column) -> Cells:
    if "date" in kinds:
        refuse_dates(column)
    return _numbers(values, column)


def _numbers(values: list, column: Column) -> Cells:
    try:
        numbers = np.array(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        numbers = np.array([_number(value, row, column) for row, value in enumerate(values)])
    return checked_numbers(numbers, column)


def _number(value: Any, row: int, column: Column) -> float:
    if _is_missing(value):
        return np.nan
    try:
        return float(value)
    except OverflowError as error:
        raise ValueError(
            f"Numbers must fit into float64, got {str(value)[:20]}... in {column.at(row)}. "
            f"If it names something, say {column.says('categorical')}."
        ) from error
    except ValueError as error:
        raise ValueError(
            f"{column.at(row).capitalize()}: a number was told, got {value!r}. "
            f"Turn it into null if it was not observed, or say {column.says('categorical')}."
        ) from error


def _texts(values: list, kinds: set[str], column: Column) -> Cells:
    if kinds - {"word"}:
        row, value = _first(values, *(kinds - {"word"}))
        raise ValueError(
            f"A text column must hold strings, got {value!r} in {column.at(row)}. "
            f"Turn all of it into strings, or say {column.says('categorical')}."
        )
    return Texts([None if _is_missing(value) else str(value) for value in values])


_TOLD: dict[str, Callable[[list, set[str], Column], Cells]] = {
    "number": _told_numbers,
    "category": _categories,
    "text": _texts,
}


# what is refused ------------------------------------------------------------------------------


def refuse_dates(column: Column) -> NoReturn:
    """Refuse dates and times that nobody told to take as categories."""
    if column.told is None:
        problem = f"Column {column.name!r} holds dates or times, which are not numbers."
    else:
        problem = f"Column {column.name!r} was told to hold {column.told}s, but holds dates."
    raise ValueError(
        f"{problem} Say {column.says('categorical')} to take each as a category, 'ignore' to leave "
        "them out, or turn them into year, month, weekday and hour with "
        f"bayesic.date_columns(table, {column.name!r})."
    )


def refuse_kind(first: tuple[int, Any], column: Column) -> NoReturn:
    """Refuse values that are neither numbers nor words, given the first of them and its row."""
    row, value = first
    raise ValueError(
        f"Columns must hold numbers, words, booleans or dates, got {type(value).__name__} in "
        f"{column.at(row)}. Turn it into one of these, or say {column.says('ignore')}."
    )


def refuse_mix(values: list, kinds: set[str], column: Column) -> NoReturn:
    """Refuse numbers and words in one column, naming the first of each."""
    kinds_of_mix = [("number",), ("date",), ("word", "truth")]
    found = [_first(values, *some) for some in kinds_of_mix if kinds & set(some)]
    given = " and ".join(f"{value!r} in row {column.first_row + row}" for row, value in found)
    raise ValueError(
        f"Column {column.name!r} must hold one kind of values, got {given}. Turn what stands for "
        f"'not observed' into null, or say {column.says('categorical')}."
    )
