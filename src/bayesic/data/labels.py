"""The target of each row: class labels -> the sorted classes and the class number of every row.

Labels are beside the rows, or in a column of the table that is named.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from bayesic.data.arguments import plain_array
from bayesic.data.distinct import is_missing
from bayesic.data.frames import Series, as_frame
from bayesic.data.tables import has_column_names
from bayesic.data.typing import Label
from bayesic.datasets.textbook import TextbookTable
from bayesic.kernels import Array

FEW_LABELS = 8
WIDE = 100  # characters; beyond, labels are objects: NumPy gives each word the room of the longest
UNLABELLED = -1  # the code of a row whose class is not known
ONE_LETTER = np.dtype("U1").itemsize
ONE = np.zeros(1, dtype=np.intp)  # the codes of a single row
ONE.flags.writeable = False


class UnknownLabelsError(ValueError):
    """Labels came that are not among the classes of a model."""

    def __init__(self, unknown: list, classes: list) -> None:
        super().__init__(
            f"The target label(s) {unknown} in y do not exist in the initial classes {classes}. "
            "Declare every class with classes= in the first partial_fit, and forget only what "
            "was learned."
        )
        self.unknown, self.classes = unknown, classes


def encode_labels(y: object) -> tuple[Array, Array]:
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


def _sorted_labels(labels: list) -> list:
    try:
        return sorted(set(labels))
    except (TypeError, OverflowError) as error:  # the latter: a huge int beside a float32
        kinds = sorted({type(label).__name__ for label in labels})
        raise TypeError(
            f"y must hold labels of one type, got {' and '.join(kinds)}. "
            "Use numbers or strings: turn all of them into strings, for example."
        ) from error


def _look_up(labels: list, classes: Array) -> Array:
    position = {label: number for number, label in enumerate(classes.tolist())}
    return np.fromiter(map(position.__getitem__, labels), dtype=np.intp, count=len(labels))


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


def encode_known_labels(y: object, classes: Array) -> Array:
    """For each row of y the number of its class among those given; other labels are refused."""
    found, found_codes = encode_labels(y)
    position = {label: number for number, label in enumerate(classes.tolist())}
    unknown = [label for label in found.tolist() if label not in position]
    if unknown:
        raise UnknownLabelsError(unknown, classes.tolist())
    codes = np.array([position[label] for label in found.tolist()], dtype=np.intp)
    return codes[found_codes]


def codes_among(y: object, classes: Array) -> Array | None:
    """For each row of y the number of its class among those given, if it has one there.

    None if some label is another, or of a type that would make the classes other than they are.

    >>> codes_among(["spam", "ham"], np.array(["ham", "spam"]))
    array([1, 0])
    >>> codes_among(["eggs"], np.array(["ham", "spam"])) is None
    True
    """
    found, codes = _one_label(y) if isinstance(y, list) and len(y) == 1 else encode_labels(y)
    if np.result_type(found, classes) != classes.dtype:
        return None
    position = {label: number for number, label in enumerate(classes.tolist())}
    numbers = [position.get(label, UNLABELLED) for label in found.tolist()]
    return None if UNLABELLED in numbers else np.array(numbers, dtype=np.intp)[codes]


def _one_label(y: list) -> tuple[Array, Array]:
    """encode_labels, for a single label."""
    is_plain = type(y[0]) in (int, bool) or (type(y[0]) is str and len(y[0]) <= WIDE)
    return (np.array(y), ONE) if is_plain else encode_labels(y)


def encode_some_labels(y: object) -> tuple[Array, Array]:
    """The classes of y in sorted order, and for each row the number of its class; -1 for a gap.

    A gap is None, NaN, NaT or pandas.NA.

    >>> encode_some_labels(["spam", None, "ham", float("nan")])
    (array(['ham', 'spam'], dtype='<U4'), array([ 1, -1,  0, -1]))
    """
    if isinstance(y, np.ndarray) and y.dtype.kind in "biuU":
        return encode_labels(y)  # there can be no gaps
    labels = _listed(y)
    known = np.array([not is_missing(label) for label in labels], dtype=bool)
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


def _listed(y: object) -> list:
    """Labels as a list; what cannot be one is left to encode_labels to refuse."""
    if isinstance(y, (list, tuple)):
        return list(y)
    values = np.asarray(y)
    return values.tolist() if values.ndim == 1 else []


def declared_classes(classes: Any) -> Array:
    """The classes that a user declares, sorted; each must be given once."""
    flat = np.asarray(plain_array(classes), dtype=object)
    if flat.ndim != 1 or any(isinstance(label, (list, tuple, dict)) for label in flat):
        raise ValueError(
            f"classes must be a flat list of labels, got {classes!r:.80}. Name every class, as in "
            "classes=['ham', 'spam']."
        )
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
            f"Labels must be of one type, got {first.tolist()} and {second.tolist()}. "
            "Turn all of them into strings, for example."
        )
    return np.concatenate([first, second])


# checks ---------------------------------------------------------------------------------------


def checked_labels(y: object) -> Array:
    """y as a one-dimensional array of labels without gaps."""
    if y is None:
        raise ValueError(
            "The model requires y to be passed, but the target y is None. "
            "Give y: the class of each row."
        )
    if getattr(getattr(y, "dtype", None), "kind", "") == "c":
        raise ValueError(
            "Complex data not supported: y must hold class labels. Use numbers or strings."
        )
    if not (type(y) is np.ndarray and y.ndim == 1):
        y = _one_dimension(_as_objects_if_needed(plain_array(y)))
    y = narrow_words(y)
    if len(y) == 0:
        raise ValueError("y must have at least one label, got none. Give one for each row of X.")
    if y.dtype.kind == "f":
        _check_float_labels(y)
    elif y.dtype.kind == "O":
        _check_object_labels(y)
    elif y.dtype.kind not in "biuUST":
        raise ValueError(f"y must hold class labels, got dtype {y.dtype}. Use numbers or strings.")
    return y


def _one_dimension(y: object) -> Array:
    if isinstance(y, np.ndarray) and y.ndim == 1:
        return y
    if isinstance(y, (list, tuple)) and {*map(type, y)} <= {str, int, float, bool}:
        return np.asarray(y)
    from sklearn.utils.validation import column_or_1d  # takes long to load

    return column_or_1d(y, warn=True)


def _as_objects_if_needed(y: object) -> object:
    """A list of words with other things, which NumPy would turn into words, or with a long one."""
    if isinstance(y, (list, tuple)):
        kinds = set(map(type, y))
        is_mixed = len(kinds) > 1 and any(issubclass(kind, str) for kind in kinds)
        if is_mixed or (kinds == {str} and max(map(len, y)) > WIDE):
            return np.array([*y, None], dtype=object)[:-1]  # the None keeps nested lists apart
    return y


def narrow_words(labels: Array) -> Array:
    """Labels whose memory does not grow with the longest of them.

    >>> narrow_words(np.array(["ham", "spam"])).dtype, narrow_words(np.array(["s" * 500])).dtype
    (dtype('<U4'), dtype('O'))
    """
    is_wide = labels.dtype.kind == "U" and labels.dtype.itemsize > WIDE * ONE_LETTER
    return labels.astype(object) if is_wide else labels


def _check_float_labels(y: Array) -> None:
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
            "measurements use LeastSquares or KNeighborsRegressor."
        )


def _check_object_labels(y: Array) -> None:
    labels = y.tolist()
    if {*map(type, labels)} == {str}:
        return
    try:
        different = set(labels)
    except TypeError:  # labels that cannot be told apart are refused later
        different = set()
    if different and not any(map(is_missing, different)):
        return
    missing = [row for row, label in enumerate(labels) if is_missing(label)]
    if missing:
        raise ValueError(
            f"Input y contains NaN or None, first in row {missing[0]}. "
            "Leave out the rows without a label."
        )


# the target as a column of the table ----------------------------------------------------------


def take_column(X: object, name: str) -> tuple[Any, Array]:
    """A table without one of its columns, and the values of that column.

    >>> take_column({"words": [3, 8], "mail": ["ham", "spam"]}, "mail")
    ({'words': [3, 8]}, array(['ham', 'spam'], dtype=object))
    """
    if isinstance(X, TextbookTable):
        X = X.to_dict()
    if isinstance(X, Mapping):
        key = _named(name, list(X))
        return {other: X[other] for other in X if other != key}, _labels(X[key])
    if isinstance(X, (list, tuple)) and has_column_names(X):
        key = _named(name, list(dict.fromkeys(other for row in X for other in row)))
        rows = [{other: row[other] for other in row if other != key} for row in X]
        return rows, _labels(np.array([*(row.get(key) for row in X), None], dtype=object)[:-1])
    import narwhals as nw

    frame = as_frame(X) if not isinstance(X, (list, tuple, np.ndarray)) else None
    if frame is None:
        raise ValueError(
            f"y={name!r} names a column, but X is a {type(X).__name__}, which has no names. "
            "Give X as a table or a dict of columns, or give y as a list of labels."
        )
    key = _named(name, frame.columns)
    rest = frame.select([nw.col(other) for other in frame.columns if other != key])
    return rest.to_native(), _labels(_values(frame.get_column(key)))


def _values(series: Series) -> list | Array:
    is_of_pandas = series.implementation.is_pandas_like()
    return series.to_numpy() if is_of_pandas else plain_array(series.to_native())


def _named(name: str, names: list[Label]) -> Label:
    found = [other for other in names if str(other) == name]
    if not found:
        raise ValueError(f"There is no column {name!r}. The columns are {list(map(str, names))}.")
    return found[0]


def _labels(values: object) -> Array:
    labels = np.asarray(values)
    return labels.astype(object) if labels.dtype.kind in "UT" else labels
