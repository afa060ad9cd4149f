"""What statistics share: arrays that cannot be changed, counts that cannot go below zero."""

from typing import Any

import numpy as np

from bayesic.kernels.rounding import ROUNDING, left

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


def whole_if_exact(sums: Array) -> Array:
    """Sums of whole numbers from 0 on as int64, as long as float64 has held them exactly."""
    exact = sums.max(initial=0.0) < 2.0**53
    return sums.astype(np.int64) if exact else sums
