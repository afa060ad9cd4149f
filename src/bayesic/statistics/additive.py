"""What statistics share: values that cannot be changed, with `+`, and `-` that stops at zero."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from operator import lt
from typing import TYPE_CHECKING, Any, Protocol, Self, TypeVar

import numpy as np

from bayesic.data.labels import encode_labels, united_labels
from bayesic.data.typing import RandomState
from bayesic.kernels import Array
from bayesic.kernels.leaving import left
from bayesic.kernels.rounding import ROUNDING
from bayesic.statistics._noise import refused

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Item = TypeVar("Item")
Statistic = TypeVar("Statistic", bound="DataclassInstance")

# Of a row, by its weight: smaller numbers, and what they are divided by, would leave float64.
LEAST_COUNT = 1e-200


class Additive(Protocol):
    """What is kept of rows, as a model adds and takes it away."""

    def with_classes_at(self, positions: Array, n_classes: int) -> Self:
        """The same in a wider list of classes, the old ones at these positions."""

    def with_noise(self, epsilon: float, levels: Any, random_state: Any, /) -> Any:
        """The same with noise on its counts; refused where statistics do not say how."""


class ClassStatistic(Additive, Protocol):
    """What is kept of rows with classes: counts or moments that can be added and taken away."""

    @property
    def class_count(self) -> Array:
        """The rows of each class, or their weight."""

    def __add__(self, other: Self, /) -> Self: ...
    def __sub__(self, other: Self, /) -> Self: ...

    def scaled(self, factor: float, /) -> Self:
        """The same rows, each of which counts factor times as much."""

    def checked(self) -> Self:
        """This, if it can have come from counting."""


Sums = TypeVar("Sums", bound=ClassStatistic)


class Immutable:
    """A dataclass with read-only arrays, also after pickling."""

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if isinstance(value, np.ndarray) and value.flags.writeable:
                view = value.view()
                view.flags.writeable = False
                object.__setattr__(self, name, view)

    def __setstate__(self, state: Mapping[str, object]) -> None:
        for name, value in state.items():
            object.__setattr__(self, name, value)
        self.__post_init__()

    def with_noise(
        self, epsilon: float, levels: Any = None, random_state: RandomState = None
    ) -> "Immutable":
        """The same with noise on its counts; statistics that do not say how refuse it."""
        raise refused(self)


def remaining(total: Array, removed: Array) -> Array:
    """total - removed, for counts: refused below zero, exactly zero where only noise is left.

    >>> remaining(np.array([3, 1]), np.array([1, 1]))
    array([2, 0])
    """
    rest = total - removed
    if (rest < -ROUNDING * np.abs(total)).any():
        why = f"these rows would leave a count of {rest.min()}"
        raise not_learned(why, "rows, labels and weights")
    return left(total, removed) if rest.dtype.kind == "f" else rest


def not_learned(why: str, to_check: str = "rows and labels") -> ValueError:
    """What `-` answers to what cannot have been added before."""
    return ValueError(
        f"Only what was learned can be taken away: {why}. Check {to_check} against those given to "
        "fit."
    )


def class_counts(codes: Array, weights: Array | None, n_classes: int) -> Array:
    """Rows of each class, or their weight: int64, float64 with weights.

    Weights that are whole numbers by their type say how often a row occurs, and give int64 too.

    >>> class_counts(np.array([0, 2, 0]), None, n_classes=3)
    array([2, 0, 1])
    """
    return _of_type(np.bincount(codes, weights, minlength=n_classes), weights)


def _of_type(counted: Array, weights: Array | None) -> Array:
    are_times = weights is not None and weights.dtype.kind == "i"
    return whole_if_exact(counted) if are_times else counted


def counts_by_class(
    numbers: Array, n_numbers: int, codes: Array, n_classes: int, weights: Array | None
) -> Array:
    """How many rows of each class have each number, or their weight: (n_numbers, n_classes).

    >>> counts_by_class(np.array([2, 0, 2]), 3, np.array([0, 0, 1]), 2, None).tolist()
    [[1, 0], [0, 0], [1, 1]]
    """
    cells = numbers * n_classes + codes
    counted = np.bincount(cells, weights, minlength=n_numbers * n_classes)
    return _of_type(counted, weights).reshape(n_numbers, n_classes)


def placed(array: Array, positions: Array, n_classes: int, axis: int = 0) -> Array:
    """The same numbers with each class at its new position and zeros for the other classes."""
    shape = list(array.shape)
    shape[axis] = n_classes
    wider = np.zeros(shape, dtype=array.dtype)
    np.moveaxis(wider, axis, 0)[positions] = np.moveaxis(array, axis, 0)
    return wider


def with_classes_placed(
    statistic: Statistic, positions: Array, n_classes: int, **axes: int
) -> Statistic:
    """The statistic in a wider list of classes, which are at these axes of its arrays.

    >>> from bayesic.statistics.level_counts import LevelCounts
    >>> rain = LevelCounts(("rain",), np.array([[3, 5]]))
    >>> with_classes_placed(rain, np.array([2, 0]), 3, table=1).table
    array([[5, 0, 3]])
    """
    if np.array_equal(positions, np.arange(n_classes)):  # no copy of a large vocabulary
        return statistic
    arrays = {
        name: placed(getattr(statistic, name), positions, n_classes, axis)
        for name, axis in axes.items()
    }
    return replace(statistic, **arrays)


def faded(counts: Array, factor: float) -> Array:
    """Counts times a factor; what has come below LEAST_COUNT of a row is gone.

    >>> faded(np.array([3, 1, 0]), 0.5)
    array([1.5, 0.5, 0. ])
    """
    less = counts * float(factor)
    less[less < LEAST_COUNT] = 0.0
    return less


def with_counts_faded(statistic: Statistic, factor: float, *names: str) -> Statistic:
    """The statistic with these of its arrays of counts times a factor.

    >>> from bayesic.statistics.level_counts import LevelCounts
    >>> rain = LevelCounts(("rain",), np.array([[3, 5]]))
    >>> with_counts_faded(rain, 0.5, "table").table
    array([[1.5, 2.5]])
    """
    return replace(statistic, **{name: faded(getattr(statistic, name), factor) for name in names})


def check_words(what: str, words: object) -> None:
    """Refuse what are not different texts in sorted order; what names them in messages."""
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
    """Sums of whole numbers of 0 or more as int64, as long as float64 has held them exactly."""
    exact = sums.max(initial=0.0) < 2.0**53
    return sums.astype(np.int64, copy=False) if exact else sums


# sums of whole statistics ------------------------------------------------------------------------


def united(first: tuple[Any, Sums], second: tuple[Any, Sums]) -> tuple[Any, Sums]:
    """Classes and statistics of two models together; the classes need not be the same."""
    if first[0] is second[0] or np.array_equal(first[0], second[0]):
        return first[0], first[1] + second[1]
    classes, mine = among_classes(second[0], *first)
    _, theirs = among_classes(first[0], *second)
    return classes, mine + theirs


def among_classes(others: Any, classes: Any, statistics: Sums) -> tuple[Array, Sums]:
    """Classes and statistics in a list that has other classes too, which may be the same ones."""
    all_classes, codes = encode_labels(united_labels(classes, others))
    return all_classes, statistics.with_classes_at(codes[: len(classes)], len(all_classes))


def sum_of_pairs(add: Callable[[Item, Item], Item], items: Iterable[Item]) -> Item | None:
    """Items added up in order, equal numbers of them to each other; None if there are none.

    Each is in few sums, and few sums are held at a time: sums may be large, as vocabularies are.

    >>> sum_of_pairs("({}+{})".format, "abcde")
    '(((a+b)+(c+d))+e)'
    """
    sums: list[tuple[int, Item]] = []  # how many items, and their sum
    for item in items:
        number = 1
        while sums and sums[-1][0] == number:
            number, item = 2 * number, add(sums.pop()[1], item)
        sums.append((number, item))
    while len(sums) > 1:
        (_, last), (number, before) = sums.pop(), sums.pop()
        sums.append((number, add(before, last)))
    return sums[0][1] if sums else None
