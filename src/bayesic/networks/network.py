"""Belief networks: variables with named states, a graph without cycles, a table for each."""

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesic.data.snapshots import answering
from bayesic.networks import graph
from bayesic.networks.answers import Answers
from bayesic.networks.engine.factors import Factors
from bayesic.networks.errors import NetworkError
from bayesic.networks.learnable import Learnable
from bayesic.networks.queries.model import NamedModel, with_sums_of_one
from bayesic.networks.show import network_headline, network_html, network_text
from bayesic.networks.states import (
    WITHOUT_ORDER,
    States,
    checked_states,
    checked_variable,
    listed,
    names_in,
    values_in,
)
from bayesic.networks.tables import ConditionalTable, conditional_table, states_of_mapping

if TYPE_CHECKING:
    from bayesic.data.archive import PathLike
    from bayesic.networks.structure.account import SearchAccount

Array = np.ndarray


class BeliefNetwork(Answers, Learnable):
    """A joint distribution, as a product over the variables given their parents.

        P(y_1, ..., y_n) = product over i of P(y_i | parents(Y_i))        [Mitchell] section 6.11.2

    edges     : pairs (parent, child); the parents of a variable keep this order
    tables    : variable -> its table: a mapping by names of states, or an array with one axis for
        each parent and the last for the variable; see `conditional_table`. A variable may have no
        table yet.
    states    : variable -> its states. Where they are left out, or None, they come from the table;
        without a table they are not known yet.
    normalise : divide each row of the tables by its sum, instead of refusing what does not sum to 1

    The variables have the order of `states`, then of `tables`, then of `edges`. States are texts,
    booleans or numbers. Variables and edges never change. `with_tables` gives another network;
    `fit` changes the tables of this one.

    >>> net = BeliefNetwork(
    ...     edges=[("Storm", "Campfire"), ("BusTourGroup", "Campfire")],
    ...     tables={
    ...         "Storm": {True: 0.25, False: 0.75},
    ...         "BusTourGroup": {True: 0.5, False: 0.5},
    ...         "Campfire": {
    ...             (True, True): {True: 0.4, False: 0.6},
    ...             (True, False): {True: 0.1, False: 0.9},
    ...             (False, True): {True: 0.8, False: 0.2},
    ...             (False, False): {True: 0.2, False: 0.8},
    ...         },
    ...     },
    ... )
    >>> print(net)
    BeliefNetwork: 3 variables, 2 edges, 6 free parameters
      Storm         True, False
      BusTourGroup  True, False
      Campfire      True, False  <- Storm, BusTourGroup
    >>> net.table("Campfire")[True, False]
    Distribution(Campfire={True: 0.1, False: 0.9})
    """

    search_: "SearchAccount"  # of learn_structure: how the edges were found

    def __init__(
        self,
        edges: Iterable[tuple[str, str]] = (),
        tables: Mapping[str, Any] | None = None,
        states: Mapping[str, Iterable[Any] | None] | None = None,
        normalise: bool = False,
    ) -> None:
        if not isinstance(normalise, (bool, np.bool_)):
            raise TypeError(f"normalise must be True or False, got {normalise!r}.")
        pairs = _checked_edges(edges)
        tables = _checked_mapping("tables", tables)
        states = _checked_mapping("states", states)
        ends = [variable for pair in pairs for variable in pair]
        parents: dict[str, list[str]] = {name: [] for name in [*states, *tables, *ends]}
        for parent, child in pairs:
            parents[child].append(parent)
        self._parents = {name: tuple(its_parents) for name, its_parents in parents.items()}
        self._order = graph.topological_order(self._parents)
        known = {
            name: _states_of(name, states, tables, bool(self._parents[name])) for name in parents
        }
        made = {
            name: conditional_table(
                name, tables[name], known[name], self._parent_states(name, known), normalise
            )
            for name in self._parents
            if name in tables
        }
        self._set_tables(known, made)

    def _set_tables(
        self, states: Mapping[str, States | None], tables: Mapping[str, ConditionalTable]
    ) -> None:
        """Keep these states and tables, all checked before, and drop what was computed of others.

        This is the one place where they change.
        """
        self._states = {name: states[name] for name in self._parents}
        self._tables = {name: tables[name] for name in self._parents if name in tables}
        self._compiled: list[NamedModel] = []  # what is made of these, shared by all snapshots

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_compiled": []}

    def _parent_states(
        self, variable: str, states_of: Mapping[str, States | None]
    ) -> dict[str, States]:
        known = {}
        for parent in self._parents[variable]:
            states = states_of[parent]
            if states is None:
                raise NetworkError(
                    f"The table of {variable} needs the states of its parent {parent}, which are "
                    f"not known. Give states={{{parent!r}: ['yes', 'no']}}.",
                    variable,
                )
            known[parent] = states
        return known

    # what it is made of -------------------------------------------------------------------------

    @property
    def variables(self) -> tuple[str, ...]:
        """The names of all variables."""
        return tuple(self._parents)

    @property
    def edges(self) -> list[tuple[str, str]]:
        """All pairs (parent, child): by child, in the order of the variables."""
        return [(parent, child) for child, its in self._parents.items() for parent in its]

    def states(self, variable: str) -> States:
        """The states of a variable, in their order."""
        states = self._states[self._known(variable)]
        if states is None:
            raise ValueError(
                f"The states of {variable} are not known yet. Give states={{{variable!r}: [...]}} "
                "or its table, or learn them from data."
            )
        return states

    def parents(self, variable: str) -> tuple[str, ...]:
        """The parents of a variable, in the order of the axes of its table."""
        return self._parents[self._known(variable)]

    def children(self, variable: str) -> tuple[str, ...]:
        """The children of a variable, in the order of the variables."""
        self._known(variable)
        return tuple(child for child, its in self._parents.items() if variable in its)

    def table(self, variable: str) -> ConditionalTable:
        """The conditional table of a variable: names, and numbers in `values`."""
        if self._known(variable) not in self._tables:
            raise ValueError(
                f"{variable} has no table yet. Give one with with_tables({{{variable!r}: ...}}), "
                "or learn it from data."
            )
        return self._tables[variable]

    @property
    def variables_without_table(self) -> tuple[str, ...]:
        """The variables whose table is missing, to be given or learned."""
        return tuple(name for name in self._parents if name not in self._tables)

    @property
    @answering
    def n_parameters(self) -> int:
        """How many numbers of its tables are free, whether they are there yet or not.

        sum over i of (states of Y_i - 1) product over its parents of their states
        """
        size = {name: len(self.states(name)) for name in self._parents}
        return sum(
            (size[name] - 1) * math.prod(size[parent] for parent in parents)
            for name, parents in self._parents.items()
        )

    @answering
    def with_tables(self, tables: Mapping[str, Any]) -> "BeliefNetwork":
        """The same network with these tables in place of its own.

        >>> rain = BeliefNetwork(states={"Rain": ["yes", "no"]})
        >>> rain.with_tables({"Rain": [0.25, 0.75]}).table("Rain")["yes"]
        0.25
        """
        new = _checked_mapping("tables", tables)
        for variable in new:
            self._known(variable)
        old = {name: table.values for name, table in self._tables.items() if name not in new}
        return BeliefNetwork(self.edges, {**old, **new}, self._states)

    # the graph ----------------------------------------------------------------------------------

    def topological_order(self) -> list[str]:
        """All variables, parents before children; otherwise in the order of the variables."""
        return list(self._order)

    def ancestors(self, variable: str) -> list[str]:
        """Parents of a variable, their parents and so on."""
        return graph.ancestors(self._parents, [self._known(variable)])

    def descendants(self, variable: str) -> list[str]:
        """Children of a variable, their children and so on."""
        return graph.descendants(self._parents, [self._known(variable)])

    def markov_blanket(self, variable: str) -> list[str]:
        """Parents, children and their other parents: all that matters where they are known."""
        return graph.markov_blanket(self._parents, self._known(variable))

    def d_separated(
        self,
        first: str | Iterable[str],
        second: str | Iterable[str],
        given: str | Iterable[str] = (),
    ) -> bool:
        """Whether the edges alone say that first and second are independent, given the third.

        Each is a variable or a list of them; see `graph.d_separated`.
        """
        groups = [self._group(variables) for variables in (first, second, given)]
        several = [*groups[0], *groups[1], *groups[2]]
        if len(set(several)) < len(several):
            raise ValueError(
                f"Ask about different variables, got {groups[0]} and {groups[1]} given {groups[2]}."
            )
        return graph.d_separated(self._parents, *groups)

    def _group(self, variables: str | Iterable[str]) -> list[str]:
        return [self._known(name) for name in names_in(variables)]

    def _known(self, variable: str) -> str:
        if not isinstance(variable, str) or variable not in self._parents:
            raise ValueError(
                f"There is no variable {variable!r} in the network. "
                f"It has {listed(self.variables) or 'none'}."
            )
        return variable

    # for inference and files --------------------------------------------------------------------

    @answering
    def factors(self) -> Factors:
        """One factor for each variable, its number last in the scope: the tables as they are."""
        return self._factors([self.table(name).values for name in self._parents])

    def _factors(self, tables: Sequence[Array]) -> Factors:
        number = {name: place for place, name in enumerate(self._parents)}
        return Factors(
            cardinalities=tuple(len(self.states(name)) for name in self._parents),
            scopes=tuple(
                (*(number[parent] for parent in its_parents), number[name])
                for name, its_parents in self._parents.items()
            ),
            tables=tuple(tables),
        )

    def _named_model(self) -> NamedModel:
        """What questions are asked of: made once, and again when tables change."""
        made = self._compiled
        return made[0] if made else self._made_model()

    @answering
    def _made_model(self) -> NamedModel:
        states = {name: self.states(name) for name in self._parents}
        missing = self.variables_without_table
        values = [
            np.ones([len(states[member]) for member in (*its_parents, name)])
            if name in missing
            else self._tables[name].values
            for name, its_parents in self._parents.items()
        ]
        model = NamedModel(
            states,
            with_sums_of_one(self._factors(values)),
            directed=True,
            without_table=frozenset(
                number for number, name in enumerate(self._parents) if name in missing
            ),
        )
        self._compiled.append(model)
        return model

    @answering
    def write(self, path: "PathLike") -> None:
        """Write the network to a file; its ending names the format. See docs/network-files.md."""
        from bayesic.networks.files.writing import write_network

        write_network(self, path)

    @answering
    def __eq__(self, other: object) -> bool:
        """Whether variables, states, parents and tables are the same, numbers bit for bit."""
        if not isinstance(other, BeliefNetwork):
            return NotImplemented
        return (
            list(self._parents.items()) == list(other._parents.items())
            and _typed(self._states) == _typed(other._states)
            and self._tables == other._tables
        )

    def __hash__(self) -> int:
        return hash(tuple(self._parents.items()))

    def __repr__(self) -> str:
        return f"<{network_headline(self)}>"

    @answering
    def __str__(self) -> str:
        return network_text(self)

    @answering
    def _repr_html_(self) -> str:
        return network_html(self)


def _checked_edges(edges: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    if isinstance(edges, WITHOUT_ORDER):
        raise NetworkError(
            f"edges must be a list of pairs (parent, child), got a {type(edges).__name__}: "
            "the parents of a variable have an order."
        )
    pairs: dict[tuple[str, str], None] = {}
    for edge in values_in(edges, "edges must be a list of pairs (parent, child)"):
        rule = "An edge is a pair (parent, child)"
        ends = () if isinstance(edge, str) else tuple(islice(values_in(edge, rule), 3))
        if len(ends) != 2:
            raise NetworkError(f"{rule}, got {edge!r}.")
        pair = (checked_variable(ends[0]), checked_variable(ends[1]))
        if pair in pairs:
            raise NetworkError(
                f"An edge is given once, got {pair[0]} -> {pair[1]} twice.", variable=pair[1]
            )
        pairs[pair] = None
    return list(pairs)


def _checked_mapping(name: str, given: Mapping[str, Any] | None) -> dict[str, Any]:
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise TypeError(
            f"{name} must be a mapping from variables, got {type(given).__name__}. "
            f"Write {name}={{'Storm': ...}}."
        )
    return {checked_variable(variable): value for variable, value in given.items()}


def _states_of(
    variable: str, states: Mapping[str, Any], tables: Mapping[str, Any], has_parents: bool
) -> States | None:
    if states.get(variable) is not None:
        return checked_states(variable, states[variable])
    if isinstance(tables.get(variable), Mapping):
        return states_of_mapping(variable, tables[variable], has_parents)
    return None


def _typed(states: Mapping[str, States | None]) -> list:
    """The states with their types: True, 1 and 1.0 are equal, but not the same state."""
    return [(name, [(type(state), state) for state in its or ()]) for name, its in states.items()]
