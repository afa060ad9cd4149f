"""The watermelons in the plane of density and sugar, and a grid over it."""

import numpy as np

from bayesic.datasets import watermelon
from bayesic.kernels import Array
from bayesic.studio.lessons.lesson_values import numbers

X_LIMITS, Y_LIMITS = (0.0, 1.0), (-0.1, 0.6)  # also in plane.js
N_X, N_Y = 81, 57  # points of the grid: one every 1/80
CLASSES = ("是", "否")  # a good melon, a bad one


def melons() -> tuple[Array, Array]:
    """Density and sugar of the 17 melons of Zhou, 机器学习, table 4.3, and the class of each."""
    table = watermelon()
    return np.array([row[-2:] for row in table.rows], dtype=np.float64), np.array(table.target)


def grid() -> Array:
    """The points of the grid, row by row from below: (N_Y * N_X, 2)."""
    x, y = np.meshgrid(np.linspace(*X_LIMITS, N_X), np.linspace(*Y_LIMITS, N_Y))
    return np.column_stack([x.ravel(), y.ravel()])


def by_rows(values: Array) -> list[list[object]]:
    """A value for each point of the grid, as rows."""
    return values.reshape(N_Y, N_X).tolist()


def point(name: str, given: object) -> list[float]:
    """A point of the plane."""
    x, y = numbers(name, given, 2, -1, 2)
    return [x, y]


def picture() -> dict[str, object]:
    """What every picture of this plane shows: the melons."""
    X, y = melons()
    return {
        "melons": [[*row, CLASSES.index(label)] for row, label in zip(X.tolist(), y, strict=True)]
    }
