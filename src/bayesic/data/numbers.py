"""Whatever holds numbers -> float64, or an error that says what should have come."""

from typing import Any

import numpy as np

from bayesic.kernels import Array


def plain_array(values: Any) -> Any:
    """A column of polars or pyarrow as NumPy's array; anything else as it is.

    Where NumPy has no such values (numbers of 128 bits, unions), an array of Python's.
    """
    if not type(values).__module__.startswith(("polars", "pyarrow")):
        return values
    try:
        return np.asarray(values)
    except Exception:  # each library has errors of its own
        listed = values.to_list() if hasattr(values, "to_list") else values.to_pylist()
        return np.array([*listed, None], dtype=object)[:-1]  # the None keeps nested lists apart


def as_numbers(values: Any, name: str) -> Array:
    """The values as a float64 array of any shape; what holds no numbers is refused by this name.

    >>> as_numbers([1, 2], "sample_weight")
    array([1., 2.])
    """
    try:
        return np.asarray(plain_array(values), dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        kind = TypeError if isinstance(error, TypeError) else ValueError
        raise kind(f"{name} must hold numbers: {error}.") from error
