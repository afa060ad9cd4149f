"""The action of least expected loss; tables of answers; what actions cost, given the truth."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from bayesic.data.arguments import checked_weights, tell
from bayesic.data.typing import ArrayLike, Label, LabelsLike, LossLike
from bayesic.decisions.loss import REJECT, Loss, as_loss, checked_reject_loss, expected_loss
from bayesic.decisions.names import as_labels, as_names, name_array, positions
from bayesic.decisions.sure_answers import checked_posterior, most_probable_above
from bayesic.html import MOST_ROWS, html_table, left_out
from bayesic.kernels import Array

NO_THRESHOLDS: Mapping[object, float] = MappingProxyType({})


class ActionAndRisk(NamedTuple):
    """The two that a decision unpacks to."""

    action: Array  # (n_rows,)           the action of least risk, the first of several
    risk: Array  # (n_rows, n_actions)  expected loss of every action


class Decision(ActionAndRisk):
    """What to do for each row, and what every action would cost on average.

    A pair of action and risk; `actions` names the columns of risk.
    """

    actions: tuple[Label, ...] = ()

    def _repr_html_(self) -> str:
        names = self.actions or range(self.risk.shape[1])
        rows = [
            (row, self.action[row], *(f"{loss:.4g}" for loss in risk))
            for row, risk in enumerate(self.risk[:MOST_ROWS].tolist())
        ]
        return html_table(
            ("row", "action", *(f"risk of {name}" for name in names)),
            rows,
            align="rl" + "r" * self.risk.shape[1],
            notes=left_out(len(self.risk), "rows"),
        )


def decide(
    posterior: ArrayLike,
    loss: LossLike | None = None,
    reject_loss: float | None = None,
    classes: Iterable[object] | None = None,
) -> Decision:
    """For each row of class probabilities, the action of least expected loss, and all risks.

        action(x) = the i of least R(i | x) = sum over j of loss_ij P(c_j | x)

    Without a loss every mistake costs 1 (0-1 loss): the answer is the most probable class, and its
    risk is one minus its probability.

    loss : array (actions x classes), dict action -> class -> cost, or a table with the names of
        the actions in its first column (or pandas index) and a column for each class
    reject_loss : cost of taking no action; where the least risk is greater, the action is "reject"
    classes : names of the columns of posterior, such as model.classes_

    Actions are identified by name if they have one. Those of an array have none: they are numbered
    from 0, or named by the classes if these are given and the numbers match. If only the loss names
    the classes, the columns of posterior are taken in the order of its first action (or of the
    columns of the table), with a warning if that is not the sorted order of predict_proba.

    >>> decide([[0.75, 0.25]]).action
    array([0])
    >>> decide([[0.75, 0.25]], loss=[[0, 5], [1, 0]]).action
    array([1])
    >>> credit = {"approve": {"good": 0, "bad": 5}, "decline": {"good": 1, "bad": 0}}
    >>> posterior = [[0.05, 0.95], [0.25, 0.75]]
    >>> decide(posterior, credit, classes=["bad", "good"]).action
    array(['approve', 'decline'], dtype='<U7')
    >>> decide(posterior, credit, reject_loss=0.5, classes=["bad", "good"]).action
    array(['approve', 'reject'], dtype='<U7')
    """
    probability = checked_posterior(posterior)
    costs = _loss_for_columns(loss, classes, probability.shape[1])
    risk = expected_loss(probability, costs.matrix)
    # the same without a loss, but there rounding the risks could make a tie of two probabilities
    best = probability.argmax(axis=1) if loss is None else risk.argmin(axis=1)
    names = costs.actions
    if reject_loss is not None:
        cost_of_none = checked_reject_loss(reject_loss, names)
        best = np.where(risk.min(axis=1) > cost_of_none, len(names), best)
        names = (*names, REJECT)
    decision = Decision(name_array(names)[best], risk)
    decision.actions = tuple(costs.actions)
    return decision


def answer_columns(
    posterior: Array,
    classes: Array,
    thresholds: Mapping[object, float] = NO_THRESHOLDS,
    top: int | None = None,
    loss: LossLike | None = None,
    reject_loss: float | None = None,
) -> dict[str, list]:
    """A table of answers: the prediction, P(class) of each class, and what is best to do.

    thresholds : as in `most_probable_above`
    top        : only this many classes, the most probable of each row, each with its probability
    loss, reject_loss : as in `decide`; with one of them also the action of least expected loss and
                 that loss, the risk

    >>> answer_columns(np.array([[0.25, 0.75]]), np.array(["ham", "spam"]))
    {'prediction': ['spam'], 'P(ham)': [0.25], 'P(spam)': [0.75]}
    >>> answer_columns(np.array([[0.25, 0.75]]), np.array(["ham", "spam"]), top=1, reject_loss=0.1)
    {'prediction': ['spam'], 'class 1': ['spam'], 'P(class 1)': [0.75],
     'action': ['reject'], 'risk': [0.1]}
    """
    columns = {"prediction": most_probable_above(posterior, classes, thresholds).tolist()}
    if top is None:
        named = zip(classes.tolist(), posterior.T, strict=True)
        columns |= {f"P({label})": probability.tolist() for label, probability in named}
    else:
        order = (-posterior).argsort(axis=1, kind="stable")[:, :top]
        for number, indices in enumerate(order.T, start=1):
            columns[f"class {number}"] = classes[indices].tolist()
            columns[f"P(class {number})"] = posterior[range(len(indices)), indices].tolist()
    if loss is not None or reject_loss is not None:
        action, risk = decide(posterior, loss, reject_loss, classes)
        least = risk.min(axis=1)
        least = least if reject_loss is None else least.clip(max=reject_loss)
        columns |= {"action": action.tolist(), "risk": least.tolist()}
    return columns


def expected_cost(
    y: LabelsLike,
    actions: LabelsLike,
    loss: LossLike | None,
    reject_loss: float | None = None,
    sample_weight: ArrayLike | None = None,
    classes: Iterable[object] | None = None,
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


def _loss_for_columns(loss: object, classes: object, n_columns: int) -> Loss:
    """The loss with its columns in the order of the columns of the posterior."""
    names = None if classes is None else as_names(classes, "classes")
    if names is not None and len(names) != n_columns:
        raise ValueError(
            f"classes must name each of the {n_columns} columns of posterior, got {list(names)}. "
            "Use model.classes_ with predict_proba."
        )
    costs = as_loss(loss, names, n_columns)
    if names is None and costs.classes is not None:
        if len(costs.classes) != n_columns:
            raise ValueError(
                f"loss must have a cost for each of the {n_columns} columns of posterior, got "
                f"classes {list(costs.classes)}. "
                "In a table the first column has the names of the actions."
            )
        _warn_if_not_sorted(costs.classes)
    return costs


def _warn_if_not_sorted(classes: tuple) -> None:
    """Warn of an order that predict_proba does not have: swapped costs would not show."""
    try:
        in_order = list(classes) == sorted(classes)
    except TypeError:  # words and numbers mixed: predict_proba has no order for them
        in_order = True
    if not in_order:
        tell(
            f"The columns of posterior are taken in the order of the loss, {list(classes)}, which "
            "is not the sorted order of predict_proba. Say which classes they are: "
            f"classes=model.classes_, or classes={list(classes)} if this is right."
        )


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
