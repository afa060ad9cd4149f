"""Some rows of any kind: what the laws of statistics and of models are tried on."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

Record = Any  # the cells of one row


@dataclass(frozen=True)
class Batch:
    """The cells of rows, their labels (or the numbers of their classes), perhaps weights."""

    records: list[Record]
    labels: list[Any]
    weights: np.ndarray | None = None

    def where(self, chosen: Sequence[int]) -> "Batch":
        """These rows, in this order."""
        weights = None if self.weights is None else self.weights[np.array(chosen, int)]
        return Batch(
            [self.records[row] for row in chosen], [self.labels[row] for row in chosen], weights
        )

    def __len__(self) -> int:
        return len(self.records)

    def __add__(self, other: "Batch") -> "Batch":
        """These rows, and then those."""
        weights = None
        if self.weights is not None and other.weights is not None:
            weights = np.concatenate([self.weights, other.weights])
        return Batch(self.records + other.records, self.labels + other.labels, weights)

    def repeated(self) -> "Batch":
        """Each row as often as its weight says, without weights."""
        times = np.array(self.weights, int)
        return Batch(self.records, self.labels).where(np.repeat(np.arange(len(self)), times))

    def many(self, n_rows: int, weighted: bool) -> "Batch":
        """As many rows drawn from these; their weights do not sum exactly."""
        random = np.random.default_rng(len(self))
        rows = self.where([*range(len(self)), *random.integers(len(self), size=n_rows)])
        return Batch(
            rows.records, rows.labels, 0.5 + random.random(len(rows)) if weighted else None
        )
