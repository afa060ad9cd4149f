"""What a model learns more of, or forgets: tables and folders with classes, or texts of one class.

A mail program that has a mail and knows its class gives these two: `update MODEL - --class spam`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, ClassVar

import click

from bayesic.cli.options import is_given
from bayesic.cli.questions import FILES_PER_BLOCK, is_stdin, questions_of_files, stdin_blocks
from bayesic.cli.reading import is_text_model, label_named
from bayesic.cli.sources import Source, refuse_columns, source_for_model
from bayesic.data.table_files import tell_rows_read
from bayesic.data.text_files import Columns, is_text_table


@dataclass(frozen=True)
class OfOneClass:
    """Texts and mails that all have the same class: those of a file or folder, or of stdin."""

    path: Path
    label: Any
    piped: Sequence[str] | None = None  # what came on stdin
    unit: ClassVar = "text"

    def update(self, model: Any) -> Any:
        """Learn all texts beside what was learned before."""
        for texts in self._blocks():
            model.partial_fit(texts, [self.label] * len(texts))
        return model

    def forget(self, model: Any) -> Any:
        """Take all texts back out."""
        for texts in self._blocks():
            model.forget(texts, [self.label] * len(texts))
        return model

    def _blocks(self) -> Iterator[list[str]]:
        of_files = (texts for _, texts in questions_of_files(self.path))
        piped = self.piped
        for texts in of_files if piped is None else parts_of(piped, FILES_PER_BLOCK):
            tell_rows_read(len(texts))
            yield texts


def parts_of(texts: Sequence[str], size: int) -> Iterator[list[str]]:
    """The texts in parts of this size.

    >>> [*parts_of(["free", "lunch", "today"], 2)]
    [['free', 'lunch'], ['today']]
    """
    return (list(texts[start : start + size]) for start in range(0, len(texts), size))


def read_stdin(sources: Sequence[Path], label: str | None, holds: str) -> list[str] | None:
    """All texts of stdin if a source is -, read at once; their class must be told."""
    if not any(map(is_stdin, sources)):
        if is_given("stdin"):
            raise click.UsageError("--stdin says what stdin holds, but no SOURCE is -.")
        return None
    if label is None:
        raise click.UsageError("What comes on stdin has no class: name it by --class.")
    return list(chain.from_iterable(stdin_blocks(holds)))


def labelled_sources(
    model: Any,
    model_path: Path,
    piped: Sequence[str] | None,
    sources: Sequence[Path],
    text: Columns,
    target: str | None,
    label: str | None,
) -> Iterator[Source | OfOneClass]:
    """Rows or texts with their classes, as the model takes them.

    piped : the texts of stdin
    label : the class of all texts; without it tables, folders and mailboxes tell the classes
    """
    if label is not None:
        refuse_class(model, model_path, text, target)
    for path in sources:
        if label is None:
            yield source_for_model(model, model_path, path, text, target)
        else:
            yield of_one_class(path, label_named(model.classes_, label), piped)


def of_one_class(path: Path, label: Any, piped: Sequence[str] | None) -> OfOneClass:
    """The texts of a path, or of stdin, as those of a class."""
    if is_stdin(path):
        return OfOneClass(path, label, piped)
    refuse_columns(path, None)
    if is_text_table(path, None):
        raise click.UsageError(
            f"--class names the class of texts and mails, but {path} is a table. Name its column "
            "with the classes by --target."
        )
    return OfOneClass(path, label)


def refuse_class(model: Any, model_path: Path, text: Columns, target: str | None) -> None:
    """Refuse --class where the classes stand in a column."""
    if not is_text_model(model):
        raise click.UsageError(
            f"--class names the class of texts and mails, but {model_path} has learned the columns "
            "of a table. Name the column with the classes by --target."
        )
    if text or target:
        raise click.UsageError(
            f"--class names the class of all texts, and {'--text' if text else '--target'} a "
            "column of a table: give one of them."
        )
