"""Exact answers from a junction tree, for many rows of evidence at once."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from itertools import accumulate, pairwise
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from bayesic.kernels import Array
from bayesic.kernels.trees import RowEvidence, rows_of
from bayesic.networks._engine.blankets import blanket_posteriors, rows_apart
from bayesic.networks._engine.cliques import WIDEST
from bayesic.networks._engine.propagation import answers_of_rows, best_of_rows, counts_of_rows
from bayesic.networks._engine.tree import JunctionTree, Scopes
from bayesic.networks.factors import Factors

Likelihoods = Mapping[int, Array]
Others = Callable[[Scopes, RowEvidence], tuple[Array, Array]]

NO_LIKELIHOODS: Likelihoods = MappingProxyType({})
LOG_2 = float(np.log(2.0))


# evidence -------------------------------------------------------------------------------------


class ScaledEvidence(NamedTuple):
    """Evidence as the kernels take it, and the log of what its likelihoods were divided by."""

    evidence: RowEvidence
    log_scale: Array | float


def scaled_evidence(states: Array, likelihoods: Likelihoods = NO_LIKELIHOODS) -> ScaledEvidence:
    """Evidence that is known to fit the variables; see `_checked_evidence` for any other.

    states      : int64 (n_rows, n_variables), -1 where nothing was observed
    likelihoods : variable -> float64 (n_rows or 1, states of the variable), none of them `is_wide`
    """
    soft_index = np.full(states.shape[1], -1, np.int64)
    if not likelihoods:
        return ScaledEvidence(RowEvidence(states, soft_index, np.empty((1, 0))), 0.0)
    parts, index, log_scale = [], 0, np.zeros(1)
    for variable, values in likelihoods.items():
        largest = values.max(axis=1)
        largest[largest == 0] = 1.0
        parts.append(values / largest[:, None])
        log_scale = log_scale + np.log(largest)
        soft_index[variable] = index
        index += values.shape[1]
    n_rows = max(len(part) for part in parts)
    joined = np.concatenate([np.broadcast_to(p, (n_rows, p.shape[1])) for p in parts], axis=1)
    return ScaledEvidence(RowEvidence(states, soft_index, joined), log_scale)


def _checked_evidence(
    sizes: Array, evidence: Array | ScaledEvidence, likelihoods: Likelihoods | None = None
) -> ScaledEvidence:
    """Evidence whose states and likelihoods fit variables with this many states.

    The kernels look up without asking, so what does not fit is refused here; scaled evidence was
    checked when it was made.

    >>> checked = _checked_evidence(np.array([2, 3]), [[0, -1]], {1: [0.2, 0.0, 0.1]})
    >>> checked.evidence.states, checked.evidence.likelihoods
    (array([[ 0, -1]]), array([[1. , 0. , 0.5]]))
    >>> np.exp(checked.log_scale).round(4)
    array([0.2])
    """
    if isinstance(evidence, ScaledEvidence):
        return evidence
    states = _checked_states(sizes, evidence)
    given = (likelihoods or {}).items()
    return scaled_evidence(
        states, {v: _checked_likelihood(sizes, len(states), v, values) for v, values in given}
    )


def is_wide(likelihoods: Array) -> bool:
    """Whether a number other than 0 is so far below another that their ratio loses digits.

    >>> is_wide(np.array([1e-300, 1e300])), is_wide(np.array([0.0, 1e300]))
    (True, False)
    """
    exponents, positive = np.frexp(likelihoods)[1], likelihoods > 0
    largest = exponents.max(axis=-1, where=positive, initial=np.iinfo(np.int32).min // 2)
    smallest = exponents.min(axis=-1, where=positive, initial=np.iinfo(np.int32).max // 2)
    return bool((largest - smallest > WIDEST).any())


def _checked_states(sizes: Array, evidence: Array) -> Array:
    given = np.asarray(evidence)
    if given.ndim != 2 or given.shape[1] != len(sizes):
        raise ValueError(
            f"evidence has one column for each of the {len(sizes)} variables, "
            f"got an array of shape {given.shape}."
        )
    if given.dtype.kind not in "iu":
        raise ValueError(
            f"evidence holds numbers of states, -1 where nothing was observed, got {given.dtype}."
        )
    states = np.array(given, dtype=np.int64, order="C")
    wrong = (states < -1) | (states >= sizes)
    if wrong.any():
        row, variable = np.argwhere(wrong)[0]
        raise ValueError(
            f"the states of variable {variable} go from 0 to {sizes[variable] - 1}, or -1 where it "
            f"was not observed; row {row} has {states[row, variable]}."
        )
    return states


def _checked_likelihood(sizes: Array, n_rows: int, variable: int, given: Array) -> Array:
    if not 0 <= variable < len(sizes):
        raise ValueError(
            f"variables go from 0 to {len(sizes) - 1}, got likelihoods of variable {variable!r}."
        )
    values = np.atleast_2d(np.asarray(given, dtype=np.float64))
    if values.ndim != 2 or values.shape[1] != sizes[variable] or len(values) not in (1, n_rows):
        raise ValueError(
            f"the likelihoods of variable {variable} are {sizes[variable]} numbers, for all "
            f"rows or for each of the {n_rows} rows, got shape {np.shape(given)}."
        )
    if not (values.min(initial=0.0) >= 0 and values.max(initial=0.0) < np.inf):
        raise ValueError(
            f"the likelihoods of variable {variable} must be finite numbers of 0 or more."
        )
    if is_wide(values):
        raise ValueError(
            f"the likelihoods of variable {variable} must not be more than 1e270 times each "
            "other. Put them in as a factor of this variable, which may have any numbers."
        )
    return values


def distinct_rows(evidence: RowEvidence) -> tuple[Array, Array] | tuple[None, None]:
    """The first of each kind of row and the kind of each row; None where every row is its own kind.

    >>> states = np.array([[0, -1], [1, 0], [0, -1]])
    >>> distinct_rows(RowEvidence(states, np.array([-1, -1]), np.empty((1, 0))))
    (array([0, 1]), array([0, 1, 0]))
    """
    states = evidence.states
    n_rows, n_variables = states.shape
    if n_rows < 2 or n_variables == 0 or len(evidence.likelihoods) > 1:
        return None, None
    # as short as they can be: rows are compared byte by byte
    short = states.astype(np.min_scalar_type(-1 - int(states.max())))
    whole = short.view(np.dtype((np.void, short.itemsize * n_variables))).ravel()
    _, first, inverse = np.unique(whole, return_index=True, return_inverse=True)
    return (None, None) if len(first) == n_rows else (first, inverse)


# answers --------------------------------------------------------------------------------------


def posteriors(
    tree: JunctionTree,
    evidence: Array | ScaledEvidence,
    targets: Sequence[int] | None = None,
    likelihoods: Likelihoods | None = None,
    totals: bool = True,
) -> tuple[list[Array], Array]:
    """The posterior of each target in each row, and the log of the probability of the evidence.

    evidence    : integers (n_rows, n_variables), the observed states, -1 where there is none; or
                  evidence that was checked before, with its likelihoods
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

    >>> from bayesic.networks.factors import Factors
    >>> from bayesic.networks._engine.tree import compile_tree
    >>> rain_and_wet = Factors((2, 2), ((0,), (0, 1)), ([0.8, 0.2], [[0.9, 0.1], [0.2, 0.8]]))
    >>> (rain,), log_evidence = posteriors(compile_tree(rain_and_wet), [[-1, 1], [-1, -1]], [0])
    >>> rain.round(4)
    array([[0.3333, 0.6667],
           [0.8   , 0.2   ]])
    >>> np.exp(log_evidence).round(4)
    array([0.24, 1.  ])
    """
    scopes = tree.each_variable if targets is None else _checked_targets(tree.factors, targets)
    checked = _checked_evidence(tree.plan.sizes, evidence, likelihoods)
    from_tree = partial(answers_from_tree, tree)
    answers, log_evidence = _answers_or_blankets(
        tree.factors, from_tree, scopes, checked.evidence, totals
    )
    return _by_target(tree.factors, scopes, answers), log_evidence + checked.log_scale


def posteriors_by(
    factors: Factors, others: Others, evidence: RowEvidence, targets: Sequence[int], totals: bool
) -> tuple[list[Array], Array]:
    """The same for a model that has no tree yet: rows that need one are answered by `others`."""
    scopes = _checked_targets(factors, targets)
    answers, log_evidence = _answers_or_blankets(factors, others, scopes, evidence, totals)
    return _by_target(factors, scopes, answers), log_evidence


def _checked_targets(factors: Factors, targets: Sequence[int]) -> Scopes:
    return tuple((_checked_variable(target, factors.n_variables),) for target in targets)


def _by_target(factors: Factors, scopes: Scopes, answers: Array) -> list[Array]:
    """The columns of each target."""
    return [answers[:, columns] for columns in _columns_of(scopes, factors.cardinalities)]


@lru_cache  # the same is asked again and again, of a row at a time
def _columns_of(scopes: Scopes, sizes: tuple[int, ...]) -> list[slice]:
    ends = [0, *accumulate(sizes[variable] for (variable,) in scopes)]
    return [slice(start, end) for start, end in pairwise(ends)]


def joint_posterior(
    tree: JunctionTree,
    evidence: Array | ScaledEvidence,
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
    checked = _checked_evidence(tree.plan.sizes, evidence, likelihoods)
    answers, log_evidence = answers_from_tree(wide, (scope,), checked.evidence)
    shape = (len(answers), *(sizes[variable] for variable in scope))
    return answers.reshape(shape), log_evidence + checked.log_scale


def log_partition(tree: JunctionTree) -> float:
    """log Z: the log of the sum of the product of all factors; 0 for a belief network."""
    nothing = np.full((1, tree.factors.n_variables), -1)
    return float(posteriors(tree, nothing, targets=())[1][0])


def most_probable(
    tree: JunctionTree, evidence: Array | ScaledEvidence, likelihoods: Likelihoods | None = None
) -> tuple[Array, Array]:
    """The most probable states of all variables together, given the evidence of each row.

    Returns int64 (n_rows, n_variables) and float64 (n_rows,): the log of the product of all factors
    there, -inf where the evidence is impossible. Of several that are equally probable it is the one
    with the first states, clique by clique.
    """
    checked = _checked_evidence(tree.plan.sizes, evidence, likelihoods)
    first, inverse = distinct_rows(checked.evidence)
    different = checked.evidence if first is None else rows_of(checked.evidence, first)
    states, log_largest = best_of_rows(tree, different)
    if inverse is not None:
        states, log_largest = states[inverse], log_largest[inverse]
    return states, log_largest + checked.log_scale + LOG_2 * tree.exponent


def _checked_variable(variable: int, n_variables: int) -> int:
    if not 0 <= variable < n_variables:
        raise ValueError(f"variables go from 0 to {n_variables - 1}, got {variable!r}.")
    return int(variable)


def _answers_or_blankets(
    factors: Factors, others: Others, scopes: Scopes, evidence: RowEvidence, totals: bool
) -> tuple[Array, Array]:
    """Rows that need no tree from the Markov blankets alone, the others by `others`."""
    apart = rows_apart(factors, evidence.states)
    if not apart.any():
        return others(scopes, evidence)
    targets = [variable for (variable,) in scopes]
    if apart.all():
        return blanket_posteriors(factors, targets, evidence, totals)
    rows = np.flatnonzero(apart)
    some = blanket_posteriors(factors, targets, rows_of(evidence, rows), totals)
    rest = np.flatnonzero(~apart)
    answers, log_total = np.empty((len(apart), some[0].shape[1])), np.empty(len(apart))
    answers[rows], log_total[rows] = some
    answers[rest], log_total[rest] = others(scopes, rows_of(evidence, rest))
    return answers, log_total


def answers_from_tree(
    tree: JunctionTree, scopes: Scopes, evidence: RowEvidence
) -> tuple[Array, Array]:
    """Each different row once."""
    first, inverse = distinct_rows(evidence)
    different = evidence if first is None else rows_of(evidence, first)
    answers, log_total = answers_of_rows(tree, scopes, different)
    log_total += LOG_2 * tree.exponent
    return (answers, log_total) if first is None else (answers[inverse], log_total[inverse])


# expected counts ------------------------------------------------------------------------------


def expected_family_counts(
    tree: JunctionTree,
    evidence: Array | ScaledEvidence,
    weights: Array | None = None,
    likelihoods: Likelihoods | None = None,
) -> tuple[list[Array], Array]:
    """For each factor the expected count of each of its entries, and log P(evidence) of each row.

        N_f[s] = sum over rows r of weight_r * P(scope of f = s | evidence of row r)

    This is the E step of EM [Lauritzen1995]. Rows with the same evidence are counted once, with the
    sum of their weights; no row is kept. Impossible rows have a log of -inf and count for nothing.

    weights : numbers of 0 or more, one for each row; None means 1. The rest is as in `posteriors`.

    Returns a list of float64 arrays, each in the shape of the table of its factor, and float64
    (n_rows,).

    >>> from bayesic.networks.factors import Factors
    >>> from bayesic.networks._engine.tree import compile_tree
    >>> rain_and_wet = Factors((2, 2), ((0,), (0, 1)), ([0.8, 0.2], [[0.9, 0.1], [0.2, 0.8]]))
    >>> rows = [[-1, 1], [-1, 1], [0, 0]]
    >>> (rain, both), _ = expected_family_counts(compile_tree(rain_and_wet), rows)
    >>> rain.round(4)
    array([1.6667, 1.3333])
    >>> both.round(4)
    array([[1.    , 0.6667], [0.    , 1.3333]])
    """
    checked = _checked_evidence(tree.plan.sizes, evidence, likelihoods)
    weights = _checked_weights(weights, len(checked.evidence.states))
    first, inverse = distinct_rows(checked.evidence)
    different = checked.evidence
    if first is not None and inverse is not None:
        different = rows_of(different, first)
        weights = np.bincount(inverse, weights, minlength=len(first))
    scopes = tree.factors.scopes
    counts, log_total = counts_of_rows(tree, scopes, different, weights)
    log_evidence = (log_total if inverse is None else log_total[inverse]) + LOG_2 * tree.exponent
    ends = np.cumsum([table.size for table in tree.factors.tables], dtype=np.int64)
    by_factor = [
        part.reshape(table.shape)
        for part, table in zip(np.split(counts, ends[:-1]), tree.factors.tables, strict=True)
    ] if scopes else []  # fmt: skip
    return by_factor, log_evidence + checked.log_scale


def _checked_weights(weights: Array | None, n_rows: int) -> Array:
    if weights is None:
        return np.ones(n_rows)
    given = np.array(weights, dtype=np.float64)
    if given.shape != (n_rows,):
        raise ValueError(
            f"there is one weight for each of the {n_rows} rows, got shape {given.shape}."
        )
    if not (given.min(initial=0.0) >= 0 and given.max(initial=0.0) < np.inf):
        raise ValueError("weights must be finite numbers of 0 or more.")
    return given
