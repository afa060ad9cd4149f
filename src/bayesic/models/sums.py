"""Statistics of some classes, added to statistics of others."""

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import numpy as np

from bayesic.data.labels import encode_labels, united_labels

Array = np.ndarray
Item = TypeVar("Item")


def united(first: tuple[Any, Any], second: tuple[Any, Any]) -> tuple[Any, Any]:
    """Classes and statistics of two models together; the classes need not be the same."""
    if first[0] is second[0] or np.array_equal(first[0], second[0]):
        return first[0], first[1] + second[1]
    classes, mine = among_classes(second[0], *first)
    _, theirs = among_classes(first[0], *second)
    return classes, mine + theirs


def among_classes(others: Any, classes: Any, statistics: Any) -> tuple[Array, Any]:
    """Classes and statistics in a list that has other classes too, which may be the same ones."""
    all_classes, codes = encode_labels(united_labels(classes, others))
    return all_classes, statistics.with_classes_at(codes[: len(classes)], len(all_classes))


def sum_of_pairs(add: Callable[[Item, Item], Item], items: Iterable[Item]) -> Item | None:
    """Items added up in order, equal numbers of them to each other; None if there are none.

    Each is in few sums, and few sums are held at a time: sums may be large, as vocabularies are.

    >>> sum_of_pairs("({}+{})".format, "abcde")
    '(((a+b)+(c+d))+e)'
    """
    held: list[tuple[int, Item]] = []  # how many items, and their sum
    for item in items:
        number = 1
        while held and held[-1][0] == number:
            number, item = 2 * number, add(held.pop()[1], item)
        held.append((number, item))
    while len(held) > 1:
        (_, last), (number, before) = held.pop(), held.pop()
        held.append((number, add(before, last)))
    return held[0][1] if held else None
