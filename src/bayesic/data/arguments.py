"""What users give beside rows and labels, checked; and how they are warned."""

import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from inspect import Signature, signature
from numbers import Integral, Real
from pathlib import Path
from sys import float_info
from typing import Any, TypeGuard

import numpy as np

from bayesic.data.calls import check_call
from bayesic.kernels import Array

LARGEST = float_info.max
LARGEST_WEIGHT = 1e20
_SILENT = ContextVar("silent", default=False)
_LIBRARY = str(Path(__file__).resolve().parents[1])


def check_one_of(name: str, given: object, known: Sequence[str | None]) -> None:
    """Refuse a value that is not one of the known words."""
    is_word = given is None or isinstance(given, str)  # a table has an answer of its own to ==
    if not is_word or given not in known:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, known))}, got {given!r:.80}.")


def check_flag(name: str, given: object) -> None:
    """Refuse what is neither True nor False."""
    if not isinstance(given, (bool, np.bool_)):
        raise ValueError(f"{name} must be True or False, got {given!r}.")


def check_whole_number(name: str, given: object, least: int, most: float = np.inf) -> None:
    """Refuse what is not a whole number, or too small, or too large."""
    if not is_whole_number(given) or given < least:
        raise ValueError(f"{name} must be a whole number of {least} or more, got {given!r:.80}.")
    if given > most:
        raise ValueError(f"{name} must be a whole number up to {most}, got {given!r:.80}.")


def check_number(name: str, given: object) -> None:
    """Refuse what is not a finite number of 0 or more."""
    if not is_number(given) or not 0 <= given <= LARGEST:
        raise ValueError(f"{name} must be a number of 0 or more, got {given!r}.")


def is_number(given: object) -> TypeGuard[float]:
    """Whether this is a number that a float can hold, and not True or False.

    >>> is_number(2), is_number(0.5), is_number(True), is_number("2"), is_number(10**400)
    (True, True, False, False, False)
    """
    if type(given) is float:  # most often; to ask an abstract class takes ten times as long
        return True
    if not isinstance(given, Real) or isinstance(given, bool):
        return False
    try:
        float(given)
    except OverflowError:
        return False
    return True


def is_whole_number(given: object) -> TypeGuard[int]:
    """Whether this is a whole number, and not True or False.

    >>> is_whole_number(2), is_whole_number(True), is_whole_number(2.0)
    (True, False, False)
    """
    if type(given) is int:  # most often; to ask an abstract class takes ten times as long
        return True
    return isinstance(given, Integral) and not isinstance(given, bool)


def as_numbers(values: object, name: str) -> Array:
    """The values as a float64 array of any shape; what holds no numbers is refused by this name.

    >>> as_numbers([1, 2], "sample_weight")
    array([1., 2.])
    """
    try:
        return np.asarray(plain_array(values), dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        kind = TypeError if isinstance(error, TypeError) else ValueError
        raise kind(f"{name} must hold numbers: {error}.") from error


def plain_array(values: Any) -> Any:
    """A column of polars or pyarrow as NumPy's array; anything else as it is.

    Where NumPy has no such values (numbers of 128 bits, unions), an array of Python's.
    """
    if not type(values).__module__.startswith(("polars", "pyarrow")):
        return values
    try:
        return np.asarray(values)
    except Exception:  # each library has errors of its own
        listed = values.to_list() if hasattr(values, "to_list") else values.to_pylist()
        return np.array([*listed, None], dtype=object)[:-1]  # the None keeps nested lists apart


def without_arguments(verb: Callable[..., object], names: tuple[str, ...]) -> Callable[..., Any]:
    """A method that does not take the arguments of these names: they keep their defaults.

    >>> def fit(model, X, y, classes=None, sample_weight=None):
    ...     return X, y, classes, sample_weight
    >>> less = without_arguments(fit, ("classes",))
    >>> str(signature(less)), less(None, [1], [2], sample_weight=[3])
    ('(model, X, y, sample_weight=None)', ([1], [2], None, [3]))
    """
    verb = getattr(verb, "with_all_arguments", verb)
    arguments = signature(verb).parameters
    if arguments.keys().isdisjoint(names):
        return verb
    left = [argument for name, argument in arguments.items() if name not in names]
    less = Signature(left, return_annotation=signature(verb).return_annotation)
    in_order = [one for one in less.parameters.values() if one.kind is one.POSITIONAL_OR_KEYWORD]
    most = len(in_order) - 1 if len(in_order) == len(less.parameters) - _n_by_name(less) else 0
    first = next((index for index, name in enumerate(arguments) if name in names), 0)
    most = min(most, first - 1)  # arguments after one that is left out have other positions

    @wraps(verb)
    def with_less(model: Any, *given: object, **by_name: object) -> Any:
        if given and len(given) <= most and by_name.keys() <= less.parameters.keys():
            return verb(model, *given, **by_name)
        check_call(less, type(model), verb.__name__, given, by_name)
        _, *told = less.bind(model, *given, **by_name).arguments.items()
        return verb(model, **dict(told))

    with_less.__signature__ = less  # type: ignore[attr-defined]  # what `inspect` shows
    with_less.__doc__ = _without_entries(verb.__doc__ or "", names)
    with_less.with_all_arguments = verb  # type: ignore[attr-defined]
    return with_less


def _n_by_name(takes: Signature) -> int:
    return sum(one.kind is one.KEYWORD_ONLY for one in takes.parameters.values())


def _without_entries(text: str, names: tuple[str, ...]) -> str:
    r"""A docstring without the entries of these arguments.

    >>> entries = "Learn.\n\n    X : rows\n    text : of a file\n        all"
    >>> print(_without_entries(entries, ("text",)))
    Learn.
    <BLANKLINE>
        X : rows
    """
    kept: list[str] = []
    is_out, indent = False, 0
    for line in text.splitlines():
        depth = len(line) - len(line.lstrip())
        entry = line.split(" : ")[0].strip()
        if is_out and line.strip() and depth > indent:
            continue
        is_out = " : " in line and {*entry.split(", ")} <= {*names}
        if is_out:
            indent = depth
            continue
        kept.append(line)
    return "\n".join(kept)


# weights of rows ------------------------------------------------------------------------------


def checked_weights(sample_weight: object, n_rows: int) -> Array | None:
    """One finite weight of 0 or more for each row as float64, or None for one each.

    A row of weight 2 counts as two rows, a row of weight 0 as none.

    >>> checked_weights([1, 2], n_rows=2)
    array([1., 2.])
    """
    if sample_weight is None:
        return None
    weights = as_numbers(sample_weight, "sample_weight")
    if weights.ndim == 0:
        weights = np.full(n_rows, float(weights))
    if weights.shape != (n_rows,):
        raise ValueError(
            f"sample_weight must have one weight for each of the {n_rows} rows, "
            f"got shape {weights.shape}. Leave it out if all rows weigh the same."
        )
    if not np.isfinite(weights).all():
        raise ValueError(
            "sample_weight must be finite, got NaN or infinity. Give 0 to leave a row out."
        )
    if weights.max(initial=0) > LARGEST_WEIGHT:
        raise ValueError(
            f"sample_weight is too large to be added up: at most {LARGEST_WEIGHT:g}, got "
            f"{weights.max():g}. Divide the weights by a constant."
        )
    if weights.min() < 0:
        raise ValueError(
            f"sample_weight must be 0 or more, got {weights.min()}. "
            "To take rows back out of a model, use forget(X, y)."
        )
    if not weights.any():
        raise ValueError(
            "sample_weight must be above 0 for at least one row, got zero for all of them."
        )
    return np.ascontiguousarray(weights)


def part(weights: Array | None, rows: slice) -> Array | None:
    """The weights of these rows, if there are weights."""
    return None if weights is None else weights[rows]


# models ---------------------------------------------------------------------------------------


def has_learned(estimator: object) -> bool:
    """Whether something was set that only learning sets: its names end with an underscore.

    Estimators that keep nothing under such a name say it themselves, as to scikit-learn.

    >>> class Urn: ...
    >>> has_learned(Urn())
    False
    """
    if hasattr(estimator, "__sklearn_is_fitted__"):
        return estimator.__sklearn_is_fitted__()
    return any(name.endswith("_") and not name.startswith("__") for name in vars(estimator))


def forget_learned(estimator: object) -> None:
    """Remove everything that learning has set: a model that learns again starts from nothing."""
    for name in [name for name in vars(estimator) if name.endswith("_")]:
        delattr(estimator, name)


def check_is_fitted(estimator: object) -> None:
    """Refuse an estimator that has learned nothing, as scikit-learn's function of this name does.

    That one is loaded only to refuse: it takes long to load. Rows that were given as a parameter,
    `NaiveBayes(rows)`, are the reason, and named first.
    """
    if not has_learned(estimator):
        getattr(estimator, "_check_parameters", lambda: None)()
        refuse_unfitted(estimator)


def refuse_unfitted(estimator: object) -> None:
    """Refuse an estimator that has learned nothing, whatever its parameters."""
    if not has_learned(estimator):
        from sklearn.utils import validation

        validation.check_is_fitted(estimator)


def is_fitted(estimator: object) -> bool:
    """Whether `check_is_fitted` lets an estimator pass."""
    if has_learned(estimator):
        return True
    from sklearn.exceptions import NotFittedError

    try:
        refuse_unfitted(estimator)
    except NotFittedError:
        return False
    return True  # it has nothing to learn


# warnings -------------------------------------------------------------------------------------


@contextmanager
def without_warnings() -> Iterator[None]:
    """While this lasts, this thread and no other is silent: `tell` says nothing."""
    before = _SILENT.set(True)
    try:
        yield
    finally:
        _SILENT.reset(before)


def tell(message: str) -> None:
    """Warn the user, and show the line that called into this library."""
    if _SILENT.get():
        return
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and _is_ours(frame.f_code.co_filename):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, UserWarning, stacklevel=level)


def _is_ours(filename: str) -> bool:
    return filename.startswith(_LIBRARY)
