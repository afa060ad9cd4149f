"""How often the states of variables occur together with those of their parents in a network."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Self

import numpy as np

from bayesic.data.blocks import in_threads
from bayesic.data.coded import Coded
from bayesic.data.distinct import category_name
from bayesic.data.states import States, in_order, numbers_among, numbers_in_order, united_states
from bayesic.kernels import Array
from bayesic.statistics.additive import (
    Immutable,
    check_counts,
    not_learned,
    whole_if_exact,
    with_counts_faded,
)
from bayesic.statistics.aligned import Part, laid_out, places_of_cells, sum_at, taken_at

Parents = Mapping[str, tuple[str, ...]]

LARGEST_TABLE = 2**26  # cells of all tables, 512 MB: what has more states than this is not a table


@dataclass(frozen=True, eq=False)
class FamilyCounts(Immutable):
    """Rows with each state of a variable and each states of its parents, for every variable.

    A family is a variable with its parents. States are in the order of `in_order`, and each of
    them occurs. So the same rows in any order and split give the same statistic. The counts of
    all families stand behind each other in one table, in the order of the variables: the states of
    the parents in front, those of the variable last and fastest.

    States are compared as text, and True is 1, as everywhere: see `data/states.py`.
    """

    parents: dict[str, tuple[str, ...]]  # variable -> its parents
    states: dict[str, States]  # variable -> its states
    table: Array  # (n_cells,), int64, float64 with weights

    @classmethod
    def empty(cls, parents: Parents) -> "FamilyCounts":
        """The zero of +: nothing was seen."""
        return cls(dict(parents), dict.fromkeys(parents, ()), np.zeros(0, np.int64))

    def tables(self, states: Mapping[str, States] | None = None) -> dict[str, Array]:
        """Variable -> its counts: (states of the first parent, ..., states of the variable).

        states : other states to count by, in any order, that hold all of these

        >>> sky = FamilyCounts({"sky": ()}, {"sky": ("rain", "sun")}, np.array([2, 5]))
        >>> sky.tables({"sky": ("sun", "snow", "rain")})
        {'sky': array([5, 0, 2])}
        """
        if states is None:
            return _tables(self.table, self.parents, self.states)
        places = self._places(self.parents, states)
        table = sum_at(n_cells(self.parents, states), (places, self.table))
        return _tables(table, self.parents, states)

    def __add__(self, other: "FamilyCounts") -> "FamilyCounts":
        _check_same_families(self.parents, other.parents)
        states = {name: united_states(mine, other.states[name]) for name, mine in self._items()}
        both = ((part._places(self.parents, states), part.table) for part in (self, other))
        return FamilyCounts(self.parents, states, sum_at(n_cells(self.parents, states), *both))

    def __sub__(self, other: "FamilyCounts") -> "FamilyCounts":
        _check_same_families(self.parents, other.parents)
        for name, mine in self._items():
            theirs = other.states[name]
            for state, number in zip(theirs, numbers_among(theirs, mine), strict=True):
                if number is None:
                    why = f"{state!r} was never seen in column {name!r}"
                    raise not_learned(why, "the rows")
        places = other._places(self.parents, self.states)
        table = taken_at(places, self.table, other.table)
        return FamilyCounts(self.parents, self.states, table).trimmed()

    def scaled(self, factor: float) -> "FamilyCounts":
        """The same rows, each of which counts factor times as much, from 0 to 1."""
        return with_counts_faded(self, factor, "table").trimmed()

    def _items(self) -> list[tuple[str, States]]:
        return list(self.states.items())

    def _places(self, parents: Parents, states: Mapping[str, States]) -> Array | None:
        """The index of each cell in the table of other states, which include all of these.

        parents : the same families, the variables in any order
        """
        same_order = list(parents) == list(self.parents)
        if same_order and all(mine == states[name] for name, mine in self._items()):
            return None
        numbers = {name: numbers_among(mine, states[name]) for name, mine in self._items()}
        return _places_in(parents, states, self.parents, numbers)

    def trimmed(self) -> "FamilyCounts":
        """The states that occur alone, in their order."""
        kept = {}
        for name, counts in self.tables().items():
            occurs = np.atleast_1d(counts.any(axis=tuple(range(counts.ndim - 1))))
            kept[name] = [n for n in numbers_in_order(self.states[name]) if occurs[n]]
        if all(kept[name] == [*range(len(mine))] for name, mine in self._items()):
            return self
        states = {name: tuple(mine[n] for n in kept[name]) for name, mine in self._items()}
        cells = _places_in(self.parents, self.states, self.parents, kept)
        return FamilyCounts(self.parents, states, self.table[cells])

    def checked(self) -> Self:
        """This, if it can have come from counting; a file made by hand may say anything."""
        known = set(self.parents)
        if set(self.states) != known or not all(known >= {*its} for its in self.parents.values()):
            raise ValueError("Families must be of variables that all have states.")
        for name, mine in self._items():
            if not all(type(state) in (str, bool, int, float) for state in mine):
                raise ValueError(f"States of {name!r} must be texts, booleans or numbers.")
            if mine != in_order(mine):
                raise ValueError(f"States of {name!r} must be in sorted order.")
            if len(set(map(category_name, mine))) < len(mine) or len(set(mine)) < len(mine):
                raise ValueError(f"States of {name!r} must be different.")
        check_counts("table", self.table, n_cells(self.parents, self.states))
        tables = self.tables()
        for name, counts in tables.items():
            for axis, member in enumerate((*self.parents[name], name)):
                own, here = _sums(tables[member], tables[member].ndim - 1), _sums(counts, axis)
                if not (own.all() and np.allclose(here, own, rtol=1e-6, atol=0)):
                    raise ValueError(
                        f"The counts of {name!r} and of {member!r} must be of the same rows, in "
                        "which each state occurs."
                    )
        return self


def family_counts(
    columns: Mapping[str, Coded], parents: Parents, weights: Array | None = None
) -> FamilyCounts:
    """Count the families of complete rows.

    >>> rows = {"sky": Coded(np.array([1, 0, 1]), ("sun", "rain")),
    ...     "wet": Coded(np.array([0, 1, 0]), (True, False))}
    >>> counts = family_counts(rows, {"sky": (), "wet": ("sky",)})
    >>> counts.states, counts.tables()["wet"].tolist()
    ({'sky': ('rain', 'sun'), 'wet': (False, True)}, [[0, 2], [1, 0]])
    """
    native = {name: columns[name].states for name in parents}
    if not n_cells(parents, native):  # no rows, so no states
        return FamilyCounts.empty(parents)
    if weights is None and len(next(iter(columns.values())).codes) == 1:
        return _counts_of_one(columns, parents)
    small = {name: _small(columns[name]) for name in parents}

    def counts_of(name: str) -> Array:
        return _counts_of((*parents[name], name), small, native, weights)

    counted = np.concatenate([*in_threads(counts_of, parents)])
    return FamilyCounts(dict(parents), native, counted).trimmed()


def counts_of_groups(
    groups: Mapping[str, tuple[Mapping[str, Coded], Array]], parents: Parents
) -> FamilyCounts:
    """The same from the different rows of each family, and how often each of them occurs.

    >>> sky = Coded(np.array([0, 1]), ("sun", "rain"))
    >>> counts_of_groups({"sky": ({"sky": sky}, np.array([2, 5]))}, {"sky": ()}).table
    array([5, 2])
    """
    native = {name: groups[name][0][name].states for name in parents}
    n_cells(parents, native)

    def counts_of(name: str) -> Array:
        family, (columns, times) = (*parents[name], name), groups[name]
        codes = {member: columns[member].numbered(native[member]) for member in family}
        if any(column.min(initial=0) < 0 for column in codes.values()):
            raise ValueError(f"The family of {name!r} has states that its members do not have.")
        return _counts_of(family, codes, native, times)

    counted = [*map(counts_of, parents)]
    if len({*(int(counts.sum()) for counts in counted)}) > 1:
        raise ValueError("The families must be of the same rows.")
    return FamilyCounts(dict(parents), native, np.concatenate(counted)).trimmed()


def _counts_of(
    family: Sequence[str],
    codes: Mapping[str, Array],
    states: Mapping[str, States],
    weights: Array | None,
) -> Array:
    """How often each combination of states of a family occurs, the last of them fastest.

    weights : of rows, or how often each occurs, if they are whole numbers by their type
    """
    n_of_family = prod(len(states[member]) for member in family)
    cells: Array = codes[family[0]].astype(_type_below(n_of_family))
    for member in family[1:]:
        cells *= cells.dtype.type(len(states[member]))
        cells += codes[member].astype(cells.dtype, copy=False)
    counted = np.bincount(cells, weights, minlength=n_of_family)
    are_times = weights is not None and weights.dtype.kind == "i"
    return whole_if_exact(counted) if are_times else counted


def _counts_of_one(columns: Mapping[str, Coded], parents: Parents) -> FamilyCounts:
    """Count the families of a single row: there is one cell for each."""
    states: dict[str, States] = {
        name: (columns[name].states[columns[name].codes.item()],) for name in parents
    }
    return FamilyCounts(dict(parents), states, np.ones(len(states), np.int64))


def _small(column: Coded) -> Array:
    """The codes in as few bytes as they fit into: less to read for each family."""
    return column.codes.astype(_type_below(len(column.states)), copy=False)


def _type_below(number: int) -> type:
    return np.uint8 if number < 2**8 else np.uint16 if number < 2**16 else np.int64


# tables -----------------------------------------------------------------------------------------


def n_cells(parents: Parents, states: Mapping[str, States]) -> int:
    """How many cells the tables of all families have; too many are refused."""
    total = 0
    for name, its_parents in parents.items():
        sizes = [len(states[member]) for member in (*its_parents, name)]
        total += prod(sizes)
        if total > LARGEST_TABLE:
            raise ValueError(
                f"The tables of a network have at most {LARGEST_TABLE} cells: that of {name!r} "
                f"needs {prod(sizes)}, with {sizes[-1]} states of its own and {sizes[:-1]} of its "
                "parents. Put numbers into bins first, or take away parents."
            )
    return total


def _families(parents: Parents) -> list[tuple[str, ...]]:
    return [(*its_parents, name) for name, its_parents in parents.items()]


def _places_in(
    parents: Parents,
    states: Mapping[str, States],
    own: Parents,
    numbers: Mapping[str, Sequence],
) -> Array:
    """The cells of some states, by their numbers, in the table of all states.

    own : the same families, in the order of the wanted cells
    """
    places = {name: np.array(some, np.intp) for name, some in numbers.items()}
    return places_of_cells(_families(own), places, _laid_out(parents, states))


def _laid_out(parents: Parents, states: Mapping[str, States]) -> Iterator[Part]:
    return laid_out(_families(parents), {name: len(its_own) for name, its_own in states.items()})


def _tables(table: Array, parents: Parents, states: Mapping[str, States]) -> dict[str, Array]:
    return {
        family[-1]: table[cells].reshape(shape)
        for family, shape, cells in _laid_out(parents, states)
    }


def _sums(counts: Array, axis: int) -> Array:
    return counts.sum(axis=tuple(other for other in range(counts.ndim) if other != axis))


def _check_same_families(mine: Parents, theirs: Parents) -> None:
    if dict(mine) != dict(theirs):
        other = sorted({*mine} ^ {*theirs}) or [name for name in mine if mine[name] != theirs[name]]
        raise ValueError(
            "Counts can be put together if they are of the same variables with the same parents in "
            f"the same order: these differ in {other[0]!r}."
        )
