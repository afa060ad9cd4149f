"""The way from the cells of a row to its answer, in steps: each knows the values of those before.

A model names the cells that it reads (`cell`), then values (`let`) and entries of tables (`entry`).
Small tables are choices within an expression, large ones are looked up in a step of their own.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from bayesic.export._expressions import Expression, LookupTable, NameOf, TableEntry, names_in
from bayesic.kernels import Array
from bayesic.kernels.forest import CHILD, COLUMN, CUT, FOR_MISSING, LEAF, MISSING, Trees
from bayesic.statistics.forest import nodes_by_depth

MOST_CHOICES = 40  # keys of a table that is small
MOST_TABLES = 50  # looked up in one step


@dataclass(frozen=True)
class Cell:
    """What a row has in a column: "number" or "category"; levels are those that were learned."""

    column: str
    holds: str
    levels: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Lookup:
    """The row of a table that a key leads to, under these names."""

    key: Expression
    table: LookupTable
    names: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Walk:
    """The nodes of trees at which the codes of a row make it stop, under these names."""

    trees: Trees
    codes: tuple[Expression, ...]
    names: tuple[str, ...]

    @property
    def roots(self) -> Array:
        """The node at which each tree begins."""
        return self.trees.first_node[:-1].astype(np.int64)

    @property
    def n_steps(self) -> int:
        """After so many all rows have stopped."""
        return len(nodes_by_depth(self.trees.parents)) - 1

    def tables(self) -> dict[str, Array]:
        """What a step asks of the node that a row is at; a leaf leads to itself.

        The rank of the code that the row has in `column` is ranks[first_rank + code]. MISSING leads
        to for_gap, UNKNOWN nowhere, at most cut to first, and others to first + 1.
        """
        trees = self.trees
        nodes, own = trees.nodes.astype(np.int64), np.arange(len(trees.nodes))
        is_leaf, of_gap = nodes[:, COLUMN] == LEAF, nodes[:, FOR_MISSING]
        column = np.where(is_leaf, 0, nodes[:, COLUMN])
        tree = np.searchsorted(trees.first_node, own, side="right") - 1
        return {
            "column": column,
            "first_rank": tree * trees.ranks.shape[1] + trees.first_code[column],
            "cut": np.where(is_leaf, MISSING, nodes[:, CUT]),
            "first": np.where(is_leaf, own, nodes[:, CHILD]),
            "for_gap": np.where(is_leaf | (of_gap == LEAF), own, of_gap),
            "ranks": trees.ranks.ravel().astype(np.int64),
        }


@dataclass(frozen=True, eq=False)
class ExportStep:
    """Values by name, entries of tables, ways down trees: from what earlier steps know."""

    values: dict[str, Expression] = field(default_factory=dict)
    looked: list[Lookup] = field(default_factory=list)
    walks: list[Walk] = field(default_factory=list)

    def names(self) -> set[str]:
        """The names that it needs."""
        keys = [each.key for each in self.looked]
        codes = [code for walk in self.walks for code in walk.codes]
        return {*names_in((*self.values.values(), *keys, *codes))}

    def made(self) -> list[str]:
        """The names that it makes."""
        others = [each.names for each in self.looked] + [each.names for each in self.walks]
        return [*self.values, *(name for names in others for name in names)]


class Steps:
    """Cells, and the steps so far.

    columns  : the names of the columns of the model
    can_walk : whether steps may be ways down trees
    """

    def __init__(self, columns: Sequence[str] = (), can_walk: bool = False) -> None:
        """Nothing is computed yet."""
        self.columns, self.can_walk = columns, can_walk
        self.cells: dict[str, Cell] = {}
        self._names: dict[Cell, str] = {}
        self.steps: list[ExportStep] = []
        self._n_values = 0

    def cell(self, column: str, holds: str, levels: Sequence[str] = ()) -> NameOf:
        """The cell of a column, which is read once."""
        wanted = Cell(column, holds, tuple(levels))
        if wanted not in self._names:
            self._names[wanted] = f"x{len(self.cells)}"
            self.cells[self._names[wanted]] = wanted
        return NameOf(self._names[wanted])

    def numbers(self) -> list[NameOf]:
        """The cells of all columns, for a model that takes a matrix of numbers."""
        return [self.cell(name, "number") for name in self.columns]

    def let(self, *expressions: Expression) -> tuple[NameOf, ...]:
        """The values of these, computed in a step; those that have a name are there already."""
        step = ExportStep()
        named = []
        for expression in expressions:
            if not isinstance(expression, NameOf):
                name = self._new_name()
                step.values[name] = expression
                expression = NameOf(name)
            named.append(expression)
        if step.values:
            self.steps.append(step)
        return tuple(named)

    def entries(
        self, keys: Iterable[tuple[Expression, LookupTable]]
    ) -> list[tuple[Expression, ...]]:
        """The numbers of the rows of tables that keys lead to."""
        found: list[tuple[Expression, ...]] = []
        step = ExportStep()
        for key, table in keys:
            n_numbers = len(table.otherwise)
            if len(table.keys) <= MOST_CHOICES:
                found.append(tuple(TableEntry(key, table, index) for index in range(n_numbers)))
                continue
            names = tuple(self._new_name() for _ in range(n_numbers))
            step.looked.append(Lookup(key, table, names))
            found.append(tuple(map(NameOf, names)))
            if len(step.looked) == MOST_TABLES:
                self.steps.append(step)
                step = ExportStep()
        if step.looked:
            self.steps.append(step)
        return found

    def walk(self, trees: Trees, codes: Sequence[Expression]) -> list[NameOf]:
        """The node at which a row stops, in each tree."""
        names = tuple(self._new_name() for _ in trees.first_node[1:])
        self.steps.append(ExportStep(walks=[Walk(trees, tuple(codes), names)]))
        return [*map(NameOf, names)]

    def _new_name(self) -> str:
        self._n_values += 1
        return f"v{self._n_values - 1}"
