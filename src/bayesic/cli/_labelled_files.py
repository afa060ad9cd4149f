"""What is learned, or tried, with its classes known: the rows of a table, or texts."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import time

import click

from bayesic.catalogue import is_text_model
from bayesic.cli._learned_models import is_number_model, refuse_without
from bayesic.cli._messages import note
from bayesic.cli._on_server import OnServer
from bayesic.cli._options import first_given
from bayesic.data.mails import is_mailbox
from bayesic.data.source import Stored, opened_file
from bayesic.data.text_files import TABLE_ENDINGS, Columns, class_parts, has_columns


@dataclass(frozen=True)
class LabelledFile:
    """A file or folder, and the columns in which the classes stand, and the texts."""

    rows: Stored  # opened once for everything
    unit: str  # what is learned of it: "row" or "text"
    target: str | None = None  # None where names of folders are the classes
    text: Columns = None

    @property
    def path(self) -> Path:
        """The file or folder."""
        return Path(self.rows.X)

    def teach(self, model: object, method: str) -> None:
        """Let a model learn all of it by this method, or forget it."""
        refuse_without(model, method)
        text = {"text": self.text} if self.unit == "text" else {}
        getattr(model, method)(self.rows, y=self.target, **text, **moment_of(model, method))


def moment_of(model: object, method: str) -> dict[str, float]:
    """The time passed to a model: rows that fade by time do so from when they are learned."""
    fades = isinstance(getattr(model, "decay", None), str) and method != "forget"
    return {"times": time()} if fades else {}


def source_for_model(
    model: object, model_path: Path | OnServer, path: Path, text: Columns, target: str | None
) -> LabelledFile:
    """Rows or texts with their classes, as the model takes them."""
    if is_text_model(model):
        return labelled_texts(path, text, target, model)
    refuse_texts(model_path, text)
    rows = opened_file(path)
    return LabelledFile(rows, "row", target_name(rows, target, model))


def labelled_texts(
    path: Path, text: Columns, target: str | None, model: object = None
) -> LabelledFile:
    """The texts of a table or folder, if they have classes; a model may know the columns."""
    rows = opened_file(path)
    if has_columns(rows, text):
        columns = text_columns(rows, text, model)
        known = target or getattr(model, "target_name_", None)
        return LabelledFile(rows, "text", known or _only_other_column(rows, columns), columns)
    refuse_columns(path, text, target)
    if not path.is_dir() and not is_mailbox(path):
        raise ValueError(
            f"{path} has no classes to learn. Put texts and mails into one folder for each class, "
            "and name the folder that holds them; or let a model learn it with update and --class."
        )
    if path.is_dir() and not class_parts(path):
        raise ValueError(
            f"{path} must have one folder of texts for each class, or one mailbox such as "
            "spam.mbox, but there is none in it. Their names are the classes."
        )
    return LabelledFile(rows, "text")


# columns ------------------------------------------------------------------------------------------


def target_name(rows: Stored, declared: str | None, model: object = None) -> str:
    """The column with the classes: as given, as the model knows it, or the last, with a note."""
    known = declared or getattr(model, "target_name_", None)
    names = rows.names
    if declared is not None and declared not in names:
        raise ValueError(
            f"--target must name a column of {rows}, got {declared!r}. The columns are "
            f"{', '.join(names)}."
        )
    if declared is not None and declared in getattr(model, "feature_names_in_", ()):
        learned_as = "numbers" if is_number_model(model) else "a column of the table"
        raise click.UsageError(
            f"--target must name the column of {rows} with the classes, got {declared!r}, which "
            f"the model has learned as {learned_as}."
        )
    if known:
        return known
    *_, last = names
    note(f"the classes are those of the last column, {last!r}. --target names another.")
    return last


def _only_other_column(rows: Stored, text: Sequence[str]) -> str:
    """The column with the classes of texts, if it is not named: the only one beside these."""
    others = [name for name in rows.names if name not in text]
    if not others:
        beside = " and ".join(map(repr, text))
        raise ValueError(f"{rows} must have a column with the classes beside {beside}.")
    if len(others) > 1:
        raise click.UsageError(
            f"Name the column of {rows} with the classes with --target. Besides the texts there "
            "are "
            f"{', '.join(others)}."
        )
    note(f"the classes are those of the column {others[0]!r}.")
    return others[0]


def text_columns(rows: Stored, declared: Columns, model: object = None) -> tuple[str, ...]:
    """The columns with the texts: as given, or as the model has learned them."""
    given = declared or getattr(model, "text_column_", None) or ()
    names, columns = rows.names, (given,) if isinstance(given, str) else (*given,)
    wrong = next((name for name in columns if name not in names), None)
    if wrong is not None or not columns:
        got = "" if wrong is None else f", got {wrong!r}"
        raise click.UsageError(
            f"--text must name the column of {rows} that holds the texts{got}. The columns are "
            f"{', '.join(names)}."
        )
    return columns


# options that do not fit --------------------------------------------------------------------------


def refuse_columns(path: Path, text: Columns, target: str | None = None) -> None:
    """Refuse names of columns for what is not a table, and what is not there."""
    if not path.exists():
        raise FileNotFoundError(f"There is no file or folder {str(path)!r}. Check the name.")
    if text or target:
        raise click.UsageError(
            f"{'--text' if text else '--target'} names a column of a table, but {path} is not a "
            f"{', '.join(TABLE_ENDINGS)} file. Leave it out."
        )


def refuse_texts(model_path: Path | OnServer, text: Columns) -> None:
    """Refuse --text where the model has learned a table."""
    if text:
        raise click.UsageError(
            f"--text is for models of texts, but {model_path} has learned the columns of a table. "
            "Give a table with these columns."
        )


def refuse_options(names: Sequence[str], why: str) -> None:
    """Refuse options for another kind of model."""
    given = first_given(names)
    if given:
        raise click.UsageError(f"{given} is for models {why}.")
