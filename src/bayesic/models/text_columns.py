"""The columns of a file from which texts and their labels were learned, kept for the next file."""

from collections.abc import Iterator
from typing import Any

from bayesic.data.text_files import is_labelled_table, labelled_texts, text_column
from bayesic.models.open import Block


def remember_columns(model: Any, X: Any, y: Any, text: Any) -> None:
    """Keep the names of the columns with the texts and the labels, if X is a file with columns."""
    model.text_column_ = text_column(X, text, y)
    if is_labelled_table(X, text) and isinstance(y, str):
        model.target_name_ = y


def labelled_blocks(model: Any, X: Any, y: Any, sample_weight: Any, text: Any) -> Iterator[Block]:
    """Texts to learn from: all at once, or block by block from a file or folder.

    Columns of a file that are not named are those that the model has learned from.
    """
    if is_labelled_table(X, text):
        y = getattr(model, "target_name_", None) if y is None else y
        text = getattr(model, "text_column_", None) if text is None else text
    for texts, labels in labelled_texts(X, y, sample_weight, text):
        yield Block(texts, y=labels, weights=sample_weight)


def is_column(text: Any) -> bool:
    """Whether this can be the name of a column, or the names of several, or none.

    >>> is_column("body"), is_column(("subject", "body")), is_column(None), is_column(3)
    (True, True, True, False)
    """
    names = text if isinstance(text, tuple) else ["" if text is None else text]
    return all(isinstance(name, str) for name in names)
