"""The target of a model of arrays: labels or numbers beside the rows, or the name of a column."""

from collections.abc import Mapping
from typing import Any

from bayesic.data.files import take_column
from bayesic.data.frames import as_any_frame
from bayesic.data.tables import is_table


def split_target(model: Any, X: Any, y: Any, first: bool = False) -> tuple[Any, Any]:
    """The rows without the column that y names, and what this column holds; otherwise X and y.

    The model remembers the name as `target_name_`, and later tables may still have the column:
    it is no feature. With `first` the model forgets a name of before.
    """
    if isinstance(y, str):
        X, labels = take_column(X, y)
        model.target_name_ = y
        return X, labels
    if first:
        vars(model).pop("target_name_", None)
    return X, y


def without_target(model: Any, X: Any) -> Any:
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
