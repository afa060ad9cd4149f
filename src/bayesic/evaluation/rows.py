"""Rows or texts with their classes, as a model takes them: in memory, or in blocks of a file."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from bayesic.data.files import is_file, take_column
from bayesic.data.in_memory import number_of_rows, table_in_memory
from bayesic.data.labels import checked_labels
from bayesic.data.text_files import is_text_source, is_text_table, labelled_texts
from bayesic.models.counting import CountingModel
from bayesic.models.schema import KINDS, checked_kinds
from bayesic.models.text_classifier import TextClassifier

Array = np.ndarray


def labelled_blocks(model: Any, X: Any, y: Any, text: Any) -> Iterator[tuple[Any, Array]]:
    """What the model takes, with the class of each row; of a file in blocks, if it reads files."""
    if are_texts_of_files(model, X, text):
        yield from _text_blocks(model, X, y, text)
    elif isinstance(model, CountingModel) and is_file(X):
        for block in model._reader().blocks(X, target_of(model, y), None):
            yield block, checked_labels(block.y)
    else:
        yield labelled_rows(model, X, y, text)


def labelled_rows(model: Any, X: Any, y: Any, text: Any) -> tuple[Any, Array]:
    """All rows or texts in memory, and the class of each."""
    if are_texts_of_files(model, X, text):
        blocks = list(_text_blocks(model, X, y, text))
        texts = [each for block, _ in blocks for each in _as_list(block)]
        return texts, np.concatenate([labels for _, labels in blocks])
    y = target_of(model, y)
    if is_file(X):
        X = table_in_memory(X, _told(model) | ({y: "label"} if isinstance(y, str) else {}))
    if isinstance(y, str):
        X, y = take_column(X, y)
    if text is not None:
        _, X = take_column(X, text)
    labels = checked_labels(y)
    if number_of_rows(X) != len(labels):
        raise ValueError(
            f"X has {number_of_rows(X)} rows, y has {len(labels)} labels: give one label for each "
            "row."
        )
    return X, labels


def are_texts_of_files(model: Any, X: Any, text: Any) -> bool:
    """Whether X is the path of texts: of a folder, or of a file in which a model of texts reads."""
    if not is_text_source(X):
        return False
    return isinstance(model, TextClassifier) or text is not None or Path(X).is_dir()


def _text_blocks(model: Any, X: Any, y: Any, text: Any) -> Iterator[tuple[Any, Array]]:
    if is_text_table(Path(X), text):  # columns that are not named are those that were learned
        y = target_of(model, y)
        text = getattr(model, "text_column_", None) if text is None else text
    is_empty = True
    for texts, labels in labelled_texts(X, y, None, text):
        is_empty = False
        yield texts if isinstance(model, TextClassifier) else texts.texts(), checked_labels(labels)
    if is_empty:
        raise ValueError(f"{X} has no rows.")


def _as_list(texts: Any) -> list[str | None]:
    return texts if isinstance(texts, list) else texts.texts()


def target_of(model: Any, y: Any) -> Any:
    """The classes, or the column that holds them: as given, or as the model has learned it."""
    known = getattr(model, "target_name_", None) if y is None else y
    if known is None:
        raise ValueError(
            "y must be the true class of each row, or the name of the column of X that holds them, "
            "got None."
        )
    return known


def _told(model: Any) -> dict[str, str]:
    """How the columns of a file are to be read, as far as the model is told."""
    kinds = checked_kinds(getattr(model, "columns", None))
    return {name: KINDS[kind] for name, kind in kinds.items()}
