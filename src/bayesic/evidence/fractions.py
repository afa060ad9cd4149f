"""Counts -> exact shares, and how a share is written."""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from bayesic.kernels import Array

# A share of one class: counts as they stand (numerator, denominator), which are written without
# reducing; a fraction in lowest terms; or, where there is no exact number, the natural logarithm.
Share = tuple[int, int] | Fraction | float

# Floats hold every whole number up to here, so up to here a sum of counts is exact.
LARGEST_WHOLE = 2.0**53

# A decimal such as 0.4118 (7/17) is taken for a fraction whose denominator is at most this. Two
# such fractions are never as near to each other as two floats.
LARGEST_DENOMINATOR = 10_000

# Fractions with more digits than this are written as decimals.
LONGEST_NUMBER = 20


def exact(number: Any) -> Fraction:
    """The simple fraction that a number stands for, or else what its decimal digits say.

    >>> exact(0.1), exact(7 / 17), exact(0.12345)
    (Fraction(1, 10), Fraction(7, 17), Fraction(2469, 20000))
    """
    simple = Fraction(float(number)).limit_denominator(LARGEST_DENOMINATOR)
    return simple if float(simple) == float(number) else Fraction(repr(float(number)))


def is_whole_number(number: Any) -> bool:
    """Whether this is a count that floats hold exactly."""
    return float(number).is_integer() and abs(number) <= LARGEST_WHOLE


def _share(
    count: Any, total: Any, added: Fraction, added_to_total: Fraction, n_shares: int
) -> Share:
    """The smoothed share (count + added) / (total + added_to_total), exact if both are whole.

    Plain relative frequencies stay as they are counted, smoothed ones are in lowest terms. Where
    nothing at all was counted the n_shares have equal parts. Counts that are not whole, from
    weights, give the logarithm of the share.

    >>> _share(3, 9, Fraction(0), Fraction(0), 3), _share(3, 9, Fraction(1), Fraction(3), 3)
    ((3, 9), Fraction(1, 3))
    """
    if not (is_whole_number(count) and is_whole_number(total)):
        return _log_of(count + float(added)) - math.log(total + float(added_to_total))
    count, total = int(count), int(total)
    if total + added_to_total == 0:
        return 1, n_shares
    return (count + added) / (total + added_to_total) if added_to_total else (count, total)


def class_shares(
    counts: Array, totals: Array, added: Fraction, added_to_total: Fraction, n_shares: int
) -> tuple[Share, ...]:
    """The smoothed share of each class, from the count and the total of each; see share."""
    return tuple(
        _share(count, total, added, added_to_total, n_shares)
        for count, total in zip(counts.tolist(), totals.tolist(), strict=True)
    )


def leaning_shares(
    steps: Sequence[tuple[Array, Array]], strength: Fraction, n_shares: int
) -> tuple[Share, ...]:
    """The share of each class, each step leaning on the one before, the first on equal shares.

    steps : the count and the total of each class, (n_classes,) both

    >>> of_class, given_rain = (np.array([4]), np.array([6])), (np.array([2]), np.array([2]))
    >>> leaning_shares([of_class, given_rain], Fraction(2), n_shares=4)  # 9/16, then (2+9/8)/(2+2)
    (Fraction(25, 32),)
    """
    shares: list[Share] = []
    for of_class in zip(*(zip(*step, strict=True) for step in steps), strict=True):
        numbers = [number for step in of_class for number in step]
        is_exact = all(map(is_whole_number, numbers))
        amount: Any = strength if is_exact else float(strength)
        share: Any = Fraction(1, n_shares) if is_exact else 1 / n_shares
        for count, total in of_class:
            count, total = (int(count), int(total)) if is_exact else (float(count), float(total))
            share = (count + amount * share) / (total + amount) if total + amount else share
        shares.append(share if is_exact else _log_of(share))
    return tuple(shares)


def prior_shares(class_count: Array, prior: Any, smoothing: float = 0.0) -> tuple[Share, ...]:
    """P(c) of each class as shares: counted, equal, or given; arguments as in class_prior.

    >>> prior_shares(np.array([5, 9]), "learned"), prior_shares(np.array([5, 9]), [0.25, 0.75])
    (((5, 14), (9, 14)), (Fraction(1, 4), Fraction(3, 4)))
    """
    n_classes, amount = len(class_count), exact(smoothing)
    if not isinstance(prior, str):
        return tuple(exact(given) for given in prior)
    if prior == "uniform":
        return ((1, n_classes),) * n_classes
    totals = np.full(n_classes, class_count.sum())
    return class_shares(class_count, totals, amount, n_classes * amount, n_classes)


def _log_of(number: float | Fraction) -> float:
    """The natural logarithm, -inf for 0; also of fractions too small or long for a float."""
    if number == 0:
        return -math.inf
    if isinstance(number, Fraction):
        return math.log(number.numerator) - math.log(number.denominator)
    return math.log(number)


def log_share(value: Share) -> float:
    """The natural logarithm of a share."""
    if isinstance(value, float):
        return value
    if isinstance(value, tuple):
        return _log_of(value[0]) - math.log(value[1])
    return _log_of(value)


def share_text(value: Share) -> str:
    """A share as the book writes it.

    >>> share_text((3, 9)), share_text(Fraction(3, 9)), share_text(math.log(0.25))
    ('3/9', '1/3', '0.2500')
    """
    if isinstance(value, tuple):
        return f"{value[0]}/{value[1]}"
    return decimal_text(value) if isinstance(value, float) else fraction_text(value)


def fraction_text(number: Fraction) -> str:
    """A fraction, as a decimal if it is too long to read."""
    if is_short(number):
        return str(number)
    return decimal_text(_log_of(number))


def is_short(number: Fraction) -> bool:
    """Whether a fraction has few enough digits to be read."""
    return max(abs(number.numerator), number.denominator) < 10**LONGEST_NUMBER


def decimal_text(log_number: float) -> str:
    """Four digits of a number that is given by its logarithm, however small it is.

    >>> decimal_text(math.log(0.025)), decimal_text(-10_000.0), decimal_text(-math.inf)
    ('0.02500', '1.135e-4343', '0')
    """
    if math.isinf(log_number):
        return "0" if log_number < 0 else "inf"
    if abs(log_number) < 700:
        return f"{math.exp(log_number):#.4g}".rstrip(".")
    exponent, rest = divmod(log_number / math.log(10), 1)
    digits, _, carried = f"{10**rest:.3e}".partition("e")  # 9.9996 becomes 1.000e+01
    return f"{digits}e{int(exponent) + int(carried)}"


def value_text(value: float) -> str | None:
    """A cell of a matrix as text; None if it is missing.

    >>> value_text(2.0), value_text(3.25), value_text(float("nan"))
    ('2', '3.25', None)
    """
    if math.isnan(value):
        return None
    return str(int(value)) if is_whole_number(value) else f"{value:.6g}"
