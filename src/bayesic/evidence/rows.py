"""The rows that somebody asks about: one row alone, by position or by name, or several."""

from collections.abc import Mapping, Sequence
from typing import Any

_ROW_LIKE = (list, tuple, Mapping)


def is_single_row(X: Any) -> bool:
    """Whether X is one row rather than a list of rows.

    >>> is_single_row((2, "S")), is_single_row([(2, "S")]), is_single_row({"rain": 1, "wind": 0})
    (True, False, True)
    """
    if isinstance(X, Mapping):
        return not any(is_many(cell) for cell in X.values())
    if isinstance(X, (list, tuple)):
        return len(X) > 0 and not any(is_many(cell) for cell in X)
    return getattr(X, "ndim", None) == 1 and hasattr(X, "__array__")


def is_many(cell: Any) -> bool:
    """Whether a cell is a row or a column itself."""
    return isinstance(cell, _ROW_LIKE) or getattr(cell, "ndim", 0) > 0


def row_by_name(row: Mapping[Any, Any], names: Sequence[str]) -> list[Any]:
    """The values of a row in the order of the names; every name must be there, and no other.

    >>> row_by_name({"wind": 3, "rain": 1}, ["rain", "wind"])
    [1, 3]
    """
    missing = [name for name in names if name not in row]
    unknown = [name for name in row if name not in names]
    if missing or unknown:
        raise ValueError(
            f"A row given by name must have the features {list(names)}: missing {missing}, "
            f"unknown {unknown}. Use NaN for a value that was not observed."
        )
    return [row[name] for name in names]


def checked_names(feature_names: Any, learned: Sequence[str]) -> list[str]:
    """The names that are given for the features, or those that were learned if none are."""
    if feature_names is None:
        return list(learned)
    names = [str(name) for name in feature_names]
    if len(names) != len(learned):
        raise ValueError(
            f"feature_names must name all {len(learned)} features, got {len(names)}. "
            "Give one name for each column."
        )
    if len(set(names)) < len(names):
        raise ValueError(f"feature_names must name every feature once, got {names}.")
    return names
