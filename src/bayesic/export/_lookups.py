"""Places among numbers, and rows of tables, as nodes of ONNX: of many columns at once."""

from collections.abc import Sequence

import numpy as np

from bayesic.data.spelling import spelt
from bayesic.export._expressions import LookupTable
from bayesic.export._onnx_graph import LEARNING, OnnxGraph

MOST_HOLES = 4  # rows of a table by its keys, for each that it has: else keys are searched for


def indices(graph: OnnxGraph, cells: str, among: Sequence[Sequence[float]]) -> str:
    """How many of some numbers are at most each cell, by halves: int64 (n_rows, n_columns).

    among : for each column increasing numbers; a cell that is NaN is below all of them
    """
    n_halves = max(map(len, among)).bit_length()
    padded = np.full((len(among), 2**n_halves), np.inf)
    for row, numbers in zip(padded, among, strict=True):
        row[: len(numbers)] = numbers
    flat = graph.constant(padded.ravel())
    starts = np.arange(len(among))[None] * 2**n_halves
    index = graph.constant(np.zeros((1, len(among)), np.int64))
    for step in 2 ** np.arange(n_halves)[::-1]:
        last = graph.node("Add", index, graph.constant(starts + step - 1))
        is_above = graph.node("GreaterOrEqual", cells, graph.node("Gather", flat, last, axis=0))
        steps = graph.node("Mul", graph.cast(is_above, np.int64), graph.constant([[step]]))
        index = graph.node("Add", index, steps)
    return index


def table_rows(
    graph: OnnxGraph, cells: str | list[str], tables: Sequence[LookupTable], missing: str
) -> str:
    """The rows of tables of n_numbers that keys lead to: (n_rows, n_tables * n_numbers).

    All tables stand in one, each with two rows more: for other keys, and for gaps.

    cells : a tensor of words for each table, or one tensor of doubles (n_rows, n_tables)
    """
    laid_out, found = (
        _by_number(graph, cells, tables)
        if isinstance(cells, str)
        else _by_word(graph, cells, tables, missing)
    )
    rows = graph.node("Gather", graph.constant(np.vstack(laid_out)), found, axis=0)
    return graph.reshaped(rows, 0, len(tables) * len(tables[0].otherwise))


def _by_word(
    graph: OnnxGraph, cells: Sequence[str], tables: Sequence[LookupTable], missing: str
) -> tuple[list, str]:
    """The tables, and where the rows of words are in them."""
    laid_out, found, start = [], [], 0
    for words, table in zip(cells, tables, strict=True):
        if missing in table.keys:
            raise ValueError(
                f"The string for a missing value must not be a value: {missing!r} was learned. "
                f"Choose another one, such as {spelt('missing={text!r}', text='<missing>')}."
            )
        laid_out.append(_with_others(table))
        n_keys = len(table.keys)
        numbers = [*range(start, start + n_keys), start + n_keys + 1]
        found.append(
            graph.node(
                "LabelEncoder",
                words,
                domain=LEARNING,
                keys_strings=[*table.keys, missing],
                values_int64s=numbers,
                default_int64=start + n_keys,
            )
        )
        start += n_keys + 2
    return laid_out, graph.together(found)


def _by_number(graph: OnnxGraph, cells: str, tables: Sequence[LookupTable]) -> tuple[list, str]:
    """The same for numbers: whole ones that are close to each other count the rows themselves."""
    of_table = {table: number for number, table in enumerate(dict.fromkeys(tables))}
    dense = [_dense(table) for table in of_table]
    starts = np.cumsum([0, *map(len, dense)])[[of_table[table] for table in tables]]
    firsts = np.array([_first(table) for table in tables])
    n_rows = np.array([len(dense[of_table[table]]) for table in tables])
    exact = [_is_counting(table) for table in tables]
    row = graph.node("Sub", cells, graph.constant(firsts[None].astype(float)))
    is_whole = graph.node("Equal", cells, graph.node("Floor", cells))
    row = graph.node("Where", is_whole, row, graph.constant([[-1.0]]))
    if not all(exact):
        searched = _searched(graph, cells, tables)
        row = graph.node("Where", graph.constant([exact]), row, searched)
    is_above = graph.node("GreaterOrEqual", row, graph.constant([[0.0]]))
    is_below = graph.node("Less", row, graph.constant((n_rows - 2)[None].astype(float)))
    is_key = graph.node("And", is_above, is_below)
    other, gap = (graph.constant((n_rows - back)[None].astype(float)) for back in (2, 1))
    row = graph.node("Where", is_key, row, other)
    row = graph.node("Where", graph.node("IsNaN", cells), gap, row)
    return dense, graph.node("Add", graph.cast(row, np.int64), graph.constant(starts[None]))


def _searched(graph: OnnxGraph, cells: str, tables: Sequence[LookupTable]) -> str:
    """Where a cell is among the keys; -1 if it is not."""
    keys = [() if _is_counting(table) else tuple(map(float, table.keys)) for table in tables]
    width = max(map(len, keys)) + 1
    padded = np.full((len(keys), width), np.nan)
    for line, numbers in zip(padded, keys, strict=True):
        line[1 : len(numbers) + 1] = numbers
    index = indices(graph, cells, keys)
    at = graph.node("Add", index, graph.constant(np.arange(len(keys))[None] * width))
    found = graph.node("Gather", graph.constant(padded.ravel()), at, axis=0)
    last = graph.node("Sub", graph.cast(index, np.float64), graph.constant([[1.0]]))
    return graph.node("Where", graph.node("Equal", found, cells), last, graph.constant([[-1.0]]))


def _with_others(table: LookupTable) -> np.ndarray:
    values = table.values.reshape(len(table.keys), len(table.otherwise))
    return np.vstack([values, table.otherwise, table.missing]).astype(float)


def _is_counting(table: LookupTable) -> bool:
    """Whether the keys are whole numbers that are close to each other."""
    keys = table.keys
    if not all(key == int(key) for key in keys):
        return False
    return not keys or keys[-1] - keys[0] < MOST_HOLES * len(keys)


def _first(table: LookupTable) -> float:
    return table.keys[0] if table.keys and _is_counting(table) else 0


def _dense(table: LookupTable) -> np.ndarray:
    """A row for each whole number from the first key to the last, or for each key."""
    if not table.keys or not _is_counting(table):
        return _with_others(table)
    rows = np.array(table.keys, int) - int(table.keys[0])
    filled = np.tile(table.otherwise.astype(float), (rows[-1] + 3, 1))
    filled[rows], filled[-1] = table.values, table.missing
    return filled
