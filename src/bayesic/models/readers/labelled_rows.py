"""Rows with their classes and weights: all at once from memory, or block by block from a file."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from bayesic.data.labels import checked_labels
from bayesic.data.source import RowBlock, Source, Stored, opened
from bayesic.kernels import Array
from bayesic.models.readers.reader import HasReader, Reader


def asked_blocks(source: Source, stored: Mapping[str, str]) -> Iterator[RowBlock]:
    """Rows to answer; a block of them as it is."""
    return _some(source.blocks(stored)) if isinstance(source, Stored) else source.blocks()


def _some(blocks: Iterator[RowBlock]) -> Iterator[RowBlock]:
    """Blocks of a file, if there are any."""
    block = None
    for block in blocks:
        yield block
    if block is None:
        raise ValueError("The file has no rows: there is nothing to answer.")


def read_to_learn(
    model: HasReader, block: RowBlock, n_targets: int | None = None, reader: Reader | None = None
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


def labelled_rows(model: HasReader, X: object, y: object) -> tuple[Any, Any]:
    """Rows of any kind and their labels all at once, for a model that cannot learn in blocks."""
    blocks = [*model._reader().blocks(opened(X), y, None)]
    labels = [checked_labels(block.y) for block in blocks]
    rows = [
        read_to_learn(model, block, len(part)) for block, part in zip(blocks, labels, strict=True)
    ]
    return whole(rows), whole(labels)


def all_rows(model: HasReader, X: object) -> Any:
    """Rows of any kind all at once, for a model that cannot do with blocks."""
    return whole([read_to_learn(model, block) for block in model._reader().asked(opened(X))])


def by_blocks(model: HasReader, X: object, answer: Callable[[Any], Array]) -> Array:
    """The answers of a model for rows of any kind; of a file block by block."""
    reader = model._reader()
    return whole([answer(reader.read(block)[0]) for block in reader.asked(opened(X))])


def whole(parts: Sequence[Any]) -> Any:
    """Arrays put together, one after another. What comes from memory is in one part."""
    return parts[0] if len(parts) == 1 else np.concatenate(parts)
