"""Files -> what the commands need of them: the target, labels, rows, a model, a loss."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, NoReturn

import click
import numpy as np

import bayesic as by
from bayesic.cli.given import json_object
from bayesic.cli.messages import note
from bayesic.data.labels import UnknownLabelsError
from bayesic.data.table_files import file_blocks, file_columns, table_in_memory
from bayesic.decisions.loss import long_columns, nested, tell_if_rows_are_classes

Array = np.ndarray

# the models that learn tables of numbers, as --model names them
NUMBER_MODELS = {
    "gaussian": "GaussianBayes",
    "qda": "QuadraticDiscriminantAnalysis",
    "lda": "LinearDiscriminantAnalysis",
    "logistic": "LogisticRegression",
    "knn": "KNeighborsClassifier",
}

# and those in which columns depend on each other
NETWORK_MODELS = {
    "tan": "TreeAugmentedNB",
    "kdb": "KDependence",
    "aode": "AveragedOneDependence",
}

# What cannot be done with a model that lacks the method, and what can.
INSTEAD = {
    "partial_fit": "learn more rows: its weights come from all rows together. Use fit with all",
    "forget": "forget rows: its weights come from all rows together. Use fit with the others",
    "merge": "be merged: its weights come from all rows together. Use fit with all",
    "leave_one_out": "leave single rows out: it would have to learn anew for each. Use --cv",
}


def read_model(path: Path) -> Any:
    """The model of a file, if it is one that learns tables or texts."""
    model = by.load(path)
    if is_number_model(model):
        refuse_unnamed_columns(model, path)
    elif not is_text_model(model) and not is_table_model(model):
        raise TypeError(
            "The command line works with models of tables, such as NaiveBayes, and of texts, but "
            f"{path} holds a {type(model).__name__}. Use bayesic.load in Python."
        )
    return model


def is_text_model(model: Any) -> bool:
    """Whether a model learns texts, not tables."""
    return isinstance(model, by.TextClassifier)


def is_table_model(model: Any) -> bool:
    """Whether a model learns tables with columns of any kind."""
    return "columns" in model.get_params(deep=False)


def is_number_model(model: Any) -> bool:
    """Whether a model learns tables of numbers."""
    return type(model).__name__ in NUMBER_MODELS.values()  # imports none of them


def refuse_unnamed_columns(model: Any, path: Path) -> None:
    """Refuse a model that knows its columns by their places only."""
    if not hasattr(model, "feature_names_in_"):
        raise TypeError(
            f"The command line finds columns by their names, but {path} has learned an array "
            "without names. Use bayesic.load in Python, or learn a table."
        )


def refuse_without(model: Any, method: str) -> None:
    """Refuse what a model cannot do, with what can be done instead."""
    if not hasattr(model, method):
        raise click.UsageError(f"{type(model).__name__} cannot {INSTEAD[method]}.")


@contextmanager
def numbers_refused(path: Path) -> Iterator[None]:
    """Within this, rows that a model of numbers cannot learn are refused with a way out."""
    from bayesic.estimation.discriminant import SingularCovarianceError
    from bayesic.models.readers.matrix_reader import NotNumbersError

    try:
        yield
    except NotNumbersError as error:
        raise ValueError(
            f"{path}: this model takes numbers, but column {error.column!r} holds other values. "
            "Leave it out, or use --model naive, which takes columns of every kind."
        ) from None
    except SingularCovarianceError as error:
        raise ValueError(
            f"{error.what}: columns depend on each other, or there are few rows. Give --shrinkage "
            "0.1, or use --model gaussian, which shrinks where it must."
        ) from None


def target_name(path: Path, told: str | None, model: Any = None) -> str:
    """The column with the classes: as told, as the model knows it, or the last; that is said."""
    known = told or getattr(model, "target_name_", None)
    names = list(file_columns(path))
    if told is not None and told not in names:
        raise ValueError(
            f"--target must name a column of {path}, got {told!r}. The columns are "
            f"{', '.join(names)}."
        )
    if told is not None and told in getattr(model, "feature_names_in_", ()):
        raise click.UsageError(
            f"--target must name the column of {path} with the classes, got {told!r}, which the "
            "model has learned as "
            f"{'numbers' if is_number_model(model) else 'a column of the table'}."
        )
    if known:
        return known
    *_, last = names
    note(f"the classes are those of the last column, {last!r}. --target names another.")
    return last


def target_beside(path: Path, told: str | None, known: str | None, text: Sequence[str]) -> str:
    """The column with the classes of texts: as told, as the model knows it, or the only other.

    text : the columns with the texts
    """
    if told or known:
        return str(told or known)
    others = [name for name in file_columns(path) if name not in text]
    if not others:
        beside = " and ".join(map(repr, text))
        raise ValueError(f"{path} must have a column with the classes beside {beside}.")
    if len(others) > 1:
        raise click.UsageError(
            f"Name the column of {path} with the classes by --target. Beside the texts there are "
            f"{', '.join(others)}."
        )
    note(f"the classes are those of the column {others[0]!r}.")
    return others[0]


@contextmanager
def known_classes(path: Path, way_out: str) -> Iterator[None]:
    """Within this, classes of a file that a model does not know are refused with a way out."""
    try:
        yield
    except UnknownLabelsError as error:
        refuse_classes(path, error.unknown, error.classes, way_out)


def refuse_classes(path: Any, unknown: Sequence, known: Sequence, way_out: str) -> NoReturn:
    """Refuse classes of a file that a model does not know."""
    noun = "class" if len(unknown) == 1 else "classes"
    raise ValueError(
        f"{path} must have classes that the model has learned ({', '.join(map(str, known))}), got "
        f"the {noun} {', '.join(map(str, unknown))}. {way_out}"
    ) from None


def read_rows(path: Path, stored: Mapping[str, str] | None = None) -> Iterator[dict[str, Any]]:
    """The rows as they stand in the file: of a CSV file every cell is text, None if empty.

    stored : how columns are read instead, see file_blocks
    """
    for block in file_blocks(path, stored or dict.fromkeys(file_columns(path), "text")):
        columns = block if isinstance(block, Mapping) else block.to_pydict()
        for cells in zip(*columns.values(), strict=True):
            yield dict(zip(columns, cells, strict=True))


def read_row(model: Any, path: Path, number: int) -> dict[str, Any]:
    """One row of the columns that a model has learned; they are numbered from 0 on."""
    stored = None
    if is_number_model(model):
        numbers = dict.fromkeys(model.feature_names_in_.tolist(), "number")
        stored = dict.fromkeys(file_columns(path), "ignore") | numbers
    row = next(islice(read_rows(path, stored), number, None), None)
    if row is None:
        n_rows = sum(1 for _ in read_rows(path))
        raise ValueError(f"--row must be from 0 to {n_rows - 1}, the rows of {path}, got {number}.")
    return row


def read_loss(path: Path | None) -> dict[str, Any] | None:
    """Action -> class -> cost, from a JSON or CSV file; None without a file.

    The first column of a CSV file names the actions, each other column is a class; or its three
    columns are truth, action and cost.
    """
    if path is None:
        return None
    if path.suffix.lower() == ".json":
        return json_object(path)
    in_long = long_columns(list(file_columns(path)))
    if in_long is not None:
        told = dict(zip(in_long, ("category", "category", "number"), strict=True))
        table = table_in_memory(path, told)
        columns = table if isinstance(table, Mapping) else table.to_pydict()
        return nested(zip(*(columns[name] for name in in_long), strict=True))
    actions, *classes = file_columns(path)
    told = {actions: "category"} | dict.fromkeys(classes, "number")
    tell_if_rows_are_classes(actions)
    loss: dict[str, Any] = {}
    for block in file_blocks(path, told):
        columns = block if isinstance(block, Mapping) else block.to_pydict()
        for row in zip(*columns.values(), strict=True):
            cells = dict(zip(columns, row, strict=True))
            action = cells.pop(actions)
            if action in loss:
                raise ValueError(f"{path}: every action must have one row, got {action!r} twice.")
            loss[action] = cells
    return loss


def label_named(classes: Array, text: str) -> Any:
    """The class that a text means: labels that are numbers are typed as text.

    >>> label_named(np.array([1, 2]), "2")
    2
    """
    return {str(label): label for label in classes.tolist()}.get(text, text)
