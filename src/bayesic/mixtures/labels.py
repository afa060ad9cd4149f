"""Labels with gaps: rows whose class is not known."""

from typing import Any

import numpy as np

from bayesic.data.labels import _is_missing, encode_labels
from bayesic.kernels import Array

UNLABELLED = -1


def encode_some_labels(y: Any) -> tuple[Array, Array]:
    """The classes of y in sorted order, and for each row the number of its class; -1 for a gap.

    A gap is None, NaN, NaT or pandas.NA.

    >>> encode_some_labels(["spam", None, "ham", float("nan")])
    (array(['ham', 'spam'], dtype='<U4'), array([ 1, -1,  0, -1]))
    """
    if isinstance(y, np.ndarray) and y.dtype.kind in "biuU":
        return encode_labels(y)  # there can be no gaps
    labels = _listed(y)
    known = np.array([not _is_missing(label) for label in labels], dtype=bool)
    if known.all():
        return encode_labels(y)
    if not known.any():
        raise ValueError(
            f"At least one row must have a label, got {len(labels)} rows without. The classes are "
            "learned from the labelled rows: each needs one of them."
        )
    classes, found = encode_labels(
        [label for label, is_known in zip(labels, known.tolist(), strict=True) if is_known]
    )
    codes = np.full(len(labels), UNLABELLED, dtype=np.intp)
    codes[known] = found
    return classes, codes


def _listed(y: Any) -> list:
    """Labels as a list; what cannot be one is left to encode_labels to refuse."""
    if isinstance(y, (list, tuple)):
        return list(y)
    values = np.asarray(y)
    return values.tolist() if values.ndim == 1 else []
