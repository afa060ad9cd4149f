"""The loops: arrays in, arrays out. Nothing here knows the rest of the library.

`reference.py` is plain NumPy and SciPy, always works, and is the specification.
`compiled.py` holds the same functions in Numba. `kernels_for(steps)` picks one of the two modules
by the size of the work alone, so that the same input always takes the same road.
"""

import importlib
import os
from functools import lru_cache
from types import ModuleType

# From this many steps on, work that is done more than once repays importing Numba and loading (the
# first time: compiling) its kernels.
STEPS_THAT_REPAY_COMPILING = 4_000_000

_CHOICES = ("reference", "compiled")


def kernels_for(steps: int) -> ModuleType:
    """The module whose kernels to call for work of this many steps.

    A step is one cell for one class: rows times columns times classes.

    The environment variable BAYESIC_KERNELS=reference or compiled forces either.

    >>> kernels_for(steps=600).__name__
    'bayesic.kernels.reference'
    """
    module = _load("compiled") if _is_compiled(steps) else None
    return module or importlib.import_module("bayesic.kernels.reference")


def word_kernels_for(steps: int) -> ModuleType | None:
    """The compiled kernels for words, None where work of this many steps is done by `re`."""
    return _load("compiled_words") if _is_compiled(steps) else None


def tree_kernels_for(steps: int) -> ModuleType | None:
    """The compiled kernels for junction trees, None where `trees.py` does this much work."""
    return _load("compiled_trees") if _is_compiled(steps) else None


def best_kernels_for(steps: int) -> ModuleType | None:
    """The compiled kernels for most probable states, None where `trees.py` does this much work."""
    return _load("compiled_best") if _is_compiled(steps) else None


def _is_compiled(steps: int) -> bool:
    """Whether work of this many steps is done by compiled kernels, if there are any."""
    forced = os.environ.get("BAYESIC_KERNELS")
    if forced:
        return _forced(forced)
    return steps >= STEPS_THAT_REPAY_COMPILING


def _forced(name: str) -> bool:
    if name not in _CHOICES:
        raise ValueError(
            f"BAYESIC_KERNELS must be 'reference' or 'compiled', got {name!r}. "
            "Unset it to let the size of the work decide."
        )
    if name == "compiled" and _load(name) is None:
        raise ImportError(
            "BAYESIC_KERNELS=compiled needs Numba, which cannot be imported here. "
            "Install it with: pip install 'bayesic[fast]', or unset BAYESIC_KERNELS."
        )
    return name == "compiled"


@lru_cache
def _load(name: str) -> ModuleType | None:
    try:
        return importlib.import_module(f"bayesic.kernels.{name}")
    except ImportError:
        return None
