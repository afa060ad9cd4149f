"""What the cells of one column are: numbers, categories, texts, or nothing at all.

It is declared, or inferred from the types of the values. None, NaN and the missing values of pandas
mean "not observed", everywhere.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np

from bayesic.data.distinct import (
    NOT_OBSERVED,
    Distinct,
    category_name,
    distinct_objects,
    distinct_of_array,
    is_missing,
    kind_of,
    kinds_of,
    shared_objects,
)
from bayesic.kernels import Array


@dataclass(frozen=True, eq=False)
class Numbers:
    """Measurements; NaN where missing."""

    values: Array  # float64 (n_rows,)

    def __len__(self) -> int:
        return len(self.values)

    def part(self, rows: slice) -> "Numbers":
        """These rows, without a copy."""
        return Numbers(self.values[rows])

    def at(self, rows: Array) -> "Numbers":
        """The rows with these numbers."""
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

    def at(self, rows: Array) -> "Categories":
        """The rows with these numbers."""
        return Categories(self.codes[rows], self.levels)


@dataclass(frozen=True, eq=False)
class Texts:
    """Raw strings; None where missing."""

    texts: list[str | None]

    def __len__(self) -> int:
        return len(self.texts)

    def part(self, rows: slice) -> "Texts":
        """These rows."""
        return Texts(self.texts[rows])

    def at(self, rows: Array) -> "Texts":
        """The rows with these numbers."""
        return Texts([self.texts[row] for row in rows.tolist()])


@dataclass(frozen=True, eq=False)
class Nothing:
    """No row was observed, and nobody said what the column is."""

    n_rows: int

    def __len__(self) -> int:
        return self.n_rows

    def part(self, rows: slice) -> "Nothing":
        """These rows."""
        return Nothing(len(range(self.n_rows)[rows]))

    def at(self, rows: Array) -> "Nothing":
        """The rows with these numbers."""
        return Nothing(len(rows))


Cells = Numbers | Categories | Texts | Nothing

_FIRST = np.zeros(1, dtype=np.intp)
_FIRST.flags.writeable = False


def joined_cells(parts: Sequence[Cells]) -> Cells:
    """The cells of parts of one column, one after the other; parts may have no cell observed."""
    known = [part for part in parts if not isinstance(part, Nothing)]
    if not known:
        return Nothing(sum(map(len, parts)))
    if isinstance(known[0], Numbers):
        return Numbers(np.concatenate([_values(part) for part in parts]))
    if isinstance(known[0], Texts):
        return Texts([text for part in parts for text in _texts_of(part)])
    levels: dict[str, int] = {}
    codes = []
    for part in parts:
        named = part.levels if isinstance(part, Categories) else ()
        places = [levels.setdefault(level, len(levels)) for level in named]
        own = part.codes if isinstance(part, Categories) else np.full(len(part), NOT_OBSERVED)
        codes.append(np.array([*places, NOT_OBSERVED], np.intp)[own])
    return Categories(np.concatenate(codes), tuple(levels))


def _values(part: Cells) -> Array:
    return part.values if isinstance(part, Numbers) else np.full(len(part), np.nan)


def _texts_of(part: Cells) -> list[str | None]:
    return part.texts if isinstance(part, Texts) else [None] * len(part)


@dataclass(frozen=True)
class Column:
    """What messages say about a column, and how it was declared."""

    name: str
    told: str | None = None  # "number", "category", "text"
    first_row: int = 0  # where these rows start in the whole table

    def at(self, row: int) -> str:
        """The place of a row of this column, for a message."""
        return f"column {self.name!r}, row {self.first_row + row}"

    def says(self, kind: str) -> str:
        """How to declare this column, for a message."""
        return f"columns={{{self.name!r}: {kind!r}}}"


def united_levels(codes: Array, values: list) -> Categories:
    """Categories from codes into any values, of which several may have the same name or none occur.

    Codes below 0 are not observed.

    >>> united_levels(np.array([0, 1, -1, 2]), ["rain", 1.0, "1"]).levels
    ('rain', '1')
    """
    occurs = np.zeros(len(values) + 1, dtype=bool)
    occurs[codes] = True  # code -1 marks the last place, which is not a level
    position: dict[str, int] = {}
    target = np.full(len(values) + 1, NOT_OBSERVED, dtype=np.intp)
    for code in np.flatnonzero(occurs[:-1]).tolist():
        target[code] = position.setdefault(category_name(values[code]), len(position))
    if np.array_equal(target[:-1], np.arange(len(values))):
        return Categories(codes.astype(np.intp, copy=False), tuple(position))
    return Categories(target[codes], tuple(position))


def cells_of_values(values: list, column: Column) -> Cells:
    """The cells of a list of Python values.

    >>> cells_of_values(["rain", None, "sun", "rain"], Column("sky"))
    Categories(codes=array([ 0, -1,  1,  0]), levels=('rain', 'sun'))
    >>> cells_of_values([1, None, 2.5], Column("wind"))
    Numbers(values=array([1. , nan, 2.5]))
    """
    if column.told == "category":
        return united_levels(*distinct_objects(values)[:2])
    if column.told is None and (words := _plain_words(values)) is not None:
        return words
    kinds = kinds_of(values)
    if "other" in kinds:
        _refuse_kind(_first(values, "other"), column)
    if column.told is None:
        return _untold(values, kinds, column)
    return _TOLD[column.told](values, kinds, column)


def one_cell(value: Any, told: str | None) -> Cells | None:
    """The cell of a single row, if it is what it usually is."""
    if type(value) is str and told in (None, "category"):
        return Categories(_FIRST, (value,))
    if type(value) in (float, int) and told in (None, "number") and abs(value) < 2**53:
        return Numbers(np.array([value], dtype=np.float64))
    return None


def cells_of_array(values: Array, column: Column) -> Cells:
    """The cells of a one-dimensional array of any dtype.

    >>> cells_of_array(np.array([1.0, 2.0, 1.0]), Column("size", told="category")).levels
    ('1', '2')
    """
    kind = values.dtype.kind
    check_dimension(values, column)
    if column.told == "category" or (kind == "b" and column.told is None):
        return united_levels(*distinct_of_array(values)[:2])
    if column.told is None and (words := _shared_words(values)) is not None:
        return words
    if isinstance(values, np.ma.MaskedArray) or kind in "OUT":
        return cells_of_values(values.tolist(), column)
    if kind in "biuf" and column.told != "text":
        return checked_numbers(values, column)
    return cells_of_values(list(values), column)


def check_dimension(values: Array, column: Column) -> None:
    """Refuse a column that has columns itself."""
    if values.ndim != 1:
        raise ValueError(
            f"A column must have one dimension, got {values.ndim} in column {column.name!r}. "
            "Name each of its columns separately."
        )


def checked_numbers(values: Array, column: Column) -> Cells:
    """Numbers, or Nothing if none is there and nobody said that they are numbers.

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
            "Replace it, or use NaN for a missing value."
        )
    if column.told is None and np.isnan(values).all():
        return Nothing(len(values))
    return Numbers(values)


def _plain_words(values: list) -> Categories | None:
    """Words and gaps as categories; None if there is anything else, or no word at all."""
    if not any(isinstance(value, str) for value in values[:100]) and str not in map(type, values):
        return None
    return _only_words(distinct_objects(values))


def _shared_words(values: Array) -> Categories | None:
    shared = shared_objects(values)
    return None if shared is None else _only_words(shared)


def _only_words(found: Distinct) -> Categories | None:
    if not found.values or not all(isinstance(value, str) for value in found.values):
        return None
    return Categories(found.codes.astype(np.intp, copy=False), tuple(map(str, found.values)))


def _first(values: list, *kinds: str) -> tuple[int, object]:
    """The first row with a value of one of these kinds, and the value."""
    return next((row, value) for row, value in enumerate(values) if kind_of(value) in kinds)


# what is made of Python values ----------------------------------------------------------------


def _untold(values: list, kinds: set[str], column: Column) -> Cells:
    if not kinds:
        return Nothing(len(values))
    if kinds == {"number"}:
        return _numbers(values, column)
    if kinds == {"date"}:
        refuse_dates(column)
    if not kinds <= {"word", "truth"}:
        _refuse_mix(values, kinds, column)
    return united_levels(*distinct_objects(values)[:2])


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
    if is_missing(value):
        return np.nan
    try:
        return float(value)
    except OverflowError as error:
        raise ValueError(
            f"Numbers must fit into float64, got {str(value)[:20]}... in {column.at(row)}. "
            f"If it names something, set {column.says('categorical')}."
        ) from error
    except ValueError as error:
        raise ValueError(
            f"{column.at(row).capitalize()}: must be a number, got {value!r}. Turn it into null "
            f"if it is missing, or set {column.says('categorical')}."
        ) from error


def _texts(values: list, kinds: set[str], column: Column) -> Cells:
    if kinds - {"word"}:
        row, value = _first(values, *(kinds - {"word"}))
        raise ValueError(
            f"A text column must hold strings, got {value!r} in {column.at(row)}. "
            f"Turn all of it into strings, or set {column.says('categorical')}."
        )
    return Texts([None if is_missing(value) else str(value) for value in values])


_TOLD: dict[str, Callable[[list, set[str], Column], Cells]] = {
    "number": _told_numbers,
    "text": _texts,
}


# what is refused ------------------------------------------------------------------------------


def refuse_unnamed(found: Distinct, column: Column) -> None:
    """Refuse a column that names nothing, as it would be if nobody said what it holds.

    Numbers may name something; infinite ones, dates and mixtures of kinds do not, unless the column
    is of a type for categories.
    """
    kinds = kinds_of(found.values)
    if found.are_names or kinds <= {"word", "truth"}:
        return
    if kinds != {"number"} or not np.isfinite(np.array(found.values, np.float64)).all():
        cells = [*found.values, None]  # code -1 is the last
        cells_of_values([cells[code] for code in found.codes.tolist()], column)


def refuse_dates(column: Column) -> NoReturn:
    """Refuse dates and times that are not declared as categories."""
    if column.told is None:
        problem = f"Column {column.name!r} holds dates or times, which are not numbers."
    else:
        problem = f"Column {column.name!r} was declared as {column.told}, but holds dates."
    raise ValueError(
        f"{problem} Set {column.says('categorical')} to treat each as a category, 'ignore' to "
        "leave them out, or turn them into year, month, weekday and hour with "
        f"bayesic.date_columns(table, {column.name!r})."
    )


def _refuse_kind(first: tuple[int, object], column: Column) -> NoReturn:
    """Refuse values that are neither numbers nor words, given the first of them and its row."""
    row, value = first
    raise ValueError(
        f"Columns must hold numbers, words, booleans or dates, got {type(value).__name__} in "
        f"{column.at(row)}. Turn it into one of these, or set {column.says('ignore')}."
    )


def _refuse_mix(values: list, kinds: set[str], column: Column) -> NoReturn:
    """Refuse numbers and words in one column, naming the first of each."""
    kinds_of_mix = [("number",), ("date",), ("word", "truth")]
    found = [_first(values, *some) for some in kinds_of_mix if kinds & set(some)]
    given = " and ".join(f"{value!r} in row {column.first_row + row}" for row, value in found)
    raise ValueError(
        f"Column {column.name!r} must hold one kind of values, got {given}. Replace markers of "
        f"missing values by null, or set {column.says('categorical')}."
    )
