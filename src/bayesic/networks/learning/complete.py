"""Complete rows -> family counts: of a table in memory, or of a file in pieces."""

from collections.abc import Iterator
from functools import reduce
from operator import add
from typing import Any

import numpy as np

from bayesic.data.numbers import as_numbers
from bayesic.data.weights import checked_weights
from bayesic.networks.learning.columns import Block, Known, coded_columns, table_blocks
from bayesic.statistics.families import FamilyCounts, Parents, family_counts

Array = np.ndarray


def counted_families(
    table: Any, parents: Parents, known: Known, sample_weight: Any = None
) -> FamilyCounts:
    """The family counts of all rows; every variable must be observed in every row.

    known : variable -> states by which its cells are known, None if none are

    >>> rows = {"Rain": ["yes", "no", "yes"], "Wet": [True, False, True]}
    >>> counted_families(rows, {"Rain": (), "Wet": ("Rain",)}, {"Rain": None, "Wet": None}).table
    array([1, 2, 1, 0, 0, 2])
    """
    if not parents:
        raise ValueError("The network has no variables, so there is nothing to learn.")
    blocks = table_blocks(table, known)
    counts = (
        family_counts(coded_columns(block, known), parents, weights)
        for block, weights in weighted_blocks(blocks, sample_weight)
    )
    total = reduce(add, counts, FamilyCounts.empty(parents))
    if not total.table.size:
        raise ValueError("The table has no rows, so there is nothing to learn. Give at least one.")
    return total


def weighted_blocks(
    blocks: Iterator[Block], sample_weight: Any
) -> Iterator[tuple[Block, Array | None]]:
    """Each block with the weights of its rows, None if no weights are given."""
    given = None if sample_weight is None else as_numbers(sample_weight, "sample_weight")
    if given is None or given.ndim == 0:
        for block in blocks:
            yield block, checked_weights(given, block.n_rows)
        return
    weights = checked_weights(given, len(given)) if given.size else given
    assert weights is not None  # it was given
    n_rows = 0
    for block in blocks:
        n_rows = block.rows.stop
        if n_rows > len(weights):
            break
        yield block, weights[block.rows]
    if n_rows != len(weights):
        raise ValueError(
            f"sample_weight must have one weight for each row, got {len(weights)} for "
            f"{n_rows} rows{' or more' if n_rows > len(weights) else ''}."
        )
