"""Rows of a picture: labels, two columns of numbers, and new rows in the form of the old ones."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from bayesic.data.columns import Numbers
from bayesic.data.files import take_column
from bayesic.data.frames import as_frame
from bayesic.data.tables import as_table, has_column_names
from bayesic.kernels import Array


@dataclass(frozen=True, eq=False)
class Plane:
    """Rows with two columns of numbers."""

    names: tuple[str, str]
    points: Array  # (n_rows, 2), NaN where not observed
    rows_at: Callable[[Array], Any]  # points -> rows in the form in which these ones came


def rows_and_labels(X: Any, y: Any) -> tuple[Any, Any]:
    """The rows without their classes, and the classes; y may be the name of a column of X."""
    return take_column(X, y) if isinstance(y, str) else (X, y)


def plane_of(X: Any, picture: str) -> Plane:
    """X as two columns of numbers; anything else is refused, in the name of the picture.

    >>> plane_of({"width": [1, 2], "height": [3, 5]}, "a map").points.tolist()
    [[1.0, 3.0], [2.0, 5.0]]
    """
    table = as_table(X)
    if len(table.names) != 2:
        names = ", ".join(table.names[:6]) + (", ..." if len(table.names) > 6 else "")
        raise ValueError(
            f"{picture} needs rows of two columns, got {len(table.names)}: {names}. Learn a model "
            "of two of them, and give these two."
        )
    for name, cells in table.columns.items():
        if not isinstance(cells, Numbers):
            raise ValueError(f"{picture} needs columns of numbers, but {name!r} holds none.")
    first, second = table.names
    columns = [cells.values for cells in table.columns.values() if isinstance(cells, Numbers)]
    points = np.column_stack(columns)
    if not np.isfinite(points).all(axis=1).any():
        raise ValueError(f"{picture} needs at least one row without gaps, got none.")
    return Plane((first, second), points, _maker_of_rows(X, table.names))


def _maker_of_rows(X: Any, names: tuple[str, ...]) -> Callable[[Array], Any]:
    """What makes rows like X of points: arrays of arrays, tables of the same library of tables."""
    if not has_column_names(X):
        return lambda points: points
    frame = None if isinstance(X, (Mapping, list, tuple)) else as_frame(X)
    if frame is None:
        return lambda points: dict(zip(names, points.T, strict=True))

    def table_of(points: Array) -> Any:
        import narwhals as nw

        columns = dict(zip(frame.columns, np.ascontiguousarray(points.T), strict=True))
        return nw.from_dict(columns, backend=frame.implementation).to_native()

    return table_of
