"""Columns of texts, however they come -> UTF-8 bytes after one another, as Arrow keeps them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from os import PathLike
from types import ModuleType
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from bayesic.data.distinct import is_missing
from bayesic.data.frames import as_frame, as_series
from bayesic.kernels import Array

if TYPE_CHECKING:
    from pyarrow import Array as ArrowArray
    from pyarrow import ChunkedArray, DataType, LargeStringArray

LONGEST_SHOWN = 60  # characters of a value in a message


@dataclass(frozen=True, eq=False)
class TextBytes:
    """Texts as UTF-8 bytes after one another: text i is data[offsets[i]:offsets[i + 1]].

    The first offset need not be 0. A text that is missing has no bytes. A lone surrogate, which
    UTF-8 cannot write, is kept as the three bytes that its number would have.
    """

    data: Array  # uint8 (n_bytes,)
    offsets: Array  # int64 (n_texts + 1,)
    missing: Array  # bool (n_texts,)

    def __post_init__(self) -> None:
        for name in ("data", "offsets", "missing"):
            view = getattr(self, name).view()
            view.flags.writeable = False
            object.__setattr__(self, name, view)

    def __len__(self) -> int:
        return len(self.missing)

    @property
    def n_bytes(self) -> int:
        """The bytes of all texts together."""
        return int(self.offsets[-1] - self.offsets[0])

    def part(self, rows: slice) -> "TextBytes":
        """The texts of some rows that follow one another; the bytes are not copied.

        >>> as_texts(["free", "lunch", "雨"]).part(slice(1, 3)).texts()
        ['lunch', '雨']
        """
        start, stop, step = rows.indices(len(self))
        if step != 1:
            raise ValueError(f"The rows of a part must follow one another, got step {step}.")
        stop = max(start, stop)
        return TextBytes(self.data, self.offsets[start : stop + 1], self.missing[start:stop])

    def text(self, row: int) -> str | None:
        """One text, or None if it is missing.

        >>> as_texts(["free", "雨"]).text(1)
        '雨'
        """
        if self.missing[row]:
            return None
        row = range(len(self))[row]
        start, end = self.offsets[row : row + 2]
        return self.data[start:end].tobytes().decode("utf-8", "surrogatepass")

    def texts(self) -> list[str | None]:
        """All texts as Python strings, None for those that are missing."""
        return [self.text(row) for row in range(len(self))]


def as_texts(X: object, first_row: int = 0) -> TextBytes:
    """A list, array or column of texts as bytes; of Arrow columns the characters are not copied.

    None, NaN and null are missing texts. Bytes must be UTF-8. Anything else is refused, and the
    message names the row, counted from first_row.

    >>> texts = as_texts(["free", None, "雨"])
    >>> texts.data.tobytes(), texts.offsets.tolist(), texts.missing.tolist()
    (b'free\\xe9\\x9b\\xa8', [0, 4, 4, 7], [False, True, False])
    """
    if isinstance(X, TextBytes):
        return X
    if isinstance(X, (list, tuple)):
        return _from_values(X, first_row)
    if isinstance(X, np.ndarray):
        if X.ndim != 1:
            _refuse_array(X)
        return _from_values(X.tolist(), first_row)
    if isinstance(X, (str, bytes, PathLike, Mapping)):
        _refuse(X)
    series = as_series(X)
    if series is None:
        _refuse(X)
    found = _arrow_or_list(series)
    return (
        _from_values(found, first_row) if isinstance(found, list) else _from_arrow(found, first_row)
    )


def texts_to_count(X: object) -> "TextBytes | list[str | None]":
    """Texts as their words are counted: a plain list as it is, all else as bytes."""
    if isinstance(X, list) and set(map(type, X)) <= {str, type(None)}:
        return X
    return as_texts(X)


def joined_texts(parts: Sequence[TextBytes]) -> TextBytes:
    """The texts of all parts after one another.

    >>> joined_texts([as_texts(["free"]), as_texts(["雨", None])]).texts()
    ['free', '雨', None]
    """
    if len(parts) == 1:
        return parts[0]
    lengths = np.concatenate([np.diff(part.offsets) for part in parts] or [_NO_LENGTHS])
    data = [part.data[part.offsets[0] : part.offsets[-1]] for part in parts]
    missing = [part.missing for part in parts]
    return TextBytes(
        np.concatenate(data or [np.empty(0, dtype=np.uint8)]),
        _offsets(lengths),
        np.concatenate(missing or [np.empty(0, dtype=bool)]),
    )


def texts_beside(parts: Sequence[TextBytes]) -> TextBytes:
    """The texts of each row as one, joined by a line break in the order of the parts.

    What is missing is left out; a row is missing if all its texts are.

    >>> texts_beside([as_texts(["Money", None, None]), as_texts(["free", "雨", None])]).texts()
    ['Money\\nfree', '雨', None]
    """
    if len(parts) == 1:
        return parts[0]
    rows = zip(*(part.texts() for part in parts), strict=True)
    present = ([text for text in row if text is not None] for row in rows)
    return as_texts(["\n".join(texts) if texts else None for texts in present])


_NO_LENGTHS = np.empty(0, dtype=np.int64)


def _offsets(lengths: Array) -> Array:
    offsets = np.zeros(len(lengths) + 1, dtype=np.int64)
    np.cumsum(lengths, out=offsets[1:])
    return offsets


# Python values --------------------------------------------------------------------------------


def _from_values(values: Sequence, first_row: int) -> TextBytes:
    if set(map(type, values)) <= {str}:
        encoded = [value.encode("utf-8", "surrogatepass") for value in values]
        missing = np.zeros(len(values), dtype=bool)
    else:
        missing = np.fromiter(map(is_missing, values), dtype=bool, count=len(values))
        encoded = [
            b"" if gone else _encoded(value, first_row + row)
            for row, (value, gone) in enumerate(zip(values, missing.tolist(), strict=True))
        ]
    lengths = np.fromiter(map(len, encoded), dtype=np.int64, count=len(encoded))
    return TextBytes(np.frombuffer(b"".join(encoded), dtype=np.uint8), _offsets(lengths), missing)


def _encoded(value: object, row: int) -> bytes:
    if isinstance(value, str):
        return value.encode("utf-8", "surrogatepass")
    if not isinstance(value, bytes):
        raise TypeError(
            f"Texts must be strings, got {_shown(value)} ({type(value).__name__}) in row {row}. "
            "Turn it into a string, or use None for a missing text."
        )
    try:
        value.decode("utf-8")
    except UnicodeDecodeError:
        raise ValueError(
            f"Texts given as bytes must be UTF-8, got {_shown(value)} in row {row}. Decode it "
            "first, for example with text.decode('latin-1')."
        ) from None
    return value


def _shown(value: object) -> str:
    text = repr(value[:LONGEST_SHOWN]) if isinstance(value, (str, bytes, list)) else repr(value)
    return text if len(text) <= LONGEST_SHOWN else text[: LONGEST_SHOWN - 3] + "..."


# columns of tables ----------------------------------------------------------------------------


def _arrow_or_list(series: Any) -> Any:
    """A narwhals Series as a pyarrow array (whole or in chunks), or as a list of values."""
    native = series.to_native()
    if series.implementation.is_pyarrow():
        return native
    if str(native.dtype) == "object" or find_spec("pyarrow") is None:
        return series.to_list()
    if series.implementation.is_polars():
        return native.to_arrow()
    try:
        return import_module("pyarrow").array(native, from_pandas=True)
    except ValueError:  # Arrow cannot hold lone surrogates
        return series.to_list()


def _from_arrow(column: "ChunkedArray | ArrowArray", first_row: int) -> TextBytes:
    pa = import_module("pyarrow")
    chunks = getattr(column, "chunks", [column])
    if not chunks:
        return _from_values([], first_row)
    if not _is_string(pa, column.type):
        return _from_values(column.to_pylist(), first_row)
    wide = [_with_wide_offsets(pa, chunk) for chunk in chunks]
    array = wide[0] if len(wide) == 1 else pa.concat_arrays(wide)
    try:
        array.validate(full=True)  # tables may be filled from files that nobody checked
    except pa.ArrowInvalid:
        return _from_values(array.cast(pa.large_binary()).to_pylist(), first_row)
    return _from_wide_array(array)


def _is_string(pa: ModuleType, type_: "DataType") -> bool:
    if pa.types.is_dictionary(type_):
        type_ = type_.value_type
    return type_ in (pa.string(), pa.large_string(), pa.string_view())


def _with_wide_offsets(pa: ModuleType, chunk: "ArrowArray") -> "LargeStringArray":
    """The same texts with offsets of 64 bits; the characters of plain strings stay in place."""
    if pa.types.is_dictionary(chunk.type):
        return chunk.dictionary.cast(pa.large_string()).take(chunk.indices)
    return chunk.cast(pa.large_string())


def _from_wide_array(array: "LargeStringArray") -> TextBytes:
    missing = array.is_null().to_numpy(zero_copy_only=False)
    offsets = _arrow_offsets(array)
    if np.diff(offsets)[missing].any():  # Arrow lets a null have characters
        array = array.fill_null("")
        offsets = _arrow_offsets(array)
    characters = array.buffers()[2]
    data = np.frombuffer(characters or b"", dtype=np.uint8)
    return TextBytes(data, offsets, missing.copy())


def _arrow_offsets(array: "LargeStringArray") -> Array:
    if not len(array):  # such an array may have no buffers at all
        return np.zeros(1, dtype=np.int64)
    offsets = np.frombuffer(array.buffers()[1], dtype=np.int64)
    return offsets[array.offset : array.offset + len(array) + 1]


# what is refused ------------------------------------------------------------------------------


def _refuse_array(X: Array) -> NoReturn:
    way_out = "Give X[:, 0] to take its first column." if X.ndim == 2 else "Give a list of texts."
    raise ValueError(
        f"Texts must have one dimension, got an array with {X.ndim} dimensions. {way_out}"
    )


def _refuse(X: object) -> NoReturn:
    if isinstance(X, (str, bytes, PathLike)):
        raise TypeError(
            f"X must be a list of texts, got {_shown(X)} alone. Give a list of texts, [text] for "
            "one, or the path of a file or folder that exists."
        )
    table = X if isinstance(X, Mapping) else as_frame(X)
    if table is None:
        raise TypeError(
            f"X must be a list, array or column of texts, got {type(X).__name__}. "
            "Give a list of texts."
        )
    names = [str(name) for name in getattr(table, "columns", table)]
    raise TypeError(
        f"X must be one column of texts, got a table with the columns {names}. "
        f"Give one of them, such as X[{names[0] if names else 'text'!r}]."
    )
