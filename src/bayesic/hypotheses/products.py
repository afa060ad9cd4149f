"""Products of many probabilities: they keep their kind of number and never underflow."""

import math
from collections.abc import Iterable, Mapping
from decimal import Decimal
from fractions import Fraction
from numbers import Integral, Rational
from typing import Any, NamedTuple

Kind = type[Fraction] | type[Decimal] | type[float]


class Product(NamedTuple):
    """weight * 2**exponent. Fractions and decimals have exponent 0."""

    weight: Any
    exponent: int


def common_kind(numbers: Iterable[Any]) -> Kind:
    """Fraction if all numbers are exact, Decimal if all are decimals or whole, else float.

    >>> common_kind([1, Fraction(1, 3)]).__name__, common_kind([0.5, Fraction(1, 3)]).__name__
    ('Fraction', 'float')
    """
    kinds = set(map(type, numbers))
    if all(issubclass(kind, Rational) for kind in kinds):
        return Fraction
    if all(issubclass(kind, (Decimal, Integral)) for kind in kinds):
        return Decimal
    return float


def product(factors: Iterable[Any], kind: Kind) -> Product:
    """The product of all factors as a number of this kind.

    Floats are multiplied as m * 2**e with 1/2 <= m < 1: the exponent of the product has no limit.

    >>> product([Fraction(1, 3), 2], Fraction).weight
    Fraction(2, 3)
    >>> product([2.0**-1000, 2.0**-1000], float)
    Product(weight=0.5, exponent=-1999)
    """
    if kind is Fraction:
        exact = list(factors)
        above = math.prod(int(factor.numerator) for factor in exact)
        return Product(Fraction(above, math.prod(int(factor.denominator) for factor in exact)), 0)
    if kind is Decimal:
        return Product(math.prod(factors, start=Decimal(1)), 0)
    weight, exponent = 1.0, 0
    for fraction, shift in map(mantissa_and_exponent, factors):
        weight, carry = math.frexp(weight * fraction)
        exponent += shift + carry
    return Product(weight, exponent)


def mantissa_and_exponent(number: Any) -> tuple[float, int]:
    """A number of 0 or more as m * 2**e with 1/2 <= m < 1, also one that no float can hold.

    >>> mantissa_and_exponent(0.75), mantissa_and_exponent(2**5000)
    ((0.75, 0), (0.5, 5001))
    """
    try:
        return math.frexp(number)
    except OverflowError:
        exact = Fraction(number)
        shift = exact.numerator.bit_length() - exact.denominator.bit_length()
        fraction, more = math.frexp(exact / Fraction(2) ** shift)
        return fraction, shift + more


def relative(products: Mapping[Any, Product]) -> tuple[dict[Any, Any], int]:
    """The products divided by 2**exponent, the same for all, so that the largest can be told.

    What is too small beside the largest becomes 0.

    >>> relative({"rain": Product(0.5, -3000), "sun": Product(0.5, -3001)})
    ({'rain': 0.5, 'sun': 0.25}, -3000)
    """
    top = max((exponent for weight, exponent in products.values() if weight), default=0)
    shifted = {
        name: math.ldexp(weight, exponent - top) if exponent - top else weight
        for name, (weight, exponent) in products.items()
    }
    return shifted, top


def log2(number: Any) -> float:
    """The logarithm to base 2 of a number of 0 or more, -inf for 0; also of huge fractions.

    >>> log2(Fraction(1, 2**5000)), log2(0)
    (-5000.0, -inf)
    """
    if number == 0:
        return -math.inf
    if isinstance(number, Rational):
        return math.log2(int(number.numerator)) - math.log2(int(number.denominator))
    if isinstance(number, Decimal):
        return float(number.ln() / Decimal(2).ln())
    return math.log2(number)
