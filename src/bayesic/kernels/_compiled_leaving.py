"""The formulas of `leaving.py`, compiled: the same lines, for numbers inside of loops."""

from bayesic.kernels import leaving
from bayesic.kernels._jit import inlined, inner

__all__ = ["leaning", "left", "pull", "scatter_left", "share_parts"]

leaning = inner(leaving.leaning)
left = inner(leaving.left)
share_parts = inner(leaving.share_parts)
pull = inner(leaving.pull)
scatter_left = inlined(leaving.scatter_left)
