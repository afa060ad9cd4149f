"""Exact answers from a junction tree, for many rows of evidence at once."""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import accumulate

import numpy as np

from bayesic.kernels.trees import Evidence, rows_of
from bayesic.networks.engine.blankets import blanket_posteriors, rows_apart
from bayesic.networks.engine.evidence import Likelihoods, checked_evidence, distinct_rows
from bayesic.networks.engine.factors import Factors
from bayesic.networks.engine.roads import answers_of_rows, best_of_rows
from bayesic.networks.engine.tree import JunctionTree, Scopes

Array = np.ndarray
Others = Callable[[Scopes, Evidence], tuple[Array, Array]]

LOG_2 = float(np.log(2.0))


def posteriors(
    tree: JunctionTree,
    evidence: Array,
    targets: Sequence[int] | None = None,
    likelihoods: Likelihoods | None = None,
    totals: bool = True,
) -> tuple[list[Array], Array]:
    """The posterior of each target in each row, and the log of the probability of the evidence.

    evidence    : integers (n_rows, n_variables), the observed states, -1 where there is none
    targets     : variables; None means all
    likelihoods : soft evidence, P(what was seen given each state of the variable), either one
                  vector for all rows or one row for each row of evidence
    totals      : if False, the log of the probability of the evidence is only told from -inf, which
                  is quicker

    Returns a list of float64 (n_rows, cardinality), one for each target, and float64 (n_rows,).
    For a belief network the latter is log P(evidence); for any factors it is the log of the sum of
    their product over all states that agree with the evidence. It is -inf for rows whose evidence
    is impossible; their posteriors are 0. Rows in which everything around each variable that is not
    observed is observed, such as complete rows but for a target, need no tree: see `blankets.py`.

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
    asked = tree.each_variable if targets is None else _checked_targets(tree.factors, targets)
    known = checked_evidence(tree.plan.sizes, evidence, likelihoods)
    from_tree = partial(answers_from_tree, tree)
    answers, log_evidence = _answers_or_blankets(
        tree.factors, from_tree, asked, known.evidence, totals
    )
    return _by_target(tree.factors, asked, answers), log_evidence + known.log_scale


def posteriors_by(
    factors: Factors, others: Others, evidence: Array, targets: Sequence[int], totals: bool
) -> tuple[list[Array], Array]:
    """The same for a model that has no tree yet: rows that need one are answered by `others`."""
    asked = _checked_targets(factors, targets)
    states = checked_evidence(np.array(factors.cardinalities, np.int64), evidence).evidence
    answers, log_evidence = _answers_or_blankets(factors, others, asked, states, totals)
    return _by_target(factors, asked, answers), log_evidence


def _checked_targets(factors: Factors, targets: Sequence[int]) -> Scopes:
    return tuple((_checked_variable(target, factors.n_variables),) for target in targets)


def _by_target(factors: Factors, asked: Scopes, answers: Array) -> list[Array]:
    """The columns of each target."""
    sizes = factors.cardinalities
    ends = accumulate(sizes[variable] for (variable,) in asked)
    return [
        answers[:, end - sizes[variable] : end]
        for (variable,), end in zip(asked, ends, strict=True)
    ]


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
    answers, log_evidence = answers_from_tree(wide, (scope,), known.evidence)
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
    first, inverse = distinct_rows(known.evidence)
    different = known.evidence if first is None else rows_of(known.evidence, first)
    states, log_largest = best_of_rows(tree, different)
    if inverse is not None:
        states, log_largest = states[inverse], log_largest[inverse]
    return states, log_largest + known.log_scale + LOG_2 * tree.exponent


def _checked_variable(variable: int, n_variables: int) -> int:
    if not 0 <= variable < n_variables:
        raise ValueError(f"variables go from 0 to {n_variables - 1}, got {variable!r}.")
    return int(variable)


def _answers_or_blankets(
    factors: Factors, others: Others, asked: Scopes, evidence: Evidence, totals: bool
) -> tuple[Array, Array]:
    """Rows that need no tree from the Markov blankets alone, the others by `others`."""
    apart = rows_apart(factors, evidence.states)
    if not apart.any():
        return others(asked, evidence)
    targets = [variable for (variable,) in asked]
    if apart.all():
        return blanket_posteriors(factors, targets, evidence, totals)
    rows = np.flatnonzero(apart)
    some = blanket_posteriors(factors, targets, rows_of(evidence, rows), totals)
    rest = np.flatnonzero(~apart)
    answers, log_total = np.empty((len(apart), some[0].shape[1])), np.empty(len(apart))
    answers[rows], log_total[rows] = some
    answers[rest], log_total[rest] = others(asked, rows_of(evidence, rest))
    return answers, log_total


def answers_from_tree(tree: JunctionTree, asked: Scopes, evidence: Evidence) -> tuple[Array, Array]:
    """Each different row once."""
    first, inverse = distinct_rows(evidence)
    different = evidence if first is None else rows_of(evidence, first)
    answers, log_total = answers_of_rows(tree, asked, different)
    log_total += LOG_2 * tree.exponent
    return (answers, log_total) if first is None else (answers[inverse], log_total[inverse])
