"""What a lesson is given, checked; and exact numbers as the page shows them."""

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

from bayesic.data.arguments import is_number
from bayesic.evidence.fractions import Share, log_share, share_text
from bayesic.evidence.work import as_fraction

LONGEST_TEXT = 40  # characters of a number


def exact_number(name: str, given: object, least: Any = 0, most: Any = 1) -> Fraction:
    """A number that a person has typed, such as 0.008 or 1/125, digit by digit.

    >>> exact_number("prior", "0.008")
    Fraction(1, 125)
    """
    text = repr(given) if is_number(given) else given
    try:
        if not isinstance(text, str) or len(text) > LONGEST_TEXT:
            raise ValueError
        number = Fraction(text.strip())
    except (ValueError, ZeroDivisionError):
        raise ValueError(
            f"{name} must be a number such as 0.008 or 1/125, got {given!r:.60}."
        ) from None
    if not least <= number <= most:
        raise ValueError(f"{name} must be from {least} to {most}, got {given!r:.60}.")
    return number


def number(name: str, given: Any, least: float, most: float) -> float:
    """A number in these limits."""
    if not is_number(given) or not least <= given <= most:
        raise ValueError(f"{name} must be a number from {least} to {most}, got {given!r:.60}.")
    return float(given)


def numbers(name: str, given: object, n: int, least: float, most: float) -> list[float]:
    """So many numbers in these limits."""
    if not isinstance(given, list) or len(given) != n:
        raise ValueError(f"{name} must be a list of {n} numbers, got {given!r:.60}.")
    return [number(name, one, least, most) for one in given]


def whole(name: str, given: object, least: int, most: int) -> int:
    """A whole number in these limits."""
    if not isinstance(given, int) or isinstance(given, bool) or not least <= given <= most:
        raise ValueError(
            f"{name} must be a whole number from {least} to {most}, got {given!r:.60}."
        )
    return given


def cells(name: str, given: object, levels: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """A row by the numbers of its levels.

    >>> cells("day", [1, 0], [("Sunny", "Rain"), ("Weak", "Strong")])
    ('Rain', 'Weak')
    """
    if not isinstance(given, list) or len(given) != len(levels):
        raise ValueError(f"{name} must have {len(levels)} cells, got {given!r:.60}.")
    pairs = zip(given, levels, strict=True)
    return tuple(known[whole(name, code, 0, len(known) - 1)] for code, known in pairs)


def rows(given: object, levels: Sequence[Sequence[str]], most: int) -> list[tuple[str, ...]]:
    """Rows by the numbers of their levels."""
    if not isinstance(given, list) or len(given) > most:
        raise ValueError(f"rows must be a list of at most {most} rows, got {given!r:.60}.")
    return [cells("a row", row, levels) for row in given]


def shown(share: Share) -> dict[str, Any]:
    """A number as the page shows it: as the book writes it, in all digits, and as a decimal.

    >>> shown(Fraction(1, 8)), shown((3, 9))["text"]
    ({'text': '1/8', 'value': 0.125, 'decimal': '0.125'}, '3/9')
    """
    if isinstance(share, float):
        raise TypeError(f"This number has no fraction: its logarithm is {log_share(share)}.")
    value = float(as_fraction(share))
    return {"text": share_text(share), "value": value, "decimal": decimal(value)}


def decimal(value: float) -> str:
    """Six digits that count, without an exponent where that is readable."""
    text = f"{value:.6g}"
    return f"{Decimal(text):f}" if abs(value) >= 1e-9 else text
