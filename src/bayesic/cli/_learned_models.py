"""Model files: read, locked, described; what a model cannot do, and classes it does not know."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any, NoReturn

import click
import numpy as np

import bayesic as by
from bayesic.catalogue import entry_of, is_text_model
from bayesic.cli._messages import note
from bayesic.cli._on_server import OnServer, model_file
from bayesic.cli._output import tell
from bayesic.data.labels import UnknownLabelsError
from bayesic.data.typing import Label
from bayesic.files.file_locks import locked
from bayesic.models.summaries.description import learned_line

# What cannot be done with a model that lacks the method, and what can.
INSTEAD = {
    "partial_fit": "learn more rows: its weights come from all rows together. Use fit with all",
    "forget": "forget rows: its weights come from all rows together. Use fit with the other rows",
    "merge": "be merged: its weights come from all rows together. Use fit with all",
    "with_noise": "be written as counts with noise: it is more than counts. Use --model naive",
    "leave_one_out": "leave single rows out: it would have to be fitted again for each. Use --cv",
}


def read_model(path: Path | OnServer) -> Any:
    """The model of a file or on a server, if it is one that learns tables or texts."""
    model = _loaded(path if isinstance(path, Path) else model_file(path), path)
    if is_number_model(model):
        if not hasattr(model, "feature_names_in_"):
            raise TypeError(
                f"The command line finds columns by their names, but {path} has learned an array "
                "without names. Use bayesic.load in Python, or learn a table."
            )
    elif not is_text_model(model) and "columns" not in model.get_params(deep=False):
        raise TypeError(
            "The command line works with models of tables, such as NaiveBayes, and of texts, but "
            f"{path} holds a {type(model).__name__}. Use bayesic.load in Python."
        )
    return model


def _loaded(file: Path | BytesIO, path: Path | OnServer) -> Any:
    try:
        return by.load(file)
    except ValueError as error:
        if isinstance(file, Path):
            raise
        raise ValueError(f"{path} {str(error).partition('> ')[2]}") from error


def is_number_model(model: object) -> bool:
    """Whether a model learns tables of numbers, and --model names it."""
    entry = entry_of(model)
    return bool(entry.typed) and entry.reads == "numbers"


def refuse_without(model: object, method: str) -> None:
    """Refuse what a model cannot do, with what can be done instead."""
    if not hasattr(model, method):
        raise click.UsageError(f"{type(model).__name__} cannot {INSTEAD[method]}.")


def alone_with(path: Path) -> AbstractContextManager[None]:
    """While this lasts, no other command changes this file: what it reads is what it replaces."""
    return locked(path, waiting=lambda: note(f"waiting for another command that changes {path}."))


def tell_learned(path: Path, learned: Mapping[str, object], as_json: bool) -> None:
    """Say what a model file holds now."""
    tell({"model": str(path), **learned}, f"{path}: {learned_line(learned)}.", as_json)


# classes ------------------------------------------------------------------------------------------


def label_named(classes: np.ndarray, text: str) -> Label:
    """The class that a text means: labels that are numbers are typed as text.

    >>> label_named(np.array([1, 2]), "2")
    2
    """
    return {str(label): label for label in classes.tolist()}.get(text, text)


@contextmanager
def known_classes(path: Path, way_out: str) -> Iterator[None]:
    """Within this, classes of a file that a model does not know are refused with a way out."""
    try:
        yield
    except UnknownLabelsError as error:
        refuse_classes(path, error.unknown, error.classes, way_out)


def refuse_classes(path: Path, unknown: Sequence, known: Sequence, way_out: str) -> NoReturn:
    """Refuse classes of a file that a model does not know."""
    noun = "class" if len(unknown) == 1 else "classes"
    raise ValueError(
        f"{path} must have classes that the model has learned ({', '.join(map(str, known))}), got "
        f"the {noun} {', '.join(map(str, unknown))}. {way_out}"
    ) from None
