"""Folders of texts, mails and columns of files -> blocks of texts with their labels.

- A folder: each file below it is a text, and its label is the name of the sub-folder, or of the
  mailbox, see `_labelled_files`. Without these there are no labels.
- A .csv, .tsv or .parquet file (and .txt, if text= is given): one text in each row. The texts of
  several columns are joined by a line break, in the order in which the columns are named.
- A DuckDB relation or lazy table: the same.
- A .mbox file has many mails, and is a class named after it; a .eml file has one mail, as has each
  file of a Maildir: sender, subject and text, no attachments.
- Any other file is one text: UTF-8, or latin-1 if it is not UTF-8; see encodings for others.

Texts are handed on in blocks of some megabytes: there may be more of them than fit into memory.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TypeGuard

import numpy as np

from bayesic.data.encodings import plain_text
from bayesic.data.labels import take_column
from bayesic.data.mails import (
    IN_MAILDIR,
    Identified,
    is_mail,
    is_mailbox,
    is_maildir,
    mails_of_box,
    read_mail,
    text_id,
)
from bayesic.data.rows_read import tell_rows_read
from bayesic.data.source import RowBlock, Source, Stored
from bayesic.data.texts import TextBytes, as_texts, joined_texts, texts_beside
from bayesic.kernels import Array

BYTES_PER_BLOCK = 2**24
ROWS_PER_BATCH = 2048  # what DuckDB reads at a time, however long the texts are

TABLE_ENDINGS = (".csv", ".tsv", ".csv.gz", ".tsv.gz", ".parquet")

LabelledTexts = tuple[TextBytes, Array | None]  # texts, and the label of each
Columns = str | Sequence[str] | None  # the column with the texts, or several, or not told


def has_texts(source: Source) -> TypeGuard[Stored]:
    """Whether texts are read from it: a file or folder that exists, or a table of an engine.

    A list of texts is none, nor is a text.

    >>> from bayesic.data.source import opened
    >>> has_texts(opened("free lunch, today only")), has_texts(opened(["mails"]))
    (False, False)
    """
    return isinstance(source, Stored) and source.exists


def has_columns(source: Stored, text: Columns) -> bool:
    """Whether texts are in a column of this file or table; of a .txt file only if one is named.

    >>> from bayesic.data.source import opened_file
    >>> has_columns(opened_file("mails.csv"), None), has_columns(opened_file("mail.txt"), None)
    (True, False)
    """
    if source.path is None:
        return True
    endings = TABLE_ENDINGS if text is None else (*TABLE_ENDINGS, ".txt")
    return not source.path.is_dir() and source.path.name.lower().endswith(endings)


def labelled_texts(
    source: Stored, y: object, sample_weight: object = None, text: Columns = None
) -> Iterator[tuple[TextBytes, Array]]:
    """Texts and labels of a file or folder to learn from, in blocks."""
    if sample_weight is not None or not isinstance(y, (str, type(None))):
        raise ValueError(
            f"y must be the name of the column with the labels of {source.name:.80}, or nothing "
            "for a folder of classes, and there can be no sample_weight. Read the texts first to "
            "give labels or weights beside them."
        )
    for texts, labels in text_blocks(source, text, y):
        if labels is None:
            raise ValueError(
                f"There are no labels for the texts of {source.name:.80}. Put them into one folder "
                "for each class, or name the column of a table that holds the labels: y='label'."
            )
        yield texts, labels


def asked_texts(source: Stored, text: Columns) -> Iterator[TextBytes]:
    """The texts of a folder or file in blocks; of a table its columns of these names, or its only
    one.

    >>> from tempfile import TemporaryDirectory
    >>> from bayesic.data.source import opened_file
    >>> with TemporaryDirectory() as folder:
    ...     mails = Path(folder, "mails.csv")
    ...     _ = mails.write_text("label,body\\nspam,free lunch\\nham,rain\\n")
    ...     [texts.texts() for texts in asked_texts(opened_file(mails), "body")]
    [['free lunch', 'rain']]
    """
    named = text if has_columns(source, text) else None
    return (texts for texts, _ in text_blocks(source, named))


def text_blocks(
    source: Stored,
    text: Columns = None,
    target: str | None = None,
    rows_per_block: int | None = None,
) -> Iterator[LabelledTexts]:
    """The texts of a folder or file in order, in blocks of about 16 MB, with labels or None.

    source : a folder, a table, a mailbox, a mail or any other file, or a table of an engine, see
             above
    text   : the column with the texts, or several, for tables; the only other column if it is not
             given
    target : the column with the labels, for tables
    rows_per_block : at most this many texts in a block

    >>> from tempfile import TemporaryDirectory
    >>> from bayesic.data.source import opened_file
    >>> with TemporaryDirectory() as folder:
    ...     mails = Path(folder, "mails.csv")
    ...     _ = mails.write_text("label,body\\nspam,free lunch\\nham,rain\\n")
    ...     for texts, labels in text_blocks(opened_file(mails), "body", "label"):
    ...         print(texts.texts(), labels)
    ['free lunch', 'rain'] ['spam' 'ham']
    """
    if not source.exists:
        raise FileNotFoundError(
            f"There is no file or folder {source.name}. Check the name and the folder."
        )
    if source.path is None or has_columns(source, text):
        rows = min(ROWS_PER_BATCH, rows_per_block or ROWS_PER_BATCH)
        return _gathered(_parts_of_table(source, text, target, rows), rows_per_block)
    path = source.path
    if text is not None or target is not None:
        raise ValueError(
            f"text= and target= name columns of a table, but {str(path)!r} is no "
            f"{', '.join(TABLE_ENDINGS)} file. Leave them out: labels are the names of folders."
        )
    if path.is_dir():
        return _gathered(_parts_of_folder(path), rows_per_block)
    return _gathered(_parts_of_file(path, _class_of_file(path)), rows_per_block)


def _gathered(
    parts: Iterable[LabelledTexts], rows_per_block: int | None
) -> Iterator[LabelledTexts]:
    """Small parts put together to blocks."""
    held: list[LabelledTexts] = []
    n_rows = n_bytes = 0
    for part in parts:
        if held and rows_per_block is not None and n_rows + len(part[0]) > rows_per_block:
            yield _taken(held)
            n_rows = n_bytes = 0
        held.append(part)
        n_rows += len(part[0])
        n_bytes += part[0].n_bytes
        if n_bytes >= BYTES_PER_BLOCK:
            yield _taken(held)
            n_rows = n_bytes = 0
    if held:
        yield _taken(held)


def _taken(held: list[LabelledTexts]) -> LabelledTexts:
    """All parts together; the list is empty then, so that nothing is kept twice."""
    texts = joined_texts([texts for texts, _ in held])
    labels = [labels for _, labels in held if labels is not None]
    held.clear()
    return texts, np.concatenate(labels) if labels else None


# tables ---------------------------------------------------------------------------------------


def _parts_of_table(
    table: Stored, text: Columns, target: str | None, rows: int
) -> Iterator[LabelledTexts]:
    columns = text_columns(table, text, target)
    told = dict.fromkeys(table.names, "ignore") | dict.fromkeys(columns, "text")
    if target is not None:
        told[target] = "label"
    return _parts_of_rows(table.blocks(told, rows), columns, target)


def _parts_of_rows(
    blocks: Iterable[RowBlock], columns: list[str], target: str | None
) -> Iterator[LabelledTexts]:
    for rows in blocks:
        texts, labels = rows.X, None
        if target is not None:
            texts, labels = take_column(texts, target)
        yield texts_beside([as_texts(texts[name], rows.first_row) for name in columns]), labels


def text_columns(table: Stored, text: Columns, target: str | None) -> list[str]:
    """The columns with the texts: the only one beside the labels if they are not given."""
    columns, names, where = as_list(text), table.names, str(table)
    for name in [*columns, *([] if target is None else [target])]:
        if name not in names:
            raise ValueError(f"{where} has no column {name!r}. The columns are {names}.")
    others = [name for name in names if name != target]
    if not columns and len(others) != 1:
        raise ValueError(
            f"Say with text= which column of {where} holds the texts. The columns are {names}."
        )
    if target in columns:
        raise ValueError(
            f"text and target must be two columns of {where}, got {target!r} for both."
        )
    return columns or others


def as_list(text: Columns) -> list[str]:
    """The names of columns that are given; none, one and several are a list."""
    columns = [text] if isinstance(text, str) else [*(text or ())]
    if not all(isinstance(name, str) for name in columns) or len(set(columns)) < len(columns):
        raise ValueError(
            "text must name the column with the texts, or several columns, each once, such as "
            f"['subject', 'body'], got {text!r:.80}."
        )
    return columns


def is_column(text: object) -> bool:
    """Whether this can be the name of a column, or the names of several, or none.

    >>> is_column("body"), is_column(("subject", "body")), is_column(None), is_column(3)
    (True, True, True, False)
    """
    names = text if isinstance(text, tuple) else ["" if text is None else text]
    return all(isinstance(name, str) for name in names)


# folders and files ----------------------------------------------------------------------------


def _parts_of_folder(folder: Path) -> Iterator[LabelledTexts]:
    return (
        part
        for label, paths in _files_of_folder(folder).items()
        for path in paths
        for part in _parts_of_file(path, label)
    )


def _files_of_folder(folder: Path) -> dict[str | None, list[Path]]:
    """Label -> files; None where there are no classes."""
    files = _labelled_files(folder) or {None: files_below(folder)}
    if not any(files.values()):
        raise ValueError(
            f"{str(folder)!r} must hold texts, but there is no file in it. Put one text into each "
            "file, in one sub-folder for each class."
        )
    return files


def _class_of_file(path: Path) -> str | None:
    return _class_name(path) if is_mailbox(path) else None


def _parts_of_file(path: Path, label: str | None) -> Iterator[LabelledTexts]:
    labels = None if label is None else np.array([label], dtype=object)
    for text in texts_of_file(path):
        tell_rows_read(1)
        yield as_texts([text]), labels


def texts_of_file(path: Path) -> Iterator[str]:
    """The mails of a mailbox, a mail, or the one text of any other file."""
    return (text for _, text in identified_texts(path))


def identified_texts(path: Path) -> Iterator[Identified]:
    """The same with their ids: the Message-ID of a mail, or else the checksum of the text."""
    if path.suffix.lower() == ".mbox":
        yield from mails_of_box(path)
    elif is_mail(path):
        yield read_mail(path.read_bytes())
    else:
        text = plain_text(path.read_bytes(), path)
        yield text_id(text), text


def labelled_identified_texts(path: Path) -> Iterator[tuple[str | None, str, str]]:
    """Label, id and text of all texts of a folder or file; see `text_blocks`."""
    files = _files_of_folder(path) if path.is_dir() else {_class_of_file(path): [path]}
    for label, paths in files.items():
        for file in paths:
            for id, text in identified_texts(file):
                yield label, id, text


def files_below(folder: Path) -> list[Path]:
    """The files in a folder and its sub-folders, sorted, without hidden ones.

    Of a Maildir only mails that are whole, not what a mail server keeps beside them.
    """
    files: list[Path] = []
    has_mails = is_maildir(folder)
    for path in sorted(folder.iterdir()):
        if _is_hidden(path) or (has_mails and path.name == "tmp"):
            continue
        if path.is_dir() and not path.is_symlink():  # a link may lead round in a circle
            files += files_below(path)
        elif path.is_file() and not has_mails:
            files.append(path)
    return files


def _is_hidden(path: Path) -> bool:
    return path.name.startswith(".")


# folders whose names are classes --------------------------------------------------------------


def _labelled_files(folder: Path) -> dict[str | None, list[Path]]:
    """Label -> files, sorted; nothing if the folder has no classes.

    Each sub-folder is a class, and each mailbox beside these: mails/ham.mbox and mails/ham hold
    texts of the class ham. A folder without sub-folders has classes if it holds mailboxes only.
    Other files beside sub-folders, and hidden ones, are left out.
    """
    labelled: dict[str | None, list[Path]] = {}
    for part in class_parts(folder):
        files = files_below(part) if part.is_dir() else [part]
        labelled.setdefault(_class_name(part), []).extend(files)
    return labelled


def class_parts(folder: Path) -> list[Path]:
    """The sub-folders and mailboxes of a folder that are classes, sorted.

    A Maildir has none, unless there are further folders in it.
    """
    own = (*IN_MAILDIR, "tmp") if is_maildir(folder) else ()
    parts = [
        part for part in sorted(folder.iterdir()) if not _is_hidden(part) and part.name not in own
    ]
    classes = [part for part in parts if part.is_dir() or is_mailbox(part)]
    has_folders = any(part.is_dir() for part in classes)
    return classes if has_folders or len(classes) == len(parts) else []


def _class_name(part: Path) -> str:
    """The class that a folder or a mailbox is named after.

    >>> _class_name(Path("mails/spam.mbox"))
    'spam'
    """
    return part.stem if is_mailbox(part) else part.name
