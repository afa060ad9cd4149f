"""Folders in which the names of sub-folders and mailboxes are the classes of the texts."""

from collections.abc import Iterator
from pathlib import Path


def labelled_files(folder: Path) -> dict[str, list[Path]]:
    """Label -> files, sorted; nothing if the folder has no classes.

    Each sub-folder is a class, and each mailbox beside these: mails/ham.mbox and mails/ham hold
    texts of the class ham. A folder without sub-folders has classes if it holds mailboxes only.
    Other files beside sub-folders, and hidden ones, are left out.
    """
    labelled: dict[str, list[Path]] = {}
    for part in class_parts(folder):
        files = files_below(part) if part.is_dir() else [part]
        labelled.setdefault(class_name(part), []).extend(files)
    return labelled


def class_parts(folder: Path) -> list[Path]:
    """The sub-folders and mailboxes of a folder that are classes, sorted."""
    parts = [part for part in sorted(folder.iterdir()) if not _is_hidden(part)]
    classes = [part for part in parts if part.is_dir() or is_mailbox(part)]
    has_folders = any(part.is_dir() for part in classes)
    return classes if has_folders or len(classes) == len(parts) else []


def class_name(part: Path) -> str:
    """The class that a folder or a mailbox is named after.

    >>> class_name(Path("mails/spam.mbox"))
    'spam'
    """
    return part.stem if is_mailbox(part) else part.name


def is_mailbox(path: Path) -> bool:
    """Whether the path has the ending of a mailbox, and is no folder.

    >>> is_mailbox(Path("spam.mbox")), is_mailbox(Path("spam.eml"))
    (True, False)
    """
    return path.suffix.lower() == ".mbox" and not path.is_dir()


def files_below(folder: Path) -> list[Path]:
    """The files in a folder and its sub-folders, sorted, without hidden ones."""
    return list(_files_below(folder))


def _files_below(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if _is_hidden(path):
            continue
        if path.is_dir() and not path.is_symlink():  # a link may lead round in a circle
            yield from _files_below(path)
        elif path.is_file():
            yield path


def _is_hidden(path: Path) -> bool:
    return path.name.startswith(".")
