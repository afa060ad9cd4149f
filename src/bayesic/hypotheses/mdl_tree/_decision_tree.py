"""A decision tree in arrays: what it asks, where rows go, how long it is, what of it to keep."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import NamedTuple, Self

import numpy as np

from bayesic.estimation.bins import choice_bits
from bayesic.hypotheses.mdl_tree._tree_growth import GAP, NONE, SAME_BITS, Nodes, exception_bits
from bayesic.kernels import Array
from bayesic.statistics.additive import check_counts


class DescriptionLength(NamedTuple):
    """Bits of a tree, and of the exceptions from it.

    >>> DescriptionLength(18.0, 5.5).total
    23.5
    """

    tree: float
    exceptions: float

    @property
    def total(self) -> float:
        """Bits of both."""
        return self.tree + self.exceptions


@dataclass(frozen=True, eq=False)
class DecisionTree:
    """The nodes of a tree; the root is number 0, the children of a node follow one another.

    A test on a number has a cut: its first child has the rows that are not above it. A test on a
    category has a child for each value, or asks for one value: its first child has that value. -2
    stands for none.
    """

    column: Array  # int64 (n_nodes,)  what the node asks for; -2 in leaves
    cut: Array  # float64 (n_nodes,)  NaN if no number is asked for
    value: Array  # int64 (n_nodes,)  the one level that is asked for, -1: a gap; or -2
    first_child: Array  # int64 (n_nodes,)
    n_children: Array  # int64 (n_nodes,)
    level: Array  # int64 (n_nodes,)  the level that leads here; 0 or 1 in tests with two sides
    test_bits: Array  # float64 (n_nodes,)  to name column and cut
    class_count: Array  # float64 (n_nodes, n_classes)

    @property
    def is_leaf(self) -> Array:
        """Which nodes are leaves."""
        return self.n_children == 0

    @property
    def n_leaves(self) -> int:
        """How many they are."""
        return int(self.is_leaf.sum())

    @property
    def length(self) -> DescriptionLength:
        """Bits of the tree and of its exceptions."""
        return tree_length(self.is_leaf, self.test_bits, self.class_count)

    def children(self, node: int) -> range:
        """The numbers of the children of a node."""
        first = int(self.first_child[node])
        return range(first, first + int(self.n_children[node]))

    def child_of(self, node: int, cells: Array) -> Array:
        """For each cell of the column that a node asks for, the number of the child it leads to.

        Gaps of numbers, and categories without a child, go to the child with most rows.
        """
        children = self.children(node)
        if self.value[node] != NONE:
            return np.where(cells == self.value[node], children[0], children[1])
        largest = children[int(self.class_count[children].sum(axis=1).argmax())]
        if not np.isnan(self.cut[node]):
            sides = np.where(cells <= self.cut[node], children[0], children[1])
            return np.where(np.isnan(cells), largest, sides)
        going = np.full(len(cells), largest)
        for child in children:
            going[cells == self.level[child]] = child
        return going

    def leaf_of(self, cells: Sequence[Array], n_rows: int) -> Array:
        """The number of the leaf of each row; cells of each column as `cells_of` gives them."""
        going = np.zeros(n_rows, dtype=np.int64)
        waiting = [(0, np.arange(n_rows))]
        while waiting:
            node, here = waiting.pop()
            going[here] = node
            if self.n_children[node] and len(here):
                to = self.child_of(node, cells[self.column[node]][here])
                waiting += [(child, here[to == child]) for child in self.children(node)]
        return going

    def arrays(self) -> dict[str, Array]:
        """All arrays by name, for a file."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def checked(self, sizes: Sequence[int], n_classes: int) -> Self:
        """The tree itself, if it can be one: a file may say anything.

        sizes : of each column, the number of levels, 0 for numbers
        """
        whole = {"column", "value", "first_child", "n_children", "level"}
        n_nodes = len(self.class_count)
        for name, array in self.arrays().items():
            shape = (n_nodes, n_classes) if name == "class_count" else (n_nodes,)
            dtype = np.int64 if name in whole else np.float64
            _require(array.shape == shape and array.dtype == dtype, f"{name} has another shape")
        check_counts("class_count of a tree", self.class_count, n_nodes, n_classes)
        bits = self.test_bits
        _require(np.isfinite(bits).all() and (bits >= 0).all(), "bits are no lengths")
        _require(n_nodes > 0 and (self.n_children >= 0).all(), "it has no nodes")
        inner = np.flatnonzero(self.n_children)
        ends = 1 + np.cumsum(self.n_children[inner])
        _require((self.first_child[inner] > inner).all(), "children come before their parents")
        follow = self.first_child[inner] == ends - self.n_children[inner]
        _require(follow.all() and 1 + self.n_children.sum() == n_nodes, "nodes have no parent")
        for node in inner.tolist():
            self._check_test(node, sizes)
        return self

    def _check_test(self, node: int, sizes: Sequence[int]) -> None:
        column, n_children = self.column[node], self.n_children[node]
        _require(0 <= column < len(sizes) and n_children >= 2, "a test asks for no column")
        is_number, value = sizes[column] == 0, self.value[node]
        _require(is_number == bool(np.isfinite(self.cut[node])), "numbers need a cut")
        if is_number or value != NONE:
            _require(n_children == 2, "a test with two sides has two children")
        if is_number:
            _require(value == NONE, "a number is asked for a level")
            return
        levels = self.level[self.children(node)] if value == NONE else np.array([value])
        in_range = ((levels >= GAP) & (levels < sizes[column])).all()
        _require(in_range and len(np.unique(levels)) == len(levels), "a level is not known")


def _require(holds: object, what: str) -> None:
    if not holds:
        raise ValueError(f"This is not a decision tree: {what}.")


def as_tree(nodes: Nodes, values: Sequence[Array | None]) -> DecisionTree:
    """The tree of these nodes, with cuts halfway between the values on both sides.

    values : of each numeric column, all different values in order; None for categories
    """
    n_nodes = len(nodes.column)
    cut, value = np.full(n_nodes, np.nan), np.full(n_nodes, NONE, dtype=np.int64)
    for node in np.flatnonzero(nodes.n_children).tolist():
        numbers = values[nodes.column[node]]
        if numbers is None:
            value[node] = nodes.below[node]
        else:
            below, above = numbers[nodes.below[node]], numbers[nodes.above[node]]
            halfway = 0.5 * below + 0.5 * above
            cut[node] = halfway if halfway < above else below  # rounding may reach the other side
    return DecisionTree(
        nodes.column,
        cut,
        value,
        nodes.first_child,
        nodes.n_children,
        nodes.level,
        nodes.test_bits,
        nodes.class_count,
    )


# how long it is ([QuinlanRivest]) -------------------------------------------------------------


def leaf_bits(n_classes: int) -> float:
    """Bits of a leaf: one that it is a leaf, and its class.

        1 + log2 K

    >>> leaf_bits(4)
    3.0
    """
    return 1.0 + choice_bits(n_classes)


def tree_length(is_leaf: Array, test_bits: Array, class_count: Array) -> DescriptionLength:
    """Bits of all nodes: one each for leaf or not, the tests, the classes of leaves; exceptions.

        L(T) = sum over tests of (1 + log2 columns + log2 cuts) + sum over leaves of (1 + log2 K)
        L(D | T) = sum over leaves of exception_bits

    is_leaf     : bool (n_nodes,)
    test_bits   : (n_nodes,), to name column and cut
    class_count : (n_nodes, n_classes)

    >>> stump, tests = np.array([False, True, True]), np.array([2.0, 0.0, 0.0])
    >>> tree_length(stump, tests, np.array([[3.0, 1.0], [3.0, 0.0], [0.0, 1.0]]))
    DescriptionLength(tree=7.0, exceptions=1.0)
    """
    of_leaves = is_leaf.sum() * leaf_bits(class_count.shape[1])
    tree = (1.0 + test_bits[~is_leaf]).sum() + of_leaves
    return DescriptionLength(float(tree), float(exception_bits(class_count[is_leaf]).sum()))


# the part with the shortest description -------------------------------------------------------


def pruned(nodes: Nodes, exception_weight: float) -> Nodes:
    """The tree without the tests that do not pay for themselves.

    Lengths are sums over the nodes. So each node, from the leaves up, keeps the shorter of the two:
    itself as a leaf, or its test with the shortest trees behind it. No other way to cut branches
    off gives a shorter description.
    """
    return _part(nodes, _shortest(nodes, exception_weight))


def _shortest(nodes: Nodes, exception_weight: float) -> Array:
    """Which nodes are leaves in the shortest tree: bool (n_nodes,)."""
    own = leaf_bits(nodes.class_count.shape[1])
    as_leaf = own + exception_weight * exception_bits(nodes.class_count)
    bits, is_leaf = as_leaf.copy(), np.ones(len(as_leaf), dtype=bool)
    for node in np.flatnonzero(nodes.n_children)[::-1].tolist():
        first = nodes.first_child[node]
        behind = bits[first : first + nodes.n_children[node]].sum()
        as_test = 1.0 + nodes.test_bits[node] + behind
        if as_test < as_leaf[node] - SAME_BITS:
            bits[node], is_leaf[node] = as_test, False
    return is_leaf


def _part(nodes: Nodes, is_leaf: Array) -> Nodes:
    """The nodes down to those that are leaves now; children still follow one another."""
    kept = np.zeros(len(is_leaf), dtype=bool)
    kept[0] = True
    for node in range(len(is_leaf)):
        if kept[node] and not is_leaf[node]:
            first = nodes.first_child[node]
            kept[first : first + nodes.n_children[node]] = True
    new_index = np.cumsum(kept) - 1
    here, leaves = np.flatnonzero(kept), is_leaf[kept]
    part = Nodes(*(array[here] for array in nodes))
    first_child = np.where(leaves, NONE, new_index[np.maximum(part.first_child, 0)])
    return part._replace(
        column=np.where(leaves, NONE, part.column),
        below=np.where(leaves, NONE, part.below),
        above=np.where(leaves, NONE, part.above),
        first_child=first_child,
        n_children=np.where(leaves, 0, part.n_children),
        test_bits=np.where(leaves, 0.0, part.test_bits),
    )
