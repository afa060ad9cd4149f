"""`bayesic update`, `forget` and `merge`: a model file that is read, changed and written again.

A mail program that has a mail and knows its class gives these two: `update MODEL - --class spam`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import ClassVar

import click

from bayesic.catalogue import is_text_model
from bayesic.cli._labelled_files import LabelledFile, moment_of, refuse_columns, source_for_model
from bayesic.cli._learned_models import (
    alone_with,
    known_classes,
    label_named,
    read_model,
    refuse_classes,
    refuse_without,
    tell_learned,
)
from bayesic.cli._on_server import OnServer
from bayesic.cli._options import is_given
from bayesic.cli._output import working
from bayesic.cli._questions import FILES_PER_BLOCK, is_stdin, questions_of_files, stdin_blocks
from bayesic.data.rows_read import tell_rows_read
from bayesic.data.source import opened_file
from bayesic.data.text_files import Columns, has_columns
from bayesic.data.typing import Classifier, Label
from bayesic.models.summaries.description import learned_so_far

# the way out where a source has classes that a model cannot learn or forget
OTHER_CLASSES = {
    "partial_fit": "This model cannot take new classes: learn all rows together with fit.",
    "forget": "Only what was learned can be forgotten.",
}


@dataclass(frozen=True)
class OfOneClass:
    """Texts and mails that all have the same class: those of a file or folder, or of stdin."""

    path: Path
    label: Label
    piped: Sequence[str] | None = None  # what came on stdin
    unit: ClassVar = "text"

    def teach(self, model: object, method: str) -> None:
        """Let a model learn all texts by this method, or forget them."""
        of_files = (texts for _, texts in questions_of_files(self.path))
        for texts in of_files if self.piped is None else _parts(self.piped, FILES_PER_BLOCK):
            tell_rows_read(len(texts))
            labels = [self.label] * len(texts)
            getattr(model, method)(texts, labels, **moment_of(model, method))


def change(
    method: str,
    model: Path | OnServer,
    sources: Sequence[Path],
    text: Columns,
    target: str | None,
    label: str | None,
    stdin: str,
    id_column: str | None,
    out: Path | None,
    as_json: bool,
    new_classes: bool = False,
) -> None:
    """Change a model by the rows or texts of sources, and write it only if that went well."""
    if not isinstance(model, Path):
        from bayesic.cli._changing_on_server import (  # loads what connects
            ChangeOptions,
            change_on_server,
        )

        how = ChangeOptions(method, text, target, label, stdin, id_column, new_classes)
        change_on_server(model, sources, how, as_json)
        return
    if id_column is not None:
        raise click.UsageError(
            f"--id is for models on a server, which know each row; {model} keeps counts. Leave it "
            "out."
        )
    piped = _read_stdin(sources, label, stdin)  # before the model file is locked
    with alone_with(out or model):
        learned = read_model(model)
        if label is not None:
            _refuse_label(learned, model, text, target)
        for path in sources:
            if label is None:
                source: LabelledFile | OfOneClass = source_for_model(
                    learned, model, path, text, target
                )
            else:
                source = _of_one_class(path, label_named(learned.classes_, label), piped)
            _teach(learned, method, source, new_classes)
        known = learned_so_far(learned)  # raises if it does not suit the parameters any more
        learned.save(out or model)
    tell_learned(out or model, known, as_json)


def merge(models: Sequence[Path], out: Path, as_json: bool) -> None:
    """Add up models, and write the sum."""
    first, *others = models
    with alone_with(out):
        merged = read_model(first)
        refuse_without(merged, "merge")
        for other in others:
            merged.merge(read_model(other))
        merged.save(out)
    tell_learned(out, learned_so_far(merged), as_json)


def _teach(
    model: Classifier, method: str, source: LabelledFile | OfOneClass, new_classes: bool
) -> None:
    """Learn or forget a source; its classes must be known, or may be new."""
    known, path = model.classes_.tolist(), source.path
    with working(f"reading {path}", unit=source.unit), known_classes(path, OTHER_CLASSES[method]):
        source.teach(model, method)
    unknown = [label for label in model.classes_.tolist() if label not in known]
    if unknown and not new_classes:
        way_out = "Nothing was learned. Give --new-classes to learn new classes too."
        refuse_classes(path, unknown, known, way_out)


# texts of one class -------------------------------------------------------------------------------


def _read_stdin(sources: Sequence[Path], label: str | None, holds: str) -> list[str] | None:
    """All texts of stdin if a source is -, read at once; their class must be given."""
    if not any(map(is_stdin, sources)):
        if is_given("stdin"):
            raise click.UsageError("--stdin says what stdin holds, but no SOURCE is -.")
        return None
    if label is None:
        raise click.UsageError("Texts from stdin have no class: name it with --class.")
    return list(chain.from_iterable(stdin_blocks(holds)))


def _of_one_class(path: Path, label: Label, piped: Sequence[str] | None) -> OfOneClass:
    """The texts of a path, or of stdin, as those of a class."""
    if is_stdin(path):
        return OfOneClass(path, label, piped)
    refuse_columns(path, None)
    if has_columns(opened_file(path), None):
        raise click.UsageError(
            f"--class names the class of texts and mails, but {path} is a table. Name its column "
            "with the classes with --target."
        )
    return OfOneClass(path, label)


def _refuse_label(model: object, model_path: Path, text: Columns, target: str | None) -> None:
    """Refuse --class where the classes are in a column."""
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


def _parts(texts: Sequence[str], size: int) -> Iterator[list[str]]:
    """The texts in parts of this size.

    >>> [*_parts(["free", "lunch", "today"], 2)]
    [['free', 'lunch'], ['today']]
    """
    return (list(texts[start : start + size]) for start in range(0, len(texts), size))
