"""Files that are written whole or not at all."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

PathLike = str | os.PathLike[str]


@contextmanager
def whole_file(path: PathLike, what: str) -> Iterator[IO[bytes]]:
    """A file to write to, which takes its name only when it is complete.

    It is written under another name in the same folder and renamed at the end: if anything fails, a
    file that was there before is still whole. `what` is written, for the messages: "A model".

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     with whole_file(f"{folder}/rain.txt", "A text") as file:
    ...         _ = file.write(b"wet")
    ...     Path(f"{folder}/rain.txt").read_text()
    'wet'
    """
    target = _target(path, what)
    temporary = target.with_name(f".bayesic-{os.urandom(8).hex()}.tmp")
    try:
        with _new_file(temporary, target) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            shutil.copymode(target, temporary)
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _target(path: PathLike, what: str) -> Path:
    """The file to be written; a link is followed, so that it still is one afterwards."""
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        raise ValueError(
            f"{what} is written to a file, got {path}, which is a folder or a device. "
            "Add the name of a file."
        )
    if not target.parent.is_dir():
        raise FileNotFoundError(
            f"{what} is written to a folder that exists. There is no folder {target.parent}: make "
            "it first, or choose another."
        )
    return target


def _new_file(temporary: Path, target: Path) -> IO[bytes]:
    try:
        return temporary.open("xb")  # with the permissions of any new file
    except OSError as error:
        raise type(error)(
            f"{target.name} cannot be written in the folder {target.parent}: {error.strerror}. "
            "Choose a folder that takes new files."
        ) from error
