"""A file of named arrays and a manifest: the container of model files.

It is a zip of `manifest.json` and one `.npy` member for each array. Reading it runs no code, and
sizes are checked before memory is taken. What the arrays mean is not known here.
"""

import hashlib
import io
import json
import math
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import IO, Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

import numpy as np

from bayesic.files.whole_files import PathLike, whole_file
from bayesic.kernels import Array

FORMAT = 1  # raised when older versions of the library could not read what is written
LARGEST_CONTENT = 4 * 2**30  # bytes of all members, unpacked
LARGEST_MANIFEST = 16 * 2**20
LARGEST_HEADER = 10_000  # bytes in front of the numbers of a .npy member
LARGEST_RATIO = 1032  # deflate packs no tighter: a file that claims more lies about its sizes

MANIFEST = "manifest.json"
MEMBER = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.]*\.npy")
CHUNK = 2**20
BEYOND_32_BITS = 2**30  # from here on zipfile is told to count with 64 bits
ENCRYPTED = 0x1  # bit of a member's flags


class RefusedFileError(ValueError):
    """Why a file is not a model file."""


class UnreadableHereError(RefusedFileError):
    """The file may be sound, but what is installed here cannot read it."""


@contextmanager
def refusing(path: PathLike | io.BytesIO) -> Iterator[None]:
    """Whatever goes wrong inside comes out as one sentence about the file."""
    try:
        yield
    except UnreadableHereError as refusal:
        raise ValueError(f"{path} {refusal}") from None
    except RefusedFileError as refusal:
        raise ValueError(f"{path} is not a bayesic model file: {refusal}") from None
    except (MemoryError, Warning, ImportError):  # not the fault of the file
        raise
    except Exception as error:  # a damaged zip makes zipfile, zlib and json raise nearly anything
        reason = str(error).rstrip(".") or type(error).__name__
        raise ValueError(
            f"{path} is not a bayesic model file: its content is damaged ({reason})."
        ) from error


# writing ----------------------------------------------------------------------------------------


def write_archive(
    path: PathLike | io.BytesIO, manifest: Mapping[str, object], arrays: Mapping[str, Array]
) -> None:
    """Write a manifest of JSON values and named arrays to a file, all of it or nothing.

    The same content gives the same bytes. They can also be kept in memory.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     write_archive(f"{folder}/spam.bayes", {"model": "none"}, {"count": np.arange(3)})
    ...     read_archive(f"{folder}/spam.bayes")
    ({'model': 'none'}, {'count': array([0, 1, 2])})
    """
    opened: AbstractContextManager[IO[bytes]] = (
        nullcontext(path) if isinstance(path, io.BytesIO) else whole_file(path, "A model")
    )
    with opened as file:
        _write_zip(file, manifest, arrays)


def _write_zip(
    file: IO[bytes], manifest: Mapping[str, object], arrays: Mapping[str, Array]
) -> None:
    content = sum(array.nbytes for array in arrays.values())
    if content > LARGEST_CONTENT:
        raise ValueError(
            f"A model file holds at most {LARGEST_CONTENT} bytes of arrays, got {content}. "
            "Use pickle for larger models."
        )
    # members get the date 1980-01-01; packing harder takes three times as long
    with ZipFile(file, "w", ZIP_DEFLATED, compresslevel=1) as archive:
        members = {
            f"{name}.npy": _write_array(archive, f"{name}.npy", arrays[name])
            for name in sorted(arrays)
        }
        # ASCII only: JSON escapes keep what UTF-8 cannot hold, lone surrogates
        text = json.dumps({"format": FORMAT, **manifest, "members": members}, allow_nan=False)
        if len(text) > LARGEST_MANIFEST:
            raise ValueError(
                f"The manifest of a model file holds at most {LARGEST_MANIFEST} bytes, got "
                f"{len(text)}. Give long parameters as arrays, or use pickle."
            )
        with archive.open(MANIFEST, "w") as stream:
            stream.write(text.encode("ascii"))


def _write_array(archive: ZipFile, name: str, array: Array) -> dict[str, object]:
    """Write an array as a member, and return its size and checksum."""
    if not (MEMBER.fullmatch(name) and is_plain(array.dtype)):
        raise ValueError(f"{name} cannot hold an array of dtype {array.dtype}.")
    with archive.open(name, "w", force_zip64=array.nbytes > BEYOND_32_BITS) as stream:
        hashed = _HashedStream(stream)
        little_endian = array.astype(array.dtype.newbyteorder("<"), copy=False)
        np.lib.format.write_array(hashed, little_endian, version=(1, 0), allow_pickle=False)
    return {"size": hashed.size, "sha256": hashed.digest.hexdigest()}


class _HashedStream:
    """Passes bytes on, and keeps their number and SHA-256."""

    def __init__(self, stream: IO[bytes]) -> None:
        self.stream = stream
        self.size = 0
        self.digest = hashlib.sha256()

    def write(self, data: bytes) -> None:
        self.stream.write(data)
        self.size += len(data)
        self.digest.update(data)


def is_plain(dtype: np.dtype) -> bool:
    """Whether arrays of this dtype can be stored: booleans, numbers of 1 to 8 bytes, U and S.

    >>> is_plain(np.dtype(np.float32)), is_plain(np.dtype(object))
    (True, False)
    """
    if dtype.kind in "biuf":
        return dtype.itemsize <= 8
    return dtype.kind in "SU" and dtype.itemsize > 0


# reading ----------------------------------------------------------------------------------------


def read_archive(path: PathLike | io.BytesIO) -> tuple[dict[str, Any], dict[str, Array]]:
    """The manifest and the arrays of a file that `write_archive` has written.

    Names, sizes, checksums and dtypes are checked, sizes before memory is taken; nothing is ever
    unpickled. A file that fails is refused with one sentence, a ValueError.
    """
    with _opened(path) as file, refusing(path), ZipFile(file) as archive:
        members = _checked_members(archive, file.seek(0, os.SEEK_END))
        manifest = _read_manifest(archive, members)
        listed = _checked_list(manifest.pop("members", None), members)
        arrays = {
            name.removesuffix(".npy"): _read_array(archive, members[name], listed[name]["sha256"])
            for name in sorted(listed)
        }
        return manifest, arrays


def _opened(path: PathLike | io.BytesIO) -> AbstractContextManager[IO[bytes]]:
    if isinstance(path, io.BytesIO):
        return nullcontext(path)
    if not Path(path).is_file():
        raise FileNotFoundError(f"There is no file {path}. Check the path.")
    return Path(path).open("rb")


def _checked_members(archive: ZipFile, size_of_file: int) -> dict[str, ZipInfo]:
    """The members by name, if all may be unpacked."""
    members = {member.orig_filename: member for member in archive.infolist()}
    if len(members) < len(archive.infolist()):
        raise RefusedFileError("it holds two members of the same name.")
    for name, member in members.items():
        if member.flag_bits & ENCRYPTED:
            raise RefusedFileError(f"its member {name!r} is encrypted.")
        if member.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
            raise RefusedFileError(f"its member {name!r} is packed in an unknown way.")
    content = sum(member.file_size for member in members.values())
    if content > LARGEST_CONTENT:
        raise RefusedFileError(f"it would unpack to {content} bytes, more than {LARGEST_CONTENT}.")
    if content > LARGEST_RATIO * size_of_file:
        raise RefusedFileError(f"{size_of_file} bytes cannot unpack to {content}.")
    return members


def _read_manifest(archive: ZipFile, members: Mapping[str, ZipInfo]) -> dict[str, Any]:
    if MANIFEST not in members:
        raise RefusedFileError(f"it has no {MANIFEST}.")
    if members[MANIFEST].file_size > LARGEST_MANIFEST:
        raise RefusedFileError(f"its {MANIFEST} has more than {LARGEST_MANIFEST} bytes.")
    text = _content(archive, members[MANIFEST]).tobytes().decode("utf-8")
    manifest = json.loads(text, parse_constant=_refuse_constant)
    if not isinstance(manifest, dict):
        raise RefusedFileError(f"its {MANIFEST} is not a JSON object.")
    version = manifest.pop("format", None)
    if type(version) is not int or version < 1:
        raise RefusedFileError(f"its {MANIFEST} has the unknown format {version!r}.")
    if version > FORMAT:
        raise UnreadableHereError(
            f"was written by a newer bayesic (format {version}; this one reads {FORMAT}): "
            "update bayesic to read it."
        )
    return manifest


def _refuse_constant(name: str) -> None:
    raise RefusedFileError(f"its {MANIFEST} holds {name}, which is not JSON.")


def _checked_list(listed: object, members: Mapping[str, ZipInfo]) -> dict[str, dict[str, Any]]:
    """The members that the manifest lists, if these are the ones that are there."""
    if not isinstance(listed, dict) or not all(map(MEMBER.fullmatch, listed)):
        raise RefusedFileError(f"its {MANIFEST} does not list its members.")
    if {*listed, MANIFEST} != set(members):
        odd = sorted({*listed, MANIFEST} ^ set(members))
        raise RefusedFileError(f"members and the list of them in {MANIFEST} differ: {odd[:3]}.")
    for name, entry in listed.items():
        if set(entry) != {"size", "sha256"} or entry["size"] != members[name].file_size:
            raise RefusedFileError(
                f"its member {name!r} does not have the size that {MANIFEST} lists."
            )
    return listed


def _read_array(archive: ZipFile, member: ZipInfo, sha256: str) -> Array:
    content = _content(archive, member)
    if hashlib.sha256(content.data).hexdigest() != sha256:
        raise RefusedFileError(f"its member {member.filename!r} does not have the right checksum.")
    header = io.BytesIO(content[:LARGEST_HEADER].tobytes())
    if np.lib.format.read_magic(header) != (1, 0):
        raise RefusedFileError(f"its member {member.filename!r} is no .npy file of version 1.0.")
    shape, fortran_order, dtype = np.lib.format.read_array_header_1_0(
        header, max_header_size=LARGEST_HEADER
    )
    data = content[header.tell() :]
    if not is_plain(dtype) or dtype.str[0] not in "<|":
        raise RefusedFileError(f"its member {member.filename!r} holds values of dtype {dtype.str}.")
    if min(shape, default=0) < 0 or math.prod(shape) * dtype.itemsize != data.size:
        raise RefusedFileError(
            f"its member {member.filename!r} does not have the size of its shape."
        )
    _check_bytes(data, dtype, member.filename)
    array = data.view(dtype).reshape(shape, order="F" if fortran_order else "C")
    native = array.astype(dtype.newbyteorder("="), copy=False)
    return np.require(native, requirements="A")  # a header of odd length shifts the numbers


def _content(archive: ZipFile, member: ZipInfo) -> Array:
    """The bytes of a member, as many as the zip tells; chunk by chunk, so they are there once."""
    content = np.empty(member.file_size, np.uint8)
    with archive.open(member) as stream:
        for start in range(0, len(content), CHUNK):
            part = content[start : start + CHUNK]
            data = stream.read(len(part))
            if len(data) < len(part):
                raise RefusedFileError(f"its member {member.filename!r} is cut off.")
            part[:] = np.frombuffer(data, np.uint8)
    return content


def _check_bytes(data: Array, dtype: np.dtype, name: str) -> None:
    """Refuse bytes that are not a value of the dtype: NumPy takes them, and stumbles later."""
    not_boolean = dtype.kind == "b" and data.max(initial=0) > 1
    not_unicode = dtype.kind == "U" and data.view("<u4").max(initial=0) > 0x10FFFF
    if not_boolean or not_unicode:
        raise RefusedFileError(f"its member {name!r} holds bytes that are no value of {dtype.str}.")
