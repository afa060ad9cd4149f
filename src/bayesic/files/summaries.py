"""Statistics as bytes and back, as model files have them: reading runs no code."""

from io import BytesIO

from bayesic.files.archive import read_archive, write_archive
from bayesic.files.model_files import statistics_classes
from bayesic.files.tagged import decode, encode
from bayesic.kernels import Array


def as_bytes(summary: object) -> bytes:
    """Plain values, arrays and statistics as the bytes of a file.

    >>> from_bytes(as_bytes(("rain", 3)))
    ('rain', 3)
    """
    arrays: dict[str, Array] = {}
    manifest = {"summary": encode(summary, "summary", arrays, statistics_classes())}
    buffer = BytesIO()
    write_archive(buffer, manifest, arrays)
    return buffer.getvalue()


def from_bytes(data: bytes) -> object:
    """What these bytes hold; anything but plain values, arrays and statistics is refused."""
    manifest, arrays = read_archive(BytesIO(data))
    return decode(manifest["summary"], arrays, statistics_classes())
