"""Conditional probability tables: checked, named, and read by the names of states."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesic.data.arguments import as_numbers
from bayesic.data.spelling import spelt
from bayesic.data.states import States
from bayesic.evidence.shown_tables import as_frame
from bayesic.kernels import Array
from bayesic.networks.distribution import Distribution
from bayesic.networks.network_text import table_html, table_text
from bayesic.networks.variable_names import NetworkError, checked_states, listed, number_of_state
from bayesic.statistics.additive import Immutable

if TYPE_CHECKING:
    import pandas as pd


# Files round: the tables of the public networks sum to 1 within 3e-7. Sums further off than this
# are mistakes, or ask for normalise=True.
TOLERANCE = 1e-6


@dataclass(frozen=True, eq=False, repr=False)
class ConditionalTable(Immutable):
    """P(variable | parents): a probability for each state and each states of the parents.

    `table[states of the parents]` is the distribution under these; `table[states of the parents,
    state]` is one probability. Without parents that is `table[()]` and `table[state]`.

    >>> fire = conditional_table("Campfire", {"rain": {"yes": 0.1, "no": 0.9},
    ...                                       "sun": {"yes": 0.4, "no": 0.6}},
    ...                          parents={"Weather": ("rain", "sun")})
    >>> fire["sun", "yes"], fire["sun"]
    (0.4, Distribution(Campfire={'yes': 0.4, 'no': 0.6}))
    >>> print(fire)
    P(Campfire | Weather)
      Weather     yes      no
      rain     0.1000  0.9000
      sun      0.4000  0.6000
    """

    variable: str
    states: States
    parents: tuple[str, ...]
    parent_states: tuple[States, ...]
    values: Array  # (states of the first parent, ..., states of the variable)

    def __getitem__(self, key: object) -> Any:
        names = key if isinstance(key, tuple) else (key,)
        missing = len(self.parents) + 1 - len(names)
        if missing not in (0, 1):
            raise NetworkError(
                f"A row of {self.headline()} is named by the states of its {len(self.parents)} "
                f"parents, a number in it by one more of {self.variable}; got {key!r}.",
                self.variable,
            )
        axes = [*zip(self.parent_states, self.parents, strict=True), (self.states, self.variable)]
        index = tuple(
            number_of_state(name, states, variable)
            for name, (states, variable) in zip(names, axes, strict=False)
        )
        if not missing:
            return float(self.values[index])
        given_states = [states[number] for (states, _), number in zip(axes, index, strict=False)]
        given = dict(zip(self.parents, given_states, strict=True))
        return Distribution((self.variable,), (self.states,), self.values[index], given)

    def rows(self) -> Iterator[tuple[States, Array]]:
        """The states of the parents, and the probabilities under them, the last parent fastest."""
        return zip(product(*self.parent_states), self.values.reshape(self.n_rows, -1), strict=True)

    @property
    def n_rows(self) -> int:
        """How many combinations of states the parents have."""
        return math.prod(self.values.shape[:-1])

    @property
    def n_parameters(self) -> int:
        """How many of the numbers are free: each row has one less than it has states."""
        return self.n_rows * (len(self.states) - 1)

    def headline(self) -> str:
        """What it is the table of, as P(Campfire | Storm, BusTourGroup)."""
        given = f" | {', '.join(self.parents)}" if self.parents else ""
        return f"P({self.variable}{given})"

    def __eq__(self, other: object) -> bool:
        """Whether all names are the same, and all numbers bit for bit."""
        if not isinstance(other, ConditionalTable):
            return NotImplemented
        return self._names() == other._names() and np.array_equal(self.values, other.values)

    def __hash__(self) -> int:
        return hash(self._names())

    def _names(self) -> tuple:
        # types as well: True, 1 and 1.0 are equal, but not the same state
        return (
            self.variable,
            self.parents,
            self.values.shape,
            tuple((type(state), state) for states in self._all_states() for state in states),
        )

    def _all_states(self) -> tuple[States, ...]:
        return (*self.parent_states, self.states)

    def __repr__(self) -> str:
        return f"ConditionalTable({self.headline()[2:-1]}, shape={self.values.shape})"

    def to_dict(self) -> dict[str, Any]:
        """Names, and a record for each combination of states of the parents, for JSON."""
        return {
            "variable": self.variable,
            "parents": list(self.parents),
            "states": list(self.states),
            "rows": [
                {
                    "given": dict(zip(self.parents, states, strict=True)),
                    "probabilities": dict(zip(map(str, self.states), shares.tolist(), strict=True)),
                }
                for states, shares in self.rows()
            ],
        }

    def to_pandas(self) -> "pd.DataFrame":
        """A row for each combination of states of the parents, a column for each state."""
        return as_frame(
            [{**row["given"], **row["probabilities"]} for row in self.to_dict()["rows"]]
        )

    def __str__(self) -> str:
        return table_text(self)

    def _repr_html_(self) -> str:
        return table_html(self)


def conditional_table(
    variable: str,
    table: object,
    states: States | None = None,
    parents: Mapping[str, States] | None = None,
    normalise: bool = False,
) -> ConditionalTable:
    """A table as it is written in Python, checked.

    table     : {"yes": 0.2, "no": 0.8} without parents; {("rain", "high"): {"yes": ...}, ...} with
        them, keyed by their states in the order of `parents` (for one parent also by its state
        alone); or an array, one axis for each parent and the last for the variable
    states    : of the variable; None takes them from the mapping, in its order
    parents   : name -> states of each parent
    normalise : divide each row by its sum, instead of refusing what does not sum to 1

    Numbers are kept as they are given. The sum of each row may be off by 1e-6: files round.
    """
    parents = parents or {}
    if isinstance(table, Mapping):
        if states is None:
            states = _states_of_mapping(variable, table, bool(parents))
        values = _from_mapping(variable, table, states, parents)
    elif states is None:
        raise NetworkError(
            f"The table of {variable} is an array, which has no names. "
            f"Give them too: states={{{variable!r}: ['yes', 'no']}}.",
            variable,
        )
    else:
        values = np.array(as_numbers(table, f"The table of {variable}"), order="C")  # a copy
    result = ConditionalTable(variable, states, tuple(parents), tuple(parents.values()), values)
    _check_shape(result)
    _check_numbers(result)
    return _normalised(result) if normalise else _with_sums_of_one(result)


def checked_tables(
    parents: Mapping[str, tuple[str, ...]],
    tables: Mapping[str, object],
    states: Mapping[str, object],
    normalise: bool,
) -> tuple[dict[str, States | None], dict[str, ConditionalTable]]:
    """The states of all variables, None where they are not known yet, and the tables there are.

    parents : of every variable, in the order of the axes of its table
    states  : where they are left out, or None, they come from the table
    """
    states_of: dict[str, States | None] = {}
    for name, its_parents in parents.items():
        table = tables.get(name)
        if states.get(name) is not None:
            states_of[name] = checked_states(name, states[name])
        elif isinstance(table, Mapping):
            states_of[name] = _states_of_mapping(name, table, bool(its_parents))
        else:
            states_of[name] = None
    made = {
        name: conditional_table(
            name,
            tables[name],
            states_of[name],
            _parent_states(name, its_parents, states_of),
            normalise,
        )
        for name, its_parents in parents.items()
        if name in tables
    }
    return states_of, made


def _parent_states(
    variable: str, parents: Sequence[str], states_of: Mapping[str, States | None]
) -> dict[str, States]:
    known_states = {}
    for parent in parents:
        states = states_of[parent]
        if states is None:
            raise NetworkError(
                f"The table of {variable} needs the states of its parent {parent}, which are "
                f"not known. Give states={{{parent!r}: ['yes', 'no']}}.",
                variable,
            )
        known_states[parent] = states
    return known_states


# mappings ---------------------------------------------------------------------------------------


def _states_of_mapping(variable: str, table: Mapping[object, object], has_parents: bool) -> States:
    """The states of the variable that a nested mapping tells, in its order."""
    row = next(iter(table.values()), None) if has_parents else table
    if not isinstance(row, Mapping) or any(isinstance(value, Mapping) for value in row.values()):
        raise _wrong_nesting(variable, has_parents)
    return checked_states(variable, row)


def _from_mapping(
    variable: str, table: Mapping[object, object], states: States, parents: Mapping[str, States]
) -> Array:
    shape = (*map(len, parents.values()), len(states))
    if not parents:
        return _row_values(variable, table, states, "")
    rows = {}
    for key, row in table.items():
        if not isinstance(row, Mapping):
            raise _wrong_nesting(variable, has_parents=True)
        names = key if isinstance(key, tuple) else (key,)
        if len(names) != len(parents):
            raise NetworkError(
                f"The rows of the table of {variable} are keyed by a state of each of its parents "
                f"{listed(tuple(parents))}, got {key!r}.",
                variable,
            )
        index = tuple(map(number_of_state, names, parents.values(), parents))
        if index in rows:
            raise NetworkError(f"The table of {variable} has two rows for {key!r}.", variable)
        rows[index] = _row_values(variable, row, states, f" in the row {key!r}")
    _check_all_rows(variable, rows, parents)
    values = np.empty(shape)
    for index, numbers in rows.items():
        values[index] = numbers
    return values


def _row_values(variable: str, row: Mapping[object, object], states: States, where: str) -> Array:
    missing = [state for state in states if state not in row]
    unknown = [state for state in row if state not in states]
    if missing or unknown:
        raise NetworkError(
            f"The table of {variable} must name each of its states {listed(states)}{where}: "
            f"missing {missing}, unknown {unknown}.",
            variable,
        )
    values = as_numbers([row[state] for state in states], f"The table of {variable}")
    if values.ndim != 1:
        raise _wrong_nesting(variable, has_parents=bool(where))
    return values


def _check_all_rows(variable: str, rows: Mapping, parents: Mapping[str, States]) -> None:
    expected = math.prod(map(len, parents.values()))
    if len(rows) == expected:
        return
    every = product(*(range(len(states)) for states in parents.values()))
    first = next(islice((index for index in every if index not in rows), 1))
    names = tuple(states[number] for states, number in zip(parents.values(), first, strict=True))
    raise NetworkError(
        f"The table of {variable} needs a row for each combination of states of its parents: "
        f"{expected} rows, got {len(rows)}; there is none for {names!r}.",
        variable,
    )


def _wrong_nesting(variable: str, has_parents: bool) -> NetworkError:
    if has_parents:
        way = "it has parents, so give {states of the parents: {state: probability}}"
    else:
        way = "it has no parents, so give {state: probability}, or the edges that are missing"
    return NetworkError(f"The table of {variable} is nested in the wrong way: {way}.", variable)


# checks -----------------------------------------------------------------------------------------


def check_normalise(normalise: object) -> None:
    """Refuse anything but True and False."""
    if not isinstance(normalise, (bool, np.bool_)):
        raise TypeError(f"normalise must be True or False, got {normalise!r}.")


def _check_shape(table: ConditionalTable) -> None:
    expected = tuple(map(len, table._all_states()))
    if table.values.shape != expected:
        axes = ", ".join([*table.parents, table.variable])
        raise NetworkError(
            f"The table of {table.variable} must have the shape {expected}, one axis for each of "
            f"{axes}; got {table.values.shape}.",
            table.variable,
        )


def _check_numbers(table: ConditionalTable) -> None:
    values = table.values
    # this way round a NaN does not pass
    if not (values.min() >= 0 and values.max() < np.inf):
        index = np.argwhere(~((values >= 0) & (values < np.inf)))[0]
        raise NetworkError(
            f"Probabilities must be finite and 0 or more, got {values[tuple(index)]} in "
            f"{_row_name(table, index)}.",
            table.variable,
        )


def _with_sums_of_one(table: ConditionalTable) -> ConditionalTable:
    sums = table.values.sum(axis=-1)
    wrong = np.abs(sums - 1.0) > TOLERANCE
    if wrong.any():
        index = np.argwhere(wrong)[0]
        raise NetworkError(
            f"{_row_name(table, index)} must sum to 1, got {sums[tuple(index)]}. "
            f"Correct it, or divide by the sums with {spelt('normalise=True')}.",
            table.variable,
        )
    return table


def _normalised(table: ConditionalTable) -> ConditionalTable:
    with np.errstate(over="ignore"):
        sums = table.values.sum(axis=-1, keepdims=True)
    wrong = ~((sums[..., 0] > 0) & (sums[..., 0] < np.inf))
    if wrong.any():
        index = np.argwhere(wrong)[0]
        raise NetworkError(
            f"{_row_name(table, index)} cannot be divided by its sum, "
            f"which is {sums[tuple(index)][0]}.",
            table.variable,
        )
    return replace(table, values=table.values / sums)


def _row_name(table: ConditionalTable, index: Sequence[int]) -> str:
    """The row of the table with this index, as P(Campfire | Storm=True)."""
    given = ", ".join(
        f"{parent}={states[number]}"
        for parent, states, number in zip(table.parents, table.parent_states, index, strict=False)
    )
    return f"P({table.variable} | {given})" if given else f"P({table.variable})"
