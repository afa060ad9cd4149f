"""Class labels -> the sorted classes and the class number of every row."""

from typing import Any

import numpy as np

from bayesic.data.matrices import sums_to_a_number
from bayesic.data.numbers import plain_array
from bayesic.kernels import Array

FEW_LABELS = 8
UNLABELLED = -1  # the code of a row whose class is not known


class UnknownLabelsError(ValueError):
    """Labels came that are not among the classes of a model."""

    def __init__(self, unknown: list, classes: list) -> None:
        super().__init__(
            f"The target label(s) {unknown} in y do not exist in the initial classes {classes}. "
            "Declare every class with classes= in the first partial_fit, and take away only what "
            "was learned."
        )
        self.unknown, self.classes = unknown, classes


def encode_labels(y: Any) -> tuple[Array, Array]:
    """The classes of y in sorted order, and for each row the number of its class.

    >>> encode_labels(["spam", "ham", "spam"])
    (array(['ham', 'spam'], dtype='<U4'), array([1, 0, 1]))
    """
    y = checked_labels(y)
    if y.dtype.kind in "iu":
        span = _span(y)
        if span <= 2 * len(y) + 1000:
            return _encode_small_integers(y, span)
    if y.dtype.kind in "biuf":
        classes, codes = np.unique(y, return_inverse=True)
        return classes, codes.astype(np.intp, copy=False)
    if y.dtype.kind == "U":
        few = _encode_few_words(y)
        if few is not None:
            return few
    labels = y.tolist()
    classes = np.array(_sorted_labels(labels), dtype=y.dtype)
    return classes, _look_up(labels, classes)


def encode_known_labels(y: Any, classes: Array) -> Array:
    """For each row of y the number of its class among those given; other labels are refused."""
    found, found_codes = encode_labels(y)
    position = {label: number for number, label in enumerate(classes.tolist())}
    unknown = [label for label in found.tolist() if label not in position]
    if unknown:
        raise UnknownLabelsError(unknown, classes.tolist())
    codes = np.array([position[label] for label in found.tolist()], dtype=np.intp)
    return codes[found_codes]


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


def declared_classes(classes: Any) -> Array:
    """The classes that a user declares, sorted; each must be given once."""
    found, codes = encode_labels(classes)
    if len(found) < len(codes):
        raise ValueError(
            f"classes must name every class once, got {list(classes)}. Use np.unique(classes)."
        )
    return found


def united_labels(first: Array, second: Array) -> Array:
    """Two lists of labels after one another; numbers and words do not mix."""
    are_numbers = {labels.dtype.kind in "biuf" for labels in (first, second)}
    if len(are_numbers) > 1:
        raise TypeError(
            f"Labels must be of one kind, got {first.tolist()} and {second.tolist()}. "
            "Turn all of them into strings, for example."
        )
    return np.concatenate([first, second])


def checked_labels(y: Any) -> Array:
    """y as a one-dimensional array of labels without gaps."""
    if y is None:
        raise ValueError(
            "This estimator requires y to be passed, but the target y is None. "
            "Give one class label for each row."
        )
    if getattr(getattr(y, "dtype", None), "kind", "") == "c":
        raise ValueError(
            "Complex data not supported: y must hold class labels. Use numbers or strings."
        )
    y = _one_dimension(_unmixed(plain_array(y)))
    if len(y) == 0:
        raise ValueError("y must have at least one label, got none. Give one for each row of X.")
    if y.dtype.kind == "f":
        _check_float_labels(y)
    elif y.dtype.kind == "O":
        _check_object_labels(y)
    elif y.dtype.kind not in "biuUST":
        raise ValueError(f"y must hold class labels, got dtype {y.dtype}. Use numbers or strings.")
    return y


def _one_dimension(y: Any) -> Array:
    if isinstance(y, np.ndarray) and y.ndim == 1:
        return y
    from sklearn.utils.validation import column_or_1d  # takes long to load

    return column_or_1d(y, warn=True)


def _unmixed(y: Any) -> Any:
    """A list of words and other things as objects: NumPy would turn all of them into words."""
    if isinstance(y, (list, tuple)):
        kinds = set(map(type, y))
        if len(kinds) > 1 and any(issubclass(kind, str) for kind in kinds):
            return np.array([*y, None], dtype=object)[:-1]  # the None keeps nested lists apart
    return y


def _listed(y: Any) -> list:
    """Labels as a list; what cannot be one is left to encode_labels to refuse."""
    if isinstance(y, (list, tuple)):
        return list(y)
    values = np.asarray(y)
    return values.tolist() if values.ndim == 1 else []


def _check_float_labels(y: Array) -> None:
    if not sums_to_a_number(y):
        if np.isnan(y).any():
            raise ValueError("Input y contains NaN. Leave out the rows without a label.")
        if np.isinf(y).any():
            raise ValueError(
                "Input y contains infinity or a value too large for dtype('float64'). "
                "Labels name classes: use whole numbers or strings."
            )
    if (y != np.floor(y)).any():
        raise ValueError(
            f"Unknown label type: continuous. Labels name classes, got {y[y != np.floor(y)][0]!r}. "
            "Use whole numbers or strings, or cut the target into classes first. For "
            "measurements there are LeastSquares and KNeighborsRegressor."
        )


def _check_object_labels(y: Array) -> None:
    labels = y.tolist()
    try:
        different = set(labels)
    except TypeError:  # labels that cannot be told apart are refused later
        different = set()
    if different and not any(map(_is_missing, different)):
        return
    missing = [row for row, label in enumerate(labels) if _is_missing(label)]
    if missing:
        raise ValueError(
            f"Input y contains NaN or None, first in row {missing[0]}. "
            "Leave out the rows without a label."
        )


def _is_missing(label: Any) -> bool:
    try:
        return label is None or bool(label != label)
    except (TypeError, ValueError):  # pandas.NA cannot tell whether it differs from itself
        return type(label).__name__ == "NAType"


def _sorted_labels(labels: list) -> list:
    try:
        return sorted(set(labels))
    except (TypeError, OverflowError) as error:  # the latter: a huge int beside a float32
        kinds = sorted({type(label).__name__ for label in labels})
        raise TypeError(
            f"y must hold labels of one kind, got {' and '.join(kinds)}. "
            "Use numbers or strings: turn all of them into strings, for example."
        ) from error


def _encode_few_words(y: Array) -> tuple[Array, Array] | None:
    """The same, by comparing all rows with one label after the other; None for many labels.

    NumPy compares words far faster than Python looks them up.
    """
    found: list = []
    numbers = np.zeros(len(y), dtype=np.intp)
    unknown = np.ones(len(y), dtype=bool)
    while len(found) < FEW_LABELS and unknown.any():
        found.append(y[unknown.argmax()])
        same = y == found[-1]
        numbers[same] = len(found) - 1
        unknown &= ~same
    if unknown.any():
        return None
    classes, places = np.unique(np.array(found, dtype=y.dtype), return_inverse=True)
    return classes, places[numbers]


def _look_up(labels: list, classes: Array) -> Array:
    position = {label: number for number, label in enumerate(classes.tolist())}
    return np.fromiter(map(position.__getitem__, labels), dtype=np.intp, count=len(labels))


def _span(y: Array) -> int:
    return int(y.max()) - int(y.min()) + 1


def _encode_small_integers(y: Array, span: int) -> tuple[Array, Array]:
    # a table of all numbers between the smallest and the largest label: no sorting
    lowest = y.min()
    wide = y.astype(np.int64, copy=False) if y.dtype.kind == "i" else y  # int8 may lie 255 apart
    shifted = (wide - lowest if lowest else wide).astype(np.intp, copy=False)
    present = np.bincount(shifted, minlength=span) > 0
    offsets = np.flatnonzero(present).astype(wide.dtype, copy=False)
    classes = (offsets + lowest).astype(y.dtype, copy=False)
    if len(classes) == span:
        return classes, shifted
    return classes, (np.cumsum(present) - 1)[shifted]
