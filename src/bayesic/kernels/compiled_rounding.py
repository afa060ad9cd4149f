# mypy: disallow-untyped-defs=False
"""Counts that are left, in Numba: as in `rounding.py`."""

import math

from bayesic.kernels.jit import inner
from bayesic.kernels.rounding import ROUNDING

__all__ = ["left"]


@inner
def left(total, removed):
    """total - removed, or 0 where only rounding is left."""
    rest = total - removed
    if rest > ROUNDING * total or (rest > 0 and rest == math.floor(rest)):
        return rest
    return 0.0
