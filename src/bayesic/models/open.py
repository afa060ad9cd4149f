"""Models to which rows come in blocks, and new classes at any time."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Self, TypeVar

import numpy as np

from bayesic.data.labels import declared_classes, encode_known_labels, encode_labels
from bayesic.models.base import CountingClassifier, united

Array = np.ndarray
Item = TypeVar("Item")


@dataclass(frozen=True)
class Block:
    """Some rows of a file or table, and how many rows come before them."""

    X: Any
    first_row: int = 0
    y: Any = None
    weights: Any = None
    names: tuple[str, ...] = ()  # of all columns of a file, also of those that are not read


class OpenClassifier(CountingClassifier):
    """A classifier whose classes need not be declared: each block of rows may bring new ones.

    `_checked_X` must take a Block.
    """

    def _start_anew(self) -> None:
        """Nothing was learned: remove all that `fit` sets."""
        for name in [name for name in vars(self) if name.endswith("_")]:
            delattr(self, name)

    def _learn_more(self, blocks: Iterable[Block], classes: Any = None) -> Self:
        learned = self._learned(blocks)
        if classes is not None:
            declared = declared_classes(classes)
            learned = united((declared, type(learned[1]).empty(len(declared))), learned)
        if hasattr(self, "classes_"):
            learned = united((self.classes_, self.statistics_), learned)
        self.classes_, statistics = learned
        return self._estimate(statistics)

    def _unlearn(self, blocks: Iterable[Block]) -> Self:
        classes, statistics = self._learned(blocks)
        positions = encode_known_labels(classes, self.classes_)
        return self._estimate(
            self.statistics_ - statistics.with_classes_at(positions, len(self.classes_))
        )

    def _learned(self, blocks: Iterable[Block]) -> tuple[Array, Any]:
        """Classes and statistics of all rows, block by block."""
        learned = sum_of_pairs(united, map(self._learned_block, blocks))
        if learned is None:
            raise ValueError(
                "There are no rows, so there is nothing to learn. Give at least one with its class."
            )
        return learned

    def _learned_block(self, rows: Block) -> tuple[Array, Any]:
        classes, codes = encode_labels(rows.y)
        matrix, weights = self._checked_rows(rows, codes, rows.weights, first=False)
        return classes, self._summarise(matrix, codes, len(classes), weights)


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
