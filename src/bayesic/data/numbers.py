"""Whatever holds numbers -> float64, or an error that says what should have come."""

from typing import Any

import numpy as np


def as_numbers(values: Any, name: str) -> np.ndarray:
    """The values as a float64 array of any shape; what holds no numbers is refused by this name.

    >>> as_numbers([1, 2], "sample_weight")
    array([1., 2.])
    """
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        kind = TypeError if isinstance(error, TypeError) else ValueError
        raise kind(f"{name} must hold numbers: {error}.") from error
