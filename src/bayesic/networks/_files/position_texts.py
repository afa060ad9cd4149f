"""Positions as files write them: position = (73, 165), with or without a comma or spaces."""

import math
import re

from bayesic.networks.positions import Position

NUMBER = r"([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)"
POSITION = re.compile(
    rf"\s*position\s*=?\s*\(\s*{NUMBER}\s*[,\s]\s*{NUMBER}\s*\)\s*", re.IGNORECASE | re.ASCII
)
LONGEST = 200  # characters that are looked at


def position_in(text: str) -> Position | None:
    """The position that a property gives; None for another property, or one that is not a position.

    >>> position_in("position = (73, 165)"), position_in("weight = 3")
    ((73.0, 165.0), None)
    """
    match = POSITION.fullmatch(text) if len(text) <= LONGEST else None
    if match is None:
        return None
    x, y = float(match[1]), float(match[2])
    return (x, y) if math.isfinite(x) and math.isfinite(y) else None


def number_text(number: float) -> str:
    """A coordinate in the fewest digits that give it back; whole ones without a point.

    >>> number_text(73.0), number_text(0.5)
    ('73', '0.5')
    """
    return str(int(number)) if number == int(number) and abs(number) < 1e15 else repr(number)
