"""The loops: arrays in, arrays out. Nothing here knows the rest of the library.

Kernels come as twins: a module in plain NumPy and SciPy, which always works and is the
specification, and a module with the same functions in Numba. `pick(name, steps)` gives one of the
two by the size of the question alone, so that the same question always takes the same route.
"""

import importlib
import os
from functools import cache
from types import ModuleType
from typing import Literal, NamedTuple, overload

import numpy as np

Array = np.ndarray  # in the signatures of the whole library

# From this many steps on, work that is done more than once repays importing Numba and loading (the
# first time: compiling) its kernels. A step is what NumPy does for one cell and one class.
STEPS_THAT_REPAY_COMPILING = 4_000_000


class Twins(NamedTuple):
    """The two modules of a group of kernels, and the size from which on the second is taken."""

    reference: str | None
    compiled: str
    threshold: int = STEPS_THAT_REPAY_COMPILING


# What a step is: rows x columns x classes, unless said. One that takes NumPy as long as many steps
# has a threshold that many times lower.
TWINS = {
    "classes": Twins("_reference", "_compiled"),
    # a row in each class, as if it had not been learned
    "without_row": Twins("without_row", "_compiled_without_row"),
    # of products of columns: rows x columns x columns
    "centres": Twins("centres", "_compiled_centres"),
    # rows x combinations of columns
    "combinations": Twins("combinations", "_compiled_combinations"),
    # the same, where shares lean on those with one column less
    "back_off": Twins("back_off", "_compiled_back_off"),
    # rows x pairs of variables
    "structure": Twins("structure", "_compiled_structure"),
    # rows x the states of all variables
    "network_sampling": Twins("network_sampling", "_compiled_network_sampling"),
    # `JunctionTree.work` turns the cells of its cliques into steps
    "trees": Twins("trees", "_compiled_trees"),
    # the same, of trees that are small
    "passes": Twins("passes", "_compiled_passes"),
    # rows x trees x STEPS_OF_A_ROW
    "forest": Twins("forest", "_compiled_forest"),
    # characters: `re` and a dictionary, which take 16 steps for each, are the specification; they
    # are in `data/tokens.py` and `data/counted_texts.py`, for they work on strings
    "words": Twins(None, "_compiled_words", STEPS_THAT_REPAY_COMPILING // 16),
}

_CHOICES = ("reference", "compiled")


@overload  # the one name without a reference
def pick(name: Literal["words"], steps: int) -> ModuleType | None: ...  # type: ignore[overload-overlap]


@overload
def pick(name: str, steps: int) -> ModuleType: ...


def pick(name: str, steps: int) -> ModuleType | None:
    """The module whose kernels to call for a question of this many steps; see `TWINS`.

    Without Numba it is always the reference. The environment variable BAYESIC_KERNELS=reference or
    compiled forces either.

    >>> pick("centres", steps=600).__name__
    'bayesic.kernels.centres'
    """
    twins = TWINS[name]
    if _is_compiled(twins, steps):
        compiled = _compiled_module(twins.compiled)
        if compiled is not None:
            return compiled
    return None if twins.reference is None else _module(twins.reference)


def _is_compiled(twins: Twins, steps: int) -> bool:
    """Whether a question of this many steps is for compiled kernels, if there are any."""
    forced = os.environ.get("BAYESIC_KERNELS")
    if not forced:
        return steps >= twins.threshold
    if forced not in _CHOICES:
        raise ValueError(
            f"BAYESIC_KERNELS must be 'reference' or 'compiled', got {forced!r}. "
            "Unset it to let the size of the work decide."
        )
    if forced == "compiled" and _compiled_module(twins.compiled) is None:
        raise ImportError(
            "BAYESIC_KERNELS=compiled needs Numba, which cannot be imported here. "
            "Install it with: pip install 'bayesic[fast]', or unset BAYESIC_KERNELS."
        )
    return forced == "compiled"


@cache
def _module(name: str) -> ModuleType:
    return importlib.import_module(f"bayesic.kernels.{name}")


@cache
def _compiled_module(name: str) -> ModuleType | None:
    try:
        return _module(name)
    except ImportError:
        return None
