"""From the cliques of a small tree to the flat arrays of `kernels/passes.py`."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from bayesic.kernels import Array
from bayesic.kernels.passes import (
    CLIQUE,
    FIRST_AXIS,
    FIRST_CELL,
    FIRST_CHILD,
    FIRST_IN,
    FIRST_MET,
    FIRST_VARIABLE,
    INDEX,
    PARENT,
    SEPARATOR,
    AnswerCells,
    CliqueLevel,
    CliqueTables,
    Links,
    Passes,
    Sets,
)
from bayesic.kernels.trees import CHILDREN, FACTORS, CliquePlan
from bayesic.networks._engine.cliques import CliqueTree
from bayesic.networks._engine.plan import separator_of, smallest_holders, strides_in, table_size


class _Table(NamedTuple):
    """A table of some variables, in row-major order, that stands in a row with others."""

    variables: tuple[int, ...]
    n_cells: int
    first: int  # where it begins


class FlatTree:
    """The tables of the cliques in a row, level by level from the root on, and so the messages."""

    def __init__(self, tree: CliqueTree, sizes: Sequence[int]) -> None:
        self.parents, self.sizes = tree.parents, sizes
        self.children: list[list[int]] = [[] for _ in tree.cliques]
        depths = [0]
        for clique, parent in enumerate(tree.parents[1:], start=1):
            self.children[parent].append(clique)
            depths.append(depths[parent] + 1)
        # those with most children first: so those that have a second child follow each other
        self.order = sorted(
            range(len(depths)), key=lambda clique: (depths[clique], -len(self.children[clique]))
        )
        self.levels: list[list[int]] = [[] for _ in range(max(depths) + 1)]
        for clique in self.order:
            self.levels[depths[clique]].append(clique)
        self.cliques = self._in_a_row(tree.cliques)
        self.messages = self._in_a_row([separator_of(tree, c) for c in range(len(depths))])

    def _in_a_row(self, scopes: Sequence[tuple[int, ...]]) -> list[_Table]:
        tables, first = {}, 0
        for clique in self.order:
            n_cells = table_size(scopes[clique], self.sizes)
            tables[clique] = _Table(scopes[clique], n_cells, first)
            first += n_cells
        return [tables[clique] for clique in range(len(scopes))]

    @cached_property
    def passes(self) -> Passes:
        """The arrays of both passes."""
        index = {clique: number for number, clique in enumerate(self.order)}
        return Passes(
            tuple(self._level(cliques) for cliques in self.levels),
            np.array([index[max(self.parents[clique], 0)] for clique in self.order], np.intp),
            np.array([self.messages[clique].first for clique in self.order], np.intp),
            tuple(self._home(variable) for variable in range(len(self.sizes))),
        )

    def _level(self, cliques: list[int]) -> CliqueLevel:
        tables = [self.cliques[clique] for clique in cliques]
        messages = [self.messages[clique] for clique in cliques]
        above = [self.cliques[max(self.parents[clique], 0)] for clique in cliques]
        lengths = [message.n_cells for message in messages]
        cells_above, first_above = self._sums(above, [message.variables for message in messages])
        n_summed = np.repeat(
            [t.n_cells // m for t, m in zip(tables, lengths, strict=True)], lengths
        )
        return CliqueLevel(
            cells=_slice(tables),
            messages=_slice(messages),
            children=tuple(self._children(cliques)),
            first_cell=_begins(n_summed),
            first_message_cell=_begins(lengths),
            clique=np.repeat(np.arange(len(cliques)), lengths),
            message_cell=np.repeat(np.arange(len(n_summed)), n_summed),
            above=cells_above,
            first_above=first_above,
        )

    def _children(self, cliques: list[int]) -> Iterator[tuple[slice, Array]]:
        """Cells and what they meet: of the cliques that have a first child, then a second, ..."""
        for number in range(len(self.children[cliques[0]])):
            some = [clique for clique in cliques if len(self.children[clique]) > number]
            tables = [self.cliques[clique] for clique in some]
            children = [self.messages[self.children[clique][number]] for clique in some]
            met = [
                child.first + self._indices(table.variables, child.variables)
                for table, child in zip(tables, children, strict=True)
            ]
            yield _slice(tables), np.concatenate(met)

    def _home(self, variable: int) -> tuple[slice, int, int]:
        """The smallest clique with the variable, its states, and the cells between two of them."""
        holders = (table for table in self.cliques if variable in table.variables)
        table = min(holders, key=lambda table: table.n_cells)
        (stride,) = strides_in([variable], table.variables, self.sizes)
        return _slice([table]), self.sizes[variable], stride

    def asked(self, scopes: Sequence[Sequence[int]]) -> AnswerCells:
        """Where the posteriors of these sets of variables are: each in the smallest table."""
        n_cells = sum(table.n_cells for table in self.cliques)
        messages = [table._replace(first=n_cells + table.first) for table in self.messages[1:]]
        tables = self._smallest([*self.cliques, *messages], scopes)
        lengths = [table_size(scope, self.sizes) for scope in scopes]
        which = np.repeat(np.arange(len(lengths)), lengths)
        return AnswerCells(*self._sums(tables, scopes), _begins(lengths), which)

    @cached_property
    def links(self) -> Links:
        """The arrays of the compiled kernels."""
        index = {clique: number for number, clique in enumerate(self.order)}
        tables = [self.cliques[clique] for clique in self.order]
        messages = [self.messages[clique] for clique in self.order]
        children = [self.children[clique] for clique in self.order]
        parents = [index[max(self.parents[clique], 0)] for clique in self.order]
        own = [
            message.first + self._indices(table.variables, message.variables)
            for table, message in zip(tables, messages, strict=True)
        ]
        met = [
            message.first + self._indices(tables[parent].variables, message.variables)
            for parent, message in zip(parents, messages, strict=True)
        ]
        columns = np.zeros((len(tables) + 1, 6), np.int64)
        columns[1:, FIRST_CELL] = np.cumsum([table.n_cells for table in tables])
        columns[1:, FIRST_AXIS] = np.cumsum([len(table.variables) for table in tables])
        columns[1:, FIRST_CHILD] = np.cumsum([len(its) for its in children])
        columns[1:, FIRST_MET] = np.cumsum([len(its) for its in met])
        columns[:-1, SEPARATOR] = [len(message.variables) for message in messages]
        columns[:-1, PARENT] = parents
        axes = [
            pair
            for table in tables
            for pair in zip(
                table.variables,
                strides_in(table.variables, table.variables, self.sizes),
                strict=True,
            )
        ]
        return Links(
            np.array(self.sizes, np.int64),
            columns,
            np.array(axes, np.int64).reshape(-1, 2),
            np.array([index[child] for its in children for child in its], np.int64),
            np.concatenate(own).astype(np.uint32),
            np.concatenate(met).astype(np.uint32),
        )

    def sets(self, scopes: Sequence[Sequence[int]]) -> Sets:
        """Where the compiled kernels find the posteriors of these sets of variables."""
        index = {
            table.first: number
            for number, table in enumerate(self.cliques[clique] for clique in self.order)
        }
        tables = self._smallest(self.cliques, scopes)
        lengths = [table_size(scope, self.sizes) for scope in scopes]
        columns = np.zeros((len(scopes) + 1, 4), np.int64)
        columns[:-1, CLIQUE] = [index[table.first] for table in tables]
        columns[1:, INDEX] = np.cumsum(lengths)
        columns[1:, FIRST_VARIABLE] = np.cumsum([len(scope) for scope in scopes])
        columns[1:, FIRST_IN] = np.cumsum([table.n_cells for table in tables])
        pairs = [pair for s in scopes for pair in zip(s, strides_in(s, s, self.sizes), strict=True)]
        cells = [
            first + self._indices(table.variables, scope)
            for first, table, scope in zip(columns[:, INDEX].tolist(), tables, scopes, strict=False)
        ]
        return Sets(
            columns,
            np.array(pairs, np.int64).reshape(-1, 2),
            np.concatenate([np.empty(0, np.int64), *cells]).astype(np.uint32),
        )

    def _smallest(self, tables: Sequence[_Table], scopes: Sequence[Sequence[int]]) -> list[_Table]:
        """The smallest of the tables that has all variables of each scope."""
        numbers = smallest_holders([table.variables for table in tables], scopes, self.sizes)
        return [tables[number] for number in numbers]

    def _sums(
        self, tables: Sequence[_Table], scopes: Sequence[Sequence[int]]
    ) -> tuple[Array, Array]:
        """The cells of each table, sorted by the cell of the scope, and where each such begins."""
        cells, lengths = [np.empty(0, np.intp)], [np.empty(0, np.intp)]
        for table, scope in zip(tables, scopes, strict=True):
            rest = [variable for variable in table.variables if variable not in scope]
            cells.append(table.first + self._indices([*scope, *rest], table.variables))
            n_cells = table_size(scope, self.sizes)
            lengths.append(np.full(n_cells, table.n_cells // n_cells))
        return np.concatenate(cells), _begins(np.concatenate(lengths))

    def _indices(self, axes: Sequence[int], variables: Sequence[int]) -> Array:
        """For each cell of a table with these axes the cell of a table of the variables."""
        strides = strides_in(axes, variables, self.sizes)
        return _offsets([self.sizes[axis] for axis in axes], strides)

    def tables(self, plan: CliquePlan) -> CliqueTables:
        """The product of what each clique holds."""
        products, lows = [], []
        for clique in self.order:
            axes = [self.sizes[variable] for variable in self.cliques[clique].variables]
            product, low = np.ones(self.cliques[clique].n_cells), 0
            for index, first, part_low in plan.parts[
                plan.cliques[clique, FACTORS] : plan.cliques[clique, CHILDREN]
            ]:
                strides = plan.strides[first : first + len(axes)].tolist()
                product *= plan.tables.take(index + _offsets(axes, strides))
                low += part_low
            products.append(product)
            lows.append(low)
        return CliqueTables(np.concatenate(products), np.array(lows, np.int64))


def _offsets(sizes: Sequence[int], strides: Sequence[int]) -> Array:
    """How far each cell is from the first one, in row-major order.

    >>> _offsets([2, 3], [1, 10])
    array([ 0, 10, 20,  1, 11, 21])
    """
    offsets = np.zeros(1, np.intp)
    for size, stride in zip(reversed(sizes), reversed(strides), strict=True):
        offsets = np.add.outer(stride * np.arange(size), offsets).ravel()
    return offsets


def _slice(tables: Sequence[_Table]) -> slice:
    """All cells of tables that follow each other."""
    return slice(tables[0].first, tables[-1].first + tables[-1].n_cells)


def _begins(lengths: Sequence[int] | Array) -> Array:
    """Where each begins of so long pieces in a row.

    >>> _begins([3, 1, 2])
    array([0, 3, 4])
    """
    return np.cumsum(lengths, dtype=np.intp) - np.asarray(lengths, np.intp)
