"""A hash of the cells of each row: random draws by it do not depend on the order of the rows."""

from collections.abc import Callable, Iterable, Sequence
from hashlib import blake2b

import numpy as np

from bayesic.data.blocks import in_threads, row_blocks
from bayesic.data.columns import Categories, Cells, Numbers, Texts
from bayesic.data.tables import Table
from bayesic.data.typing import Label
from bayesic.kernels import Array
from bayesic.kernels.splitmix import STEP, mixed

GAP = np.uint64(0x7FF8000000000000)  # NaN: the bits of a cell that was not observed
CELLS_OF_A_KEY = 4  # numbers in memory for each row while keys are made


def row_keys(table: Table, labels: Sequence[Label], codes: Array, weights: Array) -> Array:
    """A hash of the cells, the class and the weight of each row: uint64 (n_rows,).

    The key determines the trees that are grown from a row, so that they are known when the row is
    left out, and the order of the rows does not matter. Equal rows have different keys, by whether
    they are the first of them, the second and so on.
    """
    of_classes = mixed(_text_keys(map(str, labels)))
    of_columns = [
        _keys_of(cells, step)
        for step, cells in zip(_text_keys(table.columns), table.columns.values(), strict=True)
    ]

    def of_rows(rows: slice) -> Array:
        keys = of_classes[codes[rows]] + mixed(weights[rows].view(np.uint64))
        for keys_of in of_columns:
            keys += keys_of(rows)
        return keys

    blocks = row_blocks(table.n_rows, CELLS_OF_A_KEY)
    keys = np.concatenate([np.zeros(0, np.uint64), *in_threads(of_rows, blocks)])
    return mixed(keys + _which_of_equals(keys) * STEP)


def _keys_of(cells: Cells, step: np.uint64) -> Callable[[slice], Array | np.uint64]:
    """A function from rows to the keys of the cells of a column."""
    if isinstance(cells, Numbers):

        def of_numbers(rows: slice) -> Array:
            values = cells.values[rows] + 0.0  # -0.0 becomes 0.0
            return mixed(np.where(np.isnan(values), GAP, values.view(np.uint64)) + step)

        return of_numbers
    if isinstance(cells, Categories):
        of_levels, its = mixed(np.append(_text_keys(cells.levels), GAP) + step), cells.codes
        return lambda rows: of_levels[its[rows]]
    if isinstance(cells, Texts):
        observed = [text for text in cells.texts if text is not None]
        keys = np.full(len(cells), GAP)
        keys[[text is not None for text in cells.texts]] = _text_keys(observed)
        of_texts = mixed(keys + step)
        return lambda rows: of_texts[rows]
    return lambda rows: np.uint64(0)


def _text_keys(texts: Iterable[str]) -> Array:
    """A hash of each text, the same on every machine: uint64."""
    digests = [blake2b(t.encode("utf-8", "surrogatepass"), digest_size=8).digest() for t in texts]
    return np.frombuffer(b"".join(digests), "<u8").astype(np.uint64)


def _which_of_equals(keys: Array) -> Array:
    """The number of rows before each that have the same key.

    >>> _which_of_equals(np.array([7, 9, 7, 7], np.uint64))
    array([0, 0, 1, 2], dtype=uint64)
    """
    ordered = np.sort(keys)
    if not (ordered[1:] == ordered[:-1]).any():
        return np.zeros(len(keys), np.uint64)
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    begins = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1]))
    lengths = np.diff(np.append(begins, len(keys)))
    n_before = np.empty(len(keys), np.uint64)
    n_before[order] = np.arange(len(keys)) - np.repeat(begins, lengths)
    return n_before


def least_keys(keys: Array, n: int) -> Array:
    """The indices of the n rows with the least keys, in the order of their keys.

    >>> least_keys(np.array([7, 9, 2, 8], np.uint64), 2)
    array([2, 0])
    """
    some = np.arange(len(keys))
    if n < len(keys):
        some = np.flatnonzero(keys <= np.partition(keys, n)[n])
    return some[np.argsort(keys[some], kind="stable")][:n]
