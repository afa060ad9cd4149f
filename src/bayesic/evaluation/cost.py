"""What actions cost that are chosen by probabilities, next to simpler ways to choose them."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from bayesic.decisions.decide import decide, expected_cost
from bayesic.decisions.loss import REJECT, as_loss
from bayesic.decisions.names import as_names

Array = np.ndarray


class Cost(NamedTuple):
    """Mean costs of rows whose classes are known."""

    expected_cost: float  # of the actions of least expected loss
    zero_one_cost: float  # of the best actions if the most probable class were certain
    constant_cost: float  # of the one action for all rows that costs least
    constant_action: Any  # that action
    actions: dict[Any, float]  # action of least expected loss -> how many rows get it


def cost_of_answers(
    posterior: Array,
    y: Any,
    classes: Sequence[Any],
    loss: Any = None,
    reject_loss: Any = None,
    weights: Array | None = None,
) -> Cost:
    """What the answers cost, where y is the true class of each row.

    loss, reject_loss : as in `decide`; a reject_loss alone goes with 0-1 loss

    >>> credit = {"approve": {"bad": 5, "good": 0}, "decline": {"bad": 0, "good": 1}}
    >>> posterior = np.array([[0.25, 0.75], [0.1, 0.9], [0.25, 0.75]])
    >>> cost_of_answers(posterior, ["bad", "good", "good"], ["bad", "good"], credit)
    Cost(expected_cost=0.3333333333333333, zero_one_cost=1.6666666666666667,
         constant_cost=0.6666666666666666, constant_action='decline',
         actions={'approve': 1, 'decline': 2})
    """

    def cost(actions: Any) -> float:
        return expected_cost(y, actions, loss, reject_loss, weights, classes)

    certain = np.eye(len(classes))[posterior.argmax(axis=1)]
    best = decide(posterior, loss, reject_loss, classes).action.tolist()
    names = as_loss(loss, as_names(classes, "classes")).actions
    names = names if reject_loss is None else (*names, REJECT)
    constant = [cost([name] * len(y)) for name in names]
    cheapest = int(np.argmin(constant))
    return Cost(
        cost(best),
        cost(decide(certain, loss, reject_loss, classes).action.tolist()),
        constant[cheapest],
        names[cheapest],
        _rows_of_actions(best, names, weights),
    )


def _rows_of_actions(actions: list, names: tuple, weights: Array | None) -> dict[Any, float]:
    place = {name: number for number, name in enumerate(names)}
    numbers = np.array([place[action] for action in actions], dtype=np.intp)
    n_rows = np.bincount(numbers, weights, minlength=len(names)).tolist()
    return {name: count for name, count in zip(names, n_rows, strict=True) if count}
