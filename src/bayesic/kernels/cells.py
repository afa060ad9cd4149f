"""The cells of a block of rows that hold something, alike for dense and for CSR blocks.

Arithmetic on the `values` of a dense block has the shape of the block, on those of a CSR block the
shape of its stored entries; the methods bring numbers of rows and features to that shape and back.
"""

from typing import Any, Protocol

import numpy as np
from scipy import sparse

Array = np.ndarray


class Cells(Protocol):
    """What both kinds of blocks offer."""

    values: Array

    def of_rows(self, numbers: Array) -> Array:
        """numbers[row] for each cell."""

    def of_features(self, numbers: Array) -> Array:
        """numbers[feature] for each cell."""

    def of_class(self, table: Array, codes: Array) -> Array:
        """table[codes[row], feature] for each cell."""

    def sum_rows(self, terms: Array) -> Array:
        """Sum of these terms, one for each cell, over the cells of each row."""


def cells_of(block: Any) -> Cells:
    """The cells of a dense or CSR block.

    >>> dense = np.array([[0.0, 2.0], [1.0, 3.0]])
    >>> for block in (dense, sparse.csr_array(dense)):
    ...     cells = cells_of(block)
    ...     print(cells.sum_rows(cells.values * cells.of_features(np.array([10.0, 1.0]))))
    [ 2. 13.]
    [ 2. 13.]
    """
    return SparseCells(block) if sparse.issparse(block) else DenseCells(block)


class DenseCells:
    """All cells of a dense block."""

    def __init__(self, block: Array) -> None:
        self.values = block

    def of_rows(self, numbers: Array) -> Array:
        return numbers[:, None]

    def of_features(self, numbers: Array) -> Array:
        return numbers

    def of_class(self, table: Array, codes: Array) -> Array:
        return table[codes]

    def sum_rows(self, terms: Array) -> Array:
        return np.broadcast_to(terms, self.values.shape).sum(axis=1)


class SparseCells:
    """The stored cells of a CSR block."""

    def __init__(self, block: sparse.csr_array) -> None:
        self.values = block.data
        self.row = np.repeat(np.arange(block.shape[0]), np.diff(block.indptr))
        self.feature = block.indices
        self.n_rows = block.shape[0]

    def of_rows(self, numbers: Array) -> Array:
        return numbers[self.row]

    def of_features(self, numbers: Array) -> Array:
        return numbers[self.feature]

    def of_class(self, table: Array, codes: Array) -> Array:
        return table[codes[self.row], self.feature]

    def sum_rows(self, terms: Array) -> Array:
        return np.bincount(self.row, terms, minlength=self.n_rows)
