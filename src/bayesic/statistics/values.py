"""What statistics share: arrays that cannot be changed, counts that cannot go below zero."""

import numpy as np

Array = np.ndarray

# Weights are sums of floats: what is left after taking all of them away again is rounding noise.
ROUNDING = 1e-12


def read_only(array: Array) -> Array:
    """A view of the array that nobody can write to."""
    view = array.view()
    view.flags.writeable = False
    return view


def remaining(total: Array, removed: Array) -> Array:
    """total - removed, for counts: refused below zero, exactly zero where only noise is left.

    >>> remaining(np.array([3, 1]), np.array([1, 1]))
    array([2, 0])
    """
    rest = total - removed
    if rest.dtype.kind == "f":
        rest = np.where(np.abs(rest) <= ROUNDING * np.abs(total), 0.0, rest)
    if (rest < 0).any():
        raise ValueError(
            "Only what was learned can be forgotten: taking these rows away would leave a count "
            f"of {rest.min()}. Check rows, labels and weights against those given to fit."
        )
    return rest


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
    """Sums of whole numbers as int64, as long as float64 has held them without rounding."""
    exact = np.abs(sums).max(initial=0.0) < 2.0**53
    return sums.astype(np.int64) if exact else sums
