"""Some of many texts, drawn by what they say: the same ones in whatever order they come."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from heapq import nsmallest

import numpy as np

from bayesic.data.typing import Label
from bayesic.kernels import Array

LabelledTexts = tuple[Sequence[str | None], Sequence[Label], Array]  # texts, labels, weights


@dataclass(frozen=True, eq=False)
class DrawnTexts:
    """Texts with their labels and weights."""

    texts: list[str | None]
    labels: list[Label]
    weights: Array

    def where(self, rows: Sequence[int]) -> "DrawnTexts":
        """Those with these numbers.

        >>> DrawnTexts(["rain", "sun"], ["wet", "dry"], np.ones(2)).where([1]).labels
        ['dry']
        """
        texts, labels = [self.texts[row] for row in rows], [self.labels[row] for row in rows]
        return DrawnTexts(texts, labels, self.weights[list(rows)])


def drawn_texts(blocks: Iterable[LabelledTexts], most: int) -> DrawnTexts:
    """At most so many of the texts of all blocks, as good as at random, in an order of their own.

    Texts are put in the order of a hash of text and label. So the draw depends neither on the order
    of the texts nor on the blocks in which they come.

    >>> some = drawn_texts([(["rain", "sun"], ["wet", "dry"], np.ones(2))], most=1)
    >>> same = drawn_texts([(["sun", "rain"], ["dry", "wet"], np.ones(2))], most=1)
    >>> some.texts == same.texts
    True
    """
    first: list[tuple] = []
    for texts, labels, weights in blocks:
        keyed = (
            (_hash(text, label), weight, label, text)
            for text, label, weight in zip(texts, labels, weights.tolist(), strict=True)
        )
        first = nsmallest(most, (*first, *keyed), key=lambda row: row[:2])
    return DrawnTexts(
        [text for *_, text in first],
        [label for *_, label, _ in first],
        np.array([weight for _, weight, *_ in first], dtype=np.float64),
    )


def _hash(text: str | None, label: Label) -> bytes:
    said = f"{label}\n{text or ''}"
    return blake2b(said.encode("utf-8", "surrogatepass"), digest_size=8).digest()
