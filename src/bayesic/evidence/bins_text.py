"""The limits of a bin of numbers, for the reader."""

from collections.abc import Sequence

from bayesic.data.languages import Sentence
from bayesic.kernels import Array


def bin_text(cuts: Sequence[float] | Array, number: int) -> Sentence:
    """The limits of a bin, of those that these cuts make.

    >>> [bin_text([2.0, 5.0], number) for number in range(3)], bin_text([], 0)
    (['<2', 'from 2 to 5', 'from 5'], 'any')
    """
    low = {"low": f"{cuts[number - 1]:.6g}"} if number > 0 else {}
    high = {"high": f"{cuts[number]:.6g}"} if number < len(cuts) else {}
    if low and high:
        return Sentence("from {low} to {high}", **low, **high)
    if high:
        return Sentence("<{high}", **high)
    return Sentence("from {low}", **low) if low else Sentence("any")


def column_in_bin(name: str, cuts: Sequence[float] | Array, number: int) -> Sentence:
    """The same behind the name of the column.

    >>> column_in_bin("heat", [2.0], 0), column_in_bin("heat", [2.0], 1)
    ('heat<2', 'heat from 2')
    """
    limits = bin_text(cuts, number)
    if limits.startswith("<"):
        return Sentence("{name}{limits}", name=name, limits=limits)
    return Sentence("{name} {limits}", name=name, limits=limits)
