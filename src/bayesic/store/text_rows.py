"""Folders of texts, mailboxes and mails as rows, each with an id of its own."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from bayesic.data.mails import is_mail, is_mailbox
from bayesic.data.source import opened
from bayesic.data.text_files import has_texts, labelled_identified_texts
from bayesic.data.typing import TableLike
from bayesic.store.plain_rows import Ids, Row, rows_of


def rows_and_ids(X: Any, y: Any = None, ids: Ids | None = None) -> tuple[list[Row], Ids | None]:
    """The rows of anything that a store learns, and their ids.

    Texts of a folder, a mailbox or a mail have ids of their own, unless others are given: the
    Message-ID of a mail, or else the checksum of the text. A mail that is there twice is one row.
    Their labels are the names of folders and mailboxes; or y is the one that all of them have.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     _ = Path(folder, "win.eml").write_text("Message-ID: <7@rain>\\n\\nfree lunch")
    ...     rows_and_ids(folder, "spam")
    ([Row(x='free lunch', y='spam')], ['<7@rain>'])
    """
    if not is_folder_or_mail(X):
        return rows_of(X, y), ids
    found = [*labelled_identified_texts(Path(X))]
    labels = [_checked(label, X) for label, _, _ in found] if y is None else _labels(y, found)
    rows = [Row(text, label) for label, (_, _, text) in zip(labels, found, strict=True)]
    if ids is not None:
        return rows, ids
    by_id = once(zip([id for _, id, _ in found], rows, strict=True))
    return [*by_id.values()], [*by_id]


def is_folder_or_mail(X: Any) -> bool:
    """Whether X is the path of a folder, a mailbox or a mail, and not of a table.

    >>> is_folder_or_mail("mails.csv"), is_folder_or_mail(["free lunch"])
    (False, False)
    """
    source = opened(X)
    path = source.path if has_texts(source) else None
    return path is not None and (path.is_dir() or is_mailbox(path) or is_mail(path))


def once(rows: Iterable[tuple[str, Row]]) -> dict[str, Row]:
    """Rows by id, each once; refused if one has two labels."""
    known: dict[str, Row] = {}
    for id, row in rows:
        first = known.setdefault(id, row)
        if first.y != row.y:
            raise ValueError(
                f"The mail {id!r:.80} is there as {first.y!r} and as {row.y!r}. Leave it in one of "
                "the folders."
            )
    return known


def _labels(y: Any, found: Sequence[Any]) -> Sequence[Any]:
    """The label of each text: the one that all have, or those that are given."""
    if isinstance(y, str):
        return [y] * len(found)
    return [row.y for row in rows_of([text for _, _, text in found], y)]


def _checked(label: object, X: TableLike) -> object:
    if label is None:
        raise ValueError(
            f"There are no labels for the texts of {str(X)!r:.80}. Put them into one folder for "
            "each class, or say of which class all of them are: y='spam'."
        )
    return label
