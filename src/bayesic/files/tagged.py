"""Plain values <-> JSON and arrays beside it, so that what comes back is what was given.

None, True, whole numbers, finite floats, texts and lists are themselves. Everything else is a JSON
object with one key, the tag, that says what it is:

    {"float": "inf"}                          what JSON has no number for
    {"tuple": [...]}, {"dict": [[key, value], ...]}
    {"scalar": "name"}, {"array": "name"}     a NumPy value, kept as the array of that name
    {"objects": {"shape": [2], "values": [...]}}, {"strings": ...}    arrays of Python values
    {"words": "name"}                         many texts: their UTF-8 bytes, and where each ends
    {"record": {"class": "Moments", "fields": {...}}}                 a dataclass from a given list
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from itertools import pairwise
from typing import Any

import numpy as np

from bayesic.files.archive import RefusedFileError, is_plain
from bayesic.kernels import Array

Records = Mapping[str, type]  # dataclasses by name; each has a method checked() that returns itself

UTF8 = "utf-8", "surrogatepass"  # a Python text may hold half of a surrogate pair


# values -> JSON and arrays ----------------------------------------------------------------------


def encode(value: Any, name: str, arrays: dict[str, Array], records: Records) -> Any:
    """A value as tagged JSON; its arrays are put into `arrays` under names that begin with `name`.

    Only exact types are taken: a subclass would come back as something else.

    >>> encode(("m", math.inf), "smoothing", {}, {})
    {'tuple': ['m', {'float': 'inf'}]}
    """
    kind = type(value)
    if value is None or kind in (bool, int, str):
        return value
    if kind is float:
        return value if math.isfinite(value) else {"float": str(value)}
    if kind in (list, tuple):
        parts = [
            encode(part, f"{name}.{number}", arrays, records) for number, part in enumerate(value)
        ]
        return parts if kind is list else {"tuple": parts}
    if kind is dict and all(type(key) in (str, int) for key in value):
        parts = encode(list(value.values()), name, arrays, records)
        return {"dict": [[key, part] for key, part in zip(value, parts, strict=True)]}
    if isinstance(value, np.generic) and is_plain(np.asarray(value).dtype):
        arrays[name] = np.asarray(value)
        return {"scalar": name}
    if kind is np.ndarray:
        return _encode_array(value, name, arrays, records)
    if records.get(kind.__name__) is kind:
        return _encode_record(value, name, arrays, records)
    raise _not_storable(name, f"a {kind.__name__}")


def _not_storable(name: str, what: str) -> TypeError:
    return TypeError(
        "A model file holds numbers, texts, None, lists, tuples, dicts with texts or whole numbers "
        f"as keys, and arrays of these: {name} is or holds {what}. Change it, or use pickle."
    )


def _encode_array(value: Array, name: str, arrays: dict[str, Array], records: Records) -> object:
    if is_plain(value.dtype):
        arrays[name] = value
        return {"array": name}
    if value.dtype.kind == "O":
        tag = "objects"
    elif value.dtype == np.dtypes.StringDType():
        tag = "strings"
    else:
        raise _not_storable(name, f"an array of dtype {value.dtype}")
    values = encode(value.ravel().tolist(), name, arrays, records)
    return {tag: {"shape": list(value.shape), "values": values}}


def _encode_record(value: Any, name: str, arrays: dict[str, Array], records: Records) -> object:
    def encoded(field: str) -> object:
        part, part_name = getattr(value, field), f"{name}.{field}"
        if type(part) is tuple and all(type(word) is str for word in part):
            return encode_words(part, part_name, arrays)
        return encode(part, part_name, arrays, records)

    parts = {field.name: encoded(field.name) for field in fields(value)}
    return {"record": {"class": type(value).__name__, "fields": parts}}


def encode_words(words: Sequence[str], name: str, arrays: dict[str, Array]) -> object:
    """Texts as two arrays: their bytes after one another, and where each ends.

    Also for millions of texts, which would be too many for a manifest.
    """
    encoded = [word.encode(*UTF8) for word in words]
    arrays[f"{name}.bytes"] = np.frombuffer(b"".join(encoded), np.uint8)
    arrays[f"{name}.ends"] = np.cumsum([*map(len, encoded)], dtype=np.int64)
    return {"words": name}


# and back ---------------------------------------------------------------------------------------


def decode(node: Any, arrays: Mapping[str, Array], records: Records) -> Any:
    """The value that `encode` was given; what it never writes is refused.

    >>> decode({"tuple": ["m", {"float": "inf"}]}, {}, {})
    ('m', inf)
    """
    if node is None or isinstance(node, (bool, int, float, str)):
        return node
    if isinstance(node, list):
        return [decode(part, arrays, records) for part in node]
    [(tag, content)] = node.items() if len(node) == 1 else [("", node)]
    if tag not in _DECODERS:
        raise RefusedFileError(
            f"its manifest holds a value of an unknown kind, with keys {[*node][:3]}."
        )
    return _DECODERS[tag](content, arrays, records)


def _decode_tuple(content: Any, arrays: Mapping[str, Array], records: Records) -> tuple:
    return tuple(decode(part, arrays, records) for part in content)


def _decode_dict(content: Any, arrays: Mapping[str, Array], records: Records) -> dict:
    decoded = {key: decode(part, arrays, records) for key, part in content}
    if len(decoded) < len(content) or not all(type(key) in (str, int) for key in decoded):
        raise RefusedFileError("its manifest holds a dict with odd keys.")
    return decoded


def _decode_scalar(content: Any, arrays: Mapping[str, Array], records: Records) -> object:
    return arrays[content].reshape(())[()]


def _decode_array(content: Any, arrays: Mapping[str, Array], records: Records) -> Array:
    return arrays[content]


def _decode_objects(content: Any, arrays: Mapping[str, Array], records: Records) -> Array:
    values = decode(content["values"], arrays, records)
    return np.fromiter(values, object, len(values)).reshape(content["shape"])


def _decode_strings(content: object, arrays: Mapping[str, Array], records: Records) -> Array:
    return _decode_objects(content, arrays, records).astype(np.dtypes.StringDType())


def _decode_words(
    content: object, arrays: Mapping[str, Array], records: Records
) -> tuple[str, ...]:
    encoded, ends = arrays[f"{content}.bytes"], arrays[f"{content}.ends"]
    bounds = [0, *ends.tolist()]
    if encoded.dtype != np.uint8 or ends.dtype != np.int64 or (np.diff(bounds) < 0).any():
        raise RefusedFileError(f"the texts {content} are not in order.")
    if bounds[-1] != len(encoded):
        raise RefusedFileError(f"the texts {content} do not have the length that is recorded.")
    text = encoded.tobytes()
    return tuple(text[start:end].decode(*UTF8) for start, end in pairwise(bounds))


def _decode_record(content: Any, arrays: Mapping[str, Array], records: Records) -> object:
    record = records.get(content["class"])
    if record is None:
        raise RefusedFileError(
            f"it holds a {content['class']!r}, which this version does not know."
        )
    decoded = {name: decode(part, arrays, records) for name, part in content["fields"].items()}
    return record(**decoded).checked()


_DECODERS: dict[str, Callable[[Any, Mapping[str, Array], Records], Any]] = {
    "float": lambda content, arrays, records: float(content),
    "tuple": _decode_tuple,
    "dict": _decode_dict,
    "scalar": _decode_scalar,
    "array": _decode_array,
    "objects": _decode_objects,
    "strings": _decode_strings,
    "words": _decode_words,
    "record": _decode_record,
}
