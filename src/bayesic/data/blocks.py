"""Rows in blocks of fixed size, worked on side by side, put together in order.

The blocks depend on the shape of the data alone, never on the number of threads, and results come
back in the order of the rows. So whatever is added up from them is the same bit for bit for any
number of threads.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

# 1 MB of float64: large enough that Python's share of the time does not show, small enough that
# the temporary arrays of a block stay near the processor.
CELLS_PER_BLOCK = 2**17


def row_blocks(n_rows: int, cells_per_row: float, at_least: int = 1) -> list[slice]:
    """Slices that cover n_rows rows, each of about CELLS_PER_BLOCK cells and `at_least` rows.

    >>> row_blocks(n_rows=25, cells_per_row=CELLS_PER_BLOCK / 10)
    [slice(0, 10, None), slice(10, 20, None), slice(20, 25, None)]
    """
    step = max(at_least, int(CELLS_PER_BLOCK / max(0.01, cells_per_row)), 1)
    return [slice(start, min(n_rows, start + step)) for start in range(0, n_rows, step)]


def part_blocks(rows: slice, cells_per_row: float) -> list[slice]:
    """A block cut into smaller ones, of about CELLS_PER_BLOCK cells each.

    >>> part_blocks(slice(5, 30), cells_per_row=CELLS_PER_BLOCK / 10)
    [slice(5, 15, None), slice(15, 25, None), slice(25, 30, None)]
    """
    parts = row_blocks(rows.stop - rows.start, cells_per_row)
    return [slice(rows.start + part.start, rows.start + part.stop) for part in parts]


def in_threads(function: Callable[[Item], Result], blocks: Iterable[Item]) -> Iterator[Result]:
    """Results of function(block) for each block (or column), in the order of the blocks."""
    blocks = list(blocks)
    workers = 1 if len(blocks) < 2 else min(number_of_threads(), len(blocks))
    if workers == 1:
        yield from map(function, blocks)
        return
    with ThreadPoolExecutor(workers) as pool:
        yield from pool.map(function, blocks)


def number_of_threads() -> int:
    """Threads to work with: BAYESIC_THREADS if set, else the processors this process may use."""
    told = os.environ.get("BAYESIC_THREADS")
    if told is None:
        return available_processors()
    if not told.isdecimal() or int(told) < 1:
        raise ValueError(
            f"BAYESIC_THREADS must be a whole number of 1 or more, got {told!r}. "
            "Unset it to use every processor."
        )
    return int(told)


def available_processors() -> int:
    """Processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
