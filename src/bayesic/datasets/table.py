"""A small table with named columns, and its categories as codes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bayesic.html import MOST_ROWS, html_table, left_out


@dataclass(frozen=True)
class TextbookTable:
    """Rows of named columns, and the class of each row.

    `codes` numbers the values of each column from 0 on in the order of `levels`, for estimators
    that take arrays.
    """

    source: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    target_name: str
    target: tuple[Any, ...]

    def __len__(self) -> int:
        return len(self.rows)

    def _repr_html_(self) -> str:
        rows = [(*row, label) for row, label in zip(self.rows, self.target, strict=True)]
        headers, notes = (*self.columns, self.target_name), left_out(len(rows), "rows")
        return html_table(headers, rows[:MOST_ROWS], self.source, notes=notes)

    @property
    def levels(self) -> tuple[tuple[Any, ...], ...]:
        """The values of each column, in the order in which they first appear."""
        return tuple(tuple(dict.fromkeys(column)) for column in zip(*self.rows, strict=True))

    @property
    def codes(self) -> np.ndarray:
        """The rows as numbers of their values: int64 (n_rows, n_columns)."""
        return np.array([self.encode(row) for row in self.rows], dtype=np.int64)

    def encode(self, row: Sequence[Any]) -> list[int]:
        """The numbers of a row's values; a value that the table does not have gets the next number.

        >>> from bayesic.datasets import li_hang
        >>> li_hang().encode((2, "S")), li_hang().encode((2, "XL"))
        ([1, 0], [1, 3])
        """
        return [
            levels.index(value) if value in levels else len(levels)
            for value, levels in zip(row, self.levels, strict=True)
        ]

    def to_dict(self) -> dict[str, list[Any]]:
        """Column name -> values, the target last: what a dataframe library takes."""
        columns = zip(*self.rows, strict=True)
        table = {name: list(values) for name, values in zip(self.columns, columns, strict=True)}
        return {**table, self.target_name: list(self.target)}
