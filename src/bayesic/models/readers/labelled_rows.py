"""Rows with their classes and weights: all at once from memory, or block by block from a file."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bayesic.data.labels import checked_labels, take_column, with_own_target
from bayesic.data.table_files import (
    file_blocks,
    file_columns,
    has_order,
    is_file,
    source_name,
)
from bayesic.data.tables import number_of_rows


@dataclass(frozen=True)
class RowBlock:
    """Some rows as they came, and how many rows of their file come before them."""

    X: Any
    first_row: int = 0
    y: Any = None
    weights: Any = None
    names: tuple[str, ...] = ()  # of all columns of a file, also of those that are not read


def labelled_blocks(
    X: Any, y: Any, sample_weight: Any, stored: Mapping[str, str], model: str
) -> Iterator[RowBlock]:
    """Rows to learn: y is the name of a column of X, or the labels.

    stored : how the columns of a file are read, as for `file_blocks`
    """
    X, y = with_own_target(X, y)
    if y is None:
        raise ValueError(
            f"{model} requires y to be passed, but the target y is None. Give y: the class of each "
            "row, or the number to predict; or the name of the column that holds them."
        )
    if is_file(X):
        yield from _labelled_file(X, y, sample_weight, stored)
    else:
        X, y = take_column(X, y) if isinstance(y, str) else (X, y)
        yield RowBlock(X, 0, y, sample_weight)


def asked_blocks(X: Any, stored: Mapping[str, str]) -> Iterator[RowBlock]:
    """Rows to answer; a block of them as it is."""
    X, _ = with_own_target(X, None)
    if not is_file(X):
        yield X if isinstance(X, RowBlock) else RowBlock(X)
        return
    first_row = 0
    for rows in file_blocks(X, stored):
        yield RowBlock(rows, first_row)
        first_row += number_of_rows(rows)
    if first_row == 0:
        raise ValueError("The file has no rows: there is nothing to answer.")


def read_to_learn(
    model: Any, block: RowBlock, n_targets: int | None = None, reader: Any = None
) -> Any:
    """The rows of a block, as many as targets; the model keeps what it must know of the first.

    reader : that of the model, if it is at hand
    """
    rows, seen = (model._reader() if reader is None else reader).read(block)
    for name, value in seen.items():
        setattr(model, name, value)
    n_rows = rows.shape[0]
    if n_targets not in (None, n_rows):
        raise ValueError(
            "Found input variables with inconsistent numbers of samples: "
            f"[{n_rows}, {n_targets}]. X has {n_rows} rows, y has {n_targets} labels: "
            "give one label for each row."
        )
    return rows


def labelled_rows(model: Any, X: Any, y: Any) -> tuple[Any, Any]:
    """Rows of any kind and their labels all at once, for a model that cannot learn in blocks."""
    blocks = [*model._reader().blocks(X, y, None)]
    labels = [checked_labels(block.y) for block in blocks]
    rows = [
        read_to_learn(model, block, len(part)) for block, part in zip(blocks, labels, strict=True)
    ]
    return whole(rows), whole(labels)


def all_rows(model: Any, X: Any) -> Any:
    """Rows of any kind all at once, for a model that cannot do with blocks."""
    return whole([read_to_learn(model, block) for block in model._reader().asked(X)])


def by_blocks(model: Any, X: Any, answer: Callable[[Any], Any]) -> Any:
    """The answers of a model for rows of any kind; of a file block by block."""
    reader = model._reader()
    return whole([answer(reader.read(block)[0]) for block in reader.asked(X)])


def whole(parts: Sequence[Any]) -> Any:
    """Arrays put together, one after another. What comes from memory is in one part."""
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


def _labelled_file(
    path: Any, y: Any, sample_weight: Any, stored: Mapping[str, str]
) -> Iterator[RowBlock]:
    in_file = isinstance(y, str)
    if not (in_file and sample_weight is None) and not has_order(path):
        raise no_order(source_name(path))
    names = tuple(name for name in file_columns(path) if not in_file or name != y)
    first_row = 0
    for rows in file_blocks(path, {**stored, y: "label"} if in_file else stored):
        here = slice(first_row, first_row + number_of_rows(rows))
        block, labels = take_column(rows, y) if in_file else (rows, _entries("y", y, here))
        weights = _entries("sample_weight", sample_weight, here)
        yield RowBlock(block, first_row, labels, weights, names)
        first_row = here.stop
    if first_row == 0:
        raise ValueError(f"{source_name(path)} has no rows: there is nothing to learn.")
    _entries("sample_weight", sample_weight, slice(0, first_row), is_all=True)
    if not in_file:
        _entries("y", y, slice(0, first_row), is_all=True)


def no_order(name: str) -> ValueError:
    """What is answered to classes or weights in a list beside such a table."""
    return ValueError(
        f"{name} has no order of rows, so no list can be matched to them. Pass y as the name of "
        "a column, and no sample_weight."
    )


def _entries(what: str, given: Any, rows: slice, is_all: bool = False) -> Any:
    """The entries of y or sample_weight for these rows of a file; None for None."""
    if given is None:
        return None
    if len(given) < rows.stop or (is_all and len(given) > rows.stop):
        raise ValueError(
            f"{what} must have one entry for each row of the file, which has "
            f"{'' if is_all else 'at least '}{rows.stop} rows, got {len(given)}."
        )
    return given[rows]
