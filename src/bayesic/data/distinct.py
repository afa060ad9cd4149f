"""The different values of a column, and for each row which of them it holds.

This is the one road from a column to codes, with a short cut for each way in which values are kept:
Python objects, arrays of numbers, and a few objects that many cells share. The columns of pandas,
polars and pyarrow have their own in `frames.py`.

None, NaN and the missing values of pandas mean "not observed", everywhere.
"""

from datetime import date, datetime, time, timedelta
from decimal import Decimal
from numbers import Real
from typing import Any, NamedTuple

import numpy as np

from bayesic.kernels import Array

NOT_OBSERVED = -1
ROWS_AT_ONCE = 8192
MOST_OBJECTS = 64  # in these rows: a column of more is not made of shared objects
MOST_VALUES = 127  # codes of shared objects are signed bytes
MARK = 2  # what is added to them while some are not known yet, which are 0


class Distinct(NamedTuple):
    """Values of a column, and where they occur. Several may have the same name, or none occur."""

    codes: Array  # (n_rows,), whole numbers of any type: the place of its value, -1 for none
    values: list  # as they are in the column, without gaps
    are_names: bool = False  # the column is of a type for categories: its numbers are names


# Python objects -------------------------------------------------------------------------------


def distinct_objects(values: list) -> Distinct:
    """The different ones among Python objects of any kind.

    >>> distinct_objects(["rain", None, "sun", "rain"])
    Distinct(codes=array([ 0, -1,  1,  0]), values=['rain', 'sun'], are_names=False)
    """
    try:
        keys, codes = values, dict.fromkeys(values, NOT_OBSERVED)
        by_name = _mixes_truth_and_numbers(values, codes)
    except TypeError:  # lists and the like have no hash
        by_name = True
    if by_name:
        keys = [None if is_missing(value) else category_name(value) for value in values]
        codes = dict.fromkeys(keys, NOT_OBSERVED)
    found: list[object] = []
    for key in codes:
        if isinstance(key, str) or not is_missing(key):  # a call for each word takes time
            codes[key] = len(found)
            found.append(key)
    numbers = np.fromiter(map(codes.__getitem__, keys), dtype=np.intp, count=len(keys))
    if by_name:
        first = dict(zip(reversed(keys), reversed(values), strict=True))
        found = [first[name] for name in found]
    return Distinct(numbers, found)


def _mixes_truth_and_numbers(values: list, different: dict) -> bool:
    """Whether both occur: True == 1, but they are two categories."""
    both = {"truth", "number"}
    kinds = set(map(_kind_of_type, set(map(type, different))))  # True hides 1 in here, or 1 True
    return not kinds.isdisjoint(both) and both <= kinds_of(values)


def kinds_of(values: list) -> set[str]:
    """The kinds of values that occur, gaps left out: "word", "truth", "date", "number", "other".

    >>> sorted(kinds_of(["rain", 3, float("nan"), None]))
    ['number', 'word']
    """
    types: dict[str, set[type]] = {}
    for type_ in set(map(type, values)):
        types.setdefault(_kind_of_type(type_), set()).add(type_)
    types.pop("gap", None)
    for kind in {"number", "date"} & types.keys():  # NaN is a number, NaT is a date
        if not any(type(value) in types[kind] and not is_missing(value) for value in values):
            del types[kind]
    return set(types)


def kind_of(value: object) -> str:
    """The kind of one value, "gap" if it is missing."""
    return "gap" if is_missing(value) else _kind_of_type(type(value))


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


def is_missing(value: object) -> bool:
    """Whether this stands for "not observed".

    >>> is_missing(None), is_missing(float("nan")), is_missing("no")
    (True, True, False)
    """
    if isinstance(value, str):  # as most values are
        return False
    if isinstance(value, (float, np.floating, np.datetime64, np.timedelta64)):
        return bool(value != value)
    if isinstance(value, Decimal):
        return value.is_nan()
    return type(value).__name__ in ("NoneType", "NAType", "NaTType")


# names ----------------------------------------------------------------------------------------


def category_name(value: object) -> str:
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


# arrays ---------------------------------------------------------------------------------------


def distinct_of_array(values: Array) -> Distinct:
    """The different values of a one-dimensional array of any dtype.

    >>> distinct_of_array(np.array([2.0, np.nan, 1.0, 2.0]))
    Distinct(codes=array([ 1, -1,  0,  1]), values=[1.0, 2.0], are_names=False)
    """
    kind = values.dtype.kind
    if isinstance(values, np.ma.MaskedArray) or kind in "OUT":
        return shared_objects(values) or distinct_objects(values.tolist())
    if kind not in "biufMm" or not len(values):
        return distinct_objects(list(values))
    observed = values == values if kind in "fMm" else None  # NaN is not itself
    if observed is None or observed.all():
        codes, rows = codes_of_numbers(values.view(np.uint8) if kind == "b" else values)
        return Distinct(codes, values[rows].tolist() if kind in "biuf" else list(values[rows]))
    codes = np.full(len(values), NOT_OBSERVED, np.intp)
    found = distinct_of_array(values[observed])
    codes[observed] = found.codes
    return Distinct(codes, found.values)


def codes_of_numbers(numbers: Array) -> tuple[Array, Array]:
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


# shared objects -------------------------------------------------------------------------------


def shared_objects(values: Array) -> Distinct | None:
    """The different ones among texts, booleans and whole numbers that many cells share, or None.

    A column of objects mostly holds a few texts, again and again: whoever made it kept one of each,
    at least for some thousand rows. Then asking which cells are the same object is several times
    faster than asking every cell for its hash.

    >>> yes, no = "yes", "no"
    >>> shared_objects(np.array([yes, no, None, yes], dtype=object))
    Distinct(codes=array([ 0,  1, -1,  0], dtype=int8), values=['yes', 'no'], are_names=False)
    """
    if values.dtype.kind != "O" or isinstance(values, np.ma.MaskedArray):
        return None
    values = np.ascontiguousarray(values)
    # An array of objects is an array of references. They are compared, and never followed.
    references = np.frombuffer(values, np.intp) if len(values) else np.empty(0, np.intp)
    marks = np.zeros(len(values), np.uint8)
    known: dict[tuple[type, Any], int] = {}  # with the type: True is 1
    for start in range(0, len(values), ROWS_AT_ONCE):
        rows = slice(start, start + ROWS_AT_ONCE)
        if not _fill_marks(marks[rows], values[rows], references[rows], known):
            return None
    return Distinct((marks - np.uint8(MARK)).view(np.int8), [value for _, value in known])


def _fill_marks(marks: Array, values: Array, references: Array, known: dict) -> bool:
    """Number the values of some rows, those that are new as well; False if it cannot be done."""
    if len({*references[: 4 * MOST_OBJECTS].tolist()}) > MOST_OBJECTS:
        return False
    for _ in range(MOST_OBJECTS):
        row = int(marks.argmin())
        if marks[row]:
            return True
        value = values[row]
        if is_missing(value):
            code = NOT_OBSERVED
        elif type(value) in (str, bool, int) and len(known) < MOST_VALUES:
            code = known.setdefault((type(value), value), len(known))
        else:
            return False
        is_same = (references == references[row]).view(np.uint8)
        marks += is_same * np.uint8(code + MARK)
    return bool(marks.all())
