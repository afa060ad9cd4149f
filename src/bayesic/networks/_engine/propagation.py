"""Which rows are computed, by which kernels, in which blocks.

Rows reach an answer by one of three routes; which number defends each is in
`benchmarks/NETWORKS.md`.

    Markov blankets   `blankets.py`, before anything comes here: rows in which no two neighbours are
                      unobserved, all of them at once and in NumPy alone
    two passes        `kernels/passes.py` and its compiled twin: trees so small that the indices of
                      all their cells are kept
    messages          `kernels/trees.py`, in logs, and its compiled twin, in blocks: larger trees,
                      likelihoods in many rows, the most probable states, and rows with numbers that
                      are too small for the others

Messages take twice the time of passes for rows with gaps. Passes would take 456 MB for DIABETES and
4.3 GB for LINK, where messages take 25 MB; in logs alone LINK would take 20 times as long.
"""

from collections.abc import Callable
from functools import lru_cache, partial
from math import ceil
from typing import NamedTuple

import numpy as np

from bayesic.data.blocks import in_threads
from bayesic.kernels import Array, passes, pick, trees
from bayesic.kernels.trees import AXES, FACTORS, RowEvidence, rows_of
from bayesic.networks._engine.plan import table_size
from bayesic.networks._engine.tree import JunctionTree, Scopes

BLOCKS_OF_COUNTS = 16  # at most: each of them keeps a count for each cell
TIMES_COUNTED = 10  # EM counts the same rows again and again
# nanoseconds of the compiled kernels; those of a block are so many that Python's share is small
STEP, PART, NANOSECONDS_PER_BLOCK = 1.5, 40.0, 2e6


class Propagation(NamedTuple):
    """What computes rows: fills answers, log totals, and which rows it leaves to the logs."""

    fill: Callable[[RowEvidence, Array | None, Array, Array, Array], None]
    rows_at_once: int


def _propagation_of(
    tree: JunctionTree, scopes: Scopes, evidence: RowEvidence, times: int = 1
) -> Propagation | None:
    """The kernels for this many rows, by the size of the question alone; None: logs, or no rows.

    times : how often the same rows will be asked
    """
    n_rows, flat = len(evidence.states), tree.flat
    if not n_rows:
        return None
    steps = tree.work(n_rows * times)
    if flat is None or evidence.likelihoods.shape[1]:  # the others know no likelihoods
        kernels = pick("trees", steps)
        if kernels is not trees:
            fill = partial(kernels.posteriors, tree.plan, tree.questions(scopes))
            return Propagation(fill, _rows_at_once(tree, evidence.states))
    else:
        kernels = pick("passes", steps)
        if kernels is not passes:
            fill = partial(kernels.posteriors, flat.links, tree.flat_tables, tree.sets(scopes))
            return Propagation(fill, _rows_at_once(tree, evidence.states))
    if flat is None:
        return None
    fill = partial(passes.posteriors, flat.passes, tree.flat_tables, tree.asked(scopes))
    return Propagation(fill, n_rows)


def answers_of_rows(
    tree: JunctionTree, scopes: Scopes, evidence: RowEvidence
) -> tuple[Array, Array]:
    """The answers of each row, and the log of what its product of tables sums up to."""
    n_rows = len(evidence.states)
    answers, log_total = (
        np.zeros((n_rows, _n_cells(scopes, tree.factors.cardinalities))),
        np.empty(n_rows),
    )
    left = np.ones(n_rows, np.bool_)
    kernels = _propagation_of(tree, scopes, evidence)

    def fill(rows: slice) -> None:
        assert kernels is not None
        kernels.fill(rows_of(evidence, rows), None, answers[rows], log_total[rows], left[rows])

    for _ in in_threads(fill, _blocks(n_rows, kernels.rows_at_once) if kernels else []):
        pass
    in_logs = np.flatnonzero(left)
    if len(in_logs):
        answers[in_logs], log_total[in_logs] = trees.posteriors(
            tree.plan, tree.questions(scopes), rows_of(evidence, in_logs)
        )
    return answers, log_total


def counts_of_rows(
    tree: JunctionTree, scopes: Scopes, evidence: RowEvidence, weights: Array
) -> tuple[Array, Array]:
    """The answers added up over the rows by their weights, and the log of the sum of each row."""
    n_rows = len(evidence.states)
    counts, log_total = np.zeros(_n_cells(scopes, tree.factors.cardinalities)), np.empty(n_rows)
    left = np.ones(n_rows, np.bool_)
    kernels = _propagation_of(tree, scopes, evidence, TIMES_COUNTED)
    in_block = max(kernels.rows_at_once if kernels else 0, -(-n_rows // BLOCKS_OF_COUNTS))

    def count(rows: slice) -> Array:
        assert kernels is not None
        added = np.zeros((1, len(counts)))
        kernels.fill(rows_of(evidence, rows), weights[rows], added, log_total[rows], left[rows])
        return added[0]

    for added in in_threads(count, _blocks(n_rows, in_block) if kernels else []):
        counts += added
    in_logs = np.flatnonzero(left)
    if len(in_logs):
        added, log_total[in_logs] = trees.expected_counts(
            tree.plan, tree.questions(scopes), rows_of(evidence, in_logs), weights[in_logs]
        )
        counts += added
    return counts, log_total


def best_of_rows(tree: JunctionTree, evidence: RowEvidence) -> tuple[Array, Array]:
    """The most probable states of each row, and the log of its largest product of tables."""
    n_rows = len(evidence.states)
    states, log_largest = np.empty_like(evidence.states), np.empty(n_rows)
    left = np.ones(n_rows, np.bool_)
    kernels = pick("trees", tree.work(n_rows)) if n_rows else trees

    def fill(rows: slice) -> None:
        kernels.most_probable(
            tree.plan, tree.questions(()), rows_of(evidence, rows),
            states[rows], log_largest[rows], left[rows],
        )  # fmt: skip

    in_block = 1 if kernels is trees else _rows_at_once(tree, evidence.states)
    for _ in in_threads(fill, [] if kernels is trees else _blocks(n_rows, in_block)):
        pass
    in_logs = np.flatnonzero(left)
    if len(in_logs):
        states[in_logs], log_largest[in_logs] = trees.most_probable(
            tree.plan, rows_of(evidence, in_logs)
        )
    return states, log_largest


def _rows_at_once(tree: JunctionTree, states: Array) -> int:
    """The rows of a block, by what these rows observed: that shrinks the tables."""
    parts = np.diff(tree.plan.cliques[:, FACTORS]) + 1
    growth = 1.0 + (states < 0).mean(axis=0) * (tree.plan.sizes - 1)
    cells = np.multiply.reduceat(
        np.append(growth[tree.plan.axes], 1.0), tree.plan.cliques[:-1, AXES]
    )
    a_row = float(2 * cells @ parts) * STEP + float(parts.sum()) * PART
    return ceil(NANOSECONDS_PER_BLOCK / a_row)


@lru_cache  # the same is asked again and again, of a row at a time
def _n_cells(scopes: Scopes, sizes: tuple[int, ...]) -> int:
    return sum(table_size(scope, sizes) for scope in scopes)


def _blocks(n_rows: int, in_block: int) -> list[slice]:
    return [slice(start, start + in_block) for start in range(0, n_rows, in_block)]
