"""Short cuts for columns that name states just as the network does: no new categories are made.

What is not plain is left to `as_table`, which takes everything and explains what is wrong.
"""

import sys
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from bayesic.data.blocks import in_threads
from bayesic.data.columns import NOT_OBSERVED
from bayesic.networks.states import States

Array = np.ndarray

MOST_STATES = 127  # codes are computed in signed bytes
MISSING = 255  # -1 as a signed byte
CELLS_THAT_REPAY_THREADS = 2**16


def quick_columns(table: Any, net_states: Mapping[str, States]) -> dict[str, Array | None]:
    """Variable -> codes of its column, None without a short cut; empty if the table has none.

    >>> quick_columns({"Sky": ["雨", None]}, {"Sky": ("晴", "雨"), "Storm": (True, False)})
    {'Sky': array([ 1, -1], dtype=int8)}
    """
    pandas = sys.modules.get("pandas")
    if isinstance(table, Mapping):
        lengths = {len(its) if hasattr(its, "__len__") else -1 for its in table.values()}
        names, is_plain = list(table), len(lengths) == 1 and -1 not in lengths
    elif pandas is not None and isinstance(table, pandas.DataFrame):
        names, is_plain = list(table.columns), table.columns.is_unique
    else:
        return {}
    if not is_plain or not all(isinstance(name, str) for name in names):
        return {}
    columns = {name: table[name] for name in net_states if name in table}
    are_many = sum(map(len, columns.values())) >= CELLS_THAT_REPAY_THREADS
    codes = (in_threads if are_many else map)(
        lambda name: quick_codes(columns[name], net_states[name]), columns
    )
    return dict(zip(columns, codes, strict=True))


def quick_codes(values: Any, states: States) -> Array | None:
    """The number of the state in each cell, -1 where none was observed; None without a short cut.

    >>> quick_codes(["雨", None, "晴"], ("晴", "雨"))
    array([ 1, -1,  0], dtype=int8)
    """
    if len(states) > MOST_STATES:
        return None
    values = getattr(values, "array", values)  # of a pandas Series
    if isinstance(values, np.ndarray):
        if values.ndim != 1 or values.dtype.kind not in "OU" or np.ma.isMaskedArray(values):
            return None
        return _looked_up(values.tolist(), states)
    if isinstance(values, (list, tuple)):
        return _looked_up(values, states)
    dtype = getattr(values, "dtype", None)
    if dtype == "object":
        return _looked_up(values.to_numpy().tolist(), states)
    if dtype == "category":
        return _placed(values.codes, values.categories, states)
    if dtype == "str" or dtype == "string":
        codes, levels = values.factorize()
        return _placed(codes, levels, states)
    return None


class _Numbers(dict[Any, int]):
    """The number of each state; NaN is not observed, and every NaN may be an object of its own."""

    def __missing__(self, value: Any) -> int:
        if value != value:
            return MISSING
        raise KeyError(value)


def _looked_up(values: Sequence[Any], states: States) -> Array | None:
    numbers = _Numbers((state, number) for number, state in enumerate(states))
    numbers[None] = MISSING
    try:
        return np.frombuffer(bytes(map(numbers.__getitem__, values)), np.int8)
    except (KeyError, TypeError):  # another way to write a state, or to say "not observed"
        return None


def _placed(codes: Array, levels: Any, states: States) -> Array | None:
    """Codes into these levels -> numbers of states; -1 stays."""
    numbers = {state: number for number, state in enumerate(states)}
    places = [numbers.get(level, NOT_OBSERVED) for level in levels]
    if NOT_OBSERVED in places:
        return None
    return np.array([*places, NOT_OBSERVED], np.int8)[codes]
