"""Counts of combinations of states: all that the data says about some variables together."""

from collections.abc import Sequence
from math import prod
from types import ModuleType

import numpy as np

from bayesic.kernels import pick
from bayesic.networks.structure.coded_columns import CodedColumns

Array = np.ndarray

MOST_CELLS = 2**28  # 2 GB of counts


def kernels_of(columns: CodedColumns) -> ModuleType:
    """The kernels for these columns: all their pairs are counted, whatever the method."""
    n_variables, n_rows = columns.codes.shape
    return pick("structure", n_rows * n_variables**2)


def family_table(columns: CodedColumns, variables: Sequence[int]) -> Array:
    """How often each combination of states of these variables occurs: int64, an axis for each.

    >>> from bayesic.networks.structure.coded_columns import coded_columns
    >>> rows = coded_columns({"rain": ["yes", "no", "yes"], "wet": ["yes", "no", "no"]})
    >>> family_table(rows, [0, 1])
    array([[1, 0],
           [1, 1]])
    """
    shape = tuple(columns.sizes[variable] for variable in variables)
    if prod(shape) > MOST_CELLS:
        names = ", ".join(columns.variables[variable] for variable in variables)
        raise ValueError(
            f"The states of {names} have {prod(shape)} combinations, too many to count each: at "
            f"most {MOST_CELLS}. Ask for fewer variables together, or join rare states."
        )
    counts = np.zeros(prod(shape), np.int64)
    kernels_of(columns).count_cells(
        columns.codes,
        np.array(columns.sizes, np.int64),
        columns.weights,
        np.array(variables, np.int64),
        counts,
    )
    return counts.reshape(shape)
