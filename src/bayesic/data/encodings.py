"""Bytes of files -> text. Another encoding than UTF-8 is named once, and all files are read so.

DuckDB reads UTF-8, so a table is copied to a temporary file in UTF-8 first, block by block.
"""

import codecs
import gzip
import shutil
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO


@dataclass(frozen=True)
class _Recoding:
    """An encoding, and where copies in UTF-8 are kept while it is in use."""

    name: str
    folder: Path
    copies: dict[Path, Path] = field(default_factory=dict)


_recoding: ContextVar[_Recoding | None] = ContextVar("recoding", default=None)


@contextmanager
def reading_as(encoding: str) -> Iterator[None]:
    """Read tables and texts of files in this encoding in this block. Mails declare their own.

    >>> with reading_as("gbk"):
    ...     as_told("下雨".encode("gbk"), "rain.txt")
    '下雨'
    """
    name = checked_encoding(encoding)
    with TemporaryDirectory(prefix="bayesic-") as folder:
        token = _recoding.set(_Recoding(name, Path(folder)))
        try:
            yield
        finally:
            _recoding.reset(token)


def checked_encoding(encoding: str) -> str:
    """The encoding as Python calls it; of Chinese sets the larger one that holds it.

    >>> checked_encoding("GB2312"), checked_encoding("Latin1")
    ('gb18030', 'iso8859-1')
    """
    try:
        name = codecs.lookup(encoding).name
        "".encode(name)  # refuses what encodes no text, such as base64
    except LookupError:
        raise ValueError(
            f"There is no encoding {encoding!r}. Use one such as gbk, big5, shift_jis or latin-1."
        ) from None
    return _largest(name)


def _largest(name: str) -> str:
    # files and mails that say gb2312 are often written in the larger sets that came after it
    return "gb18030" if name in ("gb2312", "gbk") else name


def told_encoding() -> str | None:
    """The encoding that is given, if one is."""
    recoding = _recoding.get()
    return recoding.name if recoding else None


# texts ----------------------------------------------------------------------------------------


def plain_text(data: bytes, name: object) -> str:
    """The text of a file that is not a mail: in the given encoding, else UTF-8 or latin-1."""
    return as_told(data, name) if told_encoding() else decoded(without_zeros(data, name))


def as_told(data: bytes, name: object) -> str:
    """Bytes as text in the given encoding; refused if they are not."""
    encoding = told_encoding() or "utf-8-sig"
    try:
        return data.decode(encoding)
    except UnicodeError as error:
        raise ValueError(_other_bytes(name, encoding)) from error


def without_zeros(data: bytes, name: object) -> bytes:
    """The bytes, if they can be text: of all files only those that are none have zero bytes."""
    if b"\0" in data:
        raise ValueError(
            f"{name} must be text, but it has zero bytes. Save it as UTF-8 text, or take it away."
        )
    return data


def decoded(data: bytes, charset: str | None = None) -> str:
    """Bytes as text: in the character set that is given if that works, else UTF-8, else latin-1.

    >>> decoded("café".encode("utf-8")), decoded("café".encode("latin-1"))
    ('café', 'café')
    >>> decoded("下雨".encode("gb18030"), "gb2312")
    '下雨'
    """
    for name in (_largest((charset or "").lower()), "utf-8-sig"):
        try:
            return data.decode(name)
        except (LookupError, ValueError):  # no such set, or other bytes than it has
            continue
    return data.decode("latin-1")


# tables ---------------------------------------------------------------------------------------


def in_utf_8(path: Path) -> Path:
    """The file, or its copy in UTF-8 if another encoding is given."""
    recoding = _recoding.get()
    if recoding is None:
        return path
    if path not in recoding.copies:
        copy = recoding.folder / f"{len(recoding.copies)}.csv"
        copy_in_utf_8(path, copy, recoding.name)
        recoding.copies[path] = copy
    return recoding.copies[path]


def copy_in_utf_8(path: Path, copy: Path, encoding: str) -> None:
    """Write a file of this encoding anew in UTF-8, unpacked."""
    try:
        with opened(path, encoding) as old, copy.open("w", encoding="utf-8", newline="") as new:
            shutil.copyfileobj(old, new)
    except UnicodeError as error:
        raise ValueError(_other_bytes(path, encoding)) from error


@contextmanager
def opened(path: Path, encoding: str) -> Iterator[IO[str]]:
    """The file as text, to be read; also one that is packed by gzip."""
    open_file = gzip.open if is_packed(path) else open
    try:
        with open_file(path, "rt", encoding=encoding, newline="") as file:
            yield file
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise ValueError(f"{path} must be a gzip file, but is broken: {error}.") from error


def is_packed(path: Path) -> bool:
    """Whether a file is packed by gzip, going by its name."""
    return path.name.lower().endswith(".gz")


def _other_bytes(name: object, encoding: str) -> str:
    return f"{name} must be text in {encoding}, but has other bytes. Name its own encoding."
