"""The best structure of all, by dynamic programming over sets of variables ([Silander]).

The best structure of a set of variables has a sink: a variable that is not a parent. Without it,
the rest is again the best structure of the rest, and the sink has its best parents among the rest:

    best(S) = max over i in S of  best(S - i) + max over P in S - i of score(i | P)

Sets are numbered by bits: variable i is in set number s if bit i of s is set.
"""

from dataclasses import dataclass

import numpy as np

from bayesic.data.blocks import in_threads
from bayesic.data.spelling import spelt
from bayesic.kernels import Array, pick
from bayesic.kernels.structure import Measure, SetsOfVariables
from bayesic.networks._structure.coded_columns import CodedColumns
from bayesic.networks._structure.edge_limits import EdgeLimits, members_of
from bayesic.networks._structure.family_scores import ScoreRule, numbers_in
from bayesic.networks._structure.hill_climbing import ROUNDING, Climbed
from bayesic.progress import bar_of

MOST_VARIABLES = 20
# Sets are counted in parts, by which of the first variables they have.
VARIABLES_OF_PARTS = 5


@dataclass(frozen=True, eq=False)
class SubsetTerms:
    """What the scores of all families are made of; see kernels/structure.py."""

    cells: Array  # (n_sets,)
    rows: Array  # (n_sets, n_sizes)
    child_sizes: Array  # (n_sizes,)
    combinations: Array  # (n_sets,), of states


def exact(columns: CodedColumns, rule: ScoreRule, limits: EdgeLimits) -> Climbed:
    """The structure with the largest score; of equal ones that with fewer and earlier parents."""
    n_variables = len(columns.variables)
    if n_variables > MOST_VARIABLES:
        raise ValueError(
            f"{_method('exact')} looks at all sets of variables: at most {MOST_VARIABLES} "
            f"variables, got {n_variables}. Use {_method('hill-climb')} with restarts."
        )
    terms = _subset_terms(columns, rule, limits.most_parents + 1)
    rounding = ROUNDING * abs(float(terms.cells[0]))
    best = [
        _best_parents(_child_scores(terms, columns, rule, limits, child), rounding)
        for child in range(n_variables)
    ]
    score, sinks = _best_sinks([scores for scores, _ in best], rounding)
    parents = np.zeros((n_variables, n_variables), bool)
    left = 2**n_variables - 1
    while left:
        child = int(sinks[left])
        left ^= 1 << child
        parents[child, numbers_in(int(best[child][1][left]))] = True
    return Climbed(parents, score, ())


def _method(name: str) -> str:
    return spelt("method={search!r}", search=name)


def _subset_terms(columns: CodedColumns, rule: ScoreRule, most: int) -> SubsetTerms:
    """Count the states of all sets of at most so many variables."""
    n_variables, sizes = len(columns.variables), np.array(columns.sizes, np.int64)
    child_sizes = np.unique(sizes)
    cells = np.full(2**n_variables, np.nan)
    rows = np.full((2**n_variables, len(child_sizes)), np.nan)
    kernels = pick("structure", len(cells) * columns.codes.shape[1])
    start = min(VARIABLES_OF_PARTS, n_variables)

    def count(begun: int) -> None:
        kernels.subset_terms(
            columns.state_rows,
            SetsOfVariables(begun, start, most),
            Measure(rule.measure, rule.ess),
            child_sizes,
            cells,
            rows,
        )

    parts = [begun for begun in range(2**start) if begun.bit_count() <= most]
    with bar_of("sets of variables", len(parts)) as advance:
        for _ in in_threads(count, parts):
            advance()
    combinations = np.ones(1)
    for size in sizes.tolist():
        combinations = np.concatenate([combinations, combinations * size])
    return SubsetTerms(cells, rows, child_sizes, combinations)


def _child_scores(
    terms: SubsetTerms, columns: CodedColumns, rule: ScoreRule, limits: EdgeLimits, child: int
) -> Array:
    """The score of a variable with each set as its parents, -inf for sets that may not be."""
    sets, r = np.arange(len(terms.cells)), columns.sizes[child]
    must, may = members_of(limits.fixed[child]), members_of(limits.addable[child])
    legal = (sets & ~may == 0) & (sets & must == must)
    legal &= np.bitwise_count(sets) <= limits.most_parents
    index = int(np.searchsorted(terms.child_sizes, r))
    scores = terms.cells[sets | 1 << child] - terms.rows[:, index]
    scores -= rule.penalty * (r - 1) * terms.combinations
    return np.where(legal, scores, -np.inf)


def _best_parents(scores: Array, rounding: float = 0.0) -> tuple[Array, Array]:
    """For each set the best score of its subsets, and the subset that has it.

    Scores are the same if they differ by no more than rounding.

    >>> _best_parents(np.array([1.0, 3.0, 2.0, 2.5]))
    (array([1., 3., 2., 3.]), array([0, 1, 2, 1], dtype=int32))
    """
    best, best_sets = scores.copy(), np.arange(len(scores), dtype=np.int32)
    for variable in range(len(scores).bit_length() - 1):
        pairs, sets = (values.reshape(-1, 2, 2**variable) for values in (best, best_sets))
        without, with_it = pairs[:, 0], pairs[:, 1]
        fewer = with_it <= without + rounding
        pairs[:, 1] = np.where(fewer, without, with_it)
        sets[:, 1] = np.where(fewer, sets[:, 0], sets[:, 1])
    return best, best_sets


def _best_sinks(best: list[Array], rounding: float) -> tuple[float, Array]:
    """The score of the best structure of all variables, and the sink of that of each set."""
    n_sets = len(best[0])
    score, sink = np.full(n_sets, -np.inf), np.zeros(n_sets, np.int8)
    score[0] = 0.0
    sets = np.arange(n_sets)
    n_members = np.bitwise_count(sets)
    for size in range(1, len(best) + 1):
        of_size = sets[n_members == size]
        for child, scores in enumerate(best):
            with_it = of_size[of_size >> child & 1 == 1]
            rest = with_it ^ 1 << child
            value = score[rest] + scores[rest]
            better = value > score[with_it] + rounding
            score[with_it[better]] = value[better]
            sink[with_it[better]] = child
    return float(score[-1]), sink
