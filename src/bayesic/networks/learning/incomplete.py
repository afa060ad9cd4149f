"""Rows with gaps -> numbers of states: what EM and gradient ascent compute with."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from bayesic.data.coded import Coded, Known, coded
from bayesic.data.distinct import NOT_OBSERVED
from bayesic.data.spelling import spelt
from bayesic.data.states import States, followed_by, united_states
from bayesic.networks.engine.inference import distinct_rows, scaled_evidence
from bayesic.networks.learning.complete import variable_blocks, weighted_blocks
from bayesic.networks.variable_names import listed
from bayesic.statistics.families import Parents, n_cells

Array = np.ndarray


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
        number = {name: place for place, name in enumerate(self.parents)}
        return tuple(
            (*(number[parent] for parent in its_parents), number[name])
            for name, its_parents in self.parents.items()
        )

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


class _Block(NamedTuple):
    columns: dict[str, Coded]
    weights: Array


def incomplete_rows(
    table: Any, parents: Parents, known: Known, sample_weight: Any = None
) -> IncompleteRows:
    """The rows of a table or file, in which null and a column that is not there are gaps.

    known : variable -> states by which its cells are known, None if none are

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
        _observed(coded(block, known), block.n_rows, weights)
        for block, weights in weighted_blocks(variable_blocks(table, known), sample_weight)
    ]
    if not sum(len(block.weights) for block in blocks):
        raise ValueError("The table has no rows, so there is nothing to learn. Give at least one.")
    found = {name: _occurring(blocks, name) for name in parents}
    states = _all_known(followed_by(known, found))
    n_cells(parents, states)  # refuses tables that are too large
    codes = np.concatenate([_numbered(block, states) for block in blocks])
    weights = np.concatenate([block.weights for block in blocks])
    return _each_once(IncompleteRows(parents, states, codes, weights))


def _observed(columns: dict[str, Coded], n_rows: int, weights: Array | None) -> _Block:
    """Without rows that weigh nothing: they do not occur."""
    if weights is None:
        return _Block(columns, np.ones(n_rows))
    rows = np.flatnonzero(weights)
    kept = {name: Coded(column.codes[rows], column.states) for name, column in columns.items()}
    return _Block(kept, weights[rows])


def _occurring(blocks: list[_Block], name: str) -> States:
    """The states of a variable that a cell has; a category may have more."""
    found: States = ()
    for columns, _ in blocks:
        if name in columns:
            found = united_states(found, columns[name].occurring())
    return found


def _all_known(states: dict[str, States | None]) -> dict[str, States]:
    unknown = [name for name, its in states.items() if its is None]
    if unknown:
        raise ValueError(
            f"A variable that is never observed can be learned if its states are given: those of "
            f"{listed(unknown)} are not known. "
            + spelt("Make the network with states={{{variable!r}: [...]}}.", variable=unknown[0])
        )
    return {name: its for name, its in states.items() if its is not None}


def _numbered(block: _Block, states: dict[str, States]) -> Array:
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
