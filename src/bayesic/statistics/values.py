"""What statistics share: arrays that cannot be changed, counts that cannot go below zero."""

from operator import lt
from typing import Any

import numpy as np

from bayesic.kernels.leaving import left
from bayesic.kernels.rounding import ROUNDING

Array = np.ndarray


class Immutable:
    """A dataclass whose arrays nobody can write to, also after pickling."""

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if isinstance(value, np.ndarray):
                view = value.view()
                view.flags.writeable = False
                object.__setattr__(self, name, view)

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in state.items():
            object.__setattr__(self, name, value)
        self.__post_init__()


def remaining(total: Array, removed: Array) -> Array:
    """total - removed, for counts: refused below zero, exactly zero where only noise is left.

    >>> remaining(np.array([3, 1]), np.array([1, 1]))
    array([2, 0])
    """
    rest = total - removed
    if (rest < -ROUNDING * np.abs(total)).any():
        raise ValueError(
            "Only what was learned can be taken away: these rows would leave a count of "
            f"{rest.min()}. Check rows, labels and weights against those given to fit."
        )
    return left(total, removed) if rest.dtype.kind == "f" else rest


def class_counts(codes: Array, weights: Array | None, n_classes: int) -> Array:
    """Rows of each class, or their weight: int64, float64 with weights.

    >>> class_counts(np.array([0, 2, 0]), None, n_classes=3)
    array([2, 0, 1])
    """
    return np.bincount(codes, weights, minlength=n_classes)


def placed(array: Array, positions: Array, n_classes: int, axis: int = 0) -> Array:
    """The same numbers with each class at its new position and zeros for the other classes."""
    shape = list(array.shape)
    shape[axis] = n_classes
    wider = np.zeros(shape, dtype=array.dtype)
    np.moveaxis(wider, axis, 0)[positions] = np.moveaxis(array, axis, 0)
    return wider


def check_words(what: str, words: Any) -> None:
    """Refuse what are no different texts in sorted order; what names them in messages."""
    if not isinstance(words, tuple) or not all(isinstance(word, str) for word in words):
        raise ValueError(f"{what} must be texts.")
    if not all(map(lt, words, words[1:])):
        raise ValueError(f"{what} must be different, in sorted order.")


def check_counts(name: str, counts: Array, *shape: int) -> None:
    """Refuse what cannot be counts of this shape: a statistic from a file may hold anything.

    >>> check_counts("class_count", np.array([3, -1]), 2)
    Traceback (most recent call last):
    ValueError: class_count must hold counts of 0 or more that can be added up.
    """
    if counts.shape != shape or counts.dtype not in (np.int64, np.float64):
        raise ValueError(
            f"{name} must be an int64 or float64 array of shape {shape}, got {counts.dtype} of "
            f"shape {counts.shape}."
        )
    with np.errstate(over="ignore"):
        total = counts.sum(dtype=np.float64)
    # this way round a NaN does not pass
    limit = 2.0**63 if counts.dtype == np.int64 else np.inf
    if not (counts.min(initial=0) >= 0 and total < limit):
        raise ValueError(f"{name} must hold counts of 0 or more that can be added up.")


def whole_if_exact(sums: Array) -> Array:
    """Sums of whole numbers from 0 on as int64, as long as float64 has held them exactly."""
    exact = sums.max(initial=0.0) < 2.0**53
    return sums.astype(np.int64, copy=False) if exact else sums
