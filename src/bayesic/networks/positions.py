"""Where variables stand in a picture: kept beside a network, and no part of what it is."""

import math
from collections.abc import Collection, Mapping

import numpy as np

from bayesic.networks.variable_names import NetworkError, listed

Position = tuple[float, float]  # to the right, and down


def checked_positions(positions: object, variables: Collection[str]) -> dict[str, Position]:
    """The middle of some variables: variable -> (x, y), in their order.

    >>> checked_positions({"Rain": (10, 2.5)}, ["Rain", "Wet"])
    {'Rain': (10.0, 2.5)}
    """
    if not isinstance(positions, Mapping):
        raise TypeError(
            f"positions must be a mapping from variables, got {type(positions).__name__}. "
            "Write positions={'Storm': (10, 20)}."
        )
    for name in positions:
        if name not in variables:
            raise NetworkError(
                f"positions are of variables of the network, {listed([*variables]) or 'none'}; "
                f"got {name!r}."
            )
    return {name: _checked(name, positions[name]) for name in variables if name in positions}


def _checked(variable: str, position: object) -> Position:
    """Two finite numbers."""
    if isinstance(position, np.ndarray):
        position = position.tolist()
    numbers = position if isinstance(position, (tuple, list)) else ()
    if len(numbers) != 2 or not all(map(_is_finite, numbers)):
        raise NetworkError(
            f"The position of {variable} must be two finite numbers, as in (10, 20); "
            f"got {position!r}.",
            variable,
        )
    return float(numbers[0]), float(numbers[1])


def _is_finite(number: object) -> bool:
    if isinstance(number, (bool, np.bool_)) or not isinstance(number, (int, float, np.number)):
        return False
    try:
        return math.isfinite(number)
    except (OverflowError, TypeError):  # a whole number of hundreds of digits, a complex one
        return False
