"""`bayesic update` and `forget` of a model on a server: each row or text once, by its id.

Texts and mails have their own ids: so a mail program may report a mail as often as it likes, and
the last class reported holds. Rows of a table have those of the column that --id names.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import click
import numpy as np

from bayesic.cli._labelled_files import labelled_texts, refuse_columns, refuse_texts, target_name
from bayesic.cli._learned_models import label_named, refuse_classes
from bayesic.cli._on_server import OnServer, connected, described
from bayesic.cli._options import is_given
from bayesic.cli._output import tell
from bayesic.cli._questions import identified_stdin, is_stdin, rows_of_file
from bayesic.data.source import opened_file
from bayesic.data.text_files import (
    Columns,
    has_columns,
    labelled_identified_texts,
    text_blocks,
)
from bayesic.data.typing import Label
from bayesic.evidence.text_table import counted
from bayesic.serve.client import RemoteStore
from bayesic.store.errors import ConflictError
from bayesic.store.plain_rows import Row, rows_of
from bayesic.store.text_rows import once

MOST_ROWS = 1000  # of a request
MOST_CHARACTERS = 100_000  # of the texts of a request, unless one alone has more


@dataclass(frozen=True)
class ChangeOptions:
    """What is done, and what the options say of the sources."""

    method: str  # "partial_fit" or "forget"
    text: Columns
    target: str | None
    label: str | None
    stdin: str
    id_column: str | None
    new_classes: bool

    @property
    def learns(self) -> bool:
        """Whether rows are learned, and need a class."""
        return self.method == "partial_fit"


@dataclass(frozen=True)
class ReadFile:
    """The rows of a source, with their ids; None where the server is to make new ones."""

    path: Path
    rows: Sequence[Row]
    ids: Sequence[str] | None
    is_text: bool = False  # its ids tell which text it is: with another class it is corrected


def change_on_server(
    model: OnServer, sources: Sequence[Path], how: ChangeOptions, as_json: bool
) -> None:
    """Let a model on a server learn the rows or texts of sources, or forget them."""
    if is_given("out"):
        raise click.UsageError(f"--out names a file to write, but {model} is on a server.")
    described_model = described(model)
    is_text = described_model["model"] == "TextClassifier"
    find = _found_texts if is_text else _found_rows
    sources_read = [find(model, path, how, described_model["classes"]) for path in sources]
    _check_classes(described_model["classes"], sources_read, how)
    counts: Counter[str] = Counter()
    with connected(model) as store:
        for source in sources_read:
            for count in _changed(store, model.name, how, source):
                counts.update(count)
    _tell(model, how, "text" if is_text else "row", counts, as_json)


def _tell(
    model: OnServer, how: ChangeOptions, unit: str, counts: Counter[str], as_json: bool
) -> None:
    """Say how many rows are new to the server, and how many it knew."""
    verb, n_new = "learned" if how.learns else "forgotten", counts["new"]
    line = f"{model}: {counted(n_new, unit)} {verb}"
    if counts["corrected"]:
        line += f", {counts['corrected']} corrected"
    if counts["already"]:
        line += f", {counts['already']} {verb} already"
    others = {name: counts[name] for name in ("corrected", "already")}
    tell({"model": str(model), verb: n_new, **others}, f"{line}.", as_json)


# sources -> rows ----------------------------------------------------------------------------------


def _found_rows(
    model: OnServer, path: Path, how: ChangeOptions, classes: Sequence[Label]
) -> ReadFile:
    """The rows of a table."""
    refuse_texts(model, how.text)
    _refuse_label(how, f"{model} learns the columns of a table")
    if is_stdin(path):
        raise click.UsageError(f"{model} learns the columns of a table: name a file.")
    ids = _ids_of(path, how)
    if not how.learns:
        return ReadFile(path, [], ids)
    table = opened_file(path)
    rows = rows_of(table, target_name(table, how.target))
    return ReadFile(path, [_without(row, how.id_column) for row in rows], ids)


def _found_texts(
    model: OnServer, path: Path, how: ChangeOptions, classes: Sequence[Label]
) -> ReadFile:
    """Texts and mails of stdin, files and folders, which have ids; or the texts of a table."""
    if not is_stdin(path) and has_columns(opened_file(path), how.text):
        return _found_in_table(path, how)
    if how.id_column is not None:
        raise click.UsageError(
            f"--id names a column of a table, but {path} is not a table. Leave it out."
        )
    label = None if how.label is None else label_named(np.array(classes, object), how.label)
    by_id = once((id, Row(text, label or own)) for own, id, text in _texts(path, how))
    return ReadFile(path, [*by_id.values()], [*by_id], is_text=True)


def _texts(path: Path, how: ChangeOptions) -> Iterator[tuple[str | None, str, str]]:
    """The class of each text, if there is one, its id, and the text."""
    if is_stdin(path):
        if how.label is None and how.learns:
            raise click.UsageError("Texts from stdin have no class: name it with --class.")
        return ((None, id, text) for id, text in identified_stdin(how.stdin))
    refuse_columns(path, how.text, how.target)
    if how.label is None and how.learns:
        labelled_texts(path, None, None)  # raises if there are no classes
    return labelled_identified_texts(path)


def _found_in_table(path: Path, how: ChangeOptions) -> ReadFile:
    """The texts of a column."""
    _refuse_label(how, f"{path} is a table")
    ids = _ids_of(path, how)
    if not how.learns:
        return ReadFile(path, [], ids)
    source = labelled_texts(path, how.text, how.target)
    rows = []
    for texts, labels in text_blocks(source.rows, source.text, source.target):
        of_block = [] if labels is None else labels.tolist()
        rows += [Row(*each) for each in zip(texts.texts(), of_block, strict=True)]
    return ReadFile(path, rows, ids)


def _ids_of(path: Path, how: ChangeOptions) -> list[str] | None:
    """The ids that stand in a column; without it rows can be learned, but not be forgotten."""
    if how.id_column is None:
        if how.learns:
            return None
        raise click.UsageError(
            "A server forgets rows by their ids. Name the column that holds them by --id."
        )
    ids = [row.get(how.id_column) for row in rows_of_file(opened_file(path))]
    if not ids or any(id in (None, "") for id in ids):
        raise ValueError(
            f"--id must name a column of {path} with an id in each row, got {how.id_column!r}."
        )
    return [str(id) for id in ids]


def _without(row: Row, column: str | None) -> Row:
    """The row without its id, of which nothing can be learned."""
    if not isinstance(row.x, dict):
        return row
    return Row({name: cell for name, cell in row.x.items() if name != column}, row.y)


def _refuse_label(how: ChangeOptions, why: str) -> None:
    """Refuse --class where the classes are in a column."""
    if how.label is not None:
        raise click.UsageError(
            f"--class names the class of texts and mails, but {why}. Name the column with the "
            "classes by --target."
        )


def _check_classes(
    known: Sequence[Label], sources_read: Sequence[ReadFile], how: ChangeOptions
) -> None:
    """Refuse classes that the model does not know; one that does not know two yet takes any."""
    if how.new_classes or not how.learns or len(known) < 2:
        return
    for source in sources_read:
        unknown = sorted({str(row.y) for row in source.rows} - {*map(str, known)})
        if unknown:
            way_out = "Nothing was learned. Give --new-classes to learn new classes too."
            refuse_classes(source.path, unknown, known, way_out)


# rows -> the server -------------------------------------------------------------------------------


def _changed(
    store: RemoteStore, name: str, how: ChangeOptions, sources_read: ReadFile
) -> Iterator[dict[str, int]]:
    """How many rows are new, corrected, or known already, part by part."""
    if not how.learns:
        all_ids = iter(sources_read.ids or ())
        while part := [*islice(all_ids, MOST_ROWS)]:
            yield _counted(store.forget(name, part).already)
        return
    for start, end in _parts(sources_read.rows):
        rows = sources_read.rows[start:end]
        ids = None if sources_read.ids is None else sources_read.ids[start:end]
        yield from _learned(store, name, rows, ids, sources_read.is_text)


def _learned(
    store: RemoteStore, name: str, rows: Sequence[Row], ids: Sequence[str] | None, is_text: bool
) -> Iterator[dict[str, int]]:
    """Learn rows; a text that is known with another class is corrected."""
    try:
        labels = [row.y for row in rows]
        yield _counted(store.learn(name, [row.x for row in rows], labels, ids).already)
    except ConflictError:
        if not is_text or ids is None:
            raise
        if len(rows) > 1:
            for row, id in zip(rows, ids, strict=True):
                yield from _learned(store, name, [row], [id], is_text)
            return
        (was_so,) = store.correct(name, ids[0], rows[0].y).already
        yield {"already" if was_so else "corrected": 1}


def _counted(already: Sequence[bool]) -> dict[str, int]:
    return {"new": len(already) - sum(already), "already": sum(already)}


def _parts(rows: Sequence[Row]) -> Iterator[tuple[int, int]]:
    """Where parts begin and end that are not too large for a request."""
    start = size = 0
    for index, row in enumerate(rows):
        length = len(str(row.x))
        if index > start and (index - start >= MOST_ROWS or size + length > MOST_CHARACTERS):
            yield start, index
            start, size = index, 0
        size += length
    if rows:
        yield start, len(rows)
