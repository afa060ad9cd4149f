"""The way of rows down the trees of a forest as nodes of ONNX: all trees at once, in a loop."""

import numpy as np

from bayesic.export._onnx_graph import OnnxGraph
from bayesic.export._steps import Walk
from bayesic.kernels import Array
from bayesic.kernels.forest import MISSING, UNKNOWN


def stops(graph: OnnxGraph, walk: Walk, codes: str) -> str:
    """The number of the node at which each row stops in each tree: doubles (n_rows, n_trees).

    codes : doubles (n_rows, n_columns)

    Rows begin at the roots. Each step leads to the first or second child of a node, to the one for
    gaps, or nowhere, where there is none or a level is not known.
    """
    roots = graph.constant(walk.roots[None])
    codes = graph.cast(codes, np.int64)
    column = graph.node("Gather", codes, graph.constant([0], np.int64), axis=1)
    none = graph.node("Mul", column, graph.constant([[0]], np.int64))  # (n_rows, 1)
    start = graph.node("Add", none, roots)
    n_steps = graph.constant(walk.n_steps, np.int64)
    body = _step(graph, walk.tables(), codes)
    return graph.cast(graph.node("Loop", n_steps, "", start, body=body), np.float64)


def _step(outer: OnnxGraph, tables: dict[str, Array], codes: str) -> object:
    """One step of all rows in all trees, as the body of a loop: node numbers in, node numbers out.

    It sees the constants of the outer graph.
    """
    inner, helper = OnnxGraph(f"{outer.prefix}step/"), outer.onnx.helper
    at, go_on = inner.prefix + "at", inner.prefix + "go_on"

    def asked(table: str, numbers: str) -> str:
        return inner.node("Gather", outer.constant(tables[table]), numbers, axis=0)

    code = inner.node("GatherElements", codes, asked("column", at), axis=1)
    rank = asked("ranks", inner.node("Add", code, asked("first_rank", at)))
    is_first = inner.node("LessOrEqual", rank, asked("cut", at))
    first = asked("first", at)
    second = inner.node("Add", first, outer.constant(1, np.int64))
    way = inner.node("Where", is_first, first, second)
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
