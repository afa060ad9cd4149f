"""What actions that were taken cost, given the truth."""

from typing import Any

import numpy as np

from bayesic.data.weights import checked_weights
from bayesic.decisions.loss import as_loss
from bayesic.decisions.names import as_labels, as_names, positions
from bayesic.decisions.reject import REJECT, checked_reject_loss

Array = np.ndarray


def expected_cost(
    y: Any,
    actions: Any,
    loss: Any,
    reject_loss: Any = None,
    sample_weight: Any = None,
    classes: Any = None,
) -> float:
    """The mean cost of the actions taken, where y is the true class of each row.

        sum over rows of w_r loss(action_r, y_r) / sum of w_r

    loss : array, dict or table as in `decide`; None for 0-1 loss
    reject_loss : what each action "reject" costs
    sample_weight : w_r, the weight of each row; 1 if left out
    classes : names of the columns of a loss that is an array, such as model.classes_. If left out,
        y and actions hold the numbers of its columns and rows.

    >>> credit = {"approve": {"good": 0, "bad": 5}, "decline": {"good": 1, "bad": 0}}
    >>> expected_cost(["good", "bad", "bad"], ["approve", "approve", "decline"], credit)
    1.6666666666666667
    >>> expected_cost(["good", "bad"], ["approve", "reject"], credit, reject_loss=0.5)
    0.25
    """
    truth, taken = as_labels(y, "y"), as_labels(actions, "actions")
    if len(truth) != len(taken):
        raise ValueError(
            f"There must be one action for each row, got {len(truth)} labels in y and "
            f"{len(taken)} actions."
        )
    costs = as_loss(loss, None if classes is None else as_names(classes, "classes"))
    names, matrix = costs.actions, costs.matrix
    if reject_loss is not None:
        cost_of_none = checked_reject_loss(reject_loss, names)
        matrix = np.vstack([matrix, np.full(matrix.shape[1], cost_of_none)])
        names = (*names, REJECT)
    columns = tuple(range(matrix.shape[1])) if costs.classes is None else costs.classes
    weights = checked_weights(sample_weight, len(truth))
    cost = matrix[_numbers(taken, names, "actions"), _numbers(truth, columns, "y")]
    return float(np.average(cost, weights=weights))


def _numbers(labels: list, names: tuple, what: str) -> Array:
    numbers = positions(labels, names)
    if (numbers < 0).any():
        unknown = [label for label, number in zip(labels, numbers, strict=True) if number < 0]
        raise ValueError(
            f"{what} must be among {list(names)}, got {list(dict.fromkeys(unknown))}. "
            f"A loss that is an array has names only if classes are given; {REJECT!r} needs "
            "reject_loss."
        )
    return numbers
