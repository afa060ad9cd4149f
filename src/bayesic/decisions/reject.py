"""The reject option: no action, at a fixed cost, where every action would cost more."""

from typing import Any

import numpy as np

from bayesic.data.numbers import as_numbers

REJECT = "reject"  # the name of taking no action, whatever the other actions are called


def checked_reject_loss(reject_loss: Any, actions: tuple) -> float:
    """The cost of taking no action as a finite number.

    >>> checked_reject_loss(1, actions=("approve", "decline"))
    1.0
    """
    cost = as_numbers(reject_loss, "reject_loss")
    if cost.ndim > 0 or not np.isfinite(cost):
        raise ValueError(
            f"reject_loss must be one finite number, got {reject_loss!r}. "
            "Leave it out if there is always something to do."
        )
    if REJECT in actions:
        raise ValueError(
            f"reject_loss gives the name {REJECT!r} to taking no action, but loss has an action "
            f"of that name. Call it something else, or leave out reject_loss."
        )
    return float(cost)
