"""A file that one process at a time may read, change and write again.

The lock is one of the operating system, on an empty file beside: the file itself is replaced when
it is written, and a lock on what was replaced would lock nothing. The system frees the lock when a
process ends, however it ends. The empty file is removed at the end; if a process is killed it
stays, and does no harm.
"""

import errno
import os
import socket
import sys
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

PATIENCE = 1.0  # seconds before the caller is notified
BETWEEN_TRIES = 0.02  # seconds
FORKING = 0.5  # seconds in which a process that was forked closes what it must not keep


@contextmanager
def locked(path: str | os.PathLike[str], waiting: Callable[[], None]) -> Iterator[None]:
    """While this lasts, no other process is within this for the same file; others wait.

    waiting : called once if another process has had the file for more than a second

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     with locked(f"{folder}/spam.bayes", waiting=lambda: print("waiting")):
    ...         print([file.name for file in Path(folder).iterdir()])
    ...     print(list(Path(folder).iterdir()))
    ['.spam.bayes.lock']
    []
    """
    target = Path(os.path.realpath(path))  # two links to a file are one file
    beside = target.with_name(f".{target.name}.lock")
    file = _taken(beside, waiting)
    try:
        yield
    finally:
        _given_back(file, beside)


@contextmanager
def locked_as_one(path: str | os.PathLike[str]) -> Iterator[bool]:
    """While this lasts, no other is within this for the same file, whatever its name: True.

    False where another is. A file that was moved, or has another name, has another lock beside it;
    but it is the same device and inode. On Linux these are the name of a socket, which goes with
    its process; elsewhere there is no such lock, and it is True. To open and close the file itself
    would give back the locks that SQLite has on it.

    >>> from tempfile import NamedTemporaryFile
    >>> with NamedTemporaryFile() as file, locked_as_one(file.name) as first:
    ...     with locked_as_one(file.name) as second:
    ...         print(first, second)
    True False
    """
    if sys.platform != "linux":
        yield True
        return
    found = Path(path).stat()
    with socket.socket(socket.AF_UNIX) as name:
        is_alone = _is_bound(name, f"\0bayesic {found.st_dev} {found.st_ino}")
        if is_alone:
            _NAMES.add(name)
        yield is_alone


def _is_bound(name: socket.socket, address: str) -> bool:
    """Whether the socket has this address now; another process may have it."""
    end = time.monotonic() + FORKING
    while True:
        try:
            name.bind(address)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise
            if time.monotonic() > end:
                return False
            time.sleep(BETWEEN_TRIES)
        else:
            return True


_NAMES: "weakref.WeakSet[socket.socket]" = weakref.WeakSet()


def _close_names() -> None:
    """In a process that was forked: it must not keep locked what the other gives back."""
    for name in [*_NAMES]:
        name.close()


if sys.platform == "linux":
    os.register_at_fork(after_in_child=_close_names)


def _taken(beside: Path, waiting: Callable[[], None]) -> IO[bytes]:
    since, is_notified = time.monotonic(), False
    while True:
        file = _opened(beside)
        try:
            if _try_to_lock(file) and _is_still_there(file, beside):
                return file
        except BaseException:
            file.close()
            raise
        file.close()
        if not is_notified and time.monotonic() - since > PATIENCE:
            waiting()
            is_notified = True
        time.sleep(BETWEEN_TRIES)


def _opened(beside: Path) -> IO[bytes]:
    try:
        return beside.open("ab")
    except FileNotFoundError:
        raise FileNotFoundError(
            f"A model is written to a folder that exists. There is no folder {beside.parent}: make "
            "it first, or choose another."
        ) from None
    except OSError as error:
        raise type(error)(
            f"Nothing can be written in the folder {beside.parent}: {error.strerror}. Choose a "
            "folder that takes new files."
        ) from error


def _is_still_there(file: IO[bytes], beside: Path) -> bool:
    """Whether the name still means the file that was locked, not one that was made after it."""
    try:
        return os.path.samestat(os.fstat(file.fileno()), beside.stat())
    except FileNotFoundError:
        return False


def _given_back(file: IO[bytes], beside: Path) -> None:
    if sys.platform == "win32":  # a file that is open cannot be removed there
        file.close()
        with suppress(OSError):  # another process has opened it
            beside.unlink()
    else:
        beside.unlink(missing_ok=True)  # while the lock is held: see _is_still_there
        file.close()


if sys.platform == "win32":
    import msvcrt

    def _try_to_lock(file: IO[bytes]) -> bool:
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _try_to_lock(file: IO[bytes]) -> bool:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
