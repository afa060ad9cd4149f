"""Rows with gaps, and what EM and gradient ascent climb: how probable tables make these rows.

    log P(rows | w) + sum over all entries of a_ijk log w_ijk

w_ijk is the entry of a table for state j of variable i and states k of its parents. P(row | w) is
summed over all that the row did not observe. The second part is the log of a Dirichlet prior, up to
a constant: the pseudo-counts a_ijk of the smoothing. Where nothing is missing, the largest value is
at the smoothed shares of `estimates.py`.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from bayesic.data.coded import Coded, Known, coded
from bayesic.data.distinct import NOT_OBSERVED
from bayesic.data.spelling import spelt
from bayesic.data.states import States, followed_by, united_states
from bayesic.data.typing import ArrayLike, TableLike
from bayesic.estimation.smoothing import PseudoCounts, smoothed_shares
from bayesic.kernels import Array
from bayesic.kernels.rounding import EPSILON
from bayesic.networks._directed_graph import families_of
from bayesic.networks._engine.exact_inference import (
    ScaledEvidence,
    distinct_rows,
    expected_family_counts,
    scaled_evidence,
)
from bayesic.networks._engine.tree import JunctionTree, compile_tree
from bayesic.networks.codes import variable_blocks, weighted_blocks
from bayesic.networks.factors import Factors
from bayesic.networks.variable_names import listed
from bayesic.statistics.families import Parents, n_cells

Tables = list[Array]  # an array for each variable: (states of its parents, ..., its own states)


# rows as numbers of states --------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class IncompleteRows:
    """Rows of which some cells were not observed, each different row once.

    Variables are numbered in the order of `parents`, their states in the order of `states`.
    """

    parents: Parents
    states: dict[str, States]  # variable -> its states: those given, then others that occur
    codes: Array  # (n_rows, n_variables): the state in each cell, -1 where none was observed
    weights: Array  # (n_rows,): how often the row occurs, all above 0

    @property
    def scopes(self) -> tuple[tuple[int, ...], ...]:
        """The family of each variable by numbers: its parents, then itself."""
        return families_of(self.parents)

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many states each variable has."""
        return tuple(len(its) for its in self.states.values())

    def where(self, chosen: Array) -> "IncompleteRows":
        """Some of the rows."""
        return IncompleteRows(self.parents, self.states, self.codes[chosen], self.weights[chosen])

    def observed_counts(self) -> list[Array]:
        """For each family the counts of the rows in which all of it was observed.

        >>> rows = incomplete_rows({"Rain": ["yes", None, "no"]}, {"Rain": ()}, {"Rain": None})
        >>> rows.observed_counts()
        [array([1., 1.])]
        """
        counts = []
        for scope in self.scopes:
            shape = [self.sizes[variable] for variable in scope]
            members = self.codes[:, scope]
            complete = (members >= 0).all(axis=1)
            cells = np.ravel_multi_index(tuple(members[complete].T), shape)
            counted = np.bincount(cells, self.weights[complete], minlength=int(np.prod(shape)))
            counts.append(counted.astype(np.float64).reshape(shape))
        return counts


class _ObservedRows(NamedTuple):
    columns: dict[str, Coded]
    weights: Array


def incomplete_rows(
    table: TableLike, parents: Parents, declared: Known, sample_weight: ArrayLike | None = None
) -> IncompleteRows:
    """The rows of a table or file, in which null and a column that is not there are gaps.

    declared : variable -> states by which its cells are known, None if none are

    >>> rows = incomplete_rows(
    ...     {"Rain": ["yes", None, "yes"]}, {"Rain": (), "Wet": ("Rain",)},
    ...     {"Rain": ("no", "yes"), "Wet": (True, False)},
    ... )
    >>> rows.codes.tolist(), rows.weights
    ([[1, -1], [-1, -1]], array([2., 1.]))
    """
    if not parents:
        raise ValueError("The network has no variables, so there is nothing to learn.")
    blocks = [
        _observed(coded(block, declared), block.n_rows, weights)
        for block, weights in weighted_blocks(variable_blocks(table, declared), sample_weight)
    ]
    if not sum(len(block.weights) for block in blocks):
        raise ValueError("The table has no rows, so there is nothing to learn. Give at least one.")
    occurring = {name: _occurring(blocks, name) for name in parents}
    states = _all_known(followed_by(declared, occurring))
    n_cells(parents, states)  # refuses tables that are too large
    codes = np.concatenate([_numbered(block, states) for block in blocks])
    weights = np.concatenate([block.weights for block in blocks])
    return _each_once(IncompleteRows(parents, states, codes, weights))


def _observed(columns: dict[str, Coded], n_rows: int, weights: Array | None) -> _ObservedRows:
    """Without rows that weigh nothing: they do not occur."""
    if weights is None:
        return _ObservedRows(columns, np.ones(n_rows))
    rows = np.flatnonzero(weights)
    kept = {name: Coded(column.codes[rows], column.states) for name, column in columns.items()}
    return _ObservedRows(kept, weights[rows])


def _occurring(blocks: list[_ObservedRows], name: str) -> States:
    """The states of a variable that a cell has; a category may have more."""
    states: States = ()
    for columns, _ in blocks:
        if name in columns:
            states = united_states(states, columns[name].occurring())
    return states


def _all_known(states: dict[str, States | None]) -> dict[str, States]:
    unknown = [name for name, its in states.items() if its is None]
    if unknown:
        raise ValueError(
            f"A variable that is never observed can be learned if its states are given: those of "
            f"{listed(unknown)} are not known. "
            + spelt("Make the network with states={{{variable!r}: [...]}}.", variable=unknown[0])
        )
    return {name: its for name, its in states.items() if its is not None}


def _numbered(block: _ObservedRows, states: dict[str, States]) -> Array:
    """The cells of a block by the numbers of all states: (n_rows, n_variables)."""
    shape = (len(states), len(block.weights))
    most = max(map(len, states.values()))
    codes = np.full(shape, NOT_OBSERVED, np.min_scalar_type(-1 - most))
    for row, (name, its) in zip(codes, states.items(), strict=True):
        if name in block.columns:
            row[:] = block.columns[name].numbered(its)  # -1 also for categories that do not occur
    return codes.T


def _each_once(rows: IncompleteRows) -> IncompleteRows:
    first, kind = distinct_rows(scaled_evidence(np.ascontiguousarray(rows.codes)).evidence)
    if first is None or kind is None:
        return rows
    weights = np.bincount(kind, rows.weights, minlength=len(first))
    return IncompleteRows(rows.parents, rows.states, rows.codes[first], weights)


# the objective --------------------------------------------------------------------------------


class Ascent(NamedTuple):
    """Where a climb has ended, and how it went."""

    counts: Tables  # family counts that were expected
    trace: Array  # the objective after each step; it never falls
    converged: bool


@dataclass(frozen=True, eq=False)
class Objective:
    """The objective of these rows: its value anywhere, and what leads to larger ones."""

    evidence: ScaledEvidence  # rows with gaps
    weights: Array  # of these rows
    counted: Tables  # family counts of all other rows: these never change
    pseudo_counts: list[float]  # of each entry, for each table
    total_weight: float  # of all rows
    negligible: float  # counts below this change no digit of the probability of any row
    tree: JunctionTree

    def expect(self, tables: Tables) -> tuple[Tables, float]:
        """The E-step: the family counts expected under these tables, and the objective there.

        N_ijk = sum over rows d of P(Y_i = j, parents of Y_i = k | d, w)
        """
        tree = self.tree.with_tables(tables)
        expected, log_rows = expected_family_counts(tree, self.evidence, self.weights)
        value = float((self.weights * log_rows).sum())
        with np.errstate(divide="ignore"):
            logs = [np.log(table) for table in tables]
        for counts, log_table in zip(self.with_pseudo_counts(self.counted), logs, strict=True):
            terms = np.multiply(counts, log_table, out=np.zeros(counts.shape), where=counts > 0)
            value += float(terms.sum())  # nothing times log 0 is nothing
        return [some + more for some, more in zip(self.counted, expected, strict=True)], value

    def counts_of(self, tables: Tables) -> Tables:
        """The family counts of as many rows as there are, as these tables expect to draw them."""
        tree = self.tree.with_tables(tables)
        nothing_observed = np.full((1, len(tables)), NOT_OBSERVED, np.int64)
        weight = np.array([self.total_weight])
        return expected_family_counts(tree, scaled_evidence(nothing_observed), weight)[0]

    def with_pseudo_counts(self, counts: Tables) -> Tables:
        """Counts and what the prior adds to them."""
        pairs = zip(counts, self.pseudo_counts, strict=True)
        return [of_family + pseudo for of_family, pseudo in pairs]

    def estimate(self, counts: Tables) -> Tables:
        """The M-step: the tables that are best for these counts.

        Negligible counts are taken for 0. Without smoothing they shrink faster and faster, until
        products of several shares are too small for floats.
        """
        return [
            smoothed_shares(np.where(of_family < self.negligible, 0.0, of_family), pseudo)
            for of_family, pseudo in zip(counts, self.pseudo_counts, strict=True)
        ]


def objective_of(rows: IncompleteRows, rule: PseudoCounts) -> Objective:
    """The objective of all these rows; those without gaps are counted here, once.

    >>> from bayesic.networks._learning.estimates import checked_smoothing
    >>> days = {"Rain": ["yes", "no", None], "Wet": ["yes", "no", "yes"]}
    >>> rows = incomplete_rows(days, {"Rain": (), "Wet": ("Rain",)}, {"Rain": None, "Wet": None})
    >>> objective = objective_of(rows, checked_smoothing(0))
    >>> tables = [np.array([0.5, 0.5]), np.array([[0.75, 0.25], [0.25, 0.75]])]
    >>> (rain, wet), log_probability = objective.expect(tables)
    >>> rain, wet  # states are no, yes: P(rain | wet) = 3/4
    (array([1.25, 1.75]), array([[1. , 0.25], [0. , 1.75]]))
    >>> round(log_probability, 6) == round(float(np.log(3 / 8 * 3 / 8 * 1 / 2)), 6)
    True
    """
    has_gaps = np.any(rows.codes < 0, axis=1)
    counted = rows.where(np.flatnonzero(~has_gaps)).observed_counts()
    uniform = tuple(np.full(counts.shape, 1 / counts.shape[-1]) for counts in counted)
    with_gaps = rows.where(np.flatnonzero(has_gaps))
    return Objective(
        scaled_evidence(np.array(with_gaps.codes, np.int64, order="C")),
        with_gaps.weights,
        counted,
        [rule.pseudo_count(counts.shape) for counts in counted],
        float(rows.weights.sum()),
        EPSILON**2 * float(rows.weights.min()),
        compile_tree(Factors(rows.sizes, rows.scopes, uniform)),
    )
