"""How the counts of a network came about: counted, or expected where rows have gaps."""

from typing import Any, NamedTuple

import numpy as np

Array = np.ndarray

METHODS = ("em", "gradient")  # for rows with gaps


class Account(NamedTuple):
    """The method, None for counting, and how its climb went."""

    method: str | None
    trace: Array  # the objective after each step
    converged: bool


COUNTED = Account(None, np.empty(0), converged=True)
COUNTED.trace.flags.writeable = False


def checked_account(given: Any) -> Account:
    """The account in a file, which may say anything.

    >>> checked_account((None, np.empty(0), True)).method is None
    True
    """
    if isinstance(given, tuple) and len(given) == 3:
        method, trace, converged = given
        is_known = method is None or (isinstance(method, str) and method in METHODS)
        is_trace = isinstance(trace, np.ndarray) and trace.dtype == np.float64 and trace.ndim == 1
        if is_known and is_trace and type(converged) is bool:
            return Account(method, trace, converged)
    raise ValueError("A network has learned by counting, by EM, or along the gradient.")
