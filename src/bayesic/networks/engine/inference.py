"""Exact answers from a junction tree, for many rows of evidence at once."""

from collections.abc import Sequence
from types import ModuleType

import numpy as np

from bayesic.data.blocks import in_threads
from bayesic.kernels import trees
from bayesic.kernels.trees import N_CELLS, Evidence, Questions
from bayesic.networks.engine.evidence import Likelihoods, checked_evidence, distinct_rows
from bayesic.networks.engine.lanes import lanes_and_rows_at_once
from bayesic.networks.engine.tree import JunctionTree

Array = np.ndarray

LOG_2 = float(np.log(2.0))


def posteriors(
    tree: JunctionTree,
    evidence: Array,
    targets: Sequence[int] | None = None,
    likelihoods: Likelihoods | None = None,
) -> tuple[list[Array], Array]:
    """The posterior of each target in each row, and the log of the probability of the evidence.

    evidence    : integers (n_rows, n_variables), the observed states, -1 where there is none
    targets     : variables; None means all
    likelihoods : soft evidence, P(what was seen given each state of the variable), either one
                  vector for all rows or one row for each row of evidence

    Returns a list of float64 (n_rows, cardinality), one for each target, and float64 (n_rows,).
    For a belief network the latter is log P(evidence); for any factors it is the log of the sum of
    their product over all states that agree with the evidence. It is -inf for rows whose evidence
    is impossible; their posteriors are 0.

    >>> from bayesic.networks.engine.factors import Factors
    >>> from bayesic.networks.engine.tree import compile_tree
    >>> rain_and_wet = Factors((2, 2), ((0,), (0, 1)), ([0.8, 0.2], [[0.9, 0.1], [0.2, 0.8]]))
    >>> (rain,), log_evidence = posteriors(compile_tree(rain_and_wet), [[-1, 1], [-1, -1]], [0])
    >>> rain.round(4)
    array([[0.3333, 0.6667],
           [0.8   , 0.2   ]])
    >>> np.exp(log_evidence).round(4)
    array([0.24, 1.  ])
    """
    sizes = tree.factors.cardinalities
    chosen = range(len(sizes)) if targets is None else targets
    known = checked_evidence(tree.plan.sizes, evidence, likelihoods)
    asked = tuple((_checked_variable(target, len(sizes)),) for target in chosen)
    answers, log_evidence = _answers(tree, asked, known.evidence)
    ends = np.cumsum([sizes[variable] for (variable,) in asked], dtype=np.int64)
    return np.split(answers, ends[:-1], axis=1) if asked else [], log_evidence + known.log_scale


def joint_posterior(
    tree: JunctionTree,
    evidence: Array,
    variables: Sequence[int],
    likelihoods: Likelihoods | None = None,
) -> tuple[Array, Array]:
    """The joint posterior of several variables in each row, and the log of P(evidence).

    Returns float64 (n_rows, cardinality of the first, of the second, ...) and float64 (n_rows,);
    the rest is as in `posteriors`. Where no clique holds all the variables, a tree is made and kept
    in which one does.
    """
    sizes = tree.factors.cardinalities
    scope = tuple(_checked_variable(variable, len(sizes)) for variable in variables)
    if len(set(scope)) < len(scope):
        raise ValueError(f"each variable can be asked once, got {list(scope)}.")
    wide = tree.holding(scope)
    known = checked_evidence(tree.plan.sizes, evidence, likelihoods)
    answers, log_evidence = _answers(wide, (scope,), known.evidence)
    shape = (len(answers), *(sizes[variable] for variable in scope))
    return answers.reshape(shape), log_evidence + known.log_scale


def log_partition(tree: JunctionTree) -> float:
    """log Z: the log of the sum of the product of all factors; 0 for a belief network."""
    nothing = np.full((1, tree.factors.n_variables), -1)
    return float(posteriors(tree, nothing, targets=())[1][0])


def most_probable(
    tree: JunctionTree, evidence: Array, likelihoods: Likelihoods | None = None
) -> tuple[Array, Array]:
    """The most probable states of all variables together, given the evidence of each row.

    Returns int64 (n_rows, n_variables) and float64 (n_rows,): the log of the product of all factors
    there, -inf where the evidence is impossible. Of several that are equally probable it is the one
    with the first states, clique by clique.
    """
    known = checked_evidence(tree.plan.sizes, evidence, likelihoods)
    states, log_largest = trees.most_probable(tree.plan, known.evidence)
    return states, log_largest + known.log_scale + LOG_2 * tree.exponent


def _checked_variable(variable: int, n_variables: int) -> int:
    if not 0 <= variable < n_variables:
        raise ValueError(f"variables go from 0 to {n_variables - 1}, got {variable!r}.")
    return int(variable)


def _answers(
    tree: JunctionTree, asked: tuple[tuple[int, ...], ...], evidence: Evidence
) -> tuple[Array, Array]:
    """Each different row once, blocks of rows in threads."""
    questions = tree.questions(asked)
    first, inverse = distinct_rows(evidence)
    different = evidence if first is None else evidence._replace(states=evidence.states[first])
    kernels = tree.kernels(len(different.states)) if len(different.states) else None
    if kernels is None:
        answers, log_total = trees.posteriors(tree.plan, questions, different)
    else:
        answers, log_total = _compiled(tree, kernels, questions, different)
    log_total += LOG_2 * tree.exponent
    return (answers, log_total) if first is None else (answers[inverse], log_total[inverse])


def _compiled(
    tree: JunctionTree, kernels: ModuleType, questions: Questions, evidence: Evidence
) -> tuple[Array, Array]:
    n_rows = len(evidence.states)
    answers = np.zeros((n_rows, int(questions.asked[:, N_CELLS].sum())))
    log_total = np.empty(n_rows)
    found = np.empty(n_rows, np.uint8)
    prior = tree.prior(kernels)
    lanes, rows_at_once = lanes_and_rows_at_once(tree, evidence.states)
    blocks = [slice(start, start + rows_at_once) for start in range(0, n_rows, rows_at_once)]

    def fill(rows: slice) -> None:
        kernels.posteriors(
            tree.plan, questions, _rows_of(evidence, rows), prior, lanes,
            answers[rows], log_total[rows], found[rows],
        )  # fmt: skip

    for _ in in_threads(fill, blocks):
        pass
    if found.any():
        _in_logs(tree, kernels, questions, evidence, answers, log_total, found)
    return answers, log_total


def _in_logs(
    tree: JunctionTree,
    kernels: ModuleType,
    questions: Questions,
    evidence: Evidence,
    answers: Array,
    log_total: Array,
    found: Array,
) -> None:
    """Compute in logs the rows whose numbers became too small, not those that are impossible."""
    rows = np.flatnonzero(found == kernels.IMPOSSIBLE)
    if len(rows):
        found[rows] = _possible(tree, kernels, _rows_of(evidence, rows))
    rows = np.flatnonzero(found == kernels.DEEP)
    if len(rows):
        answers[rows], log_total[rows] = trees.posteriors(
            tree.plan, questions, _rows_of(evidence, rows)
        )


def _possible(tree: JunctionTree, kernels: ModuleType, evidence: Evidence) -> Array:
    """Which rows are IMPOSSIBLE also when all that is not 0 is taken for 1; the others are DEEP."""
    plan = tree.plan._replace(tables=(tree.plan.tables > 0).astype(np.float64))
    ones = evidence._replace(likelihoods=(evidence.likelihoods > 0).astype(np.float64))
    n_rows = len(evidence.states)
    found = np.empty(n_rows, np.uint8)
    kernels.posteriors(
        plan, tree.questions(()), ones, None, 1, np.zeros((n_rows, 0)), np.empty(n_rows), found
    )
    return np.where(found == kernels.IMPOSSIBLE, kernels.IMPOSSIBLE, kernels.DEEP)


def _rows_of(evidence: Evidence, rows: slice | Array) -> Evidence:
    likelihoods = evidence.likelihoods
    if len(likelihoods) > 1:
        likelihoods = likelihoods[rows]
    return Evidence(evidence.states[rows], evidence.soft_place, likelihoods)
