"""From a tree that is grown out to the part of it with the shortest description."""

import numpy as np

from bayesic.hypotheses.mdl_tree.code_lengths import leaf_bits
from bayesic.kernels import Array
from bayesic.kernels.tree_splits import NONE, SAME_BITS, Nodes, exception_bits


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
    place = np.cumsum(kept) - 1
    here, leaves = np.flatnonzero(kept), is_leaf[kept]
    part = Nodes(*(array[here] for array in nodes))
    first_child = np.where(leaves, NONE, place[np.maximum(part.first_child, 0)])
    return part._replace(
        column=np.where(leaves, NONE, part.column),
        below=np.where(leaves, NONE, part.below),
        above=np.where(leaves, NONE, part.above),
        first_child=first_child,
        n_children=np.where(leaves, 0, part.n_children),
        test_bits=np.where(leaves, 0.0, part.test_bits),
    )
