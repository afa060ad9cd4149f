"""The E-step of mixtures: rows in blocks -> what each component is expected to have of them."""

from collections.abc import Callable
from typing import Any

import numpy as np

from bayesic.data.blocks import in_threads, row_blocks
from bayesic.data.matrices import Matrix, dense_rows
from bayesic.data.weights import part
from bayesic.kernels import Array
from bayesic.kernels.blas import one_blas_thread

# Larger blocks than usual, of which there are fewer to add.
USUAL_BLOCKS_AT_ONCE = 2

Scorer = Callable[[Array], Array]  # rows -> log p(x, component), (n_components, n_rows)


def shares_of(scores: Array) -> tuple[Array, Array]:
    """P(component | x) of each row, (n_components, n_rows), and log p(x), (n_rows,).

        r_k = p(x, k) / sum over j of p(x, j)

    scores : log p(x, component), (n_components, n_rows). A row that is too far from all components
    to be told from impossible is shared equally by all.

    >>> shares, log_density = shares_of(np.log([[0.1, 0.1], [0.3, 0.1]]))
    >>> shares.round(4).tolist(), np.exp(log_density).round(4).tolist()
    ([[0.25, 0.5], [0.75, 0.5]], [0.4, 0.2])
    """
    largest = scores.max(axis=0)
    known = np.where(np.isneginf(largest), 0.0, largest)
    shares = np.exp(scores - known)
    total = shares.sum(axis=0)
    with np.errstate(divide="ignore"):
        log_density = known + np.log(total)
    if (total == 0).any():
        shares[:, total == 0] = 1.0
        total = shares.sum(axis=0)
    shares /= total
    return shares, log_density


def expected_statistics(
    X: Matrix,
    weights: Array | None,
    scorer: Scorer,
    summarise: Callable[[Array, Array], Any],
    n_components: int,
) -> tuple[Any, float]:
    """The statistics of all rows by their shares, and the mean of log p(x): one pass over the rows.

    weights   : of the rows, or None
    summarise : rows and shares -> statistics
    """

    def of_block(rows: slice) -> tuple[Any, float]:
        values = dense_rows(X, rows)
        shares, log_density = shares_of(scorer(values))
        row_weights = part(weights, rows)
        if row_weights is None:
            return summarise(values, shares), float(log_density.sum())
        counts = row_weights > 0  # a row of weight 0 may be impossible
        total = float(row_weights[counts] @ log_density[counts])
        return summarise(values, shares * row_weights), total

    statistics, total = _added(X, n_components, of_block)
    return statistics, total / (X.shape[0] if weights is None else float(weights.sum()))


def soft_statistics(X: Matrix, shares: Array, summarise: Callable[[Array, Array], Any]) -> Any:
    """The statistics of all rows by given shares: (n_components, n_rows)."""

    def of_block(rows: slice) -> tuple[Any, float]:
        return summarise(dense_rows(X, rows), shares[:, rows]), 0.0

    return _added(X, len(shares), of_block)[0]


def _added(
    X: Matrix, n_components: int, of_block: Callable[[slice], tuple[Any, float]]
) -> tuple[Any, float]:
    """Statistics and a number of each block, added in order."""
    with one_blas_thread():
        parts = in_threads(of_block, blocks_of(X, n_components))
        statistics, total = next(parts)
        for more, number in parts:
            statistics, total = statistics + more, total + number
    return statistics, total


def blocks_of(X: Matrix, n_components: int) -> list[slice]:
    """The blocks of rows in which a mixture works: none smaller than what is kept of it."""
    n_rows, n_features = X.shape
    return row_blocks(n_rows, n_features / USUAL_BLOCKS_AT_ONCE, n_components * n_features)
