"""Editing a belief network: pure functions from a network to another one.

Nothing that was written down or learned is lost without need: a table keeps its numbers when a
parent or a state is added, and is summed out or divided by its sums when one is taken away. What is
taken out right after it was put in leaves the network as it was. Variables keep their order and
positions, states their kind. What was learned stays as tables; counts do not.

One public module has all edits, each with its example, and so is longer than other files.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import numpy as np

from bayesic.data.arguments import as_numbers
from bayesic.data.states import State, States
from bayesic.kernels import Array
from bayesic.networks._conditional_tables import check_normalise, conditional_table
from bayesic.networks._files.file_content import LARGEST_TABLE
from bayesic.networks._noisy_tables import noisy_or
from bayesic.networks.network import BeliefNetwork
from bayesic.networks.positions import Position
from bayesic.networks.queries.checked_evidence import checked_mapping
from bayesic.networks.variable_names import (
    NetworkError,
    checked_states,
    checked_variable,
    listed,
    number_of_state,
)

Value = TypeVar("Value")  # of a variable: its parents, its states, its table, its position


@dataclass(frozen=True)
class _Parts:
    """What a network is made of, by variable, in their order."""

    parents: Mapping[str, tuple[str, ...]]
    states: Mapping[str, States | None]
    tables: Mapping[str, Array] = field(default_factory=dict)
    positions: Mapping[str, Position] = field(default_factory=dict)

    def network(self) -> BeliefNetwork:
        """The network, if it can be one."""
        edges = [(parent, child) for child, its in self.parents.items() for parent in its]
        return BeliefNetwork(edges, self.tables, self.states, positions=self.positions)


def _parts(net: BeliefNetwork) -> _Parts:
    _check_network(net)
    missing = net.variables_without_table
    return _Parts(
        {name: net.parents(name) for name in net.variables},
        dict(net._states),
        {name: net.table(name).values for name in net.variables if name not in missing},
        net.positions,
    )


def _check_network(net: object) -> None:
    if not isinstance(net, BeliefNetwork):
        raise TypeError(f"Only a BeliefNetwork can be edited, got a {type(net).__name__}.")


# variables ----------------------------------------------------------------------------------------


def with_variable(
    net: BeliefNetwork,
    name: str,
    states: Iterable[object] = ("yes", "no"),
    position: Position | None = None,
) -> BeliefNetwork:
    """The network with one more variable, last, without edges; its states are equally probable.

    >>> from bayesic.datasets.networks import asia
    >>> with_variable(asia(), "fever").table("fever")["yes"]
    0.5
    """
    parts, its = _parts(net), checked_states(name, states)
    _check_new(net, name)
    return replace(
        parts,
        parents={**parts.parents, name: ()},
        states={**parts.states, name: its},
        tables={**parts.tables, name: np.full(len(its), 1 / len(its))},
        positions={**parts.positions, **({} if position is None else {name: position})},
    ).network()


def renamed_variable(net: BeliefNetwork, variable: str, name: str) -> BeliefNetwork:
    """The network in which a variable is called otherwise.

    >>> from bayesic.datasets.networks import asia
    >>> renamed_variable(asia(), "tub", "tuberculosis").parents("either")
    ('lung', 'tuberculosis')
    """
    parts = _parts(net)
    net.parents(variable)  # raises if there is no such variable
    if checked_variable(name) == variable:
        return net
    _check_new(net, name)

    def called(each: str) -> str:
        return name if each == variable else each

    def of(by_variable: Mapping[str, Value]) -> dict[str, Value]:
        return {called(each): its for each, its in by_variable.items()}

    parents = {each: tuple(map(called, its)) for each, its in parts.parents.items()}
    return _Parts(of(parents), of(parts.states), of(parts.tables), of(parts.positions)).network()


def without_variable(net: BeliefNetwork, variable: str) -> BeliefNetwork:
    """The network without a variable, which is summed out of the table of each child.

    See `without_edge` for how: the joint probability of each child and its other parents stays.

    Half of all people smoke, and P(lung) is 0.1 or 0.01: (0.1 + 0.01) / 2 without knowing it.

    >>> from bayesic.datasets.networks import asia
    >>> without_variable(asia(), "smoke").table("lung").values.round(4).tolist()
    [0.055, 0.945]
    """
    parts = _parts(net)
    summed = {
        child: _summed_out(net, variable, child)
        for child in net.children(variable)
        if child in parts.tables
    }

    def rest(by_variable: Mapping[str, Value]) -> dict[str, Value]:
        return {name: its for name, its in by_variable.items() if name != variable}

    parents = {name: _others(its, variable) for name, its in parts.parents.items()}
    tables = rest({**parts.tables, **summed})
    return _Parts(rest(parents), rest(parts.states), tables, rest(parts.positions)).network()


def _check_new(net: BeliefNetwork, name: str) -> None:
    if checked_variable(name) in net.variables:
        raise NetworkError(
            f"Variables must have different names, and there already is a variable {name!r}.", name
        )


def _others(parents: Sequence[str], variable: str) -> tuple[str, ...]:
    return tuple(parent for parent in parents if parent != variable)


# states -------------------------------------------------------------------------------------------


def with_state(net: BeliefNetwork, variable: str, state: State) -> BeliefNetwork:
    """The network in which a variable has one more state, the last, with probability 0.

    In the tables of its children the rows of the new state are uniform: nothing is known there. So
    no answer changes before the tables do.

    >>> from bayesic.datasets.networks import asia
    >>> net = with_state(asia(), "smoke", "formerly")
    >>> print(net.table("lung"))
    P(lung | smoke)
      smoke        yes      no
      yes       0.1000  0.9000
      no        0.0100  0.9900
      formerly  0.5000  0.5000
    """
    parts, old = _parts(net), net.states(variable)
    states = checked_states(variable, [*old, state])
    tables = dict(parts.tables)
    for name in (variable, *net.children(variable)):
        if name in tables:
            axis = _axis(net, name, variable)
            share = 0.0 if name == variable else 1 / len(net.states(name))
            before = np.moveaxis(tables[name], axis, 0)
            _check_size(name, before.size // len(old) * len(states))
            added = np.concatenate([before, np.full((1, *before.shape[1:]), share)])
            tables[name] = np.moveaxis(added, 0, axis)
    return replace(parts, states={**parts.states, variable: states}, tables=tables).network()


def renamed_state(net: BeliefNetwork, variable: str, state: State, name: State) -> BeliefNetwork:
    """The network in which a state of a variable is called otherwise.

    >>> from bayesic.datasets.networks import asia
    >>> renamed_state(asia(), "smoke", "yes", "smoker").states("smoke")
    ('smoker', 'no')
    """
    parts, states = _parts(net), list(net.states(variable))
    states[number_of_state(state, net.states(variable), variable)] = name
    named = checked_states(variable, states)
    return replace(parts, states={**parts.states, variable: named}).network()


def without_state(net: BeliefNetwork, variable: str, state: State) -> BeliefNetwork:
    """The network in which a variable has one state less.

    What is left of each row of its table is divided by the sum; a row without anything left is
    uniform. The tables of its children lose the rows of the state. Of a variable without parents
    that is the network given that the state does not occur.

    >>> from bayesic.datasets.networks import asia
    >>> without_state(asia(), "smoke", "no").table("lung")["yes", "yes"]
    0.1
    """
    parts, old = _parts(net), net.states(variable)
    number = number_of_state(state, old, variable)
    if len(old) == 1:
        raise NetworkError(
            f"{variable} must have at least one state, and {state!r} is its only one. Delete the "
            "variable instead.",
            variable,
        )
    states = tuple(its for index, its in enumerate(old) if index != number)
    tables = dict(parts.tables)
    for name in (variable, *net.children(variable)):
        if name in tables:
            left = np.delete(tables[name], number, axis=_axis(net, name, variable))
            tables[name] = _divided(left, tables[name][..., number]) if name == variable else left
    return replace(parts, states={**parts.states, variable: states}, tables=tables).network()


def _divided(left: Array, taken: Array) -> Array:
    """Rows of which something was taken, divided by their sums; uniform where nothing is left."""
    sums = left.sum(axis=-1, keepdims=True)
    even = np.full_like(left, 1 / left.shape[-1])
    shares = np.divide(left, sums, out=even, where=sums > 0)
    return np.where(taken[..., None] > 0, shares, left)


def _axis(net: BeliefNetwork, name: str, variable: str) -> int:
    """The axis of a variable in the table of itself or of a child."""
    return (*net.parents(name), name).index(variable)


# edges --------------------------------------------------------------------------------------------


def with_edge(net: BeliefNetwork, parent: str, child: str) -> BeliefNetwork:
    """The network with one more edge; the new parent is the last one of the child.

    The table of the child is copied for each state of the parent, so that no answer changes before
    the table does. An edge that closes a cycle is refused, with the cycle.

    >>> from bayesic.datasets.networks import asia
    >>> print(with_edge(asia(), "asia", "smoke").table("smoke"))
    P(smoke | asia)
      asia     yes      no
      yes   0.5000  0.5000
      no    0.5000  0.5000
    """
    parts, tables = _parts(net), {}
    net.parents(parent)  # raises if there is no such variable
    if parent in net.parents(child):
        raise NetworkError(f"There is an edge {parent} -> {child} already.", child)
    if child in parts.tables:
        values, size = parts.tables[child], len(net.states(parent))
        _check_size(child, values.size * size)
        tables[child] = np.repeat(values[..., None, :], size, axis=-2)
    parents = {**parts.parents, child: (*net.parents(child), parent)}
    return replace(parts, parents=parents, tables={**parts.tables, **tables}).network()


def without_edge(net: BeliefNetwork, parent: str, child: str) -> BeliefNetwork:
    """The network without an edge: the parent is summed out of the table of the child.

        P(child | rest) = sum over p of P(child | rest, p) P(p | rest)

    with P(p | rest) as the network answers it, where the rest are the other parents of the child.
    So the joint probability of the child and its other parents stays as it was. Where the rest
    cannot happen, or a table that P(p | rest) needs is missing, the states of the parent weigh the
    same.

    >>> from bayesic.datasets.networks import asia
    >>> print(without_edge(asia(), "smoke", "lung").table("lung"))
    P(lung)
         yes      no
      0.0550  0.9450
    """
    parts = _parts(net)
    net.parents(parent)  # raises if there is no such variable
    if parent not in net.parents(child):
        raise NetworkError(f"There is no edge {parent} -> {child}.", child)
    summed = {child: _summed_out(net, parent, child)} if child in parts.tables else {}
    parents = {**parts.parents, child: _others(net.parents(child), parent)}
    return replace(parts, parents=parents, tables={**parts.tables, **summed}).network()


def _summed_out(net: BeliefNetwork, parent: str, child: str) -> Array:
    """P(child | its other parents)."""
    values = np.moveaxis(net.table(child).values, _axis(net, child, parent), -2)
    if (values == values[..., :1, :]).all():
        return values[..., 0, :]  # the parent says nothing, whatever its probabilities are
    weights = _given_rest(net, parent, _others(net.parents(child), parent))
    return np.asarray((values * weights[..., None]).sum(axis=-2))


def _given_rest(net: BeliefNetwork, parent: str, rest: Sequence[str]) -> Array:
    """P(parent | rest), one axis for each of the rest, last that of the parent."""
    shape = [len(net.states(name)) for name in (*rest, parent)]
    even = np.full(shape, 1 / shape[-1])
    needed = {name for each in (*rest, parent) for name in (each, *net.ancestors(each))}
    if needed & {*net.variables_without_table}:
        return even
    joint = net.query([*rest, parent]).probabilities
    sums = joint.sum(axis=-1, keepdims=True)
    return np.divide(joint, sums, out=even, where=sums > 0)


def _check_size(variable: str, n_cells: int) -> None:
    if n_cells > LARGEST_TABLE:
        raise NetworkError(
            f"A table has at most {LARGEST_TABLE:,} cells, and that of {variable} would have "
            f"{n_cells:,}. Put a variable in between, or remove a parent first.",
            variable,
        )


# tables -------------------------------------------------------------------------------------------


def with_rows(
    net: BeliefNetwork, variable: str, rows: Sequence[Sequence[float]], normalise: bool = False
) -> BeliefNetwork:
    """The network with another table of a variable, given as a grid.

    rows      : a row for each combination of states of the parents, the last parent fastest, with a
        probability for each state
    normalise : divide each row by its sum, instead of refusing what does not sum to 1

    >>> from bayesic.datasets.networks import asia
    >>> with_rows(asia(), "lung", [[1, 4], [1, 9]], normalise=True).table("lung")["yes", "yes"]
    0.2
    """
    _check_network(net)
    check_normalise(normalise)
    states, parents = net.states(variable), net.parents(variable)
    by_parent = {parent: net.states(parent) for parent in parents}
    n_rows, grid = math.prod(map(len, by_parent.values())), _grid(variable, rows)
    if len(grid) != n_rows or any(len(row) != len(states) for row in grid):
        got = f"{len(grid)} rows of {', '.join(map(str, sorted({*map(len, grid)}))) or 0} numbers"
        raise NetworkError(
            f"The table of {variable} has {n_rows} rows of {len(states)} numbers, a row for each "
            f"combination of states of {listed(parents) if parents else 'no parents'} and a number "
            f"for each of {listed(states)}; got {got}.",
            variable,
        )
    numbers = as_numbers([number for row in grid for number in row], f"The table of {variable}")
    values = np.reshape(numbers, [*map(len, by_parent.values()), len(states)])
    table = conditional_table(variable, values, states, by_parent, normalise)
    return net.with_tables({variable: table.values})


def _grid(variable: str, rows: Iterable[Iterable[float]]) -> list[list[Any]]:
    try:
        grid = [list(row) for row in rows]
    except TypeError:
        grid = None
    if grid is None or any(np.ndim(number) for row in grid for number in row):
        raise TypeError(
            f"The table of {variable} is a list of rows, each a list of numbers; got {rows!r}."
        )
    return grid


def with_noisy_or(
    net: BeliefNetwork,
    variable: str,
    causes: Mapping[str, float],
    leak: float = 0.0,
    present: Mapping[str, State] | None = None,
) -> BeliefNetwork:
    """The network in which each parent can bring a variable about alone; see `noisy_or`.

    causes  : parent -> the probability that it brings the variable about if it alone is present
    leak    : the probability of the variable without any of them
    present : variable or parent -> the state that means present; by default True or 1, else the
        first one. Each has two states

    >>> from bayesic.datasets.networks import asia
    >>> net = with_noisy_or(asia(), "dysp", {"bronc": 0.8, "either": 0.7}, leak=0.1)
    >>> round(net.table("dysp")["yes", "no", "yes"], 4)  # 1 - 0.9 * 0.2
    0.82
    """
    _check_network(net)
    parents = net.parents(variable)
    if not isinstance(causes, Mapping) or {*causes} != {*parents}:
        given = listed([*causes]) if isinstance(causes, Mapping) else repr(causes)
        raise NetworkError(
            f"causes must have a probability for each parent of {variable}, which are "
            f"{listed(parents) or 'none'}; got {given}.",
            variable,
        )
    alone = as_numbers([causes[parent] for parent in parents], "causes")
    if alone.ndim != 1 or not ((alone >= 0) & (alone <= 1)).all():
        raise NetworkError(
            f"causes must be probabilities from 0 to 1, got {dict(causes)!r}.", variable
        )
    means = checked_mapping("present", present)
    pairs = {name: _present_first(net, name, means) for name in (variable, *parents)}
    order = [pairs[parent] for parent in parents]
    return net.with_tables({variable: noisy_or([*(1.0 - alone)], leak, pairs[variable], order)})


def _present_first(net: BeliefNetwork, variable: str, present: Mapping[str, object]) -> States:
    """The states of a variable, the one that means present first."""
    states = net.states(variable)
    if variable in present:
        first = number_of_state(present[variable], states, variable)
    else:
        first = states.index(1) if 1 in states else 0  # True is 1
    return (states[first], *states[:first], *states[first + 1 :])
