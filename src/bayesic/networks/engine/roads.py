"""Which rows are computed, by which kernels, in which blocks: each different row once."""

from types import ModuleType

import numpy as np

from bayesic.data.blocks import in_threads
from bayesic.kernels import pick, trees
from bayesic.kernels.trees import N_CELLS, Evidence, Questions, rows_of
from bayesic.networks.engine.lanes import lanes_and_rows_at_once
from bayesic.networks.engine.tree import JunctionTree

Array = np.ndarray

BLOCKS_OF_COUNTS = 16  # at most: each of them keeps a count for each cell


def answers_of_rows(
    tree: JunctionTree, questions: Questions, evidence: Evidence
) -> tuple[Array, Array]:
    """The answers of each row, and the log of what its product of tables sums up to."""
    n_rows = len(evidence.states)
    kernels = pick("trees", tree.work(n_rows)) if n_rows else trees
    if kernels is trees:
        return trees.posteriors(tree.plan, questions, evidence)
    answers = np.zeros((n_rows, int(questions.asked[:, N_CELLS].sum())))
    log_total = np.empty(n_rows)
    found = np.empty(n_rows, np.uint8)
    prior = tree.prior(kernels)
    lanes, rows_at_once = lanes_and_rows_at_once(tree, evidence.states)

    def fill(rows: slice) -> None:
        kernels.posteriors(
            tree.plan, questions, rows_of(evidence, rows), None, prior, lanes,
            answers[rows], log_total[rows], found[rows],
        )  # fmt: skip

    for _ in in_threads(fill, _blocks(n_rows, rows_at_once)):
        pass
    deep = _deep_rows(tree, kernels, evidence, found)
    if len(deep):
        answers[deep], log_total[deep] = trees.posteriors(
            tree.plan, questions, rows_of(evidence, deep)
        )
    return answers, log_total


def counts_of_rows(
    tree: JunctionTree, questions: Questions, evidence: Evidence, weights: Array
) -> tuple[Array, Array]:
    """The answers added up over the rows by their weights, and the log of the sum of each row."""
    n_rows = len(evidence.states)
    kernels = pick("trees", tree.work(n_rows)) if n_rows else trees
    if kernels is trees:
        return trees.expected_counts(tree.plan, questions, evidence, weights)
    counts = np.zeros(int(questions.asked[:, N_CELLS].sum()))
    log_total = np.empty(n_rows)
    found = np.empty(n_rows, np.uint8)
    prior = tree.prior(kernels)
    lanes, rows_at_once = lanes_and_rows_at_once(tree, evidence.states)
    rows_at_once = max(rows_at_once, -(-n_rows // BLOCKS_OF_COUNTS))

    def count(rows: slice) -> Array:
        added = np.zeros((1, len(counts)))
        kernels.posteriors(
            tree.plan, questions, rows_of(evidence, rows), weights[rows], prior, lanes,
            added, log_total[rows], found[rows],
        )  # fmt: skip
        return added[0]

    for added in in_threads(count, _blocks(n_rows, rows_at_once)):
        counts += added
    deep = _deep_rows(tree, kernels, evidence, found)
    if len(deep):
        added, log_total[deep] = trees.expected_counts(
            tree.plan, questions, rows_of(evidence, deep), weights[deep]
        )
        counts += added
    return counts, log_total


def best_of_rows(tree: JunctionTree, evidence: Evidence) -> tuple[Array, Array]:
    """The most probable states of each row, and the log of its largest product of tables."""
    n_rows = len(evidence.states)
    steps = tree.work(n_rows) if n_rows else 0
    best, kernels = pick("best_states", steps), pick("trees", steps)
    if kernels is trees:
        return trees.most_probable(tree.plan, evidence)
    states = np.empty_like(evidence.states)
    log_largest = np.empty(n_rows)
    found = np.empty(n_rows, np.uint8)
    _, rows_at_once = lanes_and_rows_at_once(tree, evidence.states)

    def fill(rows: slice) -> None:
        best.most_probable(
            tree.plan, tree.questions(()), rows_of(evidence, rows),
            states[rows], log_largest[rows], found[rows],
        )  # fmt: skip

    for _ in in_threads(fill, _blocks(n_rows, rows_at_once)):
        pass
    deep = _deep_rows(tree, kernels, evidence, found)
    if len(deep):
        states[deep], log_largest[deep] = trees.most_probable(tree.plan, rows_of(evidence, deep))
    return states, log_largest


def _blocks(n_rows: int, rows_at_once: int) -> list[slice]:
    return [slice(start, start + rows_at_once) for start in range(0, n_rows, rows_at_once)]


def _deep_rows(tree: JunctionTree, kernels: ModuleType, evidence: Evidence, found: Array) -> Array:
    """The rows whose numbers became too small, to be computed in logs; not the impossible ones."""
    rows = np.flatnonzero(found == kernels.IMPOSSIBLE)
    if len(rows):
        found[rows] = _possible(tree, kernels, rows_of(evidence, rows))
    return np.flatnonzero(found == kernels.DEEP)


def _possible(tree: JunctionTree, kernels: ModuleType, evidence: Evidence) -> Array:
    """Which rows are IMPOSSIBLE also when all that is not 0 is taken for 1; the others are DEEP."""
    plan = tree.plan._replace(tables=(tree.plan.tables > 0).astype(np.float64))
    ones = evidence._replace(likelihoods=(evidence.likelihoods > 0).astype(np.float64))
    n_rows = len(evidence.states)
    found = np.empty(n_rows, np.uint8)
    kernels.posteriors(
        plan, tree.questions(()), ones, None, None, 1,
        np.zeros((n_rows, 0)), np.empty(n_rows), found,
    )  # fmt: skip
    return np.where(found == kernels.IMPOSSIBLE, kernels.IMPOSSIBLE, kernels.DEEP)
