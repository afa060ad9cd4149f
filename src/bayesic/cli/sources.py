"""What is learned, or tried, with its classes known: the rows of a table, or texts."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import click
import numpy as np

from bayesic.cli import options
from bayesic.cli.given import columns_given
from bayesic.cli.learning import (
    Learn,
    learned_model,
    learned_number_model,
    learned_text_model,
)
from bayesic.cli.reading import (
    NUMBER_MODELS,
    is_text_model,
    numbers_refused,
    refuse_without,
    target_beside,
    target_name,
)
from bayesic.data.labels import take_column
from bayesic.data.mails import is_mailbox
from bayesic.data.table_files import file_columns, table_in_memory
from bayesic.data.text_files import TABLE_ENDINGS, Columns, class_parts, is_text_table, text_blocks
from bayesic.models.schema import KINDS, checked_kinds

Array = np.ndarray
Options = Mapping[str, Any]  # how to learn


@dataclass(frozen=True)
class Rows:
    """The rows of a table, one column of which holds the classes."""

    path: Path
    target: str
    unit: ClassVar = "row"

    def elsewhere(self, path: Path) -> "Rows":
        """The rows of another table of the same kind."""
        return Rows(path, self.target)

    def learned(self, learn: Learn, how: Options) -> Any:
        """A model for such rows that has learned."""
        takes_numbers = how["model"] in NUMBER_MODELS
        return (learned_number_model if takes_numbers else learned_model)(learn, how)

    def fit(self, model: Any) -> Any:
        """Learn all rows."""
        with numbers_refused(self.path):
            return model.fit(self.path, y=self.target)

    def update(self, model: Any) -> Any:
        """Learn all rows beside what was learned before."""
        refuse_without(model, "partial_fit")
        return model.partial_fit(self.path, y=self.target)

    def forget(self, model: Any) -> Any:
        """Take all rows back out."""
        refuse_without(model, "forget")
        return model.forget(self.path, y=self.target)

    def in_memory(self, how: Options) -> tuple[Any, Array]:
        """All columns but the target, and the classes."""
        kinds = checked_kinds(columns_given(how["columns"]))
        told = {name: KINDS[kind] for name, kind in kinds.items()} | {self.target: "label"}
        return take_column(table_in_memory(self.path, told), self.target)


@dataclass(frozen=True)
class Texts:
    """The texts of a column of a table, with their classes in another; or of folders."""

    path: Path
    text: Columns = None  # the columns of a table
    target: str | None = None
    unit: ClassVar = "text"

    def elsewhere(self, path: Path) -> "Texts":
        """The texts of another table or folder of the same kind."""
        return labelled_texts(path, self.text, self.target)

    def learned(self, learn: Learn, how: Options) -> Any:
        """A model for such texts that has learned."""
        return learned_text_model(learn, how)

    def fit(self, model: Any) -> Any:
        """Learn all texts."""
        return model.fit(self.path, y=self.target, text=self.text)

    def update(self, model: Any) -> Any:
        """Learn all texts beside what was learned before."""
        return model.partial_fit(self.path, y=self.target, text=self.text)

    def forget(self, model: Any) -> Any:
        """Take all texts back out."""
        return model.forget(self.path, y=self.target, text=self.text)

    def in_memory(self, how: Options) -> tuple[list[str | None], Array]:
        """All texts, and their classes."""
        blocks = list(self._blocks())
        texts = [text for block, _ in blocks for text in block.texts()]
        return texts, np.concatenate([labels for _, labels in blocks])

    def _blocks(self) -> Iterator[tuple[Any, Any]]:
        is_empty = True
        for block in text_blocks(self.path, self.text, self.target):
            is_empty = False
            yield block
        if is_empty:
            raise ValueError(f"{self.path} has no rows.")


@dataclass(frozen=True)
class Mailboxes:
    """Mailboxes, each of which holds the mails of a class."""

    parts: tuple[Texts, ...]
    unit: ClassVar = "text"

    @property
    def path(self) -> str:
        """What is read, for messages."""
        return ", ".join(str(part.path) for part in self.parts)

    def learned(self, learn: Learn, how: Options) -> Any:
        """A model for such texts that has learned."""
        return learned_text_model(learn, how)

    def fit(self, model: Any) -> Any:
        """Learn all mails."""
        first, *others = self.parts
        first.fit(model)
        for part in others:
            part.update(model)
        return model


Source = Rows | Texts


def sources_to_learn(
    paths: tuple[Path, ...], text: Columns, target: str | None, model: str | None
) -> Source | Mailboxes:
    """What one path holds; or several mailboxes, each of which is a class."""
    if len(paths) == 1:
        return source_to_learn(paths[0], text, target, model)
    other = next((path for path in paths if not is_mailbox(path)), None)
    if other is not None:
        raise click.UsageError(
            "fit learns one table or folder, or several mailboxes such as ham.mbox and spam.mbox, "
            f"got {other} beside others. Learn it with update afterwards."
        )
    parts = [source_to_learn(path, text, target, model) for path in paths]
    return Mailboxes(tuple(part for part in parts if isinstance(part, Texts)))


def source_to_learn(path: Path, text: Columns, target: str | None, model: str | None) -> Source:
    """Texts if a column is named, or for a folder or mails; the rows of a table otherwise."""
    if text is not None or path.is_dir() or is_mail(path):
        refuse_options(options.OF_TABLES, f"of tables, but {path} is learned as texts")
        if model in options.TABLE_MODELS:
            raise click.UsageError(
                f"--model {model} is for tables, but {path} is learned as texts."
            )
        return labelled_texts(path, text, target)
    refuse_options(
        tuple(name for name in options.OF_TEXTS if name != "model"),
        f"of texts, but {path} is learned as a table. Name the column with the texts by --text",
    )
    options.table_model_given(model, path)  # or it is refused
    return Rows(path, target_name(path, target))


def source_for_model(
    model: Any, model_path: Path, path: Path, text: Columns, target: str | None
) -> Source:
    """Rows or texts with their classes, as the model takes them."""
    if is_text_model(model):
        return labelled_texts(path, text, target, model)
    refuse_texts(model_path, text)
    return Rows(path, target_name(path, target, model))


def refuse_texts(model_path: Path, text: Any) -> None:
    """Refuse --text where the model has learned a table."""
    if text:
        raise click.UsageError(
            f"--text is for models of texts, but {model_path} has learned the columns of a table. "
            "Give a table with these columns."
        )


def refuse_options(names: tuple[str, ...], why: str) -> None:
    """Refuse options for another kind of model."""
    given = options.first_given(names)
    if given:
        raise click.UsageError(f"{given} is for models {why}.")


# texts ------------------------------------------------------------------------------------------


def labelled_texts(path: Path, text: Columns, target: str | None, model: Any = None) -> Texts:
    """The texts of a table or folder, if they have classes; a model may know the columns."""
    if is_text_table(path, text):
        columns = text_columns(path, text, model)
        known = getattr(model, "target_name_", None)
        return Texts(path, columns, target_beside(path, target, known, columns))
    refuse_columns(path, text, target)
    if not path.is_dir() and not is_mailbox(path):
        raise ValueError(
            f"{path} has no classes to learn. Put texts and mails into one folder for each class, "
            "and name the folder that holds these; or let a model learn it by update with --class."
        )
    if path.is_dir() and not class_parts(path):
        raise ValueError(
            f"{path} must have one folder of texts for each class, or one mailbox such as "
            "spam.mbox, but there is none in it. Their names are the classes."
        )
    return Texts(path)


def is_mail(path: Path) -> bool:
    """Whether the path has the ending of a mail or a mailbox.

    >>> is_mail(Path("lunch.eml")), is_mail(Path("lunch.csv"))
    (True, False)
    """
    return path.suffix.lower() in (".eml", ".mbox")


def text_columns(path: Path, told: Columns, model: Any = None) -> tuple[str, ...]:
    """The columns with the texts: as told, or as the model has learned them."""
    given = told or getattr(model, "text_column_", None) or ()
    names, columns = list(file_columns(path)), (given,) if isinstance(given, str) else (*given,)
    wrong = next((name for name in columns if name not in names), None)
    if wrong is not None or not columns:
        got = "" if wrong is None else f", got {wrong!r}"
        raise click.UsageError(
            f"--text must name the column of {path} that holds the texts{got}. The columns are "
            f"{', '.join(names)}."
        )
    return columns


def refuse_columns(path: Path, text: Any, target: str | None = None) -> None:
    """Refuse names of columns for what is no table, and what is not there."""
    if not path.exists():
        raise FileNotFoundError(f"There is no file or folder {str(path)!r}. Check the name.")
    if text or target:
        raise click.UsageError(
            f"{'--text' if text else '--target'} names a column of a table, but {path} is no "
            f"{', '.join(TABLE_ENDINGS)} file. Leave it out."
        )
