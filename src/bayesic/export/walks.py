"""The way of rows down the trees of a forest as nodes of ONNX: all trees at once, in a loop."""

from typing import Any

import numpy as np

from bayesic.export.graph import Graph
from bayesic.kernels import Array
from bayesic.kernels.forest import CHILD, COLUMN, CUT, FOR_MISSING, LEAF, MISSING, UNKNOWN, Trees
from bayesic.statistics.forest import nodes_by_depth


def stops(graph: Graph, trees: Trees, codes: str) -> str:
    """The number of the node at which each row stops in each tree: doubles (n_rows, n_trees).

    codes : doubles (n_rows, n_columns)

    Rows begin at the roots. As many steps as the deepest tree has lead each to the first or second
    child of its node, to the one for gaps, or nowhere, where there is none or a level is not known.
    """
    roots = graph.constant(trees.first_node[None, :-1].astype(np.int64))
    codes = graph.cast(codes, np.int64)
    column = graph.node("Gather", codes, graph.constant([0], np.int64), axis=1)
    none = graph.node("Mul", column, graph.constant([[0]], np.int64))  # (n_rows, 1)
    start = graph.node("Add", none, roots)
    n_steps = graph.constant(len(nodes_by_depth(trees.parents)) - 1, np.int64)
    body = _step(graph, _tables(trees), codes)
    return graph.cast(graph.node("Loop", n_steps, "", start, body=body), np.float64)


def _tables(trees: Trees) -> dict[str, Array]:
    """What a step asks of the nodes; of a leaf all ways lead back to it."""
    nodes, own = trees.nodes.astype(np.int64), np.arange(len(trees.nodes))
    is_leaf, of_gap = nodes[:, COLUMN] == LEAF, nodes[:, FOR_MISSING]
    column = np.where(is_leaf, 0, nodes[:, COLUMN])
    tree = np.searchsorted(trees.first_node, own, side="right") - 1
    return {
        "column": column,
        "first_rank": tree * trees.ranks.shape[1] + trees.first_code[column],
        "cut": nodes[:, CUT],
        "first": np.where(is_leaf, own, nodes[:, CHILD]),
        "second": np.where(is_leaf, own, nodes[:, CHILD] + 1),
        "for_gap": np.where(is_leaf | (of_gap == LEAF), own, of_gap),
        "ranks": trees.ranks.ravel().astype(np.int64),
    }


def _step(outer: Graph, tables: dict[str, Array], codes: str) -> Any:
    """One step of all rows in all trees, as the body of a loop: node numbers in, node numbers out.

    It sees the constants of the outer graph.
    """
    inner, helper = Graph(f"{outer.prefix}step/"), outer.onnx.helper
    at, go_on = inner.prefix + "at", inner.prefix + "go_on"

    def asked(table: str, numbers: str) -> str:
        return inner.node("Gather", outer.constant(tables[table]), numbers, axis=0)

    code = inner.node("GatherElements", codes, asked("column", at), axis=1)
    rank = asked("ranks", inner.node("Add", code, asked("first_rank", at)))
    is_first = inner.node("LessOrEqual", rank, asked("cut", at))
    way = inner.node("Where", is_first, asked("first", at), asked("second", at))
    for mark, instead in ((MISSING, asked("for_gap", at)), (UNKNOWN, at)):
        is_marked = inner.node("Equal", rank, outer.constant(mark, np.int64))
        way = inner.node("Where", is_marked, instead, way)
    ahead = inner.node("Identity", go_on)
    numbers, truth = outer.onnx.TensorProto.INT64, outer.onnx.TensorProto.BOOL
    info = helper.make_tensor_value_info
    return helper.make_graph(
        inner.nodes,
        "step",
        [
            info(inner.prefix + "number", numbers, []),
            info(go_on, truth, []),
            info(at, numbers, ["rows", "trees"]),
        ],
        [info(ahead, truth, []), info(way, numbers, ["rows", "trees"])],
    )
