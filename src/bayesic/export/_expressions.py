"""What is computed of a row: expressions over its cells, without a target language.

There are numbers, sums, products, choices and tables, and nothing about SQL. A gap is null: it
makes what it is added to a gap as well, and no condition but `IsGap` holds for it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from bayesic.kernels import Array

NEVER = float("-inf")  # the score of what cannot be


@dataclass(frozen=True)
class Number:
    """A number that is known; a whole one is a code."""

    value: float | int


@dataclass(frozen=True)
class TextValue:
    """A text that is known."""

    value: str


@dataclass(frozen=True)
class Gap:
    """Nothing."""


@dataclass(frozen=True)
class NameOf:
    """A cell of the row, or a value of an earlier step."""

    name: str


@dataclass(frozen=True)
class Sum:
    """Of one part or more."""

    parts: tuple["Expression", ...]


@dataclass(frozen=True)
class Times:
    """Of one factor or more."""

    factors: tuple["Expression", ...]


@dataclass(frozen=True)
class Quotient:
    """above / below"""

    above: "Expression"
    below: "Expression"


@dataclass(frozen=True)
class Greatest:
    """Of one part or more; all of them are gaps, or none is."""

    parts: tuple["Expression", ...]


@dataclass(frozen=True)
class Function:
    """exp or ln of a number; exp is asked for numbers up to 700 only, ln for those above 0."""

    name: str
    of: "Expression"


@dataclass(frozen=True)
class Conditional:
    """The value of the first case that holds."""

    cases: tuple[tuple["Condition", "Expression"], ...]
    otherwise: "Expression"


@dataclass(frozen=True)
class RankAmong:
    """How many of these increasing numbers are at most a number, which is not a gap."""

    of: "Expression"
    among: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class LookupTable:
    """Rows of numbers by a key: texts, or numbers."""

    keys: tuple[Any, ...]
    values: Array  # (n_keys, n_numbers)
    otherwise: Array  # (n_numbers,), for other keys
    missing: Array  # (n_numbers,), for a key that is a gap


@dataclass(frozen=True)
class TableEntry:
    """One number of the row of a table that a key leads to."""

    key: "Expression"
    table: LookupTable
    index: int


@dataclass(frozen=True)
class IsGap:
    """Whether something was not observed."""

    of: "Expression"


@dataclass(frozen=True)
class Relation:
    """left < right, or another sign: <, <=, =, >, >="""

    left: "Expression"
    sign: str
    right: "Expression"


@dataclass(frozen=True)
class IsOneOf:
    """Whether a code is one of these."""

    of: "Expression"
    codes: tuple[int, ...]


@dataclass(frozen=True)
class AnyOf:
    """Whether one condition holds, of one or more."""

    conditions: tuple["Condition", ...]


Condition = IsGap | Relation | IsOneOf | AnyOf
Expression = (
    Number
    | TextValue
    | Gap
    | NameOf
    | Sum
    | Times
    | Quotient
    | Greatest
    | Function
    | Conditional
    | RankAmong
    | TableEntry
)


def total(parts: list[Expression]) -> Expression:
    """The sum of any number of parts.

    >>> total([]), total([NameOf("rain")])
    (Number(value=0.0), NameOf(name='rain'))
    """
    if len(parts) > 1:
        return Sum(tuple(parts))
    return parts[0] if parts else Number(0.0)


def less(first: Expression, second: Expression) -> Expression:
    """first - second"""
    return Sum((first, Times((Number(-1.0), second))))


def minus(first: Expression, number: float) -> Expression:
    """first - number"""
    return first if number == 0 else Sum((first, Number(-float(number))))


def names_in(part: object) -> Iterator[str]:
    """The names that something is computed from.

    >>> sorted(names_in(Conditional(((IsGap(NameOf("rain")), Number(0)),), NameOf("wind"))))
    ['rain', 'wind']
    """
    if isinstance(part, NameOf):
        yield part.name
    elif isinstance(part, tuple):
        for each in part:
            yield from names_in(each)
    elif hasattr(part, "__dataclass_fields__") and not isinstance(part, LookupTable):
        for each in vars(part).values():
            yield from names_in(each)
