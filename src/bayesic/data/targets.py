"""The target of rows: its name, and the rows without its column."""

from collections.abc import Mapping, Sequence
from typing import Any

from bayesic.data.frames import any_table_library_loaded, as_any_frame, as_series, is_table
from bayesic.data.labels import take_column
from bayesic.data.source import PLAIN, Source, opened


def name_of_target(source: Source, y: object) -> str | None:
    """The name of the target: of its column in the rows, or of the series that it is.

    A series that stands in the rows as well is a feature there.
    """
    if y is None or isinstance(y, str):
        return source.target if y is None else y
    if type(y) in PLAIN or not any_table_library_loaded():
        return None
    series = as_series(y)
    name = None if series is None else series.name
    return name if isinstance(name, str) and name and name not in _names_of(source.X) else None


def _names_of(X: object) -> Sequence[str]:
    """The names of the columns of a table in memory, or of a lazy one."""
    if isinstance(X, Mapping):
        return [*map(str, X)]
    if isinstance(X, (list, tuple)):
        return [str(name) for row in X if isinstance(row, Mapping) for name in row]
    return [*map(str, as_any_frame(X).collect_schema().names())] if is_table(X) else []


def with_own_target(X: object, y: object) -> tuple[Any, Any]:
    """The rows as they came, and the name of their target where none is given.

    >>> from bayesic.datasets import li_hang
    >>> table, y = with_own_target(li_hang(), None)
    >>> list(table), y
    (['X1', 'X2', 'Y'], 'Y')
    """
    source = opened(X)
    return source.X, source.target if y is None else y


# the target of what stands on a model -----------------------------------------------------------


def split_target(model: Any, X: object, y: object, first: bool = False) -> tuple[Any, Any]:
    """The rows without the column that y names, and what this column holds; otherwise X and y.

    The model remembers the name as `target_name_`, and later tables may still have the column:
    it is not a feature. With `first` the model forgets a name of before.
    """
    source = opened(X)
    name = name_of_target(source, y)
    if name is not None:
        model.target_name_ = name
    elif first:
        vars(model).pop("target_name_", None)
    X, y = with_own_target(source, y)
    return take_column(X, y) if isinstance(y, str) else (X, y)


def without_target(model: Any, X: object) -> Any:
    """The rows without the column of the target, if that was named and is still there.

    >>> class Model:
    ...     target_name_ = "mail"
    >>> without_target(Model(), {"free": [2, 0], "mail": ["spam", "ham"]})
    {'free': [2, 0]}
    """
    name = getattr(model, "target_name_", None)
    if name is None or not (isinstance(X, Mapping) or is_table(X)):
        return X
    names = X if isinstance(X, Mapping) else as_any_frame(X).collect_schema().names()
    return take_column(X, name)[0] if name in map(str, names) else X
