"""How many rows of each class come to the nodes of trees whose splits are held fixed."""

from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Self

import numpy as np

from bayesic.data.blocks import in_threads, row_blocks
from bayesic.data.columns import Categories, Cells, Numbers
from bayesic.data.tables import Table
from bayesic.kernels import Array, pick
from bayesic.kernels.forest import (
    CHILD,
    COLUMN,
    CUT,
    FOR_MISSING,
    LEAF,
    MISSING,
    STEPS_OF_A_ROW,
    Trees,
)
from bayesic.statistics.additive import (
    Immutable,
    check_counts,
    check_words,
    class_counts,
    counts_by_class,
    remaining,
    with_classes_placed,
    with_counts_faded,
)

ROWS_OF_A_BLOCK = 2**15  # at least, that are coded at once
MANY = 2**12  # numbers, for which it takes less time to compare all of them than to search for each
MOST_LEVELS = 250  # of a column: with gaps and levels that are not known, codes fit into a byte


@dataclass(frozen=True, eq=False)
class Forest(Immutable):
    """The splits of trees, and how the cells of a table become the codes that they ask for.

    The codes of a column are its bins or levels, then one for gaps, then one for other levels.
    """

    cuts: dict[str, tuple[float, ...]]  # numeric column -> where it is cut into bins
    levels: dict[str, tuple[str, ...]]  # column of categories -> its levels
    first_node: Array  # see Trees
    nodes: Array
    parents: Array
    ranks: Array
    n_rows: int  # that the trees were grown from
    seed: int  # of what was drawn

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns in the order of their numbers: numbers first, then categories."""
        return *self.cuts, *self.levels

    @property
    def n_codes(self) -> list[int]:
        """How many codes each column has."""
        n_bins = [len(cuts) + 1 for cuts in self.cuts.values()]
        return [number + 2 for number in (*n_bins, *map(len, self.levels.values()))]

    @property
    def trees(self) -> Trees:
        """The trees as the kernels take them."""
        first_code = np.cumsum([0, *self.n_codes])
        return Trees(self.first_node, self.nodes, self.parents, self.ranks, first_code)

    @property
    def n_trees(self) -> int:
        """How many there are."""
        return len(self.first_node) - 1

    def codes(self, table: Table) -> Array:
        """The codes of rows: uint8 (n_rows, n_columns)."""
        codes = np.empty((table.n_rows, len(self.columns)), np.uint8)
        of_columns = [
            self._codes_of(name, table.columns.get(name), n_codes)
            for name, n_codes in zip(self.columns, self.n_codes, strict=True)
        ]

        def fill(rows: slice) -> None:
            for column, codes_of in enumerate(of_columns):
                codes[rows, column] = codes_of(rows)

        for _ in in_threads(fill, row_blocks(*codes.shape, at_least=ROWS_OF_A_BLOCK)):
            pass
        return codes

    def _codes_of(
        self, name: str, cells: Cells | None, n_codes: int
    ) -> Callable[[slice], Array | int]:
        """What gives the codes of a column in some rows."""
        gap, other = n_codes - 2, n_codes - 1
        if isinstance(cells, Numbers):
            values, cuts = cells.values, self.cuts[name]
            return lambda rows: bins_of(values[rows], cuts, gap)
        if isinstance(cells, Categories):
            number = {level: code for code, level in enumerate(self.levels[name])}
            places = [number.get(level, other) for level in cells.levels]
            of_levels, its = np.array([*places, gap], np.uint8), cells.codes
            return lambda rows: of_levels[its[rows]]  # code -1 is the last
        return lambda rows: gap

    def kernels_for(self, n_rows: int) -> ModuleType:
        """What goes through all trees with this many rows."""
        return pick("forest", n_rows * self.n_trees * STEPS_OF_A_ROW)

    def is_same(self, other: "Forest") -> bool:
        """Whether the splits and codes are the same."""
        mine, theirs = vars(self), vars(other)
        return self is other or all(np.array_equal(mine[name], theirs[name]) for name in mine)

    def checked(self) -> Self:
        """This, if rows can go through it; a file made by hand may say anything."""
        for words in (tuple(sorted(self.columns)), *map(sorted, self.levels.values())):
            check_words("Columns and levels", tuple(words))
        if not all(np.all(np.diff(cuts) > 0) for cuts in self.cuts.values()):
            raise ValueError("The cuts of a column must be increasing numbers.")
        if max(self.n_codes, default=0) > MOST_LEVELS + 2:
            raise ValueError(f"A column must have at most {MOST_LEVELS} bins or levels.")
        if not all(type(number) is int and number >= 0 for number in (self.n_rows, self.seed)):
            raise ValueError("n_rows and seed of a forest must be whole numbers of 0 or more.")
        n_nodes = len(self.nodes)
        shapes = {
            "first_node": (np.int64, (self.n_trees + 1,)),
            "nodes": (np.int32, (n_nodes, 4)),
            "parents": (np.int32, (n_nodes,)),
            "ranks": (np.uint8, (self.n_trees, sum(self.n_codes))),
        }
        for name, (dtype, shape) in shapes.items():
            array = getattr(self, name)
            if array.dtype != dtype or array.shape != shape:
                raise ValueError(f"{name} of a forest must be {np.dtype(dtype)} of shape {shape}.")
        self._check_nodes()
        return self

    def _check_nodes(self) -> None:
        """Refuse children that do not follow their parents: a row would go round for ever."""
        first, n_nodes = self.first_node, len(self.nodes)
        if first[0] != 0 or first[-1] != n_nodes or (np.diff(first) < 1).any():
            raise ValueError("Every tree must have a node, and its nodes follow one another.")
        column, number = self.nodes[:, COLUMN], np.arange(n_nodes)
        expected = np.full(n_nodes, LEAF)
        is_split = column != LEAF
        for name, step in ((CHILD, 0), (CHILD, 1), (FOR_MISSING, 0)):
            parents = is_split if name == CHILD else self.nodes[:, FOR_MISSING] != LEAF
            child = self.nodes[parents, name].astype(np.int64) + step
            end = first[np.searchsorted(first, number[parents], side="right")]
            if ((child <= number[parents]) | (child >= end)).any():
                raise ValueError("Children must come behind their parents, in the same tree.")
            expected[child] = number[parents]
        if not np.array_equal(expected, self.parents):
            raise ValueError("parents must be those of which the nodes are children.")
        sizes = np.array([*self.n_codes, 0])
        if ((column < LEAF) | (column >= len(sizes) - 1)).any() or (
            is_split & ((self.nodes[:, CUT] < 0) | (self.nodes[:, CUT] >= MISSING - 1))
        ).any():
            raise ValueError("Nodes must ask for ranks of existing columns.")


def bins_of(values: Array, cuts: tuple[float, ...], gap: int) -> Array:
    """How many cuts are at most each number, gap if it is NaN: uint8, as values.

    >>> bins_of(np.array([0.5, 1.5, np.nan, 2.0]), cuts=(1.0, 2.0), gap=3)
    array([0, 1, 3, 2], dtype=uint8)
    """
    if len(values) < MANY:
        bins = np.searchsorted(cuts, values, side="right").astype(np.uint8)
    else:
        bins = np.zeros(len(values), np.uint8)
        for cut in cuts:
            bins += values >= cut
    bins[np.isnan(values)] = gap
    return bins


def nodes_by_depth(parents: Array) -> list[Array]:
    """The nodes of trees that are equally distant from their roots, from the roots on.

    parents : of each node, LEAF for a root

    >>> [nodes.tolist() for nodes in nodes_by_depth(np.array([-1, 0, 0, 1, -1, 4]))]
    [[0, 4], [1, 2, 5], [3]]
    """
    depth, above = (parents != LEAF).astype(np.uint16), np.maximum(parents, 0)
    while above.any():  # this many steps up to above, which is twice as far each time
        depth += depth[above]
        above = above[above]
    order = np.argsort(depth, kind="stable")
    return np.split(order, np.cumsum(np.bincount(depth))[:-1])


MOST_CELLS = 2**29  # of all nodes and classes


@dataclass(frozen=True, eq=False)
class ForestCounts(Immutable):
    """Rows of each class, and how many of them come to each node.

    What is not counted: which of the rows the splits were grown from. Counts of the same splits can
    be added and taken away.
    """

    class_count: Array  # (n_classes,)
    forest: Forest
    table: Array  # (n_nodes, n_classes), int64, float64 with weights

    @property
    def column_names(self) -> list[str]:
        """The columns that the trees ask for."""
        return list(self.forest.columns)

    def __add__(self, other: "ForestCounts") -> "ForestCounts":
        self._check_forest(other)
        class_count = self.class_count + other.class_count
        return ForestCounts(class_count, self.forest, self.table + other.table)

    def __sub__(self, other: "ForestCounts") -> "ForestCounts":
        self._check_forest(other)
        class_count = remaining(self.class_count, other.class_count)
        return ForestCounts(class_count, self.forest, remaining(self.table, other.table))

    def _check_forest(self, other: "ForestCounts") -> None:
        if not self.forest.is_same(other.forest):
            raise ValueError(
                "Counts can be put together only for the same trees, and these were grown from "
                "different rows. Fit one forest, and let copies of it learn with partial_fit."
            )

    def scaled(self, factor: float) -> "ForestCounts":
        """The same rows, each of which counts factor times as much, from 0 to 1."""
        return with_counts_faded(self, factor, "class_count", "table")

    def with_classes_at(self, positions: Array, n_classes: int) -> "ForestCounts":
        """The same counts in a wider list of classes, the old ones at these positions."""
        return with_classes_placed(self, positions, n_classes, class_count=0, table=1)

    def checked(self) -> Self:
        """This, if it can have come from counting; a file made by hand may say anything."""
        n_classes = len(self.class_count)
        check_counts("class_count", self.class_count, n_classes)
        self.forest.checked()
        check_counts("The counts of nodes", self.table, len(self.forest.nodes), n_classes)
        return self


def refuse_many_cells(n_trees: int, n_nodes: int, n_classes: int) -> None:
    """Refuse counts of every class at every node that would not fit into memory."""
    if n_nodes * n_classes > MOST_CELLS:
        raise ValueError(
            f"A forest of {n_trees} trees counts all {n_classes} classes at each node. That takes "
            f"more than {MOST_CELLS:,} counts here ({8 * MOST_CELLS / 1e9:.1f} GB), the most it can"
            " take. Use NaiveBayes, or grow fewer trees, as in BayesForest(n_trees=10)."
        )


def forest_counts(
    forest: Forest, table: Table, codes: Array, n_classes: int, weights: Array | None
) -> ForestCounts:
    """Count rows in all trees: some trees at a time, in threads."""
    refuse_many_cells(forest.n_trees, len(forest.nodes), n_classes)
    rows, trees, kernels = forest.codes(table), forest.trees, forest.kernels_for(table.n_rows)

    def of_trees(some: slice) -> Array:
        first, stop = forest.first_node[[some.start, some.stop]].tolist()
        nodes = kernels.stops(rows, trees, some).astype(np.int64) - first
        n_trees = some.stop - some.start
        each = None if weights is None else np.repeat(weights, n_trees)
        return counts_by_class(
            nodes.ravel(), stop - first, np.repeat(codes, n_trees), n_classes, each
        )

    blocks = row_blocks(forest.n_trees, table.n_rows)
    counts = np.concatenate([*in_threads(of_trees, blocks)])
    for level in reversed(nodes_by_depth(forest.parents)[1:]):
        above = forest.parents[level]
        begins = np.flatnonzero(np.append(True, above[1:] != above[:-1]))
        counts[above[begins]] += np.add.reduceat(counts[level], begins)
    return ForestCounts(class_counts(codes, weights, n_classes), forest, counts)
